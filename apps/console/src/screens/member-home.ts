import {
  FoundPaymentListSchema,
  OperatorBalanceListSchema,
  OperatorCallbackListSchema,
} from '@tollgate/contract'
import { type Html, html } from '@tollgate/runtime/html'
import { moneyHtml, plural } from '../format.ts'
import { icon } from '../icons.ts'
import { empty, table } from '../parts.ts'
import type { Visit } from '../visit.ts'
import { paymentQuery } from './payment-filters.ts'
import { paymentTable } from './payments.ts'

// What a merchant's person sees first: what did not reach the shop, what there is, and what came last.

const PAYMENTS = '10'
const CALLBACKS_MAX = 100

export async function memberHome(visit: Visit): Promise<Html> {
  const [waiting, balances, payments] = await Promise.all([
    callbacksOf(visit),
    balancesOf(visit),
    paymentsOf(visit),
  ])
  return html`${waiting}${balances}${payments}`
}

async function callbacksOf({ api }: Visit): Promise<Html> {
  const { data, nextCursor } = await api.get('/operator/callbacks', OperatorCallbackListSchema, {
    state: 'EXHAUSTED',
    limit: String(CALLBACKS_MAX),
  })
  const content =
    data.length === 0
      ? empty('check', 'Nothing waits', { says: 'Every callback was delivered, or is still being tried.' })
      : html`<ul class="todo"><li><a href="/callbacks?state=EXHAUSTED"><b class="glyph glyph-bad">${data.length}${nextCursor !== undefined && '+'}</b><span><strong>Callbacks out of attempts</strong><span class="quiet">Your receiver did not answer 200: send them again when it does.</span></span><span class="hide-sm"></span>${icon('right')}</a></li></ul>`
  return html`<section aria-labelledby="h-todo"><div class="bar"><h2 id="h-todo">Needs attention</h2></div>${content}</section>`
}

async function balancesOf({ api }: Visit): Promise<Html> {
  const { data } = await api.get('/operator/balances', OperatorBalanceListSchema, { limit: '50' })
  const rows = data.map(({ currencyCode, available, notSettled, reserved }) => [
    currencyCode,
    ...[available, notSettled, reserved].map((amount) => moneyHtml({ amount, currencyCode })),
  ])
  const columns = [
    { name: 'Currency' },
    { name: 'Available', style: 'n' },
    { name: 'Not settled', style: 'n' },
    { name: 'Reserved', style: 'n hide-sm' },
  ]
  return html`<section class="section" aria-labelledby="h-bal"><div class="bar"><h2 id="h-bal">Balances</h2><p>${plural(data.length, 'currency', 'currencies')}</p></div>${data.length === 0 ? empty('coins', 'No balances', { says: 'Nothing was paid yet.' }) : table('Balances', columns, rows)}</section>`
}

async function paymentsOf({ api, nowMs }: Visit): Promise<Html> {
  const { data } = await api.get('/operator/payments', FoundPaymentListSchema, {
    ...paymentQuery(new URLSearchParams(), nowMs),
    limit: PAYMENTS,
  })
  return html`<section class="section" aria-labelledby="h-pay"><div class="bar"><h2 id="h-pay">Latest payments</h2><p>Of the last 7 days</p></div>${data.length === 0 ? empty('in', 'No payments', { says: 'None in the last 7 days.' }) : paymentTable('Latest payments', data)}</section>`
}
