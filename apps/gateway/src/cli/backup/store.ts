import type { Statement, Tx } from '../../platform/database.ts'

const FIND_BYTES: Statement = {
  name: 'backup_find_bytes',
  text: 'select sum(pg_database_size(oid))::text as bytes from pg_database',
}
const FIND_MIGRATION: Statement = {
  name: 'backup_find_migration',
  text: 'select name from schema_migrations order by id desc limit 1',
}
const COUNT_RELATIONS: Statement = {
  name: 'backup_count_relations',
  text: `select count(*)::int as relations from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname not in ('pg_catalog', 'information_schema') and n.nspname not like 'pg_toast%' and n.nspname not like 'pg_temp%'`,
}

/** The bytes that all databases of the server take. */
export async function findBytes(tx: Tx): Promise<number> {
  const [row] = await tx.rows<{ bytes: string }>(FIND_BYTES, [])
  return Number(row?.bytes)
}

/** The newest migration that the database has seen. Throws while it has no schema. */
export async function findMigration(tx: Tx): Promise<string> {
  const [row] = await tx.rows<{ name: string }>(FIND_MIGRATION, [])
  return row?.name ?? ''
}

/** Whether somebody has made anything in the database. */
export async function isEmpty(tx: Tx): Promise<boolean> {
  const [row] = await tx.rows<{ relations: number }>(COUNT_RELATIONS, [])
  return row?.relations === 0
}
