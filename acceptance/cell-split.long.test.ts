import assert from 'node:assert/strict'
import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import type { RawResponse } from '@tollgate/sdk'
import { callbackReceiver, copyOfDatabase, runSql, runtimeUrl, testDatabase } from '@tollgate/testkit'
import { CLI, startGateway, type TestGateway, temporaryFolder } from './support/gateway.ts'
import { textAt } from './support/json.ts'
import { ALL_OPERATIONS, addMerchant } from './support/merchant.ts'
import { createPayin, createRequest, newId, payinWithStatus } from './support/payins.ts'
import { type Outcome, runProgram } from './support/process.ts'

// docs/cells.md, "Splitting a cell": merchants end in one cell, and go on in a copy of its database.

const CALL_TIMEOUT_MS = 60_000
const COMMAND_MS_MAX = 60_000

/** One receiver for both cells. While it refuses, callbacks wait for their repeat. */
let doesTake = false
const receiver = await callbackReceiver({ after }, { answer: () => (doesTake ? 200 : 503) })
const callbackUrl = `${receiver.url}/callbacks`
const database = await testDatabase({ after })
const dataDir = temporaryFolder()
const a = await startGateway({ after }, { dataDir, databaseUrl: database.url, settings: ofCell('A') })
const goes = await addMerchant(a, 'GOES')
const stays = await addMerchant(a, 'STAYS')
for (const { code } of [goes, stays]) await a.cli('merchants', 'enable-method', code, 'all')
const [tokenOfGoes, tokenOfStays] = [
  await goes.token(...ALL_OPERATIONS),
  await stays.token(...ALL_OPERATIONS),
]
const [paid, open, paidOfStays, openOfStays] = [newId(), newId(), newId(), newId()]
for (const [token, id, email] of [
  [tokenOfGoes, paid, 'success@sandbox.test'],
  [tokenOfGoes, open, undefined],
  [tokenOfStays, paidOfStays, 'success@sandbox.test'],
  [tokenOfStays, openOfStays, undefined],
] as const)
  await createPayin(a, token, { id, callbackUrl, ...(email !== undefined && { email }) })
await payinWithStatus(a, tokenOfGoes, { id: paid, status: 'SUCCESS' })
await payinWithStatus(a, tokenOfStays, { id: paidOfStays, status: 'SUCCESS' })
await receiver.waitForCount(2, CALL_TIMEOUT_MS)

/** So short a distance between attempts that a callback of before the split is repeated while the test looks. */
function ofCell(letter: string): Readonly<Record<string, string>> {
  return { TOLLGATE_CELL: letter, TOLLGATE_CALLBACK_INTERVAL_SECONDS: '5' }
}

/** `tollgate cells` by who owns the tables of this database. */
function cells(url: string, letter: string, ...parts: readonly string[]): Promise<Outcome> {
  const settings = {
    TOLLGATE_DATA_DIR: dataDir,
    TOLLGATE_DATABASE_URL: runtimeUrl(url),
    TOLLGATE_MIGRATE_DATABASE_URL: url,
    TOLLGATE_CELL: letter,
  }
  return runProgram([CLI, 'cells', ...parts], settings, COMMAND_MS_MAX)
}

/** A copy as a promoted standby is one: everything up to now, and nobody connected. */
async function copyOfA(): Promise<string> {
  await a.stop()
  const { url } = await copyOfDatabase({ after }, database)
  await a.start()
  return url
}

function startC(url: string): Promise<TestGateway> {
  const folder = temporaryFolder()
  for (const each of ['master.key', 'demo'])
    cpSync(join(dataDir, each), join(folder, each), { recursive: true })
  return startGateway({ after }, { dataDir: folder, databaseUrl: url, isCopy: true, settings: ofCell('C') })
}

const read = (gateway: TestGateway, token: string, id: string): Promise<RawResponse> =>
  gateway.send({ method: 'GET', path: `/payins/${id}`, token })

test('what cannot be split is refused, and says why', async () => {
  const release = (...parts: readonly string[]): Promise<Outcome> =>
    cells(database.url, 'A', 'release', ...parts)
  const cases = [
    [await release('C'), 2, /Name the merchants that go/],
    [await release('O', '--merchant', 'GOES'), 2, /one capital letter other than I, L, O and U/],
    [await release('A', '--merchant', 'GOES'), 2, /This is cell A already/],
    [await release('C', '--merchant', 'GOES', '--merchant', 'NOBODY'), 4, /no merchants NOBODY/],
    [await cells(database.url, 'A', 'open'), 5, /No merchants were released to cell A/],
  ] as const
  for (const [{ code, stderr }, wanted, words] of cases) {
    assert.equal(code, wanted, stderr)
    assert.match(stderr, words)
  }
  const owner = await runProgram([CLI, 'cells', 'release', 'C', '--merchant', 'GOES'], {
    TOLLGATE_DATA_DIR: dataDir,
    TOLLGATE_DATABASE_URL: runtimeUrl(database.url),
    TOLLGATE_CELL: 'A',
  })
  assert.match(owner.stderr, /does not own the tables. Set TOLLGATE_MIGRATE_DATABASE_URL/)
  const dry = await release('C', '--merchant', 'GOES', '--dry-run')
  assert.match(dry.stdout, /1 merchant could go to cell C. Nothing was changed/)
  assert.equal((await a.send(createRequest(tokenOfGoes, newId()))).status, 201)
})

