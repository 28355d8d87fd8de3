import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { bookEntries, type LedgerEntry } from '../../ledger/index.ts'
import { entryOf, faultsOf, openRig, type Rig } from './rig.ts'

const ROUNDS = 12
const STEPS_MAX = 14
const START_MS = Date.parse('2026-03-10T00:00:00Z')
const HOUR_MS = 3_600_000

/** What happens: a payin of cents with a fee, a recall of an earlier one, a run until now, or until some hours ago. */
type Step =
  | {
      readonly kind: 'PAYIN'
      readonly cents: number
      readonly feePercent: number
      readonly lateHours: number
    }
  | { readonly kind: 'RECALL'; readonly which: number }
  | { readonly kind: 'RUN'; readonly hoursAgo: number }

const anyStep: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('PAYIN'),
      cents: fc.integer({ min: 1, max: 10_000 }),
      feePercent: fc.constantFrom(0, 1, 50, 100),
      // Committed now, though its transaction began so long ago.
      lateHours: fc.constantFrom(0, 0, 0, 3, 20, 100),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('RECALL'), which: fc.nat(20) }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('RUN'), hoursAgo: fc.constantFrom(0, 1, 12, 30) }) },
)

const amountOf = (cents: number): string => (cents / 100).toFixed(2)

interface Earned {
  readonly id: string
  readonly cents: number
}

async function play(rig: Rig, steps: readonly Step[]): Promise<void> {
  const open: Earned[] = []
  for (const [index, step] of steps.entries()) {
    const now = START_MS + index * 7 * HOUR_MS
    if (step.kind === 'PAYIN') {
      const id = `P${index}`
      const fee = Math.floor((step.cents * step.feePercent) / 100)
      const at = new Date(now - step.lateHours * HOUR_MS).toISOString()
      await rig.book('PAYIN_SUCCESS', { id, gross: amountOf(step.cents), fee: amountOf(fee), at })
      open.push({ id, cents: step.cents })
    } else if (step.kind === 'RECALL') {
      const [recalled] = open.length === 0 ? [] : open.splice(step.which % open.length, 1)
      const at = new Date(now).toISOString()
      if (recalled !== undefined)
        await rig.book('PAYIN_REVERSED', { id: recalled.id, gross: amountOf(recalled.cents), at })
    } else {
      await rig.run(new Date(now - step.hoursAgo * HOUR_MS))
    }
    assert.deepEqual(await faultsOf(rig), [])
  }
  await rig.run(new Date(START_MS + steps.length * 7 * HOUR_MS))
  await assertNothingIsLost(rig)
}

/** What was earned is available, not settled, or went to a debt; every item is in one settlement, every net adds up. */
async function assertNothingIsLost(rig: Rig): Promise<void> {
  const [row] = await rig.sql(`
    select b.not_settled >= 0 as has_no_hole,
      b.available + b.not_settled + b.receivable
        = (select coalesce(sum(amount), 0) from ledger_postings where account in ('AVAILABLE', 'NOT_SETTLED', 'RECEIVABLE')) as is_whole,
      (select coalesce(sum(net), 0) from settlements) = (select coalesce(sum(net), 0) from settlement_items) as adds_up,
      (select coalesce(sum(net), 0) from settlements)
        = (select coalesce(-sum(p.amount), 0) from ledger_postings p join ledger_transfers t using (merchant_id, transfer_id)
           where p.account = 'NOT_SETTLED' and t.event = 'SETTLED') as is_booked,
      b.not_settled = (select coalesce(sum(p.amount), 0) from ledger_postings p join ledger_transfers t using (merchant_id, transfer_id)
        left join settlement_items i using (merchant_id, transfer_id)
        where p.account = 'NOT_SETTLED' and t.event <> 'SETTLED' and i.transfer_id is null) as rest_is_open,
      not exists (select from settlements a join settlements b using (merchant_id, currency_code)
        where a.id_settlement <> b.id_settlement and a.period_from < b.period_to and b.period_from < a.period_to) as are_apart
    from balances b`)
  if (row === undefined) return
  for (const [what, isSo] of Object.entries(row)) assert.equal(isSo, true, what)
}

test('whatever happens in whatever order: nothing is lost, nothing is settled twice, no balance is below zero', async (t) => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyStep, { minLength: 3, maxLength: STEPS_MAX }), async (steps) => {
      const life = closing()
      try {
        const rig = await openRig(life)
        await rig.setCycle({ since: new Date(START_MS).toISOString() })
        await play(rig, steps)
      } finally {
        await life.close()
      }
    }),
    { numRuns: ROUNDS, endOnFailure: true },
  )
  t.diagnostic(`${ROUNDS} histories`)
})

/** A life for each history: its database is closed at its end. */
function closing() {
  const works: (() => unknown)[] = []
  return {
    after: (work: () => unknown) => void works.push(work),
    close: async () => {
      for (const work of works) await work()
    },
  }
}

test('payins, recalls and runs of several processes at the same time', async (t) => {
  const rig = await openRig(t)
  await rig.setCycle()
  const book = (...entries: readonly LedgerEntry[]) => rig.db.transaction((tx) => bookEntries(tx, entries))
  const payin = (id: string) => entryOf(rig.merchantId, 'PAYIN_SUCCESS', { id, gross: '10', fee: '1' })
  const recall = (id: string) => entryOf(rig.merchantId, 'PAYIN_REVERSED', { id, gross: '10' })
  const earner = async (name: number): Promise<void> => {
    for (let count = 0; count < 15; count += 1) {
      await book(payin(`${name}-${count}`))
      if (count % 3 === 0) await book(recall(`${name}-${count}`))
    }
  }
  let isOver = false
  const runner = async (): Promise<void> => {
    while (!isOver) {
      const [row] = await rig.sql(`select date_trunc('milliseconds', clock_timestamp()) as now`)
      const now = row?.['now']
      if (now instanceof Date) await rig.run(now)
    }
  }
  const runners = [runner(), runner()]
  await Promise.all([earner(1), earner(2), earner(3)])
  isOver = true
  await Promise.all(runners)
  await rig.run(new Date(Date.now() + 1_000))
  await assertNothingIsLost(rig)
  assert.deepEqual(await faultsOf(rig), [])
  const [row] = await rig.sql(`select count(*)::int as settlements from settlements`)
  assert.ok(Number(row?.['settlements']) > 1)
})
