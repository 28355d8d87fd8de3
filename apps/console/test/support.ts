import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { systemClock, type WallClock } from '@tollgate/runtime'
import { createLog } from '@tollgate/runtime/log'
import { freePort, type TestLife } from '@tollgate/testkit'
import type { Cells } from '../src/cells.ts'
import type { LiveLimits } from '../src/live.ts'
import { startConsole } from '../src/server.ts'

// A console before an operator API that a test plays.

/** A request that the console sent to the operator API. */
export interface Heard {
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  readonly bearer: string
  readonly body: string
  /** The touch that came with it. */
  readonly stepUp?: string
  /** Of the visitor, as the console passes it on. */
  readonly forwardedFor: string
  /** It said that nobody asked for it just now. */
  readonly isUnattended: boolean
}

interface Answered {
  readonly status?: number
  readonly body: unknown
}

/** By method and path; a function looks at the request. */
type Answers = Record<string, Answered | ((heard: Heard) => Answered | Promise<Answered>)>

export interface Rig {
  readonly url: string
  /** Of the operator API that the test plays. */
  readonly apiUrl: string
  /** What the operator API heard, in order. */
  readonly heard: Heard[]
  /** May be changed while it runs. */
  readonly answers: Answers
  /** A request of a browser that is signed in and at our own page. */
  get(path: string): Promise<Response>
  post(
    path: string,
    form: Readonly<Record<string, string>>,
    headers?: Readonly<Record<string, string>>,
  ): Promise<Response>
  /** The operator API is not there any more. */
  goAway(): Promise<void>
  /** As by a signal. */
  stop(): Promise<void>
}

export const SESSION = 'tgos_TbKi1pY-2oPhX2p5-mda5NG1uRASQxl8'
export const COOKIE = `tollgate=${SESSION}`

const READING = ['self.read', 'payouts.read', 'callbacks.read', 'ledger.read', 'payins.read', 'topups.read']
export const selfWith = (...permissions: readonly string[]): Answered => ({
  body: {
    operatorCode: 'ada',
    name: 'Ada Lovelace',
    roles: ['SUPPORT'],
    permissions: [...READING, ...permissions],
  },
})

/** What a browser is to ask a device for, at the start of a sign-in or a touch. */
export const PASSKEY_ASKED = {
  challengeId: 'chl_1',
  options: {
    challenge: 'AQID',
    rpId: 'localhost',
    timeout: 300_000,
    userVerification: 'required',
    allowCredentials: [],
  },
}

export const refusal = (status: number, code: string, message: string): Answered => ({
  status,
  body: {
    code,
    message,
    requestId: 'R-1',
    timestamp: '2026-11-21T10:15:30.123Z',
    docUrl: 'https://gateway.example/errors/X',
  },
})

interface RigOptions {
  readonly live?: LiveLimits
  /** The cells that the console at this address knows of. */
  readonly cellsAt?: (url: string) => Cells
  readonly trustProxy?: readonly string[]
  readonly clock?: WallClock
}

/** Starts both; they end with the test. */
export async function openRig(
  t: TestLife,
  answers: Answers = {},
  { live, cellsAt, trustProxy = [], clock = systemClock }: RigOptions = {},
): Promise<Rig> {
  const heard: Heard[] = []
  const all: Answers = {
    'GET /operator/me': selfWith(),
    'GET /operator/identities': { body: { data: [] } },
    ...answers,
  }
  const api = createServer((request, response) => {
    void readBody(request).then(async (body) => {
      const url = new URL(request.url ?? '/', 'http://api')
      const stepUp = request.headers['x-step-up']
      const one: Heard = {
        method: request.method ?? '',
        path: url.pathname,
        query: url.searchParams,
        body,
        bearer: (request.headers.authorization ?? '').replace('Bearer ', ''),
        forwardedFor: String(request.headers['x-forwarded-for']),
        isUnattended: request.headers['x-unattended'] !== undefined,
        ...(stepUp !== undefined && { stepUp: String(stepUp) }),
      }
      // Asked for by each screen of signing in: no test is about it.
      if (one.path !== '/operator/sign-in-ways') heard.push(one)
      const found = all[`${one.method} ${one.path}`]
      const answer = typeof found === 'function' ? await found(one) : found
      const { status = 200, body: said } = answer ?? refusal(404, 'ROUTE_NOT_FOUND', `no ${one.path} here`)
      const text = typeof said === 'string' ? said : JSON.stringify(said)
      response.writeHead(status, { 'content-type': 'application/json' }).end(text)
    })
  })
  await new Promise<void>((resolve) => api.listen(0, '127.0.0.1', resolve))
  const apiUrl = `http://127.0.0.1:${portOf(api.address())}`
  const port = await freePort()
  const url = `http://localhost:${port}`
  const running = await startConsole({
    host: '127.0.0.1',
    port,
    publicUrl: url,
    apiUrl,
    isLive: false,
    timeoutMs: 2_000,
    trustProxy,
    clock,
    ...(live !== undefined && { live }),
    ...(cellsAt !== undefined && { cells: cellsAt(url) }),
    log: createLog({ level: 'silent' }),
  })
  const goAway = (): Promise<void> =>
    new Promise((resolve) => {
      api.close(() => resolve())
      api.closeAllConnections()
    })
  t.after(async () => {
    await running.stop()
    await goAway()
  })
  return { url, apiUrl, heard, answers: all, goAway, stop: () => running.stop(), ...browserAt(url) }
}

const portOf = (address: string | AddressInfo | null): number =>
  typeof address === 'object' && address !== null ? address.port : 0

const browserAt = (url: string): Pick<Rig, 'get' | 'post'> => ({
  get: (path) => fetch(url + path, { headers: { cookie: COOKIE }, redirect: 'manual' }),
  post: (path, form, headers = {}) =>
    fetch(url + path, {
      method: 'POST',
      headers: {
        cookie: COOKIE,
        origin: url,
        'sec-fetch-site': 'same-origin',
        'content-type': 'application/x-www-form-urlencoded',
        ...headers,
      },
      body: new URLSearchParams(form).toString(),
      redirect: 'manual',
    }),
})

async function readBody(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of request) text += String(chunk)
  return text
}

/** A payout that waits for approval. */
export const PAYOUT = {
  merchantCode: 'SHOP',
  kind: 'PAYOUT',
  idPayout: 'OUT-1',
  contentHash: '9f2c41d07ab3',
  money: { amount: 24_800, currencyCode: 'EUR' },
  fee: { amount: 0.5, currencyCode: 'EUR' },
  paymentMethodCode: 'BANK_TRANSFER',
  account: { accountNumber: '…3000' },
  process: {
    status: 'CREATED',
    processorStatus: 'AWAITING_APPROVAL',
    isTest: true,
    createdAt: '2026-11-21T10:15:28.001Z',
  },
  expireAt: '2026-11-24T10:15:28.001Z',
  waitsBecause: ['AMOUNT'],
  approvals: [],
  approvalsNeeded: 2,
  holds: [],
}

/** The list of payouts with this one in it. */
export const payoutsOf =
  (...payouts: readonly unknown[]) =>
  ({ query }: Heard): Answered => ({ body: { data: query.get('kind') === 'PAYOUT' ? payouts : [] } })
