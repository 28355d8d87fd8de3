import { createHash } from 'node:crypto'
import { dirname, resolve } from 'node:path'
import type { ErrorObject } from 'ajv'
import { type Static, Type } from 'typebox'
import { type Config, ConfigError } from '../config.ts'
import {
  type BankChannel,
  createSftpDriver,
  hasPgp,
  type PgpFiles,
  withPgp,
} from '../modules/bank-channels/index.ts'
import { type CsvMapping, FileProblem, readCsvMapping } from '../modules/statements/index.ts'
import { readSettingsFile } from './settings-file.ts'

// The channels of banks that an installation uses: one JSON file, which TOLLGATE_BANK_CHANNELS_FILE names. It lies on the
// machine and not in the database: nobody changes by a browser whom payouts are sent to.

const SETTING = 'TOLLGATE_BANK_CHANNELS_FILE'
const CHANNELS_MAX = 50
const EVERY_SECONDS_MIN = 10
const DAY_SECONDS = 86_400

const Directory = Type.String({ pattern: '^/|^[^/]', minLength: 1, maxLength: 500 })

const SourceSchema = Type.Object(
  {
    directory: Directory,
    holds: Type.Enum(['STATEMENTS', 'PAYOUT_REPORTS']),
    names: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
    marker: Type.Optional(Type.String({ minLength: 1, maxLength: 20 })),
    afterwards: Type.Enum(['LEAVE', 'DELETE', 'ARCHIVE']),
    archive: Type.Optional(Directory),
    /** Its form is that of a mapping of CSV statements, which is checked where that is. */
    csv: Type.Optional(Type.Object({})),
  },
  { additionalProperties: false },
)
const TargetSchema = Type.Object(
  {
    directory: Directory,
    stagingDirectory: Type.Optional(Directory),
    accounts: Type.Array(Type.String({ pattern: '^[A-Z0-9][A-Z0-9_-]{0,63}$' }), {
      minItems: 1,
      uniqueItems: true,
    }),
  },
  { additionalProperties: false },
)
const PgpSchema = Type.Object(
  {
    bankKeyFile: Type.String({ minLength: 1 }),
    keyFile: Type.String({ minLength: 1 }),
    passphraseFile: Type.Optional(Type.String({ minLength: 1 })),
  },
  { additionalProperties: false },
)
const ChannelSchema = Type.Object(
  {
    code: Type.String({ pattern: '^[A-Z][A-Z0-9_-]{0,31}$' }),
    host: Type.String({ pattern: '^[A-Za-z0-9.:-]{1,253}$' }),
    port: Type.Optional(Type.Integer({ minimum: 1, maximum: 65_535 })),
    user: Type.String({ minLength: 1, maxLength: 100 }),
    hostKey: Type.String({ pattern: '^SHA256:[A-Za-z0-9+/]{43}$' }),
    keyFile: Type.String({ minLength: 1 }),
    passphraseFile: Type.Optional(Type.String({ minLength: 1 })),
    everySeconds: Type.Optional(Type.Integer({ minimum: EVERY_SECONDS_MIN, maximum: DAY_SECONDS })),
    fetch: Type.Optional(Type.Array(SourceSchema, { maxItems: 20 })),
    put: Type.Optional(TargetSchema),
    pgp: Type.Optional(PgpSchema),
  },
  { additionalProperties: false },
)
type ChannelEntry = Static<typeof ChannelSchema>
type SourceEntry = Static<typeof SourceSchema>

const PORT = 22
const EVERY_SECONDS = 300

/** A channel, and from which accounts files go over it. */
export interface ConfiguredChannel extends BankChannel {
  readonly accounts: readonly string[]
  /** Which nobody else may read. */
  readonly secretFiles: readonly string[]
  /** Undefined where files go as they are. */
  readonly pgp: PgpFiles | undefined
  /** How the CSV of a directory at the bank is read. */
  readonly mappings: ReadonlyMap<string, CsvMapping>
}

type Setting = Pick<Config, 'TOLLGATE_BANK_CHANNELS_FILE'>

/**
 * The channels of the file; none without the setting. Throws ConfigError, whose sentence names file and field.
 * @param isPgpThere whether the package for it is installed
 */
export function readBankChannels(
  { TOLLGATE_BANK_CHANNELS_FILE: file }: Setting,
  isPgpThere: () => boolean = hasPgp,
): readonly ConfiguredChannel[] {
  if (file === undefined) return []
  const entries = parse(file)
  requireUnmistakable(entries)
  const inPgp = entries.find(({ pgp }) => pgp !== undefined)
  if (inPgp !== undefined && !isPgpThere())
    throw new ConfigError(
      `${SETTING}: ${inPgp.code}.pgp needs the package openpgp, which is not installed: npm install --no-save openpgp@6.`,
    )
  return entries.map((entry) => toChannel(entry, dirname(file)))
}

/** The files with private keys and their passphrases. Throws ConfigError. */
export const bankChannelSecretFiles = (setting: Setting, isPgpThere = hasPgp): readonly string[] =>
  readBankChannels(setting, isPgpThere).flatMap(({ secretFiles }) => secretFiles)

