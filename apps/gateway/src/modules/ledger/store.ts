import { parsePlainAmount } from '@tollgate/money'
import type { Statement, Tx } from '../../platform/database.ts'
import type { Balance, BalanceDelta, BalanceKey, BalanceSum, Transfer } from './model.ts'

const INSERT_TRANSFERS: Statement = {
  name: 'ledger_insert_transfers',
  text: `with inserted as (
      insert into ledger_transfers (merchant_id, transfer_id, event, kind, id_payment)
      select * from unnest($1::bigint[], $2::uuid[], $3::text[], $4::text[], $5::text[]) returning 1)
    insert into ledger_postings (merchant_id, transfer_id, posting_no, account, currency_code, amount)
    select * from unnest($6::bigint[], $7::uuid[], $8::smallint[], $9::text[], $10::text[], $11::numeric[])`,
}
const DELTAS = 'unnest($1::bigint[], $2::text[], $3::numeric[], $4::numeric[], $5::numeric[], $6::numeric[])'
const UPSERT_BALANCES: Statement = {
  name: 'ledger_upsert_balances',
  text: `insert into balances as b (merchant_id, currency_code, available, not_settled, reserved, receivable)
    select * from ${DELTAS}
    on conflict (merchant_id, currency_code) do update set
      available = b.available + excluded.available, not_settled = b.not_settled + excluded.not_settled,
      reserved = b.reserved + excluded.reserved, receivable = b.receivable + excluded.receivable, updated_at = statement_timestamp()`,
}
const UPDATE_BALANCES: Statement = {
  name: 'ledger_update_balances',
  text: `with delta as (
      select * from ${DELTAS} as d(merchant_id, currency_code, available, not_settled, reserved, receivable)),
    updated as (
      update balances b set available = b.available + d.available, not_settled = b.not_settled + d.not_settled,
        reserved = b.reserved + d.reserved, receivable = b.receivable + d.receivable, updated_at = statement_timestamp()
      from delta d where b.merchant_id = d.merchant_id and b.currency_code = d.currency_code returning 1)
    select count(*)::int as updated from updated`,
}
const BALANCE_COLUMNS = 'merchant_id, currency_code, available, not_settled, reserved, receivable, updated_at'
const LOCK_BALANCES: Statement = {
  name: 'ledger_lock_balances',
  // One statement for those that are missing and those that exist: two would take their locks in two rounds, and the second
  // round could wait for somebody who waits for the first.
  text: `insert into balances as b (merchant_id, currency_code) select * from unnest($1::bigint[], $2::text[])
    on conflict (merchant_id, currency_code) do update set updated_at = b.updated_at returning ${BALANCE_COLUMNS}`,
}
const LIST_BALANCES: Statement = {
  name: 'ledger_list_balances',
  text: `select ${BALANCE_COLUMNS} from balances where merchant_id = $1 and ($2::text[] is null or currency_code = any($2)) order by currency_code`,
}

const LIST_ALL_BALANCES: Statement = {
  name: 'ledger_list_all_balances',
  text: `select ${BALANCE_COLUMNS} from balances
    where ($1::bigint is null or merchant_id = $1) and ($2::text is null or currency_code = $2)
      and ($3::bigint is null or (merchant_id, currency_code) > ($3::bigint, $4::text))
    order by merchant_id, currency_code limit $5`,
}
const SUM_BALANCES: Statement = {
  name: 'ledger_sum_balances',
  text: `select currency_code, count(*)::int as merchants, sum(available)::text as available, sum(not_settled)::text as not_settled,
      sum(reserved)::text as reserved, sum(receivable)::text as receivable
    from balances group by currency_code order by currency_code`,
}

interface BalanceRow {
  readonly merchant_id: string
  readonly currency_code: string
  readonly available: string
  readonly not_settled: string
  readonly reserved: string
  readonly receivable: string
  readonly updated_at: Date
}

