import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { waitUntil } from '@tollgate/testkit'
import type { Rail, RailReport } from '../../../rails/rail.ts'
import type { PaymentKey } from '../index.ts'
import { acceptedPayout, openRigThatPays, type Rig, WAITING } from './rig.ts'

// What a restore does to payouts that had not been handed over when the backup began.

const TIMEOUT = { timeoutMs: 10_000 }
const ABSENT: RailReport = { kind: 'UNKNOWN', isAbsent: true, askAgainSeconds: 0 }

/** An institution that has what it was given before the restore, and notes what it is given and asked. */
function institution(has: ReadonlySet<string>): Rail & {
  readonly given: ReadonlySet<string>
  readonly asked: ReadonlyMap<string, number>
} {
  const given = new Set<string>()
  const asked = new Map<string, number>()
  return {
    code: 'test',
    capabilities: { directions: ['PAYOUT'], flows: [], cancels: false },
    plan: () => ({ instructions: {}, startsAtOnce: true }),
    advance: () => Promise.resolve(WAITING),
    async submit({ idPayment }): Promise<RailReport> {
      given.add(idPayment)
      return WAITING
    },
    async inquire({ idPayment, money }): Promise<RailReport> {
      asked.set(idPayment, (asked.get(idPayment) ?? 0) + 1)
      return has.has(idPayment) ? { kind: 'SUCCEEDED', received: money } : ABSENT
    },
    given,
    asked,
  }
}

const openGap = (rig: Rig, fileRails: readonly string[] = []) =>
  rig.sql(
    `select held::int, asked::int from open_restore_gap(clock_timestamp() - interval '1 hour', 'restore', $1)`,
    [fileRails],
  )
const closeGap = (rig: Rig) =>
  rig.sql(`update restore_gaps set proposed_by = 'operator:a', proposed_reason = 'r', proposed_at = now(), proposed_digest = 'd',
    closed_by = 'operator:b', closed_reason = 'r', closed_at = now() where closed_at is null`)
const stateOf = async (rig: Rig, key: PaymentKey): Promise<unknown> => {
  const payment = await rig.service.find(key)
  return `${payment?.status} ${payment?.processorStatus}`
}

test('what waited for an institution is asked about; what it lacks is handed over after the gap, and not before', async (t) => {
  const rig = await openRigThatPays(t)
  const [paid, unsent] = [await acceptedPayout(rig), await acceptedPayout(rig)]
  assert.deepEqual(await openGap(rig), [{ held: 0, asked: 2 }])
  const rail = institution(new Set([paid.idPayment]))
  rig.startWorker({ rail })
  await waitUntil(async () => (await rig.service.find(paid))?.status === 'SUCCESS', {
    ...TIMEOUT,
    what: 'the word of the institution to count',
  })
  await waitUntil(() => (rail.asked.get(unsent.idPayment) ?? 0) >= 3, { ...TIMEOUT, what: 'three inquiries' })
  assert.deepEqual([...rail.given], [])
  await closeGap(rig)
  await waitUntil(() => rail.given.has(unsent.idPayment), { ...TIMEOUT, what: 'the hand-over' })
  assert.deepEqual([...rail.given], [unsent.idPayment])
})

test('what leaves by files is on hold, does not expire, and is released by a person after the gap', async (t) => {
  const rig = await openRigThatPays(t)
  const held = await acceptedPayout(rig)
  assert.deepEqual(await openGap(rig, ['test']), [{ held: 1, asked: 0 }])
  assert.equal(await stateOf(rig, held), 'CREATED ON_HOLD')
  assert.deepEqual(
    await rig.sql(`select 1 from payment_tasks where task = 'EXPIRE' and due_at < 'infinity'`),
    [],
  )
  const order = { operatorCode: 'anna', reason: 'not on the statement' }
  await assert.rejects(rig.service.release(held, order), /before the restore/)
  await assert.rejects(rig.service.cancelHeld(held, order), /before the restore/)
  await closeGap(rig)
  await rig.service.release(held, order)
  assert.equal(await stateOf(rig, held), 'CREATED QUEUED')
  const [expiry] = await rig.sql(
    `select due_at between now() + interval '71 hours' and now() + interval '73 hours' as soon from payment_tasks where task = 'EXPIRE'`,
  )
  assert.deepEqual(expiry, { soon: true })
})

