import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { isRecord } from '../check/values.ts'

const ROOT = resolve(import.meta.dirname, '../..')
const RUN_MILLISECONDS_MAX = 120_000
const PRODUCT = 'apps/gateway/src'

type Case = { title: string; path: string; text: string; rules: string[] }

const spliced = (name: string): string => `$\{${name}}`
const lines = (count: number, line: string): string => `${line}\n`.repeat(count)

/** One file per case: what is found in it, and in its twin where the rule has nothing to say. */
const CASES: readonly Case[] = [
  {
    title: 'the environment is read in config.ts alone',
    path: `${PRODUCT}/app.ts`,
    text: 'export const port = process.env["PORT"]',
    rules: ['no-restricted-properties'],
  },
  {
    title: 'the environment is not imported either',
    path: `${PRODUCT}/env.ts`,
    text: "import { env } from 'node:process'\nexport const port = env['PORT']",
    rules: ['no-restricted-imports'],
  },
  {
    title: 'config.ts reads it',
    path: `${PRODUCT}/config.ts`,
    text: 'export const port = process.env["PORT"]',
    rules: [],
  },
  {
    title: 'a tool reads it',
    path: 'tools/a.ts',
    text: 'export const port = process.env["PORT"] ?? Date.now()',
    rules: [],
  },
  {
    title: 'what is started hands it to config.ts, and looks no closer',
    path: `${PRODUCT}/main.ts`,
    text: "import { readConfig } from './read-config.ts'\nexport const all = [readConfig(process.env), process.env['PORT']]",
    rules: ['no-restricted-syntax'],
  },
  {
    title: 'the whole of it may be named as a type',
    path: `${PRODUCT}/read-config.ts`,
    text: 'export const readConfig = (from: NodeJS.ProcessEnv): string | undefined => from["PORT"]',
    rules: [],
  },
  {
    title: 'the time and chance are asked for',
    path: `${PRODUCT}/modules/a/service.ts`,
    text: 'export const now = [Date.now(), Math.random(), new Date()]',
    rules: ['no-restricted-properties', 'no-restricted-properties', 'no-restricted-syntax'],
  },
  {
    title: 'the clock tells the time',
    path: `${PRODUCT}/platform/clock.ts`,
    text: 'export const at = [Date.now(), new Date()]',
    rules: [],
  },
  {
    title: 'a given time is not the present',
    path: `${PRODUCT}/b.ts`,
    text: 'export const at = new Date(0)',
    rules: [],
  },
  {
    title: 'a test has its own time',
    path: `${PRODUCT}/test/a.test.ts`,
    text: 'export const at = [Date.now(), new Date()]',
    rules: [],
  },
  {
    title: 'a model is not given to chance',
    path: `${PRODUCT}/modules/a/model.ts`,
    text: "import { createHash, randomUUID } from 'node:crypto'\nexport const a = [createHash('sha256'), randomUUID()]",
    rules: ['no-restricted-imports'],
  },
  {
    title: 'values are parameters of SQL, constants may be spliced in',
    path: `${PRODUCT}/store.ts`,
    text: [
      'type Tx = { query(text: string): Promise<void> }',
      "const COLUMNS = 'a, b'",
      `export const good = (tx: Tx): Promise<void> => tx.query(\`select ${spliced('COLUMNS')} from t\`)`,
      `export const bad = (tx: Tx, id: string): Promise<void> => tx.query(\`select ${spliced('id')}\`)`,
    ].join('\n'),
    rules: ['no-restricted-syntax'],
  },
  {
    title: 'a promise is waited for',
    path: `${PRODUCT}/promise.ts`,
    text: 'export function go(work: () => Promise<void>): void {\n  work()\n}',
    rules: ['@typescript-eslint/no-floating-promises'],
  },
  {
    title: 'the test runner waits by itself',
    path: 'acceptance/a.test.ts',
    text: "import { test } from 'node:test'\ntest('a', () => {})",
    rules: [],
  },
  {
    title: 'a value is parsed, not cast',
    path: `${PRODUCT}/cast.ts`,
    text: "export const a = 'x' as string | number\nexport const b = ['x'] as const",
    rules: ['@typescript-eslint/consistent-type-assertions'],
  },
  {
    title: 'what leaves a module says its type',
    path: 'packages/money/src/a.ts',
    text: 'export function one() {\n  return 1\n}',
    rules: ['@typescript-eslint/explicit-module-boundary-types'],
  },
  {
    title: 'a switch names every case',
    path: `${PRODUCT}/switch.ts`,
    text: "export function f(s: 'A' | 'B'): number {\n  switch (s) {\n    case 'A':\n      return 1\n    default:\n      return 2\n  }\n}",
    rules: ['@typescript-eslint/switch-exhaustiveness-check'],
  },
  {
    title: 'exports have names, and a door lists them',
    path: `${PRODUCT}/door.ts`,
    text: "export * from './b.ts'\nexport default 1",
    rules: ['no-restricted-syntax', 'no-restricted-syntax'],
  },
  {
    title: 'a function fits a screen',
    path: `${PRODUCT}/long.ts`,
    text: `export function f(): void {\n${lines(80, '  f()')}}`,
    rules: ['max-lines-per-function'],
  },
  {
    title: 'a file fits a sitting',
    path: `${PRODUCT}/long-file.ts`,
    text: `export let n = 0\n${lines(500, 'n += 1')}`,
    rules: ['max-lines'],
  },
  {
    title: 'a test is longer',
    path: 'acceptance/long.test.ts',
    text: `export let n = 0\n${lines(500, 'n += 1')}`,
    rules: [],
  },
  {
    title: 'a function decides ten times at most and takes four parameters at most',
    path: `${PRODUCT}/complex.ts`,
    text: `export function f(n: number, a: number, b: number, c: number, d: number): number {\n${lines(10, '  if (n > a + b + c + d) n -= 1')}  return n\n}`,
    rules: ['complexity', 'max-params'],
  },
]

