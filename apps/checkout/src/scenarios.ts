import { CUSTOMER_FIELDS, type CustomerData, type CustomerField } from './redirect-url.ts'

// What a customer is asked before there is a payment: the five scenarios of the specification (4.9) as one decision.

export interface Operator {
  readonly code: string
  readonly name: string
}

export interface Field {
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
}

export interface Wish {
  readonly methodCode: string
  readonly operatorCode?: string | undefined
}

/** What the shop fixed, and what the customer has said so far. */
export interface Situation {
  readonly options: readonly Option[]
  readonly fixed: Wish | undefined
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
  /** Choose a method. `gone`: what the shop had chosen is not to be had. */
  | { readonly kind: 'METHOD'; readonly current: Wish | undefined; readonly isGone: boolean }
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

/** What comes next. */
export function nextStep(situation: Situation): Step {
  const { options, fixed, chosen } = situation
  const only = options.length === 1 ? options[0] : undefined
  const mayChooseMethod = fixed === undefined || situation.optionsAvailable
  const wish = (mayChooseMethod ? chosen : undefined) ?? fixed
  if (situation.change === 'METHOD' && mayChooseMethod && only === undefined)
    return { kind: 'METHOD', current: wish, isGone: false }
  const option = wish === undefined ? only : find(options, wish.methodCode)
  if (option !== undefined) return stepOf(situation, option, wish)
  if (wish === undefined) return { kind: 'METHOD', current: undefined, isGone: false }
  return mayChooseMethod ? { kind: 'METHOD', current: undefined, isGone: true } : { kind: 'NONE' }
}

const find = (options: readonly Option[], code: string): Option | undefined =>
  options.find(({ paymentMethodCode }) => paymentMethodCode === code)

function stepOf(situation: Situation, option: Option, wish: Wish | undefined): Step {
  const { fixed, optionsAvailable, options, chosen } = situation
  const operators = option.paymentOperators
  const isOperatorFixed = fixed?.operatorCode !== undefined && !optionsAvailable
  const mayChange = (fixed === undefined || optionsAvailable) && options.length > 1
  const wanted = isOperatorFixed
    ? fixed.operatorCode
    : (operatorIn(chosen, option) ?? operatorIn(wish, option))
  const operator = operators.length === 1 ? operators[0] : operators.find(({ code }) => code === wanted)
  const isGone = wanted !== undefined && operator?.code !== wanted
  if (isGone && isOperatorFixed) return { kind: 'NONE' }
  const wantsOther = situation.change === 'OPERATOR' && !isOperatorFixed
  if (operators.length > 1 && (operator === undefined || wantsOther))
    return { kind: 'OPERATOR', option, current: operator?.code, isGone, mayChange }
  return {
    kind: 'DETAILS',
    option,
    operator,
    ...fieldsOf(situation, option),
    mayChange: mayChange || (operators.length > 1 && !isOperatorFixed),
  }
}

const operatorIn = (wish: Wish | undefined, option: Option): string | undefined =>
  wish?.methodCode === option.paymentMethodCode ? wish.operatorCode : undefined

/**
 * What is asked for. What the shop supplied is asked for only if it may be changed; and where the shop supplied data that
 * may not be changed, nothing is asked for that the method can do without.
 */
export function fieldsOf(
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
