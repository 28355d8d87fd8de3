import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TopUpCreate } from '@tollgate/contract'
import { type Money, parsePlainAmount } from '@tollgate/money'
import { waitUntil } from '@tollgate/testkit'
import type { Rail, RailReport } from '../../../rails/rail.ts'
import { callerOf, codesOf, refusalOf } from '../../../test/support/shop.ts'
import { bodyOf, openRig, type Rig } from './rig.ts'

const WAIT_MS = 10_000

const money = (amount: string, currencyCode = 'EUR'): Money => ({
  amount: parsePlainAmount(amount),
  currencyCode,
})

/** A rail that reports this of everything, as soon as it is asked. */
const reporting = (report: RailReport): Rail => ({
  code: 'sandbox',
  capabilities: { directions: ['TOPUP'], flows: [], cancels: false },
  plan: () => ({ instructions: {}, startsAtOnce: true }),
  advance: () => Promise.resolve(report),
  submit: () => Promise.reject(new Error('nothing goes out')),
  inquire: () => Promise.reject(new Error('nothing goes out')),
})

const keyOf = (rig: Rig, idPayment: string) =>
  ({ merchantId: rig.merchantId, kind: 'TOPUP', idPayment }) as const

async function untilPhase(rig: Rig, id: string, phase: string): Promise<void> {
  const isThere = async (): Promise<boolean> =>
    (await rig.topUps.read(rig.caller, id)).processorStatus === phase
  await waitUntil(isThere, { timeoutMs: WAIT_MS, what: `${id} to be ${phase}` })
}

const balancesOf = (rig: Rig) =>
  rig.sql(
    `select currency_code, trim_scale(available)::text as available, not_settled::text, reserved::text from balances`,
  )
const transfersOf = (rig: Rig) => rig.sql(`select event from ledger_transfers order by event`)

test('a top-up is stored as it was asked for, under its own kind, and calls back only where it was asked to', async (t) => {
  const rig = await openRig(t)
  await rig.topUps.create(rig.caller, 'T-1', bodyOf({ amount: { text: '149.90' } }))
  const url = 'https://shop.example/callbacks'
  await rig.topUps.create(rig.caller, 'T-2', bodyOf({ callbackUrl: url }))
  const [silent, heard] = await Promise.all(['T-1', 'T-2'].map((id) => rig.topUps.read(rig.caller, id)))
  assert.deepEqual([silent?.kind, silent?.money], ['TOPUP', money('149.9')])
  assert.deepEqual([silent?.status, silent?.processorStatus], ['CREATED', 'AWAITING_CUSTOMER'])
  assert.deepEqual([silent?.callbackUrl, heard?.callbackUrl], [undefined, url])
  for (const id of ['T-1', 'T-2'])
    await rig.payments.propose(keyOf(rig, id), {
      status: 'CANCELLED',
      actor: 'rail:test',
      evidence: { class: 'RAIL' },
    })
  assert.deepEqual(await rig.sql('select kind, id_entity from callback_events'), [
    { kind: 'TOPUP', id_entity: 'T-2' },
  ])
})

test('neither creating, nor repeating, nor reading, nor any reference moves a balance', async (t) => {
  const rig = await openRig(t)
  await rig.topUps.create(rig.caller, 'T-1', bodyOf({ method: { emailAddress: 'success@sandbox.test' } }))
  await codesOf(
    rig.topUps.create(rig.caller, 'T-1', bodyOf({ method: { emailAddress: 'success@sandbox.test' } })),
  )
  await rig.topUps.create(rig.caller, 'T-2', bodyOf({ method: { emailAddress: 'reference@sandbox.test' } }))
  await rig.payments.setExternalReference(keyOf(rig, 'T-2'), 'I have paid')
  await rig.topUps.listOptions(rig.caller, { money: { amount: 100, currencyCode: 'EUR' } })
  for (const id of ['T-1', 'T-2'])
    assert.equal((await rig.topUps.read(rig.caller, id)).status, 'CREATED', 'no worker runs')
  assert.deepEqual(await transfersOf(rig), [])
  assert.deepEqual(await balancesOf(rig), [])
})

