import { AccountsChangedSchema, BlockedAccountListSchema, type ReadItem } from '@tollgate/contract'
import { type Html, type HtmlValue, html } from '@tollgate/runtime/html'
import { filterBar } from '../filters.ts'
import { momentHtml, plural } from '../format.ts'
import {
  actForm,
  areaField,
  folded,
  given,
  linesOf,
  looseNote,
  textField,
  tickField,
  typedInto,
} from '../forms.ts'
import { ApiRefusal } from '../operator-api.ts'
import { empty, note, table, views, withQuery } from '../parts.ts'
import type { Act, Screen, Visit } from '../visit.ts'
import { crumbs } from './merchant-parts.ts'

type Blocked = ReadItem<typeof BlockedAccountListSchema>

const PATH = '/blocked-accounts'
const LIMIT = '100'

/** Accounts that no payout goes to. */
export const blockedAccountsScreen: Screen = {
  path: PATH,
  permission: 'payouts.read',
  async show(visit) {
    const { query, may } = visit
    const isForAll = query.get('isForAll') === 'true'
    return {
      title: 'Blocked accounts',
      nav: may('merchants.read') ? 'Merchants' : undefined,
      content: html`${crumbs(may('merchants.read') ? [['Merchants', '/merchants']] : [], 'Blocked accounts')}
<div class="head"><h1>Blocked accounts</h1><p>No payout is accepted to them, or handed over</p></div>
${looseNote(visit)}${doneNote(visit)}
${may('payouts.approve') && html`<div class="fold-row">${fold(visit, 'block')}${fold(visit, 'unblock')}</div>`}
${views([
  { name: 'All', href: PATH, isCurrent: !isForAll },
  {
    name: 'For every merchant',
    href: withQuery(PATH, new URLSearchParams(), { isForAll: 'true' }),
    isCurrent: isForAll,
  },
])}
${!isForAll && filterBar(PATH, query, [{ name: 'Merchant', fields: [{ name: 'merchantCode', label: 'Merchant code' }] }])}
${await listOf(visit, isForAll)}`,
    }
  },
  acts: { block: changeAct('!block'), unblock: changeAct('!unblock') },
}

function changeAct(operation: '!block' | '!unblock'): Act {
  return {
    permission: 'payouts.approve',
    async perform({ api }, form) {
      const { changed } = await api.post(`/operator/blocked-accounts/${operation}`, AccountsChangedSchema, {
        body: {
          merchantCode: given(form, 'merchantCode'),
          isForAll: form.has('isForAll') ? true : undefined,
          accountNumbers: linesOf(form.get('accountNumbers')),
          ...(operation === '!block' && { note: given(form, 'note') }),
        },
      })
      return `${operation.slice(1)}-${changed}`
    },
  }
}

/** The word of what was done has how many: `block-2`. */
function doneNote({ query }: Visit): Html | undefined {
  const [, verb, count] = /^(block|unblock)-(\d{1,5})$/.exec(query.get('done') ?? '') ?? []
  if (verb === undefined) return undefined
  const words = plural(Number(count), 'account')
  return note('good', verb === 'block' ? `${words} newly blocked.` : `${words} taken off the list.`)
}

function fold(visit: Visit, verb: 'block' | 'unblock'): Html {
  const typed = typedInto(visit, verb)
  const isBlock = verb === 'block'
  const fields = html`${textField({ name: 'merchantCode', label: 'Merchant code', value: typed.value('merchantCode', visit.query.get('merchantCode') ?? ''), maxLength: 64, isCode: true, hint: 'Or every merchant, by the tick' })}${isBlock && textField({ name: 'note', label: 'Why', value: typed.value('note'), hint: 'For those who read the list. No personal data.' })}${tickField({ name: 'isForAll', label: 'For every merchant', isTicked: typed.isTicked('isForAll') })}${areaField({ name: 'accountNumbers', label: 'Accounts', value: typed.value('accountNumbers'), isRequired: true, hint: 'One a line: an IBAN, or the account, a semicolon and its bank code. Some hundreds at once; more by the command line.' })}`
  const form = actForm(
    { ...visit, search: '' },
    {
      path: PATH,
      verb,
      fields,
      style: isBlock ? 'btn-bad' : 'btn-main',
      button: isBlock ? 'Block the accounts' : 'Take them off the list',
    },
  )
  return isBlock
    ? folded('Block accounts', form, typed.isRefused, 'pause')
    : folded('Unblock accounts', form, typed.isRefused, 'check')
}

async function listOf({ api, query }: Visit, isForAll: boolean): Promise<HtmlValue> {
  try {
    const { data } = await api.get('/operator/blocked-accounts', BlockedAccountListSchema, {
      ...(isForAll ? { isForAll: 'true' } : { merchantCode: query.get('merchantCode')?.trim() || undefined }),
      limit: LIMIT,
    })
    return data.length === 0 ? empty('check', 'No blocked accounts') : tableOf(data)
  } catch (error) {
    if (!(error instanceof ApiRefusal) || ![400, 410].includes(error.status)) throw error
    return note('bad', error.message)
  }
}

const tableOf = (list: readonly Blocked[]): Html =>
  html`${table(
    'Blocked accounts, the newest first',
    [
      { name: 'Account' },
      { name: 'For' },
      { name: 'Why', style: 'hide-sm' },
      { name: 'By' },
      { name: 'Since, UTC', style: 'n hide-sm' },
    ],
    list.map(({ accountDigest, merchantCode, note: why, createdBy, createdAt }) => [
      html`<span class="code">${accountDigest}</span>`,
      merchantCode ?? 'Every merchant',
      why ?? '–',
      createdBy,
      html`<span class="quiet">${momentHtml(createdAt)}</span>`,
    ]),
  )}<p class="pager">${plural(list.length, 'account')}, the newest first. Accounts themselves are not kept: what is shown is a fingerprint.</p>`
