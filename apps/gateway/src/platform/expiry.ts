import type { Database, Statement, Tx } from './database.ts'

// What is kept for a time only. A room says here what of its tables is over; the room of retention goes through it.

/** Which rows a statement looks at. */
export interface Look {
  /** What is older goes. Both in microseconds since 1970. */
  readonly cutoffUs: string
  /** Where the statement before has left off. */
  readonly afterUs: string
  readonly rowsMax: number
}

/** What a statement looked at: how many rows, up to when. Fewer than it might: there are no more. */
export interface Looked {
  readonly lookedAt: number
  readonly lastUs: string | undefined
}

/** How much is over, and since when the oldest. */
export interface Over {
  readonly over: number
  readonly oldestAt: Date | undefined
}

/** A class of rows that go when they are old. */
export interface ExpiringRows {
  /** Removes what is over among the rows that come next. */
  remove(db: Database, look: Look): Promise<Looked & { readonly removed: number }>
  /** All that is over. Reads all of it: for people, not for a loop. */
  findOver(tx: Tx, cutoffUs: string): Promise<Over>
}

/** Documents that lose their bytes some days after their end, and earlier when a person in them was erased. 0 days is for ever. */
export interface ExpiringDocuments {
  /** At most so many; answers how many it were. */
  erase(tx: Tx, days: number, limit: number): Promise<number>
  /** What the next round takes the bytes of. */
  findOver(tx: Tx, days: number): Promise<Over>
}

/** A parameter in microseconds since 1970, as SQL. */
export const moment = (parameter: string): string =>
  `(timestamptz 'epoch' + ${parameter}::bigint * interval '1 microsecond')`

/** By which time something is old. */
export interface Ageing {
  /** A moment of a merchant, as SQL, with the age that counts: compared with the cutoff $1. */
  readonly aged: (at: string, merchantId: string) => string
  /** What is younger, by the real time, cannot be old. */
  readonly youngest: string
  /** Ends the names of statements that age so. */
  readonly suffix: string
}

/** By the database's time. */
export const REAL_AGEING: Ageing = { aged: (at) => at, youngest: moment('$1'), suffix: '' }

/** By each merchant's clock, in a sandbox: what happened before an advance is so much older. */
export const AGEING_BY_CLOCKS: Ageing = {
  aged: (at, merchantId) => `${at} - advanced_since(${merchantId}, ${at})`,
  youngest: `(${moment('$1')} + advanced_at_most())`,
  suffix: '_by_clocks',
}

/**
 * The rows that come next in an index, as a table `next`: after $2, before the cutoff $1 (or what may be over by another time), at most $3 and those of one moment with
 * the last of them. What is over is sought among these alone, so that a statement never reads further than that.
 */
export const nextRows = (
  columns: string,
  at: string,
  { rows, ageing = REAL_AGEING }: { readonly rows: string; readonly ageing?: Ageing },
): string => `next as materialized (
      select ${columns}, ${at} as at from ${rows} ${at} > ${moment('$2')} and ${at} < ${ageing.youngest}
      order by ${at} fetch first $3 rows with ties)`
/** Columns that tell what of `next` was looked at. */
export const LOOKED_AT = `(select count(*) from next)::int as looked_at,
      (select (extract(epoch from max(at)) * 1000000)::bigint::text from next) as last_us`

/** A row with the columns of LOOKED_AT. */
export interface LookedRow {
  readonly looked_at: number
  readonly last_us: string | null
}

/** The values of $1 to $3. */
export const lookValues = ({ cutoffUs, afterUs, rowsMax }: Look): readonly unknown[] => [
  cutoffUs,
  afterUs,
  rowsMax,
]

export const toLooked = (row: LookedRow | undefined): Looked => ({
  lookedAt: row?.looked_at ?? 0,
  lastUs: row?.last_us ?? undefined,
})

/** Runs a statement that removes rows and says how many with what it looked at. */
export async function removeNext(
  tx: Tx,
  statement: Statement,
  look: Look,
): Promise<Looked & { readonly removed: number }> {
  const [row] = await tx.rows<LookedRow & { readonly removed: number }>(statement, lookValues(look))
  return { ...toLooked(row), removed: row?.removed ?? 0 }
}

/** Runs a statement that counts. */
export async function countOver(tx: Tx, statement: Statement, values: readonly unknown[]): Promise<Over> {
  const [row] = await tx.rows<{ over: number; oldest_at: Date | null }>(statement, values)
  return { over: row?.over ?? 0, oldestAt: row?.oldest_at ?? undefined }
}

/** Whether it is more than $1 days ago; with 0 days it never is. */
export const daysAgo = (at: string): string =>
  `($1::integer > 0 and ${at} < clock_timestamp() - make_interval(days => $1::integer))`
