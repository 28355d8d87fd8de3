import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { writePrivately } from '../whole-file.ts'
import { EmbeddedPostgresFailure, systemCode } from './failure.ts'
import { readIfPresent } from './files.ts'
import { HOST } from './ports.ts'

/** Starts, stops, upgrades and backs up; made with the cluster. The gateway never connects as this one. */
export const SUPERUSER = 'tollgate'
/** Owns the database and all that is in it, and cannot log in: migrations take this role. */
export const OWNER = 'tollgate_owner'
/** As whom the gateway connects: may do what `migrate` grants, and nothing else. */
export const RUNTIME_USER = 'tollgate_gateway'
export const DATABASE = 'tollgate'

/** How to reach the server of a data directory; kept in its database.json and database-admin.json, both mode 600. */
export interface Credentials {
  /** Of the gateway. */
  readonly password: string
  /** Of the superuser. */
  readonly adminPassword: string
  readonly port: number
}

/** What the two files say; the members that they lack are not there. */
interface KnownCredentials extends Partial<Credentials> {
  /** Whether database.json is of an earlier version, in which the gateway was the superuser. */
  readonly isOfSuperuser: boolean
}

const PASSWORD_BYTES = 32
const FILE = 'database.json'
const ADMIN_FILE = 'database-admin.json'

/** A password of 256 random bits that needs no escaping in a URL or in SQL. */
export function newPassword(): string {
  return randomBytes(PASSWORD_BYTES).toString('base64url')
}

/** The connection string of the gateway. */
export const databaseUrl = ({ password, port }: Omit<Credentials, 'adminPassword'>): string =>
  urlFor(RUNTIME_USER, password, port, DATABASE)

/** The connection string of the superuser. */
export const adminUrl = (
  { adminPassword, port }: Omit<Credentials, 'password'>,
  database: string = DATABASE,
): string => urlFor(SUPERUSER, adminPassword, port, database)

/** The connection string of migrations: what they make belongs to the owner. */
export const ownerUrl = (credentials: Omit<Credentials, 'password'>): string => asOwner(adminUrl(credentials))

/** The same sessions of the superuser in the role of the owner. */
export function asOwner(superuserUrl: string): string {
  const url = new URL(superuserUrl)
  url.search = `?options=${encodeURIComponent(`-c role=${OWNER}`)}`
  return url.href
}

const urlFor = (user: string, password: string, port: number, database: string): string =>
  `postgres://${user}:${password}@${HOST}:${port}/${database}`

/** What the files of a data directory say. Throws `EmbeddedPostgresFailure` when one cannot be used. */
export function readCredentials(dataDir: string): KnownCredentials {
  const gateway = readFile(join(dataDir, FILE))
  const admin = readFile(join(dataDir, ADMIN_FILE))
  const isOfSuperuser = gateway?.user === SUPERUSER
  // An earlier version that was started in between may have set a new password: what it wrote is the newest.
  const adminPassword = isOfSuperuser ? gateway.password : admin?.password
  return {
    isOfSuperuser,
    ...(gateway && { port: gateway.port }),
    ...(gateway && !isOfSuperuser && { password: gateway.password }),
    ...(adminPassword !== undefined && { adminPassword }),
  }
}

/** Writes the file that the gateway and the command line read. */
export function writeCredentials(dataDir: string, credentials: Credentials): void {
  writeUrl(join(dataDir, FILE), databaseUrl(credentials))
}

/** Writes the file that only starts, stops, upgrades, migrations and backups read. */
export function writeAdminCredentials(dataDir: string, credentials: Credentials): void {
  writeUrl(join(dataDir, ADMIN_FILE), adminUrl(credentials))
}

function writeUrl(path: string, url: string): void {
  writePrivately(path, `${JSON.stringify({ url }, null, 2)}\n`)
}

interface Login {
  readonly user: string
  readonly password: string
  readonly port: number
}

function readFile(path: string): Login | undefined {
  const text = readText(path)
  if (text === undefined) return undefined
  const login = parse(text)
  if (login !== undefined) return login
  throw new EmbeddedPostgresFailure(
    `${path} does not hold the address of the embedded database. Delete the file: the next start writes a new one with a new password.`,
  )
}

function readText(path: string): string | undefined {
  try {
    return readIfPresent(path)
  } catch (error) {
    if (systemCode(error) !== 'EACCES') throw error
    throw new EmbeddedPostgresFailure(
      `${path} may be read only by the user who runs Tollgate. Be that user.`,
      { cause: error },
    )
  }
}

function parse(text: string): Login | undefined {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value !== 'object' || value === null || !('url' in value)) return undefined
    const url = new URL(String(value.url))
    const port = Number(url.port)
    return url.password !== '' && port > 0 ? { user: url.username, password: url.password, port } : undefined
  } catch {
    return undefined
  }
}
