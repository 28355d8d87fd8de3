import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { PaymentKey } from '../../payments/index.ts'
import { ACTOR, openRig, pain002, type Rig } from './rig.ts'

/** Payouts of 100 EUR each in one file. */
async function filed(rig: Rig, count: number) {
  const keys: PaymentKey[] = []
  for (let made = 0; made < count; made += 1) keys.push(await rig.payOut())
  const { files } = await rig.files.create({ currencyCode: 'EUR', actor: ACTOR })
  const references = await Promise.all(keys.map(async (key) => (await rig.read(key)).reference))
  return { keys, references, fileId: files[0]?.fileId ?? '' }
}

const statesOf = (rig: Rig, keys: readonly PaymentKey[]) =>
  Promise.all(
    keys.map(async (key) => {
      const { status, processorStatus, failure } = await rig.read(key)
      return [status, processorStatus, ...(failure === undefined ? [] : [failure.code])]
    }),
  )

test('settled becomes SUCCESS, rejected FAILED with its reason, and pending stays as it is; the books agree', async (t) => {
  const rig = await openRig(t)
  const before = await rig.holdings()
  const { keys, references, fileId } = await filed(rig, 3)
  const [a = '', b = '', c = ''] = references
  const lines = [
    [a, 'ACSC'],
    [b, 'RJCT', 'AC04'],
    [c, 'PDNG'],
  ] as const
  const { report, entries, isNew } = await rig.take(pain002(fileId, { group: 'PART', lines }))
  assert.equal(isNew, true)
  assert.deepEqual([report.fileId, report.counts], [fileId, { APPLIED: 2, NO_OUTCOME: 1 }])
  assert.deepEqual(
    entries.map(({ outcome }) => outcome),
    ['APPLIED', 'APPLIED', 'NO_OUTCOME'],
  )
  assert.deepEqual(await statesOf(rig, keys), [
    ['SUCCESS', 'CONFIRMED'],
    ['FAILED', 'REJECTED', 'ACCOUNT_CLOSED'],
    ['CREATED', 'SUBMITTED'],
  ])
  // One has been spent, one is held, of one the money is free again; the fee is half a euro each.
  assert.deepEqual(
    [before, await rig.holdings()],
    [
      ['1000000', '0'],
      ['999799', '100.5'],
    ],
  )
  assert.deepEqual(await rig.booksFindings(), [])
})

test('the same bytes are taken once, and a later report that says the same changes nothing', async (t) => {
  const rig = await openRig(t)
  const { keys, fileId } = await filed(rig, 2)
  const text = pain002(fileId, { group: 'ACSC' })
  assert.deepEqual((await rig.take(text)).report.counts, { APPLIED: 2 })
  const again = await rig.take(text)
  assert.deepEqual([again.isNew, again.report.counts], [false, { APPLIED: 2 }])
  const later = await rig.take(pain002(fileId, { group: 'ACSC', messageId: 'BANK-2' }))
  assert.deepEqual(later.report.counts, { SAME: 2 })
  assert.deepEqual(await statesOf(rig, keys), [
    ['SUCCESS', 'CONFIRMED'],
    ['SUCCESS', 'CONFIRMED'],
  ])
  const [timeline] = await Promise.all(keys.map((key) => rig.payments.listTimeline(key)))
  assert.equal(timeline?.length, 3)
  assert.deepEqual(await rig.booksFindings(), [])
})

test('a report that contradicts what has happened is put aside, seen, and the payment goes to people', async (t) => {
  const rig = await openRig(t)
  const { keys, fileId } = await filed(rig, 1)
  await rig.take(pain002(fileId, { group: 'ACSC' }))
  const { report, entries } = await rig.take(pain002(fileId, { group: 'RJCT', messageId: 'BANK-2' }))
  assert.deepEqual(report.counts, { ASIDE: 1 })
  assert.match(entries[0]?.why ?? '', /does not take it/)
  assert.deepEqual(await statesOf(rig, keys), [['SUCCESS', 'IN_REVIEW']])
  const aside = await rig.reports.list({ after: undefined, hasAside: true, limit: 10 })
  assert.deepEqual(
    aside.map(({ messageId }) => messageId),
    ['BANK-2'],
  )
  assert.deepEqual(await rig.booksFindings(), [])
})

