import type { Statement, Tx } from '../../platform/database.ts'
import type { PaymentKey, PaymentKind } from '../payments/index.ts'
import type { RetentionClass } from './model.ts'

const FIND_CUTOFF: Statement = {
  name: 'retention_find_cutoff',
  text: `select (extract(epoch from statement_timestamp() - make_interval(days => $1)) * 1000000)::bigint::text as cutoff_us`,
}
const moment = (parameter: string): string =>
  `(timestamptz 'epoch' + ${parameter}::bigint * interval '1 microsecond')`
const UPDATE_HORIZON: Statement = {
  name: 'retention_update_horizon',
  text: `insert into retention_horizons as h (class, removed_until) values ($2, ${moment('$1')})
    on conflict (class) do update set removed_until = greatest(h.removed_until, excluded.removed_until)`,
}
const FIND_HORIZON: Statement = {
  name: 'retention_find_horizon',
  text: 'select removed_until from retention_horizons where class = $1',
}

/** So many days ago by the database's clock, in microseconds since 1970. */
export async function findCutoffUs(tx: Tx, days: number): Promise<string> {
  const [row] = await tx.rows<{ cutoff_us: string }>(FIND_CUTOFF, [days])
  if (row === undefined) throw new Error('the database did not say what time it is')
  return row.cutoff_us
}

/** Notes, before anything is removed, that what is older than the cutoff may be gone. */
export async function updateHorizon(tx: Tx, retentionClass: RetentionClass, cutoffUs: string): Promise<void> {
  await tx.rows(UPDATE_HORIZON, [cutoffUs, retentionClass])
}

/** What is older may have been removed; undefined when nothing of the class ever was. */
export async function findHorizon(tx: Tx, retentionClass: RetentionClass): Promise<Date | undefined> {
  const [row] = await tx.rows<{ removed_until: Date }>(FIND_HORIZON, [retentionClass])
  return row?.removed_until
}

const SAME_PAYMENT = (one: string, other: string): string =>
  `${one}.merchant_id = ${other}.merchant_id and ${one}.kind = ${other}.kind and ${one}.id_payment = ${other}.id_payment`
/** Payments `p` with which nobody has anything to do any more: no worker, and no person who reviews them. */
const AT_REST = `p.status <> 'CREATED' and p.processor_status <> 'IN_REVIEW'
        and not exists (select 1 from payment_tasks t where ${SAME_PAYMENT('t', 'p')})`

/** What of a class is over. In all of it, $1 is the cutoff in microseconds since 1970. */
interface Over {
  readonly from: string
  readonly where: string
  /** Since when a row has been done with. */
  readonly doneAt: string
}

/** Only what has ended is called back, so it is enough that nothing is left to do for the payment. */
const DELIVERIES: Over = {
  from: 'callback_events e',
  where: `e.created_at < ${moment('$1')} and e.state <> 'PENDING' and e.done_at < ${moment('$1')}
        and not exists (select 1 from payment_tasks t
          where t.merchant_id = e.merchant_id and t.kind = e.kind and t.id_payment = e.id_entity)`,
  doneAt: 'e.done_at',
}
/** Operators' words are kept for ever, and with them the answers that they rest on. */
const INQUIRIES: Over = {
  from: `payment_inquiries i join payments p on ${SAME_PAYMENT('p', 'i')}`,
  where: `i.question <> 'OPERATOR' and i.asked_at < ${moment('$1')} and i.last_answered_at < ${moment('$1')} and ${AT_REST}
        and not exists (select 1 from payment_inquiries d where ${SAME_PAYMENT('d', 'i')} and d.question = 'OPERATOR')`,
  doneAt: 'i.last_answered_at',
}
/** The time begins with the last change of the payment. Money that waits for a decision may have to go back to the payer. */
const PERSONAL_DATA: Over = {
  from: `payments p join payment_timeline l on ${SAME_PAYMENT('l', 'p')} and l.entry_no = p.timeline_count`,
  where: `l.happened_at < ${moment('$1')} and ${AT_REST}
        and exists (select 1 from payment_personal_data d
          where ${SAME_PAYMENT('d', 'p')} and d.sealed is not null and d.collected_at < ${moment('$1')})
        and not exists (select 1 from statement_lines s where ${SAME_PAYMENT('s', 'p')} and s.open_amount > 0)`,
  doneAt: 'l.happened_at',
}

/**
 * The rows that come next in an index: after $2, before the cutoff, at most $3 and those of one moment with the last of them.
 * What is over is sought among these alone, so that a statement never reads further than that.
 */
const next = (columns: string, at: string, rows: string): string => `next as materialized (
      select ${columns}, ${at} as at from ${rows} ${at} > ${moment('$2')} and ${at} < ${moment('$1')}
      order by ${at} fetch first $3 rows with ties)`
const LOOKED_AT = `(select count(*) from next)::int as looked_at,
      (select (extract(epoch from max(at)) * 1000000)::bigint::text from next) as last_us`

