import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  APPROVED_SECONDS,
  CHECKING_SECONDS,
  type Facts,
  type PaymentFacts,
  ROWS,
  type Screen,
  screenFor,
} from '../src/router.ts'

const FACTS: Facts = {
  mode: 'PAY',
  isLinkComplete: true,
  isTokenForeign: false,
  isMoneyForeign: false,
  areAddressesAllowed: true,
  lacksOperation: false,
  lacksMoney: false,
  isTooLate: false,
  looked: 'MISSING',
  payment: undefined,
}
const PAYMENT: PaymentFacts = {
  status: 'CREATED',
  processorStatus: 'AWAITING_CUSTOMER',
  hasRedirect: false,
  hasInstructions: false,
  hasOtherMoney: false,
  backSeconds: undefined,
  isApproved: false,
}
const found = (payment: Partial<PaymentFacts>, more: Partial<Facts> = {}): Facts => ({
  ...FACTS,
  looked: 'FOUND',
  payment: { ...PAYMENT, ...payment },
  ...more,
})

/** One case for each row, in the rows' order, named like it. */
const CASES: readonly (readonly [string, Facts, Screen])[] = [
  [
    'a parameter is missing or malformed',
    { ...FACTS, isLinkComplete: false, looked: 'DENIED' },
    'LINK_INCOMPLETE',
  ],
  ['the token is another merchant’s', found({ status: 'SUCCESS' }, { isTokenForeign: true }), 'LINK_INVALID'],
  ['the API does not accept the token', { ...FACTS, looked: 'DENIED' }, 'LINK_INVALID'],
  [
    'the token has ended, and nothing is shown any more',
    found({ status: 'SUCCESS' }, { isTooLate: true }),
    'LINK_INVALID',
  ],
  ['the API is too busy', { ...FACTS, looked: 'BUSY' }, 'BUSY'],
  ['the API does not answer', { ...FACTS, looked: 'UNREACHABLE' }, 'UNREACHABLE'],
  ['a status link names no payment', { ...FACTS, mode: 'STATUS' }, 'NOT_FOUND'],
  [
    'the token does not permit to pay, and nothing is paid yet',
    { ...FACTS, lacksOperation: true, isMoneyForeign: true },
    'TOKEN_INCOMPLETE',
  ],
  [
    'the token carries no money and must, and nothing is paid yet',
    { ...FACTS, lacksMoney: true, areAddressesAllowed: false },
    'MONEY_MISSING',
  ],
  [
    'the token is for other money, and nothing is paid yet',
    { ...FACTS, isMoneyForeign: true, areAddressesAllowed: false },
    'AMOUNT_DIFFERENT',
  ],
  ['an address is not the shop’s', { ...FACTS, areAddressesAllowed: false }, 'RETURN_NOT_ALLOWED'],
  ['the payment does not exist yet', FACTS, 'START'],
  [
    'the customer has just come back from the bank',
    found({ hasRedirect: true, backSeconds: CHECKING_SECONDS - 1 }),
    'CHECKING',
  ],
  [
    'the customer came back, and the bank has nothing to say',
    found({ hasRedirect: true, backSeconds: CHECKING_SECONDS }),
    'RETURNED',
  ],
  [
    'the bank does not have the payment, or nobody knows, and the customer has not been there',
    found({ hasRedirect: true, processorStatus: 'ACCEPTED' }),
    'UNAVAILABLE',
  ],
  ['the customer is to go to the bank', found({ hasRedirect: true }), 'REDIRECT'],
  [
    'a part of the money, or too much, has come',
    found({ hasOtherMoney: true, hasInstructions: true }),
    'PARTIAL',
  ],
  ['there are instructions to follow', found({ hasInstructions: true }), 'INSTRUCTIONS'],
  [
    'a reference is awaited',
    found({ processorStatus: 'AWAITING_REFERENCE', hasInstructions: true }),
    'REFERENCE',
  ],
  [
    'a reference was sent',
    found({ processorStatus: 'REFERENCE_SUBMITTED', hasInstructions: true }),
    'REFERENCE_SENT',
  ],
  [
    'the bank is at work',
    found({ processorStatus: 'UNKNOWN', hasRedirect: true, backSeconds: 1 }),
    'PROGRESS',
  ],
  [
    'it is paid',
    found({ status: 'SUCCESS', hasRedirect: true, hasOtherMoney: true, backSeconds: 1 }),
    'PAID',
  ],
  ['the money went back', found({ status: 'REVERSED' }), 'REVERSED'],
  ['it failed', found({ status: 'FAILED' }), 'FAILED'],
  ['it was cancelled', found({ status: 'CANCELLED' }), 'CANCELLED'],
  ['the time to pay is over', found({ status: 'EXPIRED', hasInstructions: true }), 'EXPIRED'],
  ['a status that we do not know', found({ status: 'PARKED', hasInstructions: true }), 'PROGRESS'],
]

for (const [name, facts, screen] of CASES) {
  test(`the row “${name}” leads to ${screen}, and no row before it fits`, () => {
    assert.equal(ROWS.find((row) => row.fits(facts))?.name, name)
    assert.equal(screenFor(facts), screen)
  })
}

test('every row has its case, in the order of the rows', () => {
  assert.deepEqual(
    CASES.map(([name]) => name),
    ROWS.map(({ name }) => name),
  )
})

test('a payment that exists is shown whatever the link says of money and addresses', () => {
  const facts = found({ status: 'SUCCESS' }, { isMoneyForeign: true, areAddressesAllowed: false })
  assert.equal(screenFor(facts), 'PAID')
})

test('a payment is shown to status links as to others', () => {
  assert.equal(screenFor(found({ hasInstructions: true }, { mode: 'STATUS' })), 'INSTRUCTIONS')
})

test('who says that it is approved is asked to go back to the bank later than others, and not never', () => {
  const back = (backSeconds: number, isApproved: boolean): Screen =>
    screenFor(found({ hasRedirect: true, backSeconds, isApproved }))
  assert.equal(back(CHECKING_SECONDS - 1, false), 'CHECKING')
  assert.equal(back(CHECKING_SECONDS, false), 'RETURNED')
  assert.equal(back(CHECKING_SECONDS, true), 'CHECKING')
  assert.equal(back(APPROVED_SECONDS, true), 'RETURNED')
})

test('nothing is shown to who comes with a token that has ended, but what is wrong with the gateway', () => {
  for (const looked of ['FOUND', 'MISSING'] as const)
    assert.equal(screenFor({ ...found({ status: 'SUCCESS' }), looked, isTooLate: true }), 'LINK_INVALID')
  assert.equal(screenFor({ ...FACTS, looked: 'UNREACHABLE', isTooLate: true }), 'UNREACHABLE')
})

test('a bank that may or may not have the payment is not waited for either, unless the customer was there', () => {
  const unknown = { hasRedirect: true, processorStatus: 'UNKNOWN' }
  assert.equal(screenFor(found(unknown)), 'UNAVAILABLE')
  assert.equal(screenFor(found({ ...unknown, backSeconds: 1 })), 'PROGRESS')
  assert.equal(screenFor(found({ ...unknown, hasRedirect: false })), 'PROGRESS')
})
