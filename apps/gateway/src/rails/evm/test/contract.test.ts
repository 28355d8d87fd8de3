import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parsePlainAmount } from '@tollgate/money'
import { EVM_COIN } from '@tollgate/payment-codes'
import type { PayoutDesk } from '../../rail.ts'
import { testRailContract } from '../../test/contract.ts'
import { createAddresses, createEvmRail } from '../index.ts'
import { ACCOUNT_XPUB } from './keys.ts'

const ASSET = { currencyCode: 'USDC', token: `0x${'ab'.repeat(20)}`, decimals: 6 }
const COIN = { currencyCode: 'ETH', token: EVM_COIN, decimals: 18 }
const CHAIN = {
  code: 'BASE',
  name: 'Base',
  chainId: 8453,
  assets: new Map([
    ['USDC', ASSET],
    ['ETH', COIN],
  ]),
  addresses: createAddresses(ACCOUNT_XPUB),
  walletUrl: 'http://localhost:8083/wallet',
  wallet: `0x${'cd'.repeat(20)}`,
}

/** As the room of chains does it: what is not there was never taken. */
function createDesk(): PayoutDesk {
  const taken = new Set<string>()
  return {
    async take({ reference }) {
      taken.add(reference)
      return { kind: 'WAITING', askAgainSeconds: 5 }
    },
    tell: async ({ reference }) =>
      taken.has(reference)
        ? { kind: 'WAITING', askAgainSeconds: 5 }
        : { kind: 'UNKNOWN', askAgainSeconds: 30, isAbsent: true },
  }
}

const desk = createDesk()

testRailContract('evm', {
  create: () => createEvmRail({ chainFor: () => CHAIN, payouts: desk }),
  methodCodes: ['USDC_BASE'],
  currencyCode: 'USDC',
  customer: { accountNumber: `0x${'ef'.repeat(20)}` },
})

testRailContract('evm, in the coin of the chain', {
  create: () => createEvmRail({ chainFor: () => CHAIN, payouts: createDesk() }),
  methodCodes: ['ETH_BASE'],
  currencyCode: 'ETH',
  customer: { accountNumber: `0x${'ef'.repeat(20)}` },
})

test("the code of a payin in the chain's own coin names the chain and the amount in its smallest units, and no contract", () => {
  const rail = createEvmRail({ chainFor: () => CHAIN, payouts: desk })
  const money = { amount: parsePlainAmount('0.015'), currencyCode: 'ETH' }
  const { instructions } = rail.plan({
    kind: 'PAYIN',
    idPayment: 'ORD-1',
    merchantCode: 'DEMO',
    reference: '7MZKQ2VTN4CX',
    money,
    methodCode: 'ETH_BASE',
    operatorCode: undefined,
    customer: {},
    returnUrl: undefined,
  })
  const address = instructions.wallet?.address ?? ''
  assert.deepEqual(instructions.wallet, { address, network: 'Base', chainId: '8453' })
  assert.equal(instructions.qr?.content, `ethereum:${address}@8453?value=15000000000000000`)
})

test('no payout goes to the contract of a token, in whichever coin it is', () => {
  const rail = createEvmRail({ chainFor: () => CHAIN, payouts: desk })
  for (const currencyCode of ['USDC', 'ETH']) {
    const objection = rail.objectTo?.({
      kind: 'PAYOUT',
      methodCode: 'BASE',
      money: { amount: parsePlainAmount('1'), currencyCode },
      customer: { accountNumber: ASSET.token },
    })
    assert.match(objection?.message ?? '', /is the contract of a token itself: coins sent there are lost/)
  }
})
