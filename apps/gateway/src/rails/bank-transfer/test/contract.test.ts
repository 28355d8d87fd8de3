import { testRailContract } from '../../test/contract.ts'
import { createBankTransferRail } from '../index.ts'

const ACCOUNT = {
  currencyCode: 'EUR',
  iban: 'DE89370400440532013000',
  bic: 'COBADEFFXXX',
  holder: 'A shop',
  bankName: 'Bank',
  payoutFormat: 'PAIN_001_001_09',
  address: {},
}

testRailContract('bank-transfer', {
  create: () => createBankTransferRail({ accountFor: () => ACCOUNT }),
  methodCodes: ['BANK_TRANSFER'],
  currencyCode: 'EUR',
})
