import { generateKeyPairSync, verify } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestContext } from 'node:test'
import { createGateway, type Gateway, type GatewayOptions } from '../src/index.ts'
import { member, parseLossless, textMember } from '../src/json.ts'

export const MERCHANT_KEYS = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
})

/** What goes wrong with a request that carries a token; `lost`: it is processed, but the answer never arrives. */
type Fault = 'lost' | { readonly status: number; readonly retryAfter?: string; readonly code?: string }

interface Seen {
  readonly method: string
  readonly path: string
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

interface Reply {
  readonly status: number
  readonly body?: string
  readonly headers?: Record<string, string>
}

/** A gateway in memory: it checks signatures and tokens, keeps what is created, and fails on request. */
class FakeGateway {
  readonly seen: Seen[] = []
  readonly faults: Fault[] = []
  /** Answers of routes that the fake knows nothing about, by method and path. */
  readonly replies = new Map<string, Reply>()
  readonly slept: number[] = []
  nowMs = 1_795_255_200_000
  readonly #tokens = new Map<string, readonly RegExp[]>()
  readonly #stored = new Map<string, string>()

  sent(path: string): Seen[] {
    return this.seen.filter((request) => request.path === path)
  }

  revokeTokens(): void {
    this.#tokens.clear()
  }

  client(baseUrl: string, options: Partial<GatewayOptions> = {}): Gateway {
    return createGateway({
      baseUrl,
      merchantCode: 'DEMO',
      privateKey: MERCHANT_KEYS.privateKey,
      nowMs: () => this.nowMs,
      sleep: async (ms) => void this.slept.push(ms),
      ...options,
    })
  }

  async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let body = ''
    for await (const chunk of request.setEncoding('utf8')) body += String(chunk)
    const { method = '', url = '', headers } = request
    const seen = { method, path: url, headers, body }
    this.seen.push(seen)
    const fault = url.startsWith('/auth-tokens') ? undefined : this.faults.shift()
    const reply = fault === undefined || fault === 'lost' ? this.#answer(seen) : faulty(fault)
    if (fault === 'lost') {
      request.socket.destroy()
      return
    }
    response.writeHead(reply.status, { 'Content-Type': 'application/json', ...reply.headers }).end(reply.body)
  }

  #answer(seen: Seen): Reply {
    if (seen.headers['x-api-version'] !== '2') return error(404, 'API_VERSION_UNSUPPORTED')
    if (seen.path.startsWith('/auth-tokens')) return this.#issueToken(seen)
    const scope = this.#tokens.get(seen.headers.authorization ?? '')
    if (scope === undefined) return error(401, 'TOKEN_INVALID')
    const reply = this.replies.get(`${seen.method} ${seen.path}`)
    const line = `${seen.method} ${seen.path.split('?')[0] ?? ''}`
    if (!scope.some((operation) => operation.test(line))) return error(403, 'OPERATION_NOT_PERMITTED')
    return reply ?? this.#entity(seen)
  }

  #issueToken({ headers, body }: Seen): Reply {
    const signature = Buffer.from(String(headers['x-signature'] ?? ''), 'base64')
    const isSigned = verify('sha256', Buffer.from(body), MERCHANT_KEYS.publicKey, signature)
    const request = parseLossless(body)
    if (!isSigned && textMember(request, 'secret') !== 'open sesame') return error(401, 'CREDENTIALS_INVALID')
    const token = `token-${String(this.#tokens.size + 1)}-${String(member(request, 'timestamp'))}`
    const operations = member(request, 'operations')
    const texts = Array.isArray(operations) ? operations.map(String) : ['GET /payins/.*']
    this.#tokens.set(
      `Bearer ${token}`,
      texts.map((text) => new RegExp(`^${text}$`)),
    )
    return { status: 200, body: JSON.stringify({ token }) }
  }

  #entity({ method, path, body }: Seen): Reply {
    const stored = this.#stored.get(path)
    if (method === 'GET') return stored === undefined ? error(410, 'ENTITY_NOT_FOUND') : detail(path, stored)
    if (stored !== undefined)
      return error(409, 'ENTITY_DUPLICATED', { duplicate: stored === body ? 'IDENTICAL' : 'DIFFERENT' })
    this.#stored.set(path, body)
    return { ...accepted(path, body), status: 201 }
  }
}

/** Starts a fake for one test. */
export async function startFake(t: TestContext): Promise<{ fake: FakeGateway; baseUrl: string }> {
  const fake = new FakeGateway()
  const server = createServer((request, response) => void fake.handle(request, response))
  const baseUrl = await listening(t, server)
  return { fake, baseUrl }
}

/** Listens on a free port until the test ends. */
export async function listening(t: TestContext, server: ReturnType<typeof createServer>): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  const address: AddressInfo | string | null = server.address()
  if (address === null || typeof address === 'string') throw new Error('not a TCP server')
  return `http://127.0.0.1:${String(address.port)}`
}

const ID_MEMBERS: Readonly<Record<string, string>> = {
  payins: 'idPayin',
  payouts: 'idPayout',
  topups: 'idTopUp',
}

/** The 201: of a top-up it says `topUpRequested`, where the detail of every payment says `paymentRequested`. */
function accepted(path: string, stored: string): Reply {
  const { body = '', ...reply } = detail(path, stored)
  const isTopUp = path.startsWith('/topups/')
  return { ...reply, body: isTopUp ? body.replace('paymentRequested', 'topUpRequested') : body }
}

/** Money keeps the very text in which it was stored. */
function detail(path: string, stored: string): Reply {
  const [, noun = '', id = ''] = path.split('/')
  if (noun === 'customers') return customer(id, stored)
  const money = /"money":(\{[^}]*\})/.exec(stored)?.[1] ?? '{}'
  const method = textMember(member(parseLossless(stored), 'paymentMethod'), 'paymentMethodCode') ?? ''
  const process = '{"status":"CREATED","createdAt":"2026-11-21T10:15:30.123Z","isTest":true}'
  const response = `{"${ID_MEMBERS[noun] ?? 'id'}":"${id}","paymentMethodCode":"${method}","money":${money}}`
  return {
    status: 200,
    body: `{"paymentRequested":{"money":${money}},"paymentMethodResponse":${response},"process":${process}}`,
  }
}

function customer(idCustomer: string, stored: string): Reply {
  const data: unknown = JSON.parse(stored)
  const record = { idCustomer, status: 'ACTIVE', createdAt: '2026-11-21T10:15:30.123Z' }
  return { status: 200, body: JSON.stringify(Object.assign(record, data)) }
}

function faulty({ status, code = 'SYSTEM', retryAfter }: Exclude<Fault, 'lost'>): Reply {
  const headers = retryAfter === undefined ? {} : { 'Retry-After': retryAfter }
  return { ...error(status, code), headers }
}

function error(status: number, code: string, extra: object = {}): Reply {
  const body = {
    code,
    message: `It is ${code}.`,
    requestId: 'req-1',
    docUrl: `https://docs.example/${code}`,
    ...extra,
  }
  return { status, body: JSON.stringify(body) }
}
