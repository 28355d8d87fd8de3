import type { Secrets } from '../../platform/secrets.ts'
import { type CustomerAccount, type CustomerKey, type Person, textOf } from './model.ts'

/** Encrypted personal data and the key that opens it, itself wrapped. */
export interface SealedPerson {
  readonly dataKey: Buffer
  readonly sealed: Buffer
}

/** Encrypts what names a person under a key of its own, bound to the customer. */
export function sealPerson(secrets: Secrets, key: CustomerKey, person: Person): SealedPerson {
  const { name, emailAddress, phone, accounts } = person
  const clear = JSON.stringify({ name, emailAddress, phone, accounts })
  return secrets.sealApart(textOf(key), Buffer.from(clear))
}

/** Reads sealed personal data. Throws when it was altered or belongs to another customer. */
export function openPerson(secrets: Secrets, key: CustomerKey, { dataKey, sealed }: SealedPerson): Person {
  const parsed: unknown = JSON.parse(secrets.openApart(textOf(key), dataKey, sealed).toString('utf8'))
  const accounts = member(parsed, 'accounts')
  return {
    name: textMember(parsed, 'name'),
    emailAddress: textMember(parsed, 'emailAddress'),
    phone: textMember(parsed, 'phone'),
    accounts: Array.isArray(accounts) ? accounts.flatMap(readAccount) : [],
  }
}

function readAccount(value: unknown): readonly CustomerAccount[] {
  const accountName = textMember(value, 'accountName')
  const accountNumber = textMember(value, 'accountNumber')
  if (accountName === undefined || accountNumber === undefined) return []
  const [bankCode, bankName] = [textMember(value, 'bankCode'), textMember(value, 'bankName')]
  return [{ accountName, accountNumber, bankCode, bankName }]
}

function member(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined
}

function textMember(value: unknown, name: string): string | undefined {
  const found = member(value, name)
  return typeof found === 'string' ? found : undefined
}
