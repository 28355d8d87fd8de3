import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parsePlainAmount } from '@tollgate/money'
import { transaction } from '@tollgate/testkit'
import { findConfirmations } from '../../modules/chains/index.ts'
import { faultsOf } from '../../modules/statements/test/rig.ts'
import { CONFIRMATIONS, EURC, openChainRig, USDC } from './rig.ts'

const TEN = parsePlainAmount('10')
const UNITS = 10_000_000n

test('coins are seen at once, and booked when enough blocks are on top of them', async (t) => {
  const { rig, chain, accept, look, transfers } = await openChainRig(t)
  const payin = await accept(TEN)
  await look()
  chain.mine([payin.pay(UNITS)])
  await look()
  assert.deepEqual(await transfers(), ['10 SEEN'])
  assert.equal(await rig.statusOf(payin), 'CREATED DETECTED')
  assert.deepEqual(await findConfirmations(rig.db, payin), { count: 1, needed: CONFIRMATIONS.small })
  chain.mine([], CONFIRMATIONS.small - 2)
  await look()
  assert.equal(await rig.statusOf(payin), 'CREATED DETECTED', 'one block too few')
  chain.mine()
  await look()
  assert.equal(await rig.statusOf(payin), 'SUCCESS CONFIRMED')
  assert.deepEqual(await transfers(), ['10 BOOKED'])
  assert.equal(await findConfirmations(rig.db, payin), undefined)
  assert.deepEqual(await rig.lines(), ['MATCHED 0'])
  assert.deepEqual(await faultsOf(rig), [])
  await look()
  assert.deepEqual(await rig.lines(), ['MATCHED 0'])
})

test('the payer of a payment is the address that the coins came from, and no operator had a hand in it', async (t) => {
  const { rig, chain, accept, look } = await openChainRig(t)
  const payin = await accept(TEN)
  const from = `0x${'cd'.repeat(20)}`
  await look()
  chain.mine([transaction({ token: USDC, from, to: payin.address, units: UNITS })], CONFIRMATIONS.small)
  await look()
  const [evidence] = await rig.sql(
    `select evidence_class, actor, operators from payment_timeline where status = 'SUCCESS'`,
  )
  assert.deepEqual(evidence, { evidence_class: 'BANK_CHANNEL', actor: 'statement', operators: null })
  const [file] = await rig.sql('select actor, format from statement_files')
  assert.deepEqual(file, { actor: 'chain:LOCAL', format: 'CSV' })
})

test('more of an amount waits for more blocks', async (t) => {
  const { rig, chain, accept, look } = await openChainRig(t)
  const payin = await accept(parsePlainAmount('1000.000001'))
  await look()
  chain.mine([payin.pay(1_000_000_001n)], CONFIRMATIONS.large - 1)
  await look()
  assert.equal(await rig.statusOf(payin), 'CREATED DETECTED')
  chain.mine()
  await look()
  assert.equal(await rig.statusOf(payin), 'SUCCESS CONFIRMED')
})

test('D58 too little, too much, twice, late, another token and another chain wait for people, and every coin is in the books', async (t) => {
  const { rig, chain, accept, look } = await openChainRig(t)
  const [under, over, twice, late, other, elsewhere] = [
    await accept(TEN),
    await accept(TEN),
    await accept(TEN),
    await accept(TEN),
    await accept(TEN),
    await accept(TEN, { chainId: '1' }),
  ]
  await rig.end(late, 'CANCELLED')
  await look()
  chain.mine([
    under.pay(UNITS - 1n),
    over.pay(UNITS + 1n),
    twice.pay(UNITS),
    twice.pay(UNITS),
    late.pay(UNITS),
    other.pay(UNITS, EURC),
    elsewhere.pay(UNITS),
  ])
  chain.mine([], CONFIRMATIONS.small)
  await look()
  assert.deepEqual((await rig.lines()).toSorted(), [
    'DOUBLE 10',
    'LATE 10',
    'MATCHED 0',
    'OTHER_CURRENCY 10',
    'OVER 10.000001',
    'UNDER 9.999999',
    'UNKNOWN 10',
  ])
  assert.equal(await rig.statusOf(under), 'CREATED CONFIRMED_DIFFERENT_AMOUNT')
  assert.equal(await rig.statusOf(twice), 'SUCCESS CONFIRMED')
  assert.equal(await rig.statusOf(elsewhere), 'CREATED AWAITING_CUSTOMER')
  assert.deepEqual(await faultsOf(rig), [])
})

