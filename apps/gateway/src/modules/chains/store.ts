import { type Amount, parsePlainAmount } from '@tollgate/money'
import type { Statement, Tx } from '../../platform/database.ts'
import type { PaymentKey, PaymentKind } from '../payments/index.ts'
import type { ChainFaultKind } from './errors.ts'
import type { ChainState, SeenTransfer, StoredTransfer, TransferState } from './model.ts'

const ENSURE: Statement = {
  name: 'chains_ensure',
  text: `insert into chains (chain_code) select unnest($1::text[]) on conflict do nothing`,
}
const CLAIM: Statement = {
  name: 'chains_claim',
  text: `update chains set lease_no = lease_no + 1, leased_until = statement_timestamp() + make_interval(secs => $2), looked_at = statement_timestamp()
    where chain_code = $1 and (leased_until is null or leased_until < statement_timestamp()) and next_look_at <= statement_timestamp()
    returning lease_no as "leaseNo", failures`,
}
const RENEW: Statement = {
  name: 'chains_renew',
  text: `update chains set leased_until = statement_timestamp() + make_interval(secs => $3) where chain_code = $1 and lease_no = $2 and leased_until is not null`,
}
const SUCCEEDED: Statement = {
  name: 'chains_succeeded',
  text: `update chains set leased_until = null, succeeded_at = statement_timestamp(), failures = 0, fault_kind = null, fault = null, faulted_at = null,
      next_look_at = statement_timestamp() + make_interval(secs => $3)
    where chain_code = $1 and lease_no = $2`,
}
const FAILED: Statement = {
  name: 'chains_failed',
  text: `update chains set leased_until = null, failures = failures + 1, fault_kind = $4, fault = $5,
      faulted_at = coalesce(case when fault_kind = $4 then faulted_at end, statement_timestamp()),
      next_look_at = statement_timestamp() + make_interval(secs => $3)
    where chain_code = $1 and lease_no = $2`,
}
const RELEASE: Statement = {
  name: 'chains_release',
  text: `update chains set leased_until = null where chain_code = $1 and lease_no = $2`,
}
const ASK_LOOK: Statement = {
  name: 'chains_ask_look',
  text: `update chains set next_look_at = '-infinity' where chain_code = $1`,
}
const LIST: Statement = {
  name: 'chains_list',
  text: `select chain_code as code, looked_at as "lookedAt", succeeded_at as "succeededAt", failures, fault_kind as "faultKind", fault,
      faulted_at as "faultedAt", head_block as "headBlock", scanned_block as "scannedBlock",
      (select count(*)::int from chain_transfers t where t.chain_code = c.chain_code and t.state = 'SEEN') as "waitingCount",
      (select count(*)::int from chain_transfers t where t.chain_code = c.chain_code and t.state = 'MISSING' and t.block_number <= c.scanned_block) as "missingCount"
    from chains c order by chain_code`,
}
const FIND_MARK: Statement = {
  name: 'chains_find_mark',
  text: `select scanned_block as scanned, encode(scanned_hash, 'hex') as "scannedHash", final_block as final, encode(final_hash, 'hex') as "finalHash"
    from chains where chain_code = $1 and scanned_block is not null`,
}
/** Only who has the lease: two processes never read past each other. */
const UPDATE_MARK: Statement = {
  name: 'chains_update_mark',
  text: `update chains set scanned_block = $3, scanned_hash = $4, final_block = $5, final_hash = $6, head_block = $7 where chain_code = $1 and lease_no = $2
    returning 1`,
}
const PUT_BACK: Statement = {
  name: 'chains_put_back',
  text: `update chain_transfers set state = case state when 'SEEN' then 'GONE' else 'MISSING' end
    where chain_code = $1 and block_number > $2 and state in ('SEEN', 'BOOKED')`,
}
const FIND_BEFORE: Statement = {
  name: 'chains_find_before',
  text: `select block_number as number, encode(block_hash, 'hex') as hash from chain_transfers
    where chain_code = $1 and block_number <= $2 and state in ('SEEN', 'BOOKED') order by block_number desc limit 1`,
}
/** Of the last days: what was said of older ones is long over. */
const LIST_GONE: Statement = {
  name: 'chains_list_gone',
  text: `select distinct lower(address) as address from chain_transfers g
    where chain_code = $1 and state = 'GONE' and seen_at > statement_timestamp() - interval '7 days'
      and not exists (select from chain_transfers t where t.merchant_id = g.merchant_id and t.kind = g.kind and t.id_payment = g.id_payment and t.state = 'SEEN')
    limit 1000`,
}
/** Of the one that waits longest. */
const FIND_CONFIRMATIONS: Statement = {
  name: 'chains_find_confirmations',
  text: `select greatest(0, least(t.confirmations, c.head_block - t.block_number + 1))::int as count, t.confirmations as needed
    from chain_transfers t join chains c using (chain_code)
    where t.merchant_id = $1 and t.kind = $2 and t.id_payment = $3 and t.state = 'SEEN' and not t.is_elsewhere
    order by t.confirmations + t.block_number - c.head_block desc limit 1`,
}
const COUNT_MISSING: Statement = {
  name: 'chains_count_missing',
  // What lies behind the mark is being read again, and is mostly still there.
  text: `select count(*)::int as missing from chain_transfers t join chains c using (chain_code)
    where t.chain_code = $1 and t.state = 'MISSING' and t.block_number <= c.scanned_block`,
}
const UPSERT_TRANSFERS: Statement = {
  name: 'chains_upsert_transfers',
  text: `insert into chain_transfers as t (chain_code, tx_hash, ordinal, currency_code, amount, address, merchant_id, kind, id_payment, reference, is_elsewhere,
        confirmations, block_number, block_hash)
      select $1, decode(tx_hash, 'hex'), ordinal, currency_code, amount, address, merchant_id, kind, id_payment, reference, is_elsewhere, confirmations,
        block_number, decode(block_hash, 'hex')
      from unnest($2::text[], $3::int[], $4::text[], $5::numeric[], $6::text[], $7::bigint[], $8::text[], $9::text[], $10::text[], $11::boolean[], $12::int[],
        $13::bigint[], $14::text[]) as n(tx_hash, ordinal, currency_code, amount, address, merchant_id, kind, id_payment, reference, is_elsewhere, confirmations,
        block_number, block_hash)
    on conflict (chain_code, tx_hash, currency_code, ordinal) do update
      -- A transaction may do something else in another block. What was booked is not changed by that: it stays missing.
      set block_number = excluded.block_number, block_hash = excluded.block_hash,
        amount = case when t.booked_at is null then excluded.amount else t.amount end,
        address = case when t.booked_at is null then excluded.address else t.address end,
        merchant_id = case when t.booked_at is null then excluded.merchant_id else t.merchant_id end,
        kind = case when t.booked_at is null then excluded.kind else t.kind end,
        id_payment = case when t.booked_at is null then excluded.id_payment else t.id_payment end,
        reference = case when t.booked_at is null then excluded.reference else t.reference end,
        is_elsewhere = case when t.booked_at is null then excluded.is_elsewhere else t.is_elsewhere end,
        confirmations = case when t.booked_at is null then excluded.confirmations else t.confirmations end,
        state = case when t.booked_at is null then 'SEEN' when t.amount = excluded.amount and t.address = excluded.address then 'BOOKED' else 'MISSING' end`,
}
const COLUMNS = `transfer_no, encode(tx_hash, 'hex') as tx_hash, ordinal, currency_code, amount, address, merchant_id, kind, id_payment, reference, is_elsewhere, confirmations,
    block_number, encode(block_hash, 'hex') as block_hash, state, seen_at, booked_at`
