import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { RawResponse } from '@tollgate/sdk'
import { callbackReceiver, testRounds, waitUntil } from '@tollgate/testkit'
import { at } from '../support/json.ts'
import { tollgate } from './support/cli.ts'
import { startGateway } from './support/gateway.ts'
import {
  addMerchant,
  createBody,
  EVERYTHING,
  type Merchant,
  merchantOf,
  verdict,
} from './support/merchant.ts'
import { type Sender, senderAt } from './support/sender.ts'

// Money that leaves, attacked at two processes of one gateway.

/** How often O1 is tried: 20 times, or as often as TOLLGATE_TEST_ROUNDS says. 200 take one to three minutes. */
const ROUNDS = testRounds(20)
/** That many merchants are attacked side by side. */
const LANES = 4
const CONCURRENT = 64
const AFFORDABLE = 10

const CHANGE_MS = 10_000
const BOUNCE_MS = 30_000
const UNKNOWN_MS = 40_000
const TEST_MS = 600_000

const gateway = await startGateway({ after })
const second = await startGateway({ after }, { beside: gateway })

interface Shop {
  readonly merchant: Merchant
  readonly code: string
  readonly token: string
  /** The same merchant at the two processes. */
  readonly here: Sender
  readonly there: Sender
}

async function openShop(code: string): Promise<Shop> {
  const merchant = await addMerchant(gateway, code)
  const token = await merchant.token(EVERYTHING)
  const there = await merchantOf(second, merchant).token(EVERYTHING)
  return { merchant, code, token, here: senderAt(gateway, token), there: senderAt(second, there) }
}

/** Sends all at once, in turn to the two processes. */
const atOnce = (
  { here, there }: Shop,
  count: number,
  send: (sender: Sender, index: number) => Promise<RawResponse>,
): Promise<RawResponse[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => send(index % 2 === 0 ? here : there, index)))

/** How many answers there are of each verdict. */
function tallyOf(answers: readonly RawResponse[]): Readonly<Record<string, number>> {
  const tally: Record<string, number> = {}
  for (const answer of answers) tally[verdict(answer)] = (tally[verdict(answer)] ?? 0) + 1
  return tally
}

const countOf = async (text: string, like: string): Promise<number> =>
  Number((await gateway.sql(`select count(*)::integer as n ${text}`, [like]))[0]?.['n'])

const RAIL_TASKS = `from payment_tasks where task = 'RAIL' and id_payment like $1`

// Under way from the start: the other tests run while these wait.
const bouncing = await openShop('BOUNCING')
await bouncing.here.fund('52.75')
for (let index = 0; index < 5; index += 1)
  assert.equal(
    (await bouncing.here.pay(`o3-back-${index}`, { emailAddress: 'bounce@sandbox.test' })).status,
    201,
  )
const lost = await openShop('LOST')
await lost.here.fund('100.25')
assert.equal((await lost.here.pay('o4-lost', { emailAddress: 'unknown@sandbox.test' })).status, 201)
const { reference: lostReference } = await lost.here.reaches('o4-lost', 'UNKNOWN')
await gateway.sql(`update payments set expire_at = now() where id_payment = 'o4-lost'`)
// Handing it over removed the task that would have ended it: here is one all the same.
await gateway.sql(`insert into payment_tasks (merchant_id, kind, id_payment, task, due_at)
  select merchant_id, kind, id_payment, 'EXPIRE', now() from payments where id_payment = 'o4-lost'
  on conflict (merchant_id, kind, id_payment, task) do update set due_at = now()`)

test(`O1 O2 of ${CONCURRENT} payouts at once against a balance for ${AFFORDABLE} exactly ${AFFORDABLE} are accepted, in ${ROUNDS} rounds, and a repeat of them is never 406`, {
  timeout: TEST_MS,
}, async () => {
  const lanes = await Promise.all(Array.from({ length: LANES }, (_, lane) => openShop(`LANE-${lane}`)))
  let rounds = 0
  await Promise.all(
    lanes.map(async (shop) => {
      while (rounds < ROUNDS) {
        rounds += 1
        await spendTwice(shop, `o1-${rounds}-`)
      }
    }),
  )
  for (const { here, code } of lanes) {
    await waitUntil(async () => (await here.holdings()) === '0 available, 0 reserved', {
      timeoutMs: CHANGE_MS,
      what: `the holds of ${code} to be spent`,
    })
  }
  assert.equal(await countOf('from payments where id_payment like $1', 'o1-%'), rounds * AFFORDABLE)
})

