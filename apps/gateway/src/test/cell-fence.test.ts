import assert from 'node:assert/strict'
import { test } from 'node:test'
import { waitUntil } from '@tollgate/testkit'
import { CellProblem } from '../modules/cells/index.ts'
import { erasePayments, sealPersonalData } from '../modules/payments/index.ts'
import { accepted, openRig, openRigThatPays, paid, type Rig } from '../modules/payments/test/rig.ts'
import { isOfOtherCell } from '../platform/database.ts'
import { BANK_TRANSFER_CODE } from '../rails/bank-transfer/index.ts'
import { releaseMerchants } from '../rooms/cells.ts'

// Of merchants that went to another cell, nothing is added or changed any more, whoever asks, also in the moment of the split.

const WITH_A_FENCED_ROW = 'Written together with a row that the fence refuses.'
const HISTORY = 'It counts or chains what was before, also when that is done later.'
const PROOF = 'It says what was asked of us, by whom, or what somebody looked at.'
const OF_ACCOUNTS = 'Of an account or a chain of this cell. Nothing is matched with payments of another cell.'
const OF_TOKENS = 'The merchant’s tokens open nothing here.'
const PARKED = 'Taken away, and given back in the other cell.'

/** Tables with a merchant that have no fence. */
const OPEN: Readonly<Record<string, string>> = {
  balances: WITH_A_FENCED_ROW,
  cell_moves: PROOF,
  chain_payouts: OF_ACCOUNTS,
  chain_transfers: OF_ACCOUNTS,
  configuration_changes: HISTORY,
  ledger_journal: HISTORY,
  ledger_postings: WITH_A_FENCED_ROW,
  parked_callback_events: PARKED,
  parked_payment_tasks: PARKED,
  payment_daily_usage: WITH_A_FENCED_ROW,
  payment_volumes: HISTORY,
  payout_daily_sums: WITH_A_FENCED_ROW,
  payout_report_entries: OF_ACCOUNTS,
  rail_notifications: PROOF,
  restore_gap_ids: PROOF,
  revoked_tokens: OF_TOKENS,
  signed_token_requests: OF_TOKENS,
  statement_decisions: OF_ACCOUNTS,
  unmaskings: PROOF,
}

async function namesOf(rig: Rig, text: string): Promise<readonly string[]> {
  return (await rig.sql(text)).map((row) => String(row['name']))
}

test('every table that has a merchant has the fence, or a reason why not', async (t) => {
  const rig = await openRig(t)
  const tables = await namesOf(
    rig,
    `select table_name as name from information_schema.tables t where table_schema = current_schema() and table_type = 'BASE TABLE'
      and exists (select from information_schema.columns c where c.table_schema = t.table_schema and c.table_name = t.table_name
        and c.column_name = 'merchant_id')`,
  )
  const fenced = await namesOf(
    rig,
    `select c.relname as name from pg_trigger t join pg_class c on c.oid = t.tgrelid where t.tgname in ('elsewhere', 'merchants_elsewhere')`,
  )
  assert.deepEqual([...fenced, ...Object.keys(OPEN)].toSorted(), tables.toSorted())
})

test('what is parked has the columns of what it was, in their order', async (t) => {
  const rig = await openRig(t)
  const columnsOf = (table: string): Promise<readonly string[]> =>
    namesOf(
      rig,
      `select column_name || ' ' || data_type as name from information_schema.columns where table_schema = current_schema()
        and table_name = '${table}' order by ordinal_position`,
    )
  for (const table of ['payment_tasks', 'callback_events'])
    assert.deepEqual(await columnsOf(`parked_${table}`), await columnsOf(table))
})

const ROUNDS = 60
const WRITERS = 8

