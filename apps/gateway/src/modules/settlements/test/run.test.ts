import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { CommitUnknown, type Database } from '../../../platform/database.ts'
import { openTestDatabase } from '../../../platform/test/index.ts'
import { bookEntries } from '../../ledger/index.ts'
import { runCycles } from '../index.ts'
import { presentSettlement } from '../present.ts'
import { runPeriod, tryPeriods } from '../run.ts'
import { entryOf, faultsOf, MIDNIGHT, NOON, openRig, type Rig, settledBy, sumsOf } from './rig.ts'

const EUR = ({ merchantId }: Rig) => ({ merchantId, currencyCode: 'EUR' })

async function itemsOf(rig: Rig, idSettlement: string): Promise<readonly string[]> {
  const { items } = await rig.settlements.listItems(
    { merchantId: rig.merchantId, idSettlement },
    { after: undefined, limit: 100 },
  )
  return items.map(({ type, idEntity, gross, fee, net }) => [type, idEntity, gross, fee, net].join(' '))
}

test('a period is settled once: what was earned before its end becomes available, less the fees and what was recalled', async (t) => {
  const rig = await openRig(t)
  await rig.setCycle()
  await rig.book('PAYIN_SUCCESS', { id: 'A', gross: '100', fee: '3' })
  await rig.book('PAYIN_SUCCESS', { id: 'B', gross: '50.5', fee: '0.5' })
  await rig.book('PAYIN_SUCCESS', { id: 'LATER', gross: '70', fee: '1', at: MIDNIGHT })
  await rig.book('PAYIN_REVERSED', { id: 'A', gross: '100', fee: '3', at: '2026-03-11T09:00:00Z' })
  const settlement = settledBy(await rig.run(MIDNIGHT))
  assert.deepEqual(sumsOf(settlement), ['150.5', '3.5', '-100', '47'])
  assert.deepEqual(settlement.period, { from: new Date('2026-03-10'), to: new Date(MIDNIGHT) })
  assert.match(settlement.idSettlement, /^2026-03-11-EUR-[0-9A-Z]{6}$/)
  assert.deepEqual(await itemsOf(rig, settlement.idSettlement), [
    ...(await itemsOf(rig, settlement.idSettlement)).filter((item) => item.startsWith('PAYIN')),
    'REVERSAL A -100 0 -100',
  ])
  assert.deepEqual(await rig.balance(), { available: '47', notSettled: '69', receivable: '0' })
  assert.deepEqual(await rig.run(MIDNIGHT), { kind: 'ALREADY_RUN' })
  assert.deepEqual(await rig.run(NOON), { kind: 'ALREADY_RUN' })
  assert.deepEqual(sumsOf(settledBy(await rig.run('2026-03-12'))), ['70', '1', '0', '69'])
  assert.deepEqual(await faultsOf(rig), [])
})

test('whose COMMIT was not answered hears that the period is settled, and by which settlement', async (t) => {
  const rig = await openRig(t)
  await rig.setCycle()
  await rig.book('PAYIN_SUCCESS', { id: 'A', gross: '100', fee: '3' })
  let isLost = false
  const transaction: Database['transaction'] = async (work) => {
    const result = await rig.deps.db.transaction(work)
    if (isLost) return result
    isLost = true
    throw new CommitUnknown('the answer was lost', { mayBeResolved: true })
  }
  const losing = { ...rig.deps, db: { ...rig.deps.db, transaction } }
  const settlement = settledBy(await runPeriod(losing, EUR(rig), new Date(MIDNIGHT)))
  assert.deepEqual((await itemsOf(rig, settlement.idSettlement)).length, 1)
  assert.deepEqual(await rig.run(MIDNIGHT), { kind: 'ALREADY_RUN' })
})

test('the next period begins where the last settled one ended, and takes what was carried', async (t) => {
  const rig = await openRig(t)
  await rig.setCycle({ minimum: '100' })
  await rig.book('PAYIN_SUCCESS', { id: 'A', gross: '60' })
  assert.deepEqual(await rig.run(MIDNIGHT), { kind: 'CARRIED', why: 'BELOW_MINIMUM', net: '60' })
  assert.deepEqual(await rig.run(MIDNIGHT), { kind: 'ALREADY_RUN' })
  await rig.book('PAYIN_SUCCESS', { id: 'B', gross: '60', at: '2026-03-11T01:00:00Z' })
  assert.deepEqual(settledBy(await rig.run('2026-03-12')).period, {
    from: new Date('2026-03-10'),
    to: new Date('2026-03-12'),
  })
  assert.deepEqual(await rig.run('2026-03-13'), { kind: 'CARRIED', why: 'NOTHING', net: '0' })
  await rig.book('PAYIN_SUCCESS', { id: 'C', gross: '100', at: '2026-03-13T01:00:00Z' })
  assert.deepEqual(settledBy(await rig.run('2026-03-14')).period?.from, new Date('2026-03-12'))
  assert.deepEqual(await faultsOf(rig), [])
})

