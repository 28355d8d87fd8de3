import { existsSync } from 'node:fs'
import { getPriority, setPriority } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { systemClock } from '@tollgate/runtime'
import { createLog, type Log } from '@tollgate/runtime/log'
import { type Config, ConfigError } from '../../config.ts'
import { openSecrets } from '../../keys/open-secrets.ts'
import { openDatabase } from '../../platform/database.ts'
import type { MasterKeys } from '../../platform/master-key.ts'
import { pendingMigrations } from '../../platform/migrate.ts'
import type { Secrets } from '../../platform/secrets.ts'
import { findInstallation, placesOf, requireFreePorts } from '../../programs/installation.ts'
import {
  keepCell,
  refuseSandboxDatabase,
  refuseSharedSessions,
  runUntilStopped,
} from '../../programs/lifecycle.ts'
import { runProcesses } from '../../programs/processes.ts'
import { untilDatabaseAnswers } from '../database-wait.ts'
import { CommandFailure } from '../failure.ts'
import { masterKeyFile, readExistingMasterKeys, requireDatabaseUrl } from '../installation.ts'
import { NOTHING_MORE, type Report, type Shell } from '../shell.ts'

/** `tollgate serve`: the API, until a signal ends it; by one process, or by several that are looked after. */
export async function serve(shell: Shell, workers: number): Promise<Report> {
  const config = await shell.config()
  if (workers > 1) refuseUnsharedLimits(config, workers)
  await requireDatabaseUrl(config)
  await requireFreePorts(placesOf(config, ['API', 'OPERATOR', 'METRICS']))
  const log = createLog({ level: config.TOLLGATE_LOG_LEVEL })
  const { connectionsMax, ...installation } = await prepared(config, log)
  if (workers === 1) {
    await runUntilStopped({ ...installation, config, log, roles: ['api'] })
    return NOTHING_MORE
  }
  warnOfSeveral({ config, log, workers, connectionsMax })
  if (await runProcesses({ config, log, count: workers })) return NOTHING_MORE
  throw new CommandFailure(
    'FAULT',
    'Processes of the API ended again and again within a minute: gave up. Their last lines in the log say why.',
  )
}

/** `tollgate worker`: the work behind the API, until a signal ends it. */
export async function work(shell: Shell): Promise<Report> {
  const config = await shell.config()
  await requireDatabaseUrl(config)
  await requireFreePorts(placesOf(config, ['METRICS']))
  const log = createLog({ level: config.TOLLGATE_LOG_LEVEL })
  const { databaseUrl, secrets } = await prepared(config, log)
  giveWay()
  await runUntilStopped({ databaseUrl, secrets, config, log, roles: ['worker'] })
  return NOTHING_MORE
}

/** The limit is a promise to others; where money moves, nobody breaks it by a mere option. */
function refuseUnsharedLimits(config: Config, workers: number): void {
  if (!config.isLive || config.TOLLGATE_REDIS_URL !== undefined) return
  throw new ConfigError(
    `--workers ${workers} needs TOLLGATE_REDIS_URL in live: without it each process counts the rate limit by itself, and a merchant could send ${workers} times its limit.`,
  )
}

interface Several {
  readonly config: Config
  readonly log: Log
  readonly workers: number
  readonly connectionsMax: number
}

/** One of a process hears of changes, beside its pool. */
const LISTENING_CONNECTIONS = 1

function warnOfSeveral({ config, log, workers, connectionsMax }: Several): void {
  if (config.TOLLGATE_REDIS_URL === undefined)
    log.warn({ workers }, 'each process counts the rate limit by itself: TOLLGATE_REDIS_URL is not set')
  const connections = workers * (config.TOLLGATE_DATABASE_POOL_MAX + LISTENING_CONNECTIONS)
  if (connections > connectionsMax)
    log.warn(
      { workers, connections, connectionsMax },
      'the processes may want more connections than the database has: lower TOLLGATE_DATABASE_POOL_MAX or raise max_connections',
    )
}

const FIND_CONNECTIONS_MAX = {
  name: 'serve_find_connections_max',
  text: `select current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int as max`,
}

interface Prepared {
  readonly databaseUrl: string
  readonly secrets: Secrets
  /** Of the whole server, for whoever is no superuser. */
  readonly connectionsMax: number
}

/** The database and the keys, seen to be right: the schema is current, and the master key opens what is there. */
async function prepared(config: Config, log: Log): Promise<Prepared> {
  const masterKeys = await masterKeysFor(config)
  const databaseUrl = await requireDatabaseUrl(config)
  const db = openDatabase({ url: databaseUrl, poolMax: 1, log, applicationName: 'tollgate prepare' })
  try {
    await untilDatabaseAnswers({ db, url: databaseUrl, log, clock: systemClock, pause: sleep })
    if (config.TOLLGATE_DATABASE_URL !== undefined) await refuseSharedSessions(databaseUrl)
    if ((await pendingMigrations(db)).length > 0)
      throw new ConfigError('The schema of the database is not up to date. Run `tollgate migrate`.')
    await keepCell({ config, db })
    const secrets = await openSecrets({ db, masterKeys })
    await refuseSandboxDatabase({ config, db, secrets })
    const [connections] = await db.rows<{ max: number }>(FIND_CONNECTIONS_MAX, [])
    return { databaseUrl, secrets, connectionsMax: connections?.max ?? 0 }
  } finally {
    await db.close()
  }
}

/** In the sandbox a first start makes a key. Live has several processes, and each would make its own. */
async function masterKeysFor(config: Config): Promise<MasterKeys> {
  if (config.isLive || existsSync(masterKeyFile(config))) return readExistingMasterKeys(config)
  const installation = await findInstallation(config)
  if (installation === undefined)
    throw new CommandFailure('UNREACHABLE', 'The installation has just stopped.')
  return installation.masterKeys
}

/** A fraction of a busy processor's time, beside those who answer requests: enough to go on. */
const WORKER_PRIORITY = 5

/** Whoever waits for an answer comes first. A priority that was given to us, and is lower, stays. */
function giveWay(): void {
  try {
    setPriority(Math.max(getPriority(), WORKER_PRIORITY))
  } catch {
    // Where a sandbox forbids it, the worker works all the same.
  }
}
