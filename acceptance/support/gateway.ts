import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { RawRequest, RawResponse } from '@tollgate/sdk'
import { createGateway } from '@tollgate/sdk'
import { freePort, runtimeUrl, setRateLimit, type TestLife, testDatabase, waitUntil } from '@tollgate/testkit'
import { at, textAt } from './json.ts'
import { createMerchant, type Merchant } from './merchant.ts'
import { createDescription, type Description } from './openapi.ts'
import { type Outcome, type Program, runProgram, type Settings, startProgram } from './process.ts'

/** Far more than any test sends, so that only the tests of the limit meet it. */
export const RATE_UNLIMITED = 10_000

const MAIN = 'apps/gateway/src/main.ts'
/** The file of the command line, from the root of the repository. */
export const CLI = 'apps/gateway/bin/tollgate.mjs'
const START_TIMEOUT_MS = 120_000
const NO_SIMULATOR = {
  TOLLGATE_SIMULATOR_PORT: '0',
  TOLLGATE_PUBLIC_SIMULATOR_URL: 'https://simulator.example',
}
const NO_CHECKOUT = { TOLLGATE_CHECKOUT_PORT: '0' }
const NO_SHOP = { TOLLGATE_SHOP_PORT: '0' }
const NO_CONSOLE = { TOLLGATE_CONSOLE_PORT: '0' }
/** More than the gateway itself allows a stop: it then says what it waited for. */
const STOP_TIMEOUT_MS = 120_000
const CONFIGURATION_TIMEOUT_MS = 60_000
const REQUEST_TIMEOUT_MS = 60_000

interface GatewayOptions {
  /** Its own embedded PostgreSQL, which can be killed; otherwise a database of the shared test server. */
  readonly embedded?: boolean
  /** This database, e.g. one that another gateway uses as well. */
  readonly databaseUrl?: string
  /** The database is a copy of another cell's, which has the merchant of the sandbox. */
  readonly isCopy?: true
  /** The data directory of another gateway. */
  readonly dataDir?: string
  readonly settings?: Settings
  /** With the bank simulator beside it, which is a process more. */
  readonly simulator?: boolean
  /** With the hosted payment page, at `checkoutUrl`: a process more, too. */
  readonly checkout?: boolean
  /** With the shop of the sandbox, at `shopUrl`: one more. */
  readonly shop?: boolean
  /** With the operators' console, at `consoleUrl`: one more. */
  readonly console?: boolean
}

/** A gateway in a process of its own, as an operator would run it. */
export interface TestGateway {
  readonly url: string
  /** Of the operator API. */
  readonly operatorUrl: string
  /** Of the hosted payment page, where one was asked for. */
  readonly checkoutUrl: string
  readonly shopUrl: string
  readonly consoleUrl: string
  readonly dataDir: string
  /** Absent with the embedded database. Of the superuser, for what a test does behind the gateway's back. */
  readonly databaseUrl: string | undefined
  /** The merchant of the sandbox, who may send as much as they like. */
  demo(): Merchant
  /** Sends one request; the answer must be one that the gateway's own description promises. */
  send(request: RawRequest): Promise<RawResponse>
  /** The same at the operator API, whose description is another one. `token` is an operator's key. */
  sendToOperators(request: RawRequest): Promise<RawResponse>
  /** The key of an operator of the sandbox: ada and grace may look into much, and approve; alan looks after merchants. */
  operatorKey(code: 'ada' | 'grace' | 'alan'): string
  /** Runs a command of the command line; fails the test unless it ends with 0. */
  cli(...parts: readonly string[]): Promise<Outcome>
  /** The same for a command that may end otherwise, and take its time. */
  tryCli(parts: readonly string[], timeoutMs: number): Promise<Outcome>
  /** The process that runs now. */
  process(): Program
  /** SIGTERM, and the test fails unless it ends with 0. */
  stop(): Promise<void>
  /** SIGKILL: nothing is finished, nothing is said. */
  kill(): Promise<void>
  /** Starts it again: same data, same ports. */
  start(): Promise<void>
}