async function spendTwice(shop: Shop, prefix: string): Promise<void> {
  // 10 times 10 EUR with a fee of 0.50 each, and the fee of the top-up.
  await shop.here.fund('105.25')
  const answers = await atOnce(shop, CONCURRENT, (sender, index) => sender.pay(`${prefix}${index}`))
  const expected = { 201: AFFORDABLE, '406 BALANCE_INSUFFICIENT': CONCURRENT - AFFORDABLE }
  assert.deepEqual(tallyOf(answers), expected)
  assert.match(await shop.here.holdings(), /^0 available/)
  const repeats = await atOnce(shop, CONCURRENT, (sender, index) => sender.pay(`${prefix}${index}`))
  for (const [index, { status }] of answers.entries()) {
    const repeat = repeats[index]
    assert(repeat)
    if (status === 201) assert.equal(at(repeat.body, 'duplicate'), 'IDENTICAL', repeat.text)
    else assert.equal(verdict(repeat), '406 BALANCE_INSUFFICIENT')
  }
}

test('O1 of payouts of any size nothing is refused that what was left could have paid', async () => {
  const shop = await openShop('SIZES')
  for (let round = 0; round < 10; round += 1) {
    const before = await availableOf(shop)
    await shop.here.fund('150.25')
    const amounts = Array.from({ length: CONCURRENT }, (_, index) => 1 + ((index * 37 + round * 11) % 60))
    const answers = await atOnce(shop, CONCURRENT, (sender, index) =>
      sender.pay(`o1-size-${round}-${index}`, { amount: String(amounts[index]) }),
    )
    const costs = (amount: number | undefined): number => (amount ?? 0) + 0.5
    const paid = answers.map(({ status }, index) => (status === 201 ? costs(amounts[index]) : 0))
    const left = before + 150 - paid.reduce((sum, cost) => sum + cost, 0)
    assert.equal(await availableOf(shop), left)
    for (const [index, answer] of answers.entries()) {
      if (answer.status === 201) continue
      assert.equal(verdict(answer), '406 BALANCE_INSUFFICIENT')
      assert.ok(costs(amounts[index]) > left, `${amounts[index]} was refused, and ${left} is left`)
    }
  }
})

/** Half euros, which a double holds exactly. */
const availableOf = async ({ here }: Shop): Promise<number> => Number.parseFloat(await here.holdings())

test('O2 a repeat of an accepted payout is 409 when the balance is drained and when its method is gone', async () => {
  const shop = await openShop('DRAINED')
  await shop.here.fund('21.25')
  assert.equal((await shop.here.pay('o2-kept')).status, 201)
  assert.equal((await shop.there.pay('o2-drain')).status, 201)
  assert.equal(verdict(await shop.here.pay('o2-late')), '406 BALANCE_INSUFFICIENT')
  for (const sender of [shop.here, shop.there]) {
    assert.equal(verdict(await sender.pay('o2-kept')), '409 ENTITY_DUPLICATED')
    assert.equal(verdict(await sender.pay('o2-kept', { amount: '9' })), '409 ENTITY_DUPLICATED')
  }
  await tollgate(gateway, 'merchants', 'disable-method', shop.code, 'BANK_TRANSFER', '--direction', 'payout')
  for (const sender of [shop.here, shop.there]) {
    const isOff = async (): Promise<boolean> =>
      verdict(await sender.pay('o2-late')) === '406 PAYMENT_METHOD_NOT_AVAILABLE'
    await waitUntil(isOff, { timeoutMs: CHANGE_MS, what: 'the method to be off' })
    assert.equal(verdict(await sender.pay('o2-kept')), '409 ENTITY_DUPLICATED')
  }
})

