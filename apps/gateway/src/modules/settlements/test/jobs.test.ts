import assert from 'node:assert/strict'
import { test } from 'node:test'
import { waitUntil } from '@tollgate/testkit'
import { openTestDatabase } from '../../../platform/test/index.ts'
import { faultsOf, openRig, type Rig } from './rig.ts'

/** So many days ago at this hour (UTC), by the database's clock. */
async function ago(rig: Rig, days: number, hour = 12): Promise<string> {
  const [row] = await rig.sql(
    `select to_char(date_trunc('day', clock_timestamp() at time zone 'UTC') - make_interval(days => $1::int, hours => $2::int), 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as at`,
    [days, -hour],
  )
  return String(row?.['at'])
}

async function resultsOf({ metrics }: Rig): Promise<Readonly<Record<string, number>>> {
  const { values } = await metrics.settlementRuns.get()
  return Object.fromEntries(values.map(({ labels, value }) => [labels.result ?? '', value]))
}

const PAST = '2026-01-01T00:00:00Z'

test('a worker that was away settles period by period, and then waits for the next', async (t) => {
  const rig = await openRig(t)
  await rig.setCycle({ since: await ago(rig, 5), dueAt: PAST })
  for (const days of [5, 4, 2])
    await rig.book('PAYIN_SUCCESS', { id: `P${days}`, gross: '10', at: await ago(rig, days) })
  const worker = rig.worker()
  assert.equal(await worker.runDue(), 5)
  assert.equal(await worker.runDue(), 0)
  assert.deepEqual(await resultsOf(rig), { SETTLED: 3, CARRIED: 2 })
  const [row] = await rig.sql(
    `select due_at = (date_trunc('day', clock_timestamp() at time zone 'UTC') + interval '1 day') at time zone 'UTC' as is_midnight from settlement_cycles`,
  )
  assert.equal(row?.['is_midnight'], true)
  assert.deepEqual(await faultsOf(rig), [])
})

test('two workers share the cycles, and no period is run twice', async (t) => {
  const rig = await openRig(t)
  const since = await ago(rig, 3)
  for (const currencyCode of ['EUR', 'USD', 'CZK']) {
    await rig.setCycle({ currencyCode, since, dueAt: PAST })
    await rig.book('PAYIN_SUCCESS', { id: currencyCode, gross: '10', currencyCode, at: since })
  }
  const other = rig.worker({ db: openTestDatabase(t, rig.url) })
  const counts = await Promise.all([rig.worker().runDue(), other.runDue()])
  assert.equal(
    counts.reduce((sum, count) => sum + count, 0),
    9,
  )
  assert.equal((await rig.sql('select 1 from settlements')).length, 3)
})

test('a period without a rate waits with all after it, and comes again after its lease', async (t) => {
  const rig = await openRig(t)
  const since = await ago(rig, 3)
  await rig.setCycle({ settleIn: 'ETH', rateList: 'SANDBOX', since, dueAt: PAST })
  await rig.book('PAYIN_SUCCESS', { id: 'A', gross: '10', at: since })
  const worker = rig.worker()
  assert.equal(await worker.runDue(), 0)
  assert.deepEqual(await resultsOf(rig), { WAITS: 1 })
  await rig.sql(`update settlement_cycles set settle_currency_code = 'USD', due_at = now()`)
  assert.equal(await worker.runDue(), 3)
  assert.deepEqual(await faultsOf(rig), [])
})

test('a cycle that fails holds up no other', async (t) => {
  const rig = await openRig(t)
  const since = await ago(rig, 1)
  for (const currencyCode of ['EUR', 'USD']) {
    await rig.setCycle({ currencyCode, since, dueAt: PAST })
    await rig.book('PAYIN_SUCCESS', { id: currencyCode, gross: '10', currencyCode, at: since })
  }
  await rig.sql(`update balances set not_settled = 11 where currency_code = 'EUR'`)
  assert.equal(await rig.worker().runDue(), 1)
  assert.deepEqual(await resultsOf(rig), { FAILED: 1, SETTLED: 1 })
})

test('a rule that an operator changes during a run keeps its own due time', async (t) => {
  const rig = await openRig(t)
  await rig.setCycle({ since: await ago(rig, 1), settleIn: 'USD', rateList: 'SANDBOX', dueAt: PAST })
  await rig.book('PAYIN_SUCCESS', { id: 'A', gross: '10', at: await ago(rig, 1) })
  let changing: Promise<unknown> = Promise.resolve()
  const worker = rig.worker({
    convert(order) {
      // Waits for the lock of the run, and is there before the worker says when it looks next.
      changing = rig.sql(`update settlement_cycles set revision = revision + 1, due_at = '2100-01-01'`)
      return rig.deps.convert(order)
    },
  })
  await worker.runDue()
  await changing
  const [row] = await rig.sql(`select due_at = '2100-01-01' as is_kept from settlement_cycles`)
  assert.equal(row?.['is_kept'], true)
})

test('a worker that was started settles what falls due, and stops', async (t) => {
  const rig = await openRig(t)
  await rig.setCycle({ since: await ago(rig, 1), dueAt: PAST })
  await rig.book('PAYIN_SUCCESS', { id: 'A', gross: '10', at: await ago(rig, 1) })
  const worker = rig.worker()
  worker.start()
  const isSettled = async () => (await rig.sql('select 1 from settlements')).length === 1
  await waitUntil(isSettled, { timeoutMs: 10_000, what: 'a settlement' })
  await worker.stop()
})
