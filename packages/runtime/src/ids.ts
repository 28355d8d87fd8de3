import { randomUUID } from 'node:crypto'
import { drawBytes } from './chance.ts'

/** Source of identifiers, handed in so that tests can predict them. */
export interface Ids {
  uuid(): string
  bytes(length: number): Buffer
  /** Upper-case letters and digits without look-alikes (no I, L, O, U), for people to read and type. */
  readable(length: number): string
}

const READABLE_ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

export const randomIds: Ids = {
  uuid: () => randomUUID(),
  bytes: (length) => drawBytes(length),
  readable: (length) => readableFrom(drawBytes(length)),
}

/** One symbol for each byte: there are 32, so its low five bits pick one without bias. */
export function readableFrom(bytes: Uint8Array): string {
  let text = ''
  for (const byte of bytes) text += READABLE_ALPHABET.charAt(byte & 31)
  return text
}
