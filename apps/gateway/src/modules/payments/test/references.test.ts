import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Refusal } from '../../../platform/refusal.ts'
import { accepted, EXPIRED, endTimeToPay, FAILED, openRig, paid, type Rig } from './rig.ts'

const refusedWith = (code: string) => (error: unknown) => error instanceof Refusal && error.code === code

const kept = async (rig: Rig) =>
  (await rig.sql('select external_reference from payment_external_references order by entry_no')).map(
    (row) => row['external_reference'],
  )

test('the last reference wins, all are kept, and the same one again changes nothing', async (t) => {
  const rig = await openRig(t)
  const key = await accepted(rig, { processorStatus: 'AWAITING_REFERENCE' })
  for (const reference of ['A', 'B', 'B', 'A']) await rig.service.setExternalReference(key, reference)
  const payment = await rig.service.find(key)
  assert.equal(payment?.externalReference, 'A')
  assert.equal(payment.processorStatus, 'REFERENCE_SUBMITTED')
  assert.deepEqual(await kept(rig), ['A', 'B', 'A'])
  assert.deepEqual(
    (await rig.service.listTimeline(key)).map(
      (entry) => `${entry.status} ${entry.processorStatus} ${entry.actor}`,
    ),
    [
      'CREATED AWAITING_REFERENCE merchant',
      'CREATED REFERENCE_SUBMITTED customer',
      'CREATED REFERENCE_SUBMITTED customer',
      'CREATED REFERENCE_SUBMITTED customer',
    ],
  )
})

test('a reference gives the rail work, even while a worker holds its task', async (t) => {
  const rig = await openRig(t)
  const key = await accepted(rig)
  const rail = () =>
    rig.sql(`select due_at <= clock_timestamp() as due, lease_token from payment_tasks where task = 'RAIL'`)
  assert.deepEqual(await rail(), [])
  await rig.service.setExternalReference(key, 'A')
  assert.deepEqual(await rail(), [{ due: true, lease_token: null }])
  await rig.sql(
    `update payment_tasks set lease_token = gen_random_uuid(), due_at = clock_timestamp() + interval '30 s' where task = 'RAIL'`,
  )
  await rig.service.setExternalReference(key, 'B')
  assert.deepEqual(await rail(), [{ due: true, lease_token: null }])
})

test('after expiry a reference is kept and goes to review, and wakes no rail', async (t) => {
  const rig = await openRig(t)
  const key = await accepted(rig)
  await endTimeToPay(rig)
  await rig.service.propose(key, EXPIRED)
  await rig.service.setExternalReference(key, 'late')
  const payment = await rig.service.find(key)
  assert.deepEqual(
    [payment?.status, payment?.processorStatus, payment?.externalReference],
    ['EXPIRED', 'IN_REVIEW', 'late'],
  )
  assert.deepEqual(await kept(rig), ['late'])
  assert.deepEqual(await rig.sql('select task from payment_tasks'), [{ task: 'REVIEW' }])
  assert.deepEqual(await rig.sql('select count(*)::int as n from callback_events'), [{ n: 1 }])
})

for (const [end, proposal] of [
  ['SUCCESS', paid({ amount: '100', currencyCode: 'EUR' })],
  ['FAILED', FAILED],
] as const) {
  test(`after ${end} only the equal reference is taken`, async (t) => {
    const rig = await openRig(t)
    const key = await accepted(rig)
    await rig.service.setExternalReference(key, 'A')
    await rig.service.propose(key, proposal)
    await rig.service.setExternalReference(key, 'A')
    await assert.rejects(rig.service.setExternalReference(key, 'B'), refusedWith('ENTITY_EXPIRED'))
    assert.deepEqual(await kept(rig), ['A'])
    assert.equal((await rig.service.find(key))?.status, end)
  })
}

test('a method that takes none refuses, whatever the status; what does not exist is not found', async (t) => {
  const rig = await openRig(t)
  const key = await accepted(rig, { instructions: {} })
  await assert.rejects(rig.service.setExternalReference(key, 'A'), refusedWith('INVALID_REF_NUM'))
  await rig.service.propose(key, FAILED)
  await assert.rejects(rig.service.setExternalReference(key, 'A'), refusedWith('INVALID_REF_NUM'))
  await assert.rejects(
    rig.service.setExternalReference({ ...key, merchantId: '2' }, 'A'),
    refusedWith('ENTITY_NOT_FOUND'),
  )
  assert.deepEqual(await kept(rig), [])
})

test('of many references at once the stored one is the last of the history', async (t) => {
  const rig = await openRig(t)
  const key = await accepted(rig)
  await Promise.all(
    Array.from({ length: 10 }, (_, index) => rig.service.setExternalReference(key, `R-${index}`)),
  )
  const all = await kept(rig)
  assert.equal(new Set(all).size, 10)
  assert.equal((await rig.service.find(key))?.externalReference, all.at(-1))
})
