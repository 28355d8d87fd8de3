import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { parsePlainAmount, toMinorUnits, ZERO } from '@tollgate/money'
import { EVM_COIN } from '@tollgate/payment-codes'
import { readSignedSweep } from '@tollgate/signer-protocol'
import type { TestLife } from '@tollgate/testkit'
import { Transaction } from 'micro-eth-signer'
import { agreementOf, createWalletNode, planSweep } from '../../modules/chains/index.ts'
import { faultsOf } from '../../modules/statements/test/rig.ts'
import { createLargeAnswerClient } from '../../platform/outbound/index.ts'
import { ACCOUNT_XPRV, privateKeyAt } from '../../rails/evm/test/keys.ts'
import { CHAIN_ID, CONFIRMATIONS, ETH, openChainRig, TOKENS, TREASURY, USDC } from './rig.ts'

const SIGNER = fileURLToPath(new URL('../../../../signer/src/main.ts', import.meta.url))
const COIN = { currencyCode: 'ETH', decimals: 18 }
const UNITS = 1_000_000n
const ten = parsePlainAmount('10')
const run = promisify(execFile)

/** Payins of 10, 20 and 3 that are final, at addresses without any of the chain's own coin. */
async function openWithCoins(t: TestLife, assets = TOKENS) {
  const client = createLargeAnswerClient()
  t.after(() => client.close())
  const opened = await openChainRig(t, ({ nodes }) => ({
    assets,
    sweeps: {
      coin: COIN,
      nodes: nodes.map(({ url }) => createWalletNode({ url, client })),
    },
  }))
  const { chain, look, service } = opened
  const payins = await Promise.all(['10', '20', '3'].map((amount) => opened.accept(parsePlainAmount(amount))))
  const transactions = payins.map((payin) => payin.pay(BigInt(payin.amount) * UNITS))
  for (const { address } of payins) chain.withoutCoins.add(address.toLowerCase())
  chain.mine(transactions, 3 * CONFIRMATIONS.large)
  await look()
  const plan = async (min = ten, isAgain = false, more: Partial<Parameters<typeof planSweep>[1]> = {}) => {
    const [view] = await service.list()
    assert(view)
    const signal = AbortSignal.timeout(60_000)
    const planning = {
      db: opened.rig.db,
      chain: view.chain,
      signal,
      agreement: agreementOf(view.chain, signal),
    }
    return planSweep(planning, {
      currencyCode: 'USDC',
      min,
      leave: ZERO,
      addressesMax: 100,
      isAgain,
      ...more,
    })
  }
  const send = (transactions: readonly string[]): Promise<number> =>
    service.takeSweep('LOCAL', { transactions, by: 'operator:fina' })
  /** Each as `step state`, in the order in which they were given. */
  const sweeps = async (): Promise<readonly string[]> =>
    (await service.listSweeps({ code: 'LOCAL', before: undefined, limit: 50 }))
      .map(({ step, state }) => `${step} ${state}`)
      .toReversed()
  return {
    ...opened,
    payins,
    plan,
    send,
    sweeps,
    sign: (given: object, more?: object) => sign(t, given, more),
  }
}

/** Signs by the program that has the private key. */
async function sign(t: TestLife, plan: object, more: object = {}): Promise<readonly string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-sweep-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const at = (name: string): string => join(folder, name)
  const chain = { chainId: CHAIN_ID, treasury: TREASURY, maxFeePerGasGwei: '100', tokens: [USDC], ...more }
  writeFileSync(at('key'), ACCOUNT_XPRV, { mode: 0o600 })
  writeFileSync(at('settings.json'), JSON.stringify({ keyFile: 'key', chains: [chain] }))
  writeFileSync(at('plan.json'), JSON.stringify(plan))
  await run(process.execPath, [SIGNER, 'sweep', at('settings.json'), at('plan.json'), at('signed.json')])
  return readSignedSweep(readFileSync(at('signed.json'), 'utf8'))?.transactions ?? []
}

