import { glob } from 'node:fs/promises'
import { resolve } from 'node:path'
import { run } from 'node:test'
import type { TestEvent } from 'node:test/reporters'
import { parseArgs } from 'node:util'
import { testsOfChanges } from './changed.ts'
import { keepUnstable } from './check/unstable.ts'
import { reportQuietly, type TestRun } from './quiet-reporter.ts'
import { groupTests, type TestGroups } from './test-groups.ts'
import { startTestServer } from './test-server.ts'

const USAGE = `npm test                     the tests of every part, and the specification chapter by chapter
npm run test:long            the rest of acceptance/ (attacks, browsers, banks), and files named *.long.test.ts
npm test -- <file>...        these files; patterns with * work when quoted
npm test -- --changed        those that import what changed since main, committed or not
npm test -- --name <regexp>  only tests whose name matches
npm test -- --print <file>   shows what tests print, also when they pass
npm test -- --stalled <s>    gives up when no test has ended for so many seconds (960)
`

const ALL_TESTS = [
  '{apps,packages}/**/test/**/*.test.ts',
  'tools/test/**/*.test.ts',
  'lab/**/test/*.test.ts',
  'acceptance/**/*.test.ts',
] as const

/**
 * What a change waits for only before it lands, so that the others end within five minutes on two processors: simulations, many
 * rounds, and whole gateways beyond the chapters 4 to 9 of the specification.
 */
const isLong = (file: string): boolean =>
  file.endsWith('.long.test.ts') || (file.startsWith('acceptance/') && !/^acceptance\/0\d-/.test(file))

/** What changes are compared with: where they left it. */
const MAIN = 'main'
const FILES_AT_ONCE = 4
/** Of whole gateways, browsers and banks: with more of them, what people wait for ten seconds at most takes longer. */
const LONG_FILES_AT_ONCE = 3
/** More files that fail than these are no accident. */
const REPEATED_FILES_MAX = 3
const FILE_TIMEOUT_MS = 900_000
/**
 * For how long no test may end. A file whose tests are over but whose process does not end has no other limit; of all files together
 * there is none, for a slow machine is no fault.
 */
const STALLED_AFTER_SECONDS = FILE_TIMEOUT_MS / 1000 + 60
const EXIT_CODES = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const

const write = (text: string): void => void process.stdout.write(text)

process.exitCode = await main()

/** The exit code: 0 when at least one test ran and none failed. */
async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      name: { type: 'string', multiple: true },
      print: { type: 'boolean' },
      stalled: { type: 'string' },
      long: { type: 'boolean' },
      changed: { type: 'boolean' },
      help: { type: 'boolean', short: 'h' },
    },
  })
  if (values.help === true) {
    process.stdout.write(USAGE)
    return 0
  }
  const files = await chooseFiles(positionals, values)
  if (files.length === 0 && values.changed === true) {
    process.stdout.write('No test imports what changed. Tests that speak HTTP alone are in acceptance/.\n')
    return 0
  }
  if (files.length === 0) {
    process.stderr.write(`No test file matches.\n${USAGE}`)
    return 1
  }
  return runFiles(files, values)
}

async function chooseFiles(
  patterns: readonly string[],
  { long: isLongRun = false, changed = false }: { readonly long?: boolean; readonly changed?: boolean },
): Promise<readonly string[]> {
  if (patterns.length > 0) return filesFor(patterns)
  const all = await filesFor(ALL_TESTS)
  // What a change touches is worth the wait.
  return changed ? testsOfChanges(all, MAIN) : all.filter((file) => isLong(file) === isLongRun)
}

interface Wishes {
  readonly long?: boolean
  readonly name?: readonly string[]
  readonly print?: boolean
  readonly stalled?: string
}

