import { isIban } from './checks.ts'

/** Lengths of the IBAN registry, by country. */
const LENGTHS =
  'AD24 AE23 AL28 AT20 AZ28 BA20 BE16 BG22 BH22 BI27 BR29 BY28 CH21 CR22 CY28 CZ24 DE22 DJ27 DK18 DO28 EE20 EG29 ES24 ' +
  'FI18 FK18 FO18 FR27 GB22 GE22 GI23 GL18 GR27 GT28 HN28 HR21 HU28 IE22 IL23 IQ23 IS26 IT27 JO30 KW30 KZ20 LB28 LC32 ' +
  'LI21 LT20 LU20 LV21 LY25 MC27 MD24 ME22 MK19 MN20 MR27 MT31 MU30 NI28 NL18 NO15 OM23 PK24 PL28 PS29 PT25 QA29 RO24 ' +
  'RS22 RU33 SA24 SC31 SD18 SE24 SI19 SK24 SM27 SO23 ST25 SV28 TL23 TN24 TR26 UA29 VA22 VG24 XK20 YE30'

const LENGTH_BY_COUNTRY: ReadonlyMap<string, number> = new Map(
  LENGTHS.split(' ').map((each) => [each.slice(0, 2), Number(each.slice(2))]),
)

/** An IBAN as it is stored: capitals, no spaces, no hyphens. */
export function compactIban(text: string): string {
  return text.replace(/[\s-]/g, '').toUpperCase()
}

/** What is wrong with a compact IBAN, as the end of a sentence that begins with it; undefined when nothing is. */
export function problemOfIban(iban: string): string | undefined {
  if (!/^[A-Z]{2}\d{2}[A-Z0-9]+$/.test(iban))
    return 'does not begin with a country and two check digits, followed by letters and digits'
  const country = iban.slice(0, 2)
  const length = LENGTH_BY_COUNTRY.get(country)
  if (length === undefined) return `begins with ${country}, which has no IBANs`
  if (iban.length !== length)
    return `has ${String(iban.length)} characters, but an IBAN of ${country} has ${String(length)}`
  return isIban(iban) ? undefined : 'has wrong check digits'
}

const DOMESTIC: ReadonlyMap<string, readonly [bankCode: readonly [number, number], account: number]> =
  new Map([
    ['AT', [[4, 9], 9]],
    ['CH', [[4, 9], 9]],
    ['CZ', [[4, 8], 8]],
    ['DE', [[4, 12], 12]],
    ['LI', [[4, 9], 9]],
    ['SK', [[4, 8], 8]],
  ])

/** Bank code and account number that an IBAN is made of, where its country writes them one after the other. */
export function domesticOf(
  iban: string,
): { readonly bankCode: string; readonly accountNumber: string } | undefined {
  const places = DOMESTIC.get(iban.slice(0, 2))
  if (places === undefined) return undefined
  const [[from, to], account] = places
  return { bankCode: iban.slice(from, to), accountNumber: iban.slice(account) }
}

/** True for a BIC: institution, country, location, and the branch or not (ISO 9362). */
export function isBic(text: string): boolean {
  return /^[A-Z0-9]{4}[A-Z]{2}[A-Z0-9]{2}(?:[A-Z0-9]{3})?$/.test(text)
}
