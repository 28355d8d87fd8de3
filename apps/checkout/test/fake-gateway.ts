import { createServer } from 'node:http'
import type { TestLife } from '@tollgate/testkit'
import { quietPage } from './quiet-page.ts'

/** A gateway that knows one payin, and says of it what the test wants. */
interface FakeGateway {
  readonly url: string
  /** The answer to a look: undefined for a payin that there is not; a number for a status that is an error. */
  payin: unknown
  /** What is answered to all else, by the last part of the path; 404 unless it is here. */
  readonly answers: Map<string, Said>
  /** Method and path of every request about payins, in their order. */
  readonly asked: readonly string[]
}

interface Said {
  readonly status: number
  readonly body?: unknown
}

const NONE: Said = { status: 404, body: { code: 'NONE', message: 'None.' } }

function lookAt(payin: unknown): Said {
  if (typeof payin === 'number') return { ...NONE, status: payin }
  return payin === undefined ? { ...NONE, status: 410 } : { status: 200, body: payin }
}

export async function fakeGateway(t: TestLife): Promise<FakeGateway> {
  const asked: string[] = []
  const answers: FakeGateway['answers'] = new Map()
  const gateway: { url: string; payin: unknown; readonly asked: string[]; readonly answers: typeof answers } =
    {
      url: '',
      asked,
      answers,
      payin: undefined,
    }
  const server = createServer((request, response) => {
    const { method = '', url = '' } = request
    if (url.includes('/payins')) asked.push(`${method} ${url}`)
    request.resume()
    const isLook = method === 'GET' && /^(?:\/checkout)?\/payins\/[\w-]+$/.test(url)
    const { status, body } = isLook
      ? lookAt(gateway.payin)
      : (answers.get(url.split('/').at(-1) ?? '') ?? NONE)
    response.writeHead(status, { 'content-type': 'application/json' })
    response.end(body === undefined ? undefined : JSON.stringify(body))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  gateway.url = `http://127.0.0.1:${address.port}`
  return gateway
}

export const START_MS = Date.UTC(2026, 5, 1, 12)
export const SECRET = Buffer.alloc(32, 1)
const TOKEN_SECONDS = 3_600
export const TOKEN_END_MS = START_MS + TOKEN_SECONDS * 1000

/** A token that nobody has signed: the page itself does not judge. */
export function tokenFor(idPayin: string, endMs = TOKEN_END_MS): string {
  const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url')
  const operations = [
    'POST /payins/!availablePaymentOptions',
    `POST /payins/${idPayin}`,
    `GET /payins/${idPayin}`,
  ]
  const payload = {
    sub: 'DEMO',
    iat: START_MS / 1000,
    exp: endMs / 1000,
    jti: 'C3sTkGk2cwKZx0yyGtUnqFKEcHfuHjTd',
    operations,
    money: { amount: '149.9', currencyCode: 'EUR' },
    idPayment: idPayin,
    iss: 'tollgate',
    aud: 'tollgate-sandbox',
  }
  const header = { alg: 'EdDSA', kid: 'x3NhHPXvG4sRmLPV', typ: 'JWT' }
  return [part(header), part(payload), Buffer.alloc(64, 7).toString('base64url')].join('.')
}

export function linkFor(idPayin: string, token = tokenFor(idPayin)): string {
  const query = new URLSearchParams({
    merchantCode: 'DEMO',
    idPayin,
    token,
    amount: '149.90',
    currencyCode: 'EUR',
    callbackUrl: 'https://shop.example/callbacks',
    returnUrl: 'https://shop.example/thanks',
    accountName: 'Jane Doe',
  })
  return `/?${query.toString()}`
}

interface PayinWish {
  readonly status?: string
  readonly processorStatus?: string
  readonly processedAt?: string
  readonly method?: Readonly<Record<string, unknown>>
  readonly process?: Readonly<Record<string, unknown>>
  readonly more?: Readonly<Record<string, unknown>>
}

const ACCOUNT = {
  accountName: 'Example Ltd',
  accountNumber: 'DE89370400440532013000',
  bankCode: 'TESTDEFF',
  bankName: 'Test Bank',
}

/** A payin as the gateway would show it: a transfer that is waited for, unless the test wants another. */
export function payinOf(idPayin: string, wish: PayinWish = {}): unknown {
  const { status = 'CREATED', processorStatus = 'AWAITING_CUSTOMER', method = { account: ACCOUNT } } = wish
  return {
    paymentRequested: { money: { amount: 149.9, currencyCode: 'EUR' } },
    paymentMethodResponse: {
      idPayin,
      paymentMethodCode: 'BANK_TRANSFER',
      reference: 'RF18539007547034',
      money: { amount: 149.9, currencyCode: 'EUR' },
      acceptedAt: new Date(START_MS).toISOString(),
      expireAt: new Date(START_MS + 7 * 86_400_000).toISOString(),
      returnUrl: 'https://shop.example/thanks',
      ...method,
    },
    process: {
      status,
      processorStatus,
      createdAt: new Date(START_MS).toISOString(),
      isTest: true,
      ...wish.process,
      ...(wish.processedAt !== undefined && { processedAt: wish.processedAt }),
    },
    ...wish.more,
  }
}

/** What a gateway answers that offers these methods: a transfer without any fields but for what a test says. */
export function offering(...options: readonly Readonly<Record<string, unknown>>[]): Said {
  const money = { amount: 0, currencyCode: 'EUR' }
  const usual = { paymentMethodCode: 'BANK_TRANSFER', name: 'Transfer', flow: 'INSTRUCTIONS' }
  const bare = { externalReference: 'NONE', paymentOperators: [], fields: [], limits: [], fee: money }
  return { status: 200, body: { data: options.map((each) => ({ ...usual, ...bare, ...each })) } }
}

/** The page beside the gateway, at a time that the test moves. */
export interface TestPage {
  readonly url: string
  readonly gateway: FakeGateway
  nowMs: number
}

export async function openPage(t: TestLife, { isTrusted = true } = {}): Promise<TestPage> {
  const gateway = await fakeGateway(t)
  const page = { url: '', gateway, nowMs: START_MS }
  const checkout = await quietPage(t, {
    apiUrl: gateway.url,
    secret: SECRET,
    serviceKey: isTrusted ? 'a-service-key-of-the-test' : undefined,
    clock: { nowMs: () => page.nowMs },
  })
  page.url = checkout.url
  return page
}

/** Somebody's browser: it keeps cookies by their path, and forgets them when they end. */
export interface TestBrowser {
  go(path: string, form?: Readonly<Record<string, string>>): Promise<Answer>
  /** Max-Age of the cookie that was set last, in seconds. */
  readonly maxAgeSeconds: number
}

export interface Answer {
  readonly status: number
  readonly path: string
  readonly html: string
  readonly heading: string
}

interface Cookie {
  readonly pair: string
  readonly path: string
  readonly endMs: number
}

export function browserAt(page: TestPage): TestBrowser {
  const cookies = new Map<string, Cookie>()
  let maxAgeSeconds = 0
  const keep = (response: Response): void => {
    for (const text of response.headers.getSetCookie()) {
      const [, pair = '', path = '', age = '0'] = /^([^;]+);.*?Path=([^;]+);.*?Max-Age=(\d+)/.exec(text) ?? []
      maxAgeSeconds = Number(age)
      const endMs = page.nowMs + maxAgeSeconds * 1000
      cookies.set(`${path} ${pair.split('=')[0] ?? ''}`, { pair, path, endMs })
    }
  }
  const cookiesFor = (path: string): string =>
    [...cookies.values()]
      .filter((each) => path.startsWith(each.path) && page.nowMs < each.endMs)
      .map(({ pair }) => pair)
      .join('; ')
  const send = (at: URL, form?: Readonly<Record<string, string>>): Promise<Response> =>
    fetch(at, {
      ...(form !== undefined && { method: 'POST', body: new URLSearchParams(form) }),
      redirect: 'manual',
      headers: { cookie: cookiesFor(at.pathname), 'accept-language': 'en', 'sec-fetch-site': 'same-origin' },
    })
  return {
    get maxAgeSeconds() {
      return maxAgeSeconds
    },
    async go(path, form) {
      let at = new URL(path, page.url)
      let response = await send(at, form)
      for (;;) {
        keep(response)
        const location = response.headers.get('location')
        if (location === null) break
        at = new URL(location, at)
        response = await send(at)
      }
      const html = await response.text()
      const heading = /<h1[^>]*>(.*?)<\/h1>/s.exec(html)?.[1] ?? ''
      return { status: response.status, path: at.pathname + at.search, html, heading }
    },
  }
}
