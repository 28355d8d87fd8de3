import {
  OperatorSettlementItemListSchema,
  OperatorSettlementListSchema,
  OperatorSettlementSchema,
  type Read,
  type ReadItem,
} from '@tollgate/contract'
import { attributes, type Html, type HtmlValue, html } from '@tollgate/runtime/html'
import {
  dayText,
  type Money,
  momentHtml,
  momentText,
  moneyHtml,
  moneyText,
  plural,
  wordsOf,
} from '../format.ts'
import type { Page } from '../frame.ts'
import { icon } from '../icons.ts'
import { pathOf } from '../operator-api.ts'
import { chip, copyButton, empty, pager, pairs, table, withQuery } from '../parts.ts'
import { statusChip } from '../status.ts'
import type { Screen, Visit } from '../visit.ts'
import { ownMerchantOf } from './member-parts.ts'
import { crumbs, merchantHref } from './merchant-parts.ts'
import { paymentHref } from './payments.ts'
import { SETTLEMENTS_PATH, settlementHref, settlementsHref } from './settlement-parts.ts'
import { runFold } from './settlement-run.ts'

type Settlement = Read<typeof OperatorSettlementSchema>
type Listed = ReadItem<typeof OperatorSettlementListSchema>
type Items = Read<typeof OperatorSettlementItemListSchema>

const LIMIT = '25'

/** One merchant's settlements, with the newest of them. */
export const merchantSettlementsScreen: Screen = {
  path: '/settlements/:merchantCode',
  permission: 'settlements.read',
  forMembers: true,
  show: desk,
}

/** The same with one of them chosen. */
export const settlementScreen: Screen = {
  path: '/settlements/:merchantCode/:idSettlement',
  permission: 'settlements.read',
  forMembers: true,
  show: desk,
}

async function desk(visit: Visit): Promise<Page> {
  const { name, may } = visit
  const merchantCode = name('merchantCode')
  const isNamed = name('idSettlement') !== ''
  const list = await listOf(visit, isNamed)
  const current = isNamed ? await readOne(visit) : list.data[0]
  const body =
    current === undefined
      ? nothing(visit)
      : html`<div class="desk">${queuePart(visit, { list, current, isNamed })}
<section class="paper${isNamed ? '' : ' hide-sm'}" aria-labelledby="h-s">${await subject(visit, current)}</section></div>`
  return {
    title: `${current?.idSettlement ?? merchantCode}: settlements`,
    nav: 'Settlements',
    content: html`${ownMerchantOf(visit) === undefined && crumbs([['Settlements', SETTLEMENTS_PATH]], merchantCode)}
<div class="head"><h1>Settlements of ${merchantCode}</h1><div class="acts">${may('merchants.read') && html`<a class="btn" href="${merchantHref(merchantCode)}">${icon('store')}Merchant</a>`}</div></div>
${may('settlements.run') && html`<div class="fold-row">${runFold(visit, merchantCode)}</div>`}
${body}`,
  }
}

function listOf(
  { api, name, query }: Visit,
  isNamed: boolean,
): Promise<Read<typeof OperatorSettlementListSchema>> {
  return api.get(pathOf`/operator/settlements/${name('merchantCode')}`, OperatorSettlementListSchema, {
    cursor: (isNamed ? query.get('list') : query.get('cursor')) ?? undefined,
    limit: LIMIT,
  })
}

const nothing = ({ may, name }: Visit): Html =>
  empty('sheet', 'No settlements', {
    says: 'The worker settles by itself when a period of a cycle ends.',
    acts:
      may('merchants.read') &&
      html`<a class="btn" href="${merchantHref(name('merchantCode'))}?show=terms">Its terms</a>`,
  })

const readOne = ({ api, name }: Visit): Promise<Settlement> =>
  api.get(
    pathOf`/operator/settlements/${name('merchantCode')}/${name('idSettlement')}`,
    OperatorSettlementSchema,
  )

interface QueuePart {
  readonly list: Read<typeof OperatorSettlementListSchema>
  readonly current: Settlement
  /** On a phone, the queue is a page of its own. */
  readonly isNamed: boolean
}

