import assert from 'node:assert/strict'
import { test } from 'node:test'
import { run } from '../../../platform/test/postgres.ts'
import { createAuditLog } from '../index.ts'
import { openAuditRig } from './rig.ts'

const EVERYTHING = { isFailed: false }

test('an act has what it changed, before and after, and nothing of another act', async (t) => {
  const rig = await openAuditRig(t)
  const log = createAuditLog({ db: rig.db, patientDb: rig.db, clock: { nowMs: () => Date.now() } })
  await rig.act('first', `insert into segments (segment_code, name) values ('VIP', 'Very important')`)
  const recordNo = await rig.act(
    'second',
    `update segments set name = 'Important' where segment_code = 'VIP'`,
    `update segments set name = name where segment_code = 'VIP'`,
    `delete from segments where segment_code = 'VIP'`,
  )
  const act = await log.find(recordNo)
  assert.equal(act?.operatorName, 'Ada Lovelace')
  assert.deepEqual([act.means, act.meansId, act.status, act.changeCount], ['KEY', 'key_1', 200, 2])
  assert.deepEqual(act.changes, [
    {
      section: 'segments',
      item: 'VIP',
      merchantCode: null,
      verb: 'CHANGED',
      before: { name: 'Very important' },
      after: { name: 'Important' },
    },
    {
      section: 'segments',
      item: 'VIP',
      merchantCode: null,
      verb: 'REMOVED',
      before: { name: 'Important', position: '0' },
      after: null,
    },
  ])
  assert.equal((await log.list(EVERYTHING, { before: undefined, limit: 10 }))[0]?.recordNo, recordNo)
})

test('S142: what is changed without an operator is an act, too: of its program and database user, once for a transaction', async (t) => {
  const rig = await openAuditRig(t)
  await rig.db.transaction(async (tx) => {
    await run(tx, `insert into segments (segment_code, name) values ('A', 'A')`)
    await run(tx, `insert into segments (segment_code, name) values ('B', 'B')`)
  })
  await rig.outside.query(`update segments set name = 'C' where segment_code = 'B'`)
  const found = await rig.rows<{ program: string; items: string }>(
    `select a.program, string_agg(b.item, ' ' order by b.record_no) as items from audit_records a join audit_records b on b.act_no = a.record_no
      where a.kind = 'LOCAL' and b.section = 'segments' group by a.record_no, a.program order by a.record_no`,
  )
  assert.deepEqual(found, [
    { program: 'gateway', items: 'A B' },
    { program: 'outside', items: 'B' },
  ])
})

test('S142: what is rolled back leaves no record, and what is committed cannot be without one', async (t) => {
  const rig = await openAuditRig(t)
  const count = async (): Promise<unknown> => (await rig.rows('select count(*) from audit_records'))[0]
  const before = await count()
  await assert.rejects(
    rig.db.transaction(async (tx) => {
      await run(tx, `insert into segments (segment_code, name) values ('A', 'A')`)
      throw new Error('rolled back')
    }),
    /rolled back/,
  )
  assert.deepEqual(await count(), before)
  await rig.outside.query('alter table audit_records add constraint closed check (record_no < 0) not valid')
  await assert.rejects(
    run(rig.db, `insert into segments (segment_code, name) values ('A', 'A')`),
    /violates check constraint "closed"/,
  )
  assert.deepEqual(await rig.rows('select * from segments'), [])
})

test('S143: a change that names a request which was answered is not taken for a part of it', async (t) => {
  const rig = await openAuditRig(t)
  const recordNo = await rig.act('setFee')
  const [request] = await rig.rows<{ no: string }>(
    `select request_no::text as no from audit_records where record_no = ${recordNo}`,
  )
  await rig.outside.query(
    `begin; set local tollgate.request = '${request?.no ?? ''}'; insert into segments (segment_code, name) values ('A', 'A'); commit`,
  )
  const [change] = await rig.rows<{ act: string; kind: string }>(
    `select a.record_no::text as act, a.kind from audit_records b join audit_records a on a.record_no = b.act_no where b.section = 'segments'`,
  )
  assert.equal(change?.kind, 'LOCAL')
  assert.notEqual(change.act, recordNo)
})

test('records and chain are only added to', async (t) => {
  const rig = await openAuditRig(t)
  for (const table of ['audit_records', 'audit_chain'])
    for (const attempt of [`update ${table} set xid = xid`, `delete from ${table}`, `truncate ${table}`])
      await assert.rejects(rig.outside.query(attempt), /stays as it was recorded/, attempt)
})
