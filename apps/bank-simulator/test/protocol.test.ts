import assert from 'node:assert/strict'
import { test } from 'node:test'
import { signatureOf, verifyAnswer } from '@tollgate/rail-protocol'
import { KEYS, openBank, payment, signed, stateIn } from './support.ts'

test('a hand-over is taken once, whatever often it comes', async (t) => {
  const bank = await openBank(t)
  const request = payment({ direction: 'PAYOUT' })
  const first = await bank.handOver(request)
  assert.equal(first.status, 'SUCCEEDED')
  const path = `/payments/${request.reference}`
  const repeats = await Promise.all(
    Array.from({ length: 20 }, () => bank.send('PUT', path, { body: JSON.stringify(request) })),
  )
  for (const repeat of repeats) assert.deepEqual(stateIn(repeat, 200), first)
  assert.deepEqual(await bank.movements(request.reference), [
    {
      at: first.updatedAt,
      reference: request.reference,
      institutionReference: first.institutionReference,
      merchantCode: 'SHOP',
      direction: 'PAYOUT',
      kind: 'EXECUTED',
      money: request.money,
    },
  ])
})

test('twenty hand-overs at the same moment make one payment', async (t) => {
  const bank = await openBank(t)
  const request = payment({ direction: 'PAYOUT' })
  const answers = await Promise.all(
    Array.from({ length: 20 }, () =>
      bank.send('PUT', `/payments/${request.reference}`, { body: JSON.stringify(request) }),
    ),
  )
  assert.equal(answers.filter(({ status }) => status === 201).length, 1)
  assert.equal(answers.filter(({ status }) => status === 200).length, 19)
  assert.equal((await bank.movements(request.reference)).length, 1)
})

test('the same reference with other content is a conflict, and changes nothing', async (t) => {
  const bank = await openBank(t)
  const request = payment()
  const state = await bank.handOver(request)
  const others = [
    { ...request, money: { amount: '149.91', currencyCode: 'EUR' } },
    { ...request, direction: 'PAYOUT' },
    { ...request, customer: { accountName: 'Somebody Else' } },
  ]
  for (const other of others) {
    const answer = await bank.send('PUT', `/payments/${request.reference}`, { body: JSON.stringify(other) })
    assert.equal(answer.status, 409)
    assert.ok(answer.isProven)
    assert.equal(JSON.parse(answer.body.toString()).code, 'CONFLICT')
  }
  assert.deepEqual(await bank.ask(request.reference), state)
})

test('what cannot be a payment is refused with 400, signed, and not kept', async (t) => {
  const bank = await openBank(t)
  const request = payment()
  const bodies = [
    '{',
    '[]',
    JSON.stringify({ ...request, reference: 'OTHER' }),
    JSON.stringify({ ...request, money: { amount: '0', currencyCode: 'EUR' } }),
    JSON.stringify({ ...request, money: { amount: '-1', currencyCode: 'EUR' } }),
    JSON.stringify({ ...request, money: { amount: `0.${'0'.repeat(37)}1`, currencyCode: 'EUR' } }),
    JSON.stringify({ ...request, returnUrl: 'javascript:alert(1)' }),
    JSON.stringify({ ...request, returnUrl: 'nowhere' }),
  ]
  for (const body of bodies) {
    const answer = await bank.send('PUT', `/payments/${request.reference}`, { body })
    assert.equal(answer.status, 400, body)
    assert.ok(answer.isProven)
    assert.equal(JSON.parse(answer.body.toString()).code, 'REQUEST_INVALID')
  }
  assert.equal((await bank.send('GET', `/payments/${request.reference}`)).status, 404)
})

test('a reference that nobody handed over is 404, to look at and to cancel', async (t) => {
  const bank = await openBank(t)
  for (const [method, path] of [
    ['GET', '/payments/NOBODY'],
    ['POST', '/payments/NOBODY/cancel'],
    ['GET', '/payments/%2e%2e%2fadmin'],
  ] as const) {
    const answer = await bank.send(method, path)
    assert.equal(answer.status, 404, path)
    assert.ok(answer.isProven)
    assert.equal(JSON.parse(answer.body.toString()).code, 'NOT_FOUND')
  }
})

test('a payment that waits can be called off, twice as well as once; afterwards nobody can pay it', async (t) => {
  const bank = await openBank(t)
  const request = payment()
  await bank.handOver(request)
  const cancel = async () => stateIn(await bank.send('POST', `/payments/${request.reference}/cancel`), 200)
  const state = await cancel()
  assert.equal(state.status, 'CANCELLED')
  assert.equal(state.reason?.code, 'CANCELLED')
  assert.deepEqual(await cancel(), state)
  assert.equal((await bank.admin('POST', `/payments/${request.reference}/approve`)).status, 409)
  assert.deepEqual(await bank.movements(request.reference), [])
})

