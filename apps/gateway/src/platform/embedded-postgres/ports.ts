import { createServer } from 'node:net'

export const HOST = '127.0.0.1'

/** A port nobody listens on: `preferred` when it is free, else any. Another program may take it before you do. */
export async function choosePort(preferred: number | undefined): Promise<number> {
  if (preferred !== undefined && (await tryListen(preferred)) !== undefined) return preferred
  const port = await tryListen(0)
  if (port === undefined) throw new Error(`no port of ${HOST} is free`)
  return port
}

/** Listens for a moment; the port it got, or undefined when it is taken. */
function tryListen(port: number): Promise<number | undefined> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(undefined))
    server.listen(port, HOST, () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : undefined))
    })
  })
}
