import type { Clock } from '@tollgate/runtime'
import { slicesOf } from '../../platform/breathe.ts'
import type { Database, Tx } from '../../platform/database.ts'
import { A_MOMENT, readMoment } from '../../platform/moments.ts'
import { Problem } from '../../platform/problem.ts'
import { documentThreads, ThreadEnded } from '../../platform/threads/index.ts'
import { type Reading, readRows, type SheetDraft } from './draft.ts'
import { digestOf, type Quotation, type Rate, type RateList, type RateSheet, type Source } from './model.ts'
import type { RateOrder, RatePiece } from './rates-thread.ts'
import {
  type AskedSheet,
  findLastVersion,
  insertList,
  insertSheets,
  listKnownDigests,
  listSheets,
  lockList,
  type SheetRecord,
  updateListEnabled,
} from './store.ts'

export type { AskedSheet } from './store.ts'

const SECONDS_PER_DAY = 86_400
export const STALE_AFTER_DAYS_DEFAULT = 4
const NAME_LENGTH_MAX = 140

interface NewList {
  readonly code: string
  readonly name: string
  readonly baseCurrencyCode: string
  /** Undefined: a sheet never counts as stale. */
  readonly staleAfterDays: number | undefined
}

/** A file with sheets. Texts of dates are days or moments in UTC. */
interface ImportRequest {
  readonly format: Exclude<Source, 'MANUAL'>
  readonly bytes: Uint8Array
  /** When the sheet comes into force, unless the file says so. */
  readonly validFrom?: string | undefined
  /** When its source published it, unless the file says so; default: now. */
  readonly publishedAt?: string | undefined
  /** Store it as another version even if the list has had exactly this sheet before. */
  readonly isAgain?: boolean
}

/** A row to be put in place of the one in force. What is left out is as in that row. */
interface RateSetting {
  readonly currencyCode: string
  readonly quotation?: Quotation | undefined
  readonly unit?: number | undefined
  readonly buy?: string | undefined
  readonly sell?: string | undefined
  readonly mid?: string | undefined
  /** Default: now. */
  readonly validFrom?: string | undefined
}

export interface StoredSheet {
  readonly version: number
  readonly validFrom: Date
  readonly publishedAt: Date
  readonly rates: readonly Rate[]
  /** False when the list had this sheet already: then `version` is the one that has it. */
  readonly isNew: boolean
}

/** What an operator does with rate lists. Each function throws {@link RateListProblem}. */
export interface RateAdministration {
  /** All lists with their sheets in force, also those that are not in use. */
  list(): Promise<readonly AskedSheet[]>
  /** A list with the sheet in force at a moment. */
  show(code: string, at: Date): Promise<AskedSheet>
  create(list: NewList): Promise<RateList>
  /** Stores every sheet of the file, or none. What the list has had already is not stored again. */
  importFile(code: string, request: ImportRequest): Promise<readonly StoredSheet[]>
  /** Stores the sheet in force with one row replaced or added. */
  setRate(code: string, setting: RateSetting): Promise<StoredSheet>
  /** Takes a list into use, or out of it. */
  setEnabled(code: string, isEnabled: boolean): Promise<void>
}

interface AdministrationDeps {
  readonly db: Database
  readonly clock: Clock
}

export function createRateAdministration({ db, clock }: AdministrationDeps): RateAdministration {
  const now = (): Date => new Date(clock.nowMs())
  return {
    list: () => listSheets(db, { code: undefined, at: now() }),
    async show(code, at) {
      const [found] = await listSheets(db, { code, at })
      return found ?? unknown(code)
    },
    create: (list) => createList(db, list),
    importFile: (code, request) => importFile(db, code, { ...request, now: now() }),
    setRate: (code, setting) => db.transaction((tx) => setRate(tx, code, { ...setting, now: now() })),
    async setEnabled(code, isEnabled) {
      if (!(await updateListEnabled(db, code, isEnabled))) unknown(code)
    },
  }
}

const unknown = (code: string): never => {
  throw new RateListProblem(`There is no rate list ${code}. \`tollgate rates list\` shows them.`, 'NOT_FOUND')
}

const LIST_CODE = /^[A-Z0-9_]{1,32}$/
const CURRENCY_CODE = /^[A-Z0-9]{3,10}$/

