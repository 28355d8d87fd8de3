import {
  type Amount,
  type FeeRule,
  fromMinorUnits,
  type Money,
  parsePlainAmount,
  toMinorUnits,
} from '@tollgate/money'
import { chargeFee } from '../../modules/catalogue/model.ts'
import {
  isOutgoing,
  OPERATOR_ACTOR_PREFIX,
  type PaymentKey,
  type Proposal,
  textOf,
} from '../../modules/payments/model.ts'

export const CURRENCIES = ['EUR', 'JPY', 'ETH'] as const
const DECIMALS: Readonly<Record<string, number>> = { EUR: 2, JPY: 0, ETH: 18 }

export function decimalsOf(currencyCode: string): number {
  const decimals = DECIMALS[currencyCode]
  if (decimals === undefined) throw new Error(`the tests know no currency ${currencyCode}`)
  return decimals
}

/** Money as an integer of its currency's smallest unit; throws when it has a part that cannot be paid. */
export const unitsOf = ({ amount, currencyCode }: Money): bigint =>
  toMinorUnits(amount, decimalsOf(currencyCode))

export const moneyOf = (units: bigint, currencyCode: string): Money => ({
  amount: fromMinorUnits(units, decimalsOf(currencyCode)),
  currencyCode,
})

/** What somebody says of a payment, rightly or not. */
export const REPORTS = [
  'PAID',
  'PAID_TOO_LITTLE',
  'PAID_IN_OTHER_CURRENCY',
  'PAID_UNSAID',
  'FAILED',
  'EXPIRED',
  'CANCELLED',
  'CANCELLED_BY_OPERATOR',
  'REVERSED',
  'CORRECTED',
  'CORRECTED_BY_ONE',
  'CORRECTED_WITHOUT_REASON',
] as const
type Report = (typeof REPORTS)[number]

export interface Change {
  readonly key: PaymentKey
  readonly report: Report
}

export interface Creation {
  readonly name: 'CREATE'
  readonly key: PaymentKey
  readonly money: Money
  readonly rule: FeeRule | undefined
}

export interface PhaseChange {
  readonly name: 'PHASE'
  readonly key: PaymentKey
  readonly phase: 'SUBMITTED' | 'UNKNOWN'
}

/** Settles all, half or the smallest unit of what is not settled, maybe in another currency. */
export interface Settling {
  readonly name: 'SETTLE'
  readonly merchantId: string
  readonly currencyCode: string
  readonly part: 'ALL' | 'HALF' | 'UNIT'
  readonly into: string | undefined
}

/** Everything that can be done to money. */
export type Command =
  | Creation
  /** What is reported in one batch, of different payments. */
  | { readonly name: 'PROPOSE'; readonly changes: readonly Change[] }
  /** An outgoing payment was handed over, or nobody knows what became of a payment. */
  | PhaseChange
  /** The time to pay of every payment is over. */
  | { readonly name: 'TIME' }
  | Settling

/** The fee that the house takes for it. */
export function feeOf({ key, money, rule }: Creation): Money {
  const direction = isOutgoing(key.kind) ? 'PAYOUT' : 'PAYIN'
  return chargeFee({ direction, rule, money, minorUnits: decimalsOf(money.currencyCode) })
}

const BY_RAIL = { actor: 'rail', evidence: { class: 'RAIL' } } as const
const BY_ONE = {
  actor: `${OPERATOR_ACTOR_PREFIX}ada`,
  evidence: { class: 'PEOPLE', operators: ['ada', 'ada'] },
} as const
const BY_PEOPLE = { ...BY_ONE, evidence: { class: 'PEOPLE', operators: ['ada', 'bob'] } } as const
const FAILURE = { failure: { code: 'DECLINED', message: 'No.' } }

/** The proposal that a report makes, of a payment over this money. */
export function proposalOf(report: Report, money: Money): Proposal {
  switch (report) {
    case 'PAID':
      return { status: 'SUCCESS', ...BY_RAIL, received: money }
    case 'PAID_TOO_LITTLE':
      return { status: 'SUCCESS', ...BY_RAIL, received: { ...money, amount: halfOf(money) } }
    case 'PAID_IN_OTHER_CURRENCY':
      return { status: 'SUCCESS', ...BY_RAIL, received: { ...money, currencyCode: 'USD' } }
    case 'PAID_UNSAID':
      return { status: 'SUCCESS', ...BY_RAIL }
    case 'FAILED':
    case 'CANCELLED':
      return { status: report, ...BY_RAIL, ...FAILURE }
    case 'CANCELLED_BY_OPERATOR':
      return { status: 'CANCELLED', ...BY_ONE, reason: 'not wanted any more', ...FAILURE }
    case 'EXPIRED':
      return { status: 'EXPIRED', actor: 'worker', evidence: { class: 'CLOCK' } }
    case 'REVERSED':
      return { status: 'REVERSED', ...BY_RAIL }
    case 'CORRECTED':
      return { status: 'SUCCESS', ...BY_PEOPLE, reason: 'the statement has it', received: money }
    case 'CORRECTED_BY_ONE':
      return { status: 'SUCCESS', ...BY_ONE, reason: 'the statement has it', received: money }
    case 'CORRECTED_WITHOUT_REASON':
      return { status: 'SUCCESS', ...BY_PEOPLE, reason: ' ', received: money }
  }
}

/** Less than the money, whatever the currency's decimals: institutions may report anything. */
const halfOf = (money: Money): Amount =>
  parsePlainAmount(fromMinorUnits(unitsOf(money) * 5n, decimalsOf(money.currencyCode) + 1))

/** What is settled, and what it becomes when it is settled in another currency. */
export interface Settled {
  readonly settled: Money
  readonly bought: Money | undefined
}

/** A unit of one gives two thirds of a unit of the other, rounded down; undefined when nothing would move. */
export function settledOf(settling: Settling, notSettled: bigint): Settled | undefined {
  const units = { ALL: notSettled, HALF: notSettled / 2n, UNIT: notSettled > 0n ? 1n : 0n }[settling.part]
  if (units === 0n) return undefined
  const settled = moneyOf(units, settling.currencyCode)
  if (settling.into === undefined) return { settled, bought: undefined }
  const bought = (units * 2n) / 3n
  return bought === 0n ? undefined : { settled, bought: moneyOf(bought, settling.into) }
}

export const outcomeOfSettling = (settled: Settled | undefined): string =>
  settled === undefined
    ? 'NOTHING'
    : [settled.settled, settled.bought].map((money) => money && printMoney(money)).join(' for ')

const printMoney = ({ amount, currencyCode }: Money): string => `${amount} ${currencyCode}`

/** A command as a reader of a counterexample wants it. */
export function printCommand(command: Command): string {
  switch (command.name) {
    case 'CREATE':
      return `create ${textOf(command.key)} of ${printMoney(command.money)} with a fee of ${feeOf(command).amount}`
    case 'PROPOSE':
      return command.changes.map(({ key, report }) => `${report} ${textOf(key)}`).join(' + ')
    case 'PHASE':
      return `${command.phase} ${textOf(command.key)}`
    case 'TIME':
      return 'time is over'
    case 'SETTLE':
      return `settle ${command.part} of ${command.merchantId} ${command.currencyCode} ${command.into ?? ''}`
  }
}
