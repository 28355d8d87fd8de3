import { readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative, resolve } from 'node:path'
import { Stryker } from '@stryker-mutator/core'
import type { Group } from './groups.ts'

const ROOT = resolve(import.meta.dirname, '../..')
const COMMAND = join(import.meta.dirname, 'try.ts')
const CONCURRENCY = 2
/** Beyond one and a half times what all tests of the group take: then a mutant turns for ever, which is noticing it. */
const PATIENCE_MS = 20_000
/** Of all tests without a mutant. */
const DRY_RUN_MINUTES_MAX = 15
/** Not copied: no test of the groups reads them, and packages are found through node_modules. */
const NOT_COPIED = ['acceptance', 'docs', 'lab', 'packages', 'tools', 'apps/bank-simulator', 'apps/checkout']

/** A changed place that no test noticed. */
export interface Survivor {
  readonly file: string
  readonly line: number
  readonly mutator: string
  /** What stood there, and what was put in its place, each in one line. */
  readonly original: string
  readonly replacement: string
}

export interface GroupResult {
  readonly name: string
  readonly title: string
  readonly mutants: number
  readonly killed: number
  readonly timedOut: number
  readonly survivors: readonly Survivor[]
  /** Percent of the mutants that were noticed. */
  readonly score: number
  readonly minutes: number
}

/** Tries all mutants of a group in a copy of the tree. Rejects when a test fails without a mutant. */
export async function runGroup({ name, title, sources, tests }: Group): Promise<GroupResult> {
  const startedMs = performance.now()
  const results = await new Stryker({
    mutate: [...sources],
    ignorePatterns: NOT_COPIED,
    tempDirName: join(tmpdir(), 'tollgate-mutation'),
    plugins: [],
    reporters: ['progress-append-only'],
    allowConsoleColors: false,
    testRunner: 'command',
    coverageAnalysis: 'off',
    commandRunner: { command: [process.execPath, COMMAND, ...tests].map((word) => `"${word}"`).join(' ') },
    concurrency: CONCURRENCY,
    timeoutMS: PATIENCE_MS,
    dryRunTimeoutMinutes: DRY_RUN_MINUTES_MAX,
    disableTypeChecks: false,
  }).runMutationTest()
  const of = (...wanted: readonly string[]) => results.filter(({ status }) => wanted.includes(status))
  const [killed, timedOut] = [of('Killed').length, of('Timeout').length]
  const survivors = of('Survived', 'NoCoverage').map(
    ({ fileName, location, mutatorName, replacement }): Survivor => ({
      file: relative(ROOT, resolve(fileName)),
      line: location.start.line,
      mutator: mutatorName,
      original: oneLine(textAt(fileName, location)),
      replacement: oneLine(replacement),
    }),
  )
  const mutants = killed + timedOut + survivors.length
  return {
    name,
    title,
    mutants,
    killed,
    timedOut,
    survivors,
    score: mutants === 0 ? 0 : (100 * (killed + timedOut)) / mutants,
    minutes: (performance.now() - startedMs) / 60_000,
  }
}

interface Place {
  readonly line: number
  readonly column: number
}

/** Lines are counted from 1, columns from 1 as well. */
function textAt(file: string, { start, end }: { readonly start: Place; readonly end: Place }): string {
  const lines = readFileSync(file, 'utf8')
    .split('\n')
    .slice(start.line - 1, end.line)
  return lines
    .map((line, index) =>
      line.slice(
        index === 0 ? start.column - 1 : 0,
        index === end.line - start.line ? end.column - 1 : undefined,
      ),
    )
    .join('\n')
}

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim()
