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

type MasterKeySetting = 'TOLLGATE_MASTER_KEY_FILE' | 'TOLLGATE_PREVIOUS_MASTER_KEY_FILE'

/** What is wrong with the file of a master key. */
type MasterKeyTrouble = 'MISSING' | 'DENIED' | 'FOLDER' | 'UNREADABLE' | 'DAMAGED'

/** A master key that cannot be read. The message is one sentence for the operator. */
export class MasterKeyFault extends Error {
  override readonly name = 'MasterKeyFault'
  readonly setting: MasterKeySetting
  readonly trouble: MasterKeyTrouble

  constructor(setting: MasterKeySetting, trouble: MasterKeyTrouble, message: string) {
    super(message)
    this.setting = setting
    this.trouble = trouble
  }
}

/** The master keys that a process was given. */
export interface MasterKeys {
  readonly current: Buffer
  /** While the master key is being changed: the one before. */
  readonly previous: Buffer | undefined
}

/**
 * Reads the master keys (base64). Where no file was named, the current one is made in the data directory, mode 600.
 * Whoever loses it loses personal data, callback keys and merchants' secrets: back it up apart from the database. Throws
 * MasterKeyFault.
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

const TROUBLES: Readonly<Record<string, readonly [MasterKeyTrouble, string]>> = {
  ENOENT: ['MISSING', 'does not exist'],
  EACCES: ['DENIED', 'cannot be read: permission denied'],
  EPERM: ['DENIED', 'cannot be read: permission denied'],
  EISDIR: ['FOLDER', 'cannot be read: it is a folder'],
}

/** What is wrong when a file could not be read, and what there is to say of it. */
export function troubleOf(error: unknown): readonly [MasterKeyTrouble, string] {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return TROUBLES[code] ?? ['UNREADABLE', `cannot be read: ${code === '' ? String(error) : code}`]
}

function readFile(setting: MasterKeySetting, file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    const [trouble, says] = troubleOf(error)
    throw new MasterKeyFault(setting, trouble, `${setting} names ${file}, which ${says}.`)
  }
}

function readKey(setting: MasterKeySetting, file: string): Buffer {
  const text = readFile(setting, file).trim()
  const key = Buffer.from(text, 'base64')
  // A lax reading would take a damaged file for another key.
  if (key.length !== KEY_BYTES || key.toString('base64') !== text)
    throw new MasterKeyFault(
      setting,
      'DAMAGED',
      `The master key in ${file} must be ${KEY_BYTES} bytes in base64.`,
    )
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
