import { type Html, type HtmlValue, html } from '@tollgate/runtime/html'
import { filterBar } from '../../filters.ts'
import { plural, wordsOf } from '../../format.ts'
import { chip, empty, pager, table } from '../../parts.ts'
import type { Screen, Visit } from '../../visit.ts'
import { enabledChip } from './methods.ts'
import { cataloguePage } from './page.ts'
import { type Catalogue, type PaymentOperator, readCatalogue } from './shape.ts'

const PATH = '/catalogue/operators'
const ON_A_PAGE = 50

/** Banks and wallets. */
export const paymentOperatorsScreen: Screen = {
  path: PATH,
  permission: 'catalogue.read',
  async show(visit) {
    const catalogue = await readCatalogue(visit.api)
    const found = foundIn(catalogue, visit.query)
    return cataloguePage(visit, {
      tab: 'Payment operators',
      says: plural(found.length, 'payment operator'),
      content: html`${filterBar(PATH, visit.query, filtersOf(catalogue))}${found.length === 0 ? nothing() : pageOf(visit, found)}`,
    })
  },
}

const nothing = (): Html =>
  empty('bank', 'No payment operators', {
    says: 'None fits these filters.',
    acts: html`<a class="btn" href="${PATH}">Clear the filters</a>`,
  })

const filtersOf = ({ methods }: Catalogue) => [
  { name: 'Name', fields: [{ name: 'name', label: 'Name, code, BIC or alias' }] },
  { name: 'Country', fields: [{ name: 'country', label: 'Country, two letters' }] },
  {
    name: 'Method',
    fields: [
      {
        name: 'method',
        label: 'Method',
        choices: methods
          .filter(({ operators }) => operators.length > 0)
          .map(({ code, name }) => ({ value: code, words: name })),
      },
    ],
  },
]

function foundIn(
  { paymentOperators, methods }: Catalogue,
  query: URLSearchParams,
): readonly PaymentOperator[] {
  const wanted = (query.get('name') ?? '').trim().toLowerCase()
  const country = (query.get('country') ?? '').trim().toUpperCase()
  const method = methods.find(({ code }) => code === query.get('method'))
  return paymentOperators.filter(
    ({ code, name, bic = '', aliases = [], countryCode = '' }) =>
      [code, name, bic, ...aliases].some((each) => each.toLowerCase().includes(wanted)) &&
      (country === '' || countryCode === country) &&
      (method === undefined || method.operators.includes(code)),
  )
}

function pageOf(visit: Visit, found: readonly PaymentOperator[]): Html {
  const { query } = visit
  const cursor = query.get('cursor')
  const from = cursor === null ? 0 : found.findIndex(({ code }) => code === cursor) + 1
  const page = found.slice(from, from + ON_A_PAGE)
  const nextCursor = from + ON_A_PAGE < found.length ? page.at(-1)?.code : undefined
  const says = `${from + 1} to ${from + page.length} of ${found.length}`
  return html`${table(
    'Payment operators',
    [
      { name: 'Name' },
      { name: 'State' },
      { name: 'Country', style: 'hide-sm' },
      { name: 'Currencies' },
      { name: 'Rank', style: 'n hide-sm' },
      { name: 'BIC', style: 'hide-sm' },
      { name: 'Also known as', style: 'hide-md' },
      ...(visit.may('institutions.change') ? [{ name: 'Outage', style: 'n hide-sm' }] : []),
    ],
    page.map((each) => row(visit, each)),
  )}${pager({ path: PATH, query, nextCursor, says })}`
}

function row(visit: Visit, operator: PaymentOperator): readonly HtmlValue[] {
  const { code, name, type = 'BANK', countryCode, currencyCodes, popularRank, bic, aliases = [] } = operator
  return [
    html`${name}<span class="sub"><span class="code">${code}</span>, ${wordsOf(type).toLowerCase()}</span>`,
    stateOf(operator),
    countryCode ?? '',
    currencyCodes.join(' '),
    popularRank ?? '',
    html`<span class="code">${bic ?? ''}</span>`,
    html`<span class="quiet">${aliases.join(', ')}</span>`,
    ...(visit.may('institutions.change')
      ? [
          html`<a href="/health?type=OPERATOR&amp;code=${code}#say">Set<span class="vh"> the state of ${name}</span></a>`,
        ]
      : []),
  ]
}

/** By the catalogue; what is observed and said is under Health. */
function stateOf(operator: PaymentOperator): Html {
  const { enabled = true, payinAvailability = 'OPERATIONAL', payoutAvailability = 'OPERATIONAL' } = operator
  const states = [
    ['payins', payinAvailability],
    ['payouts', payoutAvailability],
  ] as const
  const closed = states.filter(([, availability]) => availability !== 'OPERATIONAL')
  if (!enabled || closed.length === 0) return enabledChip({ enabled })
  return html`${closed.map(([what, availability]) => chip('warn', 'alert', `${wordsOf(availability)} for ${what}`))}`
}
