import type { TriggerOutcome } from '@tollgate/contract/words'
import { parsed } from '../api.ts'
import { CommandFailure } from '../failure.ts'
import type { Callback } from './callback.ts'
import type { Answer } from './exchange.ts'
import { Fault } from './fault.ts'
import { type Call, type Created, createdBy, type Meddler, type Relay } from './relay.ts'
import type { Sandbox } from './sandbox.ts'
import type { Belief, Shop } from './shop.ts'
import { isSoon } from './wait.ts'

// What a case is played with: orders, callbacks, the customer, and what is expected of the shop.

const CALLBACK_TIMEOUT_MS = 20_000
/** A shop may note a callback, answer, and do the work afterwards. */
const BELIEF_TIMEOUT_MS = 5_000
/** The shop is done with a payment when it has asked nothing about it for so long. */
const QUIET_MS = 200
const QUIET_TIMEOUT_MS = 3_000

/** An order of the shop, with its payment at the gateway. */
interface Order extends Created {
  /** The shop created the payment itself; otherwise its customer did at the payment page. */
  readonly isDirect: boolean
}

/** What a case is played with. Everything throws Fault for what a correct shop would not do. */
export interface Stage {
  readonly relay: Relay
  readonly sandbox: Sandbox
  readonly shop: Shop
  /** Buys at the shop; its payment waits for the customer’s money. */
  order(): Promise<Order>
  /** Makes something happen to the payment, and resolves to the gateway’s callback about it, which the shop has not heard yet. */
  happens(order: Created, outcome: TriggerOutcome): Promise<Callback>
  /** Hands a callback on; a correct shop answers 200. */
  deliver(order: Created, callback: Callback): Promise<void>
  /** Hands a forgery on; a correct shop answers 4xx. */
  refuses(order: Created, forged: Callback, what: string): Promise<void>
  /** The shop must come to believe this. */
  believes(order: Created, expected: Expected): Promise<void>
  /** The shop must not take the order for paid, nor send the goods. */
  isUnpaid(order: Created): Promise<void>
  /** The reads of this payment by the shop so far. */
  readsOf(order: Created): readonly Call[]
}

/** Puts a stage together. */
export function createStage(relay: Relay, sandbox: Sandbox, shop: Shop): Stage {
  const readsOf = ({ id }: Created): readonly Call[] => relay.calls.filter((call) => isRead(call, id))
  const quiet = async ({ id }: Created): Promise<void> => {
    let count = -1
    const isQuiet = (): boolean => {
      const calls = relay.calls.filter(({ path }) => path.includes(id))
      const isSame = calls.length === count && calls.every(({ status }) => status !== undefined)
      count = calls.length
      return isSame
    }
    await isSoon(isQuiet, { timeoutMs: QUIET_TIMEOUT_MS, pauseMs: QUIET_MS })
  }

  return {
    relay,
    sandbox,
    shop,
    readsOf,
    order: () => placeOrder(relay, sandbox, shop),
    async happens({ id }, outcome) {
      const known = relay.callbacks.length
      await sandbox.trigger(id, outcome)
      const found = (): Callback | undefined => relay.callbacks.slice(known).find((each) => isAbout(each, id))
      if (!(await isSoon(() => found() !== undefined, { timeoutMs: CALLBACK_TIMEOUT_MS })))
        throw new CommandFailure(
          'SERVER',
          `The gateway sent no callback about ${id} in ${CALLBACK_TIMEOUT_MS / 1000} s. Does its worker run?`,
        )
      return found() ?? { headers: {}, body: '' }
    },
    async deliver(order, callback) {
      const status = await shop.deliver(order, callback)
      if (status !== OK) throw new Fault(`the shop’s callback receiver answered ${status}`, 'the answer 200')
    },
    async refuses(order, forged, what) {
      const status = await shop.deliver(order, forged)
      if (status < 400 || status > 499)
        throw new Fault(
          `the shop’s callback receiver answered ${status} to ${what}`,
          'an answer from 400 to 499',
        )
    },
    async believes(order, expected) {
      await quiet(order)
      let seen = ''
      const isSo = async (): Promise<boolean> => {
        const belief = await shop.ask(order)
        seen = `the shop says ${said(belief)}`
        const { fulfilled = belief.fulfilled } = expected
        return belief.status === expected.status && belief.fulfilled === fulfilled
      }
      if (!(await isSoon(isSo, { timeoutMs: BELIEF_TIMEOUT_MS, pauseMs: QUIET_MS })))
        throw new Fault(seen, said(expected))
    },
    async isUnpaid(order) {
      await quiet(order)
      const belief = await shop.ask(order)
      if (belief.status === 'SUCCESS' || belief.fulfilled !== 0)
        throw new Fault(`the shop says ${said(belief)}`, 'another status than SUCCESS, fulfilled 0 times')
    },
  }
}

const OK = 200

/** What the shop says of an order that is paid. */
export const PAID: Belief = { status: 'SUCCESS', fulfilled: 1 }

/** What a shop is to say; how often it has sent the goods may be left open. */
type Expected = Pick<Belief, 'status'> & Partial<Belief>

function said({ status, fulfilled }: Expected): string {
  if (fulfilled === undefined) return status
  return `${status}, fulfilled ${fulfilled === 1 ? 'once' : `${fulfilled} times`}`
}

/** Whether the shop reads this payment. */
const isRead = ({ method, path }: Call, id: string): boolean =>
  method === 'GET' && path.split('?')[0] === `/payins/${id}`

function isAbout({ body }: Callback, id: string): boolean {
  const told = parsed(body)
  return typeof told === 'object' && told !== null && Reflect.get(told, 'idEntity') === id
}

async function placeOrder(relay: Relay, sandbox: Sandbox, shop: Shop): Promise<Order> {
  const known = relay.calls.length
  const answer = await shop.buy()
  const calls = relay.calls.slice(known)
  const created = calls.map(createdBy).find((each) => each !== undefined)
  if (created !== undefined && isAnswered(answer)) return { ...created, isDirect: true }
  const page = pageOf(answer)
  if (page !== undefined && calls.length > 0)
    return { ...(await sandbox.payOnPage(page, relay.callbackUrl)), isDirect: false }
  throw calls.length === 0 && isAnswered(answer) ? new NotPassing() : noOrder(answer)
}

/** The shop calls the gateway, and not the relay. */
export class NotPassing extends Error {
  override readonly name = 'NotPassing'
}

const isAnswered = ({ status }: Answer): boolean => status >= 200 && status < 400

/** The address of the payment page that the shop sends its customer to. */
function pageOf({ headers }: Answer): URL | undefined {
  const page = URL.parse(headers.get('location') ?? '') ?? undefined
  return page?.searchParams.has('idPayin') === true ? page : undefined
}

const noOrder = ({ status }: Answer): Fault =>
  new Fault(
    `the shop’s address for orders answered ${status}`,
    'a payment at the gateway with an answer of 200 to 399, or a redirect to the payment page',
  )

/** Meddles with the reads of one payment only. */
export const withReadsOf =
  ({ id }: Created, meddle: Meddler): Meddler =>
  (call, pass) =>
    isRead(call, id) ? meddle(call, pass) : pass()
