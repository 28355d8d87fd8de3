import { setTimeout as sleep } from 'node:timers/promises'
import type { Log } from '@tollgate/runtime'
import pg from 'pg'
import { beginningOfAct } from './acting.ts'
import {
  isConnectionLoss,
  isDataFault,
  isLockTimeout,
  isReadOnly,
  isRetryable,
  isWarning,
  type Notice,
  READ_ONLY,
} from './database-faults.ts'
import { keepListening } from './listening.ts'
import { setUpSession } from './session-settings.ts'

export {
  isConnectionLoss,
  isDataFault,
  isLockTimeout,
  isOfOtherCell,
  isRetryable,
  missingIn,
} from './database-faults.ts'

/** A statement of a store: its name makes PostgreSQL keep the plan, so it must be unique and must not change with the input. */
export interface Statement {
  readonly name: string
  readonly text: string
  /**
   * Planned once per connection, and not each time. Only for what finds rows by unique keys, by the one index that has its
   * order, and in its own input: whatever the sizes of the tables were when it was planned, the plan is the same. Has no effect
   * inside a transaction.
   */
  readonly isPlannedOnce?: true
}

/**
 * Runs statements; inside `transaction` all of them belong to it. There they are sent in the order in which they are asked for,
 * and none waits for the answer to the one before: where one fails, those behind it do nothing, and none is taken any more.
 */
export interface Tx {
  rows<Row extends object>(statement: Statement, values: readonly unknown[]): Promise<readonly Row[]>
}

export interface Database extends Tx {
  /** One transaction at READ COMMITTED. Any error rolls back. `CommitUnknown` when the answer of the COMMIT was lost. */
  transaction<Result>(work: (tx: Tx) => Promise<Result>): Promise<Result>
  /** Calls back on each NOTIFY of the channel; reconnects by itself. A hint only: pollers are the truth. */
  listen(channel: string, onNotice: (payload: string) => void): Promise<void>
  close(): Promise<void>
}

interface DatabaseOptions {
  readonly url: string
  readonly poolMax: number
  readonly log: Log
  /** How long a statement may take before its outcome counts as unknown. Default: 5 seconds. */
  readonly queryTimeoutMs?: number
  /** Shown in pg_stat_activity. */
  readonly applicationName: string
  /** Whether a server that takes reads only, such as a standby, will do. Others must not: what it shows may be old. */
  readonly mayBeReadOnly?: true
}

/** The database cannot be reached, refuses sessions, or takes reads only. Nothing was done. */
export class DatabaseUnavailable extends Error {
  override readonly name = 'DatabaseUnavailable'
}

/** The connection was lost, or a warning came, while a write was being committed: it may or may not have happened. */
export class CommitUnknown extends Error {
  override readonly name = 'CommitUnknown'
  /**
   * False after a warning during COMMIT: the row is there, but its standby has not confirmed it. Finding it again would
   * prove nothing, so the caller must not be told that it was accepted.
   */
  readonly mayBeResolved: boolean

  constructor(message: string, options: { readonly cause?: unknown; readonly mayBeResolved: boolean }) {
    super(message, { cause: options.cause })
    this.mayBeResolved = options.mayBeResolved
  }
}

/**
 * How long a statement waits for a session, be it that the server is away or that others have them all. Just less than
 * the time for which `resolveUnknown` tries: whoever waited in vain does not wait a second time.
 */
const CONNECT_TIMEOUT_MS = 1_475
const QUERY_TIMEOUT_MS = 5_000
const IDLE_TIMEOUT_MS = 30_000
/**
 * PostgreSQL stops waiting for a lock before the driver stops waiting for PostgreSQL, which would not notice, and would wait on. A
 * row is waited for twice: behind the others who wait for it, and then for who has it.
 */
const LOCK_TIMEOUT_SHARE = 0.45
/** Longer than anything that a transaction does between two statements. A process that stands still keeps its locks for so long. */
const PAUSE_MS_MAX = 60_000
/** With these, PostgreSQL ends the session of a machine that vanished after a minute, and not after two hours. */
const KEEPALIVES = { tcp_keepalives_idle: '30', tcp_keepalives_interval: '10', tcp_keepalives_count: '3' }

const DATE_OID = 1082
const TIMESTAMPTZ_OID = 1184
const MOMENTS_KEPT_MAX = 64
const moments = new Map<string, number>()
// eslint-disable-next-line @typescript-eslint/no-unsafe-assignment -- the driver's types say nothing of what parsers give
const parseMoment: (text: string) => unknown = pg.types.getTypeParser(TIMESTAMPTZ_OID, 'text')

