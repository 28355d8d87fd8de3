import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  EXACT_NUMBER,
  PayinAcceptedSchema,
  PayinDetailSchema,
  PaymentAccountsSchema,
} from '@tollgate/contract'
import { type Amount, parsePlainAmount, ZERO } from '@tollgate/money'
import { Ajv } from 'ajv'
import { NumberText, parseJson } from '../../../platform/json/index.ts'
import type { Instructions } from '../../../rails/rail.ts'
import type { Accepted } from '../accept/intake.ts'
import { PAYMENT_STATUSES, type Payment } from '../model.ts'
import { presentAccepted, presentAccounts, presentDetail } from '../present.ts'

const ID = { idPayin: 'order-1' }

const ajv = new Ajv({ allErrors: true, strict: false })
ajv.addKeyword({
  keyword: EXACT_NUMBER,
  validate: (_schema: unknown, value: unknown) => typeof value === 'number' || value instanceof NumberText,
})
ajv.addFormat('date-time', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)

/** What a client reads on the wire, after it was found to be as the contract says, with nothing that it does not know. */
function onTheWire(schema: object, answer: unknown): string {
  const text = JSON.stringify(answer)
  const parsed = parseJson(Buffer.from(text))
  assert(parsed.ok)
  const validate = ajv.compile(closed(schema))
  assert.equal(validate(parsed.value), true, ajv.errorsText(validate.errors))
  return text
}

/** A copy of the schema in which every object has no members but its own. */
function closed(schema: object): object {
  const copy = Object.fromEntries(
    Object.entries(schema).map(([name, member]: [string, unknown]) => [name, closedMember(member)]),
  )
  return copy['type'] === 'object' ? { ...copy, additionalProperties: false } : copy
}

function closedMember(member: unknown): unknown {
  if (Array.isArray(member)) return member.map(closedMember)
  return typeof member === 'object' && member !== null ? closed(member) : member
}

const AT = new Date('2026-11-21T10:15:30.123Z')
const LATER = new Date('2026-11-24T10:15:30.123Z')
const ACCOUNT = {
  accountName: 'Tollgate',
  accountNumber: 'XS1',
  bankCode: 'TESTXS00',
  bankName: 'Sandbox Bank',
}
const EVERYTHING: Instructions = {
  account: ACCOUNT,
  redirectUrl: 'https://simulator.test/pay/REF',
  qr: { format: 'UPI', content: 'upi://pay' },
  deepLinks: ['upi://pay'],
  takesReference: true,
}

const euros = (amount: Amount) => ({ amount, currencyCode: 'EUR' })
const PAYMENT: Payment = {
  merchantId: '4711',
  kind: 'PAYIN',
  idPayment: 'order-1',
  status: 'CREATED',
  processorStatus: 'AWAITING_CUSTOMER',
  money: euros(parsePlainAmount('100')),
  fee: euros(parsePlainAmount('1.5')),
  received: undefined,
  methodCode: 'BANK_TRANSFER',
  operatorCode: undefined,
  segmentCode: undefined,
  rail: 'sandbox',
  reference: 'REF123456789',
  instructions: { account: ACCOUNT },
  externalReference: undefined,
  callbackUrl: 'https://shop.example/callbacks',
  returnUrl: undefined,
  failure: undefined,
  isTest: true,
  requestDigest: Buffer.from('digest'),
  timelineCount: 1,
  createdAt: AT,
  expireAt: LATER,
  processedAt: undefined,
  feeConversion: undefined,
  idCustomer: undefined,
  submittedAt: undefined,
  beneficiaryDigest: undefined,
  isDue: false,
  ageSeconds: 1,
}

