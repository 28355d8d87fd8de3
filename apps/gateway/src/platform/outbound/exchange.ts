import type { Socket } from 'node:net'
import { type buildConnector, Client, type Dispatcher } from 'undici'
import { orAborted } from './abort.ts'
import { failureOf, OutboundFailure, plainFailure } from './failure.ts'

const KIB = 1024
/** The most that the headers of an answer may take, in bytes. */
export const HEADER_BYTES_MAX = 16 * KIB
/** How long the body is read after the headers came, in milliseconds; the deadline of the attempt goes first. */
export const BODY_WAIT_MS = 1_000
// Interim answers (1xx) may be sent without end, and so may the reason after a status; neither counts as headers.
const WIRE_BYTES_MAX = 256 * KIB

/** One request over an open connection. The signal's reason is the failure that an abort ends in. */
export interface ExchangeOrder {
  readonly method: 'GET' | 'POST' | 'PUT'
  readonly url: URL
  readonly socket: Socket
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

/**
 * Sends one request and reads the answer's status, then the start of its body for at most one second. Redirects
 * are not followed, content is not decompressed, and whatever happens after the status line changes nothing.
 * The connection is destroyed in any case.
 *
 * @throws OutboundFailure when no status came.
 */
export async function exchange(order: ExchangeOrder): Promise<Answer> {
  const { url, socket } = order
  const client = new Client(url.origin, {
    connect: handOver(socket),
    allowH2: false,
    maxHeaderSize: HEADER_BYTES_MAX,
    // Both restart with every byte, so a dripping receiver never meets them. The signal is the one limit.
    headersTimeout: 0,
    bodyTimeout: 0,
  })
  client.once('connect', () => limitBytes(socket))
  try {
    const asking = client.request({
      method: order.method,
      path: `${url.pathname}${url.search}`,
      headers: order.headers,
      body: order.method === 'GET' ? null : order.body,
      signal: order.signal,
      reset: true,
      highWaterMark: order.bodyBytesMax,
    })
    // undici looks at the signal only once it has begun to send; the deadline is ours to keep.
    const answer = await orAborted(asking, order.signal)
    return {
      status: answer.statusCode,
      headers: singleHeaders(answer.headers),
      bodyStart: await readStart(answer.body, order.bodyBytesMax),
    }
  } catch (error) {
    throw failureOf(error, 'exchange')
  } finally {
    socket.destroy()
    client.destroy(() => {})
  }
}

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

/** Destroys the socket when the other side sends more than any honest answer takes. */
function limitBytes(socket: Socket): void {
  // First in line, so that it is asked before the parser reads.
  socket.prependListener('readable', () => {
    if (socket.bytesRead <= WIRE_BYTES_MAX) return
    socket.destroy(new OutboundFailure('protocol', 'The other side sent too much before an answer.'))
  })
}

async function readStart(body: Dispatcher.ResponseData['body'], bytesMax: number): Promise<string> {
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
  return textOf(Buffer.concat(chunks).subarray(0, bytesMax))
}

function textOf(bytes: Buffer): string {
  // Streaming, so that a character cut in two at the end is left out.
  const text = new TextDecoder().decode(bytes, { stream: true })
  // Control characters have no business in a log or on a screen, and PostgreSQL takes no NUL in a text.
  return text.replace(/[^\P{Cc}\t\r\n]/gu, '\uFFFD')
}
