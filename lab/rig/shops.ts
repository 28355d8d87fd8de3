import { randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { createGateway, type RawResponse } from '@tollgate/sdk'
import { at, freePort } from '@tollgate/testkit'
import { type Demo, issueToken } from './gateway.ts'

// Merchants' servers, with a router before the cells: who is asked is looked up for each request, as in HAProxy's map.

/** Requests of merchants, one after the other by each of them. */
export interface Shops {
  /** Ids that were acknowledged, by merchant. */
  readonly accepted: ReadonlyMap<string, ReadonlySet<string>>
  /** The acknowledgements of payments, in their order. */
  answersTo(merchantCode: string): readonly Acknowledgement[]
  /** How often each id was told by a callback. */
  readonly told: ReadonlyMap<string, number>
  /** Leads the merchant to another gateway, with a token of that one where it does not take its token of before. */
  route(merchantCode: string, port: number, token?: string): void
  /** From now on, all merchants ask, and wait so long between two payments; before, the first one alone asks. */
  pace(pauseMs: number): void
  /** Takes no new payments up; resolves when those under way are acknowledged. */
  stop(): Promise<void>
}

/** Of one payment, after as many repeats as it took. */
interface Acknowledgement {
  /** By `performance.now()`. */
  readonly atMs: number
  /** Since it was asked for. */
  readonly tookMs: number
}

interface ShopsStart {
  /** How many servers of each merchant ask at a time. */
  readonly clients: number
  readonly port: number
}

interface ShopsPlan extends ShopsStart {
  readonly merchantCodes: readonly string[]
  readonly tokenOf: (merchantCode: string) => string
}

const TIMEOUT_MS = 5_000
const PAUSE_MS = 100
const ID_BYTES = 12
const [ACCEPTED, KNOWN, SERVER_FAULT] = [201, 409, 500]

/** Shops of merchants that ask for their tokens first. */
export async function openShopsOf(merchants: readonly Demo[], start: ShopsStart): Promise<Shops> {
  const tokens = new Map<string, string>()
  for (const merchant of merchants) tokens.set(merchant.merchantCode, await issueToken(start.port, merchant))
  return openShops({
    merchantCodes: [...tokens.keys()],
    clients: start.clients,
    port: start.port,
    tokenOf: (code) => tokens.get(code) ?? '',
  })
}

/** How many payments of the merchant were acknowledged. */
export function acceptedOf(shops: Shops, merchantCode: string): number {
  return shops.accepted.get(merchantCode)?.size ?? 0
}

/** The merchant's longest time between two acknowledgements that ends in the span, in seconds. */
export function longestPause(shops: Shops, merchantCode: string, fromMs: number, toMs = Infinity): number {
  const times = shops.answersTo(merchantCode).map(({ atMs }) => atMs)
  const pauses = times
    .slice(1)
    .map((ms, index) => ({ ms, pause: ms - (times[index] ?? ms) }))
    .filter(({ ms }) => ms >= fromMs && ms < toMs)
  return pauses.reduce((longest, { pause }) => Math.max(longest, pause), 0) / 1000
}

export async function openShops(plan: ShopsPlan): Promise<Shops> {
  const { merchantCodes, clients, tokenOf } = plan
  const ports = new Map(merchantCodes.map((code) => [code, plan.port]))
  const tokens = new Map(merchantCodes.map((code) => [code, tokenOf(code)]))
  const accepted = new Map(merchantCodes.map((code) => [code, new Set<string>()]))
  const answers = new Map<string, Acknowledgement[]>(merchantCodes.map((code) => [code, []]))
  const receiver = await startReceiver()
  let isOver = false
  let pauseMs = 0

  const wires = new Map<number, ReturnType<typeof createGateway>>()
  const wireTo = (port: number): ReturnType<typeof createGateway> => {
    const known = wires.get(port)
    if (known !== undefined) return known
    const wire = createGateway({
      baseUrl: `http://127.0.0.1:${port}`,
      merchantCode: '',
      timeoutMs: TIMEOUT_MS,
      retries: 0,
    })
    wires.set(port, wire)
    return wire
  }

  const ask = (merchantCode: string, id: string) =>
    wireTo(ports.get(merchantCode) ?? plan.port)
      .request({
        method: 'POST',
        path: `/payins/${id}`,
        token: tokens.get(merchantCode),
        body: bodyOf(receiver.url),
      })
      .catch(() => undefined)

  /** Repeats with the same id until it is acknowledged, wherever the merchant is by then. */
  async function pay(merchantCode: string): Promise<void> {
    const id = randomBytes(ID_BYTES).toString('hex')
    const beganMs = performance.now()
    while (!isAcknowledged(merchantCode, await ask(merchantCode, id))) await sleep(PAUSE_MS)
    accepted.get(merchantCode)?.add(id)
    const atMs = performance.now()
    answers.get(merchantCode)?.push({ atMs, tookMs: atMs - beganMs })
  }

  const asking = merchantCodes.flatMap((code, index) =>
    Array.from({ length: clients }, async () => {
      while (pauseMs === 0 && index > 0 && !isOver) await sleep(PAUSE_MS)
      while (!isOver) {
        await pay(code)
        if (pauseMs > 0) await sleep(pauseMs)
      }
    }),
  )
  return {
    accepted,
    answersTo: (code) => answers.get(code) ?? [],
    told: receiver.told,
    route(code, port, token) {
      ports.set(code, port)
      if (token !== undefined) tokens.set(code, token)
    },
    pace(wanted) {
      pauseMs = wanted
    },
    async stop() {
      isOver = true
      await Promise.all(asking)
    },
  }
}

/** 409 says that the id is taken: by the same request, whose answer was lost. Throws when the merchant is refused for good. */
function isAcknowledged(merchantCode: string, answer: RawResponse | undefined): boolean {
  if (answer === undefined || answer.status >= SERVER_FAULT) return false
  if (answer.status === ACCEPTED || answer.status === KNOWN) return true
  throw new Error(`${merchantCode} was refused: ${answer.status} ${answer.text}`)
}

const bodyOf = (callbackUrl: string): unknown => ({
  paymentRequested: { money: { amount: '149.9', currencyCode: 'EUR' } },
  paymentMethod: { paymentMethodCode: 'BANK_TRANSFER', emailAddress: 'success@sandbox.test' },
  callbackUrl,
})

interface Receiver {
  readonly url: string
  readonly told: ReadonlyMap<string, number>
}

/** Takes every callback. It ends with the process. */
async function startReceiver(): Promise<Receiver> {
  const told = new Map<string, number>()
  const port = await freePort()
  const server = createServer((request, response) => {
    let body = ''
    request.setEncoding('utf8').on('data', (text: string) => {
      body += text
    })
    request.once('end', () => {
      const parsed: unknown = JSON.parse(body)
      const idEntity = String(at(parsed, 'idEntity'))
      told.set(idEntity, (told.get(idEntity) ?? 0) + 1)
      response.writeHead(200).end('OK')
    })
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  server.unref()
  return { url: `http://127.0.0.1:${port}/callbacks`, told }
}
