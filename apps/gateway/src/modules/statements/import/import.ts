import type { Ids } from '@tollgate/runtime'
import { breathe } from '../../../platform/breathe.ts'
import type { Database, Tx } from '../../../platform/database.ts'
import type { Secrets } from '../../../platform/secrets.ts'
import {
  type BankAccount,
  chooseNamed,
  findBankAccount,
  listBankAccounts,
  lockBankAccounts,
} from '../../bank-accounts/index.ts'
import { FileProblem } from '../errors.ts'
import { addsUp } from '../formats/balances.ts'
import type { CsvMapping } from '../formats/csv-mapping.ts'
import { fingerprintOf } from '../formats/fingerprint.ts'
import type { FileFormat, NamedAccount } from '../formats/parsed.ts'
import { type ReadFile, type ReadStatement, readInThread } from '../formats/reading.ts'
import { insertLines, type NewLine } from '../lines/line-change-store.ts'
import { type KnownEntry, listKnownEntries } from '../lines/line-store.ts'
import { sealDetails } from '../lines/sealed-details.ts'
import { findFile, insertFile, insertStatement } from './file-store.ts'
import { addWarnings } from './repeat-store.ts'
import { judgeRepeats, putAside, type Repeats } from './repeats.ts'
import { type CountedEntry, nameOfEntry, splitSums } from './split.ts'

interface ImportDeps {
  readonly db: Database
  readonly ids: Ids
  readonly secrets: Secrets
}

/** A file to be taken. */
export interface ImportOrder {
  readonly fileName: string
  readonly bytes: Uint8Array
  /** For CSV. */
  readonly mapping?: CsvMapping | undefined
  /** In which its letters are written, where neither the form nor the file says so; such as `cp850`. */
  readonly encoding?: string | undefined
  /** Our account that the file is of, whatever the bank calls it; for a file of one account. */
  readonly accountCode?: string | undefined
  /** `operator:<code>` or `folder`. */
  readonly actor: string
  /** `operator:<code>` of who confirmed it, where two were needed. */
  readonly confirmedBy?: string | undefined
  /** Refuses a file whose sums do not agree. Otherwise that is a warning, which is kept with the file. */
  readonly isStrict?: boolean
}

/** What a file brought. */
export interface Imported {
  /** KNOWN: the very same file was taken before, and nothing was done. */
  readonly kind: 'TAKEN' | 'KNOWN'
  readonly fileId: string
  readonly format: FileFormat
  readonly statements: readonly ImportedStatement[]
  readonly warnings: readonly string[]
}

export interface ImportedStatement {
  readonly label: string
  readonly accountCode: string
  readonly currencyCode: string
  /** New lines. */
  readonly lineCount: number
  /** Lines that another file had brought. */
  readonly knownCount: number
  readonly pendingCount: number
}

/**
 * Takes a file as a whole, or refuses it as a whole and stores nothing: FileProblem says where it is wrong, or that it is of
 * an account that is none of ours. Lines are booked money whether or not the bank's own sums agree, so a sum that does not
 * is a warning. Taking it twice, or lines of it in another file, changes nothing.
 */
export async function importFile(deps: ImportDeps, order: ImportOrder): Promise<Imported> {
  const { bytes, mapping, encoding } = order
  const { file, differences, contentHash } = await readInThread({ bytes, mapping, encoding })
  if (differences.length > 0 && order.isStrict === true) {
    throw new FileProblem(
      `${differences.slice(0, DIFFERENCES_SHOWN_MAX).join(' ')}${moreThan(differences.length)} Nothing was taken. Ask the bank for a right file, or take this one without --strict: each of its lines is money all the same.`,
    )
  }
  const accounts =
    order.accountCode === undefined
      ? await accountsOf(deps.db, file)
      : await accountGiven(deps.db, file, order.accountCode)
  return deps.db.transaction((tx) =>
    store(deps, tx, {
      order,
      file,
      accounts,
      contentHash,
      warnings: shown([...file.warnings, ...differences]),
    }),
  )
}

