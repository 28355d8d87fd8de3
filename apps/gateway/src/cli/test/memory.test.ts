import assert from 'node:assert/strict'
import { test } from 'node:test'
import { run } from './support.ts'

const SHOW = '--import=data:text/javascript,console.log(JSON.stringify(process.execArgv))'

/** The flags of Node with which the command runs in the end. */
async function flagsOf(command: string, options: string): Promise<unknown> {
  const { stdout, stderr, exitCode } = await run([command, '--help'], {
    NODE_OPTIONS: `${SHOW} ${options}`,
  })
  assert.deepEqual([exitCode, stderr], [0, ''])
  return JSON.parse(stdout.split('\n').findLast((line) => line.startsWith('[')) ?? '')
}

test('serve and worker keep their memory small by themselves; flags that were chosen stay', async () => {
  const small = ['--max-semi-space-size=16', '--heap-growing-percent=30']
  assert.deepEqual(await flagsOf('serve', ''), small)
  assert.deepEqual(await flagsOf('worker', ''), small)
  assert.deepEqual(await flagsOf('worker', '--max-semi-space-size=64'), ['--heap-growing-percent=30'])
  assert.deepEqual(await flagsOf('doctor', ''), [])
})
