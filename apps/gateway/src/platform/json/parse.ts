/** What a JSON document holds. A number is a JS number where that loses nothing, and its text otherwise. */
export type JsonValue = null | boolean | number | string | NumberText | JsonValue[] | JsonObject

/** A JSON object. Look members up with Object.hasOwn where the name may be one of Object.prototype. */
export type JsonObject = { [name: string]: JsonValue }

/** The bounds of a document. They keep a hostile body as cheap as an honest one of its size. */
interface JsonLimits {
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
const JSON_LIMITS: JsonLimits = {
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

// ignoreBOM keeps a byte order mark in the text, where it is seen and refused; else it would vanish unseen.
const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
const BYTE_ORDER_MARK = 0xfeff
// The scanner calls itself once per level: no caller may ask for more levels than the stack surely has.
const DEPTH_CEILING = 100

/** Why a document is refused: a sentence for people, and where (bytes of the document, from 0). */
interface JsonProblem {
  readonly message: string
  readonly offset: number
}

/** The outcome of parseJson. */
type JsonOutcome =
  | { readonly ok: true; readonly value: JsonValue }
  | { readonly ok: false; readonly problem: JsonProblem }

/**
 * Parses a JSON document (RFC 8259) more strictly than JSON.parse: the bytes must be valid UTF-8 without a
 * byte order mark, and a name given twice, `__proto__`, `constructor` or `prototype` as a name, a lone
 * surrogate, and anything over the limits is refused. So every reader of the bytes sees the same document.
 *
 * Integers of up to 15 digits become numbers; every other number becomes a NumberText, and no digit is lost.
 * Bad input is an outcome, never an exception.
 *
 * @throws RangeError when `limits.depthMax` is above 100, which is a mistake of the caller.
 */
export function parseJson(bytes: Uint8Array, limits: Partial<JsonLimits> = {}): JsonOutcome {
  const bounds = { ...JSON_LIMITS, ...limits }
  if (bounds.depthMax > DEPTH_CEILING) throw new RangeError(`depthMax is at most ${DEPTH_CEILING}.`)
  const text = decode(bytes)
  if (text === undefined) return refused('The body is not valid UTF-8.', invalidAt(bytes))
  if (text.charCodeAt(0) === BYTE_ORDER_MARK) return refused('The body begins with a byte order mark.', 0)
  try {
    return { ok: true, value: new Scanner(text, bounds).readDocument() }
  } catch (error) {
    if (error instanceof NotAccepted)
      return refused(error.message, Buffer.byteLength(text.slice(0, error.offset)))
    throw error
  }
}

function refused(message: string, offset: number): JsonOutcome {
  return { ok: false, problem: { message, offset } }
}

function decode(bytes: Uint8Array): string | undefined {
  try {
    return UTF8.decode(bytes)
  } catch {
    return undefined
  }
}

/** The first byte that is not what its replacement U+FFFD would be, or the end where a character is cut off. */
function invalidAt(bytes: Uint8Array): number {
  const replaced = Buffer.from(new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes))
  const offset = bytes.findIndex((byte, index) => byte !== replaced[index])
  return offset === -1 ? bytes.length : offset
}

const QUOTE = 0x22
const COMMA = 0x2c
const MINUS = 0x2d
const DIGIT_ZERO = 0x30
const DIGIT_NINE = 0x39
const COLON = 0x3a
const OPEN_BRACKET = 0x5b
const BACKSLASH = 0x5c
const CLOSE_BRACKET = 0x5d
const LETTER_U = 0x75
const OPEN_BRACE = 0x7b
const CLOSE_BRACE = 0x7d

const NUMBER = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y
/** Integers that a double holds exactly and writes in the same digits; `-0` is not one of them. */
const PLAIN_INTEGER = /^(?:0|-?[1-9][0-9]{0,14})$/
const NUMBER_TAIL = /[0-9.eE+-]/
const HEX_4 = /^[0-9a-fA-F]{4}$/
const SHOWABLE_NAME = /^[\x20-\x7e]{1,60}$/
const KEYWORDS: readonly (readonly [string, JsonValue])[] = [
  ['true', true],
  ['false', false],
  ['null', null],
]
const ESCAPES: ReadonlyMap<string, string> = new Map([
  ['"', '"'],
  ['\\', '\\'],
  ['/', '/'],
  ['b', '\b'],
  ['f', '\f'],
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
])
// Names by which a careless merge of objects reaches Object.prototype. No request of ours has a use for them.
const DANGEROUS_NAMES: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype'])

/** Leaves the scanner from any level; never leaves parseJson. */
class NotAccepted extends Error {
  readonly offset: number

  constructor(message: string, offset: number) {
    super(message)
    this.offset = offset
  }
}

/** Reads one document from left to right. `position` is the next character not yet read. */
class Scanner {
  private readonly text: string
  private readonly limits: JsonLimits
  private position = 0
  private entries = 0

  constructor(text: string, limits: JsonLimits) {
    this.text = text
    this.limits = limits
  }

  readDocument(): JsonValue {
    const value = this.readValue(0)
    this.skipWhitespace()
    if (this.position < this.text.length) this.fail('Something follows the end of the document.')
    return value
  }

  private readValue(depth: number): JsonValue {
    const code = this.skipWhitespace()
    if (code === QUOTE) return this.readString()
    if (code === OPEN_BRACE) return this.readObject(this.deeper(depth))
    if (code === OPEN_BRACKET) return this.readArray(this.deeper(depth))
    if (code === MINUS || (code >= DIGIT_ZERO && code <= DIGIT_NINE)) return this.readNumber()
    return this.readKeyword()
  }

