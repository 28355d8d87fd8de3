// Also part of the browser's script, so that both judge alike: nothing of Node here.
import { toCode } from './characters.ts'

/** Lengths of the IBAN registry, by country. */
const IBAN_LENGTHS =
  'AD24 AE23 AL28 AT20 AZ28 BA20 BE16 BG22 BH22 BI27 BR29 BY28 CH21 CR22 CY28 CZ24 DE22 DJ27 DK18 DO28 EE20 EG29 ES24 ' +
  'FI18 FK18 FO18 FR27 GB22 GE22 GI23 GL18 GR27 GT28 HN28 HR21 HU28 IE22 IL23 IQ23 IS26 IT27 JO30 KW30 KZ20 LB28 LC32 ' +
  'LI21 LT20 LU20 LV21 LY25 MC27 MD24 ME22 MK19 MN20 MR27 MT31 MU30 NI28 NL18 NO15 OM23 PK24 PL28 PS29 PT25 QA29 RO24 ' +
  'RS22 RU33 SA24 SC31 SD18 SE24 SI19 SK24 SM27 SO23 ST25 SV28 TL23 TN24 TR26 UA29 VA22 VG24 XK20 YE30'

const IBAN_LENGTH_BY_COUNTRY: ReadonlyMap<string, number> = new Map(
  IBAN_LENGTHS.split(' ').map((each) => [each.slice(0, 2), Number(each.slice(2))]),
)

/** What is wrong with an IBAN, the first that a customer should hear of. */
export type IbanFault =
  | { readonly kind: 'character'; readonly character: string }
  | { readonly kind: 'country'; readonly country: string }
  | {
      readonly kind: 'tooLong' | 'tooShort'
      readonly country: string
      readonly count: number
      readonly typed: number
    }
  | { readonly kind: 'checkDigits' }

/** An IBAN as it is stored: capitals, ASCII digits, nothing between. */
export function cleanIban(text: string): string {
  return toCode(text).toUpperCase()
}

/** An IBAN as it is read: groups of four. */
export function groupIban(iban: string): string {
  return iban.replace(/(.{4})(?=.)/gu, '$1 ')
}

/** What is wrong with a clean IBAN; undefined when nothing is. */
export function ibanFault(iban: string): IbanFault | undefined {
  const character = /[^A-Z0-9]/u.exec(iban)?.[0]
  if (character !== undefined) return { kind: 'character', character }
  const country = iban.slice(0, 2)
  const count = IBAN_LENGTH_BY_COUNTRY.get(country)
  if (count === undefined) return { kind: 'country', country }
  const typed = iban.length
  if (typed !== count) return { kind: typed < count ? 'tooShort' : 'tooLong', country, count, typed }
  return hasCheckDigits(iban) ? undefined : { kind: 'checkDigits' }
}

/** ISO 7064 mod 97-10, the country and the check digits moved to the end, letters as numbers (A is 10). */
function hasCheckDigits(iban: string): boolean {
  // 00, 01 and 99 have the remainders of 97, 98 and 02, and are never given.
  if (!/^[A-Z]{2}(?!00|01|99)\d{2}/.test(iban)) return false
  let rest = 0
  for (const symbol of iban.slice(4) + iban.slice(0, 4)) {
    const value = parseInt(symbol, 36)
    rest = (rest * (value > 9 ? 100 : 10) + value) % 97
  }
  return rest === 1
}
