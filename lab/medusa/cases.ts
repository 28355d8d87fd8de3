import { setTimeout as sleep } from 'node:timers/promises'
import { type FaultProxy, waitUntil } from '@tollgate/testkit'
import type { TestBrowser } from '@tollgate/testkit/browser'
import type { Sql } from '../rig/sql.ts'
import { type Customer, newCustomer } from './customer.ts'
import { type Facts, factsOf } from './facts.ts'
import type { Relay } from './relay.ts'
import type { Sandbox } from './sandbox.ts'
import type { Cart, Shop } from './shop.ts'

/** Everything that runs. */
export interface Scene {
  readonly shop: Shop
  readonly sandbox: Sandbox
  readonly relay: Relay
  /** Between Medusa and the gateway's API. */
  readonly proxy: FaultProxy
  readonly browser: TestBrowser
  readonly medusa: Sql
  /** Where customers come back to. */
  readonly returnUrl: string
}

interface Bought {
  readonly cart: Cart
  /** What was seen on the way, in a few words. */
  readonly seen: string
}

/** One purchase with something that goes wrong. */
interface Case {
  readonly name: string
  readonly quantity: number
  /** How many of them are in the cart at first. */
  readonly begins?: number
  /** What is paid back in the end. */
  readonly refunded?: string
  /** From the cart to the moment from which everything has to become right; what was seen, and perhaps another session. */
  play(scene: Scene, cart: Cart): Promise<string | Bought>
}

/** What was found in the end. */
export interface Result extends Bought {
  readonly name: string
  readonly facts: Facts
  readonly wrong: readonly string[]
  readonly seconds: number
}

const RIGHT_TIMEOUT_MS = 90_000
/** After everything is right it must stay so, while late callbacks and the job come by. */
const QUIET_MS = 15_000
const PRICE_CENTS = 14_990
const CENTS = 100

const amountOf = (quantity: number): string => String((PRICE_CENTS * quantity) / CENTS)

/** Plays the case, waits until Medusa and the gateway agree, and looks again some time later. */
export async function play(scene: Scene, each: Case): Promise<Result> {
  const { name, quantity } = each
  const { shop, relay, returnUrl } = scene
  const first = await shop.checkOut({ quantity: each.begins ?? quantity, returnUrl })
  const played = await each.play(scene, first)
  const { cart, seen } = typeof played === 'string' ? { cart: first, seen: played } : played
  relay.behave({})
  const startMs = performance.now()
  const find = () => factsOf(scene.medusa, scene.sandbox.merchant, cart)
  const isRight = async (): Promise<boolean> => wrongOf(await find(), each).length === 0
  const waiting = { timeoutMs: RIGHT_TIMEOUT_MS, what: `${name} to be right` }
  await waitUntil(isRight, waiting).catch(() => undefined)
  const seconds = (performance.now() - startMs) / 1_000
  // Nothing may happen here, and that cannot be waited for.
  await sleep(QUIET_MS)
  const facts = await find()
  return { name, cart, seen, facts, seconds, wrong: wrongOf(facts, each) }
}

/** One order, one capture of exactly the money, booked once, and refunded as often as was asked. */
function wrongOf(facts: Facts, { quantity, refunded = '0' }: Case): readonly string[] {
  const amount = amountOf(quantity)
  const refunds = refunded === '0' ? 0 : 1
  const expected: readonly (readonly [name: keyof Facts, value: string | number])[] = [
    ...([['orders', 1] as const, ['captures', 1] as const, ['captured', amount] as const] as const),
    ...([
      ['booked', amount] as const,
      ['status', 'SUCCESS'] as const,
      ['received', amount] as const,
    ] as const),
    ...([['refunds', refunds] as const, ['refunded', refunded] as const] as const),
    ...([['refundsAtGateway', refunds] as const, ['paidBack', refunded] as const] as const),
  ]
  return expected.flatMap(([name, value]) =>
    facts[name] === value ? [] : [`${name}: ${String(facts[name])}, not ${String(value)}`],
  )
}

const customerOf = ({ browser }: Scene, cart: Cart): Promise<Customer> =>
  newCustomer(browser, cart.redirectUrl)

async function paidAtBank(scene: Scene, cart: Cart): Promise<Customer> {
  const customer = await customerOf(scene, cart)
  await customer.payAtBank()
  return customer
}

const answered = ({ relay }: Scene, count: number, from: number): Promise<void> =>
  waitUntil(() => relay.answers.length >= from + count, {
    timeoutMs: RIGHT_TIMEOUT_MS,
    what: `${count} callbacks`,
  })

const orderOf = async (scene: Scene, cart: Cart): Promise<Facts> =>
  factsOf(scene.medusa, scene.sandbox.merchant, cart)

/** A paid and ordered cart, for what comes afterwards. */
async function bought(scene: Scene, cart: Cart): Promise<string> {
  const customer = await customerOf(scene, cart)
  await customer.payByTransfer()
  await customer.return()
  await waitUntil(async () => (await orderOf(scene, cart)).orders === 1, {
    timeoutMs: RIGHT_TIMEOUT_MS,
    what: 'the order',
  })
  return (await orderOf(scene, cart)).payment
}

const REFUND = 40
const ANSWERS_LOST = 1_000

