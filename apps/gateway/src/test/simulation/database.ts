import type { Random } from '../../../../../lab/rig/random.ts'
import { CALLBACK_CHANNEL } from '../../modules/callbacks/store.ts'
import {
  CommitUnknown,
  type Database,
  DatabaseUnavailable,
  type Statement,
  type Tx,
} from '../../platform/database.ts'
import { createLock, type Engine, type EngineTx, type Lock, type Rows } from './engine.ts'
import { type Fault, type Faults, LOOKS } from './faults.ts'
import { isOver, type Life, type VirtualTime, within } from './time.ts'

type Values = readonly unknown[]

/** A database server, as far as processes can tell. */
export interface Server {
  /** What a process has of it. */
  connect(life: Life): Database
  /** The process is gone: what it had open is rolled back. */
  drop(life: Life): Promise<void>
  /** From now on the standby hears nothing, and whoever writes waits, and whoever comes after. */
  cutOff(): void
  /** The primary is gone, and the standby takes over, with a share of what nobody was told of. */
  takeOver(takeOver: TakeOver): Promise<void>
  /** When the configuration changed for the last time, or a failover may have changed it. */
  configurationChangedMs(): number
  /** How many statements were executed, but for looks at the queues. */
  statements(): number
}

export interface TakeOver {
  /** From 0, nothing, to 1, everything. */
  readonly keptShare: number
  /** For so long nobody can connect. */
  readonly awayMs: number
}

interface ServerDeps {
  readonly engine: Engine
  readonly time: VirtualTime
  readonly random: Random
  readonly faults: Faults
  /** Is told of each way to the database and back that somebody makes. */
  readonly onCall: () => void
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
  'payment_tasks_claim_beside',
  'callbacks_claim_due',
  'callbacks_update_attempts',
  'rail_notifications_claim',
])

/** Of `platform/configuration-changes.ts`. */
const CONFIGURATION_CHANNEL = 'tollgate_configuration'

const SLOW_SHARE = 0.02
const SLOW_MS = 40
const QUICK_MS = 3

interface Hall extends ServerDeps {
  /** Holds the one that writes; the others wait in line. */
  readonly lock: Lock
  readonly listeners: Map<Life, { readonly channel: string; readonly notice: () => void }[]>
  readonly open: Map<Life, Set<EngineTx>>
  /** Who waits for a standby that hears nothing. */
  waiting: (() => void)[]
  isCutOff: boolean
  /** Whether one of them holds the lock. */
  isHeld: boolean
  /** How often a standby took over: all connections from before are broken. */
  generation: number
  awayUntilMs: number
  configurationChangedMs: number
  count: number
}

/** What tells of itself with a NOTIFY. */
const CHANNELS: ReadonlyMap<string, string> = new Map([
  ['callbacks_insert_events', CALLBACK_CHANNEL],
  ...[
    'catalogue_upsert_fee',
    'catalogue_insert_merchant_methods',
    'catalogue_delete_merchant_method',
    'tokens_insert_revocation',
    'merchants_rotate_callback_key',
  ].map((name) => [name, CONFIGURATION_CHANNEL] as const),
])

export function createServer(deps: ServerDeps): Server {
  const hall: Hall = {
    ...deps,
    lock: createLock(),
    listeners: new Map(),
    open: new Map(),
    waiting: [],
    isCutOff: false,
    isHeld: false,
    generation: 0,
    awayUntilMs: 0,
    configurationChangedMs: Number.NEGATIVE_INFINITY,
    count: 0,
  }
  return {
    connect: (life) => connect(hall, life),
    async drop(life) {
      hall.listeners.delete(life)
      await breakOff(hall, life)
    },
    cutOff() {
      const { log } = hall.engine
      log?.replicate(log.position())
      hall.isCutOff = true
    },
    takeOver: (how) => takeOver(hall, how),
    configurationChangedMs: () => hall.configurationChangedMs,
    statements: () => hall.count,
  }
}

/** What a process has open is rolled back. */
async function breakOff(hall: Hall, life: Life): Promise<void> {
  const transactions = [...(hall.open.get(life) ?? [])]
  hall.open.delete(life)
  for (const transaction of transactions) {
    await transaction.rollBack()
    hall.lock.release()
  }
}

