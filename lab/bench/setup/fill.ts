import { type Sql, sqlNumber } from '../../rig/sql.ts'

/** Written by one statement; the rest of a fill follows in further ones. */
const CHUNK = 100_000
/** Payments lie this far back, evenly. */
const DAYS = 365

/**
 * Puts payins into the tables until there are so many, as the gateway would have left them: nine of ten are paid, with their
 * timeline, personal data, ledger entries and a delivered callback; the others have expired. What belongs to all merchants
 * alike (amount, method, instructions) is taken from a payin that the gateway has accepted. Balances are left as they are.
 */
export async function fillPayments(sql: Sql, target: number, say: (line: string) => void): Promise<void> {
  let stored = await sqlNumber(sql, 'select count(*) from payments')
  while (stored < target) {
    const count = Math.min(CHUNK, target - stored)
    await sql(FILL, [count, DAYS])
    stored += count
    if (stored % (10 * CHUNK) < CHUNK) say(`  ${stored.toLocaleString('en-US')} payments`)
  }
  await sql('vacuum (analyze)')
  await sql('checkpoint')
}

/** A payin that the gateway has accepted, and the merchants by their places from 0. */
export const SAMPLE = `sample as (
    select * from payments where kind = 'PAYIN' and status = 'CREATED' order by created_at desc limit 1),
  merchant as (
    select merchant_id, row_number() over (order by merchant_id) - 1 as place from merchants)`

/** Ids are random and the rows of a chunk lie in their order, as after many small inserts. */
const FILL = `with ${SAMPLE},
  fresh as materialized (
    select m.merchant_id, 'PAYIN' as kind, substr(md5(random()::text || n), 1, 24) as id_payment,
      gen_random_uuid() as nonce, gen_random_uuid() as transfer_id, gen_random_uuid() as event_id,
      random() < 0.9 as is_paid, now() - random() * make_interval(days => $2::integer) as created_at,
      decode(repeat(md5(random()::text), 2), 'hex') as digest, upper(substr(md5(random()::text), 1, 12)) as reference
    from generate_series(1, $1::integer) as n join merchant m on m.place = n % (select count(*) from merchants)),
  payment as (
    insert into payments (merchant_id, kind, id_payment, nonce, request_digest, status, processor_status, amount, currency_code,
      fee_amount, received_amount, received_currency_code, method_code, rail, reference, instructions, callback_url, return_url,
      is_test, timeline_count, created_at, expire_at, processed_at)
    select f.merchant_id, f.kind, f.id_payment, f.nonce, f.digest, case when is_paid then 'SUCCESS' else 'EXPIRED' end,
      case when is_paid then 'CONFIRMED' else 'EXPIRED' end, s.amount, s.currency_code, s.fee_amount,
      case when is_paid then s.amount end, case when is_paid then s.currency_code end, s.method_code, s.rail, f.reference,
      s.instructions, s.callback_url, s.return_url, s.is_test, 2, f.created_at, f.created_at + (s.expire_at - s.created_at),
      case when is_paid then f.created_at + interval '1 minute' end
    from fresh f cross join sample s order by f.merchant_id, f.id_payment),
  timeline as (
    insert into payment_timeline (merchant_id, kind, id_payment, entry_no, status, processor_status, actor, happened_at)
    select merchant_id, kind, id_payment, entry_no,
      case when entry_no = 1 then 'CREATED' when is_paid then 'SUCCESS' else 'EXPIRED' end,
      case when entry_no = 1 then 'AWAITING_CUSTOMER' when is_paid then 'CONFIRMED' else 'EXPIRED' end,
      case when entry_no = 1 then 'merchant' else 'rail' end, created_at + (entry_no - 1) * interval '1 minute'
    from fresh cross join generate_series(1, 2) as entry_no order by merchant_id, id_payment, entry_no),
  personal as (
    insert into payment_personal_data (merchant_id, kind, id_payment, source, data_key, sealed, collected_at)
    select merchant_id, kind, id_payment, source, digest || digest, digest || digest || digest || digest || digest, created_at
    from fresh cross join (values ('REQUEST'), ('PROCESS')) as s (source)
    where is_paid or source = 'REQUEST' order by merchant_id, id_payment, source),
  transfer as (
    insert into ledger_transfers (merchant_id, transfer_id, event, kind, id_payment, created_at)
    select merchant_id, transfer_id, 'PAYIN_SUCCESS', kind, id_payment, created_at from fresh where is_paid),
  posting as (
    insert into ledger_postings (merchant_id, transfer_id, posting_no, account, currency_code, amount)
    select f.merchant_id, f.transfer_id, posting_no, account, s.currency_code,
      case account when 'CLEARING' then -s.amount when 'FEES' then s.fee_amount else s.amount - s.fee_amount end
    from fresh f cross join sample s cross join (values (1, 'CLEARING'), (2, 'NOT_SETTLED'), (3, 'FEES')) as line (posting_no, account)
    where is_paid and (account <> 'FEES' or s.fee_amount <> 0)),
  attempt as (
    insert into callback_attempts (event_id, attempt_no, started_at, finished_at, outcome, http_status, took_ms)
    select event_id, 1, created_at, created_at, 'OK', 200, 20 from fresh where is_paid)
  insert into callback_events (event_id, merchant_id, kind, id_entity, timeline_entry_no, url, receiver, state, attempts_started,
    due_at, last_started_at, created_at, done_at)
  select event_id, f.merchant_id, f.kind, f.id_payment, 2, s.callback_url, 'http://127.0.0.1:9', 'DELIVERED', 1,
    null, f.created_at, f.created_at, f.created_at
  from fresh f cross join sample s where is_paid`
