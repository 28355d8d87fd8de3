import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { createLog, type Log } from '@tollgate/runtime/log'
import { buildGateway } from './app.ts'
import { type Config, ConfigError, readConfig, refuseUnguardedStart } from './config.ts'
import { type DemoMerchant, prepareSandbox } from './demo/demo.ts'
import { DEMO_OPERATORS } from './demo/operators.ts'
import { openSecrets } from './keys/open-secrets.ts'
import { openDatabase } from './platform/database.ts'
import { EmbeddedPostgresFailure } from './platform/embedded-postgres/index.ts'
import { openLogFile } from './platform/log-file.ts'
import { MigrationRefused, migrate } from './platform/migrate.ts'
import { SessionsShared } from './platform/pooling.ts'
import { WrongMasterKey } from './platform/root-key.ts'
import { SealBroken, type Secrets } from './platform/secrets.ts'
import { startCheckout } from './programs/checkout.ts'
import type { RunningProgram } from './programs/child-program.ts'
import { consoleUrl, startConsole } from './programs/console.ts'
import {
  dataDirOf,
  type Installation,
  openInstallation,
  placesOf,
  requireFreePorts,
} from './programs/installation.ts'
import {
  keepCell,
  refuseSandboxDatabase,
  refuseSharedSessions,
  stopInTime,
  untilStopSignal,
} from './programs/lifecycle.ts'
import { startShop } from './programs/shop.ts'
import { startSimulator } from './programs/simulator.ts'

// `npm start`: everything in one process, on its own database, for a first look and for development.

const EXIT_USAGE = 2
const EXIT_FAULT = 1

async function main(): Promise<void> {
  const config = readConfig(process.env)
  refuseUnguardedStart(config)
  await requireFreePorts(placesOf(config, ['API', 'OPERATOR', 'CHECKOUT', 'CONSOLE', 'METRICS']))
  const dataDir = dataDirOf(config)
  mkdirSync(dataDir, { recursive: true })
  const logFile = join(dataDir, 'gateway.log')
  const log = createLog({
    level: config.TOLLGATE_LOG_LEVEL,
    destination: openLogFile(logFile),
  })
  const installation = await openInstallation(config, log)
  let simulator: RunningProgram | undefined
  let checkout: RunningProgram | undefined
  let shop: RunningProgram | undefined
  let console: RunningProgram | undefined
  try {
    const { secrets, demo } = await prepare(config, installation, log)
    simulator = startSimulator({ config, secrets, log })
    checkout = startCheckout({ config, secrets, log })
    shop = startShop({ config, log })
    console = startConsole({ config, log })
    const stop = untilStopSignal()
    const gateway = await buildGateway({ config, log, secrets, ...installation, roles: ['api', 'worker'] })
    await gateway.start()
    const isSimulatorOpen = await simulator?.untilOpen()
    const isCheckoutOpen = await checkout?.untilOpen()
    const isShopOpen = await shop?.untilOpen()
    const isConsoleOpen = await console?.untilOpen()
    const areOpen = { isSimulatorOpen, isCheckoutOpen, isShopOpen, isConsoleOpen }
    process.stdout.write(welcome(config, demo, { logFile, ...areOpen }))
    await stop
    process.stdout.write('\nFinishing what is under way…\n')
    await stopInTime(gateway, config)
  } finally {
    await Promise.all([simulator?.stop(), checkout?.stop(), shop?.stop(), console?.stop()])
    await installation.stop()
  }
  process.stdout.write('Stopped.\n')
  process.exit(0)
}

interface Prepared {
  readonly secrets: Secrets
  /** Undefined in live. */
  readonly demo: DemoMerchant | undefined
}

