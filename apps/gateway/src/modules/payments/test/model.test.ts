import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parsePlainAmount } from '@tollgate/money'
import { documentEvidence, type Evidence } from '../evidence.ts'
import {
  decide,
  isFinal,
  PAYMENT_KINDS,
  PAYMENT_STATUSES,
  type Payment,
  type PaymentKind,
  type PaymentStatus,
  PROCESSOR_STATUSES,
  type Proposal,
} from '../model.ts'
import { isContradiction, phaseAfterReference, phaseWhileWaiting, proposalFrom } from '../progress/phases.ts'

const MONEY = { amount: parsePlainAmount('100'), currencyCode: 'EUR' }
const RAIL = { class: 'RAIL' } as const

/** Everything that may be put forward as a proof, by a name of the test's own. */
const PROOFS: Readonly<Record<string, Evidence>> = {
  rail: RAIL,
  clock: { class: 'CLOCK' },
  sandbox: { class: 'SANDBOX' },
  claim: { class: 'CUSTOMER_CLAIM' },
  merchant: { class: 'MERCHANT' },
  nobody: { class: 'PEOPLE', operators: [] },
  one: { class: 'PEOPLE', operators: ['ann'] },
  oneTwice: { class: 'PEOPLE', operators: ['ann', 'ann'] },
  two: { class: 'PEOPLE', operators: ['ann', 'bob'] },
  channel: documentEvidence('folder', []),
  channelOfTwo: documentEvidence('folder', ['ann', 'bob']),
  upload: documentEvidence('operator:ann', []),
  uploadThatNeedsSecond: documentEvidence('operator:ann', ['ann'], true),
  uploadConfirmed: documentEvidence('operator:ann', ['bob'], true),
}
const PROVED = ['rail', 'sandbox', 'two', 'channel', 'channelOfTwo', 'upload', 'uploadConfirmed']
const BY_TWO = ['two', 'channelOfTwo', 'uploadConfirmed']

/** Every edge there is, and which proofs suffice for it. Nothing else may happen, whoever asks. */
const SUFFICIENT: Readonly<Record<string, readonly string[]>> = {
  'CREATED SUCCESS': PROVED,
  'CREATED FAILED': PROVED,
  'CREATED CANCELLED': [...PROVED, 'one', 'oneTwice'],
  'PAYIN CREATED CANCELLED': [...PROVED, 'one', 'oneTwice', 'merchant'],
  'CREATED EXPIRED': ['clock', 'sandbox'],
  'SUCCESS REVERSED': PROVED,
  'FAILED SUCCESS': BY_TWO,
  'CANCELLED SUCCESS': BY_TWO,
  'PAYIN EXPIRED SUCCESS': PROVED,
  'TOPUP EXPIRED SUCCESS': BY_TWO,
}
const isPaidAfterAll = (edge: string): boolean =>
  /^\w+ (?:FAILED|CANCELLED) SUCCESS$/.test(edge) || edge === 'TOPUP EXPIRED SUCCESS'

type DecidedOn = Parameters<typeof decide>[0]

function payment(kind: PaymentKind, status: PaymentStatus, given: Partial<Payment> = {}): DecidedOn {
  return {
    kind,
    status,
    isDue: true,
    isTest: true,
    money: MONEY,
    processorStatus: 'AWAITING_CUSTOMER',
    submittedAt: undefined,
    received: undefined,
    ...given,
  }
}

function proposal(status: Proposal['status'], given: Partial<Proposal> = {}): Proposal {
  const evidence = status === 'EXPIRED' ? ({ class: 'CLOCK' } as const) : RAIL
  return { status, actor: 'rail:test', evidence, received: MONEY, ...given }
}

/** What must come of a change, of a payment that was handed over if it goes out and has ended. */
function expected(
  kind: PaymentKind,
  [from, to]: readonly [PaymentStatus, PaymentStatus],
  proof: string,
  reason: string | undefined,
) {
  if (from === to) return 'SAME'
  const edge = `${kind} ${from} ${to}`
  const suffice = SUFFICIENT[edge] ?? SUFFICIENT[`${from} ${to}`] ?? []
  const isExplained = !isPaidAfterAll(edge) || (reason ?? '').trim() !== ''
  return suffice.includes(proof) && isExplained ? 'CHANGE' : 'REFUSED'
}

test('exactly the edges of the table exist, for every kind, pair of statuses, proof and reason', () => {
  let cases = 0
  for (const kind of PAYMENT_KINDS)
    for (const from of PAYMENT_STATUSES)
      for (const to of PAYMENT_STATUSES)
        for (const [proof, evidence] of Object.entries(PROOFS))
          for (const reason of [undefined, '  ', 'the bank confirmed by phone']) {
            if (to === 'CREATED') continue
            cases += 1
            const submittedAt = from === 'CREATED' ? undefined : new Date(0)
            const given = { actor: 'x', evidence, ...(reason !== undefined && { reason }) }
            const decision = decide(payment(kind, from, { submittedAt }), proposal(to, given))
            const wanted = expected(kind, [from, to], proof, reason)
            assert.equal(decision.kind, wanted, `${kind} ${from} ${to} by ${proof}, ${reason}`)
            if (decision.kind === 'CHANGE') assert.equal(decision.status, to)
          }
  assert.equal(cases, 4 * 6 * 5 * 14 * 3)
})

