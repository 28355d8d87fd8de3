import { parsePlainAmount } from '@tollgate/money'
import type { Statement, Tx } from '../../platform/database.ts'
import type { PayoutFormat } from '../bank-accounts/index.ts'
import type { PaymentKey, PaymentKind } from '../payments/index.ts'
import type { FileEvent, FilePayment, FilePut, PayoutFile, PutState, TransferSpeed } from './model.ts'

const COLUMNS = `f.file_id, f.file_no, f.account_code, f.currency_code, f.format, f.speed, f.payment_count, f.control_sum,
  to_char(f.execution_on, 'YYYY-MM-DD') as execution_on, f.byte_count, encode(f.content_hash, 'hex') as content_hash,
  f.is_for_folder, f.created_by, f.created_at,
  (select min(e.happened_at) from payout_file_events e where e.file_id = f.file_id and e.event = 'SUBMITTED') as submitted_at,
  coalesce((select array_agg(distinct e.event) from payout_file_events e where e.file_id = f.file_id), '{}') as events,
  u.channel_code, u.state as put_state, u.why as put_why, u.changed_at as put_changed_at`
const FILES = 'payout_files f left join payout_file_puts u on u.file_id = f.file_id'

const INSERT: Statement = {
  name: 'payout_files_insert',
  text: `insert into payout_files (file_id, account_code, currency_code, format, payment_count, control_sum, execution_on,
      data_key, sealed, byte_count, content_hash, is_for_folder, created_by, created_at, speed)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)`,
}
const INSERT_PAYMENTS: Statement = {
  name: 'payout_files_insert_payments',
  text: `insert into payout_file_payments (merchant_id, kind, id_payment, file_id, position, reference, amount)
    select n.merchant_id, n.kind, n.id_payment, $4, n.position, n.reference, n.amount
    from unnest($1::bigint[], $2::text[], $3::text[], $5::integer[], $6::text[], $7::numeric[])
      as n(merchant_id, kind, id_payment, position, reference, amount)`,
}
const INSERT_EVENT: Statement = {
  name: 'payout_files_insert_event',
  text: `insert into payout_file_events (file_id, event, actor) values ($1, $2, $3) on conflict do nothing returning event_id`,
}
const LIST: Statement = {
  name: 'payout_files_list',
  text: `select ${COLUMNS} from ${FILES} where $1::bigint is null or f.file_no < $1 order by f.file_no desc limit $2`,
}
const FIND_LATEST_AT: Statement = {
  name: 'payout_files_find_latest_at',
  text: 'select created_at from payout_files where currency_code = $1 order by file_no desc limit 1',
}
const FIND: Statement = {
  name: 'payout_files_find',
  text: `select ${COLUMNS} from ${FILES} where f.file_id = $1`,
}
const FIND_CONTENT: Statement = {
  name: 'payout_files_find_content',
  text: `select data_key, sealed, content_hash from payout_files where file_id = $1`,
}
const LIST_PAYMENTS: Statement = {
  name: 'payout_files_list_payments',
  text: `select p.merchant_id, p.kind, p.id_payment, p.position, p.reference, p.amount, f.currency_code
    from payout_file_payments p join payout_files f using (file_id) where file_id = $1 order by p.position`,
}
const LOCK: Statement = {
  name: 'payout_files_lock',
  text: 'select from payout_files where file_id = $1 for no key update',
}
const IS_WITH_NOBODY = `not exists (
      select from payout_file_events e where e.file_id = f.file_id and e.event in ('LAYING', 'FETCHED', 'SUBMITTED'))`
const LIST_TO_LAY: Statement = {
  name: 'payout_files_list_to_lay',
  text: `select f.file_id from payout_files f where f.is_for_folder and ${IS_WITH_NOBODY} order by f.file_no limit $1`,
}
const INSERT_LAYING: Statement = {
  name: 'payout_files_insert_laying',
  text: `insert into payout_file_events (file_id, event, actor)
    select f.file_id, 'LAYING', $2 from payout_files f where f.file_id = $1 and ${IS_WITH_NOBODY} returning event_id`,
}

