import { type Html, html } from '@tollgate/runtime/html'
import { amountText } from '../../format.ts'
import { table } from '../../parts.ts'
import { directionsWords } from './shape.ts'

// Fees as they are written.

/** A fee, of a merchant or of the catalogue. */
export interface FeeParts {
  readonly fixed?: string | undefined
  readonly percentage?: string | undefined
  readonly minimum?: string | undefined
  readonly maximum?: string | undefined
  readonly pricedCurrencyCode?: string | undefined
}

interface FeeRow extends FeeParts {
  readonly direction?: string | undefined
  readonly methodCode?: string | undefined
  readonly currencyCode: string
  readonly operatorCode?: string | undefined
  readonly segmentCode?: string | undefined
  readonly rateListCode?: string | undefined
}

/** "0.25 + 1.5%", in the currency that the fee is priced in. */
export function feeText(fee: FeeParts, currencyCode: string): string {
  const { fixed = '0', percentage = '0', pricedCurrencyCode } = fee
  const priced = pricedCurrencyCode ?? currencyCode
  const parts = [
    ...(isZero(fixed) ? [] : [amountText({ amount: fixed, currencyCode: priced })]),
    ...(isZero(percentage) ? [] : [`${percentage}%`]),
  ]
  const text = parts.length === 0 ? 'free' : parts.join(' + ')
  return pricedCurrencyCode === undefined ? text : `${text} in ${pricedCurrencyCode}`
}

const isZero = (amount: string): boolean => /^0*(?:\.0*)?$/.test(amount)

/** "at least 0.20, at most 20.00"; empty without bounds. */
export function boundsText({ minimum, maximum, pricedCurrencyCode }: FeeParts, currencyCode: string): string {
  const shown = (amount: string): string =>
    amountText({ amount, currencyCode: pricedCurrencyCode ?? currencyCode })
  return [
    ...(minimum === undefined ? [] : [`at least ${shown(minimum)}`]),
    ...(maximum === undefined ? [] : [`at most ${shown(maximum)}`]),
  ].join(', ')
}

const ANY = html`<span class="quiet">any</span>`

/** Fees as a table; with the method's code where they are of several. */
export function feeRows(fees: readonly FeeRow[], isOfSeveral = false): Html {
  return table(
    'Fees',
    [
      ...(isOfSeveral ? [{ name: 'Method' }] : []),
      { name: 'Direction' },
      { name: 'Currency' },
      { name: 'Segment', style: 'hide-sm' },
      { name: 'Payment operator', style: 'hide-sm' },
      { name: 'Fee', style: 'n' },
      { name: 'Bounds', style: 'hide-sm' },
    ],
    fees.map((fee) => [
      ...(isOfSeveral ? [html`<span class="code">${fee.methodCode}</span>`] : []),
      directionsWords(fee.direction ?? ''),
      fee.currencyCode,
      fee.segmentCode ?? ANY,
      fee.operatorCode ?? ANY,
      html`<span class="strong">${feeText(fee, fee.currencyCode)}</span>`,
      html`<span class="quiet">${boundsText(fee, fee.currencyCode)}${fee.rateListCode !== undefined && ` by rates of ${fee.rateListCode}`}</span>`,
    ]),
  )
}
