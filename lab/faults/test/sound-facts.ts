import type { AttemptRow, Call, CallbackRow, Facts, Money, PaymentKind, PaymentName } from '../check/facts.ts'

// A small run in which everything went right: a payin that was paid and told, and a payout that the bank executed. Tests
// break one thing of it at a time.

export const money: Money = { amount: '25', currencyCode: 'EUR' }
export const INTERVAL_MS = 2_000
export const LEASE_MS = 11_000

const nameOf = (kind: PaymentKind, id: string): PaymentName => ({ merchantCode: 'SHOP', kind, id })
export const payin = nameOf('PAYIN', 'paid-1')
export const payout = nameOf('PAYOUT', 'payout-1')

/** A request of the driver that was answered. */
export function callOf(name: PaymentName, change: Partial<Call> = {}): Call {
  return {
    name,
    operation: 'CREATE',
    client: 0,
    api: 1,
    invokedAtMs: 1_000,
    endedAtMs: 1_010,
    outcome: 'ok',
    httpStatus: 201,
    money,
    status: undefined,
    ...change,
  }
}

export const readOf = (name: PaymentName, status: string, invokedAtMs: number): Call =>
  callOf(name, { operation: 'READ', httpStatus: 200, status, invokedAtMs, endedAtMs: invokedAtMs + 10 })

export const callbackOf = (name: PaymentName, change: Partial<CallbackRow> = {}): CallbackRow => ({
  ...name,
  eventId: `event of ${name.id}`,
  timelineEntryNo: 2,
  state: 'DELIVERED',
  createdAtMs: 1_100,
  ...change,
})

export const attemptOf = (name: PaymentName, change: Partial<AttemptRow> = {}): AttemptRow => ({
  eventId: `event of ${name.id}`,
  attemptNo: 1,
  startedAtMs: 1_200,
  starts: 1,
  httpStatus: 200,
  ...change,
})

/** Attempts an interval apart that all were answered 500. */
export const failedAttempts = (name: PaymentName, count: number): readonly AttemptRow[] =>
  Array.from({ length: count }, (_, index) =>
    attemptOf(name, {
      attemptNo: index + 1,
      startedAtMs: 1_200 + index * INTERVAL_MS,
      httpStatus: 500,
    }),
  )

export function soundFacts(): Facts {
  const both = [payin, payout]
  const transfer = (name: PaymentName, event: string) => ({
    ...name,
    transferId: `${event} of ${name.id}`,
    event,
    currencyCode: 'EUR',
    total: '0',
  })
  const payment = (name: PaymentName, rail: string) => ({
    ...name,
    status: 'SUCCESS',
    phase: 'CONFIRMED',
    expectedStatus: 'SUCCESS',
    money,
    rail,
    reference: `REF-${name.id}`,
    hasCallback: true,
    refundOf: undefined,
  })
  return {
    calls: [callOf(payin), readOf(payin, 'CREATED', 1_050), readOf(payin, 'SUCCESS', 1_300), callOf(payout)],
    payments: [payment(payin, 'sandbox'), payment(payout, 'simulator')],
    timeline: both.flatMap((name) => [
      { ...name, entryNo: 1, status: 'CREATED' },
      { ...name, entryNo: 2, status: 'SUCCESS' },
    ]),
    transfers: [
      transfer(payin, 'PAYIN_SUCCESS'),
      transfer(payout, 'PAYOUT_HELD'),
      transfer(payout, 'PAYOUT_SUCCESS'),
    ],
    balances: [
      { merchantCode: 'SHOP', currencyCode: 'EUR', account: 'AVAILABLE', stored: '75', summed: '75' },
    ],
    callbacks: both.map((name) => callbackOf(name)),
    attempts: both.map((name) => attemptOf(name)),
    movements: [{ reference: 'REF-payout-1', kind: 'EXECUTED', money }],
    arrivals: both.map((name) => ({
      eventId: `event of ${name.id}`,
      id: name.id,
      atMs: 1_210,
      isAccepted: true,
    })),
    uploads: [
      {
        fileId: '1',
        digest: 'd1',
        takenBy: 'operator:ada',
        confirmedBy: 'operator:grace',
        provenBy: 'operator:grace',
        paid: ['SHOP PAYIN wired-1'],
      },
    ],
    approved: [
      {
        ...payout,
        phases: ['AWAITING_APPROVAL', 'ON_HOLD', 'AWAITING_APPROVAL', 'QUEUED', 'SUBMITTED', 'CONFIRMED'],
        isHandedOver: true,
        approvals: ['ada', 'grace'].map((operatorCode) => ({ operatorCode, contentHash: 'c1' })),
        holds: [
          { entryNo: 2, event: 'HELD', operatorCode: 'ada' },
          { entryNo: 3, event: 'RELEASED', operatorCode: 'grace' },
        ],
      },
    ],
    decided: [
      {
        ...payout,
        status: 'SUCCESS',
        evidence: 'PEOPLE',
        operators: ['ada', 'grace'],
        words: ['ada', 'grace'],
      },
    ],
    callbackIntervalMs: INTERVAL_MS,
    callbackLeaseMs: LEASE_MS,
    clockJumps: [],
  }
}
