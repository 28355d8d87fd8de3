import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compareAmounts, isAmount } from '@tollgate/money'
import { waitUntil } from '@tollgate/testkit'
import fc from 'fast-check'
import { MOOD_NAMES, moneyMoved } from '../src/moods.ts'
import { gatewayEar, openBank, payment, stateIn } from './support.ts'

const put = (reference: string) => ['PUT', `/payments/${reference}`] as const

test('NORMAL: a payout is executed at once, a payin when the customer approves; the gateway hears of both', async (t) => {
  const gateway = await gatewayEar(t)
  const bank = await openBank(t, { gateway })
  const out = await bank.handOver(payment({ direction: 'PAYOUT' }))
  assert.equal(out.status, 'SUCCEEDED')
  assert.equal(out.received, undefined)
  assert.equal(out.payer, undefined)
  const request = payment()
  assert.equal((await bank.handOver(request)).status, 'PENDING')
  assert.deepEqual(await bank.movements(request.reference), [])
  await bank.admin('POST', `/payments/${request.reference}/approve`)
  const state = await bank.ask(request.reference)
  assert.equal(state.status, 'SUCCEEDED')
  assert.equal(state.received, undefined)
  assert.equal(state.payer?.bankName, 'Tollgate bank simulator')
  const [notice] = await gateway.until(request.reference, 1)
  assert.deepEqual(notice?.payment, state)
  const [noticeOut] = await gateway.until(out.reference, 1)
  assert.deepEqual(noticeOut?.payment, out)
})

test('NORMAL: a payin that the customer declines FAILED, and no money moves', async (t) => {
  const gateway = await gatewayEar(t)
  const bank = await openBank(t, { gateway })
  const request = payment()
  await bank.handOver(request)
  await bank.admin('POST', `/payments/${request.reference}/decline`)
  const [notice] = await gateway.until(request.reference, 1)
  assert.equal(notice?.payment.status, 'FAILED')
  assert.equal(notice.payment.reason?.code, 'DECLINED')
  assert.deepEqual(await bank.movements(request.reference), [])
})

test('with autoMs money that comes in is paid by itself, top-ups too', async (t) => {
  const bank = await openBank(t)
  await bank.mood({ mood: 'NORMAL', autoMs: 10 })
  for (const direction of ['PAYIN', 'TOPUP'] as const) {
    const request = payment({ direction })
    assert.equal((await bank.handOver(request)).status, 'PENDING')
    await bank.untilState(request.reference, 'SUCCEEDED')
    assert.equal((await bank.movements(request.reference)).length, 1)
  }
})

test('SLOW: the answer comes late, and is right', async (t) => {
  const bank = await openBank(t)
  await bank.mood({ mood: 'SLOW', delayMs: 300 })
  const startedMs = performance.now()
  const state = await bank.handOver(payment({ direction: 'PAYOUT' }))
  assert.ok(performance.now() - startedMs >= 290)
  assert.equal(state.status, 'SUCCEEDED')
})

test('DOWN: 503 to everything and nothing is taken; afterwards all is as if it had not been asked', async (t) => {
  const bank = await openBank(t)
  const request = payment({ direction: 'PAYOUT' })
  const body = JSON.stringify(request)
  await bank.mood({ mood: 'DOWN' })
  for (const answer of [
    await bank.send(...put(request.reference), { body }),
    await bank.send('GET', `/payments/${request.reference}`),
    await bank.send('POST', `/payments/${request.reference}/cancel`),
  ]) {
    assert.equal(answer.status, 503)
    assert.equal(answer.isProven, false)
  }
  await bank.mood({ mood: 'NORMAL' })
  assert.equal((await bank.send('GET', `/payments/${request.reference}`)).status, 404)
  assert.equal((await bank.handOver(request)).status, 'SUCCEEDED')
})

test('TIMEOUT_AFTER_EXECUTING: nobody answers and nobody tells, but asking finds that it was executed', async (t) => {
  const gateway = await gatewayEar(t)
  const bank = await openBank(t, { gateway })
  await bank.mood({ mood: 'TIMEOUT_AFTER_EXECUTING' })
  const request = payment({ direction: 'PAYOUT' })
  const body = JSON.stringify(request)
  await assert.rejects(bank.send(...put(request.reference), { body, timeoutMs: 300 }), {
    name: 'TimeoutError',
  })
  assert.equal((await bank.ask(request.reference)).status, 'SUCCEEDED')
  assert.equal((await bank.movements(request.reference)).length, 1)
  // A second hand-over finds it known, and is answered.
  stateIn(await bank.send(...put(request.reference), { body }), 200)
  assert.equal((await bank.movements(request.reference)).length, 1)
  assert.deepEqual(gateway.heard, [])
})

test('NOTIFY_TWICE: the same message twice, and once more under another id', async (t) => {
  const gateway = await gatewayEar(t)
  const bank = await openBank(t, { gateway })
  await bank.mood({ mood: 'NOTIFY_TWICE' })
  const { reference } = await bank.handOver(payment({ direction: 'PAYOUT' }))
  const [first, second, third] = await gateway.until(reference, 3)
  assert.deepEqual(second, first)
  assert.deepEqual(third?.payment, first?.payment)
  assert.notEqual(third?.idNotification, first?.idNotification)
  assert.equal((await bank.movements(reference)).length, 1)
})