test('O3 a payout that failed gives its hold back once, whoever of two workers ends it', async (t) => {
  const receiver = await callbackReceiver(t)
  const shop = await openShop('FAILING')
  await shop.here.fund('420.25')
  const ids = Array.from({ length: 40 }, (_, index) => `o3-twice-${index}`)
  const answers = await atOnce(shop, ids.length, (sender, index) =>
    sender.pay(ids[index] ?? '', {
      emailAddress: index % 2 === 0 ? 'declined@sandbox.test' : 'account-closed@sandbox.test',
      callbackUrl: `${receiver.url}/`,
    }),
  )
  assert.deepEqual(tallyOf(answers), { 201: ids.length })
  for (const id of ids) await shop.there.reaches(id, 'FAILED')
  assert.equal(await shop.here.holdings(), '420 available, 0 reserved')
  // The institution is made to say it all again.
  await gateway.sql(`insert into payment_tasks (merchant_id, kind, id_payment, task, due_at)
    select merchant_id, kind, id_payment, 'RAIL', now() from payments where id_payment like 'o3-twice-%'`)
  await waitUntil(async () => (await countOf(RAIL_TASKS, 'o3-twice-%')) === 0, {
    timeoutMs: CHANGE_MS,
    what: 'the repeated reports to be worked off',
  })
  assert.equal(await shop.here.holdings(), '420 available, 0 reserved')
  await receiver.waitForCount(ids.length, CHANGE_MS)
  assert.equal(receiver.requests.length, ids.length)
})

test('O3 a payout that bounced is credited once, and its fee stays charged', async () => {
  for (let index = 0; index < 5; index += 1)
    assert.equal((await bouncing.there.reaches(`o3-back-${index}`, 'REVERSED', BOUNCE_MS)).fee, '0.5')
  assert.equal(await bouncing.here.holdings(), '50 available, 0 reserved')
})

test('O4 a payout whose answer was lost neither fails nor expires, and is asked for under its reference', async () => {
  const seen = await lost.there.reaches('o4-lost', 'SUCCESS', UNKNOWN_MS)
  assert.equal(seen.reference, lostReference)
  assert.equal(await lost.here.holdings(), '89.5 available, 0 reserved')
  const rows = await gateway.sql(
    `select processor_status from payment_timeline where id_payment = 'o4-lost' order by entry_no`,
  )
  const phases = rows.map((row) => row['processor_status'])
  assert.deepEqual(phases, ['QUEUED', 'SUBMITTED', 'UNKNOWN', 'CONFIRMED'])
})

test('O5 small payouts earn nothing by rounding: there is a minimum, and fees are rounded half up', async () => {
  const shop = await openShop('ROUNDING')
  await shop.here.fund('200.25')
  for (const amount of ['0.01', '0.1', '0.99'])
    assert.equal(verdict(await shop.here.pay('o5-dust', { amount })), '406 AMOUNT_BELOW_MINIMUM')
  assert.equal(verdict(await shop.here.pay('o5-dust', { amount: '1.005' })), '406 AMOUNT_PRECISION_INVALID')
  const fee = ['--currency', 'EUR', '--percentage', '1.5', '--minimum', '0.03', '--direction', 'payout']
  await tollgate(gateway, 'merchants', 'set-fee', shop.code, 'BANK_TRANSFER', ...fee)
  await waitUntil(async () => (await shop.here.feeOf('payout', '1')) === '0.03', {
    timeoutMs: CHANGE_MS,
    what: 'the fee',
  })
  const table = [
    ['1', '0.03'],
    ['1.66', '0.03'],
    ['1.67', '0.03'],
    ['2.33', '0.03'],
    ['2.34', '0.04'],
    ['3', '0.05'],
    ['5', '0.08'],
    ['33.33', '0.5'],
    ['33.67', '0.51'],
  ] as const
  for (const [index, [amount, expected]] of table.entries()) {
    assert.equal(await shop.here.feeOf('payout', amount), expected, amount)
    assert.equal((await shop.here.pay(`o5-${index}`, { amount })).status, 201)
    assert.equal((await shop.here.reaches(`o5-${index}`, 'SUCCESS')).fee, expected, amount)
  }
  assert.equal(await shop.here.holdings(), '114.7 available, 0 reserved')
})