test('a payment with an id or a reference of the gap is stopped when it is about to be handed over', async (t) => {
  const rig = await openRigThatPays(t)
  await openGap(rig)
  await closeGap(rig)
  const [named, onStatement] = [await acceptedPayout(rig), await acceptedPayout(rig)]
  await rig.sql(
    `insert into restore_gap_ids (merchant_id, kind, id_payment, gap_id, named_by)
      select $1, $2, $3, gap_id, 'operator:anna' from restore_gaps`,
    [named.merchantId, named.kind, named.idPayment],
  )
  await rig.sql(
    `insert into restore_gap_references (reference, gap_id) select reference, gap_id from payments, restore_gaps where id_payment = $1`,
    [onStatement.idPayment],
  )
  await rig.sql(`insert into payment_tasks (merchant_id, kind, id_payment, task, due_at)
    select merchant_id, kind, id_payment, 'RAIL', clock_timestamp() from payments`)
  const rail = institution(new Set())
  rig.startWorker({ rail })
  for (const key of [named, onStatement])
    await waitUntil(async () => (await stateOf(rig, key)) === 'CREATED ON_HOLD', {
      ...TIMEOUT,
      what: 'the stop',
    })
  assert.deepEqual([...rail.given], [])
})

test('a gap is closed by two names, once, and stays as it is', async (t) => {
  const rig = await openRigThatPays(t)
  await openGap(rig)
  const [first] = await rig.sql('select lost_from, restored_at::text from restore_gaps')
  await openGap(rig)
  // It goes on from the beginning of the first restore to the last one.
  assert.deepEqual(
    await rig.sql('select lost_from, restored_at > $1::timestamptz as is_longer from restore_gaps', [
      first?.['restored_at'],
    ]),
    [{ lost_from: first?.['lost_from'], is_longer: true }],
  )
  const refused = (change: string) => assert.rejects(rig.sql(`update restore_gaps set ${change}`))
  const closed = `closed_by = 'operator:a', closed_reason = 'r', closed_at = now()`
  await refused(closed)
  await refused(
    `proposed_by = 'operator:a', proposed_reason = 'r', proposed_at = now(), proposed_digest = 'd', ${closed}`,
  )
  await closeGap(rig)
  await refused(`closed_by = null, closed_reason = null, closed_at = null`)
  await assert.rejects(rig.sql('delete from restore_gaps'))
  assert.deepEqual(await rig.sql('select count(*)::int as gaps from restore_gaps'), [{ gaps: 1 }])
})

test('the mark that a restore leaves in a database of an older version becomes a gap with the migration', async (t) => {
  const rig = await openRigThatPays(t)
  const held = await acceptedPayout(rig, { rail: 'bank-transfer' })
  const text = readFileSync(new URL('../../../../migrations/0037_restore_gaps.sql', import.meta.url), 'utf8')
  await rig.sql('create table restore_marks (lost_from timestamptz not null)')
  await rig.sql(`insert into restore_marks values ('2026-11-21T03:00:00Z')`)
  // The end of the migration, which is all that a mark changes.
  await rig.sql(text.slice(text.indexOf('create table if not exists restore_marks')))
  assert.deepEqual(await rig.sql('select lost_from, opened_by from restore_gaps'), [
    { lost_from: new Date('2026-11-21T03:00:00Z'), opened_by: 'restore' },
  ])
  assert.equal(await stateOf(rig, held), 'CREATED ON_HOLD')
  assert.deepEqual(await rig.sql(`select 1 from pg_class where relname = 'restore_marks'`), [])
})
