import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { test } from 'node:test'
import { createLog } from '@tollgate/runtime/log'
import { freePort, type TestLife, waitUntil } from '@tollgate/testkit'
import { readConfig } from '../config.ts'
import { simulatorAdminKey, simulatorSecret } from '../keys/simulator-keys.ts'
import { createSecrets } from '../platform/secrets.ts'
import { adminKeyFile, ownUrl, startSimulator } from '../programs/simulator.ts'

const secrets = createSecrets(Buffer.alloc(32, 1))
const TIMEOUT_MS = 20_000

function rig(t: TestLife, settings: Record<string, string>) {
  const dataDir = mkdtempSync(join(tmpdir(), 'tollgate-simulator-'))
  const config = readConfig({ TOLLGATE_DATA_DIR: dataDir, ...settings })
  let said = ''
  const destination = new PassThrough().on('data', (chunk: Buffer) => {
    said += chunk.toString('utf8')
  })
  const simulator = startSimulator({ config, secrets, log: createLog({ level: 'info', destination }) })
  t.after(async () => {
    await simulator?.stop()
    rmSync(dataDir, { recursive: true, force: true })
  })
  const mood = async (): Promise<number> => {
    const key = readFileSync(adminKeyFile(config), 'utf8').trim()
    const url = `${ownUrl(config.hosts.SIMULATOR, config.TOLLGATE_SIMULATOR_PORT)}/admin/mood`
    return (await fetch(url, { headers: { authorization: `Bearer ${key}` } })).status
  }
  return { config, simulator, said: () => said, mood }
}

const isGone = async (work: () => Promise<unknown>): Promise<boolean> =>
  work().then(
    () => false,
    () => true,
  )

test('a sandbox gets a bank that its own key opens, and that ends with it', async (t) => {
  const { config, simulator, mood, said } = rig(t, { TOLLGATE_SIMULATOR_PORT: String(await freePort()) })
  assert.equal(await simulator?.untilOpen(), true)
  assert.equal(await mood(), 200)
  assert.equal(statSync(adminKeyFile(config)).mode & 0o777, 0o600)
  await simulator?.stop()
  assert.ok(await isGone(mood))
  assert.equal(said(), '', 'an end that was asked for is no news')
})

test('live has none, and neither has a sandbox whose port for it is 0', (t) => {
  assert.equal(rig(t, { TOLLGATE_SIMULATOR_PORT: '0' }).simulator, undefined)
  const live = rig(t, {
    TOLLGATE_ENVIRONMENT: 'live',
    TOLLGATE_PUBLIC_API_URL: 'https://api.pay.example',
    TOLLGATE_PUBLIC_CHECKOUT_URL: 'https://pay.example',
  })
  assert.equal(live.simulator, undefined)
})

test('a bank that cannot open is said in the log, and opens when its port is free', async (t) => {
  const port = await freePort()
  const other = createServer()
  await new Promise<void>((resolve) => other.listen(port, '127.0.0.1', resolve))
  t.after(() => void other.close())
  const { simulator, said, mood } = rig(t, { TOLLGATE_SIMULATOR_PORT: String(port) })
  assert.equal(await simulator?.untilOpen(), false)
  assert.match(said(), /the bank simulator ended; the gateway goes on/)
  assert.match(said(), new RegExp(`EADDRINUSE.*${port}`))
  await new Promise((resolve) => other.close(resolve))
  await waitUntil(async () => !(await isGone(mood)), { timeoutMs: TIMEOUT_MS, what: 'the bank to open' })
})

test('what the two share differs by purpose, and follows from the master key alone', () => {
  const again = createSecrets(Buffer.alloc(32, 1))
  const other = createSecrets(Buffer.alloc(32, 2))
  assert.deepEqual(simulatorSecret(again), simulatorSecret(secrets))
  assert.notDeepEqual(simulatorSecret(other), simulatorSecret(secrets))
  assert.notEqual(simulatorAdminKey(secrets), simulatorSecret(secrets).toString('hex'))
  assert.notEqual(simulatorAdminKey(other), simulatorAdminKey(secrets))
})

test('servers are reached at an address of this machine, whatever they listen on', () => {
  for (const [host, url] of [
    ['127.0.0.1', 'http://127.0.0.1:8083'],
    ['0.0.0.0', 'http://127.0.0.1:8083'],
    ['::', 'http://[::1]:8083'],
    ['fd00::7', 'http://[fd00::7]:8083'],
    ['10.1.2.3', 'http://10.1.2.3:8083'],
  ] as const)
    assert.equal(ownUrl(host, 8083), url)
})
