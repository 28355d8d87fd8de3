import assert from 'node:assert/strict'
import { test } from 'node:test'
import { policyOf, recordPolicy } from '../../confirmations/index.ts'
import { WAITING_STATES } from '../model.ts'
import { writeCamt } from './camt-writer.ts'
import { openRig, type Rig } from './rig.ts'

// What an operator is told about a line before deciding: what is possible, who else is needed, what differs.

const SETTINGS = { isOn: true, fromAmounts: 'EUR=1000', expiresAfterHours: 1, isFolderChannel: false }

const fileWith = (amount: string, text: string, isDebit = false) =>
  writeCamt({ statements: [{ entries: [{ amount: isDebit ? `-${amount}` : amount, text }] }] })

async function choicesOf(rig: Rig, operatorCode: string): Promise<readonly string[]> {
  const lineId = (await rig.lineIds()).at(-1) ?? ''
  const choices = await rig.acts.listChoices(await rig.statements.show(lineId), operatorCode)
  return choices.map(({ decision, secondOperator }) => `${decision} ${secondOperator}`)
}

async function openStrict(t: Parameters<typeof openRig>[0]): Promise<Rig> {
  const rig = await openRig(t, policyOf(SETTINGS))
  await recordPolicy(rig.db, SETTINGS)
  return rig
}

const handIn = (rig: Rig, text: string) =>
  rig.acts.handIn({ fileName: 'day.xml', bytes: Buffer.from(text), actor: 'operator:ada' })

test('money that came is accepted, covered or returned, and who handed in its file never decides alone', async (t) => {
  const rig = await openStrict(t)
  await rig.accept()
  await handIn(rig, fileWith('100', 'a gift'))
  assert.deepEqual(await choicesOf(rig, 'ada'), ['ACCEPT YES', 'COVER YES', 'RETURN NO'])
  assert.deepEqual(await choicesOf(rig, 'olga'), ['ACCEPT MAYBE', 'COVER MAYBE', 'RETURN NO'])
})

test('the amount from which two are needed is told beforehand', async (t) => {
  const rig = await openRig(t, policyOf({ ...SETTINGS, fromAmounts: 'EUR=50' }))
  await rig.accept()
  await rig.takeText(fileWith('100', 'a gift'))
  assert.deepEqual(await choicesOf(rig, 'olga'), ['ACCEPT YES', 'COVER YES', 'RETURN NO'])
})

test('a line that is decided, or to be sent back, offers what is left', async (t) => {
  const rig = await openRig(t)
  await rig.takeText(fileWith('100', 'a gift'))
  const [lineId = ''] = await rig.lineIds()
  assert.deepEqual(await choicesOf(rig, 'olga'), ['ACCEPT NO', 'COVER NO', 'RETURN NO'])
  await rig.statements.decide({ lineId, decision: 'RETURN', reason: 'not ours', operatorCode: 'olga' })
  assert.deepEqual(await choicesOf(rig, 'olga'), ['RETURNED NO'])
  await rig.statements.decide({ lineId, decision: 'RETURNED', reason: 'it went', operatorCode: 'olga' })
  assert.deepEqual(await choicesOf(rig, 'olga'), [])
})

test('while a decision waits, none that would wait is offered beside it', async (t) => {
  const rig = await openStrict(t)
  const payin = await rig.accept()
  await handIn(rig, fileWith('100', 'a gift'))
  const [lineId = ''] = await rig.lineIds()
  const payment = { merchantCode: 'SHOP', kind: 'PAYIN', idPayment: payin.idPayment }
  const wish = { lineId, decision: 'ACCEPT', reason: 'a proof', operatorCode: 'ada', payment } as const
  assert.equal((await rig.acts.propose(wish)).kind, 'WAITING')
  assert.deepEqual(await choicesOf(rig, 'olga'), ['RETURN NO'])
})

test('a suggestion says what speaks against it', async (t) => {
  const rig = await openRig(t)
  const payin = await rig.accept()
  await rig.takeText(fileWith('99.5', payin.reference))
  const [lineId = ''] = await rig.lineIds()
  const [suggestion] = (await rig.statements.show(lineId)).suggestions
  assert.deepEqual(suggestion?.differences, ['0.5 EUR less than asked for'])
})

test('lines are listed by account, currency and day', async (t) => {
  const rig = await openRig(t)
  await rig.takeText(fileWith('100', 'a gift'))
  const [line] = await rig.statements.listLines({ states: WAITING_STATES, before: undefined, limit: 10 })
  const day = line?.bookedOn ?? ''
  const count = async (filter: Partial<Parameters<typeof rig.statements.listLines>[0]>): Promise<number> =>
    (await rig.statements.listLines({ states: WAITING_STATES, before: undefined, limit: 10, ...filter }))
      .length
  assert.equal(await count({ accountCode: 'MAIN', currencyCode: 'EUR', bookedFrom: day, bookedTo: day }), 1)
  assert.equal(await count({ accountCode: 'CZECH' }), 0)
  assert.equal(await count({ currencyCode: 'CZK' }), 0)
  assert.equal(await count({ bookedFrom: '2999-01-01' }), 0)
  assert.equal(await count({ bookedTo: '1999-01-01' }), 0)
})
