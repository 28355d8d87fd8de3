import { type Amount, compareAmounts } from '@tollgate/money'
import type { Tx } from '../../../platform/database.ts'
import { isOutgoing, type Payment } from '../../payments/index.ts'
import { LOOKS_REPEATED } from '../import/repeats.ts'
import { listDebitsOf, listPayingLines } from '../lines/line-store.ts'
import type { StatementLine } from '../model.ts'

type Line = Pick<
  StatementLine,
  'lineId' | 'state' | 'amount' | 'openAmount' | 'currencyCode' | 'reasons' | 'payment'
>

/**
 * Why the line is not money that the books have already; undefined when it may be. By what the payment is now: people may
 * have decided about it since the line came.
 * @param payment that the line names
 */
export async function againstSameMoney(
  tx: Tx,
  line: Line,
  payment: Payment | undefined,
): Promise<string | undefined> {
  if (line.reasons.includes(LOOKS_REPEATED)) return undefined
  if (payment === undefined)
    return `Statement line ${line.lineId} is ${line.state}; only money of a payment that it names, and what looks like another line, can be the same money.`
  return isOutgoing(payment.kind) ? againstReturn(tx, line, payment) : againstPaid(tx, line, payment)
}

async function againstPaid(tx: Tx, line: Line, payment: Payment): Promise<string | undefined> {
  const { status } = payment
  if (line.state !== 'DOUBLE' && !(status === 'SUCCESS' && isWhole(line, payment)))
    return `Statement line ${line.lineId} is ${line.state}, and its payment ${status} of ${payment.money.amount} ${payment.money.currencyCode}; only DOUBLE, and exactly the money of a payment that is SUCCESS, can be the same money.`
  const [other] = await listPayingLines(tx, payment, line.lineId)
  return other && isMore(other)
}

/**
 * Money of a payout that came back. The books have it where they say that nothing left for good, and may have it as often as
 * the bank took more than they say.
 */
async function againstReturn(tx: Tx, line: Line, payment: Payment): Promise<string | undefined> {
  const { status, kind, idPayment } = payment
  if (!isWhole(line, payment))
    return `Statement line ${line.lineId} is not exactly the money of ${kind} ${idPayment}, so it cannot be the same money.`
  const debits = (await listDebitsOf(tx, [payment])).length
  const came = await listPayingLines(tx, payment, line.lineId)
  if (came.length < returnsOf(status, debits)) return undefined
  const [other] = came
  if (other !== undefined) return isMore(other)
  return status === 'CREATED' || status === 'SUCCESS'
    ? `${kind} ${idPayment} is ${status}, and ${debits} statement lines say that its money left: decide in Reviews that it did not leave or came back, before this is the same money.`
    : `${kind} ${idPayment} is ${status}, and ${debits} statement lines say that its money left: import the one that does, before this is the same money.`
}

/** How often money of a payout can have come back that the books do not miss. */
function returnsOf(status: Payment['status'], debits: number): number {
  if (status === 'CREATED') return 0
  if (status === 'SUCCESS') return debits - 1
  // The books had it as paid before, whether or not the line that says so was imported.
  return status === 'REVERSED' ? Math.max(debits, 1) : debits
}

const isMore = (lineId: string): string =>
  `Statement line ${lineId} is this payment's money already, so this is more. Send it back (RETURN).`

/**
 * How much of the line the books have: of what came for a payment no more than its money. What looks like another line is that line,
 * whatever it is.
 */
export function ownMoney(line: Line, payment: Payment | undefined): Amount {
  const isRepeat = line.reasons.includes(LOOKS_REPEATED)
  if (isRepeat || payment === undefined || compareAmounts(line.openAmount, payment.money.amount) <= 0)
    return line.openAmount
  return payment.money.amount
}

/** Nothing of the line was given away, and it is exactly the payment's money. */
const isWhole = ({ amount, openAmount, currencyCode }: Line, { money }: Payment): boolean =>
  compareAmounts(amount, openAmount) === 0 &&
  compareAmounts(amount, money.amount) === 0 &&
  currencyCode === money.currencyCode
