import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { RawResponse } from '@tollgate/sdk'
import { expectSuccess } from '../support/expectations.ts'
import { startGateway } from '../support/gateway.ts'
import { at, textAt } from '../support/json.ts'
import { mt940 } from '../support/mt940.ts'
import { createPayin, newId, payinWithStatus, readPayin } from '../support/payins.ts'

// What a customer types is a claim: it never becomes somebody else's transfer.

const gateway = await startGateway({ after })
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

/** Hands a statement in, and gives the newest line. */
async function lineOf(amount: string, purpose: string): Promise<unknown> {
  const taken = await gateway.sendToOperators({
    method: 'POST',
    path: '/operator/statements?fileName=day.sta',
    token: fina,
    rawBody: mt940([[amount, purpose]]),
    headers: { 'content-type': 'text/plain' },
  })
  expectSuccess(taken, 200)
  const path = '/operator/statement-lines?limit=1'
  return at(
    expectSuccess(await gateway.sendToOperators({ method: 'GET', path, token: fina }), 200),
    'data',
    0,
  )
}

test('D1: a word that is on every bank line takes no transfer, also where the bank calls it a reference', async () => {
  const id = await claimant('31.01')
  for (const word of ['PAYMENT', 'RECHNUNG', 'NONREF', 'NOTPROVIDED', 'INVOICE TRANSFER']) {
    expectSuccess(await type(id, word), 204)
    const line = await lineOf(
      '31.01',
      `166?00GUTSCHRIFT?20EREF+${word}?31DE89370400440532013000?32ERIKA ${word}`,
    )
    assert.equal(textAt(line, 'state'), 'UNKNOWN')
    assert.equal(at(line, 'payment'), undefined)
  }
  assert.equal(textAt(await readPayin(gateway, token, id), 'process', 'status'), 'CREATED')
})

test('D2: a claim on a word of a stranger’s transfer gets neither the money nor the stranger’s name', async () => {
  const id = await claimant('31.02')
  expectSuccess(await type(id, 'RECHNUNG2026'), 204)
  const line = await lineOf(
    '31.02',
    '166?00GUTSCHRIFT?20RECHNUNG2026 DANKE?30WELADEDDXXX?31DE89370400440532013000?32ERIKA MUSTERMANN',
  )
  assert.equal(textAt(line, 'state'), 'UNKNOWN')
  assert.equal(at(line, 'payment'), undefined)
  const payin = await readPayin(gateway, token, id)
  assert.equal(textAt(payin, 'process', 'status'), 'CREATED')
  assert.doesNotMatch(JSON.stringify(payin), /ERIKA|DE8937/i)
})

test('D3: a claim on the bank’s own reference of a stranger’s transfer to another account gets nothing either', async () => {
  const id = await claimant('31.03')
  const line = await lineOf('31.03', 'a gift')
  const reference = textAt(line, 'bankReference')
  expectSuccess(await type(id, reference), 204)
  const other = await lineOf('31.03', `EREF+${reference}`)
  assert.equal(textAt(other, 'state'), 'UNKNOWN')
  assert.equal(textAt(await readPayin(gateway, token, id), 'process', 'status'), 'CREATED')
})

test('D4: an expired payin takes no transfer that its customer claims', async () => {
  const id = await claimant('31.04')
  assert.equal((await gateway.cli('trigger', 'payin', 'expired', id)).code, 0)
  expectSuccess(await type(id, 'E2E202611200001'), 204)
  const line = await lineOf('31.04', 'EREF+E2E202611200001')
  assert.equal(textAt(line, 'state'), 'UNKNOWN')
  await payinWithStatus(gateway, token, { id, status: 'EXPIRED' })
})
