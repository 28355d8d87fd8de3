/** What a JSON document holds. A number is a JS number where that loses nothing, and its text otherwise. */
export type JsonValue = null | boolean | number | string | NumberText | JsonValue[] | JsonObject

/** A JSON object. Look members up with Object.hasOwn where the name may be one of Object.prototype. */
export type JsonObject = { [name: string]: JsonValue }

/** The bounds of a document. They keep a hostile body as cheap as an honest one of its size. */
export interface JsonLimits {
  /** Levels of objects and arrays within each other; the outermost is level 1. At most 100. */
  readonly depthMax: number
  /** Members of all objects and elements of all arrays, together. */
  readonly entriesMax: number
  /** Members of one object. */
  readonly membersPerObjectMax: number
  /** Length of a string or of a member's name after its escapes are resolved, in UTF-16 units. */
  readonly stringCharactersMax: number
  /** Length of a number as written, in characters. */
  readonly numberCharactersMax: number
}

/** The limits of every request body. */
export const JSON_LIMITS: JsonLimits = {
  depthMax: 16,
  entriesMax: 1000,
  membersPerObjectMax: 200,
  stringCharactersMax: 4096,
  numberCharactersMax: 400,
}

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