test('coins are planned, signed elsewhere, sent, and at home; what it cost is booked once', async (t) => {
  const { rig, chain, look, service, plan, send, sweeps, sign: signed } = await openWithCoins(t)
  const planned = await plan()
  assert.deepEqual(
    [planned.amount, planned.plan.moves.length, planned.leftOut, planned.coin],
    ['30', 2, 0, 'ETH'],
  )
  const transactions = await signed(planned.plan)
  assert.equal(transactions.length, 4)
  assert.equal(await send(transactions), 4)
  assert.equal(await send(transactions), 0)
  await look()
  // Addresses without coins send nothing yet.
  assert.equal(chain.mempool.waiting().length, 2)
  chain.minePending()
  await look()
  await look()
  assert.equal(chain.mempool.waiting().length, 2)
  chain.minePending(CONFIRMATIONS.large)
  await look()
  assert.deepEqual(await sweeps(), ['FUND DONE', 'FUND DONE', 'MOVE DONE', 'MOVE DONE'])
  await service.look('LOCAL')
  await look()
  const counted = (await service.holdings('LOCAL')).holdings.counted?.holdings
  assert.deepEqual(counted?.findings, [])
  const usdc = counted.assets.find(({ currencyCode }) => currencyCode === 'USDC')
  assert.deepEqual([usdc?.swept, usdc?.inTreasury, usdc?.atAddresses], ['30', '30', '3'])
  const [fees] = await rig.sql(
    `select count(*)::int as count, (select sum(network_fee) = (select sum(amount) from ledger_postings where account = 'CLEARING' and currency_code = 'ETH')
      from chain_sweep_transactions) as same from ledger_transfers where event = 'NETWORK_FEE'`,
  )
  assert.deepEqual({ ...fees }, { count: 4, same: true })
  assert.deepEqual(await faultsOf(rig), [])
  await assert.rejects(plan(), /No address of a payment has 10 USDC or more/)
})

test("the chain's own coin goes home without what the network takes, and tokens beside it; every coin is accounted for", async (t) => {
  const opened = await openWithCoins(t, [...TOKENS, ETH])
  const { rig, chain, look, accept, service, plan, send, sweeps, sign: signed } = opened
  const payins = [await accept(parsePlainAmount('2'), { currencyCode: 'ETH' })]
  payins.push(await accept(parsePlainAmount('0.01'), { currencyCode: 'ETH' }))
  for (const { address } of payins) chain.withoutCoins.add(address.toLowerCase())
  chain.mine(
    payins.map((payin) => payin.pay(toMinorUnits(parsePlainAmount(payin.amount), ETH.decimals), EVM_COIN)),
    3 * CONFIRMATIONS.large,
  )
  await look()
  const inCoin = { currencyCode: 'ETH', leave: parsePlainAmount('0.001') }
  const planned = await plan(parsePlainAmount('0.01'), false, inCoin)
  const [fee = 0n] = planned.plan.moves.map(
    (move) => BigInt(move.gasLimit) * BigInt(planned.plan.maxFeePerGas),
  )
  assert.deepEqual(
    planned.plan.moves.map(({ units, fund, token }) => [BigInt(units), fund, token]),
    payins.map(({ amount }) => [
      toMinorUnits(parsePlainAmount(amount), ETH.decimals) - fee - 10n ** 15n,
      '0',
      EVM_COIN,
    ]),
  )
  const transactions = await signed(planned.plan, { tokens: [EVM_COIN] })
  assert.equal(await send(transactions), 2)
  await look()
  chain.minePending(CONFIRMATIONS.large)
  await look()
  assert.deepEqual(await sweeps(), ['MOVE DONE', 'MOVE DONE'])
  // Tokens go home from addresses that are given coins for it, which are nobody's payment.
  assert.equal(await send(await signed((await plan()).plan)), 4)
  for (let looks = 0; looks < 3; looks += 1) {
    await look()
    chain.minePending(CONFIRMATIONS.large)
  }
  await look()
  assert.equal((await sweeps()).filter((each) => each.endsWith('DONE')).length, 6)
  await service.look('LOCAL')
  await look()
  const counted = (await service.holdings('LOCAL')).holdings.counted?.holdings
  assert.deepEqual(counted?.findings, [])
  const coin = counted.assets.find(({ currencyCode }) => currencyCode === 'ETH')
  assert.equal(coin?.swept, planned.amount)
  assert.equal(coin.addressCount, 4)
  const lines = await rig.sql(
    `select count(*)::int as count from chain_transfers where currency_code = 'ETH'`,
  )
  assert.equal(lines[0]?.['count'], 2)
  assert.deepEqual(await faultsOf(rig), [])
  await assert.rejects(plan(parsePlainAmount('0.0005'), false, inCoin), /is not more than its way home costs/)
})

test('what is on its way is in no second plan but one that takes its place, and what nodes forget is sent again', async (t) => {
  const { rig, chain, look, plan, send, sweeps, sign: signed } = await openWithCoins(t)
  const first = (await plan()).plan
  await send(await signed(first))
  await assert.rejects(plan(), /Coins of 2 addresses are still on their way/)
  // In the place of it, with the same numbers, though one of them has less than is asked for.
  assert.deepEqual((await plan(parsePlainAmount('20'), true)).plan, first)
  await look()
  chain.mempool.clear()
  await look()
  assert.equal(chain.mempool.waiting().length, 0)
  await rig.sql(`update chain_sweep_transactions set sent_at = sent_at - interval '61 seconds'`)
  await look()
  assert.equal(chain.mempool.waiting().length, 2)
  assert.deepEqual(await sweeps(), ['FUND WAITING', 'FUND WAITING', 'MOVE WAITING', 'MOVE WAITING'])
})

