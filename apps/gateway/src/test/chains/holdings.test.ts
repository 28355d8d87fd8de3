import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parsePlainAmount } from '@tollgate/money'
import { transaction } from '@tollgate/testkit'
import { CONFIRMATIONS, openChainRig, TREASURY, USDC } from './rig.ts'

const UNITS = 1_000_000n
const STRANGER = `0x${'5e'.repeat(20)}`
const amount = (text: string) => parsePlainAmount(text)

type Opened = Awaited<ReturnType<typeof openChainRig>>

/** Two payins of 10 and 20 that are booked, and what the chain's rows then say. */
async function openWithCoins(t: Parameters<typeof openChainRig>[0]) {
  const opened = await openChainRig(t)
  const [ten, twenty] = [await opened.accept(amount('10')), await opened.accept(amount('20'))]
  opened.chain.mine([ten.pay(10n * UNITS), twenty.pay(20n * UNITS)], CONFIRMATIONS.small)
  await opened.look()
  return { ...opened, ten, twenty, count: () => countedBy(opened) }
}

/** Looks, counts, and gives the findings of the count. */
async function countedBy({ service, look }: Opened) {
  await service.look('LOCAL')
  await look()
  const { holdings } = await service.holdings('LOCAL')
  assert.deepEqual(holdings.problem, undefined)
  assert(holdings.counted)
  return holdings.counted.holdings
}

const usdcOf = ({ assets }: Awaited<ReturnType<typeof countedBy>>) =>
  assets.find(({ currencyCode }) => currencyCode === 'USDC')

test('what is at addresses, waits and was brought to the treasury is counted at one block, and agrees with the rows', async (t) => {
  const { chain, ten, twenty, accept, count } = await openWithCoins(t)
  const waiting = await accept(amount('5'))
  const home = transaction({ token: USDC, from: ten.address, to: TREASURY, units: 10n * UNITS })
  chain.mine([home, waiting.pay(5n * UNITS)])
  const holdings = await count()
  assert.deepEqual(holdings.findings, [])
  assert.equal(holdings.blockNumber, chain.head())
  assert.deepEqual(usdcOf(holdings), {
    currencyCode: 'USDC',
    booked: '30',
    waiting: '5',
    addressCount: 2,
    atAddresses: '25',
    swept: '10',
    inTreasury: '10',
  })
  assert.notEqual(twenty.address, waiting.address)
})

test('D64 coins that leave for where nobody said that they may go are told with the next look, by name', async (t) => {
  const { rig, chain, service, look, ten } = await openWithCoins(t)
  const theft = transaction({ token: USDC, from: ten.address, to: STRANGER, units: 4n * UNITS })
  chain.mine([theft])
  await look()
  const { holdings } = await service.holdings('LOCAL')
  assert.notEqual(holdings.findingsSince, undefined)
  const findings = holdings.counted?.holdings.findings ?? []
  assert.equal(findings.length, 1)
  assert.match(
    findings[0] ?? '',
    new RegExp(
      `^4 USDC left the address of the payment ${ten.reference} for 0x5[eE]\\w{38}, .*${theft.hash}\\)`,
    ),
  )
  const [gauge] = await rig.sql('select count(*)::int as count from chain_departures')
  assert.equal(gauge?.['count'], 1)
})

test('D64 an address that has less or more than came is named, though no block told of it', async (t) => {
  const { nodes, ten, twenty, count } = await openWithCoins(t)
  const surplus = new Map([
    [ten.address.toLowerCase(), -3n * UNITS],
    [twenty.address.toLowerCase(), 1n * UNITS],
  ])
  for (const { moods } of nodes) moods.surplus = surplus
  const { findings } = await count()
  assert.deepEqual(
    findings.toSorted(),
    [
      `The address ${ten.address} of the payment ${ten.reference} has 7 USDC; by the blocks that were read it should be 10.`,
      `The address ${twenty.address} of the payment ${twenty.reference} has 21 USDC; by the blocks that were read it should be 20.`,
    ].toSorted(),
  )
  for (const { moods } of nodes) moods.surplus = new Map()
  assert.deepEqual((await count()).findings, [])
})

test('D64 a node that lies about what is there is noticed, and the count before it stays', async (t) => {
  const { nodes, ten, service, look, count } = await openWithCoins(t)
  await count()
  nodes[1].moods.surplus = new Map([[ten.address.toLowerCase(), 5n * UNITS]])
  await service.look('LOCAL')
  await look()
  const { holdings, state } = await service.holdings('LOCAL')
  assert.match(holdings.problem?.message ?? '', /have different coins of 0xa0a0/)
  assert.deepEqual(holdings.counted?.holdings.findings, [])
  assert.equal(state.fault, undefined)
})

test('what left in a block that is reorganised away did not leave', async (t) => {
  const { chain, ten, look, count, rig } = await openWithCoins(t)
  chain.mine([transaction({ token: USDC, from: ten.address, to: TREASURY, units: 10n * UNITS })])
  assert.equal(usdcOf(await count())?.swept, '10')
  chain.reorganise(1)
  chain.mine([], 2)
  await look()
  assert.deepEqual(await rig.sql('select 1 from chain_departures'), [])
  const holdings = await count()
  assert.deepEqual(
    [usdcOf(holdings)?.swept, usdcOf(holdings)?.atAddresses, holdings.findings],
    ['0', '30', []],
  )
})

test('a block that is another one by the end of the count is counted again', async (t) => {
  const { chain, nodes, service, look, count } = await openWithCoins(t)
  await count()
  let calls = 0
  nodes[0].moods.onRequest = (method) => {
    if (method === 'eth_call') calls += 1
    // After the decimals of three tokens.
    if (method !== 'eth_call' || calls !== 4) return
    chain.reorganise(1)
    chain.mine([], 1)
  }
  await service.look('LOCAL')
  await look()
  const { holdings } = await service.holdings('LOCAL')
  assert.match(holdings.problem?.message ?? '', /is another one than the one that was read/)
  assert.deepEqual((await count()).findings, [])
})

test('addresses are asked for by fifty', async (t) => {
  const { chain, nodes, accept, look, count } = await openWithCoins(t)
  const payins = await Promise.all(Array.from({ length: 120 }, () => accept(amount('1'))))
  chain.mine(
    payins.map((payin) => payin.pay(UNITS)),
    CONFIRMATIONS.small,
  )
  await look()
  let requests = 0
  nodes[0].moods.onRequest = (method) => {
    if (method === 'eth_call') requests += 1
  }
  const holdings = await count()
  assert.deepEqual([usdcOf(holdings)?.addressCount, usdcOf(holdings)?.atAddresses], [122, '150'])
  assert.deepEqual(holdings.findings, [])
  // Three for the addresses of one token and the treasury, one for the treasury in each of the two others, and three for decimals.
  assert.equal(requests, 3 + 2 + 3)
})
