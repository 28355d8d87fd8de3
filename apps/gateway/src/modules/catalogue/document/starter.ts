/** Currencies of ISO 4217 that banks are asked for most, with their decimals. */
const CURRENCIES: Readonly<Record<string, readonly [name: string, minorUnits: number]>> = {
  AED: ['UAE Dirham', 2],
  AUD: ['Australian Dollar', 2],
  BGN: ['Bulgarian Lev', 2],
  BHD: ['Bahraini Dinar', 3],
  BRL: ['Brazilian Real', 2],
  CAD: ['Canadian Dollar', 2],
  CHF: ['Swiss Franc', 2],
  CLP: ['Chilean Peso', 0],
  CNY: ['Yuan Renminbi', 2],
  CZK: ['Czech Koruna', 2],
  DKK: ['Danish Krone', 2],
  EUR: ['Euro', 2],
  GBP: ['Pound Sterling', 2],
  HKD: ['Hong Kong Dollar', 2],
  HUF: ['Forint', 2],
  ILS: ['New Israeli Sheqel', 2],
  INR: ['Indian Rupee', 2],
  ISK: ['Iceland Krona', 0],
  JOD: ['Jordanian Dinar', 3],
  JPY: ['Yen', 0],
  KRW: ['Won', 0],
  KWD: ['Kuwaiti Dinar', 3],
  MXN: ['Mexican Peso', 2],
  NOK: ['Norwegian Krone', 2],
  NZD: ['New Zealand Dollar', 2],
  OMR: ['Rial Omani', 3],
  PLN: ['Zloty', 2],
  RON: ['Romanian Leu', 2],
  SEK: ['Swedish Krona', 2],
  SGD: ['Singapore Dollar', 2],
  THB: ['Baht', 2],
  TND: ['Tunisian Dinar', 3],
  TRY: ['Turkish Lira', 2],
  UAH: ['Hryvnia', 2],
  USD: ['US Dollar', 2],
  ZAR: ['Rand', 2],
}

/** The codes that a starter can have. */
export const STARTER_CURRENCIES: readonly string[] = Object.keys(CURRENCIES)

const MAX_UNITS = 100_000
const DAYS_TO_PAY = 3
const DAY_SECONDS = 86_400
const ACCOUNT_PATTERN = String.raw`[A-Za-z0-9][A-Za-z0-9 \/\-]*`

/** A first catalogue for live: the currencies, and bank transfers in and out. To be read and changed before it is applied. */
export function starterCatalogue(currencyCodes: readonly string[]): Readonly<Record<string, unknown>> {
  return {
    currencies: currencyCodes.map((code) => {
      const [name, minorUnits] = CURRENCIES[code] ?? [code, 2]
      return { code, name, minorUnits }
    }),
    segments: [],
    paymentOperators: [],
    methods: [
      {
        code: 'BANK_TRANSFER',
        name: 'Bank transfer',
        flow: 'INSTRUCTIONS',
        rail: 'bank-transfer',
        expiresAfterSeconds: DAYS_TO_PAY * DAY_SECONDS,
        limits: ['PAYIN', 'PAYOUT', 'TOPUP'].flatMap((direction) =>
          currencyCodes.map((currencyCode) => ({
            direction,
            currencyCode,
            min: leastOf(CURRENCIES[currencyCode]?.[1] ?? 2),
            max: String(MAX_UNITS),
          })),
        ),
        fields: ['PAYIN', 'TOPUP', 'PAYOUT'].flatMap(fieldsOf),
      },
    ],
  }
}

/** The smallest amount there is. */
const leastOf = (minorUnits: number): string =>
  minorUnits === 0 ? '1' : `0.${'1'.padStart(minorUnits, '0')}`

function fieldsOf(direction: string): readonly unknown[] {
  const required = direction === 'PAYOUT'
  const account = { pattern: ACCOUNT_PATTERN, checksum: 'IBAN', maxLength: 42 }
  return [
    { direction, name: 'accountName', required, maxLength: 140, position: 1 },
    { direction, name: 'accountNumber', required, ...account, position: 2 },
    ...(required
      ? [{ direction, name: 'bankCode', pattern: '[A-Za-z0-9]+', maxLength: 11, position: 3 }]
      : []),
    { direction, name: 'emailAddress', maxLength: 254, position: 4 },
  ]
}
