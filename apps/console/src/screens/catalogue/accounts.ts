import { BankAccountListSchema, BankAccountSchema, type ReadItem } from '@tollgate/contract'
import { type Html, type HtmlValue, html } from '@tollgate/runtime/html'
import { amountText, plural } from '../../format.ts'
import { icon } from '../../icons.ts'
import { pathOf } from '../../operator-api.ts'
import { chip, empty, note, table } from '../../parts.ts'
import type { Act, Screen, Visit } from '../../visit.ts'
import { amountsOf, type Choice, input, select, textOf, textsOf } from './form.ts'
import { cataloguePage } from './page.ts'

type Account = ReadItem<typeof BankAccountListSchema>

const PATH = '/catalogue/accounts'

const DONE: Readonly<Record<string, string>> = {
  added: 'The account is added.',
  changed: 'Changed.',
  retired: 'Retired. Customers are not told to pay there any more; what arrives there is still found.',
}

/** Our own bank accounts: where customers pay to, and payouts leave from. */
export const accountsScreen: Screen = {
  path: PATH,
  permission: 'bank-accounts.read',
  async show(visit) {
    const { data } = await visit.api.get('/operator/bank-accounts', BankAccountListSchema, { all: 'true' })
    const done = DONE[visit.query.get('done') ?? '']
    return cataloguePage(visit, {
      tab: 'Our accounts',
      says: plural(data.length, 'account'),
      content: html`${done !== undefined && note('good', done)}
${data.length === 0 ? empty('bank', 'No accounts', { says: 'Without one, bank transfers are refused.' }) : accountTable(visit, data)}
${visit.may('bank-accounts.change') && addPart(visit)}`,
    })
  },
  acts: {
    add: {
      permission: 'bank-accounts.change',
      async perform(visit, form) {
        await visit.api.post('/operator/bank-accounts', BankAccountSchema, { body: draftOf(form) })
        return 'added'
      },
    },
    default: changeAct('!change', { isDefault: true }, 'changed'),
    format: {
      permission: 'bank-accounts.change',
      async perform({ api }, form) {
        const path = pathOf`/operator/bank-accounts/${form.get('code') ?? ''}/!change`
        await api.post(path, BankAccountSchema, { body: filesOf(form) })
        return 'changed'
      },
    },
    retire: changeAct('!retire', undefined, 'retired'),
  },
}

function changeAct(operation: string, body: unknown, done: string): Act {
  return {
    permission: 'bank-accounts.change',
    async perform({ api }, form) {
      const path = `${pathOf`/operator/bank-accounts/${form.get('code') ?? ''}`}/${operation}`
      await api.post(path, BankAccountSchema, { body })
      return done
    },
  }
}

function accountTable(visit: Visit, data: readonly Account[]): Html {
  const mayChange = visit.may('bank-accounts.change')
  return table(
    'Our bank accounts',
    [
      { name: 'Account' },
      { name: 'Currency', style: 'hide-sm' },
      { name: 'Number' },
      { name: 'Holder and bank', style: 'hide-sm' },
      { name: 'Payouts', style: 'hide-md' },
      ...(mayChange ? [{ name: 'Change' }] : []),
    ],
    data.map((account) => [...row(account), ...(mayChange ? [acts(visit, account)] : [])]),
  )
}

function row(account: Account): readonly HtmlValue[] {
  const { code, currencyCode, isDefault, status, holder, bankName, bic, payoutFormat, instantMax } = account
  const state =
    status !== 'ACTIVE'
      ? chip('mute', 'minus', 'Retired')
      : isDefault
        ? chip('good', 'check', 'Default')
        : undefined
  return [
    html`<span class="code">${code}</span> ${state}<span class="sub only-sm">${currencyCode}</span>`,
    currencyCode,
    html`<span class="code">${numberOf(account)}</span>${bic !== undefined && html`<span class="sub code">${bic}</span>`}`,
    html`${holder}<span class="sub">${bankName}</span>`,
    payoutFormat === undefined
      ? html`<span class="quiet">no files</span>`
      : html`<span class="code">${payoutFormat}</span>${instantMax !== undefined && html`<span class="sub">at once up to ${amountText({ amount: instantMax, currencyCode })}</span>`}`,
  ]
}

function numberOf(account: Account): string {
  const { iban, accountNumber, bankCode, upiAddress, pixKey, bitcoinAddress } = account
  if (iban !== undefined) return iban.replaceAll(/(.{4})(?=.)/g, '$1 ')
  if (accountNumber !== undefined)
    return [bankCode, accountNumber].filter((each) => each !== undefined).join(' ')
  return upiAddress ?? pixKey ?? bitcoinAddress ?? ''
}

