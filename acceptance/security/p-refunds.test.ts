import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { RawResponse } from '@tollgate/sdk'
import { runSql, testDatabase, testRounds, waitUntil } from '@tollgate/testkit'
import { expectError, expectSuccess } from '../support/expectations.ts'
import { startGateway } from '../support/gateway.ts'
import { at } from '../support/json.ts'
import { ALL_OPERATIONS, addMerchant } from '../support/merchant.ts'
import { createPayin, newId, payinWithStatus } from '../support/payins.ts'
import { ACCOUNT_NUMBERS, PAYOUT_OPERATIONS } from '../support/payouts.ts'
import { fundBalance } from '../support/topups.ts'

// A refund is money that leaves: who may, how much, and to whom.

const { url: databaseUrl } = await testDatabase({ after })
const gateway = await startGateway({ after }, { databaseUrl })
const second = await startGateway({ after }, { databaseUrl, dataDir: gateway.dataDir })
const demo = gateway.demo()
const rival = await addMerchant(gateway, 'RIVAL')
const token = await demo.token(...ALL_OPERATIONS, ...PAYOUT_OPERATIONS)
await fundBalance(gateway, token, { id: newId(), amount: '50000' })

const account = { accountName: 'Ada Lovelace', accountNumber: ACCOUNT_NUMBERS[0] }

/** A payin of 100 EUR that its customer has paid. */
async function paidPayin(): Promise<string> {
  const id = newId()
  await createPayin(gateway, token, { id, amount: '100', account, email: 'success@sandbox.test' })
  await payinWithStatus(gateway, token, { id, status: 'SUCCESS' })
  return id
}

interface Wanted {
  readonly amount?: string
  readonly by?: string
  readonly at?: typeof gateway
  readonly more?: object
}

const refund = (idPayin: string, idRefund: string, wanted: Wanted = {}): Promise<RawResponse> => {
  const { amount = '10', by = token, at = gateway, more } = wanted
  const body = { refundRequested: { money: { amount, currencyCode: 'EUR' } }, ...more }
  return at.send({ method: 'POST', path: `/payins/${idPayin}/refunds/${idRefund}`, token: by, body })
}

async function refundedOf(idPayin: string): Promise<unknown> {
  const [row] = await runSql(
    databaseUrl,
    `select sum(p.amount)::text as amount from refunds r join payments p using (merchant_id, id_payment)
      where r.id_payin = $1 and p.kind = 'PAYOUT' and p.status in ('CREATED', 'SUCCESS')`,
    [idPayin],
  )
  return row?.['amount']
}

test('P22 nobody refunds a payin of another merchant, or with a token that was made for something else', async () => {
  const idPayment = await paidPayin()
  const theirs = await rival.token('POST /.*', 'GET /.*')
  expectError(await refund(idPayment, 'R', { by: theirs }), 410, 'ENTITY_NOT_FOUND')
  for (const path of [`/payins/${idPayment}/refunds`, `/payins/${idPayment}/refunds/R`])
    expectError(await gateway.send({ method: 'GET', path, token: theirs }), 410, 'ENTITY_NOT_FOUND')
  const others = [
    await demo.tokenFor({ action: 'PAYIN_CREATE', idPayment }),
    await demo.tokenFor({ action: 'PAYIN_INFO', idPayment }),
    await demo.tokenFor({ action: 'PAYIN_CANCEL', idPayment }),
    await demo.tokenFor({ action: 'PAYIN_REFUND', idPayment: idPayment.slice(1) }),
    await demo.tokenFor({ action: 'PAYIN_REFUND', idPayment: `${idPayment}x` }),
    await demo.token(`POST /payins/${idPayment}`, 'POST /payouts/.*', 'GET /payins/.*'),
  ]
  for (const by of others) expectError(await refund(idPayment, 'R', { by }), 403, 'OPERATION_NOT_PERMITTED')
  assert.equal(await refundedOf(idPayment), null)
  const by = await demo.tokenFor({ action: 'PAYIN_REFUND', idPayment })
  expectSuccess(await refund(idPayment, 'R', { by }), 201)
})

test('P22 naming an account takes the permission to pay out, and money goes back to where it came from', async () => {
  const id = await paidPayin()
  const more = { account: { accountName: 'Mallory', accountNumber: ACCOUNT_NUMBERS[1] } }
  for (const by of [
    await demo.token('POST /payins/.*'),
    await demo.tokenFor({ action: 'PAYIN_REFUND', idPayment: id }),
  ])
    expectError(await refund(id, 'R', { by, more }), 403, 'OPERATION_NOT_PERMITTED')
  expectError(await refund(id, 'R', { more }), 406, 'REFUND_ACCOUNT_DIFFERENT')
  await runSql(
    databaseUrl,
    `delete from payment_personal_data where id_payment = $1 and source = 'PROCESS'`,
    [id],
  )
  expectError(
    await refund(id, 'R', { by: await demo.token('POST /payins/.*'), more }),
    403,
    'OPERATION_NOT_PERMITTED',
  )
  expectSuccess(await refund(id, 'R', { more }), 201)
})

test('P22 a rule for approvals lets a refund wait for two operators, as it does a payout', async () => {
  await gateway.cli('merchants', 'set-payout-rule', 'DEMO', '--currency', 'EUR', '--amount-from', '90')
  const isWaiting = async (): Promise<boolean> => {
    const id = await paidPayin()
    const accepted = expectSuccess(await refund(id, 'R-1', { amount: '95' }), 201)
    const path = `/payins/${id}/refunds/R-1`
    const detail = expectSuccess(await gateway.send({ method: 'GET', path, token }), 200)
    assert.deepEqual(at(detail, 'refundRequested'), at(accepted, 'refundRequested'))
    return at(detail, 'process', 'processorStatus') === 'AWAITING_APPROVAL'
  }
  await waitUntil(isWaiting, { timeoutMs: 60_000, what: 'a refund that waits for approval' })
})

/** Payins that 64 refunds each fight for. */
const CONTESTED = testRounds(3)

test('P22 of 64 refunds at once, at two gateways, as many are accepted as were paid for, and the books agree', async () => {
  for (let round = 0; round < CONTESTED; round += 1) {
    const id = await paidPayin()
    const answers = await Promise.all(
      Array.from({ length: 64 }, (_, n) =>
        refund(id, `R-${n % 48}`, { amount: '7', at: n % 2 === 0 ? gateway : second }),
      ),
    )
    const statuses = answers.map(({ status }) => status)
    assert.equal(statuses.filter((status) => status === 201).length, 14, statuses.join())
    assert.ok(
      statuses.every((status) => [201, 406, 409].includes(status)),
      statuses.join(),
    )
    assert.equal(await refundedOf(id), '98')
  }
  assert.equal((await gateway.cli('ledger', 'check')).code, 0)
})
