import { createPublicKey, randomUUID, sign, verify } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import type { TestLife } from '@tollgate/testkit'
import { at, listAt, textAt } from './json.ts'
import { openServer } from './server.ts'

// A shop that has nothing in common with the one of the repository, and does not know the SDK: it notes callbacks, answers at once,
// and one loop reads payments afterwards. The same loop makes up for callbacks that got lost, so its return page asks nothing.

interface Wish {
  readonly apiUrl: string
  readonly merchantCode: string
  readonly privateKey: string
}

interface Sale {
  readonly id: string
  status: string
  fulfilled: number
  /** An open payment is read again then, whether a callback came or not. */
  nextReadMs: number
}

const PAUSE_MS = 50
const RECONCILED_MS = 1_000
const TOLERANCE_SECONDS = 300
const ENDED = ['SUCCESS', 'FAILED', 'CANCELLED', 'REVERSED']

/** Starts it; resolves to its address. It ends with the test. */
export async function startOtherShop(t: TestLife, wish: Wish): Promise<string> {
  const sales = new Map<string, Sale>()
  const noted = new Set<string>()
  const call = caller(wish)
  let keys: readonly string[] = []

  const url = await openServer(t, (request, response) => {
    const answer = async (): Promise<void> => {
      const [, first = '', id = ''] = (request.url ?? '').split(/[/?]/)
      if (first === 'buy') response.writeHead(200).end(await buy())
      else if (first === 'hook') response.writeHead(await hear(request)).end()
      else {
        const { status, fulfilled } = sales.get(id) ?? {}
        response.writeHead(200).end(JSON.stringify({ idPayin: id, status, fulfilled }))
      }
    }
    answer().catch(() => response.writeHead(500).end())
  })

  async function buy(): Promise<string> {
    const id = randomUUID()
    sales.set(id, { id, status: 'CREATED', fulfilled: 0, nextReadMs: Date.now() + RECONCILED_MS })
    const wanted = {
      paymentRequested: { money: { amount: 20, currencyCode: 'EUR' } },
      paymentMethod: { paymentMethodCode: 'BANK_TRANSFER' },
      callbackUrl: `${url}/hook`,
      returnUrl: `${url}/done/${id}`,
    }
    const send = (): Promise<unknown> => call('POST', `/payins/${id}`, wanted)
    await send().catch(send)
    return id
  }

  async function hear(request: IncomingMessage): Promise<number> {
    const body = await buffer(request)
    if (keys.length === 0)
      keys = listAt(await call('GET', '/merchant-info'), 'callbackPublicKeys').map(String)
    if (request.method !== 'POST' || !isGenuine(request, body, keys)) return 401
    noted.add(textAt(JSON.parse(body.toString('utf8')), 'idEntity'))
    return 200
  }

  /** One payment after the other, so that no answer overtakes another. */
  async function work(): Promise<void> {
    for (const sale of sales.values()) {
      const isDue = !ENDED.includes(sale.status) && Date.now() >= sale.nextReadMs
      if (!noted.delete(sale.id) && !isDue) continue
      sale.nextReadMs = Date.now() + RECONCILED_MS
      const detail = await call('GET', `/payins/${sale.id}`).catch(() => undefined)
      if (detail === undefined) noted.add(sale.id)
      else if (at(detail, 'process') !== undefined) sale.status = textAt(detail, 'process', 'status')
      if (sale.status === 'SUCCESS' && sale.fulfilled === 0) sale.fulfilled = 1
    }
  }

  const life = { isOpen: true }
  const working = (async () => {
    while (life.isOpen) {
      await work()
      await sleep(PAUSE_MS)
    }
  })()
  t.after(async () => {
    life.isOpen = false
    await working
  })
  return url
}

/** Calls the gateway with one token for everything. Throws where it does not answer, or fails. */
function caller({ apiUrl, merchantCode, privateKey }: Wish) {
  let token = ''
  const ask = async (method: string, path: string, body: string, headers: Record<string, string>) => {
    const answer = await fetch(`${apiUrl}${path}`, {
      method,
      headers: { 'x-api-version': '2', 'content-type': 'application/json', ...headers },
      ...(body !== '' && { body }),
    })
    const said = await answer.text()
    if (answer.status >= 500) throw new Error(`the gateway answers ${answer.status}`)
    const parsed: unknown = JSON.parse(said)
    return parsed
  }
  return async (method: string, path: string, wanted?: unknown): Promise<unknown> => {
    if (token === '') {
      const operations = ['POST /payins/.*', 'GET /payins/.*', 'GET /merchant-info']
      const body = JSON.stringify({ merchantCode, operations, timestamp: Math.floor(Date.now() / 1000) })
      const signature = sign('RSA-SHA256', Buffer.from(body), privateKey).toString('base64')
      token = textAt(await ask('POST', '/auth-tokens', body, { 'x-signature': signature }), 'token')
    }
    const body = wanted === undefined ? '' : JSON.stringify(wanted)
    return ask(method, path, body, { authorization: `Bearer ${token}` })
  }
}

function isGenuine({ headers }: IncomingMessage, body: Buffer, keys: readonly string[]): boolean {
  const { 'webhook-id': id, 'webhook-timestamp': time, 'webhook-signature': signatures } = headers
  if (typeof id !== 'string' || typeof time !== 'string' || typeof signatures !== 'string') return false
  if (!(Math.abs(Date.now() / 1000 - Number(time)) <= TOLERANCE_SECONDS)) return false
  const signed = Buffer.concat([Buffer.from(`${id}.${time}.`), body])
  return keys.some((key) => {
    const x = Buffer.from(key.slice('whpk_'.length), 'base64').toString('base64url')
    const publicKey = createPublicKey({ format: 'jwk', key: { kty: 'OKP', crv: 'Ed25519', x } })
    return signatures
      .split(' ')
      .filter((each) => each.startsWith('v1a,'))
      .some((each) => verify(null, signed, publicKey, Buffer.from(each.slice('v1a,'.length), 'base64')))
  })
}
