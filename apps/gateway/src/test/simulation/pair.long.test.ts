import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { Order } from './client.ts'
import type { Command } from './commands.ts'
import { CALM_HISTORIES } from './histories.ts'
import { assertSame, play } from './pair.ts'
import { openPostgres } from './postgres.ts'
import { STATEMENTS } from './world.ts'

const SEQUENCES = 20
/** The same ones each time, so that they cost the same each time; `npm run simulate -- --postgres` draws others. */
const SEED = 20_301

const order: Order = {
  merchantId: '1',
  id: 'start',
  amount: 1_000,
  currencyCode: 'EUR',
  token: 'FULL',
  kind: 'TOPUP',
  methodCode: 'TRANSFER',
}
const payin: Order = { ...order, kind: 'PAYIN' }
/** Money that arrives, a part of it that leaves, and what does not fit: few of the histories drawn would have any. */
const START: readonly Command[] = [
  { name: 'CREATE', ...order },
  { name: 'DECIDE', of: order, outcome: 'PAID', copies: 1 },
  { name: 'CREATE', ...order, kind: 'PAYOUT', amount: 10 },
  { name: 'DECIDE', of: { ...order, kind: 'PAYOUT' }, outcome: 'PAID', copies: 2 },
  { name: 'CREATE', ...payin },
  { name: 'REFER', of: payin, reference: 'R1' },
  { name: 'CREATE', ...order, kind: 'PAYOUT', id: 'paper', amount: 10 },
  {
    name: 'ADJUST',
    of: { ...order, kind: 'PAYOUT', id: 'paper' },
    outcome: 'EXECUTED',
    by: ['ANNA', 'BERT'],
  },
  { name: 'CREATE', ...order, kind: 'PAYOUT', id: 'late', amount: 10 },
  ...(['NOT_EXECUTED', 'EXECUTED'] as const).map((outcome) => ({
    name: 'ADJUST' as const,
    of: { ...order, kind: 'PAYOUT' as const, id: 'late' },
    outcome,
    by: ['ANNA', 'BERT'] as const,
  })),
  ...(['waits', 'rejected'] as const).map((id) => ({
    name: 'CREATE' as const,
    ...order,
    kind: 'PAYOUT' as const,
    id,
    amount: 100,
  })),
  {
    name: 'APPROVE',
    of: { ...order, kind: 'PAYOUT', id: 'waits' },
    by: ['ANNA', 'ANNA', 'BERT'],
    sees: 'CONTENT',
  },
  { name: 'REJECT', of: { ...order, kind: 'PAYOUT', id: 'rejected' }, by: 'BERT' },
  { name: 'CREATE', ...payin, id: 'file' },
  ...([false, true, true] as const).map((isExact) => ({
    name: 'UPLOAD' as const,
    lines: [{ ...payin, id: 'file' }],
    isExact,
    form: 'TEXT' as const,
    by: 'ANNA' as const,
    endings: [
      { action: 'confirm' as const, operatorCode: 'ANNA' as const },
      { action: 'confirm' as const, operatorCode: 'BERT' as const },
    ],
  })),
  {
    name: 'UPLOAD',
    lines: [{ ...payin, id: 'file' }],
    isExact: true,
    form: 'TEXT',
    by: 'BERT',
    endings: [
      { action: 'withdraw', operatorCode: 'ANNA' },
      { action: 'withdraw', operatorCode: 'BERT' },
    ],
  },
  { name: 'SET_METHOD', merchantId: '2', kind: 'TOPUP', isOn: false },
  { name: 'SET_METHOD', merchantId: '2', kind: 'TOPUP', isOn: true },
  { name: 'REVOKE', merchantId: '2' },
  { name: 'CONFUSE', of: payin, with: 'NO_SUCH_REFERENCE' },
  { name: 'DECIDE', of: payin, outcome: 'OTHER_MONEY', copies: 1 },
]

/** Nobody is named, nobody reads balances, and no outcome stays unknown for days in these histories. */
const NOT_SEEN: ReadonlySet<string> = new Set([
  'payments_insert_personal_data',
  'payment_tasks_update',
  'payment_tasks_delete',
  'payment_tasks_delete_all_but',
  'ledger_list_balances',
  // A hold and a worker at the same moment: which comes first is chance. `modules/payments/test/holds.test.ts` has them.
  'payments_update_held',
  'payments_update_released',
  'payment_holds_insert_cancelled',
  'payment_holds_list',
  // No payout here names an account. `modules/payments/test/holds.test.ts` has it.
  'blocked_beneficiaries_find',
  'payment_holds_is_gap_open',
  // No rail ever has its share. `modules/payments/test/rail-shares.test.ts` has it.
  'payment_tasks_claim_beside',
  // Nobody dies: `acceptance/security/s-crash.test.ts` has it.
  'payments_update_submitted_again',
])

test('PostgreSQL answers every statement of a history as the memory does', async (t) => {
  const postgres = await openPostgres(t)
  const seen = new Set<string>()
  await fc.assert(
    fc.asyncProperty(CALM_HISTORIES, fc.nat(), async (drawn, seed) => {
      const commands = [...START, ...drawn]
      const memory = await play(commands, { seed })
      for (const { name } of memory.trace) seen.add(name)
      assertSame(memory, await play(commands, { seed, engine: await postgres.open() }))
    }),
    { numRuns: SEQUENCES, seed: SEED },
  )
  assert.deepEqual(
    Object.keys(STATEMENTS).filter((name) => !seen.has(name) && !NOT_SEEN.has(name)),
    [],
  )
})
