import { createServer, connect as dial, type Server, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { TestLife } from './test-life.ts'

/** What goes wrong with a message that holds `marker`. */
export interface MessageFault {
  /**
   * REQUEST_LOST: the server never sees it, and the client's connection is reset.
   * REPLY_LOST: the server sees it and does its work to the end; the client's connection is reset when the reply comes.
   * BLACK_HOLE: the server never sees it, and the client hears nothing more.
   */
  readonly kind: 'REQUEST_LOST' | 'REPLY_LOST' | 'BLACK_HOLE'
  /** Bytes of the client's message by which it is known, for PostgreSQL a statement's name or `commit`. */
  readonly marker: string
  /** To how many messages it happens; 1 by default. */
  readonly times?: number
}

/** A TCP proxy in front of a server, through which a test spoils connections. */
export interface FaultProxy {
  readonly port: number
  /** The server's URL with the proxy's address in it. */
  readonly url: string
  /** Spoils the next messages that hold the marker. Replaces what was planned before. */
  plan(fault: MessageFault): void
  /** How many messages have been spoiled since the start. */
  readonly faults: number
  /** Delays everything, in both directions; 0 again for none. */
  delay(ms: number): void
  /** Resets new connections while set. */
  refuse(isRefusing: boolean): void
  /** Resets every open connection. */
  cutAll(): void
  /** Stops at once. The end of the test does it, too. */
  close(): Promise<void>
}

interface Link {
  readonly client: Socket
  readonly server: Socket
  state: 'OPEN' | 'AWAITING_LOSS' | 'SILENT'
}

interface Proxy {
  readonly target: { readonly host: string; readonly port: number }
  readonly links: Set<Link>
  planned: MessageFault | undefined
  timesLeft: number
  faults: number
  delayMs: number
  isRefusing: boolean
}

/** Starts a proxy on 127.0.0.1 in front of the host and port of `serverUrl`; it is closed when the test ends. */
export async function faultProxy(t: TestLife, serverUrl: string): Promise<FaultProxy> {
  const url = new URL(serverUrl)
  const proxy: Proxy = {
    target: { host: url.hostname, port: Number(url.port) },
    links: new Set(),
    planned: undefined,
    timesLeft: 0,
    faults: 0,
    delayMs: 0,
    isRefusing: false,
  }
  const server = createServer((client) => accept(proxy, client))
  const port = await listen(server)
  url.hostname = '127.0.0.1'
  url.port = String(port)
  const close = (): Promise<void> => stop(server, proxy)
  t.after(close)
  return {
    port,
    url: url.href,
    plan(fault) {
      proxy.planned = fault
      proxy.timesLeft = fault.times ?? 1
    },
    get faults() {
      return proxy.faults
    },
    delay(ms) {
      proxy.delayMs = ms
    },
    refuse(isRefusing) {
      proxy.isRefusing = isRefusing
    },
    cutAll: () => cutAll(proxy),
    close,
  }
}

function accept(proxy: Proxy, client: Socket): void {
  if (proxy.isRefusing) {
    client.resetAndDestroy()
    return
  }
  const server = dial(proxy.target)
  const link: Link = { client, server, state: 'OPEN' }
  proxy.links.add(link)
  client.setNoDelay(true)
  server.setNoDelay(true)
  client.on('data', (bytes: Buffer) => fromClient(proxy, link, bytes))
  server.on('data', (bytes: Buffer) => fromServer(proxy, link, bytes))
  // A connection that ends on one side ends on the other; the server finishes what it has begun before it reads the end.
  client.on('close', () => server.end())
  server.on('close', () => {
    client.destroy()
    proxy.links.delete(link)
  })
  // The other side shows it; `close` follows.
  client.on('error', () => undefined)
  server.on('error', () => undefined)
}

function fromClient(proxy: Proxy, link: Link, bytes: Buffer): void {
  const fault = link.state === 'OPEN' ? takeFault(proxy, bytes) : undefined
  if (fault === 'REQUEST_LOST') {
    link.client.resetAndDestroy()
    return
  }
  if (fault === 'BLACK_HOLE') link.state = 'SILENT'
  if (fault === 'REPLY_LOST') link.state = 'AWAITING_LOSS'
  if (link.state !== 'SILENT') send(proxy, link.server, bytes)
}

function fromServer(proxy: Proxy, link: Link, bytes: Buffer): void {
  // What comes after the loss is read and thrown away, so that the server never waits for a reader.
  if (link.state === 'AWAITING_LOSS') link.client.resetAndDestroy()
  else if (link.state === 'OPEN') send(proxy, link.client, bytes)
}

function takeFault(proxy: Proxy, bytes: Buffer): MessageFault['kind'] | undefined {
  const { planned } = proxy
  if (planned === undefined || proxy.timesLeft === 0 || !bytes.includes(planned.marker)) return undefined
  proxy.timesLeft -= 1
  proxy.faults += 1
  return planned.kind
}

function send(proxy: Proxy, to: Socket, bytes: Buffer): void {
  const write = (): void => {
    if (to.writable) to.write(bytes)
  }
  if (proxy.delayMs === 0) write()
  else void sleep(proxy.delayMs).then(write)
}

function cutAll(proxy: Proxy): void {
  for (const link of proxy.links) {
    link.client.resetAndDestroy()
    link.server.destroy()
  }
}

function listen(server: Server): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      if (typeof address === 'object' && address !== null) resolve(address.port)
      else reject(new Error('the proxy has no port'))
    })
  })
}

function stop(server: Server, proxy: Proxy): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve())
    cutAll(proxy)
  })
}
