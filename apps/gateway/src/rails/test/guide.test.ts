import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { parsePlainAmount } from '@tollgate/money'
import { waitUntil } from '@tollgate/testkit'
import { openShop } from '../../test/support/shop.ts'
import { testRailContract } from './contract.ts'
import { createCashRail } from './fixtures/cash/index.ts'

// The rail that docs/guides/rail-author.md builds, built.

const GUIDE = readFileSync(new URL('../../../../../docs/guides/rail-author.md', import.meta.url), 'utf8')
const FOLDER = new URL('./fixtures/cash/', import.meta.url)

testRailContract('cash', {
  create: () => createCashRail({ findReceipt: () => Promise.resolve(undefined) }),
  methodCodes: ['CASH'],
  currencyCode: 'EUR',
})

test('the guide shows the files of its rail as they are', () => {
  for (const name of ['rail.ts', 'index.ts']) {
    // In the fixture the shape of a rail is further up.
    const text = readFileSync(new URL(name, FOLDER), 'utf8').replace('../../../rail.ts', '../rail.ts')
    assert.ok(GUIDE.includes(`\`\`\`ts\n${text}\`\`\`\n`), `the guide shows another ${name}`)
  }
})

test('a payment goes by the rail of the guide from the request to the money', async (t) => {
  const receipts = new Map<string, ReturnType<typeof parsePlainAmount>>()
  const rail = createCashRail({
    findReceipt: (reference) => {
      const amount = receipts.get(reference)
      return Promise.resolve(amount === undefined ? undefined : { amount, currencyCode: 'EUR' })
    },
  })
  const shop = await openShop(t, {
    rail,
    prepare: ({ sql }) => sql(`update payment_methods set rail = 'cash' where method_code = 'BANK_TRANSFER'`),
  })
  const key = { merchantId: shop.merchantId, kind: 'PAYIN', idPayment: 'ORD-1' } as const
  const { payment } = await shop.intake.create({
    caller: shop.caller,
    key,
    direction: 'PAYIN',
    request: {
      money: { amount: parsePlainAmount('100'), currencyCode: 'EUR' },
      segmentCode: undefined,
      methodCode: 'BANK_TRANSFER',
      operatorCode: undefined,
      account: undefined,
      emailAddress: undefined,
      callbackUrl: new URL('https://shop.example/callbacks'),
      returnUrl: undefined,
      returnUrlAsSent: undefined,
      idCustomer: undefined,
    },
  })
  assert.equal(payment.instructions.reference, payment.reference)
  receipts.set(payment.reference, parsePlainAmount('100'))
  shop.startWorker()
  const isPaid = async (): Promise<boolean> => (await shop.payments.find(key))?.status === 'SUCCESS'
  await waitUntil(isPaid, { timeoutMs: 10_000, what: 'the payment to be paid' })
})
