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

/** Whether every word of the folded query begins a word of the folded text. */
export function isMatch(text: string, query: string): boolean {
  const padded = ` ${text}`
  return query.split(' ').every((word) => padded.includes(` ${word}`))
}
