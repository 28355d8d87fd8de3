import type { AnswerItem, PageChoicesSchema, PaymentOptionsSchema } from '@tollgate/contract'
import { compareAmounts, type Money } from '@tollgate/money'
import type { RejectionItem } from '../../platform/refusal.ts'
import { presentField, presentLimit, presentMoney, presentOperatorName } from './describe.ts'
import { type ExplainedFee, explainFees } from './explain-fees.ts'
import { judgeFee, judgeMethod, judgeQuestion, methodNotAvailable, OPTIONS_PATHS } from './judge.ts'
import {
  ANY,
  type Availability,
  type Catalogue,
  type Direction,
  findFeeRule,
  findLimit,
  type MerchantTerms,
  type Method,
  type Offer,
  type Operator,
  type Question,
} from './model.ts'
import { listOpenOperators, listServing } from './operators.ts'
import type { FeeJudgement, FeeRates } from './priced-fee.ts'

/** One item of the options answer (specification 2.7), as it goes over the wire. */
export type PaymentOption = AnswerItem<typeof PaymentOptionsSchema>

type OptionsJudgement =
  | { readonly ok: true; readonly options: readonly PaymentOption[] }
  | { readonly ok: false; readonly items: readonly RejectionItem[] }

/**
 * Lists the methods and operators that are available for the amount, currency and segment and configured in the merchant
 * account (specification 4.1), in the catalogue's order. What is listed, {@link judgePayment} accepts.
 *
 * When nothing can be listed, `items` says why. A currency, a number of decimals or a segment that no method can take is
 * named alone. Otherwise NO_OPTION_AVAILABLE comes first, then the first reason of each of the merchant's methods.
 */
export function listOptions(
  catalogue: Catalogue,
  terms: MerchantTerms,
  question: Question,
  rates?: FeeRates,
): OptionsJudgement {
  const offer = { catalogue, terms }
  const general = judgeQuestion(offer, question, OPTIONS_PATHS)
  if (general.length > 0) return { ok: false, items: general }
  const options: PaymentOption[] = []
  const items: RejectionItem[] = []
  for (const methodCode of listConfigured(offer, question)) {
    const { option, failures } = judgeOption({ offer, question, rates }, methodCode)
    if (option !== undefined) options.push(option)
    else items.push(...failures.slice(0, 1).map(({ item }) => item))
  }
  return options.length > 0 ? { ok: true, options } : { ok: false, items: [noOptionAvailable(), ...items] }
}

/** The merchant's methods in the catalogue's order; those that the catalogue has switched off come last. */
function listConfigured({ catalogue, terms }: Offer, { direction }: Question): readonly string[] {
  const configured = terms.methods.get(direction) ?? new Set<string>()
  const known = [...catalogue.methods.keys()].filter((code) => configured.has(code))
  return [...known, ...[...configured].filter((code) => !catalogue.methods.has(code))]
}

interface Asked {
  readonly offer: Offer
  readonly question: Question
  readonly rates: FeeRates | undefined
}

/** The rules that a method must pass to be offered, in the order in which they are judged. */
const RULES = [
  ...(['CATALOGUE', 'MERCHANT', 'DIRECTION', 'SEGMENT', 'CURRENCY', 'AMOUNT'] as const),
  ...(['CARRIER', 'OPERATORS', 'FEE'] as const),
] as const
type Rule = (typeof RULES)[number]

interface Failure {
  readonly rule: Rule
  readonly item: RejectionItem
}

/** An option, or every failure that can be told; those after the first may hide others. */
interface JudgedMethod {
  readonly option?: PaymentOption
  readonly failures: readonly Failure[]
}

