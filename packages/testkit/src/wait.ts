import { setTimeout as sleep } from 'node:timers/promises'

export interface WaitOptions {
  readonly timeoutMs: number
  /** What is awaited, for the message: "waited 500 ms for …". */
  readonly what: string
}

const POLL_MS = 10

/** Asks until the answer is true. Throws when it is not after `timeoutMs`. */
export async function waitUntil(
  predicate: () => boolean | Promise<boolean>,
  options: WaitOptions,
): Promise<void> {
  const deadline = performance.now() + options.timeoutMs
  while (!(await predicate())) {
    if (performance.now() > deadline) throw new Error(`waited ${options.timeoutMs} ms for ${options.what}`)
    await sleep(POLL_MS)
  }
}
