const QUOTE = 0x22
const BACKSLASH = 0x5c

/**
 * Removes the insignificant whitespace of a JSON document (space, tab, LF and CR outside strings) and touches
 * nothing else: order, escapes and the digits of numbers stay as they are. A merchant signs the minified body
 * (specification 5.1); nothing is parsed and written again here, because two JSON writers rarely agree byte
 * by byte.
 *
 * It works on UTF-8 bytes, is idempotent, and never throws: a text that is not JSON loses the whitespace
 * outside its quotation marks and is for the parser to refuse. Where there is nothing to remove the very
 * array that came in is returned.
 */
export function minifyJson(bytes: Uint8Array): Uint8Array {
  const first = firstWhitespace(bytes)
  if (first === bytes.length) return bytes
  const kept = new Uint8Array(bytes.length - 1)
  kept.set(bytes.subarray(0, first))
  let length = first
  let inString = false
  let escaped = false
  // Byte by byte: the runs between two whitespaces are too short for a copy by range to pay.
  for (let index = first; index < bytes.length; index += 1) {
    const byte = bytes[index] ?? 0
    if (!inString && isWhitespace(byte)) continue
    kept[length] = byte
    length += 1
    if (byte === QUOTE && !escaped) inString = !inString
    escaped = inString && byte === BACKSLASH && !escaped
  }
  return kept.subarray(0, length)
}

function isWhitespace(byte: number): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09
}

/** The index of the first whitespace outside strings, or the length. */
function firstWhitespace(bytes: Uint8Array): number {
  let inString = false
  let escaped = false
  for (let index = 0; index < bytes.length; index += 1) {
    const byte = bytes[index] ?? 0
    if (!inString && isWhitespace(byte)) return index
    if (byte === QUOTE && !escaped) inString = !inString
    escaped = inString && byte === BACKSLASH && !escaped
  }
  return bytes.length
}
