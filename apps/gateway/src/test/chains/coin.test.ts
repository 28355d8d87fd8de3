import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parsePlainAmount } from '@tollgate/money'
import { EVM_COIN } from '@tollgate/payment-codes'
import { type TestLife, transaction } from '@tollgate/testkit'
import { faultsOf } from '../../modules/statements/test/rig.ts'
import { type AcceptedPayin, CONFIRMATIONS, ETH, openChainRig, TOKENS, TREASURY } from './rig.ts'

// Payins in the chain's own coin: what transactions give, and what contracts give without a transaction of their own.

const UNITS = 10n ** 18n
const STRANGER = `0x${'5e'.repeat(20)}`
const one = parsePlainAmount('1')

async function openWithCoin(t: TestLife) {
  const opened = await openChainRig(t, { assets: [...TOKENS, ETH] })
  const { chain, service, look } = opened
  // Nobody has any but who was given some.
  chain.funds.coin = 0n
  await look()
  return {
    ...opened,
    accept: (amount = one) => opened.accept(amount, { currencyCode: 'ETH', methodCode: 'ETH_LOCAL' }),
    async count() {
      await service.look('LOCAL')
      await look()
      const { holdings } = await service.holdings('LOCAL')
      assert.equal(holdings.problem, undefined)
      return {
        findings: holdings.counted?.holdings.findings,
        coin: holdings.counted?.holdings.assets.find(({ currencyCode }) => currencyCode === 'ETH'),
      }
    },
  }
}

/** A contract gives so much, in the middle of a transaction that itself gives nothing. */
const byContract = ({ address }: AcceptedPayin, units: bigint) =>
  transaction({ token: EVM_COIN, to: address, units, isInternal: true })

test('coins that a transaction gives are seen at once, and pay when enough blocks are on top', async (t) => {
  const { rig, chain, look, accept, transfers, count } = await openWithCoin(t)
  const payin = await accept()
  chain.mine([payin.pay(UNITS, EVM_COIN)])
  await look()
  assert.equal(await rig.statusOf(payin), 'CREATED DETECTED')
  chain.mine([], CONFIRMATIONS.small - 1)
  await look()
  assert.equal((await rig.statusOf(payin))?.split(' ')[0], 'SUCCESS')
  assert.deepEqual(await transfers(), ['1 BOOKED'])
  const { findings, coin } = await count()
  assert.deepEqual([findings, coin?.booked, coin?.atAddresses], [[], '1', '1'])
  assert.deepEqual(await faultsOf(rig), [])
})

test('coins that a contract gives pay as well, and are told by the address in place of a transaction', async (t) => {
  const { rig, chain, look, accept, transfers, count } = await openWithCoin(t)
  const payin = await accept()
  chain.mine([byContract(payin, UNITS)])
  await look()
  assert.equal(await rig.statusOf(payin), 'CREATED DETECTED')
  await look()
  chain.mine([], CONFIRMATIONS.small - 1)
  await look()
  assert.equal((await rig.statusOf(payin))?.split(' ')[0], 'SUCCESS')
  // More of it is a transfer of its own.
  chain.mine([byContract(payin, UNITS / 4n)], CONFIRMATIONS.small)
  await look()
  chain.mine([], CONFIRMATIONS.small)
  await look()
  assert.deepEqual(await transfers(), ['1 BOOKED', '0.25 BOOKED'])
  const lines = await rig.sql(`select bank_reference as reference from statement_lines order by line_id`)
  assert.deepEqual(
    lines.map((row) => row['reference']),
    [`${payin.address}-0`, `${payin.address}-1`],
  )
  assert.deepEqual((await count()).findings, [])
  assert.deepEqual(await faultsOf(rig), [])
})

test('too little, too much and nothing are what they are with tokens; a transaction that failed gave nothing', async (t) => {
  const { rig, chain, look, accept, transfers } = await openWithCoin(t)
  const [less, more, failed] = [await accept(), await accept(), await accept()]
  chain.mine(
    [
      less.pay(UNITS - 1n, EVM_COIN),
      more.pay(UNITS + 1n, EVM_COIN),
      { ...failed.pay(UNITS, EVM_COIN), isUndone: true },
    ],
    CONFIRMATIONS.small,
  )
  await look()
  assert.deepEqual(await transfers(), ['0.999999999999999999 BOOKED', '1.000000000000000001 BOOKED'])
  const states = await Promise.all([less, more, failed].map((payin) => rig.statusOf(payin)))
  assert.deepEqual(
    states.map((state) => state?.split(' ')[0]),
    ['CREATED', 'CREATED', 'CREATED'],
  )
  assert.deepEqual(await faultsOf(rig), [])
})

