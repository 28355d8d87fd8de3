import type { Amount } from './amount.ts'

/** A value that `JSON.stringify` writes out letter by letter. */
export interface RawJson {
  readonly rawJSON: string
}

/** What `JSON.parse` tells its reviver beside the value: the text that a number, string or literal was read from. */
export interface JsonSource {
  readonly source?: string
}

// The runtime has both; the type library does not know them yet.
declare global {
  interface JSON {
    rawJSON(text: string): RawJson
    parse(text: string, reviver: (key: string, value: unknown, context: JsonSource) => unknown): unknown
  }
}

/** Makes `JSON.stringify` write the amount as a number with exactly these digits, which a double could not keep. */
export function rawAmount(amount: Amount): RawJson {
  return JSON.rawJSON(amount)
}
