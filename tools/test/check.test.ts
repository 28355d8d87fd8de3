import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Check, runChecks } from '../check/run.ts'

const says = (name: string, script: string): Check => ({
  name,
  headline: `the headline of ${name}`,
  command: [process.execPath, '-e', script],
})

async function run(checks: readonly Check[]): Promise<{ failed: string[]; printed: string[] }> {
  const printed: string[] = []
  const failed = await runChecks(checks, {
    root: import.meta.dirname,
    environment: { ...process.env, FROM_OUTSIDE: 'yes' },
    print: (text) => printed.push(text),
  })
  return { failed, printed }
}

test('a check that passes takes one line, with its name and its seconds, and keeps its output to itself', async () => {
  const { failed, printed } = await run([says('types', 'console.log("chatter")')])
  assert.deepEqual(failed, [])
  assert.equal(printed.length, 1)
  assert.match(printed[0] ?? '', /^ok\s+types\s+\d+\.\d s\s+the headline of types$/)
})

test('a check that passes can have a note, which is shown below its line', async () => {
  const { printed } = await run([says('audit', 'console.log("chatter\\nnote: nobody answered")')])
  assert.equal(printed.length, 2)
  assert.equal(printed[1], '     note: nobody answered')
})

test('a check that fails shows what it said on both streams, and the ones after it still run', async () => {
  const { failed, printed } = await run([
    says('tidy', 'console.log("this is wrong"); console.error("and that"); process.exit(3)'),
    says('types', ''),
  ])
  assert.deepEqual(failed, ['tidy'])
  assert.match(printed[0] ?? '', /^FAIL tidy/)
  assert.match(printed[1] ?? '', /this is wrong/)
  assert.match(printed[1] ?? '', /and that/)
  assert.match(printed[2] ?? '', /^ok\s+types/)
})

test('a command that is not there is a failed check, not a crash', async () => {
  const { failed, printed } = await run([
    { name: 'gone', headline: 'gone', command: ['no-such-program-here'] },
  ])
  assert.deepEqual(failed, ['gone'])
  assert.match(printed.join('\n'), /no-such-program-here could not be started/)
})

test('a command ended by a signal has failed', async () => {
  assert.deepEqual((await run([says('killed', 'process.kill(process.pid, "SIGKILL")')])).failed, ['killed'])
})

test('a command runs in the given folder with the given environment', async () => {
  const script = `process.exit(process.env.FROM_OUTSIDE === 'yes' && process.cwd().endsWith('test') ? 0 : 1)`
  assert.deepEqual((await run([says('place', script)])).failed, [])
})
