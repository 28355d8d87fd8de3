import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { createChainer } from '../../../platform/chain/index.ts'
import { openTestDatabase } from '../../../platform/test/index.ts'
import { testPostgres } from '../../../platform/test/postgres.ts'
import { AUDIT, createAuditLog } from '../index.ts'

const FOLDER = new URL('../../../../migrations/', import.meta.url)
const MIGRATION = '0058_audit_create.sql'

test('what was noted before there was the log is in it after the upgrade, marked, and chained as it was found', async (t) => {
  const { url, outside } = await testPostgres(t)
  const names = readdirSync(FOLDER)
    .filter((name) => /^\d{4}_.*[.]sql$/.test(name))
    .sort()
  const run = async (name: string): Promise<void> => {
    await outside.query(readFileSync(new URL(name, FOLDER), 'utf8'))
  }
  await outside.query('drop schema public cascade; create schema public')
  for (const name of names.slice(0, names.indexOf(MIGRATION))) await run(name)
  await outside.query(`insert into operators (operator_code, name, roles) values ('ada', 'Ada', '{ADMIN}');
    insert into merchants (merchant_code, channel_name) values ('SHOP', 'Shop');
    insert into operator_requests (operator_code, operation, path, request_id, asked_at, answered_status)
      values ('ada', 'applyCatalogue', '/operator/catalogue', 'R-1', '2026-01-02', 200), ('ada', 'setFee', '/operator/fees', 'R-2', '2026-01-03', null);
    insert into catalogue_changes (operator_code, request_id, section, item, before, after)
      values ('ada', 'R-1', 'segments', 'VIP', null, '{"name":"Very important","position":1}');
    insert into unmaskings (operator_code, subject, merchant_id, kind, id_payment, seen_at) values ('ada', 'PAYEE', 1, 'PAYOUT', 'OUT-1', '2026-01-04')`)
  await run(MIGRATION)
  const db = openTestDatabase(t, url)
  const log = createAuditLog({ db, patientDb: db, clock: { nowMs: () => Date.now() } })
  const acts = await log.list({ isFailed: false }, { before: undefined, limit: 10 })
  assert.deepEqual(
    acts.map(({ kind, operation, subject, status, isFromBefore, happenedAt, changes }) => [
      kind,
      operation,
      subject,
      status,
      isFromBefore,
      isFromBefore ? happenedAt.toISOString().slice(0, 10) : 'now',
      changes.map(({ item, verb, after }) => [item, verb, after?.['position']]),
    ]),
    [
      ['BEGAN', undefined, undefined, undefined, false, 'now', []],
      ['READ', 'PAYEE', 'PAYOUT OUT-1', undefined, true, '2026-01-04', []],
      ['ACT', 'setFee', undefined, undefined, true, '2026-01-03', []],
      ['ACT', 'applyCatalogue', undefined, 200, true, '2026-01-02', [['VIP', 'ADDED', '1']]],
    ],
  )
  // A request of the older version that is still under way is answered as always.
  await outside.query(`update operator_requests set answered_status = 406 where request_id = 'R-2'`)
  const [failed] = await log.list({ isFailed: true }, { before: undefined, limit: 10 })
  assert.deepEqual([failed?.operation, failed?.status], ['setFee', 406])
  const chainer = createChainer(db, AUDIT)
  while ((await chainer.findLagSeconds()) > 0) await chainer.chain()
  const { head, findings } = await log.verify()
  assert.deepEqual(findings, [])
  assert.ok(head.entryNo >= 7)
  assert.equal((await log.head()).beginsWith, acts[0]?.recordNo)
})
