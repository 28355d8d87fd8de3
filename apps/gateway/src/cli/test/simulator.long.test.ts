import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { freePort } from '@tollgate/testkit'
import { expectFailure, expectRefusal, run, runJson, startGateway, temporaryFolder } from './support.ts'

const UNKNOWN = 'NOBODYKNOWS1'

test('the bank simulator by the command line: moods, lists, choices', async (t) => {
  const environment = await startGateway(t, { TOLLGATE_SIMULATOR_PORT: String(await freePort()) })
  const simulator = (...args: string[]): Promise<unknown> => runJson(['simulator', ...args], environment)

  await t.test('moods are set, and the one in force is said', async () => {
    const slow = await simulator('mood', 'slow', '--delay-ms', '10')
    assert.deepEqual(slow, { mood: 'SLOW', delayMs: 10 })
    const set = await simulator('mood', 'LESS', '--every', '3', '--auto-ms', '5')
    assert.deepEqual(set, { mood: 'LESS', every: 3, autoMs: 5 })
    assert.deepEqual(await simulator('mood'), set)
    const text = (await run(['simulator', 'mood'], environment)).stdout
    assert.match(text, /Mood +LESS\nEvery +3\nCustomers pay after +5 ms/)
    assert.deepEqual(await simulator('mood', 'NEVER', '--payment', UNKNOWN), { mood: 'NEVER' })
    assert.deepEqual(await simulator('mood', 'normal'), { mood: 'NORMAL' })
  })

  await t.test('a bank that nobody has used has nothing to list', async () => {
    assert.deepEqual(await simulator('list', '--limit', '5'), [])
    assert.deepEqual(await simulator('log'), [])
    assert.match((await run(['simulator', 'log'], environment)).stdout, /No money has moved/)
  })

  await t.test('what the bank does not know, it says', async () => {
    for (const choice of ['approve', 'decline', 'bounce'])
      await expectFailure(['simulator', choice, UNKNOWN], environment, { exitCode: 4, says: /does not know/ })
    const one = ['simulator', 'mood', 'SLOW', '--payment', UNKNOWN]
    await expectFailure([...one, '--every', '2'], environment, { exitCode: 2, says: /not both/ })
  })

  await t.test('the banner names its address, and its files are its owner’s alone', async () => {
    const folder = join(environment['TOLLGATE_DATA_DIR'] ?? '', 'simulator')
    assert.match(readFileSync(join(folder, 'admin.key'), 'utf8'), /^[0-9a-f]{64}\n$/)
    assert.match(readFileSync(join(folder, 'bank.jsonl'), 'utf8'), /"type":"MOOD"/)
    assert.match(readFileSync(join(folder, 'simulator.log'), 'utf8'), /the bank simulator is open/)
  })
})

/** As the simulator's own source has them: there is nothing else that says the same to both. */
function moods(): readonly string[] {
  const file = fileURLToPath(new URL('../../../../bank-simulator/src/moods.ts', import.meta.url))
  const [, list = ''] = /MOOD_NAMES = \[(.*?)\] as const/s.exec(readFileSync(file, 'utf8')) ?? []
  const names = [...list.matchAll(/'([A-Z_]+)'/g)].map(([, name = '']) => name)
  assert.ok(names.length >= 12)
  return names
}

test('what is typed wrong gets one sentence', async (t) => {
  const environment = { TOLLGATE_DATA_DIR: temporaryFolder(t) }
  await expectRefusal(['simulator', 'mood', 'happy'], environment, {
    exitCode: 2,
    says: new RegExp(`^The mood must be one of ${moods().join(', ')}; it is "happy"\\.$`),
  })
  await expectRefusal(['simulator', 'mood', '--every', '2'], environment, {
    exitCode: 2,
    says: /Name a mood/,
  })
  await expectRefusal(['simulator', 'approve', '../x'], environment, { exitCode: 2, says: /reference/ })
  await expectRefusal(['simulator', 'list'], environment, { exitCode: 8, says: /npm start/ })
})
