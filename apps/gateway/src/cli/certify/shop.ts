import { parsed } from '../api.ts'
import { harmless } from '../harmless.ts'
import type { Callback } from './callback.ts'
import { type Answer, exchange, NoAnswer } from './exchange.ts'
import { Fault } from './fault.ts'
import type { Created } from './relay.ts'

// The shop that is certified, as its customers and the gateway see it.

/** Where the shop is. */
export interface ShopWish {
  /** A POST to it makes an order. */
  readonly order: string
  /** What a customer’s form would send. */
  readonly orderForm?: string
  /** By default those of the payment. `{idPayin}` stands for its id. */
  readonly callback?: string
  readonly return?: string
}

/** What the shop says of an order by its own records. */
export interface Belief {
  readonly status: string
  readonly fulfilled: number
}

/** The shop that is certified. */
export interface Shop {
  /** Orders. Throws Fault. */
  buy(): Promise<Answer>
  /** Hands a callback to its receiver, and resolves to the status of the answer. Throws Fault. */
  deliver(order: Created, callback: Callback): Promise<number>
  /** The customer comes back, with this behind the address. Throws Fault. */
  visit(order: Created, query?: string): Promise<void>
  /** What the shop believes. Throws Fault. */
  ask(order: Created): Promise<Belief>
}

/** The shop at its addresses. Keeps cookies, as a browser does. */
export function shopAt(wish: ShopWish): Shop {
  let cookie = ''
  const returnOf = ({ id, returnUrl }: Created): string => filled(wish.return ?? returnUrl, id)
  const callbackOf = ({ id, callbackUrl }: Created): string => filled(wish.callback ?? callbackUrl, id)
  return {
    async buy() {
      const answer = await spoken('order', () =>
        exchange(wish.order, {
          method: 'POST',
          headers: { 'content-type': 'application/x-www-form-urlencoded' },
          body: wish.orderForm ?? '',
        }),
      )
      const cookies = answer.headers.getSetCookie().map((each) => each.split(';')[0] ?? '')
      if (cookies.length > 0) cookie = cookies.join('; ')
      return answer
    },
    deliver: async (order, { headers, body }) =>
      (await spoken('callback', () => exchange(callbackOf(order), { method: 'POST', headers, body }))).status,
    async visit(order, query = '') {
      const url = new URL(returnOf(order))
      for (const [name, value] of new URLSearchParams(query)) url.searchParams.set(name, value)
      const headers = { accept: 'text/html', ...(cookie !== '' && { cookie }) }
      await spoken('return', () => exchange(url.href, { method: 'GET', headers }))
    },
    async ask(order) {
      const headers = { accept: 'application/json', ...(cookie !== '' && { cookie }) }
      return beliefOf(
        await spoken('return', () => exchange(returnOf(order), { method: 'GET', headers })),
        order,
      )
    },
  }
}

const ADDRESSES = {
  order: { name: 'address for orders', option: '--order' },
  callback: { name: 'callback receiver', option: '--callback' },
  return: { name: 'return page', option: '--return' },
} as const

async function spoken(what: keyof typeof ADDRESSES, send: () => Promise<Answer>): Promise<Answer> {
  try {
    return await send()
  } catch (error) {
    if (!(error instanceof NoAnswer)) throw error
    const { name, option } = ADDRESSES[what]
    throw new Fault(`the shop’s ${name} did not answer (${error.message})`, 'an answer within 10 s', {
      fix: `Start the shop, see what it waits for, or give another address with ${option}.`,
      isSilence: true,
    })
  }
}

const filled = (url: string, id: string): string =>
  url.replaceAll('{idPayin}', id).replaceAll('%7BidPayin%7D', id)

const STATUS_SHOWN_MAX = 40

function beliefOf(answer: Answer, order: Created): Belief {
  const told = parsed(answer.body.toString('utf8'))
  if (answer.status !== 200 || typeof told !== 'object' || told === null)
    throw notTold(`answered ${answer.status} without JSON to Accept: application/json`)
  const status: unknown = Reflect.get(told, 'status')
  const fulfilled: unknown = Reflect.get(told, 'fulfilled')
  if (
    Reflect.get(told, 'idPayin') !== order.id ||
    typeof status !== 'string' ||
    typeof fulfilled !== 'number'
  )
    throw notTold('answered JSON without this payment’s idPayin, status and fulfilled')
  return { status: harmless(status).slice(0, STATUS_SHOWN_MAX), fulfilled }
}

const notTold = (seen: string): Fault =>
  new Fault(`the shop’s return page ${seen}`, '200 and {"idPayin":"…","status":"CREATED","fulfilled":0}', {
    fix: 'Answer so there, or give another page with --return; see docs/guides/certify.md.',
  })
