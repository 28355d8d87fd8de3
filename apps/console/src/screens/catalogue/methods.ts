import { type Html, type HtmlValue, html } from '@tollgate/runtime/html'
import { amountText, plural, wordsOf } from '../../format.ts'
import { icon } from '../../icons.ts'
import { pathOf } from '../../operator-api.ts'
import { chip, empty, facts, table } from '../../parts.ts'
import type { Screen } from '../../visit.ts'
import { feeRows } from './fee-table.ts'
import { cataloguePage } from './page.ts'
import { type Catalogue, DIRECTIONS, directionsWords, type Method, readCatalogue } from './shape.ts'

/** What can be paid with. */
export const methodsScreen: Screen = {
  path: '/catalogue',
  permission: 'catalogue.read',
  async show(visit) {
    const catalogue = await readCatalogue(visit.api)
    const { methods, currencies } = catalogue
    return cataloguePage(visit, {
      tab: 'Methods',
      says: `${plural(methods.length, 'method')}, ${plural(currencies.length, 'currency', 'currencies')}, ${plural(catalogue.paymentOperators.length, 'payment operator')}`,
      acts: html`<a class="btn" href="/catalogue/export" download>${icon('in')}Export YAML</a>`,
      content: methods.length === 0 ? nothing(visit.may('catalogue.apply')) : methodTable(methods),
    })
  },
}

const nothing = (mayApply: boolean): Html =>
  empty('grid', 'No payment methods', {
    says: html`<code>npx tollgate catalogue starter --currency EUR</code> prints a first catalogue for live: bank transfers in and out.`,
    acts: mayApply && html`<a class="btn" href="/catalogue/document">Apply a document</a>`,
  })

const methodTable = (methods: readonly Method[]): Html =>
  table(
    'Payment methods',
    [
      { name: 'Method' },
      { name: 'State' },
      { name: 'Currencies' },
      { name: 'Directions', style: 'hide-sm' },
      { name: 'Rail', style: 'hide-sm' },
      { name: 'Payment operators', style: 'n hide-md' },
    ],
    methods.map((method): readonly HtmlValue[] => [
      html`<a href="${methodHref(method.code)}">${method.name}</a><span class="sub code">${method.code}</span>`,
      enabledChip(method),
      currenciesOf(method).join(' '),
      directionsOf(method).map(directionsWords).join(', '),
      html`<span class="code">${method.rail}</span>`,
      method.operators.length === 0 ? html`<span class="quiet">none</span>` : method.operators.length,
    ]),
  )

export const methodHref = (code: string): string => pathOf`/catalogue/methods/${code}`

export const enabledChip = ({ enabled = true }: { readonly enabled?: boolean | undefined }): Html =>
  enabled ? chip('good', 'check', 'Enabled') : chip('mute', 'minus', 'Disabled')

const currenciesOf = ({ limits }: Method): readonly string[] => [
  ...new Set(limits.map(({ currencyCode }) => currencyCode)),
]

const directionsOf = ({ limits }: Method): readonly string[] =>
  DIRECTIONS.filter((direction) => limits.some((limit) => limit.direction === direction))

/** One method with its limits, fees, fields and banks. */
export const methodScreen: Screen = {
  path: '/catalogue/methods/:methodCode',
  permission: 'catalogue.read',
  async show(visit) {
    const code = visit.name('methodCode')
    const catalogue = await readCatalogue(visit.api)
    const method = catalogue.methods.find((each) => each.code === code)
    const title = method?.name ?? code
    return cataloguePage(visit, {
      tab: 'Methods',
      title: `${title}: catalogue`,
      content:
        method === undefined
          ? empty('grid', 'No such method', { acts: html`<a class="btn" href="/catalogue">All methods</a>` })
          : methodParts(catalogue, method),
    })
  },
}

const HOUR_SECONDS = 3_600
const DAY_SECONDS = 24 * HOUR_SECONDS

