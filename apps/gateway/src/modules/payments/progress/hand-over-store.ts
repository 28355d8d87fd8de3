import type { Statement, Tx } from '../../../platform/database.ts'
import { type PaymentKey, type PaymentKind, STOP_REASONS, textOf } from '../model.ts'
import { keyArrays, toKey } from '../rows.ts'
import type { Task } from './task-store.ts'

/** Why the gateway does not hand a payment over. */
export type Stop = keyof typeof STOP_REASONS

/** CONTENT_NEEDED: people had to approve the payment, and it was not said what is in it now. */
const CONTENT_NEEDED = 'CONTENT_NEEDED'

/** The sentence of a stop, where `stop` is a column. */
const REASON = `case stop ${Object.entries(STOP_REASONS)
  .map(([stop, reason]) => `when '${stop}' then '${reason}'`)
  .join(' ')} end`
/**
 * The row is locked first, and then the switches are looked at: a statement that waits for the lock would otherwise see
 * them as they were before. Who lost the lease, or comes second, finds nothing.
 */
const judged = (isOpen: string): string => `leased as (
      select merchant_id, kind, id_payment from payment_tasks
      where merchant_id = $1 and kind = $2 and id_payment = $3 and task = 'RAIL' and lease_token = $4),
    locked as materialized (
      select p.merchant_id, p.kind, p.id_payment, p.processor_status as phase, p.timeline_count, p.beneficiary_digest
      from payments p join leased l on p.merchant_id = l.merchant_id and p.kind = l.kind and p.id_payment = l.id_payment
      where p.status = 'CREATED' and ${isOpen} for update of p),
    judged as materialized (
      select k.*, outgoing_stop(k.merchant_id, k.kind, k.id_payment, k.beneficiary_digest, $6::bytea) as stop from locked k)`
const UPDATE_SUBMITTED: Statement = {
  name: 'payments_update_submitted',
  text: `with ${judged(`p.processor_status = 'QUEUED' and p.submitted_at is null`)},
    moved as (
      update payments p set submitted_at = case when j.stop is null then clock_timestamp() end, timeline_count = j.timeline_count + 1,
        processor_status = case when j.stop is null then 'SUBMITTED' else 'ON_HOLD' end
      from judged j where p.merchant_id = j.merchant_id and p.kind = j.kind and p.id_payment = j.id_payment
        and j.stop is distinct from '${CONTENT_NEEDED}'
      returning p.merchant_id, p.kind, p.id_payment, p.timeline_count, p.status, p.processor_status, j.phase, j.stop),
    timeline as (
      insert into payment_timeline (merchant_id, kind, id_payment, entry_no, status, processor_status, actor, reason)
      select merchant_id, kind, id_payment, timeline_count, status, processor_status, $5, ${REASON} from moved),
    held as (
      insert into payment_holds (merchant_id, kind, id_payment, entry_no, event, cause, phase, reason)
      select merchant_id, kind, id_payment, timeline_count, 'HELD', stop, phase, ${REASON} from moved where stop is not null),
    review as (
      insert into payment_tasks (merchant_id, kind, id_payment, task, due_at)
      select merchant_id, kind, id_payment, 'REVIEW', clock_timestamp() from moved where stop is not null
      on conflict (merchant_id, kind, id_payment, task) do nothing),
    done as (
      delete from payment_tasks t using moved m where t.merchant_id = m.merchant_id and t.kind = m.kind and t.id_payment = m.id_payment
        and t.task = case when m.stop is null then 'EXPIRE' else 'RAIL' end)
    select stop from judged`,
}
/** What the institution ever answered about the payment, but that it does not know, says that it had it. */
const UPDATE_SUBMITTED_AGAIN: Statement = {
  name: 'payments_update_submitted_again',
  text: `with ${judged(`p.processor_status in ('SUBMITTED', 'UNKNOWN') and p.submitted_at < clock_timestamp() - make_interval(secs => $7)
        and not exists (select from payment_inquiries i where i.merchant_id = p.merchant_id and i.kind = p.kind
          and i.id_payment = p.id_payment and i.question <> 'OPERATOR' and i.answer <> 'UNKNOWN')`)},
    moved as (
      update payments p set submitted_at = clock_timestamp(), timeline_count = j.timeline_count + 1, processor_status = 'SUBMITTED'
      from judged j where p.merchant_id = j.merchant_id and p.kind = j.kind and p.id_payment = j.id_payment and j.stop is null
      returning p.merchant_id, p.kind, p.id_payment, p.timeline_count, p.status, p.processor_status),
    timeline as (
      insert into payment_timeline (merchant_id, kind, id_payment, entry_no, status, processor_status, actor, reason)
      select merchant_id, kind, id_payment, timeline_count, status, processor_status, $5,
        'handed over again: the institution proved that it has nothing' from moved)
    select stop from judged`,
}
const LIST_STOPS: Statement = {
  name: 'payments_list_stops',
  text: `select p.merchant_id, p.kind, p.id_payment,
      outgoing_stop(p.merchant_id, p.kind, p.id_payment, p.beneficiary_digest, k.content) as stop
    from payments p join unnest($1::bigint[], $2::text[], $3::text[], $4::bytea[]) as k(merchant_id, kind, id_payment, content)
      on p.merchant_id = k.merchant_id and p.kind = k.kind and p.id_payment = k.id_payment`,
}

