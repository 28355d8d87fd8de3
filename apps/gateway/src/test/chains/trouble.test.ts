import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parsePlainAmount } from '@tollgate/money'
import { claimChain, releaseChain, renewLease } from '../../modules/chains/store.ts'
import { faultsOf } from '../../modules/statements/test/rig.ts'
import { CONFIRMATIONS, openChainRig, USDC } from './rig.ts'

const TEN = parsePlainAmount('10')
const UNITS = 10_000_000n
const LARGE = 2_000_000_000n

test('D57 what was only seen goes with its block, and comes back with another one', async (t) => {
  const { rig, chain, accept, look, transfers } = await openChainRig(t)
  const payin = await accept(TEN)
  await look()
  chain.mine([payin.pay(UNITS)])
  await look()
  const [lost] = chain.reorganise(1)
  chain.mine([], CONFIRMATIONS.small)
  await look()
  assert.deepEqual(await transfers(), ['10 GONE'])
  assert.deepEqual(await rig.lines(), [])
  assert.equal(await rig.statusOf(payin), 'CREATED AWAITING_CUSTOMER')
  assert.ok(lost)
  chain.mine([lost], CONFIRMATIONS.small)
  await look()
  assert.deepEqual(await transfers(), ['10 BOOKED'])
  assert.equal(await rig.statusOf(payin), 'SUCCESS CONFIRMED')
})

test('D57 a transaction that moves to another block is the same coins', async (t) => {
  const { rig, chain, accept, look, transfers } = await openChainRig(t)
  const payin = await accept(TEN)
  await look()
  chain.mine([payin.pay(UNITS)], CONFIRMATIONS.small)
  await look()
  assert.equal(await rig.statusOf(payin), 'SUCCESS CONFIRMED')
  const moved = chain.reorganise(CONFIRMATIONS.small)
  chain.mine([], 1)
  chain.mine(moved, CONFIRMATIONS.small)
  await look()
  assert.deepEqual(await transfers(), ['10 BOOKED'])
  assert.deepEqual(await rig.lines(), ['MATCHED 0'])
  assert.deepEqual(await faultsOf(rig), [])
})

test('D57 a transaction that pays another amount in another block is what it pays there, and what was booked of it is missing', async (t) => {
  const { rig, chain, accept, look, transfers, service } = await openChainRig(t)
  const [seen, booked] = [await accept(TEN), await accept(TEN)]
  await look()
  const [first, second] = [booked.pay(UNITS), seen.pay(UNITS - 1n)]
  chain.mine([first], CONFIRMATIONS.small)
  chain.mine([second])
  await look()
  assert.deepEqual(await transfers(), ['10 BOOKED', '9.999999 SEEN'])
  chain.reorganise(CONFIRMATIONS.small + 1)
  const paid = (payin: typeof seen, units: bigint) => [{ token: USDC, to: payin.address, units }]
  chain.mine([
    { hash: first.hash, transfers: paid(booked, 1n) },
    { hash: second.hash, transfers: paid(seen, UNITS) },
  ])
  chain.mine([], CONFIRMATIONS.small + 2)
  await look()
  assert.deepEqual(await transfers(), ['10 MISSING', '10 BOOKED'])
  assert.equal(await rig.statusOf(seen), 'SUCCESS CONFIRMED')
  assert.equal((await service.list())[0]?.state.missingCount, 1)
})

test('D57 while a chain is read again, nothing of what is not read yet counts as missing', async (t) => {
  const { chain, nodes, accept, look, transfers, service } = await openChainRig(t)
  const payin = await accept(TEN)
  await look()
  chain.mine([payin.pay(UNITS)], CONFIRMATIONS.small)
  await look()
  chain.mine(chain.reorganise(1), 2)
  for (const { moods } of nodes)
    moods.onRequest = (method) => {
      if (method === 'eth_getLogs') moods.isDown = true
    }
  await look()
  const [view] = await service.list()
  assert.deepEqual([view?.state.fault?.kind, view?.state.missingCount], ['REFUSED', 0])
  for (const { moods } of nodes) Object.assign(moods, { isDown: false, onRequest: undefined })
  await look()
  assert.deepEqual(await transfers(), ['10 BOOKED'])
})

test('D57 coins that were booked and whose block is gone are missing, until they are there again', async (t) => {
  const { rig, chain, accept, look, transfers, service } = await openChainRig(t)
  const payin = await accept(TEN)
  await look()
  chain.mine([payin.pay(UNITS)], CONFIRMATIONS.small)
  await look()
  const taken = chain.reorganise(CONFIRMATIONS.small)
  chain.mine([], CONFIRMATIONS.small)
  await look()
  assert.deepEqual(await transfers(), ['10 MISSING'])
  assert.equal((await service.list())[0]?.state.missingCount, 1)
  assert.equal(
    await rig.statusOf(payin),
    'SUCCESS CONFIRMED',
    'what was booked is taken back by people alone',
  )
  chain.mine(taken)
  await look()
  assert.deepEqual(await transfers(), ['10 BOOKED'])
  assert.equal((await service.list())[0]?.state.missingCount, 0)
})

