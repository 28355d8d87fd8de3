import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import {
  deriveKeys,
  type HandOverRequest,
  notificationPath,
  type PaymentState,
  readHandOver,
  signAnswer,
  signRequest,
  verifyRequest,
} from '@tollgate/rail-protocol'
import { systemClock } from '@tollgate/runtime'
import type { TestLife } from '@tollgate/testkit'
import { createOutboundClient } from '../../../platform/outbound/index.ts'
import type { InboundNotification, Rail } from '../../rail.ts'
import { createOpenRail, type OpenRailOptions } from '../index.ts'

export const SECRET = Buffer.alloc(32, 5)
const KEY_ID = 'bank-1'
const KEYS = deriveKeys(SECRET)

/** An answer as the institution would give it. */
interface Answer {
  readonly status: number
  readonly body: unknown
}

/** What a test changes about an answer: the words, the signature, or whether it comes at all. */
export type Mischief = (
  honest: Answer,
  request: { readonly method: string; readonly reference: string },
) => Partial<Answer> & {
  readonly sign?: 'NOT' | 'WRONG_KEY' | 'OTHER_REQUEST' | 'STALE'
  readonly silent?: true
  readonly hangUp?: true
}

/** An institution's adapter on a port of its own, which keeps what it was handed. */
interface TestInstitution {
  readonly url: string
  readonly states: Map<string, PaymentState>
  readonly received: { readonly method: string; readonly path: string }[]
  mischief: Mischief | undefined
  /** A rail that talks to it. */
  rail(given?: Partial<OpenRailOptions>): Rail
}

const NOW = '2026-11-21T10:16:02.500Z'

/** Starts an honest institution. What it is handed stays PENDING until a test changes it in `states`. */
export async function startInstitution(t: TestLife): Promise<TestInstitution> {
  const outbound = createOutboundClient({
    policy: { httpsOnly: false, portsAllowed: 'any', allowPrivate: true },
  })
  const states = new Map<string, PaymentState>()
  const institution: TestInstitution = {
    url: '',
    states,
    received: [],
    mischief: undefined,
    rail: (given) =>
      createOpenRail({
        code: 'bank',
        keyId: KEY_ID,
        secret: SECRET,
        baseUrl: institution.url,
        customerUrl: 'https://pay.bank.example/customers',
        directions: ['PAYIN', 'PAYOUT', 'TOPUP'],
        flows: ['REDIRECT'],
        outbound,
        clock: systemClock,
        ...given,
      }),
  }
  const server = createServer((request, response) => void serve(institution, request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the institution does not listen')
  t.after(async () => {
    server.closeAllConnections()
    server.close()
    await outbound.close()
  })
  return Object.assign(institution, { url: `http://127.0.0.1:${address.port}/adapter` })
}

async function serve(
  institution: TestInstitution,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const body = await bodyOf(request)
  const { method = '', url: path = '' } = request
  institution.received.push({ method, path })
  const nowMs = Date.now()
  const verdict = verifyRequest(KEYS.gateway, {
    keyId: KEY_ID,
    method,
    path,
    headers: request.headers,
    body,
    nowMs,
  })
  if (!verdict.ok) {
    response.writeHead(401).end(verdict.why)
    return
  }
  const reference = path.split('/')[3] ?? ''
  const honest = answerTo(institution.states, { method, path, reference, body })
  const made = institution.mischief?.(honest, { method, reference }) ?? {}
  if (made.hangUp === true) request.socket.destroy()
  if (made.hangUp === true || made.silent === true) return
  const { sign, status, body: content } = { ...honest, ...made }
  const text = textOf(content)
  response.writeHead(status, { ...headersOf(sign, { status, text, signature: verdict.signature }) }).end(text)
}

const textOf = (content: unknown): string => (typeof content === 'string' ? content : JSON.stringify(content))

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of request) if (Buffer.isBuffer(chunk)) chunks.push(chunk)
  return Buffer.concat(chunks)
}

function headersOf(
  sign: ReturnType<Mischief>['sign'],
  { status, text, signature }: { status: number; text: string; signature: string },
): Readonly<Record<string, string>> {
  if (sign === 'NOT') return {}
  return signAnswer(sign === 'WRONG_KEY' ? KEYS.gateway : KEYS.institution, {
    status,
    requestSignature: sign === 'OTHER_REQUEST' ? 'a'.repeat(64) : signature,
    timestampSeconds: Math.floor(Date.now() / 1000) - (sign === 'STALE' ? 302 : 0),
    body: text,
  })
}

function answerTo(
  states: Map<string, PaymentState>,
  { method, path, reference, body }: { method: string; path: string; reference: string; body: Buffer },
): Answer {
  const known = states.get(reference)
  if (method === 'PUT') {
    const reading = readHandOver(body)
    if (!reading.ok) return { status: 400, body: { code: 'BODY_INVALID', message: reading.why } }
    if (known !== undefined && known.money.amount !== reading.message.money.amount)
      return {
        status: 409,
        body: { code: 'CONFLICT', message: 'The reference is known with another amount.' },
      }
    const state = known ?? pending(reading.message)
    states.set(reference, state)
    return { status: known === undefined ? 201 : 200, body: state }
  }
  if (known === undefined)
    return { status: 404, body: { code: 'NOT_FOUND', message: 'There is no such payment.' } }
  if (!path.endsWith('/cancel') || known.status !== 'PENDING') return { status: 200, body: known }
  const cancelled: PaymentState = { ...known, status: 'CANCELLED' }
  states.set(reference, cancelled)
  return { status: 200, body: cancelled }
}

function pending({ reference, merchantCode, direction, money }: HandOverRequest): PaymentState {
  return {
    reference,
    merchantCode,
    direction,
    money,
    status: 'PENDING',
    institutionReference: `B-${reference}`,
    updatedAt: NOW,
  }
}

/** A message of the institution as it would come in at the gateway. */
export function notificationOf(
  content: unknown,
  given: {
    readonly railCode?: string
    readonly key?: 'gateway'
    readonly ageSeconds?: number
    /** It comes in now, and not on a day of the tests. */
    readonly isNow?: true
  } = {},
): InboundNotification {
  const body = typeof content === 'string' ? content : JSON.stringify(content)
  const receivedAtMs = given.isNow === true ? Date.now() : 1_790_000_000_000
  const signed = signRequest(given.key === 'gateway' ? KEYS.gateway : KEYS.institution, {
    keyId: KEY_ID,
    method: 'POST',
    path: notificationPath(given.railCode ?? 'bank'),
    timestampSeconds: Math.floor(receivedAtMs / 1000) - (given.ageSeconds ?? 0),
    body,
  })
  const headers = Object.fromEntries(
    Object.entries(signed).map(([name, value]) => [name.toLowerCase(), value]),
  )
  return { headers, body: Buffer.from(body), receivedAtMs }
}
