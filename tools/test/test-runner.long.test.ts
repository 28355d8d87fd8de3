import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { type TestContext, test } from 'node:test'

const ROOT = resolve(import.meta.dirname, '../..')

/** Runs the runner as a user would, on a test file with this text. */
function runOn(
  t: TestContext,
  text: string,
  ...options: readonly string[]
): { status: number | null; stdout: string; stderr: string } {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-runner-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, 'sample.test.ts')
  writeFileSync(file, `import { test } from 'node:test'\n${text}`)
  return runWith([file, ...options])
}

function runWith(args: readonly string[]): { status: number | null; stdout: string; stderr: string } {
  // Inside of a test file node would not run others.
  const { NODE_TEST_CONTEXT: _, ...env } = process.env
  return spawnSync(process.execPath, [join(ROOT, 'tools/test.ts'), ...args], {
    cwd: ROOT,
    env,
    encoding: 'utf8',
  })
}

test('a run without failures says only how long its files took and how many tests there were', (t) => {
  const { status, stdout } = runOn(t, `console.log('chatter'); test('one', () => {}); test('two', () => {})`)
  assert.equal(status, 0)
  assert.match(stdout, /^Slowest files:\n.*sample\.test\.ts\n(ℹ \w+ \d+\n)+$/)
  assert.match(stdout, /ℹ tests 2\n.*ℹ pass 2\nℹ fail 0\n/s)
})

test('with --print, what a file prints is shown', (t) => {
  const { status, stdout } = runOn(t, `console.log('chatter'); test('one', () => {})`, '--print')
  assert.equal(status, 0)
  assert.match(stdout, /^chatter\nSlowest files:/)
})

test('a failing test is shown with its place, its parents, its reason and what its file printed', (t) => {
  const { status, stdout } = runOn(
    t,
    `console.log('chatter')
     test('outer', async (t) => { await t.test('inner', () => { throw new Error('the reason') }) })`,
  )
  assert.equal(status, 1)
  assert.match(stdout, /✖ outer › inner \(\d+ ms\)/)
  assert.match(stdout, /at .*sample\.test\.ts:3\n {2}Error: the reason/)
  assert.match(stdout, /Output of .*sample\.test\.ts:\nchatter\n/)
  assert.match(stdout, /ℹ tests 2\n.*ℹ fail 2\n/s)
})

test('a file that breaks before its first test fails the run', (t) => {
  const { status, stdout } = runOn(t, `test; throw new Error('broken at once')`)
  assert.equal(status, 1)
  assert.match(stdout, /Output of .*sample\.test\.ts:\n.*Error: broken at once/s)
})

test('a run in which no test ran is no success', (t) => {
  const none = runWith(['no/such/file.test.ts'])
  assert.equal(none.status, 1)
  assert.match(none.stderr, /^No test file matches\./)
  assert.equal(
    runWith([join(ROOT, 'packages/testkit/test/wait.test.ts'), '--name', 'no such name']).status,
    1,
  )
  assert.equal(runOn(t, 'test').status, 1)
})

test('a test that is written in another file than the one that ran fails again when it is repeated', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-runner-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  writeFileSync(
    join(folder, 'contract.ts'),
    `import { test } from 'node:test'
     export const hold = () => { test('kept', () => { throw new Error('broken') }) }`,
  )
  writeFileSync(join(folder, 'sample.test.ts'), `import { hold } from './contract.ts'\nhold()`)
  const { status, stdout } = runWith([join(folder, 'sample.test.ts')])
  assert.equal(status, 1)
  assert.match(stdout, /These failed again when they were repeated:\n.*sample\.test\.ts: kept\n/)
})

test('files of one folder share a process, and each is told of by its own name', (t) => {
  const folder = mkdtempSync(join(ROOT, 'packages/testkit/test/runner-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  for (const [name, says] of [
    ['a', 'globalThis.first = true'],
    ['b', `if (globalThis.first) console.log('b sees a')`],
  ] as const)
    writeFileSync(
      join(folder, `${name}.test.ts`),
      `import { test } from 'node:test'\n${says}
       test('of ${name}', () => {})
       test('fails', () => { throw new Error('in ${name}') })`,
    )
  const { status, stdout } = runWith([join(folder, 'a.test.ts'), join(folder, 'b.test.ts')])
  assert.equal(status, 1)
  for (const name of ['a', 'b'])
    assert.match(stdout, new RegExp(`at .*${name}\\.test\\.ts:4\\n {2}Error: in ${name}`))
  assert.match(stdout, /Output of .*b\.test\.ts:\nb sees a\n/)
  assert.match(stdout, /ℹ tests 4\n.*ℹ pass 2\nℹ fail 2\n/s)
  assert.match(stdout, /repeated:\n.*a\.test\.ts: fails\n.*b\.test\.ts: fails\n/)
})

