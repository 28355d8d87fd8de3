/** ISO 3166-1 alpha-2. */
const COUNTRIES =
  'AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY BZ CA CC CD CF ' +
  'CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO FR GA GB GD GE GF GG GH ' +
  'GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE JM JO JP KE KG KH KI KM KN KP KR KW ' +
  'KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS MT MU MV MW MX MY MZ NA NC NE NF NG ' +
  'NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY QA RE RO RS RU RW SA SB SC SD SE SG SH SI SJ SK SL SM SN ' +
  'SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM TN TO TR TT TV TW TZ UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS YE YT ' +
  'ZA ZM ZW'

const KNOWN: ReadonlySet<string> = new Set(COUNTRIES.split(' '))

/** True for a country code of ISO 3166-1 alpha-2, in capitals. */
export function isCountryCode(text: string): boolean {
  return KNOWN.has(text)
}

/** Countries and territories whose accounts SEPA credit transfers reach (EPC409-09), by the country of the IBAN. */
const SEPA: ReadonlySet<string> = new Set(
  (
    'AD AL AT BE BG CH CY CZ DE DK EE ES FI FR GB GI GR HR HU IE IS IT LI LT LU LV MC MD ME MK MT NL NO PL PT RO RS SE SI SK ' +
    'SM VA'
  ).split(' '),
)

/** Whether a SEPA credit transfer reaches the account of the IBAN. */
export function isInSepa(iban: string): boolean {
  return SEPA.has(iban.slice(0, 2))
}

/** Countries whose banks have to take instant transfers in euro, by the country of the IBAN (Regulation (EU) 2024/886). */
const EURO_AREA: ReadonlySet<string> = new Set(
  'AT BE BG CY DE EE ES FI FR GR HR IE IT LT LU LV MT NL PT SI SK'.split(' '),
)

/** Whether the account of the IBAN is with a bank of the euro area. */
export function isInEuroArea(iban: string): boolean {
  return EURO_AREA.has(iban.slice(0, 2))
}

/** Kosovo has no code of ISO 3166; its banks' BICs and IBANs have XK, which is reserved for users. */
const BIC_COUNTRIES_BESIDE: ReadonlySet<string> = new Set(['XK'])

/** True for a BIC in capitals: institution, country, location, and the branch or not (ISO 9362). */
export function isBic(text: string): boolean {
  if (!/^[A-Z0-9]{4}[A-Z]{2}[A-Z0-9]{2}(?:[A-Z0-9]{3})?$/.test(text)) return false
  const country = countryOfBic(text)
  return isCountryCode(country) || BIC_COUNTRIES_BESIDE.has(country)
}

/** The country of a BIC. */
export const countryOfBic = (bic: string): string => bic.slice(4, 6)
