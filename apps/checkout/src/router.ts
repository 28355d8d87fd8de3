// Which screen a customer sees is decided here and nowhere else: the first row that fits.

export type Screen =
  | 'LINK_INCOMPLETE'
  | 'LINK_INVALID'
  | 'TOKEN_INCOMPLETE'
  | 'MONEY_MISSING'
  | 'AMOUNT_DIFFERENT'
  | 'RETURN_NOT_ALLOWED'
  | 'UNREACHABLE'
  | 'BUSY'
  | 'NOT_FOUND'
  | 'START'
  | 'REDIRECT'
  | 'CHECKING'
  | 'RETURNED'
  | 'UNAVAILABLE'
  | 'INSTRUCTIONS'
  | 'REFERENCE'
  | 'REFERENCE_SENT'
  | 'PARTIAL'
  | 'PROGRESS'
  | 'PAID'
  | 'REVERSED'
  | 'FAILED'
  | 'CANCELLED'
  | 'EXPIRED'

/** What the API said about the payment. */
type Looked = 'FOUND' | 'MISSING' | 'DENIED' | 'BUSY' | 'UNREACHABLE'

/** Everything the decision rests on. */
export interface Facts {
  readonly mode: 'PAY' | 'STATUS'
  readonly isLinkComplete: boolean
  /** The token is another merchant's. */
  readonly isTokenForeign: boolean
  /** The token is for another amount or currency than the link. */
  readonly isMoneyForeign: boolean
  readonly areAddressesAllowed: boolean
  /** The token does not permit to create the payment. */
  readonly lacksOperation: boolean
  /** The token carries no money, which tokens of this merchant must. */
  readonly lacksMoney: boolean
  /** The token has ended, and there is no payment, or one that ended too long ago to be shown still. */
  readonly isTooLate: boolean
  readonly looked: Looked
  /** Of a payment that was found. */
  readonly payment: PaymentFacts | undefined
}

export interface PaymentFacts {
  readonly status: string
  readonly processorStatus: string
  readonly hasRedirect: boolean
  readonly hasInstructions: boolean
  /** Money arrived that is not the money asked for. */
  readonly hasOtherMoney: boolean
  /** Seconds since the customer came back from the institution; undefined for one who did not. */
  readonly backSeconds: number | undefined
  /** The customer says that it is approved at the institution. */
  readonly isApproved: boolean
}

interface Row {
  readonly name: string
  readonly screen: Screen
  fits(facts: Facts): boolean
}

/** After coming back, a customer is told that the bank is asked before being told that nothing came. */
export const CHECKING_SECONDS = 20
/** To somebody who says that it is approved, this is not said again so soon. */
export const APPROVED_SECONDS = 120

const row = (name: string, screen: Screen, fits: Row['fits']): Row => ({ name, screen, fits })
const of = (fits: (payment: PaymentFacts) => boolean): Row['fits'] => {
  return ({ payment }) => payment !== undefined && fits(payment)
}
const ended = (status: string): Row['fits'] => of((payment) => payment.status === status)
const waiting = (fits: (payment: PaymentFacts) => boolean): Row['fits'] =>
  of((payment) => payment.status === 'CREATED' && fits(payment))
const isBeingChecked = ({ backSeconds, isApproved }: PaymentFacts): boolean =>
  backSeconds !== undefined && backSeconds < (isApproved ? APPROVED_SECONDS : CHECKING_SECONDS)
const isUnheard = ({ processorStatus }: PaymentFacts): boolean =>
  processorStatus === 'ACCEPTED' || processorStatus === 'UNKNOWN'
const isForCustomer = ({ processorStatus }: PaymentFacts): boolean =>
  processorStatus === 'ACCEPTED' || processorStatus === 'AWAITING_CUSTOMER'