const LIST_CONFIRMED: Statement = {
  name: 'chains_list_confirmed',
  text: `select ${COLUMNS} from chain_transfers
    where chain_code = $1 and state = 'SEEN' and block_number + confirmations - 1 <= $2 order by block_number, tx_hash, ordinal limit $3`,
}
const LIST_NEWEST: Statement = {
  name: 'chains_list_newest',
  text: `select ${COLUMNS} from chain_transfers where chain_code = $1 and ($2::bigint is null or transfer_no < $2) order by transfer_no desc limit $3`,
}
const COUNT_INTERNAL: Statement = {
  name: 'chains_count_internal',
  text: `select '0x' || encode(tx_hash, 'hex') as "txHash", count(*)::int as count from chain_transfers
    where chain_code = $1 and tx_hash in (select decode(hash, 'hex') from unnest($2::text[]) as n(hash)) and state in ('SEEN', 'BOOKED') group by tx_hash`,
}
const BOOKED: Statement = {
  name: 'chains_booked',
  text: `update chain_transfers t set state = 'BOOKED', booked_at = statement_timestamp()
    from unnest($2::text[], $3::int[], $4::text[]) as n(tx_hash, ordinal, currency_code)
    where t.chain_code = $1 and t.tx_hash = decode(n.tx_hash, 'hex') and t.ordinal = n.ordinal and t.currency_code = n.currency_code and t.state = 'SEEN'`,
}

