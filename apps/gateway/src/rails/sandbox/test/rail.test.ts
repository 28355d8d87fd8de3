import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parsePlainAmount } from '@tollgate/money'
import type { Plan, RailPayment, RailProgress, RailReport } from '../../rail.ts'
import { createSandboxRail, isSandboxAddress } from '../index.ts'
import { SANDBOX_ADDRESSES, type SandboxAddress } from '../rail.ts'

const rail = createSandboxRail({ simulatorUrl: 'https://simulator.example' })
const never = new AbortController().signal

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

const START: RailProgress = { ageSeconds: 0, externalReference: undefined, isPaid: false }
const SUCCEEDED: RailReport = {
  kind: 'SUCCEEDED',
  received: { amount: parsePlainAmount('149.9'), currencyCode: 'EUR' },
  payer: {
    accountName: 'Sandbox Customer',
    accountNumber: 'DE66999999990000000002',
    bankCode: 'TGSBDE99XXX',
    bankName: 'Sandbox Bank',
  },
}
const WAITS: RailReport = { kind: 'WAITING', askAgainSeconds: undefined }

/** What each address plans, and what it reports at which point. */
const TABLE: Readonly<
  Record<
    SandboxAddress,
    { plan: Omit<Plan, 'instructions'>; reports: readonly (readonly [RailProgress, RailReport])[] }
  >
> = {
  'success@sandbox.test': { plan: { startsAtOnce: true }, reports: [[START, SUCCEEDED]] },
  'declined@sandbox.test': {
    plan: { startsAtOnce: true },
    reports: [
      [START, { kind: 'FAILED', code: 'DECLINED', message: 'The institution declined the payment.' }],
    ],
  },
  'insufficient-funds@sandbox.test': {
    plan: { startsAtOnce: true },
    reports: [
      [
        START,
        { kind: 'FAILED', code: 'INSUFFICIENT_FUNDS', message: 'There is not enough money on the account.' },
      ],
    ],
  },
  'cancelled@sandbox.test': {
    plan: { startsAtOnce: true },
    reports: [[START, { kind: 'CANCELLED', message: 'The customer cancelled at the institution.' }]],
  },
  'expires@sandbox.test': {
    plan: { startsAtOnce: false, expiresAfterSeconds: 15 },
    reports: [[START, WAITS]],
  },
  'slow@sandbox.test': {
    plan: { startsAtOnce: true },
    reports: [
      [START, { kind: 'WAITING', askAgainSeconds: 10 }],
      [
        { ...START, ageSeconds: 9.5 },
        { kind: 'WAITING', askAgainSeconds: 0.5 },
      ],
      [{ ...START, ageSeconds: 10 }, SUCCEEDED],
    ],
  },
  'reference@sandbox.test': {
    plan: { startsAtOnce: false, awaitsReference: true },
    reports: [
      [START, WAITS],
      [{ ageSeconds: 1, externalReference: '316547829301', isPaid: false }, SUCCEEDED],
    ],
  },
}

test('each address does what its row of the table says, in any spelling of its letters', async () => {
  assert.deepEqual(Object.keys(TABLE).sort(), Object.keys(SANDBOX_ADDRESSES).sort())
  for (const [address, { plan, reports }] of Object.entries(TABLE))
    for (const spelling of [address, address.toUpperCase()]) {
      const { instructions: _instructions, ...planned } = rail.plan(paymentOf(spelling))
      assert.deepEqual(planned, plan, spelling)
      for (const [progress, report] of reports)
        assert.deepEqual(await rail.advance(paymentOf(spelling), progress, never), report, spelling)
    }
})

test('without such an address, or with one that nobody knows, a payment waits for its customer', async () => {
  for (const address of [undefined, 'ada@shop.example', 'unknown@sandbox.test', 'toString']) {
    assert.equal(rail.plan(paymentOf(address)).startsAtOnce, false)
    assert.deepEqual(await rail.advance(paymentOf(address), START, never), WAITS)
  }
})

test('every address of the sandbox’s domain is the sandbox’s, and no other', () => {
  for (const address of [...Object.keys(SANDBOX_ADDRESSES), 'other@sandbox.test', 'A@SANDBOX.TEST'])
    assert(isSandboxAddress(address), address)
  for (const address of [
    undefined,
    'ada@shop.example',
    'a@sandbox.test.example',
    'sandbox.test',
    'a@xsandbox.test',
  ])
    assert(!isSandboxAddress(address), address)
})

test('the payer is the customer of the request as far as it is known', async () => {
  const customer = {
    emailAddress: 'success@sandbox.test',
    accountName: 'Ada',
    accountNumber: 'A-1',
    bankCode: 'B',
  }
  const report = await rail.advance(paymentOf(undefined, { customer }), START, never)
  assert(report.kind === 'SUCCEEDED')
  assert.deepEqual(report.payer, {
    accountName: 'Ada',
    accountNumber: 'A-1',
    bankCode: 'B',
    bankName: 'Sandbox Bank',
  })
})

test('instructions fit the method, carry amount and reference exactly, and cannot be mistaken for real accounts', () => {
  const plan = (methodCode: string, given: Partial<RailPayment> = {}) =>
    rail.plan(paymentOf(undefined, { methodCode, ...given })).instructions
  for (const method of ['ONLINE_BANKING', 'WALLET'])
    assert.deepEqual(plan(method), { redirectUrl: 'https://simulator.example/pay/ABCDEF012345' })
  const account = {
    accountName: 'Tollgate Sandbox',
    accountNumber: 'XS00TESTEUR000001',
    bankCode: 'TESTXS00',
    bankName: 'Sandbox Bank',
  }
  assert.deepEqual(plan('BANK_TRANSFER'), { account })
  assert.deepEqual(plan('OFFLINE_TRANSFER'), { account })
  const upi = plan('UPI')
  assert.equal(upi.deepLinks?.length, 1)
  const link = new URL(upi.deepLinks[0] ?? '')
  assert.equal(link.searchParams.get('am'), '149.9')
  assert.equal(link.searchParams.get('tr'), 'ABCDEF012345')
  assert.equal(upi.qr?.content, link.href)
  const ether = { money: { amount: parsePlainAmount('0.000000000000000001'), currencyCode: 'ETH' } }
  const crypto = plan('CRYPTO', ether)
  assert.equal(crypto.account?.accountNumber, 'XS00TESTETH000001')
  assert.equal(
    crypto.qr?.content,
    'sandbox:pay?amount=0.000000000000000001&currency=ETH&reference=ABCDEF012345',
  )
})
