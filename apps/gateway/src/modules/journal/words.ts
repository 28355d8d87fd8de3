import type { AuditedEntry, AuditedTransfer } from './audit-store.ts'
import type { TransferKey } from './model.ts'
import type { JournalEntry } from './store.ts'

/** How a finding names a transfer: `transfer … of merchant 1 (PAYIN_SUCCESS of PAYIN order-1)`. */
export const nameOf = ({ key, event, kind, idPayment }: AuditedTransfer): string =>
  `${keyText(key)} (${event} of ${kind} ${idPayment})`

/** The transfer that an entry names, as far as it is still there. */
export const transferText = ({ key, transfer }: AuditedEntry): string =>
  transfer === undefined ? keyText(key) : nameOf(transfer)

/** `entry 7, of transfer …`. */
export const entryText = (entry: AuditedEntry): string => `entry ${entry.entryNo}, of ${transferText(entry)}`

/** `entry 7`, or `entries 7 to 9`. */
export const rangeText = (firstNo: number, lastNo: number): string =>
  firstNo === lastNo ? `entry ${firstNo}` : `entries ${firstNo} to ${lastNo}`

/** `CLEARING -10 EUR, NOT_SETTLED 10 EUR`, or `none`. */
export const postingsText = (postings: JournalEntry['postings']): string =>
  postings.map(({ account, amount, currencyCode }) => `${account} ${amount} ${currencyCode}`).join(', ') ||
  'none'

const keyText = ({ transferId, merchantId }: TransferKey): string =>
  `transfer ${transferId} of merchant ${merchantId}`
