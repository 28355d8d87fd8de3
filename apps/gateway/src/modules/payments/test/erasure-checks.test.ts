import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ERASURE_CHECKS } from '../privacy/checks.ts'
import { openRig, type Rig } from './rig.ts'

/** A customer that was erased an hour ago, with a payment that ended before: as an erasure leaves them. */
const ERASED = `
  insert into customers (merchant_id, id_customer, nonce, status, erased_at)
  values (1, 'C-1', gen_random_uuid(), 'ERASED', now() - interval '1 hour');
  insert into payments (merchant_id, kind, id_payment, nonce, request_digest, status, processor_status, amount, currency_code, fee_amount,
    method_code, rail, reference, instructions, is_test, expire_at, processed_at, id_customer)
  values (1, 'PAYIN', 'left', gen_random_uuid(), '', 'FAILED', 'REJECTED', 100, 'EUR', 3, 'M', 'r', 'R', '{}', true, now(),
    now() - interval '2 hours', 'C-1');
  insert into payment_personal_data (merchant_id, kind, id_payment, source) values (1, 'PAYIN', 'left', 'REQUEST'), (1, 'PAYIN', 'left', 'PROCESS');
  insert into callback_events (event_id, merchant_id, kind, id_entity, timeline_entry_no, url, receiver)
  values ('00000000-0000-4000-8000-000000000001', 1, 'PAYIN', 'left', 2, 'https://a/', 'https://a:443')`

const ANSWER = (when: string): string =>
  `insert into callback_attempts (event_id, attempt_no, started_at, answer_start)
   values ('00000000-0000-4000-8000-000000000001', 1, ${when}, 'Jana')`

const LINE = (when: string): string =>
  `insert into currencies (currency_code, name, type, minor_units) values ('EUR', 'Euro', 'FIAT', 2) on conflict do nothing;
   insert into bank_accounts (account_code, currency_code, holder, bank_name, iban, is_default) values ('MAIN', 'EUR', 'Us', 'Bank', 'DE89370400440532013000', true);
   insert into statement_files (content_hash, file_name, format, byte_count, actor, warnings) values (sha256(''), 'f', 'CSV', 1, 'folder', '{}');
   insert into statements (file_id, position, account_code, currency_code, is_notification, line_count, known_count, pending_count)
   select file_id, 1, 'MAIN', 'EUR', false, 1, 0, 0 from statement_files;
   insert into statement_lines (statement_id, account_code, currency_code, position, entry_fingerprint, occurrence, part, direction, is_reversal, amount,
     booked_on, data_key, sealed, state, merchant_id, kind, id_payment, state_since)
   select statement_id, 'MAIN', 'EUR', 1, sha256(''), 1, 1, 'CREDIT', false, 100, now(), '\\x00', '\\x00', 'MATCHED', 1, 'PAYIN', 'left', ${when} from statements`

/** One thing each that may be left behind, and what the check says of it. */
const LEFT_OVERS: readonly (readonly [leave: string, says: string])[] = [
  [
    `update payment_personal_data set data_key = '\\x00', sealed = '\\x00' where source = 'PROCESS'`,
    'personal data is still there',
  ],
  [`delete from payment_personal_data where source = 'PROCESS'`, 'nothing keeps new personal data away'],
  [`update payments set external_reference = 'R'`, 'an external reference is still there'],
  [
    `insert into payment_external_references values (1, 'PAYIN', 'left', 2, 'R')`,
    'an external reference is still there',
  ],
  [`update payments set return_url = 'https://a.example/'`, 'its return URL is still there'],
  [`update payments set request_digest = '\\x00'`, 'a digest is still there'],
  [`update payments set beneficiary_digest = '\\x00'`, 'a digest is still there'],
  [ANSWER(`now() - interval '90 minutes'`), 'an answer of a receiver is still there'],
  [LINE(`now() - interval '90 minutes'`), 'what the bank said of the payer is still there'],
]

async function findings(rig: Rig): Promise<readonly unknown[]> {
  const found = await Promise.all(ERASURE_CHECKS.map(({ text }) => rig.sql(`${text} limit 100`)))
  return found.flat().map((row) => row['detail'])
}

test('an erasure that is complete is found to be', async (t) => {
  const rig = await openRig(t)
  await rig.sql(ERASED)
  assert.deepEqual(await findings(rig), [])
})

for (const [leave, says] of LEFT_OVERS) {
  test(`what an erasure left behind is found: ${says}: ${leave.slice(0, 40)}`, async (t) => {
    const rig = await openRig(t)
    await rig.sql(ERASED)
    await rig.sql(leave)
    assert.deepEqual(await findings(rig), [`PAYIN left of merchant 1: its customer was erased, but ${says}`])
  })
}

test('what may still be there is not a fault', async (t) => {
  const harmless = [
    `update payments set status = 'CREATED', processed_at = null, external_reference = 'R'`,
    `update payments set return_url = 'https://a/', processed_at = now()`,
    `update payments set return_url = 'https://a/'; update customers set erased_at = now()`,
    `update payments set return_url = 'https://a/', id_customer = 'C-2'`,
    ANSWER('now()'),
    LINE('now()'),
  ]
  for (const change of harmless) {
    const rig = await openRig(t)
    await rig.sql(ERASED)
    await rig.sql(change)
    assert.deepEqual(await findings(rig), [], change)
  }
})
