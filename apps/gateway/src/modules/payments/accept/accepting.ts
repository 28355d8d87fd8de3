import { type Amount, addAmounts, compareAmounts, parsePlainAmount } from '@tollgate/money'
import type { Database, Tx } from '../../../platform/database.ts'
import { isOutgoing, textOf } from '../model.ts'
import {
  type AcceptVerdict,
  type Cap,
  insertOutgoing,
  insertPayments,
  type NewPayment,
  updateDailyUsage,
} from './store.ts'

/** Thrown to roll the transaction back when the day's cap would be exceeded. */
export class CapExceeded extends Error {
  override readonly name = 'CapExceeded'
}

/** What must be decided or counted in the transaction that accepts a payment. */
export interface AcceptTerms {
  readonly cap?: Cap | undefined
  /**
   * Runs first in the transaction and returns the payment as it is to be accepted: for rules that count. What it has
   * counted is rolled back unless the payment is accepted now.
   */
  readonly prepare?: ((tx: Tx, payment: NewPayment) => Promise<NewPayment>) | undefined
}

/**
 * Accepts a batch of outgoing payments, in rounds, each of which decides at least one of them. Of several under one id only
 * the first takes part in a round: whether the next is a duplicate depends on what becomes of it. And where a payment turned
 * out to be a duplicate only while it was written, it may have had its turn at a balance that it then did not take from:
 * those who found nothing left after it are asked again.
 */
export async function acceptOutgoing(
  db: Tx,
  payments: readonly NewPayment[],
): Promise<readonly AcceptVerdict[]> {
  const verdicts = new Map<NewPayment, AcceptVerdict>()
  const isOpen = (payment: NewPayment): boolean => !verdicts.has(payment)
  for (let open = payments; open.length > 0; open = open.filter(isOpen)) {
    const asked = [
      ...new Map(open.toReversed().map((payment) => [textOf(payment), payment])).values(),
    ].toReversed()
    const found = await insertOutgoing(db, asked)
    const hasDuplicates = found.some((verdict) => verdict.kind === 'DUPLICATE')
    for (const [index, payment] of asked.entries()) {
      const verdict = found[index] ?? NOTHING_LEFT
      if (verdict.kind === 'INSUFFICIENT' && hasDuplicates) continue
      verdicts.set(payment, verdict)
      if (verdict.kind === 'INSUFFICIENT') refuseAlike(open.filter(isOpen), payment, verdicts)
    }
  }
  return payments.map((payment) => verdicts.get(payment) ?? NOTHING_LEFT)
}

/** What could not be paid cannot be paid by another of the same id that asks for as much or more, at the same moment. */
function refuseAlike(
  open: readonly NewPayment[],
  refused: NewPayment,
  verdicts: Map<NewPayment, AcceptVerdict>,
): void {
  for (const other of open) {
    const isAlike = textOf(other) === textOf(refused) && other.currencyCode === refused.currencyCode
    if (isAlike && compareAmounts(needOf(other), needOf(refused)) >= 0) verdicts.set(other, NOTHING_LEFT)
  }
}

const needOf = ({ amount, feeAmount }: NewPayment): Amount =>
  addAmounts(parsePlainAmount(amount), parsePlainAmount(feeAmount))

/** Thrown to roll back what was counted for a payment that is not accepted now. */
class NotAccepted extends Error {
  override readonly name = 'NotAccepted'
  readonly verdict: AcceptVerdict

  constructor(verdict: AcceptVerdict) {
    super('the payment is not accepted now')
    this.verdict = verdict
  }
}

/** Accepts one payment under terms that count: they and the payment stand or fall together. Throws CapExceeded. */
export async function acceptOnTerms(
  db: Database,
  given: NewPayment,
  terms: AcceptTerms,
): Promise<AcceptVerdict> {
  try {
    return await db.transaction(async (tx) => {
      const payment = (await terms.prepare?.(tx, given)) ?? given
      const [verdict] = isOutgoing(payment.kind)
        ? await insertOutgoing(tx, [payment])
        : await insertPayments(tx, [payment])
      if (verdict?.kind !== 'ACCEPTED' || !verdict.isNew) throw new NotAccepted(verdict ?? NOTHING_LEFT)
      if (terms.cap !== undefined && !(await updateDailyUsage(tx, payment, terms.cap)))
        throw new CapExceeded('the daily cap is used up')
      return verdict
    })
  } catch (error) {
    if (error instanceof NotAccepted) return error.verdict
    throw error
  }
}

const NOTHING_LEFT: AcceptVerdict = { kind: 'INSUFFICIENT' }
