import { type Amount, parsePlainAmount } from '@tollgate/money'
import type { Catalogue, MerchantTerms, Question } from '../model.ts'
import type { CatalogueRows, FeeRow, FieldRow, LimitRow, MerchantTermsRows, OperatorRow } from '../rows.ts'
import { buildCatalogue, buildTerms } from '../snapshot.ts'

/** A number in a test's table as an amount. */
export function amount(text: string): Amount {
  return parsePlainAmount(text)
}

const EUR = { code: 'EUR', name: 'Euro', type: 'FIAT', minorUnits: 2 } as const
const JPY = { code: 'JPY', name: 'Yen', type: 'FIAT', minorUnits: 0 } as const
const KWD = { code: 'KWD', name: 'Kuwaiti Dinar', type: 'FIAT', minorUnits: 3 } as const

export function operatorRow(row: Partial<OperatorRow> & { readonly code: string }): OperatorRow {
  return {
    name: row.code,
    type: 'BANK',
    countryCode: null,
    currencyCodes: ['EUR'],
    payin: 'OPERATIONAL',
    payout: 'OPERATIONAL',
    popularRank: null,
    bic: null,
    aliases: [],
    ...row,
  }
}

export function methodRow(code: string): CatalogueRows['methods'][number] {
  return {
    code,
    name: code,
    flow: 'INSTRUCTIONS',
    rail: 'sandbox',
    externalReference: 'NONE',
    expiresAfterSeconds: 600,
    payinSpeed: null,
    payoutSpeed: null,
  }
}

export function limitRow(row: Partial<LimitRow> & { readonly methodCode: string }): LimitRow {
  return { direction: 'PAYIN', currencyCode: 'EUR', segmentCode: '*', min: '1', max: '1000', ...row }
}

export function fieldRow(row: Pick<FieldRow, 'methodCode' | 'name'> & Partial<FieldRow>): FieldRow {
  return { direction: 'PAYIN', required: true, pattern: null, maxLength: null, checksum: null, ...row }
}

export function feeRow(row: Partial<FeeRow> & { readonly methodCode: string }): FeeRow {
  return {
    direction: 'PAYIN',
    operatorCode: '*',
    segmentCode: '*',
    currencyCode: 'EUR',
    fixed: '0',
    percentage: '0',
    minimum: null,
    maximum: null,
    pricedCurrencyCode: null,
    rateListCode: null,
    ...row,
  }
}

const ROWS: CatalogueRows = {
  currencies: [EUR, JPY, KWD],
  segments: [
    { code: 'NEW', name: 'New' },
    { code: 'VIP', name: 'Very important' },
  ],
  operators: [],
  methods: [],
  methodOperators: [],
  limits: [],
  excludedSegments: [],
  fields: [],
  fees: [],
  health: [],
}

/** A catalogue with three currencies, two segments and what the test names. */
export function catalogueOf(rows: Partial<CatalogueRows>): Catalogue {
  return buildCatalogue({ ...ROWS, ...rows })
}

/** Terms with the methods, for payins, and what else the test names. */
export function termsOf(
  methodCodes: readonly string[],
  rows: Partial<MerchantTermsRows> = {},
): MerchantTerms {
  return buildTerms('1', {
    methods: methodCodes.map((methodCode) => ({ methodCode, direction: 'PAYIN' })),
    limits: [],
    fees: [],
    ...rows,
  })
}

export function payin(text: string, currencyCode = 'EUR', segmentCode?: string): Question {
  return { direction: 'PAYIN', money: { amount: amount(text), currencyCode }, segmentCode }
}

/** The codes of a judgement's reasons; none when it is positive. */
export function codesOf(
  judged:
    | { readonly ok: true }
    | { readonly ok: false; readonly items: readonly { readonly code: string }[] },
): readonly string[] {
  return judged.ok ? [] : judged.items.map(({ code }) => code)
}
