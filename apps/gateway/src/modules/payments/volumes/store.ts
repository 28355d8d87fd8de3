import { type Amount, parsePlainAmount } from '@tollgate/money'
import type { Statement, Tx } from '../../../platform/database.ts'
import type { PaymentKind } from '../model.ts'

/** What payments of an hour or a day came to. LATE: success after another end. */
export type Entered = 'CREATED' | 'SUCCESS' | 'LATE' | 'FAILED' | 'CANCELLED' | 'EXPIRED' | 'REVERSED'
export type Step = 'HOUR' | 'DAY'

/**
 * Every change of status in the timeline that fulfils a condition on `l`, and both steps it counts in. Entries of the same
 * status are changes of phase.
 */
export const changesWhere = (condition: string): string => `
  select step, date_trunc(step, happened_at, 'UTC') as begins_at, merchant_id, kind, method_code, currency_code, entered,
    count(*) as payments, sum(amount) as amount
  from (
    select unnest(array['HOUR', 'DAY']) as step, l.happened_at, p.merchant_id, p.kind, p.method_code, p.currency_code, p.amount,
      case when l.status = 'SUCCESS' and b.status <> 'CREATED' then 'LATE' else l.status end as entered
    from payment_timeline l
      join payments p on p.merchant_id = l.merchant_id and p.kind = l.kind and p.id_payment = l.id_payment
      left join payment_timeline b on b.merchant_id = l.merchant_id and b.kind = l.kind and b.id_payment = l.id_payment
        and b.entry_no = l.entry_no - 1
    where ${condition} and (l.entry_no = 1 or l.status <> 'CREATED') and b.status is distinct from l.status) c
  group by 1, 2, 3, 4, 5, 6, 7`

const IN_SPAN = changesWhere('l.happened_at >= $1 and l.happened_at < $2')
/** What fits of `counted`, added to the volumes of each merchant. */
const ADD_MERCHANTS = `insert into payment_volumes as v (step, begins_at, merchant_id, kind, method_code, currency_code, entered, payments, amount)
    select * from counted
    on conflict (step, begins_at, merchant_id, kind, method_code, currency_code, entered)
      do update set payments = v.payments + excluded.payments, amount = v.amount + excluded.amount`
/** The same, added to the volumes of all merchants together. */
const ADD_HOUSE = `insert into payment_house_volumes as v (step, begins_at, kind, method_code, currency_code, entered, payments, amount)
    select step, begins_at, kind, method_code, currency_code, entered, sum(payments), sum(amount) from counted group by 1, 2, 3, 4, 5, 6
    on conflict (step, begins_at, kind, method_code, currency_code, entered)
      do update set payments = v.payments + excluded.payments, amount = v.amount + excluded.amount`