function queuePart({ path, query, name }: Visit, { list, current, isNamed }: QueuePart): Html {
  const back = html`<p class="only-sm backlink"><a href="${settlementsHref(name('merchantCode'))}">${icon('left')}All settlements</a></p>`
  const says = `${plural(list.data.length, 'settlement')}, the newest first`
  const place = isNamed ? query.get('list') : query.get('cursor')
  const pages = isNamed
    ? html`<p class="pager"><a href="${settlementsHref(name('merchantCode'))}">All settlements</a></p>`
    : pager({ path, query, nextCursor: list.nextCursor, says })
  const items = list.data.map((settlement) =>
    queueItem(settlement, settlement.idSettlement === current.idSettlement, place),
  )
  return html`${isNamed && back}<section${attributes({ class: isNamed ? 'hide-sm' : undefined })} aria-labelledby="h-q"><h2 class="vh" id="h-q">Settlements, the newest first</h2><ol class="queue">${items}</ol>${pages}</section>`
}

function queueItem(settlement: Listed, isCurrent: boolean, place: string | null): Html {
  const { merchantCode, idSettlement, net, process, kind, period } = settlement
  const href = withQuery(settlementHref(merchantCode, idSettlement), new URLSearchParams(), {
    list: place ?? undefined,
  })
  const day = period === undefined ? process.createdAt : period.to
  return html`<li><a href="${href}"${attributes({ 'aria-current': isCurrent ? 'true' : undefined })}><b>${momentText(day).replace(/, .*$/, '')}</b>${moneyHtml(net)}<small class="code">${idSettlement}</small><span class="tags">${kind === 'CYCLE' ? chip('good', 'check', 'Settled') : statusChip(process.status, process.processorStatus)}${kind !== 'CYCLE' && chip('mute', 'out', 'Asked for')}</span></a></li>
`
}

// One settlement

async function subject(visit: Visit, settlement: Settlement): Promise<Html> {
  const { idSettlement, kind, net, process, merchantCode, period } = settlement
  const says =
    period === undefined
      ? `Asked for by the merchant, ${momentText(process.createdAt)} UTC`
      : `Earned from ${momentText(period.from)} to ${momentText(period.to)} UTC`
  const items = kind === 'CYCLE' ? await itemsOf(visit, settlement) : undefined
  const state =
    kind === 'CYCLE' ? chip('good', 'check', 'Settled') : statusChip(process.status, process.processorStatus)
  return html`<div class="hero"><div><h2 class="hero-sum" id="h-s">${moneyHtml(net)}</h2><p class="hero-line">${state}<span class="code">${idSettlement}</span>${copyButton('the settlement id', idSettlement)}<span>${says}</span></p></div>${kind === 'REQUESTED' && ownMerchantOf(visit) === undefined && visit.may('payouts.read') && html`<div class="acts"><a class="btn" href="${paymentHref({ kind: 'SETTLEMENT', merchantCode, idPayment: idSettlement })}">Open the payment</a></div>`}</div>
<div class="two"><section class="panel"><h2>How it was computed</h2>${computation(settlement, items?.sums ?? [])}</section>
<section class="panel"><h2>Facts</h2><div class="panel-body">${factsOf(settlement)}</div></section></div>
${items !== undefined && transactions(visit, items)}`
}

function itemsOf({ api, query, name }: Visit, { merchantCode, idSettlement }: Settlement): Promise<Items> {
  const isNamed = name('idSettlement') !== ''
  return api.get(
    pathOf`/operator/settlements/${merchantCode}/${idSettlement}/transactions`,
    OperatorSettlementItemListSchema,
    { cursor: (isNamed ? query.get('cursor') : undefined) ?? undefined, limit: '50' },
  )
}

const row = (words: string, money: Money, isTotal = false): Html =>
  html`<div class="row${isTotal && ' total'}"><span>${words}</span>${moneyHtml(money)}</div>`

const why = (words: string, money: Money, content: Html): Html =>
  html`<details><summary><span>${words}</span>${moneyHtml(money)}</summary><div class="why">${content}</div></details>`