/** All rows of a batch were written at one moment: it is read once. */
function momentOf(text: string): unknown {
  const known = moments.get(text)
  if (known !== undefined) return new Date(known)
  const moment = parseMoment(text)
  // The server has moments that are none here: infinity.
  if (!(moment instanceof Date)) return moment
  if (moments.size >= MOMENTS_KEPT_MAX) moments.clear()
  moments.set(text, moment.getTime())
  return moment
}

/** How values are read in our sessions: a date stays the text that it is. */
const TYPES = new pg.TypeOverrides()
TYPES.setTypeParser(DATE_OID, (text: string) => text)
TYPES.setTypeParser(TIMESTAMPTZ_OID, momentOf)

/**
 * Of each session, beside those of `SESSION_FORM`.
 * A plan is made for each execution, which costs a tenth of a millisecond. A plan that is kept would be the one for
 * yesterday's sizes: made while a table is small, it reads the table through for minutes when the table has grown.
 * The cost of a random page is that of memory and solid-state disks: with the default, of disks that turn, a batch of
 * look-ups is taken for dearer than reading a table through.
 */
const PLANNING = { plan_cache_mode: 'force_custom_plan', random_page_cost: '1.1' }
/** What is planned while a table is small must not read it through when it has grown: such plans go by indexes, always. */
const PLANNING_ONCE = {
  plan_cache_mode: 'force_generic_plan',
  enable_seqscan: 'off',
  random_page_cost: '1.1',
}

/** Opens the pool. Never throws for an absent server: the first statement does. */
export function openDatabase(options: DatabaseOptions): Database {
  const pool = openPool(options, PLANNING)
  /** For statements that are planned once. Of its connections only those exist that were ever needed at the same time. */
  const plannedOnce = openPool(options, PLANNING_ONCE)
  let closed = false
  const listeners = new Set<pg.Client>()

  return {
    rows: (statement, values) => {
      if (statement.isPlannedOnce === true) return runAlone(plannedOnce, statement, values)
      // What an operator changes is recorded with the act, which only a transaction can name.
      return beginningOfAct() === undefined
        ? runAlone(pool, statement, values)
        : runTransaction(pool, (tx) => tx.rows(statement, values))
    },
    transaction: (work) => runTransaction(pool, work),
    listen: (channel, onNotice) =>
      keepListening({ ...options, channel, onNotice, listeners, isClosed: () => closed }),
    async close() {
      closed = true
      await Promise.allSettled([...listeners].map((client) => client.end()))
      await Promise.all([pool.end(), plannedOnce.end()])
    },
  }
}

/** How long a session may hold up others. */
function limitsOf(queryTimeoutMs: number): Readonly<Record<string, string>> {
  return {
    lock_timeout: `${Math.floor(queryTimeoutMs * LOCK_TIMEOUT_SHARE)}ms`,
    idle_in_transaction_session_timeout: `${Math.max(PAUSE_MS_MAX, queryTimeoutMs)}ms`,
    ...KEEPALIVES,
  }
}

/** Since when a pool could open no session. */
const awaySince = new WeakMap<pg.Pool, number>()
/** The pool's own words when others had all sessions. */
const isOfQueue = (error: unknown): boolean =>
  error instanceof Error && error.message === 'timeout exceeded when trying to connect'

function openPool(options: DatabaseOptions, planning: Readonly<Record<string, string>>): pg.Pool {
  const queryTimeoutMs = options.queryTimeoutMs ?? QUERY_TIMEOUT_MS
  const settings = { ...planning, ...limitsOf(queryTimeoutMs) }
  const pool = new pg.Pool({
    connectionString: options.url,
    max: options.poolMax,
    application_name: options.applicationName,
    types: TYPES,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    query_timeout: queryTimeoutMs,
    idleTimeoutMillis: IDLE_TIMEOUT_MS,
    keepAlive: true,
    // What a transaction asks for together is sent together.
    pipeline: true,
    // Not `verify`: a connection whose verification ends after who waited for it has given up would be lost to the pool for
    // ever. The pool waits for the promise, though its types do not say so.
    // eslint-disable-next-line @typescript-eslint/no-misused-promises
    onConnect: async (client) => {
      const { takesWrites } = await setUpSession(client, settings)
      // After a failover the address may still lead to the old primary, or already to one that is not promoted yet.
      if (!takesWrites && options.mayBeReadOnly !== true) throw readOnlyServer()
    },
  })
  pool.on('error', (error) =>
    options.log.warn({ reason: error.message }, 'an idle database connection was lost'),
  )
  pool.on('acquire', () => {
    const sinceMs = awaySince.get(pool)
    if (sinceMs === undefined) return
    awaySince.delete(pool)
    const seconds = Math.round((performance.now() - sinceMs) / 100) / 10
    options.log.info({ seconds }, 'the database answers again')
  })
  // Between the pool's listener and that of whoever takes the connection there is a moment without one, and a server that
  // ends sessions may say so just then. Who uses the connection hears of it by the statement that fails.
  pool.on('connect', (client) => client.on('error', () => undefined))
  return pool
}

