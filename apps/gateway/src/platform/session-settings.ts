import type { ClientBase } from 'pg'

/**
 * In which form PostgreSQL reads and writes values, and how its transactions behave, as the gateway expects it. The defaults of
 * PostgreSQL, but for the time zone: a database or a user may have others, and those hold at the start of each session.
 */
export const SESSION_FORM: Readonly<Record<string, string>> = {
  datestyle: 'ISO, MDY',
  intervalstyle: 'postgres',
  timezone: 'UTC',
  bytea_output: 'hex',
  extra_float_digits: '1',
  standard_conforming_strings: 'on',
  array_nulls: 'on',
  transform_null_equals: 'off',
  default_transaction_isolation: 'read committed',
}

/**
 * Sets them for a new session, with one statement: a pooler passes startup options on only where it was told to. Says whether the
 * server takes writes.
 */
export async function setUpSession(
  client: Pick<ClientBase, 'query'>,
  more: Readonly<Record<string, string>> = {},
): Promise<{ readonly takesWrites: boolean }> {
  const settings = Object.entries({ ...SESSION_FORM, ...more })
  const { rows } = await client.query<{ read_only: string }>(SET_UP, [
    settings.map(([name]) => name),
    settings.map(([, value]) => value),
  ])
  return { takesWrites: rows[0]?.read_only === 'off' }
}

const SET_UP = `select current_setting('transaction_read_only') as read_only, count(set_config(name, value, false))
  from unnest($1::text[], $2::text[]) as settings (name, value)`
