import type { FeeSchema, MerchantLimitSchema, MerchantMethodsSchema, Printed } from '@tollgate/contract'
import type { Command } from 'commander'
import { clientCommand, type OptionRow, type Pen } from '../client-command.ts'
import { type OperatorOptions, pathOf } from '../operator-call.ts'
import type { Shell } from '../shell.ts'
import { asNumber, code, type DirectionName, direction, nonNegativeNumber, wholeNumber } from '../values.ts'

const COUNT_MAX = 2_147_483_647
/** In place of a merchant's code: everybody. */
const HOUSE = 'house'

interface MethodOptions extends OperatorOptions {
  readonly direction?: DirectionName
}

const DIRECTION: OptionRow = {
  flags: '--direction <direction>',
  says: 'payin, payout or topup; default: payin',
  read: direction,
}

const acts = [
  ['enable', 'enable a payment method for the merchant, or `all`'],
  ['disable', 'disable a payment method for the merchant, or `all`; accepted payments continue'],
] as const
const methods = acts.map(([action, says]) =>
  clientCommand({
    command: `${action}-method <code> <method>`,
    says,
    options: [{ ...DIRECTION, says: 'payin, payout or topup; default: payin, or every direction for `all`' }],
    permission: 'catalogue.change',
    asks: (typed, options: MethodOptions) => ({
      method: 'POST',
      path: `${pathOf`/operator/merchants/${typed.code}/methods`}/!${action}`,
      body: { methodCode: code(typed.method), direction: options.direction },
    }),
    shows: (answer: Printed<typeof MerchantMethodsSchema>, pen) => methodTable(answer, pen),
  }),
)

/** The methods of a merchant, by direction. */
export function methodTable(
  { methods: by }: Pick<Printed<typeof MerchantMethodsSchema>, 'methods'>,
  pen: Pen,
): string {
  const rows = Object.entries(by).filter(([, codes]) => codes.length > 0)
  return pen.table(
    ['DIRECTION', 'METHODS'],
    rows.map(([name, codes]) => [name, codes.join(' ')]),
    'No payment methods. `tollgate merchants enable-method <code> all` enables all.',
  )
}

interface LimitOptions extends MethodOptions {
  readonly currency: string
  readonly min?: string
  readonly max?: string
  readonly dailyAmount?: string
  readonly dailyCount?: number
}

const setLimit = clientCommand({
  command: 'set-limit <code> <method>',
  says: 'replace the merchant’s limits for a method and currency; omitted ones do not apply',
  options: [
    { flags: '--currency <currency>', says: 'for example EUR', read: code, isRequired: true },
    { flags: '--min <amount>', says: 'smallest amount of a payment', read: nonNegativeNumber('--min') },
    { flags: '--max <amount>', says: 'largest amount of a payment', read: nonNegativeNumber('--max') },
    {
      flags: '--daily-amount <amount>',
      says: 'largest sum accepted per day (UTC)',
      read: nonNegativeNumber('--daily-amount'),
    },
    {
      flags: '--daily-count <count>',
      says: 'largest number of payments accepted per day (UTC)',
      read: wholeNumber('--daily-count', 1, COUNT_MAX),
    },
    DIRECTION,
  ],
  permission: 'catalogue.change',
  asks: (typed, options: LimitOptions) => {
    const { min, max, dailyAmount, dailyCount, currency, direction: way = 'PAYIN' } = options
    return {
      method: 'PUT',
      path: pathOf`/operator/merchants/${typed.code}/limits/${way}/${code(typed.method)}/${currency}`,
      body: {
        min: asNumber(min),
        max: asNumber(max),
        dailyAmountMax: asNumber(dailyAmount),
        dailyCountMax: dailyCount,
      },
    }
  },
  shows: (limit: Printed<typeof MerchantLimitSchema>, pen) => {
    const { min, max, dailyAmountMax, dailyCountMax } = limit
    const bounds = [
      min !== undefined && `from ${pen.amount(min)}`,
      max !== undefined && `up to ${pen.amount(max)}`,
      dailyAmountMax !== undefined && `${pen.amount(dailyAmountMax)} a day`,
      dailyCountMax !== undefined && `${dailyCountMax} payments a day`,
    ].filter((bound) => bound !== false)
    return `${limit.merchantCode}, ${limit.direction} by ${limit.methodCode} in ${limit.currencyCode}: ${bounds.join(', ') || 'no bounds of its own'}.`
  },
})

