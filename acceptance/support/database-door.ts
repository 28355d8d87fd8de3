import { createServer, connect as dial, type Server, type Socket } from 'node:net'
import type { TestLife } from '@tollgate/testkit'

/** A way to a database that can be shut, as when its machine is gone. */
interface DatabaseDoor {
  /** The database's address by way of the door. */
  readonly url: string
  /** Cuts every connection and refuses new ones. */
  shut(): Promise<void>
  /** Lets connections through again. */
  open(): Promise<void>
}

/** A door before the database, open at first. */
export async function databaseDoor(t: TestLife, databaseUrl: string): Promise<DatabaseDoor> {
  const target = new URL(databaseUrl)
  const sockets = new Set<Socket>()
  const server = createServer((client) => {
    const database = dial(Number(target.port), target.hostname)
    for (const [socket, other] of [
      [client, database],
      [database, client],
    ] as const) {
      sockets.add(socket)
      socket.on('error', () => other.destroy())
      socket.on('close', () => {
        sockets.delete(socket)
        other.destroy()
      })
      socket.pipe(other)
    }
  })
  const shut = async (): Promise<void> => {
    if (!server.listening) return
    const closed = new Promise<void>((resolve) => server.close(() => resolve()))
    for (const socket of sockets) socket.destroy()
    await closed
  }
  const port = await listen(server, 0)
  t.after(shut)
  const url = new URL(databaseUrl)
  url.hostname = '127.0.0.1'
  url.port = String(port)
  return {
    url: url.href,
    shut,
    open: async () => {
      await listen(server, port)
    },
  }
}

function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', () => {
      const address = server.address()
      if (typeof address === 'object' && address !== null) resolve(address.port)
      else reject(new Error('the door has no port'))
    })
  })
}
