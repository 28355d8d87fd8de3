import { FoundPaymentListSchema, OperatorMerchantListSchema, type ReadItem } from '@tollgate/contract'
import { type Html, html } from '@tollgate/runtime/html'
import { plural } from '../format.ts'
import { pagesFor } from '../frame.ts'
import { icon } from '../icons.ts'
import { ApiRefusal, type Query } from '../operator-api.ts'
import { empty, table } from '../parts.ts'
import type { Screen, Visit } from '../visit.ts'
import { ownMerchantOf } from './member-parts.ts'
import { type ListedMerchant, merchantChip, merchantHref } from './merchant-parts.ts'
import { paymentTable } from './payments.ts'

type Found = ReadItem<typeof FoundPaymentListSchema>

const PAYMENTS_MAX = '20'
const MERCHANTS_MAX = '10'

/**
 * What the box in the bar finds: payments by their id, or by a reference of anybody's; merchants and pages by a part of their names.
 * Of each only what the visitor may read. The dialog of Ctrl-K takes its links from here.
 */
export const searchScreen: Screen = {
  path: '/search',
  permission: 'self.read',
  forMembers: true,
  async show(visit) {
    const wanted = (visit.query.get('q') ?? '').trim()
    const [payments, merchants] = await Promise.all([
      findPayments(visit, wanted),
      findMerchants(visit, wanted),
    ])
    const pages = pagesFor({ ...visit.me, cells: visit.cells }).filter(({ name }) => isPart(wanted, name))
    const found = payments.length + merchants.length + pages.length
    const head = html`<div class="head"><h1>Search</h1>${wanted !== '' && html`<p>${plural(found, 'result')} for “${wanted}”</p>`}</div>`
    const content =
      found === 0
        ? nothing(visit)
        : html`${group('Payments', payments, (list) => paymentTable(`Payments for ${wanted}`, list))}${group('Merchants', merchants, (list) => merchantTable(wanted, list))}${group('Pages', pages, pageList)}`
    return { title: wanted === '' ? 'Search' : `${wanted}: search`, content: html`${head}${content}` }
  },
}

const nothing = (visit: Visit): Html =>
  empty('search', 'Nothing found', {
    says: 'Type a whole payment id or a whole reference (ours, the payer’s or the institution’s), or a part of the name of a merchant or page.',
    acts: visit.may('payouts.read') && html`<a class="btn" href="/payments">All payments</a>`,
  })

const isPart = (wanted: string, ...texts: readonly string[]): boolean =>
  texts.some((text) => text.toLowerCase().includes(wanted.toLowerCase()))

const group = <Of>(
  name: string,
  list: readonly Of[],
  show: (list: readonly Of[]) => Html,
): Html | undefined =>
  list.length === 0
    ? undefined
    : html`<section class="found" data-group="${name}"><h2>${name}</h2>${show(list)}</section>`

const pageList = (pages: ReturnType<typeof pagesFor>): Html =>
  html`<ul class="found-pages">${pages.map((page) => html`<li><a href="${page.href}">${icon(page.icon)}<span>${page.name}</span></a></li>`)}</ul>`

const merchantTable = (wanted: string, merchants: readonly ListedMerchant[]): Html =>
  table(
    `Merchants for ${wanted}`,
    [{ name: 'Merchant' }, { name: 'Code' }, { name: 'Status' }],
    merchants.map((merchant) => [
      html`<a href="${merchantHref(merchant.merchantCode)}">${merchant.channel.name}</a>`,
      html`<span class="code">${merchant.merchantCode}</span>`,
      merchantChip(merchant),
    ]),
  )

/** Merchants' people have one, which is a page of theirs. */
async function findMerchants(visit: Visit, wanted: string): Promise<readonly ListedMerchant[]> {
  const { api, may } = visit
  if (wanted === '' || !may('merchants.read') || ownMerchantOf(visit) !== undefined) return []
  const query = { name: wanted, limit: MERCHANTS_MAX }
  return orNone(async () => (await api.get('/operator/merchants', OperatorMerchantListSchema, query)).data)
}

/** What cannot be such a name, nothing has. */
async function orNone<Item>(find: () => Promise<readonly Item[]>): Promise<readonly Item[]> {
  try {
    return await find()
  } catch (error) {
    if (error instanceof ApiRefusal && error.status === 400) return []
    throw error
  }
}

async function findPayments({ api, may }: Visit, wanted: string): Promise<readonly Found[]> {
  if (wanted === '' || !may('payouts.read')) return []
  const ask = (query: Query): Promise<readonly Found[]> =>
    orNone(async () => {
      const asked = { ...query, limit: PAYMENTS_MAX }
      return (await api.get('/operator/payments', FoundPaymentListSchema, asked)).data
    })
  const lists = await Promise.all([ask({ idPayment: wanted }), ask({ reference: wanted })])
  const all = lists
    .flat()
    .map((each) => [`${each.kind} ${each.merchantCode} ${each.idPayment}`, each] as const)
  return [...new Map(all).values()]
}
