import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestLife } from '@tollgate/testkit'
import type { Database, Statement, Tx } from '../../../platform/database.ts'
import { testPostgres } from '../../../platform/test/index.ts'
import { verifyBooks } from '../../../rooms/books.ts'

/** Sound books, written as the gateway writes them: open, failed, expired and paid late, paid, and recalled payins. */
const SOUND = `
  insert into payments (merchant_id, kind, id_payment, nonce, request_digest, status, processor_status, amount, currency_code, fee_amount,
    received_amount, received_currency_code, method_code, rail, reference, instructions, callback_url, is_test, timeline_count, expire_at, processed_at)
  select 1, 'PAYIN', id, gen_random_uuid(), '\\x00', status, 'P', 100, 'EUR', 3,
    case when status in ('SUCCESS', 'REVERSED') then 100 end, case when status in ('SUCCESS', 'REVERSED') then 'EUR' end,
    'M', 'r', 'R', '{}', url, true, steps, now(), case when status <> 'CREATED' then now() end
  from (values ('open', 'CREATED', 1, 'https://a/'), ('failed', 'FAILED', 2, 'https://a/'), ('late', 'SUCCESS', 3, 'https://a/'),
    ('paid', 'SUCCESS', 2, 'https://a/'), ('untold', 'SUCCESS', 2, null), ('recalled', 'REVERSED', 3, 'https://a/'),
    ('reviewed', 'CREATED', 2, 'https://a/')) v(id, status, steps, url);
  insert into payment_timeline (merchant_id, kind, id_payment, entry_no, status, processor_status, actor)
  select 1, 'PAYIN', id, no, status, 'P', 'a' from (values
    ('open', 1, 'CREATED'), ('failed', 1, 'CREATED'), ('failed', 2, 'FAILED'), ('late', 1, 'CREATED'), ('late', 2, 'EXPIRED'), ('late', 3, 'SUCCESS'),
    ('paid', 1, 'CREATED'), ('paid', 2, 'SUCCESS'), ('untold', 1, 'CREATED'), ('untold', 2, 'SUCCESS'), ('recalled', 1, 'CREATED'),
    ('recalled', 2, 'SUCCESS'), ('recalled', 3, 'REVERSED'), ('reviewed', 1, 'CREATED'), ('reviewed', 2, 'CREATED')) v(id, no, status);
  insert into callback_events (event_id, merchant_id, kind, id_entity, timeline_entry_no, url, receiver)
  select gen_random_uuid(), 1, 'PAYIN', l.id_payment, l.entry_no, 'https://a/', 'https://a:443'
  from payment_timeline l where l.entry_no > 1 and l.id_payment not in ('untold', 'reviewed');
  insert into payment_tasks (merchant_id, kind, id_payment, task, due_at) select 1, 'PAYIN', id_payment, 'EXPIRE', now() from payments where status = 'CREATED';
  insert into payment_personal_data (merchant_id, kind, id_payment, source, data_key, sealed) values (1, 'PAYIN', 'paid', 'REQUEST', '\\x00', '\\x00');
  insert into payment_external_references (merchant_id, kind, id_payment, entry_no, external_reference) values (1, 'PAYIN', 'late', 2, 'R');
  insert into ledger_transfers (merchant_id, transfer_id, event, kind, id_payment)
  select 1, gen_random_uuid(), 'PAYIN_SUCCESS', 'PAYIN', id_payment from payments where status in ('SUCCESS', 'REVERSED');
  insert into ledger_postings select 1, transfer_id, no, account, 'EUR', amount
  from ledger_transfers, (values (1, 'CLEARING', -100), (2, 'NOT_SETTLED', 97), (3, 'FEES', 3)) v(no, account, amount);
  insert into ledger_transfers (merchant_id, transfer_id, event, kind, id_payment) values (1, gen_random_uuid(), 'PAYIN_REVERSED', 'PAYIN', 'recalled');
  insert into ledger_postings select 1, transfer_id, no, account, 'EUR', amount
  from ledger_transfers, (values (1, 'CLEARING', 100), (2, 'NOT_SETTLED', -97), (3, 'RECEIVABLE', -3)) v(no, account, amount) where event = 'PAYIN_REVERSED';
  insert into balances (merchant_id, currency_code, not_settled, receivable) values (1, 'EUR', 291, -3);
  insert into statement_lines (line_id, statement_id, account_code, currency_code, position, entry_fingerprint, occurrence, part, direction, is_reversal,
    amount, booked_on, data_key, sealed, state, open_amount, merchant_id, kind, id_payment, decision_count) overriding system value
  select id, 1, 'MAIN', 'EUR', 1, decode(repeat(print, 32), 'hex'), 1, part, 'CREDIT', false, amount, now(), '\\x00', '\\x00', state, open,
    case when payment is not null then 1 end, case when payment is not null then 'PAYIN' end, payment, case state when 'APPLIED' then 1 else 0 end
  from (values (1, '01', 1, 100, 'MATCHED', 0, 'recalled'), (2, '02', 1, 40, 'UNKNOWN', 40, null), (3, '03', 1, 100, 'APPLIED', 0, 'untold'),
    (4, '04', 1, 50, 'SPLIT', 0, null), (5, '04', 2, 20, 'UNKNOWN', 20, null), (6, '04', 3, 30, 'UNKNOWN', 30, null), (7, '05', 1, 9, 'NEW', 0, null))
    v(id, print, part, amount, state, open, payment);
  insert into statement_decisions (line_id, decision_no, decision, actor, reason, amount, merchant_id, kind, id_payment)
  values (3, 1, 'ACCEPT', 'operator:ada', 'R', 100, 1, 'PAYIN', 'untold');
  insert into ledger_transfers (merchant_id, transfer_id, event, kind, id_payment)
  select 0, gen_random_uuid(), event, 'STATEMENT_LINE', id from (values ('SUSPENSE_RECEIVED', '2'), ('SUSPENSE_RECEIVED', '3'), ('SUSPENSE_APPLIED', '3-1'),
    ('SUSPENSE_RECEIVED', '4'), ('SUSPENSE_APPLIED', '4-0'), ('SUSPENSE_RECEIVED', '5'), ('SUSPENSE_RECEIVED', '6')) v(event, id);
  insert into ledger_postings select 0, t.transfer_id, no, account, 'EUR', sign * l.amount * case t.event when 'SUSPENSE_RECEIVED' then 1 else -1 end
  from ledger_transfers t join statement_lines l on l.line_id::text = split_part(t.id_payment, '-', 1),
    (values (1, 'CLEARING', -1), (2, 'SUSPENSE', 1)) v(no, account, sign) where t.merchant_id = 0;
`

