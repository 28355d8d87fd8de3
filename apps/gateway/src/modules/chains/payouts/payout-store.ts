import { type Amount, parsePlainAmount } from '@tollgate/money'
import type { Statement, Tx } from '../../../platform/database.ts'
import type { PaymentKind } from '../../payments/index.ts'
import type {
  ChainPayout,
  ChainPayoutState,
  ChainWallet,
  PayoutOnItsWay,
  SignedTransaction,
} from './model.ts'

const COLUMNS = `p.payout_no, p.reference, p.chain_code, p.wallet, p.merchant_id, p.kind, p.id_payment, p.currency_code, p.amount, encode(p.seal, 'hex') as seal,
    p.state, p.nonce, p.problem, p.is_unclear, p.taken_at, p.ended_at, encode(p.tx_hash, 'hex') as tx_hash, p.block_number, p.network_fee`
const ENSURE_WALLET: Statement = {
  name: 'chain_payouts_ensure_wallet',
  text: 'insert into chain_wallets (chain_code, address) values ($1, $2) on conflict do nothing',
}
const INSERT: Statement = {
  name: 'chain_payouts_insert',
  text: `insert into chain_payouts (reference, chain_code, wallet, merchant_id, kind, id_payment, currency_code, amount, seal)
    values ($1, $2, $3, $4, $5, $6, $7, $8, decode($9, 'hex')) on conflict (reference) do nothing`,
}
const FIND: Statement = {
  name: 'chain_payouts_find',
  text: `select ${COLUMNS} from chain_payouts p where reference = $1`,
}
const HOLD_LEASE: Statement = {
  name: 'chain_payouts_hold_lease',
  text: 'select from chains where chain_code = $1 and lease_no = $2 for update',
}
const LOCK_WALLET: Statement = {
  name: 'chain_payouts_lock_wallet',
  text: 'select next_nonce from chain_wallets where chain_code = $1 and address = $2 for update',
}
const SET_NEXT: Statement = {
  name: 'chain_payouts_set_next',
  text: 'update chain_wallets set next_nonce = $3 where chain_code = $1 and address = $2',
}
const SET_PROBLEM: Statement = {
  name: 'chain_payouts_set_problem',
  text: `update chain_wallets set problem = $3, problem_since = case when $3::text is null then null else coalesce(problem_since, statement_timestamp()) end
    where chain_code = $1 and address = $2 and problem is distinct from $3`,
}
const LIST_QUEUED: Statement = {
  name: 'chain_payouts_list_queued',
  text: `select ${COLUMNS} from chain_payouts p
    where chain_code = $1 and wallet = $2 and ended_at is null and state = 'QUEUED' and (retry_at is null or retry_at <= statement_timestamp())
    order by payout_no limit $3`,
}
const FIND_NUMBERED: Statement = {
  name: 'chain_payouts_find_numbered',
  text: `select ${COLUMNS} from chain_payouts p where chain_code = $1 and wallet = $2 and ended_at is null and state = 'NUMBERED' order by nonce limit 1`,
}
const LIST_SENT: Statement = {
  name: 'chain_payouts_list_sent',
  text: `select ${COLUMNS}, t.transactions, extract(epoch from statement_timestamp() - t.signed_at)::float8 as signed_seconds,
      extract(epoch from statement_timestamp() - t.sent_at)::float8 as sent_seconds
    from chain_payouts p, lateral (
      select json_agg(json_build_object('txHash', '0x' || encode(tx_hash, 'hex'), 'most', max_fee_per_gas::text, 'tip', max_priority_fee_per_gas::text)
          order by attempt_no desc) as transactions,
        max(signed_at) as signed_at, (array_agg(sent_at order by attempt_no desc))[1] as sent_at
      from chain_payout_transactions t where t.reference = p.reference) t
    where chain_code = $1 and wallet = $2 and ended_at is null and state = 'SENT' order by nonce`,
}
const NUMBER: Statement = {
  name: 'chain_payouts_number',
  text: `update chain_payouts set state = 'NUMBERED', nonce = $2, problem = null, retry_at = null where reference = $1 and state = 'QUEUED'`,
}
const PUT_BACK: Statement = {
  name: 'chain_payouts_put_back',
  text: `update chain_payouts set state = 'QUEUED', nonce = null, problem = $2, retry_at = statement_timestamp() + make_interval(secs => $3)
    where reference = $1 and state in ('QUEUED', 'NUMBERED')`,
}
const SENT: Statement = {
  name: 'chain_payouts_sent',
  text: `update chain_payouts set state = 'SENT', nonce = $2 where reference = $1 and state in ('NUMBERED', 'SENT')`,
}
const INSERT_TRANSACTIONS: Statement = {
  name: 'chain_payouts_insert_transactions',
  text: `insert into chain_payout_transactions (reference, tx_hash, attempt_no, max_fee_per_gas, max_priority_fee_per_gas)
    select $1, decode(n.hash, 'hex'), (select coalesce(max(attempt_no), 0) from chain_payout_transactions where reference = $1) + n.place, $3, $4
    from unnest($2::text[]) with ordinality as n(hash, place)
    where not exists (select from chain_payout_transactions t where t.reference = $1 and t.tx_hash = decode(n.hash, 'hex'))`,
}
const TAKEN_BY_NODE: Statement = {
  name: 'chain_payouts_taken_by_node',
  text: `update chain_payout_transactions set sent_at = statement_timestamp() where reference = $1 and tx_hash = decode($2, 'hex')`,
}
const NOTE: Statement = {
  name: 'chain_payouts_note',
  text: `update chain_payouts set problem = $2, is_unclear = $3 where reference = $1 and ended_at is null
      and (problem is distinct from $2 or is_unclear <> $3)`,
}
const NOTE_BLOCK: Statement = {
  name: 'chain_payouts_note_block',
  text: `update chain_payouts set tx_hash = decode($2, 'hex'), block_number = $3, problem = null, is_unclear = false
    where reference = $1 and ended_at is null and (tx_hash, block_number) is distinct from (decode($2, 'hex'), $3::bigint)`,
}
const END: Statement = {
  name: 'chain_payouts_end',
  text: `update chain_payouts set state = $2, ended_at = statement_timestamp(), problem = $3, is_unclear = false,
      tx_hash = decode($4, 'hex'), block_number = $5, network_fee = $6, nonce = case when $7 then null else nonce end
    where reference = $1 and ended_at is null returning reference`,
}
const LIST_NEWEST: Statement = {
  name: 'chain_payouts_list_newest',
  text: `select ${COLUMNS} from chain_payouts p where chain_code = $1 and ($2::bigint is null or payout_no < $2) order by payout_no desc limit $3`,
}
const LIST_WALLETS: Statement = {
  name: 'chain_payouts_list_wallets',
  text: `select w.chain_code, w.address, w.problem, w.problem_since, c.queued, c.on_its_way, c.troubled
    from chain_wallets w, lateral (
      select count(*) filter (where state = 'QUEUED')::int as queued, count(*) filter (where state <> 'QUEUED')::int as on_its_way,
        count(*) filter (where problem is not null)::int as troubled
      from chain_payouts p where p.chain_code = w.chain_code and p.wallet = w.address and p.ended_at is null) c`,
}

