import { cleanIban, groupIban } from '../../formats/iban.ts'

/** A field's text, and where its caret is. */
interface Typed {
  readonly text: string
  readonly caret: number
  /** The symbol before the caret was just deleted. */
  readonly isDeletedBackwards?: boolean
}

/** The same IBAN in groups of four, the caret behind the same symbol as before. */
export function regroup({ text, caret, isDeletedBackwards = false }: Typed): Typed {
  const before = cleanIban(text.slice(0, caret)).length
  const grouped = groupIban(cleanIban(text))
  // Behind a full group the caret goes behind the space, too, except where nothing follows. Deleting backwards it stays
  // before: the space always comes back, and the caret would never get past it.
  const spaces = Math.floor(Math.max(0, isDeletedBackwards ? before - 1 : before) / 4)
  return { text: grouped, caret: Math.min(before + spaces, grouped.length) }
}
