import { ibanOf } from './iban.ts'

/** An account as its country writes it: number, and bank code where that is not a part of the number. */
export interface DomesticAccount {
  readonly accountNumber: string
  readonly bankCode?: string | undefined
}

/** How accounts of one country become IBANs and the reverse, with nothing to guess. */
interface DomesticForm {
  readonly currencyCode: string
  /** What follows the check digits of the IBAN. Undefined when it is no account of the country. */
  readonly toBban: (account: DomesticAccount) => string | undefined
  /** What a person is told to write. */
  readonly example: string
}

/** Weights of the mod 11 check, by which Czech and Slovak banks check prefix and number, from the right. */
const CZECH_WEIGHTS = [1, 2, 4, 8, 5, 10, 9, 7, 3, 6] as const
const NORWEGIAN_WEIGHTS = [1, 2, 3, 4, 5, 6, 7, 2, 3, 4, 5] as const
const HUNGARIAN_WEIGHTS = [9, 7, 3, 1] as const

/** Weights count from the right, and begin again. */
function weighted(digits: string, weights: readonly number[]): number {
  return Array.from(digits)
    .reverse()
    .reduce((sum, digit, index) => sum + Number(digit) * (weights[index % weights.length] ?? 0), 0)
}

/** `123-4567890/0100`, or the code of the bank beside it. What an IBAN hides, a wrong digit, its own check finds. */
function czechBban({ accountNumber, bankCode }: DomesticAccount): string | undefined {
  const [number = '', ownBank = bankCode] = accountNumber.replace(/\s/g, '').split('/')
  if (ownBank === undefined || !/^\d{4}$/.test(ownBank) || (bankCode ?? ownBank) !== ownBank) return undefined
  const bban = czechNumber(number)
  return bban === undefined ? undefined : ownBank + bban
}

function czechNumber(text: string): string | undefined {
  const [, prefix = '', number = ''] =
    /^(?:(\d{1,6})-)?(\d{2,10})$/.exec(text) ?? /^(\d{6})(\d{10})$/.exec(text) ?? []
  const isRight = [prefix, number].every((part) => weighted(part, CZECH_WEIGHTS) % 11 === 0)
  return number !== '' && isRight ? prefix.padStart(6, '0') + number.padStart(10, '0') : undefined
}

/** One number with its check inside, in which the code of the bank stands first. */
function selfContained(
  { accountNumber, bankCode }: DomesticAccount,
  isRight: (digits: string) => boolean,
): string | undefined {
  const digits = accountNumber.replace(/[\s.-]/g, '')
  if (!/^\d+$/.test(digits) || !isRight(digits)) return undefined
  return bankCode === undefined || digits.startsWith(bankCode) ? digits : undefined
}

/** 26 digits, of which the first two are those of the IBAN. */
function polishBban(account: DomesticAccount): string | undefined {
  const { accountNumber } = account
  const digits = accountNumber.replace(/[\s-]/g, '')
  const bban = digits.slice(2)
  const isRight = digits.length === 26 && ibanOf('PL', bban) === `PL${digits}`
  if (!isRight) return undefined
  return account.bankCode === undefined || bban.startsWith(account.bankCode) ? bban : undefined
}

/** Two or three groups of eight: the first is checked by itself, the others together. */
function isHungarian(digits: string): boolean {
  const isChecked = (part: string): boolean =>
    Array.from(part).reduce(
      (sum, digit, index) => sum + Number(digit) * (HUNGARIAN_WEIGHTS[index % HUNGARIAN_WEIGHTS.length] ?? 0),
      0,
    ) %
      10 ===
    0
  return (
    (digits.length === 16 || digits.length === 24) &&
    isChecked(digits.slice(0, 8)) &&
    isChecked(digits.slice(8))
  )
}

/** Registration number of four digits, and up to ten of the account. */
function danishBban({ accountNumber, bankCode }: DomesticAccount): string | undefined {
  const number = accountNumber.replace(/[\s.-]/g, '')
  if (!/^\d{1,14}$/.test(number)) return undefined
  if (bankCode !== undefined)
    return /^\d{4}$/.test(bankCode) && number.length <= 10 ? bankCode + number.padStart(10, '0') : undefined
  return number.length === 14 ? number : undefined
}

const FORMS: Readonly<Record<string, DomesticForm>> = {
  CZ: { currencyCode: 'CZK', toBban: czechBban, example: '19-2000145399 with the bank code 0800' },
  // Slovakia writes as Czechia does; its money is the euro, in which files name IBANs only.
  SK: { currencyCode: 'SKK', toBban: czechBban, example: '19-8742637541 with the bank code 1200' },
  PL: { currencyCode: 'PLN', toBban: polishBban, example: '26 digits' },
  HU: {
    currencyCode: 'HUF',
    toBban: (account) => selfContained(account, isHungarian)?.padEnd(24, '0'),
    example: '16 or 24 digits',
  },
  NO: {
    currencyCode: 'NOK',
    toBban: (account) =>
      selfContained(
        account,
        (digits) => digits.length === 11 && weighted(digits, NORWEGIAN_WEIGHTS) % 11 === 0,
      ),
    example: '11 digits',
  },
  DK: {
    currencyCode: 'DKK',
    toBban: danishBban,
    example: 'up to 10 digits with the registration number of 4',
  },
}

const COUNTRY_BY_CURRENCY: ReadonlyMap<string, string> = new Map(
  Object.entries(FORMS).map(([country, { currencyCode }]) => [currencyCode, country]),
)

/** The country whose domestic accounts a currency is paid to, where they can be written as IBANs. */
export function domesticCountryOf(currencyCode: string | undefined): string | undefined {
  return currencyCode === undefined ? undefined : COUNTRY_BY_CURRENCY.get(currencyCode)
}

/** The IBAN of a domestic account. Undefined when it is no right account of the country, or the country has no exact way. */
export function ibanOfDomestic(countryCode: string, account: DomesticAccount): string | undefined {
  const bban = FORMS[countryCode]?.toBban(account)
  return bban === undefined ? undefined : ibanOf(countryCode, bban)
}

/** All IBANs that a domestic account may stand for when its country is not known. */
export function possibleIbans(account: DomesticAccount): readonly string[] {
  return Object.keys(FORMS).flatMap((country) => ibanOfDomestic(country, account) ?? [])
}

/** How a domestic account of the country is written, for a sentence. */
export const domesticExample = (countryCode: string): string => FORMS[countryCode]?.example ?? 'an IBAN'

const PLACES: ReadonlyMap<string, readonly [bankCode: readonly [number, number], account: number]> = new Map([
  ['AT', [[4, 9], 9]],
  ['CH', [[4, 9], 9]],
  ['CZ', [[4, 8], 8]],
  ['DE', [[4, 12], 12]],
  ['DK', [[4, 8], 8]],
  ['GB', [[8, 14], 14]],
  ['LI', [[4, 9], 9]],
  ['SK', [[4, 8], 8]],
])

/** Bank code and account number that an IBAN is made of, where its country writes them one after the other. */
export function domesticOf(
  iban: string,
): { readonly bankCode: string; readonly accountNumber: string } | undefined {
  const places = PLACES.get(iban.slice(0, 2))
  if (places === undefined) return undefined
  const [[from, to], account] = places
  return { bankCode: iban.slice(from, to), accountNumber: iban.slice(account) }
}
