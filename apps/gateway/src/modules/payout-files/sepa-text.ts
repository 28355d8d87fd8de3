/** Letters that do not come apart into a letter and a mark. */
const SPELLED: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  Æ: 'AE',
  œ: 'oe',
  Œ: 'OE',
  ø: 'o',
  Ø: 'O',
  ł: 'l',
  Ł: 'L',
  đ: 'd',
  Đ: 'D',
  ð: 'd',
  Ð: 'D',
  þ: 'th',
  Þ: 'TH',
  ı: 'i',
  '&': '+',
  _: '-',
  '–': '-',
  '—': '-',
  '’': "'",
}

/**
 * The text in the characters that every bank takes (the SEPA Latin set): letters without their marks, and a dot for what
 * has no letter there. Slashes neither begin nor end it, nor stand side by side.
 */
export function sepaText(text: string, charactersMax: number): string {
  const plain = Array.from(text.normalize('NFKC'), (each) => SPELLED[each] ?? each)
    .join('')
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/\s+/g, ' ')
    .replace(/[^A-Za-z0-9/\-?:().,'+ ]/gu, '.')
    .replace(/\/{2,}/g, '/')
  return plain.slice(0, charactersMax).replace(/^[/ ]+|[/ ]+$/g, '')
}

/** Whether a person's or company's name is still one in these characters. */
export function isSepaName(name: string): boolean {
  const letters = name.replace(/[^A-Za-z0-9]/g, '').length
  const dots = name.replace(/[^.]/g, '').length
  return letters > dots
}