/** One fault each, planted with every trigger and foreign key switched off, and the checks that must see it. */
const FAULTS: readonly (readonly [what: string, fault: string, checks: readonly string[]])[] = [
  [
    'a posting was changed',
    `update ledger_postings set amount = amount + 1 where account = 'FEES' and transfer_id = (select transfer_id from ledger_transfers where id_payment = 'paid')`,
    ['transfers_balance', 'bookings_are_of_the_payment'],
  ],
  [
    'postings were deleted',
    `delete from ledger_postings where transfer_id = (select transfer_id from ledger_transfers where id_payment = 'paid')`,
    [
      'transfers_have_postings',
      'balances_equal_postings',
      'bookings_are_of_the_payment',
      'what_is_not_settled_is_in_the_balance',
    ],
  ],
  [
    'a transfer was deleted',
    `delete from ledger_transfers where id_payment = 'paid'`,
    ['postings_have_transfers', 'payments_are_booked', 'what_is_not_settled_is_in_the_balance'],
  ],
  ['a balance was changed', `update balances set available = 1000000`, ['balances_equal_postings']],
  [
    'a balance was deleted',
    `delete from balances`,
    ['balances_equal_postings', 'what_is_not_settled_is_in_the_balance'],
  ],
  [
    'a balance is of nobody',
    `insert into balances (merchant_id, currency_code, available) values (2, 'EUR', 5)`,
    ['balances_equal_postings'],
  ],
  [
    'a balance is negative',
    `alter table balances drop constraint balances_not_settled_check; update balances set not_settled = -1`,
    ['balances_equal_postings', 'balances_are_not_negative', 'what_is_not_settled_is_in_the_balance'],
  ],
  [
    'a success was never booked',
    `update payments set status = 'SUCCESS', received_amount = 100, received_currency_code = 'EUR', processed_at = now(), timeline_count = 2 where id_payment = 'open';
     insert into payment_timeline values (1, 'PAYIN', 'open', 2, 'SUCCESS', 'P', 'a');
     insert into callback_events (event_id, merchant_id, kind, id_entity, timeline_entry_no, url, receiver) values (gen_random_uuid(), 1, 'PAYIN', 'open', 2, 'https://a/', 'r')`,
    ['payments_are_booked'],
  ],
  [
    'a failed payin was booked',
    `insert into ledger_transfers (merchant_id, transfer_id, event, kind, id_payment) values (1, '00000000-0000-4000-8000-000000000001', 'PAYIN_SUCCESS', 'PAYIN', 'failed');
     insert into ledger_postings values (1, '00000000-0000-4000-8000-000000000001', 1, 'CLEARING', 'EUR', -100), (1, '00000000-0000-4000-8000-000000000001', 2, 'NOT_SETTLED', 'EUR', 97), (1, '00000000-0000-4000-8000-000000000001', 3, 'FEES', 'EUR', 3);
     update balances set not_settled = not_settled + 97`,
    ['payments_are_booked'],
  ],
  [
    'a recall was never booked',
    `delete from ledger_postings where transfer_id in (select transfer_id from ledger_transfers where event = 'PAYIN_REVERSED');
     delete from ledger_transfers where event = 'PAYIN_REVERSED'; update balances set not_settled = 388, receivable = 0`,
    ['payments_are_booked'],
  ],
  [
    'a transfer is of another amount than its payin',
    `update payments set amount = 99, received_amount = 99 where id_payment = 'paid'`,
    ['bookings_are_of_the_payment'],
  ],
  [
    'a transfer is in another currency than its payin',
    `update payments set currency_code = 'USD', received_currency_code = 'USD' where id_payment = 'paid'`,
    ['bookings_are_of_the_payment'],
  ],
  [
    'a transfer belongs to no payment',
    `update ledger_transfers set id_payment = 'nobody' where id_payment = 'paid'`,
    ['payments_are_booked', 'transfers_belong_to_payments'],
  ],
  [
    'other money was taken for success',
    `update payments set received_amount = 99.99 where id_payment = 'late'`,
    ['success_is_for_the_requested_money'],
  ],
  [
    'a timeline row was deleted',
    `delete from payment_timeline where id_payment = 'late' and entry_no = 2`,
    ['timelines_are_whole', 'changes_are_called_back'],
  ],
  [
    'a status was changed by hand',
    `update payments set status = 'CANCELLED' where id_payment = 'failed'`,
    ['status_is_the_last_of_the_timeline'],
  ],
  [
    'a history takes a way that does not exist',
    `update payment_timeline set status = 'REVERSED' where id_payment = 'late' and entry_no = 2`,
    ['timelines_follow_the_states'],
  ],
  [
    'a payment succeeded on a reference that its customer typed',
    `update payment_timeline set evidence_class = 'CUSTOMER_CLAIM', is_without_evidence = false where id_payment = 'paid' and entry_no = 2`,
    ['changes_have_sufficient_evidence'],
  ],
  [
    'a payment succeeded on the word of one operator, given twice',
    `update payment_timeline set evidence_class = 'PEOPLE', operators = '{ann,ann}', operators_needed = 2, is_without_evidence = false
     where id_payment = 'paid' and entry_no = 2`,
    ['changes_have_sufficient_evidence'],
  ],
  [
    'a payment succeeded on a file that nobody confirmed',
    `update payment_timeline set evidence_class = 'BANK_UPLOAD', operators = '{ann}', operators_needed = 2, is_without_evidence = false
     where id_payment = 'paid' and entry_no = 2`,
    ['changes_have_sufficient_evidence'],
  ],
  [
    'a payment succeeded, and nothing says why',
    `update payment_timeline set is_without_evidence = false where id_payment = 'paid' and entry_no = 2`,
    ['changes_have_sufficient_evidence'],
  ],
  [
    'one operator cancelled a payout that an institution had',
    `update payments set kind = 'PAYOUT', status = 'CANCELLED', submitted_at = now(), callback_url = null where id_payment = 'failed';
     update payment_timeline set kind = 'PAYOUT' where id_payment = 'failed';
     update payment_timeline set status = 'CANCELLED', evidence_class = 'PEOPLE', operators = '{ann}', operators_needed = 1, is_without_evidence = false
     where id_payment = 'failed' and entry_no = 2; delete from callback_events where id_entity = 'failed'`,
    ['changes_have_sufficient_evidence', 'payments_are_booked'],
  ],
  [
    'a history does not begin with CREATED',
    `update payment_timeline set status = 'EXPIRED' where id_payment = 'late' and entry_no = 1`,
    ['timelines_follow_the_states', 'changes_are_called_back'],
  ],
  [
    'a payout that expired was paid after all',
    `update payments set kind = 'PAYOUT', callback_url = null where id_payment = 'late'; update payment_timeline set kind = 'PAYOUT' where id_payment = 'late';
     update payment_external_references set kind = 'PAYOUT'; update ledger_transfers set kind = 'PAYOUT' where id_payment = 'late'; delete from callback_events where id_entity = 'late'`,
    ['timelines_follow_the_states', 'payments_are_booked'],
  ],
  [
    'an end has no time',
    `update payments set processed_at = null where id_payment = 'failed'`,
    ['ended_payments_have_their_time'],
  ],
  [
    'a change has no callback',
    `delete from callback_events where id_entity = 'failed'`,
    ['changes_are_called_back'],
  ],
  [
    'a callback tells of no change',
    `insert into callback_events (event_id, merchant_id, kind, id_entity, timeline_entry_no, url, receiver) values (gen_random_uuid(), 1, 'PAYIN', 'reviewed', 2, 'https://a/', 'r')`,
    ['changes_are_called_back'],
  ],
  [
    'a volume is of no payment',
    `insert into payment_volumes values ('DAY', '2026-01-01', 1, 'PAYIN', 'M', 'EUR', 'SUCCESS', 1, 100)`,
    ['house_volumes_are_those_of_merchants', 'volumes_are_counted'],
  ],
  [
    'a volume of all merchants is of none',
    `insert into payment_house_volumes values ('DAY', '2026-01-01', 'PAYIN', 'M', 'EUR', 'SUCCESS', 1, 100)`,
    ['house_volumes_are_those_of_merchants'],
  ],
  [
    'a payment is in no volume',
    `update payment_volume_marks set counted_until = now() + interval '1 day'`,
    ['volumes_are_counted'],
  ],
  [
    'an open payment will never expire',
    `delete from payment_tasks where id_payment = 'open'`,
    ['open_payments_expire'],
  ],
  [
    'an institution is not asked about a payout that it was given',
    `update payments set kind = 'PAYOUT', submitted_at = now(), callback_url = null where id_payment = 'open';
     update payment_timeline set kind = 'PAYOUT' where id_payment = 'open'; delete from payment_tasks where id_payment = 'open'`,
    ['payments_are_booked', 'submitted_payments_are_asked_about'],
  ],
  [
    'an erased customer left data',
    `insert into customers (merchant_id, id_customer, nonce, status, erased_at) values (1, 'C', gen_random_uuid(), 'ERASED', now() - interval '1 hour');
     update payments set id_customer = 'C', processed_at = now() - interval '1 hour' where id_payment = 'paid'`,
    ['erased_customers_have_no_data'],
  ],
  [
    'a line says that less of it is open than lies in suspense',
    `update statement_lines set open_amount = 39 where line_id = 2`,
    ['suspense_is_of_the_lines'],
  ],
  [
    'money lies in suspense of no line',
    `delete from statement_lines where line_id = 2`,
    ['suspense_is_of_the_lines'],
  ],
  [
    'a line brought more than was booked',
    `update statement_lines set amount = 101 where line_id = 1`,
    ['credit_lines_are_somewhere'],
  ],
  [
    'a line that waits was never booked',
    `delete from ledger_postings where transfer_id = (select transfer_id from ledger_transfers where id_payment = '2');
     delete from ledger_transfers where id_payment = '2'`,
    ['suspense_is_of_the_lines', 'credit_lines_are_somewhere'],
  ],
  [
    'two lines are the money of one payment',
    `update statement_lines set id_payment = 'recalled' where line_id = 3`,
    ['payments_are_paid_by_lines_once'],
  ],
  [
    'a payout left by two lines',
    `insert into statement_lines (line_id, statement_id, account_code, currency_code, position, entry_fingerprint, occurrence, part, direction,
       is_reversal, amount, booked_on, data_key, sealed, state, open_amount, merchant_id, kind, id_payment) overriding system value
     select id, 1, 'MAIN', 'EUR', 1, decode(repeat('0' || id, 32), 'hex'), 1, 1, 'DEBIT', false, 5, now(), '\\x00', '\\x00', 'MATCHED', 0, 1, 'PAYOUT', 'out'
     from (values (8), (9)) v(id)`,
    ['payments_leave_by_one_line'],
  ],
  [
    'operators gave a payment more than it asked for',
    `update statement_decisions set amount = 120`,
    ['decided_money_is_the_payments'],
  ],
  [
    'a sum was split into less',
    `delete from ledger_postings where transfer_id = (select transfer_id from ledger_transfers where id_payment = '6');
     delete from ledger_transfers where id_payment = '6'; delete from statement_lines where line_id = 6`,
    ['split_sums_are_their_parts'],
  ],
  [
    'a settlement of a period has neither items nor bookings',
    `insert into settlements (merchant_id, id_settlement, kind, currency_code, period_from, period_to, gross, fees, adjustments, net, reference)
     values (1, 'S', 'CYCLE', 'EUR', '2026-01-01', '2026-01-02', 100, 3, 0, 97, 'R')`,
    ['settlements_add_up', 'settlements_are_booked'],
  ],
  [
    'a transfer was settled in nothing',
    `insert into settlement_items (merchant_id, transfer_id, id_settlement, type, id_entity, gross, fee, net, processed_at)
     select 1, transfer_id, 'NONE', 'PAYIN', 'paid', 100, 3, 97, now() from ledger_transfers where id_payment = 'paid'`,
    ['settlement_items_belong_to_settlements', 'what_is_not_settled_is_in_the_balance'],
  ],
  [
    'what was settled is not in the ledger',
    `insert into settlements (merchant_id, id_settlement, kind, currency_code, period_from, period_to, gross, fees, adjustments, net, reference)
     values (1, 'S', 'CYCLE', 'EUR', '2026-01-01', '2026-01-02', 100, 3, 0, 97, 'R');
     insert into settlement_items (merchant_id, transfer_id, id_settlement, type, id_entity, gross, fee, net, processed_at)
     values (1, gen_random_uuid(), 'S', 'PAYIN', 'nobody', 100, 3, 97, now())`,
    ['settlement_items_are_transfers', 'settlements_are_booked'],
  ],
  [
    'a requested settlement has no payment',
    `insert into settlements (merchant_id, id_settlement, kind, currency_code, gross, fees, adjustments, net, reference, account, request_digest)
     values (1, 'S', 'REQUESTED', 'EUR', 5, 0, 0, 5, 'R', '{}', '\\x00')`,
    ['requested_settlements_are_paid_out'],
  ],
  [
    'a refund has no payout',
    `insert into refunds (merchant_id, id_payin, id_refund, id_payment, amount, currency_code) values (1, 'paid', 'R', 'nobody', 5, 'EUR')`,
    ['refunds_are_payouts'],
  ],
  [
    'more was refunded than received',
    `insert into payments (merchant_id, kind, id_payment, nonce, request_digest, status, processor_status, amount, currency_code, fee_amount,
       method_code, rail, reference, instructions, is_test, timeline_count, expire_at)
     values (1, 'PAYOUT', 'out', gen_random_uuid(), '\\x00', 'CREATED', 'P', 100.01, 'EUR', 0, 'M', 'r', 'R2', '{}', true, 1, now());
     insert into payment_timeline values (1, 'PAYOUT', 'out', 1, 'CREATED', 'P', 'a');
     insert into refunds (merchant_id, id_payin, id_refund, id_payment, amount, currency_code) values (1, 'paid', 'R', 'out', 100.01, 'EUR')`,
    ['refunds_do_not_exceed_what_was_received', 'payments_are_booked', 'open_payments_expire'],
  ],
  [
    'a payout on a chain is of no payment, and what it cost was not booked',
    `insert into chain_payouts (reference, chain_code, wallet, merchant_id, kind, id_payment, currency_code, amount, seal, state, nonce, ended_at, network_fee)
     values ('R9', 'C', 'w', 1, 'PAYOUT', 'nobody', 'USDC', 5, decode(repeat('00', 32), 'hex'), 'PAID', 0, now(), 0.1)`,
    ['chain_payouts_are_their_payments', 'network_fees_are_of_transactions'],
  ],
  [
    'a network’s fee is of no payout',
    `with t as (insert into ledger_transfers (merchant_id, transfer_id, event, kind, id_payment) values (0, gen_random_uuid(), 'NETWORK_FEE', 'CHAIN_FEE', 'R9')
       returning transfer_id)
     insert into ledger_postings (merchant_id, transfer_id, posting_no, account, currency_code, amount)
     select 0, transfer_id, n, case n when 1 then 'FEES' else 'CLEARING' end, 'ETH', case n when 1 then -0.1 else 0.1 end from t, generate_series(1, 2) n`,
    ['network_fees_are_of_transactions'],
  ],
  ...['payment_timeline', 'payment_personal_data', 'payment_external_references', 'payment_tasks'].map(
    (table) =>
      [
        `a row of ${table} belongs to nothing`,
        `create temporary table stray on commit drop as select * from ${table} limit 1; update stray set id_payment = 'nobody'; insert into ${table} select * from stray`,
        [`${table}_belongs_to_payments`],
      ] as const,
  ),
]