async function createList(tx: Tx, wish: NewList): Promise<RateList> {
  const { code, name, baseCurrencyCode, staleAfterDays } = wish
  if (!LIST_CODE.test(code))
    throw new RateListProblem('A code has 1 to 32 capital letters, digits or underscores.').about('code')
  if (!CURRENCY_CODE.test(baseCurrencyCode))
    throw new RateListProblem(`The base must be a currency such as EUR; it is ${baseCurrencyCode}.`).about(
      'baseCurrencyCode',
    )
  if (name.trim() === '' || name.length > NAME_LENGTH_MAX)
    throw new RateListProblem(`A name has 1 to ${NAME_LENGTH_MAX} characters.`).about('name')
  const staleAfterSeconds = staleAfterDays === undefined ? undefined : staleAfterDays * SECONDS_PER_DAY
  const list = { code, name: name.trim(), baseCurrencyCode, staleAfterSeconds }
  if (!(await insertList(tx, list))) throw new RateListProblem(`The code ${code} is taken.`, 'CONFLICT')
  return { ...list, isEnabled: true }
}

interface Dated {
  readonly now: Date
}

async function importFile(
  db: Database,
  code: string,
  request: ImportRequest & Dated,
): Promise<readonly StoredSheet[]> {
  // Read before the transaction, which would hold a connection and the list for as long as the file takes.
  const [found] = await listSheets(db, { code, at: request.now })
  const { list } = found ?? unknown(code)
  const drafts = orThrow(await readInThread(list, request))
  const validFrom = readOption('validFrom', request.validFrom)
  const publishedAt = readOption('publishedAt', request.publishedAt)
  const sheets = drafts.map((draft) => ({
    validFrom: agreed('validFrom', draft.validFrom, validFrom) ?? missingDate(),
    publishedAt: notAhead(agreed('publishedAt', draft.publishedAt, publishedAt), request.now),
    rates: draft.rates,
  }))
  return db.transaction(async (tx) => {
    if ((await lockList(tx, code)) === undefined) unknown(code)
    return storeSheets(tx, code, { sheets, source: request.format, isAgain: request.isAgain ?? false })
  })
}

function orThrow<Value>(reading: Reading<Value>): Value {
  if (reading.ok) return reading.value
  const count = reading.faults.length
  const what = count === 1 ? 'there is one fault' : `there are ${count} faults`
  throw new RateListProblem(`Nothing was stored: ${what} in the file.`, 'INVALID', reading.faults)
}

function readOption(name: string, text: string | undefined): Date | undefined {
  if (text === undefined) return undefined
  const date = readMoment(text)
  if (date !== undefined) return date
  throw new RateListProblem(`${name} must be ${A_MOMENT}.`).about(name)
}

/** What the file says and what was typed must not contradict each other. */
function agreed(name: string, inFile: Date | undefined, typed: Date | undefined): Date | undefined {
  if (inFile === undefined || typed === undefined || inFile.getTime() === typed.getTime())
    return inFile ?? typed
  throw new RateListProblem(`The file says ${inFile.toISOString()}: leave ${name} out.`).about(name)
}

function missingDate(): never {
  throw new RateListProblem(
    'From when on is the sheet valid? The file does not say it: name validFrom.',
  ).about('validFrom')
}

/** A date in the future would keep a sheet fresh for as long as somebody likes. */
function notAhead(publishedAt: Date | undefined, now: Date): Date {
  if (publishedAt === undefined) return now
  if (publishedAt.getTime() <= now.getTime()) return publishedAt
  throw new RateListProblem(
    `A sheet cannot have been published in the future: ${publishedAt.toISOString()}.`,
  ).about('publishedAt')
}

async function setRate(tx: Tx, code: string, setting: RateSetting & Dated): Promise<StoredSheet> {
  const list = (await lockList(tx, code)) ?? unknown(code)
  const validFrom = readOption('validFrom', setting.validFrom) ?? setting.now
  const [found] = await listSheets(tx, { code, at: validFrom })
  const sheet = replaceRow(list, found?.sheet, setting)
  const sheets = [{ ...sheet, validFrom }]
  const [stored] = await storeSheets(tx, code, { sheets, source: 'MANUAL', isAgain: true })
  if (stored === undefined) throw new Error('a sheet was stored and is not there')
  return stored
}