function toChannel(entry: ChannelEntry, folder: string): ConfiguredChannel {
  const { code, host, port = PORT, user, hostKey, everySeconds = EVERY_SECONDS, put } = entry
  const target = put && { directory: put.directory, stagingDirectory: put.stagingDirectory }
  const at = (path: string): string => resolve(folder, path)
  const driver = createSftpDriver({
    host,
    port,
    user,
    hostKey,
    target,
    keyFile: at(entry.keyFile),
    passphraseFile: entry.passphraseFile === undefined ? undefined : at(entry.passphraseFile),
  })
  const pgp = entry.pgp && pgpFiles(entry.pgp, at)
  return {
    code,
    hostKey,
    everySeconds,
    target,
    accounts: put?.accounts ?? [],
    peer: `${user}@${host}:${port}`,
    sources: (entry.fetch ?? []).map((source, index) => toSource(source, `${code}.fetch[${index}]`)),
    settingsDigest: createHash('sha256').update(JSON.stringify(entry)).digest('hex'),
    mappings: mappingsOf(entry),
    secretFiles: secretFilesOf(entry).map(at),
    pgp,
    driver: pgp === undefined ? driver : withPgp(driver, pgp),
  }
}

const secretFilesOf = ({ keyFile, passphraseFile, pgp }: ChannelEntry): readonly string[] =>
  [keyFile, passphraseFile, pgp?.keyFile, pgp?.passphraseFile].filter((each) => each !== undefined)

function pgpFiles(
  { bankKeyFile, keyFile, passphraseFile }: NonNullable<ChannelEntry['pgp']>,
  at: (path: string) => string,
): PgpFiles {
  return {
    bankKeyFile: at(bankKeyFile),
    keyFile: at(keyFile),
    passphraseFile: passphraseFile === undefined ? undefined : at(passphraseFile),
  }
}

function mappingsOf({ code, fetch = [] }: ChannelEntry): ConfiguredChannel['mappings'] {
  return new Map(
    fetch.flatMap(({ directory, holds, csv }, index) => {
      if (csv === undefined) return []
      const place = `${code}.fetch[${index}]`
      if (holds !== 'STATEMENTS') throw new ConfigError(`${SETTING}: ${place}.csv is for STATEMENTS only.`)
      if (fetch.filter((each) => each.directory === directory && each.holds === holds).length > 1)
        throw new ConfigError(
          `${SETTING}: ${place}: ${directory} is read by another entry for STATEMENTS as well. CSV needs a directory of its own.`,
        )
      return [[directory, readMapping(csv, `${place}.csv`)]]
    }),
  )
}

function readMapping(csv: object, place: string): CsvMapping {
  try {
    return readCsvMapping(JSON.stringify(csv))
  } catch (error) {
    if (error instanceof FileProblem) throw new ConfigError(`${SETTING}: ${place}: ${error.message}`)
    throw error
  }
}

function toSource(entry: SourceEntry, place: string): BankChannel['sources'][number] {
  const { directory, holds, names = '*', marker, afterwards, archive } = entry
  if ((afterwards === 'ARCHIVE') !== (archive !== undefined))
    throw new ConfigError(
      `${SETTING}: ${place}.archive must name a directory when afterwards is ARCHIVE, and only then.`,
    )
  return {
    directory,
    holds,
    names,
    marker,
    afterwards:
      archive === undefined
        ? { kind: afterwards === 'LEAVE' ? 'LEAVE' : 'DELETE' }
        : { kind: 'ARCHIVE', directory: archive },
  }
}

/** Each code once, and each account at one bank. */
function requireUnmistakable(entries: readonly ChannelEntry[]): void {
  const codes = new Set<string>()
  const accounts = new Map<string, string>()
  for (const { code, put } of entries) {
    if (codes.has(code)) throw new ConfigError(`${SETTING}: there are two channels ${code}.`)
    codes.add(code)
    for (const account of put?.accounts ?? []) {
      const other = accounts.get(account)
      if (other !== undefined)
        throw new ConfigError(
          `${SETTING}: files of the account ${account} cannot go over ${other} and ${code}.`,
        )
      accounts.set(account, code)
    }
  }
}

const parse = (file: string): readonly ChannelEntry[] =>
  readSettingsFile({
    setting: SETTING,
    file,
    schema: Type.Array(ChannelSchema, { maxItems: CHANNELS_MAX }),
    entry: 'a channel',
    says,
  })

function says({ keyword }: ErrorObject, place: string): string | undefined {
  if (keyword === 'enum')
    return `${place} must be one of ${place.endsWith('holds') ? 'STATEMENTS, PAYOUT_REPORTS' : 'LEAVE, DELETE, ARCHIVE'}.`
  if (keyword === 'pattern' && place.endsWith('hostKey'))
    return `${place} must be a fingerprint as \`ssh-keygen -lf\` prints it: SHA256: and 43 characters.`
  return undefined
}
