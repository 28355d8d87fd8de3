import { sign } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '@tollgate/testkit'
import { callHttp, type Program, type Settings, startProgram, untilAnswers } from './programs.ts'
import type { DurableServer } from './server.ts'

export const API_VERSION = '2'

const MAIN = 'apps/gateway/src/main.ts'
const COMMAND = 'apps/gateway/bin/tollgate.mjs'
const READY_TIMEOUT_MS = 60_000
const PREPARE_POLL_MS = 50
/** The limits are raised by configuration, each to the most that it takes: what is measured is the gateway, limiter and all. */
const RATE_PER_SECOND_MAX = 100_000
const ADDRESS_RATE_PER_SECOND_MAX = 1_000_000
const TOKEN_SECONDS = 3_600

/** A process of the gateway under test. */
export interface GatewayProcess {
  readonly program: Program
  readonly port: number
  stop(): Promise<void>
}

/** The merchant of the sandbox. */
export interface Demo {
  readonly merchantCode: string
  readonly privateKey: string
}

/**
 * Brings the schema up to date and fills the sandbox, as `npm start` does; then lets the merchant send as much as there is. Of the sources
 * in `root`, if they are not these.
 */
export async function prepareInstallation(
  server: DurableServer,
  root = '',
  settings: Settings = {},
): Promise<Demo> {
  const program = startProgram({
    name: 'npm start',
    parts: [join(root, MAIN)],
    settings: await settingsFor(server, {
      TOLLGATE_CHECKOUT_PORT: '0',
      ...(await operatorPort()),
      ...settings,
    }),
  })
  const deadlineMs = performance.now() + READY_TIMEOUT_MS
  while (!program.output().includes('Tollgate is ready')) {
    if (program.hasEnded() || performance.now() > deadlineMs)
      throw new Error(`npm start did not become ready: ${program.output()}`)
    await sleep(PREPARE_POLL_MS)
  }
  await program.stop()
  await server.sql('update merchants set rate_limit_per_second = $1', [RATE_PER_SECOND_MAX])
  return readDemo(server.dataDir)
}

function readDemo(dataDir: string): Demo {
  const folder = join(dataDir, 'demo')
  return { merchantCode: 'DEMO', privateKey: readFileSync(join(folder, 'private-key.pem'), 'utf8') }
}

export interface GatewayStart {
  readonly name?: string
  readonly settings?: Settings
  /** Of Node itself. */
  readonly flags?: readonly string[]
  /** Where the sources are, if not here. */
  readonly root?: string | undefined
}

/** `tollgate serve` in a process of its own, ready to answer. */
export async function startGateway(
  server: DurableServer,
  options: GatewayStart = {},
): Promise<GatewayProcess> {
  const settings = await settingsFor(server, { ...(await operatorPort()), ...options.settings })
  const port = Number(settings['TOLLGATE_API_PORT'])
  const program = startProgram({
    name: options.name ?? 'tollgate serve',
    parts: [...(options.flags ?? []), join(options.root ?? '', COMMAND), 'serve'],
    settings,
  })
  try {
    await untilAnswers(program, { port, path: '/readyz', timeoutMs: READY_TIMEOUT_MS })
  } catch (error) {
    // Whoever tries again needs its port.
    if (!program.hasEnded()) await program.kill()
    throw error
  }
  return { program, port, stop: () => program.stop() }
}

/** `tollgate worker` in a process of its own; of the sources in `root`, if they are not these. */
export async function startWorker(
  server: DurableServer,
  settings: Settings = {},
  root = '',
): Promise<Program> {
  const program = startProgram({
    name: 'tollgate worker',
    parts: [join(root, COMMAND), 'worker'],
    settings: await settingsFor(server, settings),
  })
  const deadlineMs = performance.now() + READY_TIMEOUT_MS
  while (!program.output().includes('the gateway is ready')) {
    if (program.hasEnded() || performance.now() > deadlineMs)
      throw new Error(`tollgate worker did not become ready: ${program.output()}`)
    await sleep(PREPARE_POLL_MS)
  }
  return program
}

const operatorPort = async (): Promise<Settings> => ({ TOLLGATE_OPERATOR_PORT: String(await freePort()) })

async function settingsFor(server: DurableServer, settings: Settings): Promise<Settings> {
  return {
    TOLLGATE_DATA_DIR: server.dataDir,
    TOLLGATE_DATABASE_URL: server.url,
    TOLLGATE_API_PORT: String(await freePort()),
    TOLLGATE_METRICS_PORT: String(await freePort()),
    TOLLGATE_SIMULATOR_PORT: '0',
    TOLLGATE_SHOP_PORT: '0',
    TOLLGATE_CONSOLE_PORT: '0',
    TOLLGATE_PUBLIC_SIMULATOR_URL: 'https://simulator.example',
    TOLLGATE_ADDRESS_RATE_PER_SECOND: String(ADDRESS_RATE_PER_SECOND_MAX),
    ...settings,
  }
}

const OPERATIONS = [
  'POST /payins/.*',
  'GET /payins/.*',
  'POST /payouts/.*',
  'GET /payouts/.*',
  'GET /payment-methods',
]

/** The body of a request for a token, and its signature. Every timestamp gives another one. */
export function signedTokenRequest(
  { merchantCode, privateKey }: Demo,
  timestamp: number,
  operations: readonly string[] = OPERATIONS,
): { readonly body: string; readonly signature: string } {
  const body = JSON.stringify({
    merchantCode,
    validitySecs: TOKEN_SECONDS,
    timestamp,
    operations,
  })
  return { body, signature: sign('sha256', Buffer.from(body), privateKey).toString('base64') }
}

/** A token that the gateway gave for a signed request. */
export async function issueToken(
  port: number,
  merchant: Demo,
  operations?: readonly string[],
): Promise<string> {
  const { body, signature } = signedTokenRequest(merchant, Math.floor(Date.now() / 1000), operations)
  const { status, text } = await callHttp({
    port,
    method: 'POST',
    path: '/auth-tokens',
    headers: {
      'X-API-Version': API_VERSION,
      'Content-Type': 'application/json',
      'X-SIGNATURE': signature,
    },
    body,
  })
  const answer: unknown = JSON.parse(text)
  if (
    status === 200 &&
    typeof answer === 'object' &&
    answer !== null &&
    'token' in answer &&
    typeof answer.token === 'string'
  )
    return answer.token
  throw new Error(`no token for ${merchant.merchantCode}: ${String(status)} ${text}`)
}