test('D58 several transfers of one transaction are several, and transfers of nothing are none', async (t) => {
  const { rig, chain, accept, look, transfers } = await openChainRig(t)
  const [one, other] = [await accept(TEN), await accept(TEN)]
  await look()
  chain.mine(
    [
      transaction(
        { token: USDC, to: one.address, units: 0n },
        { token: USDC, to: `0x${'12'.repeat(20)}`, units: 5n },
        { token: USDC, to: one.address.toLowerCase(), units: UNITS },
        { token: USDC, to: other.address, units: UNITS },
        { token: `0x${'66'.repeat(20)}`, to: other.address, units: UNITS },
      ),
    ],
    CONFIRMATIONS.small,
  )
  await look()
  assert.deepEqual(await transfers(), ['10 BOOKED', '10 BOOKED'])
  assert.deepEqual(
    [await rig.statusOf(one), await rig.statusOf(other)],
    ['SUCCESS CONFIRMED', 'SUCCESS CONFIRMED'],
  )
})

test('a chain that was never read is read from its end, but never from behind a payment', async (t) => {
  const { rig, chain, accept, look, transfers, service } = await openChainRig(t, { startBlock: undefined })
  chain.mine([], 2_000)
  await look()
  const [view] = await service.list()
  assert.deepEqual([view?.state.headBlock, view?.state.scannedBlock], [chain.head(), chain.head()])
  await rig.sql('delete from chain_holdings; delete from chains')
  await rig.sql(`insert into chains (chain_code) values ('LOCAL')`)
  const payin = await accept(TEN)
  const paidIn = chain.blocks().at(-1)?.timeSeconds ?? 0
  chain.mine([payin.pay(UNITS)], CONFIRMATIONS.small)
  await rig.sql('update payments set created_at = to_timestamp($1)', [paidIn - 1])
  chain.mine([], 3_000)
  await look()
  assert.deepEqual(await transfers(), ['10 BOOKED'])
})

test('a currency that the catalogue does not have is not read, and one without any says what to do', async (t) => {
  const { rig, chain, accept, look, transfers, service } = await openChainRig(t)
  const payin = await accept(TEN)
  await look()
  chain.mine([payin.pay(UNITS, EURC), payin.pay(UNITS)], CONFIRMATIONS.small)
  await look({ prepare: async () => new Set(['USDC']) })
  assert.deepEqual(await transfers(), ['10 BOOKED'])
  assert.equal(await rig.statusOf(payin), 'SUCCESS CONFIRMED')
  await look({ prepare: async () => new Set() })
  const [view] = await service.list()
  assert.equal(view?.state.fault?.kind, 'SETTINGS')
  assert.match(view.state.fault.message, /none of its currencies \(USDC, EURC, USDT\).*catalogue apply/)
})

test('as many payments as there are cost the same questions', async (t) => {
  const { chain, nodes, accept, look } = await openChainRig(t)
  await look()
  const questions = async (payins: number): Promise<number> => {
    const made = []
    for (let count = 0; count < payins; count += 1) made.push(await accept(TEN))
    nodes[0].counts.clear()
    chain.mine(
      made.map((payin) => payin.pay(UNITS)),
      CONFIRMATIONS.small,
    )
    await look()
    return [...nodes[0].counts.values()].reduce((sum, count) => sum + count, 0)
  }
  const few = await questions(1)
  assert.equal(await questions(50), few)
})

test('blocks full of transfers of others are read as empty ones are', async (t) => {
  const { rig, chain, accept, look } = await openChainRig(t)
  const payin = await accept(TEN)
  await look()
  const others = Array.from({ length: 2_000 }, (_, index) =>
    transaction({ token: USDC, to: `0x${index.toString(16).padStart(40, '1')}`, units: 5n }),
  )
  chain.mine([...others, payin.pay(UNITS)], CONFIRMATIONS.small)
  await look()
  assert.equal(await rig.statusOf(payin), 'SUCCESS CONFIRMED')
})

test('more than a node answers at once is asked for in smaller pieces', async (t) => {
  const { rig, chain, nodes, accept, look } = await openChainRig(t)
  const payins = []
  for (let count = 0; count < 6; count += 1) payins.push(await accept(TEN))
  await look()
  for (const payin of payins) chain.mine([payin.pay(UNITS)])
  chain.mine([], CONFIRMATIONS.small)
  for (const { moods } of nodes) moods.logsMax = 1
  await look()
  for (const payin of payins) assert.equal(await rig.statusOf(payin), 'SUCCESS CONFIRMED')
})