/** The accounts of ours that a file is of. Throws FileProblem. */
export async function accountCodesOf(
  tx: Tx,
  {
    bytes,
    mapping,
    encoding,
    accountCode,
  }: Pick<ImportOrder, 'bytes' | 'mapping' | 'encoding' | 'accountCode'>,
): Promise<readonly string[]> {
  const { file } = await readInThread({ bytes, mapping, encoding })
  const accounts =
    accountCode === undefined ? await accountsOf(tx, file) : await accountGiven(tx, file, accountCode)
  return [...new Set(accounts.map(({ code }) => code))]
}

const WARNINGS_MAX = 100

function shown(warnings: readonly string[]): readonly string[] {
  if (warnings.length <= WARNINGS_MAX) return warnings
  return [...warnings.slice(0, WARNINGS_MAX), `There are ${warnings.length - WARNINGS_MAX} more warnings.`]
}

const DIFFERENCES_SHOWN_MAX = 5
const moreThan = (count: number): string =>
  count > DIFFERENCES_SHOWN_MAX ? ` And ${count - DIFFERENCES_SHOWN_MAX} more.` : ''

/** Our accounts, one for each statement. */
async function accountsOf(tx: Tx, file: ReadFile['file']): Promise<readonly BankAccount[]> {
  const found: BankAccount[] = []
  for (const { label, where, account, currencyCode } of file.statements) {
    const name = nameOf(account, currencyCode)
    const own = name === undefined ? undefined : await findBankAccount(tx, name)
    if (own === undefined)
      throw new FileProblem(
        `${label} is of the account ${account.text} in ${currencyCode}, which is none of ours. Nothing was taken. If it is one, register it: \`tollgate accounts add\`.`,
        where,
      )
    found.push(own)
  }
  return found
}

/**
 * The account that was named beside the file, for the statements whose account is none of ours by its name. What names
 * another account of ours is that account's, and refused where the file has no other.
 */
async function accountGiven(tx: Tx, file: ReadFile['file'], code: string): Promise<readonly BankAccount[]> {
  const accounts = await listBankAccounts(tx)
  const names = new Set(file.statements.map(({ account }) => account.text))
  const byName = file.statements.map(({ account, currencyCode }) => {
    const name = nameOf(account, currencyCode)
    return name === undefined ? undefined : chooseNamed(accounts, name)
  })
  const own = accounts.filter((account) => account.code === code)
  const nameless = file.statements.filter((_, index) => byName[index] === undefined)
  const [first] = nameless
  const stranger = nameless.find(({ account }) => account.text !== first?.account.text)
  if (first !== undefined && stranger !== undefined)
    throw new FileProblem(
      `${stranger.label} is of the account ${stranger.account.text}, and ${first.label} of ${first.account.text}; neither is registered, and both cannot be ${code}. Nothing was taken. Register them: \`tollgate accounts add\`.`,
      stranger.where,
    )
  return file.statements.map(({ label, account, currencyCode, where }, index) => {
    const named = byName[index]
    if (named !== undefined && (named.code === code || names.size > 1)) return named
    if (named !== undefined)
      throw new FileProblem(
        `${label} is of the account ${account.text}, which is ${named.code} and not ${code}. Nothing was taken. Leave the account out, or give the right one.`,
        where,
      )
    const given = own.find((each) => each.currencyCode === currencyCode)
    if (given !== undefined) return given
    throw new FileProblem(
      `${label} is in ${currencyCode}; there is no account ${code} in it. Nothing was taken. \`tollgate accounts list\` shows yours.`,
      where,
    )
  })
}

function nameOf({ iban, accountNumber, bankCode }: NamedAccount, currencyCode: string) {
  if (iban !== undefined) return { iban, currencyCode }
  return accountNumber === undefined ? undefined : { accountNumber, bankCode, currencyCode }
}