test('money that has moved cannot be called off: the answer says what became of it', async (t) => {
  const bank = await openBank(t)
  const request = payment({ direction: 'PAYOUT' })
  await bank.handOver(request)
  const state = stateIn(await bank.send('POST', `/payments/${request.reference}/cancel`), 200)
  assert.equal(state.status, 'SUCCEEDED')
})

test('a forged, a stale and a borrowed signature are refused with 401, and nothing is kept', async (t) => {
  const bank = await openBank(t)
  const request = payment({ direction: 'PAYOUT' })
  const path = `/payments/${request.reference}`
  const body = JSON.stringify(request)
  const right = signed('PUT', path, { body })
  const forged = [
    ['no signature', { 'Tollgate-Key': 'sandbox' }],
    ['one digit is another', { ...right, 'Tollgate-Signature': flipped(right['Tollgate-Signature'] ?? '') }],
    ['another key id', signed('PUT', path, { body, keyId: 'live' })],
    ['too old: a replay', signed('PUT', path, { body, ageSeconds: 301 })],
    ['from the future', signed('PUT', path, { body, ageSeconds: -302 })],
    ['the time was moved', { ...right, 'Tollgate-Timestamp': String(Math.floor(Date.now() / 1000) + 1) }],
    ['of another body', signed('PUT', path, { body: body.replace('149.9', '999.9') })],
    ['of another path', signed('PUT', '/payments/OTHER', { body })],
    ['of another method', signed('GET', path, { body })],
    ['by the institution’s own key: reflected', signed('PUT', path, { body, key: KEYS.institution })],
  ] as const
  for (const [what, headers] of forged) {
    const response = await fetch(`${bank.url}${path}`, { method: 'PUT', headers, body })
    assert.equal(response.status, 401, what)
    assert.equal(response.headers.get('tollgate-signature'), null, what)
  }
  assert.equal((await bank.send('GET', path)).status, 404)
})

test('a request that is sent again within its time does nothing a second time', async (t) => {
  const bank = await openBank(t)
  const request = payment({ direction: 'PAYOUT' })
  const path = `/payments/${request.reference}`
  const body = JSON.stringify(request)
  const headers = signed('PUT', path, { body })
  assert.equal((await bank.send('PUT', path, { body, headers })).status, 201)
  assert.equal((await bank.send('PUT', path, { body, headers })).status, 200)
  assert.equal((await bank.movements(request.reference)).length, 1)
})

test('an answer belongs to one request: to another of the same path it proves nothing', async (t) => {
  const bank = await openBank(t)
  const request = payment()
  const path = `/payments/${request.reference}`
  await bank.handOver(request)
  const own = signed('GET', path, { ageSeconds: 2 })
  const other = signed('GET', path, { ageSeconds: 3 })
  const response = await fetch(`${bank.url}${path}`, { headers: own })
  const answer = {
    status: response.status,
    body: Buffer.from(await response.arrayBuffer()),
    headers: Object.fromEntries(response.headers),
    nowMs: Date.now(),
  }
  const verdictFor = (headers: typeof own, changed = {}) =>
    verifyAnswer(KEYS.institution, { ...answer, ...changed, requestSignature: signatureOf(headers) }).ok
  assert.equal(verdictFor(own), true)
  assert.equal(verdictFor(other), false)
  assert.equal(verdictFor(own, { status: 404 }), false)
})

test('whoever has no admin key scripts nothing', async (t) => {
  const bank = await openBank(t)
  for (const authorization of [undefined, 'Bearer', 'Bearer wrong', 'Basic dGhl']) {
    const headers = authorization === undefined ? {} : { authorization }
    for (const path of ['/admin/mood', '/admin/log', '/admin/payments'])
      assert.equal((await fetch(`${bank.url}${path}`, { headers })).status, 401, authorization)
  }
})

test('the admin API says what is wrong with a mood', async (t) => {
  const bank = await openBank(t)
  for (const body of [
    { mood: 'HAPPY' },
    {},
    { mood: 'SLOW', delay: 3 },
    { mood: 'SLOW', every: 0 },
    { mood: 'SLOW', delayMs: -1 },
  ]) {
    const { status, text } = await bank.admin('PUT', '/mood', body)
    assert.equal(status, 400, text)
    assert.equal(JSON.parse(text).code, 'REQUEST_INVALID')
  }
  assert.equal((await bank.admin('PUT', '/payments/X/mood', { mood: 'SLOW', every: 2 })).status, 400)
  assert.equal((await bank.admin('POST', '/payments/NOBODY/approve')).status, 404)
  assert.deepEqual(JSON.parse((await bank.admin('GET', '/mood')).text), { mood: 'NORMAL' })
})

function flipped(signature: string): string {
  return signature.slice(0, -1) + (signature.endsWith('0') ? '1' : '0')
}
