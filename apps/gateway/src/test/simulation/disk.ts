import type { CallbackKind, CallbackOutcome, CallbackState } from '../../modules/callbacks/model.ts'
import type { CatalogueRows, MerchantTermsRows } from '../../modules/catalogue/rows.ts'
import type { ActKind, ActState } from '../../modules/confirmations/model.ts'
import type { NotificationState, QuarantineReason } from '../../modules/notifications/model.ts'
import type { EvidenceClass } from '../../modules/payments/evidence.ts'
import type { HoldCause, PaymentKind, PaymentStatus, ProcessorStatus } from '../../modules/payments/model.ts'
import type { DataSource } from '../../modules/payments/privacy/personal-data-store.ts'
import type { InquiryAnswer, InquiryQuestion } from '../../modules/payments/progress/inquiry-store.ts'
import type { PaymentRow } from '../../modules/payments/rows.ts'
import type { ConfigurationScope } from '../../platform/configuration-changes.ts'

// What is durable: the tables that the simulated rooms write to. Names are those of the schema; moments are microseconds
// since 1970, amounts texts. Rows are never changed in place, so that what was rolled back is what it was.

interface Keyed {
  readonly merchant_id: string
  readonly kind: PaymentKind
  readonly id_payment: string
}

/** Columns of `payments` that hold a moment. */
type Moments = 'created_at' | 'expire_at' | 'processed_at' | 'failed_at' | 'submitted_at'

export interface PaymentRecord extends Omit<PaymentRow, Moments | 'is_due' | 'age_seconds'> {
  readonly nonce: string
  readonly created_at: number
  readonly expire_at: number
  readonly processed_at: number | null
  readonly failed_at: number | null
  readonly submitted_at: number | null
}

export interface TimelineRecord extends Keyed {
  readonly entry_no: number
  readonly status: PaymentStatus
  readonly processor_status: ProcessorStatus
  readonly actor: string
  readonly reason: string | null
  readonly happened_at: number
  readonly evidence_class: EvidenceClass | null
  readonly operators: readonly string[] | null
}

export interface TaskRecord extends Keyed {
  readonly task: 'EXPIRE' | 'RAIL' | 'REVIEW'
  readonly due_at: number
  readonly lease_token: string | null
  readonly unknown_since: number | null
  readonly unknown_answers: number
}

interface PersonalRecord extends Keyed {
  readonly source: DataSource
  readonly data_key: Buffer
  readonly sealed: Buffer
  readonly collected_at: number
}

interface ReferenceRecord extends Keyed {
  readonly entry_no: number
  readonly external_reference: string
}

export interface InquiryRecord extends Keyed {
  readonly inquiry_id: number
  readonly question: InquiryQuestion
  readonly answer: InquiryAnswer
  readonly reason_code: string | null
  readonly contradicts: boolean
  readonly answer_digest: Buffer | null
  readonly asked_at: number
  readonly times: number
  readonly last_answered_at: number
  /** Of people's decisions. */
  readonly operator_code: string | null
  readonly reason: string | null
  readonly timeline_entry_no: number | null
}

export interface HoldRecord extends Keyed {
  readonly entry_no: number
  readonly event: 'HELD' | 'RELEASED' | 'CANCELLED'
  readonly cause: HoldCause | null
  readonly phase: ProcessorStatus | null
  readonly operator_code: string | null
  readonly reason: string
  readonly happened_at: number
}

/** What one operator said about a payout that waits for two. */
export interface ApprovalRecord extends Keyed {
  readonly operator_code: string
  readonly decision: 'APPROVED' | 'REJECTED'
  readonly content_hash: Buffer
  readonly reason: string | null
  readonly decided_at: number
}

interface ApprovalRequestRecord extends Keyed {
  readonly reasons: readonly string[]
  readonly requested_by: string | null
}

/** What one operator proposed, for another one to confirm. */
export interface ConfirmationRecord {
  readonly confirmation_id: string
  readonly kind: ActKind
  readonly digest: Buffer
  readonly title: string
  readonly actor: string
  readonly directive: string
  readonly line_ids: readonly string[]
  readonly data_key: Buffer | null
  readonly sealed: Buffer | null
  readonly byte_count: number
  readonly state: ActState
  readonly proposed_at: number
  readonly expire_at: number
  readonly ended_at: number | null
  readonly ended_by: string | null
  readonly ended_reason: string | null
  readonly result: string | null
}

interface ConfirmationSumRecord {
  readonly confirmation_id: string
  readonly currency_code: string
  readonly amount: string
}

interface ConfirmationPolicyRecord {
  readonly is_on: boolean
  readonly from_amounts: string
  readonly expires_after_hours: number
  readonly folder_is_channel: boolean
}