interface Taken {
  readonly order: ImportOrder
  readonly file: ReadFile['file']
  readonly accounts: readonly BankAccount[]
  readonly contentHash: ReadFile['contentHash']
  readonly warnings: readonly string[]
}

async function store(deps: ImportDeps, tx: Tx, taken: Taken): Promise<Imported> {
  const { order, file, accounts, contentHash, warnings } = taken
  await lockBankAccounts(tx, [...new Set(accounts.map(({ code }) => code))])
  const fileId = await insertFile(tx, {
    contentHash,
    fileName: order.fileName.slice(-FILE_NAME_CHARACTERS_MAX) || 'file',
    format: file.format,
    byteCount: order.bytes.length,
    actor: order.actor,
    confirmedBy: order.confirmedBy,
    warnings,
  })
  if (fileId === undefined)
    return {
      kind: 'KNOWN',
      fileId: (await findFile(tx, contentHash)) ?? '',
      format: file.format,
      statements: [],
      warnings: [],
    }
  const statements: ImportedStatement[] = []
  const doubts: string[] = []
  const counts = new Map<number, Map<string, number>>()
  for (const [index, statement] of file.statements.entries()) {
    const account = accounts[index]
    if (account === undefined) throw new Error('a statement has no account')
    // Further pages go on counting where the first one stopped.
    const counted = counts.get(statement.pageOf ?? index) ?? new Map<string, number>()
    counts.set(statement.pageOf ?? index, counted)
    statements.push(
      await storeStatement(deps, tx, { fileId, position: index + 1, statement, account, counted, doubts }),
    )
  }
  await addWarnings(tx, fileId, shown(doubts))
  const all = [...warnings, ...shown(doubts)]
  return { kind: 'TAKEN', fileId, format: file.format, statements, warnings: all }
}

const FILE_NAME_CHARACTERS_MAX = 255

interface Placed {
  readonly fileId: string
  readonly position: number
  readonly statement: ReadStatement
  readonly account: BankAccount
  /** How often each entry has come up. */
  readonly counted: Map<string, number>
  /** Gathers what cannot be told for certain, a sentence each. */
  readonly doubts: string[]
}

async function storeStatement(deps: ImportDeps, tx: Tx, placed: Placed): Promise<ImportedStatement> {
  const { statement, account } = placed
  const { entries, knownByName, aside } = await recognise(deps, tx, placed)
  const fresh = entries.filter((entry) => !knownByName.has(nameOfEntry(entry)))
  const split = await splitSums(deps, tx, { entries, knownByName })
  const lineCount = partsIn(fresh) + partsIn(split)
  const knownCount = partsIn(entries) - lineCount
  const { fileId, position } = placed
  const statementId = await insertStatement(tx, {
    fileId,
    position,
    lineCount,
    knownCount,
    pendingCount: statement.pendingCount,
    accountCode: account.code,
    currencyCode: statement.currencyCode,
    isNotification: statement.isNotification,
    bankName: statement.bankName,
    opening: statement.opening,
    closing: statement.closing,
    addsUp: addsUp(statement),
    isFinal: statement.isFinal && statement.pendingCount === 0,
  })
  const place = { statementId, accountCode: account.code }
  await storeLines(deps, tx, fresh, { ...place, firstPart: 1 })
  // Part 1 is the sum that they take the place of.
  await storeLines(deps, tx, split, { ...place, firstPart: 2 })
  await putAside(deps, tx, { accountCode: account.code, aside })
  const { label, currencyCode, pendingCount } = statement
  return { label, accountCode: account.code, currencyCode, lineCount, knownCount, pendingCount }
}

interface Recognised {
  readonly entries: readonly CountedEntry[]
  readonly knownByName: ReadonlyMap<string, KnownEntry>
  readonly aside: Repeats['aside']
}

