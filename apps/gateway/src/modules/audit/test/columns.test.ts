import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { ACT_WORDS } from '@tollgate/contract/words'
import { testPostgres } from '../../../platform/test/postgres.ts'

/** Columns of audited tables that the log leaves out: who looks for a row finds it by its name, and times are those of the log. */
const LEFT_OUT: readonly string[] = [
  'bank_accounts.created_at',
  'blocked_beneficiaries.created_at',
  'cell_moves.cluster_id',
  'cell_moves.move_no',
  'cell_moves.noted_at',
  'cell_moves.xid',
  'cell_splits.history_until',
  'cell_splits.released_at',
  'cell_splits.split_no',
  'confirmation_policies.set_at',
  // The reason of the act has it.
  'blocked_beneficiaries.note',
  'institution_health.by_hand_since',
  'institution_health.observed',
  'institution_health.observed_since',
  'merchant_keys.confirmed_at',
  'merchant_keys.created_at',
  'merchant_logos.content',
  'merchant_logos.created_at',
  'merchant_secrets.created_at',
  'merchants.created_at',
  'operator_identities.confirmed_at',
  'operator_identities.created_at',
  'operator_identities.last_used_at',
  'operator_invitations.created_at',
  'operator_keys.created_at',
  'operator_keys.seconded_at',
  'operator_passkeys.confirmed_at',
  'operator_passkeys.counter',
  'operator_passkeys.created_at',
  'operator_passkeys.key_id',
  'operator_passkeys.last_used_at',
  'operator_sessions.created_at',
  'operator_sessions.is_key_seconded',
  'operator_sessions.last_used_at',
  'operators.created_at',
  'rate_lists.created_at',
  'rate_sheets.created_at',
  'rate_sheets.digest',
  'rate_sheets.published_at',
  'restore_gaps.closed_at',
  'restore_gaps.proposed_at',
  'restore_gaps.proposed_digest',
  'restore_gaps.restored_at',
  'revoked_tokens.revoked_at',
  'root_key.is_the_one',
  // It opens the number beside it.
  'settlement_accounts.data_key',
  'settlement_accounts.updated_at',
  // The worker goes on from them.
  'settlement_cycles.due_at',
  'settlement_cycles.revision',
  'settlement_cycles.run_until',
  'settlement_cycles.since',
  'token_signing_keys.created_at',
]

/** What may never be shown: it is bytes, or opens something, or names a person. */
const SECRET = /hash$|sealed$|data_key|^iban$|account_number|upi_address|pix_key|bitcoin_address|holder/
/** Of a picture that is public. */
const PUBLIC = ['merchant_logos.content_hash']

test('S144: each column of what is audited is shown, told as changed, or left out on purpose, and no secret is shown', async (t) => {
  const { outside } = await testPostgres(t)
  const { rows } = await outside.query<{ name: string; type: string; args: string }>(
    `select c.relname || '.' || a.attname as name, format_type(a.atttypid, -1) as type, encode(t.tgargs, 'escape') as args
      from pg_trigger t join pg_class c on c.oid = t.tgrelid join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
      where t.tgfoid = 'audit_change'::regproc and a.attname not in ('merchant_id', 'operator_id') order by 1`,
  )
  assert.ok(rows.length > 150)
  const columns = rows.map(({ name, type, args }) => {
    const [shown = [], told = [], named = []] = args.split('\\000').map((list) => list.split(' '))
    const column = name.split('.')[1] ?? ''
    return { name, type, isShown: [...shown, ...named].includes(column), isTold: told.includes(column) }
  })
  const leftOut = columns.filter(({ isShown, isTold }) => !isShown && !isTold).map(({ name }) => name)
  assert.deepEqual([...new Set(leftOut)], [...LEFT_OUT].sort())
  const secrets = columns.filter(
    ({ name, type, isShown }) =>
      isShown && !PUBLIC.includes(name) && (type === 'bytea' || SECRET.test(name.split('.')[1] ?? '')),
  )
  assert.deepEqual(secrets, [])
})

test('each table of configuration is audited', async (t) => {
  const { outside } = await testPostgres(t)
  const { rows } = await outside.query<{ name: string }>(
    `select distinct c.relname as name from pg_trigger t join pg_class c on c.oid = t.tgrelid
      where t.tgfoid = 'note_configuration_change'::regproc and c.relname <> 'restore_gap_ids' -- many, and ids of payments
      and not exists (select from pg_trigger u where u.tgrelid = c.oid and u.tgfoid = 'audit_change'::regproc)`,
  )
  assert.deepEqual(rows, [])
})

test('each route that changes anything has its words', () => {
  const url = new URL('../../../../../../docs/operator-openapi.json', import.meta.url)
  const text = readFileSync(url, 'utf8')
  const changing = [...text.matchAll(/^ {6}"(?:post|put|patch|delete)": [{]\s+"operationId": "(\w+)"/gm)].map(
    ([, id = '']) => id,
  )
  assert.ok(changing.length > 70)
  assert.deepEqual(
    changing.filter((id) => ACT_WORDS[id] === undefined),
    [],
    'add them to packages/contract/src/audit-words.ts',
  )
})

test('no table that a merchant’s request writes is audited', async (t) => {
  const { outside } = await testPostgres(t)
  const written = [
    'payments',
    'payment_timeline',
    'payment_tasks',
    'payment_personal_data',
    'payment_daily_usage',
    'payment_external_references',
    'ledger_transfers',
    'ledger_postings',
    'balances',
    'callback_events',
    'signed_token_requests',
    'customers',
    'refunds',
    'settlements',
  ]
  const { rows } = await outside.query<{ name: string }>(
    `select distinct c.relname as name from pg_trigger t join pg_class c on c.oid = t.tgrelid join pg_proc p on p.oid = t.tgfoid
      where p.proname like 'audit%' and c.relname = any($1)`,
    [written],
  )
  assert.deepEqual(rows, [])
})
