import type { Tx } from '../../platform/database.ts'
import type { Secrets } from '../../platform/secrets.ts'
import { listUnknownDebitLines } from './line-store.ts'
import { openDetails } from './sealed-details.ts'

/**
 * The form of our references: twelve letters and digits without look-alikes. One of letters alone might be a name, one of digits
 * alone an account.
 */
const OURS = /^(?=.*\d)(?=.*[A-Z])[0-9A-HJKMNP-TV-Z]{12}$/

/** A line of a statement about money that left for no payment here. */
export interface UnknownDebit {
  readonly lineId: string
  readonly accountCode: string
  readonly bookedOn: string
  readonly amount: string
  readonly currencyCode: string
  /** In the form of ours. */
  readonly references: readonly string[]
}

/**
 * Money that left, by lines of statements that came since a moment, and that belongs to no payment here; with
 * every word of the bank's that has the form of our references.
 */
export async function listUnknownDebits(
  secrets: Secrets,
  tx: Tx,
  since: Date,
): Promise<readonly UnknownDebit[]> {
  const lines = await listUnknownDebitLines(tx, since)
  return lines.map((line) => {
    const { endToEndId, references = [], texts = [] } = openDetails(secrets, line)
    const named = [endToEndId ?? '', ...references, ...texts].flatMap((each) =>
      each.toUpperCase().split(/[^A-Z0-9]+/),
    )
    return {
      lineId: line.lineId,
      accountCode: line.accountCode,
      bookedOn: line.bookedOn,
      amount: line.amount,
      currencyCode: line.currencyCode,
      references: [...new Set(named.filter((each) => OURS.test(each)))],
    }
  })
}