/** What became of the attempt to note a hand-over. */
export type Noted =
  /** The caller, and nobody else, may hand it over. */
  | 'SUBMITTED'
  /** It is on hold now, and people see why. */
  | 'STOPPED'
  /** Nothing was noted: it takes the hash of its content, read under the lock of the payment. */
  | typeof CONTENT_NEEDED
  /** The lease is lost, or the payment is not there to be handed over. */
  | 'NOT_DUE'

/**
 * Notes, before an institution hears of the payment, that it is being handed over; or stops it, when it must not be. Both
 * are one statement with the look at block-list, merchant and approvals: what was switched before it is obeyed. The lease
 * is the fence. From then on nothing but the institution's word ends the payment, so its expiry is taken away.
 */
export async function updateSubmitted(
  tx: Tx,
  task: Task,
  note: { readonly actor: string; readonly contentHash?: Buffer },
): Promise<Noted> {
  const { merchantId, kind, idPayment, leaseToken } = task
  const values = [merchantId, kind, idPayment, leaseToken, note.actor, note.contentHash ?? null]
  return notedBy(await tx.rows<SubmittedRow>(UPDATE_SUBMITTED, values))
}

/**
 * Notes that a payment is handed over once more, under the same reference, after the institution proved that it has
 * nothing of it. Nothing is noted within so many seconds of the last time, since what was sent then may still be on its way;
 * of a payment that the institution has ever known; of one that people have; and of what must not be paid any more: STOPPED
 * leaves all as it is, because the institution may get it yet.
 */
export async function updateSubmittedAgain(
  tx: Tx,
  task: Task,
  note: { readonly actor: string; readonly afterSeconds: number; readonly contentHash?: Buffer },
): Promise<Noted> {
  const { merchantId, kind, idPayment, leaseToken } = task
  const { actor, contentHash, afterSeconds } = note
  const values = [merchantId, kind, idPayment, leaseToken, actor, contentHash ?? null, afterSeconds]
  return notedBy(await tx.rows<SubmittedRow>(UPDATE_SUBMITTED_AGAIN, values))
}

interface SubmittedRow {
  readonly stop: Stop | typeof CONTENT_NEEDED | null
}

function notedBy([row]: readonly SubmittedRow[]): Noted {
  if (row === undefined) return 'NOT_DUE'
  if (row.stop === null) return 'SUBMITTED'
  return row.stop === CONTENT_NEEDED ? CONTENT_NEEDED : 'STOPPED'
}

interface StopRow {
  readonly merchant_id: string
  readonly kind: PaymentKind
  readonly id_payment: string
  readonly stop: Stop | null
}

/**
 * What speaks against handing over payments that the caller has locked, each with the hash of its content as it is: by their
 * keys as texts. What is switched afterwards waits until the transaction ends.
 */
export async function findStops(
  tx: Tx,
  payments: readonly (PaymentKey & { readonly contentHash: Buffer })[],
): Promise<ReadonlyMap<string, Stop>> {
  if (payments.length === 0) return new Map()
  const hashes = payments.map(({ contentHash }) => contentHash)
  const rows = await tx.rows<StopRow>(LIST_STOPS, [...keyArrays(payments), hashes])
  return new Map(rows.flatMap((row) => (row.stop === null ? [] : [[textOf(toKey(row)), row.stop] as const])))
}
