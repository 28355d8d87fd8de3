import type { Sql } from '../../rig/sql.ts'
import { SAMPLE } from './fill.ts'

/** Written by one statement. */
const CHUNK = 50_000

/**
 * Leaves behind what an hour without workers leaves: payins whose time to pay is over, and as many that had just ended, whose merchants
 * were not told. What belongs to all alike is taken from a payin that the gateway has accepted.
 */
export async function fillDue(
  sql: Sql,
  { payments, urls }: { readonly payments: number; readonly urls: readonly string[] },
  say: (line: string) => void,
): Promise<void> {
  for (let left = payments; left > 0; left -= CHUNK) {
    await sql(FILL, [Math.min(CHUNK, left), urls])
    if (left % (10 * CHUNK) === 0) say(`  ${left.toLocaleString('en-US')} to go`)
  }
  await sql('vacuum (analyze)')
  await sql('checkpoint')
}

/** One half has a task that is due, the other a callback. */
const FILL = `with ${SAMPLE},
  fresh as materialized (
    select m.merchant_id, substr(md5(random()::text || n), 1, 24) as id_payment, gen_random_uuid() as nonce, gen_random_uuid() as event_id,
      n % 2 = 0 as is_over, now() - random() * interval '1 hour' as due_at, decode(repeat(md5(random()::text), 2), 'hex') as digest,
      upper(substr(md5(random()::text), 1, 12)) as reference, $2::text[] as urls, 1 + (n / 2) % cardinality($2::text[]) as shop
    from generate_series(1, $1::integer) as n join merchant m on m.place = (n / 2) % (select count(*) from merchants)),
  payment as (
    insert into payments (merchant_id, kind, id_payment, nonce, request_digest, status, processor_status, amount, currency_code,
      fee_amount, method_code, rail, reference, instructions, callback_url, is_test, timeline_count, created_at, expire_at, processed_at)
    select f.merchant_id, 'PAYIN', f.id_payment, f.nonce, f.digest, case when is_over then 'EXPIRED' else s.status end,
      case when is_over then 'EXPIRED' else s.processor_status end, s.amount, s.currency_code, s.fee_amount, s.method_code, s.rail,
      f.reference, s.instructions, urls[shop] || '/' || f.id_payment, s.is_test, case when is_over then 2 else 1 end,
      due_at - interval '1 hour', due_at, case when is_over then due_at end
    from fresh f cross join sample s order by f.merchant_id, f.id_payment),
  timeline as (
    insert into payment_timeline (merchant_id, kind, id_payment, entry_no, status, processor_status, actor, happened_at)
    select merchant_id, 'PAYIN', id_payment, entry_no, case entry_no when 1 then 'CREATED' else 'EXPIRED' end,
      case entry_no when 1 then 'AWAITING_CUSTOMER' else 'EXPIRED' end, case entry_no when 1 then 'merchant' else 'worker' end,
      due_at - interval '1 hour' * (2 - entry_no)
    from fresh join generate_series(1, 2) as entry_no on entry_no = 1 or is_over),
  task as (
    insert into payment_tasks (merchant_id, kind, id_payment, task, due_at)
    select merchant_id, 'PAYIN', id_payment, 'EXPIRE', due_at from fresh where not is_over)
  insert into callback_events (event_id, merchant_id, kind, id_entity, timeline_entry_no, url, receiver, due_at, created_at)
  select event_id, merchant_id, 'PAYIN', id_payment, 2, urls[shop] || '/' || id_payment, split_part(urls[shop], '/callbacks', 1), due_at, due_at
  from fresh where is_over`
