import assert from 'node:assert/strict'
import { createSecureContext, getCACertificates } from 'node:tls'
import { openConnection } from './connection.ts'
import type { Answer, Wire } from './exchange.ts'
import { type FailureReason, OutboundFailure, plainFailure } from './failure.ts'
import { createKeptWires, type Kept, type KeptWires } from './kept.ts'
import { type Resolve, resolveBySystem } from './resolve.ts'
import { createAddressRule, judgeTarget, parseTargetUrl, type TargetPolicy } from './target.ts'

const DEADLINE_MS_MAX = 60_000
/** The most that is kept of the body of an answer, in bytes, unless the caller says otherwise. */
export const BODY_BYTES_MAX = 4_096
const BODY_BYTES_ASKED_MAX = 65_536

/** One POST to somebody else's server. */
export interface OutboundRequest {
  /** As stored: the `.href` from `parseTargetUrl`. It is judged again, since the policy may have changed. */
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /**
   * The connection may be one that an earlier request to the same origin left open. Without it, a fresh connection is opened,
   * and closed afterwards.
   */
  readonly mayReuse?: boolean
  /** For everything together: resolving, connecting, TLS, headers and body. At most 60,000 ms. */
  readonly deadlineMs: number
}

/** One request to an institution, whose answer is read as well. */
export interface OutboundCall extends Omit<OutboundRequest, 'body' | 'mayReuse'> {
  readonly method: 'GET' | 'POST' | 'PUT'
  /** Of a POST or PUT. */
  readonly body?: string
  /** How much of the answer's body is kept; 4 kB unless said, at most 64 kB. */
  readonly bodyBytesMax?: number
  /** Cuts the call, which then ends as `failed`/`other`. */
  readonly signal?: AbortSignal
}

/**
 * What became of a call; as `OutboundResult`, with the headers of the answer. A call that failed before its first byte
 * was sent has surely not arrived.
 */
export type OutboundAnswer =
  | (Extract<OutboundResult, { kind: 'answered' }> & { readonly headers: Readonly<Record<string, string>> })
  | (Extract<OutboundResult, { kind: 'failed' }> & { readonly mayHaveArrived: boolean })

/**
 * What became of an attempt. `answered` says that a status line came, whatever the status; `bodyStart` is at
 * most the first 4 kB of the body, and the other side's words: show them to no one who may not see
 * what our network can reach. `message` is safe to show.
 */
export type OutboundResult =
  | {
      readonly kind: 'answered'
      readonly status: number
      readonly tookMs: number
      readonly bodyStart: string
    }
  | {
      readonly kind: 'failed'
      readonly reason: FailureReason
      readonly message: string
      readonly tookMs: number
    }

/** Calls servers that we do not trust. */
export interface OutboundClient {
  /** Makes one attempt. Trouble of the network or the receiver is a result, never an error. */
  post(request: OutboundRequest): Promise<OutboundResult>
  /** The same for a GET, POST or PUT whose answer matters, over a fresh connection: with its headers, and with a signal that cuts it. */
  call(request: OutboundCall): Promise<OutboundAnswer>
  /** Cuts the attempts under way, which end as `failed`/`other`, and waits for them. Later attempts fail at once. */
  close(): Promise<void>
}

/** The parts of an outbound client. */
interface OutboundDeps {
  readonly policy: TargetPolicy
  /** Asked once per attempt for the addresses of a name. Default: the operating system's resolver. */
  readonly resolve?: Resolve
  /** PEM certificates trusted besides the usual authorities, for receivers inside one's own network. */
  readonly trustedCertificates?: readonly string[]
}

interface Parts {
  readonly policy: TargetPolicy
  readonly resolve: Resolve
  readonly isAllowed: ReturnType<typeof createAddressRule>
  readonly secureContext: ReturnType<typeof createSecureContext>
  readonly kept: KeptWires
}

/** A call, whose connection may be kept. */
type Asked = OutboundCall & Pick<OutboundRequest, 'mayReuse'>

/**
 * Builds a client that sends nothing to an address the policy forbids, by whatever name or notation it is
 * reached, and that no receiver can hold longer than the deadline or feed more than a few kilobytes.
 *
 * @throws Error when the policy names a range that is none, or a certificate cannot be read.
 */
export function createOutboundClient(deps: OutboundDeps): OutboundClient {
  const parts: Parts = {
    policy: deps.policy,
    resolve: deps.resolve ?? resolveBySystem,
    isAllowed: createAddressRule(deps.policy),
    secureContext: secureContextOf(deps.trustedCertificates ?? []),
    kept: createKeptWires(),
  }
  const closing = new AbortController()
  const underWay = new Set<Promise<OutboundAnswer>>()
  const call = (request: Asked): Promise<OutboundAnswer> => {
    const attempt = makeAttempt(parts, request, closing.signal)
    underWay.add(attempt)
    return attempt.finally(() => underWay.delete(attempt))
  }
  return {
    async post(request) {
      const answer = await call({ ...request, method: 'POST' })
      if (answer.kind === 'failed') {
        const { mayHaveArrived: _mayHaveArrived, ...failure } = answer
        return failure
      }
      const { headers: _headers, ...result } = answer
      return result
    },
    call,
    close: async () => {
      closing.abort()
      await Promise.allSettled(underWay)
      parts.kept.close()
    },
  }
}

