import { createServer, connect as dial, type Server } from 'node:net'
import { freePort } from '@tollgate/testkit'
import { API_VERSION, type Demo, issueToken, startGateway } from '../../rig/gateway.ts'
import { callHttp } from '../../rig/programs.ts'
import type { DurableServer } from '../../rig/server.ts'
import { createWireReader, type SeenStatement } from './wire.ts'

/** What the gateway does in the database for one request alone, seen twice: what differs belongs to the request. */
export interface CapturedStatement {
  readonly text: string
  readonly first: readonly (string | null)[]
  readonly second: readonly (string | null)[]
}

interface CaptureRequest {
  readonly path: (id: string) => string
  readonly body: unknown
}

const INSERTS_PAYMENTS = /insert into payments\b/i

/**
 * Starts a gateway whose way to the database can be read, sends each request twice, and returns the statement by which it
 * accepts each: pgbench then runs the very text that the product runs, which cannot drift from it.
 */
export async function captureStatements(
  server: DurableServer,
  demo: Demo,
  requests: readonly CaptureRequest[],
): Promise<readonly CapturedStatement[]> {
  const seen: SeenStatement[] = []
  const proxy = await startProxy(server.url, (statement) => seen.push(statement))
  const gateway = await startGateway({ ...server, url: proxy.url })
  try {
    const token = await issueToken(gateway.port, demo)
    const captured: CapturedStatement[] = []
    for (const [index, request] of requests.entries()) {
      const statements: SeenStatement[] = []
      for (const turn of ['first', 'second']) {
        seen.length = 0
        await create(gateway.port, token, request, `capture-${index}-${turn}`)
        const found = seen.filter(({ text }) => INSERTS_PAYMENTS.test(text))
        if (found.length !== 1) throw new Error(`${found.length} statements accept a payment, not one`)
        statements.push(...found)
      }
      const [first, second] = statements
      if (first === undefined || second?.text !== first.text)
        throw new Error('two creates did not run the same statement')
      captured.push({ text: first.text, first: first.values, second: second.values })
    }
    return captured
  } finally {
    await gateway.stop()
    await proxy.stop()
  }
}

async function create(port: number, token: string, request: CaptureRequest, id: string): Promise<void> {
  const { status, text } = await callHttp({
    port,
    method: 'POST',
    path: request.path(id),
    headers: {
      'X-API-Version': API_VERSION,
      'Content-Type': 'application/json',
      Authorization: `Bearer ${token}`,
    },
    body: JSON.stringify(request.body),
  })
  if (status !== 201) throw new Error(`${request.path(id)}: ${String(status)} ${text}`)
}

/** A way to the database that can be read along. */
interface Proxy {
  readonly url: string
  stop(): Promise<void>
}

export async function startProxy(
  serverUrl: string,
  onStatement: (statement: SeenStatement) => void,
): Promise<Proxy> {
  const target = new URL(serverUrl)
  const server = createServer((client) => {
    const upstream = dial({ host: target.hostname, port: Number(target.port) })
    const read = createWireReader(onStatement)
    client.on('data', (bytes: Buffer) => {
      read(bytes)
      upstream.write(bytes)
    })
    upstream.pipe(client)
    for (const socket of [client, upstream]) {
      socket.on('error', () => undefined)
      socket.on('close', () => {
        client.destroy()
        upstream.destroy()
      })
    }
  })
  const port = await freePort()
  await listen(server, port)
  const url = new URL(serverUrl)
  url.hostname = '127.0.0.1'
  url.port = String(port)
  return { url: url.href, stop: () => close(server) }
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', resolve)
  })
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve())
  })
}
