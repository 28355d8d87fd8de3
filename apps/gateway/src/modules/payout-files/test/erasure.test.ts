import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLog } from '@tollgate/runtime/log'
import { createMetrics } from '../../../platform/metrics.ts'
import { EXPIRING } from '../../../rooms/retention.ts'
import { erasePayments, type PaymentKey } from '../../payments/index.ts'
import { createRetentionWorker, type RetentionWorker } from '../../retention/index.ts'
import { ACTOR, openRig, pain002, type Rig } from './rig.ts'

const NOBODY = { DELIVERIES: 0, INQUIRIES: 0, PERSONAL_DATA: 0 }

const retention = ({ db }: Rig, documentDays: number): RetentionWorker =>
  createRetentionWorker({
    db,
    expiring: EXPIRING,
    documentDays,
    days: NOBODY,
    settings: { rowsMax: 1, pauseMs: 0 },
    log: createLog({ level: 'silent' }),
    metrics: createMetrics(),
  })

/** A file of two payouts, its report, and the confirmation of that report. */
async function documents(rig: Rig, said: 'ACSC' | 'PDNG') {
  const keys: PaymentKey[] = [await rig.payOut(), await rig.payOut()]
  const { files } = await rig.files.create({ currencyCode: 'EUR', actor: ACTOR })
  const fileId = files[0]?.fileId ?? ''
  const references = await Promise.all(keys.map(async (key) => (await rig.read(key)).reference))
  const lines = references.map((reference, index) => [reference, index === 0 ? 'ACSC' : said] as const)
  await rig.take(pain002(fileId, { group: 'PART', lines, messageId: fileId.slice(0, 20) }))
  const { dataKey, sealed } = rig.secrets.sealApart('a report', Buffer.from('Ada Lovelace'))
  await rig.sql(
    `insert into confirmations (kind, digest, title, actor, directive, data_key, sealed, byte_count, state, expire_at, ended_at, ended_by)
      select 'PAYOUT_REPORT', content_hash, 'a report', 'operator:ada', '{}', $1, $2, 12, 'CONFIRMED', now(), now(), 'operator:bob'
      from payout_reports where file_id = $3`,
    [dataKey, sealed, fileId],
  )
  return { keys, fileId }
}

/** How many documents have their bytes: files, reports, confirmations. */
async function withBytes({ sql }: Rig): Promise<unknown> {
  const [row] = await sql(`select (select count(*)::int from payout_files where length(sealed) > 0) as files,
    (select count(*)::int from payout_reports where length(sealed) > 0) as reports,
    (select count(*)::int from confirmations where sealed is not null) as acts`)
  return row
}
const ALL = { files: 1, reports: 1, acts: 1 }
const NONE = { files: 0, reports: 0, acts: 0 }

test('D70 a person is erased: file, report and confirmation lose their bytes once nothing in them is open; evidence stays', async (t) => {
  const rig = await openRig(t)
  const { keys, fileId } = await documents(rig, 'PDNG')
  await rig.db.transaction((tx) => erasePayments(tx, keys))
  const worker = retention(rig, 0)
  assert.equal(await worker.sweepDocuments(), 0)
  assert.deepEqual(await withBytes(rig), ALL)
  const before = await rig.files.show(fileId)
  const [, open] = keys
  assert.ok(open !== undefined)
  const reference = (await rig.read(open)).reference
  await rig.take(pain002(fileId, { group: 'PART', lines: [[reference, 'ACSC']], messageId: 'LATER' }))
  assert.equal(await worker.sweepDocuments(), 4)
  assert.deepEqual(await withBytes(rig), NONE)
  assert.deepEqual(await rig.files.show(fileId), before)
  await assert.rejects(rig.files.fetch(fileId, ACTOR), /were removed/)
  assert.deepEqual(await rig.booksFindings(), [])
})

test('documents lose their bytes after so many days, and never with 0', async (t) => {
  const rig = await openRig(t)
  await documents(rig, 'ACSC')
  assert.equal(await retention(rig, 0).sweepDocuments(), 0)
  assert.equal(await retention(rig, 1).sweepDocuments(), 0)
  for (const [table, column] of [
    ['payout_files', 'created_at'],
    ['payout_reports', 'received_at'],
    ['payment_timeline', 'happened_at'],
    ['confirmations', 'ended_at'],
  ] as const)
    await rig.sql(
      `do $$ begin
        alter table ${table} disable trigger user;
        update ${table} set ${column} = ${column} - interval '2 days';
        alter table ${table} enable trigger user;
      end $$`,
    )
  assert.equal(await retention(rig, 0).sweepDocuments(), 0)
  assert.equal(await retention(rig, 1).sweepDocuments(), 3)
  assert.deepEqual(await withBytes(rig), NONE)
})

test('of a document nothing but its bytes is removed, and they do not come back', async (t) => {
  const rig = await openRig(t)
  await documents(rig, 'ACSC')
  const refused = (change: string) => assert.rejects(rig.sql(change), { code: '23001' }, change)
  for (const table of ['payout_files', 'payout_reports']) {
    await refused(`update ${table} set sealed = '\\x01'`)
    await refused(`update ${table} set sealed = '', data_key = '', content_hash = sha256('')`)
    await refused(`delete from ${table}`)
  }
  await refused(`update confirmations set sealed = null, data_key = null, ended_by = 'operator:eve'`)
  await refused(`update confirmations set ended_by = 'operator:eve'`)
  await rig.sql(`update confirmations set sealed = null, data_key = null`)
  await refused(`update confirmations set sealed = '\\x01', data_key = '\\x01'`)
})
