import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parsePlainAmount } from '@tollgate/money'
import type { Plan, RailPayment, RailProgress, RailReport } from '../../rail.ts'
import { createSandboxRail, isSandboxAddress, SANDBOX_ADDRESSES } from '../index.ts'

const METHOD_CODES = [
  'BANK_TRANSFER',
  'ONLINE_BANKING',
  'WALLET',
  'UPI',
  'PIX',
  'OFFLINE_TRANSFER',
  'CRYPTO',
  'A_METHOD_THAT_IS_NEW',
] as const
const MONEY = { amount: parsePlainAmount('0.000000000000000001'), currencyCode: 'ETH' }
const RAIL = createSandboxRail({ simulatorUrl: 'https://simulator.test' })

const payment = (emailAddress: string | undefined, methodCode = 'BANK_TRANSFER'): RailPayment => ({
  kind: 'PAYIN',
  idPayment: 'order-1',
  merchantCode: 'SHOP',
  reference: 'REF123456789',
  money: MONEY,
  methodCode,
  operatorCode: undefined,
  customer: emailAddress === undefined ? {} : { emailAddress },
  returnUrl: undefined,
})

function advance(about: RailPayment, progress: Partial<RailProgress> = {}): Promise<RailReport> {
  const whole = { ageSeconds: 0, externalReference: undefined, ...progress }
  return RAIL.advance(about, whole, new AbortController().signal)
}

const PAID: RailReport = {
  kind: 'SUCCEEDED',
  received: MONEY,
  payer: {
    accountName: 'Sandbox Customer',
    accountNumber: 'XS00TEST0000000001',
    bankCode: 'TESTXS00',
    bankName: 'Sandbox Bank',
  },
}
const WAITING: RailReport = { kind: 'WAITING', askAgainSeconds: undefined }

/** What each address leads to when the rail is asked at once. */
const OUTCOMES: Readonly<
  Record<keyof typeof SANDBOX_ADDRESSES, Omit<Plan, 'instructions'> & { report: RailReport }>
> = {
  'success@sandbox.test': { startsAtOnce: true, report: PAID },
  'declined@sandbox.test': {
    startsAtOnce: true,
    report: { kind: 'FAILED', code: 'DECLINED', message: 'The institution declined the payment.' },
  },
  'insufficient-funds@sandbox.test': {
    startsAtOnce: true,
    report: {
      kind: 'FAILED',
      code: 'INSUFFICIENT_FUNDS',
      message: 'There is not enough money on the account.',
    },
  },
  'cancelled@sandbox.test': {
    startsAtOnce: true,
    report: { kind: 'CANCELLED', message: 'The customer cancelled at the institution.' },
  },
  'expires@sandbox.test': { startsAtOnce: false, expiresAfterSeconds: 15, report: WAITING },
  'slow@sandbox.test': { startsAtOnce: true, report: { kind: 'WAITING', askAgainSeconds: 10 } },
  'reference@sandbox.test': { startsAtOnce: false, report: WAITING },
}

for (const [address, { report, ...expected }] of Object.entries(OUTCOMES)) {
  for (const spelling of [address, address.toUpperCase(), address.replace('sandbox', 'SandBox')]) {
    test(`${spelling} does the same by every method`, async () => {
      assert.equal(isSandboxAddress(spelling), true)
      for (const methodCode of METHOD_CODES) {
        const about = payment(spelling, methodCode)
        const { instructions, ...plan } = RAIL.plan(about)
        assert.deepEqual(plan, expected, methodCode)
        assert.deepEqual(instructions, RAIL.plan(payment(undefined, methodCode)).instructions)
        assert.deepEqual(await advance(about), report, methodCode)
      }
    })
  }
}

test('every address that is documented is tested here', () => {
  assert.deepEqual(Object.keys(OUTCOMES), Object.keys(SANDBOX_ADDRESSES))
})

test('without an address, and with one that means nothing, the payment waits for its customer', async () => {
  for (const address of [undefined, 'eve@example.com', 'unknown@sandbox.test', 'toString', '']) {
    for (const methodCode of METHOD_CODES) {
      const { instructions: _, ...plan } = RAIL.plan(payment(address, methodCode))
      assert.deepEqual(plan, { startsAtOnce: false }, `${String(address)} ${methodCode}`)
      const late = { ageSeconds: 1_000_000, externalReference: 'REF' }
      assert.deepEqual(await advance(payment(address, methodCode), late), WAITING)
    }
  }
})

