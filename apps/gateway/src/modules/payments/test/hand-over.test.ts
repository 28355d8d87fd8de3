import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openSession, waitUntil } from '@tollgate/testkit'
import { heldClock } from '../../../platform/test/index.ts'
import type { Rail } from '../../../rails/rail.ts'
import { verifyBooks } from '../../../rooms/books.ts'
import { acceptedPayout, openRigThatPays, type Rig, railThat, WAITING } from './rig.ts'

const patience = (what: string) => ({ timeoutMs: 15_000, what })

/** An institution that has nothing of any payment, and notes what it hears. */
function forgetful(name: string, heard: string[]): Rail {
  return {
    ...railThat(() => WAITING),
    async submit() {
      heard.push(`${name} submits`)
      return WAITING
    },
    async inquire() {
      heard.push(`${name} asks`)
      return { kind: 'UNKNOWN', askAgainSeconds: 0, isAbsent: true }
    },
  }
}

const letPass = (rig: Rig, seconds: number): Promise<unknown> =>
  rig.sql(`update payments set submitted_at = submitted_at - make_interval(secs => $1)`, [seconds])

test('a worker that stood still after it noted a hand-over sends nothing: another may have sent it since', async (t) => {
  const rig = await openRigThatPays(t)
  const heard: string[] = []
  const clock = heldClock()
  const stillness = Promise.withResolvers<string>()
  const noted = Promise.withResolvers<undefined>()
  const standing = rig.startWorker({
    clock,
    rail: forgetful('first', heard),
    leaseSeconds: 1,
    merchantCodeOf() {
      noted.resolve(undefined)
      return stillness.promise
    },
  })
  await acceptedPayout(rig, { startsAtOnce: true })
  await noted.promise
  const stopped = standing.stop()
  clock.advance(301_000)
  await letPass(rig, 301)
  rig.startWorker({ rail: forgetful('second', heard) })
  await waitUntil(() => heard.includes('second submits'), patience('the other worker'))
  stillness.resolve('SHOP')
  await stopped
  assert.deepEqual(heard, ['second asks', 'second submits'])
})

test('a machine that was suspended has only its wall clock to tell it so', async (t) => {
  const rig = await openRigThatPays(t)
  const heard: string[] = []
  let nowMs = Date.now()
  const clock = { nowMs: () => nowMs, monotonicMs: () => 0 }
  const rail = forgetful('it', heard)
  let asked = 0
  rig.startWorker({
    clock,
    rail,
    async merchantCodeOf() {
      asked += 1
      if (asked === 1) nowMs += 301_000
      return 'SHOP'
    },
  })
  await acceptedPayout(rig, { startsAtOnce: true })
  const isPutOff = `select 1 from payment_tasks where task = 'RAIL' and lease_token is null and due_at > clock_timestamp()`
  await waitUntil(async () => (await rig.sql(isPutOff)).length === 1, patience('the task to be put off'))
  assert.equal(heard.length, 0)
  // Nothing was sent, and the institution says so.
  await letPass(rig, 301)
  await rig.sql(`update payment_tasks set due_at = clock_timestamp() where task = 'RAIL'`)
  await waitUntil(() => heard.includes('it submits'), patience('the hand-over'))
  assert.deepEqual(heard, ['it asks', 'it submits'])
})

test('a payout that somebody else hands over while its task is worked on is asked about', async (t) => {
  const rig = await openRigThatPays(t)
  const heard: string[] = []
  await acceptedPayout(rig, { startsAtOnce: true })
  const other = await openSession(rig.url)
  t.after(() => other.close())
  await other.run(`begin; select 1 from payments where kind = 'PAYOUT' for update`)
  rig.startWorker({ rail: forgetful('it', heard) })
  const isWaiting = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  await waitUntil(async () => (await rig.sql(isWaiting)).length === 1, patience('the worker at the lock'))
  // As a worker does whose lease ended while it waited for the lock.
  await other.run(`update payments set processor_status = 'SUBMITTED', submitted_at = clock_timestamp(), timeline_count = 2 where kind = 'PAYOUT';
    insert into payment_timeline (merchant_id, kind, id_payment, entry_no, status, processor_status, actor)
      select merchant_id, kind, id_payment, 2, status, processor_status, 'worker' from payments where kind = 'PAYOUT';
    delete from payment_tasks where task = 'EXPIRE'; commit`)
  const isLeft = `select 1 from payment_tasks where lease_token is not null`
  await waitUntil(async () => (await rig.sql(isLeft)).length === 0, patience('the worker to leave it'))
  assert.deepEqual(
    await rig.sql('select task, due_at > clock_timestamp() as is_put_off from payment_tasks'),
    [{ task: 'RAIL', is_put_off: true }],
  )
  assert.deepEqual((await verifyBooks(rig.db)).findings, [])
  await rig.sql('update payment_tasks set due_at = clock_timestamp()')
  await waitUntil(() => heard.includes('it asks'), patience('the question'))
  assert.ok(!heard.includes('it submits'))
})
