import assert from 'node:assert/strict'
import { test } from 'node:test'
import { JOURNAL_COLUMNS } from '@tollgate/contract'
import { addAmounts, isZero, parsePlainAmount, ZERO } from '@tollgate/money'
import { waitUntil } from '@tollgate/testkit'
import { writeRows } from '../../../http/row-files.ts'
import { Refusal } from '../../../platform/refusal.ts'
import { gate } from '../../../platform/test/index.ts'
import { bookEntries, HOUSE_MERCHANT_ID, LEDGER_ACCOUNTS } from '../../ledger/index.ts'
import { bookFile, readLayout } from '../accounting.ts'
import type { BookedPosting } from '../export-store.ts'
import { createJournalReader } from '../reader.ts'
import { entryOf, type JournalRig, openJournalRig } from './rig.ts'

const ALL_NUMBERS = LEDGER_ACCOUNTS.map((account, index) => `${account}=${1000 + index}`).join(',')
const POSTING: BookedPosting = {
  entryNo: 7,
  lineNo: 1,
  transferId: 't-1',
  merchantId: '1',
  merchantCode: 'DEMO',
  event: 'PAYIN_SUCCESS',
  kind: 'PAYIN',
  idPayment: 'ORD-1',
  bookedAt: new Date('2026-11-21T23:59:59Z'),
  account: 'CLEARING',
  currencyCode: 'EUR',
  amount: parsePlainAmount('-149.9'),
}

async function* one(posting: BookedPosting): AsyncIterable<readonly BookedPosting[]> {
  yield [posting]
}

async function textOf(parts: AsyncIterable<string>): Promise<string> {
  let text = ''
  for await (const part of parts) text += part
  return text
}

test('a file has the columns, names and numbers of the books that it is for', async () => {
  const layout = readLayout({
    columns: 'Date=date, Konto = account,Soll=debit,Haben=credit,Text=text',
    accounts: ALL_NUMBERS,
  })
  assert.equal(
    await textOf(writeRows(bookFile(layout), 'csv', one(POSTING))),
    'Date,Konto,Soll,Haben,Text\r\n2026-11-21,1004,149.9,,PAYIN_SUCCESS ORD-1\r\n',
  )
  assert.equal(
    await textOf(writeRows(bookFile(layout), 'jsonl', one(POSTING))),
    '{"Date":"2026-11-21","Konto":"1004","Soll":"149.9","Haben":"","Text":"PAYIN_SUCCESS ORD-1"}\n',
  )
})

test('without a mapping every field comes by its own name', async () => {
  const text = await textOf(writeRows(bookFile(readLayout({})), 'csv', one(POSTING)))
  assert.equal(text.split('\r\n')[0], JOURNAL_COLUMNS.join(','))
  assert.match(
    text,
    /\r\n2026-11-21,2026-11-21T23:59:59.000Z,7,1,t-1,PAYIN_SUCCESS,DEMO,PAYIN,ORD-1,CLEARING,EUR,149.9,,-149.9,/,
  )
})

test('K80 neither a payment nor a column can put a formula into a sheet', async () => {
  const layout = readLayout({ columns: '@SUM(A1)=idPayment,Amount=amount' })
  const text = await textOf(writeRows(bookFile(layout), 'csv', one({ ...POSTING, idPayment: '=cmd|x' })))
  assert.equal(text, `'@SUM(A1),Amount\r\n'=cmd|x,-149.9\r\n`)
})

const REFUSED: readonly (readonly [says: string, query: { columns?: string; accounts?: string }, RegExp])[] =
  [
    [
      'a field that is not there',
      { columns: 'A=date,B=colour' },
      /"colour" is no field of the journal; there are date, bookedAt/,
    ],
    ['a name twice', { columns: 'A=date,A=text' }, /"A" names two columns/],
    ['no equals sign', { columns: 'date' }, /"date" is not of the form name=value/],
    ['nothing', { columns: '' }, /"" is not of the form/],
    ['a name of a line break', { columns: 'A\nB=date' }, /is no name of a column/],
    ['a name that is too long', { columns: `${'x'.repeat(61)}=date` }, /is no name of a column/],
    [
      'too many columns',
      { columns: Array.from({ length: 31 }, (_, n) => `C${n}=date`).join(',') },
      /more than 30/,
    ],
    [
      'an account that is not there',
      { accounts: 'CASH=1000' },
      /"CASH" is no account of the ledger; there are AVAILABLE/,
    ],
    ['an account twice', { accounts: `${ALL_NUMBERS},FEES=2` }, /FEES has two numbers/],
    ['an account without a number', { accounts: 'CLEARING=1200' }, /missing: AVAILABLE, NOT_SETTLED/],
  ]
for (const [says, query, message] of REFUSED)
  test(`K83 a layout is refused with ${says}`, () => {
    assert.throws(
      () => readLayout(query),
      (error) => error instanceof Refusal && message.test(error.message),
    )
  })

const readerOf = (rig: JournalRig) =>
  createJournalReader({
    db: rig.db,
    patientDb: rig.db,
    merchantCodeOf: (merchantId) =>
      merchantId === HOUSE_MERCHANT_ID
        ? Promise.reject(new Error('the house is no merchant'))
        : Promise.resolve(`M${merchantId}`),
  })
const EVER = { from: new Date(0), currencyCode: undefined }

async function exported(rig: JournalRig, wanted: { from?: Date; to: Date; currencyCode?: string }) {
  const postings: BookedPosting[] = []
  for await (const page of await readerOf(rig).export({ ...EVER, ...wanted })) postings.push(...page)
  return postings
}

