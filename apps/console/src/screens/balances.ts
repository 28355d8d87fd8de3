import { BalanceTotalsSchema, OperatorBalanceListSchema, type Read, type ReadItem } from '@tollgate/contract'
import { addAmounts, isNegative, negateAmount, parsePlainAmount } from '@tollgate/money'
import { type Html, type HtmlValue, html } from '@tollgate/runtime/html'
import { filterBar } from '../filters.ts'
import { amountText, momentText, moneyHtml, plural } from '../format.ts'
import { ApiRefusal } from '../operator-api.ts'
import { empty, note, pager, table } from '../parts.ts'
import type { Screen, Visit } from '../visit.ts'
import { journalExportForm } from './journal-export.ts'
import { ownMerchantOf, withoutMerchant } from './member-parts.ts'
import { merchantHref } from './merchant-parts.ts'

type Total = ReadItem<typeof BalanceTotalsSchema>
type List = Read<typeof OperatorBalanceListSchema>

const PATH = '/balances'
const LIMIT = '50'

/** What all merchants together have, and each of them. */
export const balancesScreen: Screen = {
  path: PATH,
  permission: 'ledger.read',
  forMembers: true,
  async show(visit) {
    const { query } = visit
    return {
      title: 'Balances',
      nav: 'Balances',
      content: html`<div class="head"><h1>Balances</h1><p>From the ledger, ${momentText(new Date(visit.nowMs).toISOString())} UTC</p></div>
${ownMerchantOf(visit) === undefined && (await totalsOf(visit))}
<section class="section" aria-labelledby="h-m"><div class="bar"><h2 id="h-m">${ownMerchantOf(visit) ?? 'Each merchant'}</h2></div>
${filterBar(PATH, query, withoutMerchant(visit, FILTERS))}
${await listOf(visit)}</section>
${ownMerchantOf(visit) === undefined && journalExportForm(visit)}`,
    }
  },
}

const FILTERS = [
  { name: 'Merchant', fields: [{ name: 'merchantCode', label: 'Merchant code' }] },
  { name: 'Currency', fields: [{ name: 'currencyCode', label: 'Currency', hint: 'For example EUR' }] },
]

async function totalsOf({ api }: Visit): Promise<Html> {
  const { data } = await api.get('/operator/balances/totals', BalanceTotalsSchema)
  return html`<section aria-labelledby="h-tot"><div class="bar"><h2 id="h-tot">All merchants</h2></div>${data.length === 0 ? empty('coins', 'No balances', { says: 'No merchant has been paid yet.' }) : totalsTable(data)}</section>`
}

/** A column for each currency. */
function totalsTable(totals: readonly Total[]): Html {
  const cell = (total: Total, amount: string, style = ''): Html => {
    const shown = amountText({ amount, currencyCode: total.currencyCode })
    return html`<td class="n${style}">${shown}</td>`
  }
  const line = (words: string, says: string, amountOf: (total: Total) => string, style = ''): Html =>
    html`<tr><th scope="row">${words}<span class="sub">${says}</span></th>${totals.map((total) => cell(total, amountOf(total), style))}</tr>
`
  return html`<div class="sheet" tabindex="0" role="region" aria-label="Totals by currency, table"><table class="matrix totals"><caption class="vh">What all merchants together have, by currency</caption><thead><tr><th scope="col">Amount</th>${totals.map(({ currencyCode, merchants }) => html`<th scope="col" class="n">${currencyCode}<span class="sub">${plural(merchants, 'merchant')}</span></th>`)}</tr></thead><tbody>
${line('Available', 'Free to pay out', ({ available }) => available)}${line('Not settled', 'Earned, not yet free', ({ notSettled }) => notSettled)}${line('Reserved', 'For payouts under way', ({ reserved }) => reserved)}</tbody><tbody>${line('Owed to merchants', 'The three together', owed, ' strong')}${line('Owed by merchants', 'After recalls', ({ receivable }) => withoutSign(receivable))}${line('Suspense', 'Nobody’s yet', ({ suspense }) => suspense)}</tbody></table></div>`
}

const owed = ({ available, notSettled, reserved }: Total): string =>
  [available, notSettled, reserved].map(parsePlainAmount).reduce(addAmounts)

/** The books have it below zero; the words say whose debt it is. */
function withoutSign(amount: string): string {
  const parsed = parsePlainAmount(amount)
  return isNegative(parsed) ? negateAmount(parsed) : parsed
}

async function listOf({ api, query }: Visit): Promise<HtmlValue> {
  const given = (name: string): string | undefined => query.get(name)?.trim() || undefined
  try {
    const list = await api.get('/operator/balances', OperatorBalanceListSchema, {
      merchantCode: given('merchantCode'),
      currencyCode: given('currencyCode')?.toUpperCase(),
      cursor: given('cursor'),
      limit: LIMIT,
    })
    return tableOf(query, list)
  } catch (error) {
    if (!(error instanceof ApiRefusal) || ![400, 410].includes(error.status)) throw error
    return note('bad', error.message)
  }
}

function tableOf(query: URLSearchParams, { data, nextCursor }: List): Html {
  if (data.length === 0) return empty('coins', 'No balances', { says: 'None fits these filters.' })
  const rows = data.map((each) => {
    const money = (amount: string): Html => moneyHtml({ amount, currencyCode: each.currencyCode })
    return [
      html`<a href="${merchantHref(each.merchantCode)}"><span class="code">${each.merchantCode}</span></a>`,
      money(each.available),
      money(each.notSettled),
      money(each.reserved),
      money(withoutSign(each.receivable)),
      money(each.balance),
    ]
  })
  const columns = [
    { name: 'Merchant' },
    { name: 'Available', style: 'n' },
    { name: 'Not settled', style: 'n' },
    { name: 'Reserved', style: 'n hide-sm' },
    { name: 'Owed by it', style: 'n hide-sm' },
    { name: 'Balance', style: 'n hide-sm' },
  ]
  const says = plural(data.length, 'balance')
  return html`${table('Balances by merchant', columns, rows)}${pager({ path: PATH, query, nextCursor, says })}`
}
