import { setTimeout as sleep } from 'node:timers/promises'
import { startGateway, startWorker } from '../../rig/gateway.ts'
import { type Sql, sqlNumber } from '../../rig/sql.ts'
import { figure, type Row, terminalTable } from '../../rig/table.ts'
import type { Bench } from '../bench.ts'
import { planFor } from '../bench.ts'
import { runLoad } from '../load/drive.ts'
import type { LoadPlan } from '../load/plan.ts'
import { untilChained } from '../setup/chained.ts'

/** What a statement costs, per payment. */
interface StatementCost {
  /** By which the gateway prepared it, or its beginning. */
  readonly name: string
  readonly calls: number
  readonly rows: number
  /** Of execution and planning, waits included. */
  readonly microseconds: number
  readonly walBytes: number
  readonly fullPages: number
}

/** What happens in a table, per payment. */
interface TableCost {
  readonly name: string
  readonly inserted: number
  readonly updated: number
  readonly hot: number
  readonly deleted: number
  /** Lookups by its indexes. */
  readonly indexScans: number
  readonly indexes: number
  /** Entries that were written into its indexes: of each new version of a row that is not HOT, one in each. */
  readonly indexEntries: number
}

export interface LifeProfile {
  readonly payments: number
  readonly walBytes: number
  readonly fullPageBytes: number
  readonly statements: readonly StatementCost[]
  readonly tables: readonly TableCost[]
  /** What the sessions of the gateway were seen at, and how often, in samples. */
  readonly waits: readonly (readonly [wait: string, share: number])[]
}

const SAMPLE_MS = 100
/** The load waits for its callbacks; their answers are recorded soon after. */
const NOTED_MS = 1_000

/**
 * Follows payments through their whole life with PostgreSQL's own statistics, which cost too much to be on while it is compared. All
 * of them are finished before the statistics are read.
 */
export async function profileLife(
  bench: Bench,
  load: Required<Pick<LoadPlan, 'templates' | 'lives'>>,
  names: ReadonlyMap<string, string>,
): Promise<LifeProfile> {
  const { server, gauge } = bench
  const { sql } = server
  await sql("alter system set shared_preload_libraries = 'pg_stat_statements'")
  await sql("alter system set pg_stat_statements.track = 'top'")
  await sql('alter system set pg_stat_statements.track_planning = on')
  await server.restart()
  await sql('create extension if not exists pg_stat_statements schema bench_tools')
  await sql('truncate payment_tasks, callback_events, callback_attempts')
  const gateway = await startGateway(server)
  const worker = await startWorker(server)
  try {
    await untilChained(sql)
    const plan = planFor(bench.options, gateway.port, load.templates, { lives: load.lives, ...WARM })
    await runLoad(plan)
    await sleep(NOTED_MS)
    await sql('checkpoint')
    await sql('select bench_tools.pg_stat_statements_reset(), pg_stat_reset()')
    const walBefore = await gauge.walInPassing()
    const paymentsBefore = await sqlNumber(sql, PAYMENTS)
    const waiting = sampleWaits(sql)
    await runLoad({ ...plan, ...MEASURED })
    const waits = await waiting.stop()
    await sleep(NOTED_MS)
    const walAfter = await gauge.walInPassing()
    const payments = (await sqlNumber(sql, PAYMENTS)) - paymentsBefore
    const statements = await readStatements(sql, payments, names)
    await worker.stop()
    await gateway.stop()
    return {
      payments,
      walBytes: (walAfter.bytes - walBefore.bytes) / payments,
      fullPageBytes: (await gauge.fullPageBytes(walBefore, walAfter)) / payments,
      statements,
      tables: await readTables(sql, payments),
      waits,
    }
  } finally {
    await worker.stop()
    await gateway.stop()
  }
}

const WARM = { warmupSeconds: 0, seconds: 4 } as const
const MEASURED = { warmupSeconds: 0, seconds: 6 } as const
/** Ours, not the gateway's. */
const OURS = '/* bench */'
const PAYMENTS = `select ${OURS} count(*) from payments`

async function readStatements(
  sql: Sql,
  payments: number,
  names: ReadonlyMap<string, string>,
): Promise<readonly StatementCost[]> {
  const bySkeleton = new Map([...names].map(([text, name]) => [skeletonOf(text), name]))
  const rows = await sql(`
    select query, calls, rows, total_exec_time + total_plan_time as ms, wal_bytes, wal_fpi
    from bench_tools.pg_stat_statements s join pg_database d on d.oid = s.dbid and d.datname = current_database()
    where query not like '%${OURS}%' order by total_exec_time desc`)
  return rows.map((row) => {
    const text = String(row['query'])
    const per = (name: string): number => Number(row[name]) / payments
    const known = bySkeleton.get(skeletonOf(text))
    return {
      name: known === undefined || known === '' ? beginningOf(text) : known,
      calls: per('calls'),
      rows: per('rows'),
      microseconds: per('ms') * 1000,
      walBytes: per('wal_bytes'),
      fullPages: per('wal_fpi'),
    }
  })
}

