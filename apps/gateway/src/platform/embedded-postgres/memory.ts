import { totalmem } from 'node:os'

const MIB = 1024 * 1024
const SHARE = 8
const BUFFERS_MIN_MIB = 256
const BUFFERS_MAX_MIB = 2048

/**
 * PostgreSQL's `shared_buffers`: an eighth of the memory, within 256 MB and 2 GB. Only what is used of it is ever taken.
 * Payments come under random ids, so every page of an index is as likely to be needed as any other.
 */
export function sharedBuffers(memoryBytes = memoryOfMachine()): string {
  const share = Math.floor(memoryBytes / SHARE / MIB)
  return `${Math.min(Math.max(share, BUFFERS_MIN_MIB), BUFFERS_MAX_MIB)}MB`
}

/** Of the machine, or of the container where that has less. */
function memoryOfMachine(): number {
  const limit = process.constrainedMemory()
  return limit > 0 ? Math.min(limit, totalmem()) : totalmem()
}
