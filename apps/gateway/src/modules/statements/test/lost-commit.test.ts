import assert from 'node:assert/strict'
import { test } from 'node:test'
import { randomIds, systemClock } from '@tollgate/runtime'
import { createLog } from '@tollgate/runtime/log'
import { faultProxy, type TestLife } from '@tollgate/testkit'
import { openDatabase } from '../../../platform/database.ts'
import { createMetrics } from '../../../platform/metrics.ts'
import { createSecondPerson, policyOf } from '../../confirmations/index.ts'
import { createStatementActs, createStatementService } from '../index.ts'
import { writeCamt } from './camt-writer.ts'
import { openRig } from './rig.ts'

// The answer of a COMMIT is lost, of which one operator does so much alone that a second time would wait, or count twice.

const POLICY = policyOf({
  isOn: true,
  fromAmounts: 'EUR=1000',
  expiresAfterHours: 1,
  isFolderChannel: false,
})

async function open(t: TestLife) {
  const rig = await openRig(t, POLICY)
  const proxy = await faultProxy(t, rig.url)
  const log = createLog({ level: 'silent' })
  const db = openDatabase({ url: proxy.url, poolMax: 6, log, applicationName: 'lost commit test' })
  t.after(() => db.close())
  const { secrets, payments } = rig
  const needs = {
    db,
    ids: randomIds,
    secrets,
    metrics: createMetrics(),
    clock: systemClock,
    payments,
    merchantIdOf: async (code: string) => (code === 'SHOP' ? '1' : undefined),
    merchantCodeOf: async () => 'SHOP',
  }
  const acts = createStatementActs({
    ...needs,
    statements: createStatementService(needs),
    secondPerson: createSecondPerson({ secrets, policy: POLICY }),
    findOwnPayoutFile: async () => undefined,
  })
  return {
    rig,
    acts,
    lose: () => proxy.plan({ kind: 'REPLY_LOST', marker: 'commit\0' }),
    lost: () => proxy.faults,
    async actsStored(): Promise<readonly string[]> {
      const rows = await rig.sql(
        `select state || ' ' || trim_scale(amount)::text as text from confirmations join confirmation_sums using (confirmation_id)
          order by confirmation_id`,
      )
      return rows.map(({ text }) => String(text))
    },
  }
}

for (const amount of ['400', '700'])
  test(`a file of ${amount} is told as taken after a lost COMMIT, and counts once as what its operator did alone`, async (t) => {
    const { rig, acts, lose, lost, actsStored } = await open(t)
    const payin = await rig.accept({ amount })
    const text = writeCamt({ statements: [{ entries: [{ amount, text: payin.reference }] }] })
    lose()
    const told = await acts.handIn({ fileName: 'day.xml', bytes: Buffer.from(text), actor: 'operator:ada' })
    assert.equal(lost(), 1)
    assert.equal(told.kind, 'TAKEN')
    assert.deepEqual(await actsStored(), [`ALONE ${amount}`])
    assert.match((await rig.statusOf(payin)) ?? '', /^SUCCESS/)
  })

test('a file that waits is told to wait after a lost COMMIT, once', async (t) => {
  const { rig, acts, lose, actsStored } = await open(t)
  const payin = await rig.accept({ amount: '1000' })
  const text = writeCamt({ statements: [{ entries: [{ amount: '1000', text: payin.reference }] }] })
  lose()
  const told = await acts.handIn({ fileName: 'day.xml', bytes: Buffer.from(text), actor: 'operator:ada' })
  assert.equal(told.kind, 'WAITING')
  assert.deepEqual(await actsStored(), ['WAITING 1000'])
})

for (const amount of ['100', '700'])
  test(`a decision about ${amount} is told as made after a lost COMMIT, and counts once`, async (t) => {
    const { rig, acts, lose, lost, actsStored } = await open(t)
    const payin = await rig.accept({ amount })
    await rig.take({ statements: [{ entries: [{ amount, text: 'a gift' }] }] })
    const [lineId = ''] = await rig.lineIds()
    lose()
    const told = await acts.propose({
      lineId,
      decision: 'ACCEPT',
      reason: 'a proof',
      operatorCode: 'olga',
      payment: { merchantCode: 'SHOP', kind: 'PAYIN', idPayment: payin.idPayment },
    })
    assert.equal(lost(), 1)
    assert.equal(told.kind, 'DECIDED')
    assert.deepEqual(await actsStored(), [`ALONE ${amount}`])
    assert.match((await rig.statusOf(payin)) ?? '', /^SUCCESS/)
  })
