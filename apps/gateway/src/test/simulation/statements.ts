import type { PaymentKind } from '../../modules/payments/model.ts'
import type { Disk } from './disk.ts'

/** A statement that is being executed. */
export interface Session {
  readonly disk: Disk
  /** The database's clock, in microseconds since 1970. */
  readonly at: number
}

/**
 * What a statement of a store does to the tables, and the rows that it answers. The values are those that the store gives,
 * each as a parameter: `Reflect.apply` hands them over.
 */
export type Execute = (session: Session, ...values: never[]) => readonly object[]

/** By the name of the statement. */
export type Statements = Readonly<Record<string, Execute>>

export type Texts = readonly string[]
export type Kinds = readonly PaymentKind[]

const MICROSECONDS = 1_000_000

/** The moment so many seconds after another, as `make_interval` rounds it. */
export const later = (at: number, seconds: number): number => at + Math.round(seconds * MICROSECONDS)

/** Seconds between two moments. */
export const secondsBetween = (from: number, to: number): number => (to - from) / MICROSECONDS

/** A moment as the driver reads it: whole milliseconds. */
export const dateOf = (at: number): Date => new Date(Math.trunc(at / 1_000))

export const dateOrNull = (at: number | null): Date | null => (at === null ? null : dateOf(at))

export const momentOf = (date: Date): number => date.getTime() * 1_000

export const keyText = (merchantId: string, kind: string, idPayment: string): string =>
  `${merchantId} ${kind} ${idPayment}`

/** The element of an array that goes with the others of its row. */
export function element<Item>(items: readonly Item[], index: number): Item {
  const item = items[index]
  if (item === undefined) throw new Error('the arrays of a statement have different lengths')
  return item
}

/** Keys by the arrays that name them. */
export const keyTexts = (merchantIds: Texts, kinds: Kinds, ids: Texts): readonly string[] =>
  ids.map((id, index) => keyText(element(merchantIds, index), element(kinds, index), id))
