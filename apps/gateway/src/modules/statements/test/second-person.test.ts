import assert from 'node:assert/strict'
import { test } from 'node:test'
import { policyOf, recordPolicy } from '../../confirmations/index.ts'
import { StatementProblem } from '../index.ts'
import { writeCamt } from './camt-writer.ts'
import { openRig, type Rig } from './rig.ts'

const SETTINGS = { isOn: true, fromAmounts: '', expiresAfterHours: 1, isFolderChannel: false }

const fileWith = (text: string) => writeCamt({ statements: [{ entries: [{ amount: '100', text }] }] })
const keyOf = ({ idPayment }: { readonly idPayment: string }) =>
  ({ merchantCode: 'SHOP', kind: 'PAYIN', idPayment }) as const

async function openStrict(t: Parameters<typeof openRig>[0]): Promise<Rig> {
  const rig = await openRig(t, policyOf(SETTINGS))
  await recordPolicy(rig.db, SETTINGS)
  return rig
}

test('S19: a file of one operator that came past the confirmation pays nothing', async (t) => {
  const rig = await openStrict(t)
  const payin = await rig.accept()
  const { matched } = await rig.takeText(fileWith(payin.reference))
  assert.deepEqual([matched.lines, matched.matched], [1, 0])
  assert.match((await rig.statusOf(payin)) ?? '', /^CREATED/)
  assert.deepEqual(await rig.lines(), ['LATE 100'])
})

test('S19: a decision of one operator that came past the confirmation pays nothing', async (t) => {
  const rig = await openStrict(t)
  const payin = await rig.accept()
  await rig.takeText(fileWith('a gift'))
  const [lineId = ''] = await rig.lineIds()
  const wish = { decision: 'ACCEPT', reason: 'a proof', operatorCode: 'ada', payment: keyOf(payin) } as const
  await assert.rejects(rig.statements.decide({ ...wish, lineId }), StatementProblem)
  assert.match((await rig.statusOf(payin)) ?? '', /^CREATED/)
})

test('what two people agreed to says so in the timeline, and a payment that had failed takes two whatever the amount', async (t) => {
  const rig = await openRig(t, policyOf({ ...SETTINGS, fromAmounts: 'EUR=1000' }))
  await recordPolicy(rig.db, { ...SETTINGS, fromAmounts: 'EUR=1000' })
  const [open, failed] = [await rig.accept(), await rig.accept()]
  await rig.end(failed, 'FAILED')
  for (const text of ['a gift', 'another one']) {
    const order = { fileName: 'day.xml', bytes: Buffer.from(fileWith(text)), actor: 'operator:ada' }
    assert.equal((await rig.acts.handIn(order)).kind, 'TAKEN')
  }
  const [first = '', second = ''] = await rig.lineIds()
  const wish = { decision: 'ACCEPT', reason: 'a proof', operatorCode: 'olga' } as const
  assert.equal((await rig.acts.propose({ ...wish, lineId: first, payment: keyOf(open) })).kind, 'DECIDED')
  assert.match((await rig.statusOf(open)) ?? '', /^SUCCESS/)
  const waits = await rig.acts.propose({ ...wish, lineId: second, payment: keyOf(failed) })
  assert.equal(waits.kind, 'WAITING')
  assert.match((await rig.statusOf(failed)) ?? '', /^FAILED/)
})
