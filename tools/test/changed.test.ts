import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { testsOfChanges } from '../changed.ts'

const TESTS = [
  'apps/gateway/src/test/pay.test.ts',
  'apps/gateway/src/test/talk.test.ts',
  'packages/money/src/test/sum.test.ts',
]

test('tests are chosen by what they import, however far away it is', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-changed-'))
  const home = process.cwd()
  t.after(() => {
    process.chdir(home)
    rmSync(folder, { recursive: true, force: true })
  })
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  const git = (...args: readonly string[]): void =>
    void execFileSync('git', ['-c', 'user.name=T', '-c', 'user.email=t@example.test', ...args], {
      cwd: folder,
    })
  write('packages/money/src/index.ts', "export * from './sum.ts'")
  write('packages/money/src/sum.ts', 'export const sum = 1')
  write('packages/money/src/test/sum.test.ts', "import '../sum.ts'")
  write(
    'apps/gateway/src/pay.ts',
    "import '@tollgate/money'\nconst file = new URL('talk.sql', import.meta.url)",
  )
  write('apps/gateway/src/talk.sql', 'select 1')
  write('apps/gateway/src/test/pay.test.ts', "import { pay } from '../pay.ts'")
  write('apps/gateway/src/test/talk.test.ts', "import '../talk.ts'")
  git('init', '-q', '-b', 'main')
  git('add', '.')
  git('commit', '-qm', 'all')
  process.chdir(folder)

  assert.deepEqual(testsOfChanges(TESTS, 'main'), [], 'nothing changed')
  write('packages/money/src/sum.ts', 'export const sum = 2')
  assert.deepEqual(testsOfChanges(TESTS, 'main'), [TESTS[0], TESTS[2]], 'not committed')
  git('checkout', '-qb', 'change')
  git('commit', '-qam', 'a change')
  assert.deepEqual(testsOfChanges(TESTS, 'main'), [TESTS[0], TESTS[2]], 'on a branch')
  git('checkout', '-q', 'main')
  write('apps/gateway/src/talk.ts', '')
  assert.deepEqual(testsOfChanges(TESTS, 'main'), [TESTS[1]], 'a new file')
  write('apps/gateway/migrations/0001_x.sql', '')
  assert.deepEqual(
    testsOfChanges(TESTS, 'main'),
    TESTS.slice(0, 2),
    'the schema concerns every test of the gateway',
  )
})
