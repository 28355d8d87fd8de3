import { checkField, type FieldCheck, type Format } from './formats/index.ts'
import type { Rejection } from './records.ts'
import type { CustomerData, CustomerField } from './redirect-url.ts'
import type { AskedField } from './scenarios.ts'

/** One field of a form: its form, what is in it and what is wrong with that. */
export interface FormField {
  readonly name: CustomerField
  readonly required: boolean
  readonly format: Format
  readonly lengthMax: number | undefined
  readonly value: string
  readonly fault: Fault | undefined
}

export type Fault =
  | Extract<FieldCheck, { ok: false }>
  | { readonly ok: false; readonly key: 'fault.required' }

/** Where people are known by their IBAN alone. */
const IBAN_CURRENCIES: ReadonlySet<string> = new Set(['EUR'])

const ACCOUNT_FORMATS: ReadonlyMap<string, Format> = new Map([
  ['UPI', 'VPA'],
  ['WALLET', 'WALLET_ACCOUNT'],
  ['PIX', 'WALLET_ACCOUNT'],
  ['CRYPTO', 'CRYPTO_ADDRESS'],
])

/** The shape of what a method takes under a name. */
export function formatOf(methodCode: string, currencyCode: string, name: CustomerField): Format {
  switch (name) {
    case 'accountName':
      return 'NAME'
    case 'bankCode':
      return 'BANK_CODE'
    case 'emailAddress':
      return 'EMAIL'
    case 'accountNumber':
      if (methodCode === 'BANK_TRANSFER' && IBAN_CURRENCIES.has(currencyCode)) return 'IBAN'
      return ACCOUNT_FORMATS.get(methodCode) ?? 'ACCOUNT_NUMBER'
  }
}

interface FormQuestion {
  readonly methodCode: string
  readonly currencyCode: string
  readonly asked: readonly AskedField[]
  readonly values: CustomerData
  /** Whether what is in the fields is judged; an empty form is not at fault before it was sent. */
  readonly isJudged: boolean
  readonly refusals: readonly Rejection[]
}

/** The fields of a form with their faults. */
export function formOf(question: FormQuestion): readonly FormField[] {
  return question.asked.map(({ name, required, field }) => {
    const format = formatOf(question.methodCode, question.currencyCode, name)
    const value = question.values[name] ?? ''
    const refused = question.refusals.some((refusal) => refusal.field === name)
    const own = question.isJudged ? faultOf(format, value, required) : undefined
    const fault =
      own ?? (refused ? { ok: false as const, key: 'fault.pattern' as const, args: {} } : undefined)
    return { name, required, format, lengthMax: field.maxLength, value, fault }
  })
}

/** What is wrong with a value; nothing with one that may be missing. */
export function faultOf(format: Format, value: string, required: boolean): Fault | undefined {
  if (value.trim() === '') return required ? { ok: false, key: 'fault.required' } : undefined
  const check = checkField(format, value)
  return check.ok ? undefined : check
}

/** The clean values of a form without faults. */
export function valuesOf(form: readonly FormField[]): CustomerData {
  const values = form.flatMap(({ name, format, value }) => {
    const check = value.trim() === '' ? undefined : checkField(format, value)
    return check?.ok === true ? [[name, check.value] as const] : []
  })
  return Object.fromEntries(values)
}
