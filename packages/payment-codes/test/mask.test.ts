import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  maskAccountNumber,
  maskName,
  maskNamedAccount,
  type NamedAccount,
  payeeIdentity,
  samePayee,
} from '../src/index.ts'

test('of an account number its end is shown, and never more than half of it', () => {
  const table = [
    ['DE89 3704 0044 0532 0130 00', '…3000'],
    ['12345678', '…5678'],
    ['1234567', '…567'],
    ['12', '…2'],
    ['1', '…'],
    ['', '…'],
  ] as const
  for (const [given, expected] of table) assert.equal(maskAccountNumber(given), expected)
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 140 }), (given) => {
      const characters = Array.from(given.replace(/[\s\p{C}\p{Z}\p{DI}\u2800./-]/gu, ''))
      const shown = Array.from(maskAccountNumber(given)).slice(1)
      assert.ok(shown.length <= 4 && shown.length * 2 <= characters.length)
      assert.deepEqual(shown, characters.slice(characters.length - shown.length))
    }),
  )
})

test('of a name its first letter is shown, whatever stands before it', () => {
  const table = [
    ['Jana Nováková', 'J…'],
    ['  \u200bжанна', 'Ж…'],
    ['ﬁona', 'F…'],
    ['', '…'],
  ] as const
  for (const [given, expected] of table) assert.equal(maskName(given), expected)
})

const shown = (named: NamedAccount) => JSON.stringify(maskNamedAccount(named))

test('payees that are equal look equal, however they are written', () => {
  const groups: readonly (readonly NamedAccount[])[] = [
    [
      { accountNumber: 'CZ6508000000192000145399' },
      { accountNumber: ' cz65 0800 0000 1920 0014 5399', bankCode: 'GIBACZPX' },
      { accountNumber: '19-2000145399', bankCode: '0800', currencyCode: 'CZK' },
      { accountNumber: '000019-2000145399/0800', currencyCode: 'CZK' },
    ],
    [
      { accountNumber: '31926819', bankCode: '60-16-13', currencyCode: 'GBP' },
      { accountNumber: 'GB29 NWBK 6016 1331 9268 19', bankCode: 'NWBKGB2L' },
    ],
    [{ accountNumber: 'Jana@OKBANK' }, { accountNumber: ' jana@okbank ' }, { accountNumber: 'JANA@OKBANK' }],
    [
      { accountNumber: '123-456 789', bankCode: 'abcd us33 xxx' },
      { accountNumber: '１２３４５６７８９', bankCode: 'ABCDUS33' },
    ],
  ]
  for (const group of groups)
    assert.deepEqual([...new Set(group.map(shown))].length, 1, group.map(shown).join(' '))
  const account = fc.record(
    {
      accountNumber: fc.constantFrom(...groups.flat().map((each) => each.accountNumber), '12345', '12345 '),
      bankCode: fc.constantFrom('0800', '60-16-13', 'ABCDUS33', 'abcdus33xxx'),
      operatorCode: fc.constantFrom('WALLET', 'PURSE'),
      currencyCode: fc.constantFrom('CZK', 'GBP', 'EUR'),
    },
    { requiredKeys: ['accountNumber'] },
  )
  fc.assert(
    fc.property(account, account, (left, right) => {
      if (samePayee(payeeIdentity(left), payeeIdentity(right))) assert.equal(shown(left), shown(right))
    }),
    { numRuns: 1_000 },
  )
})

test('nothing that cannot be seen takes the place of what should be', () => {
  for (const tail of ['\u200b\u200b\u200b\u200b', '    ', '\u2060\u00ad\u3164\u2800', '\u180e\ufe0f'])
    for (const named of [
      { accountNumber: `12345678${tail}` },
      { accountNumber: `12345678${tail}`, bankCode: '0800' },
    ])
      assert.equal(maskNamedAccount(named)?.accountNumber, '…5678', JSON.stringify(named))
  assert.equal(maskNamedAccount({ accountNumber: ' ' }), undefined)
})