test('D65 a number that something else used ends what was signed for it, and a refusing token is told', async (t) => {
  const { rig, chain, look, plan, send, sweeps, sign: signed } = await openWithCoins(t)
  const [first, second] = [await signed((await plan()).plan), await signed((await plan()).plan)]
  assert.deepEqual(first, second)
  const { plan: dearer } = await plan(parsePlainAmount('20'))
  const other = await signed({ ...dearer, maxFeePerGas: String(3n * BigInt(dearer.maxFeePerGas)) })
  await send([...first, ...other])
  chain.refusedPayees.add(TREASURY)
  // The dearer one is in a block before nodes hear of the others.
  const [fund = ''] = other
  chain.mempool.take(fund)
  chain.minePending(2 * CONFIRMATIONS.large)
  for (let looks = 0; looks < 3; looks += 1) {
    await look()
    await rig.sql(`update chain_sweep_transactions set sent_at = sent_at - interval '61 seconds'`)
    chain.minePending(2 * CONFIRMATIONS.large)
  }
  await look()
  const states = await sweeps()
  assert.deepEqual(states.filter((each) => each.startsWith('FUND')).toSorted(), [
    'FUND DONE',
    'FUND DONE',
    'FUND SUPERSEDED',
  ])
  assert.ok(states.includes('MOVE FAILED'), states.join())
  assert.deepEqual(await faultsOf(rig), [])
})

test('D65 the gateway takes nothing but coins that go home, and all of a file or nothing', async (t) => {
  const { plan, send, sweeps, payins, sign: signed } = await openWithCoins(t)
  const { plan: planned } = await plan()
  const good = await signed(planned)
  const elsewhere = `0x${'5e'.repeat(20)}`
  const stolen = await signed({ ...planned, treasury: elsewhere }, { treasury: elsewhere })
  await assert.rejects(
    send([...good, ...stolen]),
    /transaction 7 of the payment \w+ brings coins to 0x5e.* not in treasury/,
  )
  const otherToken = `0x${'bb'.repeat(20)}`
  const moves = planned.moves.map((move) => ({ ...move, token: otherToken }))
  await assert.rejects(
    send(await signed({ ...planned, moves }, { tokens: [otherToken] })),
    /transaction 3 of the payment \w+ is no transfer of a coin or token of the settings/,
  )
  await assert.rejects(
    send(await signed({ ...planned, chainId: '1' }, { chainId: 1 })),
    /transaction 1 is of the chain 1/,
  )
  const key = `0x${Buffer.from(privateKeyAt('m/7/7')).toString('hex')}`
  const foreign = Transaction.prepare({
    type: 'eip1559',
    chainId: BigInt(CHAIN_ID),
    nonce: 0n,
    value: 1n,
    data: '',
    gasLimit: 21_000n,
    to: payins[0]?.address ?? '',
    maxFeePerGas: 10n ** 9n,
    maxPriorityFeePerGas: 1n,
  })
  await assert.rejects(
    send([foreign.signBy(key, false).toHex()]),
    /is from 0x\w+, which is no address of a payment/,
  )
  await assert.rejects(send(['0x02f8']), /transaction 1 cannot be read/)
  assert.deepEqual(await sweeps(), [])
})

test('D65 the signer of sweeps has its own word for where coins go, what it costs, and which tokens', async (t) => {
  const { plan, sign: signed } = await openWithCoins(t)
  const { plan: planned } = await plan()
  const [move] = planned.moves
  assert(move)
  const refused: readonly (readonly [object, RegExp])[] = [
    [{ treasury: `0x${'5e'.repeat(20)}` }, /brings coins to 0x5e.* the settings say 0x7e/],
    [{ maxFeePerGas: '100000000001' }, /offers 100000000001 wei for gas; the settings allow 100000000000/],
    [{ chainId: '1' }, /The settings have no chain 1/],
    [{ fundGasLimit: '9999999' }, /fundGasLimit is 9999999; the settings allow 200000/],
    [{ moves: [move, move] }, /The plan has a payment twice/],
    [{ moves: [{ ...move, token: `0x${'bb'.repeat(20)}` }] }, /do not name the token 0xbb/],
    [{ moves: [{ ...move, gasLimit: '200001' }] }, /gasLimit is 200001/],
    [
      { moves: [{ ...move, fund: String(BigInt(move.gasLimit) * BigInt(planned.maxFeePerGas) + 1n) }] },
      /more than its transaction can cost/,
    ],
    [{ moves: [] }, /is no plan as/],
  ]
  for (const [changed, says] of refused) await assert.rejects(signed({ ...planned, ...changed }), says)
  assert.equal((await signed(planned)).length, 4)
})