interface UsageRecord {
  readonly amount: string
  readonly payments: number
}

export interface EventRecord {
  readonly event_id: string
  readonly merchant_id: string
  readonly kind: CallbackKind
  readonly id_entity: string
  readonly id_told: string | null
  readonly timeline_entry_no: number
  readonly url: string
  readonly receiver: string
  readonly state: CallbackState
  readonly attempts_started: number
  readonly attempts_max: number
  readonly due_at: number | null
  readonly last_started_at: number | null
  readonly lease_token: string | null
  readonly done_at: number | null
}

export interface AttemptRecord {
  readonly event_id: string
  readonly attempt_no: number
  readonly started_at: number
  readonly starts: number
  readonly finished_at: number | null
  readonly outcome: CallbackOutcome | null
  readonly http_status: number | null
}

export interface NotificationRecord {
  readonly notification_no: string
  readonly nonce: string
  readonly rail_code: string
  readonly id_notification: string | null
  readonly content_digest: Buffer
  readonly state: NotificationState
  readonly reason: QuarantineReason | null
  readonly detail: string | null
  readonly reference: string | null
  readonly merchant_code: string | null
  readonly report: string | null
  readonly repeats: number
  readonly data_key: Buffer | null
  readonly sealed: Buffer | null
  readonly attempts: number
  readonly due_at: number
  readonly lease_token: string | null
  readonly received_at: number
  readonly done_at: number | null
}

export interface TransferRecord extends Omit<Keyed, 'kind'> {
  readonly kind: string
  readonly transfer_id: string
  readonly event: string
}

export interface PostingRecord {
  readonly merchant_id: string
  readonly transfer_id: string
  readonly posting_no: number
  readonly account: string
  readonly currency_code: string
  readonly amount: string
}

export interface BalanceRecord {
  readonly merchant_id: string
  readonly currency_code: string
  readonly available: string
  readonly not_settled: string
  readonly reserved: string
  readonly receivable: string
  readonly updated_at: number
}

/** A merchant, as far as it changes here. */
export interface MerchantRecord {
  readonly merchant_id: string
  readonly merchant_code: string
  readonly callback_key_generation: number
}

interface RevocationRecord {
  readonly merchant_id: string
  readonly jti: string
}

export interface ChangeRecord {
  readonly change_id: string
  readonly scope: ConfigurationScope
  readonly merchant_id: string | null
  readonly changed_at: number
  /** Of its transaction. */
  readonly xid: number
}

/** A table; what is changed can be taken back until `Disk.commit`. */
interface Table<Row> {
  get(key: string): Row | undefined
  /** In the order of insertion. */
  values(): Iterable<Row>
  keys(): Iterable<string>
  readonly size: number
  /** Adds a row. Throws a unique violation. */
  insert(key: string, row: Row): void
  /** Replaces a row, or adds it. */
  put(key: string, row: Row): void
  delete(key: string): void
}

type NumberedRow = 'inquiry' | 'notification' | 'change' | 'confirmation' | 'policy'

export interface Disk {
  readonly payments: Table<PaymentRecord>
  readonly timeline: Table<TimelineRecord>
  readonly tasks: Table<TaskRecord>
  readonly personalData: Table<PersonalRecord>
  readonly references: Table<ReferenceRecord>
  readonly inquiries: Table<InquiryRecord>
  readonly holds: Table<HoldRecord>
  readonly approvals: Table<ApprovalRecord>
  readonly approvalRequests: Table<ApprovalRequestRecord>
  readonly confirmations: Table<ConfirmationRecord>
  readonly confirmationSums: Table<ConfirmationSumRecord>
  readonly confirmationPolicies: Table<ConfirmationPolicyRecord>
  readonly usage: Table<UsageRecord>
  readonly events: Table<EventRecord>
  readonly attempts: Table<AttemptRecord>
  readonly notifications: Table<NotificationRecord>
  readonly transfers: Table<TransferRecord>
  readonly postings: Table<PostingRecord>
  readonly balances: Table<BalanceRecord>
  /** All that is offered, as one row, under `ALL`. */
  readonly catalogue: Table<CatalogueRows>
  /** What was agreed, by merchant. */
  readonly terms: Table<MerchantTermsRows>
  readonly merchants: Table<MerchantRecord>
  readonly revocations: Table<RevocationRecord>
  readonly changedConfiguration: Table<ChangeRecord>
  /** One more than the last. */
  nextNumber(of: NumberedRow): number
  /** How many transactions that wrote have been committed: the place in the log. */
  position(): number
  /** Up to this place the standby has the log. */
  replicate(position: number): void
  /** The standby takes over. Of what it need not have it has the first share; the rest never happened. */
  failOver(keptShare: number): void
  /** Writes to the log and to no table. */
  emit(): void
  /** When the next durable work falls due, in microseconds; Infinity when there is none. */
  nextDue(): number
  commit(): void
  rollBack(): void
}