test('NOTIFY_WRONG_ORDER: the older state comes after the newer one, and says by its time that it is older', async (t) => {
  const gateway = await gatewayEar(t)
  const bank = await openBank(t, { gateway })
  await bank.mood({ mood: 'NOTIFY_WRONG_ORDER', autoMs: 0 })
  const { reference } = await bank.handOver(payment())
  const [newer, older] = await gateway.until(reference, 2)
  assert.equal(newer?.payment.status, 'SUCCEEDED')
  assert.equal(older?.payment.status, 'PENDING')
  assert.ok(older.payment.updatedAt < newer.payment.updatedAt)
  await bank.admin('POST', `/payments/${reference}/bounce`)
  const [, , returned, before] = await gateway.until(reference, 4)
  assert.equal(returned?.payment.status, 'RETURNED')
  assert.equal(before?.payment.status, 'SUCCEEDED')
})

test('LATE: the money comes after the time to pay, also when the customer approved in time', async (t) => {
  const bank = await openBank(t)
  await bank.mood({ mood: 'LATE', delayMs: 50 })
  const expireAtMs = Date.now() + 400
  const request = payment({ expireAt: new Date(expireAtMs).toISOString() })
  await bank.handOver(request)
  await fetch(`${bank.url}/pay/${request.reference}/approve`, {
    method: 'POST',
    body: new URLSearchParams({ userName: 'Ada' }),
  })
  const { status } = await bank.ask(request.reference)
  // On a busy machine the time to pay may be over by now; what counts is when the money came.
  if (Date.now() < expireAtMs) assert.equal(status, 'PENDING')
  const state = await bank.untilState(request.reference, 'SUCCEEDED')
  assert.ok(Date.parse(state.updatedAt) >= expireAtMs + 50)
})

for (const [mood, direction] of [
  ['LESS', 'PAYIN'],
  ['MORE', 'PAYIN'],
  ['WRONG_CURRENCY', 'TOPUP'],
  ['LESS', 'PAYOUT'],
] as const) {
  test(`${mood}: a ${direction} moves other money than was asked for, and the bank says so`, async (t) => {
    const bank = await openBank(t)
    await bank.mood({ mood, autoMs: 0 })
    const { reference } = await bank.handOver(payment({ direction }))
    const { money, received } = await bank.untilState(reference, 'SUCCEEDED')
    const expected = {
      LESS: { amount: '134.91', currencyCode: 'EUR' },
      MORE: { amount: '164.89', currencyCode: 'EUR' },
      WRONG_CURRENCY: { amount: '149.9', currencyCode: 'USD' },
    }[mood]
    assert.deepEqual(money, { amount: '149.9', currencyCode: 'EUR' })
    assert.deepEqual(received, expected)
    const [movement] = await bank.movements(reference)
    assert.deepEqual(Reflect.get(Object(movement), 'money'), expected)
  })
}

test('less is always less and more than nothing, and more is more, for every amount', () => {
  const amounts = fc.tuple(fc.bigInt(1n, 10n ** 20n), fc.integer({ min: 0, max: 18 }))
  fc.assert(
    fc.property(amounts, fc.constantFrom('EUR', 'JPY', 'KWD', 'ETH'), ([units, decimals], currencyCode) => {
      const digits = units.toString().padStart(decimals + 1, '0')
      const amount = decimals === 0 ? digits : `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`
      const plain = amount.includes('.') ? amount.replace(/0+$/, '').replace(/[.]$/, '') : amount
      assert.ok(isAmount(plain))
      const less = moneyMoved({ amount: plain, currencyCode }, 'LESS').amount
      const more = moneyMoved({ amount: plain, currencyCode }, 'MORE').amount
      assert.ok(isAmount(less) && isAmount(more))
      assert.equal(compareAmounts(less, plain), -1)
      assert.match(less, /[1-9]/)
      assert.equal(compareAmounts(more, plain), 1)
    }),
  )
})

test('NEVER: nothing happens, whatever the customer and the gateway want; a person can still end it', async (t) => {
  const gateway = await gatewayEar(t)
  const bank = await openBank(t, { gateway })
  await bank.mood({ mood: 'NEVER', autoMs: 0 })
  const out = payment({ direction: 'PAYOUT' })
  const request = payment()
  await bank.handOver(out)
  await bank.handOver(request)
  await fetch(`${bank.url}/pay/${request.reference}/approve`, {
    method: 'POST',
    body: new URLSearchParams({ userName: 'Ada' }),
  })
  await bank.send('POST', `/payments/${request.reference}/cancel`)
  await bank.restart()
  for (const { reference } of [out, request]) {
    assert.equal((await bank.ask(reference)).status, 'PENDING')
    assert.deepEqual(await bank.movements(reference), [])
  }
  assert.deepEqual(gateway.heard, [])
  await bank.mood({ mood: 'NORMAL' }, out.reference)
  assert.equal((await bank.ask(out.reference)).status, 'SUCCEEDED')
  await bank.admin('POST', `/payments/${request.reference}/approve`)
  assert.equal((await bank.ask(request.reference)).status, 'SUCCEEDED')
})

