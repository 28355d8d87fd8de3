import { type Amount, parsePlainAmount } from '@tollgate/money'
import type { Statement, Tx } from '../../../platform/database.ts'
import type { StoredSweep, SweepStep, SweepTransaction } from './model.ts'

const COLUMNS = `transaction_no, '0x' || encode(tx_hash, 'hex') as tx_hash, step, reference, sender, nonce, '0x' || encode(signed, 'hex') as signed, state,
    given_by, given_at, extract(epoch from statement_timestamp() - sent_at)::float8 as sent_seconds, problem, block_number, trim_scale(network_fee)::text as network_fee, ended_at`
const INSERT: Statement = {
  name: 'chain_sweeps_insert',
  text: `insert into chain_sweep_transactions (chain_code, tx_hash, step, reference, sender, nonce, signed, given_by)
    select $1, decode(n.tx_hash, 'hex'), n.step, n.reference, n.sender, n.nonce, decode(n.signed, 'hex'), $8
    from unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::numeric[], $7::text[]) with ordinality
      as n(tx_hash, step, reference, sender, nonce, signed, place) order by place
    on conflict (chain_code, tx_hash) do nothing returning 1`,
}
const LIST_OPEN: Statement = {
  name: 'chain_sweeps_list_open',
  text: `select ${COLUMNS} from chain_sweep_transactions where chain_code = $1 and state = 'WAITING' order by transaction_no limit $2`,
}
const LIST_NEWEST: Statement = {
  name: 'chain_sweeps_list_newest',
  text: `select ${COLUMNS} from chain_sweep_transactions where chain_code = $1 and ($2::bigint is null or transaction_no < $2) order by transaction_no desc limit $3`,
}
const IS_FUNDING: Statement = {
  name: 'chain_sweeps_is_funding',
  text: `select from chain_sweep_transactions where chain_code = $1 and reference = $2 and step = 'FUND' and state = 'WAITING' and block_number is null`,
}
const NOTE_SENT: Statement = {
  name: 'chain_sweeps_note_sent',
  text: `update chain_sweep_transactions set problem = $3, sent_at = statement_timestamp() where chain_code = $1 and tx_hash = decode($2, 'hex') and state = 'WAITING'`,
}
const NOTE_IN_BLOCK: Statement = {
  name: 'chain_sweeps_note_in_block',
  text: `update chain_sweep_transactions set block_number = $3, problem = null where chain_code = $1 and tx_hash = decode($2, 'hex') and state = 'WAITING'`,
}
const END: Statement = {
  name: 'chain_sweeps_end',
  text: `update chain_sweep_transactions set state = $3, block_number = $4, network_fee = $5, problem = null, ended_at = statement_timestamp()
    where chain_code = $1 and tx_hash = decode($2, 'hex') and state = 'WAITING' returning 1`,
}

/** Keeps transactions in their order; those that are known stay as they are. Answers how many are new. */
export async function insertSweeps(
  tx: Tx,
  code: string,
  { transactions, by }: { readonly transactions: readonly SweepTransaction[]; readonly by: string },
): Promise<number> {
  const rows = await tx.rows(INSERT, [
    code,
    transactions.map(({ txHash }) => txHash.slice(2)),
    transactions.map(({ step }) => step),
    transactions.map(({ reference }) => reference),
    transactions.map(({ sender }) => sender),
    transactions.map(({ nonce }) => String(nonce)),
    transactions.map(({ signed }) => signed.slice(2)),
    by,
  ])
  return rows.length
}

interface SweepRow {
  readonly transaction_no: string
  readonly tx_hash: string
  readonly step: SweepStep
  readonly reference: string
  readonly sender: string
  readonly nonce: string
  readonly signed: string
  readonly state: StoredSweep['state']
  readonly given_by: string
  readonly given_at: Date
  readonly sent_seconds: number | null
  readonly problem: string | null
  readonly block_number: string | null
  readonly network_fee: string | null
  readonly ended_at: Date | null
}

/** What no block that counts has yet, in the order in which it was given. */
export async function listOpenSweeps(tx: Tx, code: string, limit: number): Promise<readonly StoredSweep[]> {
  return (await tx.rows<SweepRow>(LIST_OPEN, [code, limit])).map(toSweep)
}

/** All of a chain, the newest first, from before a place. */
export async function listNewestSweeps(
  tx: Tx,
  {
    code,
    before,
    limit,
  }: { readonly code: string; readonly before: string | undefined; readonly limit: number },
): Promise<readonly StoredSweep[]> {
  return (await tx.rows<SweepRow>(LIST_NEWEST, [code, before ?? null, limit])).map(toSweep)
}

/** Whether an address still waits for the coins that it pays with. */
export async function isFunding(tx: Tx, code: string, reference: string): Promise<boolean> {
  return (await tx.rows(IS_FUNDING, [code, reference])).length > 0
}

/** Nodes were given it; undefined when one took it, otherwise their words. */
export async function noteSweepSent(
  tx: Tx,
  code: string,
  { txHash, problem }: { readonly txHash: string; readonly problem: string | undefined },
): Promise<void> {
  await tx.rows(NOTE_SENT, [code, txHash.slice(2), problem ?? null])
}

/** It is in a block with too few on top, or in none any more. */
export async function noteSweepInBlock(
  tx: Tx,
  code: string,
  { txHash, blockNumber }: { readonly txHash: string; readonly blockNumber: number | undefined },
): Promise<void> {
  await tx.rows(NOTE_IN_BLOCK, [code, txHash.slice(2), blockNumber ?? null])
}

/** How a transaction ended; one that another took the place of cost nothing. */
export type SweepEnd =
  | { readonly state: 'DONE' | 'FAILED'; readonly blockNumber: number; readonly networkFee: Amount }
  | { readonly state: 'SUPERSEDED' }

/** False when it had ended before. */
export async function updateSweepEnded(
  tx: Tx,
  code: string,
  { txHash, end }: { readonly txHash: string; readonly end: SweepEnd },
): Promise<boolean> {
  const { blockNumber, networkFee } = { blockNumber: null, networkFee: null, ...end }
  return (await tx.rows(END, [code, txHash.slice(2), end.state, blockNumber, networkFee])).length > 0
}

function toSweep(row: SweepRow): StoredSweep {
  return {
    transactionNo: row.transaction_no,
    txHash: row.tx_hash,
    step: row.step,
    reference: row.reference,
    sender: row.sender,
    nonce: BigInt(row.nonce),
    signed: row.signed,
    state: row.state,
    givenBy: row.given_by,
    givenAt: row.given_at,
    sentSeconds: row.sent_seconds ?? undefined,
    problem: row.problem ?? undefined,
    blockNumber: row.block_number === null ? undefined : Number(row.block_number),
    networkFee: row.network_fee === null ? undefined : parsePlainAmount(row.network_fee),
    endedAt: row.ended_at ?? undefined,
  }
}
