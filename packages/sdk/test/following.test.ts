import assert from 'node:assert/strict'
import { generateKeyPairSync, verify } from 'node:crypto'
import { type TestContext, test } from 'node:test'
import { signBody } from '../src/index.ts'
import { MERCHANT_KEYS, startFake } from './fake-gateway.ts'

const ORDER = {
  money: { amount: '149.90', currencyCode: 'EUR' },
  paymentMethodCode: 'BANK_TRANSFER',
  callbackUrl: 'https://shop.example/callbacks',
}

/** A client whose pauses are the only time that passes; after so many of them the payin has this status. */
async function rig(t: TestContext, { status = 'SUCCESS', afterPauses = 2 } = {}) {
  const { fake, baseUrl } = await startFake(t)
  let pauses = 0
  const client = fake.client(baseUrl, {
    sleep: async (ms) => {
      fake.nowMs += ms
      fake.slept.push(ms)
      pauses += 1
      if (pauses === afterPauses) end('ORD-1', status)
    },
  })
  const end = (id: string, as: string): void => {
    const { amount, currencyCode } = ORDER.money
    const money = `{"amount":${amount},"currencyCode":"${currencyCode}"}`
    const response = `{"idPayin":"${id}","paymentMethodCode":"BANK_TRANSFER","money":${money}}`
    const process = `{"status":"${as}","createdAt":"2026-11-21T10:15:30.123Z","isTest":true}`
    const body = `{"paymentRequested":{"money":${money}},"paymentMethodResponse":${response},"process":${process}}`
    fake.replies.set(`GET /payins/${id}`, { status: 200, body })
  }
  await client.payins.create('ORD-1', ORDER)
  return { fake, client, end }
}

test('waiting ends with the payment, and pauses grow', async (t) => {
  const { fake, client } = await rig(t, { afterPauses: 5 })
  const { process } = await client.payins.waitFor('ORD-1')
  assert.equal(process.status, 'SUCCESS')
  assert.deepEqual(fake.slept, [500, 1000, 2000, 4000, 5000])
})

test('waiting without end ends with the payment', async (t) => {
  const { client } = await rig(t)
  const { process } = await client.payins.waitFor('ORD-1', { timeoutMs: Number.POSITIVE_INFINITY })
  assert.equal(process.status, 'SUCCESS')
})

test('waiting ends with its time, and the payment is answered as it is', async (t) => {
  const { fake, client } = await rig(t, { afterPauses: 99 })
  const { process } = await client.payins.waitFor('ORD-1', { timeoutMs: 1_200 })
  assert.equal(process.status, 'CREATED')
  assert.deepEqual(fake.slept, [500, 700])
})

test('waiting keeps its time when the gateway does not answer', { timeout: 20_000 }, async (t) => {
  const { fake, baseUrl } = await startFake(t)
  const client = fake.client(baseUrl, {
    nowMs: Date.now,
    sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
  })
  await client.payins.create('ORD-1', ORDER)
  const answer = fake.handle.bind(fake)
  let answers = 1
  fake.handle = async (request, response) => {
    answers -= 1
    if (answers >= 0) await answer(request, response)
  }
  const startedMs = Date.now()
  const { process } = await client.payins.waitFor('ORD-1', { timeoutMs: 1_200 })
  assert.equal(process.status, 'CREATED')
  await assert.rejects(client.payins.handleReturn('ORD-1', { timeoutMs: 1_200 }), { code: 'TIMEOUT' })
  const withoutToken = fake.client(baseUrl, { nowMs: Date.now })
  await assert.rejects(withoutToken.payins.waitFor('ORD-1', { timeoutMs: 1_200 }), { code: 'TIMEOUT' })
  assert.ok(Date.now() - startedMs < 7_000)
  await assert.rejects(client.payins.waitFor('ORD-1', { timeoutMs: Number.NaN }), TypeError)
})

test('a customer who comes back is told what is known, and an unknown status is under way', async (t) => {
  for (const [status, outcome] of [
    ['SUCCESS', 'PAID'],
    ['FAILED', 'NOT_PAID'],
    ['REVERSED', 'NOT_PAID'],
    ['CREATED', 'UNDER_WAY'],
    ['SOMETHING_NEW', 'UNDER_WAY'],
  ] as const) {
    const { client } = await rig(t, { status })
    const told = await client.payins.handleReturn('ORD-1')
    assert.deepEqual([told.outcome, told.payin.process.status], [outcome, status])
  }
})

test('reconciling tells what ended, what is open, and what the gateway never had', async (t) => {
  const { client, end } = await rig(t)
  await client.payins.create('ORD-2', ORDER)
  end('ORD-2', 'EXPIRED')
  const found: string[] = []
  for await (const { id, kind } of client.payins.reconcile(['ORD-1', 'ORD-2', 'ORD-3']))
    found.push(`${id} ${kind}`)
  assert.deepEqual(found, ['ORD-1 OPEN', 'ORD-2 ENDED', 'ORD-3 MISSING'])
})

test('reconciling stops at a fault and takes nothing for missing', async (t) => {
  const { fake, client } = await rig(t)
  fake.faults.push({ status: 500 }, { status: 500 }, { status: 500 })
  await assert.rejects(client.payins.reconcile(['ORD-1']).next(), { code: 'SYSTEM' })
})

test('a key of the older form signs, and what is no RSA key says so', async () => {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const older = privateKey.export({ type: 'pkcs1', format: 'pem' }).toString()
  const signature = Buffer.from(await signBody('{"a":1}', older), 'base64')
  assert.ok(verify('sha256', Buffer.from('{"a":1}'), publicKey, signature))
  const other = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey
  for (const [pem, said] of [
    [other.export({ type: 'pkcs8', format: 'pem' }).toString(), /is an RSA key/],
    ['hello', /BEGIN PRIVATE KEY/],
    [MERCHANT_KEYS.privateKey.replaceAll('PRIVATE KEY', 'ENCRYPTED PRIVATE KEY'), /not encrypted/],
  ] as const)
    await assert.rejects(
      signBody('{}', pem),
      (error) => error instanceof TypeError && said.test(error.message),
    )
})
