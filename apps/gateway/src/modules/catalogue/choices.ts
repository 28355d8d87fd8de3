import { type OptionOperator, presentOperatorName } from './describe.ts'
import type {
  Availability,
  Catalogue,
  Direction,
  Flow,
  MerchantTerms,
  Method,
  Operator,
  Question,
  Speed,
} from './model.ts'
import { listServing } from './operators.ts'
import { judgeMethod, OPTIONS_PATHS } from './reasons.ts'

/** An operator as a picker shows it. */
export interface ChoiceOperator extends OptionOperator {
  readonly availability: Availability
  readonly popularRank?: number
  readonly bic?: string
  readonly aliases?: readonly string[]
}

/** A method that fits the question, there at the moment or not. */
export interface Choice {
  readonly paymentMethodCode: string
  readonly name: string
  readonly flow: Flow
  readonly availability: Availability
  /** The limit of today is used up. */
  readonly isUsedUp?: true
  readonly speed?: Speed
  readonly operators: readonly ChoiceOperator[]
}

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
