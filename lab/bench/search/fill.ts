import { type Sql, sqlNumber } from '../../rig/sql.ts'

/** Payments lie in this many days, more and more of them towards today. */
const DAYS = 730
const CHUNK = 250_000
/** The part of a merchant with two fifths of everything, and of one that has three payments. */
export const CROWD = { large: 'BENCH-1', rare: 'BENCH-2', gone: 'BENCH-3' } as const

/**
 * Puts payments into the tables as the gateway leaves them, in the order of their creation: many merchants, of which one has two
 * fifths; kinds, statuses, currencies, methods and amounts of which some are rare; open payments among the last alone. What a
 * search does not read is left out, but for the volumes and callbacks that the console's home page shows.
 */
export async function fillSearched(
  sql: Sql,
  { payments, say }: { readonly payments: number; readonly say: (line: string) => void },
): Promise<void> {
  await sql(SHARES)
  for (let done = 0; done < payments; done += CHUNK) {
    await sql(FILL, [done, Math.min(done + CHUNK, payments), payments, DAYS])
    if (done % (4 * CHUNK) === 0) say(`  ${done.toLocaleString('en-US')} payments`)
  }
  for (const text of [...REST, 'drop table bench_shares']) await sql(text)
  await sql('vacuum (analyze)')
  await sql('checkpoint')
  say(`  ${(await sqlNumber(sql, 'select count(*) from payments')).toLocaleString('en-US')} payments`)
}

/** Whose payment it is, by a number below 1: the first two fifths are of one; the rest falls off as it does between shops. */
const SHARES = `create table if not exists bench_shares as
  select merchant_id, row_number() over (order by merchant_id) as place from merchants where merchant_code like 'BENCH-%'`

/** By a number below 1: common ones first, and one of ten thousand last. */
const pick = (number: string, shares: readonly (readonly [value: string, until: number])[]): string =>
  `case ${shares.map(([value, until]) => `when ${number} < ${until} then '${value}'`).join(' ')} end`

const KIND = pick('f.r_kind', [
  ['PAYIN', 0.9],
  ['PAYOUT', 0.98],
  ['TOPUP', 0.995],
  ['SETTLEMENT', 1],
])
const CURRENCY = pick('f.r_currency', [
  ['EUR', 0.7],
  ['CZK', 0.88],
  ['USD', 0.96],
  ['INR', 0.9999],
  ['KWD', 1],
])
const METHOD = pick('f.r_method', [
  ['BANK_TRANSFER', 0.5],
  ['INSTANT_BANK', 0.8],
  ['CARD', 0.97],
  ['WALLET', 0.9998],
  ['CASH_VOUCHER', 1],
])
/** What is younger than an hour may be open; what is older has ended, and recalls come weeks later. */
const STATUS = `case when f.age < interval '1 hour' and f.r_status < 0.6 then 'CREATED' else ${pick(
  'f.r_status',
  [
    ['SUCCESS', 0.82],
    ['EXPIRED', 0.92],
    ['FAILED', 0.975],
    ['CANCELLED', 0.998],
    ['REVERSED', 1],
  ],
)} end`

