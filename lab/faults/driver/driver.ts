import { setTimeout as sleep } from 'node:timers/promises'
import { at } from '@tollgate/testkit'
import type { Random } from '../../rig/random.ts'
import type { Bank } from '../setup/bank.ts'
import { nowMs } from './history.ts'
import type { Plan, Plans } from './plans.ts'
import type { Answered, Wire } from './wire.ts'

/** How many merchants ask at a time, where nothing else is said. */
export const CLIENTS = 16
const THINK_MS_MAX = 400
const REPEAT_PAUSE_MS = 200
/** How long a payment is asked for again before it stays undecided. */
const DECIDE_TIMEOUT_MS = 120_000
const READ_SHARE = 0.4
const TWINS_SHARE = 0.08
const TOKEN_REFUSED = 401
const EARLIER_MAX = 200
const REFUSALS_SHOWN = 5

interface DriverDeps {
  readonly wire: Wire
  readonly plans: Plans
  readonly bank: Pick<Bank, 'approve'>
  readonly random: Random
  readonly say: (line: string) => void
}

/** Merchants who ask for payments, and customers who pay them at the bank's page. */
export interface Driver {
  /** Lets so many merchants begin. */
  start(clients: number): void
  /** Nobody asks for anything new; resolves when each payment is decided, and each customer has paid. */
  stop(): Promise<void>
  /** Asks for one payment until it is known what became of it. */
  settle(plan: Plan): Promise<void>
}

interface Crew extends DriverDeps {
  /** Some payments that were acknowledged, to be looked at again later. */
  readonly earlier: Plan[]
  readonly customers: Set<Promise<void>>
  refusals: number
  isRunning: boolean
}

export function createDriver(deps: DriverDeps): Driver {
  const crew: Crew = { ...deps, earlier: [], customers: new Set(), refusals: 0, isRunning: false }
  let running: Promise<unknown> = Promise.resolve()
  return {
    start(clients) {
      crew.isRunning = true
      running = Promise.all(Array.from({ length: clients }, (_, client) => work(crew, client)))
    },
    async stop() {
      crew.isRunning = false
      await running
      await Promise.all(crew.customers)
    },
    settle: (plan) => settle(crew, plan, { client: 0, random: crew.random }),
  }
}

interface Client {
  readonly client: number
  readonly random: Random
}

async function work(crew: Crew, client: number): Promise<void> {
  const self = { client, random: crew.random.fork() }
  while (crew.isRunning) {
    await ask(crew, self)
    const earlier = crew.earlier[self.random.below(crew.earlier.length)]
    if (earlier !== undefined && self.random.share() < READ_SHARE) await read(crew, earlier, self)
    await sleep(self.random.below(THINK_MS_MAX))
  }
}

/** Asks for the next payment; now and then twice at the same moment, as somebody does who clicks twice. */
async function ask(crew: Crew, self: Client): Promise<void> {
  const plan = crew.plans.next(self.random)
  const times = self.random.share() < TWINS_SHARE ? 2 : 1
  await Promise.all(Array.from({ length: times }, () => settle(crew, plan, self)))
}

/**
 * The same request again as long as its outcome is unknown, or a process whose clock is wrong refuses the token, at another
 * process each time; then a look.
 */
async function settle(crew: Crew, plan: Plan, self: Client): Promise<void> {
  const { wire } = crew
  const deadlineMs = nowMs() + DECIDE_TIMEOUT_MS
  let api = self.random.below(wire.apiCount)
  while (nowMs() < deadlineMs) {
    const answered = await wire.create({ plan, client: self.client, api })
    if (answered.outcome === 'ok') return acknowledged(crew, plan, { self, answered })
    if (answered.outcome === 'fail' && answered.httpStatus !== TOKEN_REFUSED) {
      refused(crew, plan, answered)
      return
    }
    await sleep(REPEAT_PAUSE_MS)
    api = (api + 1) % wire.apiCount
  }
}

/** Of a payment that ought to be accepted a refusal is shown: then the run tests less than it seems to. */
function refused(crew: Crew, plan: Plan, { body }: Answered): void {
  if (plan.shape === 'scant' || crew.refusals >= REFUSALS_SHOWN) return
  crew.refusals += 1
  crew.say(`  refused: ${plan.name.merchantCode} ${plan.path} ${JSON.stringify(body)}`)
}

async function acknowledged(
  crew: Crew,
  plan: Plan,
  { self, answered }: { readonly self: Client; readonly answered: Answered },
): Promise<void> {
  crew.earlier.push(plan)
  if (crew.earlier.length > EARLIER_MAX) crew.earlier.shift()
  const redirectUrl = redirectUrlIn(answered.body)
  if (plan.shape === 'page' && redirectUrl !== undefined) send(crew, redirectUrl)
  else if (plan.shape === 'page') await sendLater(crew, plan, self)
  else if (self.random.share() < READ_SHARE) await read(crew, plan, self)
}

/** Only the first answer says where to pay; after a 409 the payment is read. */
async function sendLater(crew: Crew, plan: Plan, self: Client): Promise<void> {
  const deadlineMs = nowMs() + DECIDE_TIMEOUT_MS
  while (nowMs() < deadlineMs) {
    const redirectUrl = redirectUrlIn((await read(crew, plan, self)).body)
    if (redirectUrl !== undefined) {
      send(crew, redirectUrl)
      return
    }
    await sleep(REPEAT_PAUSE_MS)
  }
}

function redirectUrlIn(body: unknown): string | undefined {
  const url = at(body, 'paymentMethodResponse', 'redirectUrl')
  return typeof url === 'string' ? url : undefined
}

/** A customer goes to the page. Who comes twice pays once. */
function send(crew: Crew, redirectUrl: string): void {
  const paying = crew.bank
    .approve(redirectUrl)
    .catch((error: unknown) => crew.say(`  a customer could not pay: ${String(error)}`))
    .then(() => void crew.customers.delete(paying))
  crew.customers.add(paying)
}

function read({ wire }: Crew, plan: Plan, { client, random }: Client): Promise<Answered> {
  return wire.read({ plan, client, api: random.below(wire.apiCount) })
}
