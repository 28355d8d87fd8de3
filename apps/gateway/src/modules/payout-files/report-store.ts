import { slicesOf } from '../../platform/breathe.ts'
import type { Statement, Tx } from '../../platform/database.ts'
import type { PaymentKey, PaymentKind } from '../payments/index.ts'
import type { ReportEntry, ReportedMeaning, ReportLevel, StatusReport } from './model.ts'

export type EntryOutcome = 'APPLIED' | 'SAME' | 'NO_OUTCOME' | 'ASIDE'

const INSERT: Statement = {
  name: 'payout_reports_insert',
  text: `insert into payout_reports (content_hash, file_name, message_id, original_message_id, file_id, actor, data_key, sealed, confirmed_by)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9) on conflict do nothing returning report_id`,
}
const FIND_BY_HASH: Statement = {
  name: 'payout_reports_find_by_hash',
  text: 'select report_id from payout_reports where content_hash = $1',
}
const FIND_HASH: Statement = {
  name: 'payout_reports_find_hash',
  text: 'select content_hash from payout_reports where report_id = $1',
}
const FIND_CONTENT: Statement = {
  name: 'payout_reports_find_content',
  text: `select content_hash as "contentHash", file_name as "fileName", data_key as "dataKey", sealed
    from payout_reports where report_id = $1`,
}
const INSERT_ENTRIES: Statement = {
  name: 'payout_reports_insert_entries',
  text: `insert into payout_report_entries (report_id, position, level, reference, merchant_id, kind, id_payment, status_code,
      reason_code, says, outcome, why)
    select $1, n.* from unnest($2::integer[], $3::text[], $4::text[], $5::bigint[], $6::text[], $7::text[], $8::text[], $9::text[],
      $10::text[], $11::text[], $12::text[]) as n`,
}
const LIST_ENTRIES: Statement = {
  name: 'payout_reports_list_entries',
  text: `select position, level, reference, merchant_id, kind, id_payment, status_code, reason_code, says, outcome, why
    from payout_report_entries where report_id = $1 and position > $2::bigint and ($3::text is null or coalesce(outcome, 'OPEN') = $3)
    order by position limit $4`,
}
const UPDATE_ENTRY: Statement = {
  name: 'payout_reports_update_entry',
  text: `update payout_report_entries set outcome = $3, why = $4 where report_id = $1 and position = $2 and outcome is null`,
}
const COLUMNS = `r.report_id, r.file_name, r.message_id, r.original_message_id, r.file_id, r.actor, r.confirmed_by, r.received_at,
  (select json_object_agg(c.outcome, c.entries) from (
    select coalesce(e.outcome, 'OPEN') as outcome, count(*)::int as entries from payout_report_entries e
    where e.report_id = r.report_id group by 1) c) as counts`
const LIST: Statement = {
  name: 'payout_reports_list',
  text: `select ${COLUMNS} from payout_reports r where ($1::bigint is null or r.report_id < $1)
      and ($2::boolean is not true or exists (
        select from payout_report_entries a where a.report_id = r.report_id and a.outcome = 'ASIDE'))
    order by r.report_id desc limit $3`,
}
/** A worker leaves alone what somebody else is probably following just now. */
const LIST_OPEN: Statement = {
  name: 'payout_reports_list_open',
  text: `select distinct e.report_id from payout_report_entries e join payout_reports r using (report_id)
    where e.outcome is null and r.received_at < clock_timestamp() - interval '10 seconds' order by e.report_id limit $1`,
}
const FIND: Statement = {
  name: 'payout_reports_find',
  text: `select ${COLUMNS} from payout_reports r where r.report_id = $1`,
}

/** A report as it is stored. */
interface NewReport {
  readonly contentHash: Buffer
  readonly fileName: string
  readonly report: StatusReport
  readonly fileId: string | undefined
  readonly actor: string
  readonly confirmedBy?: string | undefined
  readonly dataKey: Buffer
  readonly sealed: Buffer
}

/** Stores a report; undefined when these very bytes are here already. */
export async function insertReport(tx: Tx, given: NewReport): Promise<string | undefined> {
  const { report } = given
  const [row] = await tx.rows<{ report_id: string }>(INSERT, [
    given.contentHash,
    given.fileName,
    report.messageId,
    report.originalMessageId,
    given.fileId ?? null,
    given.actor,
    given.dataKey,
    given.sealed,
    given.confirmedBy ?? null,
  ])
  return row?.report_id
}

/** Reports of which something was not followed yet, the oldest first. */
export async function listOpenReports(tx: Tx, limit: number): Promise<readonly string[]> {
  return (await tx.rows<{ report_id: string }>(LIST_OPEN, [limit])).map(({ report_id }) => report_id)
}

/** A report's bytes as they are stored; empty once they were removed. */
interface SealedReport {
  readonly contentHash: Buffer
  readonly fileName: string
  readonly dataKey: Buffer
  readonly sealed: Buffer
}

export async function findReportContent(tx: Tx, reportId: string): Promise<SealedReport | undefined> {
  return (await tx.rows<SealedReport & Readonly<Record<string, unknown>>>(FIND_CONTENT, [reportId]))[0]
}

/** SHA-256 of the report's bytes. */
export async function findReportHash(tx: Tx, reportId: string): Promise<Buffer | undefined> {
  return (await tx.rows<{ content_hash: Buffer }>(FIND_HASH, [reportId]))[0]?.content_hash
}

/** The report with these very bytes. */
export async function findReportByHash(tx: Tx, contentHash: Buffer): Promise<string | undefined> {
  const [row] = await tx.rows<{ report_id: string }>(FIND_BY_HASH, [contentHash])
  return row?.report_id
}

