/** Why no answer came. `blocked` means that nothing was sent because the policy forbids the address. */
export type FailureReason = 'timeout' | 'blocked' | 'dns' | 'refused' | 'reset' | 'tls' | 'protocol' | 'other'

/** What was going on when an error came; the same code means different things at different stages. */
export type Stage = 'dns' | 'connect' | 'tls' | 'exchange'

/** An expected failure of one attempt. Its message is safe to show to a merchant: no addresses, no host names. */
export class OutboundFailure extends Error {
  override readonly name = 'OutboundFailure'
  readonly reason: FailureReason

  constructor(reason: FailureReason, message: string) {
    super(message)
    this.reason = reason
  }
}

const SENTENCES: Readonly<Record<FailureReason, string>> = {
  timeout: 'The deadline passed before an answer came',
  blocked: 'The address is not allowed',
  dns: 'The name could not be resolved',
  refused: 'The connection was refused',
  reset: 'The connection was closed before an answer came',
  tls: 'The TLS handshake failed',
  protocol: 'The answer was not valid HTTP/1.1',
  other: 'The connection failed',
}

const REASON_BY_CODE: Readonly<Record<string, FailureReason>> = {
  ECONNREFUSED: 'refused',
  ECONNRESET: 'reset',
  EPIPE: 'reset',
  ETIMEDOUT: 'timeout',
  UND_ERR_SOCKET: 'reset',
  UND_ERR_HEADERS_OVERFLOW: 'protocol',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'protocol',
  EPROTO: 'tls',
}
const TLS_CODE = /^(?:ERR_SSL_|ERR_TLS_)/u
// undici's words for an answer that it closes the connection over, such as a 101 that nobody asked for.
const BAD_ANSWER = /^bad (?:response|upgrade)$/u
const CODE_SHOWN = /^[A-Z][A-Z0-9_]{1,60}$/u

/** Turns any error of a stage into a failure with a class and a safe message; a failure stays what it is. */
export function failureOf(error: unknown, stage: Stage): OutboundFailure {
  if (error instanceof OutboundFailure) return error
  const code = codeOf(error)
  const reason = reasonOf(error, code, stage)
  const detail = code === undefined ? '' : ` (${code})`
  return new OutboundFailure(reason, `${SENTENCES[reason]}${detail}.`)
}

/** A failure in the usual words for its reason, without a code. */
export function plainFailure(reason: FailureReason): OutboundFailure {
  return new OutboundFailure(reason, `${SENTENCES[reason]}.`)
}

function reasonOf(error: unknown, code: string | undefined, stage: Stage): FailureReason {
  if (stage === 'dns') return 'dns'
  if (isBadAnswer(error)) return 'protocol'
  if (code === undefined) return stage === 'tls' ? 'tls' : 'other'
  const known = REASON_BY_CODE[code]
  if (known !== undefined) return known
  return stage === 'tls' || TLS_CODE.test(code) ? 'tls' : 'other'
}

/** By undici's names for its errors: nothing of it is loaded before something is sent. */
function isBadAnswer(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  return error.name === 'HTTPParserError' || (error.name === 'SocketError' && BAD_ANSWER.test(error.message))
}

function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') return undefined
  return CODE_SHOWN.test(error.code) ? error.code : undefined
}
