import { testRailContract } from '../../test/contract.ts'
import { createSandboxRail } from '../index.ts'

testRailContract('sandbox', {
  create: () => createSandboxRail({ simulatorUrl: 'https://simulator.example' }),
  methodCodes: ['BANK_TRANSFER', 'ONLINE_BANKING', 'WALLET', 'UPI', 'PIX', 'OFFLINE_TRANSFER', 'CRYPTO'],
  currencyCode: 'EUR',
})
