// Also part of the payment page's script, so that both judge alike: no imports here, and nothing of Node.

/**
 * The IBAN registry (ISO 13616): by country what follows the two check digits, as pieces of digits (n), capital letters (a),
 * and either of them (c), each with its exact length.
 */
const IBAN_STRUCTURES =
  'AD:n8c12 AE:n19 AL:n8c16 AT:n16 AZ:a4c20 BA:n16 BE:n12 BG:a4n6c8 BH:a4c14 BI:n23 BR:n23a1c1 BY:c4n4c16 CH:n5c12 CR:n18 ' +
  'CY:n8c16 CZ:n20 DE:n18 DJ:n23 DK:n14 DO:c4n20 EE:n16 EG:n25 ES:n20 FI:n14 FK:a2n12 FO:n14 FR:n10c11n2 GB:a4n14 GE:a2n16 ' +
  'GI:a4c15 GL:n14 GR:n7c16 GT:c24 HN:a4n20 HR:n17 HU:n24 IE:a4n14 IL:n19 IQ:a4n15 IS:n22 IT:a1n10c12 JO:a4n4c18 KW:a4c22 ' +
  'KZ:n3c13 LB:n4c20 LC:a4c24 LI:n5c12 LT:n16 LU:n3c13 LV:a4c13 LY:n21 MC:n10c11n2 MD:c20 ME:n18 MK:n3c10n2 MN:n16 MR:n23 ' +
  'MT:a4n5c18 MU:a4n19a3 NI:a4n20 NL:a4n10 NO:n11 OM:n3c16 PK:a4c16 PL:n24 PS:a4c21 PT:n21 QA:a4c21 RO:a4c16 RS:n18 ' +
  'RU:n14c15 SA:n2c18 SC:a4n20a3 SD:n14 SE:n20 SI:n15 SK:n20 SM:a1n10c12 SO:n19 ST:n21 SV:a4n20 TL:n19 TN:n20 TR:n6c16 ' +
  'UA:n6c19 VA:n18 VG:a4n16 XK:n16 YE:a4n4c18'

interface IbanStructure {
  readonly length: number
  /** Of the whole IBAN. */
  readonly pattern: RegExp
}

const IBAN_SYMBOLS: Readonly<Record<string, string>> = { n: '[0-9]', a: '[A-Z]', c: '[A-Z0-9]' }

const IBAN_BY_COUNTRY: ReadonlyMap<string, IbanStructure> = new Map(
  IBAN_STRUCTURES.split(' ').map((row) => {
    const country = row.slice(0, 2)
    const pieces = Array.from(row.slice(3).matchAll(/([nac])(\d+)/g), ([, kind = '', count = '']) => ({
      symbols: `${IBAN_SYMBOLS[kind] ?? ''}{${count}}`,
      count: Number(count),
    }))
    const length = pieces.reduce((sum, { count }) => sum + count, 4)
    const pattern = new RegExp(`^${country}[0-9]{2}${pieces.map(({ symbols }) => symbols).join('')}$`)
    return [country, { length, pattern }]
  }),
)

/** What is wrong with an IBAN: the first thing that a person should be told. */
export type IbanFault =
  | { readonly kind: 'character'; readonly character: string }
  | { readonly kind: 'country'; readonly country: string }
  | {
      readonly kind: 'tooLong' | 'tooShort'
      readonly country: string
      /** What the country's IBANs have. */
      readonly count: number
      readonly typed: number
    }
  | { readonly kind: 'structure'; readonly country: string }
  | { readonly kind: 'checkDigits' }

/** An IBAN as it is stored: capitals, no spaces, no hyphens. */
export function compactIban(text: string): string {
  return text.replace(/[\s-]/g, '').toUpperCase()
}

/** What is wrong with a compact IBAN; undefined when nothing is. */
export function ibanFault(iban: string): IbanFault | undefined {
  const character = /[^A-Z0-9]/u.exec(iban)?.[0]
  if (character !== undefined) return { kind: 'character', character }
  const country = iban.slice(0, 2)
  const structure = IBAN_BY_COUNTRY.get(country)
  if (structure === undefined) return { kind: 'country', country }
  const { length: count, pattern } = structure
  const typed = iban.length
  if (typed !== count) return { kind: typed < count ? 'tooShort' : 'tooLong', country, count, typed }
  // 00, 01 and 99 have the remainders of 97, 98 and 02, and are never given.
  if (!/^..(?!00|01|99)[0-9]{2}/.test(iban)) return { kind: 'checkDigits' }
  if (!pattern.test(iban)) return { kind: 'structure', country }
  return mod97(iban.slice(4) + iban.slice(0, 4)) === 1 ? undefined : { kind: 'checkDigits' }
}

/** True for a compact IBAN of the registry: country, length, structure and check digits. */
export function isIban(text: string): boolean {
  return ibanFault(text) === undefined
}

/** Whether the text has the shape of a compact IBAN of some country, right or wrong: such a text is no other account number. */
export function looksLikeIban(text: string): boolean {
  return /^[A-Z]{2}[0-9]{2}[A-Z0-9]{11,30}$/.test(text)
}

/** Whether accounts of the country have IBANs. */
export function hasIbans(countryCode: string): boolean {
  return IBAN_BY_COUNTRY.has(countryCode)
}

/** The IBAN with the right check digits of what follows them. Undefined when that is not how the country's banks write it. */
export function ibanOf(countryCode: string, domestic: string): string | undefined {
  const check = 98 - mod97(`${domestic}${countryCode}00`)
  const iban = `${countryCode}${String(check).padStart(2, '0')}${domestic}`
  return ibanFault(iban) === undefined ? iban : undefined
}

/** ISO 7064 mod 97-10 of digits and capital letters, where A counts as 10 and Z as 35. */
export function mod97(text: string): number {
  let rest = 0
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index)
    const value = code <= 57 ? code - 48 : code - 55 // '9' is 57, '0' is 48, and 'A' is ten more than 55
    rest = (rest * (value > 9 ? 100 : 10) + value) % 97
  }
  return rest
}