function judgeOption(asked: Asked, methodCode: string): JudgedMethod {
  const { offer, question } = asked
  const { direction, money } = question
  const method = offer.catalogue.methods.get(methodCode)
  const side = method?.sides.get(direction)
  if (method === undefined || side === undefined) {
    const { field: _, ...item } = methodNotAvailable(methodCode)
    return { failures: [{ rule: method === undefined ? 'CATALOGUE' : 'DIRECTION', item }] }
  }
  const reasons = judgeMethod({ offer, question, method, paths: OPTIONS_PATHS })
  if (reasons.length > 0) return { failures: reasons.map((item) => ({ rule: ruleOf(item), item })) }
  const offered = listOpenOperators({ direction, method, side, currencyCode: money.currencyCode })
  if (!offered.ok) return { failures: [{ rule: 'OPERATORS', item: offered.item }] }
  const priced = previewFees({ ...asked, method, operators: offered.operators })
  if (!priced.ok) return { failures: [{ rule: 'FEE', item: priced.item }] }
  const limit = findLimit(offer, method, { ...question, currencyCode: money.currencyCode })
  const option: PaymentOption = {
    paymentMethodCode: method.code,
    name: method.name,
    paymentOperators: priced.operators.map(presentOperatorName),
    flow: method.flow,
    externalReference: method.externalReference,
    fields: side.fields.map(presentField),
    limits: limit === undefined ? [] : [presentLimit(limit, money.currencyCode)],
    fee: presentMoney(priced.fee),
  }
  return { option, failures: [] }
}

/** The rule of a reason that a method is refused for. */
function ruleOf({ code }: RejectionItem): Rule {
  if (code === 'SEGMENT_NOT_SUPPORTED') return 'SEGMENT'
  if (code === 'CURRENCY_NOT_SUPPORTED') return 'CURRENCY'
  return code.startsWith('AMOUNT_') ? 'AMOUNT' : 'CARRIER'
}

/** A method with the verdict of each rule. NOT_JUDGED: an earlier rule must pass first. */
interface ExplainedMethod {
  readonly methodCode: string
  readonly isOffered: boolean
  readonly rules: readonly {
    readonly rule: Rule
    readonly verdict: 'PASSED' | 'FAILED' | 'NOT_JUDGED'
    readonly item?: RejectionItem
  }[]
  /** What would be taken; empty where a rule fails. */
  readonly fees: readonly ExplainedFee[]
}

/**
 * Why each method of the catalogue is offered or not, rule by rule: what {@link listOptions} offers passes all of them. `items`
 * is what is wrong whatever the method; no method is judged then.
 */
export function explainOptions(
  offer: Offer,
  question: Question,
  rates?: FeeRates,
): { readonly items: readonly RejectionItem[]; readonly methods: readonly ExplainedMethod[] } {
  const items = judgeQuestion(offer, question, OPTIONS_PATHS)
  if (items.length > 0) return { items, methods: [] }
  const configured = offer.terms.methods.get(question.direction) ?? new Set<string>()
  const codes = new Set([...offer.catalogue.methods.keys(), ...configured])
  const methods = [...codes].map((methodCode) => {
    const { option, failures } = judgeOption({ offer, question, rates }, methodCode)
    const own = configured.has(methodCode) ? [] : [notConfigured(methodCode)]
    return {
      methodCode,
      isOffered: option !== undefined && own.length === 0,
      rules: verdictsOf([...own, ...failures]),
      fees: option === undefined ? [] : explainFees({ offer, question, rates }, methodCode),
    }
  })
  return { items, methods }
}

function notConfigured(methodCode: string): Failure {
  const message = `The merchant does not have ${methodCode} for this direction.`
  return { rule: 'MERCHANT', item: { ...methodNotAvailable(methodCode), message } }
}

function verdictsOf(failures: readonly Failure[]): ExplainedMethod['rules'] {
  // Whether a merchant has a method says nothing about the other rules: they are judged all the same.
  const stops = failures.filter(({ rule }) => rule !== 'MERCHANT').map(({ rule }) => RULES.indexOf(rule))
  const first = Math.min(...stops, RULES.length)
  return RULES.map((rule, index) => {
    const failure = failures.find((each) => each.rule === rule)
    if (failure !== undefined) return { rule, verdict: 'FAILED', item: failure.item }
    return { rule, verdict: rule === 'MERCHANT' || index < first ? 'PASSED' : 'NOT_JUDGED' }
  })
}

interface FeeQuestion extends Asked {
  readonly method: Method
  readonly operators: readonly Operator[]
}

