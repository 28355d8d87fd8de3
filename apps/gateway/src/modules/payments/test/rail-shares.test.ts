import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parsePlainAmount } from '@tollgate/money'
import { waitUntil } from '@tollgate/testkit'
import type { Rail, RailReport } from '../../../rails/rail.ts'
import { createRailShares } from '../progress/rail-shares.ts'
import { accepted, openRig, type Rig, railThat } from './rig.ts'

const PAID: RailReport = {
  kind: 'SUCCEEDED',
  received: { amount: parsePlainAmount('100'), currencyCode: 'EUR' },
}
const RAILS = ['hanging', 'hanging-too', 'healthy'] as const

interface Institutions {
  readonly rails: ReadonlyMap<string, Rail>
  /** Talks under way with those that hang, by rail. */
  readonly hanging: ReadonlyMap<string, number>
  /** Has them answer at last. */
  answer(): void
}

/** Two that hang until they are told to answer, and one that answers at once. */
function institutions(): Institutions {
  const hanging = new Map<string, number>()
  let answer = (): void => undefined
  const told = new Promise<void>((resolve) => {
    answer = resolve
  })
  const rails = RAILS.map((code): readonly [string, Rail] => [
    code,
    {
      ...railThat(async () => {
        if (code === 'healthy') return PAID
        hanging.set(code, (hanging.get(code) ?? 0) + 1)
        await told
        return PAID
      }),
      code,
    },
  ])
  return { rails: new Map(rails), hanging, answer }
}

const dueAt = (rig: Rig, rail: (typeof RAILS)[number], count: number) =>
  Promise.all(Array.from({ length: count }, () => accepted(rig, { rail, startsAtOnce: true })))

async function endedAt(rig: Rig, rail: (typeof RAILS)[number]): Promise<number> {
  const [row] = await rig.sql(
    `select count(*)::int as n from payments where rail = $1 and status = 'SUCCESS'`,
    [rail],
  )
  return Number(row?.['n'])
}

const allEnd = (rig: Rig, rail: (typeof RAILS)[number], count: number) =>
  waitUntil(async () => (await endedAt(rig, rail)) === count, {
    timeoutMs: 30_000,
    what: `${count} ends at ${rail}`,
  })

test('payments of a rail that answers end while 500 before them wait for one that hangs', async (t) => {
  const rig = await openRig(t)
  const { rails, hanging, answer } = institutions()
  await dueAt(rig, 'hanging', 500)
  await dueAt(rig, 'healthy', 300)
  rig.startWorker({ rails, railDeadlineSeconds: 60, leaseSeconds: 90 })
  await allEnd(rig, 'healthy', 300)
  assert.equal(await endedAt(rig, 'hanging'), 0)
  assert.equal(hanging.get('hanging'), 200)
  answer()
  await allEnd(rig, 'hanging', 500)
})

test('when a second rail hangs too, there is room for those that answer, and the queue is walked to its end', async (t) => {
  const rig = await openRig(t)
  const { rails, hanging, answer } = institutions()
  await dueAt(rig, 'hanging', 900)
  await dueAt(rig, 'healthy', 20)
  await dueAt(rig, 'hanging-too', 900)
  rig.startWorker({ rails, railDeadlineSeconds: 60, leaseSeconds: 90 })
  await allEnd(rig, 'healthy', 20)
  // Those that come later stand behind all that hangs.
  await dueAt(rig, 'healthy', 20)
  await allEnd(rig, 'healthy', 40)
  const under = [...hanging.values()]
  assert.equal(under.reduce((sum, each) => sum + each, 0) < 400, true, String(under))
  assert.equal((await endedAt(rig, 'hanging')) + (await endedAt(rig, 'hanging-too')), 0)
  answer()
  await allEnd(rig, 'hanging', 900)
  await allEnd(rig, 'hanging-too', 900)
})

test('tasks that fell due at the same moment are all walked over', async (t) => {
  const rig = await openRig(t)
  const { rails, answer } = institutions()
  await dueAt(rig, 'hanging', 1_300)
  const [key] = await dueAt(rig, 'healthy', 1)
  await dueAt(rig, 'hanging', 700)
  // The one stands in their midst, where neither end of the queue shows it.
  await rig.sql(
    `with numbered as (select id_payment, split_part(id_payment, '-', 2)::int as n from payments)
      update payment_tasks t set due_at = now() - case when n <= (select n from numbered where id_payment = $1)
        then interval '2 min' else interval '1 min' end
      from numbered where t.id_payment = numbered.id_payment and task = 'RAIL'`,
    [key?.idPayment],
  )
  rig.startWorker({ rails, railDeadlineSeconds: 60, leaseSeconds: 90 })
  await allEnd(rig, 'healthy', 1)
  assert.equal(await endedAt(rig, 'hanging'), 0)
  answer()
  await allEnd(rig, 'hanging', 2_000)
})

test('a rail gets no more places than it leaves free', () => {
  const shares = createRailShares()
  assert.deepEqual([shares.full(400), shares.most(), shares.roomBeside([], 400)], [[], [], 200])
  for (let n = 0; n < 200; n += 1) shares.take('a')
  assert.deepEqual([shares.full(200), shares.roomBeside(['a'], 200)], [['a'], 100])
  for (let n = 0; n < 100; n += 1) shares.take('b')
  assert.deepEqual(
    [shares.full(100), shares.most(), shares.roomBeside(['a', 'b'], 100)],
    [['a', 'b'], ['a'], 50],
  )
  shares.release('a')
  shares.release('a')
  assert.deepEqual([shares.full(202), shares.roomBeside(['b'], 202)], [[], 2])
})