test('only the success of the rail credits: at once available, less the fee, and once', async (t) => {
  const rig = await openRig(t)
  rig.startWorker()
  await rig.topUps.create(rig.caller, 'T-1', bodyOf({ method: { emailAddress: 'success@sandbox.test' } }))
  await untilPhase(rig, 'T-1', 'CONFIRMED')
  const payment = await rig.topUps.read(rig.caller, 'T-1')
  assert.deepEqual([payment.fee, payment.received], [money('0.25'), money('100')])
  const credited = [{ currency_code: 'EUR', available: '99.75', not_settled: '0', reserved: '0' }]
  assert.deepEqual(await balancesOf(rig), credited)
  await rig.payments.propose(keyOf(rig, 'T-1'), {
    status: 'SUCCESS',
    actor: 'rail:test',
    evidence: { class: 'RAIL' },
    received: money('100'),
  })
  assert.deepEqual(await balancesOf(rig), credited)
  assert.deepEqual(await transfersOf(rig), [{ event: 'TOPUP_SUCCESS' }])
})

for (const [what, received] of [
  ['less', money('99.99')],
  ['more', money('100.01')],
  ['the same number in another currency', money('100', 'USD')],
] as const) {
  test(`${what} than was asked for is never a success and credits nothing: a person looks at it`, async (t) => {
    const rig = await openRig(t, { rail: reporting({ kind: 'SUCCEEDED', received }) })
    rig.startWorker()
    await rig.topUps.create(rig.caller, 'T-1', bodyOf())
    await untilPhase(rig, 'T-1', 'IN_REVIEW')
    assert.equal((await rig.topUps.read(rig.caller, 'T-1')).status, 'CREATED')
    assert.deepEqual(await balancesOf(rig), [])
  })
}

test('a refusal of the rail credits nothing', async (t) => {
  const rig = await openRig(t, { rail: reporting({ kind: 'FAILED', code: 'DECLINED', message: 'No.' }) })
  rig.startWorker()
  await rig.topUps.create(rig.caller, 'T-1', bodyOf())
  await untilPhase(rig, 'T-1', 'REJECTED')
  assert.deepEqual(await balancesOf(rig), [])
})

test('money that the institution takes back leaves the balance again; the fee stays charged', async (t) => {
  const rig = await openRig(t)
  await rig.topUps.create(rig.caller, 'T-1', bodyOf())
  const key = keyOf(rig, 'T-1')
  await rig.payments.propose(key, {
    status: 'SUCCESS',
    actor: 'rail:test',
    evidence: { class: 'RAIL' },
    received: money('100'),
  })
  await rig.payments.propose(key, { status: 'REVERSED', actor: 'rail:test', evidence: { class: 'RAIL' } })
  assert.equal((await rig.topUps.read(rig.caller, 'T-1')).processorStatus, 'RETURNED')
  assert.deepEqual(await balancesOf(rig), [
    { currency_code: 'EUR', available: '0', not_settled: '0', reserved: '0' },
  ])
  const owed = `select trim_scale(sum(amount))::text as amount from ledger_postings where account = 'RECEIVABLE'`
  assert.deepEqual(await rig.sql(owed), [{ amount: '-0.25' }])
})

test('what is asked for may go by either name; by both only where they agree', async (t) => {
  const rig = await openRig(t)
  const { topUpRequested: requested = assert.fail(), ...rest } = bodyOf()
  await rig.topUps.create(rig.caller, 'SYNONYM', { ...rest, paymentRequested: requested })
  const spelled = { money: { amount: { text: '1e2' }, currencyCode: 'EUR' } }
  await rig.topUps.create(rig.caller, 'BOTH', {
    ...rest,
    topUpRequested: requested,
    paymentRequested: spelled,
  })
  for (const id of ['SYNONYM', 'BOTH'])
    assert.deepEqual((await rig.topUps.read(rig.caller, id)).money, money('100'))
  const { details } = await refusalOf(
    rig.topUps.create(rig.caller, 'SYNONYM', { ...rest, topUpRequested: requested }),
  )
  assert.equal(details.extra?.['duplicate'], 'IDENTICAL')
})

const fieldsOf = async (work: Promise<unknown>) => {
  const { code, details } = await refusalOf(work)
  return [code, ...(details.violations ?? []).map(({ field }) => field)]
}

