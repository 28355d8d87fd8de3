import type { Demo } from './gateway.ts'
import type { Sql } from './sql.ts'

/** More than any run can pay out. */
const FUNDS = '1000000000000'
const CURRENCY = 'EUR'

/** Gives every merchant that has no balance a wallet full of money, with the transfer and the postings that belong to it. */
export async function fundMerchants(sql: Sql): Promise<void> {
  await sql(
    `with merchant as (
        select merchant_id from merchants m
        where not exists (select from balances b where b.merchant_id = m.merchant_id and b.currency_code = $1)),
      transfer as (
        insert into ledger_transfers (merchant_id, transfer_id, event, kind, id_payment)
        select merchant_id, gen_random_uuid(), 'TOPUP_SUCCESS', 'TOPUP', 'bench-funds' from merchant
        returning merchant_id, transfer_id),
      posting as (
        insert into ledger_postings (merchant_id, transfer_id, posting_no, account, currency_code, amount)
        select merchant_id, transfer_id, posting_no, account, $1, sign * $2::numeric
        from transfer cross join (values (1, 'CLEARING', -1), (2, 'AVAILABLE', 1)) as line (posting_no, account, sign))
      insert into balances (merchant_id, currency_code, available) select merchant_id, $1, $2::numeric from merchant`,
    [CURRENCY, FUNDS],
  )
}

/** Makes merchants that are like the merchant of the sandbox in everything but the name: BENCH-1, BENCH-2…; they sign with its key. */
export async function copyMerchants(
  sql: Sql,
  demo: Demo,
  count: number,
  name = 'BENCH',
): Promise<readonly Demo[]> {
  const codes = Array.from({ length: count }, (_, index) => `${name}-${String(index + 1)}`)
  await sql(
    `with demo as (select * from merchants where merchant_code = $1),
      copy as (
        insert into merchants (merchant_code, channel_name, rate_limit_per_second)
        select code, code, rate_limit_per_second from demo cross join unnest($2::text[]) as code
        returning merchant_id),
      keys as (
        insert into merchant_keys (merchant_id, key_id, public_key_pem, fingerprint, bits)
        select copy.merchant_id, k.key_id, k.public_key_pem, k.fingerprint, k.bits
        from merchant_keys k join demo using (merchant_id) cross join copy where k.removed_at is null)
      insert into merchant_methods (merchant_id, method_code, direction)
      select copy.merchant_id, m.method_code, m.direction from merchant_methods m join demo using (merchant_id) cross join copy`,
    [demo.merchantCode, codes],
  )
  return codes.map((merchantCode) => ({ ...demo, merchantCode }))
}