/** Starts a gateway for the sandbox, waits until it says that it is ready, and stops it when the test ends. */
export async function startGateway(t: TestLife, options: GatewayOptions = {}): Promise<TestGateway> {
  const dataDir = options.dataDir ?? temporaryFolder()
  const databaseUrl =
    options.embedded === true ? undefined : (options.databaseUrl ?? (await testDatabase(t)).url)
  const settings = await settingsFor({ dataDir, databaseUrl, settings: chosenSettings(options) })
  const portOf = (name: string): string => settings[`TOLLGATE_${name}_PORT`] ?? ''
  const url = `http://127.0.0.1:${portOf('API')}`
  const operatorUrl = `http://127.0.0.1:${portOf('OPERATOR')}`
  let program = startProgram([MAIN], settings)

  const gateway: TestGateway = {
    url,
    operatorUrl,
    checkoutUrl: `http://localhost:${portOf('CHECKOUT')}`,
    shopUrl: `http://localhost:${portOf('SHOP')}`,
    consoleUrl: `http://localhost:${portOf('CONSOLE')}`,
    dataDir,
    databaseUrl,
    demo: () => readDemo(gateway),
    send: describedWire(url),
    sendToOperators: describedWire(operatorUrl),
    operatorKey: (code) => readFileSync(join(dataDir, 'demo', `operator-${code}.key`), 'utf8').trim(),
    cli: async (...parts) => runCli(parts, { ...settings, ...(await liveOperator(parts, settings)) }),
    tryCli: (parts, timeoutMs) => runProgram([CLI, ...parts], settings, timeoutMs),
    process: () => program,
    stop: () => stopProgram(program),
    async kill() {
      program.kill('SIGKILL')
      await program.end
    },
    async start() {
      program = startProgram([MAIN], settings)
      await untilReady(program)
    },
  }
  t.after(async () => {
    await gateway.stop()
    if (options.dataDir === undefined) rmSync(dataDir, { recursive: true, force: true })
  })
  await untilReady(program)
  if (settings['TOLLGATE_ENVIRONMENT'] !== 'live' && options.isCopy !== true)
    await raiseRateLimit(gateway, 'DEMO')
  return gateway
}

function chosenSettings(options: GatewayOptions): Settings {
  const { simulator = false, checkout = false, shop = false, console = false, settings } = options
  return {
    ...(simulator ? {} : NO_SIMULATOR),
    ...(checkout ? {} : NO_CHECKOUT),
    ...(shop ? {} : NO_SHOP),
    ...(console ? {} : NO_CONSOLE),
    ...settings,
  }
}

/** Sends requests to an API and holds each answer against the description that the API gives of itself. */
function describedWire(baseUrl: string): (request: RawRequest) => Promise<RawResponse> {
  const wire = createGateway({ baseUrl, merchantCode: 'DEMO', timeoutMs: REQUEST_TIMEOUT_MS, retries: 0 })
  let description: Description | undefined
  return async (request) => {
    description ??= createDescription((await wire.request({ method: 'GET', path: '/openapi.json' })).body)
    const response = await wire.request(request)
    description.check(request, response)
    return response
  }
}

/** A new folder that the embedded database's own user may enter. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-acceptance-'))
  chmodSync(folder, 0o755)
  return folder
}

async function settingsFor(options: {
  readonly dataDir: string
  readonly databaseUrl: string | undefined
  readonly settings: Settings
}): Promise<Settings> {
  const names = ['API', 'CHECKOUT', 'SIMULATOR', 'SHOP', 'CONSOLE', 'OPERATOR', 'METRICS']
  const ports = await Promise.all(
    names.map(async (name) => [`TOLLGATE_${name}_PORT`, String(await freePort())]),
  )
  return {
    TOLLGATE_DATA_DIR: options.dataDir,
    ...(options.databaseUrl === undefined ? {} : { TOLLGATE_DATABASE_URL: runtimeUrl(options.databaseUrl) }),
    ...Object.fromEntries(ports),
    ...(options.settings['TOLLGATE_ENVIRONMENT'] === 'live' && liveKey(options.dataDir)),
    ...options.settings,
  }
}

/** Live makes no master key by itself. */
function liveKey(dataDir: string): Settings {
  const file = join(dataDir, 'master.key')
  if (!existsSync(file)) writeFileSync(file, `${randomBytes(32).toString('base64')}\n`, { mode: 0o600 })
  return { TOLLGATE_MASTER_KEY_FILE: file }
}