test('only addresses of the sandbox’s own domain are its addresses', () => {
  assert.equal(isSandboxAddress('anything@sandbox.test'), true)
  for (const address of [
    undefined,
    '',
    'eve@example.com',
    'sandbox.test',
    'success@sandbox.test.example',
    'a@not-sandbox.test',
  ])
    assert.equal(isSandboxAddress(address), false, String(address))
})

test('a slow payment succeeds from its tenth second on, and asks to be asked again exactly then', async () => {
  const slow = payment('slow@sandbox.test')
  for (const [ageSeconds, askAgainSeconds] of [
    [0, 10],
    [2.5, 7.5],
    [9.75, 0.25],
  ] as const) {
    assert.deepEqual(await advance(slow, { ageSeconds }), { kind: 'WAITING', askAgainSeconds })
  }
  const almost = await advance(slow, { ageSeconds: 9.9 })
  assert(almost.kind === 'WAITING' && almost.askAgainSeconds !== undefined)
  assert(almost.askAgainSeconds > 0 && almost.askAgainSeconds < 0.2)
  for (const ageSeconds of [10, 10.1, 86_400]) assert.deepEqual(await advance(slow, { ageSeconds }), PAID)
})

test('a payment by reference waits until there is one, however long, and then succeeds', async () => {
  const byReference = payment('reference@sandbox.test', 'OFFLINE_TRANSFER')
  assert.deepEqual(await advance(byReference, { ageSeconds: 100_000 }), WAITING)
  assert.deepEqual(await advance(byReference, { externalReference: '316547829301' }), PAID)
})

test('no other outcome depends on a reference or on time', async () => {
  const late = { ageSeconds: 100_000, externalReference: 'REF' }
  for (const [address, { report }] of Object.entries(OUTCOMES)) {
    if (address === 'slow@sandbox.test' || address === 'reference@sandbox.test') continue
    assert.deepEqual(await advance(payment(address), late), report, address)
  }
})

test('the payer is who the request named, as far as it named anybody', async () => {
  const customer = {
    emailAddress: 'success@sandbox.test',
    accountName: 'Eve Example',
    accountNumber: 'NL69TEST01',
  }
  const report = await advance({ ...payment(undefined), customer })
  assert(report.kind === 'SUCCEEDED')
  assert.deepEqual(report.payer, {
    accountName: 'Eve Example',
    accountNumber: 'NL69TEST01',
    bankCode: 'TESTXS00',
    bankName: 'Sandbox Bank',
  })
})

const ACCOUNT = {
  accountName: 'Tollgate Sandbox',
  accountNumber: 'XS00TESTETH000001',
  bankCode: 'TESTXS00',
  bankName: 'Sandbox Bank',
}
const SANDBOX_QR = {
  format: 'SANDBOX',
  content: 'sandbox:pay?amount=0.000000000000000001&currency=ETH&reference=REF123456789',
}
const UPI =
  'upi://pay?pa=tollgate.sandbox@testbank&pn=Tollgate%20Sandbox&am=0.000000000000000001&cu=ETH&tr=REF123456789'
const INSTRUCTIONS: Readonly<Record<(typeof METHOD_CODES)[number], Plan['instructions']>> = {
  BANK_TRANSFER: { account: ACCOUNT },
  OFFLINE_TRANSFER: { account: ACCOUNT },
  A_METHOD_THAT_IS_NEW: { account: ACCOUNT },
  ONLINE_BANKING: { redirectUrl: 'https://simulator.test/pay/REF123456789' },
  WALLET: { redirectUrl: 'https://simulator.test/pay/REF123456789' },
  PIX: { account: ACCOUNT, qr: SANDBOX_QR },
  CRYPTO: { account: ACCOUNT, qr: SANDBOX_QR },
  UPI: { account: ACCOUNT, qr: { format: 'UPI', content: UPI }, deepLinks: [UPI] },
}

for (const methodCode of METHOD_CODES) {
  test(`the instructions of ${methodCode} carry amount and reference to the digit`, () => {
    assert.deepEqual(RAIL.plan(payment(undefined, methodCode)).instructions, INSTRUCTIONS[methodCode])
  })
}
