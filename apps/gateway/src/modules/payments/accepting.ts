import type { Database, Tx } from '../../platform/database.ts'
import type { NewPayment } from './accept-rows.ts'
import { type AcceptVerdict, insertOutgoing, insertPayments } from './accept-store.ts'
import { isOutgoing } from './model.ts'
import { type Cap, updateDailyUsage } from './usage-store.ts'

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

const ROUNDS_MAX = 4

/**
 * Accepts a batch of outgoing payments. Where a payment turned out to be a duplicate only while it was written, it may have
 * had its turn at a balance that it then did not take from: those who found nothing left after it are asked again.
 */
export async function acceptOutgoing(
  db: Tx,
  payments: readonly NewPayment[],
): Promise<readonly AcceptVerdict[]> {
  const verdicts = new Map<NewPayment, AcceptVerdict>()
  let open = payments
  for (let round = 1; open.length > 0 && round <= ROUNDS_MAX; round += 1) {
    const found = await insertOutgoing(db, open)
    const entries = open.flatMap((payment, index) => {
      const verdict = found[index]
      return verdict === undefined ? [] : [{ payment, verdict }]
    })
    for (const { payment, verdict } of entries) verdicts.set(payment, verdict)
    const hasDuplicates = found.some((verdict) => verdict.kind === 'DUPLICATE')
    open = hasDuplicates
      ? entries.filter(({ verdict }) => verdict.kind === 'INSUFFICIENT').map(({ payment }) => payment)
      : []
  }
  return payments.map((payment) => verdicts.get(payment) ?? { kind: 'INSUFFICIENT' })
}

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