test('O6 the token of one payout pays nothing else, and one that reads pays nothing', async () => {
  const shop = await openShop('TOKENS')
  await shop.here.fund('100.25')
  const { merchant } = shop
  const tokens = [
    await merchant.actionToken({ action: 'PAYOUT_CREATE', idPayment: 'o6-own' }),
    await merchant.actionToken({ action: 'PAYOUT_INFO', idPayment: 'o6-other' }),
    await merchant.actionToken({ action: 'PAYIN_CREATE', idPayment: 'o6-other' }),
    await merchant.token(['GET /payouts/.*', 'POST /payins/.*']),
  ]
  for (const token of tokens) {
    const thief = senderAt(gateway, token)
    assert.equal(verdict(await thief.pay('o6-other')), '403 OPERATION_NOT_PERMITTED')
    assert.equal(verdict(await thief.topUp('o6-other')), '403 OPERATION_NOT_PERMITTED')
  }
  const money = { amount: '10', currencyCode: 'EUR' }
  const bound = await merchant.actionToken({ action: 'PAYOUT_CREATE', idPayment: 'o6-own', money })
  assert.equal(
    verdict(await senderAt(gateway, bound).pay('o6-own', { amount: '11' })),
    '403 MONEY_NOT_PERMITTED',
  )
  assert.equal(await shop.here.holdings(), '100 available, 0 reserved')
})

const SEND = {
  payin: (sender: Sender, id: string) => sender.payIn(id),
  payout: (sender: Sender, id: string) => sender.pay(id),
  topup: (sender: Sender, id: string) => sender.topUp(id),
} as const

for (const kind of ['payin', 'payout', 'topup'] as const) {
  test(`O6 the caps of a day on number and sum of ${kind}s hold against many at once`, async () => {
    const shop = await openShop(`CAPPED-${kind}`)
    if (kind === 'payout') await shop.here.fund('1000.25')
    /** The greatest amount is set with the caps: once a process knows the one, it knows the others. */
    const cap = async (max: string, count: string, sum: string): Promise<void> => {
      const bounds = ['--max', max, '--daily-count', count, '--daily-amount', sum]
      const limit = ['BANK_TRANSFER', '--currency', 'EUR', '--direction', kind, ...bounds]
      await tollgate(gateway, 'merchants', 'set-limit', shop.code, ...limit)
      const isKnown = async (): Promise<boolean> => {
        const over = String(Number(max) + 1)
        const fees = [shop.here, shop.there].map((sender) => sender.feeOf(kind, over))
        return (await Promise.all(fees)).every((fee) => fee === undefined)
      }
      await waitUntil(isKnown, { timeoutMs: CHANGE_MS, what: 'the caps to be known' })
    }
    const attack = (prefix: string) =>
      atOnce(shop, 40, (sender, index) => SEND[kind](sender, `${prefix}-${index}`))
    await cap('900', '7', '1000')
    assert.deepEqual(tallyOf(await attack('o6-count')), { 201: 7, '406 CHANNEL_LIMIT': 33 })
    await cap('800', '100', '125')
    assert.deepEqual(tallyOf(await attack('o6-sum')), { 201: 5, '406 CHANNEL_LIMIT': 35 })
    if (kind === 'payout') assert.match(await shop.here.holdings(), /^874 available/)
  })
}

test('O6 of many payouts at once exactly those go that stay below the sum from which on people decide', async () => {
  const shop = await openShop('CAREFUL')
  await shop.here.fund('1000.25')
  await shop.here.fund('100.25', 'USD')
  const setRule = (...rule: readonly string[]) =>
    tollgate(gateway, 'merchants', 'set-payout-rule', shop.code, '--currency', ...rule)
  await setRule('EUR', '--daily-sum-from', '100')
  await setRule('USD', '--amount-from', '1')
  for (const [index, sender] of [shop.here, shop.there].entries()) {
    let tries = 0
    const isKnown = async (): Promise<boolean> => {
      const id = `o6-probe-${index}-${tries}`
      tries += 1
      assert.equal((await sender.pay(id, { amount: '1', currencyCode: 'USD' })).status, 201)
      return (await sender.payout(id)).processorStatus === 'AWAITING_APPROVAL'
    }
    await waitUntil(isKnown, { timeoutMs: CHANGE_MS, what: 'the rules to be known' })
  }
  const answers = await atOnce(shop, 40, (sender, index) => sender.pay(`o6-rule-${index}`))
  assert.deepEqual(tallyOf(answers), { 201: 40 })
  const seen = await Promise.all(answers.map((_, index) => shop.here.payout(`o6-rule-${index}`)))
  const waiting = seen.filter(({ processorStatus }) => processorStatus === 'AWAITING_APPROVAL')
  assert.equal(waiting.length, 31)
  const handedOver = `from payment_timeline where id_payment like $1 and processor_status = 'SUBMITTED'`
  assert.ok((await countOf(handedOver, 'o6-rule-%')) <= 9)
})