/** Makes the rows of chains that are new. */
export async function ensureChains(tx: Tx, codes: readonly string[]): Promise<void> {
  if (codes.length > 0) await tx.rows(ENSURE, [[...codes]])
}

/** What one process may do at a chain until its lease ends. */
export interface ChainLease {
  readonly leaseNo: string
  /** In a row, until now. */
  readonly failures: number
}

/** Leases a chain when a look is due; undefined when it is not, or when another process has it. */
export async function claimChain(tx: Tx, code: string, seconds: number): Promise<ChainLease | undefined> {
  return (await tx.rows<ChainLease>(CLAIM, [code, seconds]))[0]
}

/** Keeps a lease for so many seconds more; nothing happens when it is another process's by now. */
export async function renewLease(
  tx: Tx,
  { code, leaseNo }: { readonly code: string; readonly leaseNo: string },
  seconds: number,
): Promise<void> {
  await tx.rows(RENEW, [code, leaseNo, seconds])
}

const numberOf = (text: string | null): number | undefined => (text === null ? undefined : Number(text))

/** Notes that a look came to its end, and when the next one is due. */
export async function noteSuccess(tx: Tx, code: string, leaseNo: string, nextSeconds: number): Promise<void> {
  await tx.rows(SUCCEEDED, [code, leaseNo, nextSeconds])
}

/** The process ends in the middle of a look: another one may begin it anew. */
export async function releaseChain(tx: Tx, code: string, leaseNo: string): Promise<void> {
  await tx.rows(RELEASE, [code, leaseNo])
}

interface NotedFault {
  readonly kind: ChainFaultKind
  readonly message: string
  readonly nextSeconds: number
}

const FAULT_CHARACTERS_MAX = 1_000

/** Notes what went wrong, and when it is tried again. */
export async function noteFault(tx: Tx, code: string, leaseNo: string, fault: NotedFault): Promise<void> {
  const message = fault.message.replaceAll('\0', '�').slice(0, FAULT_CHARACTERS_MAX)
  await tx.rows(FAILED, [code, leaseNo, fault.nextSeconds, fault.kind, message])
}

/** Has the next look come at once. */
export async function askForLook(tx: Tx, code: string): Promise<void> {
  await tx.rows(ASK_LOOK, [code])
}

interface ChainRow extends Pick<ChainState, 'code' | 'failures' | 'waitingCount' | 'missingCount'> {
  readonly lookedAt: Date | null
  readonly succeededAt: Date | null
  readonly faultKind: ChainFaultKind | null
  readonly fault: string | null
  readonly faultedAt: Date | null
  readonly headBlock: string | null
  readonly scannedBlock: string | null
}

