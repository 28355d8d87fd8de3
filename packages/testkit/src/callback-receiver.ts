import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http'
import { type Answer, giveAnswer } from './answers.ts'
import type { TestLife } from './test-life.ts'
import { waitUntil } from './wait.ts'

export type { Answer } from './answers.ts'

/** A request as it came in, body and all. */
export interface ReceivedRequest {
  /** `performance.now()` when its headers had arrived. */
  readonly receivedAtMs: number
  readonly method: string
  /** Path and query. */
  readonly path: string
  readonly headers: IncomingHttpHeaders
  /** The body as UTF-8. */
  readonly body: string
  /** The body to the byte, for signatures. */
  readonly bodyBytes: Buffer
}

interface CallbackReceiverOptions {
  /** Decides what the n-th request gets, counted from 1. A number is a status with an empty body. By default always 200. */
  readonly answer?: (request: ReceivedRequest, n: number) => number | Answer | Promise<number | Answer>
}

/** A merchant's HTTP server that listens on 127.0.0.1 and remembers what it got. */
interface CallbackReceiver {
  /** For example `http://127.0.0.1:41234`. */
  readonly url: string
  readonly port: number
  /** In the order in which they were complete. */
  readonly requests: readonly ReceivedRequest[]
  /** The first `count` requests. Throws when fewer came within `timeoutMs`. */
  waitForCount(count: number, timeoutMs: number): Promise<readonly ReceivedRequest[]>
  /** Stops at once, cutting open connections. The end of the test does it, too. */
  close(): Promise<void>
}

const BODY_BYTES_MAX = 10_000_000

/** Starts a receiver; it is closed when the test ends. */
export async function callbackReceiver(
  t: TestLife,
  options: CallbackReceiverOptions = {},
): Promise<CallbackReceiver> {
  const requests: ReceivedRequest[] = []
  const answer = options.answer ?? (() => 200)
  const server = createServer((request, response) => {
    // A client that gives up in the middle is part of many tests, and shows on the client's side.
    serve(request, response, { requests, answer }).catch(() => response.destroy())
  })
  const port = await listen(server)
  const close = (): Promise<void> => closeServer(server)
  t.after(close)
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    requests,
    waitForCount: async (count, timeoutMs) => {
      await waitUntil(() => requests.length >= count, { timeoutMs, what: `${count} callbacks` }).catch(
        (error: unknown) => {
          throw new Error(
            `${error instanceof Error ? error.message : String(error)}; ${requests.length} came`,
          )
        },
      )
      return requests.slice(0, count)
    },
    close,
  }
}

interface Receiving {
  readonly requests: ReceivedRequest[]
  readonly answer: NonNullable<CallbackReceiverOptions['answer']>
}

async function serve(
  request: IncomingMessage,
  response: ServerResponse,
  receiving: Receiving,
): Promise<void> {
  const receivedAtMs = performance.now()
  const bodyBytes = await readBody(request)
  const received: ReceivedRequest = {
    receivedAtMs,
    method: request.method ?? '',
    path: request.url ?? '',
    headers: request.headers,
    body: bodyBytes.toString('utf8'),
    bodyBytes,
  }
  const n = receiving.requests.push(received)
  const answer = await receiving.answer(received, n)
  await giveAnswer(response, typeof answer === 'number' ? { kind: 'reply', status: answer } : answer)
}

async function readBody(request: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of request) {
    bytes += chunk.length
    if (bytes > BODY_BYTES_MAX) throw new Error(`the body has more than ${BODY_BYTES_MAX} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

function listen(server: Server): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      if (typeof address === 'object' && address !== null) resolve(address.port)
      else reject(new Error('the receiver has no port'))
    })
  })
}

function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve())
    server.closeAllConnections()
  })
}
