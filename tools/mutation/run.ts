import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { type Static, Type } from 'typebox'
import { Value } from 'typebox/value'
import { onDemand } from '../on-demand.ts'
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

const Place = Type.Object({ line: Type.Integer(), column: Type.Integer() })
/** What we read of Stryker's report. Paths are from the root. */
const ReportSchema = Type.Object({
  files: Type.Record(
    Type.String(),
    Type.Object({
      mutants: Type.Array(
        Type.Object({
          status: Type.String(),
          mutatorName: Type.String(),
          replacement: Type.String(),
          location: Type.Object({ start: Place, end: Place }),
        }),
      ),
    }),
  ),
})

/** Tries all mutants of a group in a copy of the tree. Rejects when a test fails without a mutant. */
export async function runGroup(group: Group): Promise<GroupResult> {
  const startedMs = performance.now()
  const results = Object.entries((await runStryker(group)).files).flatMap(([file, { mutants }]) =>
    mutants.map((mutant) => ({ ...mutant, file })),
  )
  const of = (...wanted: readonly string[]) => results.filter(({ status }) => wanted.includes(status))
  const [killed, timedOut] = [of('Killed').length, of('Timeout').length]
  const survivors = of('Survived', 'NoCoverage').map(
    ({ file, location, mutatorName, replacement }): Survivor => ({
      file,
      line: location.start.line,
      mutator: mutatorName,
      original: oneLine(textAt(resolve(ROOT, file), location)),
      replacement: oneLine(replacement),
    }),
  )
  const mutants = killed + timedOut + survivors.length
  return {
    name: group.name,
    title: group.title,
    mutants,
    killed,
    timedOut,
    survivors,
    score: mutants === 0 ? 0 : (100 * (killed + timedOut)) / mutants,
    minutes: (performance.now() - startedMs) / 60_000,
  }
}

/** Runs Stryker as a program of its own, and reads what it wrote. */
async function runStryker({ sources, tests }: Group): Promise<Static<typeof ReportSchema>> {
  const stryker = join(
    onDemand('tools/mutation/stryker'),
    'node_modules/@stryker-mutator/core/bin/stryker.js',
  )
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-mutation-'))
  const [config, report] = [join(folder, 'config.json'), join(folder, 'report.json')]
  const settings = {
    mutate: sources,
    ignorePatterns: NOT_COPIED,
    tempDirName: join(folder, 'copies'),
    plugins: [],
    reporters: ['progress-append-only', 'json'],
    jsonReporter: { fileName: report },
    allowConsoleColors: false,
    testRunner: 'command',
    coverageAnalysis: 'off',
    commandRunner: { command: [process.execPath, COMMAND, ...tests].map((word) => `"${word}"`).join(' ') },
    concurrency: CONCURRENCY,
    timeoutMS: PATIENCE_MS,
    dryRunTimeoutMinutes: DRY_RUN_MINUTES_MAX,
    disableTypeChecks: false,
  }
  try {
    writeFileSync(config, JSON.stringify(settings))
    await run(process.execPath, [stryker, 'run', config])
    return Value.Parse(ReportSchema, JSON.parse(readFileSync(report, 'utf8')))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function run(program: string, args: readonly string[]): Promise<void> {
  const child = spawn(program, args, { cwd: ROOT, stdio: 'inherit' })
  await once(child, 'exit')
  if (child.exitCode !== 0) throw new Error(`${program} ${args.join(' ')} ended with ${child.exitCode}`)
}

interface Range {
  readonly start: Static<typeof Place>
  readonly end: Static<typeof Place>
}

/** Lines are counted from 1, columns from 1 as well. */
function textAt(file: string, { start, end }: Range): string {
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
