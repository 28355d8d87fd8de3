import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { systemClock } from '@tollgate/runtime'
import { freePort, type TestLife, testDatabase, waitUntil } from '@tollgate/testkit'
import { readConfig } from '../../config.ts'
import { explain } from '../explain.ts'
import { EXIT_CODES } from '../failure.ts'
import { createProgram } from '../program.ts'
import type { Shell } from '../shell.ts'

export const BINARY = fileURLToPath(new URL('../../../bin/tollgate.mjs', import.meta.url))
const MAIN = fileURLToPath(new URL('../../main.ts', import.meta.url))

export type Environment = Readonly<Record<string, string>>

/** What a command left behind. */
interface Outcome {
  readonly exitCode: number | null
  readonly stdout: string
  readonly stderr: string
}

const RUN_TIMEOUT_MS = 60_000
const START_TIMEOUT_MS = 60_000

/** Runs the real command line to its end. */
export async function run(args: readonly string[], environment: Environment, input = ''): Promise<Outcome> {
  const child = spawn(process.execPath, [BINARY, ...args], {
    env: clean(environment),
    stdio: 'pipe',
    timeout: RUN_TIMEOUT_MS,
  })
  // A command that reads nothing may be gone before it is handed anything.
  child.stdin.on('error', () => undefined)
  child.stdin.end(input)
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
  return { exitCode: child.exitCode, stdout, stderr }
}

/** Runs a command that is to succeed, and reads its one JSON document. */
export async function runJson(
  args: readonly string[],
  environment: Environment,
  input = '',
): Promise<unknown> {
  const outcome = await run([...args, '--json'], environment, input)
  assert.equal(outcome.exitCode, 0, `${args.join(' ')}: ${outcome.stderr}`)
  return JSON.parse(outcome.stdout)
}

/** Runs a command that is to fail: with the code, nothing on standard output, and one line that matches. */
export async function expectFailure(
  args: readonly string[],
  environment: Environment,
  expected: { readonly exitCode: number; readonly says: RegExp; readonly input?: string },
): Promise<void> {
  const outcome = await run(args, environment, expected.input)
  const what = `tollgate ${args.join(' ')}`
  assert.match(outcome.stderr, expected.says, what)
  assert.equal(
    outcome.stderr.trimEnd().split('\n').length,
    1,
    `${what} says more than one line: ${outcome.stderr}`,
  )
  assert.equal(outcome.stdout, '', what)
  assert.equal(outcome.exitCode, expected.exitCode, what)
}

/** The same within this process, where starting another for each sentence would take too long. */
export async function expectRefusal(
  args: readonly string[],
  environment: Environment,
  expected: { readonly exitCode: number; readonly says: RegExp },
): Promise<void> {
  const error = await createProgram(silentShell(environment))
    .parseAsync(args, { from: 'user' })
    .then(
      () => undefined,
      (thrown: unknown) => thrown,
    )
  const failure = explain(error)
  const what = `tollgate ${args.join(' ')}`
  assert.ok(failure !== undefined, `${what}: ${String(error)}`)
  assert.match(failure.message, expected.says, what)
  assert.equal(EXIT_CODES[failure.kind], expected.exitCode, what)
}

/** A shell for commands that are to fail before they say anything. */
export function silentShell(environment: Environment): Shell {
  return {
    clock: systemClock,
    isJson: () => false,
    config: () => Promise.resolve(readConfig(environment)),
    environment,
    input: process.stdin,
    print: () => assert.fail('nothing is to be printed'),
    note: () => assert.fail('nothing is to be said'),
    act:
      (work) =>
      async (...values) => {
        await work(...values)
      },
  }
}

/** A command that goes on. It is ended with the test. `nodeOptions` go to the Node that starts it. */
export function start(
  t: TestLife,
  args: readonly string[],
  environment: Environment,
  nodeOptions: readonly string[] = [],
): Running {
  const command = [...nodeOptions, BINARY, ...args]
  return watch(t, spawn(process.execPath, command, { env: clean(environment), stdio: 'pipe' }))
}

