import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parsePlainAmount } from '@tollgate/money'
import {
  decide,
  isFinal,
  PAYMENT_KINDS,
  PAYMENT_STATUSES,
  type Payment,
  type PaymentKind,
  type PaymentStatus,
  type Proposal,
} from '../model.ts'
import { isContradiction, phaseAfterReference, phaseWhileWaiting, proposalFrom } from '../phases.ts'

const MONEY = { amount: parsePlainAmount('100'), currencyCode: 'EUR' }
const ACTORS = ['rail:test', 'worker', 'operator:jana'] as const

/** Every edge there is: kind, from, to. Nothing else may happen, whoever asks. */
const EDGES = new Set([
  'PAYIN CREATED SUCCESS',
  'PAYIN CREATED FAILED',
  'PAYIN CREATED EXPIRED',
  'PAYIN CREATED CANCELLED',
  'PAYIN EXPIRED SUCCESS',
  'PAYIN SUCCESS REVERSED',
  'PAYOUT CREATED SUCCESS',
  'PAYOUT CREATED FAILED',
  'PAYOUT CREATED EXPIRED',
  'PAYOUT CREATED CANCELLED',
  'PAYOUT SUCCESS REVERSED',
  'SETTLEMENT CREATED SUCCESS',
  'SETTLEMENT CREATED FAILED',
  'SETTLEMENT CREATED EXPIRED',
  'SETTLEMENT CREATED CANCELLED',
  'SETTLEMENT SUCCESS REVERSED',
  'TOPUP CREATED SUCCESS',
  'TOPUP CREATED FAILED',
  'TOPUP CREATED EXPIRED',
  'TOPUP CREATED CANCELLED',
  'TOPUP SUCCESS REVERSED',
])
/** And those that only a person may take, who says why. */
const PERSONS_EDGES = new Set(PAYMENT_KINDS.map((kind) => `${kind} FAILED SUCCESS`))

type DecidedOn = Parameters<typeof decide>[0]

function payment(kind: PaymentKind, status: PaymentStatus, given: Partial<Payment> = {}): DecidedOn {
  const submittedAt = undefined
  return {
    kind,
    status,
    processorStatus: 'AWAITING_CUSTOMER',
    isDue: true,
    money: MONEY,
    submittedAt,
    ...given,
  }
}

function proposal(status: Proposal['status'], given: Partial<Proposal> = {}): Proposal {
  return { status, actor: 'rail:test', received: MONEY, ...given }
}

function expected(edge: string, from: PaymentStatus, to: PaymentStatus, isExplainedByPerson: boolean) {
  if (from === to) return 'SAME'
  return EDGES.has(edge) || (isExplainedByPerson && PERSONS_EDGES.has(edge)) ? 'CHANGE' : 'REFUSED'
}

test('exactly the edges of the table exist, for every kind, pair of statuses, actor and reason', () => {
  let cases = 0
  for (const kind of PAYMENT_KINDS)
    for (const from of PAYMENT_STATUSES)
      for (const to of PAYMENT_STATUSES)
        for (const actor of ACTORS)
          for (const reason of [undefined, '', '  ', 'the bank confirmed by phone']) {
            if (to === 'CREATED') continue
            cases += 1
            const given = reason === undefined ? { actor } : { actor, reason }
            const decision = decide(payment(kind, from), proposal(to, given))
            const isExplained = actor === 'operator:jana' && reason === 'the bank confirmed by phone'
            const edge = `${kind} ${from} ${to}`
            assert.equal(
              decision.kind,
              expected(edge, from, to, isExplained),
              `${edge} by ${actor}, ${reason}`,
            )
            if (decision.kind === 'CHANGE') assert.equal(decision.status, to)
          }
  assert.equal(cases, 4 * 6 * 5 * 3 * 4)
})

test('only CREATED is not the end', () => {
  assert.deepEqual(
    PAYMENT_STATUSES.filter((status) => !isFinal(status)),
    ['CREATED'],
  )
})

test('never SUCCESS for other money, and the refusal says which', () => {
  const other = (amount: string, currencyCode: string) =>
    decide(
      payment('PAYIN', 'CREATED'),
      proposal('SUCCESS', { received: { amount: parsePlainAmount(amount), currencyCode } }),
    )
  for (const [amount, currencyCode] of [
    ['99.99', 'EUR'],
    ['100.01', 'EUR'],
    ['100', 'USD'],
  ] as const) {
    assert.deepEqual(other(amount, currencyCode), {
      kind: 'REFUSED',
      why: `${amount} ${currencyCode} arrived instead of 100 EUR`,
    })
  }
  assert.equal(other('100.00', 'EUR').kind, 'CHANGE')
  const silent = decide(payment('PAYIN', 'CREATED'), { status: 'SUCCESS', actor: 'rail:test' })
  assert.deepEqual(silent, { kind: 'REFUSED', why: 'it is not said what money arrived' })
})

test('money of a person is looked at as sharply as money of a rail', () => {
  const received = { amount: parsePlainAmount('1'), currencyCode: 'EUR' }
  const given = { actor: 'operator:jana', reason: 'found it', received }
  assert.equal(decide(payment('PAYIN', 'FAILED'), proposal('SUCCESS', given)).kind, 'REFUSED')
})

test('nothing expires early, and nothing whose outcome is not known', () => {
  const early = payment('PAYIN', 'CREATED', { isDue: false })
  assert.deepEqual(decide(early, proposal('EXPIRED')), {
    kind: 'REFUSED',
    why: 'its time to pay is not over',
  })
  for (const kind of PAYMENT_KINDS) {
    const unknown = payment(kind, 'CREATED', { processorStatus: 'UNKNOWN' })
    assert.deepEqual(decide(unknown, proposal('EXPIRED')), {
      kind: 'REFUSED',
      why: 'its outcome is not known',
    })
    assert.equal(decide(unknown, proposal('SUCCESS')).kind, 'CHANGE')
    assert.equal(decide(unknown, proposal('FAILED')).kind, 'CHANGE')
  }
})

