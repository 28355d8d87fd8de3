import type { Caller } from '../../http/authentication.ts'
import type { CatalogueService } from '../../modules/catalogue/index.ts'
import { buildCatalogue, buildTerms } from '../../modules/catalogue/snapshot.ts'
import type { Merchant, MerchantDirectory } from '../../modules/merchants/index.ts'
import { compileOperations } from '../../modules/tokens/operations.ts'
import { RAIL_CODE } from './bank.ts'

/** The merchants of a simulation. */
export const MERCHANTS = ['1', '2', '3'] as const
export const codeOf = (merchantId: string): string => `SHOP${merchantId}`
export const receiverHost = (merchantId: string): string => `shop${merchantId}.example`

/** Decimals of the currencies that are paid with. */
export const MINOR_UNITS = { EUR: 2, JPY: 0, KWD: 3 } as const
export type CurrencyCode = keyof typeof MINOR_UNITS
export const CURRENCIES = ['EUR', 'JPY', 'KWD'] as const satisfies readonly CurrencyCode[]

/** Seconds that a customer has to pay. */
export const EXPIRES_SECONDS = 600
/** How many payins by WALLET a merchant may accept in a day. */
export const WALLET_COUNT_MAX = 2

const DIRECTIONS = ['PAYIN', 'PAYOUT', 'TOPUP'] as const
const METHODS = [
  { code: 'TRANSFER', directions: DIRECTIONS },
  { code: 'WALLET', directions: ['PAYIN'] },
] as const

const limits = METHODS.flatMap(({ code: methodCode, directions }) =>
  directions.flatMap((direction) =>
    CURRENCIES.map((currencyCode) => ({
      ...{ methodCode, direction, currencyCode, segmentCode: '*', min: '1', max: '1000000000000' },
    })),
  ),
)

/** 1.5 percent of a payin and a tenth more; a payout costs 1; a top-up nothing. */
const fee = (direction: (typeof DIRECTIONS)[number], fixed: string, percentage: string) =>
  METHODS.flatMap(({ code: methodCode }) =>
    CURRENCIES.map((currencyCode) => ({
      ...{ direction, methodCode, operatorCode: '*', segmentCode: '*', currencyCode, fixed, percentage },
      ...{ minimum: null, maximum: null, pricedCurrencyCode: null, rateListCode: null },
    })),
  )

const CATALOGUE = buildCatalogue({
  currencies: CURRENCIES.map((code) => ({ code, name: code, type: 'FIAT', minorUnits: MINOR_UNITS[code] })),
  segments: [],
  operators: [],
  methods: METHODS.map(({ code }) => ({
    ...{ code, name: code, flow: 'REDIRECT', rail: RAIL_CODE, externalReference: 'OPTIONAL' },
    ...{ expiresAfterSeconds: EXPIRES_SECONDS, payinSpeed: null },
  })),
  methodOperators: [],
  limits,
  excludedSegments: [],
  fields: [],
  fees: [...fee('PAYIN', '0', '1.5'), ...fee('PAYOUT', '1', '0')],
  health: [],
})

const TERMS = MERCHANTS.map((merchantId) =>
  buildTerms(merchantId, {
    methods: METHODS.flatMap(({ code: methodCode, directions }) =>
      directions.map((direction) => ({ methodCode, direction })),
    ),
    limits: CURRENCIES.map((currencyCode) => ({
      ...{ methodCode: 'WALLET', direction: 'PAYIN', currencyCode, min: null, max: null },
      ...{ dailyAmountMax: null, dailyCountMax: WALLET_COUNT_MAX },
    })),
    fees: [],
  }),
)

/** What is offered, and what was agreed. It never changes. */
export const SHOP_CATALOGUE: CatalogueService = {
  start: () => Promise.resolve(),
  current: () => CATALOGUE,
  termsOf(merchantId) {
    const terms = TERMS.find((each) => each.merchantId === merchantId)
    if (terms === undefined) throw new Error(`there is no merchant ${merchantId}`)
    return terms
  },
}

const merchantOf = (merchantId: string): Merchant => ({
  ...{ merchantId, merchantCode: codeOf(merchantId), status: 'ACTIVE', channel: { name: 'A shop' } },
  ...{ rateLimitPerSecond: 10, secretEnabled: false, allowedOrigins: [], tokensNotBeforeSeconds: undefined },
  ...{ tokenGeneration: 0, callbackKeyGeneration: 0, keys: [], secretHashes: [] },
})

const BY_CODE = new Map(MERCHANTS.map((merchantId) => [codeOf(merchantId), merchantOf(merchantId)]))

export const SHOP_MERCHANTS: MerchantDirectory = {
  find: (code) => Promise.resolve(BY_CODE.get(code)),
  peek: (code) => BY_CODE.get(code),
}

/** What a token permits: everything, reading alone, or the payin `a` and nothing else. */
export const TOKENS = {
  FULL: ['POST /.*', 'GET /.*'],
  READER: ['GET /.*'],
  ONE_PAYIN: ['POST /payins/a', 'GET /payins/a'],
} as const
export type TokenName = keyof typeof TOKENS

const SCOPES = new Map(
  Object.entries(TOKENS).map(([name, operations]) => {
    const compiled = compileOperations(operations)
    if (!compiled.ok) throw new Error(`the token ${name} does not compile`)
    return [name, compiled.scope]
  }),
)

/** Who calls with the token, as the authenticator would say. */
export function callerOf(merchantId: string, token: TokenName): Caller {
  const scope = SCOPES.get(token)
  if (scope === undefined) throw new Error(`there is no token ${token}`)
  return {
    ...{ merchantId, merchantCode: codeOf(merchantId), money: undefined },
    allows: (method, path) => scope.allows(method, path),
    bucket: { key: `merchant ${merchantId}`, limitPerSecond: 10, name: 'merchant' },
  }
}
