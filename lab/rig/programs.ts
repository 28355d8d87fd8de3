import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

export const ROOT = fileURLToPath(new URL('../../', import.meta.url))
/** Of what a program says, at least so much of the last is kept, and at most twice as much. */
const OUTPUT_CHARACTERS_KEPT = 4_000_000
const LAST_WORDS_CHARACTERS = 4_000
const STOP_TIMEOUT_MS = 45_000
const POLL_MS = 10
const EXIT_FAULT = 1
const EXIT_INTERRUPTED = 130
const EXIT_TERMINATED = 143

/** Settings of a program, by the names of environment variables. */
export type Settings = Readonly<Record<string, string>>

/** A program that was started here, and ends with this process at the latest. */
export interface Program {
  readonly pid: number
  readonly name: string
  output(): string
  hasEnded(): boolean
  /** Lets it stand still, and go on. */
  pause(): void
  resume(): void
  /** SIGTERM, then SIGKILL when it takes too long. */
  stop(): Promise<void>
  /** SIGKILL: nothing is finished, nothing is said. Resolves when it has ended. */
  kill(): Promise<void>
}

interface ProgramStart {
  /** What it is called in messages. */
  readonly name: string
  /** Of Node: the file, and its arguments. */
  readonly parts: readonly string[]
  readonly settings?: Settings
  /** Where it runs, if not in the root of the repository. */
  readonly folder?: string
}

/** Starts `node <file> <arguments>`, without the settings that this process was given. */
export function startProgram({ name, parts, settings = {}, folder = ROOT }: ProgramStart): Program {
  const child = spawn(process.execPath, [...parts], {
    cwd: folder,
    env: { ...cleanEnvironment(), ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  const collect = (text: string): void => {
    output += text
    if (output.length > 2 * OUTPUT_CHARACTERS_KEPT) output = output.slice(-OUTPUT_CHARACTERS_KEPT)
  }
  child.stdout.setEncoding('utf8').on('data', collect)
  child.stderr.setEncoding('utf8').on('data', collect)
  const program = { name, ...handleOf(child), output: () => output }
  child.once('exit', (code, signal) => {
    if (program.isStopping()) return
    const last = output.slice(-LAST_WORDS_CHARACTERS)
    process.stderr.write(`${name} ended by itself (${String(code ?? signal)}); its last words:\n${last}\n`)
  })
  return program
}

/** The environment without any setting of the gateway: what is measured is what is said here, and the defaults. */
export function cleanEnvironment(): Record<string, string | undefined> {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(TOLLGATE_|PG)/.test(name)))
}

/**
 * Closes, and ends this process, when it is interrupted or breaks: a database server is not a child that ends by itself.
 */
export function closeAtSignal(close: () => Promise<void>): void {
  const end = (code: number): void => void close().finally(() => process.exit(code))
  process.once('SIGINT', () => end(EXIT_INTERRUPTED))
  process.once('SIGTERM', () => end(EXIT_TERMINATED))
  process.once('uncaughtException', (error) => {
    process.stderr.write(`${error.stack ?? error.message}\n`)
    end(EXIT_FAULT)
  })
}

interface Handle extends Omit<Program, 'name' | 'output'> {
  isStopping(): boolean
}

function handleOf(child: ChildProcess): Handle {
  let isStopping = false
  const ended = once(child, 'exit')
  ended.catch(() => undefined)
  const hasEnded = (): boolean => child.exitCode !== null || child.signalCode !== null
  const onExit = (): void => void child.kill('SIGKILL')
  process.once('exit', onExit)
  child.once('exit', () => process.off('exit', onExit))
  return {
    pid: child.pid ?? 0,
    hasEnded,
    isStopping: () => isStopping,
    pause: () => void child.kill('SIGSTOP'),
    resume: () => void child.kill('SIGCONT'),
    async stop() {
      isStopping = true
      if (hasEnded()) return
      child.kill('SIGTERM')
      const timer = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS)
      await ended
      clearTimeout(timer)
    },
    async kill() {
      isStopping = true
      if (hasEnded()) return
      child.kill('SIGKILL')
      await ended
    },
  }
}

/** Waits until the program answers GET `path` with the status, 200 unless another is named. Throws when it ends, or when `timeoutMs` are over. */
export async function untilAnswers(
  program: Program,
  options: {
    readonly port: number
    readonly path: string
    readonly status?: number
    readonly timeoutMs: number
  },
): Promise<void> {
  const { port, path, status = 200, timeoutMs } = options
  const deadlineMs = performance.now() + timeoutMs
  for (;;) {
    if ((await statusOf(port, path)) === status) return
    if (program.hasEnded()) throw new Error(`${program.name} ended: ${program.output()}`)
    if (performance.now() > deadlineMs)
      throw new Error(`${program.name} did not become ready: ${program.output()}`)
    await sleep(POLL_MS)
  }
}

function statusOf(port: number, path: string): Promise<number | undefined> {
  return new Promise((resolve) => {
    const call = request({ host: '127.0.0.1', port, path, agent: false }, (answer) => {
      answer.resume()
      resolve(answer.statusCode)
    })
    call.once('error', () => resolve(undefined))
    call.end()
  })
}

/** A whole HTTP exchange, for what is not measured. */
export function callHttp(options: {
  readonly port: number
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}): Promise<{ readonly status: number; readonly text: string }> {
  return new Promise((resolve, reject) => {
    const { port, method, path, headers, body } = options
    const call = request({ host: '127.0.0.1', port, method, path, headers, agent: false }, (answer) => {
      let text = ''
      answer.setEncoding('utf8').on('data', (part: string) => {
        text += part
      })
      answer.once('end', () => resolve({ status: answer.statusCode ?? 0, text }))
    })
    call.once('error', reject)
    call.end(body)
  })
}