test('more recalls than earnings settle nothing; the earnings of the next period make up for them', async (t) => {
  const rig = await openRig(t)
  await rig.setCycle()
  await rig.book('PAYIN_SUCCESS', { id: 'A', gross: '10' })
  await rig.book('PAYIN_SUCCESS', { id: 'B', gross: '90', at: '2026-03-11T03:00:00Z' })
  await rig.book('PAYIN_REVERSED', { id: 'B', gross: '90', at: '2026-03-11T04:00:00Z' })
  assert.deepEqual(await rig.run(MIDNIGHT), { kind: 'CARRIED', why: 'NOT_POSITIVE', net: '-80' })
  assert.deepEqual(sumsOf(settledBy(await rig.run('2026-03-12'))), ['100', '0', '-90', '10'])
  assert.deepEqual(await faultsOf(rig), [])
})

test('what a merchant owes is paid first, and the record says so', async (t) => {
  const rig = await openRig(t)
  await rig.setCycle()
  await rig.book('PAYIN_SUCCESS', { id: 'A', gross: '30', fee: '5' })
  settledBy(await rig.run(MIDNIGHT))
  await rig.sql(`update balances set available = 0, reserved = 25`)
  await rig.book('PAYIN_REVERSED', { id: 'A', gross: '30', at: '2026-03-11T04:00:00Z' })
  await rig.sql(`update balances set available = 25, reserved = 0`)
  await rig.book('PAYIN_SUCCESS', { id: 'B', gross: '50', at: '2026-03-11T05:00:00Z' })
  assert.equal(settledBy(await rig.run('2026-03-12')).repaid, '30')
  assert.deepEqual(await rig.balance(), { available: '45', notSettled: '0', receivable: '0' })
})

test('a payin that went into its fee as a whole is in the settlement, too', async (t) => {
  const rig = await openRig(t)
  await rig.setCycle()
  await rig.book('PAYIN_SUCCESS', { id: 'A', gross: '1', fee: '1' })
  assert.deepEqual(await rig.run('2026-03-10T13:00:00Z'), { kind: 'CARRIED', why: 'NOT_POSITIVE', net: '0' })
  await rig.book('PAYIN_SUCCESS', { id: 'B', gross: '2', fee: '1' })
  const { idSettlement } = settledBy(await rig.run(MIDNIGHT))
  assert.deepEqual((await itemsOf(rig, idSettlement)).toSorted(), ['PAYIN A 1 1 0', 'PAYIN B 2 1 1'])
  assert.deepEqual(await faultsOf(rig), [])
})

test('a transfer of the period that was committed after its run is in the next one, however old it is', async (t) => {
  const rig = await openRig(t)
  await rig.setCycle()
  await rig.book('PAYIN_SUCCESS', { id: 'A', gross: '10' })
  settledBy(await rig.run(MIDNIGHT))
  await rig.book('PAYIN_SUCCESS', { id: 'LATE', gross: '20', at: '2026-03-10T23:59:59Z' })
  assert.deepEqual(sumsOf(settledBy(await rig.run('2026-03-12'))), ['20', '0', '0', '20'])
  // Before everything that is looked at first: the sum says that something is missing.
  await rig.book('PAYIN_SUCCESS', { id: 'OLD', gross: '5', at: '2026-01-01T00:00:00Z' })
  assert.deepEqual(sumsOf(settledBy(await rig.run('2026-03-13'))), ['5', '0', '0', '5'])
  assert.deepEqual(await faultsOf(rig), [])
})

test('books that do not agree settle nothing', async (t) => {
  const rig = await openRig(t)
  await rig.setCycle()
  await rig.book('PAYIN_SUCCESS', { id: 'A', gross: '10' })
  await rig.sql(`update balances set not_settled = 11`)
  await assert.rejects(rig.run(MIDNIGHT), /come to 10, the balance to 11/)
  assert.deepEqual(await rig.sql('select * from settlement_items'), [])
})

