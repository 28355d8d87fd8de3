declare global {
  interface JSON {
    /** Marks a text as JSON that JSON.stringify emits as it is. Node has it, TypeScript's library not yet. */
    rawJSON(text: string): { readonly rawJSON: string }
  }
}

const JSON_NUMBER = /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?$/

/**
 * A JSON number kept as it was written. A double would turn `1.000000000000000001` into `1`, so amounts never
 * become one; and because JSON.stringify emits the text unchanged, an echo is exact.
 */
export class NumberText {
  /** The number's text, for example `10.50` or `1e2`: always a number by RFC 8259, section 6. */
  readonly text: string

  /** @throws RangeError when the text is not a JSON number. */
  constructor(text: string) {
    if (!JSON_NUMBER.test(text)) throw new RangeError('A NumberText holds a JSON number and nothing else.')
    this.text = text
  }

  /** The number as it was written; called by JSON.stringify. */
  toJSON(): unknown {
    return JSON.rawJSON(this.text)
  }

  /** The number as it was written. */
  toString(): string {
    return this.text
  }
}
