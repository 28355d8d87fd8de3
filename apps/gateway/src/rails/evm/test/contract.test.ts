import type { PayoutDesk } from '../../rail.ts'
import { testRailContract } from '../../test/contract.ts'
import { createAddresses, createEvmRail } from '../index.ts'
import { ACCOUNT_XPUB } from './keys.ts'

const ASSET = { currencyCode: 'USDC', token: `0x${'ab'.repeat(20)}`, decimals: 6 }
const CHAIN = {
  code: 'BASE',
  name: 'Base',
  chainId: 8453,
  assets: new Map([['USDC', ASSET]]),
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
