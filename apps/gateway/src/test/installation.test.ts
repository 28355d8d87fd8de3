import assert from 'node:assert/strict'
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { freePort, type TestLife } from '@tollgate/testkit'
import { ConfigError, readConfig } from '../config.ts'
import { SILENT } from '../platform/test/index.ts'
import {
  findInstallation,
  openInstallation,
  placesOf,
  requireFreePorts,
  type ServerPlace,
} from '../programs/installation.ts'

function folder(t: TestLife): string {
  const made = mkdtempSync(join(tmpdir(), 'tollgate-installation-'))
  t.after(() => rmSync(made, { recursive: true, force: true }))
  return made
}

const isSentence =
  (message: RegExp) =>
  (error: unknown): boolean =>
    error instanceof ConfigError && message.test(error.message)

const at = (name: string, port: number, host = '127.0.0.1'): ServerPlace => ({
  host,
  port,
  hostSetting: `${name}_HOST`,
  portSetting: `${name}_PORT`,
})

test('each server listens where its own setting says, and the others where all do', () => {
  const config = readConfig({
    TOLLGATE_HOST: '10.1.2.3',
    TOLLGATE_OPERATOR_HOST: '127.0.0.1',
    TOLLGATE_METRICS_HOST: '::1',
  })
  assert.deepEqual(config.hosts, {
    API: '10.1.2.3',
    OPERATOR: '127.0.0.1',
    METRICS: '::1',
    CHECKOUT: '10.1.2.3',
    CONSOLE: '10.1.2.3',
    SIMULATOR: '10.1.2.3',
  })
  assert.deepEqual(
    placesOf(config, ['API', 'OPERATOR']).map(({ host, hostSetting }) => [host, hostSetting]),
    [
      ['10.1.2.3', 'TOLLGATE_HOST'],
      ['127.0.0.1', 'TOLLGATE_OPERATOR_HOST'],
    ],
  )
})

test('free ports are fine; one that is taken, or named twice, is told with its setting', async (t) => {
  const free = await freePort()
  await requireFreePorts([at('A', free), at('B', 0), at('C', 0)])
  const holder = createServer().listen(0, '127.0.0.1')
  t.after(() => void holder.close())
  await new Promise((resolve) => holder.once('listening', resolve))
  const address = holder.address()
  assert(typeof address === 'object' && address !== null)
  await assert.rejects(
    requireFreePorts([at('A', free), at('B', address.port)]),
    isSentence(/taken by another program.*B_PORT/),
  )
  await assert.rejects(
    requireFreePorts([at('A', free), at('B', free)]),
    isSentence(/^B_PORT is \d+, like A_PORT/),
  )
  await assert.rejects(
    requireFreePorts([at('A', free, '192.0.2.1')]),
    isSentence(/^A_HOST 192\.0\.2\.1 is not an address/),
  )
})

test('with a database of your own, a master key is all that is made', async (t) => {
  const dataDir = join(folder(t), 'data')
  const config = readConfig({ TOLLGATE_DATA_DIR: dataDir, TOLLGATE_DATABASE_URL: 'postgres://db/tollgate' })
  const installation = await openInstallation(config, SILENT)
  assert.equal(installation.databaseUrl, 'postgres://db/tollgate')
  assert.equal(
    readFileSync(join(dataDir, 'master.key'), 'utf8').trim(),
    installation.masterKeys.current.toString('base64'),
  )
  assert.equal(existsSync(join(dataDir, 'postgres')), false)
  await installation.stop()
  assert.deepEqual((await findInstallation(config))?.masterKeys, installation.masterKeys)
})

test('where nothing runs there is nothing to find', async (t) => {
  assert.equal(await findInstallation(readConfig({ TOLLGATE_DATA_DIR: folder(t) })), undefined)
})

test('a key file or folder that cannot be used is the operator’s to mend: one sentence', async (t) => {
  const dataDir = folder(t)
  const base = { TOLLGATE_DATA_DIR: dataDir, TOLLGATE_DATABASE_URL: 'postgres://db/tollgate' }
  await assert.rejects(
    openInstallation(readConfig({ ...base, TOLLGATE_MASTER_KEY_FILE: join(dataDir, 'none') }), SILENT),
    isSentence(/which does not exist/),
  )
  writeFileSync(join(dataDir, 'master.key'), 'damaged')
  await assert.rejects(openInstallation(readConfig(base), SILENT), isSentence(/32 bytes in base64/))
  chmodSync(join(dataDir, 'master.key'), 0o600)
  await assert.rejects(
    openInstallation(readConfig({ ...base, TOLLGATE_DATA_DIR: join(dataDir, 'master.key', 'x') }), SILENT),
    isSentence(/master\.key/),
  )
})
