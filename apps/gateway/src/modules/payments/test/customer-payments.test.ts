import assert from 'node:assert/strict'
import { test } from 'node:test'
import { verifyBooks } from '../../../rooms/books.ts'
import { PAYMENTS_OF_CUSTOMERS } from '../../../rooms/erasure.ts'
import { type NewPayment, type PaymentKey, sealPersonalData } from '../index.ts'
import { hasOpenPayments, listCustomerPayments, type PaymentPosition } from '../privacy/customer-payments.ts'
import { accepted, EXPIRED, endTimeToPay, FAILED, keyOf, newPayment, openRig, paid, type Rig } from './rig.ts'

const JANA = { merchantId: '1', idCustomer: 'C-1' }
const ACCOUNT = { accountName: 'Jana Nováková', accountNumber: 'XS00JANA0000000001' }
const EUR_100 = { amount: '100', currencyCode: 'EUR' }

/** A payin of Jana's with everything that a payment may hold of a person. */
async function paymentOfJana(rig: Rig, given: Partial<NewPayment> = {}): Promise<PaymentKey> {
  const key = keyOf(newPayment(given))
  await accepted(rig, {
    ...given,
    ...key,
    idCustomer: JANA.idCustomer,
    returnUrl: 'https://shop.example/thanks?name=jana',
    beneficiaryDigest: Buffer.from('digest of an account'),
    personalData: sealPersonalData(rig.secrets, key, ACCOUNT),
  })
  await rig.service.setExternalReference(key, 'paid by Jana')
  return key
}

const erase = (rig: Rig): Promise<void> =>
  rig.db.transaction((tx) => PAYMENTS_OF_CUSTOMERS.erasePayments(tx, JANA))

async function refusalCode(work: Promise<unknown>): Promise<unknown> {
  const error: unknown = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  return typeof error === 'object' && error !== null ? Reflect.get(error, 'code') : error
}

test('the payments of a customer are listed newest first, page by page, each once', async (t) => {
  const rig = await openRig(t)
  const ids = Array.from({ length: 9 }, (_, n) => `list-${n}`)
  // Three at a time share their moment, to the microsecond.
  await Promise.all(ids.map((idPayment) => accepted(rig, { idPayment, idCustomer: 'C-1' })))
  for (const [n, id] of ids.entries()) {
    const moment = `2026-05-04 10:00:00.12345${Math.floor(n / 3)}+00`
    await rig.sql('update payments set created_at = $1 where id_payment = $2', [moment, id])
  }
  await accepted(rig, { idPayment: 'of-another', idCustomer: 'C-2' })
  await accepted(rig, { idPayment: 'of-nobody' })
  await accepted(rig, { idPayment: 'of-another-merchant', merchantId: '2', idCustomer: 'C-1' })
  const seen: string[] = []
  let after: PaymentPosition | undefined
  for (let pages = 0; pages < 6; pages += 1) {
    const page = await listCustomerPayments(rig.db, JANA, { after, limit: 2 })
    seen.push(...page.map(({ idPayment }) => idPayment))
    after = page.at(-1) ?? after
  }
  assert.deepEqual(seen, ids.toReversed())
  const [newest] = await listCustomerPayments(rig.db, JANA, { after: undefined, limit: 1 })
  assert.deepEqual(newest?.money, EUR_100)
  assert.equal(newest.createdAt.toISOString(), '2026-05-04T10:00:00.123Z')
})

test('an open payment is one that has not ended', async (t) => {
  const rig = await openRig(t)
  assert.equal(await hasOpenPayments(rig.db, JANA), false)
  const key = await accepted(rig, { idCustomer: 'C-1' })
  assert.equal(await hasOpenPayments(rig.db, JANA), true)
  assert.equal(await hasOpenPayments(rig.db, { ...JANA, idCustomer: 'C-2' }), false)
  assert.equal(await hasOpenPayments(rig.db, { ...JANA, merchantId: '2' }), false)
  await rig.service.propose(key, FAILED)
  assert.equal(await hasOpenPayments(rig.db, JANA), false)
})

