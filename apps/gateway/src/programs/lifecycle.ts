import { setTimeout as sleep } from 'node:timers/promises'
import { randomIds } from '@tollgate/runtime'
import { buildGateway, type Gateway, type GatewayOptions } from '../app.ts'
import { type Config, ConfigError } from '../config.ts'
import { DEMO_MERCHANT_CODE } from '../demo/demo.ts'
import { hasDemoOperator } from '../demo/operators.ts'
import { findLetter, findSplitTo, insertLetter } from '../modules/cells/index.ts'
import { createMerchantService } from '../modules/merchants/index.ts'
import type { Database } from '../platform/database.ts'
import { hasSessionsOfItsOwn, SessionsShared } from '../platform/pooling.ts'
import type { Secrets } from '../platform/secrets.ts'

// What a process of the gateway has in common with every other, from its first check to its last signal.

const EXIT_INTERRUPTED = 130
/** A terminal and npm both pass one Ctrl-C on: what comes this soon after the first signal is its echo. */
const ECHO_MS = 500

/**
 * Resolves at the first SIGINT or SIGTERM. A later one ends the process at once with 130. Call it before anything is
 * started, so that no signal finds nobody listening.
 */
export function untilStopSignal(): Promise<void> {
  return new Promise((resolve) => {
    let firstMs: number | undefined
    const onSignal = (): void => {
      const nowMs = performance.now()
      if (firstMs === undefined) {
        firstMs = nowMs
        resolve()
      } else if (nowMs - firstMs > ECHO_MS) {
        process.exit(EXIT_INTERRUPTED)
      }
    }
    process.on('SIGINT', onSignal)
    process.on('SIGTERM', onSignal)
  })
}

/** Throws SessionsShared when a pooler before the database makes no sessions of our connections. */
export async function refuseSharedSessions(databaseUrl: string): Promise<void> {
  if (!(await hasSessionsOfItsOwn(databaseUrl))) throw new SessionsShared()
}

/** Live never starts on a database that a sandbox was played on. Throws ConfigError. */
export async function refuseSandboxDatabase(deps: {
  readonly config: Config
  readonly db: Database
  readonly secrets: Secrets
}): Promise<void> {
  if (!deps.config.isLive) return
  const merchants = await createMerchantService({ ...deps, ids: randomIds }).list()
  const hasDemo = merchants.some(
    (merchant) => merchant.merchantCode === DEMO_MERCHANT_CODE && merchant.status === 'ACTIVE',
  )
  if (hasDemo) {
    throw new ConfigError(
      'This database holds the sandbox merchant DEMO, so it is not started with TOLLGATE_ENVIRONMENT=live. Use another database.',
    )
  }
  if (await hasDemoOperator(deps)) {
    throw new ConfigError(
      'This database holds an operator of the sandbox, whose key lies in a demo folder: disable ada, grace and alan by `tollgate operators disable --local`, or use another database.',
    )
  }
}

/** A database is of one cell for ever: it is not started as another, and notes which one it is at its first start. Throws ConfigError. */
export async function keepCell({
  config: { TOLLGATE_CELL: cell },
  db,
}: {
  readonly config: Pick<Config, 'TOLLGATE_CELL'>
  readonly db: Database
}): Promise<void> {
  const letter = await findLetter(db)
  if (letter === undefined) return cell === undefined ? undefined : insertLetter(db, cell)
  if (letter === cell) return
  const isReleased = cell !== undefined && (await findSplitTo(db, cell)) !== undefined
  throw new ConfigError(
    isReleased
      ? `This database is a copy of cell ${letter}, or cell ${letter} itself. Where it is the copy that is to be cell ${cell}, run \`tollgate cells open\` first.`
      : `This database is of cell ${letter}, and TOLLGATE_CELL is ${cell ?? 'not set'}.`,
  )
}

/** What a stop may take beyond its drain. */
const STOP_SLACK_SECONDS = 15

/**
 * Stops a gateway. Throws a sentence that names what it waited for when that takes 15 seconds longer than the drain: who
 * started the process ends it then. What is under way is durable, and leases make it due again.
 */
export async function stopInTime(
  gateway: Pick<Gateway, 'stop' | 'stopsWaitingFor'>,
  { TOLLGATE_DRAIN_SECONDS: drainSeconds }: Pick<Config, 'TOLLGATE_DRAIN_SECONDS'>,
  slackSeconds = STOP_SLACK_SECONDS,
): Promise<void> {
  const seconds = drainSeconds + slackSeconds
  const patience = new AbortController()
  const overdue = sleep(seconds * 1000, undefined, { signal: patience.signal }).then(
    () => {
      throw new StopOverdue(
        `The gateway did not stop within ${String(seconds)} seconds. It still waits for: ${gateway.stopsWaitingFor().join(', ')}.`,
      )
    },
    () => undefined,
  )
  try {
    await Promise.race([gateway.stop(), overdue])
  } finally {
    patience.abort()
  }
}

/** A stop took too long. */
class StopOverdue extends Error {
  override readonly name = 'StopOverdue'
}

/**
 * Runs a gateway until a signal, or who started it, asks it to end; then finishes what is under way. Tells the log when it
 * is ready.
 */
export async function runUntilStopped(options: GatewayOptions, told?: Promise<void>): Promise<void> {
  const { config, log, roles } = options
  const signal = untilStopSignal()
  const stop = told === undefined ? signal : Promise.race([signal, told])
  const gateway = await buildGateway(options)
  await gateway.start()
  log.info({ roles, environment: config.TOLLGATE_ENVIRONMENT }, 'the gateway is ready')
  await stop
  log.info({}, 'the gateway finishes what is under way')
  await stopInTime(gateway, config)
  log.info({}, 'the gateway has stopped')
}