test('what a reorganisation takes back is waited for again, and the same coins in another block are the same transfer', async (t) => {
  const { rig, chain, look, accept, transfers, count } = await openWithCoin(t)
  const [plain, internal] = [await accept(), await accept()]
  const paid = [plain.pay(UNITS, EVM_COIN), byContract(internal, UNITS)]
  chain.mine(paid)
  await look()
  chain.reorganise(1)
  chain.mine([], 2)
  await look()
  assert.deepEqual(await transfers(), ['1 GONE', '1 GONE'])
  assert.deepEqual(await Promise.all([plain, internal].map((payin) => rig.statusOf(payin))), [
    'CREATED AWAITING_CUSTOMER',
    'CREATED AWAITING_CUSTOMER',
  ])
  chain.mine(paid, CONFIRMATIONS.small)
  await look()
  // Seen at the head, so its blocks are counted from there.
  chain.mine([], CONFIRMATIONS.small)
  await look()
  assert.deepEqual(await transfers(), ['1 BOOKED', '1 BOOKED'])
  chain.reorganise(2 * CONFIRMATIONS.small)
  chain.mine([], 2 * CONFIRMATIONS.small)
  await look()
  assert.deepEqual(await transfers(), ['1 MISSING', '1 MISSING'])
  chain.mine(paid, 2 * CONFIRMATIONS.small)
  await look()
  assert.deepEqual(await transfers(), ['1 BOOKED', '1 BOOKED'])
  assert.deepEqual((await count()).findings, [])
  const [lines] = await rig.sql('select count(*)::int as count from statement_lines')
  assert.equal(lines?.['count'], 2)
  assert.deepEqual(await faultsOf(rig), [])
})