test('two processes that run the same period settle it once', async (t) => {
  const rig = await openRig(t)
  await rig.setCycle()
  await rig.book('PAYIN_SUCCESS', { id: 'A', gross: '10' })
  const other = { ...rig.deps, db: openTestDatabase(t, rig.url) }
  const outcomes = await Promise.all(
    [rig.deps, other, rig.deps, other].map((deps) => runPeriod(deps, EUR(rig), new Date(MIDNIGHT))),
  )
  assert.deepEqual(outcomes.map(({ kind }) => kind).toSorted(), [
    'ALREADY_RUN',
    'ALREADY_RUN',
    'ALREADY_RUN',
    'SETTLED',
  ])
  assert.deepEqual(await rig.balance(), { available: '10', notSettled: '0', receivable: '0' })
  assert.deepEqual(await faultsOf(rig), [])
})

test('a recall that is booked while a run gathers is taken from it', async (t) => {
  const rig = await openRig(t)
  await rig.setCycle()
  await rig.book('PAYIN_SUCCESS', { id: 'A', gross: '10' })
  await rig.book('PAYIN_SUCCESS', { id: 'B', gross: '25' })
  const recall = entryOf(rig.merchantId, 'PAYIN_REVERSED', { id: 'A', gross: '10' })
  let running: ReturnType<Rig['run']> | undefined
  await rig.db.transaction(async (tx) => {
    await bookEntries(tx, [recall])
    running = rig.run(MIDNIGHT)
    // The run has seen a balance without the recall, and waits for its lock.
    await sleep(300)
  })
  assert.ok(running !== undefined)
  assert.deepEqual(sumsOf(settledBy(await running)), ['35', '0', '-10', '25'])
  assert.deepEqual(await faultsOf(rig), [])
})

test('a recall that leaves nothing, while a run gathers, undoes the run', async (t) => {
  const rig = await openRig(t)
  await rig.setCycle()
  await rig.book('PAYIN_SUCCESS', { id: 'A', gross: '10' })
  let running: ReturnType<Rig['run']> | undefined
  await rig.db.transaction(async (tx) => {
    await bookEntries(tx, [entryOf(rig.merchantId, 'PAYIN_REVERSED', { id: 'A', gross: '10' })])
    running = rig.run(MIDNIGHT)
    await sleep(300)
  })
  assert.deepEqual(await running, { kind: 'CARRIED', why: 'NOT_POSITIVE', net: '0' })
  assert.deepEqual(await rig.sql('select * from settlement_items'), [])
  assert.deepEqual(await faultsOf(rig), [])
})

test('a run that dies half way leaves nothing, and the next one settles', async (t) => {
  const rig = await openRig(t)
  await rig.setCycle({ settleIn: 'USD', rateList: 'SANDBOX' })
  await rig.book('PAYIN_SUCCESS', { id: 'A', gross: '10' })
  let asked = 0
  const dying: typeof rig.deps = {
    ...rig.deps,
    convert(order) {
      asked += 1
      // The third time all items are written.
      if (asked === 3) throw new Error('the process dies')
      return rig.deps.convert(order)
    },
  }
  await assert.rejects(runPeriod(dying, EUR(rig), new Date(MIDNIGHT)), /dies/)
  assert.deepEqual(await rig.sql('select id_settlement from settlement_items'), [])
  settledBy(await rig.run(MIDNIGHT))
  assert.deepEqual(await faultsOf(rig), [])
})

test('a dry run says what would happen, period after period, and leaves nothing', async (t) => {
  const rig = await openRig(t)
  await rig.setCycle()
  await rig.book('PAYIN_SUCCESS', { id: 'A', gross: '10' })
  await rig.book('PAYIN_SUCCESS', { id: 'B', gross: '20', at: '2026-03-11T08:00:00Z' })
  const ends = [MIDNIGHT, '2026-03-12', '2026-03-13'].map((end) => new Date(end))
  const outcomes = await tryPeriods(rig.deps, EUR(rig), ends)
  assert.deepEqual(
    outcomes.map((outcome) => (outcome.kind === 'SETTLED' ? outcome.settlement.net : outcome.kind)),
    ['10', '20', 'CARRIED'],
  )
  assert.deepEqual(await rig.balance(), { available: '0', notSettled: '30', receivable: '0' })
  assert.equal(settledBy(await rig.run(MIDNIGHT)).net, '10')
})

