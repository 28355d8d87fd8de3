import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { createGateway, type RawRequest, type RawResponse } from '@tollgate/sdk'
import { freePort, runSql, waitUntil } from '@tollgate/testkit'
import { type Customer, newCustomer } from './support/customer.ts'
import { startGateway, type TestGateway, temporaryFolder } from './support/gateway.ts'
import { at, listAt, textAt } from './support/json.ts'
import { ALL_OPERATIONS, addMerchant, createMerchant, type Merchant } from './support/merchant.ts'
import { createPayin, createRequest, newId, payinWithStatus } from './support/payins.ts'
import { type Outcome, runProgram } from './support/process.ts'
import { linkFor } from './support/shop.ts'

// docs/cells.md: two whole installations behind one HAProxy, as deploy/cells has it, and the commands that look after both.

const CLI = 'apps/gateway/bin/tollgate.mjs'
const HAPROXY = '/usr/sbin/haproxy'
const SAMPLE = new URL('../deploy/cells/haproxy.cfg', import.meta.url)
const START_TIMEOUT_MS = 20_000
const HOUR_MS = 3_600_000

const folder = temporaryFolder()
const map = join(folder, 'cells.map')
const [a, b] = await Promise.all([startCell('A'), startCell('B')])
const shopA = await addMerchant(a, 'SHOPA')
const shopB = await addMerchant(b, 'SHOPB')
await a.cli('merchants', 'enable-method', 'SHOPA', 'all')
await b.cli('merchants', 'enable-method', 'SHOPB', 'all')

function startCell(letter: string): Promise<TestGateway> {
  const settings = { TOLLGATE_CELL: letter }
  return startGateway({ after }, { checkout: true, simulator: true, settings })
}

/** Somebody who looks after the cells. Every role, since the commands ask for much. */
async function cells(...parts: readonly string[]): Promise<Outcome> {
  const settings = { TOLLGATE_CELLS_FILE: join(folder, 'cells.json'), TOLLGATE_DATA_DIR: folder }
  return runProgram([CLI, 'cells', ...parts], settings)
}

async function addCell(letter: string, gateway: TestGateway): Promise<Outcome> {
  const { stdout } = await gateway.cli('operators', 'create', `cells-${letter.toLowerCase()}`, ...ROLES)
  const file = join(folder, `${letter}.key`)
  writeFileSync(file, stdout)
  return cells('add', letter, '--operator-url', gateway.operatorUrl, '--operator-key-file', file)
}

const ROLES = ['--role', 'ADMIN', '--role', 'CATALOGUE', '--role', 'FINANCE']

before(async () => {
  assert.deepEqual(await addCell('A', a).then(({ code }) => code), 0)
  assert.deepEqual(await addCell('B', b).then(({ code }) => code), 0)
})

test('a cell is added once, and only if it says that it is the one', async () => {
  const again = await cells('add', 'A', '--operator-url', 'http://127.0.0.1:9', '--operator-key-file', 'x')
  assert.equal(again.code, 5)
  assert.match(again.stderr, /There is a cell with the cell A already/)
  const wrong = await cells(
    'add',
    'C',
    '--operator-url',
    b.operatorUrl.replace('127.0.0.1', 'localhost'),
    '--operator-key-file',
    join(folder, 'B.key'),
  )
  assert.equal(wrong.code, 5)
  assert.match(wrong.stderr, /is not cell C: it is cell B/)
  const { code, stderr } = await cells(
    'add',
    'O',
    '--operator-url',
    'http://127.0.0.1:9',
    '--operator-key-file',
    'x',
  )
  assert.equal(code, 2)
  assert.match(stderr, /one capital letter other than I, L, O and U/)
})

test('a token of one cell opens nothing in another, though both have such a merchant', async () => {
  const token = await a.demo().token(...ALL_OPERATIONS)
  assert.equal((await a.send(createRequest(token, newId()))).status, 201)
  const refused = await b.send(createRequest(token, newId()))
  assert.equal(refused.status, 401, refused.text)
})

