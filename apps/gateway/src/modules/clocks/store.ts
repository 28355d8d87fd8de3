import type { Statement, Tx } from '../../platform/database.ts'
import type { Advance } from './model.ts'

/** Told of every advance. Only a hint. */
export const CLOCK_CHANNEL = 'tollgate_clocks'

const LOCK: Statement = {
  name: 'clocks_lock',
  text: `select pg_advisory_xact_lock(hashtext('clocks'), hashtext($1))`,
}
const INSERT: Statement = {
  name: 'clocks_insert_advance',
  text: `with before as (
      select coalesce(max(advance_no), 0) as advance_no, coalesce(max(total_seconds), 0) as seconds from clock_advances where merchant_id = $1),
    added as (
      insert into clock_advances (merchant_id, advance_no, seconds, total_seconds, advanced_by)
      select $1::bigint, advance_no + 1, $2::integer, seconds + $2::integer, $3 from before
      returning total_seconds, advanced_at)
    select pg_notify('${CLOCK_CHANNEL}', ''),
      ((advanced_at + make_interval(secs => before.seconds)) at time zone 'UTC')::date
        <> ((advanced_at + make_interval(secs => total_seconds)) at time zone 'UTC')::date as is_new_day
    from added, before`,
}
const LIST: Statement = {
  name: 'clocks_list_advances',
  text: `select seconds, advanced_by as "advancedBy", advanced_at as "advancedAt" from clock_advances where merchant_id = $1
    order by advance_no desc limit $2`,
}
const FIND: Statement = {
  name: 'clocks_find',
  text: `select total_seconds::float8 as seconds, clock_timestamp() + make_interval(secs => total_seconds) as now
    from (select coalesce(max(total_seconds), 0) as total_seconds from clock_advances where merchant_id = $1) c`,
}
/** Of advances of one merchant, the second waits until the first is done. */
export async function lockClock(tx: Tx, merchantId: string): Promise<void> {
  await tx.rows(LOCK, [merchantId])
}

/** Notes an advance; whether another day has begun by it. */
export async function insertAdvance(
  tx: Tx,
  { merchantId, seconds, operatorCode }: NewAdvance,
): Promise<{ readonly isNewDay: boolean }> {
  const [row] = await tx.rows<{ is_new_day: boolean }>(INSERT, [merchantId, seconds, operatorCode])
  if (row === undefined) throw new Error('an advance was not noted')
  return { isNewDay: row.is_new_day }
}

/** An advance that somebody asks for. */
export interface NewAdvance {
  readonly merchantId: string
  readonly seconds: number
  readonly operatorCode: string
}

/** The latest first. */
export const listAdvances = (tx: Tx, merchantId: string, limit: number): Promise<readonly Advance[]> =>
  tx.rows<Advance>(LIST, [merchantId, limit])

/** All that the clock was advanced by, and what time it is by it. */
export async function findClock(
  tx: Tx,
  merchantId: string,
): Promise<{ readonly seconds: number; readonly now: Date }> {
  const [row] = await tx.rows<{ seconds: number; now: Date }>(FIND, [merchantId])
  if (row === undefined) throw new Error('the database has no time')
  return row
}
