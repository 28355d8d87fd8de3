import type { Socket } from 'node:net'

/** For so long nothing may move on a connection: a server's `timeout`. Connections without a request end by themselves then. */
export const STILL_MS = 30_000

/**
 * What an answer does at its `timeout`: ends a connection that does not read it. Node limits how long a request takes to come in, and
 * nothing limits how long its answer stays in memory. Whoever waits for an answer that is still being worked out is left alone.
 */
export function endUnread(socket: Socket): void {
  if (socket.writableLength > 0) socket.destroy()
}
