import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { callbackHandler, createGateway, TollgateError } from '@tollgate/sdk'
import { createOrders, GOODS, type Good, type Orders, type Scenario, type ShopSettings } from './orders.ts'
import { formPage, goodsPage, orderPage, PAGE_STYLE, troublePage } from './pages.ts'

export interface ShopOptions extends ShopSettings {
  readonly apiUrl: string
  /** PEM of the merchant's private key. */
  readonly privateKey: string
}

const FORM_BYTES_MAX = 10_000
const STYLE_HASH = createHash('sha256').update(PAGE_STYLE).digest('base64')
const HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  // Forms end at the payment page and at banks, so `form-action` cannot be one address.
  'content-security-policy': `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; img-src data:; base-uri 'none'; frame-ancestors 'none'`,
  'referrer-policy': 'no-referrer',
} as const

/** The shop, not listening yet. */
export function createShop({ apiUrl, privateKey, ...settings }: ShopOptions): Server {
  const gateway = createGateway({ baseUrl: apiUrl, merchantCode: settings.merchantCode, privateKey })
  const orders = createOrders(gateway, settings)
  const hear = callbackHandler({
    publicKeys: async () => (await gateway.merchantInfo()).callbackPublicKeys,
    // A refund has changed its payin. A payout may have the id of an order, and is none.
    onPayment: async ({ kind, idEntity, eventId }) => {
      if (kind === 'PAYIN' || kind === 'REFUND') await orders.hear(idEntity, eventId)
    },
    onProblem: (problem) => process.stderr.write(`callback refused: ${String(problem)}\n`),
  })
  return createServer((request, response) => {
    if (request.url === '/callbacks') return void hear(request, response)
    void answer(orders, request)
      .catch(explain)
      .then((given) => send(response, given))
  })
}

/** What the gateway refused is shown with its code, which has a page in the documentation. */
function explain(error: unknown): Answer {
  const isRefusal = error instanceof TollgateError
  if (!isRefusal) process.stderr.write(`${String(error)}\n`)
  const text = isRefusal ? `${error.code}: ${error.message}` : 'The log of the shop says why.'
  return { status: 502, page: troublePage('The gateway refuses it', text) }
}

interface Asked {
  readonly orders: Orders
  /** Behind the first part of the path: a good, or an order. */
  readonly name: string
  readonly form: URLSearchParams
  readonly isJson: boolean
}

/** A page, data, or the address where the customer goes on. */
type Answer = { readonly page: string; readonly status?: number } | { json: unknown } | { location: string }

/** By method and first part of the path. */
const ROUTES: Readonly<Record<string, (asked: Asked) => Answer | Promise<Answer>>> = {
  'GET ': () => ({ page: goodsPage() }),
  'POST orders': async ({ orders, form }) => {
    const good = goodOf(form.get('good'))
    const scenario = scenarioOf(form.get('scenario'))
    return good === undefined ? NOT_FOUND : { location: await orders.payOnPage(good, scenario) }
  },
  'GET orders': async ({ orders, name, isJson }) => {
    const order = orders.find(name)
    if (order === undefined) return NOT_FOUND
    // For `tollgate certify`: what our own records say, without asking.
    if (isJson) return { json: { idPayin: order.id, status: order.status, fulfilled: order.fulfilled } }
    return { page: orderPage(order, await orders.read(order)) }
  },
  'POST refunds': async ({ orders, name }) => {
    const order = orders.find(name)
    if (order !== undefined) await orders.refund(order)
    return order === undefined ? NOT_FOUND : { location: `/orders/${name}` }
  },
  'GET forms': async ({ orders, name }) => {
    const good = goodOf(name)
    return good === undefined ? NOT_FOUND : { page: formPage(good, await orders.options(good)) }
  },
  'POST forms': async ({ orders, name, form }) => {
    const good = goodOf(name)
    const [method, operator] = [form.get('method') ?? '', form.get('operator') ?? '']
    if (good === undefined) return NOT_FOUND
    return { location: await orders.payHere(good, method, operator === '' ? undefined : operator) }
  },
}

const NOT_FOUND: Answer = { status: 404, page: troublePage('Not found', 'The shop may have restarted.') }

async function answer(orders: Orders, request: IncomingMessage): Promise<Answer> {
  const { pathname } = new URL(request.url ?? '/', 'http://shop')
  const [, first = '', name = ''] = pathname.split('/')
  const act = ROUTES[`${request.method ?? ''} ${first}`]
  const isJson = request.headers.accept === 'application/json'
  return act === undefined ? NOT_FOUND : act({ orders, name, isJson, form: await formOf(request) })
}

const goodOf = (id: string | null): Good | undefined => GOODS.find((good) => good.id === id)
const NUMBERS = [1, 2, 3, 4, 5] as const
const scenarioOf = (text: string | null): Scenario => NUMBERS.find((each) => String(each) === text) ?? 1

async function formOf(request: IncomingMessage): Promise<URLSearchParams> {
  let text = ''
  for await (const chunk of request) {
    text += String(chunk)
    if (text.length > FORM_BYTES_MAX) break
  }
  return new URLSearchParams(text.slice(0, FORM_BYTES_MAX))
}

function send(response: ServerResponse, given: Answer): void {
  if ('location' in given) response.writeHead(303, { location: given.location }).end()
  else if ('json' in given)
    response.setHeader('content-type', 'application/json').end(JSON.stringify(given.json))
  else response.writeHead(given.status ?? 200, HEADERS).end(given.page)
}
