import assert from 'node:assert/strict'
import { test } from 'node:test'
import { systemClock } from '@tollgate/runtime'
import { type TestLife, waitUntil } from '@tollgate/testkit'
import { type ChainWorker, createChainer } from '../../../platform/chain/index.ts'
import { createMetrics } from '../../../platform/metrics.ts'
import { testLog } from '../../../platform/test/index.ts'
import { JOURNAL } from '../chained.ts'
import { createJournalWorker } from '../jobs.ts'
import { entryOf, type JournalRig, openJournalRig } from './rig.ts'

/** A worker in a hurry, the lines that it logs, and the lag that it tells. */
interface Working {
  readonly worker: ChainWorker
  readonly lines: readonly string[]
  lagSeconds(): Promise<number>
}

function startWorker({ db }: JournalRig, t: TestLife): Working {
  const { log, lines } = testLog()
  const metrics = createMetrics()
  const worker = createJournalWorker({ db, clock: systemClock, log, metrics, pollMs: 10 })
  t.after(() => worker.stop())
  worker.start()
  return {
    worker,
    lines,
    lagSeconds: async () => (await metrics.journalLagSeconds.get()).values[0]?.value ?? Number.NaN,
  }
}

test('the worker chains, tells the head to the log, and ends when its round is done', async (t) => {
  const rig = await openJournalRig(t)
  const { worker, lines } = startWorker(rig, t)
  await rig.bookMany(2)
  await waitUntil(async () => (await rig.journal()).length === 2 && lines.length > 0, {
    timeoutMs: 60_000,
    what: 'the worker to chain and to tell',
  })
  await rig.outside.query('begin; lock table ledger_journal in share mode')
  await rig.bookMany(1)
  await rig.untilWaiting(1)
  const stopped = worker.stop().then(() => 'stopped')
  assert.equal(await Promise.race([stopped, stillRunning(rig)]), 'running')
  await rig.outside.query('commit')
  await stopped
  assert.equal((await rig.journal()).length, 3)
  assert.equal(lines.length, 1, 'once an hour')
  assert.match(
    lines[0] ?? '',
    /"entryNo":[12],"chainHash":"[0-9a-f]{64}","chainedAt":".*the head of the journal/,
  )
})

/** Asks the database several times, which gives whoever could go on the time to do so. */
async function stillRunning(rig: JournalRig): Promise<string> {
  for (let times = 0; times < 20; times += 1) await rig.outside.query('select 1')
  return 'running'
}

test('a worker whose database is away goes on when it is back', async (t) => {
  const rig = await openJournalRig(t)
  await rig.bookMany(1)
  await rig.outside.query('alter table ledger_journal rename to elsewhere')
  const { lines } = startWorker(rig, t)
  await waitUntil(() => lines.length > 0, { timeoutMs: 20_000, what: 'the worker to complain' })
  assert.match(lines[0] ?? '', /transfers could not be chained/)
  await rig.outside.query('alter table elsewhere rename to ledger_journal')
  await waitUntil(async () => (await rig.journal()).length === 1, {
    timeoutMs: 60_000,
    what: 'the worker to chain',
  })
})

test('the lag grows while nothing can be chained, and is 0 when all is', async (t) => {
  const rig = await openJournalRig(t)
  await rig.bookMany(2)
  const { lines, lagSeconds } = startWorker(rig, t)
  await waitUntil(async () => (await rig.journal()).length === 2 && (await lagSeconds()) === 0, {
    timeoutMs: 60_000,
    what: 'the worker to chain, and to say so',
  })
  await rig.outside.query('alter table ledger_journal add constraint closed check (entry_no < 3) not valid')
  const waiting = entryOf()
  await rig.book(waiting)
  await rig.bookMany(2)
  await rig.outside.query(
    `update ledger_transfers set created_at = now() - interval '1 hour' where transfer_id = '${waiting.transferId}'`,
  )
  await waitUntil(async () => (await lagSeconds()) > 3_600, { timeoutMs: 60_000, what: 'the lag to be told' })
  await waitUntil(() => lines.some((line) => line.includes('could not be chained')), {
    timeoutMs: 60_000,
    what: 'the reason to be logged',
  })
  await rig.outside.query('alter table ledger_journal drop constraint closed')
  await waitUntil(async () => (await rig.journal()).length === 5 && (await lagSeconds()) === 0, {
    timeoutMs: 60_000,
    what: 'the worker to catch up',
  })
})

test('transfers of the cluster that a ledger came from do not wait for ever', async (t) => {
  const rig = await openJournalRig(t)
  await rig.bookMany(3)
  await rig.chainAll()
  // They were counted by another cluster, far beyond what this one has counted to.
  await rig.outside.query(`update ledger_journal set cluster_id = 1, xid = '4000000000000';
    update ledger_transfers set xid = '4000000000000', created_at = now() - interval '1 hour'`)
  const chainer = createChainer(rig.db, JOURNAL)
  assert.equal(await chainer.findLagSeconds(), 0)
  const here = entryOf()
  await rig.book(here)
  await rig.outside.query(
    `update ledger_transfers set created_at = now() - interval '1 minute' where transfer_id = '${here.transferId}'`,
  )
  const lagSeconds = await chainer.findLagSeconds()
  assert.ok(lagSeconds > 59 && lagSeconds < 3_600, String(lagSeconds))
  await rig.chainAll(chainer)
  assert.equal(await chainer.findLagSeconds(), 0)
  assert.equal(await createChainer(rig.db, JOURNAL).findLagSeconds(), 0)
})
