import type { Statement, Tx } from '../../platform/database.ts'
import { moment } from '../../platform/expiry.ts'
import type { RetentionClass } from './model.ts'

const FIND_CUTOFF: Statement = {
  name: 'retention_find_cutoff',
  text: `select (extract(epoch from statement_timestamp() - make_interval(days => $1)) * 1000000)::bigint::text as cutoff_us`,
}
const UPDATE_HORIZON: Statement = {
  name: 'retention_update_horizon',
  text: `insert into retention_horizons as h (class, removed_until) values ($2, ${moment('$1')})
    on conflict (class) do update set removed_until = greatest(h.removed_until, excluded.removed_until)`,
}
const LIST_HORIZONS: Statement = {
  name: 'retention_list_horizons',
  text: 'select class, removed_until::text as "removedUntil" from retention_horizons',
}
const RAISE_HORIZONS: Statement = {
  name: 'retention_raise_horizons',
  text: `insert into retention_horizons as h (class, removed_until) select c, u from unnest($1::text[], $2::timestamptz[]) as r(c, u)
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

/** Notes that what is older than another database's horizons may be gone here, too: rows came from there. */
export async function raiseHorizons(from: Tx, into: Tx): Promise<void> {
  const horizons = await from.rows<{ class: string; removedUntil: string }>(LIST_HORIZONS, [])
  await into.rows(RAISE_HORIZONS, [
    horizons.map((horizon) => horizon.class),
    horizons.map(({ removedUntil }) => removedUntil),
  ])
}
