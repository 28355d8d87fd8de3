import type { ExpiringDocuments, ExpiringRows } from '../../platform/expiry.ts'

/**
 * What is kept for a time only. DELIVERIES: callbacks that are over, with their attempts. INQUIRIES: what institutions were
 * asked and answered about payments. PERSONAL_DATA: whom payments name.
 */
export const RETENTION_CLASSES = ['DELIVERIES', 'INQUIRIES', 'PERSONAL_DATA'] as const
export type RetentionClass = (typeof RETENTION_CLASSES)[number]

/** For how many days each class is kept; 0 is for ever. */
export type RetentionDays = Readonly<Record<RetentionClass, number>>

/** What there is to remove: each room says it of its own tables. */
export interface ExpiringData {
  readonly rows: Readonly<Record<RetentionClass, ExpiringRows>>
  /** In the order in which they lose their bytes. */
  readonly documents: readonly ExpiringDocuments[]
}

/** How a class stands. */
export interface RetentionStatus {
  readonly class: RetentionClass | 'DOCUMENTS'
  /** 0 is for ever. */
  readonly days: number
  /**
   * What the next round removes: callbacks, inquiries, payments whose personal data goes, or documents. 0 when the class is kept,
   * but for documents that a person was erased from.
   */
  readonly over: number
  /** Since when the oldest of them has been done with. */
  readonly oldestAt: Date | undefined
  /** What is older may have been removed; undefined when nothing ever was. */
  readonly removedUntil: Date | undefined
}
