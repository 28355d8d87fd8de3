import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { createChainer, findHead } from '../../../platform/chain/index.ts'
import { gate } from '../../../platform/test/index.ts'
import { run } from '../../../platform/test/postgres.ts'
import { bookEntries } from '../../ledger/index.ts'
import { JOURNAL } from '../chained.ts'
import { entryOf, type JournalRig, openJournalRig } from './rig.ts'

const sha256 = (...parts: readonly (string | Buffer)[]): Buffer =>
  parts.reduce((hash, part) => hash.update(part), createHash('sha256')).digest()

const numbers = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => index + 1)

async function idsOf(rig: JournalRig): Promise<readonly string[]> {
  return (await rig.journal()).map((entry) => entry.transferId)
}

test('whoever knows the transfers computes the same content and the same chain', async (t) => {
  const rig = await openJournalRig(t)
  const strange = 'a"b\\c\n\u0001\u007f ü ☃ \u2028 ["'
  const one = entryOf({ idPayment: strange, gross: '1.000000000000000001', fee: '0.5', currencyCode: 'ETH' })
  await rig.book(one)
  await rig.book(entryOf({ merchantId: '9007199254740993' }))
  await rig.outside.query(
    `update ledger_transfers set created_at = '2026-02-03 04:05:06.7+00', xid = '7' where id_payment = $1`,
    [strange],
  )
  await rig.chainAll()
  const entries = await rig.journal()
  assert.equal(
    entries[0]?.transfer?.content,
    JSON.stringify([
      'tollgate transfer 1',
      '1',
      one.transferId,
      'PAYIN_SUCCESS',
      'PAYIN',
      strange,
      '1770091506.7',
      '7',
      [
        ['1', 'CLEARING', 'ETH', '-1.000000000000000001'],
        ['2', 'NOT_SETTLED', 'ETH', '0.500000000000000001'],
        ['3', 'FEES', 'ETH', '0.5'],
      ],
    ]),
  )
  let previous: Buffer = Buffer.alloc(32)
  for (const [index, entry] of entries.entries()) {
    assert.equal(entry.entryNo, index + 1)
    assert.deepEqual(entry.contentHash, sha256(entry.transfer?.content ?? ''))
    previous = sha256(
      previous,
      Buffer.from(entry.entryNo.toString(16).padStart(16, '0'), 'hex'),
      entry.contentHash,
    )
    assert.deepEqual(entry.chainHash, previous)
  }
  assert.equal(entries.length, 2)
  assert.deepEqual(await rig.findings(), [])
})

test('a round chains as many as it may, and the same ledger has the same chain however the rounds fall', async (t) => {
  const rig = await openJournalRig(t)
  assert.equal(await findHead(rig.db, JOURNAL), undefined)
  assert.deepEqual(await createChainer(rig.db, JOURNAL).chain(), { entries: 0, isFull: false })
  for (let batch = 0; batch < 4; batch += 1) await rig.book(...numbers(5).map(() => entryOf()))
  await rig.chainAll(createChainer(rig.db, JOURNAL, 3))
  const head = await findHead(rig.db, JOURNAL)
  const ids = await idsOf(rig)
  assert.equal(head?.entryNo, 20)
  await rig.outside.query('truncate ledger_journal')
  await rig.chainAll(createChainer(rig.db, JOURNAL, 7))
  assert.deepEqual((await findHead(rig.db, JOURNAL))?.chainHash, head.chainHash)
  assert.deepEqual(await idsOf(rig), ids)
  assert.deepEqual(await rig.findings(head), [])
})

test('the journal refuses to be changed, and an entry or a transfer to be there twice', async (t) => {
  const rig = await openJournalRig(t)
  await rig.bookMany(1)
  await rig.chainAll()
  for (const change of [
    'update ledger_journal set entry_no = 2',
    'delete from ledger_journal',
    'truncate ledger_journal',
  ])
    await assert.rejects(run(rig.db, change), /append-only/, change)
  const again = (entryNo: string): Promise<unknown> =>
    run(
      rig.db,
      `insert into ledger_journal select ${entryNo}, merchant_id, transfer_id, xid, cluster_id, content_hash, chain_hash from ledger_journal`,
    )
  await assert.rejects(again('1'), { code: '23505' })
  await assert.rejects(again('2'), { code: '23505' })
})

