import assert from 'node:assert/strict'
import { test } from 'node:test'
import { check } from '../check/check.ts'
import type { Facts } from '../check/facts.ts'
import {
  attemptOf,
  callbackOf,
  callOf,
  failedAttempts,
  INTERVAL_MS,
  LEASE_MS,
  money,
  payin,
  payout,
  readOf,
  soundFacts,
} from './sound-facts.ts'

const invariantsOf = (facts: Facts): readonly string[] => [
  ...new Set(check(facts).map(({ invariant }) => invariant)),
]

test('nothing is found where everything went right', () => {
  assert.deepEqual(check(soundFacts()), [])
})

const isPayin = ({ id }: { readonly id: string }): boolean => id === payin.id
const isPayout = ({ id }: { readonly id: string }): boolean => id === payout.id
const ofPayin = ({ eventId }: { readonly eventId: string }): boolean => eventId.endsWith(payin.id)

/** Each thing that can go wrong: what it changes in what the witnesses say, and which invariant must notice. */
const LOSSES: readonly (readonly [string, string, (facts: Facts) => Partial<Facts>])[] = [
  [
    'an acknowledged payment is not there',
    'I10',
    ({ payments }) => ({ payments: payments.filter((row) => !isPayin(row)) }),
  ],
  [
    'a payment whose only answer was a 409 is not there',
    'I10',
    ({ calls }) => ({
      calls: [...calls, callOf({ ...payin, id: 'paid-2' }, { httpStatus: 409 })],
    }),
  ],
  [
    'an acknowledged payment is stored over other money',
    'I10',
    ({ payments }) => ({
      payments: payments.map((row) => (isPayin(row) ? { ...row, money: { ...money, amount: '24' } } : row)),
    }),
  ],
  [
    'an acknowledged payment is stored in another currency',
    'I10',
    ({ payments }) => ({
      payments: payments.map((row) =>
        isPayin(row) ? { ...row, money: { ...money, currencyCode: 'USD' } } : row,
      ),
    }),
  ],
  [
    'nobody could find out what became of a payment',
    'I10',
    ({ calls }) => ({
      calls: [
        ...calls,
        callOf({ ...payin, id: 'paid-3' }, { outcome: 'unknown', httpStatus: undefined }),
        callOf(
          { ...payin, id: 'paid-3' },
          { outcome: undefined, httpStatus: undefined, endedAtMs: undefined },
        ),
      ],
    }),
  ],
  ['one id got two 201', 'I11', ({ calls }) => ({ calls: [...calls, callOf(payin, { client: 5, api: 2 })] })],
  [
    'a payment that was refused is there',
    'I12',
    ({ calls }) => ({
      calls: calls.map((call) =>
        call.name.id === payout.id ? { ...call, outcome: 'fail', httpStatus: 406 } : call,
      ),
    }),
  ],
  [
    'a read after the acknowledgement finds nothing',
    'I15',
    ({ calls }) => ({
      calls: [...calls, { ...readOf(payin, 'CREATED', 2_000), outcome: 'fail', httpStatus: 404 }],
    }),
  ],
  [
    'a status goes back from one read to the next',
    'I15',
    ({ calls }) => ({ calls: [...calls, readOf(payin, 'CREATED', 2_000)] }),
  ],
  [
    'a transfer does not sum to zero',
    'I1',
    ({ transfers }) => ({
      transfers: transfers.map((row) => (isPayin(row) ? { ...row, total: '0.01' } : row)),
    }),
  ],
  [
    'a balance is not what its postings say',
    'I2',
    ({ balances }) => ({ balances: balances.map((row) => ({ ...row, stored: '76' })) }),
  ],
  [
    'a balance is negative',
    'I3',
    ({ balances }) => ({ balances: balances.map((row) => ({ ...row, stored: '-1', summed: '-1' })) }),
  ],
  [
    'a payin is booked twice',
    'I4',
    ({ transfers }) => ({
      transfers: [...transfers, ...transfers.filter(isPayin).map((row) => ({ ...row, transferId: 'again' }))],
    }),
  ],
  [
    'a success is not booked',
    'I4',
    ({ transfers }) => ({ transfers: transfers.filter((row) => !isPayin(row)) }),
  ],
  [
    'money is booked for no payment',
    'I4',
    ({ transfers }) => ({
      transfers: [...transfers, ...transfers.filter(isPayin).map((row) => ({ ...row, id: 'nobody-1' }))],
    }),
  ],
  [
    'a final status is followed by another',
    'I5',
    ({ timeline }) => ({ timeline: [...timeline, { ...payin, entryNo: 3, status: 'CREATED' }] }),
  ],
  [
    'a status is not the last of its history',
    'I5',
    ({ timeline }) => ({ timeline: timeline.filter((row) => !isPayin(row) || row.entryNo === 1) }),
  ],
  [
    'a final payment has no callback',
    'I6',
    ({ callbacks, attempts, arrivals }) => ({
      callbacks: callbacks.filter((row) => !isPayin(row)),
      attempts: attempts.filter((row) => !ofPayin(row)),
      arrivals: arrivals.filter((row) => !ofPayin(row)),
    }),
  ],
  [
    'a change has two callbacks',
    'I6',
    ({ callbacks }) => ({ callbacks: [...callbacks, callbackOf(payin, { eventId: 'another' })] }),
  ],
  [
    'an attempt comes too early',
    'I7',
    ({ attempts }) => ({
      attempts: [
        ...attempts.filter((row) => !ofPayin(row)),
        attemptOf(payin, { httpStatus: 500 }),
        attemptOf(payin, { attemptNo: 2, startedAtMs: 1_200 + INTERVAL_MS - 1 }),
      ],
    }),
  ],
  [
    'an attempt follows a 200',
    'I7',
    ({ attempts }) => ({
      attempts: [...attempts, attemptOf(payin, { attemptNo: 2, startedAtMs: 1_200 + INTERVAL_MS })],
    }),
  ],
  [
    'there are six attempts',
    'I7',
    ({ attempts }) => ({
      attempts: [...attempts.filter((row) => !ofPayin(row)), ...failedAttempts(payin, 6)],
    }),
  ],
  [
    'a payment is stored twice',
    'I11',
    ({ payments }) => ({ payments: [...payments, ...payments.filter(isPayin)] }),
  ],
  [
    'an attempt is begun again while its lease is held',
    'I7',
    ({ attempts }) => ({ attempts: attempts.map((row) => (ofPayin(row) ? { ...row, starts: 2 } : row)) }),
  ],
  [
    'a repeat is begun again while its lease is held',
    'I7',
    ({ attempts }) => {
      const [first, second] = failedAttempts(payin, 2)
      assert.ok(first !== undefined && second !== undefined)
      return { attempts: [...attempts.filter((row) => !ofPayin(row)), first, { ...second, starts: 2 }] }
    },
  ],
  [
    "a call comes before its attempt is due by the database's clock",
    'I7',
    ({ attempts }) => ({
      attempts: attempts.map((row) =>
        ofPayin(row) ? { ...row, startedAtMs: row.startedAtMs + 4 * LEASE_MS } : row,
      ),
    }),
  ],
  [
    'a callback is left lying',
    'I8',
    ({ callbacks }) => ({
      callbacks: callbacks.map((row) => (isPayin(row) ? { ...row, state: 'PENDING' } : row)),
    }),
  ],
  [
    'a payment that was paid is left lying',
    'I8',
    ({ payments }) => ({
      payments: payments.map((row) => (isPayin(row) ? { ...row, status: 'CREATED' } : row)),
    }),
  ],
  [
    'nobody knows what became of a payout that the bank has executed',
    'I8',
    ({ payments }) => ({
      payments: payments.map((row) =>
        isPayout(row) ? { ...row, status: 'CREATED', phase: 'UNKNOWN' } : row,
      ),
    }),
  ],
  [
    'what was held for a payout that failed is not released',
    'I9',
    ({ payments, transfers }) => ({
      payments: payments.map((row) => (isPayout(row) ? { ...row, status: 'FAILED' } : row)),
      transfers: transfers.filter(({ event }) => event !== 'PAYOUT_SUCCESS'),
    }),
  ],
  [
    'a callback counts as delivered that no receiver saw',
    'I13',
    ({ arrivals }) => ({ arrivals: arrivals.filter((row) => !ofPayin(row)) }),
  ],
  [
    'a callback counts as delivered that the receiver did not accept',
    'I13',
    ({ arrivals }) => ({ arrivals: arrivals.map((row) => ({ ...row, isAccepted: false })) }),
  ],
  [
    'a receiver is called more often than attempts were begun',
    'I13',
    ({ arrivals }) => ({ arrivals: [...arrivals, ...arrivals.filter(ofPayin)] }),
  ],
  [
    'a callback is given up too early',
    'I13',
    ({ callbacks, attempts }) => ({
      callbacks: callbacks.map((row) => (isPayin(row) ? { ...row, state: 'EXHAUSTED' } : row)),
      attempts: [...attempts.filter((row) => !ofPayin(row)), ...failedAttempts(payin, 4)],
    }),
  ],
  [
    'a receiver is told of what is written down nowhere',
    'I13',
    ({ arrivals }) => ({
      arrivals: [...arrivals, { eventId: 'nowhere', id: 'paid-9', atMs: 1_500, isAccepted: true }],
    }),
  ],
  [
    'a payout is executed twice at the bank',
    'I14',
    ({ movements }) => ({ movements: [...movements, ...movements] }),
  ],
  ['a payout is SUCCESS and was never executed', 'I14', () => ({ movements: [] })],
  [
    'a payout failed and was executed',
    'I14',
    ({ payments }) => ({
      payments: payments.map((row) => (isPayout(row) ? { ...row, status: 'FAILED' } : row)),
    }),
  ],
  [
    'the bank moved other money',
    'I14',
    ({ movements }) => ({
      movements: movements.map((row) => ({ ...row, money: { ...money, amount: '250' } })),
    }),
  ],
  [
    'the bank moved money for no payment',
    'I14',
    ({ movements }) => ({
      movements: [...movements, { reference: 'REF-nobody', kind: 'EXECUTED', money }],
    }),
  ],
  [
    'a statement was taken by one person',
    'I19',
    ({ uploads }) => ({ uploads: uploads.map((row) => ({ ...row, confirmedBy: undefined })) }),
  ],
  [
    'a statement was taken by one person under two roles',
    'I19',
    ({ uploads }) => ({ uploads: uploads.map((row) => ({ ...row, confirmedBy: row.takenBy })) }),
  ],
  [
    'a statement names somebody who confirmed nothing',
    'I19',
    ({ uploads }) => ({ uploads: uploads.map((row) => ({ ...row, provenBy: undefined })) }),
  ],
  [
    'a statement was taken twice',
    'I19',
    ({ uploads }) => ({ uploads: [...uploads, ...uploads.map((row) => ({ ...row, fileId: '2' }))] }),
  ],
  [
    'a payout was handed over that nobody was asked about',
    'I20',
    ({ approved }) => ({
      approved: approved.map((row) => ({ ...row, phases: ['QUEUED', ...row.phases.slice(1)] })),
    }),
  ],
  [
    'a payout was handed over that one person approved',
    'I20',
    ({ approved }) => ({
      approved: approved.map((row) => ({ ...row, approvals: row.approvals.slice(0, 1) })),
    }),
  ],
  [
    'two people approved a payout, each other content',
    'I20',
    ({ approved }) => ({
      approved: approved.map((row) => ({
        ...row,
        approvals: row.approvals.map((each, index) => ({ ...each, contentHash: `c${index}` })),
      })),
    }),
  ],
  [
    'the bank moved the money of a payout that nobody approved',
    'I20',
    ({ approved }) => ({
      approved: approved.map((row) => ({ ...row, isHandedOver: false, approvals: [] })),
    }),
  ],
  [
    'a payout ended by the word of one person',
    'I21',
    ({ decided }) => ({ decided: decided.map((row) => ({ ...row, operators: ['ada'] })) }),
  ],
  [
    'a payout ended by the word of one person, who counted twice',
    'I21',
    ({ decided }) => ({ decided: decided.map((row) => ({ ...row, operators: ['ada', 'ada'] })) }),
  ],
  [
    'a payout ended in the name of somebody who said nothing',
    'I21',
    ({ decided }) => ({ decided: decided.map((row) => ({ ...row, words: ['ada'] })) }),
  ],
  [
    'a payout ended by something else than people, who alone could know',
    'I21',
    ({ decided }) => ({ decided: decided.map((row) => ({ ...row, evidence: 'CLOCK' })) }),
  ],
  [
    'refunds that count are more than the payin',
    'I22',
    ({ payments }) => ({
      payments: payments.map((row) =>
        row.kind === 'PAYIN'
          ? { ...row, money: { ...money, amount: '24.99' } }
          : { ...row, refundOf: payin.id },
      ),
    }),
  ],
  [
    'a payin that was not paid is refunded',
    'I22',
    ({ payments }) => ({
      payments: payments.map((row) =>
        row.kind === 'PAYIN' ? { ...row, status: 'EXPIRED' } : { ...row, refundOf: payin.id },
      ),
    }),
  ],
  [
    'who put a payout on hold released it',
    'I20',
    ({ approved }) => ({
      approved: approved.map((row) => ({
        ...row,
        holds: row.holds.map((each) => ({ ...each, operatorCode: 'ada' })),
      })),
    }),
  ],
  [
    'a payout was handed over while it was on hold',
    'I20',
    ({ approved }) => ({
      approved: approved.map((row) => ({
        ...row,
        phases: ['AWAITING_APPROVAL', 'ON_HOLD', 'SUBMITTED', 'CONFIRMED'],
        holds: row.holds.slice(0, 1),
      })),
    }),
  ],
  [
    'a payment got its money from two statements',
    'I19',
    ({ payments, uploads }) => ({
      payments: [
        ...payments,
        ...payments.slice(0, 1).map((row) => ({ ...row, id: 'wired-1', reference: 'REF-wired-1' })),
      ],
      uploads: [...uploads, ...uploads.map((row) => ({ ...row, fileId: '2', digest: 'd2' }))],
    }),
  ],
]

