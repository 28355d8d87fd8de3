import assert from 'node:assert/strict'
import { after, beforeEach, test } from 'node:test'
import { parsePlainAmount } from '@tollgate/money'
import type { PaymentState } from '@tollgate/rail-protocol'
import { freePort } from '@tollgate/testkit'
import type { InboundNotification, RailPayment, RailProgress, RailReport } from '../../rail.ts'
import { type Mischief, notificationOf, SECRET, startInstitution } from './institution.ts'

const institution = await startInstitution({ after })
const rail = institution.rail()
const signal = new AbortController().signal

beforeEach(() => {
  institution.mischief = undefined
  institution.received.length = 0
})

let payments = 0
function payment(given: Partial<RailPayment> = {}): RailPayment {
  payments += 1
  return {
    kind: 'PAYIN',
    idPayment: 'ORD-1',
    merchantCode: 'SHOP',
    reference: `REF${String(payments).padStart(9, '0')}`,
    money: { amount: parsePlainAmount('149.9'), currencyCode: 'EUR' },
    methodCode: 'ONLINE_BANKING',
    operatorCode: undefined,
    customer: { accountName: 'Jana Nováková' },
    returnUrl: 'https://shop.example/thanks',
    ...given,
  }
}

const progress = (given: Partial<RailProgress> = {}): RailProgress => ({
  ageSeconds: 1,
  externalReference: undefined,
  isPaid: false,
  ...given,
})

const stateOf = (
  { reference, merchantCode, kind, money }: RailPayment,
  given: Partial<PaymentState> = {},
): PaymentState => ({
  reference,
  merchantCode,
  direction: kind,
  money,
  status: 'SUCCEEDED',
  institutionReference: 'B-1',
  updatedAt: '2026-11-21T10:16:02.500Z',
  ...given,
})

test('a customer is sent to a page that is known without asking, whatever the reference holds', () => {
  assert.deepEqual(rail.plan(payment({ reference: 'A/../B?c' })), {
    instructions: { redirectUrl: 'https://pay.bank.example/customers/pay/A%2F..%2FB%3Fc' },
    startsAtOnce: true,
  })
  assert.deepEqual(rail.plan(payment({ kind: 'PAYOUT' })), { instructions: {}, startsAtOnce: true })
  const byReference = institution.rail({ flows: ['REFERENCE'] })
  assert.deepEqual(byReference.plan(payment()), {
    instructions: {},
    startsAtOnce: true,
    awaitsReference: true,
  })
  assert.deepEqual(institution.received, [])
})

test('a payin is handed over whole, and what the institution says of it is reported', async () => {
  const paid = payment({ expireAt: new Date('2026-11-21T11:00:00Z') })
  assert.deepEqual(await rail.advance(paid, progress(), signal), { kind: 'WAITING', askAgainSeconds: 15 })
  assert.deepEqual(institution.received, [{ method: 'PUT', path: `/adapter/payments/${paid.reference}` }])
  const payer = { accountName: 'Jana', accountNumber: 'CZ65', bankName: 'Česká' }
  institution.states.set(paid.reference, stateOf(paid, { payer }))
  assert.deepEqual(await rail.advance(paid, progress(), signal), {
    kind: 'SUCCEEDED',
    received: paid.money,
    payer,
  })
})

test('each state is its report', async () => {
  const cases: readonly [Partial<PaymentState>, RailReport][] = [
    [
      { status: 'PENDING', askAgainSeconds: 7 },
      { kind: 'WAITING', askAgainSeconds: 7 },
    ],
    [
      { status: 'FAILED', reason: { code: 'NO_MONEY', message: 'No money.' } },
      { kind: 'FAILED', code: 'NO_MONEY', message: 'No money.' },
    ],
    [
      { status: 'FAILED' },
      { kind: 'FAILED', code: 'DECLINED', message: 'The institution declined the payment.' },
    ],
    [
      { status: 'CANCELLED' },
      { kind: 'CANCELLED', message: 'The payment was cancelled at the institution.' },
    ],
    [
      { status: 'RETURNED' },
      { kind: 'RETURNED', code: 'RETURNED', message: 'The institution sent the money back.' },
    ],
  ]
  for (const [given, report] of cases) {
    const asked = payment()
    institution.states.set(asked.reference, stateOf(asked, given))
    assert.deepEqual(await rail.inquire(asked, progress(), signal), report)
  }
})

test('what arrived is reported as it arrived, and not as it was ordered', async () => {
  const asked = payment()
  const received = { amount: '149.89', currencyCode: 'EUR' }
  institution.states.set(asked.reference, stateOf(asked, { received }))
  const report = await rail.inquire(asked, progress(), signal)
  assert.deepEqual(report, { kind: 'SUCCEEDED', received })
  institution.states.set(
    asked.reference,
    stateOf(asked, { money: { amount: '149.90', currencyCode: 'USD' } }),
  )
  assert.deepEqual(await rail.inquire(asked, progress(), signal), {
    kind: 'SUCCEEDED',
    received: { amount: '149.9', currencyCode: 'USD' },
  })
})

