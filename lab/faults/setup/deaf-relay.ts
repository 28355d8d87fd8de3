import { createServer, connect as dial, type Socket } from 'node:net'
import { Transform } from 'node:stream'

const NOTICE = 'N'.charCodeAt(0)
/** The type of a message and its length, which counts itself but not the type. */
const HEAD_BYTES = 5

/**
 * Hands on PostgreSQL's messages to a client, but not its notices: so a gateway that nobody told of warnings. Only for
 * connections without TLS.
 */
export function withoutNotices(): Transform {
  let held = Buffer.alloc(0)
  return new Transform({
    transform(bytes: Buffer, _encoding, done) {
      held = Buffer.concat([held, bytes])
      let start = 0
      for (let end = endOf(held, start); end <= held.length; end = endOf(held, start)) {
        if (held[start] !== NOTICE) this.push(held.subarray(start, end))
        start = end
      }
      held = held.subarray(start)
      done()
    },
  })
}

/** Where the message that begins there ends; beyond everything while that cannot be known. */
function endOf(bytes: Buffer, start: number): number {
  return bytes.length - start < HEAD_BYTES
    ? Number.POSITIVE_INFINITY
    : start + 1 + bytes.readInt32BE(start + 1)
}

/** A proxy in front of a server for clients that are deaf to notices. */
interface DeafRelay {
  /** The server's, with the relay's address in it. */
  readonly url: string
  stop(): Promise<void>
}

export async function startDeafRelay(serverUrl: string): Promise<DeafRelay> {
  const url = new URL(serverUrl)
  const target = { host: url.hostname, port: Number(url.port) }
  const sockets = new Set<Socket>()
  const server = createServer((client) => {
    const upstream = dial(target)
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(socket)
      socket.setNoDelay(true)
      socket.on('error', () => undefined)
      socket.on('close', () => {
        sockets.delete(socket)
        other.destroy()
      })
    }
    client.pipe(upstream)
    upstream.pipe(withoutNotices()).pipe(client)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('the relay has no port')
  url.port = String(address.port)
  return {
    url: url.href,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        for (const socket of sockets) socket.destroy()
      }),
  }
}
