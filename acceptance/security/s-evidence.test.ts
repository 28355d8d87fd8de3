import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { RawResponse } from '@tollgate/sdk'
import { runSql, testDatabase, waitUntil } from '@tollgate/testkit'
import { expectSuccess } from '../support/expectations.ts'
import { CLI, startGateway } from '../support/gateway.ts'
import { at, listAt, textAt } from '../support/json.ts'
import { createPayin, newId, payinWithStatus } from '../support/payins.ts'
import { createPayout, PAYOUT_OPERATIONS, payoutWithStatus } from '../support/payouts.ts'
import { runProgram } from '../support/process.ts'
import { balanceIn, createTopUp, fundBalance, TOP_UP_OPERATIONS, topUpWithStatus } from '../support/topups.ts'

// Final states come from proof: what one member of staff says about a payment moves nothing.

const { url: databaseUrl } = await testDatabase({ after })
const gateway = await startGateway({ after }, { databaseUrl })
const token = await gateway
  .demo()
  .token('GET /payins/.*', 'POST /payins/.*', ...PAYOUT_OPERATIONS, ...TOP_UP_OPERATIONS)
const [ann, bob] = await Promise.all([addOperator('ann'), addOperator('bob')])

async function addOperator(code: string): Promise<string> {
  const roles = ['--role', 'FINANCE', '--role', 'APPROVER', '--role', 'SUPPORT']
  return (await gateway.cli('operators', 'create', code, ...roles)).stdout.trim()
}

type Kind = 'PAYIN' | 'PAYOUT' | 'TOPUP'

const say = (key: string, kind: Kind, id: string, outcome: string): Promise<RawResponse> =>
  gateway.sendToOperators({
    method: 'POST',
    path: `/operator/reviews/${kind}/DEMO/${id}/!decide`,
    token: key,
    body: { outcome, reason: 'The bank confirmed it by phone.' },
  })

const review = async (kind: Kind, id: string): Promise<unknown> =>
  expectSuccess(
    await gateway.sendToOperators({
      method: 'GET',
      path: `/operator/reviews/${kind}/DEMO/${id}`,
      token: ann,
    }),
    200,
  )

/** The status that the payment has got, the phase, and what proved it. */
async function endOf(kind: Kind, id: string): Promise<unknown> {
  const detail = await review(kind, id)
  const last = listAt(detail, 'timeline').at(-1)
  const process = at(detail, 'process')
  return [at(process, 'status'), at(process, 'processorStatus'), at(last, 'evidence')]
}

const BY_TWO = { class: 'PEOPLE', operators: ['ann', 'bob'] }

async function trigger(kind: string, outcome: string, id: string): Promise<void> {
  const { code, stderr } = await gateway.cli('trigger', kind, outcome, id)
  assert.equal(code, 0, stderr)
}

/** One operator, also twice, changes nothing; the second one does. */
async function paidByTwo(kind: Kind, id: string, before: string): Promise<void> {
  assert.equal(textAt(expectSuccess(await say(ann, kind, id, 'EXECUTED'), 200), 'process', 'status'), before)
  assert.equal((await say(ann, kind, id, 'EXECUTED')).status, 409)
  assert.equal(textAt(await review(kind, id), 'process', 'status'), before)
  expectSuccess(await say(bob, kind, id, 'EXECUTED'), 200)
}

test('S1: an expired top-up that turns out paid is SUCCESS by two operators, never by one', async () => {
  const id = newId()
  await createTopUp(gateway, token, { id, amount: '40' })
  await trigger('topup', 'expired', id)
  await topUpWithStatus(gateway, token, { id, status: 'EXPIRED' })
  const before = await balanceIn(gateway, token, 'EUR')
  await paidByTwo('TOPUP', id, 'EXPIRED')
  assert.deepEqual(await endOf('TOPUP', id), ['SUCCESS', 'CONFIRMED_LATE', BY_TWO])
  assert.notDeepEqual(await balanceIn(gateway, token, 'EUR'), before)
})

test('S2: a cancelled and a failed payin that turn out paid are SUCCESS by two operators, and called back', async () => {
  for (const [email, status] of [
    ['cancelled@sandbox.test', 'CANCELLED'],
    ['insufficient-funds@sandbox.test', 'FAILED'],
  ] as const) {
    const id = newId()
    await createPayin(gateway, token, { id, email, callbackUrl: 'http://127.0.0.1:9/callbacks' })
    await payinWithStatus(gateway, token, { id, status })
    await paidByTwo('PAYIN', id, status)
    assert.deepEqual(await endOf('PAYIN', id), ['SUCCESS', 'CONFIRMED', BY_TWO])
    const [row] = await runSql(
      databaseUrl,
      `select count(*)::int as told from callback_events where id_entity = $1`,
      [id],
    )
    assert.equal(row?.['told'], 2)
  }
})

test('S3: a payout that was handed over frees its money only by two operators', async () => {
  await fundBalance(gateway, token, { id: newId(), amount: '500' })
  const id = newId()
  await createPayout(gateway, token, { id, email: 'unknown@sandbox.test' })
  await payoutWithStatus(gateway, token, { id, status: 'CREATED' })
  await waitUntil(
    async () =>
      ['SUBMITTED', 'UNKNOWN'].includes(textAt(await review('PAYOUT', id), 'process', 'processorStatus')),
    { timeoutMs: 60_000, what: 'the payout to be handed over' },
  )
  const held = await balanceIn(gateway, token, 'EUR')
  expectSuccess(await say(ann, 'PAYOUT', id, 'NOT_EXECUTED'), 200)
  assert.equal((await say(ann, 'PAYOUT', id, 'NOT_EXECUTED')).status, 409)
  assert.deepEqual(await balanceIn(gateway, token, 'EUR'), held)
  expectSuccess(await say(bob, 'PAYOUT', id, 'NOT_EXECUTED'), 200)
  assert.deepEqual(await endOf('PAYOUT', id), ['FAILED', 'REJECTED', BY_TWO])
})

const check = () =>
  runProgram([CLI, 'ledger', 'check'], {
    TOLLGATE_DATA_DIR: gateway.dataDir,
    TOLLGATE_DATABASE_URL: databaseUrl,
  })

test('S4: a status that is written without its evidence, or with one name, is found by the check of the books', async () => {
  const id = newId()
  await createPayin(gateway, token, { id, email: 'success@sandbox.test' })
  await payinWithStatus(gateway, token, { id, status: 'SUCCESS' })
  assert.deepEqual(await endOf('PAYIN', id), ['SUCCESS', 'CONFIRMED', { class: 'RAIL' }])
  assert.equal((await check()).code, 0)
  const forge = (text: string) =>
    runSql(databaseUrl, `update payment_timeline set ${text} where id_payment = $1 and status = 'SUCCESS'`, [
      id,
    ])
  for (const forged of [
    `evidence_class = 'CUSTOMER_CLAIM'`,
    `evidence_class = 'PEOPLE', operators = '{ann,ann}'`,
    `evidence_class = null, operators = null`,
  ]) {
    await forge(forged)
    const { code, stdout, stderr } = await check()
    assert.notEqual(code, 0)
    assert.match(`${stdout}${stderr}`, new RegExp(`changes_have_sufficient_evidence[^]*${id}`))
  }
  await forge(`evidence_class = 'RAIL', operators = null`)
  assert.equal((await check()).code, 0)
})
