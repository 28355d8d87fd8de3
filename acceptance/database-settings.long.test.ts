import assert from 'node:assert/strict'
import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import {
  callbackReceiver,
  freePort,
  NO_PGBOUNCER,
  pgbouncer,
  runSql,
  runtimeUrl,
  testDatabase,
  waitUntil,
} from '@tollgate/testkit'
import { databaseDoor } from './support/database-door.ts'
import { expectSuccess } from './support/expectations.ts'
import { CLI, startGateway, temporaryFolder } from './support/gateway.ts'
import { at, textAt } from './support/json.ts'
import { ALL_OPERATIONS } from './support/merchant.ts'
import { createPayin, createRequest, newId, payinWithStatus } from './support/payins.ts'
import { runProgram } from './support/process.ts'

// Databases as others set them up: forms of values, poolers, users, and data directories of an earlier version.

const ISO_MOMENT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}/

/** Everything that a user or a database may change about the form of values and the behaviour of transactions. */
const UNUSUAL = {
  datestyle: 'German, DMY',
  intervalstyle: 'iso_8601',
  timezone: 'Asia/Kolkata',
  bytea_output: 'escape',
  extra_float_digits: '-15',
  standard_conforming_strings: 'off',
  array_nulls: 'off',
  transform_null_equals: 'on',
  default_transaction_isolation: 'serializable',
}

test('a database whose dates, intervals, bytes and transactions take other forms gives the same answers', async (t) => {
  const { url } = await testDatabase(t)
  const database = new URL(url).pathname.slice(1)
  const role = new URL(runtimeUrl(url)).username
  await runSql(
    url,
    Object.entries(UNUSUAL)
      .map(([name, value]) => `alter role ${role} in database ${database} set ${name} = '${value}'`)
      .join('; '),
  )
  const [login] = await runSql(runtimeUrl(url), 'show datestyle')
  assert.deepEqual(login, { DateStyle: UNUSUAL.datestyle })

  const receiver = await callbackReceiver(t)
  const gateway = await startGateway(t, { databaseUrl: url })
  const token = await gateway.demo().token(...ALL_OPERATIONS)
  const id = newId()
  const beganMs = Date.now()
  await createPayin(gateway, token, { id, email: 'success@sandbox.test', callbackUrl: `${receiver.url}/` })
  const paid = await payinWithStatus(gateway, token, { id, status: 'SUCCESS' })
  const createdAt = textAt(paid, 'process', 'createdAt')
  assert.match(createdAt, ISO_MOMENT)
  assert.ok(Math.abs(Date.parse(createdAt) - beganMs) < 60_000, `${createdAt} is not now`)
  await receiver.waitForCount(1, 20_000)
  expectSuccess(await gateway.send({ method: 'GET', path: '/balances', token }), 200)

  assert.match((await gateway.cli('payins', 'show', 'DEMO', id)).stdout, /SUCCESS/)
  const verified: unknown = JSON.parse((await gateway.cli('ledger', 'check', '--json')).stdout)
  assert.equal(at(verified, 'clean'), true)
  assert.match(
    await doctor(gateway.dataDir, url),
    /sessions .*replaces what they begin with: .*datestyle = German, DMY/i,
  )
})

test('behind pgbouncer that keeps sessions the gateway works; its health and its books are right', {
  skip: NO_PGBOUNCER,
}, async (t) => {
  const { url } = await testDatabase(t)
  const pooled = await pgbouncer(t, runtimeUrl(url), 'session')
  const receiver = await callbackReceiver(t)
  const gateway = await startGateway(t, { databaseUrl: pooled })
  const token = await gateway.demo().token(...ALL_OPERATIONS)
  const ids = Array.from({ length: 30 }, newId)
  const wanted = { email: 'success@sandbox.test', callbackUrl: `${receiver.url}/` }
  await Promise.all(ids.map((id) => createPayin(gateway, token, { id, ...wanted })))
  for (const id of ids) await payinWithStatus(gateway, token, { id, status: 'SUCCESS' })
  await receiver.waitForCount(ids.length, 20_000)
  const verified: unknown = JSON.parse((await gateway.cli('ledger', 'check', '--json')).stdout)
  assert.equal(at(verified, 'clean'), true)
  assert.match(await doctor(gateway.dataDir, pooled), /sessions .*sessions of its own/)
})

test('behind pgbouncer that shares sessions nothing starts, and one sentence says why', {
  skip: NO_PGBOUNCER,
}, async (t) => {
  const { url } = await testDatabase(t)
  const dataDir = temporaryFolder()
  t.after(() => rmSync(dataDir, { recursive: true, force: true }))
  const settings = {
    TOLLGATE_DATA_DIR: dataDir,
    TOLLGATE_DATABASE_URL: await pgbouncer(t, runtimeUrl(url), 'transaction'),
    TOLLGATE_SIMULATOR_PORT: '0',
    TOLLGATE_SHOP_PORT: '0',
    TOLLGATE_CONSOLE_PORT: '0',
    TOLLGATE_PUBLIC_SIMULATOR_URL: 'https://simulator.example',
    TOLLGATE_CHECKOUT_PORT: '0',
    TOLLGATE_API_PORT: String(await freePort()),
    TOLLGATE_OPERATOR_PORT: String(await freePort()),
    TOLLGATE_METRICS_PORT: String(await freePort()),
  }
  for (const parts of [['apps/gateway/src/main.ts'], [CLI, 'serve'], [CLI, 'worker'], [CLI, 'migrate']]) {
    const { code, stderr } = await runProgram(parts, settings)
    assert.equal(code, 2, `${parts.join(' ')}: ${stderr}`)
    const [sentence, ...more] = stderr.trim().split('\n')
    assert.match(
      sentence ?? '',
      /^A pooler before the database .* set pool_mode = session for this database, or name PostgreSQL/,
    )
    assert.deepEqual(more, [], parts.join(' '))
  }
  const findings = await doctor(dataDir, settings.TOLLGATE_DATABASE_URL)
  assert.match(findings, /FAIL {2}sessions .*A pooler before the database .*\n +-> Set pool_mode = session/)
})

