import { setTimeout as sleep } from 'node:timers/promises'
import { childrenOf, cpuOfFamily, parentOf } from '../../rig/kernel.ts'
import { type Sql, sqlNumber } from '../../rig/sql.ts'

/** What PostgreSQL has written since it was made. */
export interface WalReading {
  readonly bytes: number
  readonly fsyncs: number
}

const SETTLE_POLL_MS = 20
const SETTLE_TIMEOUT_MS = 3_000
/** Other processes may have been started meanwhile that do not end, such as a worker of the autovacuum. */
const GONE_TIMEOUT_MS = 1_000
const STATS_IN_IO_SINCE = 180_000

/** Reads the figures of a server. */
export interface DatabaseGauge {
  /** Processor time of the whole server, in microseconds. */
  cpu(): number
  /**
   * The same once the processes that were started by `work` have ended: the kernel hands the time of a process to its parent
   * when it is gone, and shows nothing of it while it goes.
   */
  cpuOfWork<Result>(
    work: () => Promise<Result>,
  ): Promise<{ readonly result: Result; readonly microseconds: number }>
  /** Exact: sessions are ended first, since PostgreSQL counts what a session did only now and then, and at its end. */
  wal(): Promise<WalReading>
  /** The same without ending sessions: its fsyncs may miss the last second of each. */
  walInPassing(): Promise<WalReading>
  /** Of the log between two readings, the bytes of full-page images, which only the first change of a page after a checkpoint writes. */
  fullPageBytes(from: WalReading, to: WalReading): Promise<number>
  /** So that every contender begins with the same work before the next checkpoint. */
  checkpoint(): Promise<void>
}

export async function createDatabaseGauge(sql: Sql): Promise<DatabaseGauge> {
  // Beside the tables of the gateway, which it looks through when it starts.
  await sql(
    'create schema if not exists bench_tools; create extension if not exists pg_walinspect schema bench_tools',
  )
  const backend = await sqlNumber(sql, 'select pg_backend_pid()')
  // The session above may have ended; the server's own pid is asked of one that is still there.
  const postmaster = await sqlNumber(
    sql,
    "select pid from pg_stat_activity where backend_type = 'checkpointer'",
  ).then((pid) => parentOf(pid) ?? parentOf(backend) ?? 0)
  const version = await sqlNumber(sql, "select current_setting('server_version_num')")
  const fsyncs =
    version >= STATS_IN_IO_SINCE
      ? "select coalesce(sum(fsyncs), 0) from pg_stat_io where object = 'wal'"
      : 'select wal_sync from pg_stat_wal'
  const walInPassing = async (): Promise<WalReading> => ({
    bytes: await sqlNumber(sql, "select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')"),
    fsyncs: await sqlNumber(sql, fsyncs),
  })
  return {
    cpu: () => cpuOfFamily(postmaster),
    async cpuOfWork(work) {
      const childrenBefore = new Set(childrenOf(postmaster))
      const before = cpuOfFamily(postmaster)
      const result = await work()
      const deadlineMs = performance.now() + GONE_TIMEOUT_MS
      while (childrenOf(postmaster).some((pid) => !childrenBefore.has(pid)) && performance.now() < deadlineMs)
        await sleep(SETTLE_POLL_MS)
      return { result, microseconds: cpuOfFamily(postmaster) - before }
    },
    async wal() {
      await endSessions(sql)
      return walInPassing()
    },
    walInPassing,
    async fullPageBytes(from, to) {
      if (to.bytes <= from.bytes) return 0
      return sqlNumber(
        sql,
        "select coalesce(sum(fpi_size), 0) from bench_tools.pg_get_wal_stats('0/0'::pg_lsn + $1::numeric, '0/0'::pg_lsn + $2::numeric, true)",
        [from.bytes, to.bytes],
      )
    },
    async checkpoint() {
      await sql('checkpoint')
    },
  }
}

const OTHERS = `from pg_stat_activity
  where backend_type = 'client backend' and pid <> pg_backend_pid() and datname = current_database()`

/** A session that has only just begun counts little, and may still be greeting its client. */
const OLD = "backend_start < now() - interval '1 second'"

async function endSessions(sql: Sql): Promise<void> {
  await sql(`select pg_terminate_backend(pid) ${OTHERS} and ${OLD} and state = 'idle'`)
  const deadlineMs = performance.now() + SETTLE_TIMEOUT_MS
  while (performance.now() < deadlineMs) {
    await sleep(SETTLE_POLL_MS)
    const left = await sqlNumber(sql, `select count(*) ${OTHERS} and ${OLD} and state = 'idle'`)
    if (left === 0) return
  }
}
