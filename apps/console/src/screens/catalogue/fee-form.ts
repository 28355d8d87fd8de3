import { FeeSchema } from '@tollgate/contract'
import { type Html, html } from '@tollgate/runtime/html'
import type { Visit } from '../../visit.ts'
import type { FeeParts } from './fee-table.ts'
import { amountsOf, type Choice, input, select, textOf, textsOf } from './form.ts'
import { type Catalogue, DIRECTIONS, type Direction, directionsWords } from './shape.ts'

// The form of a fee, of one merchant or of all without one of their own.

interface FeeForm {
  readonly catalogue: Catalogue
  readonly direction: Direction
  /** Where the form leads. */
  readonly action: string
  /** What is set now, of what the address names. */
  readonly now: FeeParts | undefined
}

/** Method, currency and direction, as the address names them. */
export function placeFields(visit: Visit, catalogue: Catalogue, direction: Direction): Html {
  const { query } = visit
  return html`${select(visit, { name: 'direction', label: 'Direction', value: direction, choices: DIRECTIONS.map((each): Choice => [each, directionsWords(each)]) })}${select(visit, { name: 'methodCode', label: 'Method', value: query.get('method') ?? '', choices: catalogue.methods.map(({ code, name }): Choice => [code, name]) })}${select(visit, { name: 'currencyCode', label: 'Currency', value: query.get('currency') ?? '', choices: catalogue.currencies.map(({ code }): Choice => [code, code]) })}`
}

export function feeForm(visit: Visit, { catalogue, direction, action, now = {} }: FeeForm): Html {
  const any: Choice = ['', 'Any']
  const segments = catalogue.segments.map(({ code, name }): Choice => [code, name])
  const amount = (name: string, label: string, value: string | undefined, hint?: string): Html =>
    input(visit, { name, label, value, isAmount: true, ...(hint !== undefined && { hint }) })
  return html`<form method="post" action="${action}">${visit.formToken}<div class="fields">${placeFields(visit, catalogue, direction)}${amount('fixed', 'Fixed', now.fixed, 'Taken from every payment')}${amount('percentage', 'Percent', now.percentage, 'Of the amount')}${amount('minimum', 'Least fee', now.minimum)}${amount('maximum', 'Greatest fee', now.maximum)}${select(visit, { name: 'segmentCode', label: 'Segment', choices: [any, ...segments] })}${input(visit, { name: 'operatorCode', label: 'Payment operator', hint: 'Its code; empty: any' })}</div>
<details class="more section-s"><summary>Priced in another currency</summary><div class="fields">${input(visit, { name: 'pricedCurrencyCode', label: 'Currency', value: now.pricedCurrencyCode, hint: 'Of the fixed part and the bounds' })}${input(visit, { name: 'rateListCode', label: 'Rate list', hint: 'Converts them' })}</div></details>
<p class="acts form-acts"><button class="btn btn-main">Set the fee</button><span class="hint">Replaces the fee for this method, direction, currency, segment and payment operator.</span></p></form>`
}

/** Sets what the form says. Throws ApiRefusal. */
export async function setFee({ api }: Visit, form: URLSearchParams, merchantCode?: string): Promise<void> {
  const place = textsOf(form, ['direction', 'methodCode', 'currencyCode', 'segmentCode', 'rateListCode'])
  const operatorCode = textOf(form, 'operatorCode')?.toUpperCase()
  const pricedCurrencyCode = textOf(form, 'pricedCurrencyCode')?.toUpperCase()
  await api.put('/operator/fees', FeeSchema, {
    body: {
      ...(merchantCode !== undefined && { merchantCode }),
      ...place,
      ...(operatorCode !== undefined && { operatorCode }),
      ...(pricedCurrencyCode !== undefined && { pricedCurrencyCode }),
      ...amountsOf(form, ['fixed', 'percentage', 'minimum', 'maximum']),
    },
  })
}