for (const [title, invariant, broken] of LOSSES) {
  test(`${invariant} is found broken when ${title}`, () => {
    const facts = soundFacts()
    const found = invariantsOf({ ...facts, ...broken(facts) })
    assert.ok(found.includes(invariant), `found: ${found.join(', ')}`)
  })
}

test('a repeat that a crash makes necessary is no fault: the attempt was begun twice', () => {
  const facts = soundFacts()
  const attempts = facts.attempts.map((row) =>
    ofPayin(row) ? { ...row, starts: 2, startedAtMs: row.startedAtMs + LEASE_MS } : row,
  )
  const arrivals = [...facts.arrivals, ...facts.arrivals.filter(ofPayin)]
  assert.deepEqual(check({ ...facts, attempts, arrivals }), [])
})

test("while the database's clock jumps, leases are not measured by it", () => {
  const facts = soundFacts()
  const attempts = facts.attempts.map((row) => (ofPayin(row) ? { ...row, starts: 2 } : row))
  assert.deepEqual(check({ ...facts, attempts, clockJumps: [1_150] }), [])
  assert.deepEqual(invariantsOf({ ...facts, attempts, clockJumps: [3 * LEASE_MS] }), ['I7'])
})

test('a token that is refused says nothing of the payment that is asked for', () => {
  const facts = soundFacts()
  const refused = (httpStatus: number): Facts => ({
    ...facts,
    calls: [...facts.calls, { ...readOf(payin, 'CREATED', 2_000), outcome: 'fail', httpStatus }],
  })
  assert.deepEqual(check(refused(401)), [])
  assert.deepEqual(invariantsOf(refused(403)), ['I15'])
})

