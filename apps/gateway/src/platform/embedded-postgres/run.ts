import { spawn, spawnSync } from 'node:child_process'
import type { Account } from './account.ts'

export interface ProgramRun {
  readonly account: Account
  readonly folder: string
  readonly args: readonly string[]
  /** An open file the program reads as its standard input. */
  readonly inputFile?: number
  readonly timeoutMs: number
}

/** The environment of the server's programs: nothing of Tollgate's own, which may hold secrets, and English messages. */
export function serverEnvironment(extra: Readonly<Record<string, string>> = {}): Record<string, string> {
  return { PATH: '/usr/local/bin:/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC', ...extra }
}

/** Runs a program to its end. `output` is what it printed, both streams, or why it could not start. */
export function runProgram(program: string, run: ProgramRun): Promise<{ ok: boolean; output: string }> {
  return new Promise((resolve) => {
    const child = spawn(program, [...run.args], {
      ...run.account,
      cwd: run.folder,
      env: serverEnvironment(),
      stdio: [run.inputFile ?? 'ignore', 'pipe', 'pipe'],
      timeout: run.timeoutMs,
    })
    let output = ''
    const collect = (chunk: Buffer): void => {
      output += chunk.toString('utf8')
    }
    child.stdout?.on('data', collect)
    child.stderr?.on('data', collect)
    child.once('error', (error) => resolve({ ok: false, output: error.message }))
    child.once('close', (code) => resolve({ ok: code === 0, output: output.trim() }))
  })
}

/** True when the account can start the program: its libraries are found and every folder above it lets the account pass. */
export function canRun(program: string, account: Account): boolean {
  const result = spawnSync(program, ['--version'], {
    ...account,
    cwd: '/',
    env: serverEnvironment(),
    stdio: 'ignore',
  })
  return result.status === 0
}
