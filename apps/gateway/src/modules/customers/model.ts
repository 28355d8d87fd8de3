/** `ERASED` keeps the id and forgets the person. */
const CUSTOMER_STATUSES = ['ACTIVE', 'BLOCKED', 'ERASED'] as const
export type CustomerStatus = (typeof CUSTOMER_STATUSES)[number]

/** Names a customer. */
export interface CustomerKey {
  readonly merchantId: string
  readonly idCustomer: string
}

/** An account that a customer pays from or is paid to. */
export interface CustomerAccount {
  readonly accountName: string
  readonly accountNumber: string
  readonly bankCode?: string | undefined
  readonly bankName?: string | undefined
}

/** What names a person: kept encrypted. */
export interface Person {
  readonly name?: string | undefined
  readonly emailAddress?: string | undefined
  readonly phone?: string | undefined
  readonly accounts: readonly CustomerAccount[]
}

/** What is not about one person alone. */
export interface Traits {
  readonly countryCode?: string | undefined
  /** The default segment of the customer's payments. */
  readonly segmentCode?: string | undefined
}

/** Everything that a merchant says of a customer. */
export type CustomerData = Person & Traits

/** A customer that has not been erased. */
export interface KnownCustomer extends CustomerKey, CustomerData {
  readonly status: 'ACTIVE' | 'BLOCKED'
  readonly createdAt: Date
}

/** What is left of a customer that was erased. */
interface ErasedCustomer extends CustomerKey {
  readonly status: 'ERASED'
  readonly createdAt: Date
  readonly erasedAt: Date
}

export type Customer = KnownCustomer | ErasedCustomer

/** A change of a customer: what is absent (or undefined) stays, null removes. */
export type CustomerChange = {
  readonly [Name in keyof CustomerData]?: CustomerData[Name] | null
}

const CHANGEABLE = ['name', 'emailAddress', 'phone', 'countryCode', 'segmentCode', 'accounts'] as const

/** True when the change names nothing that it could change. */
export function isNothing(change: CustomerChange): boolean {
  return CHANGEABLE.every((name) => change[name] === undefined)
}

/** The data after a change, as RFC 7396 has it: a list is replaced as a whole. */
export function applyChange(data: CustomerData, change: CustomerChange): CustomerData {
  const kept = <Value>(before: Value | undefined, wish: Value | null | undefined): Value | undefined =>
    wish === undefined ? before : (wish ?? undefined)
  return {
    name: kept(data.name, change.name),
    emailAddress: kept(data.emailAddress, change.emailAddress),
    phone: kept(data.phone, change.phone),
    countryCode: kept(data.countryCode, change.countryCode),
    segmentCode: kept(data.segmentCode, change.segmentCode),
    accounts: kept(data.accounts, change.accounts) ?? [],
  }
}

/** One text for all requests that mean the same, whatever their spelling: no list and an empty one are equal. */
export function canonicalCustomer(data: CustomerData): string {
  const accounts = data.accounts.map((account) => [
    account.accountName,
    account.accountNumber,
    account.bankCode ?? null,
    account.bankName ?? null,
  ])
  const parts = [data.name, data.emailAddress, data.phone, data.countryCode, data.segmentCode]
  return JSON.stringify([...parts.map((part) => part ?? null), accounts])
}

/** A key as one text: what personal data is bound to, and what a map goes by. */
export function textOf({ merchantId, idCustomer }: CustomerKey): string {
  return `customer ${merchantId} ${idCustomer}`
}

/** The place in a list after which the next page begins, as callers carry it about. */
export function cursorAfter(idCustomer: string): string {
  return Buffer.from(idCustomer).toString('base64url')
}

const ID_CUSTOMER = /^[A-Za-z0-9_-]{1,250}$/

/** The id in a cursor; undefined when it is not a cursor of ours. */
export function readCursor(cursor: string): string | undefined {
  const idCustomer = Buffer.from(cursor, 'base64url').toString('utf8')
  return ID_CUSTOMER.test(idCustomer) && cursorAfter(idCustomer) === cursor ? idCustomer : undefined
}
