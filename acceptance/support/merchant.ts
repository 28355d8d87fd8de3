import assert from 'node:assert/strict'
import { generateKeyPairSync, sign } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { minify, type RawRequest, type RawResponse, stringifyLossless } from '@tollgate/sdk'
import { textAt } from './json.ts'

/** How often, and after how long, a merchant asks again for a token that a busy gateway did not give. */
const REPEATS = 5
const REPEAT_AFTER_MS = 500

/** What a merchant needs of a gateway. */
interface MerchantHost {
  send(request: RawRequest): Promise<RawResponse>
}

/** And what the operator needs who makes one. */
interface OperatorHost extends MerchantHost {
  sendToOperators(request: RawRequest): Promise<RawResponse>
  operatorKey(code: 'alan'): string
}

/** What a merchant proves itself with. */
interface Credentials {
  readonly code: string
  readonly privateKey: string
  readonly secret?: string
}

/** A merchant's server. */
export interface Merchant extends Credentials {
  /** A signed request for a token: POST /auth-tokens, or by-action when it names an action. `timestamp` is now. */
  tokenRequest(body: Readonly<Record<string, unknown>>): RawRequest
  /** The token that the gateway gives for this request. */
  tokenFor(body: Readonly<Record<string, unknown>>): Promise<string>
  /** A token for these operations. */
  token(...operations: readonly string[]): Promise<string>
}

/** Everything a merchant's server may do with payins and lists. */
export const ALL_OPERATIONS = [
  'POST /payins/.*',
  'GET /payins/.*',
  'GET /balances',
  'GET /merchant-info',
  'GET /currencies',
  'GET /segments',
  'GET /payment-operators',
  'GET /payment-methods',
] as const

/** A merchant that the gateway knows already. */
export function createMerchant(gateway: MerchantHost, credentials: Credentials): Merchant {
  const { code: merchantCode, privateKey } = credentials
  const merchant: Merchant = {
    ...credentials,
    tokenRequest(body) {
      const path = 'action' in body ? '/auth-tokens-by-action' : '/auth-tokens'
      const timestamp = Math.floor(Date.now() / 1000)
      return signedRequest(path, { merchantCode, validitySecs: 600, timestamp, ...body }, privateKey)
    },
    async tokenFor(body) {
      let response = await gateway.send(merchant.tokenRequest(body))
      // A gateway whose database is busy says so, and a merchant asks again.
      for (let repeat = 0; response.status === 500 && repeat < REPEATS; repeat += 1) {
        await setTimeout(REPEAT_AFTER_MS)
        response = await gateway.send(merchant.tokenRequest(body))
      }
      assert.equal(response.status, 200, response.text)
      return textAt(response.body, 'token')
    },
    token: (...operations) => merchant.tokenFor({ operations }),
  }
  return merchant
}

/** Not the SDK's, which waits: tests make requests ahead. */
const signatureOf = (rawBody: string, privateKey: string): string =>
  sign('sha256', Buffer.from(minify(rawBody)), privateKey).toString('base64')

/** A request whose body is signed as specification 5.1 says. */
export function signedRequest(path: string, body: unknown, privateKey: string): RawRequest {
  const rawBody = stringifyLossless(body)
  return { method: 'POST', path, rawBody, headers: { 'X-SIGNATURE': signatureOf(rawBody, privateKey) } }
}

/** A new merchant of the sandbox with a key of its own and every method: by the operator API, because a command is a process of its own. */
export async function addMerchant(gateway: OperatorHost, code: string): Promise<Merchant> {
  const { publicKey, privateKey } = newKeyPair()
  const post = async (path: string, body: unknown): Promise<void> => {
    const token = gateway.operatorKey('alan')
    const response = await gateway.sendToOperators({ method: 'POST', path, token, body })
    assert.equal(response.status, 201, response.text)
  }
  await post('/operator/merchants', { merchantCode: code, name: `Shop ${code}` })
  await post(`/operator/merchants/${code}/keys`, { publicKey })
  return createMerchant(gateway, { code, privateKey })
}

/** A new merchant of a gateway in live, made by commands, whose key is the first operator's. */
export async function addLiveMerchant(
  gateway: MerchantHost & { readonly dataDir: string; cli(...parts: readonly string[]): Promise<unknown> },
  code: string,
): Promise<Merchant> {
  const { publicKey, privateKey } = newKeyPair()
  const file = join(gateway.dataDir, `${code}.pem`)
  writeFileSync(file, publicKey)
  await gateway.cli('merchants', 'create', code, '--name', `Shop ${code}`)
  await gateway.cli('merchants', 'add-key', code, file)
  return createMerchant(gateway, { code, privateKey })
}

/** An RSA key pair in PEM. */
export function newKeyPair(): { readonly publicKey: string; readonly privateKey: string } {
  return generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  })
}