/** Inserts transfers with their postings, in one statement: the database checks that each one balances. */
export async function insertTransfers(tx: Tx, transfers: readonly Transfer[]): Promise<void> {
  const lines = transfers.flatMap((transfer) =>
    transfer.postings.map((posting, index) => ({ transfer, posting, number: index + 1 })),
  )
  await tx.rows(INSERT_TRANSFERS, [
    transfers.map((transfer) => transfer.merchantId),
    transfers.map((transfer) => transfer.transferId),
    transfers.map((transfer) => transfer.event),
    transfers.map((transfer) => transfer.kind),
    transfers.map((transfer) => transfer.idPayment),
    lines.map((line) => line.transfer.merchantId),
    lines.map((line) => line.transfer.transferId),
    lines.map((line) => line.number),
    lines.map((line) => line.posting.account),
    lines.map((line) => line.transfer.currencyCode),
    lines.map((line) => line.posting.amount),
  ])
}

/**
 * Adds the deltas to the balances, making those that are missing. Nothing may be taken in this way: a negative delta
 * violates a constraint even where the balance would cover it, because the row to insert is checked first.
 */
export async function upsertBalances(tx: Tx, deltas: readonly BalanceDelta[]): Promise<void> {
  await tx.rows(UPSERT_BALANCES, deltaArrays(deltas))
}

/** Adds the deltas to balances that exist. One that would become negative violates a constraint. */
export async function updateBalances(tx: Tx, deltas: readonly BalanceDelta[]): Promise<void> {
  const [result] = await tx.rows<{ updated: number }>(UPDATE_BALANCES, deltaArrays(deltas))
  if (result?.updated !== deltas.length)
    throw new Error(`${deltas.length} deltas but ${String(result?.updated)} balances`)
}

function deltaArrays(deltas: readonly BalanceDelta[]): readonly unknown[] {
  return [
    ...keyArrays(deltas),
    deltas.map((delta) => delta.available),
    deltas.map((delta) => delta.notSettled),
    deltas.map((delta) => delta.reserved),
    deltas.map((delta) => delta.receivable),
  ]
}

const keyArrays = (keys: readonly BalanceKey[]): readonly unknown[] => [
  keys.map((key) => key.merchantId),
  keys.map((key) => key.currencyCode),
]

/** The balances, made where they are missing, in the order of the keys, and locked until the transaction ends. */
export async function lockBalances(tx: Tx, keys: readonly BalanceKey[]): Promise<readonly Balance[]> {
  return (await tx.rows<BalanceRow>(LOCK_BALANCES, keyArrays(keys))).map(toBalance)
}

/** All balances of the merchant, or those of the given currencies, in one snapshot. */
export async function listBalances(
  tx: Tx,
  merchantId: string,
  currencyCodes: readonly string[] | undefined,
): Promise<readonly Balance[]> {
  return (await tx.rows<BalanceRow>(LIST_BALANCES, [merchantId, currencyCodes ?? null])).map(toBalance)
}

/** Which balances a page is to have. */
export interface BalancePage {
  readonly merchantId: string | undefined
  readonly currencyCode: string | undefined
  /** The last one of the page before. */
  readonly after: BalanceKey | undefined
  readonly limit: number
}

/** Balances of all merchants, by merchant and currency. */
export async function listAllBalances(tx: Tx, page: BalancePage): Promise<readonly Balance[]> {
  const { merchantId = null, currencyCode = null, after, limit } = page
  const values = [merchantId, currencyCode, after?.merchantId ?? null, after?.currencyCode ?? null, limit]
  return (await tx.rows<BalanceRow>(LIST_ALL_BALANCES, values)).map(toBalance)
}

type SumRow = Omit<BalanceRow, 'merchant_id' | 'updated_at'> & { readonly merchants: number }

/** What all merchants together have in each currency, in one snapshot. */
export async function sumBalances(tx: Tx): Promise<readonly BalanceSum[]> {
  return (await tx.rows<SumRow>(SUM_BALANCES, [])).map((row) => ({
    currencyCode: row.currency_code,
    merchants: row.merchants,
    available: parsePlainAmount(row.available),
    notSettled: parsePlainAmount(row.not_settled),
    reserved: parsePlainAmount(row.reserved),
    receivable: parsePlainAmount(row.receivable),
  }))
}

function toBalance(row: BalanceRow): Balance {
  return {
    merchantId: row.merchant_id,
    currencyCode: row.currency_code,
    available: parsePlainAmount(row.available),
    notSettled: parsePlainAmount(row.not_settled),
    reserved: parsePlainAmount(row.reserved),
    receivable: parsePlainAmount(row.receivable),
    updatedAt: row.updated_at,
  }
}
