import {
  PayoutRuleListSchema,
  PayoutRuleSchema,
  type Read,
  type ReadItem,
  RegisteredAccountSchema,
  SettlementCycleSchema,
  SettlementTermsSchema,
} from '@tollgate/contract'
import { type Html, type HtmlValue, html } from '@tollgate/runtime/html'
import { dayText, momentHtml, moneyHtml, moneyText, wordsOf } from '../format.ts'
import { actForm, folded, given, selectField, textField, tickField, typedInto } from '../forms.ts'
import { pathOf } from '../operator-api.ts'
import { table } from '../parts.ts'
import type { Act, Visit } from '../visit.ts'
import { ownMerchantOf } from './member-parts.ts'
import { type Merchant, merchantHref, section } from './merchant-parts.ts'

// What was agreed about a merchant's money: when it is free, where it goes, and what makes payouts wait.

type SettlementTerms = Read<typeof SettlementTermsSchema>
type Rule = ReadItem<typeof PayoutRuleListSchema>

/** What the operator may read of it; undefined where they may not. */
export interface MoneyTerms {
  readonly rules: readonly Rule[] | undefined
  readonly settlement: SettlementTerms | undefined
}

export async function readTerms(visit: Visit, merchantCode: string): Promise<MoneyTerms> {
  const { api, may } = visit
  const [rules, settlement] = await Promise.all([
    // What makes a payout wait is the house's: whoever knew it could stay below.
    may('payouts.read') && ownMerchantOf(visit) === undefined
      ? api.get(pathOf`/operator/payout-rules/${merchantCode}`, PayoutRuleListSchema)
      : undefined,
    may('settlements.read')
      ? api.get(pathOf`/operator/settlement-terms/${merchantCode}`, SettlementTermsSchema)
      : undefined,
  ])
  return { rules: rules?.data, settlement }
}

export const termsPart = (visit: Visit, merchant: Merchant, { rules, settlement }: MoneyTerms): Html =>
  html`${visit.may('catalogue.read') && html`<p><a href="${merchantHref(merchant.merchantCode)}/terms">Fees and limits</a></p>`}${rulesPart(visit, merchant.merchantCode, rules)}${cyclesPart(visit, merchant.merchantCode, settlement)}${accountsPart(visit, merchant, settlement)}`

const currencyField = (value: string): Html =>
  textField({
    name: 'currencyCode',
    label: 'Currency',
    value,
    isRequired: true,
    maxLength: 16,
    hint: 'For example EUR',
  })

const HIDDEN = html`<p class="quiet">Your roles do not permit reading it.</p>`
const none = (words: string): Html => html`<p class="quiet">${words}</p>`

// Payout rules

function rulesPart(visit: Visit, merchantCode: string, rules: readonly Rule[] | undefined): Html | undefined {
  const mayChange = visit.may('merchants.change')
  if (rules === undefined && !mayChange) return undefined
  const typed = typedInto(visit, 'payout-rule')
  const fields = html`${currencyField(typed.value('currencyCode'))}${textField({ name: 'amountFrom', label: 'From this amount', value: typed.value('amountFrom'), maxLength: 80, hint: 'Of one payout' })}${textField({ name: 'dailySumFrom', label: 'From this sum a day', value: typed.value('dailySumFrom'), maxLength: 80, hint: 'Of all its payouts of the day, UTC' })}${tickField({ name: 'newBeneficiary', label: 'To an account that it has never paid', isTicked: typed.isTicked('newBeneficiary') })}`
  const form = actForm(visit, {
    path: merchantHref(merchantCode),
    verb: 'payout-rule',
    fields,
    button: 'Replace the rule',
  })
  const list =
    rules === undefined
      ? HIDDEN
      : rules.length === 0
        ? none('None: no payout waits for two people.')
        : table(
            'Payout rules',
            [
              { name: 'Currency' },
              { name: 'From the amount', style: 'n' },
              { name: 'From the sum a day', style: 'n' },
              { name: 'New payees' },
            ],
            rules.map(ruleRow),
          )
  return section('rules', 'Payouts that wait for two people', {
    says: 'A rule replaces the one of its currency. What is left empty makes no payout wait.',
    content: html`${list}${mayChange && html`<div class="section-s">${folded('Set a rule', form, typed.isRefused)}</div>`}`,
  })
}

