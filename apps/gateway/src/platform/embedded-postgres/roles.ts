import pg from 'pg'
import { adminUrl, type Credentials, DATABASE, databaseUrl, OWNER, RUNTIME_USER } from './credentials.ts'
import { EmbeddedPostgresFailure } from './failure.ts'
import { answers, inSession } from './sessions.ts'

// Who may do what in the embedded server. An owner can always grant himself more, and a superuser may do anything, even run
// programs: so the gateway is neither. Data directories of earlier versions, in which it was both, are moved over here.

const PASSWORD_REFUSED = '28P01'

/**
 * Makes sure of the database of Tollgate, its owner, and the gateway's user with the password that database.json has. Changes
 * nothing where all is as it should be; a start that was cut short is finished by the next one. Throws when the server does
 * not know the superuser's password.
 */
export async function ensureDatabase(credentials: Credentials): Promise<void> {
  try {
    await inSession(adminUrl(credentials, 'postgres'), async (admin) => {
      await ensureRoles(admin)
      await ensureDatabaseOf(admin)
    })
    await inSession(adminUrl(credentials), ensureOwner)
    if (await answers(databaseUrl(credentials))) return
    await inSession(adminUrl(credentials), (admin) => setPassword(admin, credentials.password))
  } catch (error) {
    if (!(error instanceof pg.DatabaseError) || error.code !== PASSWORD_REFUSED) throw error
    throw new EmbeddedPostgresFailure(
      'The embedded database refuses the password in database-admin.json. Delete that file and start again: a new password will be set.',
      { cause: error },
    )
  }
}

const FIND_ROLES = `select rolname as name, rolcanlogin as can_login,
    rolsuper or rolcreaterole or rolcreatedb or rolreplication or rolbypassrls as is_mighty
  from pg_roles where rolname = any($1)`
const PLAIN = 'nosuperuser nocreaterole nocreatedb noreplication nobypassrls'

interface RoleRow {
  readonly name: string
  readonly can_login: boolean
  readonly is_mighty: boolean
}

async function ensureRoles(admin: pg.Client): Promise<void> {
  const { rows } = await admin.query<RoleRow>(FIND_ROLES, [[OWNER, RUNTIME_USER]])
  const owner = rows.find(({ name }) => name === OWNER)
  const runtime = rows.find(({ name }) => name === RUNTIME_USER)
  if (owner === undefined) await admin.query(`create role ${OWNER} nologin ${PLAIN}`)
  else if (owner.can_login || owner.is_mighty) await admin.query(`alter role ${OWNER} nologin ${PLAIN}`)
  // Its password is set when it turns out not to be the one of database.json.
  if (runtime === undefined) await admin.query(`create role ${RUNTIME_USER} login ${PLAIN}`)
  else if (runtime.is_mighty || !runtime.can_login)
    await admin.query(`alter role ${RUNTIME_USER} login ${PLAIN}`)
}

const FIND_DATABASE = 'select pg_get_userbyid(datdba) as owner from pg_database where datname = $1'

async function ensureDatabaseOf(admin: pg.Client): Promise<void> {
  const { rows } = await admin.query<{ owner: string }>(FIND_DATABASE, [DATABASE])
  const [found] = rows
  if (found === undefined) await admin.query(`create database ${DATABASE} owner ${OWNER}`)
  else if (found.owner !== OWNER) await admin.query(`alter database ${DATABASE} owner to ${OWNER}`)
}

/**
 * What an earlier version made as the superuser. Sequences of identity columns follow their table, rows' types theirs.
 * `reassign owned` refuses to touch a superuser that the cluster was made with.
 */
const FIND_FOREIGN = `select format('alter %s %s owner to ${OWNER}', kind, name) as statement from (
    select case c.relkind when 'v' then 'view' when 'm' then 'materialized view' when 'S' then 'sequence' else 'table' end as kind,
      c.oid::regclass::text as name, c.relowner as owner
    from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v', 'm', 'S')
      and not exists (select 1 from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype in ('a', 'i')
        and d.refclassid = 'pg_class'::regclass)
    union all
    select 'routine', p.oid::regprocedure::text, p.proowner from pg_proc p where p.pronamespace = 'public'::regnamespace
    union all
    select case t.typtype when 'd' then 'domain' else 'type' end, t.oid::regtype::text, t.typowner
    from pg_type t where t.typnamespace = 'public'::regnamespace and t.typtype in ('e', 'd')
  ) things where owner <> '${OWNER}'::regrole order by kind, name`

/** In one transaction: a start that is cut short changes nothing. */
async function ensureOwner(admin: pg.Client): Promise<void> {
  const { rows } = await admin.query<{ statement: string }>(FIND_FOREIGN)
  if (rows.length === 0) return
  await admin.query(['begin', ...rows.map(({ statement }) => statement), 'commit'].join('; '))
}

const SET_PASSWORD = `select format('alter role %I password %L', $1::text, $2::text) as statement`

async function setPassword(admin: pg.Client, password: string): Promise<void> {
  const { rows } = await admin.query<{ statement: string }>(SET_PASSWORD, [RUNTIME_USER, password])
  for (const { statement } of rows) await admin.query(statement)
}
