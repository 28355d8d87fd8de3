// Bytes and texts with what every runtime has, since only Node has its own class for them.

/** Bytes that may be handed to WebCrypto. */
export type Bytes = Uint8Array<ArrayBuffer>

/** The UTF-8 bytes of a text. */
export const utf8 = (text: string): Bytes => new Uint8Array(new TextEncoder().encode(text))

/** One byte for each character; for base64 and for bytes that only look like a text. */
export const fromLatin1 = (text: string): Bytes =>
  Uint8Array.from(text, (character) => character.codePointAt(0) ?? 0)

/** One character for each byte. */
export const toLatin1 = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => String.fromCodePoint(byte)).join('')

export const toBase64 = (bytes: Uint8Array): string => btoa(toLatin1(bytes))

/** Undefined for what is not base64. */
export function fromBase64(text: string): Bytes | undefined {
  try {
    return fromLatin1(atob(text.replace(/-/g, '+').replace(/_/g, '/')))
  } catch {
    return undefined
  }
}

/** One after the other. */
export function joined(parts: readonly Uint8Array[]): Bytes {
  const all = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0))
  let place = 0
  for (const part of parts) {
    all.set(part, place)
    place += part.length
  }
  return all
}
