import fc from 'fast-check'

/** A place in a text, from 0 to 1; so many characters are cut there, and others put. */
interface Edit {
  readonly place: number
  readonly cut: number
  readonly put: string
}

/** One to four edits that damage a text. */
export function edits(put: fc.Arbitrary<string>): fc.Arbitrary<readonly Edit[]> {
  const place = fc.double({ min: 0, max: 1, noNaN: true })
  return fc.array(fc.record({ place, cut: fc.integer({ min: 0, max: 3 }), put }), {
    minLength: 1,
    maxLength: 4,
  })
}

/** The text after the edits, one upon the other. */
export function edited(text: string, changes: readonly Edit[]): string {
  return changes.reduce((current, { place, cut, put }) => {
    const at = Math.floor(place * (current.length + 1))
    return current.slice(0, at) + put + current.slice(at + cut)
  }, text)
}
