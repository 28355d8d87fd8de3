import type { Statement } from '../../platform/database.ts'
import type { Disk } from './disk.ts'
import type { Execute, Statements } from './statements.ts'
import { outside, type VirtualTime } from './time.ts'

type Values = readonly unknown[]
export type Rows = readonly object[]

/** An open transaction of an engine. */
export interface EngineTx {
  run(statement: Statement, values: Values): Promise<Rows>
  commit(): Promise<void>
  rollBack(): Promise<void>
}

/** What executes statements: the tables in memory, or a real PostgreSQL. Only one transaction is open at a time. */
export interface Engine {
  /** What the standby has, and what is lost without it; undefined when there is no standby. */
  readonly log: Pick<Disk, 'position' | 'replicate' | 'failOver'> | undefined
  /** When the next durable work falls due, in milliseconds; Infinity when there is none. */
  nextDueMs(): number
  run(statement: Statement, values: Values): Promise<Rows>
  begin(): Promise<EngineTx>
}

/** The tables in memory. */
export function createMemory(disk: Disk, statements: Statements, time: VirtualTime): Engine {
  const run: Engine['run'] = async ({ name }, values) => {
    const execute = statements[name]
    if (execute === undefined) throw new Error(`the statement ${name} is not simulated`)
    return apply(execute, { disk, at: time.nowMs() * 1_000 }, values)
  }
  return {
    log: disk,
    nextDueMs: () => Math.ceil(disk.nextDue() / 1_000),
    async run(statement, values) {
      try {
        const rows = await run(statement, values)
        disk.commit()
        return rows
      } catch (error) {
        disk.rollBack()
        throw error
      }
    },
    begin: async () => ({
      run,
      commit: async () => disk.commit(),
      rollBack: async () => disk.rollBack(),
    }),
  }
}

/** The same, each answer a turn of the event loop later. */
export function makePatient(engine: Engine, time: VirtualTime): Engine {
  const later = <Result>(work: () => Promise<Result>): Promise<Result> =>
    time.awaitReal(outside(() => new Promise((resolve) => void setImmediate(resolve)).then(work)))
  return {
    log: engine.log,
    nextDueMs: () => engine.nextDueMs(),
    run: (statement, values) => later(() => engine.run(statement, values)),
    async begin() {
      const transaction = await later(() => engine.begin())
      return {
        run: (statement, values) => later(() => transaction.run(statement, values)),
        commit: () => later(() => transaction.commit()),
        rollBack: () => later(() => transaction.rollBack()),
      }
    },
  }
}

const apply = (execute: Execute, session: object, values: Values): Rows =>
  Reflect.apply(execute, undefined, [session, ...values])

/** What only one may have at a time: first come, first served. */
export interface Lock {
  acquire(): Promise<void>
  release(): void
}

export function createLock(): Lock {
  const waiting: (() => void)[] = []
  let isHeld = false
  return {
    async acquire(): Promise<void> {
      if (isHeld) await new Promise<void>((resolve) => waiting.push(resolve))
      isHeld = true
    },
    release(): void {
      const next = waiting.shift()
      if (next === undefined) isHeld = false
      else next()
    },
  }
}
