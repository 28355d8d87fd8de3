import type { Clock } from './clock.ts'
import type { Database, Statement } from './database.ts'
import type { Log } from './log.ts'

export const CONFIGURATION_SCOPES = ['MERCHANT', 'CATALOGUE', 'SIGNING_KEYS', 'REVOCATIONS'] as const
export type ConfigurationScope = (typeof CONFIGURATION_SCOPES)[number]

/** Called when rows of the scope changed, in this or another process; without a merchant when it concerns all. */
export type ConfigurationHandler = (merchantId: string | undefined) => void | Promise<void>

/** Tells caches when to drop what they hold. */
export interface ConfigurationChanges {
  on(scope: ConfigurationScope, handler: ConfigurationHandler): void
  /** Milliseconds since the changes were last read with success: what caches may be stale by. */
  staleMs(): number
  start(): Promise<void>
  stop(): void
}

const CHANNEL = 'tollgate_configuration'
/** How long a change can stay unseen when NOTIFY is lost. */
const POLL_MS = 1_000
/**
 * Change ids are given before the transaction commits, so a lower id may appear after a higher one.
 * Each poll reads this much of the past again and skips what it has seen.
 */
const LOOK_BACK_SECONDS = 60

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
  let seen = new Set<string>()
  let readAtMs = deps.clock.monotonicMs()
  let timer: NodeJS.Timeout | undefined
  let reading: Promise<void> | undefined
  let again = false

  async function read(): Promise<void> {
    const startedMs = deps.clock.monotonicMs()
    const rows = await deps.db.rows<ChangeRow>(LIST_CHANGES, [LOOK_BACK_SECONDS])
    const fresh = rows.filter((row) => !seen.has(row.change_id))
    // Handlers run before the rows count as seen: one that fails is tried again by the next poll.
    for (const row of deduplicate(fresh)) {
      for (const handler of handlers.get(row.scope) ?? []) await handler(row.merchant_id ?? undefined)
    }
    seen = new Set(rows.map((row) => row.change_id))
    readAtMs = startedMs
  }

  /** One read at a time; a hint that comes meanwhile causes one more. */
  function wake(): Promise<void> {
    if (reading !== undefined) {
      again = true
      return reading
    }
    reading = read()
      .catch((error: unknown) => deps.log.warn({ err: error }, 'configuration changes could not be read'))
      .finally(() => {
        reading = undefined
        if (again) {
          again = false
          void wake()
        }
      })
    return reading
  }

  return {
    on(scope, handler) {
      handlers.set(scope, [...(handlers.get(scope) ?? []), handler])
    },
    staleMs: () => deps.clock.monotonicMs() - readAtMs,
    async start() {
      await deps.db.rows(DELETE_OLD_CHANGES, [])
      await wake()
      void deps.db.listen(CHANNEL, () => void wake())
      timer = setInterval(() => void wake(), POLL_MS)
    },
    stop() {
      clearInterval(timer)
    },
  }
}

function deduplicate(rows: readonly ChangeRow[]): readonly ChangeRow[] {
  return [...new Map(rows.map((row) => [`${row.scope} ${row.merchant_id ?? ''}`, row])).values()]
}
