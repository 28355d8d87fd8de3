import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { runSql, waitUntil } from '@tollgate/testkit'
import { differenceOf, sumOf } from './support/decimal.ts'
import { startGateway } from './support/gateway.ts'
import { at, textAt } from './support/json.ts'
import { ALL_OPERATIONS } from './support/merchant.ts'
import { createPayin, newId, payinWithStatus, readPayin } from './support/payins.ts'
import { createPayout, PAYOUT_OPERATIONS, payoutWithStatus, readPayout } from './support/payouts.ts'
import { bankOf, type Mood } from './support/simulator.ts'
import { createTopUp } from './support/topups.ts'

// The gateway and a bank that misbehaves: two programs that know each other over the wire alone. Whatever the bank does,
// each payment ends as it must, money is booked once, and at the end the gateway's books are the bank's.

const gateway = await startGateway({ after }, { simulator: true })
const databaseUrl = gateway.databaseUrl ?? ''
const bank = bankOf(gateway)
const demo = gateway.demo()
const token = await demo.token(...ALL_OPERATIONS, ...PAYOUT_OPERATIONS)

const END_TIMEOUT_MS = 60_000
const TIME_TO_PAY_SECONDS = 15
const WALLET = { method: 'WALLET', operator: 'OTTER_WALLET' } as const

/** Payments about which the books of both sides are to differ: people have to look at them. */
const inReview = new Set<string>()

await createTopUp(gateway, token, { id: newId(), amount: '5000', email: 'success@sandbox.test' })

/** A payin at the simulator, and the reference under which the bank knows it. */
async function payin(wanted: { amount?: string; method?: string; operator?: string } = {}) {
  const id = newId()
  const { body } = await createPayin(gateway, token, {
    ...WALLET,
    returnUrl: 'https://shop.example/thanks?order=1',
    ...wanted,
    id,
  })
  const redirectUrl = textAt(body, 'paymentMethodResponse', 'redirectUrl')
  assert.ok(redirectUrl.startsWith(`${bank.url}/pay/`), redirectUrl)
  return { id, reference: redirectUrl.slice(`${bank.url}/pay/`.length) }
}

async function payout(mood: string) {
  const id = newId()
  await createPayout(gateway, token, { id, email: `${mood.toLowerCase()}@simulator.test` })
  return id
}

/** The page shows the payment: the hand-over has arrived. */
async function untilAtBank(reference: string): Promise<string> {
  let seen = await bank.page(reference)
  const isThere = async (): Promise<boolean> => {
    seen = await bank.page(reference)
    return seen.status === 200
  }
  await waitUntil(isThere, { timeoutMs: END_TIMEOUT_MS, what: `the bank to know ${reference}` })
  return seen.text
}

const succeeds = (id: string) =>
  payinWithStatus(gateway, token, { id, status: 'SUCCESS', timeoutMs: END_TIMEOUT_MS })

const payoutEnds = (id: string, status: string) =>
  payoutWithStatus(gateway, token, { id, status, timeoutMs: END_TIMEOUT_MS })

async function inMood(mood: Mood, work: () => Promise<void>): Promise<void> {
  await bank.setMood(mood)
  try {
    await work()
  } finally {
    await bank.setMood({ mood: 'NORMAL' })
  }
}

/** A payin with the short time to pay: the gateway hears of the change of a method within a second or so. */
async function shortPayin(): Promise<{ id: string; reference: string }> {
  let made = { id: '', reference: '' }
  const isShort = async (): Promise<boolean> => {
    made = await payin({ method: 'ONLINE_BANKING', operator: 'SPARKASSE_ELBSTROM' })
    const detail = await readPayin(gateway, token, made.id)
    const lastsMs =
      Date.parse(textAt(detail, 'paymentMethodResponse', 'expireAt')) -
      Date.parse(textAt(detail, 'process', 'createdAt'))
    return lastsMs <= TIME_TO_PAY_SECONDS * 1000
  }
  await waitUntil(isShort, { timeoutMs: END_TIMEOUT_MS, what: 'the time to pay to be short' })
  return made
}

