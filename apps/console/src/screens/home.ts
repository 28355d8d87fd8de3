import { BalanceTotalsSchema } from '@tollgate/contract'
import { type Html, html } from '@tollgate/runtime/html'
import { momentText } from '../format.ts'
import { empty } from '../parts.ts'
import type { Screen, Visit } from '../visit.ts'
import { attention } from './attention.ts'
import { balanceTiles } from './balance-tiles.ts'
import { memberHome } from './member-home.ts'
import { ownMerchantOf } from './member-parts.ts'
import { trends } from './trends.ts'

/** What needs somebody, and what there is. */
export const homeScreen: Screen = {
  path: '/',
  permission: 'self.read',
  forMembers: true,
  async show(visit) {
    const content = ownMerchantOf(visit) === undefined ? houseHome(visit) : memberHome(visit)
    const now = momentText(new Date(visit.nowMs).toISOString()).replace(/:\d\d$/, '')
    return {
      title: 'Home',
      nav: 'Home',
      content: html`<div class="head"><h1>Home</h1><p>${now} UTC</p></div>
${await content}`,
    }
  },
}

async function houseHome(visit: Visit): Promise<Html> {
  const [waiting, balances, charts] = await Promise.all([attention(visit), balancesOf(visit), trends(visit)])
  return html`${waiting}
${balances}
${charts}`
}

async function balancesOf({ api, may }: Visit): Promise<Html | undefined> {
  if (!may('ledger.read')) return undefined
  const { data } = await api.get('/operator/balances/totals', BalanceTotalsSchema)
  return html`<section class="section" aria-labelledby="h-bal"><div class="bar"><h2 id="h-bal">Merchant balances</h2><p>All merchants, from the ledger</p></div>${data.length === 0 ? empty('coins', 'No balances', { says: 'No merchant has been paid yet.' }) : balanceTiles(data)}</section>`
}