test('D57 a reorganisation behind what was final is found, and what it took is missing', async (t) => {
  const { chain, accept, look, transfers } = await openChainRig(t)
  const payin = await accept(TEN)
  await look()
  chain.mine([payin.pay(UNITS)])
  // The first block is final by now.
  chain.mine([], 5 * CONFIRMATIONS.large)
  await look()
  assert.deepEqual(await transfers(), ['10 BOOKED'])
  chain.reorganise(4 * CONFIRMATIONS.large)
  chain.mine([], 4 * CONFIRMATIONS.large)
  await look()
  assert.deepEqual(await transfers(), ['10 BOOKED'], 'it lies before what changed')
  chain.reorganise(5 * CONFIRMATIONS.large + 1)
  chain.mine([], 5 * CONFIRMATIONS.large + 1)
  await look()
  assert.deepEqual(await transfers(), ['10 MISSING'])
})

test('what a first reading missed is found when the blocks are final', async (t) => {
  const { rig, chain, nodes, accept, look } = await openChainRig(t)
  const payin = await accept(TEN)
  await look()
  const paid = payin.pay(UNITS)
  for (const { moods } of nodes) moods.hidden?.add(paid.hash)
  chain.mine([paid])
  await look()
  for (const { moods } of nodes) moods.hidden?.clear()
  chain.mine([], 3 * CONFIRMATIONS.large)
  await look()
  assert.equal(await rig.statusOf(payin), 'SUCCESS CONFIRMED')
})

test('D56 coins that one node has and the other has not are not counted, and the operator reads which', async (t) => {
  const { rig, chain, nodes, accept, look, service } = await openChainRig(t)
  const payin = await accept(TEN)
  await look()
  const paid = payin.pay(UNITS)
  nodes[1].moods.hidden?.add(paid.hash)
  chain.mine([paid], CONFIRMATIONS.small)
  await look()
  const [view] = await service.list()
  assert.equal(view?.state.fault?.kind, 'DISAGREE')
  assert.match(view.state.fault.message, /127\.0\.0\.1:\d+ and 127\.0\.0\.1:\d+ have different transfers/)
  assert.equal(await rig.statusOf(payin), 'CREATED AWAITING_CUSTOMER')
  nodes[1].moods.hidden?.clear()
  await look()
  assert.equal((await service.list())[0]?.state.fault, undefined)
  assert.equal(await rig.statusOf(payin), 'SUCCESS CONFIRMED')
})

test('D56 a node that takes a transfer back before it counts takes it from the books to be', async (t) => {
  const { rig, chain, nodes, accept, look, transfers, service } = await openChainRig(t)
  const payin = await accept(TEN)
  await look()
  const paid = payin.pay(UNITS)
  chain.mine([paid])
  await look()
  for (const { moods } of nodes) moods.hidden?.add(paid.hash)
  chain.mine([], CONFIRMATIONS.small)
  await look()
  assert.deepEqual(await transfers(), ['10 GONE'])
  assert.deepEqual(await rig.lines(), [])
  await look()
  assert.equal((await service.list())[0]?.state.waitingCount, 0)
})

test('a node that lags holds the reading up, and loses nothing', async (t) => {
  const { rig, chain, nodes, accept, look } = await openChainRig(t)
  const payin = await accept(TEN)
  await look()
  nodes[0].moods.lag = 5
  chain.mine([payin.pay(UNITS)], CONFIRMATIONS.small)
  await look()
  assert.equal(await rig.statusOf(payin), 'CREATED AWAITING_CUSTOMER')
  nodes[0].moods.lag = 0
  await look()
  assert.equal(await rig.statusOf(payin), 'SUCCESS CONFIRMED')
  nodes[1].moods.lag = 3
  await look()
  assert.equal(await rig.statusOf(payin), 'SUCCESS CONFIRMED')
})

for (const [name, mood, kind, words] of [
  ['is of another chain', { chainId: 1 }, 'SETTINGS', /is a node of the chain 1, and the settings say 31337/],
  ['has a token of other decimals', { decimals: 18 }, 'SETTINGS', /has 18 decimals by .* the settings say 6/],
  ['does not answer', { isDown: true }, 'REFUSED', /status 503/],
] as const)
  test(`a node that ${name} stops the reading, with a sentence that has no key in it`, async (t) => {
    const { rig, chain, nodes, accept, look, service } = await openChainRig(t)
    const payin = await accept(TEN)
    await look()
    Object.assign(nodes[1].moods, mood)
    chain.mine([payin.pay(UNITS)], CONFIRMATIONS.small)
    await look()
    const [view] = await service.list()
    assert.equal(view?.state.fault?.kind, kind)
    assert.match(view.state.fault.message, words)
    assert.doesNotMatch(view.state.fault.message, /a-key-of-ours/)
    assert.equal(await rig.statusOf(payin), 'CREATED AWAITING_CUSTOMER')
  })