/** The rows of the sheet with one of them replaced or added, and how old they are. */
function replaceRow(
  { baseCurrencyCode }: RateList,
  sheet: RateSheet | undefined,
  { currencyCode, now, ...setting }: RateSetting & Dated,
): Pick<SheetRecord, 'publishedAt' | 'rates'> {
  const before = sheet?.rates.get(currencyCode) ?? { quotation: 'DIRECT', unit: 1 }
  const { buy, sell, mid, quotation = before.quotation, unit = before.unit } = setting
  const row = { place: currencyCode, currencyCode, quotation, unit: String(unit), buy, sell, mid }
  const read = readRows([row], baseCurrencyCode)
  if (!read.ok) throw notStored(read.faults)
  const others = [...(sheet?.rates.values() ?? [])].filter((rate) => rate !== before)
  // The other rows are as old as they were: one new row must not make them look fresh.
  const publishedAt = sheet === undefined || others.length === 0 ? now : sheet.publishedAt
  return { publishedAt, rates: [...others, ...read.value] }
}

interface SheetsToStore {
  readonly sheets: readonly Pick<SheetRecord, 'validFrom' | 'publishedAt' | 'rates'>[]
  readonly source: Source
  readonly isAgain: boolean
}

/** Of up to 500 rows each. More would keep others waiting, or take the database longer than it is given. */
const SHEETS_AT_ONCE = 50

/** Stores sheets in the order in which they come into force. The list is held by the transaction. */
async function storeSheets(tx: Tx, code: string, given: SheetsToStore): Promise<readonly StoredSheet[]> {
  const inOrder = given.sheets.toSorted((a, b) => a.validFrom.getTime() - b.validFrom.getTime())
  const sheets: (SheetsToStore['sheets'][number] & { readonly digest: Buffer })[] = []
  for await (const some of slicesOf(inOrder, SHEETS_AT_ONCE))
    sheets.push(...some.map((sheet) => ({ ...sheet, digest: digestOf(sheet.validFrom, sheet.rates) })))
  const digests = sheets.map(({ digest }) => digest)
  const known = given.isAgain ? new Map<string, number>() : await listKnownDigests(tx, code, digests)
  let version = await findLastVersion(tx, code)
  const records: SheetRecord[] = []
  const stored = sheets.map((sheet): StoredSheet => {
    const knownAs = known.get(sheet.digest.toString('hex'))
    if (knownAs !== undefined) return { ...sheet, version: knownAs, isNew: false }
    version += 1
    records.push({ ...sheet, version, source: given.source })
    return { ...sheet, version, isNew: true }
  })
  for await (const some of slicesOf(records, SHEETS_AT_ONCE)) await insertSheets(tx, code, some)
  return stored
}

/** Faults name first the row and then what is wrong of it. */
function notStored(faults: readonly string[]): RateListProblem {
  const [field = 'currencyCode'] =
    /\b(?:currencyCode|quotation|unit|buy|sell|mid)\b/.exec(faults[0] ?? '') ?? []
  return new RateListProblem(`Nothing was stored: ${faults.join('; ')}.`).about(field)
}

/** Something an operator asked for that cannot be done with rate lists. */
export class RateListProblem extends Problem {
  override readonly name = 'RateListProblem'
}

/** The European Central Bank's whole history has seven million bytes. */
const FILE_BYTES_MAX = 32 * 1024 * 1024
const THREAD = new URL('rates-thread.ts', import.meta.url)
const MIB = 1_048_576

/**
 * Reads a file with sheets in a thread, with limits on time and memory. Throws Overloaded when too many documents are being
 * read.
 */
async function readInThread(
  list: RateList,
  { format, bytes }: Pick<RateOrder, 'format' | 'bytes'>,
): Promise<Reading<readonly SheetDraft[]>> {
  if (bytes.length > FILE_BYTES_MAX)
    return { ok: false, faults: [`The file has ${bytes.length} bytes; at most ${FILE_BYTES_MAX} are read.`] }
  const own = new Uint8Array(bytes)
  const order = { list, format, bytes: own } satisfies RateOrder
  const isHeavy = own.length > MIB
  try {
    return gather(
      await documentThreads.run<RatePiece>({ module: THREAD, order, handedOver: [own.buffer], isHeavy }),
    )
  } catch (error) {
    if (error instanceof ThreadEnded && error.kind !== 'BROKEN')
      return { ok: false, faults: [`Reading the file was stopped: ${error.message}.`] }
    throw error
  }
}

function gather(pieces: readonly RatePiece[]): Reading<readonly SheetDraft[]> {
  const sheets: SheetDraft[] = []
  for (const piece of pieces) {
    if (piece.kind === 'FAULTS') return { ok: false, faults: piece.faults }
    sheets.push(...piece.sheets)
  }
  return { ok: true, value: sheets }
}
