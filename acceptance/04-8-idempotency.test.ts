import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { waitUntil } from '@tollgate/testkit'
import { differenceOf, sumOf } from './support/decimal.ts'
import { expectError, expectSuccess } from './support/expectations.ts'
import { startGateway } from './support/gateway.ts'
import { at, itemWith, listAt, textAt } from './support/json.ts'
import { expectKept, expectRepeatable, startLoad, untilAccepted } from './support/load.ts'
import { ALL_OPERATIONS, addMerchant } from './support/merchant.ts'
import { createPayin, createRequest, newId, readPayin } from './support/payins.ts'

// Specification 4.8: an id is accepted once, whatever happens to the answer, the gateway or its database.

const ROUNDS = 6
const CONCURRENT = 50
const LOAD_WORKERS = 3

const gateway = await startGateway({ after })
const { databaseUrl = '', dataDir } = gateway
const token = await gateway.demo().token(...ALL_OPERATIONS)

test('of 50 creates of one id at once exactly one is accepted', async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const id = newId()
    const answers = await Promise.all(
      Array.from({ length: CONCURRENT }, () => gateway.send(createRequest(token, id))),
    )
    const accepted = answers.filter((answer) => answer.status === 201)
    assert.equal(accepted.length, 1)
    const acceptedAt = textAt(accepted[0]?.body, 'paymentMethodResponse', 'acceptedAt')
    for (const answer of answers.filter((each) => each.status !== 201)) {
      expectError(answer, 409, 'ENTITY_DUPLICATED')
      assert.equal(at(answer.body, 'duplicate'), 'IDENTICAL')
      assert.equal(at(answer.body, 'acceptedAt'), acceptedAt)
    }
  }
})

test('the same holds when they differ, and when they reach two gateways on one database', async (t) => {
  const second = await startGateway(t, { databaseUrl, dataDir })
  for (let round = 0; round < ROUNDS; round += 1) {
    const id = newId()
    const answers = await Promise.all(
      Array.from({ length: CONCURRENT }, (_, n) =>
        (n % 2 === 0 ? gateway : second).send(createRequest(token, id, { amount: String(n + 1) })),
      ),
    )
    const accepted = answers.filter((answer) => answer.status === 201)
    assert.equal(accepted.length, 1)
    for (const answer of answers.filter((each) => each.status !== 201)) {
      expectError(answer, 409, 'ENTITY_DUPLICATED')
      assert.equal(at(answer.body, 'duplicate'), 'DIFFERENT')
    }
    const stored = await readPayin(second, token, id)
    assert.deepEqual(at(stored, 'paymentRequested'), at(accepted[0]?.body, 'paymentRequested'))
  }
})

test('a request that was refused leaves its id free', async () => {
  const id = newId()
  expectError(await gateway.send(createRequest(token, id, { amount: '0.01' })), 406, 'AMOUNT_BELOW_MINIMUM')
  expectError(await gateway.send(createRequest(token, id, { amount: '0' })), 400, 'ATTRIBUTE_VALUE_INVALID')
  await createPayin(gateway, token, { id })
})

test('unknown members and the order of members make no difference to what is identical', async () => {
  const id = newId()
  const send = (rawBody: string) => gateway.send({ method: 'POST', path: `/payins/${id}`, token, rawBody })
  const money = '"paymentRequested":{"money":{"amount":5,"currencyCode":"EUR"}}'
  const rest = '"paymentMethod":{"paymentMethodCode":"BANK_TRANSFER"},"callbackUrl":"http://127.0.0.1:9/"'
  expectSuccess(await send(`{${money},${rest}}`), 201)
  assert.equal(at((await send(`{ ${rest}, "unheardOf": 1,\n${money} }`)).body, 'duplicate'), 'IDENTICAL')
})