/** What became of the latest looks, by chain. */
export async function listChainStates(tx: Tx): Promise<readonly ChainState[]> {
  const rows = await tx.rows<ChainRow>(LIST, [])
  return rows.map(
    ({ lookedAt, succeededAt, faultKind, fault, faultedAt, headBlock, scannedBlock, ...rest }) => ({
      ...rest,
      lookedAt: lookedAt ?? undefined,
      succeededAt: succeededAt ?? undefined,
      fault:
        faultKind === null || fault === null || faultedAt === null
          ? undefined
          : { kind: faultKind, message: fault, since: faultedAt },
      headBlock: numberOf(headBlock),
      scannedBlock: numberOf(scannedBlock),
    }),
  )
}

/** A block that was read to, and its hash. */
export interface Point {
  readonly number: number
  readonly hash: string
}

/** How far a chain was read. */
export interface Mark {
  readonly scanned: Point
  readonly final: Point
}

/** Undefined when it was never read. */
export async function findMark(tx: Tx, code: string): Promise<Mark | undefined> {
  const [row] = await tx.rows<Record<'scanned' | 'scannedHash' | 'final' | 'finalHash', string>>(FIND_MARK, [
    code,
  ])
  return (
    row && {
      scanned: { number: Number(row.scanned), hash: `0x${row.scannedHash}` },
      final: { number: Number(row.final), hash: `0x${row.finalHash}` },
    }
  )
}

const bytesOf = (hash: string): Buffer => Buffer.from(hash.slice(2), 'hex')

/** Moves the mark; false when the lease is another process's by now, and then nothing of this one counts. */
export async function updateMark(
  tx: Tx,
  { code, leaseNo }: { readonly code: string; readonly leaseNo: string },
  { scanned, final }: Mark,
  headBlock: number,
): Promise<boolean> {
  const [scannedHash, finalHash] = [bytesOf(scanned.hash), bytesOf(final.hash)]
  const given = [code, leaseNo, scanned.number, scannedHash, final.number, finalHash, headBlock]
  return (await tx.rows(UPDATE_MARK, given)).length > 0
}

/** Behind a block, what was seen is gone, and what was booked is missing, until it is found again. */
export async function putBack(tx: Tx, code: string, blockNumber: number): Promise<void> {
  await tx.rows(PUT_BACK, [code, blockNumber])
}

/** The block of the last transfer in or before a block, as it was when that was read. */
export async function findBlockBefore(tx: Tx, code: string, blockNumber: number): Promise<Point | undefined> {
  const [row] = await tx.rows<{ number: string; hash: string }>(FIND_BEFORE, [code, blockNumber])
  return row && { number: Number(row.number), hash: `0x${row.hash}` }
}

/** Addresses of which everything that was seen is gone again; in lower case. */
export async function listGoneAddresses(tx: Tx, code: string): Promise<readonly string[]> {
  return (await tx.rows<{ address: string }>(LIST_GONE, [code])).map(({ address }) => address)
}

/** How many blocks are on top of coins of a payment that do not count yet, their own among them, and how many it takes. */
export async function findConfirmations(
  tx: Tx,
  { merchantId, kind, idPayment }: PaymentKey,
): Promise<{ readonly count: number; readonly needed: number } | undefined> {
  return (
    await tx.rows<{ count: number; needed: number }>(FIND_CONFIRMATIONS, [merchantId, kind, idPayment])
  )[0]
}

/** Transfers that were booked, and that the chain does not have. */
export async function countMissing(tx: Tx, code: string): Promise<number> {
  return (await tx.rows<{ missing: number }>(COUNT_MISSING, [code]))[0]?.missing ?? 0
}