test('the phase says how a payment ended, and keeps what it waited for when nobody decided', () => {
  const after = (status: PaymentStatus, to: Proposal['status']) => {
    const decision = decide(
      payment('PAYIN', status, { processorStatus: 'REFERENCE_SUBMITTED' }),
      proposal(to),
    )
    return decision.kind === 'CHANGE' ? decision.processorStatus : decision.kind
  }
  assert.equal(after('CREATED', 'SUCCESS'), 'CONFIRMED')
  assert.equal(after('EXPIRED', 'SUCCESS'), 'CONFIRMED_LATE')
  assert.equal(after('CREATED', 'FAILED'), 'REJECTED')
  assert.equal(after('SUCCESS', 'REVERSED'), 'RETURNED')
  assert.equal(after('CREATED', 'EXPIRED'), 'REFERENCE_SUBMITTED')
  assert.equal(after('CREATED', 'CANCELLED'), 'REFERENCE_SUBMITTED')
})

test('a report and a payment contradict each other only about whether money arrived', () => {
  const contradictions = PAYMENT_STATUSES.flatMap((status) =>
    (['SUCCESS', 'FAILED', 'CANCELLED'] as const)
      .filter((to) => isContradiction(status, proposal(to)))
      .map((to) => `${status} ${to}`),
  )
  assert.deepEqual(contradictions, [
    'CREATED SUCCESS',
    'SUCCESS FAILED',
    'SUCCESS CANCELLED',
    'FAILED SUCCESS',
    'EXPIRED SUCCESS',
    'CANCELLED SUCCESS',
    'REVERSED FAILED',
    'REVERSED CANCELLED',
  ])
})

test('an unknown outcome is noted once, and taken back when the rail says that it waits', () => {
  const phase = (
    processorStatus: Payment['processorStatus'],
    report: 'WAITING' | 'UNSENT' | 'UNKNOWN',
    kind: PaymentKind,
  ) => phaseWhileWaiting({ kind, processorStatus }, report)
  assert.equal(phase('AWAITING_CUSTOMER', 'UNKNOWN', 'PAYIN'), 'UNKNOWN')
  assert.equal(phase('UNKNOWN', 'UNKNOWN', 'PAYIN'), undefined)
  assert.equal(phase('REFERENCE_SUBMITTED', 'WAITING', 'PAYIN'), undefined)
  assert.equal(phase('UNKNOWN', 'WAITING', 'PAYIN'), 'AWAITING_CUSTOMER')
  assert.equal(phase('UNKNOWN', 'WAITING', 'PAYOUT'), 'SUBMITTED')
  assert.equal(phase('AWAITING_CUSTOMER', 'WAITING', 'PAYIN'), undefined)
  // Nobody is waited for where the institution has not heard of it.
  assert.equal(phase('AWAITING_CUSTOMER', 'UNSENT', 'PAYIN'), 'ACCEPTED')
  assert.equal(phase('ACCEPTED', 'UNSENT', 'TOPUP'), undefined)
  assert.equal(phase('ACCEPTED', 'WAITING', 'PAYIN'), 'AWAITING_CUSTOMER')
  assert.equal(phase('ACCEPTED', 'UNKNOWN', 'PAYIN'), 'UNKNOWN')
  assert.equal(phase('AWAITING_REFERENCE', 'UNSENT', 'PAYIN'), undefined)
})

test('a reference moves the phase on, unless a person or the institution is awaited', () => {
  const phase = (status: PaymentStatus, processorStatus: Payment['processorStatus']) =>
    phaseAfterReference({ status, processorStatus })
  assert.equal(phase('CREATED', 'AWAITING_REFERENCE'), 'REFERENCE_SUBMITTED')
  assert.equal(phase('CREATED', 'AWAITING_CUSTOMER'), 'REFERENCE_SUBMITTED')
  assert.equal(phase('CREATED', 'IN_REVIEW'), 'IN_REVIEW')
  assert.equal(phase('CREATED', 'UNKNOWN'), 'UNKNOWN')
  assert.equal(phase('EXPIRED', 'AWAITING_REFERENCE'), 'IN_REVIEW')
})

test('what a rail reports becomes a proposal in its name', () => {
  const payer = { accountName: 'Ada', accountNumber: '1' }
  assert.deepEqual(proposalFrom({ kind: 'SUCCEEDED', received: MONEY, payer }, 'rail:sepa'), {
    status: 'SUCCESS',
    actor: 'rail:sepa',
    received: MONEY,
    payer,
  })
  assert.deepEqual(proposalFrom({ kind: 'SUCCEEDED', received: MONEY }, 'rail:sepa'), {
    status: 'SUCCESS',
    actor: 'rail:sepa',
    received: MONEY,
  })
  assert.deepEqual(proposalFrom({ kind: 'FAILED', code: 'DECLINED', message: 'No.' }, 'rail:sepa'), {
    status: 'FAILED',
    actor: 'rail:sepa',
    failure: { code: 'DECLINED', message: 'No.' },
  })
  assert.deepEqual(proposalFrom({ kind: 'CANCELLED', message: 'Gone.' }, 'rail:sepa'), {
    status: 'CANCELLED',
    actor: 'rail:sepa',
    failure: { code: 'CANCELLED', message: 'Gone.' },
  })
})
