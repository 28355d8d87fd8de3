import type { Statement, Tx } from '../../platform/database.ts'

const FIND_SERVER: Statement = {
  name: 'doctor_find_server',
  text: `select current_setting('server_version') as version, current_setting('server_version_num')::int as version_number,
    current_setting('fsync') as fsync, current_setting('synchronous_commit') as synchronous_commit,
    current_setting('full_page_writes') as full_page_writes, (extract(epoch from clock_timestamp()) * 1000)::float8 as now_ms,
    current_setting('synchronous_standby_names') as standby_names, pg_is_in_recovery() as is_standby,
    (select count(*)::int from pg_stat_replication where sync_state in ('sync', 'quorum')) as confirming,
    array(select application_name from pg_stat_replication where sync_state <> 'async' order by 1) as present,
    (select count(*)::int from pg_stat_replication where sync_state is null) as hidden,
    current_setting('transaction_read_only') = 'on' as takes_reads_only, current_user as user_name, (select rolsuper from pg_roles where rolname = current_user) as is_superuser,
    coalesce((select bool_or(pg_has_role(relowner, 'usage')) from pg_class
      where relnamespace = current_schema()::regnamespace and relname like 'ledger_%'), false) as is_owner,
    coalesce((select bool_or(has_table_privilege(oid, 'update, delete, truncate')) from pg_class
      where relnamespace = current_schema()::regnamespace and relkind = 'r' and relname like 'ledger_%'), false) as may_change_books`,
}

/** What a PostgreSQL server says of itself. */
export interface ServerFacts {
  readonly version: string
  /** 180004 is 18.4. */
  readonly versionNumber: number
  /** Settings that must not be `off`, with their values. */
  readonly durability: Readonly<Record<'fsync' | 'synchronous_commit' | 'full_page_writes', string>>
  /** Milliseconds since 1970 by the server's clock. */
  readonly nowMs: number
  readonly standbys: StandbyFacts
  /** So that nothing can be accepted. */
  readonly takesReadsOnly: boolean
  readonly user: UserFacts
}

/** As whom the gateway connects, and what that user may do beyond what the gateway needs. */
interface UserFacts {
  readonly name: string
  readonly isSuperuser: boolean
  /** Of the books' tables: an owner may switch off the triggers that refuse changes. */
  readonly isOwner: boolean
  readonly mayChangeBooks: boolean
}

/** Whose confirmation a COMMIT waits for. */
export interface StandbyFacts {
  /** `synchronous_standby_names`; empty when nobody is waited for. */
  readonly names: string
  /** Whether the server is a standby itself. */
  readonly isStandby: boolean
  /** How many standbys can confirm just now. */
  readonly confirming: number
  /** Those that the setting names and that are connected, by `application_name`. */
  readonly present: readonly string[]
  /** How many are connected of which this user may not see more. */
  readonly hidden: number
}

interface ServerRow {
  readonly version: string
  readonly version_number: number
  readonly fsync: string
  readonly synchronous_commit: string
  readonly full_page_writes: string
  readonly now_ms: number
  readonly standby_names: string
  readonly is_standby: boolean
  readonly confirming: number
  readonly present: readonly string[]
  readonly hidden: number
  readonly takes_reads_only: boolean
  readonly user_name: string
  readonly is_superuser: boolean
  readonly is_owner: boolean
  readonly may_change_books: boolean
}

export async function findServerFacts(tx: Tx): Promise<ServerFacts> {
  const [row] = await tx.rows<ServerRow>(FIND_SERVER, [])
  if (row === undefined) throw new Error('a statement without a table gave no row')
  const { fsync, synchronous_commit, full_page_writes, confirming, present, hidden } = row
  return {
    version: row.version,
    versionNumber: row.version_number,
    durability: { fsync, synchronous_commit, full_page_writes },
    nowMs: row.now_ms,
    standbys: { names: row.standby_names.trim(), isStandby: row.is_standby, confirming, present, hidden },
    takesReadsOnly: row.takes_reads_only,
    user: {
      name: row.user_name,
      isSuperuser: row.is_superuser,
      isOwner: row.is_owner,
      mayChangeBooks: row.may_change_books,
    },
  }
}

/** What holds before the gateway sets its own. */
const LIST_LOGIN_SETTINGS: Statement = {
  name: 'doctor_list_login_settings',
  text: `select name, reset_val as value, current_setting('session_replication_role') as replication_role
    from pg_settings where lower(name) = any($1)`,
}

interface LoginRow {
  readonly name: string
  readonly value: string
  readonly replication_role: string
}

/** Of the settings that a session begins with. */
export interface LoginSettings {
  /** `origin`, or triggers do not fire. */
  readonly replicationRole: string
  readonly values: Readonly<Record<string, string>>
}

/** With which values a session of this user begins. */
export async function findLoginSettings(tx: Tx, names: readonly string[]): Promise<LoginSettings> {
  const rows = await tx.rows<LoginRow>(LIST_LOGIN_SETTINGS, [names])
  return {
    replicationRole: rows[0]?.replication_role ?? '',
    values: Object.fromEntries(rows.map(({ name, value }) => [name.toLowerCase(), value])),
  }
}