test('an erasure takes everything personal from the ended payments and nothing else', async (t) => {
  const rig = await openRig(t)
  const key = await paymentOfJana(rig)
  await rig.service.propose(key, { ...paid(EUR_100), payer: ACCOUNT })
  const [event] = await rig.sql('select event_id from callback_events where id_entity = $1', [key.idPayment])
  await rig.sql(`insert into callback_attempts (event_id, attempt_no, started_at, finished_at, outcome, http_status, answer_start)
    values ('${String(event?.['event_id'])}', 1, now(), now(), 'WRONG_STATUS', 500, 'hello Jana')`)
  const before = await rig.service.find(key)
  assert.equal((await rig.service.listPersonalData(key)).length, 2)
  await erase(rig)
  const after = await rig.service.find(key)
  assert(before !== undefined && after !== undefined)
  assert.deepEqual(await rig.service.listPersonalData(key), [])
  assert.deepEqual(
    { ...after, ageSeconds: before.ageSeconds },
    {
      ...before,
      externalReference: undefined,
      returnUrl: undefined,
      beneficiaryDigest: undefined,
      requestDigest: Buffer.alloc(0),
      instructions: {},
    },
  )
  const [left] = await rig.sql(`select
      (select count(*)::int from payment_external_references) as refs,
      (select count(*)::int from callback_attempts where answer_start is not null) as answers,
      (select count(*)::int from payments where beneficiary_digest is not null) as digests,
      (select count(data_key)::int + count(sealed)::int from payment_personal_data) as sealed,
      (select count(*)::int from payment_personal_data) as marks`)
  assert.deepEqual(left, { refs: 0, answers: 0, digests: 0, sealed: 0, marks: 2 })
  assert.deepEqual((await verifyBooks(rig.db)).findings, [])
})

test('what other customers paid, at this merchant or another, is left alone', async (t) => {
  const rig = await openRig(t)
  const others = [{ merchantId: '2' }, { idCustomer: 'C-2' }, { idCustomer: undefined }]
  const keys: PaymentKey[] = []
  for (const other of others) {
    const key = keyOf(newPayment(other))
    const personalData = sealPersonalData(rig.secrets, key, ACCOUNT)
    await accepted(rig, {
      idCustomer: 'C-1',
      returnUrl: 'https://a.example/',
      ...other,
      ...key,
      personalData,
    })
    await rig.service.propose(key, FAILED)
    keys.push(key)
  }
  await erase(rig)
  for (const key of keys) {
    assert.equal((await rig.service.listPersonalData(key)).length, 1)
    assert.equal((await rig.service.find(key))?.returnUrl, 'https://a.example/')
  }
})

test('nothing personal comes back: not from the institution, not as a reference', async (t) => {
  const rig = await openRig(t)
  const key = await accepted(rig, { idCustomer: JANA.idCustomer })
  await endTimeToPay(rig)
  assert.equal((await rig.service.propose(key, EXPIRED)).kind, 'CHANGED')
  await rig.service.setExternalReference(key, 'paid by Jana')
  await erase(rig)
  assert.equal(await refusalCode(rig.service.setExternalReference(key, 'Jana again')), 'INVALID_REF_NUM')
  const late = await rig.service.propose(key, { ...paid(EUR_100), payer: ACCOUNT })
  assert.equal(late.kind, 'CHANGED', 'money that comes late is still booked')
  assert.deepEqual(await rig.service.listPersonalData(key), [])
})

test('a payment that is open keeps its data until it has ended, then loses it', async (t) => {
  const rig = await openRig(t)
  const key = await paymentOfJana(rig)
  await erase(rig)
  assert.equal((await rig.service.listPersonalData(key)).length, 1)
  await rig.service.propose(key, { ...paid(EUR_100), payer: ACCOUNT })
  assert.equal((await rig.service.listPersonalData(key)).length, 2)
  await erase(rig)
  assert.deepEqual(await rig.service.listPersonalData(key), [])
})

test('erasing again writes nothing', async (t) => {
  const rig = await openRig(t)
  await rig.service.propose(await paymentOfJana(rig), FAILED)
  await erase(rig)
  const versions = `select (select array_agg(xmin::text order by id_payment) from payments) as payments,
    (select array_agg(xmin::text order by source) from payment_personal_data) as data`
  const before = await rig.sql(versions)
  await erase(rig)
  assert.deepEqual(await rig.sql(versions), before)
})

test('payments that end while they are erased get neither stuck nor lost', async (t) => {
  const rig = await openRig(t)
  const keys: PaymentKey[] = []
  for (let n = 0; n < 20; n += 1) keys.push(await paymentOfJana(rig, { idPayment: `race-${19 - n}` }))
  const ends = keys.map((key) => rig.service.propose(key, { ...paid(EUR_100), payer: ACCOUNT }))
  await Promise.all([erase(rig), erase(rig), ...ends, erase(rig)])
  await erase(rig)
  for (const key of keys) assert.deepEqual(await rig.service.listPersonalData(key), [])
  assert.deepEqual((await verifyBooks(rig.db)).findings, [])
})
