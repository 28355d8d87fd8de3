import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLog } from '@tollgate/runtime/log'
import { waitUntil } from '@tollgate/testkit'
import { testLog } from '../../../platform/test/index.ts'
import { createCustomerSweeper } from '../index.ts'
import { JANA, keyOf, openRig, type Rig, refusalOf } from './rig.ts'

const sweeperOf = (rig: Rig, given: Partial<Parameters<typeof createCustomerSweeper>[0]> = {}) =>
  createCustomerSweeper({ db: rig.db, log: createLog({ level: 'silent' }), ...rig.hooks, ...given })

const elapse = (rig: Rig, interval: string) =>
  rig.sql(
    `update customers set sweep_due_at = sweep_due_at - interval '${interval}', erased_at = erased_at - interval '${interval}'`,
  )

test('an erased customer shows that it was, answers nothing else, and keeps its id', async (t) => {
  const rig = await openRig(t)
  const { service, sql } = rig
  const { createdAt } = await service.create(keyOf('C-1'), JANA)
  await service.erase(keyOf('C-1'))
  const left = await service.read(keyOf('C-1'))
  assert(left.status === 'ERASED' && left.erasedAt >= createdAt)
  assert.deepEqual(Object.keys(left).toSorted(), [
    'createdAt',
    'erasedAt',
    'idCustomer',
    'merchantId',
    'status',
  ])
  const [row] = await sql(
    'select data_key, sealed, request_digest, segment_code, country_code from customers',
  )
  assert.deepEqual(new Set(Object.values(row ?? {})), new Set([null]))
  assert.equal((await refusalOf(service.change(keyOf('C-1'), { name: 'x' }))).code, 'ENTITY_NOT_FOUND')
  assert.equal((await refusalOf(service.setStatus(keyOf('C-1'), 'ACTIVE'))).code, 'ENTITY_NOT_FOUND')
  const again = await refusalOf(service.create(keyOf('C-1'), JANA))
  const extra = { duplicate: 'DIFFERENT', acceptedAt: createdAt.toISOString() }
  assert.deepEqual(again, { code: 'ENTITY_DUPLICATED', extra })
})

test('erasing again changes nothing', async (t) => {
  const rig = await openRig(t)
  await rig.service.create(keyOf('C-1'), JANA)
  await rig.service.erase(keyOf('C-1'))
  const first = await rig.service.read(keyOf('C-1'))
  await rig.service.erase(keyOf('C-1'))
  assert.deepEqual(await rig.service.read(keyOf('C-1')), first)
  assert.deepEqual(rig.erased, ['C-1'])
})

test('a customer with open payments is not erased', async (t) => {
  const rig = await openRig(t)
  await rig.service.create(keyOf('C-1'), JANA)
  rig.open.add('C-1')
  assert.equal((await refusalOf(rig.service.erase(keyOf('C-1')))).code, 'CUSTOMER_HAS_OPEN_PAYMENTS')
  assert.equal((await rig.service.read(keyOf('C-1'))).status, 'ACTIVE')
  rig.open.clear()
  await rig.service.erase(keyOf('C-1'))
  assert.equal((await rig.service.read(keyOf('C-1'))).status, 'ERASED')
})

test('when the payments cannot be erased, neither is the customer', async (t) => {
  const rig = await openRig(t)
  await rig.service.create(keyOf('C-1'), JANA)
  const failing = rig.serviceWith({ erasePayments: () => Promise.reject(new Error('no way')) })
  await assert.rejects(failing.erase(keyOf('C-1')), /no way/)
  assert.equal((await rig.service.read(keyOf('C-1'))).status, 'ACTIVE')
})

test('an erasure is looked at again every half minute for an hour, and then no more', async (t) => {
  const rig = await openRig(t)
  const sweeper = sweeperOf(rig)
  await rig.service.create(keyOf('C-1'), JANA)
  await rig.service.create(keyOf('C-2'), JANA)
  await rig.service.erase(keyOf('C-1'))
  assert.equal(await sweeper.sweep(), 0, 'it is not due yet')
  await elapse(rig, '30 s')
  assert.equal(await sweeper.sweep(), 1)
  assert.equal(await sweeper.sweep(), 0)
  await elapse(rig, '1 h')
  assert.equal(await sweeper.sweep(), 1)
  await elapse(rig, '1 h')
  assert.equal(await sweeper.sweep(), 0)
  assert.deepEqual(rig.erased, ['C-1', 'C-1', 'C-1'])
})

test('an erasure is looked at until the last payment beside it has ended', async (t) => {
  const rig = await openRig(t)
  const sweeper = sweeperOf(rig)
  await rig.service.create(keyOf('C-1'), JANA)
  await rig.service.erase(keyOf('C-1'))
  rig.open.add('C-1')
  for (const _day of [1, 2, 3]) {
    await elapse(rig, '1 day')
    assert.equal(await sweeper.sweep(), 1)
  }
  rig.open.clear()
  await elapse(rig, '1 day')
  assert.equal(await sweeper.sweep(), 1)
  await elapse(rig, '1 day')
  assert.equal(await sweeper.sweep(), 0)
})

test('a customer that cannot be swept holds up no other, and comes again', async (t) => {
  const rig = await openRig(t)
  const { log, lines } = testLog()
  for (const id of ['C-1', 'C-2', 'C-3']) {
    await rig.service.create(keyOf(id), JANA)
    await rig.service.erase(keyOf(id))
  }
  const swept: string[] = []
  const sweeper = sweeperOf(rig, {
    log,
    erasePayments: async (_tx, { idCustomer }) => {
      if (idCustomer === 'C-2') throw new Error('no way')
      swept.push(idCustomer)
    },
  })
  await elapse(rig, '2 h')
  await sweeper.sweep()
  assert.deepEqual(swept.toSorted(), ['C-1', 'C-3'])
  assert.match(lines.join(''), /could not be erased/)
  const due = await rig.sql('select id_customer from customers where sweep_due_at is not null')
  assert.deepEqual(due, [{ id_customer: 'C-2' }])
})

test('the sweeper works by itself, and stops', async (t) => {
  const rig = await openRig(t)
  await rig.service.create(keyOf('C-1'), JANA)
  await rig.service.erase(keyOf('C-1'))
  const sweeper = sweeperOf(rig, { pollMs: 20 })
  sweeper.start()
  await elapse(rig, '30 s')
  await waitUntil(() => rig.erased.length === 2, { timeoutMs: 10_000, what: 'the sweep' })
  await sweeper.stop()
  await elapse(rig, '1 h')
  assert.deepEqual(rig.erased, ['C-1', 'C-1'])
})
