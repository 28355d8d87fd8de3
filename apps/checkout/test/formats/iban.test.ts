import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ibanFault } from '@tollgate/payment-codes/iban'
import fc from 'fast-check'
import { cleanIban, groupIban } from '../../src/formats/iban.ts'
import { checkField, cleanField, ibanAttributes } from '../../src/formats/index.ts'
import { createTexts, LANGUAGES } from '../../src/messages/index.ts'

const LETTERS = Array.from('ABCDEFGHIJKLMNOPQRSTUVWXYZ')
const DIGITS = Array.from('0123456789')

/** Every country of the table and its length, as the faults tell them. */
const LENGTHS = new Map(
  LETTERS.flatMap((first) => LETTERS.map((second) => first + second)).flatMap((country) => {
    const fault = ibanFault(`${country}00`)
    return fault?.kind === 'tooShort' ? [[country, fault.count] as const] : []
  }),
)

/** Examples of the IBAN registry, of short and long ones, with letters and without. */
const EXAMPLES = [
  'AD1200012030200359100100',
  'AE070331234567890123456',
  'AL47212110090000000235698741',
  'AT611904300234573201',
  'BE68539007547034',
  'BR1800360305000010009795493C1',
  'CH9300762011623852957',
  'CZ6508000000192000145399',
  'DE89370400440532013000',
  'EE382200221020145685',
  'ES9121000418450200051332',
  'FI2112345600000785',
  'FR1420041010050500013M02606',
  'GB29NWBK60161331926819',
  'GR1601101250000000012300695',
  'HR1210010051863000160',
  'HU42117730161111101800000000',
  'IE29AIBK93115212345678',
  'IT60X0542811101000000123456',
  'LC55HEMM000100010012001200023015',
  'LI21088100002324013AA',
  'MT84MALT011000012345MTLCAST001S',
  'MU17BOMM0101101030300200000MUR',
  'NL91ABNA0417164300',
  'NO9386011117947',
  'PL61109010140000071219812874',
  'PT50000201231234567890154',
  'RO49AAAA1B31007593840000',
  'SA0380000000608010167519',
  'SE4550000000058398257466',
  'SI56263300012039086',
  'SK3112000000198742637541',
  'SM86U0322509800000000270100',
  'TR330006100519786457841326',
  'UA213223130000026007233566001',
  'XK051212012345678906',
] as const

/** Check digits by the rule of ISO 7064, with whole numbers instead of remainders on the way. */
function withCheckDigits(country: string, account: string): string {
  const digits = Array.from(`${account}${country}00`)
    .map((symbol) => String(parseInt(symbol, 36)))
    .join('')
  return country + String(98n - (BigInt(digits) % 97n)).padStart(2, '0') + account
}

/** Other accounts of the examples' banks: letters and digits stay where the country puts them. */
const ibans = fc
  .constantFrom(...EXAMPLES)
  .chain((example) =>
    fc
      .tuple(
        ...Array.from(example.slice(4), (symbol) =>
          fc.constantFrom(...(/\d/.test(symbol) ? DIGITS : LETTERS)),
        ),
      )
      .map((symbols) => withCheckDigits(example.slice(0, 2), symbols.join(''))),
  )

const ZEROS = { arabicIndic: 0x0660, persian: 0x06f0, devanagari: 0x0966, fullWidth: 0xff10 } as const
const BETWEEN = [
  '',
  '',
  '',
  ' ',
  '\u00a0',
  '\u202f',
  '-',
  '\u2010',
  '\u2013',
  '\u2212',
  '\u200e',
  '\u200f',
  '\u2066',
  '\u2069',
  '\u202a',
  '\u202c',
  '\ufeff',
  '\u061c',
  '\t',
]

/** An IBAN as people and their programs write it. */
function disguises(iban: string): fc.Arbitrary<string> {
  const symbol = (each: string): fc.Arbitrary<string> =>
    fc
      .tuple(fc.constantFrom(...BETWEEN), fc.constantFrom(0x30, ...Object.values(ZEROS)), fc.boolean())
      .map(([before, zero, isSmall]) => {
        if (/\d/.test(each)) return before + String.fromCodePoint(zero + Number(each))
        return before + (isSmall ? each.toLowerCase() : each)
      })
  return fc.tuple(...Array.from(iban, symbol)).map((parts) => parts.join(''))
}

