import { setTimeout as sleep } from 'node:timers/promises'

interface WaitOptions {
  readonly timeoutMs: number
  /** What is awaited, for the message: "waited 500 ms for …". */
  readonly what: string
}

const PAUSE_MIN_MS = 10
const PAUSE_MAX_MS = 250
/** Of the time that has been waited: so late at most the answer comes. */
const PAUSE_SHARE = 0.1
/** A question may be a statement or a process of its own: asking takes a fifth of the time at most. */
const PAUSES_PER_QUESTION = 4
/** After the first few, ten questions a second at most: people who ask faster are refused. */
const EAGER_QUESTIONS = 5
const QUESTION_EVERY_MS = 100

/** Asks until the answer is true, less often as time goes by. Throws when it is not after `timeoutMs`. */
export async function waitUntil(
  predicate: () => boolean | Promise<boolean>,
  options: WaitOptions,
): Promise<void> {
  const startMs = performance.now()
  for (let asked = 1; ; asked += 1) {
    const askedMs = performance.now()
    if (await predicate()) return
    const nowMs = performance.now()
    const waitedMs = nowMs - startMs
    if (waitedMs > options.timeoutMs) throw new Error(`waited ${options.timeoutMs} ms for ${options.what}`)
    const pauseMs = Math.max(
      PAUSE_SHARE * waitedMs,
      PAUSES_PER_QUESTION * (nowMs - askedMs),
      (asked - EAGER_QUESTIONS) * QUESTION_EVERY_MS - waitedMs,
    )
    await sleep(Math.min(Math.max(pauseMs, PAUSE_MIN_MS), PAUSE_MAX_MS))
  }
}
