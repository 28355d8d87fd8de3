import assert from 'node:assert/strict'
import { test } from 'node:test'
import { waitUntil } from '@tollgate/testkit'
import { CellProblem } from '../modules/cells/index.ts'
import { hasUnchainedOf, JOURNAL } from '../modules/journal/index.ts'
import { openPersonalData, sealPersonalData } from '../modules/payments/index.ts'
import { accepted, openRig, paid, type Rig } from '../modules/payments/test/rig.ts'
import { createChainer } from '../platform/chain/index.ts'
import { isOfOtherCell } from '../platform/database.ts'
import { verifyBooks } from '../rooms/books.ts'
import { DUE, HISTORY, LEFT, MERCHANT, STATE, SWITCHES } from '../rooms/cell-move-tables.ts'
import { giveUpMove, moveMerchant } from '../rooms/cell-moves.ts'

// A merchant moves into a cell that has a past of its own: everything of it is there afterwards, once, and nothing of it changes here.

interface Cells {
  readonly a: Rig
  readonly b: Rig
}

async function openCells(t: Parameters<typeof openRig>[0]): Promise<Cells> {
  const [a, b] = [await openRig(t), await openRig(t)]
  for (const [rig, letter] of [
    [a, 'A'],
    [b, 'B'],
  ] as const)
    await rig.sql('insert into cell_letter (letter) values ($1)', [letter])
  await a.sql(
    `insert into merchants (merchant_code, channel_name) values ('GOES', 'Shop'), ('STAYS', 'Shop')`,
  )
  await b.sql('alter table merchants alter column merchant_id restart with 101')
  await b.sql(`insert into merchants (merchant_code, channel_name) values ('OTHER', 'Shop')`)
  return { a, b }
}

const moving = ({ a, b }: Cells) => ({ source: a.db, target: b.db, merchantCode: 'GOES', from: 'A', to: 'B' })
const home = ({ a, b }: Cells) => ({ source: b.db, target: a.db, merchantCode: 'GOES', from: 'B', to: 'A' })

/** What the journal has of the merchant, once it has everything: transactions of other tests hold it back. */
async function chained({ db, sql }: Rig): Promise<ReadonlyMap<string, string>> {
  const chainer = createChainer(db, JOURNAL)
  await waitUntil(
    async () => {
      await chainer.chain()
      return !(await hasUnchainedOf(db, '1'))
    },
    { timeoutMs: 60_000, what: 'all transfers to be chained' },
  )
  const rows = await sql(
    `select t.transfer_id::text as id, concat_ws(' ', t.event, t.kind, t.id_payment, t.created_at, (
        select string_agg(concat_ws(' ', p.account, p.currency_code, p.amount), ',' order by p.posting_no) from ledger_postings p
        where p.merchant_id = 1 and p.transfer_id = t.transfer_id)) as says
      from ledger_journal j join ledger_transfers t using (merchant_id, transfer_id) where t.merchant_id = 1`,
  )
  return new Map(rows.map((row) => [String(row['id']), String(row['says'])]))
}

async function findings({ db }: Rig): Promise<readonly string[]> {
  return (await verifyBooks(db)).findings.map((finding) => JSON.stringify(finding))
}

async function countOf({ sql }: Rig): Promise<Readonly<Record<string, unknown>>> {
  const [row = {}] = await sql(
    `select (select count(*)::int from payments where merchant_id = 1) as payments,
      (select count(*)::int from payments where merchant_id = 1 and status = 'SUCCESS') as paid,
      (select sum(timeline_count)::int from payments where merchant_id = 1) as changes,
      (select count(*)::int from ledger_transfers where merchant_id = 1) as transfers,
      (select count(*)::int from callback_events where merchant_id = 1) as callbacks,
      (select count(*)::int from payment_tasks where merchant_id = 1) as tasks,
      (select available::text from balances where merchant_id = 1) as available`,
  )
  return row
}

test('every table that has a merchant goes with it, or says why not', async (t) => {
  const rig = await openRig(t)
  const tables = await rig.sql(
    `select table_name as name from information_schema.tables t where table_schema = current_schema() and table_type = 'BASE TABLE'
      and exists (select from information_schema.columns c where c.table_schema = t.table_schema and c.table_name = t.table_name
        and c.column_name = 'merchant_id')`,
  )
  const going = [MERCHANT, ...STATE, ...SWITCHES, ...HISTORY, ...DUE.map(({ table }) => table)]
    .map(({ name }) => name)
    .filter((name) => name !== 'callback_attempts')
  assert.deepEqual(
    [...new Set(going), ...Object.keys(LEFT)].toSorted(),
    tables.map((row) => String(row['name'])).toSorted(),
  )
})