const FIND_OWN_OPEN: Statement = {
  name: 'payout_files_find_own_open',
  text: `select f.file_id from payout_files f
    where f.account_code = any ($1::text[]) and f.created_by = $2 and exists (
      select from payout_file_payments x join payments p using (merchant_id, kind, id_payment)
      where x.file_id = f.file_id and p.status = 'CREATED')
    order by f.file_no limit 1`,
}
const FIND_OF_PAYMENT: Statement = {
  name: 'payout_files_find_of_payment',
  text: `select f.file_id, f.created_by from payout_file_payments x join payout_files f using (file_id)
    where x.merchant_id = $1 and x.kind = $2 and x.id_payment = $3`,
}

/** A file that this actor made, that leaves from one of the accounts, and of which payments have not ended. */
export async function findOwnOpenFile(
  tx: Tx,
  accountCodes: readonly string[],
  actor: string,
): Promise<string | undefined> {
  const [row] = await tx.rows<Pick<FileRow, 'file_id'>>(FIND_OWN_OPEN, [[...accountCodes], actor])
  return row?.file_id
}

/** The file that a payment leaves in, and who made it. */
export async function findFileOfPayment(
  tx: Tx,
  { merchantId, kind, idPayment }: PaymentKey,
): Promise<Pick<PayoutFile, 'fileId' | 'createdBy'> | undefined> {
  const [row] = await tx.rows<Pick<FileRow, 'file_id' | 'created_by'>>(FIND_OF_PAYMENT, [
    merchantId,
    kind,
    idPayment,
  ])
  return row && { fileId: row.file_id, createdBy: row.created_by }
}

interface FileRow {
  readonly file_id: string
  readonly file_no: string
  readonly account_code: string
  readonly currency_code: string
  readonly format: PayoutFormat
  readonly speed: TransferSpeed
  readonly payment_count: number
  readonly control_sum: string
  readonly execution_on: string
  readonly byte_count: number
  readonly content_hash: string
  readonly is_for_folder: boolean
  readonly created_by: string
  readonly created_at: Date
  readonly submitted_at: Date | null
  readonly events: readonly FileEvent[]
  readonly channel_code: string | null
  readonly put_state: PutState | null
  readonly put_why: string | null
  readonly put_changed_at: Date | null
}

/** A file as it is stored. */
interface NewFile
  extends Pick<
    PayoutFile,
    'fileId' | 'accountCode' | 'format' | 'speed' | 'controlSum' | 'executionOn' | 'createdBy' | 'createdAt'
  > {
  readonly dataKey: Buffer
  readonly sealed: Buffer
  readonly byteCount: number
  readonly contentHash: Buffer
  readonly isForFolder: boolean
  readonly payments: readonly FilePayment[]
}

/** Stores a file with the payments that are in it. A payment that is in another one makes it fail as a whole. */
export async function insertFile(tx: Tx, file: NewFile): Promise<void> {
  const { payments, controlSum } = file
  await tx.rows(INSERT, [
    file.fileId,
    file.accountCode,
    controlSum.currencyCode,
    file.format,
    payments.length,
    controlSum.amount,
    file.executionOn,
    file.dataKey,
    file.sealed,
    file.byteCount,
    file.contentHash,
    file.isForFolder,
    file.createdBy,
    file.createdAt,
    file.speed,
  ])
  await tx.rows(INSERT_PAYMENTS, [
    payments.map(({ merchantId }) => merchantId),
    payments.map(({ kind }) => kind),
    payments.map(({ idPayment }) => idPayment),
    file.fileId,
    payments.map(({ position }) => position),
    payments.map(({ reference }) => reference),
    payments.map(({ money }) => money.amount),
  ])
}

/** Notes what was done with a file; false when it was noted before, where it happens once. */
export async function insertFileEvent(
  tx: Tx,
  fileId: string,
  { event, actor }: { readonly event: FileEvent; readonly actor: string },
): Promise<boolean> {
  return (await tx.rows(INSERT_EVENT, [fileId, event, actor])).length > 0
}

/** A file and its place in the order of files. */
export interface ListedFile {
  readonly file: PayoutFile
  readonly fileNo: string
}

