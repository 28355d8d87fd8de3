// What a console tells the pages of other cells' consoles about its own cell. Every value is a text that is shown as it is, or one
// that the page knows by itself; addresses are none of them.

/** A payment as one row of the list of all cells. */
export interface CellPayment {
  readonly kind: string
  readonly merchantCode: string
  readonly idPayment: string
  /** In UTC, with milliseconds: what rows are ordered by. */
  readonly createdAt: string
  /** With every digit. */
  readonly amount: string
  readonly currencyCode: string
  /** Of the chip: its tone, its icon and its words. */
  readonly tone: string
  readonly icon: string
  readonly status: string
  readonly kindWords: string
  readonly method: string
  readonly reference: string
  /** When it was created, in words; `day` is shorter. */
  readonly moment: string
  readonly day: string
}

/** Something that waits for people. */
export interface CellWaiting {
  /** Of the operator API's list. */
  readonly kind: string
  readonly count: string
  readonly says: string
  readonly age: string
}

/** How a cell is. HIDDEN: the operator may not know. MISPLACED: its gateway says that it is another cell. */
export type CellHealth = 'WELL' | 'LOOK' | 'STOPPED' | 'MISPLACED' | 'HIDDEN'

/** The answers of one cell, which names itself. */
export interface PaymentsAnswer {
  readonly cell: string
  readonly data: readonly CellPayment[]
  /** Of the next page, for the same cell. */
  readonly nextCursor?: string | undefined
}
export interface WaitingAnswer {
  readonly cell: string
  readonly health: CellHealth
  readonly data: readonly CellWaiting[]
}