test('a payout of unknown outcome that the bank has not executed waits for people, its money held', () => {
  const facts = soundFacts()
  const unknown: Facts = {
    ...facts,
    payments: facts.payments.map((row) =>
      isPayout(row) ? { ...row, status: 'CREATED', phase: 'UNKNOWN' } : row,
    ),
    timeline: facts.timeline.filter((row) => !isPayout(row) || row.entryNo === 1),
    transfers: facts.transfers.filter(({ event }) => event !== 'PAYOUT_SUCCESS'),
    callbacks: facts.callbacks.filter(isPayin),
    attempts: facts.attempts.filter(ofPayin),
    arrivals: facts.arrivals.filter(ofPayin),
    movements: [],
  }
  assert.deepEqual(check(unknown), [])
  const released = unknown.transfers.filter(({ event }) => event !== 'PAYOUT_HELD')
  assert.deepEqual(invariantsOf({ ...unknown, transfers: released }), ['I9'])
})

test('an unknown answer that is cleared up by a 409 is an acknowledgement', () => {
  const facts = soundFacts()
  const calls = [
    callOf(payin, { outcome: 'unknown', httpStatus: undefined }),
    callOf(payin, { httpStatus: 409 }),
    callOf(payout),
  ]
  assert.deepEqual(check({ ...facts, calls }), [])
  const payments = facts.payments.filter((row) => !isPayin(row))
  assert.ok(invariantsOf({ ...facts, calls, payments }).includes('I10'))
})

test('reads that overlap may show a change in either order', () => {
  const facts = soundFacts()
  const calls = [
    ...facts.calls,
    { ...readOf(payin, 'CREATED', 1_295), endedAtMs: 1_320 },
    { ...readOf(payin, 'SUCCESS', 1_290), endedAtMs: 1_300 },
  ]
  assert.deepEqual(check({ ...facts, calls }), [])
})
