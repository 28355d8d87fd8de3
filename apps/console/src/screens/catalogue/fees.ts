import { attributes, type Html, html } from '@tollgate/runtime/html'
import { note, withQuery } from '../../parts.ts'
import type { Screen, Visit } from '../../visit.ts'
import { feeForm, setFee } from './fee-form.ts'
import { feeRows } from './fee-table.ts'
import { typedIn } from './form.ts'
import { generalFee, matrix } from './matrix.ts'
import { cataloguePage } from './page.ts'
import {
  type Catalogue,
  DIRECTIONS,
  type Direction,
  directionOf,
  directionsWords,
  readCatalogue,
} from './shape.ts'

const PATH = '/catalogue/fees'

/** Fees and limits of all merchants without their own. */
export const feesScreen: Screen = {
  path: PATH,
  permission: 'catalogue.read',
  async show(visit) {
    const catalogue = await readCatalogue(visit.api)
    const { query } = visit
    const direction = directionOf(typedIn(visit, 'direction', query.get('kind') ?? ''))
    return cataloguePage(visit, {
      tab: 'Fees',
      says: 'Of all merchants without terms of their own',
      content: html`${query.get('done') === 'fee' && note('good', 'The fee is set. Payments accepted from now on are charged by it.')}
${directionViews(PATH, query, direction)}
${matrix({ catalogue, direction, hrefOf: visit.may('catalogue.change') ? (cell) => `${PATH}?kind=${direction}&method=${cell.methodCode}&currency=${cell.currencyCode}#set-fee` : undefined })}
${specialFees(catalogue, direction)}
${visit.may('catalogue.change') && setFeePart(visit, catalogue, direction)}`,
    })
  },
  acts: {
    'set-fee': {
      permission: 'catalogue.change',
      async perform(visit, form) {
        await setFee(visit, form)
        return 'fee'
      },
    },
  },
}

export const directionViews = (path: string, query: URLSearchParams, current: Direction): Html =>
  html`<nav class="filters" aria-label="Direction">${DIRECTIONS.map((each) => {
    const href = withQuery(path, query, {
      kind: each,
      done: undefined,
      method: undefined,
      currency: undefined,
    })
    const isCurrent = each === current
    return html`<a class="btn${!isCurrent && ' btn-bare'}" href="${href}"${attributes({ 'aria-current': isCurrent ? 'true' : undefined })}>${directionsWords(each)}</a>`
  })}</nav>`

/** Those of a segment or of a payment operator, which go before. */
function specialFees({ methods }: Catalogue, direction: Direction) {
  const special = methods.flatMap((method) =>
    method.fees
      .filter((fee) => fee.direction === direction)
      .filter(({ operatorCode, segmentCode }) => operatorCode !== undefined || segmentCode !== undefined)
      .map((fee) => ({ ...fee, methodCode: method.code })),
  )
  if (special.length === 0) return undefined
  return html`<section class="section" aria-labelledby="h-sp"><div class="bar"><h2 id="h-sp">Of a segment or a payment operator</h2><p>These go before the fees above</p></div>${feeRows(special, true)}</section>`
}

function setFeePart(visit: Visit, catalogue: Catalogue, direction: Direction) {
  const method = catalogue.methods.find(({ code }) => code === visit.query.get('method'))
  const now = method && generalFee(method, direction, visit.query.get('currency') ?? '')
  const action = withQuery(`${PATH}/set-fee`, new URLSearchParams({ kind: direction }), {})
  return html`<section class="section panel" id="set-fee" aria-labelledby="h-set"><h2 id="h-set">Set a fee</h2><div class="panel-body">${feeForm(visit, { catalogue, direction, action, now })}</div></section>`
}
