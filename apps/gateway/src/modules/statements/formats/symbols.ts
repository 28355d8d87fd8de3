import type { PartDetails } from './parsed.ts'

/** The numbers by which Czech and Slovak banks name a payment. */
type Symbols = Pick<PartDetails, 'variableSymbol' | 'specificSymbol' | 'constantSymbol'>

const MEMBERS = { VS: 'variableSymbol', SS: 'specificSymbol', KS: 'constantSymbol' } as const
// `/VS1234567890/SS123/KS0308`, `VS:123`, `VS 123`, `VS=123`.
const LABELLED = /(?:^|[^A-Za-z0-9])(VS|SS|KS)[ \t]{0,2}[:=/]?[ \t]{0,2}(\d{1,10})(?!\d)/gi

/** The symbols that are written, with their labels, in texts and references. The first of each kind counts. */
export function symbolsIn(texts: readonly string[]): Symbols {
  const found: Partial<Record<(typeof MEMBERS)[keyof typeof MEMBERS], string>> = {}
  for (const text of texts) {
    for (const [, label = '', digits = ''] of text.matchAll(LABELLED)) {
      const member = memberOf(label.toUpperCase())
      const bare = digits.replace(/^0+(?=\d)/, '')
      if (member !== undefined && bare !== '0') found[member] ??= bare
    }
  }
  return found
}

function memberOf(label: string): (typeof MEMBERS)[keyof typeof MEMBERS] | undefined {
  return label === 'VS' || label === 'SS' || label === 'KS' ? MEMBERS[label] : undefined
}
