import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { callHttp } from '../../rig/programs.ts'
import type { Random } from '../../rig/random.ts'
import type { DurableServer } from '../../rig/server.ts'
import { createPatientSql } from '../setup/database.ts'
import { clusterOf, stopPostmaster } from '../setup/postmaster.ts'
import { missingForSmallDisks, moveToSmallDisk, type SmallDisk } from '../setup/small-disk.ts'
import type { Stage } from '../setup/stage.ts'
import type { PreparedFault } from './kind.ts'

const FULL_MS = { from: 1_000, to: 3_000 } as const
const PAUSE_MS_MAX = 1_000
const TIMEOUT_MS = 30_000
const POLL_MS = 50
const HTTP_OK = 200
const NO_ROOM = '53100'

/** Segments of the log that are there already are still written to: this goes past all of them. */
const USE_UP_THE_LOG = `do $$ begin
  for count in 1..500 loop
    perform pg_logical_emit_message(false, 'faults', 'x');
    perform pg_switch_wal();
  end loop;
end $$`
const TAKE_ROOM = `create table faults_room as select repeat('x', 1000) as x from generate_series(1, 10000)`
const GIVE_ROOM = 'drop table if exists faults_room'

/** The disk of the write-ahead log is full, which ends the server; or that of the tables, which it survives. */
export const diskFull: PreparedFault = {
  name: 'disk-full',
  title: "no room on the disk of PostgreSQL's log, which ends it, or on that of its tables; then room again",
  missing: missingForSmallDisks,
  async prepare(stage, random) {
    const { server, atEnd } = stage
    await stopPostmaster(server)
    const log = moveToSmallDisk(join(clusterOf(server), 'pg_wal'))
    const tables = moveToSmallDisk(join(clusterOf(server), 'base'))
    const remove = async (): Promise<void> => {
      await stopPostmaster(server)
      log.remove()
      tables.remove()
    }
    atEnd(remove)
    await server.restart()
    return {
      async strike() {
        await sleep(random.below(PAUSE_MS_MAX))
        if (random.share() < 0.5) await fillLog(stage, log, random)
        else await fillTables(stage, tables, random)
      },
      async end() {
        await remove()
        await server.restart()
      },
    }
  },
}

async function fillLog(stage: Stage, disk: SmallDisk, random: Random): Promise<void> {
  const { server, apis, notes } = stage
  disk.fill()
  try {
    for (const { port, number } of apis) {
      const isRed = await becomes(async () => {
        await codeOf(server, USE_UP_THE_LOG)
        return isNotReady(port)
      })
      if (!isRed)
        notes.broken({ invariant: 'ready', says: `API ${number} calls itself ready and has no database` })
    }
    await sleep(random.between(FULL_MS.from, FULL_MS.to))
  } finally {
    disk.relieve()
    await server.restart()
  }
  notes.count('disk full: the server ended, and came back')
}

async function fillTables({ server, notes }: Stage, disk: SmallDisk, random: Random): Promise<void> {
  disk.fill()
  try {
    const isFull = await becomes(async () => (await codeOf(server, TAKE_ROOM)) === NO_ROOM)
    if (!isFull) throw new Error('the disk of the tables did not become full')
    await sleep(random.between(FULL_MS.from, FULL_MS.to))
  } finally {
    disk.relieve()
    await createPatientSql(server)(GIVE_ROOM)
  }
  notes.count(`disk full: the server went on, and refused what found no room (${NO_ROOM})`)
}

async function becomes(isSo: () => Promise<boolean>): Promise<boolean> {
  const deadlineMs = performance.now() + TIMEOUT_MS
  while (performance.now() < deadlineMs) {
    if (await isSo()) return true
    await sleep(POLL_MS)
  }
  return false
}

/** By which the server refuses the statement, if it does. */
async function codeOf({ sql }: DurableServer, text: string): Promise<string | undefined> {
  try {
    await sql(text)
    return undefined
  } catch (error) {
    return error instanceof Error && 'code' in error ? String(error.code) : undefined
  }
}

async function isNotReady(port: number): Promise<boolean> {
  const { status } = await callHttp({ port, method: 'GET', path: '/readyz' })
  return status !== HTTP_OK
}