async function runFiles(files: readonly string[], wishes: Wishes): Promise<number> {
  const abort = new AbortController()
  let exitCode: number | undefined
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      exitCode = EXIT_CODES[signal]
      abort.abort()
    })
  }
  const server = await startTestServer()
  try {
    abort.signal.throwIfAborted()
    // Every file and every gateway in a file is a process of its own: half of its start is reading the same sources.
    Object.assign(process.env, {
      TOLLGATE_TEST_SERVER_URL: server.url,
      TOLLGATE_TEST_RUNTIME_URL: server.runtimeUrl,
      NODE_COMPILE_CACHE: resolve('node_modules/.cache/tests'),
    })
    const passed = await runAndRepeat(files, wishes, abort.signal)
    return exitCode ?? (passed ? 0 : 1)
  } catch (error) {
    if (exitCode === undefined) throw error
    return exitCode
  } finally {
    await server.stop()
  }
}

/**
 * Runs the files; those with failures once more, one at a time. What passes then is unstable: it is named and noted, and is no
 * reason to hold a change back; `npm run check` limits how many there are.
 */
async function runAndRepeat(files: readonly string[], wishes: Wishes, signal: AbortSignal): Promise<boolean> {
  const groups = groupTests(files)
  const first = await runOnce(wishes, {
    signal,
    write,
    filesAtOnce: filesAtOnceFor(wishes),
    groups,
  }).finally(groups.remove)
  const { passed, tests, failedFiles, failedTests } = first
  if (passed) noteUnstable(files, wishes, [])
  if (passed || signal.aborted) return passed && tests > 0
  if (!isWorthRepeating(first)) return false
  const alone: TestGroups = { entries: failedFiles, groupOf: () => undefined, remove: () => undefined }
  const second = await runOnce(wishes, {
    signal,
    write: () => undefined,
    filesAtOnce: 1,
    groups: alone,
  })
  if (!second.passed) {
    write('\nThese failed again when they were repeated:\n')
    for (const name of second.failedTests) write(`  ${name}\n`)
    return false
  }
  write(`\nUnstable, for they failed and passed when repeated. Find out why:\n`)
  for (const name of failedTests) write(`  ${name}\n`)
  noteUnstable(files, wishes, failedTests)
  return true
}

/** What was not run to its end is no better when others pass. */
function isWorthRepeating({ isCutShort, failedFiles }: TestRun): boolean {
  return !isCutShort && failedFiles.length > 0 && failedFiles.length <= REPEATED_FILES_MAX
}

function filesAtOnceFor({ long }: Wishes): number {
  return long === true ? LONG_FILES_AT_ONCE : FILES_AT_ONCE
}

/** Of a run that left no tests of its files out. */
function noteUnstable(files: readonly string[], { name }: Wishes, unstable: readonly string[]): void {
  if (name === undefined) keepUnstable(process.cwd(), { files, unstable })
}

function runOnce(
  { name: names, print, stalled: seconds = String(STALLED_AFTER_SECONDS) }: Wishes,
  how: {
    readonly signal: AbortSignal
    readonly filesAtOnce: number
    readonly groups: TestGroups
    readonly write: (text: string) => void
  },
): Promise<TestRun> {
  const stalled = new AbortController()
  const events = run({
    files: [...how.groups.entries],
    concurrency: how.filesAtOnce,
    timeout: FILE_TIMEOUT_MS,
    signal: AbortSignal.any([how.signal, stalled.signal]),
    ...(names && { testNamePatterns: names.map((name) => new RegExp(name)) }),
  })
  return reportQuietly(abortStalled(events, stalled, Number(seconds) * 1000), {
    write: how.write,
    isLoud: print === true,
    groupOf: how.groups.groupOf,
  })
}

async function* abortStalled(
  events: AsyncIterable<TestEvent>,
  stalled: AbortController,
  afterMs: number,
): AsyncIterable<TestEvent> {
  const timer = setTimeout(() => stalled.abort(), afterMs)
  try {
    for await (const event of events) {
      if (event.type === 'test:complete') timer.refresh()
      yield event
    }
  } finally {
    clearTimeout(timer)
  }
}

async function filesFor(patterns: readonly string[]): Promise<readonly string[]> {
  const files = new Set<string>()
  for (const pattern of patterns) {
    for await (const file of glob(pattern, { exclude: (name) => name.includes('node_modules') }))
      files.add(file)
  }
  return [...files].sort()
}
