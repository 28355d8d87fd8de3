import type { HISTORY_WORDS } from '@tollgate/contract/words'
import type { Statement, Tx } from './database.ts'

// What happened to a payment is kept by several rooms, each in tables of its own; each gives it in this form.

/** Names a payment: unique per merchant and kind. */
interface Key {
  readonly merchantId: string
  readonly kind: string
  readonly idPayment: string
}

type What = (typeof HISTORY_WORDS)[number]

/** Something that happened to a payment. */
export interface HistoryEvent {
  readonly happenedAt: Date
  readonly what: What
  /** In a few words. */
  readonly says: string
  /** Operators by their codes, or a part of the gateway. */
  readonly by: string | undefined
  /** More of it, each with its name. No personal data. */
  readonly facts: Readonly<Record<string, string>>
}

/** What a room has kept about a payment, in no order. */
export type ReadHistory = (tx: Tx, key: Key) => Promise<readonly HistoryEvent[]>

interface Row {
  readonly happened_at: Date
  readonly what: What
  readonly says: string
  readonly by_whom: string | null
  readonly facts: Readonly<Record<string, string>>
}

/** Reads it by one statement: its parameters are the three parts of the key, its columns those of a row. */
export const historyBy =
  (statement: Statement): ReadHistory =>
  async (tx, { merchantId, kind, idPayment }) =>
    (await tx.rows<Row>(statement, [merchantId, kind, idPayment])).map(
      ({ happened_at, what, says, by_whom, facts }) => ({
        happenedAt: happened_at,
        what,
        says,
        facts,
        by: by_whom ?? undefined,
      }),
    )

/** The facts of a row, as SQL: each by its name; those that are null are left out. */
export const factsOf = (facts: Readonly<Record<string, string>>): string => {
  const pairs = Object.entries(facts).map(([name, sql]) => `'${name}', (${sql})::text`)
  return `json_strip_nulls(json_build_object(${pairs.join(', ')})) as facts`
}
