import { createHash } from 'node:crypto'
import { createReadStream, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { type Static, Type } from 'typebox'
import { Compile } from 'typebox/schema'
import { CommandFailure } from '../failure.ts'

/** The file of a backup that says what it is. It is written last. */
const FILE = 'backup.json'
const FORMAT = 'tollgate backup 1'

const FileSchema = Type.Object({
  name: Type.String({ pattern: '^[a-z_]+(\\.[a-z]+)?$' }),
  bytes: Type.Integer({ minimum: 0 }),
  sha256: Type.String({ pattern: '^[0-9a-f]{64}$' }),
})

const BackupSchema = Type.Object({
  /** The files of a whole cluster, of the embedded database; or the dump of one database, of a PostgreSQL of your own. */
  kind: Type.Union([Type.Literal('CLUSTER'), Type.Literal('DUMP')]),
  tollgateVersion: Type.String(),
  postgresVersion: Type.String({ pattern: '^\\d+' }),
  /** Operating system and processor, such as `linux-x64`: the files of a cluster are theirs. */
  platform: Type.String(),
  /** The newest migration that the database had seen. */
  migration: Type.String(),
  startedAt: Type.String(),
  finishedAt: Type.String(),
  /** As `ledger head` shows it, before the copy began: the journal in the backup contains it. */
  journalHead: Type.String(),
  /** The same of the audit log; absent in backups of versions without one. */
  auditHead: Type.Optional(Type.String()),
  /** Between which places of PostgreSQL's log a cluster was copied. */
  log: Type.Optional(Type.Object({ startLsn: Type.String(), stopLsn: Type.String() })),
  files: Type.Array(FileSchema),
})
const documents = Compile(
  Type.Object({ format: Type.Literal(FORMAT), sha256: Type.String(), backup: BackupSchema }),
)

/** What a backup is. Times are in ISO 8601. */
export type Backup = Static<typeof BackupSchema>
type BackupFile = Static<typeof FileSchema>

/** The size of all files. */
export const bytesOf = (backup: Backup): number => backup.files.reduce((sum, file) => sum + file.bytes, 0)

/** Writes the description into the folder of the backup, and to the disk. */
export function writeBackup(folder: string, backup: Backup): void {
  const document = { format: FORMAT, sha256: sha256Of(backup), backup }
  writeFileSync(join(folder, FILE), `${JSON.stringify(document, undefined, 2)}\n`, {
    mode: 0o600,
    flag: 'wx',
    flush: true,
  })
}

/** Reads the description of a backup. Throws a sentence when there is none, or when it is damaged. */
export function readBackup(folder: string): Backup {
  const path = join(folder, FILE)
  if (!existsSync(path))
    throw new CommandFailure('USAGE', `${folder} is not a backup that is whole: it has no ${FILE}.`)
  const document = parse(readFileSync(path, 'utf8'))
  if (!documents.Check(document) || document.sha256 !== sha256Of(document.backup))
    throw new CommandFailure('FAULT', `${path} is damaged, or of another version of Tollgate.`)
  return document.backup
}

const sha256Of = (backup: Backup): string => createHash('sha256').update(JSON.stringify(backup)).digest('hex')

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** A file as it is now, with its digest. */
export async function digestOf(path: string, signal: AbortSignal): Promise<BackupFile> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(path), hash, { signal })
  return { name: basename(path), bytes: statSync(path).size, sha256: hash.digest('hex') }
}

/** Compares the files of a backup with its description. Throws a sentence that names the first one that differs. */
export async function requireUndamaged(folder: string, backup: Backup, signal: AbortSignal): Promise<void> {
  for (const file of backup.files) {
    const path = join(folder, file.name)
    const found = existsSync(path) ? await digestOf(path, signal) : undefined
    if (found?.bytes === file.bytes && found.sha256 === file.sha256) continue
    throw new CommandFailure(
      'FAULT',
      `The backup is damaged: ${path} ${found === undefined ? 'is missing' : 'is not what was written'}. Use another one.`,
    )
  }
}
