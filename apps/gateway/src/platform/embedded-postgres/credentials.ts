import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { EmbeddedPostgresFailure, systemCode } from './failure.ts'
import { readIfPresent, replacePrivateFile } from './files.ts'
import { HOST } from './ports.ts'

export const USER = 'tollgate'
export const DATABASE = 'tollgate'

/** How to reach the server of a data directory; kept in its database.json, mode 600. */
export interface Credentials {
  readonly password: string
  readonly port: number
}

const PASSWORD_BYTES = 32
const FILE = 'database.json'

/** A password of 256 random bits that needs no escaping in a URL or in SQL. */
export function newPassword(): string {
  return randomBytes(PASSWORD_BYTES).toString('base64url')
}

/** The connection string of a database of the server. */
export function databaseUrl(credentials: Credentials, database: string = DATABASE): string {
  return `postgres://${USER}:${credentials.password}@${HOST}:${credentials.port}/${database}`
}

/** What database.json says; undefined when there is none. Throws `EmbeddedPostgresFailure` when it cannot be used. */
export function readCredentials(dataDir: string): Credentials | undefined {
  const path = join(dataDir, FILE)
  const text = readText(path)
  if (text === undefined) return undefined
  const credentials = parse(text)
  if (credentials !== undefined) return credentials
  throw new EmbeddedPostgresFailure(
    `${path} does not hold the address of the embedded database. Delete the file: the next start writes a new one with a new password.`,
  )
}

export function writeCredentials(dataDir: string, credentials: Credentials): void {
  replacePrivateFile(join(dataDir, FILE), `${JSON.stringify({ url: databaseUrl(credentials) }, null, 2)}\n`)
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

function parse(text: string): Credentials | undefined {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value !== 'object' || value === null || !('url' in value)) return undefined
    const url = new URL(String(value.url))
    const port = Number(url.port)
    return url.password !== '' && port > 0 ? { password: url.password, port } : undefined
  } catch {
    return undefined
  }
}