/** Names a wallet. */
export interface WalletKey {
  readonly code: string
  readonly address: string
}

/** Makes the row of a wallet that is new. */
export async function ensureWallet(tx: Tx, { code, address }: WalletKey): Promise<void> {
  await tx.rows(ENSURE_WALLET, [code, address])
}

type NewChainPayout = Pick<
  ChainPayout,
  'reference' | 'code' | 'wallet' | 'payment' | 'currencyCode' | 'amount' | 'seal'
>

/** Keeps a payout that is to leave; one that is kept already stays as it is. */
export async function insertPayout(tx: Tx, payout: NewChainPayout): Promise<void> {
  const { reference, code, wallet, payment, currencyCode, amount, seal } = payout
  const { merchantId, kind, idPayment } = payment
  await tx.rows(INSERT, [reference, code, wallet, merchantId, kind, idPayment, currencyCode, amount, seal])
}

export async function findPayout(tx: Tx, reference: string): Promise<ChainPayout | undefined> {
  const [row] = await tx.rows<PayoutRow>(FIND, [reference])
  return row && toPayout(row)
}

/** Locks the chain's row for the holder of the lease; false when another process has it by now. */
export async function holdLease(tx: Tx, code: string, leaseNo: string): Promise<boolean> {
  return (await tx.rows(HOLD_LEASE, [code, leaseNo])).length > 0
}

