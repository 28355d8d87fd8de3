import type { Statement, Tx } from './database.ts'

/** Work of a queue that is due and that no worker has taken up. */
export interface DueWork {
  /** At most {@link DUE_COUNTED_MAX}. */
  readonly due: number
  readonly oldestDueAt: Date | undefined
}

/** So that looking at a queue costs the same however long it is. */
const DUE_COUNTED_MAX = 1_000

/** A statement that counts what a queue of `from` has due; the condition needs an index that begins with `due_at`. */
export const dueStatement = (name: string, from: string): Statement => ({
  name,
  text: `select count(*)::int as due, min(due_at) as oldest_due_at from (
    select due_at from ${from} and due_at <= statement_timestamp() order by due_at limit ${DUE_COUNTED_MAX}) due`,
})

export async function findDue(
  tx: Tx,
  statement: Statement,
  values: readonly unknown[] = [],
): Promise<DueWork> {
  const [row] = await tx.rows<{ due: number; oldest_due_at: Date | null }>(statement, values)
  return { due: row?.due ?? 0, oldestDueAt: row?.oldest_due_at ?? undefined }
}
