import type { PaymentKind, ProcessorStatus } from '../../modules/payments/model.ts'
import type { ApprovalRecord } from './disk.ts'
import {
  dateOf,
  type Kinds,
  keyText,
  keyTexts,
  type Session,
  type Statements,
  type Texts,
} from './statements.ts'
import { rowOf } from './statements-payments.ts'

type ListValues = [
  kind: PaymentKind,
  merchantId: string | null,
  afterUs: string | null,
  afterMerchantId: string | null,
  afterId: string | null,
  limit: number,
  phase: ProcessorStatus,
]

/** Nobody turns pages here. */
function listWaiting({ disk, at }: Session, ...values: ListValues): readonly object[] {
  const [kind, merchantId, afterUs, , , limit, phase] = values
  if (afterUs !== null) throw new Error('the second page of a list is not simulated')
  return [...disk.payments.values()]
    .filter((each) => each.kind === kind && each.status === 'CREATED' && each.processor_status === phase)
    .filter(({ merchant_id, id_payment }) =>
      disk.tasks.get(`${keyText(merchant_id, kind, id_payment)} EXPIRE`),
    )
    .filter(({ merchant_id }) => merchantId === null || merchant_id === merchantId)
    .sort(
      (a, b) =>
        b.created_at - a.created_at ||
        compareTexts(b.merchant_id, a.merchant_id) ||
        compareTexts(b.id_payment, a.id_payment),
    )
    .slice(0, limit)
    .map((payment) => ({ ...rowOf(payment, at), created_at_us: String(payment.created_at) }))
}

const compareTexts = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

function listRequests({ disk }: Session, ...keys: [Texts, Kinds, Texts]): readonly object[] {
  return keyTexts(...keys).flatMap((key) => {
    const found = disk.approvalRequests.get(key)
    return found === undefined ? [] : [found]
  })
}

function noteApproved({ disk }: Session, ...values: [string, PaymentKind, string, Texts]): readonly object[] {
  const [merchant_id, kind, id_payment, reasons] = values
  const key = keyText(merchant_id, kind, id_payment)
  const known = disk.approvalRequests.get(key)
  disk.approvalRequests.put(key, known ?? { merchant_id, kind, id_payment, reasons, requested_by: null })
  return []
}

type Decision = [
  merchantId: string,
  kind: PaymentKind,
  id: string,
  operator: string,
  decision: ApprovalRecord['decision'],
  contentHash: Buffer,
  reason: string | null,
]

function decide({ disk, at }: Session, ...values: Decision): readonly object[] {
  const [merchant_id, kind, id_payment, operator_code, decision, content_hash, reason] = values
  const key = [merchant_id, kind, id_payment, operator_code, content_hash.toString('hex'), decision].join(' ')
  if (disk.approvals.get(key) !== undefined) return []
  const keyed = { merchant_id, kind, id_payment }
  disk.approvals.insert(key, { ...keyed, operator_code, decision, content_hash, reason, decided_at: at })
  return [{}]
}

function listDecisions({ disk }: Session, ...keys: [Texts, Kinds, Texts]): readonly object[] {
  const asked = new Set(keyTexts(...keys))
  return [...disk.approvals.values()]
    .filter(({ merchant_id, kind, id_payment }) => asked.has(keyText(merchant_id, kind, id_payment)))
    .sort((a, b) => a.decided_at - b.decided_at || compareTexts(a.operator_code, b.operator_code))
    .map((row) => ({ ...row, decided_at: dateOf(row.decided_at) }))
}

/** The statements about payouts that wait for operators. Nobody is on a block-list here. */
export const APPROVAL_STATEMENTS: Statements = {
  payments_list_waiting: listWaiting,
  payout_approval_requests_list: listRequests,
  payout_approval_requests_update_approved: noteApproved,
  payout_approvals_insert: decide,
  payout_approvals_list: listDecisions,
}
