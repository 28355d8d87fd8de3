import type { Tx } from '../../../platform/database.ts'
import type { Secrets } from '../../../platform/secrets.ts'
import type { CollectedAccount, RailCustomer } from '../../../rails/rail.ts'
import { type Payment, type PaymentKey, textOf } from '../model.ts'
import { listPersonalData, type SealedData } from './personal-data-store.ts'

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

/** An outgoing payment with the data of the person that is paid, still sealed; without it when there is none. */
export interface HeldPayment {
  readonly payment: Payment
  readonly sealed: SealedData | undefined
}

/** The sealed data that came with the requests of payments; in the order of the payments. */
export async function withSealedData(tx: Tx, payments: readonly Payment[]): Promise<readonly HeldPayment[]> {
  if (payments.length === 0) return []
  const rows = (await listPersonalData(tx, payments)).filter(({ source }) => source === 'REQUEST')
  const byKey = new Map(rows.map((row) => [textOf(row), row]))
  return payments.map((payment) => ({ payment, sealed: byKey.get(textOf(payment)) }))
}
