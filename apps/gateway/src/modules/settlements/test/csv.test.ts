import assert from 'node:assert/strict'
import { test } from 'node:test'
import { csvLine } from '../../../platform/csv.ts'
import { cursorAfter, readCursor } from '../model.ts'
import { prefersCsv } from '../routes.ts'

test('P15 cells are quoted where they must be, and no text is a formula', () => {
  assert.equal(csvLine(['a', 'b,c', 'say "hi"', 'x\ny']), 'a,"b,c","say ""hi""","x\ny"\r\n')
  assert.equal(csvLine(['=1+1', '+1', '-1', '@x', '\tx', '-,']), `'=1+1,'+1,'-1,'@x,'\tx,"'-,"\r\n`)
  assert.equal(csvLine([{ number: '-25.5' }, '']), '-25.5,\r\n')
})

const ACCEPTS: readonly (readonly [accept: string | undefined, isCsv: boolean])[] = [
  [undefined, false],
  ['', false],
  ['*/*', false],
  ['text/csv', true],
  ['TEXT/CSV', true],
  ['text/*', true],
  ['text/csv;header=present', true],
  ['application/json', false],
  ['application/json, text/csv', false],
  ['application/json;q=0.5, text/csv', true],
  ['text/csv;q=0.4, application/json;q=0.5', false],
  ['text/csv, */*;q=0.1', true],
  ['text/csv;q=0, */*', false],
  ['image/png', false],
  ['text/csv;q=nonsense', false],
  ['text/csv ; q=0.9 , application/json ; q=0.8', true],
]
for (const [accept, isCsv] of ACCEPTS) {
  test(`Accept ${JSON.stringify(accept)} is answered with ${isCsv ? 'CSV' : 'JSON'}`, () =>
    assert.equal(prefersCsv(accept), isCsv))
}

test('a cursor that is not ours is told apart', () => {
  const pattern = /^[a-z]+$/
  assert.equal(readCursor(cursorAfter('abc'), pattern), 'abc')
  for (const cursor of ['', 'abc', `${cursorAfter('abc')}=`, cursorAfter('A'), '%'])
    assert.equal(readCursor(cursor, pattern), undefined, cursor)
})
