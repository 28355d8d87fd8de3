import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLog } from '@tollgate/runtime/log'
import { runSql, type TestLife, testDatabase, waitUntil } from '@tollgate/testkit'
import { openDatabase } from '../../../platform/database.ts'
import { buildHealthService } from '../../../rooms/health.ts'
import { createHealthWorker, type HealthWorker, type Institution } from '../index.ts'

const BANK: Institution = { type: 'OPERATOR', code: 'BANK', direction: 'PAYIN' }
const log = createLog({ level: 'silent' })

async function openRig(t: TestLife) {
  const { url } = await testDatabase(t)
  const db = openDatabase({ url, poolMax: 4, log, applicationName: 'health test' })
  const sql = (text: string) => runSql(url, text)
  await sql(
    `insert into payment_operators (operator_code, name, type, currency_codes) values ('BANK', 'Bank', 'BANK', '{EUR}')`,
  )
  const workers: HealthWorker[] = []
  t.after(async () => {
    await Promise.all(workers.map((worker) => worker.stop()))
    await db.close()
  })
  return {
    db,
    sql,
    service: buildHealthService({ db }),
    start() {
      const worker = createHealthWorker({ db, log, intervalMs: 50 })
      workers.push(worker)
      worker.start()
      return worker
    },
  }
}

type Rig = Awaited<ReturnType<typeof openRig>>

const talk = (worker: HealthWorker, isAnswered: boolean, times: number): void => {
  for (let time = 0; time < times; time += 1)
    worker.note({ rail: 'sandbox', operatorCode: 'BANK', kind: 'PAYIN', isAnswered })
}

const observedOf = async (rig: Rig) => (await rig.service.list())[0]?.observed

const becomes = (rig: Rig, availability: string): Promise<void> =>
  waitUntil(async () => (await observedOf(rig)) === availability, { timeoutMs: 10_000, what: availability })

test('what two workers see is added up; the bank closes, is tried again, and is well in the end', async (t) => {
  const rig = await openRig(t)
  const [one, other] = [rig.start(), rig.start()]
  talk(one, false, 12)
  talk(other, false, 12)
  await becomes(rig, 'CLOSED')
  const changes = await rig.sql(`select scope from configuration_changes where scope = 'CATALOGUE'`)
  assert.ok(changes.length > 0, 'every process is told')
  await rig.sql(`update institution_health set observed_since = observed_since - interval '2 min';
    update institution_results set slot_at = slot_at - interval '10 min'`)
  await becomes(rig, 'DELAYED')
  await rig.sql(`update institution_health set observed_since = observed_since - interval '2 min'`)
  talk(one, true, 50)
  await becomes(rig, 'OPERATIONAL')
})

test('results from before a change do not count again', async (t) => {
  const rig = await openRig(t)
  const worker = rig.start()
  talk(worker, false, 30)
  await becomes(rig, 'CLOSED')
  const [before] = await rig.sql(`select observed_since from institution_health`)
  await new Promise((resolve) => setTimeout(resolve, 300))
  assert.deepEqual(await rig.sql(`select observed_since from institution_health`), [before])
})

test('what people say is kept with reason and person, and ends by itself', async (t) => {
  const rig = await openRig(t)
  rig.start()
  const said = { availability: 'CLOSED', reason: 'maintenance', operatorCode: 'ada' } as const
  await rig.service.set(BANK, { ...said, forSeconds: 0.3 })
  const [first] = await rig.service.list()
  assert.deepEqual(
    [first?.byHand?.availability, first?.byHand?.reason, first?.byHand?.operatorCode],
    ['CLOSED', 'maintenance', 'ada'],
  )
  await waitUntil(async () => (await rig.service.list())[0]?.byHand === undefined, {
    timeoutMs: 10_000,
    what: 'the end of it',
  })
  await rig.service.set(BANK, { ...said, forSeconds: undefined })
  await rig.service.clear(BANK)
  await assert.rejects(rig.service.clear(BANK), /Nobody has said anything/)
  await assert.rejects(
    rig.service.set({ ...BANK, code: 'NOBODY' }, { ...said, forSeconds: 1 }),
    /no payment operator/,
  )
})

test('a worker that ends writes down what it has counted', async (t) => {
  const rig = await openRig(t)
  const worker = createHealthWorker({ db: rig.db, log, intervalMs: 60_000 })
  worker.start()
  talk(worker, true, 3)
  await worker.stop()
  assert.deepEqual(await rig.sql(`select answered, unanswered from institution_results`), [
    { answered: 3, unanswered: 0 },
  ])
})