/** Files, the newest first, from after a place of an earlier page. */
export async function listFiles(
  tx: Tx,
  { after, limit }: { readonly after: string | undefined; readonly limit: number },
): Promise<readonly ListedFile[]> {
  const rows = await tx.rows<FileRow>(LIST, [after ?? null, limit])
  return rows.map((row) => ({ file: toFile(row), fileNo: row.file_no }))
}

/** When the latest file of the currency was made. */
export async function findLatestFileAt(tx: Tx, currencyCode: string): Promise<Date | undefined> {
  const [row] = await tx.rows<{ readonly created_at: Date }>(FIND_LATEST_AT, [currencyCode])
  return row?.created_at
}

export async function findFile(tx: Tx, fileId: string): Promise<PayoutFile | undefined> {
  const [row] = await tx.rows<FileRow>(FIND, [fileId])
  return row && toFile(row)
}

/** The bytes of a file, sealed, and their SHA-256. */
export async function findFileContent(
  tx: Tx,
  fileId: string,
): Promise<{ readonly dataKey: Buffer; readonly sealed: Buffer; readonly contentHash: Buffer } | undefined> {
  const [row] = await tx.rows<{ data_key: Buffer; sealed: Buffer; content_hash: Buffer }>(FIND_CONTENT, [
    fileId,
  ])
  return row && { dataKey: row.data_key, sealed: row.sealed, contentHash: row.content_hash }
}

interface FilePaymentRow {
  readonly merchant_id: string
  readonly kind: PaymentKind
  readonly id_payment: string
  readonly position: number
  readonly reference: string
  readonly amount: string
  readonly currency_code: string
}

/** The payments of a file in their order. */
export async function listFilePayments(tx: Tx, fileId: string): Promise<readonly FilePayment[]> {
  const rows = await tx.rows<FilePaymentRow>(LIST_PAYMENTS, [fileId])
  return rows.map((row) => ({
    ...keyOf(row),
    position: row.position,
    reference: row.reference,
    money: { amount: parsePlainAmount(row.amount), currencyCode: row.currency_code },
  }))
}

const keyOf = (row: FilePaymentRow): PaymentKey => ({
  merchantId: row.merchant_id,
  kind: row.kind,
  idPayment: row.id_payment,
})

/** What becomes of a file is noted under this lock, so that it is laid into the folder or carried by a person. */
export async function lockFile(tx: Tx, fileId: string): Promise<void> {
  await tx.rows(LOCK, [fileId])
}

/** Notes under the lock of the file that it is being laid into the folder; false when somebody has it. */
export async function insertLaying(tx: Tx, fileId: string, actor: string): Promise<boolean> {
  return (await tx.rows(INSERT_LAYING, [fileId, actor])).length > 0
}

/** Files that are to be laid into the folder and that nobody has, the oldest first. */
export async function listFilesToLay(tx: Tx, limit: number): Promise<readonly string[]> {
  return (await tx.rows<{ file_id: string }>(LIST_TO_LAY, [limit])).map((row) => row.file_id)
}

function toFile(row: FileRow): PayoutFile {
  return {
    fileId: row.file_id,
    accountCode: row.account_code,
    format: row.format,
    speed: row.speed,
    paymentCount: row.payment_count,
    controlSum: { amount: parsePlainAmount(row.control_sum), currencyCode: row.currency_code },
    executionOn: row.execution_on,
    byteCount: row.byte_count,
    contentHash: row.content_hash,
    createdBy: row.created_by,
    createdAt: row.created_at,
    submittedAt: row.submitted_at ?? undefined,
    folder: folderOf(row),
    put: putOf(row),
  }
}

function putOf({ channel_code, put_state, put_why, put_changed_at }: FileRow): FilePut | undefined {
  if (channel_code === null || put_state === null || put_changed_at === null) return undefined
  return { channelCode: channel_code, state: put_state, why: put_why ?? undefined, changedAt: put_changed_at }
}

function folderOf({ events }: FileRow): PayoutFile['folder'] {
  if (events.includes('LAID')) return 'LAID'
  return events.includes('LAYING') ? 'LAYING' : 'NONE'
}
