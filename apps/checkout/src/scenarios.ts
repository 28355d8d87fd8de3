import { CUSTOMER_FIELDS, type CustomerData, type CustomerField } from './redirect-url.ts'

// What a customer is asked before there is a payment: the five scenarios of the specification (4.9) as one decision.

export interface Operator {
  readonly code: string
  readonly name: string
}

interface Field {
  readonly name: string
  readonly required: boolean
  readonly pattern?: string
  readonly maxLength?: number
}

/** A way to pay that the API offers. */
export interface Option {
  readonly paymentMethodCode: string
  readonly name: string
  readonly flow: string
  readonly paymentOperators: readonly Operator[]
  readonly fields: readonly Field[]
  /** Amounts are decimal texts. */
  readonly limits?: readonly Readonly<Record<'minAmount' | 'maxAmount' | 'currencyCode', string>>[]
}

export interface Wish {
  readonly methodCode: string
  readonly operatorCode?: string | undefined
}

/** What the shop fixed, and what the customer has said so far. */
export interface Situation {
  readonly options: readonly Option[]
  readonly fixed: Wish | undefined
  /** Also where the shop fixed no method. */
  readonly fixedOperatorCode?: string | undefined
  readonly optionsAvailable: boolean
  readonly allowCustomerDataChange: boolean
  readonly supplied: CustomerData
  readonly chosen: Wish | undefined
  /** The customer asks for a choice again. */
  readonly change: 'METHOD' | 'OPERATOR' | undefined
}

export interface AskedField {
  readonly name: CustomerField
  readonly required: boolean
  readonly field: Field
}

export type Step =
  /** Choose a method. `gone`: what was chosen, or the shop had suggested, is not to be had. */
  | {
      readonly kind: 'METHOD'
      readonly current: Wish | undefined
      readonly isGone: boolean
      readonly gone?: string
    }
  | {
      readonly kind: 'OPERATOR'
      readonly option: Option
      readonly current: string | undefined
      readonly isGone: boolean
      readonly mayChange: boolean
    }
  /** Fill in what is missing, or nothing, and pay. */
  | {
      readonly kind: 'DETAILS'
      readonly option: Option
      readonly operator: Operator | undefined
      readonly asked: readonly AskedField[]
      readonly locked: readonly CustomerField[]
      readonly mayChange: boolean
    }
  /** The shop wants what cannot be had. */
  | { readonly kind: 'NONE' }

/** What the shop leaves to the customer. */
interface Freedom {
  readonly method: boolean
  readonly operator: boolean
}

const freedomOf = ({ fixed, fixedOperatorCode, optionsAvailable }: Situation): Freedom => ({
  method: fixed === undefined || optionsAvailable,
  operator: (fixed?.operatorCode ?? fixedOperatorCode) === undefined || optionsAvailable,
})

/**
 * An operator without a method: the method that has it is fixed as well, and of several the customer chooses one. Where no
 * method has it, what the shop wants cannot be had.
 */
export function preselected(situation: Situation): Situation {
  const { options, fixed, fixedOperatorCode: operatorCode, optionsAvailable, chosen } = situation
  if (fixed !== undefined || operatorCode === undefined) return situation
  const having = options.filter((option) => option.paymentOperators.some(({ code }) => code === operatorCode))
  const [first, ...others] = having
  if (first === undefined || others.length === 0)
    return { ...situation, fixed: { methodCode: first?.paymentMethodCode ?? '', operatorCode } }
  return {
    ...situation,
    options: optionsAvailable ? options : having,
    chosen: having.some(({ paymentMethodCode }) => paymentMethodCode === chosen?.methodCode)
      ? withOperator(situation, operatorCode)
      : chosen,
  }
}

function withOperator({ chosen, optionsAvailable }: Situation, operatorCode: string): Wish | undefined {
  return chosen && { ...chosen, operatorCode: (optionsAvailable && chosen.operatorCode) || operatorCode }
}

/** What comes next. */
export function nextStep(situation: Situation): Step {
  const { options } = situation
  const freedom = freedomOf(situation)
  const wish = wishOf(situation, freedom)
  if (situation.change === 'METHOD' && freedom.method && options.length > 1)
    return { kind: 'METHOD', current: wish, isGone: false }
  const option = options.find(({ paymentMethodCode }) => paymentMethodCode === wish?.methodCode)
  if (option !== undefined) return operatorStep(situation, freedom, { option, wanted: wish?.operatorCode })
  const isGone = wish !== undefined
  if (isGone && !freedom.method) return { kind: 'NONE' }
  return { kind: 'METHOD', current: undefined, isGone, ...(isGone && { gone: wish.methodCode }) }
}

/** What the customer chose where there is a choice, else what the shop fixed; the only method chooses itself. */
function wishOf({ options, fixed, chosen }: Situation, freedom: Freedom): Wish | undefined {
  const [only, ...others] = options
  if (fixed === undefined)
    return chosen ?? (only && others.length === 0 ? { methodCode: only.paymentMethodCode } : undefined)
  if (freedom.method) return chosen ?? fixed
  const isSame = chosen?.methodCode === fixed.methodCode
  return freedom.operator && isSame ? chosen : fixed
}

interface Chosen {
  readonly option: Option
  readonly wanted: string | undefined
}

function operatorStep(situation: Situation, freedom: Freedom, { option, wanted }: Chosen): Step {
  const operator = operatorOf(option, wanted)
  const isGone = wanted !== undefined && operator?.code !== wanted
  if (isGone && !freedom.operator) return { kind: 'NONE' }
  const mayChange = freedom.method && situation.options.length > 1
  if (isOperatorAsked({ ...situation, freedom, option }, operator))
    return { kind: 'OPERATOR', option, current: operator?.code, isGone, mayChange }
  const mayChangeAny = mayChange || (freedom.operator && hasChoice(option))
  return { kind: 'DETAILS', option, operator, ...fieldsOf(situation, option), mayChange: mayChangeAny }
}

interface OperatorQuestion extends Pick<Situation, 'change'> {
  readonly freedom: Freedom
  readonly option: Option
}

function isOperatorAsked(
  { change, freedom, option }: OperatorQuestion,
  known: Operator | undefined,
): boolean {
  return hasChoice(option) && (known === undefined || (change === 'OPERATOR' && freedom.operator))
}

const hasChoice = ({ paymentOperators }: Option): boolean => paymentOperators.length > 1

/** The only one chooses itself. */
function operatorOf(option: Option, wanted: string | undefined): Operator | undefined {
  const { paymentOperators } = option
  return hasChoice(option) ? paymentOperators.find(({ code }) => code === wanted) : paymentOperators[0]
}

/**
 * What is asked for. What the shop supplied is asked for only if it may be changed; and where the shop supplied data that
 * may not be changed, nothing is asked for that the method can do without.
 */
function fieldsOf(
  { supplied, allowCustomerDataChange }: Pick<Situation, 'supplied' | 'allowCustomerDataChange'>,
  option: Option,
): { readonly asked: readonly AskedField[]; readonly locked: readonly CustomerField[] } {
  const taken = CUSTOMER_FIELDS.flatMap((name) => {
    const field = option.fields.find((each) => each.name === name)
    return field === undefined ? [] : [{ name, required: field.required, field }]
  })
  const isLocked = ({ name }: AskedField): boolean => supplied[name] !== undefined && !allowCustomerDataChange
  const isSupplied = taken.some(isLocked)
  return {
    asked: taken.filter((each) => !isLocked(each) && (each.required || !isSupplied)),
    locked: taken.filter(isLocked).map(({ name }) => name),
  }
}
