import type { Server } from 'node:http'
import type { Socket } from 'node:net'

/** How long an answer may wait without its reader taking a byte. */
const UNREAD_MS = 30_000

/**
 * Ends connections that do not read what they are sent. Node limits how long a request takes to come in, and nothing limits how long
 * its answer stays in memory. Whoever waits for an answer that is still being worked out is left alone.
 */
export function endUnreadAnswers(server: Server, unreadMs = UNREAD_MS): void {
  const underWay = new WeakMap<Socket, number>()
  const count = (socket: Socket, by: number): void =>
    void underWay.set(socket, (underWay.get(socket) ?? 0) + by)
  server.on('request', ({ socket }, response) => {
    count(socket, 1)
    response.once('close', () => count(socket, -1))
  })
  // Who listens has to end those, too, that Node would end: connections that have been idle for as long as they are kept.
  server.setTimeout(unreadMs, (socket) => {
    const isWaiting = (underWay.get(socket) ?? 0) > 0 && socket.writableLength === 0
    if (!isWaiting) socket.destroy()
  })
}
