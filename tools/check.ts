// `npm run check`: everything about the source that a program can judge, in one go.
// `npm run check -- types tidy` runs the named checks alone.
import { delimiter, join, resolve } from 'node:path'
import { type Check, runChecks } from './check/run.ts'

const ROOT = resolve(import.meta.dirname, '..')
const BIN = join(ROOT, 'node_modules/.bin')
const SOURCES = ['apps', 'packages', 'acceptance', 'tools', 'lab']

const CHECKS: readonly Check[] = [
  {
    name: 'format',
    headline: 'format and everyday lint (mend with: npm run format)',
    command: ['node', 'tools/biome.ts', 'check', '--diagnostic-level=warn', '--error-on-warnings', '.'],
  },
  { name: 'types', headline: 'types', command: ['tsc', '--noEmit', '-p', 'tsconfig.json'] },
  {
    name: 'eslint',
    headline: 'promises, casts, size of functions',
    command: ['eslint', '--no-error-on-unmatched-pattern', '--max-warnings=0', ...SOURCES],
  },
  {
    name: 'dependencies',
    headline: 'who may import whom',
    command: ['depcruise', '--config', '.dependency-cruiser.cjs', '--output-type', 'err-long', ...SOURCES],
  },
  { name: 'tidy', headline: 'our own rules', command: ['node', 'tools/tidy.ts'] },
  {
    name: 'openapi',
    headline: 'docs/openapi.json, docs/operator-openapi.json, docs/rail-protocol.json',
    command: [
      'redocly',
      'lint',
      'docs/openapi.json',
      'docs/operator-openapi.json',
      'docs/rail-protocol.json',
      '--config',
      'redocly.yaml',
      '--format',
      'stylish',
    ],
  },
  {
    name: 'generated',
    headline: 'generated files are fresh (mend with: npm run generate)',
    command: ['node', 'tools/generate.ts', '--check'],
  },
  {
    name: 'unstable',
    headline: 'at most three tests passed only when repeated',
    command: ['node', 'tools/unstable.ts'],
  },
  {
    name: 'audit',
    headline: 'no advisory for a package of production is high or critical',
    command: ['node', 'tools/audit.ts'],
  },
]

const wanted = process.argv.slice(2)
const unknown = wanted.filter((name) => !CHECKS.some((check) => check.name === name))
if (unknown.length > 0) {
  console.error(
    `No such check: ${unknown.join(', ')}. There are: ${CHECKS.map(({ name }) => name).join(', ')}.`,
  )
  process.exit(2)
}

const failed = await runChecks(
  CHECKS.filter(({ name }) => wanted.length === 0 || wanted.includes(name)),
  {
    root: ROOT,
    print: console.log,
    environment: {
      ...process.env,
      // Our own versions first, whichever are installed on the machine.
      PATH: `${BIN}${delimiter}${process.env['PATH'] ?? ''}`,
      // No check tells anybody that it ran.
      REDOCLY_TELEMETRY: 'off',
      REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true',
    },
  },
)
if (failed.length > 0) {
  console.log(`${failed.length} failed: ${failed.join(', ')}`)
  process.exitCode = 1
}
