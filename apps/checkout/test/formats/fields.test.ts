import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import {
  checkField,
  cleanField,
  FORMAT_TABLE,
  FORMATS,
  type Format,
  maskField,
  referenceFormat,
} from '../../src/formats/index.ts'
import { createTexts } from '../../src/messages/index.ts'

const HASH = '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'
const END_TO_END = 'E12345678202511211435ABCdef12345'

describe('what customers type', () => {
  const good: readonly (readonly [Format, string, string])[] = [
    ['NAME', '  Anna\u200e  Nováková ', 'Anna Nováková'],
    ['NAME', 'क्\u200dष', 'क्\u200dष'],
    ['ACCOUNT_NUMBER', '19-2000145399/0800', '19-2000145399/0800'],
    ['ACCOUNT_NUMBER', '१२३ ४५६', '123456'],
    ['BANK_CODE', 'gibaczpx', 'GIBACZPX'],
    ['EMAIL', ' anna@example.com\u200f', 'anna@example.com'],
    ['VPA', 'Anna.N@OkBank', 'anna.n@okbank'],
    ['WALLET_ACCOUNT', '+420 777 123 456', '+420777123456'],
    [
      'CRYPTO_ADDRESS',
      'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq',
      'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq',
    ],
    ['RRN', '٤٠٠٠ ١٢٣٤ ٥٦٧٨', '400012345678'],
    ['NEFT_UTR', 'hdfc n525 1121-4567', 'HDFCN52511214567'],
    ['RTGS_UTR', 'hdfcr52025112112345678', 'HDFCR52025112112345678'],
    ['PIX_END_TO_END_ID', END_TO_END, END_TO_END],
    ['TRANSACTION_ID', `0x${HASH}`, `0x${HASH}`],
    ['TRANSACTION_ID', HASH.toUpperCase(), HASH.toUpperCase()],
    ['REFERENCE', 'Order  ۱۲۳ / 7', 'Order 123 / 7'],
  ]
  for (const [format, typed, value] of good)
    it(`is ${value} as ${format} when ${JSON.stringify(typed)} is typed`, () => {
      assert.deepEqual(checkField(format, typed), { ok: true, value })
    })

  const bad: readonly (readonly [Format, string, string, object])[] = [
    ['NAME', '12345', 'fault.name', {}],
    ['NAME', 'é'.repeat(141), 'fault.tooLong', { count: 140, typed: 141 }],
    ['ACCOUNT_NUMBER', '123*4', 'fault.characters', { character: '*' }],
    ['EMAIL', 'anna@example', 'fault.email', { example: 'name@example.com' }],
    ['EMAIL', 'anna@@example.com', 'fault.email', { example: 'name@example.com' }],
    ['VPA', 'anna', 'fault.vpa', { example: 'name@bank' }],
    ['VPA', 'anna@example.com', 'fault.vpa', { example: 'name@bank' }],
    ['CRYPTO_ADDRESS', 'bc1q😀', 'fault.characters', { character: '😀' }],
    ['CRYPTO_ADDRESS', 'bc1qar0', 'fault.pattern', {}],
    ['RRN', '40001234567', 'fault.reference.digits', { count: 12, typed: 11 }],
    ['RRN', '4000O2345678', 'fault.reference.digitsOnly', { character: 'O' }],
    ['NEFT_UTR', 'HDFCN5251121456', 'fault.reference.length', { count: 16, typed: 15 }],
    ['NEFT_UTR', 'HDFC_5251121456', 'fault.reference.characters', { character: '_' }],
    ['RTGS_UTR', 'HDFCX52025112112345678', 'fault.reference.rtgs', {}],
    ['PIX_END_TO_END_ID', END_TO_END.replace('E', 'D'), 'fault.reference.start', { start: 'E' }],
    ['PIX_END_TO_END_ID', END_TO_END.slice(1), 'fault.reference.start', { start: 'E' }],
    ['PIX_END_TO_END_ID', END_TO_END.slice(0, -1), 'fault.reference.length', { count: 32, typed: 31 }],
    ['TRANSACTION_ID', HASH.slice(1), 'fault.pattern', {}],
    ['REFERENCE', 'x'.repeat(251), 'fault.tooLong', { count: 250, typed: 251 }],
    ['REFERENCE', ' \u200e\u00a0', 'fault.pattern', {}],
  ]
  for (const [format, typed, key, args] of bad)
    it(`is told with ${key} about ${format} when it is ${JSON.stringify(typed.slice(0, 40))}`, () => {
      assert.deepEqual(checkField(format, typed), { ok: false, key, args })
    })

  it('is the same after it has been cleaned twice, in every format', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...FORMATS),
        fc.string({ unit: 'binary', maxLength: 200 }),
        (format, text) => {
          const clean = cleanField(format, text)
          assert.equal(cleanField(format, clean), clean)
          assert.doesNotMatch(clean, /[\u200e\u200f\u061c\u202a-\u202e\u2066-\u2069\ufeff\p{Cc}]/u)
        },
      ),
      // A letter and its mark, apart by what goes; and capitals that fall apart.
      {
        examples: FORMATS.flatMap((format): [Format, string][] => [
          [format, 'a\ufeff\u0301'],
          [format, 'ῒ'],
        ]),
      },
    )
  })

  it('is judged soon, however long and strange it is', () => {
    const texts = [
      'a'.repeat(100_000),
      'a@'.repeat(50_000),
      `a@${'a.'.repeat(50_000)}`,
      ' '.repeat(100_000),
      '0x'.repeat(50_000),
    ]
    for (const format of FORMATS)
      for (const text of texts) assert.equal(typeof checkField(format, text).ok, 'boolean')
  })

  it('is described by texts that there are, its fault without a placeholder left open', () => {
    const { say } = createTexts('en')
    for (const format of FORMATS) {
      const { label, hint, example } = FORMAT_TABLE[format]
      assert.doesNotMatch(say(label) + say(hint, example === undefined ? {} : { example }), /[{}]/)
      for (const typed of ['', '*', '😀', '1', 'x'.repeat(900), '@', 'DE8', 'ZZ1']) {
        const check = checkField(format, typed)
        if (!check.ok)
          assert.doesNotMatch(say(check.key, check.args), /[{}]/, `${format} ${typed.slice(0, 9)}`)
      }
    }
  })

  it('shows an example that looks like the format, where there is one', () => {
    for (const format of ['EMAIL', 'VPA'] as const)
      assert.equal(checkField(format, FORMAT_TABLE[format].example ?? '').ok, true, format)
  })
})

