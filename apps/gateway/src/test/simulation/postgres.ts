import { createLog } from '@tollgate/runtime/log'
import { runSql, type TestLife, testDatabase } from '@tollgate/testkit'
import { type Database, openDatabase, type Statement, type Tx } from '../../platform/database.ts'
import type { Engine, EngineTx } from './engine.ts'
import { outside, type VirtualTime } from './time.ts'

// A real PostgreSQL as the database of a simulation. Its clock is the simulation's: functions of the same names stand before
// those of PostgreSQL, and read a table with one row.

const CLOCK = `create schema simulated;
create table simulated.moment (now timestamptz not null);
insert into simulated.moment values ('epoch');
${['now', 'clock_timestamp', 'statement_timestamp']
  .map(
    (name) =>
      `create function simulated.${name}() returns timestamptz volatile language sql as 'select now from simulated.moment';`,
  )
  .join('\n')}
do $$
declare
  it record;
begin
  for it in select table_name, column_name from information_schema.columns
    where table_schema = 'public' and column_default ~ '^(now|clock_timestamp)\\(\\)$'
  loop
    execute format('alter table public.%I alter column %I set default simulated.clock_timestamp()', it.table_name, it.column_name);
  end loop;
  execute format('alter database %I set search_path = simulated, pg_catalog, public', current_database());
end $$;`

const TABLES = [
  'payments, payment_timeline, payment_tasks, payment_personal_data, payment_external_references, payment_inquiries',
  'payment_daily_usage, callback_events, callback_attempts, rail_notifications, rail_forgeries',
  'ledger_transfers, ledger_postings, balances',
  'payout_approval_requests, payout_approvals, confirmations, confirmation_sums, confirmation_policies',
].join(', ')

/** The books cannot be emptied but by whoever switches their triggers off. */
const EMPTY = `set session_replication_role = replica; truncate ${TABLES} restart identity; reset session_replication_role`

const SET_CLOCK: Statement = {
  name: 'simulation_set_clock',
  text: 'update simulated.moment set now = to_timestamp($1::double precision / 1000)',
}
const NEXT_DUE: Statement = {
  name: 'simulation_next_due',
  text: `select extract(epoch from least(
      (select min(due_at) from payment_tasks where task <> 'REVIEW'),
      (select min(due_at) from callback_events where state = 'PENDING'),
      (select min(due_at) from rail_notifications where state = 'PENDING')))::float8 * 1000 as due_ms`,
}

/** A database of the test's own, for one simulation after the other. */
interface Postgres {
  /** Empties the tables, and gives what executes statements on the clock of a new world. */
  open(): Promise<(time: VirtualTime) => Engine>
}

export async function openPostgres(t: TestLife): Promise<Postgres> {
  const { url } = await testDatabase(t)
  await runSql(url, CLOCK)
  const db = openDatabase({
    url,
    poolMax: 4,
    log: createLog({ level: 'silent' }),
    applicationName: 'simulation',
  })
  t.after(() => db.close())
  return {
    async open() {
      await runSql(url, EMPTY)
      return (time) => engineOn(db, time)
    },
  }
}

function engineOn(db: Database, time: VirtualTime): Engine {
  let clockMs: number | undefined
  let dueMs = Number.POSITIVE_INFINITY
  const really = <Result>(work: () => Promise<Result>): Promise<Result> =>
    time.awaitReal(
      outside(async () => {
        if (clockMs !== time.nowMs()) {
          clockMs = time.nowMs()
          await db.rows(SET_CLOCK, [clockMs])
        }
        return work()
      }),
    )
  const look = async (): Promise<void> => {
    const [row] = await db.rows<{ due_ms: number | null }>(NEXT_DUE, [])
    dueMs = row?.due_ms ?? Number.POSITIVE_INFINITY
  }
  return {
    log: undefined,
    nextDueMs: () => dueMs,
    run: (statement, values) =>
      really(async () => {
        const rows = await db.rows<object>(statement, values)
        await look()
        return rows
      }),
    begin: () => really(() => begin(db, { really, look })),
  }
}

class RolledBack extends Error {
  override readonly name = 'RolledBack'
}

interface Doing {
  readonly really: <Result>(work: () => Promise<Result>) => Promise<Result>
  readonly look: () => Promise<void>
}

/** A transaction that others end: the function that the database runs waits for them. */
async function begin(db: Database, { really, look }: Doing): Promise<EngineTx> {
  const { promise: opened, resolve: open } = Promise.withResolvers<Tx>()
  const { promise: ended, resolve: commit, reject: rollBack } = Promise.withResolvers<undefined>()
  const over = db.transaction(async (tx) => {
    open(tx)
    await ended
  })
  // Whoever ends it hears of it.
  over.catch(() => undefined)
  const tx = await opened
  return {
    run: (statement, values) => really(() => tx.rows<object>(statement, values)),
    commit: () =>
      really(async () => {
        commit(undefined)
        await over
        await look()
      }),
    rollBack: () =>
      really(async () => {
        rollBack(new RolledBack())
        await over.catch(() => undefined)
      }),
  }
}
