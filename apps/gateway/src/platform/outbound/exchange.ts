import type { Socket } from 'node:net'
import { type buildConnector, Client, type Dispatcher } from 'undici'
import { orAborted } from './abort.ts'
import { failureOf, OutboundFailure, plainFailure } from './failure.ts'
import { createInterimFilter } from './interim.ts'

const KIB = 1024
/** The most that the headers of an answer may take, in bytes. */
export const HEADER_BYTES_MAX = 16 * KIB
/** How long the body is read after the headers came, in milliseconds; the deadline of the attempt goes first. */
export const BODY_WAIT_MS = 1_000
// Interim answers (1xx) may be sent without end, and so may the reason after a status; neither counts as headers.
const WIRE_BYTES_MAX = 256 * KIB
/**
 * How long a connection waits for another request, well below what servers wait: one that closes it just when a request comes
 * makes that attempt fail. Less where the receiver says so, by the margin for what is on its way.
 */
const IDLE_MS = 2_000
const IDLE_MARGIN_MS = 1_000

/** One request over an open connection. The signal's reason is the failure that an abort ends in. */
export interface ExchangeOrder {
  readonly method: 'GET' | 'POST' | 'PUT'
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly bodyBytesMax: number
  readonly signal: AbortSignal
}

/** What came back: the status, its headers, and the start of the body as text. */
export interface Answer {
  readonly status: number
  /** Names in lower case; of a header that came several times nothing is kept, since nobody knows which one counts. */
  readonly headers: Readonly<Record<string, string>>
  readonly bodyStart: string
}

/** HTTP/1.1 over one open connection. */
export interface Wire {
  /**
   * Sends one request and reads the answer's status, then the start of its body for at most one second. Redirects
   * are not followed, content is not decompressed, and whatever happens after the status line changes nothing.
   *
   * @throws OutboundFailure when no status came.
   */
  exchange(order: ExchangeOrder): Promise<Answer>
  /** Whether the last answer came whole, and the other side said that it takes another request. */
  isOpen(): boolean
  /** Is called once, when the connection ends by itself. */
  onEnd(listener: () => void): void
  destroy(): void
}

/**
 * Speaks HTTP over a connection to the URL's origin: for one request, unless `isKept`. The caller destroys it, and with it the
 * socket.
 */
export function createWire(url: URL, socket: Socket, isKept: boolean): Wire {
  const client = new Client(url.origin, {
    connect: handOver(socket),
    allowH2: false,
    maxHeaderSize: HEADER_BYTES_MAX,
    // Both restart with every byte, so a dripping receiver never meets them. The signal is the one limit.
    headersTimeout: 0,
    bodyTimeout: 0,
    // A receiver that says how long it keeps a connection is believed, up to so long.
    keepAliveTimeout: IDLE_MS,
    keepAliveMaxTimeout: IDLE_MS,
    keepAliveTimeoutThreshold: IDLE_MARGIN_MS,
  })
  const limit = limitBytes(client, socket)
  let isGoingOn = false
  return {
    async exchange(order) {
      isGoingOn = false
      limit.restart()
      try {
        const asking = client.request({
          method: order.method,
          path: `${order.url.pathname}${order.url.search}`,
          headers: order.headers,
          body: order.method === 'GET' ? null : order.body,
          signal: order.signal,
          reset: !isKept,
          highWaterMark: order.bodyBytesMax,
        })
        // undici looks at the signal only once it has begun to send; the deadline is ours to keep.
        const answer = await orAborted(asking, order.signal)
        const body = await readStart(answer.body, order.bodyBytesMax)
        const headers = singleHeaders(answer.headers)
        isGoingOn = isKept && body.isWhole && saysKeepAlive(headers)
        return { status: answer.statusCode, headers, bodyStart: body.text }
      } catch (error) {
        throw failureOf(error, 'exchange')
      }
    },
    isOpen: () => isGoingOn && !socket.destroyed && socket.writable && !client.closed && !client.destroyed,
    onEnd: (listener) => void socket.once('close', listener),
    destroy() {
      socket.destroy()
      client.destroy(() => {})
    },
  }
}

/**
 * By HTTP/1.1 a connection stays open unless the answer says otherwise. Not every server says so before it closes, and a request
 * that meets the end is lost: only the ones that promise it are believed.
 */
const saysKeepAlive = ({ connection = '' }: Readonly<Record<string, string>>): boolean =>
  connection
    .toLowerCase()
    .split(',')
    .some((word) => word.trim() === 'keep-alive')

function singleHeaders(headers: Dispatcher.ResponseData['headers']): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).filter((header): header is [string, string] => typeof header[1] === 'string'),
  )
}

/** Gives undici our connection, once: a second one would go to an address that nobody has judged. */
function handOver(socket: Socket): buildConnector.connector {
  let isGiven = false
  return (_options, callback) => {
    if (isGiven || socket.destroyed) return callback(plainFailure('reset'), null)
    isGiven = true
    // Later, since undici does not send a request whose connection is there before it has begun to wait for it.
    queueMicrotask(() => callback(null, socket))
  }
}

/** Destroys the socket when the other side sends more than any honest answer takes, and lets the parser read answers that are final. */
function limitBytes(client: Client, socket: Socket): { restart(): void } {
  let startedAt = 0
  const interim = createInterimFilter(socket, HEADER_BYTES_MAX)
  // First in line, so that it is asked before the parser reads.
  client.once('connect', () =>
    socket.prependListener('readable', () => {
      if (socket.bytesRead - startedAt <= WIRE_BYTES_MAX) return interim.onReadable()
      socket.destroy(new OutboundFailure('protocol', 'The other side sent too much before an answer.'))
    }),
  )
  return {
    restart() {
      startedAt = socket.bytesRead
      interim.restart()
    },
  }
}

interface BodyStart {
  readonly text: string
  /** It ended, and nothing of it was left unread. */
  readonly isWhole: boolean
}

async function readStart(body: Dispatcher.ResponseData['body'], bytesMax: number): Promise<BodyStart> {
  // A body that breaks off, or that we break off, is no failure: the status has been read.
  body.on('error', () => {})
  const timer = setTimeout(() => body.destroy(), BODY_WAIT_MS)
  const chunks: Buffer[] = []
  let sizeBytes = 0
  try {
    for await (const chunk of body) {
      if (!Buffer.isBuffer(chunk)) continue
      chunks.push(chunk)
      sizeBytes += chunk.length
      if (sizeBytes >= bytesMax) break
    }
  } catch {
    // As above.
  } finally {
    clearTimeout(timer)
  }
  return { text: textOf(Buffer.concat(chunks).subarray(0, bytesMax)), isWhole: body.readableEnded }
}

function textOf(bytes: Buffer): string {
  // Streaming, so that a character cut in two at the end is left out.
  const text = new TextDecoder().decode(bytes, { stream: true })
  // Control characters have no business in a log or on a screen, and PostgreSQL takes no NUL in a text.
  return text.replace(/[^\P{Cc}\t\r\n]/gu, '\uFFFD')
}
