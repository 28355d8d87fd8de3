import assert from 'node:assert/strict'
import { test } from 'node:test'
import { systemClock } from '@tollgate/runtime'
import { createLog } from '@tollgate/runtime/log'
import { type TestLife, waitUntil } from '@tollgate/testkit'
import type { Database } from '../../../platform/database.ts'
import { verifyBooks } from '../../../rooms/books.ts'
import { createHorizon, createVolumeWorker } from '../volumes/counting.ts'
import { listVolumes, recountVolumes } from '../volumes/store.ts'
import { openRig, type Rig } from './rig.ts'

// Payments are written as bare rows: what is counted is the timeline.

const DAY = '2026-03-10'
const waiting = (what: string) => ({ what, timeoutMs: 30_000 })

const PAYMENTS = `insert into payments (merchant_id, kind, id_payment, nonce, request_digest, status, processor_status, amount, currency_code,
    fee_amount, method_code, rail, reference, instructions, is_test, timeline_count, expire_at)
  select $1, 'PAYIN', $2, gen_random_uuid(), '\\x00', $3, 'P', $4, 'EUR', 0, $5, 'r', 'R', '{}', true, $6, now()`
const ENTRY = `insert into payment_timeline (merchant_id, kind, id_payment, entry_no, status, processor_status, actor, happened_at)
  values ($1, 'PAYIN', $2, $3, $4, 'P', 'a', $5)`

interface Wish {
  readonly merchant?: number
  readonly method?: string
  readonly amount?: string
}

/** A payin with these entries: status and time of the day. */
async function payin(
  rig: Rig,
  id: string,
  entries: readonly (readonly [status: string, time: string])[],
  { merchant = 1, method = 'BANK', amount = '10' }: Wish = {},
): Promise<void> {
  await rig.sql(PAYMENTS, [merchant, id, entries.at(-1)?.[0], amount, method, entries.length])
  for (const [index, [status, time]] of entries.entries())
    await rig.sql(ENTRY, [merchant, id, index + 1, status, `${DAY}T${time}Z`])
}

async function setMarks(rig: Rig, merchants: string, house = merchants): Promise<void> {
  await rig.sql('update payment_volume_marks set counted_until = $1, house_counted_until = $2', [
    merchants,
    house,
  ])
}

async function openCounted(t: TestLife): Promise<Rig> {
  const rig = await openRig(t)
  await setMarks(rig, `${DAY}T00:00:00Z`)
  return rig
}

/** Starts a worker; gives how often it has looked who writes. */
function count(t: TestLife, rig: Rig): () => number {
  let looks = 0
  const db: Database = {
    ...rig.db,
    rows(statement, values) {
      if (statement.name === 'volumes_find_writers') looks += 1
      return rig.db.rows(statement, values)
    },
  }
  const worker = createVolumeWorker({
    db,
    clock: systemClock,
    log: createLog({ level: 'silent' }),
    pollMs: 10,
    lagMs: 0,
  })
  t.after(() => worker.stop())
  worker.start()
  return () => looks
}

const markOf = async (rig: Rig): Promise<Date> => {
  const [row] = await rig.sql(
    'select least(counted_until, house_counted_until) as counted_until from payment_volume_marks',
  )
  return new Date(String(row?.['counted_until']))
}

/** Waits until all that happened up to now is counted. */
async function untilCounted(rig: Rig): Promise<void> {
  const [row] = await rig.sql('select clock_timestamp() as now')
  const now = new Date(String(row?.['now']))
  await waitUntil(async () => (await markOf(rig)) >= now, waiting('what was written to be counted'))
}

const volumesBy = async (rig: Rig, step: string) =>
  (
    await rig.sql(
      `select to_char(begins_at at time zone 'UTC', 'HH24:MI') || ' ' || merchant_id || ' ' || method_code || ' ' || entered || ' ' || payments || ' × ' || amount as says
      from payment_volumes where step = '${step}' order by 1`,
    )
  ).map(({ says }) => says)

