import type { Clock, Log } from '@tollgate/runtime'
import type { Database, Statement } from './database.ts'

const CONFIGURATION_SCOPES = ['MERCHANT', 'CATALOGUE', 'SIGNING_KEYS', 'REVOCATIONS', 'RATES'] as const
export type ConfigurationScope = (typeof CONFIGURATION_SCOPES)[number]

/**
 * Called when rows of the scope changed, in this or another process; without a merchant when it concerns all, or when
 * nobody knows any more which one it was. One that throws is called again by the next poll.
 */
export type ConfigurationHandler = (merchantId: string | undefined) => void | Promise<void>

/** Tells caches when to drop what they hold. */
export interface ConfigurationChanges {
  on(scope: ConfigurationScope, handler: ConfigurationHandler): void
  /** Milliseconds since all changes were last read and handled: what caches may be stale by. */
  staleMs(): number
  start(): Promise<void>
  stop(): void
}

const CHANNEL = 'tollgate_configuration'
/** How long a change can stay unseen when NOTIFY is lost. */
const POLL_MS = 1_000
/** How much of the past is read when a process starts: what it loaded just before may have been changed meanwhile. */
const LOOK_BACK_SECONDS = 600
/** A process that could not read for longer than this forgets everything: the rows of its absence may be deleted. */
const GAP_SECONDS_MAX = 3_600

/**
 * A change may appear after later ones, since its transaction may end after theirs. `horizon` is the oldest transaction that
 * had not ended when the changes were read: the next reading begins with it.
 */
const changesWhere = (condition: string): string =>
  `select c.change_id, c.scope, c.merchant_id, pg_snapshot_xmin(pg_current_snapshot())::text as horizon
    from (values (1)) one left join configuration_changes c on ${condition} order by c.change_id`
const LIST_RECENT: Statement = {
  name: 'configuration_list_recent',
  text: changesWhere('c.changed_at > clock_timestamp() - make_interval(secs => $1)'),
}
const LIST_SINCE: Statement = {
  name: 'configuration_list_since',
  text: changesWhere('c.xid >= $1::xid8'),
}
const DELETE_OLD_CHANGES: Statement = {
  name: 'configuration_delete_old_changes',
  text: `delete from configuration_changes where changed_at < clock_timestamp() - interval '1 day'`,
}

interface ChangeRow {
  readonly change_id: string
  readonly scope: ConfigurationScope
  readonly merchant_id: string | null
}
type ReadRow = { readonly horizon: string } & (ChangeRow | { readonly change_id: null })

interface ConfigurationChangesDeps {
  readonly db: Database
  readonly clock: Clock
  readonly log: Log
}

/** Watches the table of configuration changes: woken by NOTIFY, sure by polling. */
export function watchConfiguration(deps: ConfigurationChangesDeps): ConfigurationChanges {
  const handlers = new Map<ConfigurationScope, ConfigurationHandler[]>()
  const staleMs = (): number => deps.clock.monotonicMs() - readAtMs
  let horizon: bigint | undefined
  /** Changes since the horizon that were handled already. */
  let seen: ReadonlySet<string> = new Set()
  let readAtMs = deps.clock.monotonicMs()
  let timer: NodeJS.Timeout | undefined
  let isStopped = false

  async function call(change: Change): Promise<void> {
    for (const handler of handlers.get(change.scope) ?? []) await handler(change.merchantId)
  }

  async function read(): Promise<void> {
    const startedMs = deps.clock.monotonicMs()
    const { rows, nextHorizon } = await readChanges(deps.db, horizon, LOOK_BACK_SECONDS + staleMs() / 1000)
    const fresh = rows.filter((row) => !seen.has(row.change_id))
    // Transactions that count from anew are those of a database that was restored: nothing that we hold need be true.
    const forgetsAll = staleMs() > GAP_SECONDS_MAX * 1000 || (horizon !== undefined && nextHorizon < horizon)
    const outcome = await handleAll(forgetsAll ? EVERYTHING : changesIn(fresh), call)
    // What could not be handled does not count as seen: the next poll tries again, and until then we are stale.
    seen = new Set(
      rows
        .filter((row) => seen.has(row.change_id) || !outcome.failed.has(keyOf(row)))
        .map((row) => row.change_id),
    )
    if (outcome.failed.size > 0) throw outcome.error
    horizon = nextHorizon
    readAtMs = startedMs
  }

  const wake = oneAtATime(async () => {
    if (isStopped) return
    await read().catch((error: unknown) => {
      if (!isStopped) deps.log.warn({ err: error }, 'configuration changes could not be read')
    })
  })

  return {
    on(scope, handler) {
      handlers.set(scope, [...(handlers.get(scope) ?? []), handler])
    },
    staleMs,
    async start() {
      await deps.db.rows(DELETE_OLD_CHANGES, [])
      await wake()
      void deps.db.listen(CHANNEL, () => void wake())
      timer = setInterval(() => void wake(), POLL_MS)
    },
    stop() {
      isStopped = true
      clearInterval(timer)
    },
  }
}

/** The changes of transactions that had not ended at the horizon; those of so many seconds, where there is none yet. */
async function readChanges(
  db: Database,
  horizon: bigint | undefined,
  lookBackSeconds: number,
): Promise<{ readonly rows: readonly ChangeRow[]; readonly nextHorizon: bigint }> {
  const read =
    horizon === undefined
      ? await db.rows<ReadRow>(LIST_RECENT, [lookBackSeconds])
      : await db.rows<ReadRow>(LIST_SINCE, [String(horizon)])
  const [first] = read
  if (first === undefined) throw new Error('the database did not say which transactions have ended')
  return { rows: read.filter((row) => row.change_id !== null), nextHorizon: BigInt(first.horizon) }
}

interface Change {
  readonly scope: ConfigurationScope
  readonly merchantId: string | undefined
}

const EVERYTHING: ReadonlyMap<string, Change> = new Map(
  CONFIGURATION_SCOPES.map((scope) => [scope, { scope, merchantId: undefined }]),
)

const keyOf = (row: ChangeRow): string => `${row.scope} ${row.merchant_id ?? ''}`

/** The changes without repetitions. */
function changesIn(rows: readonly ChangeRow[]): ReadonlyMap<string, Change> {
  return new Map(
    rows.map((row) => [keyOf(row), { scope: row.scope, merchantId: row.merchant_id ?? undefined }]),
  )
}

/** Handles every change, so that one that cannot be handled does not hold up the others. */
async function handleAll(
  changes: ReadonlyMap<string, Change>,
  handle: (change: Change) => Promise<void>,
): Promise<{ readonly failed: ReadonlySet<string>; readonly error: unknown }> {
  const failed = new Set<string>()
  let error: unknown
  for (const [key, change] of changes) {
    try {
      await handle(change)
    } catch (reason) {
      failed.add(key)
      error = reason
    }
  }
  return { failed, error }
}

/** Runs the work for every call, but never twice at once: calls during a run share one more run after it. */
function oneAtATime(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined
  let next: Promise<void> | undefined
  const run = (): Promise<void> => {
    running = work().finally(() => {
      running = undefined
    })
    return running
  }
  return () => {
    if (running === undefined) return run()
    next ??= running.then(() => {
      next = undefined
      return running ?? run()
    })
    return next
  }
}