const FORMATS: readonly Choice[] = [
  ['none', 'No files'],
  ['pain.001.001.09', 'pain.001.001.09'],
  ['pain.001.001.03', 'pain.001.001.03'],
]

/** Retiring is for good, so it takes a second press. */
function acts(visit: Visit, account: Account): Html | undefined {
  const { code, status, isDefault, currencyCode } = account
  if (status !== 'ACTIVE') return undefined
  const name = html`<span class="vh"> ${code}</span>`
  const form = (act: string, content: HtmlValue): Html =>
    html`<form class="acts" method="post" action="${PATH}/${act}">${visit.formToken}<input type="hidden" name="code" value="${code}">${content}</form>`
  return html`<details class="more"><summary>Change${name}</summary><div class="stack-s">${[
    !isDefault &&
      form('default', html`<button class="btn">Make it the default of ${currencyCode}${name}</button>`),
    form(
      'format',
      html`${fileFields(visit, account)}<button class="btn">Set the payout files${name}</button>`,
    ),
    form('retire', html`<button class="btn btn-bad">${icon('x')}Retire for good${name}</button>`),
  ]}</div></details>`
}

/** By which files payouts leave, and in euro, how much goes at once. What was refused of one account stands in its own form alone. */
function fileFields(visit: Visit, account: Account): Html {
  const { code, currencyCode, payoutFormat = 'none', instantMax } = account
  const { refused, ...others } = visit
  const seen = refused?.form.get('code') === code ? visit : others
  const most = { name: 'instantMax', label: 'At once up to, in EUR', isAmount: true, value: instantMax }
  return html`${select(seen, { name: 'payoutFormat', label: 'Payout files', choices: FORMATS, value: payoutFormat })}${currencyCode === 'EUR' && input(seen, most)}`
}

/** What is left empty goes at once no more. Without files, nothing does. */
function filesOf(form: URLSearchParams) {
  const files = textsOf(form, ['payoutFormat'])
  if (form.get('payoutFormat') === 'none' || !form.has('instantMax')) return files
  return { ...files, instantMax: 0, ...amountsOf(form, ['instantMax']) }
}

const NUMBERS = [
  'iban',
  'bic',
  'accountNumber',
  'bankCode',
  'upiAddress',
  'pixKey',
  'bitcoinAddress',
] as const

function draftOf(form: URLSearchParams) {
  const code = (textOf(form, 'code') ?? '').toUpperCase()
  const currencyCode = (textOf(form, 'currencyCode') ?? '').toUpperCase()
  return {
    code,
    currencyCode,
    holder: textOf(form, 'holder') ?? '',
    bankName: textOf(form, 'bankName') ?? '',
    ...textsOf(form, [...NUMBERS, 'payoutFormat']),
    ...amountsOf(form, ['instantMax']),
    ...(form.get('isDefault') === 'yes' && { isDefault: true }),
  }
}

function addPart(visit: Visit): Html {
  const field = (name: string, label: string, hint?: string, isRequired = false): Html =>
    input(visit, { name, label, isRequired, ...(hint !== undefined && { hint }) })
  return html`<section class="section panel" aria-labelledby="h-add"><h2 id="h-add">Add an account</h2><div class="panel-body"><form method="post" action="${PATH}/add">${visit.formToken}<div class="fields">${field('code', 'Code', 'Your own name for it, such as MAIN', true)}${field('currencyCode', 'Currency', 'Such as EUR', true)}${field('holder', 'Holder', 'As the bank writes it', true)}${field('bankName', 'Bank', undefined, true)}${field('iban', 'IBAN')}${field('bic', 'BIC')}${select(visit, { name: 'payoutFormat', label: 'Payout files', choices: FORMATS })}${field('instantMax', 'At once up to', 'In EUR, if the bank takes files of instant transfers')}${select(
    visit,
    {
      name: 'isDefault',
      label: 'Default of its currency',
      hint: 'The first one always is',
      choices: [
        ['', 'As before'],
        ['yes', 'This account'],
      ],
    },
  )}</div>
<details class="more section-s"><summary>An account without IBAN</summary><div class="fields">${field('accountNumber', 'Account number')}${field('bankCode', 'Bank code', 'Sort code, routing number, IFSC')}${field('upiAddress', 'UPI address', 'For INR')}${field('pixKey', 'Pix key', 'For BRL')}${field('bitcoinAddress', 'Bitcoin address', 'For BTC')}</div></details>
<p class="acts form-acts"><button class="btn btn-main">Add the account</button><span class="hint">Customers are told to pay there at once if it is the default.</span></p></form></div></section>`
}
