import assert from 'node:assert/strict'
import { test } from 'node:test'
import { examineStandbys } from '../doctor/standbys.ts'
import type { StandbyFacts } from '../doctor/store.ts'

/** What doctor says of a primary that waits for one of two standbys, of which none is there. */
const findingOf = (given: Partial<StandbyFacts> = {}, synchronous_commit = 'on') =>
  examineStandbys({
    ...{ version: '18.4', versionNumber: 180_004, nowMs: 0 },
    user: { name: 'gateway', isSuperuser: false, isOwner: false, mayChangeBooks: false },
    durability: { fsync: 'on', synchronous_commit, full_page_writes: 'on' },
    standbys: { names: 'ANY 1 (a, b)', isStandby: false, confirming: 0, hidden: 0, ...given },
  })
const statusOf = (...given: Parameters<typeof findingOf>): string => findingOf(...given).status

test('writes that wait for a standby that is not there are to be mended, and doctor says how', () => {
  const finding = findingOf()
  assert.equal(finding.status, 'FAIL')
  assert.match(finding.message, /'ANY 1 \(a, b\)': 1 must confirm and 0 can, so every write waits/)
  assert.match(finding.fix ?? '', /Bring a standby back, .* docs\/failover\.md/)
})

test('as many standbys as the setting names must be able to confirm', () => {
  assert.equal(statusOf({ confirming: 1 }), 'OK')
  for (const names of ['2 (a, b)', 'FIRST 2 (a, b, c)', 'any 2(a,b,c)'])
    assert.deepEqual(
      [1, 2, 3].map((confirming) => statusOf({ names, confirming })),
      ['FAIL', 'OK', 'OK'],
    )
  for (const names of ['a', 'a, b', '*', '"2 (x"'])
    assert.deepEqual(
      [0, 1].map((confirming) => statusOf({ names, confirming })),
      ['FAIL', 'OK'],
    )
})

test('nothing is called wrong that cannot be seen, or is not asked for', () => {
  assert.equal(statusOf({ names: '' }), 'OK')
  assert.equal(statusOf({ hidden: 1 }), 'SKIPPED')
  assert.equal(statusOf({ isStandby: true }), 'SKIPPED')
})

test('a commit that does not wait for the disk of a standby is looked at', () => {
  const statuses = ['on', 'remote_apply', 'remote_write', 'local'].map((commit) =>
    statusOf({ confirming: 1 }, commit),
  )
  assert.deepEqual(statuses, ['OK', 'OK', 'WARN', 'WARN'])
})
