import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const OUTPUT_CHARACTERS_MAX = 1_000_000

/** A program of the repository that runs, or ran. */
export interface Program {
  readonly pid: number
  stdout(): string
  stderr(): string
  /** The exit code, or null for an end by a signal; undefined while it runs. */
  ended(): number | null | undefined
  /** Resolves with the end. */
  readonly end: Promise<number | null>
  kill(signal: 'SIGTERM' | 'SIGKILL' | 'SIGSTOP' | 'SIGCONT'): void
}

/** The environment of this process without the settings of a gateway, and with these. */
export type Settings = Readonly<Record<string, string>>

/** Starts `node <file> <arguments>` in the root of the repository. It does not outlive this process. */
export function startProgram(parts: readonly string[], settings: Settings): Program {
  const inherited = Object.entries(process.env).filter(([name]) => !/^(TOLLGATE_|NODE_TEST_)/.test(name))
  const child = spawn(process.execPath, [...parts], {
    cwd: ROOT,
    env: { ...Object.fromEntries(inherited), ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const output = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text: string) => {
      output[name] = (output[name] + text).slice(-OUTPUT_CHARACTERS_MAX)
    })
  }
  let code: number | null | undefined
  const end = once(child, 'close').then(() => {
    code = child.exitCode
    return child.exitCode
  })
  endWithUs(child)
  return {
    pid: child.pid ?? 0,
    stdout: () => output.stdout,
    stderr: () => output.stderr,
    ended: () => code,
    end,
    kill: (signal) => void child.kill(signal),
  }
}

const ENDING_SIGNALS = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const

/** A process that a signal ends by itself says no `exit`, and what it started would go on for ever. */
function exitOnSignals(): void {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    if (process.listenerCount(signal) === 0) process.once(signal, () => process.exit(ENDING_SIGNALS[signal]))
}

/** An error at the top of a test file ends the process without an `exit`, too. */
const ENDS = ['exit', 'uncaughtExceptionMonitor'] as const

function endWithUs(child: ChildProcess): void {
  exitOnSignals()
  const onEnd = (): void => void child.kill('SIGTERM')
  for (const name of ENDS) process.once(name, onEnd)
  child.once('exit', () => {
    for (const name of ENDS) process.off(name, onEnd)
  })
}

/** What a command printed and how it ended. */
export interface Outcome {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** Runs a program to its end. Throws when it takes longer than `timeoutMs`. */
export async function runProgram(
  parts: readonly string[],
  settings: Settings,
  timeoutMs = 120_000,
): Promise<Outcome> {
  const program = startProgram(parts, settings)
  const late = setTimeout(() => program.kill('SIGKILL'), timeoutMs)
  await program.end
  clearTimeout(late)
  if (program.ended() === null) throw new Error(`waited ${timeoutMs} ms for the end of ${parts.join(' ')}`)
  return { code: await program.end, stdout: program.stdout(), stderr: program.stderr() }
}
