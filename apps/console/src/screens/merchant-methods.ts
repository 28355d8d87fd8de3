import { CatalogueDocumentSchema, MerchantMethodsSchema } from '@tollgate/contract'
import { type Html, html } from '@tollgate/runtime/html'
import { wordsOf } from '../format.ts'
import { actButton, given } from '../forms.ts'
import { icon } from '../icons.ts'
import type { Act, Visit } from '../visit.ts'
import { type Merchant, merchantHref, merchantRoute, section } from './merchant-parts.ts'

// What a merchant may use: methods by direction.

const DIRECTIONS = ['PAYIN', 'PAYOUT', 'TOPUP'] as const
type Direction = (typeof DIRECTIONS)[number]
const DIRECTION_WORDS: Readonly<Record<Direction, string>> = {
  PAYIN: 'Payins',
  PAYOUT: 'Payouts',
  TOPUP: 'Top-ups',
}

interface Method {
  readonly code: string
  readonly name: string
  readonly directions: readonly string[]
}

export const enableAllMethods = (visit: Visit, merchantCode: string): Promise<unknown> =>
  visit.api.post(`${merchantRoute(merchantCode)}/methods/!enable`, MerchantMethodsSchema, {
    body: { methodCode: 'ALL' },
  })

/** The methods of the catalogue where the operator may read it; otherwise those that the merchant has. */
async function methodsOf(visit: Visit, merchant: Merchant): Promise<readonly Method[]> {
  const own = [...new Set(DIRECTIONS.flatMap((each) => merchant.methods[each]))]
  const known = visit.may('catalogue.read')
    ? (await visit.api.get('/operator/catalogue', CatalogueDocumentSchema)).methods.map(readMethod)
    : []
  const codes = new Set(known.map(({ code }) => code))
  const others = own
    .filter((code) => !codes.has(code))
    .map((code) => ({ code, name: wordsOf(code), directions: [] }))
  return [...known, ...others]
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

function readMethod(item: Readonly<Record<string, unknown>>): Method {
  const code = textOf(item['code'])
  const limits: readonly unknown[] = Array.isArray(item['limits']) ? item['limits'] : []
  const directions = limits.map((limit) =>
    typeof limit === 'object' && limit !== null && 'direction' in limit ? textOf(limit.direction) : '',
  )
  return { code, name: textOf(item['name']) || wordsOf(code), directions: [...new Set(directions)] }
}

export async function methodsPart(visit: Visit, merchant: Merchant): Promise<Html> {
  const methods = await methodsOf(visit, merchant)
  const mayChange = visit.may('catalogue.change')
  const path = merchantHref(merchant.merchantCode)
  const all =
    mayChange &&
    actButton(visit, { path, verb: 'enable-method', words: 'Enable all', hidden: { methodCode: 'ALL' } })
  const rows = methods.map(
    (method) =>
      html`<tr><th scope="row">${method.name}<span class="sub code">${method.code}</span></th>${DIRECTIONS.map((direction) => cell(visit, { merchant, method, direction, mayChange }))}</tr>
`,
  )
  const content =
    methods.length === 0
      ? html`<p class="quiet">No methods.</p>`
      : html`<div class="sheet" tabindex="0" role="region" aria-label="Methods, table"><table class="matrix"><caption class="vh">Methods by direction</caption><thead><tr><th scope="col">Method</th>${DIRECTIONS.map((direction) => html`<th scope="col">${DIRECTION_WORDS[direction]}</th>`)}</tr></thead><tbody>
${rows}</tbody></table></div>`
  return section('methods', 'Payment methods', {
    says: 'Disabled methods take no new payments; accepted ones continue.',
    content: html`${all !== false && html`<div class="fold-row">${all}</div>`}${content}`,
  })
}

interface Cell {
  readonly merchant: Merchant
  readonly method: Method
  readonly direction: Direction
  readonly mayChange: boolean
}

function cell(visit: Visit, { merchant, method, direction, mayChange }: Cell): Html {
  const isOn = merchant.methods[direction].includes(method.code)
  if (!isOn && !method.directions.includes(direction))
    return html`<td class="off"><span aria-hidden="true">–</span><span class="vh">Does not exist</span></td>`
  const state = isOn
    ? html`<span class="with good">${icon('check')}Enabled</span>`
    : html`<span class="quiet">Not enabled</span>`
  const press =
    mayChange &&
    actButton(visit, {
      path: merchantHref(merchant.merchantCode),
      verb: isOn ? 'disable-method' : 'enable-method',
      style: 'btn-bare',
      words: html`${isOn ? 'Take away' : 'Enable'}<span class="vh"> ${method.name} for ${DIRECTION_WORDS[direction].toLowerCase()}</span>`,
      hidden: { methodCode: method.code, direction },
    })
  return html`<td><div class="cellrow">${state}${press}</div></td>`
}

function methodAct(operation: string, done: string): Act {
  return {
    permission: 'catalogue.change',
    async perform({ api, name }, form) {
      await api.post(`${merchantRoute(name('merchantCode'))}/methods/${operation}`, MerchantMethodsSchema, {
        body: { methodCode: form.get('methodCode') ?? '', direction: given(form, 'direction') },
      })
      return done
    },
  }
}

export const METHOD_ACTS: Readonly<Record<string, Act>> = {
  'enable-method': methodAct('!enable', 'method-on'),
  'disable-method': methodAct('!disable', 'method-off'),
}
