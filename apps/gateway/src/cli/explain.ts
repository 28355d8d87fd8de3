import { ConfigError } from '../config.ts'
import { CommitUnknown, DatabaseUnavailable } from '../platform/database.ts'
import { EmbeddedPostgresFailure } from '../platform/embedded-postgres/index.ts'
import { MasterKeyFault } from '../platform/master-key.ts'
import { MigrationRefused } from '../platform/migrate.ts'
import { SessionsShared } from '../platform/pooling.ts'
import { Problem } from '../platform/problem.ts'
import { WrongMasterKey } from '../platform/root-key.ts'
import { CommandFailure } from './failure.ts'

const PROBLEM_KINDS = { NOT_FOUND: 'NOT_FOUND', CONFLICT: 'CONFLICT', INVALID: 'USAGE' } as const

/** What a room or the database threw, as a sentence and its exit code; undefined for an error nobody expected. */
export function explain(error: unknown): CommandFailure | undefined {
  if (error instanceof CommandFailure) return error
  if (error instanceof Problem) return new CommandFailure(PROBLEM_KINDS[error.kind], error.message)
  if (isOfSettings(error)) return new CommandFailure('USAGE', error.message)
  if (error instanceof DatabaseUnavailable) return explain(error.cause) ?? databaseAway()
  if (error instanceof CommitUnknown) {
    return new CommandFailure(
      'UNREACHABLE',
      'The database broke off while the command ran, so it may or may not have taken effect. Look, then try again.',
    )
  }
  return explainCode(error)
}

function isOfSettings(error: unknown): error is Error {
  return [
    ConfigError,
    EmbeddedPostgresFailure,
    MasterKeyFault,
    MigrationRefused,
    SessionsShared,
    WrongMasterKey,
  ].some((kind) => error instanceof kind)
}

const databaseAway = (): CommandFailure =>
  new CommandFailure('UNREACHABLE', 'The database does not answer. Is it running? `tollgate doctor` looks.')

/** Said of a server that `serve` does not start with. */
export const READS_ONLY =
  'The server of TOLLGATE_DATABASE_URL takes reads only: it is a standby, or was told to. Name the primary.'

/** Said of prepared statements that another session has, or that are gone. */
const SESSIONS_SHARED = new SessionsShared().message

/** Codes of the driver and of the system about which an operator can do something. */
const SENTENCES: Readonly<Record<string, readonly [CommandFailure['kind'], string]>> = {
  '25006': ['UNREACHABLE', READS_ONLY],
  '28P01': ['CREDENTIALS', 'The database refuses the password of TOLLGATE_DATABASE_URL.'],
  '28000': ['CREDENTIALS', 'The database refuses the user of TOLLGATE_DATABASE_URL.'],
  '3D000': [
    'USAGE',
    'The database that TOLLGATE_DATABASE_URL names does not exist. Create it, or name another.',
  ],
  '42P01': ['USAGE', 'The database has no schema of Tollgate yet. Run `tollgate migrate`.'],
  '42703': ['USAGE', 'The schema of the database is older than this version. Run `tollgate migrate`.'],
  '42501': [
    'CREDENTIALS',
    'The user of TOLLGATE_DATABASE_URL lacks a privilege in the database. `tollgate migrate` grants what is missing, when TOLLGATE_MIGRATE_DATABASE_URL names the user that owns the schema.',
  ],
  '26000': ['USAGE', SESSIONS_SHARED],
  '42P05': ['USAGE', SESSIONS_SHARED],
  '53300': ['UNREACHABLE', 'The database has no connection left. Try again, or raise its max_connections.'],
  '57014': ['SERVER', 'The database gave up on a statement that took too long.'],
  ECONNREFUSED: [
    'UNREACHABLE',
    'Nothing listens at the address of TOLLGATE_DATABASE_URL. Start PostgreSQL, or correct the address.',
  ],
  ENOTFOUND: ['UNREACHABLE', 'The host of TOLLGATE_DATABASE_URL is unknown. Correct the address.'],
  EAI_AGAIN: ['UNREACHABLE', 'The host of TOLLGATE_DATABASE_URL cannot be looked up now. Try again.'],
  ETIMEDOUT: ['UNREACHABLE', 'The database does not answer at the address of TOLLGATE_DATABASE_URL.'],
  ECONNRESET: ['UNREACHABLE', 'The database broke the connection off. Try again.'],
}

function explainCode(error: unknown): CommandFailure | undefined {
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') return undefined
  if ('syscall' in error && error.syscall === 'open') return undefined
  const known = SENTENCES[error.code]
  return known && new CommandFailure(known[0], known[1])
}