function lint(root: string): Map<string, string[]> {
  const eslint = join(ROOT, 'node_modules/eslint/bin/eslint.js')
  const args = [eslint, '--config', 'eslint.config.js', '--format', 'json', '.']
  const run = spawnSync(process.execPath, args, {
    cwd: root,
    encoding: 'utf8',
    timeout: RUN_MILLISECONDS_MAX,
  })
  assert.equal(run.stderr, '')
  const report: unknown = JSON.parse(run.stdout)
  assert(Array.isArray(report))
  return new Map(
    report.filter(isRecord).map(({ filePath, messages }) => {
      assert(Array.isArray(messages))
      return [
        String(filePath),
        messages.filter(isRecord).map(({ ruleId, message }) => String(ruleId ?? message)),
      ]
    }),
  )
}

describe('the ESLint rules', () => {
  const root = mkdtempSync(join(tmpdir(), 'tollgate-eslint-'))
  let found = new Map<string, string[]>()

  before(() => {
    for (const { path, text } of CASES) {
      mkdirSync(dirname(join(root, path)), { recursive: true })
      writeFileSync(join(root, path), `${text}\n`)
    }
    symlinkSync(join(ROOT, 'node_modules'), join(root, 'node_modules'))
    writeFileSync(join(root, 'package.json'), JSON.stringify({ type: 'module' }))
    // A copy: the configuration takes its own folder for the root of what it judges.
    copyFileSync(join(ROOT, 'eslint.config.js'), join(root, 'eslint.config.js'))
    const options = {
      extends: join(ROOT, 'tsconfig.json'),
      include: ['apps', 'packages', 'acceptance', 'tools'],
    }
    writeFileSync(join(root, 'tsconfig.json'), JSON.stringify(options))
    found = lint(root)
  })
  after(() => {
    rmSync(root, { recursive: true, force: true })
  })

  for (const { title, path, rules } of CASES) {
    test(`${title} (${rules.length === 0 ? 'silent' : rules.join(', ')})`, () => {
      assert.deepEqual(found.get(join(root, path))?.toSorted(), rules.toSorted())
    })
  }
})
