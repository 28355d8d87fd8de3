import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { isEvmAddress, payeeIdentity, problemOfAccount } from '../src/index.ts'

const DIGITS = Array.from('0123456789')
const HEX = [...DIGITS, ...Array.from('abcdef')]
const LETTERS = Array.from('abcdefghijklmnopqrstuvwxyz')
const textOf = (symbols: readonly string[], minLength: number, maxLength = minLength) =>
  fc.array(fc.constantFrom(...symbols), { minLength, maxLength }).map((parts) => parts.join(''))

const cased = (text: fc.Arbitrary<string>) =>
  fc
    .tuple(text, fc.array(fc.boolean(), { minLength: 1, maxLength: 50 }))
    .map(([each, ups]) =>
      Array.from(each, (symbol, index) => (ups[index % ups.length] ? symbol.toUpperCase() : symbol)).join(''),
    )

/** The two digits that make a tax number, by its weights as the tax office publishes them. */
function taxNumber(root: string, weights: readonly [readonly number[], readonly number[]]): string {
  return weights.reduce((number, row) => {
    const sum = row.reduce((total, weight, index) => total + weight * Number(number[index]), 0)
    return number + String(sum % 11 < 2 ? 0 : 11 - (sum % 11))
  }, root)
}
const CPF = [
  [10, 9, 8, 7, 6, 5, 4, 3, 2],
  [11, 10, 9, 8, 7, 6, 5, 4, 3, 2],
] as const
const CNPJ = [
  [5, 4, 3, 2, 9, 8, 7, 6, 5, 4, 3, 2],
  [6, 5, 4, 3, 2, 9, 8, 7, 6, 5, 4, 3, 2],
] as const
const isSameDigit = (text: string): boolean => new Set(text).size === 1
const cpfs = textOf(DIGITS, 9)
  .map((root) => taxNumber(root, CPF))
  .filter((each) => !isSameDigit(each))
const cnpjs = textOf(DIGITS, 12)
  .map((root) => taxNumber(root, CNPJ))
  .filter((each) => !isSameDigit(each))

const pix = (accountNumber: string, bankCode?: string): string | undefined =>
  problemOfAccount('PIX', { accountNumber, bankCode, currencyCode: 'BRL' })
const vpa = (accountNumber: string): string | undefined =>
  problemOfAccount('VPA', { accountNumber, currencyCode: 'INR' })
const address = (accountNumber: string, currencyCode: string): string | undefined =>
  problemOfAccount('CRYPTO', { accountNumber, currencyCode })

describe('an account by its scheme', () => {
  it('is a UPI address when it is a name and a handle', () => {
    const names = textOf([...LETTERS, ...DIGITS, '.', '_', '-'], 2, 40)
    const handles = fc.tuple(textOf(LETTERS, 1), textOf([...LETTERS, ...DIGITS], 1, 20))
    const good = cased(fc.tuple(names, handles).map(([name, [first, rest]]) => `${name}@${first}${rest}`))
    fc.assert(
      fc.property(good, (text) => {
        assert.equal(vpa(text), undefined)
        assert.equal(payeeIdentity({ accountNumber: text, currencyCode: 'INR' })?.scheme, 'VPA')
      }),
    )
    for (const text of [
      'jana',
      'a@okbank',
      'jana@',
      'jana@b',
      'jana@1bank',
      'jana@ok.bank',
      'ja na@okbank',
      'a@b@c',
    ])
      assert.match(vpa(text) ?? text, /^accountNumber is no UPI address: write it as name@handle/)
    assert.match(vpa(`${'x'.repeat(257)}@okbank`) ?? '', /2 to 256/)
  })

  it('is a PIX key when it is a tax number, an e-mail address, a phone number or a random key', () => {
    const keys = fc.oneof(
      cpfs,
      cpfs.map((each) => each.replace(/(...)(...)(...)(..)/, '$1.$2.$3-$4')),
      cnpjs,
      textOf(DIGITS, 10, 11).map((digits) => `+55${digits}`),
      fc.uuid(),
      fc.emailAddress().filter((each) => each.length <= 77),
    )
    fc.assert(fc.property(keys, (key) => assert.equal(pix(key), undefined)))
    assert.equal(pix('12345-6', '00000000'), undefined, 'an account at a bank')
  })

  it('is no PIX key when a check digit of a tax number is another', () => {
    const mistyped = fc
      .tuple(fc.oneof(cpfs, cnpjs), fc.nat(), fc.integer({ min: 1, max: 9 }))
      .map(([number, seed, step]) => {
        // Two remainders have the check digit 0: not every other digit elsewhere is noticed.
        const place = number.length - 1 - (seed % 2)
        return number.slice(0, place) + String((Number(number[place]) + step) % 10) + number.slice(place + 1)
      })
    fc.assert(
      fc.property(mistyped, (text) => {
        assert.match(
          pix(text) ?? text,
          /^accountNumber is no PIX key: as a (?:CPF|CNPJ) its check digits are wrong/,
        )
      }),
    )
    for (const [text, told] of [
      ['ada@', /e-mail address/],
      [`${'x'.repeat(70)}@exemplo.com`, /at most 77/],
      ['+5511', /phone number is written as \+55/],
      ['+4915112345678', /phone number is written as \+55/],
      ['12345', /give a CPF of 11 digits/],
      ['7d9f0335-8dcc-4054-9bf9-0dbd61d3690', /random key/],
    ] as const)
      assert.match(pix(text) ?? text, told)
  })

  it('is an address of Ethereum in one case, or with the capitals of its checksum', () => {
    const lower = textOf(HEX, 40).map((digits) => `0x${digits}`)
    fc.assert(
      fc.property(lower, (text) => {
        for (const currencyCode of ['ETH', 'USDC']) {
          assert.equal(address(text, currencyCode), undefined)
          assert.equal(address(`0x${text.slice(2).toUpperCase()}`, currencyCode), undefined)
        }
      }),
    )
    fc.assert(
      fc.property(cased(lower.map((text) => text.slice(2))), (digits) => {
        const text = `0x${digits}`
        assert.equal(address(text, 'ETH') === undefined, isEvmAddress(text))
      }),
    )
    const right = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'
    assert.equal(address(right, 'ETH'), undefined)
    assert.match(address(right.replace('aA', 'AA'), 'ETH') ?? '', /wrong checksum \(EIP-55\)/)
    for (const text of [
      right.slice(0, -1),
      `${right}0`,
      right.slice(2),
      'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq',
    ])
      assert.match(address(text, 'ETH') ?? text, /0x and 40 hexadecimal digits/)
  })

  it('is an address of Bitcoin with its checksum; of a chain that is not known every address passes', () => {
    const right = 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq'
    assert.equal(address(right, 'BTC'), undefined)
    assert.match(address(right.replace('ar0', 'ar9'), 'BTC') ?? '', /no Bitcoin address/)
    assert.equal(address('TJCnKsPa7y5okkXvQAidZBzqx3QyQ6sxMW', 'USDT'), undefined)
    assert.equal(address(`0x${'a'.repeat(64)}`, 'APT'), undefined)
  })
})