test('a refusal for want of evidence says what is missing', () => {
  const why = (evidence: Evidence, given: Partial<Payment> = {}) => {
    const decision = decide(payment('PAYIN', 'CREATED', given), proposal('SUCCESS', { evidence }))
    return decision.kind === 'REFUSED' ? decision.why : decision.kind
  }
  assert.equal(
    why({ class: 'CUSTOMER_CLAIM' }),
    'a reference that the customer typed is not enough to make it SUCCESS',
  )
  assert.equal(
    why({ class: 'PEOPLE', operators: ['ann', 'ann'] }),
    'it takes 2 different operators, and only 1 agreed',
  )
  assert.equal(why({ class: 'PEOPLE', operators: [] }), 'it takes 2 different operators, and none agreed')
  assert.equal(
    why({ class: 'SANDBOX' }, { isTest: false }),
    'only a payment of the sandbox takes a simulated outcome',
  )
})

test('what was called off before it was handed over cannot have been paid, whoever says so', () => {
  const evidence = { class: 'PEOPLE', operators: ['ann', 'bob'] } as const
  const paid = proposal('SUCCESS', { evidence, reason: 'the bank says so' })
  assert.deepEqual(decide(payment('PAYOUT', 'CANCELLED'), paid), {
    kind: 'REFUSED',
    why: 'it was never handed over',
  })
})

test('a merchant cancels a payin only while nothing is known or claimed to be paid', () => {
  const why = (given: Partial<Payment>) => {
    const by = { evidence: { class: 'MERCHANT' } } as const
    const decision = decide(payment('PAYIN', 'CREATED', given), proposal('CANCELLED', by))
    return decision.kind === 'REFUSED' ? decision.why : decision.kind
  }
  for (const processorStatus of PROCESSOR_STATUSES) {
    const isUnpaid = ['ACCEPTED', 'AWAITING_CUSTOMER', 'AWAITING_REFERENCE'].includes(processorStatus)
    assert.equal(why({ processorStatus }) === 'CHANGE', isUnpaid, processorStatus)
  }
  assert.equal(why({ processorStatus: 'UNKNOWN' }), 'it is not known whether it was paid (UNKNOWN)')
  assert.equal(why({ processorStatus: 'REFERENCE_SUBMITTED' }), 'its customer says that it was paid')
  assert.equal(why({ received: MONEY }), '100 EUR arrived for it')
})

test('what an institution has is called off by nobody', () => {
  const given = { submittedAt: new Date(0) }
  const by = { evidence: { class: 'PEOPLE', operators: ['ann', 'bob'] } } as const
  assert.deepEqual(decide(payment('PAYOUT', 'CREATED', given), proposal('CANCELLED', by)), {
    kind: 'REFUSED',
    why: 'an institution has it',
  })
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
  const silent = decide(payment('PAYIN', 'CREATED'), {
    status: 'SUCCESS',
    actor: 'rail:test',
    evidence: RAIL,
  })
  assert.deepEqual(silent, { kind: 'REFUSED', why: 'it is not said what money arrived' })
})

test('money of a person is looked at as sharply as money of a rail', () => {
  const received = { amount: parsePlainAmount('1'), currencyCode: 'EUR' }
  const evidence = { class: 'PEOPLE', operators: ['jana', 'ann'] } as const
  const given = { actor: 'operator:jana', evidence, reason: 'found it', received }
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
  const waiting = payment('PAYOUT', 'CREATED', { processorStatus: 'AWAITING_APPROVAL' })
  const no = proposal('CANCELLED', { evidence: { class: 'PEOPLE', operators: ['ann'] } })
  assert.deepEqual(decide(waiting, no), { kind: 'CHANGE', status: 'CANCELLED', processorStatus: 'REJECTED' })
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
  const BY_SEPA = { actor: 'rail:sepa', evidence: RAIL } as const
  assert.deepEqual(proposalFrom({ kind: 'SUCCEEDED', received: MONEY, payer }, BY_SEPA), {
    status: 'SUCCESS',
    ...BY_SEPA,
    received: MONEY,
    payer,
  })
  assert.deepEqual(proposalFrom({ kind: 'SUCCEEDED', received: MONEY }, BY_SEPA), {
    status: 'SUCCESS',
    ...BY_SEPA,
    received: MONEY,
  })
  assert.deepEqual(proposalFrom({ kind: 'FAILED', code: 'DECLINED', message: 'No.' }, BY_SEPA), {
    status: 'FAILED',
    ...BY_SEPA,
    failure: { code: 'DECLINED', message: 'No.' },
  })
  assert.deepEqual(proposalFrom({ kind: 'CANCELLED', message: 'Gone.' }, BY_SEPA), {
    status: 'CANCELLED',
    ...BY_SEPA,
    failure: { code: 'CANCELLED', message: 'Gone.' },
  })
})
