import { type Read, ReviewListSchema } from '@tollgate/contract'
import { type Html, type HtmlValue, html } from '@tollgate/runtime/html'
import { filterBar } from '../filters.ts'
import { ageText, momentText, moneyHtml, plural, wordsOf } from '../format.ts'
import { ApiRefusal, pathOf } from '../operator-api.ts'
import { empty, note, pager, table } from '../parts.ts'
import { kindWords, statusChip } from '../status.ts'
import type { Screen, Visit } from '../visit.ts'

const PATH = '/reviews'
const LIMIT = '50'
const FILTERS = [{ name: 'Merchant', fields: [{ name: 'merchantCode', label: 'Merchant code' }] }] as const

/** Payments whose outcome nobody knows, and payouts on hold: the longest waiting first. */
export const reviewsScreen: Screen = {
  path: PATH,
  permission: 'reviews.read',
  show: async (visit) => ({
    title: 'Reviews',
    nav: 'Reviews',
    content: html`<div class="head"><h1>Reviews</h1><p>Payments with unknown outcome, and payouts on hold; the longest waiting first</p></div>
${filterBar(PATH, visit.query, FILTERS)}
${await listOf(visit)}`,
  }),
}

async function listOf(visit: Visit): Promise<HtmlValue> {
  const { api, query } = visit
  const given = (name: string): string | undefined => query.get(name)?.trim() || undefined
  const asked = { merchantCode: given('merchantCode'), cursor: given('cursor'), limit: LIMIT }
  try {
    return tableOf(visit, await api.get('/operator/reviews', ReviewListSchema, asked))
  } catch (error) {
    if (!(error instanceof ApiRefusal) || ![400, 410].includes(error.status)) throw error
    return note('bad', error.message)
  }
}

function tableOf({ query, nowMs }: Visit, { data, nextCursor }: Read<typeof ReviewListSchema>): Html {
  if (data.length === 0)
    return empty('check', 'No payments to review', {
      says: 'Institutions are asked for three days; after that, a payment needs your review.',
    })
  const columns = [
    { name: 'Amount', style: 'n' },
    { name: 'Status' },
    { name: 'Payment' },
    { name: 'Kind', style: 'hide-sm' },
    { name: 'Merchant', style: 'hide-sm' },
    { name: 'Method', style: 'hide-sm' },
    { name: 'Rail', style: 'hide-md' },
    { name: 'Reference', style: 'hide-md' },
    { name: 'Waits', style: 'n' },
  ]
  const rows = data.map((each): readonly HtmlValue[] => [
    moneyHtml(each.money),
    statusChip(each.process.status, each.process.processorStatus),
    html`<a href="${pathOf`/reviews/${each.kind}/${each.merchantCode}/${each.idPayment}`}"><span class="code">${each.idPayment}</span></a><span class="sub only-sm">${kindWords(each.kind)}, ${each.merchantCode}</span>`,
    kindWords(each.kind),
    each.merchantCode,
    wordsOf(each.paymentMethodCode),
    each.rail,
    html`<span class="code quiet">${each.reference}</span>`,
    html`<time class="quiet" datetime="${each.waitsSince}" title="${momentText(each.waitsSince)} UTC">${ageText(each.waitsSince, nowMs)}</time>`,
  ])
  const says = `${plural(data.length, 'payment')}, the longest waiting first`
  return html`${table('Payments to review', columns, rows, 2)}${pager({ path: PATH, query, nextCursor, says })}`
}