async function makeAttempt(parts: Parts, request: Asked, closing: AbortSignal): Promise<OutboundAnswer> {
  const { deadlineMs } = request
  const bodyBytesMax = bodyLimitOf(request)
  assert(deadlineMs > 0 && deadlineMs <= DEADLINE_MS_MAX, `a deadline of ${deadlineMs} ms`)
  const progress = { mayHaveArrived: false }
  const startedAt = performance.now()
  const tookMs = () => Math.round(performance.now() - startedAt)
  const cut = new AbortController()
  const timer = setTimeout(() => cut.abort(plainFailure('timeout')), deadlineMs)
  const close = () => cut.abort(new OutboundFailure('other', 'The gateway is shutting down.'))
  const giveUp = () => cut.abort(new OutboundFailure('other', 'The call was given up.'))
  closing.addEventListener('abort', close, { once: true })
  request.signal?.addEventListener('abort', giveUp, { once: true })
  if (closing.aborted) close()
  if (request.signal?.aborted === true) giveUp()
  try {
    const answer = await send(parts, { ...request, bodyBytesMax }, { signal: cut.signal, progress })
    return { kind: 'answered', tookMs: tookMs(), ...answer }
  } catch (error) {
    if (!(error instanceof OutboundFailure)) throw error
    const { reason, message } = error
    return { kind: 'failed', reason, message, tookMs: tookMs(), ...progress }
  } finally {
    clearTimeout(timer)
    closing.removeEventListener('abort', close)
    request.signal?.removeEventListener('abort', giveUp)
  }
}

function bodyLimitOf({ bodyBytesMax = BODY_BYTES_MAX }: OutboundCall): number {
  assert(bodyBytesMax > 0 && bodyBytesMax <= BODY_BYTES_ASKED_MAX, `a body of ${bodyBytesMax} bytes`)
  return bodyBytesMax
}

interface Attempt {
  readonly signal: AbortSignal
  /** Set once the connection stands, before the first byte of the request is sent. */
  readonly progress: { mayHaveArrived: boolean }
}

async function send(parts: Parts, request: Sized, attempt: Attempt): Promise<Answer> {
  const target = parseTargetUrl(request.url)
  if (!target.ok) throw new OutboundFailure('blocked', `The URL ${target.problem}.`)
  const problem = judgeTarget(target.url, parts.policy, parts.isAllowed)
  if (problem !== undefined) throw new OutboundFailure('blocked', `The URL ${problem}.`)
  attempt.signal.throwIfAborted()
  const directed = { ...attempt, url: target.url }
  return request.mayReuse === true
    ? sendAndKeep(parts, request, directed)
    : sendOnce(parts, request, directed)
}

type Sized = Asked & { readonly bodyBytesMax: number }
type Directed = Attempt & { readonly url: URL }

async function sendOnce(parts: Parts, request: Sized, attempt: Directed): Promise<Answer> {
  const wire = await openWire(parts, attempt, false)
  attempt.progress.mayHaveArrived = true
  try {
    return await wire.exchange(orderOf(request, attempt))
  } finally {
    wire.destroy()
  }
}

async function sendAndKeep(parts: Parts, request: Sized, attempt: Directed): Promise<Answer> {
  const { origin } = attempt.url
  const kept = parts.kept.take(origin) ?? (await openKept(parts, attempt))
  attempt.progress.mayHaveArrived = true
  try {
    return await kept.wire.exchange(orderOf(request, attempt))
  } finally {
    parts.kept.giveBack(origin, kept)
  }
}

async function openKept(parts: Parts, attempt: Directed): Promise<Kept> {
  const kept = { wire: await openWire(parts, attempt, true), openedAtMs: performance.now() }
  kept.wire.onEnd(() => parts.kept.forget(attempt.url.origin, kept))
  return kept
}

const orderOf = ({ method, headers, body = '', bodyBytesMax }: Sized, { url, signal }: Directed) => ({
  method,
  url,
  headers,
  body,
  bodyBytesMax,
  signal,
})

async function openWire(parts: Parts, { url, signal }: Directed, isKept: boolean): Promise<Wire> {
  const { isAllowed, resolve, secureContext } = parts
  // undici is large, and most processes that might send something never do. Nothing waits for it on an open connection.
  const { createWire } = await import('./exchange.ts')
  return createWire(url, await openConnection({ url, signal, isAllowed, resolve, secureContext }), isKept)
}

function secureContextOf(trustedCertificates: readonly string[]) {
  const minVersion = 'TLSv1.2' as const
  // Without a list of its own a context shares the usual authorities, instead of reading them again.
  if (trustedCertificates.length === 0) return createSecureContext({ minVersion })
  return createSecureContext({ minVersion, ca: [...getCACertificates('default'), ...trustedCertificates] })
}
