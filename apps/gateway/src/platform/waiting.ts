import type { AttentionKind } from '@tollgate/contract/words'
import { type Money, parsePlainAmount } from '@tollgate/money'
import type { Statement, Tx } from './database.ts'

// What waits for people is kept by several rooms, each in tables of its own; each gives it in this form.

/** All of one kind that waits for people, in short. */
export interface Waiting {
  readonly kind: AttentionKind
  /** At most {@link WAITING_COUNTED_MAX}: those that wait for the longest time. */
  readonly count: number
  readonly oldestAt: Date | undefined
  /** Of those counted, by currency. */
  readonly sums: readonly Money[]
  /** What most of them are about, in a word each; no personal data. */
  readonly about: readonly string[]
  /** How many such words there are. */
  readonly aboutCount: number
}

/** Undefined when nothing waits. */
export type FindWaiting = (tx: Tx) => Promise<Waiting | undefined>

/** So that looking costs the same however much waits. */
const WAITING_COUNTED_MAX = 1_000
export const ABOUT_MAX = 3

const SUMS = `select currency_code, sum(amount) as amount from waiting where amount is not null group by currency_code`

interface Asked {
  readonly kind: Waiting['kind']
  /** Selects `since` and, where there is such a thing, `currency_code`, `amount` and `about` of each that waits. */
  readonly rows: string
  /** Where one that waits may have money of several currencies: selects both columns, from `waiting`. */
  readonly sums?: string
  readonly values?: readonly unknown[]
}

/** A statement that counts what `rows` selects, and what reads its answer. */
export function waitingBy(name: string, { kind, rows, sums = SUMS, values = [] }: Asked): FindWaiting {
  const statement: Statement = {
    name,
    text: `with waiting as materialized (select * from (${rows}) w order by since limit ${WAITING_COUNTED_MAX}),
      named as (select about, count(*) as times, max(since) as latest from waiting where about is not null group by about)
    select (select count(*)::int from waiting) as count, (select min(since) from waiting) as oldest_at,
      (select json_agg(json_build_object('currencyCode', currency_code, 'amount', amount::text) order by currency_code) from (${sums}) s) as sums,
      array(select about from named order by times desc, latest desc, about limit ${ABOUT_MAX}) as about,
      (select count(*)::int from named) as about_count`,
  }
  return async (tx) => {
    const [row] = await tx.rows<WaitingRow>(statement, values)
    if (row === undefined || row.count === 0) return undefined
    return {
      kind,
      count: row.count,
      oldestAt: row.oldest_at ?? undefined,
      sums: (row.sums ?? []).map(({ currencyCode, amount }) => ({
        currencyCode,
        amount: parsePlainAmount(amount),
      })),
      about: row.about,
      aboutCount: row.about_count,
    }
  }
}

interface WaitingRow {
  readonly count: number
  readonly oldest_at: Date | null
  readonly sums: readonly { readonly currencyCode: string; readonly amount: string }[] | null
  readonly about: readonly string[]
  readonly about_count: number
}
