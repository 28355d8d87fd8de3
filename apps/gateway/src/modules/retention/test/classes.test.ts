import assert from 'node:assert/strict'
import { test } from 'node:test'
import { verifyBooks } from '../../../rooms/books.ts'
import { createCallbackService } from '../../callbacks/index.ts'
import {
  DAYS,
  datePayments,
  dateTimeline,
  EVENTS,
  endCallbacks,
  HELD,
  keepInquiry,
  openRig,
  over,
  type Rig,
  within,
} from './rig.ts'

const INQUIRIES = 'select id_payment from payment_inquiries'
const ATTEMPTS = 'select distinct id_entity from callback_attempts join callback_events using (event_id)'

test('callbacks that are over for long enough go with their attempts, and no others', async (t) => {
  const rig = await openRig(t)
  const { sql } = rig
  const ids = ['old', 'exhausted', 'young', 'late', 'pending', 'leased', 'resent', 'reviewed', 'asked-again']
  for (const id of ids) await rig.ended(id)
  await endCallbacks(rig, over(DAYS.DELIVERIES))
  await sql(`update callback_events set state = 'EXHAUSTED' where id_entity = 'exhausted'`)
  await sql(`update callback_events set created_at = ${within(DAYS.DELIVERIES)} where id_entity = 'young'`)
  // Made long ago, but done with later.
  await sql(
    `update callback_events set done_at = ${within(DAYS.DELIVERIES)} where id_entity in ('young', 'late')`,
  )
  await sql(
    `update callback_events set state = 'PENDING', done_at = null, due_at = clock_timestamp() where id_entity = 'pending'`,
  )
  await sql(`update callback_events set state = 'PENDING', done_at = null, due_at = clock_timestamp() + interval '20 s',
    lease_token = gen_random_uuid() where id_entity = 'leased'`)
  const [resent] = await sql(`select event_id from callback_events where id_entity = 'resent'`)
  assert.equal(await createCallbackService(rig).resendCallback(String(resent?.['event_id'])), 'RESENT')
  await sql(`insert into payment_tasks (merchant_id, kind, id_payment, task, due_at)
    values (1, 'PAYIN', 'reviewed', 'REVIEW', now()), (1, 'PAYIN', 'asked-again', 'RAIL', now())`)
  const [status] = await rig.service().list()
  assert.equal(status?.over, 2)
  const removed = await rig.worker().sweep()
  assert.equal(removed.DELIVERIES, 2)
  const left = ids.filter((id) => id !== 'old' && id !== 'exhausted').toSorted()
  assert.deepEqual(await rig.list(EVENTS), left)
  assert.deepEqual(await rig.list(ATTEMPTS), left)
  assert.equal((await rig.list('select event_id from callback_attempts')).length, left.length)
  const [{ value } = { value: 0 }] = (await rig.metrics.retentionRemoved.get()).values
  assert.equal(value, 2)
})

test('verification misses no callback that may have been removed, and every other', async (t) => {
  const rig = await openRig(t)
  for (const id of ['old', 'young']) await rig.ended(id)
  await endCallbacks(rig, over(DAYS.DELIVERIES), ['old'])
  await dateTimeline(rig, over(DAYS.DELIVERIES), ['old'])
  await rig.worker().sweep()
  assert.deepEqual(await rig.list(EVENTS), ['young'])
  assert.deepEqual((await verifyBooks(rig.db)).findings, [])
  // Whatever the setting says later.
  await rig.worker({ days: { ...DAYS, DELIVERIES: 365 } }).sweep()
  assert.deepEqual((await verifyBooks(rig.db)).findings, [])
  await rig.sql(`delete from callback_events where id_entity = 'young'`)
  assert.deepEqual(
    (await verifyBooks(rig.db)).findings.map(({ check }) => check),
    ['changes_are_called_back'],
  )
})

test('answers about ended payments go, and those that somebody still needs stay', async (t) => {
  const rig = await openRig(t)
  const ended = ['old', 'young', 'repeated', 'reviewed', 'asked-again', 'decided']
  for (const id of ended) await rig.ended(id)
  await rig.open('open')
  const asked = over(DAYS.INQUIRIES)
  for (const id of [...ended, 'open']) if (id !== 'young') await keepInquiry(rig, id, { asked })
  await keepInquiry(rig, 'young', { asked: within(DAYS.INQUIRIES) })
  await rig.sql(
    `update payment_inquiries set times = 2, last_answered_at = ${within(DAYS.INQUIRIES)} where id_payment = 'repeated'`,
  )
  await rig.sql(`update payments set processor_status = 'IN_REVIEW' where id_payment = 'reviewed'`)
  await rig.sql(
    `insert into payment_tasks (merchant_id, kind, id_payment, task, due_at) values (1, 'PAYIN', 'asked-again', 'RAIL', now())`,
  )
  await rig.sql(`insert into payment_inquiries (merchant_id, kind, id_payment, question, answer, asked_at, last_answered_at, operator_code, reason, timeline_entry_no)
    values (1, 'PAYIN', 'decided', 'OPERATOR', 'UNCHANGED', ${asked}, ${asked}, 'ada', 'line 14', 2)`)
  const { over: count, oldestAt } = (await rig.service().list())[1] ?? {}
  assert.equal(count, 1)
  assert(oldestAt !== undefined && oldestAt.getTime() < Date.now() - DAYS.INQUIRIES * 86_400_000)
  assert.equal((await rig.worker().sweep()).INQUIRIES, 1)
  assert.deepEqual(await rig.list(INQUIRIES), [
    'asked-again',
    'decided',
    'decided',
    'open',
    'repeated',
    'reviewed',
    'young',
  ])
})

