import type { Random } from '../../../../../faults/random.ts'
import { CALLBACK_CHANNEL } from '../../modules/callbacks/store.ts'
import {
  CommitUnknown,
  type Database,
  DatabaseUnavailable,
  type Statement,
  type Tx,
} from '../../platform/database.ts'
import type { Disk } from './disk.ts'
import { type Fault, type Faults, LOOKS } from './faults.ts'
import type { Execute, Statements } from './statements.ts'
import { isOver, type Life, outside, type VirtualTime, within } from './time.ts'

type Values = readonly unknown[]
type Rows = readonly object[]

/** An open transaction of an engine. */
export interface EngineTx {
  run(statement: Statement, values: Values): Promise<Rows>
  commit(): Promise<void>
  rollBack(): Promise<void>
}

/** What executes statements: the tables in memory, or a real PostgreSQL. Only one transaction is open at a time. */
export interface Engine {
  /** When the next durable work falls due, in milliseconds; Infinity when there is none. */
  nextDueMs(): number
  run(statement: Statement, values: Values): Promise<Rows>
  begin(): Promise<EngineTx>
}

/** A database server, as far as processes can tell. */
export interface Server {
  /** What a process has of it. */
  connect(life: Life): Database
  /** The process is gone: what it had open is rolled back. */
  drop(life: Life): Promise<void>
  /** How many statements were executed, but for looks at the queues. */
  statements(): number
}

export interface ServerDeps {
  readonly engine: Engine
  readonly time: VirtualTime
  readonly random: Random
  readonly faults: Faults
  /** Is told of each statement that was executed. */
  readonly onStatement?: ((name: string, rows: Rows) => void) | undefined
}

/** Statements that promise no order of their rows: they are put in one, so that both engines have the same. */
const UNORDERED: ReadonlySet<string> = new Set([
  'payments_list',
  'payments_list_accepted',
  'payments_insert',
  'payments_insert_outgoing',
  'payment_tasks_claim',
  'callbacks_claim_due',
  'callbacks_update_attempts',
  'rail_notifications_claim',
])

const SLOW_SHARE = 0.02
const SLOW_MS = 40
const QUICK_MS = 3

interface Hall extends ServerDeps {
  /** Holds the one that writes; the others wait in line. */
  readonly lock: ReturnType<typeof createLock>
  readonly listeners: Map<Life, (() => void)[]>
  readonly open: Map<Life, Set<EngineTx>>
  count: number
}

export function createServer(deps: ServerDeps): Server {
  const hall: Hall = { ...deps, lock: createLock(), listeners: new Map(), open: new Map(), count: 0 }
  return {
    connect: (life) => connect(hall, life),
    async drop(life) {
      hall.listeners.delete(life)
      const transactions = [...(hall.open.get(life) ?? [])]
      hall.open.delete(life)
      for (const transaction of transactions) {
        await transaction.rollBack()
        hall.lock.release()
      }
    },
    statements: () => hall.count,
  }
}

function connect(hall: Hall, life: Life): Database {
  return {
    rows: (statement, values) => typed(runAlone(hall, life, { statement, values })),
    transaction: (work) => runTransaction(hall, life, work),
    async listen(channel, onNotice) {
      if (channel !== CALLBACK_CHANNEL) return
      const own = hall.listeners.get(life) ?? []
      hall.listeners.set(life, [...own, () => within(life, () => onNotice(''))])
    },
    close: () => Promise.resolve(),
  }
}

/** The rows as what the store says that they are. */
const typed = async <Row>(rows: Promise<Rows>): Promise<readonly Row[]> =>
  Reflect.apply(Array.from, Array, [await rows])

interface Asked {
  readonly statement: Statement
  readonly values: Values
}

/** A way of the network, there or back. */
function travel({ time, random }: Hall, life?: Life): Promise<void> {
  const ms = random.share() < SLOW_SHARE ? random.below(SLOW_MS) : random.below(QUICK_MS)
  return new Promise((resolve) => void time.after(ms, resolve, life))
}

const never = (): Promise<never> => new Promise(() => undefined)

/**
 * One statement that commits by itself. A process that dies while it is under way takes no answer, but what has been sent
 * may be executed all the same.
 */
async function runAlone(hall: Hall, life: Life, { statement, values }: Asked): Promise<Rows> {
  const { faults, lock, engine } = hall
  if (life.isOver) return never()
  life.callsUnderWay += 1
  try {
    const fault = faults.at(life, statement.name)
    await refuse(hall, life, fault)
    await travel(hall)
    await lock.acquire()
    if (isOver(life) && hall.random.share() < 0.5) {
      lock.release()
      return await never()
    }
    if (!LOOKS.has(statement.name)) hall.count += 1
    const rows = ordered(statement, await engine.run(statement, values).finally(() => lock.release()))
    hall.onStatement?.(statement.name, rows)
    ring(hall, statement)
    await answer(hall, life, fault)
    return rows
  } finally {
    life.callsUnderWay -= 1
  }
}