async function untilReady(program: Program): Promise<void> {
  const isOver = (): boolean =>
    program.stdout().includes('Tollgate is ready') || program.ended() !== undefined
  await waitUntil(isOver, { timeoutMs: START_TIMEOUT_MS, what: 'the gateway to be ready' })
  assert.equal(program.ended(), undefined, `the gateway ended: ${program.stderr()}`)
}

async function stopProgram(program: Program): Promise<void> {
  if (program.ended() !== undefined) return
  program.kill('SIGTERM')
  try {
    await waitUntil(() => program.ended() !== undefined, {
      timeoutMs: STOP_TIMEOUT_MS,
      what: 'the gateway to stop',
    })
  } finally {
    // What does not stop fails the test, and must not keep its file from ending.
    if (program.ended() === undefined) program.kill('SIGKILL')
  }
  assert.equal(program.ended(), 0, `exit code after SIGTERM: ${program.stderr()}`)
}

/** Live has no operators of its own: the first command makes one, by whom the tests set up what they need. */
async function liveOperator([group]: readonly string[], settings: Settings): Promise<Settings> {
  if (settings['TOLLGATE_ENVIRONMENT'] !== 'live' || group === 'operators') return {}
  const file = join(settings['TOLLGATE_DATA_DIR'] ?? '', 'operator.key')
  if (!existsSync(file)) {
    const roles = ['ADMIN', 'CATALOGUE'].flatMap((role) => ['--role', role])
    const { stdout } = await runCli(['operators', 'create', 'setup', ...roles], settings)
    writeFileSync(file, stdout, { mode: 0o600 })
  }
  return { TOLLGATE_OPERATOR_KEY_FILE: file }
}

async function runCli(parts: readonly string[], settings: Settings): Promise<Outcome> {
  const outcome = await runProgram([CLI, ...parts], settings)
  assert.equal(outcome.code, 0, `tollgate ${parts.join(' ')}: ${outcome.stdout}${outcome.stderr}`)
  return outcome
}

function readDemo(gateway: TestGateway): Merchant {
  const demo: unknown = JSON.parse(readFileSync(join(gateway.dataDir, 'demo', 'merchant.json'), 'utf8'))
  return createMerchant(gateway, {
    code: textAt(demo, 'merchantCode'),
    privateKey: readFileSync(textAt(demo, 'privateKeyFile'), 'utf8'),
    secret: textAt(demo, 'secret'),
  })
}

async function raiseRateLimit(gateway: TestGateway, merchantCode: string): Promise<void> {
  if (gateway.databaseUrl !== undefined) await setRateLimit(gateway.databaseUrl, merchantCode, RATE_UNLIMITED)
  else await gateway.cli('merchants', 'set-rate-limit', merchantCode, String(RATE_UNLIMITED))
  await untilRateLimitIs(gateway, gateway.demo(), RATE_UNLIMITED)
}

/** Waits until the gateway has heard of the limit. */
export async function untilRateLimitIs(
  gateway: TestGateway,
  merchant: Merchant,
  perSecond: number,
): Promise<void> {
  const policyIsNew = async (): Promise<boolean> => {
    const { headers } = await gateway.send(merchant.tokenRequest({ operations: ['GET /segments'] }))
    return headers.get('ratelimit-policy')?.includes(`q=${perSecond};`) ?? false
  }
  await waitUntil(policyIsNew, {
    timeoutMs: CONFIGURATION_TIMEOUT_MS,
    what: `the limit of ${merchant.code} to be ${perSecond}`,
  })
}

/** The description of the interface that the gateway serves. */
export async function readDescription(gateway: TestGateway): Promise<unknown> {
  const { body } = await gateway.send({ method: 'GET', path: '/openapi.json' })
  assert.ok(at(body, 'paths') !== undefined, 'the description has paths')
  return body
}