/** What the database refuses because of a row: SQLSTATE class 23. */
export class Violation extends Error {
  override readonly name = 'Violation'
  readonly code: string
  constructor(code: '23505' | '23514', message: string) {
    super(message)
    this.code = code
  }
}

export function createDisk(): Disk {
  const undo: (() => void)[] = []
  /** How to take back the commits that the standby need not have, the oldest first. */
  let unsafe: (readonly (() => void)[])[] = []
  let position = 0
  let due = Number.POSITIVE_INFINITY
  const numbers = { inquiry: 0, notification: 0, change: 0, confirmation: 0, policy: 0 }
  const table = <Row>(name: string): Table<Row> => createTable(name, undo)
  const disk = {
    payments: table<PaymentRecord>('payments'),
    timeline: table<TimelineRecord>('payment_timeline'),
    tasks: table<TaskRecord>('payment_tasks'),
    personalData: table<PersonalRecord>('payment_personal_data'),
    references: table<ReferenceRecord>('payment_external_references'),
    inquiries: table<InquiryRecord>('payment_inquiries'),
    holds: table<HoldRecord>('payment_holds'),
    approvals: table<ApprovalRecord>('payout_approvals'),
    approvalRequests: table<ApprovalRequestRecord>('payout_approval_requests'),
    confirmations: table<ConfirmationRecord>('confirmations'),
    confirmationSums: table<ConfirmationSumRecord>('confirmation_sums'),
    confirmationPolicies: table<ConfirmationPolicyRecord>('confirmation_policies'),
    usage: table<UsageRecord>('payment_daily_usage'),
    events: table<EventRecord>('callback_events'),
    attempts: table<AttemptRecord>('callback_attempts'),
    notifications: table<NotificationRecord>('rail_notifications'),
    transfers: table<TransferRecord>('ledger_transfers'),
    postings: table<PostingRecord>('ledger_postings'),
    balances: table<BalanceRecord>('balances'),
    catalogue: table<CatalogueRows>('catalogue'),
    terms: table<MerchantTermsRows>('merchant_methods'),
    merchants: table<MerchantRecord>('merchants'),
    revocations: table<RevocationRecord>('revoked_tokens'),
    changedConfiguration: table<ChangeRecord>('configuration_changes'),
  }
  return {
    ...disk,
    nextNumber(of) {
      numbers[of] += 1
      return numbers[of]
    },
    position: () => position,
    nextDue: () => due,
    commit() {
      if (undo.length === 0) return
      due = soonestOf(disk)
      unsafe.push([...undo])
      position += 1
      undo.length = 0
    },
    rollBack() {
      for (const step of undo.toReversed()) step()
      undo.length = 0
    },
    replicate(upTo) {
      const kept = Math.min(unsafe.length, position - upTo)
      if (kept < unsafe.length) unsafe = kept === 0 ? [] : unsafe.slice(-kept)
    },
    failOver(keptShare) {
      const lost = unsafe.slice(Math.round(unsafe.length * keptShare))
      for (const steps of lost.toReversed()) for (const step of steps.toReversed()) step()
      unsafe = []
      position -= lost.length
      due = soonestOf(disk)
    },
    emit: () => void undo.push(() => undefined),
  }
}

function soonestOf({
  tasks,
  events,
  notifications,
}: Pick<Disk, 'tasks' | 'events' | 'notifications'>): number {
  let soonest = Number.POSITIVE_INFINITY
  for (const { task, due_at } of tasks.values()) if (task !== 'REVIEW') soonest = Math.min(soonest, due_at)
  for (const { state, due_at } of events.values())
    if (state === 'PENDING') soonest = Math.min(soonest, due_at ?? soonest)
  for (const { state, due_at } of notifications.values())
    if (state === 'PENDING') soonest = Math.min(soonest, due_at)
  return soonest
}

function createTable<Row>(name: string, undo: (() => void)[]): Table<Row> {
  const rows = new Map<string, Row>()
  const put = (key: string, row: Row): void => {
    const before = rows.get(key)
    undo.push(() => (before === undefined ? rows.delete(key) : rows.set(key, before)))
    rows.set(key, row)
  }
  return {
    get: (key) => rows.get(key),
    values: () => rows.values(),
    keys: () => rows.keys(),
    get size() {
      return rows.size
    },
    insert(key, row) {
      if (rows.has(key)) throw new Violation('23505', `${name} has ${key} already`)
      put(key, row)
    },
    put,
    delete(key) {
      const before = rows.get(key)
      if (before === undefined) return
      undo.push(() => rows.set(key, before))
      rows.delete(key)
    },
  }
}
