import assert from 'node:assert/strict'
import { cpSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import type { RawResponse } from '@tollgate/sdk'
import { callbackReceiver, runSql, runtimeUrl, testDatabase, waitUntil } from '@tollgate/testkit'
import { CLI, startGateway, type TestGateway, temporaryFolder } from './support/gateway.ts'
import { textAt } from './support/json.ts'
import { ALL_OPERATIONS, addMerchant, createMerchant } from './support/merchant.ts'
import { createPayin, createRequest, newId, payinWithStatus } from './support/payins.ts'
import { type Outcome, runProgram } from './support/process.ts'

// docs/cells.md, "Moving a merchant": a merchant ends in one cell, and goes on in another that has payments of its own.

const CALL_TIMEOUT_MS = 60_000
const COMMAND_MS_MAX = 60_000

/** A cell, and where it is. */
interface Cell {
  readonly letter: string
  readonly url: string
  readonly dataDir: string
}

/** One receiver for both cells. While it refuses, callbacks wait for their repeat. */
let doesTake = false
const receiver = await callbackReceiver({ after }, { answer: () => (doesTake ? 200 : 503) })
const callbackUrl = `${receiver.url}/callbacks`
const [cellA, cellB, cellD] = [await newCell('A'), await newCell('B'), await newCell('D')]
const a = await start(cellA)
// The same master key, and the root key of A before anybody uses it.
cpSync(join(cellA.dataDir, 'master.key'), join(cellB.dataDir, 'master.key'))
const urlOf = (cell: Cell): string => {
  const file = join(cellA.dataDir, `${cell.letter}.url`)
  writeFileSync(file, `${cell.url}\n`, { mode: 0o600 })
  return file
}
const joined = await cells(cellB, 'join', '--database-url-file', urlOf(cellA))
const b = await start(cellB)
const goes = await addMerchant(a, 'GOES')
const stays = await addMerchant(a, 'STAYS')
const other = await addMerchant(b, 'OTHER')
await a.cli('merchants', 'enable-method', 'GOES', 'all')
await a.cli('merchants', 'enable-method', 'STAYS', 'all')
await b.cli('merchants', 'enable-method', 'OTHER', 'all')
const tokenOfGoes = await goes.token(...ALL_OPERATIONS)
const tokenOfStays = await stays.token(...ALL_OPERATIONS)
const tokenOfOther = await other.token(...ALL_OPERATIONS)
const [paid, open] = [newId(), newId()]
await createPayin(a, tokenOfGoes, { id: paid, callbackUrl, email: 'success@sandbox.test' })
await createPayin(a, tokenOfGoes, { id: open, callbackUrl })
await createPayin(b, tokenOfOther, { id: newId(), email: 'success@sandbox.test' })
await payinWithStatus(a, tokenOfGoes, { id: paid, status: 'SUCCESS' })
await receiver.waitForCount(1, CALL_TIMEOUT_MS)

async function newCell(letter: string): Promise<Cell> {
  return { letter, url: (await testDatabase({ after })).url, dataDir: temporaryFolder() }
}

/** So short a distance between attempts that a callback of before is repeated while the test looks. */
function start({ letter, url, dataDir }: Cell): Promise<TestGateway> {
  const settings = { TOLLGATE_CELL: letter, TOLLGATE_CALLBACK_INTERVAL_SECONDS: '5' }
  return startGateway({ after }, { dataDir, databaseUrl: url, settings })
}

/** `tollgate cells` by who owns the tables of the cell. */
function cells({ letter, url, dataDir }: Cell, ...parts: readonly string[]): Promise<Outcome> {
  const settings = {
    TOLLGATE_DATA_DIR: dataDir,
    TOLLGATE_DATABASE_URL: runtimeUrl(url),
    TOLLGATE_MIGRATE_DATABASE_URL: url,
    TOLLGATE_CELL: letter,
  }
  return runProgram([CLI, 'cells', ...parts], settings, COMMAND_MS_MAX)
}

const move = (from: Cell, code: string, to: Cell, ...parts: readonly string[]): Promise<Outcome> =>
  cells(from, 'move', code, '--to', to.letter, '--database-url-file', urlOf(to), ...parts)

const read = (gateway: TestGateway, token: string, id: string): Promise<RawResponse> =>
  gateway.send({ method: 'GET', path: `/payins/${id}`, token })

test('a cell joins another before its first start, and once', async () => {
  assert.equal(joined.code, 0, joined.stderr)
  assert.match(joined.stdout, /Cell B has joined: merchants can move between it and the cell of/)
  const again = await cells(cellB, 'join', '--database-url-file', urlOf(cellA))
  assert.match(again.stdout, /Cell B has joined already. Nothing was changed/)
  const itself = await cells(cellA, 'join', '--database-url-file', urlOf(cellA))
  assert.equal(itself.code, 2)
  assert.match(itself.stderr, /is that of cell A itself/)
  const used = await cells({ ...cellA, letter: 'E' }, 'join', '--database-url-file', urlOf(cellB))
  assert.match(used.stderr, /This database is of cell A, not E/)
})

test('D83 what cannot move is refused, and says why', async () => {
  await runSql(cellD.url, `insert into cell_letter (letter) values ('D')`)
  const cases = [
    [await cells(cellA, 'move', 'GOES', '--to', 'B'), 2, /--database-url-file/],
    [await move(cellA, 'GOES', { ...cellB, letter: 'O' }), 2, /one capital letter other than I, L, O and U/],
    [await move(cellA, 'GOES', cellA), 2, /This is cell A already/],
    [await move(cellA, 'NOBODY', cellB), 4, /There is no merchant NOBODY in this cell/],
    [await move(cellA, 'GOES', { ...cellB, letter: 'C' }), 5, /given for cell C is that of cell B/],
    [await move(cellA, 'GOES', cellD), 5, /different root keys/],
    [await move(cellA, 'GOES', cellB, '--dry-run', '--back'), 2, /use --dry-run or --back/],
  ] as const
  for (const [{ code, stderr }, wanted, words] of cases) {
    assert.match(stderr, words)
    assert.equal(code, wanted, stderr)
  }
  const owner = await runProgram(
    [CLI, 'cells', 'move', 'GOES', '--to', 'B', '--database-url-file', urlOf(cellB)],
    { TOLLGATE_DATA_DIR: cellA.dataDir, TOLLGATE_DATABASE_URL: runtimeUrl(cellA.url), TOLLGATE_CELL: 'A' },
  )
  assert.match(owner.stderr, /does not own the tables/)
  const back = await move(cellA, 'GOES', cellB, '--back')
  assert.match(back.stdout, /GOES is in cell A. Nothing was changed/)
  const dry = await move(cellA, 'GOES', cellB, '--dry-run')
  assert.match(dry.stdout, /GOES could move to cell B, with 2 payments. Nothing was changed/)
  assert.equal((await a.send(createRequest(tokenOfGoes, newId()))).status, 201)
})

test('D82 a merchant goes on in a cell that has payments of its own, and comes home', async () => {
  const moved = await move(cellA, 'GOES', cellB)
  assert.equal(moved.code, 0, moved.stderr)
  assert.match(moved.stdout, /GOES is in cell B now, with \d+ rows and 1 bookings, all compared/)
  const headIn = (said: string): string | undefined =>
    /journal has all of its bookings at (\d+:[0-9a-f]{64})/.exec(said)?.[1]
  let head = headIn(moved.stderr)
  // Transactions of other tests may hold the journal back: then it says so, and notes the head when it is repeated.
  await waitUntil(
    async () => {
      const { stdout, stderr } = await move(cellA, 'GOES', cellB)
      assert.match(stdout, /is in cell B already. Nothing was changed/)
      head ??= headIn(stderr)
      return head !== undefined
    },
    { timeoutMs: CALL_TIMEOUT_MS, what: 'the head of the journal to be noted' },
  )
  const proof = await a.tryCli(['ledger', 'check', '--head', String(head)], COMMAND_MS_MAX)
  assert.equal(proof.code, 0, proof.stdout)
  assert.match((await move(cellA, 'GOES', cellB, '--back')).stderr, /has arrived in cell B/)
  await isRefusedBy(a, tokenOfGoes, 'B')
  // A token says which cell signed it: the merchant asks for another, with the key or secret that it has.
  assert.equal((await read(b, tokenOfGoes, paid)).status, 401)
  const there = await createMerchant(b, goes).token(...ALL_OPERATIONS)
  doesTake = true
  assert.equal(textAt((await read(b, there, paid)).body, 'process', 'status'), 'SUCCESS')
  assert.equal((await b.send(createRequest(there, open))).status, 409)
  assert.equal((await b.send(createRequest(there, newId()))).status, 201)
  await b.cli('trigger', 'payin', 'paid', open, '--merchant', 'GOES')
  await payinWithStatus(b, there, { id: open, status: 'SUCCESS' })
  await untilTold(paid)
  await untilTold(open)
  assert.equal((await a.send(createRequest(tokenOfStays, newId()))).status, 201)
  assert.equal((await b.send(createRequest(tokenOfOther, newId()))).status, 201)
  await booksAreRight()

  const home = await move(cellB, 'GOES', cellA)
  assert.equal(home.code, 0, home.stderr)
  await isRefusedBy(b, there, 'A')
  assert.equal(textAt((await read(a, tokenOfGoes, open)).body, 'process', 'status'), 'SUCCESS')
  assert.equal((await a.send(createRequest(tokenOfGoes, newId()))).status, 201)
  await booksAreRight()
})

async function isRefusedBy(gateway: TestGateway, token: string, cell: string): Promise<void> {
  const refused = await gateway.send(createRequest(token, newId()))
  assert.equal(refused.status, 500, refused.text)
  assert.match(textAt(refused.body, 'message'), new RegExp(`has moved to cell ${cell}|is in cell ${cell}`))
  assert.ok(Number(refused.headers.get('retry-after')) > 0)
}

async function untilTold(id: string): Promise<void> {
  const isOf = (body: string): boolean => body === JSON.stringify({ idEntity: id })
  for (let count = 1; ; count += 1) {
    const requests = await receiver.waitForCount(count, CALL_TIMEOUT_MS)
    if (requests.some(({ body }) => isOf(body))) return
  }
}

async function booksAreRight(): Promise<void> {
  for (const gateway of [a, b]) {
    const { code, stdout } = await gateway.tryCli(['ledger', 'check'], COMMAND_MS_MAX)
    assert.equal(code, 0, stdout)
  }
}
