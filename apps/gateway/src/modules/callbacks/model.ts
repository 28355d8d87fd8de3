import type { OutboundResult } from '../../platform/outbound/index.ts'

const CALLBACK_KINDS = ['PAYIN', 'PAYOUT', 'TOPUP'] as const
export type CallbackKind = (typeof CALLBACK_KINDS)[number]

/** PENDING has attempts to come, DELIVERED was answered 200, EXHAUSTED used up its attempts. */
const CALLBACK_STATES = ['PENDING', 'DELIVERED', 'EXHAUSTED'] as const
export type CallbackState = (typeof CALLBACK_STATES)[number]

/** How one attempt ended. Only OK, which is status 200, ends the series (specification 6.4). */
export type CallbackOutcome =
  | 'OK'
  | 'WRONG_STATUS'
  | 'TIMEOUT'
  | 'BLOCKED'
  | 'DNS'
  | 'REFUSED'
  | 'RESET'
  | 'TLS'
  | 'PROTOCOL'
  | 'OTHER'

/** The first call and four repeats (specification 8). A resend grants as many again. */
export const CALLBACK_ATTEMPTS_MAX = 5
/** From one start of an attempt to the next (specification 8), where TOLLGATE_CALLBACK_INTERVAL_SECONDS sets nothing else. */
export const CALLBACK_INTERVAL_SECONDS = 120

/** A status change that a merchant is to be told of. */
export interface NewCallbackEvent {
  /** A UUID; the `webhook-id` of every attempt. */
  readonly eventId: string
  /** The text of a bigint. */
  readonly merchantId: string
  readonly kind: CallbackKind
  /** The merchant's id of the payment. */
  readonly idEntity: string
  /** What the merchant is told in its place: of a refund, the payin. */
  readonly idTold?: string | undefined
  /** Which entry of the payment's timeline this is about: one event per entry. */
  readonly timelineEntryNo: number
  /** The `.href` that `parseTargetUrl` gave. */
  readonly url: string
}

/** One merchant at one receiver. */
export interface Lane {
  /** Scheme, host and port. */
  readonly receiver: string
  readonly merchantId: string
}

/** An attempt that this process has leased and is to make. */
export interface ClaimedCallback extends Lane {
  readonly eventId: string
  readonly kind: CallbackKind
  /** As the merchant is told. */
  readonly idEntity: string
  /** Whether the payment is a refund: the id is that of its payin. */
  readonly isRefund: boolean
  readonly url: string
  readonly attemptNo: number
  readonly leaseToken: string
  /** By the database's clock, seconds since 1970, rounded down. */
  readonly startedAtSeconds: number
}

/** What an attempt came to. Everything in it can be stored and shown to operators. */
export interface AttemptResult {
  readonly outcome: CallbackOutcome
  readonly httpStatus: number | undefined
  readonly tookMs: number
  readonly message: string | undefined
  /** At most 4 kB of UTF-8, without control characters; only of answers other than 200. */
  readonly answerStart: string | undefined
}

/** A callback as operators see it. */
export interface CallbackEvent {
  readonly eventId: string
  readonly merchantId: string
  readonly kind: CallbackKind
  readonly idEntity: string
  readonly timelineEntryNo: number
  readonly url: string
  readonly state: CallbackState
  readonly attemptsStarted: number
  readonly attemptsMax: number
  readonly isUnderWay: boolean
  /** Absent while an attempt is under way and when the series is over. */
  readonly nextAttemptAt: Date | undefined
  readonly createdAt: Date
  readonly doneAt: Date | undefined
  readonly attempts: readonly CallbackAttempt[]
}

export interface CallbackAttempt {
  readonly attemptNo: number
  readonly startedAt: Date
  /** More than 1 when a process died between sending and recording. */
  readonly starts: number
  /** Absent while the result is not known. */
  readonly finishedAt: Date | undefined
  readonly outcome: CallbackOutcome | undefined
  readonly httpStatus: number | undefined
  readonly tookMs: number | undefined
  readonly message: string | undefined
  readonly answerStart: string | undefined
}

/** Whom a URL calls: scheme, host and port. Throws on a text that is no URL, which the payment's checks let nobody store. */
export function receiverOf(url: string): string {
  return new URL(url).origin
}

/** The body of a callback, to the byte: nothing but the id (specification 6.2). */
export function callbackBody(idEntity: string): string {
  return JSON.stringify({ idEntity })
}

/** What a signature covers: id, time and body, joined by dots, as Standard Webhooks has it. */
export function signedContent(callback: ClaimedCallback): string {
  return `${callback.eventId}.${callback.startedAtSeconds}.${callbackBody(callback.idEntity)}`
}

const EVENT_TYPES: Readonly<Record<CallbackKind, string>> = {
  PAYIN: 'payin.status',
  PAYOUT: 'payout.status',
  TOPUP: 'topup.status',
}
const REFUND_EVENT = 'refund.status'
const API_VERSION_MAJOR = '2'

/** The headers of an attempt. Several signatures, one per key, stand side by side while keys rotate. */
export function callbackHeaders(
  callback: ClaimedCallback,
  signatures: readonly string[],
  version: string,
): Readonly<Record<string, string>> {
  return {
    'content-type': 'application/json',
    'user-agent': `Tollgate/${version} (+callback)`,
    'x-api-version': API_VERSION_MAJOR,
    'webhook-id': callback.eventId,
    'webhook-timestamp': String(callback.startedAtSeconds),
    'webhook-signature': signatures.join(' '),
    'webhook-event-type': callback.isRefund ? REFUND_EVENT : EVENT_TYPES[callback.kind],
  }
}

const OUTCOMES = {
  timeout: 'TIMEOUT',
  blocked: 'BLOCKED',
  dns: 'DNS',
  refused: 'REFUSED',
  reset: 'RESET',
  tls: 'TLS',
  protocol: 'PROTOCOL',
  other: 'OTHER',
} as const satisfies Record<Extract<OutboundResult, { kind: 'failed' }>['reason'], CallbackOutcome>

/** Judges what came back. 200 alone is success: no other 2xx, no redirect. */
export function judgeResult(result: OutboundResult): AttemptResult {
  if (result.kind === 'failed') {
    return {
      outcome: OUTCOMES[result.reason],
      httpStatus: undefined,
      tookMs: result.tookMs,
      message: printable(result.message),
      answerStart: undefined,
    }
  }
  const isDelivered = result.status === 200
  return {
    outcome: isDelivered ? 'OK' : 'WRONG_STATUS',
    httpStatus: result.status,
    tookMs: result.tookMs,
    message: undefined,
    answerStart: isDelivered ? undefined : printable(result.bodyStart),
  }
}

const TEXT_BYTES_MAX = 4 * 1024

/** Text of others, made harmless for a database and a terminal. */
function printable(text: string): string {
  const clean = text.replace(/\p{Cc}+/gu, ' ').toWellFormed()
  const bytes = new TextEncoder().encode(clean).subarray(0, TEXT_BYTES_MAX)
  // Streaming, so that a character cut in two at the end is left out.
  return new TextDecoder().decode(bytes, { stream: true })
}
