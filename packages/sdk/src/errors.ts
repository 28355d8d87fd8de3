import { member, textMember } from './json.ts'
import type { RejectionItem, Violation } from './types.ts'

/** An answer as it came: the part that errors are made of. */
interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly body: unknown
}

/** Any call that did not succeed: an error answer (specification section 7), or no answer at all. */
export class TollgateError extends Error {
  override readonly name: string = 'TollgateError'
  /** HTTP status; 0 when no answer came. */
  readonly status: number
  /** A code of the gateway, or `NETWORK_FAILED`, `TIMEOUT`, `ANSWER_UNEXPECTED`, `HTTP_<status>`. Of a 406, the first item's. */
  readonly code: string
  /** Name it when you ask the gateway's operator for help. */
  readonly requestId: string | undefined
  /** The page that explains the code. */
  readonly docUrl: string | undefined
  readonly violations: readonly Violation[]
  /** Why business rules refused (406). */
  readonly items: readonly RejectionItem[]
  /** True when the very same request may succeed later. */
  readonly retryable: boolean
  /** Seconds that the gateway asked to wait for. */
  readonly retryAfterSeconds: number | undefined
  /** Of a 409: whether the stored request equals the one that was sent. */
  readonly duplicate: string | undefined

  constructor(code: string, answer: Answer, cause?: unknown) {
    const message = textMember(answer.body, 'message') ?? itemsOf(answer.body)[0]?.message
    super(message === undefined ? code : `${code}: ${message}`, cause === undefined ? {} : { cause })
    this.status = answer.status
    this.code = code
    this.requestId = textMember(answer.body, 'requestId') ?? answer.headers.get('x-request-id') ?? undefined
    this.docUrl = textMember(answer.body, 'docUrl')
    this.violations = listMember(answer.body, 'violations').filter(isViolation)
    this.items = itemsOf(answer.body)
    this.retryable = answer.status === 0 || answer.status === 429 || answer.status >= 500
    this.retryAfterSeconds = retryAfterSeconds(answer.headers)
    this.duplicate = textMember(answer.body, 'duplicate')
  }
}

/** The id was used before for a different payment: take a new id. */
export class IdConflictError extends TollgateError {
  override readonly name = 'IdConflictError'
  readonly id: string

  constructor(id: string, code: string, answer: Answer) {
    super(code, answer)
    this.id = id
  }
}

/** The error that an unsuccessful answer stands for. `id` is the payment that a create named. */
export function errorOf(answer: Answer, id?: string): TollgateError {
  const code = textMember(answer.body, 'code') ?? itemsOf(answer.body)[0]?.code ?? `HTTP_${answer.status}`
  const conflicts = answer.status === 409 && textMember(answer.body, 'duplicate') === 'DIFFERENT'
  return id !== undefined && conflicts
    ? new IdConflictError(id, code, answer)
    : new TollgateError(code, answer)
}

/** The error for a request to which no answer came. Node says only "fetch failed", and keeps the reason in the cause. */
export function failureOf(cause: unknown, host: string): TollgateError {
  const timedOut = cause instanceof Error && cause.name === 'TimeoutError'
  const reason = textMember(member(cause, 'cause'), 'code') ?? String(cause)
  const answer = { status: 0, headers: new Headers(), body: { message: `no answer from ${host}: ${reason}` } }
  return new TollgateError(timedOut ? 'TIMEOUT' : 'NETWORK_FAILED', answer, cause)
}

function retryAfterSeconds(headers: Headers): number | undefined {
  const text = headers.get('retry-after')
  return text !== null && /^\d{1,9}$/.test(text) ? Number(text) : undefined
}

function itemsOf(body: unknown): readonly RejectionItem[] {
  return Array.isArray(body) ? body.filter(isRejectionItem) : []
}

function listMember(body: unknown, name: string): readonly unknown[] {
  const list = member(body, name)
  return Array.isArray(list) ? list : []
}

function isViolation(value: unknown): value is Violation {
  return textMember(value, 'field') !== undefined && textMember(value, 'code') !== undefined
}

function isRejectionItem(value: unknown): value is RejectionItem {
  return textMember(value, 'code') !== undefined
}
