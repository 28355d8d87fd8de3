import { spawn } from 'node:child_process'

const MILLISECONDS_PER_SECOND = 1_000
/** No check is allowed to hang the build. */
const CHECK_SECONDS_MAX = 600

/** One thing that is checked by one command. */
export type Check = {
  /** The word that asks for this check alone: `npm run check -- types`. */
  readonly name: string
  readonly headline: string
  readonly command: readonly [program: string, ...args: string[]]
}

/** What a command left behind. `passed` is false, too, where it could not start or did not end in time. */
type Outcome = { readonly passed: boolean; readonly output: string; readonly seconds: number }

/** Where and with what the commands run. */
type Surroundings = {
  readonly root: string
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly print: (text: string) => void
}

function runCommand(
  { command: [program, ...args] }: Check,
  { root, environment }: Surroundings,
): Promise<Outcome> {
  const startedAt = performance.now()
  return new Promise((resolve) => {
    const chunks: string[] = []
    const child = spawn(program, args, {
      cwd: root,
      env: { ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    // Not spawn's own `timeout`: that one keeps waiting for a program that never started.
    const deadline = setTimeout(() => {
      chunks.push(`stopped after ${CHECK_SECONDS_MAX} seconds\n`)
      child.kill('SIGKILL')
    }, CHECK_SECONDS_MAX * MILLISECONDS_PER_SECOND)
    const finish = (passed: boolean): void => {
      clearTimeout(deadline)
      resolve({
        passed,
        output: chunks.join(''),
        seconds: (performance.now() - startedAt) / MILLISECONDS_PER_SECOND,
      })
    }
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (chunk: string) => chunks.push(chunk))
    }
    child.on('error', (error) => {
      chunks.push(`${program} could not be started: ${error.message}\n`)
      finish(false)
    })
    child.on('close', (code) => {
      finish(code === 0)
    })
  })
}

/**
 * Runs the checks one after another, all of them even when one fails. A check that passes takes one line, and one for
 * each `note: ` of its command; one that fails shows what its command said.
 * @returns the names of the checks that failed
 */
export async function runChecks(checks: readonly Check[], surroundings: Surroundings): Promise<string[]> {
  const failed: string[] = []
  for (const check of checks) {
    const { passed, output, seconds } = await runCommand(check, surroundings)
    surroundings.print(
      `${passed ? 'ok  ' : 'FAIL'} ${check.name.padEnd(14)}${seconds.toFixed(1).padStart(6)} s  ${check.headline}`,
    )
    if (passed) {
      for (const note of output.match(/^note: .*$/gm) ?? []) surroundings.print(`     ${note}`)
      continue
    }
    failed.push(check.name)
    surroundings.print(`\n${output.trimEnd()}\n`)
  }
  return failed
}
