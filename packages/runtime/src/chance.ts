import { randomFillSync } from 'node:crypto'

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
