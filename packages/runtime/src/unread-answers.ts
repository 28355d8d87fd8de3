import type { Server } from 'node:http'

/** How long an answer may wait without its reader taking a byte. */
const UNREAD_MS = 30_000

/**
 * Ends connections that do not read what they are sent. Node limits how long a request takes to come in, and nothing limits how long
 * its answer stays in memory. Whoever waits for an answer that is still being worked out is left alone.
 */
export function endUnreadAnswers(server: Server, unreadMs = UNREAD_MS): void {
  server.setTimeout(unreadMs, (socket) => {
    if (socket.writableLength > 0) socket.destroy()
  })
}
