import { cleanIban, groupIban } from '../../formats/iban.ts'

/** A field's text, and where its caret is. */
export interface Typed {
  readonly text: string
  readonly caret: number
}

/** The same IBAN in groups of four, the caret behind the same symbol as before. */
export function regroup({ text, caret }: Typed): Typed {
  const before = cleanIban(text.slice(0, caret)).length
  const grouped = groupIban(cleanIban(text))
  // Behind a full group the caret goes behind the space, too, except where nothing follows.
  const spaces = Math.floor(before / 4)
  return { text: grouped, caret: Math.min(before + spaces, grouped.length) }
}