const refusal = (pattern: RegExp) => (error: unknown) =>
  error instanceof Refusal && pattern.test(error.message)

/** The database's clock, once a second of it is over. */
async function untilOver(rig: JournalRig): Promise<Date> {
  const { rows } = await rig.outside.query<{ now: Date }>('select clock_timestamp() as now')
  const now = rows[0]?.now ?? assert.fail()
  await waitUntil(
    async () =>
      (
        await rig.outside.query(`select where clock_timestamp() > $1::timestamptz + interval '1 second'`, [
          now,
        ])
      ).rowCount === 1,
    { timeoutMs: 10_000, what: 'a second to be over' },
  )
  return now
}

test('K82 each posting of the period comes once, in the order of the journal, and debits are credits in each currency', async (t) => {
  const rig = await openJournalRig(t)
  await rig.bookMany(3)
  await rig.book(entryOf({ currencyCode: 'JPY', gross: '500', fee: '20' }))
  await rig.chainAll()
  const middle = await untilOver(rig)
  await rig.bookMany(600)
  await rig.chainAll()
  const to = await untilOver(rig)
  const [first, second, all] = [
    await exported(rig, { to: middle }),
    await exported(rig, { from: middle, to }),
    await exported(rig, { to }),
  ]
  assert.deepEqual([...first, ...second], all)
  const { rows } = await rig.outside.query<{ n: number }>('select count(*)::int as n from ledger_postings')
  assert.equal(all.length, rows[0]?.n)
  assert.equal(new Set(all.map(({ transferId, lineNo }) => `${transferId} ${lineNo}`)).size, all.length)
  const places = all.map(({ entryNo, lineNo }) => entryNo * 10 + lineNo)
  assert.deepEqual(
    places,
    places.toSorted((one, other) => one - other),
  )
  for (const code of ['EUR', 'JPY']) {
    const of = await exported(rig, { to, currencyCode: code })
    assert.ok(of.length > 0)
    assert.ok(isZero(of.map(({ amount }) => amount).reduce(addAmounts, ZERO)))
  }
  assert.equal(all[0]?.merchantCode, `M${all[0]?.merchantId ?? ''}`)
})

test('what the house books for itself is in the journal and in its export, without a merchant', async (t) => {
  const rig = await openJournalRig(t)
  const house = { merchantId: HOUSE_MERCHANT_ID, fee: '0' }
  await rig.book(entryOf({ ...house, event: 'SUSPENSE_RECEIVED', kind: 'STATEMENT_LINE', idPayment: 'L1' }))
  await rig.book(entryOf({ ...house, event: 'NETWORK_FEE', kind: 'CHAIN_FEE', idPayment: 'R9' }))
  await rig.book(entryOf())
  await rig.chainAll()
  assert.deepEqual(
    (await readerOf(rig).list(1, 10)).map(({ merchantCode }) => merchantCode),
    [undefined, undefined, 'M1'],
  )
  const postings = await exported(rig, { to: await untilOver(rig) })
  assert.deepEqual(
    postings.map(({ event, merchantCode, account }) => `${event} ${merchantCode} ${account}`).slice(0, 4),
    [
      'SUSPENSE_RECEIVED  CLEARING',
      'SUSPENSE_RECEIVED  SUSPENSE',
      'NETWORK_FEE  FEES',
      'NETWORK_FEE  CLEARING',
    ],
  )
})

test('a cell that came of a split leaves out what the cell before it accounts for', async (t) => {
  const rig = await openJournalRig(t)
  await rig.bookMany(3)
  await rig.chainAll()
  await rig.outside.query(
    `insert into cell_splits (from_cell, to_cell, opened_at, history_until) values ('A', 'C', clock_timestamp(), 2)`,
  )
  const postings = await exported(rig, { to: await untilOver(rig) })
  assert.deepEqual(new Set(postings.map(({ entryNo }) => entryNo)), new Set([3]))
})

test('what came with a merchant of another cell is in the accounts of that cell', async (t) => {
  const rig = await openJournalRig(t)
  await rig.bookMany(3)
  await rig.chainAll()
  await rig.outside.query(
    `insert into cell_moves (move_id, merchant_id, from_cell, to_cell, state, journal_head, xid, cluster_id)
      select gen_random_uuid(), merchant_id, 'A', 'B', 'ARRIVED', '1:ab', xid, cluster_id from ledger_journal where entry_no = 2`,
  )
  const postings = await exported(rig, { to: await untilOver(rig) })
  assert.deepEqual(new Set(postings.map(({ entryNo }) => entryNo)), new Set([1, 3]))
})

test('K82 a period is refused while it is not over, while somebody books in it, and until all of it is in the journal', async (t) => {
  const rig = await openJournalRig(t)
  await rig.bookMany(1)
  await rig.chainAll()
  await assert.rejects(exported(rig, { to: new Date(Date.now() + 3_600_000) }), refusal(/^to: is not over/))
  const [isOpen, end] = [gate(), gate()]
  const late = rig.db.transaction(async (tx) => {
    await bookEntries(tx, [entryOf()])
    isOpen.open()
    await end.promise
  })
  await isOpen.promise
  const to = await untilOver(rig)
  await assert.rejects(exported(rig, { to }), refusal(/^to: is too recent/))
  end.open()
  await late
  await assert.rejects(exported(rig, { to }), refusal(/^to: is too recent/))
  await rig.chainAll()
  assert.equal((await exported(rig, { to })).length, 6)
})
