import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { WrittenFile } from './camt-writer.ts'
import { faultsOf, openRig, type Rig } from './rig.ts'

// Equal bookings to which the bank gives no reference, in several files.

const gift = { amount: '5', text: 'gift', name: 'Jana' }
const notice = (id: string): WrittenFile => ({
  message: '054',
  version: '04',
  statements: [{ id, entries: [gift] }],
})
const statement = (
  id: string,
  opening: string,
  entries: WrittenFile['statements'][number]['entries'] = [gift],
): WrittenFile => ({
  statements: [{ id, opening, entries }],
})

async function took(rig: Rig, file: WrittenFile): Promise<readonly unknown[]> {
  const { statements, warnings } = await rig.take(file)
  const [told] = statements
  return [told?.lineCount, told?.knownCount, warnings.length]
}

test('an equal booking in a statement that goes on where the other ended is another booking', async (t) => {
  const rig = await openRig(t)
  assert.deepEqual(await took(rig, statement('S1', '0')), [1, 0, 0])
  assert.deepEqual(await took(rig, statement('S2', '5')), [1, 0, 0])
  // And again, in other bytes: it is the same statement.
  assert.deepEqual(await took(rig, statement('S2 ', '5')), [0, 1, 0])
  assert.deepEqual(await rig.lines(), ['UNKNOWN 5', 'UNKNOWN 5'])
  assert.deepEqual(await faultsOf(rig), [])
})

test('an equal booking in another notification is put aside for people, and the statement with both knows both', async (t) => {
  const rig = await openRig(t)
  await rig.accept({ amount: '5' })
  assert.deepEqual(await took(rig, notice('N1')), [1, 0, 0])
  const { statements, warnings } = await rig.take(notice('N2'))
  assert.deepEqual([statements[0]?.lineCount, statements[0]?.knownCount], [1, 0])
  const [first, second = ''] = await rig.lineIds()
  assert.match(
    warnings[0] ?? '',
    new RegExp(`5 EUR of 2026-11-20, looks like statement line ${first ?? ''},`),
  )
  assert.deepEqual(await rig.lines(), ['UNKNOWN 5', 'UNKNOWN 5'])
  assert.deepEqual(await took(rig, statement('S1', '0', [gift, gift])), [0, 2, 0])
  const { reasons } = await rig.statements.show(second)
  assert.match(reasons[0] ?? '', new RegExp(`looks like statement line ${first ?? ''}, which another file`))
  assert.deepEqual(await faultsOf(rig), [])
})

test('what was put aside can be decided to be the same money; other lines cannot', async (t) => {
  const rig = await openRig(t)
  await took(rig, notice('N1'))
  await took(rig, notice('N2'))
  const [first = '', second = ''] = await rig.lineIds()
  const same = { decision: 'SAME_MONEY', operatorCode: 'ada', reason: 'the bank says so' } as const
  await assert.rejects(
    rig.statements.decide({ ...same, lineId: first }),
    /a payment that it names, and what looks like/,
  )
  await rig.statements.decide({ ...same, lineId: second })
  assert.deepEqual(await rig.lines(), ['UNKNOWN 5', 'SAME_MONEY 0'])
  assert.deepEqual(await faultsOf(rig), [])
})

test('a statement that has everything of the day tells of the same bookings, and that is said', async (t) => {
  const rig = await openRig(t)
  await took(rig, statement('S1', '0'))
  const other = { amount: '6', text: 'other' }
  assert.deepEqual(await took(rig, statement('MONTH', '1', [gift, other])), [1, 1, 1])
  assert.deepEqual(await rig.lines(), ['UNKNOWN 5', 'UNKNOWN 6'])
})

test('a statement that has some of the day only is put aside where it looks the same', async (t) => {
  const rig = await openRig(t)
  await took(rig, statement('S1', '0', [gift, { ...gift, amount: '7' }]))
  assert.deepEqual(await took(rig, statement('S9', '100', [gift, { ...gift, amount: '8' }])), [2, 0, 1])
  assert.deepEqual(await rig.lines(), ['UNKNOWN 5', 'UNKNOWN 7', 'UNKNOWN 5', 'UNKNOWN 8'])
  assert.deepEqual(await faultsOf(rig), [])
})
