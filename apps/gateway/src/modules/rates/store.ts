import { type Amount, parsePlainAmount } from '@tollgate/money'
import type { Statement, Tx } from '../../platform/database.ts'
import type { DatedList, Quotation, Rate, RateList, RateSheet, Source } from './model.ts'

const LIST_COLUMNS = `l.rate_list_code as "code", l.name as "name", l.base_currency_code as "baseCurrencyCode",
  l.stale_after_seconds as "staleAfterSeconds", l.enabled as "isEnabled"`

/** Numbers as texts: a JSON number would lose digits on its way through the driver. */
const SHEET_JSON = `json_build_object('version', s.version, 'source', s.source,
  'validFromMs', extract(epoch from s.valid_from) * 1000, 'publishedAtMs', extract(epoch from s.published_at) * 1000,
  'validToMs', (select extract(epoch from min(n.valid_from)) * 1000 from rate_sheets n
    where n.rate_list_code = s.rate_list_code and n.valid_from > s.valid_from),
  'supersededByVersion', (select max(n.version) from rate_sheets n
    where n.rate_list_code = s.rate_list_code and n.valid_from = s.valid_from and n.version > s.version),
  'rates', (select json_agg(json_build_object('currencyCode', r.currency_code, 'quotation', r.quotation, 'unit', r.unit,
      'buy', r.buy::text, 'sell', r.sell::text, 'mid', r.mid::text) order by r.currency_code collate "C")
    from rate_rows r where r.rate_list_code = s.rate_list_code and r.version = s.version))`

/** Without a code: all lists. Without a version: the sheet in force at the moment. */
const LIST_SHEETS: Statement = {
  name: 'rates_list_sheets',
  text: `select ${LIST_COLUMNS}, case when s.version is null then null else ${SHEET_JSON} end as "sheet"
    from rate_lists l
    left join lateral (select * from rate_sheets f
      where f.rate_list_code = l.rate_list_code
        and (f.version = $3 or ($3::integer is null and f.valid_from <= $2))
      order by f.valid_from desc, f.version desc limit 1) s on true
    where $1::text is null or l.rate_list_code = $1
    order by l.rate_list_code collate "C"`,
}

/** Every list in use, with the sheet in force at the moment and those to come. */
const LIST_SNAPSHOT: Statement = {
  name: 'rates_list_snapshot',
  text: `with since as (
      select l.rate_list_code, (select max(f.valid_from) from rate_sheets f
        where f.rate_list_code = l.rate_list_code and f.valid_from <= $1) as valid_from
      from rate_lists l where l.enabled),
    counting as (
      select distinct on (f.rate_list_code, f.valid_from) f.*
      from rate_sheets f join since using (rate_list_code)
      where since.valid_from is null or f.valid_from >= since.valid_from
      order by f.rate_list_code, f.valid_from, f.version desc)
    select ${LIST_COLUMNS}, (select coalesce(json_agg(${SHEET_JSON} order by s.valid_from), '[]')
      from counting s where s.rate_list_code = l.rate_list_code) as "sheets"
    from rate_lists l where l.enabled`,
}

const INSERT_LIST: Statement = {
  name: 'rates_insert_list',
  text: `insert into rate_lists (rate_list_code, name, base_currency_code, stale_after_seconds) values ($1, $2, $3, $4)
    on conflict do nothing returning rate_list_code`,
}

const UPDATE_LIST_ENABLED: Statement = {
  name: 'rates_update_list_enabled',
  text: 'update rate_lists set enabled = $2 where rate_list_code = $1 returning rate_list_code',
}

/** Whoever adds sheets holds the list: versions have no gaps and no two imports store the same. */
const LOCK_LIST: Statement = {
  name: 'rates_lock_list',
  text: `select ${LIST_COLUMNS} from rate_lists l where rate_list_code = $1 for update`,
}

const FIND_LAST_VERSION: Statement = {
  name: 'rates_find_last_version',
  text: 'select max(version) as version from rate_sheets where rate_list_code = $1',
}

const LIST_KNOWN_DIGESTS: Statement = {
  name: 'rates_list_known_digests',
  text: `select encode(digest, 'hex') as digest, max(version) as version from rate_sheets
    where rate_list_code = $1 and digest = any($2) group by 1`,
}

const INSERT_SHEETS: Statement = {
  name: 'rates_insert_sheets',
  text: `with sheets as (
      insert into rate_sheets (rate_list_code, version, valid_from, published_at, source, digest, row_count)
      select $1, * from unnest($2::integer[], $3::timestamptz[], $4::timestamptz[], $5::text[], $6::bytea[], $7::integer[]))
    insert into rate_rows (rate_list_code, version, currency_code, quotation, unit, buy, sell, mid)
    select $1, * from unnest($8::integer[], $9::text[], $10::text[], $11::integer[], $12::numeric[], $13::numeric[], $14::numeric[])`,
}

interface ListRow {
  readonly code: string
  readonly name: string
  readonly baseCurrencyCode: string
  readonly staleAfterSeconds: number | null
  readonly isEnabled: boolean
}