test('an institution that does not say when is asked rarely about an old payment', async () => {
  const asked = payment()
  await rail.advance(asked, progress(), signal)
  const seconds = async (ageSeconds: number): Promise<number | undefined> => {
    const report = await rail.inquire(asked, progress({ ageSeconds }), signal)
    return report.kind === 'WAITING' ? report.askAgainSeconds : undefined
  }
  assert.deepEqual([await seconds(10), await seconds(400), await seconds(100_000)], [15, 100, 900])
})

/** Everything that is no proven word of the institution. */
const NOTHING_PROVEN: readonly (readonly [string, Mischief])[] = [
  ['no signature', () => ({ sign: 'NOT' })],
  ['signed by the wrong key', () => ({ sign: 'WRONG_KEY' })],
  ['the answer to another request', () => ({ sign: 'OTHER_REQUEST' })],
  ['an old answer', () => ({ sign: 'STALE' })],
  ['a failure of the server', () => ({ status: 500, body: { code: 'FAULT', message: 'Oh.' } })],
  ['an unsigned refusal, as a proxy gives', () => ({ status: 400, body: {}, sign: 'NOT' })],
  ['a redirect', () => ({ status: 302 })],
  ['a status that the protocol has not', () => ({ status: 422, body: { code: 'X', message: 'x' } })],
  ['a signed answer that is no state', () => ({ body: { status: 'SUCCEEDED' } })],
  ['a signed refusal without words', () => ({ status: 400, body: '' })],
  [
    'the state of another payment',
    (honest) => ({ body: Object.assign({}, honest.body, { reference: 'OTHER' }) }),
  ],
  ['of another merchant', (honest) => ({ body: Object.assign({}, honest.body, { merchantCode: 'RIVAL' }) })],
  ['of another direction', (honest) => ({ body: Object.assign({}, honest.body, { direction: 'TOPUP' }) })],
  ['no answer to the end', () => ({ hangUp: true })],
  ['more than is read', (honest) => ({ body: Object.assign({}, honest.body, { note: 'x'.repeat(20_000) }) })],
]

test('whatever is not the institution’s proven word leaves the outcome unknown', async () => {
  for (const [what, mischief] of NOTHING_PROVEN) {
    institution.mischief = mischief
    for (const kind of ['PAYIN', 'PAYOUT'] as const) {
      const asked = payment({ kind })
      institution.states.set(asked.reference, stateOf(asked))
      const talks: readonly Promise<RailReport>[] = [
        kind === 'PAYIN' ? rail.advance(asked, progress(), signal) : rail.submit(asked, signal),
        rail.inquire(asked, progress(), signal),
      ]
      for (const report of await Promise.all(talks)) assert.equal(report.kind, 'UNKNOWN', `${what}, ${kind}`)
    }
  }
})

test('the log says why an answer is not believed, and nothing of what it holds', async () => {
  const lines: unknown[] = []
  const told = institution.rail({ log: { warn: (fields: unknown) => void lines.push(fields) } })
  const cases: readonly (readonly [Mischief, string])[] = [
    [() => ({ sign: 'NOT' }), 'Tollgate-Timestamp is missing or no number of seconds'],
    [() => ({ sign: 'WRONG_KEY' }), 'the signature is not valid'],
    [
      (honest) => ({ body: Object.assign({}, honest.body, { money: { amount: 7, currencyCode: 'EUR' } }) }),
      'money.amount',
    ],
    [() => ({ status: 400, body: { code: 'closed', message: 'Jana' } }), 'code'],
    [() => ({ status: 422, body: {} }), 'the protocol has no answer with the status 422'],
    [
      (honest) => ({ body: Object.assign({}, honest.body, { reference: 'OTHER' }) }),
      'reference, merchantCode or direction is not that of the payment',
    ],
  ]
  for (const [mischief, why] of cases) {
    institution.mischief = mischief
    await told.advance(payment(), progress(), signal)
    const line = JSON.stringify(lines.pop())
    assert.ok(line.startsWith(`{"rail":"bank","why":"${why}`), line)
    assert.doesNotMatch(line, /Jana|closed/)
  }
  institution.mischief = undefined
  await told.advance(payment(), progress(), signal)
  assert.deepEqual(lines, [])
})