interface FeeOptions extends MethodOptions {
  readonly currency: string
  readonly fixed?: string
  readonly percentage?: string
  readonly minimum?: string
  readonly maximum?: string
  readonly operator?: string
  readonly segment?: string
  readonly pricedIn?: string
  readonly rateList?: string
}

const setFee = clientCommand({
  command: 'set-fee <code|house> <method>',
  says: 'replace a fee of one merchant, or (`house`) of all merchants without their own',
  options: [
    { flags: '--currency <currency>', says: 'for example EUR', read: code, isRequired: true },
    {
      flags: '--fixed <amount>',
      says: 'fixed part; default: 0',
      read: nonNegativeNumber('--fixed'),
    },
    {
      flags: '--percentage <percent>',
      says: 'percentage of the amount; default: 0',
      read: nonNegativeNumber('--percentage'),
    },
    { flags: '--minimum <amount>', says: 'smallest fee', read: nonNegativeNumber('--minimum') },
    { flags: '--maximum <amount>', says: 'largest fee', read: nonNegativeNumber('--maximum') },
    {
      flags: '--priced-in <currency>',
      says: 'currency of these amounts; needs --rate-list',
      read: code,
    },
    { flags: '--rate-list <code>', says: 'rate list that converts them on acceptance', read: code },
    {
      flags: '--operator <operator>',
      says: 'only for payments through this bank or wallet',
      read: code,
    },
    { flags: '--segment <segment>', says: 'only for customers of this segment', read: code },
    DIRECTION,
  ],
  permission: 'catalogue.change',
  asks: (typed, options: FeeOptions) => {
    const { fixed, percentage, minimum, maximum } = options
    const merchant = typed['code|house']
    return {
      method: 'PUT',
      path: '/operator/fees',
      body: {
        merchantCode: merchant.toLowerCase() === HOUSE ? undefined : merchant,
        methodCode: code(typed.method),
        direction: options.direction,
        currencyCode: options.currency,
        operatorCode: options.operator,
        segmentCode: options.segment,
        fixed: asNumber(fixed),
        percentage: asNumber(percentage),
        minimum: asNumber(minimum),
        maximum: asNumber(maximum),
        pricedCurrencyCode: options.pricedIn,
        rateListCode: options.rateList,
      },
    }
  },
  shows: (fee: Printed<typeof FeeSchema>, pen) =>
    `${fee.merchantCode ?? 'All merchants'}, ${fee.direction} by ${fee.methodCode} in ${fee.currencyCode}: ${feeText(fee, pen)}.`,
})

function feeText(fee: Printed<typeof FeeSchema>, pen: Pen): string {
  const { fixed = 0, percentage = 0, minimum, maximum, pricedCurrencyCode, currencyCode } = fee
  const parts = [
    `${pen.amount(fixed)} ${pricedCurrencyCode ?? currencyCode} and ${pen.amount(percentage)} %`,
    minimum !== undefined && `at least ${pen.amount(minimum)}`,
    maximum !== undefined && `at most ${pen.amount(maximum)}`,
    fee.rateListCode !== undefined && `converted by ${fee.rateListCode}`,
    fee.operatorCode !== undefined && `through ${fee.operatorCode}`,
    fee.segmentCode !== undefined && `for ${fee.segmentCode} customers`,
  ]
  return parts.filter((part) => part !== false).join(', ')
}

/** With the digits that were typed. */
/** What was agreed with a merchant: methods, limits, fees. */
export function addTermsCommands(merchants: Command, shell: Shell): void {
  for (const command of [...methods, setLimit, setFee]) command.addTo(merchants, shell)
}
