import { problemOfAccount } from '@tollgate/payment-codes'
import type { RejectionItem } from '../../platform/refusal.ts'
import type { Field, FieldName, Method } from './model.ts'

/** `paymentMethod.account` of a create request (specification 2.2). */
export interface CustomerAccount {
  readonly accountName?: string | undefined
  readonly accountNumber?: string | undefined
  readonly bankCode?: string | undefined
}

export interface CustomerData {
  readonly account?: CustomerAccount | undefined
  readonly emailAddress?: string | undefined
}

/** The data of a payment in a currency. */
interface JudgedData extends CustomerData {
  readonly money: { readonly currencyCode: string }
}

type DataName = Exclude<FieldName, 'paymentOperatorCode'>

const PATHS: Readonly<Record<DataName, string>> = {
  accountName: 'paymentMethod.account.accountName',
  accountNumber: 'paymentMethod.account.accountNumber',
  bankCode: 'paymentMethod.account.bankCode',
  emailAddress: 'paymentMethod.emailAddress',
}

/**
 * Compares the customer's data with what the method asks for: one reason per field.
 * Data that the method does not ask for is not judged. The operator's code is the business of `operators.ts`.
 */
export function judgeFields(method: Method, fields: readonly Field[], data: JudgedData): RejectionItem[] {
  const items: RejectionItem[] = []
  for (const field of fields) {
    if (field.name === 'paymentOperatorCode') continue
    const item = judgeField(method, { ...field, name: field.name }, data)
    if (item !== undefined) items.push(item)
  }
  return items
}

function readData(data: CustomerData, name: DataName): string {
  const text = name === 'emailAddress' ? data.emailAddress : data.account?.[name]
  return text ?? ''
}

function judgeField(
  method: Method,
  field: Field & { readonly name: DataName },
  data: JudgedData,
): RejectionItem | undefined {
  const text = readData(data, field.name)
  const where = { field: PATHS[field.name], paymentMethodCode: method.code }
  if (text.trim() === '') {
    if (!field.required) return undefined
    const code = field.name === 'emailAddress' ? 'EMAIL_REQUIRED' : 'ACCOUNT_REQUIRED'
    return { code, message: `${method.code} needs ${field.name}.`, ...where }
  }
  const fault = findFault(field, text)
  const message = fault === undefined ? problemOfScheme(field, text, data) : `${field.name} ${fault}.`
  return message === undefined ? undefined : { code: 'ACCOUNT_INVALID', message, ...where }
}

/** What is wrong with a text that is there, as the end of a sentence; undefined when nothing is. */
function findFault(field: Field, text: string): string | undefined {
  if (field.maxLength !== undefined && isLonger(text, field.maxLength))
    return `is longer than ${field.maxLength} characters`
  if (!field.matches(text)) return 'does not have the form that the method needs'
  return undefined
}

/** Counts code points, as JSON Schema does, but only where the number of UTF-16 units leaves a doubt. */
function isLonger(text: string, lengthMax: number): boolean {
  return text.length > lengthMax && Array.from(text).length > lengthMax
}

/** What the rules of the account's scheme say, as a sentence. */
function problemOfScheme({ checksum }: Field, text: string, data: JudgedData): string | undefined {
  if (checksum === undefined) return undefined
  const { currencyCode } = data.money
  return problemOfAccount(checksum, { accountNumber: text, bankCode: data.account?.bankCode, currencyCode })
}