test('a file that waits outside of its tests has a process of its own', (t) => {
  const folder = mkdtempSync(join(ROOT, 'packages/testkit/test/runner-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const pause = (ms: number): string => `new Promise((resolve) => setTimeout(resolve, ${String(ms)}))`
  writeFileSync(
    join(folder, 'a.test.ts'),
    `import { test } from 'node:test'\ntest('soon', () => ${pause(300)})\ntest('then', () => {})`,
  )
  writeFileSync(
    join(folder, 'b.test.ts'),
    `import { test, after } from 'node:test'
let isOver = false
after(() => { isOver = true })
await ${pause(1_500)}
test('later', () => { if (isOver) throw new Error('it was over before it began') })`,
  )
  const { status, stdout } = runWith([join(folder, 'a.test.ts'), join(folder, 'b.test.ts')])
  assert.equal(status, 0, stdout)
  assert.match(stdout, /ℹ tests 3\n.*ℹ pass 3\n/s)
  assert.doesNotMatch(stdout, /Unstable/)
})

test('what fails once and passes when repeated is named as unstable, and the run succeeds', (t) => {
  const { status, stdout } = runOn(
    t,
    `import { existsSync, writeFileSync } from 'node:fs'
     const mark = import.meta.dirname + '/was-here'
     test('steady', () => {})
     test('outer', async (t) => {
       await t.test('wavering', () => { if (!existsSync(mark)) { writeFileSync(mark, ''); throw new Error('once') } })
     })`,
  )
  assert.equal(status, 0)
  assert.match(stdout, /✖ outer › wavering/)
  assert.match(stdout, /\nUnstable, .*\n {2}.*sample\.test\.ts: outer › wavering\n$/)
})

test('a run that is aborted names the files that were running, and fails', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-runner-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, 'sample.test.ts')
  writeFileSync(
    file,
    `import { test } from 'node:test'\ntest('ends', () => {})\nsetInterval(() => {}, 1000)\nprocess.stdout.write('begun')`,
  )
  const { NODE_TEST_CONTEXT: _, ...env } = process.env
  const runner = spawn(process.execPath, [join(ROOT, 'tools/test.ts'), '--print', file], { cwd: ROOT, env })
  let output = ''
  runner.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text
    if (text.includes('begun')) runner.kill('SIGINT')
  })
  const code = await new Promise((resolved) => void runner.on('close', resolved))
  assert.equal(code, 130)
  assert.match(output, /The run was aborted\. Running: .*sample\.test\.ts\. Not begun: 0 files\./)
  assert.doesNotMatch(output, /✖|AbortError/)
})

test('a run in which nothing ends any more fails, also when what failed in it would pass if it were repeated', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-runner-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const [hanging, wavering] = [join(folder, 'hanging.test.ts'), join(folder, 'wavering.test.ts')]
  writeFileSync(
    hanging,
    `import { test } from 'node:test'\ntest('ends', () => {})\nsetInterval(() => {}, 1000)`,
  )
  writeFileSync(
    wavering,
    `import { test } from 'node:test'
     import { existsSync, writeFileSync } from 'node:fs'
     const mark = import.meta.dirname + '/was-here'
     test('wavering', () => { if (!existsSync(mark)) { writeFileSync(mark, ''); throw new Error('once') } })`,
  )
  const { status, stdout } = runWith([wavering, hanging, '--stalled', '10'])
  assert.equal(status, 1)
  assert.match(stdout, /✖ wavering/)
  assert.match(stdout, /The run was aborted\. Running: .*hanging\.test\.ts\. Not begun: 0 files\./)
  assert.doesNotMatch(stdout, /Unstable/)
})