async function takeOver(hall: Hall, { keptShare, awayMs }: TakeOver): Promise<void> {
  const { engine, time, open, waiting, isHeld } = hall
  hall.generation += 1
  for (const life of [...open.keys()]) await breakOff(hall, life)
  engine.log?.failOver(keptShare)
  Object.assign(hall, { isCutOff: false, isHeld: false, waiting: [], awayUntilMs: time.nowMs() + awayMs })
  hall.configurationChangedMs = time.nowMs()
  if (isHeld) hall.lock.release()
  for (const wake of waiting) wake()
}

function connect(hall: Hall, life: Life): Database {
  return {
    rows: (statement, values) => typed(runAlone(hall, life, { statement, values })),
    transaction: (work) => runTransaction(hall, life, work),
    async listen(channel, onNotice) {
      const own = hall.listeners.get(life) ?? []
      const notice = (): void => within(life, () => onNotice(''))
      hall.listeners.set(life, [...own, { channel, notice }])
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

/** A connection as it was when a call began. */
interface Call {
  readonly life: Life
  readonly generation: number
}

const isBroken = (hall: Hall, { generation }: Call): boolean => hall.generation !== generation

/** Waits for its turn. Throws when the server is gone by then. */
async function takeTurn(hall: Hall, call: Call, runsAllTheSame: () => boolean): Promise<void> {
  await hall.lock.acquire()
  if (!isBroken(hall, call) && (!isOver(call.life) || runsAllTheSame())) return
  hall.lock.release()
  if (isOver(call.life)) await never()
  throw lost()
}

/**
 * One statement that commits by itself. A process that dies while it is under way takes no answer, but what has been sent
 * may be executed all the same.
 */
async function runAlone(hall: Hall, life: Life, { statement, values }: Asked): Promise<Rows> {
  const { faults, engine } = hall
  if (life.isOver) return never()
  life.callsUnderWay += 1
  try {
    const call = { life, generation: hall.generation }
    const fault = faults.at(life, statement.name)
    await refuse(hall, life, fault)
    await travel(hall)
    await takeTurn(hall, call, () => hall.random.share() >= 0.5)
    if (!LOOKS.has(statement.name)) hall.count += 1
    const { result, position } = await end(hall, () => engine.run(statement, values))
    const rows = ordered(statement, result)
    hall.onStatement?.(statement.name, rows)
    ring(hall, statement)
    await answer(hall, call, { fault, position })
    return rows
  } finally {
    life.callsUnderWay -= 1
  }
}

/**
 * Does what ends a transaction, and gives its place in the log; undefined when it has written nothing. What the standby does
 * not have yet nobody may see: who has written then keeps the others out until it takes over.
 */
async function end<Result>(
  hall: Hall,
  work: () => Promise<Result>,
): Promise<{ readonly result: Result; readonly position: number | undefined }> {
  const { log } = hall.engine
  const before = log?.position()
  try {
    const result = await work()
    const after = log?.position()
    const position = after === before ? undefined : after
    hall.isHeld = hall.isCutOff && position !== undefined
    return { result, position }
  } finally {
    if (!hall.isHeld) hall.lock.release()
  }
}

/** What goes wrong before anything is executed. */
async function refuse(hall: Hall, life: Life, fault: Fault | undefined): Promise<void> {
  hall.onCall()
  if (fault === 'CRASH_BEFORE') return hall.faults.crash(life)
  if (fault === 'UNAVAILABLE' || hall.time.nowMs() < hall.awayUntilMs)
    throw new DatabaseUnavailable('the database cannot be reached')
  if (fault !== 'REQUEST_LOST') return
  await travel(hall)
  throw lost()
}

interface Done {
  readonly fault: Fault | undefined
  /** In the log; undefined when nothing was written. */
  readonly position: number | undefined
}

/** The way back, which begins when the standby has what was written. Who has died, or dies now, never hears it. */
async function answer(hall: Hall, call: Call, { fault, position }: Done): Promise<void> {
  const confirm = (): void => {
    if (position !== undefined && !hall.isCutOff && !isBroken(hall, call))
      hall.engine.log?.replicate(position)
  }
  if (fault === 'CRASH_AFTER') {
    hall.time.after(1, confirm)
    await hall.faults.crash(call.life)
  }
  await travel(hall)
  if (position !== undefined && hall.isCutOff && !isBroken(hall, call))
    await new Promise<void>((resolve) => hall.waiting.push(resolve))
  confirm()
  if (isOver(call.life)) return never()
  if (fault === 'ANSWER_LOST' || isBroken(hall, call)) throw lost()
}

const lost = (): CommitUnknown => new CommitUnknown('the connection was lost', { mayBeResolved: true })

/** What tells the rows of a statement apart. */
const IDENTITY = ['merchant_id', 'kind', 'id_payment', 'event_id', 'nonce', 'notification_no']

function ordered({ name }: Statement, rows: Rows): Rows {
  if (rows.length < 2 || !UNORDERED.has(name)) return rows
  const texts = new Map(rows.map((row) => [row, JSON.stringify(row, IDENTITY)]))
  return [...rows].sort((a, b) => ((texts.get(a) ?? '') < (texts.get(b) ?? '') ? -1 : 1))
}

/** A NOTIFY goes out with the commit, to whoever is listening then. It may be lost. */
function ring(hall: Hall, { name }: Statement): void {
  const channel = CHANNELS.get(name)
  if (channel === undefined) return
  if (channel === CONFIGURATION_CHANNEL) hall.configurationChangedMs = hall.time.nowMs()
  for (const [life, own] of hall.listeners)
    for (const listener of own)
      if (listener.channel === channel && hall.faults.at(life, 'notify') === undefined)
        hall.time.after(1, listener.notice, life)
}

async function runTransaction<Result>(
  hall: Hall,
  life: Life,
  work: (tx: Tx) => Promise<Result>,
): Promise<Result> {
  if (life.isOver) return never()
  life.callsUnderWay += 1
  try {
    const call = { life, generation: hall.generation }
    await refuse(hall, life, hall.faults.at(life, 'begin'))
    await takeTurn(hall, call, () => false)
    const transaction = await hall.engine.begin()
    keep(hall, life, transaction)
    return await runOpen(hall, call, { transaction, work })
  } finally {
    life.callsUnderWay -= 1
  }
}

function keep({ open }: Hall, life: Life, transaction: EngineTx): void {
  const own = open.get(life) ?? new Set()
  own.add(transaction)
  open.set(life, own)
}

/** Ends the transaction, unless the process or the server is gone. */
async function close(
  hall: Hall,
  { life }: Call,
  how: 'commit' | 'rollBack',
  transaction: EngineTx,
): Promise<number | undefined> {
  if (hall.open.get(life)?.delete(transaction) !== true) {
    if (isOver(life)) return never()
    throw lost()
  }
  return (await end(hall, () => transaction[how]())).position
}

interface Open<Result> {
  readonly transaction: EngineTx
  readonly work: (tx: Tx) => Promise<Result>
}

async function runOpen<Result>(hall: Hall, call: Call, { transaction, work }: Open<Result>): Promise<Result> {
  const { life } = call
  const done: Statement[] = []
  // What is asked for together is executed in that order, and nothing behind what failed.
  let last: Promise<unknown> = Promise.resolve()
  let isOver = false
  let result: Result
  const tx: Tx = {
    rows: (statement, values) => {
      if (isOver)
        return Promise.reject(new Error('a statement was asked for after the end of its transaction'))
      const rows = last.then(() => runWithin(hall, call, { transaction, statement, values }))
      last = rows.then(() => done.push(statement))
      last.catch(() => undefined)
      return typed(rows)
    },
  }
  try {
    result = await work(tx).finally(() => {
      isOver = true
    })
    // Where somebody swallowed the error of a statement, PostgreSQL rolls back all the same.
    await last
  } catch (error) {
    await last.catch(() => undefined)
    await close(hall, call, 'rollBack', transaction)
    throw error
  }
  const fault = hall.faults.at(life, 'commit')
  if (fault === 'REQUEST_LOST' || fault === 'UNAVAILABLE') {
    await close(hall, call, 'rollBack', transaction)
    throw lost()
  }
  await refuse(hall, life, fault)
  await travel(hall, life)
  const position = await close(hall, call, 'commit', transaction)
  for (const statement of done) ring(hall, statement)
  await answer(hall, call, { fault, position })
  return result
}

async function runWithin(
  hall: Hall,
  call: Call,
  { transaction, statement, values }: Asked & { readonly transaction: EngineTx },
): Promise<Rows> {
  const { life } = call
  if (life.isOver) return never()
  const fault = hall.faults.at(life, statement.name)
  if (isBroken(hall, call)) throw lost()
  await refuse(hall, life, fault === 'UNAVAILABLE' ? 'REQUEST_LOST' : fault)
  await travel(hall, life)
  if (isBroken(hall, call)) throw lost()
  hall.count += 1
  const rows = ordered(statement, await transaction.run(statement, values))
  hall.onStatement?.(statement.name, rows)
  await answer(hall, call, { fault, position: undefined })
  return rows
}