/** Which entries are known, and which cannot be told from others. */
async function recognise(deps: ImportDeps, tx: Tx, placed: Placed): Promise<Recognised> {
  const { statement, account, doubts } = placed
  const counted = await countEntries(deps, placed)
  const known = await knownAmong(tx, account.code, counted)
  const knownByName = new Map(known.map((each) => [nameOfEntry(each), each]))
  const { entries, aside, likelySame } = await judgeRepeats(tx, {
    accountCode: account.code,
    statement,
    entries: counted,
    knownNames: new Set(knownByName.keys()),
  })
  for (const { entry, like } of aside)
    doubts.push(
      `${statement.label}: ${entry.entry.where}, ${entry.entry.amount} ${entry.entry.currencyCode} of ${entry.entry.bookedOn}, looks like statement line ${like}, which another file brought, and the bank gives no reference. It is put aside: decide whether it is the same money or more.`,
    )
  if (likelySame > 0)
    doubts.push(
      `${statement.label}: ${likelySame} bookings without a reference of the bank equal bookings of earlier files and are taken for the same.`,
    )
  return { entries, knownByName, aside }
}

/** Encrypting and storing so many keeps nobody waiting for longer than some milliseconds. */
const LINES_AT_ONCE = 200
const FINGERPRINTS_AT_ONCE = 2_000

interface LinePlace {
  readonly statementId: string
  readonly accountCode: string
  readonly firstPart: number
}

async function storeLines(
  { secrets }: ImportDeps,
  tx: Tx,
  entries: readonly CountedEntry[],
  place: LinePlace,
): Promise<void> {
  let lines: NewLine[] = []
  // The next ones are encrypted while the database stores these.
  let storing = Promise.resolve()
  for (const entry of entries) {
    for (const part of entry.entry.parts.keys()) {
      lines.push(toLine(secrets, entry, { ...place, part }))
      if (lines.length < LINES_AT_ONCE) continue
      await storing
      storing = insertLines(tx, lines)
      storing.catch(() => undefined)
      lines = []
    }
  }
  await storing
  if (lines.length > 0) await insertLines(tx, lines)
}

async function knownAmong(
  tx: Tx,
  accountCode: string,
  entries: readonly CountedEntry[],
): Promise<readonly KnownEntry[]> {
  const known: KnownEntry[] = []
  for (let from = 0; from < entries.length; from += FINGERPRINTS_AT_ONCE) {
    const some = entries.slice(from, from + FINGERPRINTS_AT_ONCE).map(({ fingerprint }) => fingerprint)
    known.push(...(await listKnownEntries(tx, accountCode, some)))
  }
  return known
}

const partsIn = (entries: readonly CountedEntry[]): number =>
  entries.reduce((count, { entry }) => count + entry.parts.length, 0)

async function countEntries(
  { secrets }: ImportDeps,
  { statement, account, counted }: Placed,
): Promise<readonly CountedEntry[]> {
  const entries: CountedEntry[] = []
  for (const [index, entry] of statement.entries.entries()) {
    if (index % LINES_AT_ONCE === 0) await breathe()
    const fingerprint = fingerprintOf(secrets, account.code, entry)
    const name = fingerprint.toString('base64')
    const occurrence = (counted.get(name) ?? 0) + 1
    counted.set(name, occurrence)
    entries.push({ entry, position: index + 1, fingerprint, occurrence })
  }
  return entries
}

function toLine(
  secrets: Secrets,
  { entry, position, fingerprint, occurrence }: CountedEntry,
  place: LinePlace & { readonly part: number },
): NewLine {
  const { statementId, accountCode, firstPart, part } = place
  const found = entry.parts[part]
  if (found === undefined) throw new Error('an entry has fewer parts than it has')
  const name = { accountCode, fingerprint, occurrence, part: firstPart + part }
  return {
    ...name,
    statementId,
    position,
    amount: found.amount,
    charge: found.charge,
    currencyCode: entry.currencyCode,
    direction: entry.direction,
    isReversal: entry.isReversal,
    bookedOn: entry.bookedOn,
    valuedOn: entry.valuedOn,
    bankReference: entry.bankReference,
    transactionCode: entry.transactionCode,
    ...sealDetails(secrets, name, found.details),
  }
}
