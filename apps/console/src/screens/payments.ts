import { FoundPaymentListSchema, type Read, type ReadItem } from '@tollgate/contract'
import { type Html, type HtmlValue, html } from '@tollgate/runtime/html'
import { filterBar } from '../filters.ts'
import { dayText, momentHtml, moneyHtml, plural, timeText, wordsOf } from '../format.ts'
import { icon } from '../icons.ts'
import { ApiRefusal, pathOf, searchOf } from '../operator-api.ts'
import { empty, note, pager, table, views, withQuery } from '../parts.ts'
import { kindWords, statusChip } from '../status.ts'
import type { Screen, Visit } from '../visit.ts'
import { withoutMerchant } from './member-parts.ts'
import { PAYMENT_FILTERS, paymentQuery, requireAmounts, spanText } from './payment-filters.ts'

type Found = ReadItem<typeof FoundPaymentListSchema>
type Page = Read<typeof FoundPaymentListSchema>

const PATH = '/payments'
const LIMIT = '50'

/** Payments of all kinds, the newest first. */
export const paymentsScreen: Screen = {
  path: PATH,
  permission: 'payouts.read',
  forMembers: true,
  async show(visit) {
    const { query } = visit
    const asked = paymentQuery(query, visit.nowMs)
    const span = spanText(query, asked)
    const content = await listOf(visit, asked)
    const csv = `${PATH}/export${searchOf({ ...asked, format: 'csv' })}`
    const lines = `${PATH}/export${searchOf({ ...asked, format: 'jsonl' })}`
    return {
      title: 'Payments',
      nav: 'Payments',
      content: html`<div class="head"><h1>Payments</h1>${span !== undefined && html`<p>${span}</p>`}<div class="acts"><a class="btn" href="${csv}" download>${icon('in')}Export CSV</a><a class="btn hide-sm" href="${lines}" download>Export JSON lines</a></div></div>
${views(savedViews(query))}
${filterBar(PATH, query, withoutMerchant(visit, PAYMENT_FILTERS))}
${content}`,
    }
  },
}

const VIEWS = [
  ['All', {}],
  ['Waiting', { status: 'CREATED' }],
  ['Failed', { status: 'FAILED' }],
  ['Reversed', { status: 'REVERSED' }],
  ['Payouts', { kind: 'PAYOUT' }],
] as const

const savedViews = (query: URLSearchParams): Parameters<typeof views>[0] =>
  VIEWS.map(([name, filter]) => {
    const shown = Object.entries(filter)
    const given = [...query].filter(
      ([key, value]) => value !== '' && !['cursor', 'trail', 'done'].includes(key),
    )
    const isCurrent = given.length === shown.length && shown.every(([key, value]) => query.get(key) === value)
    return { name, href: withQuery(PATH, new URLSearchParams(), filter), isCurrent }
  })

async function listOf({ api, query }: Visit, asked: ReturnType<typeof paymentQuery>): Promise<HtmlValue> {
  const cursor = query.get('cursor') ?? undefined
  try {
    requireAmounts(asked)
    const page = await api.get('/operator/payments', FoundPaymentListSchema, {
      ...asked,
      cursor,
      limit: LIMIT,
    })
    return tableWithPages(query, page)
  } catch (error) {
    // What somebody typed into a filter, or into the address.
    if (!(error instanceof ApiRefusal) || ![400, 410].includes(error.status)) throw error
    return note('bad', error.message)
  }
}

function tableWithPages(query: URLSearchParams, { data, nextCursor }: Page): Html {
  if (data.length === 0)
    return empty('search', 'No payments', {
      says: 'None fits these filters.',
      acts: html`<a class="btn" href="${PATH}">Clear the filters</a>`,
    })
  const says = `${plural(data.length, 'payment')}, the newest first`
  return html`${paymentTable('Payments, the newest first', data)}${pager({ path: PATH, query, nextCursor, says })}`
}

/** Where a payment has its page. */
export const paymentHref = ({
  kind,
  merchantCode,
  idPayment,
}: {
  readonly kind: string
  readonly merchantCode: string
  readonly idPayment: string
}): string => pathOf`/payments/${kind}/${merchantCode}/${idPayment}`

export const paymentTable = (caption: string, list: readonly Found[]): Html =>
  table(
    caption,
    [
      { name: 'Amount', style: 'n' },
      { name: 'Status' },
      { name: 'Payment' },
      { name: 'Kind', style: 'hide-sm' },
      { name: 'Merchant', style: 'hide-sm' },
      { name: 'Method', style: 'hide-sm' },
      { name: 'Reference', style: 'hide-md' },
      { name: 'Created, UTC', style: 'n hide-sm' },
    ],
    list.map(row),
    2,
  )

function row(found: Found): readonly HtmlValue[] {
  const { kind, merchantCode, idPayment, status, processorStatus, money, createdAt } = found
  return [
    moneyHtml(money),
    statusChip(status, processorStatus),
    html`<a href="${paymentHref(found)}"><span class="code">${idPayment}</span></a><span class="sub only-sm">${kindWords(kind)}, ${merchantCode}, ${dayText(createdAt)} ${timeText(createdAt).slice(0, 5)}</span>`,
    kindWords(kind),
    merchantCode,
    wordsOf(found.paymentMethodCode),
    html`<span class="code quiet">${found.reference}</span>`,
    html`<span class="quiet">${momentHtml(createdAt)}</span>`,
  ]
}