describe('an IBAN', () => {
  it('is accepted as the registry shows it, in groups or not', () => {
    for (const example of EXAMPLES) {
      assert.deepEqual(checkField('IBAN', example), { ok: true, value: example })
      assert.deepEqual(checkField('IBAN', groupIban(example)), { ok: true, value: example })
    }
  })

  it('is known for every country of the registry', () => {
    assert.equal(LENGTHS.size, 89)
    assert.ok([...LENGTHS.values()].every((length) => length >= 15 && length <= 34))
  })

  it('is accepted from every country when its check digits are right', () => {
    fc.assert(
      fc.property(ibans, (iban) => assert.deepEqual(checkField('IBAN', iban), { ok: true, value: iban })),
    )
  })

  it('is accepted with spaces, dashes, small letters, digits of other scripts and invisible marks', () => {
    fc.assert(
      fc.property(
        ibans.chain((iban) => disguises(iban).map((typed) => ({ iban, typed }))),
        ({ iban, typed }) => assert.deepEqual(checkField('IBAN', typed), { ok: true, value: iban }),
      ),
    )
  })

  it('has a typing error when one digit is another', () => {
    const mistyped = fc.tuple(ibans, fc.nat(), fc.integer({ min: 1, max: 9 })).map(([iban, seed, step]) => {
      const places = [...iban.matchAll(/\d/g)].map(({ index }) => index)
      const place = places[seed % places.length] ?? 2
      const digit = String((Number(iban.charAt(place)) + step) % 10)
      return iban.slice(0, place) + digit + iban.slice(place + 1)
    })
    fc.assert(
      fc.property(mistyped, (iban) => {
        assert.deepEqual(checkField('IBAN', iban), { ok: false, key: 'fault.iban.checkDigits', args: {} })
      }),
    )
  })

  it('has a typing error when two neighbours of its number are swapped', () => {
    fc.assert(
      fc.property(ibans, fc.nat(), (iban, seed) => {
        const place = 4 + (seed % (iban.length - 5))
        const [one, other] = [iban.charAt(place), iban.charAt(place + 1)]
        fc.pre(one !== other && /\d/.test(one) && /\d/.test(other))
        const swapped = iban.slice(0, place) + other + one + iban.slice(place + 2)
        assert.deepEqual(ibanFault(swapped), { kind: 'checkDigits' })
      }),
    )
  })

  it('never has the check digits 00, 01 or 99, although the arithmetic would allow them', () => {
    for (const account of Array.from({ length: 300 }, (_, index) => String(index).padStart(18, '0'))) {
      const iban = withCheckDigits('DE', account)
      const twin = { '97': '00', '98': '01', '02': '99' }[iban.slice(2, 4)]
      if (twin !== undefined) assert.deepEqual(ibanFault(`DE${twin}${account}`), { kind: 'checkDigits' })
    }
  })

  it('has a fault when a letter is where its country has a digit, although the check digits are right', () => {
    const iban = withCheckDigits('DE', '37O400440532013000')
    assert.deepEqual(ibanFault(iban), { kind: 'structure', country: 'DE' })
    assert.deepEqual(checkField('IBAN', iban), {
      ok: false,
      key: 'fault.iban.checkDigits',
      args: { country: 'DE' },
    })
  })

  it('says for each of its faults which one it is', () => {
    const faults: readonly (readonly [string, unknown])[] = [
      ['DE89 3704 0044 0532 013O 0!', { kind: 'character', character: '!' }],
      ['ZZ89370400440532013000', { kind: 'country', country: 'ZZ' }],
      ['1289370400440532013000', { kind: 'country', country: '12' }],
      ['DE8937040044053201300', { kind: 'tooShort', country: 'DE', count: 22, typed: 21 }],
      ['DE893704004405320130001', { kind: 'tooLong', country: 'DE', count: 22, typed: 23 }],
      ['DE89370400440532013001', { kind: 'checkDigits' }],
      ['DEAB370400440532013000', { kind: 'checkDigits' }],
    ]
    for (const [typed, fault] of faults) assert.deepEqual(ibanFault(cleanIban(typed)), fault, typed)
  })

  it('has five different sentences for its faults, in every language', () => {
    for (const language of LANGUAGES) {
      const texts = Object.values(ibanAttributes(createTexts(language)))
      // A letter for a digit is a typing error to people.
      assert.equal(new Set(texts).size, 5, language)
    }
    assert.deepEqual(Object.keys(ibanAttributes(createTexts('en'))), [
      'data-iban-character',
      'data-iban-country',
      'data-iban-too-short',
      'data-iban-too-long',
      'data-iban-structure',
      'data-iban-check-digits',
    ])
  })

  it('takes any text without complaint of its own', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 100 }), (text) => {
        const clean = cleanField('IBAN', text)
        assert.equal(cleanField('IBAN', clean), clean)
        assert.equal(typeof checkField('IBAN', text).ok, 'boolean')
      }),
    )
  })
})
