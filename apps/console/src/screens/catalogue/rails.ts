import { RailListSchema } from '@tollgate/contract'
import { type HtmlValue, html } from '@tollgate/runtime/html'
import { wordsOf } from '../../format.ts'
import { empty, table } from '../../parts.ts'
import type { Screen } from '../../visit.ts'
import { cataloguePage } from './page.ts'
import { directionsWords, readCatalogue } from './shape.ts'

/** Rails of this installation, and what goes by them. */
export const railsScreen: Screen = {
  path: '/catalogue/rails',
  permission: 'institutions.read',
  async show(visit) {
    const { data } = await visit.api.get('/operator/rails', RailListSchema)
    const methods = visit.may('catalogue.read') ? (await readCatalogue(visit.api)).methods : []
    const rows = data.map((rail): readonly HtmlValue[] => [
      html`<span class="code">${rail.railCode}</span>`,
      rail.directions.map(directionsWords).join(', '),
      rail.flows.map(wordsOf).join(', '),
      methods
        .filter((method) => method.rail === rail.railCode)
        .map(({ name }) => name)
        .join(', '),
      abilities(rail).join(', '),
    ])
    return cataloguePage(visit, {
      tab: 'Rails',
      says: 'What carries the payments',
      content:
        data.length === 0
          ? empty('link', 'No rails')
          : table(
              'Rails',
              [
                { name: 'Rail' },
                { name: 'Directions' },
                { name: 'Flows', style: 'hide-sm' },
                { name: 'Methods' },
                { name: 'Abilities', style: 'hide-sm' },
              ],
              rows,
            ),
    })
  },
}

const abilities = (rail: {
  readonly cancels: boolean
  readonly notifies: boolean
  readonly handsOverByFile: boolean
}): readonly string[] => [
  ...(rail.cancels ? ['cancels payments'] : []),
  ...(rail.notifies ? ['sends notifications'] : []),
  ...(rail.handsOverByFile ? ['payouts in files'] : []),
]
