import type { CatalogueRows, MerchantTermsRows } from '../../modules/catalogue/rows.ts'
import { RAIL_CODE } from './bank.ts'
import type { Disk } from './disk.ts'
import { ALL } from './statements-configuration.ts'

/** The merchants of a simulation. */
export const MERCHANTS = ['1', '2', '3'] as const
export const codeOf = (merchantId: string): string => `SHOP${merchantId}`
export const receiverHost = (merchantId: string): string => `shop${merchantId}.example`

/** Decimals of the currencies that are paid with. */
export const MINOR_UNITS = { EUR: 2, JPY: 0, KWD: 3 } as const
export type CurrencyCode = keyof typeof MINOR_UNITS
export const CURRENCIES = ['EUR', 'JPY', 'KWD'] as const satisfies readonly CurrencyCode[]

/** Seconds that a customer has to pay. */
const EXPIRES_SECONDS = 600
/** Payouts of so much and more wait for two operators. */
export const APPROVED_FROM = '100'
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
      methodCode,
      direction,
      currencyCode,
      segmentCode: '*',
      min: '1',
      max: '1000000000000',
    })),
  ),
)

/** 1.5 percent of a payin and a tenth more; a payout costs 1; a top-up nothing. */
const fee = (direction: (typeof DIRECTIONS)[number], fixed: string, percentage: string) =>
  METHODS.flatMap(({ code: methodCode }) =>
    CURRENCIES.map((currencyCode) => ({
      direction,
      methodCode,
      operatorCode: '*',
      segmentCode: '*',
      currencyCode,
      fixed,
      percentage,
      minimum: null,
      maximum: null,
      pricedCurrencyCode: null,
      rateListCode: null,
    })),
  )

const CATALOGUE: CatalogueRows = {
  currencies: CURRENCIES.map((code) => ({ code, name: code, type: 'FIAT', minorUnits: MINOR_UNITS[code] })),
  segments: [],
  operators: [],
  methods: METHODS.map(({ code }) => ({
    code,
    name: code,
    flow: 'REDIRECT',
    rail: RAIL_CODE,
    externalReference: 'OPTIONAL',
    expiresAfterSeconds: EXPIRES_SECONDS,
    payinSpeed: null,
    payoutSpeed: null,
  })),
  methodOperators: [],
  limits,
  excludedSegments: [],
  fields: [],
  fees: [...fee('PAYIN', '0', '1.5'), ...fee('PAYOUT', '1', '0')],
  health: [],
}

const TERMS: MerchantTermsRows = {
  methods: METHODS.flatMap(({ code: methodCode, directions }) =>
    directions.map((direction) => ({ methodCode, direction })),
  ),
  limits: CURRENCIES.map((currencyCode) => ({
    methodCode: 'WALLET',
    direction: 'PAYIN',
    currencyCode,
    min: null,
    max: null,
    dailyAmountMax: null,
    dailyCountMax: WALLET_COUNT_MAX,
  })),
  fees: [],
}

/** What is offered, agreed and known at the beginning. */
export function openShop({ catalogue, terms, merchants, ...disk }: Disk): void {
  catalogue.put(ALL, CATALOGUE)
  for (const merchant_id of MERCHANTS) {
    terms.put(merchant_id, TERMS)
    const merchant_code = codeOf(merchant_id)
    merchants.put(merchant_id, { merchant_id, merchant_code, callback_key_generation: 1 })
  }
  disk.commit()
  disk.replicate(disk.position())
}
