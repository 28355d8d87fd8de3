import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findWaitingActs } from '../modules/confirmations/index.ts'
import { findWaitingLines } from '../modules/statements/index.ts'
import { openRig, type Rig } from '../modules/statements/test/rig.ts'
import { isOfOtherCell } from '../platform/database.ts'
import { openCell, releaseMerchants } from '../rooms/cells.ts'

// After a split both databases have the statement lines of before. Money that came once is given to somebody once: one cell decides on each line.

const SPLIT = { from: 'A', to: 'C', merchantCodes: ['SHOP'], isDryRun: false }
const BY = { operatorCode: 'ada', reason: 'as agreed with the customer' }

/** A line that names a payment of the merchant and is too little, and one that names nothing. */
async function openWithLines(t: Parameters<typeof openRig>[0]) {
  const rig = await openRig(t)
  await rig.sql(
    `insert into merchants (merchant_code, channel_name) values ('SHOP', 'Shop'), ('STAYS', 'Shop')`,
  )
  const payin = await rig.accept()
  await rig.take({
    message: '054',
    statements: [
      {
        id: 'A',
        entries: [
          { amount: '60', text: payin.reference },
          { amount: '70', text: 'thank you' },
        ],
      },
    ],
  })
  const [named = '', unnamed = ''] = await rig.lineIds()
  assert.deepEqual(await rig.lines(), ['UNDER 60', 'UNKNOWN 70'])
  return { rig, payin, named, unnamed }
}

/** Of the lines that wait, how much money. */
async function waitingMoney({ db }: Rig): Promise<readonly string[]> {
  return ((await findWaitingLines(db))?.sums ?? []).map(({ amount }) => amount.toString())
}

const isElsewhere =
  (cell: string) =>
  (error: unknown): boolean =>
    isOfOtherCell(error) && error instanceof Error && error.message.endsWith(`is decided in cell ${cell}.`)

test('D81 in the cell that was split, a line that names a payment of a merchant that went is not decided', async (t) => {
  const { rig, named, unnamed } = await openWithLines(t)
  assert.deepEqual(await waitingMoney(rig), ['130'])
  await releaseMerchants(rig.db, SPLIT)
  assert.deepEqual(await waitingMoney(rig), ['70'])
  await assert.rejects(rig.statements.decide({ ...BY, lineId: named, decision: 'RETURN' }), isElsewhere('C'))
  await assert.rejects(
    rig.statements.decide({ ...BY, lineId: named, decision: 'COVER' }),
    /The merchant SHOP is in cell C/,
  )
  await rig.statements.decide({ ...BY, lineId: unnamed, decision: 'RETURN' })
  assert.deepEqual(await rig.lines(), ['UNDER 60', 'RETURNING 70'])
})

test('D81 in the new cell, only lines that name a payment of its merchants are decided, and what waited for a second operator has expired', async (t) => {
  const { rig, payin, named, unnamed } = await openWithLines(t)
  const payment = { kind: 'PAYIN', merchantCode: 'SHOP', idPayment: payin.idPayment } as const
  await rig.sql(`insert into confirmations (kind, digest, title, actor, directive, line_ids, data_key, sealed, byte_count, state, expire_at)
    values ('STATEMENT_FILE', decode(repeat('00', 32), 'hex'), 'A file', 'operator:ada', '{}', '{}', '\\x00', '\\x00', 1, 'WAITING', clock_timestamp() + interval '1 day')`)
  assert.equal((await findWaitingActs(rig.db))?.count, 1)
  await releaseMerchants(rig.db, SPLIT)
  await openCell(rig.db, 'C')
  assert.equal(await findWaitingActs(rig.db), undefined)
  assert.deepEqual(await waitingMoney(rig), ['60'])
  await assert.rejects(
    rig.statements.decide({ ...BY, lineId: unnamed, decision: 'RETURN' }),
    isElsewhere('A'),
  )
  await assert.rejects(
    rig.statements.decide({ ...BY, lineId: named, withLineIds: [unnamed], decision: 'ACCEPT', payment }),
    isElsewhere('A'),
  )
  await rig.statements.decide({ ...BY, lineId: named, decision: 'COVER' })
  assert.equal(await rig.statusOf(payin), 'SUCCESS CONFIRMED')
  // What comes to its own accounts from now on is its own.
  await rig.take({ message: '054', statements: [{ id: 'B', entries: [{ amount: '5', text: 'hello' }] }] })
  const [, , own = ''] = await rig.lineIds()
  await rig.statements.decide({ ...BY, lineId: own, decision: 'RETURN' })
  assert.deepEqual(await rig.lines(), ['APPLIED 0', 'UNKNOWN 70', 'RETURNING 5'])
})

test('a cell is not split while lines of a statement were not looked at', async (t) => {
  const { rig } = await openWithLines(t)
  await rig.sql(`update statement_lines set state = 'NEW', open_amount = 0 where state = 'UNKNOWN'`)
  await assert.rejects(releaseMerchants(rig.db, SPLIT), /are being looked at\. Nothing was changed/)
  assert.deepEqual(await rig.sql('select * from cell_splits'), [])
})