test('each change of status counts in its hour and its day, a phase does not, and a success after another end is late', async (t) => {
  const rig = await openCounted(t)
  await payin(rig, 'paid', [
    ['CREATED', '08:59:59.999999'],
    ['CREATED', '09:00:00'],
    ['SUCCESS', '09:00:00'],
  ])
  await payin(
    rig,
    'late',
    [
      ['CREATED', '08:00:00'],
      ['EXPIRED', '09:30:00'],
      ['SUCCESS', '23:59:59.999'],
    ],
    { amount: '0.123456789012345678' },
  )
  await payin(rig, 'back', [
    ['CREATED', '08:10:00'],
    ['SUCCESS', '08:20:00'],
    ['REVERSED', '10:00:00'],
  ])
  await payin(
    rig,
    'other',
    [
      ['CREATED', '08:10:00'],
      ['FAILED', '08:20:00'],
      ['FAILED', '08:30:00'],
    ],
    { merchant: 2, method: 'CARD' },
  )
  count(t, rig)
  await untilCounted(rig)
  assert.deepEqual(await volumesBy(rig, 'HOUR'), [
    '08:00 1 BANK CREATED 3 × 20.123456789012345678',
    '08:00 1 BANK SUCCESS 1 × 10',
    '08:00 2 CARD CREATED 1 × 10',
    '08:00 2 CARD FAILED 1 × 10',
    '09:00 1 BANK EXPIRED 1 × 0.123456789012345678',
    '09:00 1 BANK SUCCESS 1 × 10',
    '10:00 1 BANK REVERSED 1 × 10',
    '23:00 1 BANK LATE 1 × 0.123456789012345678',
  ])
  assert.deepEqual(await volumesBy(rig, 'DAY'), [
    '00:00 1 BANK CREATED 3 × 20.123456789012345678',
    '00:00 1 BANK EXPIRED 1 × 0.123456789012345678',
    '00:00 1 BANK LATE 1 × 0.123456789012345678',
    '00:00 1 BANK REVERSED 1 × 10',
    '00:00 1 BANK SUCCESS 2 × 20',
    '00:00 2 CARD CREATED 1 × 10',
    '00:00 2 CARD FAILED 1 × 10',
  ])
})

test('what is written before the mark and committed late is waited for', async (t) => {
  const rig = await openCounted(t)
  await rig.sql(PAYMENTS, [1, 'slow', 'CREATED', '10', 'BANK', 1])
  const committing = Promise.withResolvers<void>()
  const written = Promise.withResolvers<void>()
  const slow = rig.db.transaction(async (tx) => {
    await tx.rows({ name: 'volumes_test_entry', text: ENTRY }, [1, 'slow', 1, 'CREATED', new Date()])
    written.resolve()
    await committing.promise
  })
  await written.promise
  const before = await markOf(rig)
  const looks = count(t, rig)
  await waitUntil(() => looks() > 3, waiting('the worker to look again'))
  assert.deepEqual(await markOf(rig), before)
  committing.resolve()
  await slow
  await untilCounted(rig)
  const [row] = await rig.sql(`select sum(payments)::int as payments from payment_volumes where step = 'DAY'`)
  assert.equal(row?.['payments'], 1)
  assert.deepEqual(await findingsIn(rig), [])
})

test('all merchants together are what each of them is, added up', async (t) => {
  const rig = await openCounted(t)
  await payin(rig, 'one', [['CREATED', '08:00:00']])
  await payin(rig, 'two', [['CREATED', '08:00:00']], { merchant: 2, amount: '0.5' })
  await payin(rig, 'three', [['CREATED', '09:00:00']], { merchant: 3, method: 'CARD' })
  count(t, rig)
  await untilCounted(rig)
  const search = {
    from: new Date(`${DAY}T00:00:00Z`),
    to: new Date(`${DAY}T23:00:00Z`),
    limit: 100,
    merchantId: undefined,
    kind: undefined,
    currencyCode: undefined,
    methodCode: undefined,
  } as const
  const told = async (step: 'HOUR' | 'DAY') =>
    (await listVolumes(rig.db, { ...search, step, by: 'METHOD' })).map(
      ({ beginsAt, methodCode, payments, amount }) =>
        `${beginsAt.getUTCHours()} ${methodCode} ${payments} ${amount}`,
    )
  assert.deepEqual(await told('HOUR'), ['8 BANK 2 10.5', '9 CARD 1 10'])
  assert.deepEqual(await told('DAY'), ['0 BANK 2 10.5', '0 CARD 1 10'])
  assert.deepEqual(await findingsIn(rig), [])
})

for (const [says, house] of [
  ['counted each merchant alone', `${DAY}T00:00:00Z`],
  ['took back each merchant alone', `${DAY}T08:30:00Z`],
] as const)
  test(`what a process of the version before leaves behind is caught up with: it ${says}`, async (t) => {
    const rig = await openCounted(t)
    await payin(rig, 'one', [
      ['CREATED', '07:00:00'],
      ['SUCCESS', '08:15:00'],
    ])
    await rig.sql(`insert into payment_volumes values ('HOUR', '${DAY}T07:00:00Z', 1, 'PAYIN', 'BANK', 'EUR', 'CREATED', 1, 10),
      ('DAY', '${DAY}T00:00:00Z', 1, 'PAYIN', 'BANK', 'EUR', 'CREATED', 1, 10)`)
    // What stands there from before must go where it is counted again.
    if (house > `${DAY}T08:00:00Z`)
      await rig.sql(
        `insert into payment_house_volumes values ('DAY', '${DAY}T00:00:00Z', 'PAYIN', 'BANK', 'EUR', 'CREATED', 7, 70)`,
      )
    await setMarks(rig, `${DAY}T08:00:00Z`, house)
    count(t, rig)
    await untilCounted(rig)
    assert.deepEqual(await findingsIn(rig), [])
    const rows = await rig.sql(
      `select entered, payments::int from payment_house_volumes where step = 'DAY' order by 1`,
    )
    assert.deepEqual(rows, [
      { entered: 'CREATED', payments: 1 },
      { entered: 'SUCCESS', payments: 1 },
    ])
  })