test('an adapter that is silent is given up with the signal', async () => {
  institution.mischief = () => ({ silent: true })
  const patience = new AbortController()
  const asked = rail.submit(payment({ kind: 'PAYOUT' }), patience.signal)
  setTimeout(() => patience.abort(), 50)
  assert.equal((await asked).kind, 'UNKNOWN')
})

test('a payout fails by a signed refusal only, and not to be known is no failure', async () => {
  const refused = payment({ kind: 'PAYOUT', money: { amount: parsePlainAmount('1'), currencyCode: 'EUR' } })
  institution.states.set(refused.reference, stateOf(payment({ kind: 'PAYOUT' })))
  assert.deepEqual(await rail.submit(refused, signal), {
    kind: 'FAILED',
    code: 'CONFLICT',
    message: 'The reference is known with another amount.',
  })
  institution.mischief = () => ({ status: 400, body: { code: 'ACCOUNT_CLOSED', message: 'It is closed.' } })
  assert.deepEqual(await rail.submit(payment({ kind: 'PAYOUT' }), signal), {
    kind: 'FAILED',
    code: 'ACCOUNT_CLOSED',
    message: 'It is closed.',
  })
  institution.mischief = undefined
  assert.equal((await rail.inquire(payment({ kind: 'PAYOUT' }), progress(), signal)).kind, 'UNKNOWN')
})

test('a payin that is known with other content is asked for, and what became of it counts', async () => {
  const known = payment()
  institution.states.set(known.reference, stateOf(known))
  institution.mischief = (honest, { method }) =>
    method === 'PUT' ? { status: 409, body: { code: 'CONFLICT', message: 'Another customer.' } } : honest
  assert.equal((await rail.advance(known, progress(), signal)).kind, 'SUCCEEDED')
})

test('a payout that has succeeded is watched as long as the institution asks for it', async () => {
  const paid = payment({ kind: 'PAYOUT' })
  institution.states.set(paid.reference, stateOf(paid, { askAgainSeconds: 60 }))
  assert.deepEqual(await rail.inquire(paid, progress(), signal), {
    kind: 'SUCCEEDED',
    received: paid.money,
    watchSeconds: 60,
  })
  const later = progress({ isPaid: true })
  assert.deepEqual(await rail.inquire(paid, later, signal), { kind: 'WAITING', askAgainSeconds: 60 })
  institution.states.set(paid.reference, stateOf(paid, { status: 'RETURNED' }))
  assert.equal((await rail.inquire(paid, later, signal)).kind, 'RETURNED')
})

test('calling a payment off tells what became of it', async () => {
  const open = payment()
  await rail.advance(open, progress(), signal)
  assert.equal((await rail.cancel?.(open, signal))?.kind, 'CANCELLED')
  const paid = payment()
  institution.states.set(paid.reference, stateOf(paid))
  assert.equal((await rail.cancel?.(paid, signal))?.kind, 'SUCCEEDED')
  assert.equal((await rail.cancel?.(payment(), signal))?.kind, 'UNKNOWN')
})

test('where nobody listens nothing has arrived: a payin waits, and a payout is tried until there is somebody', async () => {
  const port = await freePort()
  const absent = institution.rail({ baseUrl: `http://127.0.0.1:${port}` })
  const waiting = await absent.advance(payment(), progress({ ageSeconds: 200 }), signal)
  assert.deepEqual(waiting, { kind: 'WAITING', askAgainSeconds: 50, isUnsent: true })
  assert.equal((await absent.submit(payment({ kind: 'PAYOUT' }), AbortSignal.timeout(400))).kind, 'UNKNOWN')
  assert.deepEqual(institution.received, [])
})

test('a notification is read by its signature, its path and its time', () => {
  const told = stateOf(payment(), { status: 'FAILED' })
  const content = { idNotification: 'N-1', payment: told }
  const read = (message: InboundNotification) => rail.readNotification?.(message)
  assert.deepEqual(read(notificationOf(content)), {
    kind: 'NOTICE',
    idNotification: 'N-1',
    reference: told.reference,
    merchantCode: 'SHOP',
    direction: 'PAYIN',
    money: told.money,
    report: { kind: 'FAILED', code: 'DECLINED', message: 'The institution declined the payment.' },
  })
  const forged = [
    notificationOf(content, { railCode: 'other' }),
    notificationOf(content, { key: 'gateway' }),
    notificationOf(content, { ageSeconds: 301 }),
    { ...notificationOf(content), body: Buffer.from('{}') },
    { ...notificationOf(content), headers: {} },
  ]
  for (const message of forged) assert.equal(read(message)?.kind, 'FORGED')
  assert.equal(read(notificationOf({ idNotification: 'N-1' }))?.kind, 'UNREADABLE')
})

test('a secret that is too short makes no rail', () => {
  assert.throws(() => institution.rail({ secret: SECRET.subarray(0, 31) }), RangeError)
})