const readOnlyServer = (): Error =>
  Object.assign(new Error('the server takes reads only'), { code: READ_ONLY })

async function runAlone<Row extends object>(
  pool: pg.Pool,
  statement: Statement,
  values: readonly unknown[],
): Promise<readonly Row[]> {
  const client = await connect(pool)
  return runOn(client, async (warnings) => {
    const rows = await query<Row>(client, statement, values)
    warnings.refuse()
    return rows
  })
}

async function runTransaction<Result>(pool: pg.Pool, work: (tx: Tx) => Promise<Result>): Promise<Result> {
  const client = await connect(pool)
  return runOn(client, async (warnings) => {
    await client.query(beginningOfAct() ?? 'begin')
    let isOver = false
    const tx: Tx = {
      rows: (statement, values) => (isOver ? tooLate() : query(client, statement, values)),
    }
    let result: Result
    try {
      result = await work(tx).finally(() => {
        isOver = true
      })
    } catch (error) {
      await rollBack(client, error)
      throw error
    }
    warnings.forget()
    const { command } = await client.query('commit')
    // PostgreSQL answers a COMMIT after a failed statement with ROLLBACK, and no error.
    if (command !== 'COMMIT')
      throw new Error('a statement failed, its error was swallowed, and all was rolled back')
    warnings.refuse()
    return result
  })
}

/** One of several that were asked for together failed, and another goes on: behind the ROLLBACK, its statement would commit by itself. */
const tooLate = (): Promise<never> =>
  Promise.reject(new Error('a statement was asked for after the end of its transaction'))

async function query<Row extends object>(
  client: pg.PoolClient,
  statement: Statement,
  values: readonly unknown[],
): Promise<readonly Row[]> {
  const result = await client.query<Row>({
    name: statement.name,
    text: statement.text,
    values: values.map((value) => (Array.isArray(value) ? (arrayLiteral(value) ?? value) : value)),
  })
  return result.rows
}

const HURRY: Statement = { name: 'database_hurry', text: `set local lock_timeout = '200ms'` }

/**
 * The same database, where a lock is waited for only a moment: for those who were in one batch with somebody whose lock was not
 * to be had. Each statement then takes a transaction.
 */
function hurried(db: Database): Database {
  const transaction: Database['transaction'] = (work) =>
    db.transaction(async (tx) => {
      await tx.rows(HURRY, [])
      return work(tx)
    })
  return { ...db, transaction, rows: (...asked) => transaction((tx) => tx.rows(...asked)) }
}

/** So often a batch is cut for rows that others keep locked. Where there are more of them, those that are still together fail together. */
const LOCK_FAILURES_MAX = 16

/** How a batch of rows is tried apart (`platform/batch.ts`): one whose data is bad, or that others keep locked, fails alone. */
export function apartIn(db: Database): {
  readonly isPoison: (error: unknown, failures: number) => boolean
  /** Where a part is run that was cut off for this reason. */
  readonly dbAfter: (cause: unknown) => Database
} {
  const quick = hurried(db)
  return {
    isPoison: (error, failures) =>
      isDataFault(error) || (isLockTimeout(error) && failures <= LOCK_FAILURES_MAX),
    dbAfter: (cause) => (cause !== undefined && isLockTimeout(cause) ? quick : db),
  }
}

/** A session whose rollback fails may still be inside the transaction: it must not serve anyone else. */
async function rollBack(client: pg.PoolClient, cause: unknown): Promise<void> {
  try {
    await client.query('rollback')
  } catch {
    throw new CommitUnknown('the transaction could not be rolled back', { cause, mayBeResolved: true })
  }
}

async function connect(pool: pg.Pool): Promise<pg.PoolClient> {
  try {
    return await pool.connect()
  } catch (error) {
    if (!isOfQueue(error) && !awaySince.has(pool)) awaySince.set(pool, performance.now())
    throw new DatabaseUnavailable('the database cannot be reached', { cause: error })
  }
}

/** What PostgreSQL warned of while it committed. */
interface Warnings {
  /** Statements before the COMMIT may warn of what they like. */
  forget(): void
  /** Throws CommitUnknown after a warning. */
  refuse(): void
}

