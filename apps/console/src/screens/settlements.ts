import { OperatorMerchantListSchema } from '@tollgate/contract'
import { type HtmlValue, html } from '@tollgate/runtime/html'
import { filterBar } from '../filters.ts'
import { plural } from '../format.ts'
import { looseNote } from '../forms.ts'
import { empty, pager, table } from '../parts.ts'
import type { Screen, Visit } from '../visit.ts'
import { merchantChip } from './merchant-parts.ts'
import { SETTLEMENTS_PATH as PATH, settlementsHref } from './settlement-parts.ts'
import { RUN_ACTS, runFold } from './settlement-run.ts'

const LIMIT = '50'

/** Settlements by merchant, and running those that are due. */
export const settlementsScreen: Screen = {
  path: PATH,
  permission: 'settlements.read',
  async show(visit) {
    return {
      title: 'Settlements',
      nav: 'Settlements',
      content: html`<div class="head"><h1>Settlements</h1><p>By merchant</p></div>
${looseNote(visit)}
${visit.may('settlements.run') && html`<div class="fold-row">${runFold(visit, undefined)}</div>`}
${await merchantsOf(visit)}`,
    }
  },
  acts: RUN_ACTS,
}

async function merchantsOf({ api, may, query }: Visit): Promise<HtmlValue> {
  if (!may('merchants.read')) return empty('store', 'Your roles do not list merchants')
  const { data, nextCursor } = await api.get('/operator/merchants', OperatorMerchantListSchema, {
    name: query.get('name')?.trim() || undefined,
    cursor: query.get('cursor') ?? undefined,
    limit: LIMIT,
  })
  const filter = filterBar(PATH, query, [
    { name: 'Merchant', fields: [{ name: 'name', label: 'Code or name', hint: 'A part of it is enough' }] },
  ])
  if (data.length === 0) return html`${filter}${empty('store', 'No merchants')}`
  const rows = data.map((merchant) => [
    html`<a href="${settlementsHref(merchant.merchantCode)}">${merchant.channel.name}</a><span class="sub code">${merchant.merchantCode}</span>`,
    merchantChip(merchant),
  ])
  const says = `${plural(data.length, 'merchant')}, by their codes`
  return html`${filter}${table('Merchants', [{ name: 'Merchant' }, { name: 'Status' }], rows)}${pager({ path: PATH, query, nextCursor, says })}`
}