test('what is not known is put aside and changes nothing', async (t) => {
  const rig = await openRig(t)
  const { keys, references, fileId } = await filed(rig, 2)
  const [known = ''] = references
  const lines = [
    ['NOBODYSREF12', 'ACSC'],
    [known, 'ACSC', undefined, '100.01'],
  ] as const
  const { report } = await rig.take(pain002(fileId, { lines }))
  assert.deepEqual(report.counts, { ASIDE: 2 })
  const stranger = await rig.take(pain002('TGNOFILE', { group: 'ACSC' }))
  assert.deepEqual([stranger.report.fileId, stranger.report.counts], [undefined, { ASIDE: 1 }])
  // A reference of another file of ours is not one of this file.
  const other = await filed(rig, 1)
  const mixed = await rig.take(pain002(other.fileId, { lines: [[known, 'ACSC']], messageId: 'BANK-3' }))
  assert.deepEqual(mixed.report.counts, { ASIDE: 1 })
  for (const state of await statesOf(rig, [...keys, ...other.keys]))
    assert.deepEqual(state, ['CREATED', 'SUBMITTED'])
})

test('a report whose following was broken off is gone on with by the same bytes', async (t) => {
  const rig = await openRig(t)
  const { keys, fileId } = await filed(rig, 2)
  const text = pain002(fileId, { group: 'ACSC' })
  const fails = rig.payments.find
  let calls = 0
  const broken = Object.assign(rig.payments, {
    find: (key: PaymentKey) => {
      calls += 1
      return calls === 2 ? Promise.reject(new Error('the database went away')) : fails(key)
    },
  })
  await assert.rejects(rig.take(text), /went away/)
  const [stored] = await rig.reports.list({ after: undefined, hasAside: false, limit: 1 })
  assert.deepEqual(stored?.counts, { APPLIED: 1, OPEN: 1 })
  Object.assign(broken, { find: fails })
  assert.deepEqual((await rig.take(text)).report.counts, { APPLIED: 2 })
  assert.deepEqual(await statesOf(rig, keys), [
    ['SUCCESS', 'CONFIRMED'],
    ['SUCCESS', 'CONFIRMED'],
  ])
})

test('a report that cannot be followed keeps no other waiting', async (t) => {
  const rig = await openRig(t)
  const files = [await filed(rig, 1), await filed(rig, 1)]
  const { find } = rig.payments
  Object.assign(rig.payments, { find: () => Promise.reject(new Error('broken')) })
  for (const { fileId } of files) await assert.rejects(rig.take(pain002(fileId, { group: 'ACSC' })), /broken/)
  await rig.sql('alter table payout_reports disable trigger payout_reports_said')
  await rig.sql(`update payout_reports set received_at = received_at - interval '1 min'`)
  const [first] = await rig.sql('select id_payment from payout_report_entries order by report_id limit 1')
  Object.assign(rig.payments, {
    find: (key: PaymentKey) =>
      key.idPayment === first?.['id_payment'] ? Promise.reject(new Error('broken')) : find(key),
  })
  await rig.reports.resume(20)
  const counts = (await rig.reports.list({ after: undefined, hasAside: false, limit: 2 })).map(
    (report) => report.counts,
  )
  assert.deepEqual(
    new Set(counts.map((each) => JSON.stringify(each))),
    new Set(['{"APPLIED":1}', '{"OPEN":1}']),
  )
})

test('what a report said stays as it is, and its bytes are stored encrypted', async (t) => {
  const rig = await openRig(t)
  const { fileId } = await filed(rig, 1)
  await rig.take(pain002(fileId, { group: 'ACSC' }))
  for (const text of [
    'delete from payout_reports',
    'delete from payout_report_entries',
    `update payout_report_entries set status_code = 'RJCT'`,
    `update payout_report_entries set outcome = 'ASIDE'`,
  ])
    await assert.rejects(rig.sql(text), /stay as they are/, text)
  const [row] = await rig.sql('select sealed from payout_reports')
  assert.ok(row?.['sealed'] instanceof Buffer && !row['sealed'].includes(fileId))
})