test('a merchant that two cells have is in no map until one of them has disabled it', async () => {
  const refused = await cells('route', map)
  assert.equal(refused.code, 5)
  assert.match(refused.stderr, /DEMO: A, B/)
  assert.equal(existsSync(map), false)
  await b.cli('merchants', 'disable', 'DEMO')
  const { code, stderr } = await cells('route', map)
  assert.equal(code, 0, stderr)
  assert.equal(readFileSync(map, 'utf8'), 'DEMO A\nSHOPA A\nSHOPB B\n')
  assert.match((await cells('route', map)).stderr, /is as it should be: 3 merchants/)
  assert.match((await cells('find', 'SHOPB')).stdout, /^B /)
  assert.equal((await cells('find', 'NOBODY')).code, 4)
})

test('what differs is named, and a command for all makes it the same', async () => {
  const same = await cells('check')
  assert.deepEqual([same.code, same.stdout.split('\n').length > 1], [1, true])
  // The sandbox gives each installation its own operators' keys, but the operators of cells are each in one alone.
  assert.match(same.stdout, /operators cells-a +A \| not in B/)
  for (const [gateway, other] of [
    [a, 'cells-b'],
    [b, 'cells-a'],
  ] as const)
    await gateway.cli('operators', 'create', other, ...ROLES)
  const { code, stderr } = await cells('check')
  assert.equal(code, 0, stderr)
  assert.match(stderr, /2 cells have the same/)
  const file = join(folder, 'catalogue.yaml')
  const { stdout } = await a.cli('catalogue', 'export')
  writeFileSync(file, stdout.replace(/name: Euro\b/, 'name: Euros'))
  await b.cli('catalogue', 'apply', file)
  const differing = await cells('check')
  assert.equal(differing.code, 1)
  assert.match(differing.stdout, /currencies EUR +A \| B/)
  const published = await cells('publish', 'catalogue', 'apply', file)
  assert.equal(published.code, 0, published.stderr)
  assert.match(published.stderr, /Cell A:[\s\S]*1 item changed[\s\S]*Cell B:[\s\S]*Nothing to change/)
  assert.equal((await cells('check')).code, 0)
  const wrong = await cells('publish', 'catalogue', 'apply', join(folder, 'none.yaml'))
  assert.equal(wrong.code, 2)
  assert.match(wrong.stderr, /Not done in cell A \(exit code 2\), not tried in B/)
  const dry = await cells('publish', 'catalogue', 'apply', file, '--dry-run', '--json')
  assert.equal(dry.code, 0, dry.stderr)
  const told: unknown = JSON.parse(dry.stdout)
  assert.deepEqual(
    [0, 1].map((index) => [at(told, 'data', index, 'cell'), at(told, 'data', index, 'answer', 'isDryRun')]),
    [
      ['A', true],
      ['B', true],
    ],
  )
})

const FROM = ['--created-from', new Date(Date.now() - HOUR_MS).toISOString()] as const
const idsOf = (page: unknown): readonly string[] =>
  listAt(page, 'data').map((found) => `${textAt(found, 'cell')} ${textAt(found, 'idPayment')}`)

/** The pages from here on; the first may be one with cells away. */
async function paymentsFrom(cursor: string | undefined): Promise<readonly string[]> {
  const ids: string[] = []
  let next = cursor
  do {
    const more = next === undefined ? [] : ['--cursor', next]
    const { code, stdout, stderr } = await cells('payments', ...FROM, '--limit', '2', '--json', ...more)
    assert.equal(code, 0, stderr)
    const page: unknown = JSON.parse(stdout)
    ids.push(...idsOf(page))
    next = at(page, 'nextCursor') === undefined ? undefined : textAt(page, 'nextCursor')
  } while (next !== undefined)
  return ids
}