test('an answer that comes after the others were removed is kept as the first', async (t) => {
  const rig = await openRig(t)
  const key = await rig.ended('paid-late')
  await keepInquiry(rig, 'paid-late', { asked: over(DAYS.INQUIRIES) })
  await rig.worker().sweep()
  assert.deepEqual(await rig.payments.listInquiries(key), [])
  const answer = { question: 'NOTIFICATION', answer: 'SUCCEEDED', reasonCode: undefined } as const
  await rig.payments.keepInquiry({
    ...key,
    ...answer,
    contradicts: true,
    digest: undefined,
    askedAt: undefined,
  })
  assert.deepEqual(
    (await rig.payments.listInquiries(key)).map(({ question, times }) => [question, times]),
    [['NOTIFICATION', 1]],
  )
  assert.deepEqual((await verifyBooks(rig.db)).findings, [])
})

test('a payment forgets whom it names, as in an erasure, and keeps everything else', async (t) => {
  const rig = await openRig(t)
  const key = await rig.ended('old')
  await rig.ended('young')
  await datePayments(rig, over(DAYS.PERSONAL_DATA), ['old'])
  await datePayments(rig, within(DAYS.PERSONAL_DATA), ['young'])
  const before = await rig.payments.find(key)
  assert.equal((await rig.service().list())[2]?.over, 1)
  assert.equal((await rig.worker().sweep()).PERSONAL_DATA, 1)
  const after = await rig.payments.find(key)
  assert(before !== undefined && after !== undefined)
  assert.deepEqual(
    { ...after, ageSeconds: before.ageSeconds },
    { ...before, returnUrl: undefined, requestDigest: Buffer.alloc(0), instructions: {} },
  )
  assert.deepEqual(await rig.payments.listPersonalData(key), [])
  assert.deepEqual(await rig.list(`select source from payment_personal_data where id_payment = 'old'`), [
    'PROCESS',
    'REQUEST',
  ])
  assert.deepEqual(await rig.list(HELD), ['young'])
  assert.deepEqual((await verifyBooks(rig.db)).findings, [])
  assert.equal((await rig.worker().sweep()).PERSONAL_DATA, 0)
})

test('a payment that is open, in review, asked about, or whose money waits keeps its personal data', async (t) => {
  const rig = await openRig(t)
  const ended = ['reviewed', 'phase-only', 'asked-again', 'money-waits', 'changed-lately', 'at-rest']
  for (const id of ended) await rig.ended(id)
  await rig.open('open')
  await datePayments(rig, over(DAYS.PERSONAL_DATA))
  await rig.sql(`insert into payment_tasks (merchant_id, kind, id_payment, task, due_at)
    values (1, 'PAYIN', 'reviewed', 'REVIEW', now()), (1, 'PAYIN', 'asked-again', 'RAIL', now())`)
  await rig.sql(
    `update payments set processor_status = 'IN_REVIEW' where id_payment in ('reviewed', 'phase-only')`,
  )
  await rig.sql(
    `update payment_timeline set happened_at = ${within(DAYS.PERSONAL_DATA)} where id_payment = 'changed-lately' and entry_no = 2`,
  )
  await waitingLine(rig, 'money-waits')
  assert.equal((await rig.service().list())[2]?.over, 1)
  assert.equal((await rig.worker().sweep()).PERSONAL_DATA, 1)
  assert.deepEqual(await rig.list(HELD), [...ended.filter((id) => id !== 'at-rest'), 'open'].toSorted())
})

/** A line of a statement about the payment, of which nobody has decided where its money goes. */
async function waitingLine({ sql }: Rig, idPayment: string): Promise<void> {
  // A line without its statement: the rest of a bank's file is of no concern here.
  await sql('set session_replication_role = replica')
  await sql(
    `insert into statement_lines (statement_id, account_code, currency_code, position, entry_fingerprint, occurrence, part, direction,
        is_reversal, amount, booked_on, data_key, sealed, state, open_amount, merchant_id, kind, id_payment)
      values (1, 'MAIN', 'EUR', 1, sha256(''), 1, 1, 'CREDIT', false, 100, now(), '\\x00', '\\x00', 'LATE', 100, 1, 'PAYIN', $1)`,
    [idPayment],
  )
  await sql('reset session_replication_role')
}
