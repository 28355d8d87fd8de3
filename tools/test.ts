import { glob } from 'node:fs/promises'
import { resolve } from 'node:path'
import { run } from 'node:test'
import { parseArgs } from 'node:util'
import { reportQuietly } from './quiet-reporter.ts'
import { startTestServer } from './test-server.ts'

const USAGE = `npm test                     all tests
npm test -- <file>...        these files; patterns with * work when quoted
npm test -- --name <regexp>  only tests whose name matches
npm test -- --print <file>   shows what tests print, also when they pass
`

const ALL_TESTS = [
  '{apps,packages}/**/test/**/*.test.ts',
  'tools/test/**/*.test.ts',
  'bench/test/**/*.test.ts',
  'faults/test/**/*.test.ts',
  'acceptance/**/*.test.ts',
] as const

const FILES_AT_ONCE = 4
const FILE_TIMEOUT_MS = 900_000
const EXIT_CODES = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const

process.exitCode = await main()

/** The exit code: 0 when at least one test ran and none failed. */
async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      name: { type: 'string', multiple: true },
      print: { type: 'boolean' },
      help: { type: 'boolean', short: 'h' },
    },
  })
  if (values.help === true) {
    process.stdout.write(USAGE)
    return 0
  }
  const files = await filesFor(positionals.length > 0 ? positionals : ALL_TESTS)
  if (files.length === 0) {
    process.stderr.write(`No test file matches.\n${USAGE}`)
    return 1
  }
  return runFiles(files, values)
}

interface Wishes {
  readonly name?: readonly string[]
  readonly print?: boolean
}

async function runFiles(files: readonly string[], { name: names, print }: Wishes): Promise<number> {
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
    const events = run({
      files: [...files],
      concurrency: FILES_AT_ONCE,
      timeout: FILE_TIMEOUT_MS,
      signal: abort.signal,
      ...(names && { testNamePatterns: names.map((name) => new RegExp(name)) }),
    })
    const { passed, tests } = await reportQuietly(events, (text) => process.stdout.write(text), print)
    return exitCode ?? (passed && tests > 0 ? 0 : 1)
  } catch (error) {
    if (exitCode === undefined) throw error
    return exitCode
  } finally {
    await server.stop()
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