/** net = gross − fees + adjustments, each with what it is made of. */
function computation(
  { gross, fees, adjustments, net, repaid, conversion }: Settlement,
  sums: Items['sums'],
): Html {
  const payins = sums.filter(({ type }) => type === 'PAYIN')
  const others = sums.filter(({ type }) => type !== 'PAYIN')
  const count = (list: Items['sums']): number => list.reduce((sum, each) => sum + each.count, 0)
  const parts = (list: Items['sums']): Html =>
    html`<ul>${list.map(({ type, count: times, net: sum }) => html`<li>${wordsOf(type)}, ${times}: ${moneyText(sum)}</li>`)}</ul>`
  const minus = {
    ...fees,
    amount: fees.amount.startsWith('-')
      ? fees.amount.slice(1)
      : fees.amount === '0'
        ? '0'
        : `-${fees.amount}`,
  }
  return html`<div class="sums">${why('Gross', gross, html`<p>What ${plural(count(payins), 'payin')} brought before fees.</p>`)}${why('Fees', minus, html`<p>Of the same payins, each as it was when the payin was accepted.</p>`)}${why('Adjustments', adjustments, others.length === 0 ? html`<p>None: nothing was taken back.</p>` : parts(others))}${why('Net', net, html`<p>${moneyText(gross)} less ${moneyText(fees)} plus ${moneyText(adjustments)}.</p>`)}${repaid !== undefined && why('Paid what was owed', repaid, html`<p>This part of net paid what the merchant owed after recalls; the rest became available.</p>`)}${conversion !== undefined && why(`Settled in ${conversion.bought.currencyCode}`, conversion.bought, html`<p>${moneyText(conversion.sold)} at ${conversion.rate}, by ${conversion.rateListCode}, version ${conversion.version}, side ${conversion.side.toLowerCase()}.</p>`)}${conversion?.repaid !== undefined && why('Paid what was owed', conversion.repaid, html`<p>This part of what was bought paid what the merchant owed in that currency; the rest became available.</p>`)}${conversion === undefined && repaid === undefined && row('Became available', net, true)}</div>`
}

function factsOf({ reference, process, account, period, kind }: Settlement): Html {
  return pairs([
    ['Kind', kind === 'CYCLE' ? 'Of a cycle' : 'Asked for'],
    period && ['From, UTC', momentHtml(period.from)],
    period && ['To, UTC', momentHtml(period.to)],
    ['Made, UTC', momentHtml(process.createdAt)],
    account && [
      'Paid to',
      html`<span class="code">${account.accountNumber}</span> by ${wordsOf(account.paymentMethodCode).toLowerCase()}`,
    ],
    ['Reference', html`<span class="code">${reference}</span> ${copyButton('the reference', reference)}`],
    process.failureReasons && ['Failed', process.failureReasons.message],
  ])
}

const KINDS: Readonly<Record<string, string>> = { PAYIN: 'PAYIN', PAYOUT: 'PAYOUT', TOPUP: 'TOPUP' }

function transactions(visit: Visit, { data, nextCursor, sums }: Items): Html {
  const { path, query, name } = visit
  const total = sums.reduce((sum, { count }) => sum + count, 0)
  const says = `${data.length} of ${plural(total, 'transaction')}, in the order of the bookings`
  // The newest settlement of the list has no pages of its own until it is opened.
  const place =
    name('idSettlement') !== ''
      ? { path, query, nextCursor, says }
      : { path, query: new URLSearchParams(), says }
  return html`<section class="section" aria-labelledby="h-tx"><div class="bar"><h2 id="h-tx">Transactions</h2><p>What it consists of</p></div>${table(
    'Transactions',
    [
      { name: 'Payment' },
      { name: 'Type', style: 'hide-sm' },
      { name: 'Amount', style: 'n' },
      { name: 'Fee', style: 'n hide-sm' },
      { name: 'Net', style: 'n' },
      { name: 'Booked', style: 'n hide-md' },
    ],
    data.map((item) => itemRow(visit, item)),
  )}${pager(place)}</section>`
}

function itemRow({ may, name }: Visit, item: Items['data'][number]): readonly HtmlValue[] {
  const { type, idEntity, money, fee, net, processedAt } = item
  const kind = KINDS[type]
  const id = html`<span class="code">${idEntity}</span>`
  const link =
    kind !== undefined && may('payouts.read')
      ? html`<a href="${paymentHref({ kind, merchantCode: name('merchantCode'), idPayment: idEntity })}">${id}</a>`
      : id
  return [
    link,
    wordsOf(type),
    moneyHtml(money),
    moneyHtml(fee),
    moneyHtml(net),
    html`<span class="quiet">${dayText(processedAt)}</span>`,
  ]
}
