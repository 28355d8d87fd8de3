import { setTimeout as sleep } from 'node:timers/promises'
import { notificationPath, type ProtocolKeys, signRequest } from '@tollgate/rail-protocol'
import type { Log, WallClock } from '@tollgate/runtime'
import type { Bank } from './bank.ts'
import type { Books, Notice } from './books.ts'

/** The gateway that is told of changes. */
export interface GatewayAddress {
  /** Of its API, without a slash at the end. */
  readonly url: string
  readonly railCode: string
}

interface NotifierDeps {
  readonly books: Books
  readonly bank: Pick<Bank, 'settled' | 'endNotice'>
  readonly gateway: GatewayAddress
  readonly keyId: string
  readonly keys: ProtocolKeys
  readonly clock: WallClock
  readonly log: Log
  /** First pause after a message that was not taken; it doubles. 200 unless a test is in a hurry. */
  readonly pauseMs?: number
}

/** Sends what is owed: the messages about one payment one after another, each until the gateway takes it. */
export interface Notifier {
  /** Looks at what is owed about the payment. */
  wake(reference: string): void
  /** Gives up what is under way; what is owed stays in the journal. */
  stop(): Promise<void>
}

const PAUSE_MS = 200
const PAUSE_MS_MAX = 30_000
const SENDING_TIMEOUT_MS = 10_000
const SENDINGS_AT_ONCE_MAX = 16
/** A gateway that has not taken a message for so long will not: it is another one now, or has no such rail. */
const AGE_MS_MAX = 24 * 60 * 60 * 1000

export function createNotifier(deps: NotifierDeps): Notifier {
  const ending = new AbortController()
  const runs = new Map<string, Promise<void>>()
  const takeTurn = createTurns(SENDINGS_AT_ONCE_MAX)
  const run = async (reference: string): Promise<void> => {
    let notice = deps.books.owed.get(reference)?.[0]
    while (notice !== undefined && !ending.signal.aborted) {
      const outcome = await deliver(deps, { notice, takeTurn, signal: ending.signal })
      if (outcome === undefined) return
      deps.bank.endNotice(reference, notice.idNotification, outcome)
      notice = deps.books.owed.get(reference)?.[0]
    }
  }
  return {
    wake(reference) {
      if (runs.has(reference) || ending.signal.aborted) return
      const done = run(reference)
        .catch((error: unknown) => {
          if (!ending.signal.aborted)
            deps.log.error({ reference, why: whyOf(error) }, 'messages cannot be sent')
        })
        .finally(() => runs.delete(reference))
      runs.set(reference, done)
    },
    async stop() {
      ending.abort()
      await Promise.all(runs.values())
    },
  }
}

interface Delivery {
  readonly notice: Notice
  readonly takeTurn: Turns
  readonly signal: AbortSignal
}

/** Undefined when the bank closes before the message was taken. */
async function deliver(
  deps: NotifierDeps,
  { notice, takeTurn, signal }: Delivery,
): Promise<'DELIVERED' | 'GIVEN_UP' | undefined> {
  // The gateway must not learn what a crash could still undo.
  await deps.bank.settled()
  const bornMs = Date.parse(notice.payment.updatedAt)
  let pauseMs = deps.pauseMs ?? PAUSE_MS
  for (let taken = 0; taken < notice.sendings; ) {
    const why = await takeTurn(() => send(deps, notice, signal))
    if (why === undefined) {
      taken += 1
      continue
    }
    if (signal.aborted) return undefined
    const { reference } = notice.payment
    deps.log.warn({ reference, why }, 'the gateway did not take a message; it is sent again')
    if (deps.clock.nowMs() - bornMs > AGE_MS_MAX) return 'GIVEN_UP'
    await sleep(pauseMs, undefined, { signal }).catch(() => undefined)
    pauseMs = Math.min(pauseMs * 2, PAUSE_MS_MAX)
  }
  return 'DELIVERED'
}

/** Undefined when the gateway took it: any answer of 2xx. */
async function send(deps: NotifierDeps, notice: Notice, ending: AbortSignal): Promise<string | undefined> {
  const { gateway, keyId, keys, clock } = deps
  const { idNotification, payment } = notice
  const path = notificationPath(gateway.railCode)
  const body = JSON.stringify({ idNotification, payment })
  const timestampSeconds = Math.floor(clock.nowMs() / 1000)
  const signature = signRequest(keys.institution, { keyId, method: 'POST', path, timestampSeconds, body })
  try {
    const response = await fetch(`${gateway.url}${path}`, {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json', ...signature },
      redirect: 'manual',
      signal: AbortSignal.any([ending, AbortSignal.timeout(SENDING_TIMEOUT_MS)]),
    })
    await response.body?.cancel()
    return response.ok ? undefined : `status ${response.status}`
  } catch (error) {
    return whyOf(error)
  }
}

function whyOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown'
  const { cause } = error
  if (cause instanceof Error && 'code' in cause) return String(cause.code)
  return error.message
}

type Turns = <Result>(work: () => Promise<Result>) => Promise<Result>

/** Lets at most so many work at once; the others wait in the order in which they came. */
function createTurns(atOnceMax: number): Turns {
  let working = 0
  const waiting: (() => void)[] = []
  return async (work) => {
    if (working >= atOnceMax) await new Promise<void>((resolve) => waiting.push(resolve))
    else working += 1
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next === undefined) working -= 1
      else next()
    }
  }
}
