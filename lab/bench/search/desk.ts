import { readFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '@tollgate/testkit'
import { API_VERSION, type GatewayProcess, startGateway } from '../../rig/gateway.ts'
import { type Program, startProgram, untilAnswers } from '../../rig/programs.ts'
import type { DurableServer } from '../../rig/server.ts'

/** An answer, and how long it took from the first byte of the question to its own last. */
interface Answer {
  readonly status: number
  readonly text: string
  readonly ms: number
}

/** Operators at work: a gateway and a console on the filled database. */
export interface Desk {
  readonly gateway: GatewayProcess
  /** Asks the operator API, never faster than it lets its operators. */
  ask(path: string): Promise<Answer>
  /** The same, taken in without being kept. Gives the bytes. */
  drain(path: string): Promise<{ readonly bytes: number; readonly lines: number; readonly ms: number }>
  /** A screen of the console, for somebody who is signed in. */
  screen(path: string): Promise<Answer>
  stop(): Promise<void>
}

const CODES = ['ada', 'grace'] as const
/** The operator API takes 20 requests a second of each operator. */
const PAUSE_MS = 1_000 / (20 * CODES.length) + 1
/** A screen asks for a dozen things at once. */
const SCREEN_PAUSE_MS = 1_100
const READY_MS = 60_000

export async function openDesk(server: DurableServer): Promise<Desk> {
  const port = await freePort()
  const gateway = await startGateway(server, { settings: { TOLLGATE_OPERATOR_PORT: String(port) } })
  const keys = CODES.map((code) =>
    readFileSync(join(server.dataDir, 'demo', `operator-${code}.key`), 'utf8').trim(),
  )
  const console = await startConsole(port)
  const secret = await signIn(port, keys[0] ?? '')
  const agent = new Agent({ keepAlive: true })
  let asked = 0
  const bearer = (): Readonly<Record<string, string>> => {
    asked += 1
    return { 'x-api-version': API_VERSION, authorization: `Bearer ${keys[asked % keys.length] ?? ''}` }
  }
  return {
    gateway,
    async ask(path) {
      await sleep(PAUSE_MS)
      return call({ agent, port, path, headers: bearer() })
    },
    drain: (path) => drain({ agent, port, path, headers: bearer() }),
    async screen(path) {
      await sleep(SCREEN_PAUSE_MS)
      return call({ agent, port: console.port, path, headers: { cookie: `tollgate=${secret}` } })
    },
    async stop() {
      agent.destroy()
      await console.program.stop()
      await gateway.stop()
    },
  }
}

async function startConsole(
  operatorPort: number,
): Promise<{ readonly program: Program; readonly port: number }> {
  const port = await freePort()
  const program = startProgram({
    name: 'the console',
    parts: ['apps/console/src/main.ts'],
    settings: {
      CONSOLE_PORT: String(port),
      // The console answers no other host.
      CONSOLE_PUBLIC_URL: `http://127.0.0.1:${port}`,
      CONSOLE_API_URL: `http://127.0.0.1:${operatorPort}`,
    },
  })
  await untilAnswers(program, { port, path: '/sign-in', timeoutMs: READY_MS })
  return { program, port }
}

/** A session of the operator API, as the console's cookie holds it. */
async function signIn(port: number, key: string): Promise<string> {
  const headers = { 'x-api-version': API_VERSION, authorization: `Bearer ${key}` }
  const { text } = await call({ port, path: '/operator/sessions', headers, method: 'POST' })
  const secret = /"secret":"(?<secret>[^"]+)"/.exec(text)?.groups?.['secret']
  if (secret === undefined) throw new Error(`no session: ${text}`)
  return secret
}

interface Call {
  readonly agent?: Agent
  readonly port: number
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly method?: 'GET' | 'POST'
}

async function call(asked: Call): Promise<Answer> {
  const chunks: string[] = []
  const { status, ms } = await exchange(asked, (chunk) => chunks.push(chunk.toString('utf8')))
  return { status, ms, text: chunks.join('') }
}

const LINE_END = 0x0a

async function drain(asked: Call) {
  let bytes = 0
  let lines = 0
  const { status, ms } = await exchange(asked, (chunk) => {
    bytes += chunk.length
    for (const byte of chunk) if (byte === LINE_END) lines += 1
  })
  if (status !== 200) throw new Error(`${asked.path} answered ${status}`)
  return { bytes, lines, ms }
}

function exchange(
  { agent, port, path, headers, method = 'GET' }: Call,
  onChunk: (chunk: Buffer) => void,
): Promise<{ readonly status: number; readonly ms: number }> {
  return new Promise((resolve, reject) => {
    const startMs = performance.now()
    const sent = request(
      { ...(agent && { agent }), host: '127.0.0.1', port, path, headers, method },
      (answer) => {
        answer.on('data', onChunk)
        answer.once('error', reject)
        answer.once('end', () => resolve({ status: answer.statusCode ?? 0, ms: performance.now() - startMs }))
      },
    )
    sent.once('error', reject)
    sent.end()
  })
}
