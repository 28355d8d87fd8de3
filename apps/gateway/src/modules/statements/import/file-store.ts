import type { Statement, Tx } from '../../../platform/database.ts'
import type { FileFormat, ParsedBalance } from '../formats/parsed.ts'

const INSERT_FILE: Statement = {
  name: 'statements_insert_file',
  text: `insert into statement_files (content_hash, file_name, format, byte_count, actor, warnings, confirmed_by)
    values ($1, $2, $3, $4, $5, $6, $7) on conflict (content_hash) do nothing returning file_id`,
}
const FIND_FILE: Statement = {
  name: 'statements_find_file',
  text: 'select file_id from statement_files where content_hash = $1',
}
const INSERT_STATEMENT: Statement = {
  name: 'statements_insert_statement',
  text: `insert into statements (file_id, position, account_code, currency_code, is_notification, bank_name, opening_amount, opening_on,
      closing_amount, closing_on, line_count, known_count, pending_count, adds_up, is_final)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15) returning statement_id`,
}
const LIST_FILES: Statement = {
  name: 'statements_list_files',
  text: `select f.file_id, f.file_name, f.format, f.actor, f.confirmed_by, f.warnings, f.received_at,
      count(s.statement_id)::int as statements, coalesce(sum(s.line_count), 0)::int as lines, coalesce(sum(s.known_count), 0)::int as known,
      coalesce(sum(s.pending_count), 0)::int as pending, array_agg(distinct s.account_code) as accounts,
      coalesce(json_agg(json_build_object('accountCode', s.account_code, 'currencyCode', s.currency_code,
        'opening', s.opening_amount::text, 'openedOn', s.opening_on, 'closing', s.closing_amount::text, 'closedOn', s.closing_on,
        'addsUp', coalesce(s.adds_up, false)) order by s.position)
        filter (where s.position <= $3 and s.opening_amount is not null), '[]') as balances
    from statement_files f join statements s using (file_id)
    where ($1::bigint is null or f.file_id < $1) group by f.file_id order by f.file_id desc limit $2`,
}

interface NewFile {
  readonly contentHash: Buffer
  readonly fileName: string
  readonly format: FileFormat
  readonly byteCount: number
  readonly actor: string
  readonly confirmedBy: string | undefined
  readonly warnings: readonly string[]
}

/** Stores that a file came; undefined when the same one is here already. */
export async function insertFile(tx: Tx, file: NewFile): Promise<string | undefined> {
  const rows = await tx.rows<{ file_id: string }>(INSERT_FILE, [
    file.contentHash,
    file.fileName,
    file.format,
    file.byteCount,
    file.actor,
    file.warnings,
    file.confirmedBy ?? null,
  ])
  return rows[0]?.file_id
}

/** The id of the file with these bytes. */
export async function findFile(tx: Tx, contentHash: Buffer): Promise<string | undefined> {
  return (await tx.rows<{ file_id: string }>(FIND_FILE, [contentHash]))[0]?.file_id
}

interface NewStatement {
  readonly fileId: string
  readonly position: number
  readonly accountCode: string
  readonly currencyCode: string
  readonly isNotification: boolean
  readonly bankName: string | undefined
  readonly opening: ParsedBalance | undefined
  readonly closing: ParsedBalance | undefined
  readonly lineCount: number
  readonly knownCount: number
  readonly pendingCount: number
  /** Its lines make the difference between its balances. */
  readonly addsUp: boolean
  /** Nothing can be booked on its days any more. */
  readonly isFinal: boolean
}

/** Stores a statement of a file; answers its id. */
export async function insertStatement(tx: Tx, statement: NewStatement): Promise<string> {
  const [row] = await tx.rows<{ statement_id: string }>(INSERT_STATEMENT, [
    statement.fileId,
    statement.position,
    statement.accountCode,
    statement.currencyCode,
    statement.isNotification,
    statement.bankName ?? null,
    ...balanceValues(statement.opening),
    ...balanceValues(statement.closing),
    statement.lineCount,
    statement.knownCount,
    statement.pendingCount,
    statement.addsUp,
    statement.isFinal,
  ])
  if (row === undefined) throw new Error('a statement was inserted and has no id')
  return row.statement_id
}

const balanceValues = (balance: ParsedBalance | undefined): readonly unknown[] => [
  balance?.amount ?? null,
  balance?.on ?? null,
]

/** A file as it is listed. */
export interface StatementFile {
  readonly fileId: string
  readonly fileName: string
  readonly format: FileFormat
  readonly actor: string
  /** Who confirmed it, where two were needed. */
  readonly confirmedBy: string | undefined
  readonly warnings: readonly string[]
  readonly receivedAt: Date
  readonly statementCount: number
  readonly lineCount: number
  /** Lines that an earlier file had brought. */
  readonly knownCount: number
  readonly pendingCount: number
  readonly accountCodes: readonly string[]
  /** Of its first statements. */
  readonly balances: readonly StatementBalances[]
}

/** What the bank says was on an account before and after. */
interface StatementBalances {
  readonly accountCode: string
  readonly currencyCode: string
  /** Plain decimals. */
  readonly opening: string
  readonly closing: string
  /** ISO 8601. */
  readonly openedOn: string | null
  readonly closedOn: string | null
  readonly addsUp: boolean
}

const BALANCES_SHOWN_MAX = 20

interface FileRow {
  readonly file_id: string
  readonly file_name: string
  readonly format: FileFormat
  readonly actor: string
  readonly confirmed_by: string | null
  readonly warnings: readonly string[]
  readonly received_at: Date
  readonly statements: number
  readonly lines: number
  readonly known: number
  readonly pending: number
  readonly accounts: readonly string[]
  readonly balances: readonly StatementBalances[]
}

/** Files, the newest first, from before one of an earlier page. */
export async function listFiles(
  tx: Tx,
  page: { readonly before: string | undefined; readonly limit: number },
): Promise<readonly StatementFile[]> {
  const rows = await tx.rows<FileRow>(LIST_FILES, [page.before ?? null, page.limit, BALANCES_SHOWN_MAX])
  return rows.map((row) => ({
    fileId: row.file_id,
    fileName: row.file_name,
    format: row.format,
    actor: row.actor,
    confirmedBy: row.confirmed_by ?? undefined,
    warnings: row.warnings,
    receivedAt: row.received_at,
    statementCount: row.statements,
    lineCount: row.lines,
    knownCount: row.known,
    pendingCount: row.pending,
    accountCodes: row.accounts,
    balances: row.balances,
  }))
}