test('D82 a merchant arrives with all of its payments, books, callbacks and tasks, and comes home with what it did there', async (t) => {
  const cells = await openCells(t)
  const { a, b } = cells
  const key = { merchantId: '1', kind: 'PAYIN' as const, idPayment: 'of-jane' }
  const personalData = sealPersonalData(a.secrets, key, { emailAddress: 'jane@example.com' })
  await accepted(a, { idPayment: 'of-jane', personalData })
  for (let index = 0; index < 20; index += 1) {
    const payment = await accepted(a, { merchantId: '1' })
    if (index % 2 === 0) await a.service.propose(payment, paid({ amount: '100', currencyCode: 'EUR' }))
    await accepted(b, { merchantId: '101' })
  }
  const before = await countOf(a)
  const books = await chained(a)
  const did = await moveMerchant(moving(cells))
  assert.deepEqual({ transfers: did.transfers, wasDone: did.wasDone }, { transfers: 10, wasDone: false })
  assert.deepEqual(await countOf(b), before)
  assert.deepEqual(await chained(b), books)
  assert.deepEqual([await findings(a), await findings(b)], [[], []])
  const [sealed] = await b.sql(
    `select data_key as "dataKey", sealed from payment_personal_data where id_payment = 'of-jane'`,
  )
  assert.ok(sealed !== undefined && Buffer.isBuffer(sealed['dataKey']) && Buffer.isBuffer(sealed['sealed']))
  assert.deepEqual(
    openPersonalData(b.secrets, key, { dataKey: sealed['dataKey'], sealed: sealed['sealed'] }),
    {
      emailAddress: 'jane@example.com',
    },
  )
  await assert.rejects(accepted(a, { merchantId: '1' }), isOfOtherCell)
  assert.equal((await moveMerchant(moving(cells))).wasDone, true)
  const there = await accepted(b, { merchantId: '1' })
  await b.service.propose(there, paid({ amount: '100', currencyCode: 'EUR' }))
  await moveMerchant(home(cells))
  assert.deepEqual(await countOf(a), {
    ...(await countOf(b)),
    tasks: (await countOf(a))['tasks'],
    callbacks: 11,
  })
  assert.equal((await countOf(a))['payments'], 22)
  assert.deepEqual([await findings(a), await findings(b)], [[], []])
  await assert.rejects(accepted(b, { merchantId: '1' }), isOfOtherCell)
  await accepted(a, { merchantId: '1' })
})

test('a move that was given up can arrive no more, and one that arrived is not given up', async (t) => {
  const cells = await openCells(t)
  const { a, b } = cells
  await accepted(a, { merchantId: '1' })
  await assert.rejects(moveMerchant({ ...moving(cells), target: failingAtTheEnd(b) }), /gone away/)
  assert.deepEqual(await b.sql('select merchant_code from merchants order by 1'), [
    { merchant_code: 'OTHER' },
  ])
  await assert.rejects(accepted(a, { merchantId: '1' }), isOfOtherCell)
  assert.equal((await giveUpMove(moving(cells))).wasDone, false)
  assert.equal((await giveUpMove(moving(cells))).wasDone, true)
  await accepted(a, { merchantId: '1' })
  await moveMerchant(moving(cells))
  await assert.rejects(
    giveUpMove(moving(cells)),
    (error: unknown) => error instanceof CellProblem && /has arrived in cell B/.test(error.message),
  )
})

test('what changes while a merchant is copied arrives as it is at the end', async (t) => {
  const cells = await openCells(t)
  const { a, b } = cells
  const open = await accepted(a, { merchantId: '1' })
  const told = await accepted(a, { merchantId: '1' })
  await a.service.propose(told, paid({ amount: '100', currencyCode: 'EUR' }))
  await a.sql(
    `update callback_events set state = 'DELIVERED', attempts_started = 1, due_at = null, done_at = clock_timestamp()`,
  )
  const source = afterTransactions(a, 1, async () => {
    await a.service.propose(open, paid({ amount: '100', currencyCode: 'EUR' }))
    await accepted(a, { merchantId: '1' })
    // Retention is at work as well.
    await a.sql(`delete from callback_events where state = 'DELIVERED'`)
    await a.sql(`insert into retention_horizons values ('DELIVERIES', clock_timestamp())`)
  })
  await moveMerchant({ ...moving(cells), source })
  const { callbacks, tasks, payments, paid: ended } = await countOf(b)
  assert.deepEqual({ callbacks, tasks, payments, ended }, { callbacks: 1, tasks: 1, payments: 3, ended: 2 })
  assert.deepEqual([await findings(a), await findings(b)], [[], []])
})

