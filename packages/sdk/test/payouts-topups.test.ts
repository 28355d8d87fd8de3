import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Gateway, IdConflictError, TollgateError } from '../src/index.ts'
import { startFake } from './fake-gateway.ts'

const MONEY = { amount: '250.10', currencyCode: 'EUR' }
const PAYOUT = {
  money: MONEY,
  paymentMethodCode: 'BANK_TRANSFER',
  account: { accountName: 'Jana Novak', accountNumber: 'DE89370400440532013000' },
  callbackUrl: 'https://shop.example/callbacks',
}
const TOP_UP = { money: MONEY, paymentMethodCode: 'BANK_TRANSFER', emailAddress: 'success@sandbox.test' }

test('a payout goes out with the exact digits of its amount and its customer', async (t) => {
  const { fake, baseUrl } = await startFake(t)
  const outcome = await fake.client(baseUrl).payouts.create('OUT-1', { ...PAYOUT, idCustomer: 'CUST-1' })
  assert.equal(outcome.created, true)
  assert.equal(outcome.payout.paymentMethodResponse.idPayout, 'OUT-1')
  assert.deepEqual(outcome.payout.paymentRequested.money, MONEY)
  const [sent] = fake.sent('/payouts/OUT-1')
  assert.match(sent?.body ?? '', /"money":\{"amount":250\.10,"currencyCode":"EUR"\}/)
  assert.partialDeepStrictEqual(JSON.parse(sent?.body ?? ''), {
    paymentMethod: { account: PAYOUT.account },
    customer: { idCustomer: 'CUST-1' },
    callbackUrl: PAYOUT.callbackUrl,
  })
})

test('a top-up says topUpRequested, and its detail paymentRequested', async (t) => {
  const { fake, baseUrl } = await startFake(t)
  const { topUps } = fake.client(baseUrl)
  const outcome = await topUps.create('TOP-1', TOP_UP)
  assert.ok(outcome.created)
  assert.equal(outcome.topUp.paymentMethodResponse.idTopUp, 'TOP-1')
  assert.deepEqual(outcome.topUp.topUpRequested.money, MONEY)
  const [sent] = fake.sent('/topups/TOP-1')
  assert.deepEqual(Object.keys(JSON.parse(sent?.body ?? '{}')), ['topUpRequested', 'paymentMethod'])
  assert.deepEqual((await topUps.read('TOP-1')).paymentRequested.money, MONEY)
})

interface Case {
  readonly noun: string
  readonly create: (gateway: Gateway, id: string, amount?: string) => Promise<readonly [boolean, string]>
}
const CASES: readonly Case[] = [
  {
    noun: 'payouts',
    create: async ({ payouts }, id, amount = MONEY.amount) => {
      const { created, payout } = await payouts.create(id, { ...PAYOUT, money: { ...MONEY, amount } })
      return [created, payout.paymentMethodResponse.idPayout]
    },
  },
  {
    noun: 'topups',
    create: async ({ topUps }, id, amount = MONEY.amount) => {
      const { created, topUp } = await topUps.create(id, { ...TOP_UP, money: { ...MONEY, amount } })
      return [created, topUp.paymentMethodResponse.idTopUp]
    },
  },
]

for (const { noun, create } of CASES) {
  test(`${noun}: after a lost answer the same id is sent again, and the stored one is found`, async (t) => {
    const { fake, baseUrl } = await startFake(t)
    fake.faults.push('lost')
    assert.deepEqual(await create(fake.client(baseUrl), 'ID-1'), [false, 'ID-1'])
    const [first, second, third] = fake.sent(`/${noun}/ID-1`)
    assert.equal(first?.body, second?.body)
    assert.equal(third?.method, 'GET')
  })

  test(`${noun}: an id that names a different payment is a conflict, and nothing is read`, async (t) => {
    const { fake, baseUrl } = await startFake(t)
    const gateway = fake.client(baseUrl)
    assert.deepEqual(await create(gateway, 'ID-2'), [true, 'ID-2'])
    await assert.rejects(create(gateway, 'ID-2', '250.11'), IdConflictError)
    assert.equal(fake.sent(`/${noun}/ID-2`).length, 2)
  })

  test(`${noun}: an id that could change the path, and an amount that is none, are never sent`, async (t) => {
    const { fake, baseUrl } = await startFake(t)
    const gateway = fake.client(baseUrl)
    for (const id of ['', '../balances', '!availablePaymentOptions'])
      await assert.rejects(create(gateway, id), RangeError)
    await assert.rejects(create(gateway, 'ID-3', '1,50'), RangeError)
    assert.deepEqual(fake.seen, [])
  })
}

test('a balance that does not cover a payout is told once, and not asked again', async (t) => {
  const { fake, baseUrl } = await startFake(t)
  const item = { code: 'BALANCE_INSUFFICIENT', message: 'Too little.' }
  fake.replies.set('POST /payouts/OUT-9', { status: 406, body: JSON.stringify([item]) })
  await assert.rejects(fake.client(baseUrl).payouts.create('OUT-9', PAYOUT), (error) => {
    assert.ok(error instanceof TollgateError)
    assert.deepEqual([error.code, error.retryable], ['BALANCE_INSUFFICIENT', false])
    return true
  })
  assert.equal(fake.sent('/payouts/OUT-9').length, 1)
})

test('options are asked of the right kind, each kind with a token of its own', async (t) => {
  const { fake, baseUrl } = await startFake(t)
  const gateway = fake.client(baseUrl)
  const body = '{"data":[{"paymentMethodCode":"BANK_TRANSFER","paymentOperators":[]}]}'
  for (const noun of ['payouts', 'topups'])
    fake.replies.set(`POST /${noun}/!availablePaymentOptions`, { status: 200, body })
  for (const { options } of [gateway.payouts, gateway.topUps]) {
    const [option] = await options({ money: MONEY, segmentCode: 'VIP' })
    assert.equal(option?.paymentMethodCode, 'BANK_TRANSFER')
    assert.match(fake.seen.at(-1)?.body ?? '', /"segmentCode":"VIP"/)
  }
  assert.deepEqual(
    fake.sent('/auth-tokens').map(({ body: sent }) => JSON.parse(sent).operations),
    ['payouts', 'topups'].map((noun) => [`POST /${noun}/.*`, `GET /${noun}/.*`]),
  )
})

test('a payout whose record was lost is no conflict of ids: under a new one it could be paid twice', async (t) => {
  const { fake, baseUrl } = await startFake(t)
  fake.faults.push({ status: 409, code: 'PAYOUT_ID_LOST' })
  await assert.rejects(fake.client(baseUrl).payouts.create('OUT-9', PAYOUT), (error) => {
    assert.ok(error instanceof TollgateError && !(error instanceof IdConflictError))
    assert.deepEqual([error.code, error.retryable], ['PAYOUT_ID_LOST', false])
    return true
  })
})