test('a time is complete when all who wrote at it have ended', () => {
  const horizon = createHorizon()
  const at = (second: number): Date => new Date(second * 1000)
  assert.equal(horizon.seen({ now: at(1), writers: ['3/1'] }), undefined)
  assert.equal(horizon.seen({ now: at(2), writers: ['3/1', '4/7'] }), undefined)
  assert.deepEqual(horizon.seen({ now: at(3), writers: ['4/7'] }), at(1))
  assert.deepEqual(horizon.seen({ now: at(4), writers: ['4/7', '5/1'] }), at(1))
  assert.deepEqual(horizon.seen({ now: at(5), writers: ['5/1'] }), at(3))
  assert.deepEqual(horizon.seen({ now: at(6), writers: [] }), at(6))
  assert.equal(horizon.seen({ now: at(2), writers: ['6/1'] }), undefined, 'the clock went back')
})

test('any number of workers count each entry once, while payments are written', async (t) => {
  const rig = await openCounted(t)
  for (let worker = 0; worker < 3; worker += 1) count(t, rig)
  const write = async (writer: number): Promise<void> => {
    for (let index = 0; index < 40; index += 1) {
      const id = `p-${writer}-${index}`
      await rig.sql(PAYMENTS, [1, id, 'SUCCESS', '1', 'BANK', 2])
      await rig.sql(`insert into payment_timeline (merchant_id, kind, id_payment, entry_no, status, processor_status, actor)
        values (1, 'PAYIN', '${id}', 1, 'CREATED', 'P', 'a'), (1, 'PAYIN', '${id}', 2, 'SUCCESS', 'P', 'a')`)
    }
  }
  await Promise.all([0, 1, 2, 3].map(write))
  await untilCounted(rig)
  const rows = await rig.sql(
    `select entered, sum(payments)::int as payments, sum(amount)::int as amount from payment_volumes where step = 'HOUR' group by 1 order by 1`,
  )
  assert.deepEqual(rows, [
    { entered: 'CREATED', payments: 160, amount: 160 },
    { entered: 'SUCCESS', payments: 160, amount: 160 },
  ])
  assert.deepEqual(await findingsIn(rig), [])
})

test('a clock that went back makes the day be counted again', async (t) => {
  const rig = await openCounted(t)
  await rig.sql(PAYMENTS, [1, 'p', 'CREATED', '10', 'BANK', 1])
  await rig.sql(ENTRY, [1, 'p', 1, 'CREATED', new Date()])
  await setMarks(rig, new Date(Date.now() + 3_600_000).toISOString())
  await rig.sql(
    `insert into payment_volumes values ('DAY', date_trunc('day', now(), 'UTC'), 1, 'PAYIN', 'BANK', 'EUR', 'CREATED', 7, 70)`,
  )
  count(t, rig)
  await waitUntil(async () => (await markOf(rig)) <= new Date(), waiting('the mark to go back'))
  await untilCounted(rig)
  assert.deepEqual(await findingsIn(rig), [])
})

test('the check finds what was counted wrong, and counting again mends it', async (t) => {
  const rig = await openCounted(t)
  await payin(rig, 'paid', [
    ['CREATED', '08:00:00'],
    ['SUCCESS', '08:00:01'],
  ])
  count(t, rig)
  await untilCounted(rig)
  await rig.sql(`update payment_volumes set payments = 5 where step = 'HOUR' and entered = 'SUCCESS'`)
  const [finding = '', together = '', ...others] = await findingsIn(rig)
  assert.match(
    finding,
    /hour of 2026-03-10 08:00:00\+00: 5 payments of EUR by BANK of merchant 1, SUCCESS, are counted, with 10; the timelines have 1, with 10/,
  )
  assert.match(
    together,
    /hour of 2026-03-10 08:00:00\+00: 1 payments of EUR by BANK, SUCCESS, of all merchants together, with 10; added up they have 5, with 10/,
  )
  assert.deepEqual(others, [])
  await rig.db.transaction((tx) => recountVolumes(tx, new Date(`${DAY}T00:00:00Z`)))
  await untilCounted(rig)
  assert.deepEqual(await findingsIn(rig), [])
})

async function findingsIn(rig: Rig): Promise<readonly string[]> {
  const { findings } = await verifyBooks(rig.db)
  return findings.filter(({ check }) => check.includes('volumes')).map(({ detail }) => detail)
}
