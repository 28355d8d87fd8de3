import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { RawRequest, RawResponse } from '@tollgate/sdk'
import { runSql, testDatabase, waitUntil } from '@tollgate/testkit'
import { expectSuccess } from '../support/expectations.ts'
import { startGateway } from '../support/gateway.ts'
import { at, textAt } from '../support/json.ts'
import { mt940OfDays } from '../support/mt940.ts'
import { createPayin, newId, payinWithStatus, readPayin } from '../support/payins.ts'

// What a customer types is a claim: it never becomes somebody else's transfer.

const { url: databaseUrl } = await testDatabase({ after })
const gateway = await startGateway({ after }, { databaseUrl })
const token = await gateway.demo().token('GET /payins/.*', 'POST /payins/.*')
const fina = (await gateway.cli('operators', 'create', 'fina', '--role', 'FINANCE')).stdout.trim()

/** A payin that asks its customer for a reference. */
async function claimant(amount: string): Promise<string> {
  const id = newId()
  const account = { accountName: 'Mallory' }
  await createPayin(gateway, token, { id, amount, method: 'OFFLINE_TRANSFER', account })
  return id
}

const type = (id: string, externalReference: string): Promise<RawResponse> =>
  gateway.send({
    method: 'POST',
    path: `/payins/${id}/!setExternalReference`,
    token,
    body: { externalReference },
  })

const today = new Date().toISOString().slice(0, 10)
let opening = 0

/** Hands a statement of today in, and gives the newest line. */
async function lineOf(amount: string, purpose: string): Promise<unknown> {
  opening += 1_000
  const days = { openingOn: today, closingOn: today, opening, bookings: [[amount, purpose]] } as const
  await ask({
    method: 'POST',
    path: '/operator/statements?fileName=day.sta',
    token: fina,
    rawBody: mt940OfDays(days),
    headers: { 'content-type': 'text/plain' },
  })
  const lines = await ask({ method: 'GET', path: '/operator/statement-lines?limit=1', token: fina })
  return at(lines, 'data', 0)
}

/** An operator may ask twenty times a second; these tests ask faster. */
async function ask(request: RawRequest): Promise<unknown> {
  let response = await gateway.sendToOperators(request)
  const isAdmitted = async (): Promise<boolean> => {
    if (response.status === 429) response = await gateway.sendToOperators(request)
    return response.status !== 429
  }
  await waitUntil(isAdmitted, { timeoutMs: 60_000, what: 'the gateway to take a request' })
  return expectSuccess(response, 200)
}

/** What a German bank writes of a transfer from a stranger, with a reference that the payer's bank gave it. */
const withReference = (reference: string): string =>
  `166?00GUTSCHRIFT?20EREF+${reference}?30WELADEDDXXX?31DE89370400440532013000?32ERIKA MUSTERMANN`

async function assertOfNobody(line: unknown, id: string): Promise<void> {
  assert.equal(textAt(line, 'state'), 'UNKNOWN')
  assert.equal(at(line, 'payment'), undefined)
  const payin = await readPayin(gateway, token, id)
  assert.equal(textAt(payin, 'process', 'status'), 'CREATED')
  assert.doesNotMatch(JSON.stringify(payin), /ERIKA|DE8937/i)
}

// Without this one nobody would know that the others keep anything away.
test('a claim on the very reference, money, account and day leads people to the payment, and pays nothing', async () => {
  const id = await claimant('31')
  expectSuccess(await type(id, 'E2E202611200000'), 204)
  const line = await lineOf('31', withReference('E2E202611200000'))
  assert.deepEqual([textAt(line, 'state'), at(line, 'payment', 'idPayment')], ['UNKNOWN', id])
  const payin = await readPayin(gateway, token, id)
  assert.equal(textAt(payin, 'process', 'status'), 'CREATED')
  assert.doesNotMatch(JSON.stringify(payin), /ERIKA|DE8937/i)
})

test('D1: a word that is on every bank line takes no transfer, also where the bank calls it a reference', async () => {
  const id = await claimant('31.01')
  for (const word of ['PAYMENT', 'RECHNUNG', 'NONREF', 'NOTPROVIDED', 'INVOICE TRANSFER']) {
    expectSuccess(await type(id, word), 204)
    await assertOfNobody(await lineOf('31.01', withReference(word)), id)
  }
})

test('D2: a claim on a word of a stranger’s transfer gets neither the money nor the stranger’s name', async () => {
  const id = await claimant('31.02')
  expectSuccess(await type(id, 'RECHNUNG2026'), 204)
  await assertOfNobody(
    await lineOf(
      '31.02',
      '166?00GUTSCHRIFT?20RECHNUNG2026 DANKE?30WELADEDDXXX?31DE89370400440532013000?32ERIKA MUSTERMANN',
    ),
    id,
  )
})

test('D3: a claim on the bank’s own reference of a stranger’s transfer of other money, or to another account, gets nothing either', async () => {
  const id = await claimant('31.03')
  expectSuccess(await type(id, 'E2E202611200003'), 204)
  await assertOfNobody(await lineOf('31.04', withReference('E2E202611200003')), id)
  const elsewhere = await claimant('31.05')
  expectSuccess(await type(elsewhere, 'E2E202611200005'), 204)
  // Its customer was told another account of ours.
  await runSql(
    databaseUrl,
    `update payments set instructions = jsonb_set(instructions, '{account,accountNumber}', '"DE02120300000000202051"') where id_payment = $1`,
    [elsewhere],
  )
  await assertOfNobody(await lineOf('31.05', withReference('E2E202611200005')), elsewhere)
})

test('D3: a payin that another institution carries takes no transfer to our account, whatever its customer claims', async () => {
  const id = await claimant('31.07')
  expectSuccess(await type(id, 'E2E202611200007'), 204)
  await runSql(databaseUrl, `update payments set rail = 'acme-wallet' where id_payment = $1`, [id])
  await assertOfNobody(await lineOf('31.07', withReference('E2E202611200007')), id)
})

test('D5: a claim on a mandate, a creditor’s id or an order number of the payer gets no transfer', async () => {
  const id = await claimant('31.08')
  for (const [key, reference] of [
    ['MREF', 'MANDATE-2026-1'],
    ['KREF', 'ORDER-2026-000001'],
    ['CRED', 'DE98ZZZ09999999999'],
    ['DEBT', 'DEBTOR-4711-0815'],
  ]) {
    expectSuccess(await type(id, reference ?? ''), 204)
    const purpose = `166?00GUTSCHRIFT?20${key}+${reference}?21SVWZ+DANKE?30WELADEDDXXX?31DE89370400440532013000?32ERIKA MUSTERMANN`
    await assertOfNobody(await lineOf('31.08', purpose), id)
  }
})

test('D4: an expired payin takes no transfer that its customer claims', async () => {
  const id = await claimant('31.06')
  assert.equal((await gateway.cli('trigger', 'payin', 'expired', id)).code, 0)
  expectSuccess(await type(id, 'E2E202611200006'), 204)
  const line = await lineOf('31.06', withReference('E2E202611200006'))
  assert.deepEqual([textAt(line, 'state'), at(line, 'payment')], ['UNKNOWN', undefined])
  await payinWithStatus(gateway, token, { id, status: 'EXPIRED' })
})
