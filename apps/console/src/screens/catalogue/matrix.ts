import type { MerchantTermsSchema, Read } from '@tollgate/contract'
import { compareAmounts, parsePlainAmount } from '@tollgate/money'
import { attributes, type Html, html } from '@tollgate/runtime/html'
import { amountText } from '../../format.ts'
import { boundsText, type FeeParts, feeText } from './fee-table.ts'
import type { Catalogue, Direction, Method } from './shape.ts'

// Fees and limits by method and currency: what holds for any customer through any payment operator.

export type Terms = Read<typeof MerchantTermsSchema>

interface Matrix {
  readonly catalogue: Catalogue
  readonly direction: Direction
  /** Of a merchant; without them, what holds for all without terms of their own. */
  readonly terms?: Terms
  /** Leads to the forms of a cell. */
  readonly hrefOf?: ((cell: Cell) => string) | undefined
  /** Stands below the method's name. */
  readonly actOf?: ((method: Method) => Html | undefined) | undefined
}

interface Cell {
  readonly methodCode: string
  readonly currencyCode: string
}

export function matrix(given: Matrix): Html {
  const { catalogue, direction } = given
  const methods = catalogue.methods.filter(({ limits }) =>
    limits.some((each) => each.direction === direction),
  )
  const currencies = catalogue.currencies
    .map(({ code }) => code)
    .filter((code) => methods.some((method) => limitOf(method, direction, code) !== undefined))
  if (methods.length === 0) return html`<p class="quiet">No method has limits for this direction.</p>`
  return html`<div class="sheet" tabindex="0" role="region" aria-label="Fees and limits, table"><table class="matrix"><caption class="vh">Fees and limits by method and currency</caption><thead><tr><th scope="col">Method</th>${currencies.map((code) => html`<th scope="col">${code}</th>`)}</tr></thead><tbody>
${methods.map(
  (
    method,
  ) => html`<tr><th scope="row">${method.name}<small class="code">${method.code}</small>${given.actOf?.(method)}</th>${currencies.map((currencyCode) => cell(given, method, currencyCode))}</tr>
`,
)}</tbody></table></div>`
}

const OFF = html`<td class="off"><span aria-hidden="true">–</span><span class="vh">Not offered</span></td>`

function cell({ terms, direction, hrefOf }: Matrix, method: Method, currencyCode: string): Html {
  const limit = limitOf(method, direction, currencyCode)
  if (limit === undefined) return OFF
  const place = { methodCode: method.code, currencyCode }
  const own = ownOf(terms, direction, place)
  const fee = own.fee ?? generalFee(method, direction, currencyCode)
  const text = fee === undefined ? 'free' : feeText(fee, currencyCode)
  const strong = html`<span class="strong">${hrefOf === undefined ? text : html`<a href="${hrefOf(place)}">${text}<span class="vh">, change ${method.code} ${currencyCode}</span></a>`}</span>`
  const isOwn = own.fee !== undefined || own.limit !== undefined
  return html`<td${attributes({ class: isOwn ? 'own' : undefined })}>${strong}${fee !== undefined && small(boundsText(fee, currencyCode))}${small(rangeText(limit, own.limit, currencyCode))}${isOwn && html`<span class="vh">Agreed with this merchant</span>`}</td>`
}

const small = (text: string): Html | undefined => (text === '' ? undefined : html`<small>${text}</small>`)

const limitOf = ({ limits }: Method, direction: string, currencyCode: string) =>
  limits.find(
    (each) =>
      each.direction === direction && each.currencyCode === currencyCode && each.segmentCode === undefined,
  )

export const generalFee = (
  { fees }: Method,
  direction: string,
  currencyCode: string,
): Method['fees'][number] | undefined => fees.find((fee) => isPlain(fee, direction, currencyCode))

/** For any segment and any payment operator. */
const isPlain = (
  fee: FeeParts & {
    readonly direction: string
    readonly currencyCode: string
    readonly operatorCode?: string | undefined
    readonly segmentCode?: string | undefined
  },
  direction: string,
  currencyCode: string,
): boolean =>
  fee.direction === direction &&
  fee.currencyCode === currencyCode &&
  fee.operatorCode === undefined &&
  fee.segmentCode === undefined

/** What the merchant has of its own for the method and currency. */
export function ownOf(
  terms: Terms | undefined,
  direction: string,
  { methodCode, currencyCode }: Cell,
): { readonly fee: Terms['fees'][number] | undefined; readonly limit: OwnLimit | undefined } {
  const isHere = (each: { readonly methodCode: string; readonly currencyCode: string }): boolean =>
    each.methodCode === methodCode && each.currencyCode === currencyCode
  return {
    fee: terms?.fees.find((fee) => isHere(fee) && isPlain(fee, direction, currencyCode)),
    limit: terms?.limits.find((limit) => isHere(limit) && limit.direction === direction),
  }
}

type OwnLimit = Terms['limits'][number]

/** "1 to 5,000", narrowed by the merchant's own bounds, and what a day may have. */
function rangeText(
  general: { readonly min: string; readonly max: string },
  own: Partial<OwnLimit> | undefined,
  currencyCode: string,
): string {
  const { min = general.min, max = general.max } = own ?? {}
  const shown = (amount: string): string => amountText({ amount, currencyCode })
  const least = isMore(min, general.min) ? min : general.min
  const most = isMore(general.max, max) ? max : general.max
  return [`${shown(least)} to ${shown(most)}`, ...dayTexts(own ?? {}, shown)].join(', ')
}

const dayTexts = (
  { dailyAmountMax, dailyCountMax }: Partial<OwnLimit>,
  shown: (amount: string) => string,
): readonly string[] => [
  ...(dailyAmountMax === undefined ? [] : [`a day ${shown(dailyAmountMax)}`]),
  ...(dailyCountMax === undefined ? [] : [`a day ${dailyCountMax} payments`]),
]

const isMore = (one: string, other: string): boolean =>
  compareAmounts(parsePlainAmount(one), parsePlainAmount(other)) === 1
