import { createServer, type Server, type Socket } from 'node:net'
import type { TestContext } from 'node:test'
import type { OutboundRequest } from '../client.ts'
import type { TargetPolicy } from '../target.ts'

/** A listener that counts, on one loopback address. */
export interface Receiver {
  readonly port: number
  readonly url: string
  /** Connections accepted since the start. */
  accepted(): number
  /** Connections open now. */
  open(): number
  /** Everything received, over all connections. */
  received(): string
}

/** Starts a raw TCP receiver that lives as long as the test; `onSocket` says how it treats who connects. */
export async function receiver(
  t: TestContext,
  onSocket: (socket: Socket) => void,
  place: { readonly host?: string; readonly port?: number } = {},
): Promise<Receiver> {
  const sockets = new Set<Socket>()
  const host = place.host ?? '127.0.0.1'
  let accepted = 0
  let received = ''
  const server = createServer((socket) => {
    accepted += 1
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', () => {})
    socket.on('data', (chunk) => {
      received += chunk.toString('latin1')
    })
    onSocket(socket)
  })
  await listen(server, host, place.port ?? 0)
  t.after(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  const port = portOf(server)
  const url = `http://${host}:${port}/callback?a=1`
  return { port, url, accepted: () => accepted, open: () => sockets.size, received: () => received }
}

/** Starts listening; rejects when the address cannot be had. */
export function listen(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, resolve)
  })
}

export function portOf(server: Server): number {
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the server does not listen')
  return address.port
}

/** A receiver's behaviour: answers every connection's first bytes with this text, then ends. */
export function answering(text: string): (socket: Socket) => void {
  return (socket) => socket.once('data', () => socket.end(text))
}

/** A receiver's behaviour: after the first bytes, sends `first`, then `next` every few milliseconds for ever. */
export function dripping(first: string, next: string, everyMs = 20): (socket: Socket) => void {
  return (socket) =>
    socket.once('data', () => {
      socket.write(first)
      const timer = setInterval(() => socket.write(next), everyMs)
      socket.on('close', () => clearInterval(timer))
    })
}

/** A receiver's behaviour: after the first bytes, sends `first`, then `next` as fast as it is read. */
export function flooding(first: string, next: string): (socket: Socket) => void {
  return (socket) =>
    socket.once('data', () => {
      socket.write(first)
      const pour = () => {
        while (!socket.destroyed && socket.write(next)) {
          // Until the socket's buffer is full.
        }
      }
      socket.on('drain', pour)
      pour()
    })
}

/** Everything on 127.0.0.1 may be called, nothing else on this machine. */
export const LOOPBACK_OPEN: TargetPolicy = {
  httpsOnly: false,
  portsAllowed: 'any',
  allowPrivate: false,
  allowedCidrs: ['127.0.0.1/32'],
}

/** The sandbox's policy without any opening. */
export const NOTHING_OPEN: TargetPolicy = { httpsOnly: false, portsAllowed: 'any', allowPrivate: false }

/** A request as a callback's: over a connection that may be kept. */
export function requestTo(url: string, deadlineMs = 5_000): OutboundRequest {
  return {
    url,
    headers: { 'content-type': 'application/json', 'x-api-version': '2' },
    body: '{"idEntity":"order-1"}',
    mayReuse: true,
    deadlineMs,
  }
}
