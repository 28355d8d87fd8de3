import assert from 'node:assert/strict'
import { test } from 'node:test'
import { errors } from 'undici'
import { failureOf, OutboundFailure, plainFailure, type Stage } from '../failure.ts'

const withCode = (code: unknown): Error => Object.assign(new Error('connect 10.0.0.1:443'), { code })

/** Reason and message of what becomes of an error. */
function judged(error: unknown, stage: Stage): string {
  const { reason, message } = failureOf(error, stage)
  return `${reason}: ${message}`
}

test('each code has its class, and only the code is shown of the error', () => {
  const table: readonly (readonly [code: string, shown: string])[] = [
    ['ECONNREFUSED', 'refused: The connection was refused (ECONNREFUSED).'],
    ['ECONNRESET', 'reset: The connection was closed before an answer came (ECONNRESET).'],
    ['EPIPE', 'reset: The connection was closed before an answer came (EPIPE).'],
    ['ETIMEDOUT', 'timeout: The deadline passed before an answer came (ETIMEDOUT).'],
    ['UND_ERR_SOCKET', 'reset: The connection was closed before an answer came (UND_ERR_SOCKET).'],
    ['UND_ERR_HEADERS_OVERFLOW', 'protocol: The answer was not valid HTTP/1.1 (UND_ERR_HEADERS_OVERFLOW).'],
    [
      'UND_ERR_RES_CONTENT_LENGTH_MISMATCH',
      'protocol: The answer was not valid HTTP/1.1 (UND_ERR_RES_CONTENT_LENGTH_MISMATCH).',
    ],
    ['EPROTO', 'tls: The TLS handshake failed (EPROTO).'],
    ['ERR_SSL_WRONG_VERSION_NUMBER', 'tls: The TLS handshake failed (ERR_SSL_WRONG_VERSION_NUMBER).'],
    ['ERR_TLS_CERT_ALTNAME_INVALID', 'tls: The TLS handshake failed (ERR_TLS_CERT_ALTNAME_INVALID).'],
    ['EHOSTUNREACH', 'other: The connection failed (EHOSTUNREACH).'],
    ['NOT_ERR_SSL_', 'other: The connection failed (NOT_ERR_SSL_).'],
  ]
  for (const [code, shown] of table) assert.equal(judged(withCode(code), 'exchange'), shown)
})

test('the stage decides where the code does not', () => {
  assert.equal(judged(withCode('ENOTFOUND'), 'dns'), 'dns: The name could not be resolved (ENOTFOUND).')
  assert.equal(judged(withCode('ECONNRESET'), 'dns'), 'dns: The name could not be resolved (ECONNRESET).')
  assert.equal(
    judged(withCode('CERT_HAS_EXPIRED'), 'tls'),
    'tls: The TLS handshake failed (CERT_HAS_EXPIRED).',
  )
  assert.equal(judged(withCode('ECONNRESET'), 'tls').split(':')[0], 'reset')
  assert.equal(judged(new Error('x'), 'tls'), 'tls: The TLS handshake failed.')
  assert.equal(judged(new Error('x'), 'connect'), 'other: The connection failed.')
})

test('what is no error, and a code that is none, show nothing of themselves', () => {
  for (const error of [undefined, null, 'ECONNREFUSED', { code: 'ECONNREFUSED' }])
    assert.equal(judged(error, 'connect'), 'other: The connection failed.')
  const codes = [7, 'econnrefused', '1ECONN', 'E', 'E CONN', 'xEPIPE', 'EPIPE!', `E${'X'.repeat(61)}`]
  for (const code of codes) assert.equal(judged(withCode(code), 'connect'), 'other: The connection failed.')
  const longest = `E${'X'.repeat(60)}`
  assert.equal(judged(withCode(longest), 'connect'), `other: The connection failed (${longest}).`)
})

test('an answer that is no HTTP is a failure of the protocol, whatever its code', () => {
  assert.equal(judged(new errors.HTTPParserError('x'), 'exchange').split(':')[0], 'protocol')
  for (const [message, reason] of [
    ['bad response', 'protocol'],
    ['bad upgrade', 'protocol'],
    ['a bad response', 'reset'],
    ['bad response time', 'reset'],
    ['other side closed', 'reset'],
  ])
    assert.equal(judged(new errors.SocketError(message), 'exchange').split(':')[0], reason, message)
})

test('a failure stays what it is, and the plain ones have their sentence', () => {
  const failure = new OutboundFailure('blocked', 'The URL is wrong.')
  assert.equal(failureOf(failure, 'dns'), failure)
  assert.equal(failure.name, 'OutboundFailure')
  assert.equal(plainFailure('timeout').message, 'The deadline passed before an answer came.')
  assert.equal(plainFailure('blocked').message, 'The address is not allowed.')
  assert.equal(plainFailure('reset').reason, 'reset')
})