test('when the database goes, all who wait behind the batch that finds out are refused with it, and none is accepted', async (t) => {
  const { url } = await testDatabase(t)
  const door = await databaseDoor(t, url)
  const metricsPort = String(await freePort())
  const gateway = await startGateway(t, {
    databaseUrl: door.url,
    settings: {
      TOLLGATE_BATCH_ROWS_MAX: '1',
      TOLLGATE_BATCHES_IN_FLIGHT_MAX: '1',
      TOLLGATE_METRICS_PORT: metricsPort,
    },
  })
  const token = await gateway.demo().token(...ALL_OPERATIONS)
  await createPayin(gateway, token, { id: newId() })
  const batches = async (): Promise<number> => {
    const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text()
    return Number(/^tollgate_batch_rows_count\{batch="accept"\} (\d+)$/m.exec(text)?.[1])
  }
  const before = await batches()
  await door.shut()
  const ids = Array.from({ length: 12 }, newId)
  const answers = await Promise.all(ids.map((id) => gateway.send(createRequest(token, id))))
  for (const { status, headers } of answers) {
    assert.equal(status, 500)
    assert.match(headers.get('retry-after') ?? '', /^\d+$/)
  }
  // Each try of a batch counts. Had each waited for its own turn, there would be one patience, with its tries, for each.
  const tries = (await batches()) - before
  assert.ok(tries <= 3, `${tries} batches were tried for ${ids.length} requests`)
  await door.open()
  const isBack = async (): Promise<boolean> =>
    (await gateway.send({ method: 'GET', path: '/readyz' })).status === 200
  await waitUntil(isBack, { timeoutMs: 60_000, what: 'the gateway to be ready again' })
  const stored = await runSql(url, 'select 1 from payments where id_payment = any($1)', [ids])
  assert.deepEqual(stored, [])
  for (const id of ids.slice(0, 2)) await createPayin(gateway, token, { id })
})

test('a data directory of an earlier version, whose gateway was the superuser, is taken over by a start, with all that is in it', async (t) => {
  const gateway = await startGateway(t, { embedded: true })
  const file = (name: string): string => join(gateway.dataDir, name)
  const token = await gateway.demo().token(...ALL_OPERATIONS)
  const [paid, open] = [newId(), newId()]
  await createPayin(gateway, token, { id: paid, email: 'success@sandbox.test' })
  const before = await payinWithStatus(gateway, token, { id: paid, status: 'SUCCESS' })
  await createPayin(gateway, token, { id: open })

  // The server outlives its gateway, and is made what the earlier version had: one user, who may do anything and owns all.
  await gateway.kill()
  const admin = urlIn(file('database-admin.json'))
  await runSql(
    admin,
    `alter database tollgate owner to tollgate; reassign owned by tollgate_owner to tollgate;
    drop owned by tollgate_gateway; drop role tollgate_gateway, tollgate_owner`,
  )
  writeFileSync(file('database.json'), JSON.stringify({ url: admin }))
  rmSync(file('database-admin.json'))

  await gateway.start()
  assert.deepEqual(await readAgain(paid), before)
  assert.equal((await gateway.send({ method: 'GET', path: `/payins/${open}`, token })).status, 200)
  await createPayin(gateway, token, { id: newId() })
  assert.equal(new URL(urlIn(file('database.json'))).username, 'tollgate_gateway')
  for (const name of ['database.json', 'database-admin.json', 'gateway.log'])
    assert.equal(statSync(file(name)).mode & 0o777, 0o600, name)
  assert.match(
    await doctor(gateway.dataDir),
    /database user .*tollgate_gateway may add to the ledger, but not change it/,
  )
  const backup = join(gateway.dataDir, 'backup')
  await gateway.cli('backup', backup)
  assert.match((await gateway.cli('migrate')).stdout, /up to date already/)
  await gateway.cli('ledger', 'check')

  async function readAgain(id: string): Promise<unknown> {
    return (await gateway.send({ method: 'GET', path: `/payins/${id}`, token })).body
  }
})

/** The address that a file of the data directory holds. */
const urlIn = (path: string): string => textAt(JSON.parse(readFileSync(path, 'utf8')), 'url')

/** What doctor says. It ends with 1 where the server of the tests has fsync off. */
async function doctor(dataDir: string, databaseUrl?: string): Promise<string> {
  const settings = {
    TOLLGATE_DATA_DIR: dataDir,
    ...(databaseUrl !== undefined && { TOLLGATE_DATABASE_URL: runtimeUrl(databaseUrl) }),
  }
  return (await runProgram([CLI, 'doctor'], settings)).stdout
}