async function lateOne(): Promise<string> {
  await runSql(
    databaseUrl,
    `update payment_methods set expires_after_seconds = ${TIME_TO_PAY_SECONDS} where method_code = 'ONLINE_BANKING'`,
  )
  await bank.setMood({ mood: 'LATE', delayMs: 3000 })
  const { id, reference } = await shortPayin()
  await untilAtBank(reference)
  return id
}

async function unansweredOne(): Promise<string> {
  await bank.setMood({ mood: 'TIMEOUT_AFTER_EXECUTING' })
  const id = await payout('TIMEOUT')
  const isExecuted = async (): Promise<boolean> =>
    (await bank.movements()).some(({ direction }) => direction === 'PAYOUT')
  await waitUntil(isExecuted, { timeoutMs: END_TIMEOUT_MS, what: 'the bank to execute' })
  return id
}

/** Under way from the start: the other tests run while these two wait. */
const late = await lateOne()
const unanswered = await unansweredOne()
await bank.setMood({ mood: 'NORMAL' })

test('a customer approves at the bank: SUCCESS, with the account that paid', async () => {
  const { id, reference } = await payin({ amount: '149.9' })
  const page = await untilAtBank(reference)
  assert.match(page, /149\.90 EUR/)
  assert.match(page, /DEMO/)
  assert.match(page, /href="https:\/\/shop\.example\/thanks\?order=1"/)
  await bank.choose(reference, 'approve')
  await bank.choose(reference, 'approve')
  const detail = await succeeds(id)
  assert.deepEqual(at(detail, 'paymentReceived', 'money'), at(detail, 'paymentRequested', 'money'))
  const { text } = await gateway.send({ method: 'GET', path: `/payins/${id}/accounts`, token })
  assert.match(text, /Ada Lovelace/)
})

test('a customer declines at the bank: FAILED', async () => {
  const { id, reference } = await payin()
  await untilAtBank(reference)
  await bank.choose(reference, 'decline')
  const detail = await payinWithStatus(gateway, token, { id, status: 'FAILED' })
  assert.equal(at(detail, 'process', 'failureReasons', 'failureReasonCode'), 'DECLINED')
})

test('a payout is executed', async () => {
  await payoutEnds(await payout('NORMAL'), 'SUCCESS')
})

test('SLOW: the answer is waited for', async () => {
  await inMood({ mood: 'SLOW', delayMs: 2000 }, async () => {
    await payoutEnds(await payout('SLOW'), 'SUCCESS')
  })
})

test('DOWN: a payin is handed over when the bank is back; of a payout nobody knows, and nothing is guessed', async () => {
  let early = { id: '', reference: '' }
  let out = ''
  await inMood({ mood: 'DOWN' }, async () => {
    early = await payin()
    out = await payout('DOWN')
    await payoutEnds(out, 'UNKNOWN')
  })
  await untilAtBank(early.reference)
  await bank.choose(early.reference, 'approve')
  await succeeds(early.id)
  assert.equal(at(await readPayout(gateway, token, out), 'process', 'status'), 'CREATED')
})

for (const mood of ['NOTIFY_TWICE', 'NOTIFY_WRONG_ORDER']) {
  test(`${mood}: the payment succeeds once and stays so`, async () => {
    await inMood({ mood, autoMs: 0 }, async () => {
      const { id } = await payin()
      const out = await payout(mood)
      await succeeds(id)
      await payoutEnds(out, 'SUCCESS')
      await untilTold()
      assert.equal(at(await readPayin(gateway, token, id), 'process', 'status'), 'SUCCESS')
    })
  })
}

/** Waits until the gateway has worked off all that the bank had to say. */
async function untilTold(): Promise<void> {
  const isQuiet = async (): Promise<boolean> => {
    const [row] = await runSql(
      databaseUrl,
      "select count(*) filter (where state = 'PENDING') as open, count(*) as all from rail_notifications",
    )
    return row?.['open'] === '0' && row['all'] !== '0'
  }
  await waitUntil(isQuiet, { timeoutMs: END_TIMEOUT_MS, what: 'every message to be worked off' })
}

