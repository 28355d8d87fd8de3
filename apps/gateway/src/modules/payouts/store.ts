import type { Statement, Tx } from '../../platform/database.ts'
import type { PaymentKey, PaymentKind } from '../payments/index.ts'
import { WAIT_REASONS, type WaitReason } from './model.ts'

const KEYS = `unnest($1::bigint[], $2::text[], $3::text[]) as k(merchant_id, kind, id_payment)`
const INSERT_REQUEST: Statement = {
  name: 'payout_approval_requests_insert',
  // An id that is taken has its row: the answer to it comes from the payments.
  text: `insert into payout_approval_requests (merchant_id, kind, id_payment, reasons, requested_by) values ($1, $2, $3, $4, $5)
    on conflict (merchant_id, kind, id_payment) do nothing`,
}
const UPDATE_APPROVED: Statement = {
  name: 'payout_approval_requests_update_approved',
  text: `insert into payout_approval_requests as r (merchant_id, kind, id_payment, reasons, approved_at) values ($1, $2, $3, $4, clock_timestamp())
    on conflict (merchant_id, kind, id_payment) do update set approved_at = excluded.approved_at`,
}
const LIST_REQUESTS: Statement = {
  name: 'payout_approval_requests_list',
  text: `select r.merchant_id, r.kind, r.id_payment, r.reasons, r.requested_by
    from payout_approval_requests r join ${KEYS} using (merchant_id, kind, id_payment)`,
}
const INSERT_DECISION: Statement = {
  name: 'payout_approvals_insert',
  text: `insert into payout_approvals (merchant_id, kind, id_payment, operator_code, decision, content_hash, reason)
    values ($1, $2, $3, $4, $5, $6, $7) on conflict do nothing returning 1`,
}
const LIST_DECISIONS: Statement = {
  name: 'payout_approvals_list',
  text: `select a.merchant_id, a.kind, a.id_payment, a.operator_code, a.decision, a.content_hash, a.reason, a.decided_at
    from payout_approvals a join ${KEYS} using (merchant_id, kind, id_payment) order by a.decided_at, a.operator_code`,
}

const keyValues = ({ merchantId, kind, idPayment }: PaymentKey) => [merchantId, kind, idPayment]
const keyArrays = (keys: readonly PaymentKey[]) => [
  keys.map((key) => key.merchantId),
  keys.map((key) => key.kind),
  keys.map((key) => key.idPayment),
]

interface KeyRow {
  readonly merchant_id: string
  readonly kind: PaymentKind
  readonly id_payment: string
}

const toKey = (row: KeyRow): PaymentKey => ({
  merchantId: row.merchant_id,
  kind: row.kind,
  idPayment: row.id_payment,
})

/** Why a payment waits, and which operator asked for it, if one did. */
export interface ApprovalRequest {
  readonly reasons: readonly WaitReason[]
  readonly requestedBy: string | undefined
}

/** Stores why a payment waits. To be called in the transaction that accepts it. */
export async function insertRequest(tx: Tx, key: PaymentKey, request: ApprovalRequest): Promise<void> {
  await tx.rows(INSERT_REQUEST, [...keyValues(key), request.reasons, request.requestedBy ?? null])
}

/** Notes that the payment was approved; with its reasons, where they had not been stored. */
export async function updateApproved(tx: Tx, key: PaymentKey, reasons: readonly WaitReason[]): Promise<void> {
  await tx.rows(UPDATE_APPROVED, [...keyValues(key), reasons])
}

export interface StoredRequest extends PaymentKey, ApprovalRequest {}

/** What is stored of the keys, in no order. */
export async function listRequests(tx: Tx, keys: readonly PaymentKey[]): Promise<readonly StoredRequest[]> {
  const rows = await tx.rows<KeyRow & { reasons: string[]; requested_by: string | null }>(
    LIST_REQUESTS,
    keyArrays(keys),
  )
  return rows.map((row) => ({
    ...toKey(row),
    reasons: WAIT_REASONS.filter((reason) => row.reasons.includes(reason)),
    requestedBy: row.requested_by ?? undefined,
  }))
}

/** What an operator decided, about which content. */
export interface StoredDecision extends PaymentKey {
  readonly operatorCode: string
  readonly decision: 'APPROVED' | 'REJECTED'
  readonly contentHash: Buffer
  readonly reason: string | undefined
  readonly decidedAt: Date
}

/** False when the operator has decided just that about just this content. */
export async function insertDecision(tx: Tx, decision: Omit<StoredDecision, 'decidedAt'>): Promise<boolean> {
  const { operatorCode, contentHash, reason } = decision
  const values = [operatorCode, decision.decision, contentHash, reason ?? null]
  return (await tx.rows(INSERT_DECISION, [...keyValues(decision), ...values])).length > 0
}

interface DecisionRow extends KeyRow {
  readonly operator_code: string
  readonly decision: 'APPROVED' | 'REJECTED'
  readonly content_hash: Buffer
  readonly reason: string | null
  readonly decided_at: Date
}

/** All decisions about the keys, the oldest first. */
export async function listDecisions(tx: Tx, keys: readonly PaymentKey[]): Promise<readonly StoredDecision[]> {
  const rows = await tx.rows<DecisionRow>(LIST_DECISIONS, keyArrays(keys))
  return rows.map((row) => ({
    ...toKey(row),
    operatorCode: row.operator_code,
    decision: row.decision,
    contentHash: row.content_hash,
    reason: row.reason ?? undefined,
    decidedAt: row.decided_at,
  }))
}
