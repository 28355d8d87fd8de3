import type { Statement, Tx } from './database.ts'

/** A few bytes in PostgreSQL's log, whose COMMIT waits for the synchronous standby as that of any change does. */
const CONFIRM: Statement = {
  name: 'confirm_seen',
  text: `select pg_logical_emit_message(true, 'tollgate', '')`,
}

/**
 * Resolves when everything that was read before is as safe as what is committed now. A row can be seen before its synchronous
 * standby has it: the wait at its COMMIT was broken off, or the primary crashed over it and came back. Who acknowledges what
 * somebody else has written asks here first, outside of a transaction. Throws CommitUnknown, DatabaseUnavailable.
 */
export async function confirmSeen(db: Tx): Promise<void> {
  await db.rows(CONFIRM, [])
}