/** The number of the next payout, under the lock of the wallet; undefined while the chain was not asked for it. */
export async function lockNextNonce(tx: Tx, { code, address }: WalletKey): Promise<bigint | undefined> {
  const [row] = await tx.rows<{ next_nonce: string | null }>(LOCK_WALLET, [code, address])
  return row?.next_nonce === null || row === undefined ? undefined : BigInt(row.next_nonce)
}

export async function setNextNonce(tx: Tx, { code, address }: WalletKey, nonce: bigint): Promise<void> {
  await tx.rows(SET_NEXT, [code, address, String(nonce)])
}

const PROBLEM_CHARACTERS_MAX = 1_000
const cleaned = (text: string): string => text.replaceAll('\0', '�').slice(0, PROBLEM_CHARACTERS_MAX)

/** Why nothing leaves from a wallet; undefined: all is well. */
export async function setWalletProblem(
  tx: Tx,
  { code, address }: WalletKey,
  problem: string | undefined,
): Promise<void> {
  await tx.rows(SET_PROBLEM, [code, address, problem === undefined ? null : cleaned(problem)])
}

/** Payouts that wait for a number, the oldest first; those that are put off left out. */
export async function listQueued(
  tx: Tx,
  { code, address }: WalletKey,
  limit: number,
): Promise<readonly ChainPayout[]> {
  return (await tx.rows<PayoutRow>(LIST_QUEUED, [code, address, limit])).map(toPayout)
}

/** The payout that has a number, and of which it is not known yet whether it was signed. */
export async function findNumbered(tx: Tx, { code, address }: WalletKey): Promise<ChainPayout | undefined> {
  const [row] = await tx.rows<PayoutRow>(FIND_NUMBERED, [code, address])
  return row && toPayout(row)
}

/** Payouts whose transactions nodes may have, by their numbers. */
export async function listSent(tx: Tx, { code, address }: WalletKey): Promise<readonly PayoutOnItsWay[]> {
  const rows = await tx.rows<SentRow>(LIST_SENT, [code, address])
  return rows.map((row) => ({
    ...toPayout(row),
    transactions: (row.transactions ?? []).map(({ txHash, most, tip }) => ({
      txHash,
      maxFeePerGas: BigInt(most),
      maxPriorityFeePerGas: BigInt(tip),
    })),
    signedSeconds: row.signed_seconds ?? 0,
    sentSeconds: row.sent_seconds ?? undefined,
  }))
}

export async function updateNumbered(tx: Tx, reference: string, nonce: bigint): Promise<void> {
  await tx.rows(NUMBER, [reference, String(nonce)])
}

/** Nothing was signed for it: it waits again, without a number. */
export async function updatePutBack(
  tx: Tx,
  reference: string,
  { problem, seconds }: { readonly problem: string | undefined; readonly seconds: number },
): Promise<void> {
  await tx.rows(PUT_BACK, [reference, problem === undefined ? null : cleaned(problem), seconds])
}

/** A transaction was signed for it, and those before it: `hashes`, the latest last. */
export async function updateSent(
  tx: Tx,
  reference: string,
  signed: Omit<SignedTransaction, 'txHash'> & { readonly nonce: bigint; readonly hashes: readonly string[] },
): Promise<void> {
  const hashes = signed.hashes.map((hash) => hash.slice(2))
  await tx.rows(SENT, [reference, String(signed.nonce)])
  await tx.rows(INSERT_TRANSACTIONS, [
    reference,
    hashes,
    String(signed.maxFeePerGas),
    String(signed.maxPriorityFeePerGas),
  ])
}

/** A node has the transaction. */
export async function noteTaken(tx: Tx, reference: string, txHash: string): Promise<void> {
  await tx.rows(TAKEN_BY_NODE, [reference, txHash.slice(2)])
}

/** Why it does not go on; undefined: it does. */
export async function notePayout(
  tx: Tx,
  reference: string,
  { problem, isUnclear }: { readonly problem: string | undefined; readonly isUnclear: boolean },
): Promise<void> {
  await tx.rows(NOTE, [reference, problem === undefined ? null : cleaned(problem), isUnclear])
}

