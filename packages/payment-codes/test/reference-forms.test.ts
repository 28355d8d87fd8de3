import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { readCreditorReference, referenceFormsOf, referenceOfSymbols } from '../src/index.ts'

const reference = fc
  .array(fc.constantFrom(...Array.from('0123456789ABCDEFGHJKMNPQRSTVWXYZ')), { minLength: 12, maxLength: 12 })
  .map((letters) => letters.join(''))

test('every form leads back to its reference: nothing of it is lost', () => {
  fc.assert(
    fc.property(reference, (text) => {
      const forms = referenceFormsOf(text)
      assert.ok(forms)
      assert.equal(readCreditorReference(forms.creditorReference), text)
      assert.match(forms.variableSymbol, /^[1-9]\d{9}$/)
      assert.match(forms.specificSymbol, /^[1-9]\d{0,9}$/)
      assert.equal(referenceOfSymbols(forms.variableSymbol, forms.specificSymbol), text)
      assert.equal(referenceOfSymbols(forms.variableSymbol, `0${forms.specificSymbol}`.slice(-10)), text)
    }),
  )
  assert.deepEqual(referenceFormsOf('000000000000'), {
    reference: '000000000000',
    creditorReference: 'RF04000000000000',
    variableSymbol: '1000000000',
    specificSymbol: '1',
  })
  assert.deepEqual(
    [referenceFormsOf('ZZZZZZZZZZZZ')?.variableSymbol, referenceFormsOf('ZZZZZZZZZZZZ')?.specificSymbol],
    [String(1_000_000_000n + (((1n << 60n) - 1n) % 9_000_000_000n)), '128102390'],
  )
})

test('what is no reference of ours has no forms, and symbols of others lead to none', () => {
  for (const text of ['', 'ABC', 'abcdef012345', 'ABCDEF01234U', 'ABCDEF0123456'])
    assert.equal(referenceFormsOf(text), undefined, text)
  assert.equal(referenceOfSymbols('0999999999', '1'), undefined)
  assert.equal(referenceOfSymbols('1000000000', '0'), undefined)
  assert.equal(referenceOfSymbols('9999999999', '9999999999'), undefined)
  assert.equal(referenceOfSymbols('12345678901', '1'), undefined)
  assert.equal(referenceOfSymbols('1000000000', ''), undefined)
})
