import { JSON_LIMITS, type JsonLimits, type JsonValue } from './document.ts'
import { Refusal, Scanner } from './scan.ts'

// ignoreBOM keeps a byte order mark in the text, where it is seen and refused; else it would vanish unseen.
const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
const BYTE_ORDER_MARK = 0xfeff
// The scanner calls itself once per level: no caller may ask for more levels than the stack surely has.
const DEPTH_CEILING = 100

/** Why a document is refused: a sentence for people, and where (characters of the decoded text, from 0). */
export interface JsonProblem {
  readonly message: string
  readonly offset: number
}

/** The outcome of parseJson. */
export type JsonOutcome =
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
  if (text === undefined) return refused('The body is not valid UTF-8.', 0)
  if (text.charCodeAt(0) === BYTE_ORDER_MARK) return refused('The body begins with a byte order mark.', 0)
  try {
    return { ok: true, value: new Scanner(text, bounds).readDocument() }
  } catch (error) {
    if (error instanceof Refusal) return refused(error.message, error.offset)
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