type PricedOperators =
  | { readonly ok: true; readonly operators: readonly Operator[]; readonly fee: Money }
  | { readonly ok: false; readonly item: RejectionItem }

/** The highest fee, and the operators whose fee can be told: one that needs a rate which is missing takes no payment. */
function previewFees(question: FeeQuestion): PricedOperators {
  const { operators } = question
  const charged = operators.map((operator) => ({ operator, judged: feeThrough(question, operator.code) }))
  const all = operators.length === 0 ? [feeThrough(question, ANY)] : charged.map(({ judged }) => judged)
  const fees = all.flatMap((judged) => (judged.ok ? [judged.charge.fee] : []))
  const [first, ...others] = fees
  if (first === undefined) {
    const reason = all.find((judged) => !judged.ok)
    if (reason === undefined) throw new Error('a method without operators has a fee all the same')
    return reason
  }
  return {
    ok: true,
    operators: charged.flatMap(({ operator, judged }) => (judged.ok ? [operator] : [])),
    fee: others.reduce(
      (highest, fee) => (compareAmounts(fee.amount, highest.amount) === 1 ? fee : highest),
      first,
    ),
  }
}

function feeThrough({ offer, question, rates, method }: FeeQuestion, operatorCode: string): FeeJudgement {
  const { direction, money, segmentCode } = question
  const minorUnits = offer.catalogue.currencies.get(money.currencyCode)?.minorUnits ?? 0
  const rule = findFeeRule(offer, {
    direction,
    methodCode: method.code,
    operatorCode,
    segmentCode: segmentCode ?? ANY,
    currencyCode: money.currencyCode,
  })
  return judgeFee({ direction, rule, money, minorUnits, methodCode: method.code, rates })
}

function noOptionAvailable(): RejectionItem {
  return {
    code: 'NO_OPTION_AVAILABLE',
    message: 'No payment option is available for this amount, currency and segment.',
  }
}

/** A method that fits the question, there at the moment or not. */
export type Choice = AnswerItem<typeof PageChoicesSchema>
type ChoiceOperator = Choice['operators'][number]

/**
 * What a picker shows beside the options: of the merchant's methods that take the money, also those and their operators
 * that are CLOSED just now, how people find and compare them, and which of today's limits are `usedUp`. It decides nothing: what can be paid with is `listOptions`.
 */
export function listChoices(
  catalogue: Catalogue,
  terms: MerchantTerms,
  question: Question,
  usedUp: ReadonlySet<string>,
): readonly Choice[] {
  const offer = { catalogue, terms }
  const configured = terms.methods.get(question.direction)
  return [...catalogue.methods.values()]
    .filter((method) => configured?.has(method.code))
    .filter((method) => judgeMethod({ offer, question, method, paths: OPTIONS_PATHS }).length === 0)
    .map((method) => toChoice(method, question, usedUp.has(method.code)))
}

function toChoice(method: Method, { direction, money }: Question, isUsedUp: boolean): Choice {
  const operators = listServing(method, money.currencyCode)
  const isThroughNone = operators.length === 0
  const isOpen = operators.some((operator) => availabilityOf(operator.availability, direction) !== 'CLOSED')
  return {
    paymentMethodCode: method.code,
    name: method.name,
    flow: method.flow,
    availability: isThroughNone
      ? availabilityOf(method.railAvailability, direction)
      : isOpen
        ? 'OPERATIONAL'
        : 'CLOSED',
    ...(isUsedUp && { isUsedUp }),
    ...(direction === 'PAYIN' && method.payinSpeed && { speed: method.payinSpeed }),
    operators: operators.map((operator) => toChoiceOperator(operator, direction)),
  }
}

function toChoiceOperator(operator: Operator, direction: Direction): ChoiceOperator {
  const { popularRank, bic, aliases, availability } = operator
  return {
    ...presentOperatorName(operator),
    availability: availabilityOf(availability, direction),
    ...(popularRank !== undefined && { popularRank }),
    ...(bic !== undefined && { bic }),
    ...(aliases.length > 0 && { aliases }),
  }
}

const availabilityOf = ({ payin, payout }: Operator['availability'], direction: Direction): Availability =>
  direction === 'PAYOUT' ? payout : payin
