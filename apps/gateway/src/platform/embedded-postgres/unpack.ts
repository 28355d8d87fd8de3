import { createHash } from 'node:crypto'
import { createReadStream, mkdirSync, readFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { type Account, giveTo } from './account.ts'
import { ARCHIVE, MANIFEST } from './base-backup.ts'
import { EmbeddedPostgresFailure } from './failure.ts'
import { readTar, TarBroken, type TarEntry } from './tar.ts'

/** What `takeBaseBackup` wrote. */
export interface BaseBackupSource {
  readonly folder: string
  readonly signal: AbortSignal
}

/** A file as PostgreSQL's manifest knows it. */
interface Known {
  readonly Size: number
  readonly Checksum: string
}

const READ_BYTES = 1_048_576
/** Segments of the log stand in the manifest by their range alone; PostgreSQL checks each record when it replays them. */
const LOG_SEGMENT = /^pg_wal\/[0-9A-F]{24}$/
const SAFE_PATH = /^(?!\.{1,2}(\/|$))[A-Za-z0-9._-]+(\/(?!\.{1,2}(\/|$))[A-Za-z0-9._-]+)*$/

/**
 * Unpacks a backup into an empty folder, for the account that will run its server, and compares each file with the
 * manifest on the way. Throws `EmbeddedPostgresFailure` when one is damaged, missing or too many. Nothing is synchronized.
 */
export async function unpackBaseBackup(
  source: BaseBackupSource,
  into: string,
  account: Account,
): Promise<void> {
  const missing = await readManifest(join(source.folder, MANIFEST))
  const archive = createReadStream(join(source.folder, ARCHIVE), {
    highWaterMark: READ_BYTES,
    signal: source.signal,
  })
  try {
    for await (const entry of readTar(archive)) {
      if (!SAFE_PATH.test(entry.name)) throw damaged(`${entry.name} is no name of a file of PostgreSQL`)
      const path = join(into, entry.name)
      if (entry.isFolder) mkdirSync(path, { mode: entry.mode })
      else {
        const written = await writeEntry(path, entry)
        compare(entry.name, written, missing)
      }
      giveTo(account, path)
    }
  } catch (error) {
    if (error instanceof TarBroken) throw damaged(error.message)
    throw error
  } finally {
    archive.destroy()
  }
  const [first] = missing.keys()
  if (first !== undefined) throw damaged(`${first} is missing`)
}

async function readManifest(file: string): Promise<Map<string, Known>> {
  let value: unknown
  try {
    value = JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    if (error instanceof SyntaxError) throw damaged(`${MANIFEST} cannot be read`)
    throw error
  }
  const { manifestShape } = await import('./backup-shapes.ts')
  if (!manifestShape.Check(value)) throw damaged(`${MANIFEST} cannot be read`)
  return new Map(value.Files.map((known) => [known.Path, known]))
}

async function writeEntry(path: string, entry: TarEntry): Promise<Known> {
  const hash = createHash('sha256')
  const file = await open(path, 'wx', entry.mode)
  let bytes = 0
  try {
    for await (const chunk of entry.content) {
      hash.update(chunk)
      bytes += chunk.length
      await file.writeFile(chunk)
    }
  } finally {
    await file.close()
  }
  return { Size: bytes, Checksum: hash.digest('hex') }
}

/** Takes the file off the list of those that have not come yet. */
function compare(name: string, written: Known, missing: Map<string, Known>): void {
  const known = missing.get(name)
  missing.delete(name)
  if (known === undefined) {
    if (LOG_SEGMENT.test(name)) return
    throw damaged(`${name} is not in ${MANIFEST}`)
  }
  if (known.Size !== written.Size || known.Checksum !== written.Checksum)
    throw damaged(`${name} is not what PostgreSQL sent`)
}

const damaged = (what: string): EmbeddedPostgresFailure =>
  new EmbeddedPostgresFailure(`The backup is damaged: ${what}.`)