test('two merchants may use one id, and neither learns of the other', async () => {
  const other = await addMerchant(gateway, 'OTHER')
  await gateway.cli('merchants', 'enable-method', 'OTHER', 'all')
  const otherToken = await other.token(...ALL_OPERATIONS)
  const id = newId()
  await createPayin(gateway, token, { id, email: 'success@sandbox.test' })
  const read = { method: 'GET', path: `/payins/${id}`, token: otherToken }
  expectError(await gateway.send(read), 410, 'ENTITY_NOT_FOUND')
  expectError(await gateway.send({ ...read, path: `${read.path}/accounts` }), 410, 'ENTITY_NOT_FOUND')
  const reference = { ...read, method: 'POST', path: `${read.path}/!setExternalReference` }
  const body = { externalReference: 'R-1' }
  expectError(await gateway.send({ ...reference, body }), 410, 'ENTITY_NOT_FOUND')
  const balances = await gateway.send({ method: 'GET', path: '/balances', token: otherToken })
  assert.deepEqual(at(balances.body, 'data'), [])
  await createPayin(gateway, otherToken, { id, amount: '77' })
  assert.equal(at(await readPayin(gateway, otherToken, id), 'paymentRequested', 'money', 'amount'), '77')
  assert.equal(at(await readPayin(gateway, token, id), 'paymentRequested', 'money', 'amount'), '149.9')
})

test('a repeat of an accepted payin stays a duplicate when its method is gone', async () => {
  const id = newId()
  const wanted = { method: 'PIX', currencyCode: 'BRL' }
  await createPayin(gateway, token, { id, ...wanted })
  await gateway.cli('merchants', 'disable-method', 'DEMO', 'PIX')
  const isGone = async (): Promise<boolean> =>
    (await gateway.send(createRequest(token, newId(), wanted))).status === 406
  await waitUntil(isGone, { timeoutMs: 60_000, what: 'the method to be gone' })
  const again = await gateway.send(createRequest(token, id, wanted))
  expectError(again, 409, 'ENTITY_DUPLICATED')
  assert.equal(at(again.body, 'duplicate'), 'IDENTICAL')
  const other = await gateway.send(createRequest(token, id, { ...wanted, amount: '1' }))
  assert.equal(at(other.body, 'duplicate'), 'DIFFERENT')
})

test('nothing that was accepted is lost when the gateway or its database is killed under load', async (t) => {
  const victim = await startGateway(t, { embedded: true })
  const key = await victim.demo().token(...ALL_OPERATIONS)
  const load = startLoad(victim, key, LOAD_WORKERS)

  await t.test('the gateway is killed and started again', async () => {
    await untilAccepted(load, 50)
    await victim.kill()
    await victim.start()
    await untilAccepted(load, 50)
  })

  await t.test('the database is killed and comes back by itself', async () => {
    const gatewayProcess = victim.process().pid
    process.kill(postmasterOf(victim.dataDir), 'SIGKILL')
    await untilAccepted(load, 50)
    assert.equal(victim.process().pid, gatewayProcess)
    assert.equal(victim.process().ended(), undefined)
  })

  await t.test('every payin that was accepted is there, and ends', async () => {
    await load.stop()
    await expectKept(victim, key, load)
    await expectRepeatable(victim, key, load)
  })

  await t.test('the books hold each of them once', async () => {
    const ids = [...load.accepted.keys(), ...load.unknown]
    const balances = await victim.send({ method: 'GET', path: '/balances', token: key })
    const euros = itemWith(listAt(balances.body, 'data'), 'currencyCode', 'EUR')
    const perPayin = differenceOf('149.9', '0.25')
    assert.equal(textAt(euros, 'balance', 'amount'), sumOf(ids.map(() => perPayin)))
    await victim.cli('ledger', 'check')
  })
})

function postmasterOf(folder: string): number {
  const [pid] = readFileSync(join(folder, 'postgres', 'postmaster.pid'), 'utf8').split('\n')
  return Number(pid)
}
