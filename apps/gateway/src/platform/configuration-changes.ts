import type { Clock } from './clock.ts'
import type { Database, Statement } from './database.ts'
import type { Log } from './log.ts'

export const CONFIGURATION_SCOPES = ['MERCHANT', 'CATALOGUE', 'SIGNING_KEYS', 'REVOCATIONS', 'RATES'] as const
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
/**
 * A change gets its id and time before its transaction commits, so it may appear after later ones. Each poll reads this
 * much of the past again and skips what it has seen; an operator's transaction must not stay open for longer.
 */
const LOOK_BACK_SECONDS = 600
/** A process that could not read for longer than this forgets everything: the rows of its absence may be deleted. */
const GAP_SECONDS_MAX = 3_600

const LIST_CHANGES: Statement = {
  name: 'configuration_list_changes',
  text: `select change_id, scope, merchant_id from configuration_changes
    where changed_at > clock_timestamp() - make_interval(secs => $1) order by change_id`,
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

export interface ConfigurationChangesDeps {
  readonly db: Database
  readonly clock: Clock
  readonly log: Log
}

/** Watches the table of configuration changes: woken by NOTIFY, sure by polling. */
export function watchConfiguration(deps: ConfigurationChangesDeps): ConfigurationChanges {
  const handlers = new Map<ConfigurationScope, ConfigurationHandler[]>()
  const staleMs = (): number => deps.clock.monotonicMs() - readAtMs
  let seen: ReadonlySet<string> = new Set()
  let readAtMs = deps.clock.monotonicMs()
  let timer: NodeJS.Timeout | undefined
  let isStopped = false

  async function call(change: Change): Promise<void> {
    for (const handler of handlers.get(change.scope) ?? []) await handler(change.merchantId)
  }

  async function read(): Promise<void> {
    const startedMs = deps.clock.monotonicMs()
    const gapSeconds = staleMs() / 1000
    const rows = await deps.db.rows<ChangeRow>(LIST_CHANGES, [LOOK_BACK_SECONDS + gapSeconds])
    const fresh = rows.filter((row) => !seen.has(row.change_id))
    const outcome = await handleAll(gapSeconds > GAP_SECONDS_MAX ? EVERYTHING : changesIn(fresh), call)
    // What could not be handled does not count as seen: the next poll tries again, and until then we are stale.
    seen = new Set(
      rows
        .filter((row) => seen.has(row.change_id) || !outcome.failed.has(keyOf(row)))
        .map((row) => row.change_id),
    )
    if (outcome.failed.size > 0) throw outcome.error
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