/** Stores what a report comes to. What is put aside is so at once; the rest is looked at afterwards. */
export async function insertEntries(
  tx: Tx,
  reportId: string,
  entries: readonly ReportEntry[],
): Promise<void> {
  let from = 0
  for await (const some of slicesOf(entries, ENTRIES_AT_ONCE)) {
    await insertSome(tx, reportId, { entries: some, from })
    from += some.length
  }
}

/** So many keep nobody waiting for longer than some milliseconds. */
const ENTRIES_AT_ONCE = 1_000

async function insertSome(
  tx: Tx,
  reportId: string,
  { entries, from }: { readonly entries: readonly ReportEntry[]; readonly from: number },
): Promise<void> {
  await tx.rows(INSERT_ENTRIES, [
    reportId,
    entries.map((_, index) => from + index + 1),
    entries.map(({ level }) => level),
    entries.map(({ reference }) => reference ?? null),
    entries.map(({ payment }) => payment?.merchantId ?? null),
    entries.map(({ payment }) => payment?.kind ?? null),
    entries.map(({ payment }) => payment?.idPayment ?? null),
    entries.map(({ statusCode }) => statusCode),
    entries.map(({ reasonCode }) => reasonCode ?? null),
    entries.map(({ says }) => says),
    entries.map(firstOutcome),
    entries.map(({ aside }) => aside ?? null),
  ])
}

function firstOutcome({ aside, says, payment }: ReportEntry): EntryOutcome | null {
  if (aside !== undefined) return 'ASIDE'
  return says === 'UNDECIDED' || payment === undefined ? 'NO_OUTCOME' : null
}

/** What a report comes to for one payment, and what followed. */
export interface StoredEntry {
  readonly position: number
  readonly level: ReportLevel
  readonly reference: string | undefined
  readonly key: PaymentKey | undefined
  readonly statusCode: string
  readonly reasonCode: string | undefined
  readonly says: ReportedMeaning
  /** Undefined when nobody has looked at it yet. */
  readonly outcome: EntryOutcome | undefined
  readonly why: string | undefined
}

interface EntryRow {
  readonly position: number
  readonly level: ReportLevel
  readonly reference: string | null
  readonly merchant_id: string | null
  readonly kind: PaymentKind | null
  readonly id_payment: string | null
  readonly status_code: string
  readonly reason_code: string | null
  readonly says: ReportedMeaning
  readonly outcome: EntryOutcome | null
  readonly why: string | null
}

interface EntryQuery {
  /** Only these; OPEN are those that nobody has looked at yet. */
  readonly outcome?: EntryOutcome | 'OPEN'
  /** The position after which to begin. */
  readonly after?: number
  readonly limit: number
}

/** Entries of a report in their order. */
export async function listEntries(
  tx: Tx,
  reportId: string,
  { outcome, after = 0, limit }: EntryQuery,
): Promise<readonly StoredEntry[]> {
  return (await tx.rows<EntryRow>(LIST_ENTRIES, [reportId, after, outcome ?? null, limit])).map(toEntry)
}

function toEntry(row: EntryRow): StoredEntry {
  const { merchant_id: merchantId, kind, id_payment: idPayment } = row
  return {
    position: row.position,
    level: row.level,
    reference: row.reference ?? undefined,
    key:
      merchantId === null || kind === null || idPayment === null
        ? undefined
        : { merchantId, kind, idPayment },
    statusCode: row.status_code,
    reasonCode: row.reason_code ?? undefined,
    says: row.says,
    outcome: row.outcome ?? undefined,
    why: row.why ?? undefined,
  }
}

/** Writes what became of an entry, once. */
export async function updateEntry(
  tx: Tx,
  entry: { readonly reportId: string; readonly position: number },
  became: { readonly outcome: EntryOutcome; readonly why: string | undefined },
): Promise<void> {
  await tx.rows(UPDATE_ENTRY, [entry.reportId, entry.position, became.outcome, became.why ?? null])
}

/** A report without its entries. */
export interface StoredReport {
  readonly reportId: string
  readonly fileName: string
  readonly messageId: string
  readonly originalMessageId: string
  readonly fileId: string | undefined
  readonly actor: string
  /** Who confirmed it, where two were needed. */
  readonly confirmedBy: string | undefined
  readonly receivedAt: Date
  /** How many entries came to what; OPEN are those that nobody has looked at yet. */
  readonly counts: Readonly<Partial<Record<EntryOutcome | 'OPEN', number>>>
}

interface ReportRow {
  readonly report_id: string
  readonly file_name: string
  readonly message_id: string
  readonly original_message_id: string
  readonly file_id: string | null
  readonly actor: string
  readonly confirmed_by: string | null
  readonly received_at: Date
  readonly counts: StoredReport['counts'] | null
}

export interface ReportQuery {
  readonly after: string | undefined
  /** Only those of which something was put aside. */
  readonly hasAside: boolean
  readonly limit: number
}

/** Reports, the newest first, from after one of an earlier page. */
export async function listReports(tx: Tx, query: ReportQuery): Promise<readonly StoredReport[]> {
  const rows = await tx.rows<ReportRow>(LIST, [query.after ?? null, query.hasAside, query.limit])
  return rows.map(toReport)
}

export async function findReport(tx: Tx, reportId: string): Promise<StoredReport | undefined> {
  const [row] = await tx.rows<ReportRow>(FIND, [reportId])
  return row && toReport(row)
}

function toReport(row: ReportRow): StoredReport {
  return {
    reportId: row.report_id,
    fileName: row.file_name,
    messageId: row.message_id,
    originalMessageId: row.original_message_id,
    fileId: row.file_id ?? undefined,
    actor: row.actor,
    confirmedBy: row.confirmed_by ?? undefined,
    receivedAt: row.received_at,
    counts: row.counts ?? {},
  }
}