/** It is in a block, which does not count yet. */
export async function noteInBlock(
  tx: Tx,
  reference: string,
  at: { readonly txHash: string; readonly blockNumber: number },
): Promise<void> {
  await tx.rows(NOTE_BLOCK, [reference, at.txHash.slice(2), at.blockNumber])
}

/** How a payout ended. */
export interface PayoutEnd {
  readonly state: Extract<ChainPayoutState, 'PAID' | 'FAILED' | 'DECIDED'>
  /** Of FAILED: why, in a sentence for the merchant; otherwise for operators. */
  readonly why?: string
  /** Undefined when no block has it. */
  readonly inBlock:
    | { readonly txHash: string; readonly blockNumber: number; readonly networkFee: Amount }
    | undefined
  /** Nothing was ever signed for it: its number is free again. */
  readonly isUnsigned?: true
}

/** Ends it; false when it had ended before. */
export async function updateEnded(
  tx: Tx,
  reference: string,
  { state, why, inBlock, isUnsigned }: PayoutEnd,
): Promise<boolean> {
  const values = [
    reference,
    state,
    why === undefined ? null : cleaned(why),
    inBlock?.txHash.slice(2) ?? null,
    inBlock?.blockNumber ?? null,
    inBlock?.networkFee ?? null,
    isUnsigned === true,
  ]
  return (await tx.rows(END, values)).length > 0
}

/** Payouts of a chain, the newest first, from before a place. */
export async function listNewestPayouts(
  tx: Tx,
  {
    code,
    before,
    limit,
  }: { readonly code: string; readonly before: string | undefined; readonly limit: number },
): Promise<readonly ChainPayout[]> {
  return (await tx.rows<PayoutRow>(LIST_NEWEST, [code, before ?? null, limit])).map(toPayout)
}

interface WalletRow {
  readonly chain_code: string
  readonly address: string
  readonly problem: string | null
  readonly problem_since: Date | null
  readonly queued: number
  readonly on_its_way: number
  readonly troubled: number
}

/** All wallets that ever were, with what waits there. */
export async function listWallets(tx: Tx): Promise<readonly ChainWallet[]> {
  return (await tx.rows<WalletRow>(LIST_WALLETS, [])).map((row) => ({
    code: row.chain_code,
    address: row.address,
    problem:
      row.problem === null || row.problem_since === null
        ? undefined
        : { message: row.problem, since: row.problem_since },
    queuedCount: row.queued,
    onItsWayCount: row.on_its_way,
    troubledCount: row.troubled,
  }))
}

interface PayoutRow {
  readonly payout_no: string
  readonly reference: string
  readonly chain_code: string
  readonly wallet: string
  readonly merchant_id: string
  readonly kind: PaymentKind
  readonly id_payment: string
  readonly currency_code: string
  readonly amount: string
  readonly seal: string
  readonly state: ChainPayoutState
  readonly nonce: string | null
  readonly problem: string | null
  readonly is_unclear: boolean
  readonly taken_at: Date
  readonly ended_at: Date | null
  readonly tx_hash: string | null
  readonly block_number: string | null
  readonly network_fee: string | null
}

interface SentRow extends PayoutRow {
  readonly transactions:
    | readonly { readonly txHash: string; readonly most: string; readonly tip: string }[]
    | null
  readonly signed_seconds: number | null
  readonly sent_seconds: number | null
}

function toPayout(row: PayoutRow): ChainPayout {
  const {
    payout_no: payoutNo,
    reference,
    chain_code: code,
    wallet,
    currency_code: currencyCode,
    seal,
    state,
  } = row
  return {
    payoutNo,
    reference,
    code,
    wallet,
    currencyCode,
    seal,
    state,
    payment: { merchantId: row.merchant_id, kind: row.kind, idPayment: row.id_payment },
    amount: parsePlainAmount(row.amount),
    nonce: row.nonce === null ? undefined : BigInt(row.nonce),
    problem: row.problem ?? undefined,
    isUnclear: row.is_unclear,
    takenAt: row.taken_at,
    endedAt: row.ended_at ?? undefined,
    txHash: row.tx_hash === null ? undefined : `0x${row.tx_hash}`,
    blockNumber: row.block_number === null ? undefined : Number(row.block_number),
    networkFee: row.network_fee === null ? undefined : parsePlainAmount(row.network_fee),
  }
}