/**
 * Runs work on a connection and gives it back. A connection that failed is thrown away. A warning that comes with a
 * commit means that PostgreSQL gave up waiting for its standby: visible here, but not safe, hence not acknowledged.
 */
async function runOn<Result>(
  client: pg.PoolClient,
  work: (warnings: Warnings) => Promise<Result>,
): Promise<Result> {
  let warning: string | undefined
  const onNotice = (notice: Notice): void => {
    if (isWarning(notice)) warning = notice.message ?? 'warning'
  }
  const onError = (): void => undefined
  client.on('notice', onNotice)
  client.on('error', onError)
  let broken = false
  try {
    return await work({
      forget: () => {
        warning = undefined
      },
      refuse: () => {
        if (warning !== undefined) throw new CommitUnknown(warning, { mayBeResolved: false })
      },
    })
  } catch (error) {
    const told = toldBy(error, warning === undefined)
    broken = told instanceof CommitUnknown || told instanceof DatabaseUnavailable
    throw told
  } finally {
    client.off('notice', onNotice)
    client.off('error', onError)
    client.release(broken)
  }
}

/**
 * What the caller is told of an error. After CommitUnknown and DatabaseUnavailable the connection serves nobody else.
 * A session that is ended while it waits for its standby warns first: then, too, the row is there and proves nothing.
 */
function toldBy(error: unknown, mayBeResolved: boolean): unknown {
  if (isReadOnly(error)) return new DatabaseUnavailable('the database takes reads only', { cause: error })
  if (isConnectionLoss(error))
    return new CommitUnknown('the connection was lost', { cause: error, mayBeResolved })
  return error
}

/**
 * What is told to those who wait behind work that ended like this, after `resolveUnknown` tried: undefined unless the database is
 * away or does not answer. Nothing was done for them.
 */
export function awayForAll(error: unknown): DatabaseUnavailable | undefined {
  const isAway =
    error instanceof DatabaseUnavailable || (error instanceof CommitUnknown && error.mayBeResolved)
  return isAway
    ? new DatabaseUnavailable('the database did not answer those before', { cause: error })
    : undefined
}

const RESOLVE_DEADLINE_MS = 1_500
const RESOLVE_PAUSE_MS = 50

/**
 * Runs idempotent work again while the database is away or the answer of a COMMIT was lost, for at most 1.5 s; then the
 * last error is thrown and the outcome stays unknown to the caller. A deadlock is tried again in the same way.
 */
export async function resolveUnknown<Result>(
  clock: { monotonicMs(): number },
  work: () => Promise<Result>,
): Promise<Result> {
  const deadlineMs = clock.monotonicMs() + RESOLVE_DEADLINE_MS
  for (;;) {
    try {
      return await work()
    } catch (error) {
      const mayHelp =
        error instanceof DatabaseUnavailable ||
        isRetryable(error) ||
        (error instanceof CommitUnknown && error.mayBeResolved)
      if (!mayHelp || clock.monotonicMs() + RESOLVE_PAUSE_MS > deadlineMs) throw error
      await sleep(RESOLVE_PAUSE_MS)
    }
  }
}

/**
 * PostgreSQL's text of an array: batches travel as one per column. The driver makes such texts as well, by two patterns per
 * value, which is most of what sending a batch costs. Undefined where a value is none of texts, numbers, truth values,
 * bytes and nothing: the driver knows what to do with it.
 */
export function arrayLiteral(values: readonly unknown[]): string | undefined {
  if (values.every(isOfJson)) {
    const json = JSON.stringify(values)
    // But for the brackets, JSON writes the same, as long as it has nothing to escape: and makes no text for each value.
    if (!json.includes('\\')) return `{${json.slice(1, -1)}}`
  }
  const elements: string[] = []
  for (const value of values) {
    const element = elementOf(value)
    if (element === undefined) return undefined
    elements.push(element)
  }
  return `{${elements.join(',')}}`
}

const isOfJson = (value: unknown): boolean =>
  typeof value === 'string' ||
  typeof value === 'boolean' ||
  value === null ||
  value === undefined ||
  Number.isFinite(value)

function elementOf(value: unknown): string | undefined {
  if (typeof value === 'string') return quoted(value)
  if (value === null || value === undefined) return 'NULL'
  if (typeof value === 'number' || typeof value === 'boolean') return `"${String(value)}"`
  return Buffer.isBuffer(value) ? `"\\\\x${value.toString('hex')}"` : undefined
}

/** Always in quotation marks: without them `null` would be nothing, and a comma the end. */
function quoted(text: string): string {
  if (!text.includes('"') && !text.includes('\\')) return `"${text}"`
  return `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`
}
