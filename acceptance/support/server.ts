import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { TestLife } from '@tollgate/testkit'

/** A server of the test on this machine; resolves to its address, and ends with the test. */
export async function openServer(t: TestLife, listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    server.close()
    server.closeAllConnections()
  })
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('the server has no port')
  return `http://127.0.0.1:${address.port}`
}
