import type { Secrets } from '../../platform/secrets.ts'
import type { CollectedAccount, RailCustomer } from '../../rails/rail.ts'
import { type PaymentKey, textOf } from './model.ts'
import type { SealedData } from './personal-data-store.ts'

/** Account data of a person: sent with the request, or collected by the payment process. */
export type PersonalData = RailCustomer & Partial<CollectedAccount>

const MEMBERS = ['accountName', 'accountNumber', 'bankCode', 'bankName', 'emailAddress'] as const

/** Encrypts personal data under a key of its own, bound to the payment; undefined when there is nothing to keep. */
export function sealPersonalData(
  secrets: Secrets,
  key: PaymentKey,
  data: PersonalData,
): SealedData | undefined {
  const kept: Partial<Record<(typeof MEMBERS)[number], string>> = {}
  let isEmpty = true
  for (const member of MEMBERS) {
    const value = data[member]
    if (value === undefined) continue
    kept[member] = value
    isEmpty = false
  }
  if (isEmpty) return undefined
  return secrets.sealApart(textOf(key), Buffer.from(JSON.stringify(kept)))
}

/** Reads sealed personal data. Throws when it was altered or belongs to another payment. */
export function openPersonalData(secrets: Secrets, key: PaymentKey, data: SealedData): PersonalData {
  const parsed: unknown = JSON.parse(
    secrets.openApart(textOf(key), data.dataKey, data.sealed).toString('utf8'),
  )
  const opened: Partial<Record<(typeof MEMBERS)[number], string>> = {}
  if (typeof parsed !== 'object' || parsed === null) return opened
  for (const [name, value] of Object.entries(parsed)) {
    const member = MEMBERS.find((known) => known === name)
    if (member !== undefined && typeof value === 'string') opened[member] = value
  }
  return opened
}
