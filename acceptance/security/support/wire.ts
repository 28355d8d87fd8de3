import { connect, createServer, type Socket } from 'node:net'
import type { TestLife } from '@tollgate/testkit'

interface Exchange {
  /** Everything that came back. */
  readonly text: string
  /** The status of each answer in it. */
  readonly statuses: readonly number[]
  /** Whether the gateway closed the connection. */
  readonly closed: boolean
}

/** Sends bytes as they are and reads until the gateway closes the connection, at most for `timeoutMs`. */
export function exchange(port: number, bytes: string | Uint8Array, timeoutMs = 3_000): Promise<Exchange> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = []
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
    const finish = (closed: boolean): void => {
      clearTimeout(timer)
      socket.destroy()
      const text = Buffer.concat(chunks).toString('latin1')
      const statuses = [...text.matchAll(/^HTTP\/1\.1 (\d{3}) /gm)].map((match) => Number(match[1]))
      resolve({ text, statuses, closed })
    }
    const timer = setTimeout(() => finish(false), timeoutMs)
    socket.on('data', (chunk) => chunks.push(chunk))
    socket.once('end', () => finish(true))
    socket.once('close', () => finish(true))
    socket.on('error', () => undefined)
    socket.write(bytes)
  })
}

/** A request with the usual headers, its target as given, on a connection that ends with it. */
export function request(
  line: string,
  options: { readonly token?: string; readonly headers?: readonly string[]; readonly body?: string } = {},
): Buffer {
  const { token, headers = [], body = '' } = options
  const lines = [
    `${line} HTTP/1.1`,
    'Host: gateway.test',
    'X-API-Version: 2',
    ...(token === undefined ? [] : [`Authorization: Bearer ${token}`]),
    ...(body === '' ? [] : ['Content-Type: application/json', `Content-Length: ${Buffer.byteLength(body)}`]),
    ...headers,
    'Connection: close',
  ]
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n${body}`, 'utf8')
}

interface LossyProxy {
  readonly port: number
  /** While true, what the server answers is thrown away and the connection cut as soon as it answers. */
  dropAnswers: boolean
}

/** A TCP proxy in front of a port that can lose answers: the request arrives, the answer does not. */
export async function lossyProxy(t: TestLife, targetPort: number): Promise<LossyProxy> {
  const sockets = new Set<Socket>()
  const server = createServer((client) => {
    const target = connect(targetPort, '127.0.0.1')
    for (const socket of [client, target]) {
      sockets.add(socket)
      socket.on('error', () => undefined)
      socket.once('close', () => {
        client.destroy()
        target.destroy()
        sockets.delete(socket)
      })
    }
    client.pipe(target)
    target.on('data', (chunk) => {
      if (proxy.dropAnswers) client.resetAndDestroy()
      else client.write(chunk)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the proxy has no port')
  const proxy: LossyProxy = { port: address.port, dropAnswers: false }
  t.after(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return proxy
}