test('D82 of two moves of a merchant at once, one arrives, and what is given up meanwhile does not', async (t) => {
  const cells = await openCells(t)
  const { a, b } = cells
  await accepted(a, { merchantId: '1' })
  const both = await Promise.allSettled([moveMerchant(moving(cells)), moveMerchant(moving(cells))])
  const refused = both.flatMap((each) => (each.status === 'rejected' ? [String(each.reason)] : []))
  assert.ok(refused.length <= 1, refused.join())
  for (const reason of refused) assert.match(reason, /moved in the meantime/)
  assert.equal((await b.sql(`select 1 from cell_moves where state = 'ARRIVED'`)).length, 1)
  await moveMerchant(home(cells))

  // First it is copied, then it ends, then what changed is copied.
  for (const steps of [2, 3]) {
    const source = afterTransactions(a, steps, () => giveUpMove(moving(cells)))
    await assert.rejects(
      moveMerchant({ ...moving(cells), source }),
      /was given up meanwhile: the merchant stays where it was/,
    )
  }
  assert.deepEqual(await b.sql(`select cell from merchants where merchant_id = 1`), [{ cell: 'A' }])
  await accepted(a, { merchantId: '1' })
  assert.deepEqual([await findings(a), await findings(b)], [[], []])
})

test('D83 a merchant whose place is taken, or whom only this cell can look after, stays', async (t) => {
  const cells = await openCells(t)
  const { a, b } = cells
  await b.sql(`insert into merchants (merchant_code, channel_name) values ('STAYS', 'Shop')`)
  await assert.rejects(
    moveMerchant({ ...moving(cells), merchantCode: 'STAYS' }),
    /Cell B has another merchant STAYS/,
  )
  await b.sql(
    `insert into merchants (merchant_id, merchant_code, channel_name) overriding system value values (1, 'FIRST', 'Shop')`,
  )
  await assert.rejects(moveMerchant(moving(cells)), /The number of GOES is that of FIRST in cell B/)
  await b.sql(`delete from merchants where merchant_id = 1`)
  const payout = await accepted(a, { merchantId: '1' })
  await a.sql(`insert into restore_gaps (lost_from, opened_by) values (clock_timestamp(), 'ada')`)
  await a.sql(
    `insert into restore_gap_references (reference, gap_id) select reference, 1 from payments where id_payment = $1`,
    [payout.idPayment],
  )
  await assert.rejects(moveMerchant(moving(cells)), /Payouts of GOES are stopped after a restore/)
  assert.deepEqual(await a.sql('select cell from merchants where merchant_id = 1'), [{ cell: null }])
})

test('a merchant that refers to what the other cell lacks stays, and is served', async (t) => {
  const cells = await openCells(t)
  const { a, b } = cells
  await a.sql(
    `insert into currencies (currency_code, name, type, minor_units) values ('XTS', 'Test', 'FIAT', 2)`,
  )
  await a.sql(
    `insert into payout_rules (merchant_id, currency_code, amount_from, new_beneficiary) values (1, 'XTS', 1, false)`,
  )
  await assert.rejects(
    moveMerchant(moving(cells)),
    (error: unknown) =>
      error instanceof CellProblem && /Cell B lacks what GOES refers to/.test(error.message),
  )
  await accepted(a, { merchantId: '1' })
  assert.deepEqual(await b.sql('select merchant_code from merchants'), [{ merchant_code: 'OTHER' }])
})

/** The old cell’s database; something happens there after so many transactions of the move. */
function afterTransactions({ db }: Rig, count: number, happens: () => Promise<unknown>): Rig['db'] {
  let transactions = 0
  return {
    ...db,
    async transaction(work) {
      const result = await db.transaction(work)
      transactions += 1
      if (transactions === count) await happens()
      return result
    },
  }
}

/** The new cell’s database, which is lost before the commit. */
function failingAtTheEnd({ db }: Rig): Rig['db'] {
  return {
    ...db,
    transaction: (work) =>
      db.transaction(async (tx) => {
        await work(tx)
        throw new Error('gone away')
      }),
  }
}
