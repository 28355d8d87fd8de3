import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findHead } from '../../../platform/chain/index.ts'
import { AUDIT } from '../chained.ts'
import { verifyAudit } from '../verification.ts'
import { openAuditRig } from './rig.ts'

const RENUMBERED = `update audit_chain set entry_no = entry_no + 5000 where entry_no > {E};
  update audit_chain set entry_no = entry_no - 5001 where entry_no > 5000`

/** Done by a superuser, past every trigger. `{R}` is the record of an act, `{E}` the number of its entry. */
const FAULTS: readonly (readonly [what: string, sql: string, says: string])[] = [
  ...(
    [
      ['the operator', `operator_code = 'eve'`],
      ['the reason', `reason = 'another'`],
      ['the time, by a microsecond', `happened_at = happened_at + interval '1 microsecond'`],
      ['by what it was asked', `means = 'PASSKEY'`],
      ['the subject', `subject = 'another'`],
    ] as const
  ).map(
    ([what, set]) =>
      [
        `${what} of an act was changed`,
        `update audit_records set ${set} where record_no = {R}`,
        'audit_matches_records: changed: record {R} \\(ACT setFee by (ada|eve)\\) is not what entry {E} was made of$',
      ] as const,
  ),
  [
    'an answer was changed',
    `update audit_records set status = 500 where act_no = {R} and kind = 'ANSWER'`,
    'audit_matches_records: changed: record \\d+ \\(ANSWER of record {R}\\) is not what entry \\d+ was made of$',
  ],
  [
    'what was there before was changed',
    `update audit_records set before = '{"name":"X"}' where act_no = {R} and kind = 'CHANGE'`,
    'audit_matches_records: changed: record \\d+ \\(CHANGE segments VIP of record {R}\\) is not what',
  ],
  [
    'an act was removed',
    'delete from audit_records where record_no = {R}',
    'audit_matches_records: missing: record {R}, of which entry {E} was made$',
  ],
  [
    'an act was removed with its entry',
    'delete from audit_records where record_no = {R}; delete from audit_chain where record_no = {R}',
    'audit_is_whole: missing: entry {E}; of which records cannot be told$',
  ],
  [
    'an act was removed with its entry, and the numbers closed up',
    `delete from audit_records where record_no = {R}; delete from audit_chain where record_no = {R}; ${RENUMBERED}`,
    'audit_is_whole: missing: 1 entry; of which records cannot be told; in front of what is now entry {E}, ',
  ],
  [
    'an act was put in',
    `insert into audit_records overriding system value select 1000000, xid, happened_at, kind, act_no, null, 'eve' from audit_records where record_no = {R}`,
    'audit_has_every_record: put in: record 1000000 \\(ACT by eve\\) has no entry, but later ones have',
  ],
  [
    'an entry was put in with its act',
    `update audit_chain set entry_no = entry_no + 5000 where entry_no >= {E}; update audit_chain set entry_no = entry_no - 4999 where entry_no > 5000;
     insert into audit_records overriding system value select 1000000, xid, happened_at, kind, act_no, null, 'eve' from audit_records where record_no = {R};
     insert into audit_chain select {E}, 1000000, xid, cluster_id, sha256('x'), sha256('y') from audit_chain where record_no = {R}`,
    'audit_is_whole: put in: entry {E}, beginning with entry {E}, of record 1000000 ',
  ],
]

test('S140: an act that was changed, removed or put in past the triggers is found, named, and told once', async (t) => {
  const rig = await openAuditRig(t)
  await rig.act('createSegment', `insert into segments (segment_code, name) values ('VIP', 'Very important')`)
  const recordNo = await rig.act(
    'setFee',
    `update segments set name = 'Important' where segment_code = 'VIP'`,
  )
  await rig.act('createSegment', `update segments set position = 4 where segment_code = 'VIP'`)
  await rig.chainAll()
  const [entry] = await rig.rows<{ no: string }>(
    `select entry_no::text as no from audit_chain where record_no = ${recordNo}`,
  )
  const head = await findHead(rig.db, AUDIT)
  await rig.outside.query('set session_replication_role = replica')
  const filled = (text: string): string => text.replaceAll('{R}', recordNo).replaceAll('{E}', entry?.no ?? '')
  const found = async (): Promise<readonly string[]> => {
    const tx = {
      rows: async ({ text }: { readonly text: string }, values: readonly unknown[]) =>
        (await rig.outside.query(text, [...values])).rows,
    }
    const { findings } = await verifyAudit(tx, { ...(head && { head }) })
    return findings.map(({ check, detail }) => `${check}: ${detail}`)
  }
  assert.deepEqual(await found(), [], 'a sound log')
  for (const [what, sql, says] of FAULTS)
    await t.test(what, async () => {
      await rig.outside.query('begin')
      await rig.outside.query(filled(sql))
      const findings = await found()
      await rig.outside.query('rollback')
      assert.equal(findings.length, 1, findings.join('\n'))
      assert.match(findings[0] ?? '', new RegExp(`^${filled(says)}`))
    })
})

test('S141: whoever cuts off the end of the log, or writes all of it anew, is found by a head that was kept', async (t) => {
  const rig = await openAuditRig(t)
  await rig.act('setFee', `insert into segments (segment_code, name) values ('VIP', 'Very important')`)
  await rig.chainAll()
  const head = await findHead(rig.db, AUDIT)
  assert.ok(head)
  await rig.outside.query('set session_replication_role = replica')
  await rig.outside.query(
    `delete from audit_records where record_no = (select max(record_no) from audit_records);
     delete from audit_chain where entry_no = ${head.entryNo}`,
  )
  assert.deepEqual((await verifyAudit(rig.db)).findings, [], 'nothing shows without a head')
  const { findings } = await verifyAudit(rig.db, { head })
  assert.deepEqual(
    findings.map(({ check }) => check),
    ['audit_contains_the_head'],
  )
})