test('payments of all cells come page by page, each once, also those of a cell that was away for a page', async () => {
  for (const [shop, gateway] of [
    [shopA, a],
    [shopB, b],
    [shopA, a],
    [shopB, b],
    [shopB, b],
  ] as const)
    await createPayin(gateway, await shop.token(...ALL_OPERATIONS), { id: newId() })
  const stored = async (gateway: TestGateway, letter: string): Promise<readonly string[]> => {
    const { stdout } = await gateway.cli('payments', 'list', ...FROM, '--json')
    return listAt(JSON.parse(stdout), 'data').map((found) => `${letter} ${textAt(found, 'idPayment')}`)
  }
  const all = [...(await stored(a, 'A')), ...(await stored(b, 'B'))].toSorted()
  assert.deepEqual((await paymentsFrom(undefined)).toSorted(), all)
  const { stdout } = await cells('payments', ...FROM)
  const times = [...stdout.matchAll(/^[AB] +(\S+ \S+) UTC/gm)].map(([, time]) => time ?? '')
  assert.equal(times.length, all.length, stdout)
  assert.deepEqual(times, times.toSorted().toReversed())

  // Only cell B knows the merchant; none knows the other.
  const ofB = await cells('payments', ...FROM, '--merchant', 'SHOPB', '--json')
  assert.equal(ofB.code, 0, ofB.stderr)
  assert.deepEqual(
    idsOf(JSON.parse(ofB.stdout)).toSorted(),
    all.filter((each) => each.startsWith('B')),
  )
  const unknown = await cells('payments', ...FROM, '--merchant', 'NOBODY')
  assert.equal(unknown.code, 4)
  assert.match(unknown.stderr, /No cell knows this merchant[\s\S]*Cell A: [\s\S]*Cell B: /)
  assert.match((await cells('payments')).stderr, /Cell [AB]: .*idPayment/)
  assert.equal((await cells('payments', ...FROM, '--cursor', 'x')).code, 2)

  await b.kill()
  const without = await cells('payments', ...FROM, '--limit', '2', '--json')
  assert.equal(without.code, 1)
  assert.match(without.stderr, /Cell B is away, and its payments are missing here/)
  const page: unknown = JSON.parse(without.stdout)
  assert.deepEqual(
    listAt(page, 'away').map((each) => textAt(each, 'cell')),
    ['B'],
  )
  await b.start()
  const later = await paymentsFrom(textAt(page, 'nextCursor'))
  assert.deepEqual([...idsOf(page), ...later].toSorted(), all)
})

test('what waits for people is listed with its cell', async () => {
  const id = newId()
  await createPayin(b, await shopB.token(...ALL_OPERATIONS), { id })
  await b.cli('trigger', 'payin', 'partial', id, '--merchant', 'SHOPB')
  const { code, stdout, stderr } = await cells('waiting')
  assert.equal(code, 0, stderr)
  assert.match(stdout, new RegExp(`^B +REVIEWS +1 .*${b.operatorUrl}$`, 'm'))
  assert.doesNotMatch(stdout, /^A +REVIEWS/m)
})

test('a journal that was rewritten, or is not there, is seen by the heads that were kept', async () => {
  const id = newId()
  const token = await shopB.token(...ALL_OPERATIONS)
  await createPayin(b, token, { id, email: 'success@sandbox.test' })
  await payinWithStatus(b, token, { id, status: 'SUCCESS' })
  const headOfB = async (): Promise<number> =>
    Number(at(JSON.parse((await b.cli('ledger', 'head', '--json')).stdout), 'entryNo'))
  await waitUntil(async () => (await headOfB()) > 0, {
    timeoutMs: START_TIMEOUT_MS,
    what: 'an entry of the journal',
  })
  const file = join(folder, 'heads.jsonl')
  const kept = await cells('heads', 'keep', file)
  assert.equal(kept.code, 0, kept.stderr)
  assert.match(kept.stdout, /^1:[0-9a-f]{64}$/m)
  const head = kept.stdout.trim()
  assert.equal((await cells('heads', 'keep', file)).code, 0)
  const check = (...parts: readonly string[]): Promise<Outcome> => cells('heads', 'check', file, ...parts)
  const well = await check('--head', head)
  assert.equal(well.code, 0, well.stderr)
  assert.match(well.stdout, /^B +1 .* has every head that was kept$/m)
  assert.match((await check('--head', head.replace(':', ':0').slice(0, -1))).stderr, /the file was rewritten/)
  assert.equal((await check('--head', 'x')).code, 2)

  const entryNo = await headOfB()
  await runSql(
    b.databaseUrl ?? '',
    `set session_replication_role = replica;
      update ledger_journal set chain_hash = sha256(chain_hash) where entry_no = ${entryNo}`,
  )
  const rewritten = await check()
  assert.equal(rewritten.code, 1)
  assert.match(
    rewritten.stdout,
    new RegExp(`^B .* rewritten since \\S+ \\S+ UTC: entry ${entryNo} has changed$`, 'm'),
  )
  assert.match(rewritten.stdout, /^A .* has every head that was kept$/m)
  const behind = await cells('heads', 'keep', file)
  assert.equal(behind.code, 1)
  assert.match(behind.stderr, /Cell B no longer has the head that was kept before/)

  await b.kill()
  const away = await cells('heads', 'keep', file)
  assert.equal(away.code, 1)
  assert.match(away.stderr, /Cell B is away: .* Its last kept head stands/)
  assert.match((await check()).stdout, /^B .* away: /m)
  await b.start()
  writeFileSync(file, readFileSync(file, 'utf8').replace('"away":["B"]', '"away":[]'))
  const changed = await check()
  assert.equal(changed.code, 1)
  assert.match(changed.stderr, /Line 4 of \S+ was changed/)
})

