import { type ErrorCode, isErrorCode } from '@tollgate/contract/words'
import type { Clock, Log } from '@tollgate/runtime'
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { Overloaded } from '../platform/batch.ts'
import { CommitUnknown, DatabaseUnavailable, isLockTimeout, isOfOtherCell } from '../platform/database.ts'
import { Problem, type ProblemKind } from '../platform/problem.ts'
import { Refusal, type RefusalDetails } from '../platform/refusal.ts'
import type { App } from './app-type.ts'
import { InputInvalid } from './validation.ts'

export const SUPPORTED_VERSIONS = [2] as const
const RETRY_AFTER_SECONDS = 2

interface ErrorAnswerDeps {
  readonly clock: Clock
  /** Where callers reach this server: its pages about errors are there. */
  readonly publicUrl: string
  readonly log: Log
}

/** The one place where an error becomes an HTTP answer: a BasicError, or an array of reasons for 406 (specification section 7). */
export function answerErrors(app: App, deps: ErrorAnswerDeps): void {
  app.setErrorHandler((error: FastifyError | Error, request, reply) =>
    send(deps, refusalFor(error, request, deps.log), request, reply),
  )
  app.setNotFoundHandler((request, reply) => send(deps, new Refusal('ROUTE_NOT_FOUND'), request, reply))
}

/** Answers a refusal from a place outside the error handler, e.g. the parser of the request line. */
export function send(
  deps: Pick<ErrorAnswerDeps, 'clock' | 'publicUrl'>,
  refusal: Refusal,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  request.refusal = refusal
  void reply.code(refusal.status).header('content-type', 'application/json; charset=utf-8')
  if (refusal.status === 401) void reply.header('www-authenticate', 'Bearer')
  const retryAfter =
    refusal.details.retryAfterSeconds ?? (refusal.status === 500 ? RETRY_AFTER_SECONDS : undefined)
  if (retryAfter !== undefined) void reply.header('retry-after', String(retryAfter))
  return reply.send(JSON.stringify(bodyOf(refusal, request.id, deps)))
}

function bodyOf(
  refusal: Refusal,
  requestId: string,
  deps: Pick<ErrorAnswerDeps, 'clock' | 'publicUrl'>,
): unknown {
  return (
    refusal.details.items ??
    basicError(refusal.code, refusal.message, { ...deps, requestId, details: refusal.details })
  )
}

interface BasicErrorContext {
  readonly requestId: string
  readonly clock: Clock
  readonly publicUrl: string
  readonly details?: RefusalDetails
}

/** The body of every error but 406. */
export function basicError(
  code: ErrorCode,
  message: string,
  context: BasicErrorContext,
): Record<string, unknown> {
  const { violations, extra } = context.details ?? {}
  return {
    code,
    message,
    requestId: context.requestId,
    timestamp: new Date(context.clock.nowMs()).toISOString(),
    docUrl: `${context.publicUrl}/errors/${code}`,
    ...(violations !== undefined && { violations }),
    ...(code === 'API_VERSION_UNSUPPORTED' && { supportedVersions: SUPPORTED_VERSIONS }),
    ...extra,
  }
}

/** The answer that an error stands for. One that nobody expects is logged, and tells the caller nothing. */
export function refusalFor(error: FastifyError | Error, request: FastifyRequest, log: Log): Refusal {
  if (error instanceof Refusal) return error
  if (error instanceof InputInvalid) return inputRefusal(error)
  if (error instanceof Problem) return problemRefusal(error)
  if (isOfOtherCell(error)) return otherCellRefusal(error, request)
  if (isBusy(error)) return busyRefusal(error, request, log)
  const known = knownFrameworkError(error, request)
  if (known !== undefined) return new Refusal('BODY_INVALID', { message: known })
  log.error({ requestId: request.id, err: error }, 'unexpected error')
  return new Refusal('SYSTEM')
}

const isBusy = (error: Error): boolean =>
  error instanceof DatabaseUnavailable ||
  error instanceof CommitUnknown ||
  error instanceof Overloaded ||
  isLockTimeout(error)