/** The text without what PostgreSQL's statistics replace in it. */
function skeletonOf(text: string): string {
  return text
    .replaceAll(/\/\*.*?\*\//g, '')
    .replaceAll(/'(?:[^']|'')*'|\$\d+|\b\d+(?:\.\d+)?\b/g, '?')
    .replaceAll(/\s+/g, ' ')
    .trim()
}

const BEGINNING_CHARACTERS = 60

const beginningOf = (text: string): string =>
  text.replaceAll(/\s+/g, ' ').trim().slice(0, BEGINNING_CHARACTERS)

async function readTables(sql: Sql, payments: number): Promise<readonly TableCost[]> {
  const rows = await sql(`
    select relname, n_tup_ins, n_tup_upd, n_tup_hot_upd, n_tup_del, coalesce(idx_scan, 0) as idx_scan,
      (select count(*) from pg_index i where i.indrelid = relid) as indexes
    from pg_stat_user_tables where schemaname = 'public' and n_tup_ins + n_tup_upd + n_tup_del > 0
    order by n_tup_ins + n_tup_upd + n_tup_del desc`)
  return rows
    .map((row) => {
      const per = (name: string): number => Number(row[name]) / payments
      const [inserted, updated, hot] = [per('n_tup_ins'), per('n_tup_upd'), per('n_tup_hot_upd')]
      const indexes = Number(row['indexes'])
      return {
        name: String(row['relname']),
        inserted,
        updated,
        hot,
        deleted: per('n_tup_del'),
        indexScans: per('idx_scan'),
        indexes,
        indexEntries: (inserted + updated - hot) * indexes,
      }
    })
    .filter(({ inserted, updated, deleted }) => inserted + updated + deleted > RARE)
}

/** Rows per payment below which a table is none of a payment's. */
const RARE = 0.01

const WAITS = `select ${OURS} coalesce(case when state = 'active' then coalesce(wait_event_type || ': ' || wait_event, 'on a processor')
    when state = 'idle in transaction' then 'the gateway, in a transaction' else 'the gateway' end, '') as wait, count(*)::int as count
  from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid() and datname = current_database()
  group by 1`

/** Looks again and again at what the sessions do. */
function sampleWaits(sql: Sql): { stop(): Promise<LifeProfile['waits']> } {
  const stopping = new AbortController()
  const counts = new Map<string, number>()
  const sampling = (async () => {
    while (!stopping.signal.aborted) {
      for (const { wait, count } of await sql(WAITS)) {
        const name = String(wait)
        counts.set(name, (counts.get(name) ?? 0) + Number(count))
      }
      await sleep(SAMPLE_MS, undefined, { signal: stopping.signal }).catch(() => undefined)
    }
  })()
  return {
    async stop() {
      stopping.abort()
      await sampling
      const all = [...counts.values()].reduce((sum, count) => sum + count, 0)
      return [...counts]
        .map(([wait, count]) => [wait, count / Math.max(1, all)] as const)
        .toSorted(([, a], [, b]) => b - a)
    },
  }
}

const STATEMENT_HEAD: Row = ['statement, per payment', 'calls', 'rows', 'µs', 'WAL B', 'pages']
const TABLE_HEAD: Row = [
  'table, per payment',
  'inserted',
  'updated',
  'of it HOT',
  'deleted',
  'index scans',
  'indexes',
  'index entries',
]
/** Microseconds per payment below which a statement is not shown. */
const SHOWN_MICROSECONDS = 1

export function statementTable({ statements }: LifeProfile): readonly [Row, readonly Row[]] {
  const rows = statements
    .filter(
      ({ microseconds, walBytes }) => microseconds >= SHOWN_MICROSECONDS || walBytes >= SHOWN_MICROSECONDS,
    )
    .map(({ name, ...costs }) => [
      name,
      ...[costs.calls, costs.rows, costs.microseconds, costs.walBytes, costs.fullPages].map(figure),
    ])
  return [STATEMENT_HEAD, rows]
}

export function tableTable({ tables }: LifeProfile): readonly [Row, readonly Row[]] {
  const rows = tables.map(({ name, indexes, ...costs }) => [
    name,
    ...[costs.inserted, costs.updated, costs.hot, costs.deleted, costs.indexScans].map(figure),
    String(indexes),
    figure(costs.indexEntries),
  ])
  return [TABLE_HEAD, rows]
}

/** What the terminal shows of it. */
export function profileText(profile: LifeProfile): string {
  const { payments, walBytes, fullPageBytes, waits } = profile
  const waited = waits.map(([wait, share]) => `${wait} ${(100 * share).toFixed(0)} %`)
  return [
    terminalTable(...statementTable(profile)),
    terminalTable(...tableTable(profile)),
    `${figure(payments)} payments; ${figure(walBytes - fullPageBytes)} bytes of log each, and ${figure(fullPageBytes)} of full-page images.`,
    `The sessions of the gateway wait for: ${waited.join(', ')}.`,
  ].join('\n\n')
}
