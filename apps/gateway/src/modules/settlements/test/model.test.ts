import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parsePlainAmount as amount } from '@tollgate/money'
import { cursorAfter, readCursor, shownNumber, splitNet } from '../model.ts'

test('a number that was masked with stars is shown like all others', () => {
  for (const [stored, shown] of [
    ['****3000', '…3000'],
    ['****', '…'],
    ['…3000', '…3000'],
  ] as const)
    assert.equal(shownNumber(stored), shown)
})

test('what is owed is repaid first, and never more than there is', () => {
  assert.deepEqual(splitNet(amount('50'), amount('0')), { repaid: '0', left: '50' })
  assert.deepEqual(splitNet(amount('50'), amount('-20')), { repaid: '20', left: '30' })
  assert.deepEqual(splitNet(amount('50'), amount('-50')), { repaid: '50', left: '0' })
  assert.deepEqual(splitNet(amount('50'), amount('-70')), { repaid: '50', left: '0' })
})

test('a cursor is read back, and nothing else is taken for one', () => {
  const pattern = /^[A-Za-z0-9_-]{1,250}$/
  assert.equal(readCursor(cursorAfter('S-1'), pattern), 'S-1')
  for (const wrong of ['', '!', 'S-1', `${cursorAfter('S-1')}=`, cursorAfter('a b')])
    assert.equal(readCursor(wrong, pattern), undefined, wrong)
})