/** The merchant moved while the request was under way: a merchant's repeat comes to the right cell, and an operator goes there. */
function otherCellRefusal({ message }: Error, request: FastifyRequest): Refusal {
  return request.url.startsWith('/operator')
    ? new Refusal('STATE_CONFLICT', { message: `${message} Do it there.` })
    : new Refusal('SYSTEM', {
        message: `${message} Repeat the request.`,
        retryAfterSeconds: RETRY_AFTER_SECONDS,
      })
}

function busyRefusal(error: Error, request: FastifyRequest, log: Log): Refusal {
  const isOverloaded = error instanceof Overloaded
  log.warn(
    { requestId: request.id, reason: error.name, err: error.cause ?? error },
    isOverloaded ? error.message : 'the database did not answer in time',
  )
  return new Refusal('SYSTEM', {
    retryAfterSeconds: RETRY_AFTER_SECONDS,
    ...(isOverloaded && error.advice !== undefined && { message: error.advice }),
  })
}

/** What rooms tell operators. */
const PROBLEM_CODES: Readonly<Record<ProblemKind, ErrorCode>> = {
  NOT_FOUND: 'ENTITY_NOT_FOUND',
  CONFLICT: 'STATE_CONFLICT',
  INVALID: 'ATTRIBUTE_VALUE_INVALID',
}

const FAULTS_TOLD_MAX = 50

function problemRefusal({ kind, message, faults, field }: Problem): Refusal {
  const code = PROBLEM_CODES[kind]
  if (field !== undefined) return new Refusal(code, { message, violations: [{ field, code, message }] })
  const violations = faults
    .slice(0, FAULTS_TOLD_MAX)
    .map((fault) => ({ field: 'body', code, message: fault }))
  return new Refusal(code, { message, ...(violations.length > 0 && { violations }) })
}

function inputRefusal(error: InputInvalid): Refusal {
  const first = error.violations[0]
  if (first === undefined) return new Refusal('BODY_INVALID')
  const code = isErrorCode(first.code) ? first.code : 'ATTRIBUTE_VALUE_INVALID'
  if (first.field === 'body')
    return new Refusal('BODY_INVALID', { message: 'The body must be a JSON object.' })
  return new Refusal(code, { message: `${first.field}: ${first.message}.`, violations: error.violations })
}

const FRAMEWORK_SENTENCES: Readonly<Record<string, string>> = {
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'The body does not have the length that Content-Length says.',
  FST_ERR_BAD_URL: 'The path is not valid: its percent-encoding is malformed.',
  FST_ERR_MAX_PARAM_LENGTH: 'The URL is longer than 8 KiB.',
  FST_ERR_ROUTE_INVALID_ENCODED_URL: 'The path is not valid: its percent-encoding is malformed.',
}

const WRONG_TYPES = ['FST_ERR_CTP_INVALID_MEDIA_TYPE', 'FST_ERR_CTP_INVALID_TYPE']

function knownFrameworkError(error: Error, request: FastifyRequest): string | undefined {
  if (!('code' in error) || typeof error.code !== 'string') return undefined
  if (error.code === 'FST_ERR_CTP_BODY_TOO_LARGE') return `The body is larger than ${limitOf(request)}.`
  if (WRONG_TYPES.includes(error.code)) return `The body must be sent with Content-Type: ${typesOf(request)}.`
  // The caller has gone, or was too slow: no fault of ours.
  if (error.code === 'ECONNRESET' && !request.raw.complete) return 'The body did not come in full.'
  return FRAMEWORK_SENTENCES[error.code]
}

const KIB = 1024

/** What the route takes at most. */
function limitOf({ routeOptions: { bodyLimit } }: FastifyRequest): string {
  const kib = bodyLimit / KIB
  return kib < KIB ? `${Math.floor(kib)} KiB` : `${Math.floor(kib / KIB)} MiB`
}

/** A server that takes files takes them on every route, and the route says whether it wanted one. */
const typesOf = ({ server }: FastifyRequest): string =>
  server.hasContentTypeParser('application/octet-stream')
    ? 'application/json, or application/octet-stream where it is a file'
    : 'application/json'
