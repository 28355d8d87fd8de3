import {
  type Amount,
  addAmounts,
  compareAmounts,
  isPositive,
  type Money,
  subtractAmounts,
  sumAmounts,
  ZERO,
} from '@tollgate/money'
import type { PaymentKey } from '../../payments/index.ts'
import { StatementProblem } from '../errors.ts'
import type { LineChange } from '../lines/line-change-store.ts'
import type { SealedLine } from '../lines/line-store.ts'
import { isWaiting } from '../model.ts'

/** What is changed and booked of one line. */
export interface Step {
  readonly line: SealedLine
  readonly amount: Amount
  readonly change: Partial<Pick<LineChange, 'state' | 'openAmount' | 'payment' | 'returnReference'>>
  readonly events: readonly {
    readonly event: 'SUSPENSE_APPLIED' | 'SUSPENSE_COVERED' | 'SUSPENSE_RETURNED'
    readonly amount: Amount
  }[]
}

/** Throws unless the line is money that waits for a decision. */
export function requireWaitingMoney(line: SealedLine): void {
  if (line.direction === 'CREDIT' && isWaiting(line.state) && isPositive(line.openAmount)) return
  throw new StatementProblem(
    `Statement line ${line.lineId} does not wait for a decision: it is ${line.direction} and ${line.state}.`,
    'CONFLICT',
  )
}

/** The payment that all of the lines name. */
export function paymentNamedBy(lines: readonly SealedLine[]): PaymentKey {
  const [first] = lines
  const payment = first?.payment
  const isOne = lines.every(
    (line) =>
      line.payment?.merchantId === payment?.merchantId &&
      line.payment?.kind === payment?.kind &&
      line.payment?.idPayment === payment?.idPayment,
  )
  if (payment !== undefined && isOne) return payment
  throw new StatementProblem(
    'Say which payment it is for: the lines do not name the same one.',
    'INVALID',
    'payment',
  )
}

/** Takes from one line after the other until the payment is full. What is too much of the last one stays in suspense. */
export function stepsToPay({
  lines,
  payment,
  money,
  covers,
}: {
  readonly lines: readonly SealedLine[]
  readonly payment: PaymentKey
  readonly money: Money
  readonly covers: boolean
}): readonly Step[] {
  const foreign = lines.find(({ currencyCode }) => currencyCode !== money.currencyCode)
  if (foreign !== undefined)
    throw new StatementProblem(
      `Statement line ${foreign.lineId} is in ${foreign.currencyCode}, the payment in ${money.currencyCode}: send the money back.`,
      'CONFLICT',
    )
  const sum = sumAmounts(lines.map(({ openAmount }) => openAmount))
  const lacking = subtractAmounts(money.amount, sum)
  if (isPositive(lacking) && !covers)
    throw new StatementProblem(
      `${lacking} ${money.currencyCode} are lacking. COVER takes it with the difference given by the house; several lines can make one payment.`,
      'CONFLICT',
    )
  if (!isPositive(lacking) && covers)
    throw new StatementProblem('Nothing is lacking: ACCEPT takes it as it is.', 'CONFLICT')
  let left = money.amount
  return lines.map((line, index) => {
    if (!isPositive(left))
      throw new StatementProblem(`Statement line ${line.lineId} is not needed for it.`, 'CONFLICT')
    const taken = compareAmounts(line.openAmount, left) < 0 ? line.openAmount : left
    left = subtractAmounts(left, taken)
    const rest = subtractAmounts(line.openAmount, taken)
    const isLast = index === lines.length - 1
    return {
      line,
      amount: isLast && covers ? addAmounts(taken, left) : taken,
      change: { state: isPositive(rest) ? 'OVER' : 'APPLIED', openAmount: rest, payment },
      events: [
        { event: 'SUSPENSE_APPLIED', amount: taken },
        ...(isLast && covers ? [{ event: 'SUSPENSE_COVERED', amount: left } as const] : []),
      ],
    }
  })
}

/** The money is to go back, under a reference of its own. */
export function startReturn(line: SealedLine, returnReference: string): Step {
  requireWaitingMoney(line)
  return {
    line,
    amount: line.openAmount,
    change: { state: 'RETURNING', returnReference },
    events: [],
  }
}

/** The money has gone back. */
export function endReturn(line: SealedLine): Step {
  if (line.state !== 'RETURNING')
    throw new StatementProblem(`Statement line ${line.lineId} is ${line.state}, not RETURNING.`, 'CONFLICT')
  return {
    line,
    amount: line.openAmount,
    change: { state: 'RETURNED', openAmount: ZERO },
    events: [{ event: 'SUSPENSE_RETURNED', amount: line.openAmount }],
  }
}

/** Money that left, written down for what. */
export function note(line: SealedLine): Step {
  if (line.direction !== 'DEBIT' || !isWaiting(line.state))
    throw new StatementProblem(
      `A note is for money that left and waits; statement line ${line.lineId} is ${line.direction} and ${line.state}.`,
      'CONFLICT',
    )
  return { line, amount: ZERO, change: { state: 'NOTED' }, events: [] }
}
