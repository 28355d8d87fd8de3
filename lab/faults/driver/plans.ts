import { pickWeighted, type Random } from '../../rig/random.ts'
import type { Money, PaymentKind, PaymentName } from '../check/facts.ts'
import type { Receivers } from '../setup/receivers.ts'

/** What is to become of a payment, when all goes well. */
type Shape =
  | 'paid'
  | 'page'
  | 'never'
  | 'declined'
  | 'topup'
  | 'payout'
  | 'scant'
  | 'wired'
  | 'approved'
  | 'unsure'
  | 'given'
  | 'refund'

/** A payment that merchants ask for, the same each time they ask. */
export interface Plan {
  readonly name: PaymentName
  readonly shape: Shape
  readonly money: Money
  readonly path: string
  readonly body: unknown
}

export interface Plans {
  /** The next payment; now and then one that was asked for before, so that ids come twice, also at the same time. */
  next(random: Random): Plan
  /** Money that is paid in at the beginning. */
  funds(merchantCode: string): Plan
  /** A payin that a bank's statement will tell of; nobody else asks for it. */
  wired(random: Random): Plan
  /** A payout that two operators have to approve; nobody else asks for it. */
  approved(random: Random): Plan
  /** A payout of which two operators have to say what became of it; nobody else asks for it. */
  unsure(random: Random): Plan
  /** A payin that is paid and then given back; nobody else asks for it. */
  given(random: Random): Plan
  /** Refunds of it, each of a part: one more would be too much. */
  refundsOf(payin: Plan): readonly Plan[]
}

/** How a payment of each shape is to end, if it is accepted; of the scant ones most are refused. */
const ENDS: Readonly<Record<Shape, string>> = {
  paid: 'SUCCESS',
  page: 'SUCCESS',
  never: 'CREATED',
  declined: 'FAILED',
  topup: 'SUCCESS',
  payout: 'SUCCESS',
  scant: 'SUCCESS',
  wired: 'SUCCESS',
  approved: 'SUCCESS',
  unsure: 'SUCCESS',
  given: 'SUCCESS',
  refund: 'SUCCESS',
}

/** How the payment is to end: its id begins with its shape. */
export function expectedStatusOf(id: string): string {
  const [, end] = Object.entries(ENDS).find(([shape]) => id.startsWith(`${shape}-`)) ?? []
  if (end === undefined) throw new Error(`${id} is no id of these runs`)
  return end
}

/** The beginning of ids of payments that wait for ever, as SQL's `like` wants it. */
export const ENDLESS_IDS = 'never-%'
/** The same of payouts that two operators have to approve. */
export const APPROVED_IDS = 'approved-%'
/** The same of payouts whose institution never says what became of them. */
export const UNSURE_IDS = 'unsure-%'
/** So much and more has to be approved: no other payout of these runs is as large. */
export const APPROVED_FROM = 500

interface Kind {
  readonly shape: Shape
  readonly kind: PaymentKind
  readonly weight: number
}

const KINDS: readonly [Kind, ...Kind[]] = [
  { shape: 'paid', kind: 'PAYIN', weight: 45 },
  { shape: 'page', kind: 'PAYIN', weight: 15 },
  { shape: 'never', kind: 'PAYIN', weight: 8 },
  { shape: 'declined', kind: 'PAYIN', weight: 4 },
  { shape: 'topup', kind: 'TOPUP', weight: 8 },
  { shape: 'payout', kind: 'PAYOUT', weight: 18 },
  { shape: 'scant', kind: 'PAYOUT', weight: 6 },
]

const CURRENCY = 'EUR'
const AMOUNTS = 190
const AMOUNT_MIN = 10
const FUNDS = '100000'
const REPEATED_SHARE = 0.15
const RECENT_MAX = 40
/** The amounts of these runs are whole, and each of so many refunds is a little more than its share. */
const REFUNDS = 4

const PATHS: Readonly<Record<PaymentKind, string>> = { PAYIN: 'payins', PAYOUT: 'payouts', TOPUP: 'topups' }

/** The merchants: those who have money, and one who has next to none: who asks for a payout there first gets it. */
interface Merchants {
  readonly funded: readonly [string, ...string[]]
  readonly poor: string
}

