import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parsePlainAmount } from '@tollgate/money'
import type { Rail, RailPayment } from '../../rail.ts'
import { createSandboxRail } from '../index.ts'
import { SANDBOX_ADDRESSES } from '../rail.ts'

/** A rail of bank transfers that knows one currency. */
const transfers: Rail = {
  code: 'bank-transfer',
  capabilities: { directions: ['PAYIN', 'PAYOUT', 'TOPUP'], flows: ['INSTRUCTIONS'], cancels: false },
  objectTo: ({ money }) =>
    money.currencyCode === 'EUR' ? undefined : { code: 'CHANNEL_UNAVAILABLE', message: 'No account.' },
  plan: ({ reference }) => ({ instructions: { reference: `RF-${reference}` }, startsAtOnce: false }),
  advance: () => assert.fail('nobody asks'),
  submit: () => assert.fail('nobody asks'),
  inquire: () => assert.fail('nobody asks'),
}
const rail = createSandboxRail({ simulatorUrl: 'https://simulator.example', transfers })

function paymentOf(emailAddress: string | undefined, given: Partial<RailPayment> = {}): RailPayment {
  return {
    kind: 'PAYIN',
    idPayment: 'ORD-1',
    merchantCode: 'DEMO',
    reference: 'ABCDEF012345',
    money: { amount: parsePlainAmount('149.9'), currencyCode: 'EUR' },
    methodCode: 'BANK_TRANSFER',
    operatorCode: undefined,
    customer: emailAddress === undefined ? {} : { emailAddress },
    returnUrl: undefined,
    ...given,
  }
}
const YEN = { money: { amount: parsePlainAmount('100'), currencyCode: 'JPY' } }

test('a bank transfer that no address decides about is carried by the rail of bank transfers', () => {
  const plan = rail.plan(paymentOf(undefined))
  assert.deepEqual(plan, {
    instructions: { reference: 'RF-ABCDEF012345' },
    startsAtOnce: false,
    carriedBy: 'bank-transfer',
  })
  assert.equal(rail.plan(paymentOf('ada@shop.example', { kind: 'TOPUP' })).carriedBy, 'bank-transfer')
  assert.equal(rail.plan(paymentOf('ada@simulator.test')).carriedBy, undefined)
  assert.equal(rail.plan(paymentOf(undefined, { methodCode: 'WALLET' })).carriedBy, undefined)
})

test('an address that decides keeps deciding, and its customers are told the same', () => {
  for (const address of Object.keys(SANDBOX_ADDRESSES)) {
    const plan = rail.plan(paymentOf(address.toUpperCase()))
    assert.equal(plan.carriedBy, undefined, address)
    assert.deepEqual(plan.instructions, { reference: 'RF-ABCDEF012345' })
  }
})

test('payouts succeed at once, but the one that asks for a file waits for it', () => {
  assert.deepEqual(rail.plan(paymentOf(undefined, { kind: 'PAYOUT' })), {
    instructions: {},
    startsAtOnce: true,
  })
  const plan = rail.plan(paymentOf('File@sandbox.test', { kind: 'PAYOUT' }))
  assert.deepEqual([plan.carriedBy, plan.startsAtOnce], ['bank-transfer', false])
})

test('without an account bank transfers are not taken, and other methods name an account of the sandbox', () => {
  const asked = { customer: undefined, methodCode: 'BANK_TRANSFER', ...YEN }
  assert.ok(rail.objectTo)
  assert.equal(rail.objectTo({ ...asked, kind: 'PAYIN' })?.code, 'CHANNEL_UNAVAILABLE')
  assert.equal(rail.objectTo({ ...asked, kind: 'PAYOUT' }), undefined)
  const customer = { emailAddress: 'file@sandbox.test' }
  assert.equal(rail.objectTo({ ...asked, kind: 'PAYOUT', customer })?.code, 'CHANNEL_UNAVAILABLE')
  assert.equal(rail.objectTo({ ...asked, kind: 'PAYIN', methodCode: 'PIX' }), undefined)
  const plan = rail.plan(paymentOf(undefined, { ...YEN, methodCode: 'OFFLINE_TRANSFER' }))
  assert.equal(plan.instructions.account?.accountNumber, 'XS00TESTJPY000001')
})
