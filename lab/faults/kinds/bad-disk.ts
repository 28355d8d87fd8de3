import { setTimeout as sleep } from 'node:timers/promises'
import { createPatientSql } from '../setup/database.ts'
import { failCalls, missingForFailingCalls } from '../setup/strace.ts'
import type { PlainFault } from './kind.ts'

const PAUSE_MS_MAX = 1_500
const TIMEOUT_MS = 10_000
const SESSIONS_MAX = 8

interface Writer {
  readonly name: string
  /** Its rows of pg_stat_activity. */
  readonly where: string
}

/** Who writes: the sessions their commits, one process what they leave to it, and another the tables. */
const WRITERS: readonly [Writer, ...Writer[]] = [
  { name: 'sessions', where: `application_name like 'tollgate%' and backend_type = 'client backend'` },
  { name: 'the writer of the log', where: `backend_type = 'walwriter'` },
  { name: 'the checkpointer', where: `backend_type = 'checkpointer'` },
]
const CALLS = ['fdatasync,fsync', 'pwrite64,pwritev'] as const

/** The disk says EIO to one kind of PostgreSQL's processes when they write, or want it to be durable. */
export const badDisk: PlainFault = {
  name: 'bad-disk',
  title: 'EIO from fdatasync and fsync, or from writing, for processes of PostgreSQL, until it recovers',
  missing: missingForFailingCalls,
  async strike({ server, notes }, random) {
    await sleep(random.below(PAUSE_MS_MAX))
    const sql = createPatientSql(server)
    const { name, where } = random.pick(WRITERS)
    const calls = random.pick(CALLS)
    const rows = await sql(`select pid from pg_stat_activity where ${where} limit ${SESSIONS_MAX}`)
    const pids = rows.map(({ pid }) => Number(pid))
    const failing = failCalls({ pids, calls, error: 'EIO' }, TIMEOUT_MS)
    // Without it the checkpointer would have nothing to do.
    await server.sql('checkpoint').catch(() => undefined)
    if (await failing) notes.count(`the disk failed, and the server recovered: ${name}, ${calls}`)
    await sql('select 1')
  },
}