/** An accepted payin with the members that an answer shows. */
function accepted(amount: string, currencyCode: string, given: Partial<Accepted['payment']> = {}): Accepted {
  const { merchantId, kind, idPayment, requestDigest, processorStatus, methodCode, rail, reference, isTest } =
    PAYMENT
  return {
    money: { amount: parsePlainAmount(amount), currencyCode },
    acceptedAt: AT,
    expireAt: LATER,
    payment: {
      merchantId,
      kind,
      idPayment,
      requestDigest,
      processorStatus,
      methodCode,
      rail,
      reference,
      isTest,
      nonce: '00000000-0000-4000-8000-000000000001',
      amount,
      currencyCode,
      feeAmount: '1.5',
      operatorCode: undefined,
      segmentCode: undefined,
      instructions: { account: ACCOUNT },
      callbackUrl: 'https://shop.example/callbacks',
      returnUrl: undefined,
      expiresAfterSeconds: 60,
      personalData: undefined,
      startsAtOnce: false,
      ...given,
    },
  }
}

const AMOUNTS = [
  ['1.000000000000000001', 'ETH'],
  ['0.000000000000000001', 'ETH'],
  ['0.00000001', 'BTC'],
  ['10.005', 'KWD'],
  ['0.1', 'EUR'],
  ['5000', 'JPY'],
  ['9007199254740993', 'JPY'],
  ['9999999999999999999999999999999999999999', 'INR'],
] as const
for (const [amount, currencyCode] of AMOUNTS) {
  test(`${amount} ${currencyCode} is printed to the digit, wherever an answer has money`, () => {
    const printed = `{"amount":${amount},"currencyCode":"${currencyCode}"}`
    const created = onTheWire(PayinAcceptedSchema, presentAccepted(accepted(amount, currencyCode), ID))
    assert.equal(created.split(printed).length - 1, 2)
    const money = { amount: parsePlainAmount(amount), currencyCode }
    const payment: Payment = {
      ...PAYMENT,
      status: 'SUCCESS',
      processedAt: AT,
      money,
      fee: money,
      received: money,
    }
    assert.equal(onTheWire(PayinDetailSchema, presentDetail(payment, ID)).split(printed).length - 1, 4)
  })
}

test('the 201 of the plainest payin has what the specification shows and nothing more', () => {
  const text = onTheWire(PayinAcceptedSchema, presentAccepted(accepted('100', 'EUR'), ID))
  const money = { amount: 100, currencyCode: 'EUR' }
  assert.deepEqual(JSON.parse(text), {
    paymentRequested: { money },
    paymentMethodResponse: {
      idPayin: 'order-1',
      paymentMethodCode: 'BANK_TRANSFER',
      account: ACCOUNT,
      money,
      expireAt: '2026-11-24T10:15:30.123Z',
      reference: 'REF123456789',
      acceptedAt: '2026-11-21T10:15:30.123Z',
    },
  })
})

test('the 201 and the detail of one payin describe it with the same words', () => {
  const [operatorCode, segmentCode, returnUrl] = ['BANK', 'VIP', 'https://shop.example/thanks']
  const more = { operatorCode, segmentCode, returnUrl, instructions: EVERYTHING }
  const created = onTheWire(PayinAcceptedSchema, presentAccepted(accepted('100', 'EUR', more), ID))
  const read = onTheWire(PayinDetailSchema, presentDetail({ ...PAYMENT, ...more }, ID))
  assert(read.startsWith(created.slice(0, -1)))
  for (const shown of [
    '"paymentOperatorCode":"BANK"',
    '"segmentCode":"VIP"',
    '"redirectUrl":',
    '"qr":',
    '"deepLinks":',
    '"returnUrl":',
  ])
    assert(created.includes(shown), shown)
  assert(!created.includes('takesReference'))
})

const PAID: Partial<Payment> = { received: PAYMENT.money }
const FAILED: Partial<Payment> = { failure: { code: 'DECLINED', message: 'No.', failedAt: AT } }
/** Charged with the success, and not given back by a recall. */
const PAID_SHOWN = {
  fee: { amount: 1.5, currencyCode: 'EUR' },
  paymentReceived: { money: { amount: 100, currencyCode: 'EUR' } },
}
const REVERSED_SHOWN = {
  fee: PAID_SHOWN.fee,
  paymentReversed: { ...PAID_SHOWN.paymentReceived, reversedAt: AT.toISOString() },
}
const FAILED_SHOWN = {
  failureReasons: { failedAt: AT.toISOString(), failureReasonCode: 'DECLINED', message: 'No.' },
}
const ENDED_SHOWN = { processedAt: LATER.toISOString() }

