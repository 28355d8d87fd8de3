import type { Socket } from 'node:net'

/** Any but 101: nobody asked to switch protocols. */
const INTERIM_STATUS = /^HTTP\/1\.1 1(?!01)\d\d/
const INTERIM_START = 'HTTP/1.1 1'
const STATUS_LENGTH = 'HTTP/1.1 100'.length
const HEADERS_END = '\r\n\r\n'

/**
 * Takes interim answers (1xx) out of what a socket brings before an answer. Servers may send them unasked (RFC 9110, 15.2), and
 * undici ends the connection at a `100 Continue` that it did not ask for.
 * @param holdBytesMax the most that is held back of one that has not ended; more is left to the parser, which refuses it
 */
export function createInterimFilter(
  socket: Socket,
  holdBytesMax: number,
): { restart(): void; onReadable(): void } {
  let isAwaited = false
  let held = Buffer.alloc(0)
  return {
    /** A request goes out: what comes next is the start of its answer. */
    restart() {
      isAwaited = true
      held = Buffer.alloc(0)
    },
    /** Before the parser reads. */
    onReadable() {
      if (!isAwaited) return
      const chunk: unknown = socket.read()
      if (!Buffer.isBuffer(chunk)) return
      held = withoutInterim(Buffer.concat([held, chunk]))
      if (mayBeInterim(held) && held.length <= holdBytesMax) return
      isAwaited = false
      socket.unshift(held)
    },
  }
}

function withoutInterim(bytes: Buffer<ArrayBuffer>): Buffer<ArrayBuffer> {
  let rest = bytes
  while (INTERIM_STATUS.test(startOf(rest))) {
    const end = rest.indexOf(HEADERS_END)
    if (end < 0) break
    rest = rest.subarray(end + HEADERS_END.length)
  }
  return rest
}

/** It is one that has not ended, or too short to tell. */
function mayBeInterim(bytes: Buffer): boolean {
  const start = startOf(bytes)
  return start.length < STATUS_LENGTH
    ? INTERIM_START.startsWith(start.slice(0, INTERIM_START.length))
    : INTERIM_STATUS.test(start)
}

const startOf = (bytes: Buffer): string => bytes.subarray(0, STATUS_LENGTH).toString('latin1')
