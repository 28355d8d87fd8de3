import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { parsed } from '../api.ts'
import { findSigner, type Signer } from '../callback-signature.ts'
import { CommandFailure } from '../failure.ts'
import type { Callback } from './callback.ts'
import { exactJson } from './exact-json.ts'
import { type Answer, exchange } from './exchange.ts'

// Between the shop and the gateway, in both directions. The shop calls the gateway through it, so that a case can lose or change an
// answer; the gateway sends its callbacks to it, so that a case can hand them on late, twice, or changed.

const HOST = '127.0.0.1'
const CALLBACK_PATH = '/certify/callbacks'
const BODY_BYTES_MAX = 256 * 1024
const REMEMBERED_MAX = 10_000
const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])(:\d+)?$/
const CREATE = /^\/payins\/([A-Za-z0-9_-]+)$/

/** A call of the shop to the gateway. */
export interface Call {
  readonly method: string
  readonly path: string
  readonly body: string
  /** Of the answer that the shop got: undefined until then, 0 where the connection was cut. */
  status: number | undefined
}

/** What becomes of a call: `pass` asks the gateway. Undefined cuts the connection. */
export type Meddler = (call: Call, pass: () => Promise<Answer>) => Promise<Answer | undefined>

/** What the shop asked the gateway to create. */
export interface Created {
  readonly id: string
  readonly callbackUrl: string
  readonly returnUrl: string
}

/** The server that stands between the two. */
export interface Relay {
  /** What the shop takes for the gateway's address. */
  readonly url: string
  /** Where the gateway sends callbacks. */
  readonly callbackUrl: string
  /** What the shop asked so far. */
  readonly calls: readonly Call[]
  /** Callbacks of the gateway so far. */
  readonly callbacks: readonly Callback[]
  /** Lets it meddle with the calls of the shop while the work lasts. */
  during<Result>(meddler: Meddler, work: () => Promise<Result>): Promise<Result>
  close(): void
}

interface Settings {
  readonly port: number
  readonly apiUrl: string
  /** Whose callbacks are taken. */
  readonly signer: Signer
}

/** Starts it on this machine only. */
export async function openRelay(settings: Settings): Promise<Relay> {
  const calls: Call[] = []
  const callbacks: Callback[] = []
  let meddler: Meddler = (_call, pass) => pass()
  const server = createServer((request, response) => {
    handle(request, response).catch(() => response.destroy())
  })
  const port = await listen(server, settings.port)
  const url = `http://${HOST}:${port}`
  const callbackUrl = `${url}${CALLBACK_PATH}`

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await readBody(request)
    const path = request.url ?? ''
    // A page in a browser must not reach it by a name that it has pointed here, and a path is all that we pass on.
    if (!LOOPBACK.test(request.headers.host ?? '') || !path.startsWith('/')) send(response, { status: 421 })
    else if (path === CALLBACK_PATH) send(response, { status: keep(request, body) ? 200 : 400 })
    else await passOn(request, body, response)
  }

  function keep({ headers }: IncomingMessage, body: Buffer): boolean {
    if (findSigner(headers, body, [settings.signer]) === undefined) return false
    const texts = Object.entries(headers).filter(([name]) => IS_OF_CALLBACK.test(name))
    callbacks.push({
      headers: Object.fromEntries(texts.map(([name, value]) => [name, String(value)])),
      body: body.toString('utf8'),
    })
    return true
  }

  async function passOn(
    request: IncomingMessage,
    body: Buffer<ArrayBuffer>,
    response: ServerResponse,
  ): Promise<void> {
    const call: Call = {
      method: request.method ?? '',
      path: request.url ?? '',
      status: undefined,
      body: body.toString('utf8'),
    }
    if (calls.length < REMEMBERED_MAX) calls.push(call)
    const sent = createdBy(call) === undefined ? body : redirected(call.body, callbackUrl)
    const answer = await meddler(call, () => ask(`${settings.apiUrl}${call.path}`, request, sent))
    call.status = answer?.status ?? 0
    if (answer === undefined) response.destroy()
    else send(response, answer)
  }

  return {
    url,
    callbackUrl,
    calls,
    callbacks,
    async during(next, work) {
      const before = meddler
      meddler = next
      try {
        return await work()
      } finally {
        meddler = before
      }
    },
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}

const IS_OF_CALLBACK = /^(webhook-.*|content-type|user-agent|x-api-version)$/

/** What a call creates; undefined for every other call. */
export function createdBy({ method, path, body }: Call): Created | undefined {
  const [, id] = CREATE.exec(path) ?? []
  const wish = method === 'POST' && id !== undefined ? parsed(body) : undefined
  if (id === undefined || typeof wish !== 'object' || wish === null) return undefined
  const textOf = (name: string): string => {
    const value: unknown = Reflect.get(wish, name)
    return typeof value === 'string' ? value : ''
  }
  return { id, callbackUrl: textOf('callbackUrl'), returnUrl: textOf('returnUrl') }
}

/** The same body with another callbackUrl. */
function redirected(body: string, callbackUrl: string): Buffer<ArrayBuffer> {
  const wish = exactJson(body)
  return Buffer.from(JSON.stringify(typeof wish === 'object' ? { ...wish, callbackUrl } : wish))
}

const NOT_PASSED = new Set([
  'host',
  'connection',
  'keep-alive',
  'transfer-encoding',
  'content-length',
  'content-encoding',
  'accept-encoding',
  'upgrade',
  'expect',
  'te',
  'trailer',
  'proxy-authorization',
  'proxy-connection',
])
const TOO_MANY = 429
const TRIES_MAX = 10
const PAUSE_MS = 300

/** Asks the gateway as the shop asked. Its limit on requests is waited for: how fast cases follow each other is not the shop's doing. */
async function ask(url: string, request: IncomingMessage, body: Buffer<ArrayBuffer>): Promise<Answer> {
  const headers = Object.entries(request.headers).filter(([name]) => !NOT_PASSED.has(name))
  const method = request.method ?? 'GET'
  const asked = {
    method,
    headers: headers.map(([name, value]): [string, string] => [name, String(value)]),
    ...(body.length > 0 && { body }),
  }
  for (let tries = 1; ; tries += 1) {
    const answer = await exchange(url, asked)
    if (answer.status !== TOO_MANY || tries === TRIES_MAX) return answer
    await sleep(PAUSE_MS)
  }
}

function send(response: ServerResponse, answer: { readonly status: number } | Answer): void {
  if (!('headers' in answer)) {
    response.writeHead(answer.status).end()
    return
  }
  const headers = [...answer.headers].filter(([name]) => !NOT_PASSED.has(name))
  response.writeHead(answer.status, Object.fromEntries(headers)).end(answer.body)
}

async function readBody(request: AsyncIterable<Buffer>): Promise<Buffer<ArrayBuffer>> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of request) {
    bytes += chunk.length
    if (bytes > BODY_BYTES_MAX) throw new Error(`its body has more than ${BODY_BYTES_MAX} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const isTaken = error.code === 'EADDRINUSE'
      const says = `Port ${port} is taken by another program. Name another with --port, and give it to your shop.`
      reject(isTaken ? new CommandFailure('CONFLICT', says) : error)
    })
    server.listen(port, HOST, () => {
      const address = server.address()
      resolve(typeof address === 'object' && address !== null ? address.port : port)
    })
  })
}