test('D56 what one node alone says of the coin does not count: of transactions, of receipts, of what an address has', async (t) => {
  const { rig, chain, nodes, look, accept, transfers, service } = await openWithCoin(t)
  const payin = await accept()
  const paying = payin.pay(UNITS, EVM_COIN)
  chain.mine([paying])
  const faultOf = async (): Promise<string> => {
    await look()
    const [view] = await service.list()
    return `${view?.state.fault?.kind} ${view?.state.fault?.message}`
  }
  nodes[1].moods.hidden?.add(paying.hash)
  assert.match(await faultOf(), /^DISAGREE .* have different transactions in the blocks/)
  nodes[1].moods.hidden?.clear()
  // What nodes say of others is their own matter.
  const foreign = transaction({ token: EVM_COIN, to: STRANGER, units: 1n })
  chain.mine([foreign])
  nodes[1].moods.hidden?.add(foreign.hash)
  assert.match(await faultOf(), /^undefined/)
  chain.mine()
  nodes[0].moods.coinSurplus = new Map([[payin.address.toLowerCase(), 5n * UNITS]])
  assert.match(await faultOf(), /^DISAGREE .* have different coins of the chain's own/)
  nodes[0].moods.coinSurplus = new Map()
  assert.match(await faultOf(), /^undefined/)
  assert.deepEqual(await transfers(), ['1 BOOKED'])
  assert.deepEqual(await faultsOf(rig), [])
})

test('D57 a block that is another one while it is asked what addresses have says nothing of it', async (t) => {
  const { chain, nodes, look, accept, transfers, service } = await openWithCoin(t)
  const payin = await accept()
  chain.mine([byContract(payin, UNITS)])
  let isOver = false
  nodes[0].moods.onRequest = (method) => {
    if (isOver || method !== 'eth_getBalance') return
    isOver = true
    chain.reorganise(1)
    chain.mine()
  }
  await look()
  const [view] = await service.list()
  assert.match(view?.state.fault?.message ?? '', /different coins of the chain's own|is another one than/)
  assert.deepEqual(await transfers(), [])
})

test('D57 what an address had in a block that is no more is not booked, and found again where it is now', async (t) => {
  const { rig, chain, look, accept, transfers } = await openWithCoin(t)
  chain.mine([byContract(await accept(), UNITS)])
  await look()
  // As if the chain had changed after this look had read it.
  await rig.sql(`update chain_transfers set block_hash = decode(repeat('00', 32), 'hex')`)
  chain.mine([], CONFIRMATIONS.small)
  await look()
  assert.deepEqual(await transfers(), ['1 GONE'])
  await look()
  assert.deepEqual(await transfers(), ['1 SEEN'])
  chain.mine([], CONFIRMATIONS.small)
  await look()
  assert.deepEqual(await transfers(), ['1 BOOKED'])
})

test('a node that lags is not asked for blocks that it has not, and nothing is lost', async (t) => {
  const { chain, nodes, look, accept, transfers, service } = await openWithCoin(t)
  const payin = await accept()
  chain.mine([], 2)
  await look()
  nodes[1].moods.lag = 1
  chain.mine([byContract(payin, UNITS)])
  await look()
  nodes[1].moods.lag = 3
  await look()
  const [view] = await service.list()
  assert.equal(view?.state.fault, undefined)
  assert.deepEqual(await transfers(), [])
  nodes[1].moods.lag = 0
  await look()
  assert.deepEqual(await transfers(), ['1 SEEN'])
})

test('D64 coins that leave for anywhere but the treasury are told, and so is an address that has less', async (t) => {
  const { chain, nodes, accept, look, count } = await openWithCoin(t)
  const [home, gone, short] = [await accept(), await accept(), await accept()]
  chain.mine(
    [home, gone, short].map((payin) => payin.pay(UNITS, EVM_COIN)),
    CONFIRMATIONS.small,
  )
  await look()
  chain.mine([
    transaction({ token: EVM_COIN, from: home.address, to: TREASURY, units: UNITS }),
    transaction({ token: EVM_COIN, from: gone.address, to: STRANGER, units: UNITS }),
  ])
  const surplus = new Map([[short.address.toLowerCase(), -1n]])
  for (const { moods } of nodes) moods.coinSurplus = surplus
  const { findings, coin } = await count()
  assert.equal(coin?.swept, '1')
  assert.equal(findings?.length, 2)
  assert.match(
    findings[0] ?? '',
    new RegExp(`^1 ETH left the address of the payment ${gone.reference} for 0x5`),
  )
  assert.ok(
    findings.some((each) =>
      each.startsWith(
        `The address ${short.address} of the payment ${short.reference} has 0.999999999999999999 ETH`,
      ),
    ),
    findings.join('\n'),
  )
})

/** So many payments as the first one, made after it. */
const addMany = ({ rig }: Awaited<ReturnType<typeof openWithCoin>>, count: number) =>
  rig.sql(
    `insert into payments select (jsonb_populate_record(p, jsonb_build_object('id_payment', 'MANY-' || n, 'reference', lpad(n::text, 12, '0'),
        'created_at', p.created_at + make_interval(secs => n),
        'instructions', jsonb_set(p.instructions, '{wallet,address}', to_jsonb('0x' || lpad(to_hex(n), 40, '9')))))).*
      from payments p, generate_series(1, ${count}) n where p.currency_code = 'ETH'`,
  )

test('thousands of payments that wait cost no more questions than one', async (t) => {
  const opened = await openWithCoin(t)
  const { nodes, look, accept, chain } = opened
  const [first] = nodes
  const asked = async (): Promise<Readonly<Record<string, number>>> => {
    first.counts.clear()
    // So many that each look reads some blocks for the second time.
    chain.mine([], CONFIRMATIONS.large)
    await look()
    return Object.fromEntries(first.counts)
  }
  await accept()
  await addMany(opened, 9)
  await asked()
  const few = await asked()
  assert.equal(few['eth_call'], TOKENS.length + 1, 'beside the decimals of three tokens')
  await opened.rig.sql(`delete from payments where id_payment like 'MANY-%'`)
  await addMany(opened, 10_000)
  assert.deepEqual(await asked(), few)
})

test('each of thousands has its turn: what a contract gave an old one is found some looks later', async (t) => {
  const opened = await openWithCoin(t)
  const { look, accept, chain, transfers } = opened
  const payin = await accept()
  await addMany(opened, 3_000)
  chain.mine([byContract(payin, UNITS)])
  const pages = Math.ceil((3_001 - 600) / 600)
  for (let looks = 0; looks < pages; looks += 1) await look()
  assert.deepEqual(await transfers(), ['1 SEEN'])
})
