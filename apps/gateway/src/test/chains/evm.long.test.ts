import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parsePlainAmount } from '@tollgate/money'
import { EVM_COIN } from '@tollgate/payment-codes'
import { Transaction } from 'micro-eth-signer'
import { faultsOf } from '../../modules/statements/test/rig.ts'
import { REFUSE_SELECTOR, TOKEN_BYTECODE } from './evm-token.ts'
import { KEY, openPayoutRig, WALLET } from './payout-rig.ts'
import { CHAIN_ID, CONFIRMATIONS } from './rig.ts'

// The same against a real EVM, where one is at hand:
//
//   npx ganache@7.9.2 --server.port 8599 --chain.chainId 31337 --miner.blockTime 100000 \
//     --wallet.accounts 0x1717171717171717171717171717171717171717171717171717171717171717,0x3635c9adc5dea00000
//   TOLLGATE_TEST_EVM_RPC=http://127.0.0.1:8599 npm test -- apps/gateway/src/test/chains/evm.long.test.ts

const RPC = process.env['TOLLGATE_TEST_EVM_RPC'] ?? ''
const skip = RPC === '' && 'TOLLGATE_TEST_EVM_RPC names no node of a development chain'

async function rpc(method: string, ...params: readonly unknown[]): Promise<unknown> {
  const response = await fetch(RPC, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  })
  const answer: unknown = await response.json()
  if (typeof answer !== 'object' || answer === null || !('result' in answer))
    throw new Error(`${method}: ${JSON.stringify(answer)}`)
  return answer.result
}

async function mine(count: number): Promise<void> {
  for (let made = 0; made < count; made += 1) await rpc('evm_mine')
}

/** A transaction of the wallet that no payout is of: its number is used before the first payout has one. */
async function carryOut(to: string, data: string, value = 0n): Promise<string> {
  const nonce = BigInt(String(await rpc('eth_getTransactionCount', WALLET, 'latest')))
  const signed = Transaction.prepare({
    type: 'eip1559',
    chainId: BigInt(CHAIN_ID),
    nonce,
    to,
    value,
    data,
    gasLimit: 1_500_000n,
    maxFeePerGas: 10n ** 11n,
    maxPriorityFeePerGas: 10n ** 9n,
  }).signBy(KEY, false)
  const hash = String(await rpc('eth_sendRawTransaction', signed.toHex()))
  await mine(1)
  return hash
}

const argument = (address: string): string => address.slice(2).padStart(64, '0')

test('on a real EVM, payouts are paid, refused by the token, and replaced under their numbers', {
  skip,
}, async (t) => {
  const receipt = await rpc('eth_getTransactionReceipt', await carryOut('0x', TOKEN_BYTECODE))
  assert.ok(typeof receipt === 'object' && receipt !== null && 'contractAddress' in receipt)
  const token = String(receipt.contractAddress).toLowerCase()
  const nodes = [RPC, RPC.replace('127.0.0.1', 'localhost')]
  const { rig, pay, look, payouts, tell, signer } = await openPayoutRig(t, { token, rpc: nodes })
  const [good, refused, raised] = [await pay('25.5'), await pay('3'), await pay('4')]
  await carryOut(token, `${REFUSE_SELECTOR}${argument(refused.payee)}`)
  const first = Number(await rpc('eth_getTransactionCount', WALLET, 'latest'))
  await look()
  await rig.sql(`update chain_payout_transactions set signed_at = signed_at - interval '121 s'`)
  await look()
  await mine(1)
  await look()
  assert.equal(await tell(good), 'WAITING')
  await mine(CONFIRMATIONS.small)
  await look()
  assert.deepEqual(await payouts(), [`25.5 PAID ${first}`, `3 FAILED ${first + 1}`, `4 PAID ${first + 2}`])
  assert.equal(signer.record().length, 4)
  const balanceOf = async (address: string): Promise<bigint> =>
    BigInt(String(await rpc('eth_call', { to: token, data: `0x70a08231${argument(address)}` }, 'latest')))
  assert.deepEqual(await Promise.all([good, refused, raised].map(({ payee }) => balanceOf(payee))), [
    25_500_000n,
    0n,
    4_000_000n,
  ])
  const [fees] = await rig.sql('select count(*)::int as count from chain_payouts where network_fee > 0')
  assert.equal(fees?.['count'], 3)
  assert.deepEqual(await faultsOf(rig), [])
})

/**
 * A contract that gives what it is given to an address while it is made, and is nothing afterwards:
 * PUSH1 0 (four times), CALLVALUE, PUSH20 address, GAS, CALL, STOP.
 */
const giver = (address: string): string => `0x60006000600060003473${address.slice(2)}5af100`

test("on a real EVM, payins and payouts in the chain's own coin: by transactions and by contracts, all of it accounted for", {
  skip,
}, async (t) => {
  const nodes = [RPC, RPC.replace('127.0.0.1', 'localhost')]
  const startBlock = Number(await rpc('eth_blockNumber'))
  const opened = await openPayoutRig(t, { token: EVM_COIN, rpc: nodes, startBlock })
  const { rig, accept, pay, look, payouts, transfers, service } = opened
  const inCoin = { currencyCode: 'ETH', methodCode: 'ETH_LOCAL' }
  const amount = parsePlainAmount('0.25')
  const [plain, internal] = [await accept(amount, inCoin), await accept(amount, inCoin)]
  await look()
  await carryOut(plain.address, '', 25n * 10n ** 16n)
  await carryOut('0x', giver(internal.address), 25n * 10n ** 16n)
  const payout = await pay('0.125')
  await look()
  assert.deepEqual(await transfers(), ['0.25 SEEN', '0.25 SEEN'])
  await mine(CONFIRMATIONS.small)
  await look()
  assert.deepEqual(await transfers(), ['0.25 BOOKED', '0.25 BOOKED'])
  assert.match((await payouts())[0] ?? '', /^0\.125 PAID/)
  assert.equal(BigInt(String(await rpc('eth_getBalance', payout.payee, 'latest'))), 125n * 10n ** 15n)
  await service.look('LOCAL')
  await look()
  const { holdings } = await service.holdings('LOCAL')
  assert.deepEqual([holdings.problem, holdings.counted?.holdings.findings], [undefined, []])
  assert.deepEqual(await faultsOf(rig), [])
})