test('two chainers beside concurrent bookings chain each transfer once and skip none', async (t) => {
  const rig = await openJournalRig(t)
  const isBooked = { yet: false }
  const chaining = [createChainer(rig.db, JOURNAL, 4), createChainer(rig.db, JOURNAL, 4)].map(
    async (chainer) => {
      while (!isBooked.yet) await chainer.chain()
    },
  )
  const bookings = numbers(4).map(async (booker) => {
    for (let round = 0; round < 15; round += 1)
      await rig.book(...numbers(3).map((n) => entryOf({ merchantId: String((booker * n) % 5) })))
  })
  await Promise.all(bookings)
  isBooked.yet = true
  await Promise.all(chaining)
  await rig.chainAll()
  const entries = await rig.journal()
  assert.deepEqual(
    entries.map((entry) => entry.entryNo),
    numbers(180),
  )
  assert.equal(new Set(entries.map((entry) => entry.transferId)).size, 180)
  assert.deepEqual(await rig.findings(), [])
})

test('while one chainer works the other one leaves it alone', async (t) => {
  const rig = await openJournalRig(t)
  await rig.bookMany(2)
  await rig.outside.query('begin; lock table ledger_journal in share mode')
  const first = rig.chainAll()
  await rig.untilWaiting(1)
  assert.deepEqual(await createChainer(rig.db, JOURNAL).chain(), { entries: 0, isFull: false })
  await rig.outside.query('commit')
  await first
  assert.equal((await rig.journal()).length, 2)
})

test('a transaction that began early and commits late is chained, and nothing overtakes it', async (t) => {
  const rig = await openJournalRig(t)
  const early = entryOf()
  const [isBegun, mayEnd] = [gate(), gate()]
  const slow = rig.db.transaction(async (tx) => {
    await bookEntries(tx, [early])
    isBegun.open()
    await mayEnd.promise
  })
  await isBegun.promise
  const late = entryOf({ merchantId: '2' })
  await rig.book(late)
  assert.deepEqual(await createChainer(rig.db, JOURNAL).chain(), { entries: 0, isFull: false })
  mayEnd.open()
  await slow
  await rig.chainAll()
  assert.deepEqual(await idsOf(rig), [early.transferId, late.transferId])
  assert.deepEqual(await rig.findings(), [])
})

test('a chainer that dies in the middle of a round leaves a journal that goes on', async (t) => {
  const rig = await openJournalRig(t)
  await rig.bookMany(3)
  await rig.chainAll()
  await rig.bookMany(3)
  await rig.outside.query('begin; lock table ledger_journal in share mode')
  const chainer = createChainer(rig.db, JOURNAL)
  const dying = assert.rejects(rig.chainAll(chainer))
  await rig.untilWaiting(1)
  await rig.outside.query(
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
  )
  await dying
  await rig.outside.query('commit')
  assert.equal((await rig.journal()).length, 3)
  await rig.chainAll(chainer)
  assert.deepEqual(
    (await rig.journal()).map((entry) => entry.entryNo),
    numbers(6),
  )
  assert.deepEqual(await rig.findings(), [])
})

test('a ledger that was restored into another cluster is chained on, though its transactions are counted anew', async (t) => {
  const rig = await openJournalRig(t)
  await rig.bookMany(5)
  await rig.chainAll()
  // What the other cluster had written last and not chained yet; this cluster has not counted that far.
  await rig.bookMany(3)
  await rig.outside.query(`update ledger_journal set cluster_id = 1;
    update ledger_transfers t set xid = '4000000000000' where not exists (select from ledger_journal j where j.transfer_id = t.transfer_id)`)
  const left = await rig.outside.query<{ id: string }>(
    `select transfer_id::text as id from ledger_transfers where xid = '4000000000000' order by transfer_id`,
  )
  // Booked here, under numbers that lie before all others.
  const [first, second] = [entryOf(), entryOf()]
  await rig.book(first)
  await rig.book(second)
  await rig.outside.query(`update ledger_transfers set xid = '5' where transfer_id = $1`, [first.transferId])
  await rig.chainAll(createChainer(rig.db, JOURNAL, 2))
  await rig.bookMany(1)
  await rig.chainAll(createChainer(rig.db, JOURNAL, 2))
  const ids = await idsOf(rig)
  assert.deepEqual(ids.slice(5, 10), [...left.rows.map((row) => row.id), first.transferId, second.transferId])
  assert.equal(ids.length, 11)
  assert.deepEqual(await rig.findings(), [])
})