export function createPlans(merchants: Merchants, receivers: Receivers): Plans {
  const recent: Plan[] = []
  let count = 0

  function make(kind: Kind, random: Random): Plan {
    count += 1
    const merchantCode = random.pick(merchantsFor(kind.shape, merchants))
    const least = kind.shape === 'approved' ? APPROVED_FROM : AMOUNT_MIN
    const amount = String(least + random.below(AMOUNTS))
    return planOf(kind, { merchantCode, amount, number: count, callbackUrl: receivers.urlFor(random) })
  }

  return {
    given: (random) => make({ shape: 'given', kind: 'PAYIN', weight: 0 }, random),
    refundsOf(payin) {
      const amount = String(Math.ceil((Number(payin.money.amount) + 1) / REFUNDS))
      const money = { ...payin.money, amount }
      return Array.from({ length: REFUNDS }, () => {
        count += 1
        const id = `refund-${count}`
        return {
          name: { ...payin.name, kind: 'PAYOUT', id },
          shape: 'refund',
          money,
          path: `${payin.path}/refunds/${id}`,
          body: { refundRequested: { money } },
        }
      })
    },
    next(random) {
      const repeated = recent[random.below(recent.length)]
      if (repeated !== undefined && random.share() < REPEATED_SHARE) return repeated
      const plan = make(
        pickWeighted(random, KINDS, ({ weight }) => weight),
        random,
      )
      recent.push(plan)
      if (recent.length > RECENT_MAX) recent.shift()
      return plan
    },
    approved: (random) => make({ shape: 'approved', kind: 'PAYOUT', weight: 0 }, random),
    unsure: (random) => make({ shape: 'unsure', kind: 'PAYOUT', weight: 0 }, random),
    wired: (random) => make({ shape: 'wired', kind: 'PAYIN', weight: 0 }, random),
    funds(merchantCode) {
      count += 1
      const kind: Kind = { shape: 'topup', kind: 'TOPUP', weight: 0 }
      return planOf(kind, { merchantCode, amount: FUNDS, number: count, callbackUrl: receivers.goodUrls[0] })
    },
  }
}

function merchantsFor(shape: Shape, { funded, poor }: Merchants): Merchants['funded'] {
  if (shape === 'scant') return [poor]
  return shape === 'topup' ? [poor, ...funded] : funded
}

interface Details {
  readonly merchantCode: string
  readonly amount: string
  readonly number: number
  readonly callbackUrl: string
}

function planOf({ shape, kind }: Kind, { merchantCode, amount, number, callbackUrl }: Details): Plan {
  const id = `${shape}-${number}`
  const money = { amount, currencyCode: CURRENCY }
  const wish = { money }
  return {
    name: { merchantCode, kind, id },
    shape,
    money,
    path: `/${PATHS[kind]}/${id}`,
    body: {
      ...(kind === 'TOPUP' ? { topUpRequested: wish } : { paymentRequested: wish }),
      paymentMethod: METHODS[shape],
      callbackUrl,
    },
  }
}

const ACCOUNT = { accountName: 'Ada Lovelace', accountNumber: 'DE89370400440532013000' }
/** Of the customers of all requests. */
export const PERSONAL_DATA = [
  ...Object.values(ACCOUNT),
  'ada@simulator.test',
  'success@sandbox.test',
  'unknown@sandbox.test',
] as const
const BANK_TRANSFER = { paymentMethodCode: 'BANK_TRANSFER' }
/** Payouts go to the bank simulator, whose log says what was executed. */
const BANK_PAYOUT = { ...BANK_TRANSFER, account: ACCOUNT, emailAddress: 'ada@simulator.test' }

const METHODS: Readonly<Record<Shape, unknown>> = {
  paid: { ...BANK_TRANSFER, emailAddress: 'success@sandbox.test' },
  page: { paymentMethodCode: 'WALLET', paymentOperatorCode: 'OTTER_WALLET' },
  never: BANK_TRANSFER,
  wired: BANK_TRANSFER,
  given: { ...BANK_TRANSFER, emailAddress: 'success@sandbox.test' },
  refund: undefined,
  declined: { ...BANK_TRANSFER, emailAddress: 'declined@sandbox.test' },
  topup: { ...BANK_TRANSFER, emailAddress: 'success@sandbox.test' },
  payout: BANK_PAYOUT,
  scant: BANK_PAYOUT,
  approved: BANK_PAYOUT,
  unsure: { ...BANK_TRANSFER, account: ACCOUNT, emailAddress: 'unknown@sandbox.test' },
}
