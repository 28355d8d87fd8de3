import { CatalogueExplainedSchema, type Read } from '@tollgate/contract'
import { compareAmounts, parsePlainAmount } from '@tollgate/money'
import { type Html, html } from '@tollgate/runtime/html'
import { moneyHtml, moneyText, plural, wordsOf } from '../../format.ts'
import { requireAmount } from '../../forms.ts'
import { type IconName, icon } from '../../icons.ts'
import { ApiRefusal } from '../../operator-api.ts'
import { chip, empty, note } from '../../parts.ts'
import type { Screen, Visit } from '../../visit.ts'
import { boundsText, feeText } from './fee-table.ts'
import { type Choice, input, select } from './form.ts'
import { methodHref } from './methods.ts'
import { cataloguePage } from './page.ts'
import { type Catalogue, DIRECTIONS, directionsWords, readCatalogue } from './shape.ts'

type Explained = Read<typeof CatalogueExplainedSchema>
type Judged = Explained['methods'][number]
type Fee = Judged['fees'][number]

const PATH = '/catalogue/explain'

/** Why a method is offered or not, and what would be charged. */
export const explainScreen: Screen = {
  path: PATH,
  permission: 'catalogue.read',
  async show(visit) {
    const catalogue = await readCatalogue(visit.api)
    return cataloguePage(visit, {
      tab: 'Why not offered?',
      says: 'Rule by rule, and the fee that would be taken',
      content: html`${questionForm(visit, catalogue)}${await answer(visit, catalogue)}`,
    })
  },
}

function questionForm(visit: Visit, { currencies, segments }: Catalogue): Html {
  const { query } = visit
  const value = (name: string): string => query.get(name) ?? ''
  const anySegment: Choice = ['', 'None']
  return html`<form class="panel panel-body" action="${PATH}"><div class="fields">${input(visit, { name: 'merchantCode', label: 'Merchant', value: value('merchantCode'), isRequired: true })}${input(visit, { name: 'amount', label: 'Amount', value: value('amount'), isRequired: true, isAmount: true })}${select(visit, { name: 'currencyCode', label: 'Currency', value: value('currencyCode'), choices: currencies.map(({ code }): Choice => [code, code]) })}${select(visit, { name: 'segmentCode', label: 'Segment', value: value('segmentCode'), choices: [anySegment, ...segments.map(({ code, name }): Choice => [code, name])] })}${select(visit, { name: 'kind', label: 'Direction', value: value('kind'), choices: DIRECTIONS.map((each): Choice => [each, directionsWords(each)]) })}</div><p class="acts form-acts"><button class="btn btn-main">Explain</button></p></form>`
}

async function answer({ api, query }: Visit, catalogue: Catalogue): Promise<Html | undefined> {
  const given = (name: string): string | undefined => query.get(name)?.trim() || undefined
  const merchantCode = given('merchantCode')
  const amount = given('amount')
  const currencyCode = given('currencyCode')
  if (merchantCode === undefined || amount === undefined || currencyCode === undefined) return undefined
  try {
    requireAmount('Amount', amount)
    const explained = await api.get('/operator/catalogue/explain', CatalogueExplainedSchema, {
      merchantCode,
      amount,
      currencyCode,
      segmentCode: given('segmentCode'),
      kind: given('kind'),
    })
    return answered({ amount, currencyCode }, explained, catalogue)
  } catch (error) {
    // What was typed into the form.
    if (!(error instanceof ApiRefusal) || ![400, 410].includes(error.status)) throw error
    return html`<div class="section-s">${note('bad', error.message)}</div>`
  }
}

interface Money {
  readonly amount: string
  readonly currencyCode: string
}

function answered(money: Money, { reasons, methods }: Explained, catalogue: Catalogue): Html {
  if (reasons.length > 0)
    return html`<div class="section-s">${note('bad', html`<b>No method is offered.</b> ${reasons.map(({ message }) => message).join(' ')}`)}</div>`
  if (methods.length === 0) return empty('grid', 'No payment methods')
  const offered = methods.filter(({ isOffered }) => isOffered)
  return html`<section class="section" aria-labelledby="h-a"><div class="bar"><h2 id="h-a">${plural(offered.length, 'method is', 'methods are')} offered</h2><p>Of ${methods.length}, for ${moneyText(money)}</p></div>${[...offered, ...methods.filter(({ isOffered }) => !isOffered)].map((method) => methodPart(money, method, catalogue))}</section>`
}

type VerdictLook = readonly [style: string, icon: IconName]
const NOT_JUDGED: VerdictLook = ['quiet', 'minus']
const VERDICTS = new Map<string, VerdictLook>([
  ['PASSED', ['yes', 'check']],
  ['FAILED', ['no', 'x']],
])

