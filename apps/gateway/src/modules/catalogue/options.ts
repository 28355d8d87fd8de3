import type { AnswerItem, PageChoicesSchema, PaymentOptionsSchema } from '@tollgate/contract'
import { compareAmounts, type Money } from '@tollgate/money'
import type { RejectionItem } from '../../platform/refusal.ts'
import { type FeeJudgement, type FeeRates, judgeFee } from './charge.ts'
import { presentField, presentLimit, presentMoney, presentOperatorName } from './describe.ts'
import { judgeMethod, judgeQuestion, methodNotAvailable, OPTIONS_PATHS } from './judge.ts'
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

/** One item of the options answer (specification 2.7), as it goes over the wire. */
export type PaymentOption = AnswerItem<typeof PaymentOptionsSchema>

type OptionsJudgement =
  | { readonly ok: true; readonly options: readonly PaymentOption[] }
  | { readonly ok: false; readonly items: readonly RejectionItem[] }

type MethodOption =
  | { readonly ok: true; readonly option: PaymentOption }
  | { readonly ok: false; readonly item: RejectionItem }

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
    const judged = judgeOption({ offer, question, rates }, methodCode)
    if (judged.ok) options.push(judged.option)
    else items.push(judged.item)
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

function judgeOption(asked: Asked, methodCode: string): MethodOption {
  const { offer, question } = asked
  const { direction, money } = question
  const method = offer.catalogue.methods.get(methodCode)
  const side = method?.sides.get(direction)
  if (method === undefined || side === undefined) {
    const { field: _, ...item } = methodNotAvailable(methodCode)
    return { ok: false, item }
  }
  const [reason] = judgeMethod({ offer, question, method, paths: OPTIONS_PATHS })
  if (reason !== undefined) return { ok: false, item: reason }
  const offered = listOpenOperators({ direction, method, side, currencyCode: money.currencyCode })
  if (!offered.ok) return offered
  const priced = previewFees({ ...asked, method, operators: offered.operators })
  if (!priced.ok) return priced
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
  return { ok: true, option }
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
