import { html } from '@tollgate/runtime/html'
import { wordsOf } from '../../format.ts'
import { table } from '../../parts.ts'
import type { Screen } from '../../visit.ts'
import { enabledChip } from './methods.ts'
import { cataloguePage } from './page.ts'
import { type Catalogue, readCatalogue } from './shape.ts'

/** Currencies and customer segments. */
export const currenciesScreen: Screen = {
  path: '/catalogue/currencies',
  permission: 'catalogue.read',
  async show(visit) {
    const catalogue = await readCatalogue(visit.api)
    return cataloguePage(visit, {
      tab: 'Currencies',
      content: html`<div class="two"><section aria-labelledby="h-c"><div class="bar"><h2 id="h-c">Currencies</h2><p>Decimals and type never change</p></div>${currencyTable(catalogue)}</section>
<section aria-labelledby="h-s"><div class="bar"><h2 id="h-s">Customer segments</h2><p>Limits and fees may differ by segment</p></div>${segmentTable(catalogue)}</section></div>`,
    })
  },
}

const currencyTable = ({ currencies }: Catalogue) =>
  table(
    'Currencies',
    [
      { name: 'Code' },
      { name: 'Name' },
      { name: 'Type' },
      { name: 'Decimals', style: 'n' },
      { name: 'State' },
    ],
    currencies.map((currency) => [
      currency.code,
      currency.name,
      wordsOf(currency.type ?? 'FIAT'),
      currency.minorUnits,
      enabledChip(currency),
    ]),
  )

const segmentTable = ({ segments, methods }: Catalogue) =>
  segments.length === 0
    ? html`<p class="quiet">No segments: every customer has the same limits and fees.</p>`
    : table(
        'Customer segments',
        [{ name: 'Code' }, { name: 'Name' }, { name: 'Not offered' }],
        segments.map(({ code, name }) => [
          html`<span class="code">${code}</span>`,
          name,
          html`<span class="quiet">${methods
            .filter(({ excludedSegments }) => excludedSegments.includes(code))
            .map((method) => method.name)
            .join(', ')}</span>`,
        ]),
      )
