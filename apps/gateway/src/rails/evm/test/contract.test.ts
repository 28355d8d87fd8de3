import { testRailContract } from '../../test/contract.ts'
import { createAddresses, createEvmRail } from '../index.ts'
import { ACCOUNT_XPUB } from './keys.ts'

const ASSET = { currencyCode: 'USDC', token: `0x${'ab'.repeat(20)}`, decimals: 6 }
const CHAIN = {
  name: 'Base',
  chainId: 8453,
  assets: new Map([['USDC', ASSET]]),
  addresses: createAddresses(ACCOUNT_XPUB),
  walletUrl: 'http://localhost:8083/wallet',
}

testRailContract('evm', {
  create: () => createEvmRail({ chainFor: () => CHAIN }),
  methodCodes: ['USDC_BASE'],
  currencyCode: 'USDC',
})
