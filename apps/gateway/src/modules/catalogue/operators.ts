import type { RejectionItem } from '../../platform/refusal.ts'
import type { Direction, Method, MethodSide, Operator } from './model.ts'

const NO_OPERATORS: readonly Operator[] = []
const FIELD = 'paymentMethod.paymentOperatorCode'

/** The operators of the method that serve the currency, open or not. */
export function listServing(method: Method, currencyCode: string): readonly Operator[] {
  return method.operatorsByCurrency.get(currencyCode) ?? NO_OPERATORS
}

/** Closed operators are listed by GET /payment-operators, but take no payments. Delayed ones do. */
const isOpen = (operator: Operator, direction: Direction): boolean =>
  takesPayments(operator.availability, direction)

function takesPayments({ payin, payout }: Operator['availability'], direction: Direction): boolean {
  return (direction === 'PAYOUT' ? payout : payin) !== 'CLOSED'
}

interface OperatorQuestion {
  readonly direction: Direction
  readonly method: Method
  readonly side: MethodSide
  readonly currencyCode: string
}

type OfferedOperators =
  | { readonly ok: true; readonly operators: readonly Operator[] }
  | { readonly ok: false; readonly item: RejectionItem }

/** The operators to choose from now. It is not ok when the method needs one and none is there. */
export function listOpenOperators(question: OperatorQuestion): OfferedOperators {
  const { method, side, currencyCode, direction } = question
  const serving = listServing(method, currencyCode)
  const open = serving.filter((operator) => isOpen(operator, direction))
  if (open.length > 0) return { ok: true, operators: open }
  if (!side.isOperatorRequired) return throughNone(question, { ok: true, operators: open })
  return { ok: false, item: serving.length > 0 ? allClosed(method) : noneServing(method, currencyCode) }
}

type ChosenOperator =
  | { readonly ok: true; readonly operator?: Operator }
  | { readonly ok: false; readonly item: RejectionItem }

/**
 * The operator that the payment goes to. Unnamed, it is the only one that serves the currency; with several, none is
 * guessed. Without a currency that the method takes, its operators of all currencies count.
 */
export function chooseOperator(
  question: OperatorQuestion,
  isCurrencyTaken: boolean,
  operatorCode: string | undefined,
): ChosenOperator {
  const { method, direction, currencyCode } = question
  const candidates = isCurrencyTaken ? listServing(method, currencyCode) : method.operators
  if (operatorCode === undefined) return chooseUnnamed(question, candidates)
  const operator = candidates.find(({ code }) => code === operatorCode)
  if (operator === undefined) return { ok: false, item: notServing(method, operatorCode) }
  return isOpen(operator, direction) ? { ok: true, operator } : { ok: false, item: closed(method, operator) }
}

function chooseUnnamed(
  { method, side, direction }: OperatorQuestion,
  candidates: readonly Operator[],
): ChosenOperator {
  const [first, ...others] = candidates
  const only = others.length === 0 ? first : undefined
  if (only !== undefined && isOpen(only, direction)) return { ok: true, operator: only }
  if (!side.isOperatorRequired) return throughNone({ method, direction }, { ok: true })
  return { ok: false, item: only === undefined ? missing(method) : closed(method, only) }
}

/** Through no operator a payment goes as long as the rail itself is there. */
function throughNone<Result>(
  { method, direction }: Pick<OperatorQuestion, 'method' | 'direction'>,
  whenOpen: Result,
): Result | { readonly ok: false; readonly item: RejectionItem } {
  return takesPayments(method.railAvailability, direction)
    ? whenOpen
    : { ok: false, item: railClosed(method) }
}

function railClosed(method: Method): RejectionItem {
  return {
    code: 'CHANNEL_UNAVAILABLE',
    message: `${method.code} is closed at the moment.`,
    paymentMethodCode: method.code,
  }
}

function allClosed(method: Method): RejectionItem {
  return {
    code: 'CHANNEL_UNAVAILABLE',
    message: `Every operator of ${method.code} is closed at the moment.`,
    paymentMethodCode: method.code,
  }
}

function noneServing(method: Method, currencyCode: string): RejectionItem {
  return {
    code: 'PAYMENT_OPERATOR_NOT_AVAILABLE',
    message: `No operator of ${method.code} serves ${currencyCode}.`,
    paymentMethodCode: method.code,
  }
}

function notServing(method: Method, operatorCode: string): RejectionItem {
  return {
    code: 'PAYMENT_OPERATOR_NOT_AVAILABLE',
    message: `${operatorCode} is not an operator of ${method.code} for this currency.`,
    field: FIELD,
    paymentMethodCode: method.code,
    paymentOperatorCode: operatorCode,
  }
}

function missing(method: Method): RejectionItem {
  return {
    code: 'PAYMENT_OPERATOR_NOT_AVAILABLE',
    message: `${method.code} needs a payment operator: name one of the payment options.`,
    field: FIELD,
    paymentMethodCode: method.code,
  }
}

function closed(method: Method, operator: Operator): RejectionItem {
  return {
    code: 'CHANNEL_UNAVAILABLE',
    message: `${operator.name} is closed at the moment.`,
    field: FIELD,
    paymentMethodCode: method.code,
    paymentOperatorCode: operator.code,
  }
}
