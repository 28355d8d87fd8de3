import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { runSql, testDatabase, waitUntil } from '@tollgate/testkit'
import { startGateway } from '../support/gateway.ts'
import { at, textAt } from '../support/json.ts'
import { newId } from '../support/payins.ts'
import { createPayout, PAYOUT_OPERATIONS, payoutWithStatus, readPayout } from '../support/payouts.ts'
import { fundBalance } from '../support/topups.ts'
import { startAdapter } from './support/adapter.ts'

// Payouts that were noted and perhaps never sent: handed over once more when the institution proves that it has nothing.

const CHANGE_TIMEOUT_MS = 60_000
const { url: databaseUrl } = await testDatabase({ after })
const sql = (text: string, values?: readonly unknown[]) => runSql(databaseUrl, text, values)
const bank = await startAdapter({ after }, 'bank')
const gateway = await startGateway({ after }, { databaseUrl, settings: bank.settings })
const token = await gateway.demo().token(...PAYOUT_OPERATIONS)
await fundBalance(gateway, token, { id: newId(), amount: '500', currencyCode: 'BRL' })
await sql(`update payment_methods set rail = 'bank' where method_code = 'PIX'`)

/** A payout that goes to the institution as soon as the gateway knows that it is there. */
async function payout(): Promise<{ readonly id: string; readonly reference: string }> {
  const account = { accountName: 'Ada Lovelace', accountNumber: 'ada@example.com' }
  const wanted = { account, amount: '10', currencyCode: 'BRL', method: 'PIX' }
  for (;;) {
    const id = newId()
    const { body } = await createPayout(gateway, token, { id, ...wanted })
    const [row] = await sql('select rail from payments where id_payment = $1', [id])
    if (row?.['rail'] === 'bank') return { id, reference: textAt(body, 'paymentMethodResponse', 'reference') }
  }
}

const putsOf = (reference: string): number =>
  bank.requests.filter((each) => each === `PUT ${reference}`).length
const looksAt = (reference: string): number =>
  bank.requests.filter((each) => each === `GET ${reference}`).length

/** As if it had been noted ten minutes earlier, and is to be asked for now. */
async function tenMinutesLater(id: string): Promise<void> {
  await sql(`update payments set submitted_at = submitted_at - interval '10 minutes' where id_payment = $1`, [
    id,
  ])
  await askNow(id)
}

const askNow = (id: string) =>
  sql(`update payment_tasks set due_at = now(), lease_token = null where id_payment = $1 and task = 'RAIL'`, [
    id,
  ])

const timelineOf = (id: string) =>
  sql('select processor_status, reason from payment_timeline where id_payment = $1 order by entry_no', [id])

test('S27 the gateway dies between the note and the hand-over: after a signed 404 the payout is handed over under the same reference, and paid once', async () => {
  bank.behaviour.put = () => gateway.kill()
  const { id, reference } = await payout()
  await waitUntil(() => gateway.process().ended() !== undefined, {
    timeoutMs: CHANGE_TIMEOUT_MS,
    what: 'the gateway to die',
  })
  bank.behaviour.put = 'TAKE'
  await gateway.start()
  // What was sent may still be on its way: a 404 proves nothing yet.
  await askNow(id)
  const phase = async (): Promise<string> =>
    textAt(await readPayout(gateway, token, id), 'process', 'processorStatus')
  await waitUntil(async () => (await phase()) !== 'SUBMITTED', {
    timeoutMs: CHANGE_TIMEOUT_MS,
    what: 'the answer to count',
  })
  assert.deepEqual([await phase(), looksAt(reference), putsOf(reference)], ['UNKNOWN', 1, 1])
  await tenMinutesLater(id)
  await payoutWithStatus(gateway, token, { id, status: 'SUCCESS' })
  assert.equal(putsOf(reference), 2)
  assert.ok(bank.paid.has(reference))
  const again = (await timelineOf(id)).filter(({ reason }) => String(reason).startsWith('handed over again'))
  assert.equal(again.length, 1)
})

/** A payout that was noted and never arrived, at an institution that takes whatever comes from now on. */
async function lostPayout(): Promise<{ readonly id: string; readonly reference: string }> {
  bank.behaviour.put = 'LOSE'
  const lost = await payout()
  await payoutWithStatus(gateway, token, { id: lost.id, status: 'UNKNOWN' })
  bank.behaviour.put = 'TAKE'
  return lost
}

/** It is asked for twice, late enough for a 404 to count: what follows from the first answer is done before the second question. */
async function staysHandedOverOnce({ id, reference }: Awaited<ReturnType<typeof payout>>): Promise<void> {
  for (const times of [1, 2]) {
    await tenMinutesLater(id)
    await waitUntil(() => looksAt(reference) >= times || putsOf(reference) > 1, {
      timeoutMs: CHANGE_TIMEOUT_MS,
      what: 'an inquiry',
    })
  }
  assert.equal(putsOf(reference), 1)
}

test('S28 a 404 that nobody signed proves nothing: the payout stays unknown, and is never handed over again', async () => {
  bank.behaviour.missing = 'UNSIGNED'
  const lost = await lostPayout()
  await staysHandedOverOnce(lost)
  assert.equal(at(await readPayout(gateway, token, lost.id), 'process', 'processorStatus'), 'UNKNOWN')
  bank.behaviour.missing = 'SIGNED'
})

test('S28 an institution that once had the payout says, signed, that it has nothing: it is not handed over again', async () => {
  const lost = await lostPayout()
  await sql(
    `insert into payment_inquiries (merchant_id, kind, id_payment, question, answer, asked_at)
      select merchant_id, kind, id_payment, 'NOTIFICATION', 'WAITING', now() from payments where id_payment = $1`,
    [lost.id],
  )
  await staysHandedOverOnce(lost)
})

test('S28 the payee is blocked meanwhile: the payout is not handed over again, and nothing is released', async () => {
  const lost = await lostPayout()
  await sql(
    `insert into blocked_beneficiaries (merchant_id, beneficiary_digest, created_by)
      select 0, beneficiary_digest, 'test' from payments where id_payment = $1`,
    [lost.id],
  )
  await staysHandedOverOnce(lost)
  assert.equal(at(await readPayout(gateway, token, lost.id), 'process', 'status'), 'CREATED')
})
