import type { Database, Statement, Tx } from './database.ts'

/** A few bytes in PostgreSQL's log, whose COMMIT waits for the synchronous standby as that of any change does. */
const CONFIRM: Statement = {
  name: 'confirm_seen',
  text: `select pg_logical_emit_message(true, 'tollgate', '')`,
}

/**
 * What `look` finds, once it is as safe as what is committed now. A row can be seen before its synchronous standby has it: the
 * wait at its COMMIT was broken off, or the primary crashed over it and came back. Who acknowledges what somebody else has
 * written, and has seen it, looks again here, outside of a transaction: when the standby has become the primary meanwhile, it
 * may be gone. Throws CommitUnknown, DatabaseUnavailable.
 */
export function confirmSeen<Found>(
  db: Pick<Database, 'transaction'>,
  look: (tx: Tx) => Promise<Found>,
): Promise<Found> {
  return db.transaction(async (tx) => {
    const found = await look(tx)
    await confirmWithin(tx)
    return found
  })
}

/**
 * The same in a transaction that found what is there already and changes nothing by itself: its COMMIT waits for the standby as
 * that of a change does. To be called in the transaction that looked.
 */
export async function confirmWithin(tx: Tx): Promise<void> {
  await tx.rows(CONFIRM, [])
}