test('BOUNCE: success first, and then the money comes back, also over a restart', async (t) => {
  const gateway = await gatewayEar(t)
  const bank = await openBank(t, { gateway })
  await bank.mood({ mood: 'BOUNCE', delayMs: 300 })
  const { reference, money } = await bank.handOver(payment({ direction: 'PAYOUT' }))
  assert.equal((await bank.ask(reference)).status, 'SUCCEEDED')
  await bank.restart()
  const state = await bank.untilState(reference, 'RETURNED')
  assert.equal(state.reason?.code, 'RETURNED')
  const kinds = (await bank.movements(reference)).map((each) => Reflect.get(Object(each), 'kind'))
  assert.deepEqual(kinds, ['EXECUTED', 'RETURNED'])
  assert.deepEqual(state.money, money)
  await waitUntil(() => gateway.heard.at(-1)?.payment.status === 'RETURNED', {
    timeoutMs: 10_000,
    what: 'the message that it came back',
  })
  // A message whose answer the restart cut off is sent again, under its id.
  const told = new Map(gateway.heard.map((each) => [each.idNotification, each.payment.status]))
  assert.deepEqual([...told.values()], ['SUCCEEDED', 'RETURNED'])
})

test('a mood may be for every third new payment only, and a payment keeps its turn', async (t) => {
  const bank = await openBank(t)
  await bank.mood({ mood: 'NEVER', every: 3 })
  const statuses: string[] = []
  for (let count = 0; count < 9; count += 1)
    statuses.push((await bank.handOver(payment({ direction: 'PAYOUT' }))).status)
  const three = ['SUCCEEDED', 'SUCCEEDED', 'PENDING']
  assert.deepEqual(statuses, [...three, ...three, ...three])
  await bank.mood({ mood: 'DOWN', every: 2 })
  const [tenth, eleventh] = [payment({ direction: 'PAYOUT' }), payment({ direction: 'PAYOUT' })]
  for (let tries = 0; tries < 3; tries += 1) {
    const answer = await bank.send(...put(tenth.reference), { body: JSON.stringify(tenth) })
    assert.equal(answer.status, 503)
  }
  assert.equal((await bank.handOver(eleventh)).status, 'SUCCEEDED')
})

test('a mood of one payment counts before the bank hears of it, and leaves all others alone', async (t) => {
  const bank = await openBank(t)
  const [one, other] = [payment({ direction: 'PAYOUT' }), payment({ direction: 'PAYOUT' })]
  await bank.mood({ mood: 'LESS' }, one.reference)
  assert.equal((await bank.handOver(one)).received?.amount, '134.91')
  assert.equal((await bank.handOver(other)).received, undefined)
})

test('what a payment was handed over with stays with it when the bank’s mood changes', async (t) => {
  const bank = await openBank(t)
  await bank.mood({ mood: 'LESS' })
  const request = payment()
  await bank.handOver(request)
  await bank.mood({ mood: 'NORMAL' })
  await bank.admin('POST', `/payments/${request.reference}/approve`)
  assert.equal((await bank.ask(request.reference)).received?.amount, '134.91')
})

test('every mood can be set, and a payout moves money once at most in each', async (t) => {
  const bank = await openBank(t)
  for (const mood of MOOD_NAMES) {
    await bank.mood({ mood, delayMs: 10_000 })
    if (mood === 'SLOW') await bank.mood({ mood, delayMs: 10 })
    const request = payment({ direction: 'PAYOUT' })
    const body = JSON.stringify(request)
    for (let tries = 0; tries < 2; tries += 1)
      await bank.send(...put(request.reference), { body, timeoutMs: 300 }).catch(() => undefined)
    const { length } = await bank.movements(request.reference)
    assert.equal(length, ['DOWN', 'NEVER', 'LATE'].includes(mood) ? 0 : 1, mood)
  }
})

test('a message is sent until it is taken, in order, under the same id, also over a restart', async (t) => {
  const gateway = await gatewayEar(t, [500, 503, 404])
  const bank = await openBank(t, { gateway })
  await bank.mood({ mood: 'BOUNCE', delayMs: 0 })
  const { reference } = await bank.handOver(payment({ direction: 'PAYOUT' }))
  await bank.restart()
  const heard = await gateway.until(reference, 5)
  const succeeded = heard.filter((each) => each.payment.status === 'SUCCEEDED')
  assert.equal(new Set(succeeded.map((each) => each.idNotification)).size, 1)
  assert.equal(heard.at(-1)?.payment.status, 'RETURNED')
  await bank.untilState(reference, 'RETURNED')
  const owed = async () =>
    JSON.parse((await bank.admin('GET', `/payments/${reference}`)).text).notificationsOwed
  await waitUntil(async () => (await owed()) === 0, { timeoutMs: 10_000, what: 'nothing to be owed' })
  await bank.restart()
  assert.equal(await owed(), 0)
})