/** What goes wrong before anything is executed. */
async function refuse(hall: Hall, life: Life, fault: Fault | undefined): Promise<void> {
  if (fault === 'CRASH_BEFORE') return hall.faults.crash(life)
  if (fault === 'UNAVAILABLE') throw new DatabaseUnavailable('the database cannot be reached')
  if (fault !== 'REQUEST_LOST') return
  await travel(hall)
  throw lost()
}

/** The way back. Who has died, or dies now, never hears it. */
async function answer(hall: Hall, life: Life, fault: Fault | undefined): Promise<void> {
  if (fault === 'CRASH_AFTER') await hall.faults.crash(life)
  await travel(hall, life)
  if (fault === 'ANSWER_LOST') throw lost()
}

const lost = (): CommitUnknown => new CommitUnknown('the connection was lost', { mayBeResolved: true })

/** What tells the rows of a statement apart. */
const IDENTITY = ['merchant_id', 'kind', 'id_payment', 'event_id', 'nonce', 'notification_no']

function ordered({ name }: Statement, rows: Rows): Rows {
  if (rows.length < 2 || !UNORDERED.has(name)) return rows
  const texts = new Map(rows.map((row) => [row, JSON.stringify(row, IDENTITY)]))
  return [...rows].sort((a, b) => ((texts.get(a) ?? '') < (texts.get(b) ?? '') ? -1 : 1))
}

/** A NOTIFY goes out with the commit, to whoever is listening then. */
function ring({ time, listeners }: Hall, { name }: Statement): void {
  if (name !== 'callbacks_insert_events') return
  for (const own of listeners.values()) for (const notice of own) time.after(1, notice)
}

async function runTransaction<Result>(
  hall: Hall,
  life: Life,
  work: (tx: Tx) => Promise<Result>,
): Promise<Result> {
  if (life.isOver) return never()
  life.callsUnderWay += 1
  try {
    await refuse(hall, life, hall.faults.at(life, 'begin'))
    await hall.lock.acquire()
    if (isOver(life)) {
      hall.lock.release()
      return await never()
    }
    const transaction = await hall.engine.begin()
    keep(hall, life, transaction)
    return await runOpen(hall, life, { transaction, work })
  } finally {
    life.callsUnderWay -= 1
  }
}

function keep({ open }: Hall, life: Life, transaction: EngineTx): void {
  const own = open.get(life) ?? new Set()
  own.add(transaction)
  open.set(life, own)
}

/** Ends the transaction, unless the process is gone and the server has ended it. */
async function close(
  hall: Hall,
  life: Life,
  end: 'commit' | 'rollBack',
  transaction: EngineTx,
): Promise<void> {
  if (hall.open.get(life)?.delete(transaction) !== true) return never()
  await transaction[end]().finally(() => hall.lock.release())
}

interface Open<Result> {
  readonly transaction: EngineTx
  readonly work: (tx: Tx) => Promise<Result>
}

async function runOpen<Result>(hall: Hall, life: Life, { transaction, work }: Open<Result>): Promise<Result> {
  const done: Statement[] = []
  let result: Result
  try {
    result = await work({
      rows: async (statement, values) => {
        if (life.isOver) return never()
        const fault = hall.faults.at(life, statement.name)
        await refuse(hall, life, fault === 'UNAVAILABLE' ? 'REQUEST_LOST' : fault)
        await travel(hall, life)
        hall.count += 1
        const rows = ordered(statement, await transaction.run(statement, values))
        hall.onStatement?.(statement.name, rows)
        done.push(statement)
        await answer(hall, life, fault)
        return typed(Promise.resolve(rows))
      },
    })
  } catch (error) {
    await close(hall, life, 'rollBack', transaction)
    throw error
  }
  const fault = hall.faults.at(life, 'commit')
  if (fault === 'REQUEST_LOST' || fault === 'UNAVAILABLE') {
    await close(hall, life, 'rollBack', transaction)
    throw lost()
  }
  await refuse(hall, life, fault)
  await travel(hall, life)
  await close(hall, life, 'commit', transaction)
  for (const statement of done) ring(hall, statement)
  await answer(hall, life, fault)
  return result
}

/** First come, first served. */
function createLock() {
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

/** The tables in memory. */
export function createMemory(disk: Disk, statements: Statements, time: VirtualTime): Engine {
  const run: Engine['run'] = async ({ name }, values) => {
    const execute = statements[name]
    if (execute === undefined) throw new Error(`the statement ${name} is not simulated`)
    return apply(execute, { disk, at: time.nowMs() * 1_000 }, values)
  }
  return {
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