/** A session on which nothing holds anything together, and what it reads. */
async function openUnguarded(
  t: TestLife,
): Promise<{ db: Pick<Database, 'transaction'>; run: (text: string) => Promise<unknown> }> {
  const { outside } = await testPostgres(t)
  await outside.query('set session_replication_role = replica')
  const tx: Tx = {
    rows: async <Row extends object>({ name, text }: Statement, values: readonly unknown[]) =>
      (await outside.query<Row>({ name, text, values: [...values] })).rows,
  }
  return {
    // All of it is in the one transaction that each fault is planted in.
    db: { transaction: (work) => work(tx) },
    run: (text) => outside.query(text),
  }
}

test('the checks find nothing in sound books, and each planted fault in spoiled ones', async (t) => {
  const { db, run } = await openUnguarded(t)
  await run(SOUND)
  const sound = await verifyBooks(db)
  assert.deepEqual(sound.findings, [])
  const seen = new Set<string>()
  for (const [what, fault, checks] of FAULTS) {
    await t.test(what, async () => {
      await run('begin')
      await run(fault)
      const { findings } = await verifyBooks(db)
      await run('rollback')
      assert.deepEqual([...new Set(findings.map((finding) => finding.check))].sort(), [...checks].sort())
      for (const { check, detail } of findings) {
        seen.add(check)
        assert.notEqual(detail, '')
      }
    })
  }
  assert.deepEqual([...seen].sort(), [...sound.checks].sort(), 'every check has found something')
  assert.deepEqual((await verifyBooks(db)).findings, [], 'and nothing of it was kept')
})

