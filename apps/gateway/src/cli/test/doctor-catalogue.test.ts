import assert from 'node:assert/strict'
import { test } from 'node:test'
import { examineCatalogue, type PaymentNeeds } from '../doctor/catalogue.ts'
import { ownEnvironment, run } from './support.ts'

const READY: PaymentNeeds = {
  currencyCount: 1,
  payinMethods: ['BANK_TRANSFER'],
  inUse: [{ methodCode: 'BANK_TRANSFER', direction: 'PAYIN', rail: 'bank-transfer' }],
  transferCurrencies: ['EUR'],
  accountCurrencies: ['EUR'],
}

/** What is missing, and how the step is named. */
const MISSING: readonly (readonly [Partial<PaymentNeeds>, message: RegExp, fix: RegExp])[] = [
  [{ currencyCount: 0 }, /there is no currency/, /catalogue starter/],
  [{ payinMethods: [] }, /no method has limits/, /catalogue apply/],
  [{ inUse: [] }, /no active merchant has a payment method/, /enable-method <code> BANK_TRANSFER/],
  [
    { inUse: [{ methodCode: 'BANK_TRANSFER', direction: 'PAYOUT', rail: 'x' }] },
    /no active merchant/,
    /enable/,
  ],
  [{ accountCurrencies: ['USD'] }, /Bank transfers in EUR are refused/, /accounts add <code> --currency EUR/],
]

test('doctor says which step is missing until a payment can be taken', () => {
  assert.deepEqual(examineCatalogue(READY), {
    name: 'catalogue',
    status: 'OK',
    message: '1 method takes payments.',
  })
  for (const [without, message, fix] of MISSING) {
    const finding = examineCatalogue({ ...READY, ...without })
    assert.equal(finding.status, 'WARN')
    assert.match(finding.message, message)
    assert.match(finding.fix ?? '', fix)
  }
})

test('doctor reads the catalogue of the database: an empty one cannot take a payment', async (t) => {
  const { stdout } = await run(['doctor'], await ownEnvironment(t))
  assert.match(stdout, /warn {2}catalogue .*there is no currency\.\n +-> `tollgate catalogue starter/)
})