test('D67 whoever writes while a cell is split is before it, or is refused', async (t) => {
  const rig = await openRig(t)
  for (const code of ['GOES', 'STAYS'])
    await rig.sql(`insert into merchants (merchant_code, channel_name) values ($1, 'Shop')`, [code])
  const writing = { accepted: 0, refused: 0 }
  let isReleased = false
  const write = async (): Promise<void> => {
    for (let round = 0; round < ROUNDS || !isReleased; round += 1) {
      const stays = await accepted(rig, { merchantId: '2' })
      await rig.service.propose(stays, paid({ amount: '100', currencyCode: 'EUR' }))
      try {
        const goes = await accepted(rig, { merchantId: '1' })
        writing.accepted += 1
        await rig.service.propose(goes, paid({ amount: '100', currencyCode: 'EUR' }))
      } catch (error) {
        assert.ok(isOfOtherCell(error), String(error))
        writing.refused += 1
      }
    }
  }
  const writers = Array.from({ length: WRITERS }, write)
  await waitUntil(() => writing.accepted > ROUNDS, { timeoutMs: 30_000, what: 'payments to be accepted' })
  const wish = { from: 'A', to: 'C', merchantCodes: ['GOES'], isDryRun: false }
  assert.equal((await releaseMerchants(rig.db, wish)).wasDone, false)
  const before = await stateOf(rig)
  isReleased = true
  await Promise.all(writers)
  assert.ok(writing.refused > 0)
  assert.deepEqual(await stateOf(rig), before)
  assert.equal(before['payments'], writing.accepted)
  assert.equal(before['tasks'], '0', 'no worker finds anything to do')
})

/** All of the merchant that writers change. */
async function stateOf(rig: Rig) {
  const [row = {}] = await rig.sql(
    `select (select count(*)::int from payments where merchant_id = 1) as payments,
      (select sum(timeline_count)::text from payments where merchant_id = 1) as changes,
      (select count(*)::text from ledger_transfers where merchant_id = 1) as transfers,
      (select count(*)::text from payment_tasks where merchant_id = 1) as tasks,
      (select count(*)::text from callback_events where merchant_id = 1) as callbacks,
      (select count(*)::text from parked_callback_events where merchant_id = 1) as parked`,
  )
  return row
}

test('of two splits at the same moment, a merchant goes by one', async (t) => {
  const rig = await openRig(t)
  await rig.sql(`insert into merchants (merchant_code, channel_name) values ('GOES', 'Shop')`)
  const outcomes = await Promise.allSettled(
    ['C', 'D'].map((to) =>
      releaseMerchants(rig.db, { from: 'A', to, merchantCodes: ['GOES'], isDryRun: false }),
    ),
  )
  const refused = outcomes.filter(({ status }) => status === 'rejected')
  assert.equal(refused.length, 1)
  assert.match(String(refused[0]?.status === 'rejected' && refused[0].reason), /in the meantime|already/)
  assert.equal((await rig.sql('select to_cell from cell_splits')).length, 1)
  await assert.rejects(
    rig.sql(`update merchants set cell = 'K' where merchant_code = 'GOES'`),
    /The merchant GOES is in cell/,
  )
})

test('persons are erased from the history of merchants that went, and nothing else changes of it', async (t) => {
  const rig = await openRig(t)
  await rig.sql(`insert into merchants (merchant_code, channel_name) values ('GOES', 'Shop')`)
  const idPayment = 'of-jane'
  const key = { merchantId: '1', kind: 'PAYIN' as const, idPayment }
  const personalData = sealPersonalData(rig.secrets, key, { emailAddress: 'jane@example.com' })
  const open = await accepted(rig, { idPayment, personalData, returnUrl: 'https://shop.example/back' })
  await releaseMerchants(rig.db, { from: 'A', to: 'C', merchantCodes: ['GOES'], isDryRun: false })
  await rig.db.transaction((tx) => erasePayments(tx, [open]))
  const [left] = await rig.sql(
    `select p.return_url, p.status, (select count(*)::int from payment_personal_data where sealed is not null) as sealed from payments p`,
  )
  assert.deepEqual(left, { return_url: null, status: 'CREATED', sealed: 0 })
  await assert.rejects(
    rig.service.propose(open, paid({ amount: '100', currencyCode: 'EUR' })),
    /The merchant GOES is in cell C/,
  )
})

test('merchants with payouts that only this cell can end are refused, each with the reason', async (t) => {
  const rig = await openRigThatPays(t)
  await accepted(rig, { kind: 'PAYOUT', callbackUrl: undefined, rail: BANK_TRANSFER_CODE })
  const wish = { from: 'A', to: 'C', merchantCodes: ['SHOP'], isDryRun: true }
  await assert.rejects(releaseMerchants(rig.db, wish), (error: unknown) => {
    assert.ok(error instanceof CellProblem)
    assert.match(error.faults.join(), /^SHOP: 0 payments with an address on a chain, 1 payouts/)
    return true
  })
})
