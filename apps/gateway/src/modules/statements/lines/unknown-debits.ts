import type { Tx } from '../../../platform/database.ts'
import type { Secrets } from '../../../platform/secrets.ts'
import type { UnknownDebit } from '../../payouts/index.ts'
import { listUnknownDebitLines } from './line-store.ts'
import { openDetails } from './sealed-details.ts'

/**
 * The form of our references: twelve letters and digits without look-alikes. One of letters alone might be a name, one of digits
 * alone an account.
 */
const OURS = /^(?=.*\d)(?=.*[A-Z])[0-9A-HJKMNP-TV-Z]{12}$/

/** Lines that came since the moment, and lines of these days. */
interface Since {
  readonly moment: Date
  /** ISO 8601. */
  readonly day: string
}

/**
 * Money that left and belongs to no payment here, by lines of statements; with every word of the bank's that has the form of our
 * references.
 */
export async function listUnknownDebits(
  secrets: Secrets,
  tx: Tx,
  since: Since,
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
      isNoted: line.state === 'NOTED',
      references: [...new Set(named.filter((each) => OURS.test(each)))],
    }
  })
}
