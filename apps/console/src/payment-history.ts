import { createHash } from 'node:crypto'
import { PaymentHistorySchema, type Read } from '@tollgate/contract'
import type { OperatorPermission } from '@tollgate/contract/words'
import { type OperatorApi, pathOf } from './operator-api.ts'

// Everything that happened to a payment, as its screen shows it and as its followers wait for more of it.

/** A payment by what its address names. */
export interface PaymentNames {
  readonly kind: string
  readonly merchantCode: string
  readonly idPayment: string
}

export type PaymentEvents = Read<typeof PaymentHistorySchema>['data']

/** Reads the history of a payment; it has no personal data, so that reading it leaves no record. */
export async function readHistory(
  api: Pick<OperatorApi, 'get'>,
  { kind, merchantCode, idPayment }: PaymentNames,
): Promise<PaymentEvents> {
  const path = pathOf`/operator/payments/${kind}/${merchantCode}/${idPayment}/history`
  return (await api.get(path, PaymentHistorySchema)).data
}

const VERSION_LENGTH = 22

/** A short name of exactly this history: two that differ in anything have different ones. */
export const versionOf = (events: PaymentEvents): string =>
  createHash('sha256').update(JSON.stringify(events)).digest('base64url').slice(0, VERSION_LENGTH)

const OF_KIND: Readonly<Record<string, OperatorPermission>> = {
  PAYIN: 'payins.read',
  PAYOUT: 'payouts.read',
  TOPUP: 'topups.read',
}

/** What the screen of such a payment takes, all of it. */
export const permissionsFor = (kind: string): readonly OperatorPermission[] => [
  'payouts.read',
  OF_KIND[kind] ?? 'reviews.read',
]
