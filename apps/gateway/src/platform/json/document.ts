import type { NumberText } from './number-text.ts'

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
