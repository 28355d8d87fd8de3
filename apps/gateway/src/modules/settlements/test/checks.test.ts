import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runSql, type SqlRow, type TestLife } from '@tollgate/testkit'
import { testPostgres } from '../../../platform/test/index.ts'
import { bookEntries } from '../../ledger/index.ts'
import { SETTLEMENT_CHECKS } from '../checks.ts'
import { entryOf } from './rig.ts'

interface Rig {
  /** By a session of its own each time. */
  sql(text: string): Promise<readonly SqlRow[]>
}

/** Behind the product's back: what nobody changes is changed, and no trigger says so. */
const quietly = (text: string): string => `set session_replication_role = replica; ${text}`

/** A payin of 100 with a fee of 3, settled, and another one that is not; and a settlement of 10 in USD for 8 EUR. */
async function openSettled(t: TestLife): Promise<Rig> {
  const { db, url } = await testPostgres(t)
  const rig: Rig = { sql: (text) => runSql(url, text) }
  const usd = { id: 'S-2', currencyCode: 'USD' }
  for (const entry of [
    entryOf('1', 'PAYIN_SUCCESS', { id: 'A', gross: '100', fee: '3' }),
    entryOf('1', 'PAYIN_SUCCESS', { id: 'OPEN', gross: '100', fee: '3' }),
    entryOf('1', 'PAYIN_SUCCESS', { id: 'B', currencyCode: 'USD', gross: '10' }),
    entryOf('1', 'SETTLED', { id: 'S-1', gross: '97' }),
    entryOf('1', 'SETTLED_SOLD', { ...usd, gross: '10' }),
    entryOf('1', 'SETTLED_BOUGHT', { ...usd, currencyCode: 'EUR', gross: '8' }),
  ])
    await db.transaction((tx) => bookEntries(tx, [entry]))
  await rig.sql(`
    insert into settlements (merchant_id, id_settlement, kind, currency_code, period_from, period_to, gross, fees, adjustments, net, reference)
    values (1, 'S-1', 'CYCLE', 'EUR', '2026-01-01', '2026-01-02', 100, 3, 0, 97, 'R1');
    insert into settlements (merchant_id, id_settlement, kind, currency_code, period_from, period_to, gross, fees, adjustments, net, reference,
      settled_currency_code, settled_amount, conversion)
    values (1, 'S-2', 'CYCLE', 'USD', '2026-01-01', '2026-01-02', 10, 0, 0, 10, 'R2', 'EUR', 8, '{}');
    insert into settlement_items (merchant_id, transfer_id, id_settlement, type, id_entity, gross, fee, net, processed_at)
    select merchant_id, transfer_id, case id_payment when 'A' then 'S-1' else 'S-2' end, 'PAYIN', id_payment,
      case id_payment when 'A' then 100 else 10 end, case id_payment when 'A' then 3 else 0 end, case id_payment when 'A' then 97 else 10 end, created_at
    from ledger_transfers where id_payment in ('A', 'B');
    insert into payments (merchant_id, kind, id_payment, nonce, request_digest, processor_status, amount, currency_code, fee_amount, method_code,
      rail, reference, instructions, is_test, expire_at)
    values (1, 'SETTLEMENT', 'ASKED', gen_random_uuid(), '', 'QUEUED', 5, 'EUR', 0, 'M', 'r', 'R3', '{}', true, now());
    insert into settlements (merchant_id, id_settlement, kind, currency_code, gross, fees, adjustments, net, reference, account, request_digest)
    values (1, 'ASKED', 'REQUESTED', 'EUR', 5, 0, 0, 5, 'R3', '{}', '\\x00')`)
  return rig
}

async function findings(rig: Rig): Promise<readonly string[]> {
  const found: string[] = []
  for (const { name, text } of SETTLEMENT_CHECKS)
    if ((await rig.sql(`${text} limit 100`)).length > 0) found.push(name)
  return found
}

