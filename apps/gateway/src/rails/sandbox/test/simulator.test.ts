import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parsePlainAmount } from '@tollgate/money'
import type { Rail, RailPayment } from '../../rail.ts'
import { createSandboxRail } from '../index.ts'
import { SANDBOX_ADDRESSES, SANDBOX_PAYOUT_ADDRESSES } from '../rail.ts'

const neverAsked = (): never => {
  throw new Error('planning talks to nobody')
}
const simulator: Rail = {
  code: 'simulator',
  capabilities: { directions: ['PAYIN', 'PAYOUT', 'TOPUP'], flows: ['REDIRECT'], cancels: false },
  plan: ({ kind, reference }) => ({
    instructions: kind === 'PAYOUT' ? {} : { redirectUrl: `https://simulator.example/pay/${reference}` },
    startsAtOnce: true,
  }),
  advance: neverAsked,
  submit: neverAsked,
  inquire: neverAsked,
}
const rail = createSandboxRail({ simulatorUrl: 'https://simulator.example', simulator })

function plan(given: Partial<RailPayment>, emailAddress?: string) {
  return rail.plan({
    kind: 'PAYIN',
    idPayment: 'ORD-1',
    merchantCode: 'DEMO',
    reference: 'ABCDEF012345',
    money: { amount: parsePlainAmount('149.9'), currencyCode: 'EUR' },
    methodCode: 'ONLINE_BANKING',
    operatorCode: undefined,
    customer: emailAddress === undefined ? {} : { emailAddress },
    returnUrl: undefined,
    ...given,
  })
}

test('customers who are sent to a page decide there, unless an address of the sandbox decides', () => {
  for (const kind of ['PAYIN', 'TOPUP'] as const)
    for (const methodCode of ['ONLINE_BANKING', 'WALLET'])
      for (const address of [undefined, 'ada@shop.example', 'nobody-knows-it@sandbox.test'])
        assert.deepEqual(plan({ kind, methodCode }, address), {
          instructions: { redirectUrl: 'https://simulator.example/pay/ABCDEF012345' },
          startsAtOnce: true,
          carriedBy: 'simulator',
        })
  for (const address of Object.keys(SANDBOX_ADDRESSES))
    assert.equal(plan({}, address).carriedBy, undefined, address)
})

test('an address of the simulator takes a payment of any kind and method there', () => {
  const address = 'Ada@Simulator.Test'
  const transfer = plan({ methodCode: 'BANK_TRANSFER' }, address)
  assert.equal(transfer.carriedBy, 'simulator')
  assert.equal(transfer.startsAtOnce, true)
  assert.ok(transfer.instructions.account, 'the customer is still told where to pay')
  assert.deepEqual(plan({ kind: 'PAYOUT', methodCode: 'BANK_TRANSFER' }, address), {
    instructions: {},
    startsAtOnce: true,
    carriedBy: 'simulator',
  })
})

test('everything else stays with the sandbox', () => {
  for (const methodCode of ['BANK_TRANSFER', 'UPI', 'PIX', 'OFFLINE_TRANSFER', 'CRYPTO'])
    assert.equal(plan({ methodCode }).carriedBy, undefined, methodCode)
  for (const address of [undefined, ...Object.keys(SANDBOX_PAYOUT_ADDRESSES)])
    assert.equal(plan({ kind: 'PAYOUT', methodCode: 'WALLET' }, address).carriedBy, undefined)
})
