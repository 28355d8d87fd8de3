// What PostgreSQL and its driver say when something went wrong, told apart.

/** A message beside the answers. */
export interface Notice {
  readonly severity?: string | undefined
  readonly code?: string | undefined
  readonly message?: string | undefined
}

/** The word for the severity is in the server's language; class 01 means warning in every one. */
export function isWarning(notice: Notice): boolean {
  return (
    notice.severity === 'WARNING' || notice.code?.startsWith('01') === true || notice.code === ADMIN_SHUTDOWN
  )
}

const ADMIN_SHUTDOWN = '57P01'
/** The session paused for too long inside a transaction, and was ended. */
const IDLE_IN_TRANSACTION = '25P03'
/** Said to a statement that writes by a standby, and by a primary that was told to take reads only. */
export const READ_ONLY = '25006'
const CONNECTION_LOST = new Set([
  'ECONNRESET',
  'ECONNREFUSED',
  'EPIPE',
  'ETIMEDOUT',
  ADMIN_SHUTDOWN,
  '57P02',
  '57P03',
  IDLE_IN_TRANSACTION,
  '08000',
  '08003',
  '08006',
])

/** The driver's own errors, which carry no code. Work of ours may throw errors that speak of timeouts, too. */
const CONNECTION_LOST_MESSAGE =
  /^(?:Connection terminated|Query read timeout$|Client has encountered a connection error|Client was closed)/

export const isReadOnly = (error: unknown): boolean => sqlState(error) === READ_ONLY

/** True when the session died under the statement, so that its outcome is not known. */
export function isConnectionLoss(error: unknown): boolean {
  const code = sqlState(error)
  if (code !== undefined) return CONNECTION_LOST.has(code)
  return error instanceof Error && CONNECTION_LOST_MESSAGE.test(error.message)
}

/** True when the statement failed because of the data of a row: SQLSTATE classes 22 and 23. */
export function isDataFault(error: unknown): boolean {
  const code = sqlState(error)
  return code !== undefined && (code.startsWith('22') || code.startsWith('23'))
}

/** A lock was not to be had in time. The transaction is rolled back: nothing was done. */
export const isLockTimeout = (error: unknown): boolean => sqlState(error) === '55P03'

/** Refused by the fence around merchants of another cell; the message names both. */
export const isOfOtherCell = (error: unknown): boolean => sqlState(error) === '23CEL'

/** What a row refers to and the database lacks, in the server's words; undefined for any other error. */
export function missingIn(error: unknown): string | undefined {
  if (sqlState(error) !== '23503') return undefined
  return error instanceof Error && 'detail' in error ? String(error.detail) : 'something.'
}

/** True when trying the same transaction again may help: deadlock or serialization failure. */
export function isRetryable(error: unknown): boolean {
  const code = sqlState(error)
  return code === '40P01' || code === '40001'
}

function sqlState(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined
  return typeof error.code === 'string' ? error.code : undefined
}
