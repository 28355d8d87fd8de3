import assert from 'node:assert/strict'
import { test } from 'node:test'
import { claimNewLines, listNewLinesAfter } from '../lines/line-store.ts'
import { readingAhead } from '../matching/reading-ahead.ts'
import { faultsOf, openRig } from './rig.ts'

test('a line that changed after it was read ahead is opened again, and one that did not is as it was claimed', async (t) => {
  const rig = await openRig(t)
  await rig.take({
    statements: [
      {
        entries: ['B-1', 'B-2', 'B-3'].map((bankReference) => ({
          amount: '100',
          text: 'thanks',
          name: 'Jana Nováková',
          bankReference,
        })),
      },
    ],
  })
  await rig.sql(`update statement_lines set state = 'NEW', open_amount = 0`)
  const ahead = readingAhead(rig)
  ahead.begin('0', 500)
  // Nothing is begun twice: this waits until the lines were read.
  await ahead.open([])
  const [first, second] = await rig.lineIds()
  await rig.sql(`update statement_lines set data_key = '', sealed = '' where line_id = $1`, [first])
  await rig.sql(`update statement_lines set decision_count = 7 where line_id = $1`, [second])
  const claimed = await rig.db.transaction((tx) => claimNewLines(tx, 500))
  const opened = await ahead.open(claimed)
  assert.deepEqual(
    opened.map(({ line, details }) => [line.decisionCount, details.partyName]),
    [
      [0, undefined],
      [7, 'Jana Nováková'],
      [0, 'Jana Nováková'],
    ],
  )
})

test('reading ahead never fails: what is wrong with a line, its own batch says', async (t) => {
  const rig = await openRig(t)
  await rig.take({ statements: [{ entries: [{ amount: '100', text: 'thanks' }] }] })
  await rig.sql(`update statement_lines set state = 'NEW', open_amount = 0, sealed = '\\x00'`)
  const ahead = readingAhead(rig)
  ahead.begin('0', 500)
  assert.deepEqual(await ahead.open([]), [])
  const damaged = await listNewLinesAfter(rig.db, '0', 500)
  await assert.rejects(ahead.open(damaged), { name: 'SealBroken' })
})

test('of more lines than a batch takes, each is matched as if it were alone', async (t) => {
  const rig = await openRig(t)
  const payins = []
  for (let count = 0; count < 3; count += 1) payins.push(await rig.accept())
  const named = new Map(payins.map(({ reference }, index) => [200 + index * 400, reference]))
  const entries = Array.from({ length: 1_100 }, (_, index) => ({
    amount: '100',
    text: named.get(index) ?? 'thanks',
    bankReference: `B-${index}`,
  }))
  const { matched } = await rig.take({ statements: [{ entries }] })
  assert.deepEqual(matched, { lines: 1_100, matched: 3 })
  for (const payin of payins) assert.equal(await rig.statusOf(payin), 'SUCCESS CONFIRMED')
  assert.deepEqual(await faultsOf(rig), [])
})
