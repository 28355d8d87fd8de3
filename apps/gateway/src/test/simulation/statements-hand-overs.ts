import { type PaymentKind, type ProcessorStatus, STOP_REASONS } from '../../modules/payments/model.ts'
import type { HoldRecord, PaymentRecord } from './disk.ts'
import {
  dateOf,
  element,
  type Kinds,
  keyText,
  keyTexts,
  later,
  type Session,
  type Statements,
  type Texts,
} from './statements.ts'
import { noteEntry } from './statements-payments.ts'

type Nullable<Item> = readonly (Item | null)[]

const APPROVALS_NEEDED = 2

/** What speaks against a hand-over. Nobody is blocked or disabled here: what is left is what people approved. */
function stopOf(
  { disk }: Session,
  key: string,
  content: Buffer | null,
): 'CONTENT_NEEDED' | 'APPROVAL_CHANGED' | null {
  if (disk.timeline.get(`${key} 1`)?.processor_status !== 'AWAITING_APPROVAL') return null
  if (content === null) return 'CONTENT_NEEDED'
  const approvers = [...disk.approvals.values()]
    .filter(({ merchant_id, kind, id_payment }) => keyText(merchant_id, kind, id_payment) === key)
    .filter((each) => each.decision === 'APPROVED' && each.content_hash.equals(content))
    .map(({ operator_code }) => operator_code)
  return new Set(approvers).size < APPROVALS_NEEDED ? 'APPROVAL_CHANGED' : null
}

function updateSubmitted(
  session: Session,
  ...values: [string, PaymentKind, string, string, string, Buffer | null]
): readonly object[] {
  const { disk, at } = session
  const [merchantId, kind, idPayment, leaseToken, actor, content] = values
  const key = keyText(merchantId, kind, idPayment)
  const before = disk.payments.get(key)
  const isLeased = disk.tasks.get(`${key} RAIL`)?.lease_token === leaseToken
  const isQueued = before?.status === 'CREATED' && before.processor_status === 'QUEUED'
  if (!isLeased || !isQueued || before.submitted_at !== null) return []
  const stop = stopOf(session, key, content)
  if (stop === 'CONTENT_NEEDED') return [{ stop }]
  if (stop !== null) {
    const reason = STOP_REASONS[stop]
    putOnHold(session, [merchantId], [kind], [idPayment], ['QUEUED'], [stop], [null], [reason], actor)
    return [{ stop }]
  }
  const after: PaymentRecord = {
    ...before,
    submitted_at: at,
    processor_status: 'SUBMITTED',
    timeline_count: before.timeline_count + 1,
  }
  disk.payments.put(key, after)
  noteEntry(session, after, { actor, reason: null })
  disk.tasks.delete(`${key} EXPIRE`)
  return [{ stop: null }]
}

/** After the institution proved that it has nothing; neither too early, nor of what it has ever known. */
function updateSubmittedAgain(
  session: Session,
  ...values: [string, PaymentKind, string, string, string, Buffer | null, number]
): readonly object[] {
  const { disk, at } = session
  const [merchantId, kind, idPayment, leaseToken, actor, content, afterSeconds] = values
  const key = keyText(merchantId, kind, idPayment)
  const before = disk.payments.get(key)
  const isLeased = disk.tasks.get(`${key} RAIL`)?.lease_token === leaseToken
  if (!isLeased || before?.status !== 'CREATED' || !ASKED_FOR.has(before.processor_status)) return []
  if ((before.submitted_at ?? at) >= later(at, -afterSeconds) || wasKnown(session, key)) return []
  const stop = stopOf(session, key, content)
  if (stop !== null) return [{ stop }]
  const after: PaymentRecord = {
    ...before,
    submitted_at: at,
    processor_status: 'SUBMITTED',
    timeline_count: before.timeline_count + 1,
  }
  disk.payments.put(key, after)
  const reason = 'handed over again: the institution proved that it has nothing'
  noteEntry(session, after, { actor, reason })
  return [{ stop: null }]
}

const ASKED_FOR: ReadonlySet<ProcessorStatus> = new Set(['SUBMITTED', 'UNKNOWN'])

/** Whether the institution ever said anything else about the payment than that it does not know. */
const wasKnown = ({ disk }: Session, key: string): boolean =>
  [...disk.inquiries.values()].some(
    ({ merchant_id, kind, id_payment, question, answer }) =>
      keyText(merchant_id, kind, id_payment) === key && question !== 'OPERATOR' && answer !== 'UNKNOWN',
  )