test('settlements that are right are found to be', async (t) => {
  assert.deepEqual(await findings(await openSettled(t)), [])
})

/** What is broken, and the checks that see it. */
const FAULTS: readonly (readonly [broken: string, seenBy: readonly string[]])[] = [
  [
    `update settlement_items set gross = 99, net = 96 where id_entity = 'A'`,
    ['settlements_add_up', 'settlement_items_are_transfers'],
  ],
  [
    `update settlement_items set type = 'ADJUSTMENT' where id_entity = 'A'`,
    ['settlements_add_up', 'settlement_items_are_transfers'],
  ],
  [
    `delete from settlement_items where id_entity = 'A'`,
    ['settlements_add_up', 'what_is_not_settled_is_in_the_balance'],
  ],
  [
    `update settlement_items set id_settlement = 'ASKED' where id_entity = 'A'`,
    ['settlements_add_up', 'settlement_items_belong_to_settlements'],
  ],
  [
    `update settlement_items set id_settlement = 'NONE' where id_entity = 'A'`,
    ['settlements_add_up', 'settlement_items_belong_to_settlements'],
  ],
  [
    `update settlement_items set transfer_id = gen_random_uuid() where id_entity = 'A'`,
    ['settlement_items_are_transfers', 'what_is_not_settled_is_in_the_balance'],
  ],
  [`update settlement_items set id_entity = 'X' where id_entity = 'A'`, ['settlement_items_are_transfers']],
  [
    `update settlement_items set gross = 101, fee = 4 where id_entity = 'A'; update settlements set gross = 101, fees = 4 where id_settlement = 'S-1'`,
    ['settlement_items_are_transfers'],
  ],
  [
    `update settlements set currency_code = 'CZK' where id_settlement = 'S-1'`,
    ['settlement_items_are_transfers', 'settlements_are_booked'],
  ],
  [
    `delete from settlements where id_settlement = 'S-1'`,
    ['settlement_items_belong_to_settlements', 'settlements_are_booked'],
  ],
  [`update settlements set settled_amount = 7 where id_settlement = 'S-2'`, ['settlements_are_booked']],
  [`update settlements set repaid = 1 where id_settlement = 'S-2'`, ['settlements_are_booked']],
  [`update ledger_transfers set id_payment = 'S-9' where id_payment = 'S-1'`, ['settlements_are_booked']],
  [
    `insert into settlements (merchant_id, id_settlement, kind, currency_code, period_from, period_to, gross, fees, adjustments, net, reference)
     values (1, 'S-3', 'CYCLE', 'EUR', '2026-01-02', '2026-01-03', 5, 0, 0, 5, 'R')`,
    ['settlements_add_up', 'settlements_are_booked'],
  ],
  [`delete from settlements where id_settlement = 'ASKED'`, ['requested_settlements_are_paid_out']],
  [`delete from payments where id_payment = 'ASKED'`, ['requested_settlements_are_paid_out']],
  [`update payments set amount = 6 where id_payment = 'ASKED'`, ['requested_settlements_are_paid_out']],
  [
    `update balances set not_settled = 1 where currency_code = 'EUR'`,
    ['what_is_not_settled_is_in_the_balance'],
  ],
]
for (const [broken, seenBy] of FAULTS) {
  test(`seen by ${seenBy.join(', ')}: ${broken.slice(0, 70)}`, async (t) => {
    const rig = await openSettled(t)
    await rig.sql(quietly(broken))
    assert.deepEqual(await findings(rig), seenBy)
  })
}

test('what was settled is neither changed nor removed', async (t) => {
  const rig = await openSettled(t)
  for (const change of [
    'delete from settlement_items',
    'update settlement_items set id_settlement = id_settlement',
    'delete from settlements',
    'update settlements set net = net',
    'truncate settlements',
  ])
    await assert.rejects(rig.sql(change), /append-only/, change)
})
