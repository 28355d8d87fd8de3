import { createServer, connect as dial, type Server, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { TestLife } from './test-life.ts'

/** What goes wrong with a message that holds `marker`. */
export interface MessageFault {
  /**
   * REQUEST_LOST: the server never sees it, and the client's connection is reset.
   * REPLY_LOST: the server sees it and does its work to the end; the client's connection is reset when the reply comes.
   * REPLY_HELD: the server sees it; its reply, and what it says after that, waits for `letGo`.
   * BLACK_HOLE: the server never sees it, and the client hears nothing more.
   */
  readonly kind: 'REQUEST_LOST' | 'REPLY_LOST' | 'REPLY_HELD' | 'BLACK_HOLE'
  /** Bytes of the client's message by which it is known, for PostgreSQL a statement's name or `commit`. */
  readonly marker: string
  /** Bytes of the reply without which it is not lost but passed on, and another message is waited for; for REPLY_LOST. */
  readonly replyMarker?: string
  /** To how many messages it happens; 1 by default. */
  readonly times?: number
  /** Called the moment it happens, before the client can know. */
  readonly onFault?: () => void
}

/** A TCP proxy in front of a server, through which a test spoils connections. */
export interface FaultProxy {
  readonly port: number
  /** The server's URL with the proxy's address in it. */
  readonly url: string
  /** Spoils the next messages that hold the marker. Replaces what was planned before. */
  plan(fault: MessageFault): void
  /** Passes on the replies that are held. */
  letGo(): void
  /** How many messages have been spoiled since the start. */
  readonly faults: number
  /** Delays everything, in both directions; 0 again for none. */
  delay(ms: number): void
  /** Leads new connections to the host and port of another server. */
  repoint(serverUrl: string): void
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
  state: 'OPEN' | 'SILENT'
  /** The fault that befalls the next reply. */
  replyFault: MessageFault | undefined
  /** Replies that wait. */
  held: Buffer[]
}

interface Target {
  readonly host: string
  readonly port: number
}

interface Proxy {
  target: Target
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
    target: targetOf(url),
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
    letGo() {
      for (const link of proxy.links) {
        if (link.held.length === 0) continue
        link.replyFault = undefined
        for (const bytes of link.held.splice(0)) send(proxy, link.client, bytes)
      }
    },
    get faults() {
      return proxy.faults
    },
    delay(ms) {
      proxy.delayMs = ms
    },
    repoint(to) {
      proxy.target = targetOf(new URL(to))
    },
    refuse(isRefusing) {
      proxy.isRefusing = isRefusing
    },
    cutAll: () => cutAll(proxy),
    close,
  }
}

const targetOf = ({ hostname, port }: URL): Target => ({ host: hostname, port: Number(port) })

function accept(proxy: Proxy, client: Socket): void {
  if (proxy.isRefusing) {
    client.resetAndDestroy()
    return
  }
  const server = dial(proxy.target)
  const link: Link = { client, server, state: 'OPEN', replyFault: undefined, held: [] }
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
  const isFree = link.state === 'OPEN' && link.replyFault === undefined
  const fault = isFree ? takeFault(proxy, bytes) : undefined
  if (fault !== undefined) begin(proxy, link, fault)
  if (link.state === 'OPEN') send(proxy, link.server, bytes)
}

function begin(proxy: Proxy, link: Link, fault: MessageFault): void {
  if (fault.kind === 'REPLY_LOST' || fault.kind === 'REPLY_HELD') {
    link.replyFault = fault
    return
  }
  happen(proxy, fault)
  link.state = 'SILENT'
  if (fault.kind === 'REQUEST_LOST') link.client.resetAndDestroy()
}

function fromServer(proxy: Proxy, link: Link, bytes: Buffer): void {
  if (link.state === 'SILENT') return
  const fault = link.replyFault
  if (fault === undefined) {
    send(proxy, link.client, bytes)
    return
  }
  if (fault.kind === 'REPLY_HELD') {
    if (link.held.push(bytes) === 1) happen(proxy, fault)
    return
  }
  // What comes after the loss is read and thrown away, so that the server never waits for a reader.
  if (link.client.destroyed) return
  if (fault.replyMarker === undefined || bytes.includes(fault.replyMarker)) {
    happen(proxy, fault)
    link.client.resetAndDestroy()
    return
  }
  link.replyFault = undefined
  if (proxy.planned === fault) proxy.timesLeft += 1
  send(proxy, link.client, bytes)
}

function takeFault(proxy: Proxy, bytes: Buffer): MessageFault | undefined {
  const { planned } = proxy
  if (planned === undefined || proxy.timesLeft === 0 || !bytes.includes(planned.marker)) return undefined
  proxy.timesLeft -= 1
  return planned
}

function happen(proxy: Proxy, fault: MessageFault): void {
  proxy.faults += 1
  fault.onFault?.()
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