test('a chain that was begun anew is not read as the one before', async (t) => {
  const { chain, look, service } = await openChainRig(t)
  chain.mine([], 5 * CONFIRMATIONS.large)
  await look()
  chain.reorganise(chain.head())
  chain.mine([], 2)
  await look()
  const [view] = await service.list()
  assert.equal(view?.state.fault?.kind, 'REORGANISED')
  assert.match(view.state.fault.message, /needs another code in the settings/)
})

test('a crash between the booking and its note books nothing twice', async (t) => {
  const { rig, chain, accept, look, transfers } = await openChainRig(t)
  const payins = [await accept(TEN), await accept(TEN)]
  await look()
  chain.mine(
    payins.map((payin) => payin.pay(UNITS)),
    CONFIRMATIONS.small,
  )
  const crash = new Error('the process ended')
  const take = rig.statements.take
  await assert.rejects(
    look({
      async take({ fileName, text, actor }) {
        const { CHAIN_MAPPING } = await import('../../modules/chains/index.ts')
        await take({ fileName, bytes: Buffer.from(text), actor, mapping: CHAIN_MAPPING })
        throw crash
      },
    }),
    crash,
  )
  assert.deepEqual(await transfers(), ['10 SEEN', '10 SEEN'])
  // Another one becomes final meanwhile, so the statement is another file.
  const third = await accept(TEN)
  chain.mine([third.pay(UNITS)], CONFIRMATIONS.small)
  await look()
  assert.deepEqual(await rig.lines(), ['MATCHED 0', 'MATCHED 0', 'MATCHED 0'])
  assert.deepEqual(await transfers(), ['10 BOOKED', '10 BOOKED', '10 BOOKED'])
  assert.deepEqual(await faultsOf(rig), [])
})

test('a process that lost its lease changes nothing', async (t) => {
  const { rig, chain, nodes, accept, look, transfers } = await openChainRig(t)
  const payin = await accept(TEN)
  await look()
  chain.mine([payin.pay(UNITS)], CONFIRMATIONS.small)
  let isFirst = true
  nodes[0].moods.onRequest = (method) => {
    if (method !== 'eth_getLogs' || !isFirst) return undefined
    isFirst = false
    return rig.sql(`update chains set lease_no = lease_no + 1, leased_until = null`)
  }
  await look()
  assert.deepEqual(await transfers(), [])
  await look()
  assert.deepEqual(await transfers(), ['10 BOOKED'])
})

test('a payment that two people pay by pieces of a large amount is counted piece by piece', async (t) => {
  const { rig, chain, accept, look, transfers } = await openChainRig(t)
  const payin = await accept(parsePlainAmount('2000'))
  await look()
  chain.mine([payin.pay(LARGE), payin.pay(UNITS)], CONFIRMATIONS.small)
  await look()
  assert.deepEqual((await transfers()).toSorted(), ['10 BOOKED', '2000 SEEN'])
  assert.deepEqual(await rig.lines(), ['UNDER 10'])
  chain.mine([], CONFIRMATIONS.large)
  await look()
  assert.deepEqual(await rig.lines(), ['UNDER 10', 'MATCHED 0'])
  assert.equal(await rig.statusOf(payin), 'SUCCESS CONFIRMED')
})

test('who looks renews the lease of the chain; who has lost it renews nothing', async (t) => {
  const { rig } = await openChainRig(t)
  const { db } = rig
  const lease = await claimChain(db, 'LOCAL', 60)
  assert.ok(lease)
  await rig.sql(`update chains set leased_until = now() - interval '1 s'`)
  await renewLease(db, { code: 'LOCAL', leaseNo: lease.leaseNo }, 60)
  assert.equal(await claimChain(db, 'LOCAL', 60), undefined)
  await rig.sql(`update chains set leased_until = now() - interval '1 s'`)
  const other = await claimChain(db, 'LOCAL', 60)
  assert.ok(other)
  await releaseChain(db, 'LOCAL', other.leaseNo)
  await renewLease(db, { code: 'LOCAL', leaseNo: lease.leaseNo }, 60)
  await renewLease(db, { code: 'LOCAL', leaseNo: other.leaseNo }, 60)
  assert.ok(await claimChain(db, 'LOCAL', 60))
})
