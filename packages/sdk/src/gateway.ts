import { createCaller } from './caller.ts'
import { type Customers, createCustomers } from './customers.ts'
import { TIMER_MS_MAX } from './patience.ts'
import { createPayins, type Payins } from './payins.ts'
import { createPayouts, type Payouts } from './payouts.ts'
import { createRateLists, type RateLists } from './rate-lists.ts'
import { createReferenceLists, type ReferenceLists } from './reference-lists.ts'
import { createRefunds, type Refunds } from './refunds.ts'
import { createSettlements, type Settlements } from './settlements.ts'
import { createTokens, type Tokens } from './tokens.ts'
import { createTopUps, type TopUps } from './topups.ts'
import { type RawRequest, type RawResponse, send } from './transport.ts'

export interface GatewayOptions {
  /** Address of the API with http or https, e.g. `https://pay.example`. */
  readonly baseUrl: string
  readonly merchantCode: string
  /** RSA private key in PEM, whose public half the gateway knows: the preferred credential. All but `request` needs one. */
  readonly privateKey?: string | undefined
  /** The deprecated credential; used only without a private key. */
  readonly secret?: string | undefined
  readonly apiVersion?: number
  readonly fetch?: typeof globalThis.fetch
  /** For one attempt, headers and body together: a whole number from 1. Default: 10,000. */
  readonly timeoutMs?: number
  /** Repeats after network errors, 5xx and 429: a whole number from 0, at most 10. Default: 2. */
  readonly retries?: number
  readonly nowMs?: () => number
  readonly sleep?: (ms: number) => Promise<void>
}

/** A merchant's client of the gateway. Tokens are created, remembered and renewed as calls need them. */
export interface Gateway extends ReferenceLists {
  readonly tokens: Tokens
  readonly payins: Payins
  readonly payouts: Payouts
  readonly refunds: Refunds
  readonly topUps: TopUps
  readonly customers: Customers
  readonly rateLists: RateLists
  readonly settlements: Settlements
  /** One request as it is: no token of its own, no repeats, any status is an answer. */
  request(request: RawRequest): Promise<RawResponse>
}

/** Makes a client; nothing is sent until it is used. Throws TypeError for an option that cannot be used. */
export function createGateway(options: GatewayOptions): Gateway {
  const parts = {
    baseUrl: checkedBaseUrl(options.baseUrl),
    apiVersion: options.apiVersion ?? 2,
    fetch: options.fetch ?? globalThis.fetch,
    timeoutMs: checkedNumber('timeoutMs', options.timeoutMs ?? 10_000, 1),
    retries: checkedNumber('retries', options.retries ?? 2, 0),
    sleep: options.sleep ?? ((ms: number) => new Promise((resolve) => setTimeout(resolve, ms))),
  }
  checkCredential(options)
  const { merchantCode, privateKey, secret, nowMs = Date.now } = options
  const tokens = createTokens(parts, { merchantCode, privateKey, secret, nowMs })
  const caller = createCaller({ ...parts, nowMs }, tokens)
  return {
    tokens,
    payins: createPayins(caller),
    payouts: createPayouts(caller),
    refunds: createRefunds(caller),
    topUps: createTopUps(caller),
    customers: createCustomers(caller),
    rateLists: createRateLists(caller),
    settlements: createSettlements(caller),
    ...createReferenceLists(caller),
    request: (request) => send(parts, request),
  }
}

function checkedBaseUrl(baseUrl: string): string {
  // `localhost:8080` is a URL as well, whose scheme is `localhost:`.
  if (!URL.canParse(baseUrl) || !/^https?:$/.test(new URL(baseUrl).protocol))
    throw new TypeError(`baseUrl must be a URL with http or https, such as https://pay.example: ${baseUrl}`)
  return new URL(baseUrl).href.replace(/\/$/, '')
}

/** Without any credential `request` still works. One that is given but has no value is mostly a setting that is not set. */
function checkCredential(options: GatewayOptions): void {
  const names = (['privateKey', 'secret'] as const).filter((name) => name in options)
  const empty =
    names.find((name) => options[name] === '') ??
    (names.every((name) => options[name] === undefined) ? names[0] : undefined)
  if (empty !== undefined) throw new TypeError(`${empty} is missing or empty: ${REMEDIES[empty]}`)
}

const REMEDIES = {
  privateKey: 'give your RSA private key in PEM',
  secret: 'give the secret of your merchant, or better a privateKey',
} as const

function checkedNumber(name: string, value: number, min: number): number {
  if (!Number.isInteger(value) || value < min || value > TIMER_MS_MAX)
    throw new TypeError(`${name} must be a whole number from ${min} to ${TIMER_MS_MAX}: ${value}`)
  return value
}