test('O7 a top-up credits nothing until an institution says so, whatever its request says', async () => {
  const shop = await openShop('SELF')
  const paymentMethod = { paymentMethodCode: 'BANK_TRANSFER' }
  const claims = {
    process: { status: 'SUCCESS', processorStatus: 'CONFIRMED' },
    status: 'SUCCESS',
    paymentReceived: { money: { amount: 500, currencyCode: 'EUR' } },
    fee: { amount: -500, currencyCode: 'EUR' },
  }
  const body = createBody({ amount: 500, paymentMethod, ...claims })
  const post = (path: string, rawBody: string) =>
    gateway.call({ method: 'POST', path, token: shop.token, rawBody })
  assert.equal((await post('/topups/o7', body)).status, 201)
  assert.equal(verdict(await post('/topups/o7', body)), '409 ENTITY_DUPLICATED')
  const reference = '{"externalReference":"R-1"}'
  assert.equal(verdict(await post('/topups/o7/!setExternalReference', reference)), '404 ROUTE_NOT_FOUND')
  assert.equal(verdict(await post('/payins/o7/!setExternalReference', reference)), '410 ENTITY_NOT_FOUND')
  const detail = await gateway.call({ method: 'GET', path: '/topups/o7', token: shop.token })
  assert.equal(at(detail.body, 'process', 'status'), 'CREATED')
  assert.equal(at(detail.body, 'paymentReceived'), undefined)
  assert.equal(await shop.here.holdings(), '0 available, 0 reserved')
  assert.equal(verdict(await shop.here.pay('o7-out', { amount: '1' })), '406 BALANCE_INSUFFICIENT')
})

test('O8 money of one currency pays nothing in another', async () => {
  const shop = await openShop('MIXED')
  await shop.here.fund('5000', 'USD')
  const before = await shop.here.holdings('USD')
  for (const [currencyCode, amount] of [
    ['EUR', '10'],
    ['CZK', '500'],
    ['JPY', '1000'],
    ['INR', '1000'],
    ['BRL', '50'],
    ['KWD', '5'],
  ] as const) {
    const refused = await shop.here.pay(`o8-${currencyCode}`, { amount, currencyCode })
    assert.equal(verdict(refused), '406 BALANCE_INSUFFICIENT', currencyCode)
    assert.equal(await shop.here.holdings(currencyCode), '0 available, 0 reserved')
  }
  assert.equal(await shop.here.holdings('USD'), before)
  assert.equal((await shop.here.pay('o8-USD', { currencyCode: 'USD' })).status, 201)
})

test('P6 a payin, a payout and a top-up of one id are three payments, and their tokens do not mix', async () => {
  const shop = await openShop('SAME-ID')
  await shop.here.fund('100.25')
  assert.equal((await shop.here.payIn('p6', { amount: '11' })).status, 201)
  assert.equal((await shop.here.topUp('p6', { amount: '12' })).status, 201)
  assert.equal((await shop.there.pay('p6', { amount: '13' })).status, 201)
  for (const [kind, amount] of [
    ['payins', '11'],
    ['topups', '12'],
    ['payouts', '13'],
  ] as const) {
    const detail = await gateway.call({ method: 'GET', path: `/${kind}/p6`, token: shop.token })
    assert.equal(at(detail.body, 'paymentRequested', 'money', 'amount'), amount)
  }
  const payin = await shop.merchant.actionToken({ action: 'PAYIN_INFO', idPayment: 'p6' })
  assert.equal((await gateway.call({ method: 'GET', path: '/payins/p6', token: payin })).status, 200)
  for (const path of ['/payouts/p6', '/topups/p6'])
    assert.equal(
      verdict(await gateway.call({ method: 'GET', path, token: payin })),
      '403 OPERATION_NOT_PERMITTED',
    )
})

test('after all these attacks the books agree', async () => {
  await tollgate(gateway, 'ledger', 'check')
})