type Holds = [
  merchantIds: Texts,
  kinds: Kinds,
  ids: Texts,
  phases: readonly ProcessorStatus[],
  causes: readonly HoldRecord['cause'][],
  operators: Nullable<string>,
  reasons: Texts,
  actor: string,
]

function putOnHold(session: Session, ...values: Holds): readonly object[] {
  const { disk, at } = session
  const [merchantIds, kinds, ids, phases, causes, operators, reasons, actor] = values
  let held = 0
  keyTexts(merchantIds, kinds, ids).forEach((key, i) => {
    const before = disk.payments.get(key)
    const phase = element(phases, i)
    if (before?.status !== 'CREATED' || before.processor_status !== phase || before.submitted_at !== null)
      return
    const after: PaymentRecord = {
      ...before,
      processor_status: 'ON_HOLD',
      timeline_count: before.timeline_count + 1,
    }
    const reason = element(reasons, i)
    disk.payments.put(key, after)
    noteEntry(session, after, { actor, reason })
    noteHold(session, after, {
      event: 'HELD',
      cause: element(causes, i),
      phase,
      reason,
      operator_code: element(operators, i),
    })
    const { merchant_id, kind, id_payment } = after
    const task = { merchant_id, kind, id_payment, task: 'REVIEW', due_at: at, lease_token: null } as const
    if (disk.tasks.get(`${key} REVIEW`) === undefined)
      disk.tasks.put(`${key} REVIEW`, { ...task, unknown_since: null, unknown_answers: 0 })
    disk.tasks.delete(`${key} RAIL`)
    held += 1
  })
  return [{ held }]
}

type Release = [string, PaymentKind, string, ProcessorStatus, string, string, string]

function release(session: Session, ...values: Release): readonly object[] {
  const { disk } = session
  const [merchantId, kind, idPayment, phase, actor, operator_code, reason] = values
  const key = keyText(merchantId, kind, idPayment)
  const before = disk.payments.get(key)
  disk.tasks.delete(`${key} REVIEW`)
  if (before?.status !== 'CREATED' || before.processor_status !== 'ON_HOLD') return [{ released: 0 }]
  const after: PaymentRecord = {
    ...before,
    processor_status: phase,
    timeline_count: before.timeline_count + 1,
  }
  disk.payments.put(key, after)
  noteEntry(session, after, { actor, reason })
  noteHold(session, after, { event: 'RELEASED', cause: null, phase: null, operator_code, reason })
  return [{ released: 1 }]
}

type HoldNote = Pick<HoldRecord, 'event' | 'cause' | 'phase' | 'operator_code' | 'reason'>

function noteHold({ disk, at }: Session, payment: PaymentRecord, note: HoldNote): void {
  const { merchant_id, kind, id_payment, timeline_count: entry_no } = payment
  const key = `${keyText(merchant_id, kind, id_payment)} ${entry_no}`
  disk.holds.insert(key, { merchant_id, kind, id_payment, entry_no, happened_at: at, ...note })
}

function noteCancelledHold(
  { disk, at }: Session,
  ...values: [string, PaymentKind, string, number, string, string]
): readonly object[] {
  const [merchant_id, kind, id_payment, entry_no, operator_code, reason] = values
  disk.holds.insert(`${keyText(merchant_id, kind, id_payment)} ${entry_no}`, {
    merchant_id,
    kind,
    id_payment,
    entry_no,
    happened_at: at,
    event: 'CANCELLED',
    cause: null,
    phase: null,
    operator_code,
    reason,
  })
  return []
}

function listHolds({ disk }: Session, ...keys: [Texts, Kinds, Texts]): readonly object[] {
  const asked = new Set(keyTexts(...keys))
  return [...disk.holds.values()]
    .filter(({ merchant_id, kind, id_payment }) => asked.has(keyText(merchant_id, kind, id_payment)))
    .sort((a, b) => a.entry_no - b.entry_no)
    .map(({ entry_no: _, happened_at, ...row }) => ({ ...row, happened_at: dateOf(happened_at) }))
}

/** The statements about noting hand-overs, and about payments on hold. */
export const HAND_OVER_STATEMENTS: Statements = {
  payments_update_submitted: updateSubmitted,
  payments_update_submitted_again: updateSubmittedAgain,
  payments_update_held: putOnHold,
  payments_update_released: release,
  payment_holds_insert_cancelled: noteCancelledHold,
  payment_holds_list: listHolds,
  blocked_beneficiaries_find: () => [],
  // No database is restored in these histories.
  payment_holds_is_gap_open: () => [],
}
