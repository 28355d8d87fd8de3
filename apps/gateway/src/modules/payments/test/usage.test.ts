import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parsePlainAmount } from '@tollgate/money'
import fc from 'fast-check'
import { CapExceeded } from '../index.ts'
import { newPayment, openRig } from './rig.ts'

const cap = fc
  .record({
    amountMax: fc.option(fc.integer({ min: 1, max: 60 }), { nil: undefined }),
    countMax: fc.option(fc.integer({ min: 1, max: 4 }), { nil: undefined }),
  })
  .map(({ amountMax, countMax }) => ({
    ...(amountMax !== undefined && { amountMax: String(amountMax) }),
    ...(countMax !== undefined && { countMax }),
  }))
const amounts = fc.array(fc.integer({ min: 1, max: 30 }).map(String), { minLength: 1, maxLength: 6 })

test('a method is used up exactly when its cap would refuse the payment', async (t) => {
  const rig = await openRig(t)
  let runs = 0
  let usedUpCount = 0
  await fc.assert(
    fc.asyncProperty(cap, amounts, async (given, wanted) => {
      runs += 1
      const methodCode = `METHOD_${runs}`
      for (const amount of wanted) {
        const money = { amount: parsePlainAmount(amount), currencyCode: 'EUR' }
        const caps = new Map([
          [methodCode, given],
          ['UNTOUCHED', { amountMax: '30', countMax: 1 }],
        ])
        const usedUp = await rig.service.listUsedUp({ merchantId: '1', kind: 'PAYIN', money, caps })
        assert(!usedUp.has('UNTOUCHED'))
        const accepted = await rig.service.accept(newPayment({ amount, methodCode }), { cap: given }).then(
          ({ kind }) => kind === 'ACCEPTED',
          (error: unknown) => !(error instanceof CapExceeded),
        )
        assert.equal(accepted, !usedUp.has(methodCode))
        if (!accepted) usedUpCount += 1
      }
    }),
    { numRuns: 40 },
  )
  assert(usedUpCount > 5)
})