/** One merchant with so many, all paid and told, and statistics of them. */
const manyPaid = (count: number): string => `
  insert into payments (merchant_id, kind, id_payment, nonce, request_digest, status, processor_status, amount, currency_code, fee_amount,
    received_amount, received_currency_code, method_code, rail, reference, instructions, is_test, timeline_count, expire_at, processed_at)
  select 1, 'PAYIN', 'many-' || n, gen_random_uuid(), '\\x00', 'SUCCESS', 'P', 100, 'EUR', 3, 100, 'EUR', 'M', 'r', 'R', '{}', true, 2, now(), now()
  from generate_series(1, ${count}) n;
  insert into payment_timeline (merchant_id, kind, id_payment, entry_no, status, processor_status, actor)
  select 1, 'PAYIN', id_payment, no, v.status, 'P', 'a' from payments, (values (1, 'CREATED'), (2, 'SUCCESS')) v(no, status) where id_payment like 'many-%';
  insert into ledger_transfers (merchant_id, transfer_id, event, kind, id_payment)
  select 1, gen_random_uuid(), 'PAYIN_SUCCESS', 'PAYIN', id_payment from payments where id_payment like 'many-%';
  insert into ledger_postings select 1, transfer_id, no, account, 'EUR', amount
  from ledger_transfers, (values (1, 'CLEARING', -100), (2, 'NOT_SETTLED', 97), (3, 'FEES', 3)) v(no, account, amount);
  insert into balances (merchant_id, currency_code, not_settled) values (1, 'EUR', ${97 * count});
  analyze payments, payment_timeline, ledger_transfers, ledger_postings
`

