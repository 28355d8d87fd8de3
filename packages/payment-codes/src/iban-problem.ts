import { ibanFault } from './iban.ts'

/** What is wrong with a compact IBAN, as a sentence; undefined when nothing is. */
export function problemOfIban(iban: string): string | undefined {
  const fault = ibanFault(iban)
  switch (fault?.kind) {
    case undefined:
      return undefined
    case 'character':
      return `IBAN has the character ${JSON.stringify(fault.character)}: only letters and digits are allowed.`
    case 'country':
      return /^[A-Z]{2}$/.test(fault.country)
        ? `IBAN begins with ${fault.country}, a country without IBANs.`
        : 'IBAN must begin with the two letters of its country and two check digits.'
    case 'tooLong':
    case 'tooShort':
      return `IBAN has the wrong length for ${fault.country}: ${String(fault.count)} characters expected, ${String(fault.typed)} found.`
    case 'structure':
      return `IBAN has the wrong structure for ${fault.country}: letters and digits are not where its banks put them.`
    case 'checkDigits':
      return 'IBAN has wrong check digits: at least one character is wrong.'
  }
}