const ruleRow = ({ currencyCode, amountFrom, dailySumFrom, newBeneficiary }: Rule): readonly HtmlValue[] => [
  currencyCode,
  amountFrom === undefined ? '–' : moneyHtml({ amount: amountFrom, currencyCode }),
  dailySumFrom === undefined ? '–' : moneyHtml({ amount: dailySumFrom, currencyCode }),
  newBeneficiary ? 'Wait' : '–',
]

const ruleAct: Act = {
  permission: 'merchants.change',
  async perform({ api, name }, form) {
    const path = pathOf`/operator/payout-rules/${name('merchantCode')}/${currencyOf(form)}`
    await api.put(path, PayoutRuleSchema, {
      body: {
        amountFrom: given(form, 'amountFrom'),
        dailySumFrom: given(form, 'dailySumFrom'),
        newBeneficiary: form.has('newBeneficiary'),
      },
    })
    return 'payout-rule'
  },
}

/** An address with nothing in it would be another route. */
const currencyOf = (form: URLSearchParams): string => (given(form, 'currencyCode') ?? '-').toUpperCase()

// Settlement cycles

function cyclesPart(
  visit: Visit,
  merchantCode: string,
  terms: SettlementTerms | undefined,
): Html | undefined {
  const mayChange = visit.may('merchants.change')
  if (terms === undefined && !mayChange) return undefined
  const typed = typedInto(visit, 'cycle')
  const field = (name: string, label: string, hint: string, isRequired = false): Html =>
    textField({ name, label, hint, isRequired, value: typed.value(name), maxLength: 80 })
  const fields = html`${currencyField(typed.value('currencyCode'))}${field('cycle', 'Cycle', 'daily, weekly:mon, monthly, or t+2', true)}${field('minimum', 'Smallest settlement', 'Less is carried to the next period')}${field('settleIn', 'Settle in', 'Another currency; needs the rate list')}${field('rateListCode', 'Rate list', 'For example ECB')}`
  const form = actForm(visit, {
    path: merchantHref(merchantCode),
    verb: 'cycle',
    fields,
    button: 'Set the cycle',
  })
  const list =
    terms === undefined
      ? HIDDEN
      : terms.cycles.length === 0
        ? none('None: what is earned stays not settled.')
        : table(
            'Settlement cycles',
            [
              { name: 'Currency' },
              { name: 'Cycle' },
              { name: 'At least', style: 'n hide-sm' },
              { name: 'Settled in', style: 'hide-sm' },
              { name: 'Next, UTC', style: 'n' },
            ],
            terms.cycles.map(cycleRow),
          )
  return section('cycles', 'Settlement cycles', {
    says: 'When earnings become available. Periods end at 00:00 UTC.',
    content: html`${list}${mayChange && html`<div class="section-s">${folded('Set a cycle', form, typed.isRefused, 'sheet')}</div>`}`,
  })
}

const cycleRow = ({
  currencyCode,
  cycle,
  minimum,
  settleIn,
  dueAt,
}: SettlementTerms['cycles'][number]): readonly HtmlValue[] => [
  currencyCode,
  cycle,
  minimum === undefined ? '–' : moneyText(minimum),
  settleIn === undefined ? currencyCode : `${settleIn.currencyCode} by ${settleIn.rateListCode}`,
  html`<span class="quiet">${momentHtml(dueAt)}</span>`,
]

