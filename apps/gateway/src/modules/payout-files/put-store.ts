import type { Statement, Tx } from '../../platform/database.ts'
import type { FilePut, PutState } from './model.ts'

const INSERT: Statement = {
  name: 'payout_file_puts_insert',
  text: `insert into payout_file_puts (file_id, channel_code) values ($1, $2)`,
}
const LIST_OPEN: Statement = {
  name: 'payout_file_puts_list_open',
  text: `select file_id as "fileId", state from payout_file_puts
    where channel_code = $1 and state in ('WAITING', 'STAGING', 'RELEASING') order by file_id limit $2`,
}
const BEGIN: Statement = {
  name: 'payout_file_puts_begin',
  text: `update payout_file_puts set state = 'STAGING', attempt = attempt + 1, changed_at = statement_timestamp()
    where file_id = $1 and state in ('WAITING', 'STAGING') returning attempt`,
}
const MOVE: Statement = {
  name: 'payout_file_puts_move',
  text: `update payout_file_puts set state = $3, why = $4, sent_byte_count = coalesce($6, sent_byte_count), changed_at = statement_timestamp()
    where file_id = $1 and attempt = $2 and state = any ($5::text[]) returning 1`,
}
const FIND: Statement = {
  name: 'payout_file_puts_find',
  text: `select channel_code as "channelCode", state, attempt, why, sent_byte_count as "sentByteCount", changed_at as "changedAt"
    from payout_file_puts where file_id = $1`,
}
const TAKE_BY_HAND: Statement = {
  name: 'payout_file_puts_take_by_hand',
  text: `update payout_file_puts set state = 'BY_HAND', why = $2, changed_at = statement_timestamp()
    where file_id = $1 and (state in ('WAITING', 'STAGING', 'UNCLEAR')
      or state = 'RELEASING' and changed_at < statement_timestamp() - make_interval(secs => $3)) returning 1`,
}
const SETTLE_BY_WORD: Statement = {
  name: 'payout_file_puts_settle_by_word',
  text: `update payout_file_puts set state = case when state in ('WAITING', 'STAGING') then 'BY_HAND' else 'PUT' end, changed_at = statement_timestamp()
    where file_id = $1 and state in ('WAITING', 'STAGING', 'RELEASING', 'UNCLEAR')`,
}
/** A file is to go over a channel. In the transaction that stores it. */
export async function insertPut(tx: Tx, fileId: string, channelCode: string): Promise<void> {
  await tx.rows(INSERT, [fileId, channelCode])
}

/** What is on its way over a channel, in the order of the files' ids. */
export const listOpenPuts = (
  tx: Tx,
  channelCode: string,
  limit: number,
): Promise<readonly { readonly fileId: string; readonly state: 'WAITING' | 'STAGING' | 'RELEASING' }[]> =>
  tx.rows(LIST_OPEN, [channelCode, limit])

/** Begins an attempt, and gives its number; undefined when nothing is to be begun. */
export async function beginPut(tx: Tx, fileId: string): Promise<number | undefined> {
  return (await tx.rows<{ readonly attempt: number }>(BEGIN, [fileId]))[0]?.attempt
}

interface PutMove {
  readonly attempt: number
  readonly from: readonly PutState[]
  readonly to: PutState
  readonly why?: string
  /** As it lies at the bank. */
  readonly sentByteCount?: number
}

/** One step of an attempt; false when another one counts by now. */
export async function movePut(
  tx: Tx,
  fileId: string,
  { attempt, from, to, why, sentByteCount }: PutMove,
): Promise<boolean> {
  const given = [fileId, attempt, to, why ?? null, [...from], sentByteCount ?? null]
  return (await tx.rows(MOVE, given)).length > 0
}

interface FoundPut extends FilePut {
  readonly attempt: number
  /** Undefined before it was sent. */
  readonly sentByteCount: number | undefined
}

type PutRow = Omit<FoundPut, 'why' | 'sentByteCount'> & {
  readonly why: string | null
  readonly sentByteCount: number | null
}

/** How a file goes over its channel; undefined for one that goes over none. */
export async function findPut(tx: Tx, fileId: string): Promise<FoundPut | undefined> {
  const [row] = await tx.rows<PutRow>(FIND, [fileId])
  return row && { ...row, why: row.why ?? undefined, sentByteCount: row.sentByteCount ?? undefined }
}

/** A person carries the file. False when the bank has it, may be getting it at this moment, or a person has it already. */
export async function takePutByHand(
  tx: Tx,
  fileId: string,
  why: string,
  quietSeconds: number,
): Promise<boolean> {
  return (await tx.rows(TAKE_BY_HAND, [fileId, why, quietSeconds])).length > 0
}

/** A person said that the bank has the file: it is not put any more. */
export async function settlePutByWord(tx: Tx, fileId: string): Promise<void> {
  await tx.rows(SETTLE_BY_WORD, [fileId])
}
