const LETTERS: ReadonlyMap<string, string> = new Map([
  ['ł', 'l'],
  ['ø', 'o'],
  ['đ', 'd'],
  ['ß', 'ss'],
  ['æ', 'ae'],
  ['œ', 'oe'],
  ['ı', 'i'],
])

/** A text as it is searched: small letters without diacritics, words apart by one space. */
export function fold(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{Mn}/gu, '')
    .toLowerCase()
    .replace(/[łøđßæœı]/g, (letter) => LETTERS.get(letter) ?? letter)
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}

/** Scripts that put no spaces between words. */
const WITHOUT_SPACES = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}]/u

/** Whether every word of the folded query begins a word of the folded text; where words are not apart, is in it. */
export function isMatch(text: string, query: string): boolean {
  const padded = WITHOUT_SPACES.test(text) ? text : ` ${text}`
  return query.split(' ').every((word) => padded.includes(padded === text ? word : ` ${word}`))
}
