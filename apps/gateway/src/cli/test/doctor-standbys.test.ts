import assert from 'node:assert/strict'
import { test } from 'node:test'
import { examineStandbys } from '../doctor/standbys.ts'
import type { StandbyFacts } from '../doctor/store.ts'

/** What doctor says of a primary that waits for one of two standbys, of which none is there. */
const findingOf = (given: Partial<StandbyFacts> = {}, synchronous_commit = 'on') =>
  examineStandbys({
    durability: { fsync: 'on', synchronous_commit, full_page_writes: 'on' },
    standbys: { names: 'ANY 1 (a, b)', isStandby: false, confirming: 0, present: [], hidden: 0, ...given },
  })
const statusOf = (...given: Parameters<typeof findingOf>): string => findingOf(...given).status

test('writes that wait for a standby that is not there are to be mended, and doctor says how', () => {
  const finding = findingOf()
  assert.equal(finding.status, 'FAIL')
  assert.match(finding.message, /'ANY 1 \(a, b\)': 1 must confirm and 0 can, so every write waits/)
  assert.match(finding.fix ?? '', /Bring a standby back, .* docs\/failover\.md/)
})

test('as many standbys as the setting names must be able to confirm', () => {
  const all = ['a', 'b', 'c']
  for (const names of ['2 (a, b)', 'FIRST 2 (a, b, c)', 'any 2(a,b,c)'])
    assert.deepEqual(
      [1, 2, 3].map((confirming) => statusOf({ names, confirming, present: all.slice(0, confirming) })),
      ['FAIL', 'OK', 'OK'],
    )
  for (const names of ['a', 'A', '"a"', '1 (a)'])
    assert.deepEqual(
      [0, 1].map((confirming) => statusOf({ names, confirming, present: all.slice(0, confirming) })),
      ['FAIL', 'OK'],
    )
})

test('a standby that the setting names and that is not there is named, while the others confirm', () => {
  const finding = findingOf({ confirming: 1, present: ['a'] })
  assert.equal(finding.status, 'WARN')
  assert.match(finding.message, /'ANY 1 \(a, b\)': 1 can confirm, 1 must; not connected: b\.$/)
  // Of three servers with one list, the primary itself is the one that is not connected.
  const ofThree = { names: 'ANY 1 (a, b, c)', confirming: 2, present: ['b', 'c'] }
  assert.equal(statusOf(ofThree), 'OK')
  assert.match(findingOf({ ...ofThree, confirming: 1, present: ['b'] }).message, /not connected: a, c\./)
  assert.equal(statusOf({ names: 'a, b', confirming: 1, present: ['a', 'b'] }), 'OK')
})

test('a setting that lets anybody confirm is refused, whoever does', () => {
  for (const names of ['*', ' * ', 'ANY 1 (*)', 'FIRST 1 (a, *)', '"*"']) {
    const finding = findingOf({ names, confirming: 1, present: ['walreceiver'] })
    assert.equal(finding.status, 'FAIL', names)
    assert.match(finding.message, /whoever streams the log confirms, also pg_receivewal/)
    assert.match(finding.fix ?? '', /Name the standbys that may be promoted/)
  }
})

test('nothing is called wrong that cannot be seen, or is not asked for', () => {
  assert.equal(statusOf({ names: '' }), 'OK')
  assert.equal(statusOf({ hidden: 1 }), 'SKIPPED')
  assert.equal(statusOf({ isStandby: true }), 'SKIPPED')
})

test('a commit that does not wait for the disk of a standby is looked at', () => {
  const statuses = ['on', 'remote_apply', 'remote_write', 'local'].map((commit) =>
    statusOf({ confirming: 2, present: ['a', 'b'] }, commit),
  )
  assert.deepEqual(statuses, ['OK', 'OK', 'WARN', 'WARN'])
})