/** What each status adds to the payment, to `process` and to the answer. */
const SHOWN: Readonly<Record<Payment['status'], readonly [Partial<Payment>, object, object]>> = {
  CREATED: [{ processedAt: undefined }, {}, {}],
  EXPIRED: [{}, ENDED_SHOWN, {}],
  FAILED: [FAILED, { ...ENDED_SHOWN, ...FAILED_SHOWN }, {}],
  CANCELLED: [FAILED, { ...ENDED_SHOWN, ...FAILED_SHOWN }, {}],
  SUCCESS: [PAID, ENDED_SHOWN, PAID_SHOWN],
  REVERSED: [{ ...PAID, ...FAILED }, { ...ENDED_SHOWN, ...FAILED_SHOWN }, REVERSED_SHOWN],
}
for (const status of PAYMENT_STATUSES) {
  test(`the detail of a payin that is ${status}`, () => {
    const [given, inProcess, inAnswer] = SHOWN[status]
    const payment: Payment = { ...PAYMENT, status, processedAt: LATER, ...given }
    const text = onTheWire(PayinDetailSchema, presentDetail(payment, ID))
    const { paymentRequested, paymentMethodResponse, ...rest } = presentDetail(payment, ID)
    assert(paymentRequested.money.currencyCode === 'EUR' && paymentMethodResponse.reference !== '')
    assert.deepEqual(JSON.parse(JSON.stringify(rest)), {
      process: {
        status,
        processorStatus: 'AWAITING_CUSTOMER',
        createdAt: AT.toISOString(),
        isTest: true,
        ...inProcess,
      },
      ...inAnswer,
    })
    for (const inner of ['4711', 'callbacks', 'sandbox"', 'digest']) assert(!text.includes(inner), inner)
  })
}

test('a fee of nothing is shown as nothing once the payin succeeded', () => {
  const payment: Payment = {
    ...PAYMENT,
    status: 'SUCCESS',
    processedAt: AT,
    fee: euros(ZERO),
    received: PAYMENT.money,
  }
  const text = onTheWire(PayinDetailSchema, presentDetail(payment, ID))
  assert(text.includes('"fee":{"amount":0,"currencyCode":"EUR"}'))
})

test('the external reference is shown as it was submitted', () => {
  const text = onTheWire(PayinDetailSchema, presentDetail({ ...PAYMENT, externalReference: 'ß "1"' }, ID))
  assert(text.endsWith(',"externalReference":"ß \\"1\\""}'))
})

test('accounts are listed by source, with the operator of the payin', () => {
  const collected = [
    { source: 'REQUEST', collectedAt: AT, data: { accountName: 'Eve', emailAddress: 'eve@example.com' } },
    { source: 'PROCESS', collectedAt: LATER, data: { ...ACCOUNT } },
  ] as const
  const answer = presentAccounts({ ...PAYMENT, operatorCode: 'BANK' }, collected)
  assert.deepEqual(JSON.parse(onTheWire(PaymentAccountsSchema, answer)), {
    data: [
      {
        source: 'REQUEST',
        accountName: 'Eve',
        emailAddress: 'eve@example.com',
        paymentOperatorCode: 'BANK',
        collectedAt: AT.toISOString(),
      },
      { source: 'PROCESS', ...ACCOUNT, paymentOperatorCode: 'BANK', collectedAt: LATER.toISOString() },
    ],
  })
  assert(
    !onTheWire(PaymentAccountsSchema, presentAccounts(PAYMENT, collected)).includes('paymentOperatorCode'),
  )
})