test('in another currency: the debt first, then the rest at the price of the rate list, with list, version and row', async (t) => {
  const rig = await openRig(t)
  await rig.setCycle({ settleIn: 'CZK', rateList: 'SANDBOX' })
  await rig.book('PAYIN_SUCCESS', { id: 'A', gross: '100', fee: '10' })
  await rig.sql(`insert into balances (merchant_id, currency_code, receivable) values ($1, 'CZK', -20)`, [
    rig.merchantId,
  ])
  await rig.sql(`update balances set receivable = -40 where currency_code = 'EUR'`)
  const settlement = settledBy(await rig.run(MIDNIGHT))
  assert.equal(settlement.repaid, '40')
  const { conversion } = settlement
  assert.deepEqual(conversion?.sold, { amount: '50', currencyCode: 'EUR' })
  // 100 CZK cost 4.05 EUR where the house sells them.
  assert.deepEqual(conversion.bought, { amount: '1234.57', currencyCode: 'CZK' })
  assert.deepEqual(conversion.repaid, { amount: '20', currencyCode: 'CZK' })
  const { listCode, version, currencyCodes, side } = conversion
  assert.deepEqual([listCode, version, currencyCodes, side], ['SANDBOX', 1, ['CZK'], 'BUY'])
  assert.deepEqual(await rig.balance(), { available: '0', notSettled: '0', receivable: '0' })
  assert.deepEqual(await rig.balance('CZK'), { available: '1214.57', notSettled: '0', receivable: '0' })
  const { idSettlement, merchantId } = settlement
  const kept = await rig.settlements.read({ merchantId, idSettlement })
  assert.deepEqual(kept.conversion, conversion)
  assert.equal(presentSettlement(kept, true).conversion?.repaid?.currencyCode, 'CZK')
})

test('without a rate the settlement waits, and nothing is guessed', async (t) => {
  const rig = await openRig(t)
  await rig.setCycle({ settleIn: 'ETH', rateList: 'SANDBOX' })
  await rig.book('PAYIN_SUCCESS', { id: 'A', gross: '100' })
  for (let tries = 1; tries <= 2; tries += 1) assert.equal((await rig.run(MIDNIGHT)).kind, 'WAITS')
  await rig.setCycle({ settleIn: 'USD', rateList: 'SANDBOX' })
  assert.equal(settledBy(await rig.run(MIDNIGHT)).conversion?.bought.currencyCode, 'USD')
  assert.deepEqual(await faultsOf(rig), [])
})

test('less than the smallest unit of the other currency is carried', async (t) => {
  const rig = await openRig(t)
  await rig.setCycle({ currencyCode: 'JPY', settleIn: 'KWD', rateList: 'SANDBOX' })
  await rig.setCycle({ settleIn: 'KWD', rateList: 'SANDBOX' })
  await rig.book('PAYIN_SUCCESS', { id: 'A', gross: '0.001' })
  assert.deepEqual(await rig.run(MIDNIGHT), { kind: 'CARRIED', why: 'BELOW_MINIMUM', net: '0.001' })
})

test('a person runs what is due, or until a moment of the past, for one currency or all', async (t) => {
  const rig = await openRig(t)
  await rig.setCycle()
  await rig.setCycle({ currencyCode: 'USD' })
  await rig.book('PAYIN_SUCCESS', { id: 'A', gross: '10' })
  await rig.book('PAYIN_SUCCESS', { id: 'B', gross: '20', currencyCode: 'USD' })
  const order = { merchantId: rig.merchantId, currencyCode: undefined, until: undefined, isDry: false }
  await assert.rejects(runCycles(rig.deps, { ...order, until: new Date('2100-01-01') }), /future/)
  const [run, ...others] = await runCycles(rig.deps, { ...order, currencyCode: 'EUR', until: 'NOW' })
  assert.deepEqual(others, [])
  assert.equal(run?.cycle.currencyCode, 'EUR')
  assert.equal(run.periods[0]?.outcome.kind, 'SETTLED')
  const dry = await runCycles(rig.deps, { ...order, isDry: true })
  const wet = await runCycles(rig.deps, order)
  const kinds = (runs: typeof wet) =>
    runs.map(({ cycle, periods }) => [cycle.currencyCode, ...periods.map(({ outcome }) => outcome.kind)])
  assert.deepEqual(kinds(dry), kinds(wet))
  assert.equal(kinds(wet)[1]?.[1], 'SETTLED')
  assert.deepEqual(await faultsOf(rig), [])
})