/** HAProxy by the sample of deploy/, at addresses of this machine; its port. */
async function startRouter(): Promise<number> {
  const port = await freePort()
  const servers = { a1: a.url, b1: b.url }
  const pages = { a1: a.checkoutUrl, b1: b.checkoutUrl }
  const hostOf = (url: string | undefined): string =>
    new URL(url ?? '').host.replace('localhost', '127.0.0.1')
  const text = readFileSync(SAMPLE, 'utf8')
    .replace(/maxconn \d+/, 'maxconn 100')
    .replace(/bind :443 .*/, `bind 127.0.0.1:${port}`)
    .replaceAll('/etc/tollgate/cells.map', map)
    .replace('-i checkout.pay.example', '-i localhost')
    .replace(/^ {2}server [ab]2 .*\n/gm, '')
    .replace(
      /server (a1|b1) \S+:8080/g,
      (_all, name: keyof typeof servers) => `server ${name} ${hostOf(servers[name])}`,
    )
    .replace(
      /server (a1|b1) \S+:8081/g,
      (_all, name: keyof typeof pages) => `server ${name} ${hostOf(pages[name])}`,
    )
  const file = join(folder, 'haproxy.cfg')
  writeFileSync(file, text)
  const router = spawn(HAPROXY, ['-db', '-f', file], { stdio: 'ignore' })
  const ended = once(router, 'exit')
  after(async () => {
    router.kill('SIGTERM')
    await ended
  })
  const isUp = (): Promise<boolean> =>
    fetch(`http://127.0.0.1:${port}/`).then(
      ({ status }) => status === 200,
      () => false,
    )
  await waitUntil(isUp, { timeoutMs: START_TIMEOUT_MS, what: 'the router to lead somewhere' })
  return port
}

/** A merchant as before, who knows the router's address alone. */
function through(port: number, { code, privateKey }: Merchant): Merchant {
  const host = { dataDir: folder, send: sendTo(port), cli: () => Promise.reject(new Error('not here')) }
  return createMerchant(host, { code, privateKey })
}

function sendTo(port: number): (request: RawRequest) => Promise<RawResponse> {
  const options = { merchantCode: 'ANY', timeoutMs: START_TIMEOUT_MS, retries: 0 }
  const wire = createGateway({ baseUrl: `http://127.0.0.1:${port}`, ...options })
  return (request) => wire.request(request)
}

async function referenceIn({ databaseUrl = '' }: TestGateway, idPayin: string): Promise<string> {
  const [row] = await runSql(databaseUrl, 'select reference from payments where id_payment = $1', [idPayin])
  return String(row?.['reference'])
}

const hasRouter = existsSync(HAPROXY)

test('one address for all: the token leads to the cell, and the page stays in it', async (t) => {
  if (!hasRouter) return t.skip('no haproxy here: apt-get install haproxy')
  assert.match(execFileSync(HAPROXY, ['-v'], { encoding: 'utf8' }), /HAProxy version/)
  const port = await startRouter()
  const send = sendTo(port)
  for (const [shop, gateway, letter] of [
    [shopA, a, 'A'],
    [shopB, b, 'B'],
  ] as const) {
    const token = await through(port, shop).token(...ALL_OPERATIONS)
    const id = newId()
    const created = await send(createRequest(token, id))
    assert.equal(created.status, 201, created.text)
    const read = await send({ method: 'GET', path: `/payins/${id}`, token })
    assert.equal(read.status, 200, read.text)
    const reference = await referenceIn(gateway, id)
    assert.equal(reference.charAt(0), letter)
    assert.match((await cells('find', reference)).stdout, new RegExp(`^${letter} `))
    assert.match(pathOf(await visit(gateway, port, shop)), new RegExp(`^/p/${letter}`))
  }
  const unknown = createMerchant({ send }, { code: 'NOBODY', privateKey: shopA.privateKey })
  const refused = await send(unknown.tokenRequest({ operations: [...ALL_OPERATIONS] }))
  assert.equal(refused.status, 401, refused.text)
  await aCellIsAway(port)
})