/** A key that a join compares row by row, of rows that share only a part of it, such as the merchant. */
const KEY_IN_FILTER = /Join Filter":"[^"]*\b(?:transfer_id|id_payment) = [^"]*\b(?:transfer_id|id_payment)\b/

test('no check joins row by row, whatever the statistics say of the tables', async (t) => {
  const { db, run } = await openUnguarded(t)
  await run('begin')
  const plans = await plansOf(db)
  await run('rollback')
  const rowByRow = [...plans].filter(([, plan]) => plan.includes('Nested Loop')).map(([name]) => name)
  assert.deepEqual(rowByRow, [])
})

test('no check of a merchant with many payments holds each of them against all others', async (t) => {
  const { db, run } = await openUnguarded(t)
  await run(manyPaid(20_000))
  await run('begin')
  const plans = await plansOf(db)
  await run('rollback')
  const eachAgainstAll = [...plans].filter(([, plan]) => KEY_IN_FILTER.test(plan)).map(([name]) => name)
  assert.deepEqual(eachAgainstAll, [])
  assert.deepEqual((await verifyBooks(db)).findings, [])
})

/** How the server would answer each check, as JSON, by the name of its statement. */
async function plansOf(db: Pick<Database, 'transaction'>): Promise<ReadonlyMap<string, string>> {
  const plans = new Map<string, string>()
  const explaining = (tx: Tx): Tx => ({
    rows: async <Row extends object>({ name, text }: Statement, values: readonly unknown[]) => {
      if (!name.startsWith('verify_') || text.startsWith('select set_config'))
        return tx.rows<Row>({ name, text }, values)
      const plan = await tx.rows({ name: `explain_${name}`, text: `explain (format json) ${text}` }, [])
      plans.set(name, JSON.stringify(plan))
      return []
    },
  })
  await verifyBooks({ transaction: (work) => db.transaction((tx) => work(explaining(tx))) })
  return plans
}