for (const mood of ['LESS', 'MORE', 'WRONG_CURRENCY']) {
  test(`${mood}: other money than was asked for is no success; people look at it`, async () => {
    await inMood({ mood, autoMs: 0 }, async () => {
      const { id, reference } = await payin()
      inReview.add(reference)
      const isReviewed = async (): Promise<boolean> =>
        at(await readPayin(gateway, token, id), 'process', 'processorStatus') === 'IN_REVIEW'
      await waitUntil(isReviewed, { timeoutMs: END_TIMEOUT_MS, what: `${id} to be in review` })
      assert.equal(at(await readPayin(gateway, token, id), 'process', 'status'), 'CREATED')
    })
  })
}

test('NEVER: nothing happens, and the payment waits', async () => {
  await inMood({ mood: 'NEVER' }, async () => {
    const { id, reference } = await payin()
    const out = await payout('NEVER')
    await untilAtBank(reference)
    await bank.choose(reference, 'approve')
    await payoutEnds(out, 'SUBMITTED')
    assert.equal(at(await readPayin(gateway, token, id), 'process', 'status'), 'CREATED')
    assert.equal(at(await readPayout(gateway, token, out), 'process', 'status'), 'CREATED')
  })
})

test('BOUNCE: SUCCESS, then REVERSED when the money comes back, in and out', async () => {
  await inMood({ mood: 'BOUNCE', delayMs: 3000, autoMs: 0 }, async () => {
    const { id } = await payin()
    const out = await payout('BOUNCE')
    await succeeds(id)
    await payoutEnds(out, 'SUCCESS')
    await payinWithStatus(gateway, token, { id, status: 'REVERSED', timeoutMs: END_TIMEOUT_MS })
    await payoutEnds(out, 'REVERSED')
  })
})

test('every third payment may go wrong, and the others do not', async () => {
  await inMood({ mood: 'NOTIFY_TWICE', every: 3, autoMs: 0 }, async () => {
    const made = await Promise.all(Array.from({ length: 6 }, () => payin()))
    await Promise.all(made.map(({ id }) => succeeds(id)))
  })
})

test('LATE: the payment expires, and succeeds when the money comes after all', async () => {
  const detail = await succeeds(late)
  assert.equal(at(detail, 'process', 'processorStatus'), 'CONFIRMED_LATE')
})

test('TIMEOUT_AFTER_EXECUTING: asking finds what happened, and it happened once', async () => {
  await payoutEnds(unanswered, 'SUCCESS')
})

test('the bank falls with a gateway that is killed, and both know everything when they are back', async () => {
  const { id, reference } = await payin()
  await untilAtBank(reference)
  const before = await bank.movements()
  await gateway.kill()
  await gateway.start()
  assert.deepEqual(await bank.movements(), before)
  await bank.choose(reference, 'approve')
  await succeeds(id)
})

test('at the end the gateway’s books are the bank’s, payment by payment', async () => {
  await untilTold()
  const moved = new Map<string, string>()
  for (const { reference, direction, kind, amount } of await bank.movements()) {
    if (inReview.has(reference)) continue
    const isIncoming = (direction === 'PAYOUT') === (kind === 'RETURNED')
    const before = moved.get(reference) ?? '0'
    moved.set(reference, isIncoming ? sumOf([before, amount]) : differenceOf(before, amount))
  }
  assert.ok(moved.size >= 15, `${moved.size} payments at the bank`)
  const rows = await runSql(
    databaseUrl,
    `select p.reference, p.rail, (-sum(posting.amount))::text as moved
       from payments p
       join ledger_transfers t using (merchant_id, kind, id_payment)
       join ledger_postings posting using (merchant_id, transfer_id)
      where posting.account = 'CLEARING' and p.rail = 'simulator'
      group by p.reference, p.rail`,
  )
  const booked = new Map(rows.map((row) => [String(row['reference']), sumOf([String(row['moved'])])]))
  assert.deepEqual(sorted(booked), sorted(moved))
  await gateway.cli('ledger', 'check')
})

const sorted = (map: ReadonlyMap<string, string>) => [...map].toSorted(([a], [b]) => (a < b ? -1 : 1))
