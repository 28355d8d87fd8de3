import { randomBytes } from 'node:crypto'
import {
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { KEY_BYTES } from './secrets.ts'

/** The master keys that a process was given. */
export interface MasterKeys {
  readonly current: Buffer
  /** While the master key is being changed: the one before. */
  readonly previous: Buffer | undefined
}

/**
 * Reads the master keys (base64). Where no file was named, the current one is made in the data directory, mode 600.
 * Whoever loses it loses personal data, callback keys and merchants' secrets: back it up apart from the database.
 */
export function readMasterKeys(options: {
  readonly file?: string | undefined
  readonly previousFile?: string | undefined
  readonly dataDir: string
}): MasterKeys {
  const file = options.file ?? join(options.dataDir, 'master.key')
  if (options.file === undefined && !existsSync(file)) makeMasterKey(file)
  const { previousFile } = options
  return {
    current: readKey('TOLLGATE_MASTER_KEY_FILE', file),
    previous:
      previousFile === undefined ? undefined : readKey('TOLLGATE_PREVIOUS_MASTER_KEY_FILE', previousFile),
  }
}

function readKey(setting: string, file: string): Buffer {
  if (!existsSync(file)) throw new Error(`${setting} names ${file}, which does not exist.`)
  const text = readFileSync(file, 'utf8').trim()
  const key = Buffer.from(text, 'base64')
  // A lax reading would take a damaged file for another key.
  if (key.length !== KEY_BYTES || key.toString('base64') !== text)
    throw new Error(`The master key in ${file} must be ${KEY_BYTES} bytes in base64.`)
  return key
}

/** Appears whole, on the disk, and never in place of another: what it seals is lost without it. */
function makeMasterKey(file: string): void {
  const folder = dirname(file)
  mkdirSync(folder, { recursive: true })
  const draft = `${file}.${randomBytes(6).toString('hex')}`
  try {
    writeFileSync(draft, `${randomBytes(KEY_BYTES).toString('base64')}\n`, {
      mode: 0o600,
      flag: 'wx',
      flush: true,
    })
    linkSync(draft, file)
    synchronizeFolder(folder)
  } catch (error) {
    // Another process was first: its key is the one.
    if (!existsSync(file)) throw error
  } finally {
    rmSync(draft, { force: true })
  }
}

function synchronizeFolder(folder: string): void {
  const descriptor = openSync(folder, 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}
