// `npm run mutation`: changes the code that money depends on in one small place at a time, and looks whether a test notices.
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { terminalTable } from '../lab/rig/table.ts'
import { GROUPS, type Group } from './mutation/groups.ts'
import { describeSurvivor, HEAD, reasonOf, rowOf, writeResults } from './mutation/report.ts'
import { type GroupResult, runGroup } from './mutation/run.ts'
import { startTestServer } from './test-server.ts'

const NAMES = GROUPS.map(({ name }) => name)
const USAGE = `npm run mutation              all groups, in about a quarter of an hour on two quiet cores
  --only <names>              ${NAMES.join(',')}
  --write                     writes what was run into docs/mutation.json and docs/mutation.md

Exit code 1 when a group's score is below the least.
`

/** Percent. */
const SCORE_MIN = 85
const EXIT_USAGE = 2

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      only: { type: 'string' },
      write: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  })
  const wanted = values.only?.split(',') ?? NAMES
  const isKnown = wanted.every((name) => NAMES.includes(name))
  if (values.help || !isKnown) {
    process.stdout.write(USAGE)
    return values.help ? 0 : EXIT_USAGE
  }
  const results = await runGroups(GROUPS.filter(({ name }) => wanted.includes(name)))
  process.stdout.write(`\n${terminalTable(HEAD, results.map(rowOf))}\n`)
  if (values.write) writeResults(results)
  return results.every(({ score }) => score >= SCORE_MIN) ? 0 : 1
}

async function runGroups(groups: readonly Group[]): Promise<readonly GroupResult[]> {
  const server = await startTestServer()
  process.env['TOLLGATE_TEST_SERVER_URL'] = server.url
  process.env['TOLLGATE_TEST_RUNTIME_URL'] = server.runtimeUrl
  process.env['NODE_COMPILE_CACHE'] = resolve('node_modules/.cache/tests')
  const results: GroupResult[] = []
  try {
    for (const group of groups) {
      process.stdout.write(`\n${group.name}: ${group.title}\n`)
      const result = await runGroup(group)
      for (const survivor of result.survivors)
        process.stdout.write(
          `  ${describeSurvivor(survivor)}${reasonOf(survivor) === undefined ? '' : '  known'}\n`,
        )
      results.push(result)
    }
  } finally {
    await server.stop()
  }
  return results
}

process.exitCode = await main()