const COUNT: Statement = {
  name: 'volumes_count',
  text: `with counted as materialized (${IN_SPAN}),
    house as (${ADD_HOUSE})
    ${ADD_MERCHANTS}`,
}
const COUNT_HOUSE: Statement = {
  name: 'volumes_count_house',
  text: `with counted as materialized (${IN_SPAN}) ${ADD_HOUSE}`,
}
const LOCK_MARK: Statement = {
  name: 'volumes_lock_mark',
  text: `select counted_until, house_counted_until, date_trunc('day', clock_timestamp(), 'UTC') as today, counted_until > clock_timestamp() as is_ahead
    from payment_volume_marks for update skip locked`,
}
const SET_MARK: Statement = {
  name: 'volumes_set_mark',
  text: 'update payment_volume_marks set counted_until = $1, house_counted_until = $1',
}
const SET_HOUSE_MARK: Statement = {
  name: 'volumes_set_house_mark',
  text: 'update payment_volume_marks set house_counted_until = $1',
}
const SET_MARK_BACK: Statement = {
  name: 'volumes_set_mark_back',
  text: `update payment_volume_marks set counted_until = least(counted_until, $1), house_counted_until = least(house_counted_until, $1)
    returning counted_until`,
}
const FORGET: Statement = {
  name: 'volumes_forget',
  text: `with house as (delete from payment_house_volumes where begins_at >= $1) delete from payment_volumes where begins_at >= $1`,
}
const FORGET_HOUSE: Statement = {
  name: 'volumes_forget_house',
  text: `with mark as (
      update payment_volume_marks set house_counted_until = date_trunc('day', counted_until, 'UTC') returning house_counted_until as day)
    delete from payment_house_volumes using mark where begins_at >= day`,
}
/** Leaves no row of the house that counts nothing: counted anew, there would be none. */
const FORGET_MERCHANT: Statement = {
  name: 'volumes_forget_merchant',
  text: `with gone as (delete from payment_volumes where merchant_id = $1 returning *),
    of_house as (select step, begins_at, kind, method_code, currency_code, entered, sum(payments) as payments, sum(amount) as amount
      from gone group by 1, 2, 3, 4, 5, 6)
    update payment_house_volumes h set payments = h.payments - g.payments, amount = h.amount - g.amount from of_house g
    where (h.step, h.begins_at, h.kind, h.method_code, h.currency_code, h.entered)
      = (g.step, g.begins_at, g.kind, g.method_code, g.currency_code, g.entered)`,
}
const COUNT_MERCHANT: Statement = {
  name: 'volumes_count_merchant',
  text: `with counted as materialized (${changesWhere('l.merchant_id = $1 and l.happened_at < (select counted_until from payment_volume_marks)')}),
    house as (${ADD_HOUSE}), merchants as (${ADD_MERCHANTS})
    select 1`,
}
const FORGET_NOTHING: Statement = {
  name: 'volumes_forget_nothing',
  text: 'delete from payment_house_volumes where payments = 0',
}
/** The server knows nothing yet of rows that this transaction wrote, takes them for few, and would hold each against every other one. */
const NEST_LOOPS: Statement = {
  name: 'volumes_nest_loops',
  text: `select set_config('enable_nestloop', $1, true)`,
}
const LOCK_MARK_FOR_MERCHANT: Statement = {
  name: 'volumes_lock_mark_for_merchant',
  text: 'select 1 from payment_volume_marks for update',
}
const FIND_MARK: Statement = {
  name: 'volumes_find_mark',
  text: 'select least(counted_until, house_counted_until) as counted_until from payment_volume_marks',
}
/**
 * Who writes to the timeline keeps its table locked until they commit, so who is not among these wrote nothing before `now` that is
 * unseen. That is why `now` is the time at which the statement began: by its end, somebody may have begun after the locks were read.
 */
const FIND_WRITERS: Statement = {
  name: 'volumes_find_writers',
  text: `select statement_timestamp() as now, coalesce(array_agg(distinct k.virtualtransaction) filter (where k.virtualtransaction is not null), '{}') as writers
    from (values (1)) one left join pg_locks k on k.locktype = 'relation' and k.relation = 'payment_timeline'::regclass
      and k.database = (select oid from pg_database where datname = current_database())
      and k.mode not in ('AccessShareLock', 'RowShareLock') and k.pid is distinct from pg_backend_pid()`,
}

/** Who is writing to the timeline, and the time by the database's clock. */
interface Writers {
  readonly now: Date
  readonly writers: readonly string[]
}

export async function findWriters(tx: Tx): Promise<Writers> {
  const [found] = await tx.rows<Writers>(FIND_WRITERS, [])
  if (found === undefined) throw new Error('the database did not say who writes')
  return found
}

/** Up to when the timeline is counted. */
export interface Mark {
  readonly countedUntil: Date
  /** The same of all merchants together: earlier or later only where a process of an earlier version has counted. */
  readonly houseCountedUntil: Date
  /** The beginning of the day that it is by the database's clock. */
  readonly today: Date
  /** The clock went back: what happens now happens before the mark. */
  readonly isAhead: boolean
}

/** Makes this transaction the only one that counts; undefined when another one does. */
export async function lockMark(tx: Tx): Promise<Mark | undefined> {
  const [row] = await tx.rows<{
    readonly counted_until: Date
    readonly house_counted_until: Date
    readonly today: Date
    readonly is_ahead: boolean
  }>(LOCK_MARK, [])
  return (
    row && {
      countedUntil: row.counted_until,
      houseCountedUntil: row.house_counted_until,
      today: row.today,
      isAhead: row.is_ahead,
    }
  )
}

/** Adds what happened in the span to the volumes, and moves the mark to its end. */
export async function countSpan(tx: Tx, from: Date, to: Date): Promise<void> {
  await tx.rows(COUNT, [from, to])
  await tx.rows(SET_MARK, [to])
}

/** Adds what happened in the span to the volumes of all merchants together, where those of each have it. */
export async function countHouseSpan(tx: Tx, from: Date, to: Date): Promise<void> {
  await tx.rows(COUNT_HOUSE, [from, to])
  await tx.rows(SET_HOUSE_MARK, [to])
}

/** Takes back what was counted of all merchants together since the beginning of the day up to which each of them is counted. */
export async function forgetHouse(tx: Tx): Promise<void> {
  await tx.rows(FORGET_HOUSE, [])
}

