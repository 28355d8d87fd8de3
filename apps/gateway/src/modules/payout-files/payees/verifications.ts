import type { Tx } from '../../../platform/database.ts'
import type { Payment } from '../../payments/index.ts'
import { statusCodeOf } from '../reasons.ts'
import { findReported, type PayeeVerifications, type ReportedVerification } from '../verification-store.ts'
import { findChecks } from './check-store.ts'

type Check = NonNullable<Awaited<ReturnType<typeof findChecks>>['ofPayment']>

/** What was said last of whom the payment pays: by banks in their reports, and by the adapter that is asked before. */
export async function findVerifications(tx: Tx, payment: Payment): Promise<PayeeVerifications> {
  const reported = await findReported(tx, payment)
  const checked = await findChecks(tx, payment)
  return {
    ofPayment: laterOf(reported.ofPayment, checked.ofPayment),
    ofOthers: laterOf(reported.ofOthers, checked.ofOthers),
  }
}

function laterOf(
  reported: ReportedVerification | undefined,
  checked: Check | undefined,
): ReportedVerification | undefined {
  if (checked === undefined) return reported
  if (reported !== undefined && reported.receivedAt >= checked.answeredAt) return reported
  const { result, kind, idPayment, answeredBy, answeredAt } = checked
  return {
    ...{ result, statusCode: statusCodeOf(result), level: 'TRANSACTION', kind, idPayment },
    ...{ reportId: undefined, fileId: undefined, confirmedBy: undefined },
    ...{ takenBy: `adapter:${answeredBy}`, receivedAt: answeredAt },
  }
}
