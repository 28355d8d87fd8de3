import type { Statement, Tx } from '../../platform/database.ts'

const INSERT: Statement = {
  name: 'backups_insert',
  text: `insert into backups (started_at, kind, bytes)
    select $1, $2, $3 where not pg_is_in_recovery() and current_setting('transaction_read_only') = 'off'`,
}
const FIND_LAST: Statement = {
  name: 'backups_find_last',
  text: `select started_at as "startedAt", finished_at as "finishedAt", kind, bytes::float8 as bytes
    from backups order by backup_no desc limit 1`,
}

/** A backup that was made to its end. */
interface BackupRecord {
  /** What was acknowledged before is in it. */
  readonly startedAt: Date
  readonly finishedAt: Date
  /** All files of the embedded server, or a dump of the database. */
  readonly kind: 'CLUSTER' | 'DUMP'
  readonly bytes: number
}

/** Notes a backup that is complete; nothing where the database takes no writes. */
export async function insertBackup(tx: Tx, backup: Omit<BackupRecord, 'finishedAt'>): Promise<void> {
  await tx.rows(INSERT, [backup.startedAt, backup.kind, backup.bytes])
}

/** The last one; undefined where none was ever made by this gateway. */
export async function findLastBackup(tx: Tx): Promise<BackupRecord | undefined> {
  return (await tx.rows<BackupRecord>(FIND_LAST, []))[0]
}
