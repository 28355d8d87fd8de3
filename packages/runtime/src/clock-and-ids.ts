import { randomFillSync, randomUUID } from 'node:crypto'

/** The wall clock, handed in so that tests can hold it. */
export interface WallClock {
  /** Milliseconds since 1970. For timestamps shown to people and for token lifetimes. */
  nowMs(): number
}

/** The process's clocks. Due times of durable work never come from here: they come from the database. */
export interface Clock extends WallClock {
  /** Monotonic milliseconds. For durations, deadlines and the rate limiter. */
  monotonicMs(): number
}

export const systemClock: Clock = {
  nowMs: () => Date.now(),
  monotonicMs: () => performance.now(),
}

/**
 * Seconds from here on, for leases: whoever asks may not count less than the database did. The wall clock goes on while a machine is
 * suspended, the other one when somebody sets the wall clock back.
 */
export function stopwatch(clock: Clock): () => number {
  const [wallMs, monotonicMs] = [clock.nowMs(), clock.monotonicMs()]
  return () => Math.max(clock.nowMs() - wallMs, clock.monotonicMs() - monotonicMs) / 1000
}

/** Source of identifiers, handed in so that tests can predict them. */
export interface Ids {
  uuid(): string
  bytes(length: number): Buffer
  /** Upper-case letters and digits without look-alikes (no I, L, O, U), for people to read and type. */
  readable(length: number): string
  /** By which banks and people know a payment: 12 readable characters. The first is the letter of the cell, where there are several. */
  reference(): string
}

const READABLE_ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

const REFERENCE_LENGTH = 12

/** Ids as they come; references begin with the letter of the cell, if it has one. */
export function randomIdsIn(cell = ''): Ids {
  return {
    uuid: () => randomUUID(),
    bytes: (length) => drawBytes(length),
    readable: (length) => readableFrom(drawBytes(length)),
    reference: () => cell + readableFrom(drawBytes(REFERENCE_LENGTH - cell.length)),
  }
}

export const randomIds = randomIdsIn()

/** One symbol for each byte: there are 32, so its low five bits pick one without bias. */
export function readableFrom(bytes: Uint8Array): string {
  let text = ''
  for (const byte of bytes) text += READABLE_ALPHABET.charAt(byte & 31)
  return text
}

const POOL_BYTES = 8_192

const pool = Buffer.alloc(POOL_BYTES)
let used = POOL_BYTES

/**
 * Random bytes from the operating system's source, fit for keys. They are drawn in blocks, because for a few bytes the call
 * costs more than the bytes; what was handed out is wiped from the block.
 */
export function drawBytes(length: number): Buffer {
  if (length > POOL_BYTES) return randomFillSync(Buffer.alloc(length))
  if (used + length > POOL_BYTES) {
    randomFillSync(pool)
    used = 0
  }
  const drawn = Buffer.from(pool.subarray(used, used + length))
  pool.fill(0, used, used + length)
  used += length
  return drawn
}