  private readObject(depth: number): JsonObject {
    const object: JsonObject = {}
    let members = 0
    this.position += 1
    if (this.skipWhitespace() === CLOSE_BRACE) {
      this.position += 1
      return object
    }
    do {
      members += 1
      if (members > this.limits.membersPerObjectMax) {
        this.fail(`An object has more than ${this.limits.membersPerObjectMax} members.`)
      }
      this.countEntry()
      const name = this.readName(object)
      this.expect(COLON, 'A colon was expected after a name.')
      object[name] = this.readValue(depth)
    } while (this.continues(CLOSE_BRACE, 'A comma or the end of the object was expected.'))
    return object
  }

  private readName(object: JsonObject): string {
    if (this.skipWhitespace() !== QUOTE) this.fail('A name in quotation marks was expected.')
    const start = this.position
    const name = this.readString()
    if (DANGEROUS_NAMES.has(name)) this.fail(`The name "${name}" is not allowed.`, start)
    if (Object.hasOwn(object, name)) {
      this.fail(`${SHOWABLE_NAME.test(name) ? `The member "${name}"` : 'A member'} appears twice.`, start)
    }
    return name
  }

  private readArray(depth: number): JsonValue[] {
    const array: JsonValue[] = []
    this.position += 1
    if (this.skipWhitespace() === CLOSE_BRACKET) {
      this.position += 1
      return array
    }
    do {
      this.countEntry()
      array.push(this.readValue(depth))
    } while (this.continues(CLOSE_BRACKET, 'A comma or the end of the array was expected.'))
    return array
  }

  private readString(): string {
    const start = this.position + 1
    const end = this.plainRunEnd(start)
    if (this.text.charCodeAt(end) === BACKSLASH) return this.readEscapedString(start, end)
    this.position = end + 1
    return this.bounded(this.text.slice(start, end), start)
  }

  /** Reads a string whose first escape stands at `firstEscape`. */
  private readEscapedString(start: number, firstEscape: number): string {
    let value = this.text.slice(start, firstEscape)
    this.position = firstEscape
    while (this.text.charCodeAt(this.position) === BACKSLASH) {
      value += this.readEscape()
      const end = this.plainRunEnd(this.position)
      value += this.text.slice(this.position, end)
      this.position = end
    }
    this.position += 1
    // Valid UTF-8 holds no surrogates, so a lone one can only come from an escape.
    if (!value.isWellFormed()) this.fail('A string holds half of a surrogate pair.', start)
    return this.bounded(value, start)
  }

  private readEscape(): string {
    const at = this.position
    if (this.text.charCodeAt(at + 1) === LETTER_U) {
      const digits = this.text.slice(at + 2, at + 6)
      if (!HEX_4.test(digits)) this.fail('An escape \\u needs four hexadecimal digits.')
      this.position = at + 6
      return String.fromCharCode(Number.parseInt(digits, 16))
    }
    const character = ESCAPES.get(this.text.charAt(at + 1))
    if (character === undefined) this.fail('A string holds an unknown escape.')
    this.position = at + 2
    return character
  }

  /** The index of the quotation mark or backslash that ends a run of plain characters. */
  private plainRunEnd(from: number): number {
    const text = this.text
    let index = from
    for (;;) {
      const code = text.charCodeAt(index)
      if (code === QUOTE || code === BACKSLASH) return index
      // Behind the last character the code is NaN, which is not above anything.
      if (!(code >= 0x20)) {
        const early = index >= text.length
        this.fail(early ? 'A string does not end.' : 'A string holds a control character.', index)
      }
      index += 1
    }
  }

  private readNumber(): number | NumberText {
    const start = this.position
    NUMBER.lastIndex = start
    const end = NUMBER.test(this.text) ? NUMBER.lastIndex : start
    if (end === start || NUMBER_TAIL.test(this.text.charAt(end))) {
      this.fail('A number is not written as JSON requires.', start)
    }
    if (end - start > this.limits.numberCharactersMax) {
      this.fail(`A number is longer than ${this.limits.numberCharactersMax} characters.`, start)
    }
    this.position = end
    const token = this.text.slice(start, end)
    return PLAIN_INTEGER.test(token) ? Number(token) : new NumberText(token)
  }

  private readKeyword(): JsonValue {
    for (const [word, value] of KEYWORDS) {
      if (this.text.startsWith(word, this.position)) {
        this.position += word.length
        return value
      }
    }
    return this.fail(this.position < this.text.length ? 'A value was expected.' : 'The body ends too early.')
  }

  /** After a member or element: true past a comma, false past the end of the container. */
  private continues(close: number, message: string): boolean {
    const code = this.skipWhitespace()
    if (code !== COMMA && code !== close) this.fail(message)
    this.position += 1
    return code === COMMA
  }

  private expect(wanted: number, message: string): void {
    if (this.skipWhitespace() !== wanted) this.fail(message)
    this.position += 1
  }

  /** Moves to the next character that is no whitespace and returns its code, NaN at the end of the text. */
  private skipWhitespace(): number {
    let code = this.text.charCodeAt(this.position)
    while (code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09) {
      this.position += 1
      code = this.text.charCodeAt(this.position)
    }
    return code
  }

  private deeper(depth: number): number {
    if (depth >= this.limits.depthMax) this.fail(`Nesting is deeper than ${this.limits.depthMax} levels.`)
    return depth + 1
  }

  private countEntry(): void {
    this.entries += 1
    if (this.entries > this.limits.entriesMax) {
      this.fail(`The body has more than ${this.limits.entriesMax} members and elements.`)
    }
  }

  private bounded(value: string, start: number): string {
    const charactersMax = this.limits.stringCharactersMax
    if (value.length > charactersMax) this.fail(`A string is longer than ${charactersMax} characters.`, start)
    return value
  }

  private fail(message: string, offset: number = this.position): never {
    throw new NotAccepted(message, offset)
  }
}