/** Keeps transfers; one that is known moves to the block that it is in now. */
export async function upsertTransfers(
  tx: Tx,
  code: string,
  transfers: readonly SeenTransfer[],
): Promise<void> {
  if (transfers.length === 0) return
  await tx.rows(UPSERT_TRANSFERS, [
    code,
    transfers.map(({ txHash }) => txHash.slice(2)),
    transfers.map(({ ordinal }) => ordinal),
    transfers.map(({ currencyCode }) => currencyCode),
    transfers.map(({ amount }) => amount),
    transfers.map(({ address }) => address),
    transfers.map(({ payment }) => payment.merchantId),
    transfers.map(({ payment }) => payment.kind),
    transfers.map(({ payment }) => payment.idPayment),
    transfers.map(({ reference }) => reference),
    transfers.map(({ isElsewhere }) => isElsewhere),
    transfers.map(({ confirmations }) => confirmations),
    transfers.map(({ blockNumber }) => blockNumber),
    transfers.map(({ blockHash }) => blockHash.slice(2)),
  ])
}

interface TransferRow {
  readonly transfer_no: string
  readonly tx_hash: string
  readonly ordinal: number
  readonly currency_code: string
  readonly amount: string
  readonly address: string
  readonly merchant_id: string
  readonly kind: PaymentKind
  readonly id_payment: string
  readonly reference: string
  readonly is_elsewhere: boolean
  readonly confirmations: number
  readonly block_number: string
  readonly block_hash: string
  readonly state: TransferState
  readonly seen_at: Date
  readonly booked_at: Date | null
}

/** Transfers with enough blocks on top of them at that head, which are not booked yet; the oldest first. */
export async function listConfirmed(
  tx: Tx,
  code: string,
  headBlock: number,
  limit: number,
): Promise<readonly StoredTransfer[]> {
  return (await tx.rows<TransferRow>(LIST_CONFIRMED, [code, headBlock, limit])).map(toTransfer)
}

export interface TransferPage {
  readonly code: string
  readonly before: string | undefined
  readonly limit: number
}

/** Transfers of a chain, the newest first, from before a place. */
export async function listNewest(
  tx: Tx,
  { code, before, limit }: TransferPage,
): Promise<readonly StoredTransfer[]> {
  return (await tx.rows<TransferRow>(LIST_NEWEST, [code, before ?? null, limit])).map(toTransfer)
}

/** How many transfers of each name the chain has; those without are left out. */
export async function countInternal(
  tx: Tx,
  code: string,
  hashes: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  if (hashes.length === 0) return new Map()
  const rows = await tx.rows<{ txHash: string; count: number }>(COUNT_INTERNAL, [
    code,
    hashes.map((hash) => hash.slice(2)),
  ])
  return new Map(rows.map(({ txHash, count }) => [txHash, count]))
}

/** Another room has them now. */
export async function noteBooked(
  tx: Tx,
  code: string,
  transfers: readonly Pick<SeenTransfer, 'txHash' | 'ordinal' | 'currencyCode'>[],
): Promise<void> {
  await tx.rows(BOOKED, [
    code,
    transfers.map(({ txHash }) => txHash.slice(2)),
    transfers.map(({ ordinal }) => ordinal),
    transfers.map(({ currencyCode }) => currencyCode),
  ])
}

function toTransfer(row: TransferRow): StoredTransfer {
  return {
    transferNo: row.transfer_no,
    txHash: `0x${row.tx_hash}`,
    ordinal: row.ordinal,
    currencyCode: row.currency_code,
    amount: amountOf(row.amount),
    address: row.address,
    payment: keyOf(row),
    reference: row.reference,
    isElsewhere: row.is_elsewhere,
    confirmations: row.confirmations,
    blockNumber: Number(row.block_number),
    blockHash: `0x${row.block_hash}`,
    state: row.state,
    seenAt: row.seen_at,
    bookedAt: row.booked_at ?? undefined,
  }
}

const amountOf = (text: string): Amount => parsePlainAmount(text)
const keyOf = ({ merchant_id, kind, id_payment }: TransferRow): PaymentKey => ({
  merchantId: merchant_id,
  kind,
  idPayment: id_payment,
})
