import { generateKeyPairSync } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  type ActionTokenRequest,
  createGateway,
  type RawResponse,
  type Gateway as Sdk,
  type TokenRequest,
} from '@tollgate/sdk'
import type { Gateway } from './gateway.ts'

/** What a create request sends beyond what every one needs. */
export interface CreateParts {
  readonly amount?: number | string
  readonly currencyCode?: string
  readonly emailAddress?: string
  readonly callbackUrl?: string
  readonly [member: string]: unknown
}

/** A merchant with a key pair of its own, and the calls that tests make all the time. */
export interface Merchant {
  readonly merchantCode: string
  readonly merchantId: string
  readonly privateKey: string
  readonly sdk: Sdk
  /** A fresh token for these operations. */
  token(operations: readonly string[], more?: Partial<TokenRequest>): Promise<string>
  actionToken(request: ActionTokenRequest): Promise<string>
  /** `POST /payins/{id}` with a general token. */
  create(id: string, parts?: CreateParts): Promise<RawResponse>
  /** `GET` of any path with a general token. */
  read(path: string): Promise<RawResponse>
}

export const EVERYTHING = ['GET /.*', 'POST /.*']

/** More than any test sends: a limit is tested only where it is lowered. */
const RATE_PER_SECOND = 10_000

const INSERT_MERCHANT = `
  with added as (
    insert into merchants (merchant_code, channel_name, rate_limit_per_second) values ($1, $1, $3) returning merchant_id),
  key as (
    insert into merchant_keys (merchant_id, key_id, public_key_pem, fingerprint, bits)
    select merchant_id, 'key_of_' || $1, $2, 'fingerprint_of_' || $1, 2048 from added),
  methods as (
    insert into merchant_methods (merchant_id, method_code, direction)
    select distinct added.merchant_id, l.method_code, l.direction from added, payment_method_limits l)
  select merchant_id::text from added`

/** Registers a merchant with every method, straight in the database: the tests must not depend on the tools for operators. */
export async function addMerchant(gateway: Gateway, merchantCode: string): Promise<Merchant> {
  const pair = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  })
  const [row] = await gateway.sql(INSERT_MERCHANT, [merchantCode, pair.publicKey, RATE_PER_SECOND])
  return merchantOf(gateway, {
    merchantCode,
    merchantId: String(row?.['merchant_id']),
    privateKey: pair.privateKey,
  })
}

/** The same merchant at another process. */
export function merchantOf(
  gateway: Gateway,
  { merchantCode, merchantId, privateKey }: Pick<Merchant, 'merchantCode' | 'merchantId' | 'privateKey'>,
): Merchant {
  const sdk = createGateway({ baseUrl: gateway.url, merchantCode, privateKey, retries: 0, timeoutMs: 60_000 })
  const general = (): Promise<string> => sdk.tokens.cached({ operations: EVERYTHING })
  return {
    merchantCode,
    merchantId,
    privateKey,
    sdk,
    token: (operations, more) => sdk.tokens.create({ operations, ...more }),
    actionToken: (request) => sdk.tokens.createByAction(request),
    create: async (id, parts) =>
      gateway.call({
        method: 'POST',
        path: `/payins/${id}`,
        token: await general(),
        rawBody: createBody(parts),
      }),
    read: async (path) => gateway.call({ method: 'GET', path, token: await general() }),
  }
}

/** The body of a create request; `amount` as a text is put in as it is written. */
export function createBody(parts: CreateParts = {}): string {
  const { amount = 25, currencyCode = 'EUR', emailAddress, callbackUrl, ...more } = parts
  const body = {
    paymentRequested: { money: { amount: '\u0000', currencyCode } },
    paymentMethod: {
      paymentMethodCode: 'BANK_TRANSFER',
      ...(emailAddress !== undefined && { emailAddress }),
    },
    callbackUrl: callbackUrl ?? 'http://127.0.0.1:9/callbacks',
    ...more,
  }
  return JSON.stringify(body).replace('"\\u0000"', String(amount))
}

/** The demo merchant's secret, as it was written for its owner. */
export function demoSecret(gateway: Gateway): string {
  const text = readFileSync(join(gateway.dataDir, 'demo', 'merchant.json'), 'utf8')
  const demo: { secret: string } = JSON.parse(text)
  return demo.secret
}

/** The `code` of an error, or those of a 406. */
export function codesOf(response: RawResponse): string {
  const body: unknown = JSON.parse(response.text)
  const items: readonly unknown[] = Array.isArray(body) ? body : [body]
  return items.map((item) => String(Reflect.get(Object(item), 'code'))).join(' ')
}

/** `401 TOKEN_MISSING`: what tests compare. */
export function verdict(response: RawResponse): string {
  return response.status < 400 ? String(response.status) : `${response.status} ${codesOf(response)}`
}
