// The command that Stryker runs in its copy of the tree: once as the code is, and then once for each mutant, which it
// switches on by an environment variable. `try.ts <test file>...`
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { run } from 'node:test'
import { isRecord } from '../check/values.ts'

/** What a test file takes, and which mutants it comes by. */
interface Coverage {
  readonly file: string
  readonly tookMs: number
  readonly mutants: readonly string[]
}

/** In the copy; the quickest test file comes first. */
const COVERAGE_FILE = 'mutation-coverage.json'
const ONE_FILE = '--one'
const ACTIVE_MUTANT = '__STRYKER_ACTIVE_MUTANT__'
/** The id of no mutant, which all files come by. */
const UNCHANGED = 'unchanged'
/** A mutant that lets its tests wait for ever has been noticed: after so many times what they take, and a while. */
const PATIENCE_FACTOR = 4
const PATIENCE_MS = 3_000

const args = process.argv.slice(2)
const mutant = process.env[ACTIVE_MUTANT]
if (args[0] === ONE_FILE) runFile(args[1] ?? '', printCoverage)
else if (mutant === undefined) recordAll(args)
else tryMutant(mutant)

function recordAll(files: readonly string[]): void {
  const coverage = files.map((file): Coverage => {
    const startedMs = performance.now()
    const { status, stdout, stderr } = spawnTests(file)
    const tookMs = Math.ceil(performance.now() - startedMs)
    if (status === 0) {
      const ids = stdout.trim().split('\n').at(-1)?.split(' ') ?? []
      return { file, tookMs, mutants: [...ids, UNCHANGED] }
    }
    process.stdout.write(`${file} fails without a mutant.\n${stdout}${stderr}`)
    return process.exit(1)
  })
  writeFileSync(COVERAGE_FILE, JSON.stringify(coverage.sort((a, b) => a.tookMs - b.tookMs)))
  // What is tried with a mutant has to pass without one: else everything that goes wrong here would count as noticed.
  const env = { ...process.env, [ACTIVE_MUTANT]: UNCHANGED }
  const { status, stdout, stderr } = spawnSync(process.execPath, [import.meta.filename], {
    encoding: 'utf8',
    env,
  })
  if (status !== 0) process.stdout.write(`The tests fail together.\n${stdout}${stderr}`)
  process.exitCode = status === 0 ? 0 : 1
}

/** The first file here, since most mutants are noticed by it, and the others in processes of their own. */
function tryMutant(id: string): void {
  const coverage: unknown = JSON.parse(readFileSync(COVERAGE_FILE, 'utf8'))
  if (!Array.isArray(coverage) || !coverage.every(isCoverage)) throw new Error(`${COVERAGE_FILE} is damaged`)
  const [first, ...others] = coverage.filter(({ mutants }) => mutants.includes(id))
  if (first === undefined) return
  setTimeout(() => process.exit(1), patienceMs(first)).unref()
  runFile(first.file, () => {
    process.exit(others.some((each) => spawnTests(each.file, patienceMs(each)).status !== 0) ? 1 : 0)
  })
}

function isCoverage(value: unknown): value is Coverage {
  return isRecord(value) && typeof value['file'] === 'string' && Array.isArray(value['mutants'])
}

function patienceMs({ tookMs }: Coverage): number {
  return tookMs * PATIENCE_FACTOR + PATIENCE_MS
}

/** A process for each file: what is loaded already does not come by its first lines again. */
function spawnTests(file: string, timeout?: number) {
  return spawnSync(process.execPath, [import.meta.filename, ONE_FILE, file], {
    encoding: 'utf8',
    killSignal: 'SIGKILL',
    ...(timeout !== undefined && { timeout }),
  })
}

/** Ends this process with the first test that fails. */
function runFile(file: string, whenPassed: () => void): void {
  run({ files: [file], isolation: 'none' })
    .on('test:fail', ({ name, details }) => {
      process.stdout.write(`${name}: ${String(details.error.cause)}\n`)
      process.exit(1)
    })
    .on('end', whenPassed)
    .resume()
}

/** The last line of the output: the ids of the mutants that were come by. */
function printCoverage(): void {
  const stryker: unknown = Reflect.get(globalThis, '__stryker__')
  const coverage = isRecord(stryker) ? stryker['mutantCoverage'] : undefined
  const found = isRecord(coverage) ? coverage['static'] : undefined
  process.stdout.write(`\n${isRecord(found) ? Object.keys(found).join(' ') : ''}\n`)
  process.exit(0)
}
