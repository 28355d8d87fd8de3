import {
  OperatorBalanceListSchema,
  OperatorMerchantDetailSchema,
  OperatorMerchantSchema,
} from '@tollgate/contract'
import { type Html, type HtmlValue, html } from '@tollgate/runtime/html'
import { moneyHtml } from '../format.ts'
import { actButton, actForm, folded, given, looseNote, textField, tickField, typedInto } from '../forms.ts'
import type { Page } from '../frame.ts'
import { icon } from '../icons.ts'
import { numberOf, searchOf } from '../operator-api.ts'
import { note, pairs, views } from '../parts.ts'
import type { Act, Screen, Visit } from '../visit.ts'
import { ownMerchantOf } from './member-parts.ts'
import { ACCESS_ACTS, accessPart } from './merchant-access.ts'
import { BRAND_ACTS, brandPart } from './merchant-brand.ts'
import { CALLBACK_ACTS, callbacksPart } from './merchant-callbacks.ts'
import { METHOD_ACTS, methodsPart } from './merchant-methods.ts'
import { type MoneyTerms, readTerms, TERM_ACTS, termsPart } from './merchant-money.ts'
import { crumbs, type Merchant, merchantChip, merchantHref, merchantRoute } from './merchant-parts.ts'
import { peopleHref } from './merchant-people.ts'
import { stillToDo } from './merchant-to-do.ts'
import { tokensPart } from './merchant-tokens.ts'

/** One merchant: by what it proves who it is, its terms, its brand, and how callbacks to it are signed. */
export const merchantScreen: Screen = {
  path: '/merchants/:merchantCode',
  permission: 'merchants.read',
  forMembers: true,
  show: merchantPage,
  acts: {
    ...ACCESS_ACTS,
    ...BRAND_ACTS,
    ...CALLBACK_ACTS,
    ...METHOD_ACTS,
    ...TERM_ACTS,
    enable: statusAct('!enable', 'enabled'),
    disable: statusAct('!disable', 'disabled'),
    settings: {
      permission: 'merchants.change',
      async perform({ api, name }, form) {
        await api.post(`${merchantRoute(name('merchantCode'))}/!change`, OperatorMerchantSchema, {
          body: {
            rateLimitPerSecond: numberOf(given(form, 'rateLimitPerSecond')),
            requireMoneyInTokens: form.has('requireMoneyInTokens'),
            secretEnabled: form.has('secretEnabled'),
          },
        })
        return 'settings'
      },
    },
  },
}

function statusAct(operation: string, done: string): Act {
  return {
    permission: 'merchants.change',
    async perform({ api, name }) {
      await api.post(`${merchantRoute(name('merchantCode'))}/${operation}`, OperatorMerchantSchema)
      return done
    },
  }
}

const PARTS = [
  ['', 'Access'],
  ['terms', 'Terms'],
  ['brand', 'Brand'],
  ['callbacks', 'Callbacks'],
  ['tokens', 'Tokens'],
] as const

export async function merchantPage(visit: Visit): Promise<Page> {
  const { api, query, name } = visit
  const route = merchantRoute(name('merchantCode'))
  const [merchant, terms, balances] = await Promise.all([
    api.get(route, OperatorMerchantDetailSchema),
    readTerms(visit, name('merchantCode')),
    balancesOf(visit),
  ])
  const { merchantCode, channel } = merchant
  const within = merchant.cell === undefined ? visit : readingOnly(visit)
  const shown = query.get('show') ?? ''
  const tabs = PARTS.map(([part, words]) => ({
    name: words,
    href: `${merchantHref(merchantCode)}${searchOf({ show: part })}`,
    isCurrent: shown === part,
  }))
  return {
    title: channel.name,
    nav: ownMerchantOf(visit) === undefined ? 'Merchants' : 'Merchant',
    content: html`${ownMerchantOf(visit) === undefined && crumbs([['Merchants', '/merchants']], channel.name)}
<div class="head"><h1>${channel.name}</h1>${merchantChip(merchant)}<p class="code">${merchantCode}</p>${waysOn(visit, merchantCode)}</div>
${looseNote(visit)}${doneNote(visit)}
${merchant.cell === undefined && stillToDo(visit, merchant, terms)}
${views(tabs)}
<div class="split"><div>${await partOf(within, merchant, terms)}</div>
<aside aria-label="Settings and balances">${settings(within, merchant)}${balances}${status(within, merchant)}</aside></div>`,
  }
}

const waysOn = ({ may }: Visit, merchantCode: string): Html =>
  html`<div class="acts">${may('payouts.read') && html`<a class="btn" href="/payments${searchOf({ merchantCode })}">${icon('in')}Payments</a>`}${may('settlements.read') && html`<a class="btn" href="/settlements/${encodeURIComponent(merchantCode)}">${icon('sheet')}Settlements</a>`}${may('customers.read') && html`<a class="btn" href="${merchantHref(merchantCode)}/customers">${icon('user')}Customers</a>`}${may('people.read') && html`<a class="btn" href="${peopleHref(merchantCode)}">${icon('user')}People</a>`}</div>`

async function partOf(visit: Visit, merchant: Merchant, terms: MoneyTerms): Promise<HtmlValue> {
  switch (visit.query.get('show') ?? '') {
    case 'terms':
      return html`${await methodsPart(visit, merchant)}${termsPart(visit, merchant, terms)}`
    case 'brand':
      return brandPart(visit, merchant)
    case 'callbacks':
      return callbacksPart(visit, merchant)
    case 'tokens':
      return tokensPart(merchant)
    default:
      return accessPart(visit, merchant)
  }
}