const RULE_WORDS: Readonly<Record<string, string>> = {
  CATALOGUE: 'In the catalogue and enabled',
  MERCHANT: 'The merchant has it',
  DIRECTION: 'It has limits for the direction',
  SEGMENT: 'Offered to the segment',
  CURRENCY: 'It takes the currency',
  AMOUNT: 'The amount is within the limits',
  CARRIER: 'Its rail takes the payment',
  OPERATORS: 'A payment operator is open',
  FEE: 'The fee can be told',
}

function methodPart(money: Money, method: Judged, { methods }: Catalogue): Html {
  const { paymentMethodCode: code, isOffered, rules, fees } = method
  const name = methods.find((each) => each.code === code)?.name ?? code
  const state = isOffered ? chip('good', 'check', 'Offered') : chip('bad', 'x', 'Not offered')
  return html`<section class="panel"><div class="panel-head"><h3><a href="${methodHref(code)}">${name}</a></h3>${state}</div><div class="panel-body"><ul class="why-list verdicts">${rules.map(
    ({ rule, verdict, message }) => {
      const [style, name] = VERDICTS.get(verdict) ?? NOT_JUDGED
      const words = RULE_WORDS[rule] ?? wordsOf(rule)
      const said = verdict === 'FAILED' ? html`<b>${message ?? words}</b>` : words
      return html`<li class="${style}">${icon(name)}<span>${said}${verdict === 'NOT_JUDGED' && html`<span class="vh">: not judged, an earlier rule fails</span>`}</span></li>`
    },
  )}</ul></div>${fees.length > 0 && html`<div class="sums">${fees.map((fee) => feePart(money, fee, fees.length > 1))}</div>`}</section>`
}

/** A fee explains itself. */
function feePart(money: Money, fee: Fee, isOneOfSeveral: boolean): Html {
  const operators = fee.paymentOperatorCodes
  const through = isOneOfSeveral
    ? ` through ${operators.length === 0 ? 'no payment operator' : namesText(operators)}`
    : ''
  return html`<details><summary>Fee${through}${moneyHtml(fee.fee)}</summary><ol class="why stack-s">${steps(money, fee).map((step) => html`<li>${step}</li>`)}</ol></details>`
}

const NAMES_SHOWN = 4

function namesText(codes: readonly string[]): string {
  const more = codes.length - NAMES_SHOWN
  return `${codes.slice(0, NAMES_SHOWN).join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}

/** How the fee comes about, from the rule to what is taken. */
function steps(money: Money, told: Fee): readonly string[] {
  const { fee, rule } = told
  if (rule === undefined) return ['There is no rule for it, so it is free.']
  return [
    ruleStep(rule, money),
    ...sumSteps(told, rule, money),
    ...boundSteps(rule, money),
    ...conversionSteps(told),
    `Rounded once, half up${isAll(fee, money) ? ', and never more than the amount' : ''}: ${moneyText(fee)}`,
  ]
}

type Rule = NonNullable<Fee['rule']>

function ruleStep(rule: Rule, { currencyCode }: Money): string {
  const whose = rule.source === 'MERCHANT' ? 'of the merchant' : 'of all without their own'
  const scope = [rule.segmentCode, rule.operatorCode].filter((each) => each !== undefined)
  const of = scope.length > 0 ? `, for ${scope.join(' and ')}` : ''
  return `The fee ${whose}${of}: ${feeText(rule, currencyCode)}`
}

function sumSteps({ percentageAmount, sum }: Fee, rule: Rule, money: Money): readonly string[] {
  if (percentageAmount === undefined || isNothing(rule.percentage)) return []
  const share = `${rule.percentage}% of ${moneyText(money)} is ${percentageAmount}`
  if (sum === undefined || isNothing(rule.fixed)) return [share]
  return [share, `Together ${sum} ${money.currencyCode}`]
}

function boundSteps(rule: Rule, { currencyCode }: Money): readonly string[] {
  const bounds = boundsText(rule, currencyCode)
  return bounds === '' ? [] : [`Bounds in ${rule.pricedCurrencyCode ?? currencyCode}: ${bounds}`]
}

function conversionSteps({ conversion }: Fee): readonly string[] {
  if (conversion === undefined) return []
  const { priced, rate, version, rateListCode } = conversion
  return [
    `Priced in ${priced.currencyCode}: ${priced.amount}, at ${rate} by sheet ${version} of ${rateListCode}`,
  ]
}

const isNothing = (amount: string): boolean =>
  compareAmounts(parsePlainAmount(amount), parsePlainAmount('0')) === 0
const isAll = (fee: Money, money: Money): boolean =>
  /^\d+(?:\.\d+)?$/.test(money.amount) &&
  compareAmounts(parsePlainAmount(fee.amount), parsePlainAmount(money.amount)) === 0