/** Numbers from $1 to $2 of $3: the n-th of all has its time, denser towards today. */
const FILL = `with crowd as (select count(*) - 3 as others from bench_shares),
  draw as materialized (
    select n, random() as r_merchant, random() as r_kind, random() as r_currency, random() as r_method, random() as r_status,
      random() as r_amount, random() as r_customer, upper(substr(md5(random()::text || n), 1, 12)) as reference,
      statement_timestamp() - make_interval(secs => $4::float8 * 86400 * (1 - (sqrt(1 + 3 * (n::float8 / $3::float8)) - 1))) as created_at
    from generate_series($1::bigint + 1, $2::bigint) as n),
  fresh as (
    select d.*, statement_timestamp() - d.created_at as age,
      case when n % ($3::bigint / 3) = 7 then 2 when d.created_at < statement_timestamp() - interval '400 days' and d.r_merchant > 0.999 then 3
        when d.r_merchant < 0.4 then 1 else 4 + floor(power((d.r_merchant - 0.4) / 0.6001, 3) * others)::bigint end as place
    from draw d cross join crowd),
  made as (
    select s.merchant_id, f.*, ${KIND} as kind, ${CURRENCY} as currency_code, ${METHOD} as method_code, ${STATUS} as status,
      case when r_amount > 0.99999 then 250000.00 when r_amount < 0.2 then (array[9.90, 19.90, 49.00, 99.00, 149.90])[1 + floor(r_amount * 25)::int]
        else round((exp(1.5 + 5 * r_amount))::numeric, 2) end as amount
    from fresh f join bench_shares s using (place))
  insert into payments (merchant_id, kind, id_payment, nonce, request_digest, status, processor_status, amount, currency_code, fee_amount,
    received_amount, received_currency_code, method_code, rail, reference, instructions, external_reference, callback_url, return_url,
    failure_code, failure_message, failed_at, is_test, timeline_count, created_at, expire_at, processed_at, id_customer, beneficiary_digest)
  select merchant_id, kind, substr(md5(reference || n), 1, 24), gen_random_uuid(), decode(repeat(md5(reference), 2), 'hex'), status,
    case status when 'SUCCESS' then 'CONFIRMED' when 'CREATED' then 'AWAITING_CUSTOMER' when 'FAILED' then 'REJECTED' else status end, amount, currency_code,
    round(amount * 0.005 + 0.2, 2), case when status in ('SUCCESS', 'REVERSED') then amount end,
    case when status in ('SUCCESS', 'REVERSED') then currency_code end, method_code, 'sandbox', reference,
    case when kind = 'PAYIN' and method_code = 'BANK_TRANSFER' then jsonb_build_object('reference', 'RF' || reference, 'account', 'DE02120300000000202051', 'holder', 'Tollgate') else '{}' end,
    case when status in ('SUCCESS', 'REVERSED') then 'BANK' || reference end, 'https://shop' || place || '.example/callbacks', 'https://shop' || place || '.example/thanks',
    case when status = 'FAILED' then 'DECLINED' end, case when status = 'FAILED' then 'The institution declined the payment.' end,
    case when status = 'FAILED' then created_at + interval '1 minute' end, false, case when status = 'CREATED' then 1 else 2 end, created_at,
    created_at + interval '1 day', case when status <> 'CREATED' then created_at + interval '1 minute' end,
    case when r_customer < 0.6 then 'C-' || floor(power(r_customer / 0.6, 3) * 20000)::int end,
    case when kind in ('PAYOUT', 'SETTLEMENT') then decode(md5((floor(r_customer * 5000))::text), 'hex') end
  from made order by n`

const REST = [
  `insert into payment_tasks (merchant_id, kind, id_payment, task, due_at)
    select merchant_id, kind, id_payment, 'EXPIRE', expire_at from payments where status = 'CREATED'`,
  `insert into payment_volumes (step, begins_at, merchant_id, kind, method_code, currency_code, entered, payments, amount)
    select step, date_trunc(step, created_at, 'UTC'), merchant_id, kind, method_code, currency_code, entered, count(*), sum(amount)
    from payments cross join unnest(array['HOUR', 'DAY']) as step cross join lateral unnest(array['CREATED', nullif(status, 'CREATED')]) as entered
    where entered is not null group by 1, 2, 3, 4, 5, 6, 7`,
  `insert into payment_house_volumes
    select step, begins_at, kind, method_code, currency_code, entered, sum(payments), sum(amount) from payment_volumes group by 1, 2, 3, 4, 5, 6`,
  'update payment_volume_marks set counted_until = statement_timestamp(), house_counted_until = statement_timestamp()',
  `insert into callback_events (event_id, merchant_id, kind, id_entity, timeline_entry_no, url, receiver, state, attempts_started, due_at,
      last_started_at, created_at, done_at)
    select gen_random_uuid(), merchant_id, kind, id_payment, 2, callback_url, callback_url,
      case when random() < 0.0002 then 'EXHAUSTED' else 'DELIVERED' end, 1, null, processed_at, processed_at, processed_at
    from payments where status <> 'CREATED' and kind <> 'SETTLEMENT' and created_at > statement_timestamp() - interval '31 days'`,
] as const