const DONE: Readonly<Record<string, string>> = {
  created: 'The merchant was created.',
  enabled: 'Enabled: the merchant may work again.',
  disabled: 'Disabled: its requests are refused; payments under way go on.',
  settings: 'Saved.',
  'key-added': 'The key counts from now on.',
  'key-confirmed': 'Confirmed: only the merchant’s rules make its payouts wait.',
  'key-removed': 'Removed: tokens that were issued under the key are no longer accepted.',
  'secret-removed': 'Removed: tokens that were issued under the secret are no longer accepted.',
  origins: 'The origins are saved.',
  tokens: 'Every token that the merchant held is revoked.',
  brand: 'Saved. The payment page shows it within seconds.',
  logo: 'The logo is on the payment page within seconds.',
  'logo-removed': 'The payment page shows no logo any more.',
  'callback-key': 'A new key signs callbacks; the one before signs beside it.',
  'callback-secret': 'No shared secret signs callbacks any more.',
  'method-on': 'Enabled.',
  'method-off': 'Taken away; accepted payments go on.',
  'payout-rule': 'The rule is replaced.',
  cycle: 'The cycle is set.',
  account: 'The account is registered.',
}

function doneNote({ query }: Visit): Html | undefined {
  const says = DONE[query.get('done') ?? '']
  return says === undefined ? undefined : note('good', says)
}

function settings(visit: Visit, merchant: Merchant): Html {
  const { merchantCode, rateLimitPerSecond, requireMoneyInTokens, secretEnabled, segments } = merchant
  const onOff = (isOn: boolean): string => (isOn ? 'Yes' : 'No')
  const shown = pairs([
    ['Requests a second', String(rateLimitPerSecond)],
    ['Tokens carry the money', onOff(requireMoneyInTokens)],
    ['Login by secret', onOff(secretEnabled)],
    ['Segments', segments === undefined ? 'All' : segments.length === 0 ? 'None' : segments.join(', ')],
  ])
  const typed = typedInto(visit, 'settings')
  const fields = html`${textField({ name: 'rateLimitPerSecond', label: 'Requests a second', value: typed.value('rateLimitPerSecond', String(rateLimitPerSecond)), type: 'number', isWide: true })}${tickField({ name: 'requireMoneyInTokens', label: 'Tokens for the payment page must carry the money', isTicked: typed.isTicked('requireMoneyInTokens', requireMoneyInTokens), hint: 'So that nobody who has such a token can change the amount.' })}${tickField({ name: 'secretEnabled', label: 'Login by secret', isTicked: typed.isTicked('secretEnabled', secretEnabled), hint: 'Deprecated' })}`
  const form = actForm(visit, { path: merchantHref(merchantCode), verb: 'settings', fields, button: 'Save' })
  return html`<section class="panel"><h2>Settings</h2><div class="panel-body">${shown}${visit.may('merchants.change') && html`<div class="section-s">${folded('Change', form, typed.isRefused, 'edit')}</div>`}</div></section>`
}

async function balancesOf({ api, may, name }: Visit): Promise<Html | undefined> {
  if (!may('ledger.read')) return undefined
  const merchantCode = name('merchantCode')
  const { data } = await api.get('/operator/balances', OperatorBalanceListSchema, {
    merchantCode,
    limit: '20',
  })
  const rows = data.map(
    ({ currencyCode, available, notSettled }) =>
      html`<div class="row"><span>Available</span>${moneyHtml({ amount: available, currencyCode })}</div><div class="row"><span>Not settled</span>${moneyHtml({ amount: notSettled, currencyCode })}</div>`,
  )
  return html`<section class="panel"><div class="panel-head"><h2>Balances</h2><a class="btn btn-bare" href="/balances${searchOf({ merchantCode })}">All</a></div>${rows.length === 0 ? html`<p class="panel-body quiet">None yet.</p>` : html`<div class="sums">${rows}</div>`}</section>`
}

/** Of a merchant in another cell nothing changes here: the database refuses it. */
const readingOnly = (visit: Visit): Visit => ({
  ...visit,
  may: (permission) => permission.endsWith('.read') && visit.may(permission),
})

function status(visit: Visit, { merchantCode, cell, status: current }: Merchant): Html | undefined {
  if (cell !== undefined)
    return html`<section class="panel"><h2>Status</h2><p class="panel-body quiet">Cell ${cell} has this merchant now. What is here is from before, and does not change: look after it there.</p></section>`
  if (!visit.may('merchants.change')) return undefined
  const path = merchantHref(merchantCode)
  const isActive = current === 'ACTIVE'
  const press = actButton(visit, {
    path,
    verb: isActive ? 'disable' : 'enable',
    style: isActive ? 'btn-bad' : 'btn-main',
    words: isActive ? `Disable ${merchantCode}` : `Enable ${merchantCode}`,
  })
  const words = isActive
    ? 'Disabling refuses every request of the merchant. Payments under way go on.'
    : 'The merchant is refused until it is enabled again.'
  return html`<section class="panel"><h2>Status</h2><div class="panel-body stack-s"><p class="quiet">${words}</p>${isActive ? folded('Disable the merchant', press, false, 'pause') : press}</div></section>`
}