/** 259200 is "3 days"; what is no whole number of them is said in seconds. */
function spanText(seconds: number): string {
  if (seconds % DAY_SECONDS === 0) return plural(seconds / DAY_SECONDS, 'day')
  if (seconds % HOUR_SECONDS === 0) return plural(seconds / HOUR_SECONDS, 'hour')
  return seconds % 60 === 0 ? plural(seconds / 60, 'minute') : plural(seconds, 'second')
}

function methodParts(catalogue: Catalogue, method: Method): Html {
  const { code, name, flow, rail, externalReference, payinSpeed, payoutSpeed, excludedSegments } = method
  return html`<nav class="crumbs" aria-label="Breadcrumb"><a href="/catalogue">Methods</a>${icon('right')}<span aria-current="page">${name}</span></nav>
<div class="bar"><h2>${name}</h2><p class="code">${code}</p>${enabledChip(method)}</div>
${facts([
  ['Flow', wordsOf(flow)],
  ['Rail', html`<span class="code">${rail}</span>`],
  ['Expires after', spanText(method.expiresAfterSeconds)],
  ...(payinSpeed === undefined ? [] : [['Speed', wordsOf(payinSpeed)] as const]),
  ...(payoutSpeed === undefined ? [] : [['Payouts go', 'at once, where both banks can'] as const]),
  ['External reference', wordsOf(externalReference ?? 'NONE')],
  ['Not for segments', excludedSegments.length === 0 ? 'none' : excludedSegments.join(', ')],
])}
${section('Limits', limitTable(method))}
${section('Fees', method.fees.length === 0 ? html`<p class="quiet">No fees: payments are free unless the merchant has one of its own.</p>` : feeRows(method.fees))}
${section('Fields', fieldTable(method))}
${section('Payment operators', operatorList(catalogue, method))}`
}

const section = (title: string, content: HtmlValue): Html =>
  html`<section class="section"><div class="bar"><h2>${title}</h2></div>${content}</section>`

function limitTable({ limits }: Method): Html {
  if (limits.length === 0) return html`<p class="quiet">No limits: the method takes no currency.</p>`
  return table(
    'Limits',
    [
      { name: 'Direction' },
      { name: 'Currency' },
      { name: 'Segment' },
      { name: 'Least', style: 'n' },
      { name: 'Most', style: 'n' },
    ],
    limits.map(({ direction, currencyCode, segmentCode, min, max }) => [
      directionsWords(direction),
      currencyCode,
      segmentCode ?? html`<span class="quiet">any</span>`,
      amountText({ amount: min, currencyCode }),
      amountText({ amount: max, currencyCode }),
    ]),
  )
}

function fieldTable({ fields }: Method): Html {
  if (fields.length === 0) return html`<p class="quiet">Nothing is asked of the customer.</p>`
  return table(
    'Fields',
    [
      { name: 'Direction' },
      { name: 'Field' },
      { name: 'Required' },
      { name: 'Checked as', style: 'hide-sm' },
      { name: 'Pattern', style: 'hide-md' },
      { name: 'Longest', style: 'n hide-sm' },
    ],
    fields.map(({ direction, name, required = false, checksum, pattern, maxLength }) => [
      directionsWords(direction),
      html`<span class="code">${name}</span>`,
      required ? 'Yes' : html`<span class="quiet">no</span>`,
      checksum ?? '',
      html`<span class="code quiet">${pattern ?? ''}</span>`,
      maxLength ?? '',
    ]),
    1,
  )
}

const OPERATORS_SHOWN = 30

function operatorList({ paymentOperators }: Catalogue, { code, operators }: Method): Html {
  if (operators.length === 0) return html`<p class="quiet">Payments go through none.</p>`
  const names = new Map(paymentOperators.map((each) => [each.code, each.name]))
  const more = operators.length - OPERATORS_SHOWN
  return html`<p>${operators
    .slice(0, OPERATORS_SHOWN)
    .map((each) => names.get(each) ?? each)
    .join(', ')}${more > 0 && html` and <a href="/catalogue/operators?method=${code}">${more} more</a>`}</p>`
}