/** The table. Its order is its meaning: first what speaks against the link, then what became of the payment. */
export const ROWS: readonly Row[] = [
  row('a parameter is missing or malformed', 'LINK_INCOMPLETE', (facts) => !facts.isLinkComplete),
  row('the token is another merchant’s', 'LINK_INVALID', (facts) => facts.isTokenForeign),
  row('the API does not accept the token', 'LINK_INVALID', ({ looked }) => looked === 'DENIED'),
  row(
    'the token has ended, and nothing is shown any more',
    'LINK_INVALID',
    ({ looked, isTooLate }) => isTooLate && (looked === 'FOUND' || looked === 'MISSING'),
  ),
  row('the API is too busy', 'BUSY', ({ looked }) => looked === 'BUSY'),
  row('the API does not answer', 'UNREACHABLE', ({ looked }) => looked === 'UNREACHABLE'),
  row(
    'a status link names no payment',
    'NOT_FOUND',
    ({ looked, mode }) => looked === 'MISSING' && mode === 'STATUS',
  ),
  row(
    'the token does not permit to pay, and nothing is paid yet',
    'TOKEN_INCOMPLETE',
    ({ looked, lacksOperation }) => looked === 'MISSING' && lacksOperation,
  ),
  row(
    'the token carries no money and must, and nothing is paid yet',
    'MONEY_MISSING',
    ({ looked, lacksMoney }) => looked === 'MISSING' && lacksMoney,
  ),
  row(
    'the token is for other money, and nothing is paid yet',
    'AMOUNT_DIFFERENT',
    ({ looked, isMoneyForeign }) => looked === 'MISSING' && isMoneyForeign,
  ),
  row(
    'an address is not the shop’s',
    'RETURN_NOT_ALLOWED',
    ({ looked, areAddressesAllowed }) => looked === 'MISSING' && !areAddressesAllowed,
  ),
  row('the payment does not exist yet', 'START', ({ looked }) => looked === 'MISSING'),
  row(
    'the customer has just come back from the bank',
    'CHECKING',
    waiting((p) => isForCustomer(p) && p.hasRedirect && isBeingChecked(p)),
  ),
  row(
    'the customer came back, and the bank has nothing to say',
    'RETURNED',
    waiting((p) => isForCustomer(p) && p.hasRedirect && p.backSeconds !== undefined),
  ),
  row(
    'the bank does not have the payment, or nobody knows, and the customer has not been there',
    'UNAVAILABLE',
    waiting((p) => isUnheard(p) && p.hasRedirect && p.backSeconds === undefined),
  ),
  row(
    'the customer is to go to the bank',
    'REDIRECT',
    waiting((p) => isForCustomer(p) && p.hasRedirect),
  ),
  row(
    'a part of the money, or too much, has come',
    'PARTIAL',
    waiting((p) => p.hasOtherMoney),
  ),
  row(
    'there are instructions to follow',
    'INSTRUCTIONS',
    waiting((p) => isForCustomer(p) && p.hasInstructions),
  ),
  row(
    'a reference is awaited',
    'REFERENCE',
    waiting((p) => p.processorStatus === 'AWAITING_REFERENCE'),
  ),
  row(
    'a reference was sent',
    'REFERENCE_SENT',
    waiting((p) => p.processorStatus === 'REFERENCE_SUBMITTED'),
  ),
  row(
    'the bank is at work',
    'PROGRESS',
    waiting(() => true),
  ),
  row('it is paid', 'PAID', ended('SUCCESS')),
  row('the money went back', 'REVERSED', ended('REVERSED')),
  row('it failed', 'FAILED', ended('FAILED')),
  row('it was cancelled', 'CANCELLED', ended('CANCELLED')),
  row('the time to pay is over', 'EXPIRED', ended('EXPIRED')),
  row(
    'a status that we do not know',
    'PROGRESS',
    of(() => true),
  ),
]

/** The screen for these facts. */
export function screenFor(facts: Facts): Screen {
  const found = ROWS.find(({ fits }) => fits(facts))
  if (found === undefined) throw new Error('a payment that was found has facts')
  return found.screen
}
