import { createServer, type Server, type Socket } from 'node:net'

/** Merchants' servers within the load generator: they read no more of a callback than where it ends and whom it is about. */
interface CallbackServers {
  close(): void
}

const HEAD_END = Buffer.from('\r\n\r\n')
const LENGTH_HEADER = /^content-length: *(\d+)/im
const ANSWER = Buffer.from('HTTP/1.1 200 OK\r\nConnection: keep-alive\r\nContent-Length: 0\r\n\r\n')

/** Listens on each port, and answers 200 to everything. `onCallback` is given the last part of the path. */
export async function openCallbackServers(
  ports: readonly number[],
  onCallback: (id: string) => void,
): Promise<CallbackServers> {
  const servers = await Promise.all(ports.map((port) => listen(port, onCallback)))
  return {
    close: () => {
      for (const server of servers) server.close()
    },
  }
}

function listen(port: number, onCallback: (id: string) => void): Promise<Server> {
  const server = createServer({ noDelay: true }, (socket) => serve(socket, onCallback))
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', () => resolve(server))
  })
}

function serve(socket: Socket, onCallback: (id: string) => void): void {
  const read = createRequestReader((path) => {
    onCallback(path.slice(path.lastIndexOf('/') + 1))
    socket.write(ANSWER)
  })
  socket.on('data', read)
  socket.on('error', () => undefined)
}

/** Takes the bytes of a connection, however they are cut; calls back with the path of each request that has come whole. */
export function createRequestReader(onRequest: (path: string) => void): (bytes: Buffer) => void {
  let rest: Buffer | undefined
  return (bytes) => {
    let left = rest === undefined ? bytes : Buffer.concat([rest, bytes])
    for (;;) {
      const headEnd = left.indexOf(HEAD_END)
      if (headEnd < 0) break
      const head = left.toString('latin1', 0, headEnd)
      const end = headEnd + HEAD_END.length + Number(LENGTH_HEADER.exec(head)?.[1] ?? 0)
      if (left.length < end) break
      const [, path = ''] = head.split(' ', 2)
      left = left.subarray(end)
      onRequest(path)
    }
    rest = left.length === 0 ? undefined : left
  }
}