/** A process with what it has written so far. */
interface Running {
  readonly child: ChildProcess
  stdout(): string
  stderr(): string
  /** Asks it to end and resolves to its exit code. */
  stop(signal?: 'SIGTERM' | 'SIGINT'): Promise<number | null>
}

function watch(t: TestLife, child: ReturnType<typeof spawn>): Running {
  let stdout = ''
  let stderr = ''
  child.stdout?.on('data', (chunk: Buffer) => {
    stdout += chunk.toString('utf8')
  })
  child.stderr?.on('data', (chunk: Buffer) => {
    stderr += chunk.toString('utf8')
  })
  const hasEnded = (): boolean => child.exitCode !== null || child.signalCode !== null
  const stop = async (signal: 'SIGTERM' | 'SIGINT' = 'SIGTERM'): Promise<number | null> => {
    if (!hasEnded()) {
      // Its last words come after the exit.
      const ended = once(child, 'close')
      child.kill(signal)
      await ended
    }
    return child.exitCode
  }
  t.after(async () => {
    await stop()
  })
  return { child, stdout: () => stdout, stderr: () => stderr, stop }
}

/** A folder that is gone when the test has ended. */
export function temporaryFolder(t: TestLife): string {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-cli-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** The settings of an installation of the test's own: its database, folder and ports. */
export async function ownEnvironment(t: TestLife): Promise<Environment> {
  const { url } = await testDatabase(t)
  return {
    TOLLGATE_DATABASE_URL: url,
    TOLLGATE_DATA_DIR: temporaryFolder(t),
    TOLLGATE_API_PORT: String(await freePort()),
    TOLLGATE_OPERATOR_PORT: String(await freePort()),
    TOLLGATE_METRICS_PORT: String(await freePort()),
    TOLLGATE_SIMULATOR_PORT: '0',
    TOLLGATE_SHOP_PORT: '0',
    TOLLGATE_CONSOLE_PORT: '0',
    TOLLGATE_CHECKOUT_PORT: '0',
  }
}

/** A whole gateway with its demo merchant. Resolves when it is ready to its settings, which the commands need as well. */
export async function startGateway(t: TestLife, more: Environment = {}): Promise<Environment> {
  const environment = { ...(await ownEnvironment(t)), ...more }
  const gateway = watch(t, spawn(process.execPath, [MAIN], { env: clean(environment), stdio: 'pipe' }))
  await waitUntil(() => gateway.stdout().includes('Tollgate is ready') || gateway.child.exitCode !== null, {
    timeoutMs: START_TIMEOUT_MS,
    what: 'the gateway to start',
  })
  assert.equal(gateway.child.exitCode, null, gateway.stderr())
  return environment
}

/** What the machine has set must not decide a test. */
function clean(environment: Environment): Record<string, string | undefined> {
  const inherited = Object.entries(process.env).filter(
    ([name]) =>
      name === 'NODE_COMPILE_CACHE' ||
      (!name.startsWith('TOLLGATE_') && !name.startsWith('NODE_') && name !== 'FORCE_COLOR'),
  )
  return { ...Object.fromEntries(inherited), ...environment }
}

/** The member of a JSON value, by the names of the way to it. Throws when the way ends before. */
export function at(value: unknown, ...way: readonly (string | number)[]): unknown {
  let here = value
  for (const name of way) {
    assert.ok(typeof here === 'object' && here !== null, `nothing at ${way.join('.')}`)
    here = Reflect.get(here, name)
  }
  return here
}

/** The same for a text. */
export function textAt(value: unknown, ...way: readonly (string | number)[]): string {
  const found = at(value, ...way)
  assert.ok(typeof found === 'string', `no text at ${way.join('.')}`)
  return found
}