/** Takes back what was counted since the beginning of a day in UTC, so that it is counted again; gives up to when it is counted. */
export async function recountVolumes(tx: Tx, day: Date): Promise<Date> {
  const countedUntil = markIn(await tx.rows(SET_MARK_BACK, [day]))
  await tx.rows(FORGET, [day])
  return countedUntil
}

/** Counts all of a merchant anew, up to where the others are counted: its history came from another database. */
export async function recountMerchant(tx: Tx, merchantId: string): Promise<void> {
  await tx.rows(LOCK_MARK_FOR_MERCHANT, [])
  await tx.rows(FORGET_MERCHANT, [merchantId])
  await tx.rows(NEST_LOOPS, ['off'])
  await tx.rows(COUNT_MERCHANT, [merchantId])
  await tx.rows(NEST_LOOPS, ['on'])
  await tx.rows(FORGET_NOTHING, [])
}

/** Up to when everything is counted. */
export const findCountedUntil = async (tx: Tx): Promise<Date> => markIn(await tx.rows(FIND_MARK, []))

function markIn([row]: readonly { readonly counted_until: Date }[]): Date {
  if (row === undefined) throw new Error('payment_volume_marks has no row')
  return row.counted_until
}

/** What volumes are asked for by; what is undefined is added up. */
export interface VolumeSearch {
  readonly step: Step
  readonly from: Date
  /** Not included. */
  readonly to: Date
  readonly by: 'MERCHANT' | 'METHOD' | undefined
  readonly merchantId: string | undefined
  readonly kind: PaymentKind | undefined
  readonly currencyCode: string | undefined
  readonly methodCode: string | undefined
  readonly limit: number
}

/** Payments that came to one status in one step. */
export interface Volume {
  readonly beginsAt: Date
  readonly kind: string
  readonly currencyCode: string
  readonly merchantId: string | undefined
  readonly methodCode: string | undefined
  readonly entered: Entered
  readonly payments: number
  readonly amount: Amount
}

const LIST: Statement = {
  name: 'volumes_list',
  text: `select begins_at, kind, currency_code, case when $4 = 'MERCHANT' then merchant_id::text end as merchant_id,
      case when $4 = 'METHOD' then method_code end as method_code, entered, sum(payments)::float8 as payments, sum(amount)::text as amount
    from payment_volumes
    where step = $1 and begins_at >= $2 and begins_at < $3 and ($5::text is null or kind = $5) and ($6::text is null or currency_code = $6)
      and ($7::text is null or method_code = $7) and ($9::bigint is null or merchant_id = $9)
    group by 1, 2, 3, 4, 5, 6 order by 1, 2, 3, 4, 5, 6 limit $8`,
}
const LIST_HOUSE: Statement = {
  name: 'volumes_list_house',
  text: `select begins_at, kind, currency_code, null as merchant_id, case when $4 = 'METHOD' then method_code end as method_code, entered,
      sum(payments)::float8 as payments, sum(amount)::text as amount
    from payment_house_volumes
    where step = $1 and begins_at >= $2 and begins_at < $3 and ($5::text is null or kind = $5) and ($6::text is null or currency_code = $6)
      and ($7::text is null or method_code = $7)
    group by 1, 2, 3, 4, 5, 6 order by 1, 2, 3, 4, 5, 6 limit $8`,
}

interface VolumeRow {
  readonly begins_at: Date
  readonly kind: string
  readonly currency_code: string
  readonly merchant_id: string | null
  readonly method_code: string | null
  readonly entered: Entered
  readonly payments: number
  readonly amount: string
}

/** The earliest first. */
export async function listVolumes(tx: Tx, search: VolumeSearch): Promise<readonly Volume[]> {
  const { step, from, to, by, merchantId, kind, currencyCode, methodCode, limit } = search
  const values = [step, from, to, by ?? null, kind ?? null, currencyCode ?? null, methodCode ?? null, limit]
  const isOfMerchants = merchantId !== undefined || by === 'MERCHANT'
  const rows = isOfMerchants
    ? await tx.rows<VolumeRow>(LIST, [...values, merchantId ?? null])
    : await tx.rows<VolumeRow>(LIST_HOUSE, values)
  return rows.map((row) => ({
    beginsAt: row.begins_at,
    kind: row.kind,
    currencyCode: row.currency_code,
    merchantId: row.merchant_id ?? undefined,
    methodCode: row.method_code ?? undefined,
    entered: row.entered,
    payments: row.payments,
    amount: parsePlainAmount(row.amount),
  }))
}
