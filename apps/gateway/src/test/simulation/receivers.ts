import { type KeyObject, verify } from 'node:crypto'
import type { OutboundClient, OutboundRequest, OutboundResult } from '../../platform/outbound/index.ts'
import type { Faults } from './faults.ts'
import type { Life, VirtualTime } from './time.ts'

/** What a merchant's receiver does with a callback. */
export const BEHAVIOURS = ['OK', 'ERROR', 'NO_CONTENT', 'REFUSE', 'HANG'] as const
export type Behaviour = (typeof BEHAVIOURS)[number]

/** A callback as it arrived. */
interface Arrival {
  readonly atMs: number
  readonly webhookId: string
  readonly body: string
  readonly url: string
  readonly behaviour: Behaviour
  /** Whether a key of the merchant has signed it that was in force at most so shortly ago that everybody knows the next. */
  readonly isSigned: boolean
}

/** The merchants' receivers, and what they heard. */
export interface Receivers {
  outbound(life: Life): Pick<OutboundClient, 'post'>
  readonly arrivals: readonly Arrival[]
  /** From now on the receiver at the host does this. */
  behave(host: string, behaviour: Behaviour): void
}

interface ReceiverDeps {
  readonly time: VirtualTime
  readonly faults: Faults
  readonly latencyMs: () => number
  /** The keys that may have signed a callback to the host now. */
  readonly keysOf: (host: string) => readonly KeyObject[]
}

const SIGNATURE = /^v1a,(.+)$/

/** As Standard Webhooks has it. */
function isSignedBy(
  keys: readonly KeyObject[],
  { headers, body }: Pick<OutboundRequest, 'headers' | 'body'>,
): boolean {
  const content = Buffer.from([headers['webhook-id'], headers['webhook-timestamp'], body].join('.'))
  const signatures = (headers['webhook-signature'] ?? '')
    .split(' ')
    .map((text) => Buffer.from(SIGNATURE.exec(text)?.[1] ?? '', 'base64'))
  return signatures.some((signature) => keys.some((key) => verify(null, content, key, signature)))
}

const STATUSES = { OK: 200, NO_CONTENT: 204, ERROR: 500 } as const

export function createReceivers(deps: ReceiverDeps): Receivers {
  const arrivals: Arrival[] = []
  const behaviours = new Map<string, Behaviour>()
  const { time, faults, latencyMs } = deps
  const wait = (ms: number, life?: Life): Promise<void> =>
    new Promise((resolve) => void time.after(ms, resolve, life))
  const failed = (reason: 'timeout' | 'refused', tookMs: number): OutboundResult => ({
    kind: 'failed',
    reason,
    message: 'no answer',
    tookMs,
  })

  async function post(
    life: Life,
    { url, headers, body, deadlineMs }: OutboundRequest,
  ): Promise<OutboundResult> {
    const fault = faults.at(life, 'receiver')
    if (fault === 'CRASH_BEFORE') return faults.crash(life)
    const { hostname } = new URL(url)
    const behaviour = behaviours.get(hostname) ?? 'OK'
    if (fault === 'UNAVAILABLE' || behaviour === 'REFUSE') return failed('refused', 0)
    if (fault !== 'REQUEST_LOST')
      arrivals.push({
        atMs: time.nowMs(),
        webhookId: headers['webhook-id'] ?? '',
        body,
        url,
        behaviour,
        isSigned: isSignedBy(deps.keysOf(hostname), { headers, body }),
      })
    if (fault === 'CRASH_AFTER') return faults.crash(life)
    if (fault !== undefined || behaviour === 'HANG') {
      await wait(deadlineMs, life)
      return failed('timeout', deadlineMs)
    }
    const tookMs = latencyMs()
    await wait(tookMs, life)
    return { kind: 'answered', status: STATUSES[behaviour], tookMs, bodyStart: '' }
  }

  return {
    arrivals,
    outbound: (life) => ({
      async post(request) {
        life.callsUnderWay += 1
        return post(life, request).finally(() => {
          life.callsUnderWay -= 1
        })
      },
    }),
    behave: (host, behaviour) => void behaviours.set(host, behaviour),
  }
}
