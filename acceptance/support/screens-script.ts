import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import {
  type MerchantInfo,
  type Payin,
  type PaymentOption,
  type RedirectUrlOptions,
  type RejectionItem,
  redirectUrl,
  stringifyLossless,
} from '@tollgate/sdk'
import { freePort, type TestLife, waitUntil } from '@tollgate/testkit'
import { startProgram } from './process.ts'
import { type LinkWish, RETURN_URL } from './shop.ts'

// The hosted page in front of an API that says what a script wants: for states that a gateway is seldom in, and for rails
// that it does not have.

/** What the page asks, and what it is told when all is well. */
interface Answers {
  readonly look: Payin
  readonly offer: { readonly data: readonly PaymentOption[] }
  readonly shop: MerchantInfo
  readonly judge: never
  readonly create: never
  readonly refer: never
}
type Question = keyof Answers

/** The API's answer, whole: the page takes nothing that the contract does not know. */
export interface Said<Body = never> {
  readonly status: number
  readonly body?: Body | Problem | readonly RejectionItem[]
  readonly headers?: Readonly<Record<string, string>>
}

type Problem = Readonly<Record<'code' | 'message' | 'requestId' | 'timestamp' | 'docUrl', string>>

/** What the API says to each question about one payment; without a word on it, what it would say of a new payment. */
export type Script = { readonly [Asked in Question]?: Said<Answers[Asked]> }

/** The API refuses with a code. */
export const refused = (status: number, code: string): Said => ({
  status,
  body: {
    code,
    message: 'As the script says.',
    requestId: 'scripted',
    timestamp: new Date().toISOString(),
    docUrl: `http://api.localhost/docs/errors#${code}`,
  },
})

/** A link to the scripted page. */
interface ScriptedWish extends LinkWish {
  readonly idPayin: string
  /** How long the token still lives; negative for one that has ended. */
  readonly validitySeconds?: number
}

export interface ScriptedPage {
  /** The address that the customer of this payment opens. */
  link(script: Script, wish: ScriptedWish): string
}

const MAIN = 'apps/checkout/src/main.ts'
const START_TIMEOUT_MS = 60_000
const MERCHANT_CODE = 'SCRIPTED'
const TOKEN_SECONDS = 3600
/** Nobody judges them here, but they are parts of a token. */
const HEAD = Buffer.from('{"alg":"none"}').toString('base64url')
const SIGNATURE = Buffer.from('scripted').toString('base64url')

/** Starts the API and a page in front of it; both end with the test. */
export async function startScriptedPage(t: TestLife): Promise<ScriptedPage> {
  const scripts = new Map<string, Script>()
  const [apiPort, port] = [await freePort(), await freePort()]
  const server = createServer((request, response) => answer(request, response, scripts))
  server.listen(apiPort, '127.0.0.1')
  const program = startProgram([MAIN], {
    CHECKOUT_PORT: String(port),
    CHECKOUT_API_URL: `http://127.0.0.1:${apiPort}`,
    CHECKOUT_SECRET: Buffer.alloc(32, 'scripted').toString('base64'),
    CHECKOUT_SERVICE_KEY: 'scripted-service-key',
  })
  t.after(async () => {
    program.kill('SIGTERM')
    await program.end
    server.closeAllConnections()
    server.close()
  })
  const paymentAppUrl = `http://localhost:${port}`
  const isOpen = (): Promise<boolean> =>
    fetch(paymentAppUrl).then(
      () => true,
      () => program.ended() !== undefined,
    )
  await waitUntil(isOpen, { timeoutMs: START_TIMEOUT_MS, what: 'the scripted page to be open' })
  if (program.ended() !== undefined) throw new Error(`the scripted page ended: ${program.stderr()}`)
  return {
    link(script, wish) {
      scripts.set(wish.idPayin, script)
      return redirectUrl(orderOf(paymentAppUrl, wish))
    },
  }
}

function orderOf(paymentAppUrl: string, wish: ScriptedWish): RedirectUrlOptions {
  const { amount = '149.90', currencyCode = 'EUR', validitySeconds = TOKEN_SECONDS, ...more } = wish
  const money = { amount, currencyCode }
  const claims = {
    sub: MERCHANT_CODE,
    exp: Math.floor(Date.now() / 1000) + validitySeconds,
    operations: ['GET /merchant-info'],
    money,
    idPayment: wish.idPayin,
  }
  const payload = Buffer.from(JSON.stringify(claims)).toString('base64url')
  return {
    paymentAppUrl,
    merchantCode: MERCHANT_CODE,
    token: `${HEAD}.${payload}.${SIGNATURE}`,
    money,
    callbackUrl: 'http://shop.localhost/callbacks',
    returnUrl: RETURN_URL,
    ...more,
  }
}

const USUAL: Required<Script> = {
  look: refused(410, 'ENTITY_NOT_FOUND'),
  offer: { status: 200, body: { data: [] } },
  shop: {
    status: 200,
    body: {
      merchantCode: MERCHANT_CODE,
      isTest: true,
      channelInfo: { name: 'Demo Shop' },
      callbackPublicKeys: [],
    },
  },
  judge: { status: 204 },
  create: { status: 503 },
  refer: { status: 204 },
}

function answer(
  request: IncomingMessage,
  response: ServerResponse,
  scripts: ReadonlyMap<string, Script>,
): void {
  const question = questionOf(request)
  const { status, headers, body } = scripts.get(idIn(request))?.[question] ?? USUAL[question]
  response.writeHead(status, { 'content-type': 'application/json', ...headers })
  response.end(body === undefined ? undefined : stringifyLossless(body))
}

function questionOf({ method, url = '' }: IncomingMessage): Question {
  if (url.endsWith('/merchant-info') || url.endsWith('/shop')) return 'shop'
  if (url.endsWith('/!availablePaymentOptions')) return 'offer'
  if (url.endsWith('/!judgeAddresses')) return 'judge'
  if (url.endsWith('/!setExternalReference')) return 'refer'
  return method === 'GET' ? 'look' : 'create'
}

/** A token is for one payment: what is asked with it is asked about that one. */
function idIn({ headers }: IncomingMessage): string {
  const payload = headers.authorization?.split('.')[1] ?? ''
  const claims: unknown = JSON.parse(Buffer.from(payload, 'base64url').toString('utf8') || '{}')
  const id: unknown = typeof claims === 'object' && claims !== null ? Reflect.get(claims, 'idPayment') : ''
  return typeof id === 'string' ? id : ''
}
