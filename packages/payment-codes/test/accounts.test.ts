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
  const problems = {
    CZ650800000019200014539: 'IBAN has the wrong length for CZ: 24 characters expected, 23 found.',
    US89370400440532013000: 'IBAN begins with US, a country without IBANs.',
    532013000: 'IBAN must begin with the two letters of its country and two check digits.',
    'DE8937/': 'IBAN has the character "/": only letters and digits are allowed.',
    GB8212345698765432WEST:
      'IBAN has the wrong structure for GB: letters and digits are not where its banks put them.',
  }
  for (const [text, problem] of Object.entries(problems)) assert.equal(problemOfIban(text), problem)
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

test('a BIC has eight or eleven characters with a country of ISO 3166 in its place', () => {
  for (const bic of ['COBADEFF', 'COBADEFFXXX', 'NCBVXKPR']) assert.ok(isBic(bic), bic)
  for (const text of ['COBADEF', 'COBA1EFF', 'cobadeff', 'COBAZZFF', 'COBAEUFF'])
    assert.ok(!isBic(text), text)
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
