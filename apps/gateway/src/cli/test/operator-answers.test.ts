import assert from 'node:assert/strict'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { at, run, temporaryFolder } from './support.ts'

/** An operator API that answers so, what it was asked, and the commands that ask it. */
async function operatorApi(t: TestContext, answer: (url: URL) => unknown) {
  const asked: string[] = []
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://localhost')
    asked.push(`${url.pathname}${url.search}`)
    response.end(JSON.stringify(answer(url)))
  }).listen(0, '127.0.0.1')
  t.after(() => server.close())
  await once(server, 'listening')
  const address = server.address()
  assert.ok(typeof address === 'object' && address !== null)
  const key = join(temporaryFolder(t), 'operator.key')
  writeFileSync(key, 'tgop_any', { mode: 0o600 })
  const flags = ['--url', `http://127.0.0.1:${address.port}`, '--operator-key-file', key]
  return { asked, ask: (...args: readonly string[]) => run([...args, ...flags], {}) }
}

/** Many of everything: each page is full, and there is always a next one. Blocked accounts have no pages. */
function endless({ pathname, searchParams }: URL): unknown {
  const data = Array.from({ length: Number(searchParams.get('limit')) }, () => ITEM)
  const isPaged = pathname !== '/operator/blocked-accounts'
  return { data, ...(isPaged && { nextCursor: 'bmV4dA' }) }
}

const ITEM = {
  idCustomer: 'C-1',
  givenAt: '2026-11-30T10:00:00.000Z',
  givenBy: 'ada',
  step: 'FUND',
  state: 'SENT',
  txHash: '0x01',
  createdAt: '2026-11-30T10:00:00.000Z',
  createdBy: 'ada',
  accountDigest: '0123456789ab',
  merchantCode: 'DEMO',
  kind: 'PAYIN',
  idPayment: 'ORD-1',
  money: { amount: 1, currencyCode: 'EUR' },
  status: 'SUCCESS',
  processorStatus: 'CONFIRMED',
  reference: 'RF80454AJXNQX7A8',
}

test('a period of which fees leave nothing speaks of fees and recalls', async (t) => {
  const period = { merchantCode: 'DEMO', currencyCode: 'EUR', until: '2026-11-30T00:00:00.000Z' }
  const net = { amount: 0, currencyCode: 'EUR' }
  const { ask } = await operatorApi(t, () => ({
    isDry: false,
    cycleCount: 1,
    data: [{ ...period, result: 'NOT_POSITIVE', net }],
  }))
  const { stdout } = await ask('settlements', 'run', '--merchant', 'DEMO')
  assert.match(stdout, /^DEMO +EUR .* carried: nothing is left after fees and recalls +0/m)
})

test('a list that was cut says so on standard error, also beside JSON', async (t) => {
  const { ask } = await operatorApi(t, endless)
  const [text, json, blocked, customers, sweeps] = await Promise.all([
    ask('payments', 'list', '--id', 'ORD-1'),
    ask('payments', 'list', '--id', 'ORD-1', '--limit', '120', '--json'),
    ask('payouts', 'blocked'),
    ask('customers', 'list', 'DEMO'),
    ask('chains', 'sweeps', 'LOCAL'),
  ])
  assert.equal(text.stdout.trimEnd().split('\n').length, 51)
  assert.equal(text.stderr, 'There are more; raise --limit or narrow the search.\n')
  assert.equal(json.stderr, text.stderr)
  assert.equal(at(JSON.parse(json.stdout), 'data', 'length'), 120)
  assert.equal(sweeps.stderr, text.stderr)
  assert.equal(customers.stderr, 'There are more; raise --limit or go on with --after.\n')
  assert.equal(blocked.stderr, 'There may be more; raise --limit or narrow the search.\n')
})

test('a span of time takes plain days, and what is no moment is refused by the name of its flag', async (t) => {
  const { asked, ask } = await operatorApi(t, endless)
  const [, wrong] = await Promise.all([
    ask(
      'payments',
      'list',
      '--created-from',
      '2026-11-30',
      '--created-to',
      '2026-11-30T14:00Z',
      '--limit',
      '1',
    ),
    ask('payments', 'list', '--created-from', '2026-02-30'),
  ])
  assert.deepEqual(asked, [
    '/operator/payments?createdFrom=2026-11-30T00%3A00%3A00.000Z&createdTo=2026-11-30T14%3A00%3A00.000Z&limit=1',
  ])
  assert.equal(wrong.exitCode, 2)
  assert.match(
    wrong.stderr,
    /^--created-from must be a day such as 2026-11-21, or a moment .* it is "2026-02-30"\.$/m,
  )
})

const PAYEE = {
  merchantCode: 'DEMO',
  kind: 'PAYOUT',
  idPayout: 'OUT-1',
  isBlocked: false,
  waitsBecause: [],
  contentHash: '0123456789ab',
  history: { paidCount: 0, returnedCount: 0, openCount: 1, paidMoney: [] },
}
const PAID = {
  openCount: 0,
  paidMoney: [{ amount: 120, currencyCode: 'EUR' }],
  firstPaidAt: '2026-11-28T10:00:00.000Z',
  lastPaidAt: '2026-11-29T10:00:00.000Z',
}

test('a payee is told without empty rows, and payments to it are counted in words', async (t) => {
  const histories = [
    PAYEE.history,
    { ...PAID, paidCount: 1, returnedCount: 0 },
    { ...PAID, paidCount: 3, returnedCount: 1 },
  ]
  const { ask } = await operatorApi(t, ({ pathname }) => {
    const [, number] = /OUT-(\d)/.exec(pathname) ?? []
    return { ...PAYEE, history: histories[Number(number)] }
  })
  const shown = await Promise.all(
    histories.map((_, index) => ask('payouts', 'payee', 'DEMO', `OUT-${index}`)),
  )
  assert.deepEqual(
    shown.map(({ stdout }) => stdout.split('\n').map((line) => line.replace(/ +/, ' '))),
    [
      'never; 1 open',
      '1 payment, 120 EUR, on 2026-11-28 10:00:00 UTC',
      '3 payments, 120 EUR, between 2026-11-28 10:00:00 UTC and 2026-11-29 10:00:00 UTC; 1 sent back',
    ].map((paid) => ['Payout OUT-1 of DEMO', `Paid ${paid}`, 'Content 0123456789ab', '']),
  )
})