const pathOf = ({ shown }: Customer): string => shown.path

/** A customer with a link of the shop, who chooses a method and is told how to pay: all of it by the router's address. */
async function visit(gateway: TestGateway, port: number, shop: Merchant): Promise<Customer> {
  const checkoutUrl = `http://localhost:${port}`
  const { url } = await linkFor({ ...gateway, checkoutUrl }, { merchant: through(port, shop) })
  const customer = newCustomer(checkoutUrl)
  await customer.open(url)
  await customer.submit('choose', { methodCode: 'BANK_TRANSFER' })
  await customer.submit('pay', { accountName: 'Jane Doe' })
  assert.equal(customer.heading(), 'Transfer from your bank')
  return customer
}

/** Its merchants keep their lines; those of the other notice nothing. */
async function aCellIsAway(port: number): Promise<void> {
  await b.kill()
  const listed = await cells('list')
  assert.equal(listed.code, 1)
  assert.match(listed.stdout, /^A .*answers/m)
  assert.match(listed.stdout, /^B .*away/m)
  const routed = await cells('route', map)
  assert.equal(routed.code, 1)
  assert.match(routed.stderr, /Cell B is away: its 1 merchants keep their lines/)
  assert.equal(readFileSync(map, 'utf8'), 'DEMO A\nSHOPA A\nSHOPB B\n')
  const send = sendTo(port)
  const token = await through(port, shopA).token(...ALL_OPERATIONS)
  assert.equal((await send(createRequest(token, newId()))).status, 201)
  const away = await send(through(port, shopB).tokenRequest({ operations: [...ALL_OPERATIONS] }))
  assert.equal(away.status, 503)
  await b.start()
  const back = await cells('list', '--json')
  assert.equal(back.code, 0, back.stderr)
  assert.match(String(at(JSON.parse(back.stdout), 'data', 0, 'head')), /^\d+:/)
  await theFirstIsAway(port)
}

/** What has no merchant leads to the cell that its address names, and pages of the other cell load all that they need. */
async function theFirstIsAway(port: number): Promise<void> {
  const nowhere = join(folder, 'nowhere.map')
  // The router looks every two seconds whether a cell is back.
  const leadsToB = async (): Promise<boolean> => {
    const { status } = await sendTo(port)(
      through(port, shopB).tokenRequest({ operations: ['GET /segments'] }),
    )
    const page = await fetch(`http://localhost:${port}/p/Bzzzzzzzzzzzzzzzzzzzzz`)
    return status === 200 && page.status !== 503
  }
  await waitUntil(leadsToB, { timeoutMs: START_TIMEOUT_MS, what: 'the router to lead to cell B again' })
  await a.kill()
  const lost = await cells('route', nowhere)
  assert.equal(lost.code, 8)
  assert.match(lost.stderr, /Cell A is away, and \S+ has no merchant of it/)
  assert.equal(existsSync(nowhere), false)
  const { shown } = await visit(b, port, shopB)
  const paths = [...shown.html.matchAll(/(?:href|src)="(\/assets\/[^"]+)"/g)].map(([, path = '']) => path)
  assert.ok(paths.length >= 2, shown.html)
  for (const path of paths) {
    assert.match(path, /^\/assets\/B-/)
    assert.equal((await fetch(`http://localhost:${port}${path}`)).status, 200)
  }
  const keysOf = async (url: string): Promise<unknown> => (await fetch(`${url}/.well-known/jwks.json`)).json()
  assert.deepEqual(await keysOf(`http://127.0.0.1:${port}/cells/B`), await keysOf(b.url))
  assert.equal((await fetch(`http://localhost:${port}/p/Zzzzzzzzzzzzzzzzzzzzzz`)).status, 503)
}
