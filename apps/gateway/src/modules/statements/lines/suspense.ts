import { type Amount, ZERO } from '@tollgate/money'
import type { Ids } from '@tollgate/runtime'
import { HOUSE_MERCHANT_ID, type LedgerEntry, type LedgerEvent } from '../../ledger/index.ts'
import { LINE_KIND } from '../model.ts'

/** What is booked of a line: its arrival under its id, what an operator decided under the decision's number. */
export function suspenseEntry(
  ids: Ids,
  event: Extract<LedgerEvent, `SUSPENSE_${string}`>,
  of: {
    readonly lineId: string
    readonly decisionNo?: number
    readonly amount: Amount
    readonly currencyCode: string
  },
): LedgerEntry {
  return {
    transferId: ids.uuid(),
    merchantId: HOUSE_MERCHANT_ID,
    event,
    kind: LINE_KIND,
    idPayment: of.decisionNo === undefined ? of.lineId : `${of.lineId}-${of.decisionNo}`,
    currencyCode: of.currencyCode,
    gross: of.amount,
    fee: ZERO,
  }
}