interface SheetRow {
  readonly version: number
  readonly source: Source
  readonly validFromMs: number
  readonly validToMs: number | null
  readonly publishedAtMs: number
  readonly supersededByVersion: number | null
  readonly rates: readonly {
    readonly currencyCode: string
    readonly quotation: Quotation
    readonly unit: number
    readonly buy: string
    readonly sell: string
    readonly mid: string
  }[]
}

/** A list and the sheet that was asked for, if it has it. */
export interface AskedSheet {
  readonly list: RateList
  readonly sheet: RateSheet | undefined
}

/** Which list (undefined: all), and of it the sheet in force at a moment, or the one of a version. */
interface SheetQuestion {
  readonly code: string | undefined
  readonly at: Date
  readonly version?: number | undefined
}

/** Lists with one sheet each, also those that are not in use. */
export async function listSheets(tx: Tx, question: SheetQuestion): Promise<readonly AskedSheet[]> {
  const values = [question.code ?? null, question.at, question.version ?? null]
  const rows = await tx.rows<ListRow & { readonly sheet: SheetRow | null }>(LIST_SHEETS, values)
  return rows.map((row) => ({
    list: listOf(row),
    sheet: row.sheet === null ? undefined : sheetOf(row.sheet),
  }))
}

/** Every list in use, with its sheet in force at the moment and those to come. */
export async function listSnapshot(tx: Tx, at: Date): Promise<readonly DatedList[]> {
  const rows = await tx.rows<ListRow & { readonly sheets: readonly SheetRow[] }>(LIST_SNAPSHOT, [at])
  return rows.map((row) => ({ ...listOf(row), sheets: row.sheets.map(sheetOf) }))
}

/** Makes a list; answers whether its code was free. */
export async function insertList(tx: Tx, list: Omit<RateList, 'isEnabled'>): Promise<boolean> {
  const values = [list.code, list.name, list.baseCurrencyCode, list.staleAfterSeconds ?? null]
  return (await tx.rows(INSERT_LIST, values)).length > 0
}

/** Takes a list into use or out of it; answers whether there is one. */
export async function updateListEnabled(tx: Tx, code: string, isEnabled: boolean): Promise<boolean> {
  return (await tx.rows(UPDATE_LIST_ENABLED, [code, isEnabled])).length > 0
}

/** Holds the list until the transaction ends. */
export async function lockList(tx: Tx, code: string): Promise<RateList | undefined> {
  const [row] = await tx.rows<ListRow>(LOCK_LIST, [code])
  return row && listOf(row)
}

/** The newest version of the list; 0 when it has no sheet. */
export async function findLastVersion(tx: Tx, code: string): Promise<number> {
  const [row] = await tx.rows<{ version: number | null }>(FIND_LAST_VERSION, [code])
  return row?.version ?? 0
}

/** Those of the digests that the list has, in hexadecimal, each with the newest version that has it. */
export async function listKnownDigests(
  tx: Tx,
  code: string,
  digests: readonly Buffer[],
): Promise<ReadonlyMap<string, number>> {
  const rows = await tx.rows<{ digest: string; version: number }>(LIST_KNOWN_DIGESTS, [code, digests])
  return new Map(rows.map((row) => [row.digest, row.version]))
}

export interface SheetRecord {
  readonly version: number
  readonly validFrom: Date
  readonly publishedAt: Date
  readonly source: Source
  readonly digest: Buffer
  readonly rates: readonly Rate[]
}

/** Stores whole sheets. */
export async function insertSheets(tx: Tx, code: string, sheets: readonly SheetRecord[]): Promise<void> {
  const rows = sheets.flatMap(({ version, rates }) => rates.map((rate) => ({ version, ...rate })))
  await tx.rows(INSERT_SHEETS, [
    code,
    sheets.map(({ version }) => version),
    sheets.map(({ validFrom }) => validFrom),
    sheets.map(({ publishedAt }) => publishedAt),
    sheets.map(({ source }) => source),
    sheets.map(({ digest }) => digest),
    sheets.map(({ rates }) => rates.length),
    rows.map(({ version }) => version),
    rows.map(({ currencyCode }) => currencyCode),
    rows.map(({ quotation }) => quotation),
    rows.map(({ unit }) => unit),
    rows.map(({ buy }): Amount => buy),
    rows.map(({ sell }): Amount => sell),
    rows.map(({ mid }): Amount => mid),
  ])
}

function listOf(row: ListRow): RateList {
  return {
    code: row.code,
    name: row.name,
    baseCurrencyCode: row.baseCurrencyCode,
    staleAfterSeconds: row.staleAfterSeconds ?? undefined,
    isEnabled: row.isEnabled,
  }
}

function sheetOf(row: SheetRow): RateSheet {
  const rates = row.rates.map(
    (rate): Rate => ({
      ...rate,
      buy: parsePlainAmount(rate.buy),
      sell: parsePlainAmount(rate.sell),
      mid: parsePlainAmount(rate.mid),
    }),
  )
  return {
    version: row.version,
    source: row.source,
    validFrom: new Date(row.validFromMs),
    validTo: row.validToMs === null ? undefined : new Date(row.validToMs),
    publishedAt: new Date(row.publishedAtMs),
    supersededByVersion: row.supersededByVersion ?? undefined,
    rates: new Map(rates.map((rate) => [rate.currencyCode, rate])),
  }
}
