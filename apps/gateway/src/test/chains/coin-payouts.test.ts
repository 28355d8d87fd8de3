import assert from 'node:assert/strict'
import { test } from 'node:test'
import { EVM_COIN } from '@tollgate/payment-codes'
import { faultsOf } from '../../modules/statements/test/rig.ts'
import { openPayoutRig, WALLET } from './payout-rig.ts'
import { CONFIRMATIONS } from './rig.ts'

// Payouts in the chain's own coin: from the same wallet, under the same numbers, and out of what also pays the network.

const UNITS = 10n ** 18n
const GAS_OF_ONE = 120_000n * 50n * 10n ** 9n

test('a payout in the coin is a transaction that gives it and does nothing else, and is paid when its block counts', async (t) => {
  const { rig, chain, pay, look, payouts, paid, tell, signer } = await openPayoutRig(t, { token: EVM_COIN })
  const payout = await pay('1.5')
  await look()
  const [sent] = chain.mempool.waiting()
  assert.deepEqual(
    [sent?.from, sent?.payee, sent?.units, sent?.token],
    [WALLET, payout.payee, (3n * UNITS) / 2n, EVM_COIN],
  )
  chain.minePending(CONFIRMATIONS.small)
  await look()
  assert.deepEqual(await payouts(), ['1.5 PAID 0'])
  assert.equal(await tell(payout), 'SUCCEEDED')
  assert.deepEqual([...paid()], [[payout.payee, (3n * UNITS) / 2n]])
  assert.equal(signer.record().length, 1)
  assert.deepEqual(await faultsOf(rig), [])
})

test('what pays the network is not paid out, and what is on its way counts as spent', async (t) => {
  const { chain, pay, look, payouts, problem } = await openPayoutRig(t, { token: EVM_COIN })
  chain.funds.coin = 3n * UNITS + 2n * GAS_OF_ONE
  await pay('2')
  await pay('1.1')
  await pay('1')
  await look()
  assert.deepEqual(await payouts(), ['2 SENT 0', '1.1 QUEUED', '1 SENT 1'])
  assert.match(await problem(), /has too little: ETH\. Payouts wait/)
  // As much as is paid out, and one unit less than the network may take on top.
  chain.funds.coin = 3n * UNITS + 2n * GAS_OF_ONE + (11n * UNITS) / 10n + GAS_OF_ONE - 1n
  await look()
  assert.deepEqual(await payouts(), ['2 SENT 0', '1.1 QUEUED', '1 SENT 1'])
  chain.funds.coin += 1n
  await look()
  assert.deepEqual(await payouts(), ['2 SENT 0', '1.1 SENT 2', '1 SENT 1'])
  assert.equal(await problem(), '')
})

test('an address that refuses the coin makes its payout fail, and the network has its fee', async (t) => {
  const { rig, chain, pay, look, tell, paid } = await openPayoutRig(t, { token: EVM_COIN })
  const payout = await pay('1')
  chain.refusedPayees.add(payout.payee)
  await look()
  chain.minePending(CONFIRMATIONS.small)
  await look()
  assert.equal(await tell(payout), 'FAILED TRANSFER_REVERTED')
  assert.equal(paid().get(payout.payee), undefined)
  const [fees] = await rig.sql('select count(*)::int as count from chain_payouts where network_fee > 0')
  assert.equal(fees?.['count'], 1)
  assert.deepEqual(await faultsOf(rig), [])
})

test('D61 the signer lets out of the coin what its settings say, and nothing where they do not name it', async (t) => {
  const { pay, look, payouts, tell } = await openPayoutRig(t, {
    token: EVM_COIN,
    perTransaction: '2',
    perDay: '3',
  })
  const [over] = [await pay('2.1'), await pay('2'), await pay('1.5')]
  await look()
  assert.deepEqual(await payouts(), ['2.1 FAILED', '2 SENT 0', '1.5 QUEUED'])
  assert.equal(await tell(over), 'FAILED REJECTED')
})
