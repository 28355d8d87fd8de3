// Also part of the browser's script: nothing of Node here.

/** Where the ten digits of other scripts begin: Arabic-Indic, its extended form, Devanagari and the other Indic ones, Thai. */
const ZEROS = [
  0x0660, 0x06f0, 0x0966, 0x09e6, 0x0a66, 0x0ae6, 0x0b66, 0x0be6, 0x0c66, 0x0ce6, 0x0d66, 0x0e50, 0xff10,
] as const

/** Digits of other scripts as 0 to 9; everything else as it was. */
export function toAsciiDigits(text: string): string {
  return text.replace(/\p{Nd}/gu, (digit) => {
    const point = digit.codePointAt(0) ?? 0
    const zero = ZEROS.find((each) => point >= each && point <= each + 9)
    return zero === undefined ? digit : String(point - zero)
  })
}

/** What is left when some characters go, in a normal form: a letter and a mark may have stood apart by one of them. */
export const without = (text: string, those: RegExp, form: 'NFC' | 'NFKC'): string =>
  text.normalize(form).replace(those, '').normalize(form)

/**
 * What was meant by a pasted code: digits of any script, no spaces, no dashes of any length, no invisible marks
 * (directions, joiners, byte order).
 */
export function toCode(text: string): string {
  return toAsciiDigits(without(text, /[\s\p{Pd}\p{Cf}\p{Cc}\u2212]/gu, 'NFKC'))
}

/** The same in capitals, which are written in other characters in some scripts. */
export function toUpperCode(text: string): string {
  return toCode(toCode(text).toUpperCase())
}