/** What another worker or a resend has its hands on is passed over. A callback goes together with its attempts. */
const DELETE_DELIVERIES: Statement = {
  name: 'retention_delete_deliveries',
  text: `with ${next('event_id', 'created_at', 'callback_events where')},
    gone as materialized (
      select e.event_id from ${DELIVERIES.from}
      where e.event_id = any (array(select event_id from next)) and ${DELIVERIES.where} for update of e skip locked),
    attempts as (delete from callback_attempts where event_id = any (array(select event_id from gone))),
    events as (delete from callback_events where event_id = any (array(select event_id from gone)) returning 1)
    select ${LOOKED_AT}, (select count(*) from events)::int as removed`,
}
const DELETE_INQUIRIES: Statement = {
  name: 'retention_delete_inquiries',
  text: `with ${next('merchant_id, kind, id_payment, inquiry_id', 'asked_at', `payment_inquiries where question <> 'OPERATOR' and`)},
    gone as materialized (
      select i.merchant_id, i.kind, i.id_payment, i.inquiry_id from next n, ${INQUIRIES.from}
      where ${SAME_PAYMENT('i', 'n')} and i.inquiry_id = n.inquiry_id and ${INQUIRIES.where} for update of i skip locked),
    inquiries as (
      delete from payment_inquiries i using gone g where ${SAME_PAYMENT('i', 'g')} and i.inquiry_id = g.inquiry_id returning 1)
    select ${LOOKED_AT}, (select count(*) from inquiries)::int as removed`,
}
/** Locked in the order of everyone else. */
const LOCK_PAYMENTS: Statement = {
  name: 'retention_lock_payments',
  text: `with ${next('merchant_id, kind, id_payment', 'collected_at', 'payment_personal_data where sealed is not null and')},
    gone as materialized (
      select p.merchant_id, p.kind, p.id_payment from ${PERSONAL_DATA.from}
      where (p.merchant_id, p.kind, p.id_payment) in (select merchant_id, kind, id_payment from next) and ${PERSONAL_DATA.where}
      order by p.merchant_id, p.kind, p.id_payment for update of p skip locked)
    select ${LOOKED_AT}, gone.* from (values (1)) one left join gone on true`,
}
/** Asked under the lock: another worker may have erased a payment between the look and the lock. */
const LIST_LOCKED: Statement = {
  name: 'retention_list_locked',
  text: `select p.merchant_id, p.kind, p.id_payment from ${PERSONAL_DATA.from}
    where (p.merchant_id, p.kind, p.id_payment) in (select * from unnest($2::bigint[], $3::text[], $4::text[])) and ${PERSONAL_DATA.where}`,
}

/** Which rows a statement looks at. */
export interface Look {
  /** What is older goes. Both in microseconds since 1970. */
  readonly cutoffUs: string
  /** Where the statement before has left off. */
  readonly afterUs: string
  readonly rowsMax: number
}

/** What a statement looked at: how many rows, up to when. Fewer than it might: there are no more. */
export interface Looked {
  readonly lookedAt: number
  readonly lastUs: string | undefined
}

interface LookedRow {
  readonly looked_at: number
  readonly last_us: string | null
}

const valuesOf = ({ cutoffUs, afterUs, rowsMax }: Look): readonly unknown[] => [cutoffUs, afterUs, rowsMax]

const toLooked = (row: LookedRow | undefined): Looked => ({
  lookedAt: row?.looked_at ?? 0,
  lastUs: row?.last_us ?? undefined,
})

async function remove(
  tx: Tx,
  statement: Statement,
  look: Look,
): Promise<Looked & { readonly removed: number }> {
  const [row] = await tx.rows<LookedRow & { readonly removed: number }>(statement, valuesOf(look))
  return { ...toLooked(row), removed: row?.removed ?? 0 }
}

/** Removes callbacks that are over, with their attempts; `removed` counts callbacks. */
export function deleteDeliveries(tx: Tx, look: Look): ReturnType<typeof remove> {
  return remove(tx, DELETE_DELIVERIES, look)
}

/** Removes answers of institutions about payments at rest about which no operator has decided. */
export function deleteInquiries(tx: Tx, look: Look): ReturnType<typeof remove> {
  return remove(tx, DELETE_INQUIRIES, look)
}

interface KeyRow {
  readonly merchant_id: string
  readonly kind: PaymentKind
  readonly id_payment: string
}
type LockedRow = LookedRow & (KeyRow | { readonly id_payment: null })

/** Payments whose personal data is to be erased, locked until the transaction ends. */
export async function listPaymentsForUpdate(
  tx: Tx,
  look: Look,
): Promise<Looked & { readonly payments: readonly PaymentKey[] }> {
  const rows = await tx.rows<LockedRow>(LOCK_PAYMENTS, valuesOf(look))
  const locked = rows.filter((row) => row.id_payment !== null)
  const values = [
    look.cutoffUs,
    locked.map((row) => row.merchant_id),
    locked.map((row) => row.kind),
    locked.map((row) => row.id_payment),
  ]
  const payments = locked.length === 0 ? [] : await tx.rows<KeyRow>(LIST_LOCKED, values)
  return {
    ...toLooked(rows[0]),
    payments: payments.map((row) => ({
      merchantId: row.merchant_id,
      kind: row.kind,
      idPayment: row.id_payment,
    })),
  }
}

const countStatement = (name: string, { from, where, doneAt }: Over): Statement => ({
  name: `retention_find_${name}_over`,
  text: `select count(*)::float8 as over, min(${doneAt}) as oldest_at from ${from} where ${where}`,
})
const COUNTS: Readonly<Record<RetentionClass, Statement>> = {
  DELIVERIES: countStatement('deliveries', DELIVERIES),
  INQUIRIES: countStatement('inquiries', INQUIRIES),
  PERSONAL_DATA: countStatement('personal_data', PERSONAL_DATA),
}

/** How much of a class is over, and since when the oldest. Reads all of that: for people, not for a loop. */
export async function findOver(
  tx: Tx,
  retentionClass: RetentionClass,
  cutoffUs: string,
): Promise<{ readonly over: number; readonly oldestAt: Date | undefined }> {
  const [row] = await tx.rows<{ over: number; oldest_at: Date | null }>(COUNTS[retentionClass], [cutoffUs])
  return { over: row?.over ?? 0, oldestAt: row?.oldest_at ?? undefined }
}
