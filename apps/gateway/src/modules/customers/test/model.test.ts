import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  applyChange,
  type CustomerData,
  canonicalCustomer,
  cursorAfter,
  isNothing,
  readCursor,
} from '../model.ts'
import { JANA } from './rig.ts'

const ids = fc.stringMatching(/^[A-Za-z0-9_-]{1,250}$/)

test('a cursor names the id it was made of, and nothing else is a cursor', () => {
  fc.assert(
    fc.property(ids, (id) => {
      assert.equal(readCursor(cursorAfter(id)), id)
    }),
  )
  for (const wrong of [
    '',
    '!',
    'Q1VTVC0x=',
    ' Q1VTVC0x',
    cursorAfter('a b'),
    cursorAfter('a'.repeat(251)),
    'Q1VTVC0y§',
  ])
    assert.equal(readCursor(wrong), undefined, wrong)
})

test('what is absent stays, null removes, and a list is replaced as a whole', () => {
  assert.deepEqual(applyChange(JANA, {}), JANA)
  const other = [{ accountName: 'J', accountNumber: '1' }]
  const changed = applyChange(JANA, { name: null, emailAddress: 'j@example.org', accounts: other })
  assert.deepEqual(changed, { ...JANA, name: undefined, emailAddress: 'j@example.org', accounts: other })
  assert.deepEqual(applyChange(JANA, { accounts: null }).accounts, [])
})

test('a change of nothing is told from a change to nothing', () => {
  assert.equal(isNothing({}), true)
  assert.equal(isNothing({ name: undefined }), true)
  assert.equal(isNothing({ name: null }), false)
  assert.equal(isNothing({ accounts: [] }), false)
})

test('two customers have one canonical text only when they say the same', () => {
  const texts = fc.option(fc.constantFrom('a', 'b', '["a"]', ''), { nil: undefined })
  const account = fc.record({
    accountName: fc.constantFrom('a', 'b'),
    accountNumber: fc.constantFrom('a', 'b'),
    bankCode: texts,
  })
  const customers: fc.Arbitrary<CustomerData> = fc.record({
    name: texts,
    emailAddress: texts,
    phone: texts,
    countryCode: texts,
    segmentCode: texts,
    accounts: fc.array(account, { maxLength: 2 }),
  })
  fc.assert(
    fc.property(customers, customers, (one, other) => {
      const isSame = JSON.stringify(sortedOf(one)) === JSON.stringify(sortedOf(other))
      assert.equal(canonicalCustomer(one) === canonicalCustomer(other), isSame)
    }),
  )
})

const sortedOf = ({
  name,
  emailAddress,
  phone,
  countryCode,
  segmentCode,
  accounts,
}: CustomerData): unknown => [
  { name, emailAddress, phone, countryCode, segmentCode },
  accounts.map(({ accountName, accountNumber, bankCode }) => ({ accountName, accountNumber, bankCode })),
]
