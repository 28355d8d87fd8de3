import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createGateway, type RawRequest, type RawResponse } from '@tollgate/sdk'
import {
  freePort,
  runSql,
  runtimeUrl,
  type SqlRow,
  type TestLife,
  testDatabase,
  waitUntil,
} from '@tollgate/testkit'

const MAIN = new URL('../../../apps/gateway/src/main.ts', import.meta.url).pathname
const READY_MS = 30_000
const STOP_MS = 15_000

interface GatewaySettings {
  /** Another gateway whose database and data directory this one shares. */
  readonly beside?: Gateway
  /** A database of its own choice; by default a fresh clone of the template. */
  readonly databaseUrl?: string
  /** TOLLGATE_… settings. */
  readonly env?: Readonly<Record<string, string>>
}

/** A gateway in a process of its own, as an operator would start it. */
export interface Gateway {
  readonly url: string
  readonly port: number
  readonly metricsUrl: string
  readonly dataDir: string
  /** Of the superuser, for what a test does behind the gateway's back. The gateway connects as another. */
  readonly databaseUrl: string
  /** What it was told beyond that, which commands beside it need as well. */
  readonly environment: Readonly<Record<string, string>>
  /** One request as it is; 20 s of patience, no token unless given. */
  call(request: RawRequest): Promise<RawResponse>
  sql(text: string, values?: readonly unknown[]): Promise<readonly SqlRow[]>
  /** Everything it wrote: log file, standard output and standard error. */
  written(): string
  /** The log file alone. */
  logged(): string
  /** The value of a metric without labels. */
  metric(name: string): Promise<number>
  /** SIGTERM; resolves when the process has ended. */
  stop(): Promise<void>
  /** SIGKILL; resolves when the process has ended. */
  kill(): Promise<void>
}

/** Starts a gateway and waits until it is ready; it is stopped and its data removed when the test's life ends. */
export async function startGateway(t: TestLife, settings: GatewaySettings = {}): Promise<Gateway> {
  const { beside } = settings
  const databaseUrl = settings.databaseUrl ?? beside?.databaseUrl ?? (await testDatabase(t)).url
  const dataDir = beside?.dataDir ?? mkdtempSync(join(tmpdir(), 'tollgate-security-'))
  const [port, metricsPort] = [await freePort(), await freePort()]
  const environment = {
    ...(settings.env?.['TOLLGATE_ENVIRONMENT'] === 'live' && liveKey(dataDir)),
    TOLLGATE_OPERATOR_PORT: String(await freePort()),
    ...settings.env,
  }
  const child = spawn(process.execPath, [MAIN], {
    env: {
      PATH: process.env['PATH'],
      HOME: process.env['HOME'],
      NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
      TOLLGATE_DATA_DIR: dataDir,
      TOLLGATE_DATABASE_URL: runtimeUrl(databaseUrl),
      TOLLGATE_API_PORT: String(port),
      TOLLGATE_CHECKOUT_PORT: '0',
      TOLLGATE_SIMULATOR_PORT: '0',
      TOLLGATE_SHOP_PORT: '0',
      TOLLGATE_CONSOLE_PORT: '0',
      TOLLGATE_PUBLIC_SIMULATOR_URL: 'https://simulator.example',
      TOLLGATE_METRICS_PORT: String(metricsPort),
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const output = collect(child)
  const ended = once(child, 'close')
  const end = async (signal: 'SIGTERM' | 'SIGKILL'): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return
    child.kill(signal)
    const late = setTimeout(() => child.kill('SIGKILL'), STOP_MS)
    await ended
    clearTimeout(late)
  }
  const removeAll = async (): Promise<void> => {
    await end('SIGTERM')
    if (beside === undefined) rmSync(dataDir, { recursive: true, force: true })
  }
  t.after(removeAll)
  // A file that fails while it is loaded never comes to its hooks.
  await untilReady(child, output).catch(async (error: unknown) => {
    await removeAll()
    throw error
  })
  const url = `http://127.0.0.1:${port}`
  const metricsUrl = `http://127.0.0.1:${metricsPort}/metrics`
  const client = createGateway({ baseUrl: url, merchantCode: 'NOBODY', timeoutMs: 60_000 })
  const logged = (): string => readFileSync(join(dataDir, 'gateway.log'), 'utf8')
  return {
    url,
    port,
    metricsUrl,
    dataDir,
    databaseUrl,
    environment,
    call: (request) => client.request(request),
    sql: (text, values) => runSql(databaseUrl, text, values),
    written: () => `${logged()}\n${output()}`,
    logged,
    async metric(name) {
      const text = await (await fetch(metricsUrl)).text()
      return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1])
    },
    stop: () => end('SIGTERM'),
    kill: () => end('SIGKILL'),
  }
}

/** Live makes no master key by itself. */
function liveKey(dataDir: string): Record<string, string> {
  const file = join(dataDir, 'master.key')
  if (!existsSync(file)) writeFileSync(file, `${randomBytes(32).toString('base64')}\n`, { mode: 0o600 })
  return { TOLLGATE_MASTER_KEY_FILE: file }
}

function collect(child: ChildProcess): () => string {
  const chunks: Buffer[] = []
  child.stdout?.on('data', (chunk: Buffer) => chunks.push(chunk))
  child.stderr?.on('data', (chunk: Buffer) => chunks.push(chunk))
  return () => Buffer.concat(chunks).toString('utf8')
}

async function untilReady(child: ChildProcess, output: () => string): Promise<void> {
  await waitUntil(
    () => {
      if (child.exitCode !== null) throw new Error(`the gateway ended: ${output()}`)
      return output().includes('Tollgate is ready')
    },
    { timeoutMs: READY_MS, what: 'the gateway to be ready' },
  )
}