const cycleAct: Act = {
  permission: 'merchants.change',
  async perform({ api, name }, form) {
    const [currencyCode, rateListCode] = [given(form, 'settleIn'), given(form, 'rateListCode')]
    const isConverted = currencyCode !== undefined || rateListCode !== undefined
    const path = pathOf`/operator/settlement-terms/${name('merchantCode')}/cycles/${currencyOf(form)}`
    await api.put(path, SettlementCycleSchema, {
      body: {
        cycle: (given(form, 'cycle') ?? '').toLowerCase(),
        minimum: given(form, 'minimum'),
        ...(isConverted && {
          settleIn: { currencyCode: currencyCode?.toUpperCase() ?? '', rateListCode: rateListCode ?? '' },
        }),
      },
    })
    return 'cycle'
  },
}

// Payout accounts

function accountsPart(
  visit: Visit,
  { merchantCode, methods }: Merchant,
  terms: SettlementTerms | undefined,
): Html | undefined {
  const mayChange = visit.may('merchants.change')
  if (terms === undefined && !mayChange) return undefined
  const typed = typedInto(visit, 'account')
  const field = (name: string, label: string, hint = '', isRequired = false): Html =>
    textField({ name, label, hint, isRequired, value: typed.value(name), maxLength: 254 })
  const method =
    methods.PAYOUT.length === 0
      ? field('paymentMethodCode', 'Method', 'For example BANK_TRANSFER', true)
      : selectField({
          name: 'paymentMethodCode',
          label: 'Method',
          value: typed.value('paymentMethodCode'),
          choices: methods.PAYOUT.map((value) => ({ value, words: wordsOf(value) })),
        })
  const fields = html`${currencyField(typed.value('currencyCode'))}${method}${field('accountNumber', 'Account', 'IBAN, wallet or virtual payment address', true)}${field('accountName', 'Holder')}${field('bankCode', 'Bank code', 'BIC or national code')}${field('emailAddress', 'Email address', 'Where the method needs one')}${field('paymentOperatorCode', 'Bank or wallet', 'Where the method has several')}`
  const form = actForm(visit, {
    path: merchantHref(merchantCode),
    verb: 'account',
    fields,
    button: 'Register the account',
  })
  const list =
    terms === undefined
      ? HIDDEN
      : terms.accounts.length === 0
        ? none('None: the merchant cannot be paid out.')
        : table(
            'Payout accounts',
            [
              { name: 'Currency' },
              { name: 'Account' },
              { name: 'Method', style: 'hide-sm' },
              { name: 'Since', style: 'n' },
            ],
            terms.accounts.map(accountRow),
          )
  return section('accounts', 'Payout accounts', {
    says: 'Where settlements are paid to. A new one replaces that of its currency; payouts under way keep theirs.',
    content: html`${list}${mayChange && html`<div class="section-s">${folded('Register an account', form, typed.isRefused, 'bank')}</div>`}`,
  })
}

const accountRow = (account: SettlementTerms['accounts'][number]): readonly HtmlValue[] => [
  account.currencyCode,
  html`<span class="code">${account.accountNumber}</span>`,
  wordsOf(account.paymentMethodCode),
  html`<span class="quiet">${dayText(account.updatedAt)}${account.setBy !== undefined && html` by <span class="code">${account.setBy}</span>`}</span>`,
]

const accountAct: Act = {
  permission: 'merchants.change',
  async perform({ api, name }, form) {
    const path = pathOf`/operator/settlement-terms/${name('merchantCode')}/accounts/${currencyOf(form)}`
    await api.put(path, RegisteredAccountSchema, {
      body: {
        paymentMethodCode: given(form, 'paymentMethodCode') ?? '',
        paymentOperatorCode: given(form, 'paymentOperatorCode'),
        account: {
          accountNumber: given(form, 'accountNumber') ?? '',
          accountName: given(form, 'accountName'),
          bankCode: given(form, 'bankCode'),
          emailAddress: given(form, 'emailAddress'),
        },
      },
    })
    return 'account'
  },
}

export const TERM_ACTS: Readonly<Record<string, Act>> = {
  'payout-rule': ruleAct,
  cycle: cycleAct,
  account: accountAct,
}
