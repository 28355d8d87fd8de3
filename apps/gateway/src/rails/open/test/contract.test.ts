import { after } from 'node:test'
import { testRailContract } from '../../test/contract.ts'
import { startInstitution } from './institution.ts'

const institution = await startInstitution({ after })

testRailContract('open', {
  create: () => institution.rail(),
  methodCodes: ['ONLINE_BANKING', 'WALLET'],
  currencyCode: 'EUR',
})