const lostRefund =
  (kind: 'REPLY_LOST' | 'REQUEST_LOST'): Case['play'] =>
  async (scene, cart) => {
    const payment = await bought(scene, cart)
    const from = scene.proxy.faults
    scene.proxy.plan({ kind, marker: `/payins/${cart.session}/refunds/`, times: ANSWERS_LOST })
    await scene.shop.refund(payment, REFUND)
    const { refundsAtGateway } = await orderOf(scene, cart)
    // The fault ends here.
    scene.proxy.plan({ kind, marker: 'no such message', times: 0 })
    return `${scene.proxy.faults - from} attempts lost; then ${refundsAtGateway} refund at the gateway`
  }

/** Lets Medusa stand still just before it writes an order. */
const ORDERS_WAIT = `
create function lab_wait() returns trigger language plpgsql as $$ begin perform pg_sleep(120); return new; end $$;
create trigger lab_wait before insert on "order" for each row execute function lab_wait()`
const WAITING = `select pid from pg_stat_activity where wait_event = 'PgSleep' and datname = current_database()`

export const CASES: readonly Case[] = [
  {
    name: 'paid at the bank, and back to the shop',
    quantity: 1,
    play: async (scene, cart) => (await paidAtBank(scene, cart)).return(),
  },
  {
    name: 'paid, and the customer never comes back',
    quantity: 3,
    play: async (scene: Scene, cart: Cart): Promise<string> => {
      await paidAtBank(scene, cart)
      return 'the callback alone'
    },
  },
  {
    name: 'Medusa killed right after its 200',
    quantity: 1,
    play: async (scene: Scene, cart: Cart): Promise<string> => {
      const { relay, shop } = scene
      const from = relay.answers.length
      relay.behave({ after: () => shop.kill() })
      await paidAtBank(scene, cart)
      await answered(scene, 1, from)
      const { orders } = await orderOf(scene, cart)
      relay.behave({})
      await shop.start()
      return `answered ${relay.answers.slice(from).join(', ')}; ${orders} orders then`
    },
  },
  {
    name: 'Medusa killed between capture and order',
    quantity: 1,
    play: async (scene: Scene, cart: Cart): Promise<string> => {
      const { shop, medusa } = scene
      await medusa(ORDERS_WAIT)
      await paidAtBank(scene, cart)
      const isWaiting = async (): Promise<boolean> => (await medusa(WAITING)).length > 0
      await waitUntil(isWaiting, { timeoutMs: RIGHT_TIMEOUT_MS, what: 'an order that waits' })
      await shop.kill()
      await medusa(`select pg_terminate_backend(pid) from (${WAITING}) as waiting`)
      await medusa('drop function lab_wait cascade')
      const { orders, captures } = await orderOf(scene, cart)
      await shop.start()
      return `${captures} captures and ${orders} orders then`
    },
  },
  {
    name: 'the callback three times at once, and again',
    quantity: 2,
    play: async (scene: Scene, cart: Cart): Promise<string> => {
      const from = scene.relay.answers.length
      scene.relay.behave({ copies: 3 })
      await paidAtBank(scene, cart)
      await answered(scene, 3, from)
      return `answered ${scene.relay.answers.slice(from).join(', ')}`
    },
  },
  {
    name: 'the customer’s return before the callback',
    quantity: 1,
    play: async (scene: Scene, cart: Cart): Promise<string> => {
      let letGo = (): void => undefined
      const held = new Promise<void>((resolve) => {
        letGo = resolve
      })
      scene.relay.behave({ before: () => held })
      const said = await (await paidAtBank(scene, cart)).return()
      letGo()
      return said
    },
  },
  {
    name: 'the cart changes under an open payment page',
    begins: 1,
    quantity: 2,
    play: async (scene: Scene, cart: Cart): Promise<Bought> => {
      const customer = await customerOf(scene, cart)
      const changed = await scene.shop.addOne(cart, scene.returnUrl)
      const said = await customer.tryTransfer()
      const { process: old } = await scene.sandbox.merchant.payins.read(cart.session)
      await (await paidAtBank(scene, changed)).return()
      return { cart: changed, seen: `the old page says “${said}”, its payment is ${old.status}` }
    },
  },
  {
    name: 'bank transfer, paid by the bank’s statement',
    quantity: 1,
    play: transfer,
  },
  {
    name: 'refund, every answer lost',
    quantity: 1,
    refunded: String(REFUND),
    play: lostRefund('REPLY_LOST'),
  },
  {
    name: 'refund, every request lost',
    quantity: 1,
    refunded: String(REFUND),
    play: lostRefund('REQUEST_LOST'),
  },
  {
    name: 'bank transfer, ordered before the money',
    quantity: 2,
    play: async (scene: Scene, cart: Cart): Promise<string> => {
      await scene.shop.stop()
      await scene.shop.start({ ordersFirst: true })
      return transfer(scene, cart)
    },
  },
]

async function transfer(scene: Scene, cart: Cart): Promise<string> {
  const customer = await customerOf(scene, cart)
  await customer.chooseTransfer()
  const said = await scene.shop.complete(cart.id)
  const { orders } = await orderOf(scene, cart)
  const { paymentMethodResponse, paymentRequested } = await scene.sandbox.merchant.payins.read(cart.session)
  const { reference } = paymentMethodResponse
  await scene.sandbox.importStatement({ amount: paymentRequested.money.amount, reference })
  await customer.isPaid()
  return `${orders} orders before the money; the shop says ${said}`
}
