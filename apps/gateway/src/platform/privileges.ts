import pg from 'pg'
import { setUpSession } from './session-settings.ts'

// What the gateway's user may do, where it is not the user who owns the schema. The triggers refuse changes of what is
// append-only; without these privileges nobody who takes over the gateway can remove the triggers first.

/** For one after the other when several processes migrate. Any number that nobody else locks. */
const GRANTS_LOCK = 7_046_029_254

/**
 * Every table may be read, and gets new rows. Rows may be changed and deleted unless a trigger refuses that always: such a
 * trigger fires before, and has no condition. The timeline has none, and nothing changes it. The list of migrations belongs
 * to whoever runs them.
 */
const FIND_DIFFERENCES = `
  with tables as (
    select c.oid, format('%I.%I', n.nspname, c.relname) as name, c.relname, c.relacl,
      array(select case bits.privilege when 8 then 'DELETE' else 'UPDATE' end from (values (8), (16)) bits (privilege)
        where exists (select 1 from pg_trigger t where t.tgrelid = c.oid and not t.tgisinternal and t.tgqual is null
          and t.tgattr = ''::int2vector and t.tgtype & 2 = 2 and t.tgtype & bits.privilege = bits.privilege)
        or c.relname = any($2)) as refused
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = current_schema() and c.relkind in ('r', 'p', 'v', 'm')),
  wanted as (
    select t.oid, 'table ' || t.name as name, t.relacl as acl, p.privilege, case
      when t.relname = 'schema_migrations' then p.privilege = 'SELECT'
      when p.privilege in ('SELECT', 'INSERT') then true
      when p.privilege in ('UPDATE', 'DELETE') then p.privilege <> all(t.refused)
      else false end as is_wanted
    from tables t cross join unnest(array['SELECT', 'INSERT', 'UPDATE', 'DELETE', 'TRUNCATE', 'REFERENCES', 'TRIGGER']) p (privilege)
    union all
    select c.oid, format('sequence %I.%I', n.nspname, c.relname), c.relacl, p.privilege, p.privilege <> 'UPDATE'
    from pg_class c join pg_namespace n on n.oid = c.relnamespace cross join unnest(array['SELECT', 'USAGE', 'UPDATE']) p (privilege)
    where n.nspname = current_schema() and c.relkind = 'S'
    union all
    select n.oid, format('schema %I', n.nspname), n.nspacl, p.privilege, p.privilege = 'USAGE'
    from pg_namespace n cross join unnest(array['USAGE', 'CREATE']) p (privilege)
    where n.nspname = current_schema())
  select case when is_wanted then format('grant %s on %s to %I', privilege, name, $1::text)
      else format('revoke %s on %s from %I', privilege, name, $1::text) end as statement
    from wanted
    where is_wanted <> exists (select 1 from aclexplode(wanted.acl) a
      where a.grantee = to_regrole(format('%I', $1::text)) and a.privilege_type = wanted.privilege)
    order by 1`

/** Tables without such a trigger whose rows nothing changes all the same. */
const INSERT_ONLY = ['payment_timeline']

/** Grants the user what the gateway needs, and revokes what is more than that. Changes nothing where all is as it should be. */
export async function grantRuntime(ownerUrl: string, user: string): Promise<void> {
  await inMigrationSession(ownerUrl, async (client) => {
    if ((await findDifferences(client, user)).length === 0) return
    await client.query('begin')
    await client.query(`select pg_advisory_xact_lock(${GRANTS_LOCK})`)
    for (const statement of await findDifferences(client, user)) await client.query(statement)
    await client.query('commit')
  })
}

async function findDifferences(client: pg.Client, user: string): Promise<readonly string[]> {
  const { rows } = await client.query<{ statement: string }>(FIND_DIFFERENCES, [user, INSERT_ONLY])
  return rows.map(({ statement }) => statement)
}

interface Login {
  readonly user: string
  /** The same for the same database of the same running server, by whatever address or pooler it is reached. */
  readonly database: string
}

// Copies of a server have its system identifier and the same oids, and one server may have several addresses.
const FIND_LOGIN = `
  select current_user as user, oid || ' of ' || extract(epoch from pg_postmaster_start_time()) as database
  from pg_database where datname = current_database()`

/** Whom a connection string logs in, and where. */
export function findLogin(url: string): Promise<Login> {
  return inMigrationSession(url, async (client) => {
    const [login] = (await client.query<Login>(FIND_LOGIN)).rows
    if (login === undefined) throw new Error('the database that answers is not in the list of databases')
    return login
  })
}

/** Runs work on a session of its own. */
export async function inMigrationSession<Result>(
  url: string,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = new pg.Client({ connectionString: url, application_name: 'tollgate migrate' })
  // A connection that breaks also fails what is under way, which is where we look.
  client.on('error', () => undefined)
  try {
    await client.connect()
    await setUpSession(client)
    return await work(client)
  } finally {
    await client.end().catch(() => undefined)
  }
}