describe('the reference that a customer sends', () => {
  it('has the format of its scheme, and any where there is no scheme', () => {
    const formats = ['UPI', 'IMPS', 'NEFT', 'RTGS', 'PIX', 'CRYPTO', 'BANK_TRANSFER', 'constructor'].map(
      referenceFormat,
    )
    assert.deepEqual(formats, [
      'RRN',
      'RRN',
      'NEFT_UTR',
      'RTGS_UTR',
      'PIX_END_TO_END_ID',
      'TRANSACTION_ID',
      'REFERENCE',
      'REFERENCE',
    ])
  })
})

describe('what is shown to whoever holds a link', () => {
  const cases: readonly (readonly [Format, string, string])[] = [
    ['IBAN', 'DE89 3704 0044 0532 0130 00', 'DE89 •••• 3000'],
    ['NAME', 'Anna Nováková', 'A••• N•••'],
    ['EMAIL', 'anna@example.com', 'a•••@example.com'],
    ['VPA', 'anna@okbank', 'a•••@okbank'],
    ['ACCOUNT_NUMBER', '2000145399', '•••• 5399'],
    ['ACCOUNT_NUMBER', '12345678', '••••'],
    ['RRN', '', '••••'],
  ]
  for (const [format, value, masked] of cases)
    it(`is ${masked} instead of ${JSON.stringify(value)}`, () => {
      assert.equal(maskField(format, value), masked)
    })

  it('never holds the middle of a value', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[0-9]{9,34}$/), (digits) => {
        const masked = maskField('ACCOUNT_NUMBER', digits)
        assert.ok(masked.replace(/\D/g, '').length <= 4)
      }),
    )
  })
})
