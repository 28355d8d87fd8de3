import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import {
  deriveKeys,
  type HandOverRequest,
  type Notification,
  notificationPath,
  type PaymentState,
  readNotice,
  readState,
  type SignatureHeaders,
  signatureOf,
  signRequest,
  verifyAnswer,
  verifyRequest,
} from '@tollgate/rail-protocol'
import { createLog } from '@tollgate/runtime/log'
import { type TestLife, waitUntil } from '@tollgate/testkit'
import type { MoodSetting } from '../src/moods.ts'
import { type Simulator, type SimulatorOptions, startSimulator } from '../src/simulator.ts'

export const SECRET = Buffer.alloc(32, 7)
export const KEYS = deriveKeys(SECRET)
const KEY_ID = 'sandbox'
const ADMIN_KEY = 'the admin key of a test'
const RAIL = 'sandbox'

/** A folder that is gone when the test has ended. */
export function temporaryFolder(t: TestLife): string {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-simulator-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

let references = 0

/** A payment that nobody has handed over before: 149.9 EUR that come in, unless said otherwise. */
export function payment(wanted: Partial<HandOverRequest> = {}): HandOverRequest {
  references += 1
  return {
    reference: `REF${String(references).padStart(6, '0')}`,
    direction: 'PAYIN',
    merchantCode: 'SHOP',
    money: { amount: '149.9', currencyCode: 'EUR' },
    methodCode: 'ONLINE_BANKING',
    customer: {},
    returnUrl: 'https://shop.example/thanks?order=1&x=2',
    ...wanted,
  }
}

/** What the bank answered. */
interface Answered {
  readonly status: number
  readonly body: Buffer
  /** Whether the answer proves to be the bank's, and to this request. */
  readonly isProven: boolean
}

/** A bank, and a gateway's side of the wire to it. */
export interface Rig {
  readonly url: string
  readonly file: string
  send(method: string, path: string, options?: SendOptions): Promise<Answered>
  handOver(request: HandOverRequest): Promise<PaymentState>
  ask(reference: string): Promise<PaymentState>
  admin(method: string, path: string, body?: unknown): Promise<{ status: number; text: string }>
  mood(mood: MoodSetting, reference?: string): Promise<void>
  /** What the bank says moved for the reference. */
  movements(reference: string): Promise<readonly unknown[]>
  untilState(reference: string, status: PaymentState['status']): Promise<PaymentState>
  stop(): Promise<void>
  /** Opens the bank again on the same books. */
  restart(): Promise<void>
}

interface SendOptions {
  readonly body?: string
  readonly headers?: SignatureHeaders
  readonly timeoutMs?: number
}

const TIMEOUT_MS = 10_000

export async function openBank(t: TestLife, wanted: Partial<SimulatorOptions> = {}): Promise<Rig> {
  const dataDir = wanted.dataDir ?? temporaryFolder(t)
  const options: SimulatorOptions = {
    host: '127.0.0.1',
    port: 0,
    dataDir,
    secret: SECRET,
    keyId: KEY_ID,
    adminKey: ADMIN_KEY,
    log: createLog({ level: 'silent' }),
    pauseMs: 20,
    ...wanted,
  }
  let simulator: Simulator | undefined = await startSimulator(options)
  let url = simulator.url
  const stop = async (): Promise<void> => {
    const open = simulator
    simulator = undefined
    await open?.stop()
  }
  t.after(stop)
  const send: Rig['send'] = (method, path, more = {}) => exchange(url, { method, path, ...more })
  const admin: Rig['admin'] = async (method, path, body) => {
    const response = await fetch(`${url}/admin${path}`, {
      method,
      headers: {
        authorization: `Bearer ${ADMIN_KEY}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    return { status: response.status, text: await response.text() }
  }
  const ask = async (reference: string): Promise<PaymentState> =>
    stateIn(await send('GET', `/payments/${reference}`), 200)
  return {
    get url() {
      return url
    },
    file: join(dataDir, 'bank.jsonl'),
    send,
    admin,
    ask,
    handOver: async (request) =>
      stateIn(await send('PUT', `/payments/${request.reference}`, { body: JSON.stringify(request) }), 201),
    async mood(mood, reference) {
      const path = reference === undefined ? '/mood' : `/payments/${reference}/mood`
      const { status, text } = await admin('PUT', path, mood)
      assert.equal(status, 200, text)
    },
    async movements(reference) {
      const { text } = await admin('GET', '/log')
      const all: { reference: string }[] = text
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line))
      return all.filter((each) => each.reference === reference)
    },
    async untilState(reference, status) {
      let state = await ask(reference)
      await waitUntil(
        async () => {
          state = await ask(reference)
          return state.status === status
        },
        { timeoutMs: TIMEOUT_MS, what: `${reference} to be ${status}` },
      )
      return state
    },
    stop,
    async restart() {
      await stop()
      simulator = await startSimulator(options)
      url = simulator.url
    },
  }
}

/** Signs as the gateway does now, or sends the headers that are given. */
async function exchange(
  url: string,
  sent: SendOptions & { readonly method: string; readonly path: string },
): Promise<Answered> {
  const { method, path, body = '', timeoutMs = TIMEOUT_MS } = sent
  const headers = sent.headers ?? signed(method, path, { body })
  const response = await fetch(`${url}${path}`, {
    method,
    headers: { ...headers, ...(body !== '' && { 'content-type': 'application/json' }) },
    ...(body !== '' && { body }),
    signal: AbortSignal.timeout(timeoutMs),
  })
  const bytes = Buffer.from(await response.arrayBuffer())
  const verdict = verifyAnswer(KEYS.institution, {
    status: response.status,
    requestSignature: signatureOf(headers),
    body: bytes,
    headers: Object.fromEntries(response.headers),
    nowMs: Date.now(),
  })
  return { status: response.status, body: bytes, isProven: verdict.ok }
}

/** The headers of a request by the gateway's key. */
export function signed(
  method: string,
  path: string,
  { body = '', ageSeconds = 0, keyId = KEY_ID, key = KEYS.gateway } = {},
): SignatureHeaders {
  const timestampSeconds = Math.floor(Date.now() / 1000) - ageSeconds
  return signRequest(key, { keyId, method, path, timestampSeconds, body })
}

/** The state in an answer that must be proven and have this status. */
export function stateIn(answer: Answered, status: number): PaymentState {
  assert.equal(answer.status, status, answer.body.toString())
  assert.ok(answer.isProven, 'the answer is signed')
  const reading = readState(answer.body)
  assert.ok(reading.ok, answer.body.toString())
  return reading.message
}

/** The gateway's ear. */
interface Ear {
  readonly url: string
  readonly railCode: string
  /** What came in and was proven, in its order, refused ones too. */
  readonly heard: Notification[]
  /** Resolves when so many came in about the reference; they are what it resolves to. */
  until(reference: string, count: number): Promise<readonly Notification[]>
}

/** `answers` gives the status for the first, second … message; 200 where it has none. */
export async function gatewayEar(t: TestLife, answers: readonly number[] = []): Promise<Ear> {
  const heard: Notification[] = []
  const server = createServer((request, response) => {
    void buffer(request).then((body) => {
      const path = request.url ?? ''
      assert.equal(path, notificationPath(RAIL))
      const { headers } = request
      const given = { keyId: KEY_ID, method: 'POST', path, headers, body, nowMs: Date.now() }
      const verdict = verifyRequest(KEYS.institution, given)
      const reading = readNotice(body)
      if (verdict.ok && reading.ok) heard.push(reading.message)
      response.writeHead(verdict.ok && reading.ok ? (answers[heard.length - 1] ?? 200) : 500).end('{}')
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  const address = server.address()
  assert.ok(typeof address === 'object' && address !== null)
  const about = (reference: string): readonly Notification[] =>
    heard.filter((each) => each.payment.reference === reference)
  return {
    url: `http://127.0.0.1:${address.port}`,
    railCode: RAIL,
    heard,
    async until(reference, count) {
      await waitUntil(() => about(reference).length >= count, {
        timeoutMs: TIMEOUT_MS,
        what: `${count} messages about ${reference}`,
      })
      return about(reference)
    },
  }
}

/** The lines of a journal. */
export function linesOf(file: string): readonly string[] {
  return readFileSync(file, 'utf8').split('\n').slice(0, -1)
}