test('neither name, and two that differ, are refused', async (t) => {
  const rig = await openRig(t)
  const { topUpRequested = assert.fail(), ...rest } = bodyOf()
  const create = (body: TopUpCreate) => fieldsOf(rig.topUps.create(rig.caller, 'T-1', body))
  assert.deepEqual(await create(rest), ['ATTRIBUTE_REQUIRED', 'topUpRequested'])
  for (const paymentRequested of [
    { money: { amount: 101, currencyCode: 'EUR' } },
    { money: { amount: 100, currencyCode: 'USD' } },
    { money: { amount: 100, currencyCode: 'EUR' }, segmentCode: 'VIP' },
  ]) {
    const both = { ...rest, topUpRequested, paymentRequested }
    assert.deepEqual(await create(both), ['ATTRIBUTE_VALUE_INVALID', 'paymentRequested'])
  }
  const zero = { money: { amount: 0, currencyCode: 'EUR' } }
  assert.deepEqual(await create({ ...rest, paymentRequested: zero }), [
    'ATTRIBUTE_VALUE_INVALID',
    'paymentRequested.money.amount',
  ])
})

test('an id is taken for top-ups alone: the repeat hears of it before business, another kind is free', async (t) => {
  const rig = await openRig(t)
  await rig.topUps.create(rig.caller, 'ID', bodyOf())
  for (const body of [bodyOf(), bodyOf({ method: { paymentMethodCode: 'NONE' } })])
    assert.deepEqual(await codesOf(rig.topUps.create(rig.caller, 'ID', body)), ['ENTITY_DUPLICATED'])
  const payin = { ...keyOf(rig, 'ID'), kind: 'PAYIN' } as const
  assert.equal(await rig.payments.find(payin), undefined)
  assert.deepEqual(await codesOf(rig.topUps.read(callerOf('999'), 'ID')), ['ENTITY_NOT_FOUND'])
})

test('every reason comes at once, with the members of a top-up', async (t) => {
  const rig = await openRig(t)
  const body = bodyOf({
    amount: { text: '1.005' },
    callbackUrl: 'http://10.0.0.1/',
    method: { paymentMethodCode: 'OFFLINE_TRANSFER' },
  })
  assert.deepEqual(await codesOf(rig.topUps.create(rig.caller, 'T-1', body)), [
    'AMOUNT_PRECISION_INVALID topUpRequested.money.amount',
    'PAYMENT_METHOD_NOT_AVAILABLE paymentMethod.paymentMethodCode',
    'CALLBACK_URL_NOT_ALLOWED callbackUrl',
  ])
})

test('a method that needs a reference is not offered, even where an operator gives it limits', async (t) => {
  const rig = await openRig(t, {
    async prepare({ sql, merchantId }) {
      await sql(`insert into payment_method_limits (method_code, direction, currency_code, segment_code, min_amount, max_amount)
        values ('OFFLINE_TRANSFER', 'TOPUP', 'EUR', '*', 1, 1000)`)
      await sql(
        `insert into merchant_methods (merchant_id, method_code, direction) values ($1, 'OFFLINE_TRANSFER', 'TOPUP')`,
        [merchantId],
      )
    },
  })
  const options = await rig.topUps.listOptions(rig.caller, { money: { amount: 100, currencyCode: 'EUR' } })
  assert.deepEqual(
    options.map((option) => option.paymentMethodCode),
    ['BANK_TRANSFER', 'WALLET'],
  )
  const offline = bodyOf({ method: { paymentMethodCode: 'OFFLINE_TRANSFER' } })
  assert.deepEqual(await codesOf(rig.topUps.create(rig.caller, 'T-1', offline)), [
    'PAYMENT_METHOD_NOT_AVAILABLE paymentMethod.paymentMethodCode',
  ])
})

test('the money of a token binds options and creates', async (t) => {
  const rig = await openRig(t)
  const caller = callerOf(rig.merchantId, { amount: '100', currencyCode: 'EUR' })
  const wire = { amount: 99, currencyCode: 'EUR' }
  assert.deepEqual(await codesOf(rig.topUps.listOptions(caller, { money: wire })), ['MONEY_NOT_PERMITTED'])
  assert.deepEqual(await codesOf(rig.topUps.create(caller, 'T-1', bodyOf({ amount: 99 }))), [
    'MONEY_NOT_PERMITTED',
  ])
  await rig.topUps.create(caller, 'T-1', bodyOf({ amount: { text: '100.00' } }))
})
