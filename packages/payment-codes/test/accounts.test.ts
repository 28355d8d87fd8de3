import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compactIban, domesticOf, isBic, isBitcoinAddress, problemOfIban } from '../src/index.ts'

test('an IBAN has the length of its country and the right check digits, in whatever spelling it was typed', () => {
  for (const text of [
    'DE89 3704 0044 0532 0130 00',
    'cz65-0800-0000-1920-0014-5399',
    'CH93 0076 2011 6238 5295 7',
    'KW81CBKU0000000000001234560101',
    'NO9386011117947',
  ])
    assert.equal(problemOfIban(compactIban(text)), undefined, text)
  assert.match(problemOfIban('DE89370400440532013001') ?? '', /wrong check digits/)
  assert.match(problemOfIban('DE8937040044053201300') ?? '', /21 characters, but an IBAN of DE has 22/)
  assert.match(problemOfIban('US89370400440532013000') ?? '', /US, which has no IBANs/)
  assert.match(problemOfIban('532013000') ?? '', /country/)
})

test('bank code and account number are read out of an IBAN where they stand one after the other', () => {
  assert.deepEqual(domesticOf('CZ6508000000192000145399'), {
    bankCode: '0800',
    accountNumber: '0000192000145399',
  })
  assert.deepEqual(domesticOf('DE89370400440532013000'), {
    bankCode: '37040044',
    accountNumber: '0532013000',
  })
  assert.equal(domesticOf('FR1420041010050500013M02606'), undefined)
})

test('a BIC has eight or eleven characters with the country in its place', () => {
  assert.deepEqual(['COBADEFF', 'COBADEFFXXX', 'COBADEF', 'COBA1EFF', 'cobadeff'].map(isBic), [
    true,
    true,
    false,
    false,
    false,
  ])
})

test('addresses of Bitcoin are told by their checksums: published examples, and each of them with one letter changed', () => {
  const published = [
    '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa',
    '3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy',
    'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
    'BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4',
    'tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx',
    'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0',
  ]
  for (const address of published) {
    assert.ok(isBitcoinAddress(address), address)
    const other = address.endsWith('a') || address.endsWith('A') ? 'q' : 'a'
    assert.ok(!isBitcoinAddress(address.slice(0, -1) + other), address)
  }
  assert.ok(!isBitcoinAddress('bc1qW508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'))
  assert.ok(!isBitcoinAddress('0x52908400098527886E0F7030069857D2E4169EE7'))
})