test('D67 released, a merchant is served nowhere; in the copy it goes on where it was, and the others stay', async () => {
  const tooEarly = await copyOfA()
  const released = await cells(database.url, 'A', 'release', 'C', '--merchant', 'GOES')
  assert.equal(released.code, 0, released.stderr)
  assert.match(released.stdout, /1 merchant ended here/)
  await refusesGoes()
  assert.equal((await a.send(createRequest(tokenOfStays, newId()))).status, 201)

  const without = await cells(tooEarly, 'C', 'open')
  assert.match(without.stderr, /an older one than `tollgate cells release`/)
  assert.match((await cells(database.url, 'C', 'open')).stderr, /Processes of a gateway are connected/)
  const url = await copyOfA()
  const opened = await cells(url, 'C', 'open')
  assert.equal(opened.code, 0, opened.stderr)
  assert.match(opened.stdout, /This is cell C now, with 1 merchant of cell A/)

  doesTake = true
  const c = await startC(url)
  await goesOnIn(c)
  await refusesGoes()
  await leavesTheOthers(c)
  for (const gateway of [a, c]) {
    const { code, stdout } = await gateway.tryCli(['ledger', 'check'], COMMAND_MS_MAX)
    assert.equal(code, 0, stdout)
  }
})

/** Also after a process of the cell was told nothing, and has the merchant in memory as it was. */
async function refusesGoes(): Promise<void> {
  const refused = await a.send(createRequest(tokenOfGoes, newId()))
  assert.equal(refused.status, 500, refused.text)
  assert.match(textAt(refused.body, 'message'), /has moved to cell C|is in cell C/)
  assert.ok(Number(refused.headers.get('retry-after')) > 0)
  await assert.rejects(
    runSql(database.url, `update payments set timeline_count = timeline_count where id_payment = $1`, [open]),
    /The merchant GOES is in cell C/,
  )
}

async function goesOnIn(c: TestGateway): Promise<void> {
  // The token of before, and the answers of before.
  assert.equal(textAt((await read(c, tokenOfGoes, paid)).body, 'process', 'status'), 'SUCCESS')
  assert.equal((await c.send(createRequest(tokenOfGoes, open))).status, 409)
  assert.equal((await c.send(createRequest(tokenOfGoes, newId()))).status, 201)
  // What was due goes on: the callback that was not taken, and the payin that was open.
  await c.cli('trigger', 'payin', 'paid', open, '--merchant', 'GOES')
  await payinWithStatus(c, tokenOfGoes, { id: open, status: 'SUCCESS' })
  await untilTold(paid)
  await untilTold(open)
}

async function untilTold(id: string): Promise<void> {
  const isOf = (body: string): boolean => body === JSON.stringify({ idEntity: id })
  for (let count = 1; ; count += 1) {
    const requests = await receiver.waitForCount(count, CALL_TIMEOUT_MS)
    if (requests.some(({ body }) => isOf(body))) return
  }
}

/** In the new cell they are history: nobody is told of them from there, and nothing changes. */
async function leavesTheOthers(c: TestGateway): Promise<void> {
  const refused = await c.send(createRequest(tokenOfStays, newId()))
  assert.equal(refused.status, 500, refused.text)
  const triggered = await c.tryCli(
    ['trigger', 'payin', 'paid', openOfStays, '--merchant', 'STAYS'],
    COMMAND_MS_MAX,
  )
  assert.notEqual(triggered.code, 0)
  assert.match(triggered.stderr, /The merchant STAYS is in cell A. Do it there/)
  await a.cli('trigger', 'payin', 'paid', openOfStays, '--merchant', 'STAYS')
  await payinWithStatus(a, tokenOfStays, { id: openOfStays, status: 'SUCCESS' })
}

test('D67 each step may be repeated, and no database is started as another cell', async () => {
  const again = await cells(database.url, 'A', 'release', 'C', '--merchant', 'GOES')
  assert.equal(again.code, 0, again.stderr)
  assert.match(again.stdout, /Cell C has 1 merchant of these already/)
  const other = await cells(database.url, 'A', 'release', 'C', '--merchant', 'STAYS')
  assert.equal(other.code, 5)
  assert.match(other.stderr, /choose another letter/)
  const twice = await cells(database.url, 'A', 'release', 'D', '--merchant', 'GOES')
  assert.match(twice.stderr, /The merchant GOES is in cell C already/)
  const enabled = await a.tryCli(['merchants', 'enable', 'GOES'], COMMAND_MS_MAX)
  assert.match(enabled.stderr, /The merchant GOES is in cell C. Do it there/)
})

test('D67 a gateway starts on no database of another cell, and on no copy that was not opened', async () => {
  const serve = (letter: string | undefined): Promise<Outcome> =>
    runProgram([CLI, 'serve'], {
      TOLLGATE_DATA_DIR: dataDir,
      TOLLGATE_DATABASE_URL: runtimeUrl(database.url),
      ...(letter !== undefined && { TOLLGATE_CELL: letter }),
    })
  for (const [letter, words] of [
    ['C', /run `tollgate cells open` first/],
    ['D', /This database is of cell A, and TOLLGATE_CELL is D/],
    [undefined, /This database is of cell A, and TOLLGATE_CELL is not set/],
  ] as const) {
    const { code, stderr } = await serve(letter)
    assert.notEqual(code, 0)
    assert.match(stderr, words)
  }
})