/** Brings the schema up to date and opens the keys; fills a sandbox, and makes sure that live is none. */
async function prepare(config: Config, installation: Installation, log: Log): Promise<Prepared> {
  if (config.TOLLGATE_DATABASE_URL !== undefined) await refuseSharedSessions(installation.databaseUrl)
  await migrate(installation.migration)
  const db = openDatabase({
    url: installation.databaseUrl,
    poolMax: 2,
    log,
    applicationName: 'tollgate prepare',
  })
  try {
    await keepCell({ config, db })
    const secrets = await openSecrets({ ...installation, db })
    if (!config.isLive) return { secrets, demo: await prepareSandbox({ config, db, secrets }) }
    await refuseSandboxDatabase({ config, db, secrets })
    return { secrets, demo: undefined }
  } finally {
    await db.close()
  }
}

interface Surroundings {
  readonly logFile: string
  /** Undefined where there is none. */
  readonly isSimulatorOpen: boolean | undefined
  readonly isCheckoutOpen: boolean | undefined
  readonly isShopOpen: boolean | undefined
  readonly isConsoleOpen: boolean | undefined
}

function welcome(
  config: Config,
  demo: DemoMerchant | undefined,
  { logFile, isSimulatorOpen, isCheckoutOpen, isShopOpen, isConsoleOpen }: Surroundings,
): string {
  const at = (isOpen: boolean, url: string): string => (isOpen ? url : 'does not run, see the log')
  const addresses = [
    ...(isShopOpen === undefined ? [] : [['Shop to try it', at(isShopOpen, config.publicShopUrl)] as const]),
    ['API', config.publicApiUrl],
    ['API description', `${config.publicApiUrl}/openapi.json`],
    ['Operator API', config.publicOperatorUrl],
    ...(isConsoleOpen === undefined ? [] : [['Console', at(isConsoleOpen, consoleUrl(config))] as const]),
    ...(isCheckoutOpen === undefined
      ? []
      : [['Payment page', at(isCheckoutOpen, config.publicCheckoutUrl)] as const]),
    ...(isSimulatorOpen === undefined
      ? []
      : [['Bank simulator', at(isSimulatorOpen, config.publicSimulatorUrl)] as const]),
    ['Metrics', `http://localhost:${String(config.TOLLGATE_METRICS_PORT)}/metrics`],
    ['Log', logFile],
  ] as const
  const lines = [
    '',
    `Tollgate is ready (${config.TOLLGATE_ENVIRONMENT}).`,
    '',
    ...addresses.map(([name, value]) => `  ${name.padEnd(16)} ${value}`),
  ]
  if (demo !== undefined) {
    lines.push(
      `  ${'Merchant'.padEnd(16)} ${demo.merchantCode}`,
      `  ${'Secret'.padEnd(16)} ${demo.secret}`,
      `  ${'Private key'.padEnd(16)} ${demo.privateKeyFile}`,
      `  ${'Operators'.padEnd(16)} ${DEMO_OPERATORS.map(({ code }) => code).join(', ')}, with their keys beside it`,
      '',
      'A token for your first payments:',
      '',
      `  ${curlFor(demo)}`,
    )
  }
  return `${lines.join('\n')}\n\nCtrl-C stops everything; the data stays.\n`
}

function curlFor(demo: DemoMerchant): string {
  const body = {
    merchantCode: demo.merchantCode,
    secret: demo.secret,
    validitySecs: 3600,
    operations: ['POST /payins/.*', 'GET /payins/.*'],
  }
  return `curl -s ${demo.apiUrl}/auth-tokens -H 'X-API-Version: 2' -H 'Content-Type: application/json' -d '${JSON.stringify(body)}'`
}

function fail(error: unknown): never {
  if (
    error instanceof ConfigError ||
    error instanceof EmbeddedPostgresFailure ||
    error instanceof MigrationRefused ||
    error instanceof SealBroken ||
    error instanceof SessionsShared ||
    error instanceof WrongMasterKey
  ) {
    process.stderr.write(`${error.message}\n`)
    process.exit(EXIT_USAGE)
  }
  process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`)
  process.exit(EXIT_FAULT)
}

main().catch(fail)
