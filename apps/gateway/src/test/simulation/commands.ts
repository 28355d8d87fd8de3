import assert from 'node:assert/strict'
import fc from 'fast-check'
import { type Client, createClient, KINDS, type Name, nameText, type Order } from './client.ts'
import { findLeft, findLost, findUnheard, HEALING_MS } from './endings.ts'
import { FAULTS, type Fault } from './faults.ts'
import { findBreaches } from './properties.ts'
import { BEHAVIOURS, type Behaviour } from './receivers.ts'
import { CURRENCIES, MERCHANTS, receiverHost } from './shop.ts'
import {
  type Answer,
  createWorld,
  PROCESSES,
  type ProcessName,
  type World,
  type WorldOptions,
} from './world.ts'

// The model rig: commands, one after the other, of which each has the answer that the model gives.

/** What the institution does, and how often it tells of it. */
export const OUTCOMES = ['PAID', 'FAILED', 'CANCELLED', 'RETURNED', 'OTHER_MONEY'] as const
export type Outcome = (typeof OUTCOMES)[number]

export type Command =
  | ({ readonly name: 'CREATE' } & Order)
  /** So many requests at once under one id. */
  | ({ readonly name: 'STORM'; readonly count: number } & Order)
  | { readonly name: 'READ'; readonly of: Name }
  | { readonly name: 'REFER'; readonly of: Name; readonly reference: string }
  | { readonly name: 'DECIDE'; readonly of: Name; readonly outcome: Outcome; readonly copies: number }
  /** A message of the institution that is old, or about another payment. */
  | { readonly name: 'CONFUSE'; readonly of: Name; readonly with: Confusion }
  | { readonly name: 'WAIT'; readonly minutes: number }
  | { readonly name: 'RECEIVE'; readonly merchantId: string; readonly behaviour: Behaviour }
  | { readonly name: 'CRASH'; readonly process: ProcessName }
  | { readonly name: 'SKEW'; readonly process: ProcessName; readonly minutes: number }
  /** The next such call of whoever makes it goes wrong. */
  | { readonly name: 'BREAK'; readonly site: string; readonly fault: Fault }

export const CONFUSIONS = ['STILL_PENDING', 'OTHER_MERCHANT', 'OTHER_DIRECTION', 'NO_SUCH_REFERENCE'] as const
type Confusion = (typeof CONFUSIONS)[number]

/** A world that is played in, and what its client knows. */
export interface Stage {
  readonly world: World
  readonly client: Client
  /** Whether something was broken that has not been waited out. */
  isDisturbed: boolean
  messages: number
}

/** Calls that BREAK can break. */
export const SITES = [
  'begin',
  'commit',
  'payments_insert',
  'payments_insert_outgoing',
  'payments_list_for_update',
  'payments_update',
  'payments_update_submitted',
  'payment_tasks_claim',
  'payment_tasks_update_answered',
  'callbacks_claim_due',
  'callbacks_update_attempts',
  'rail_notifications_insert',
  'rail_notifications_claim',
  'rail_notifications_update_done',
  'bank PUT',
  'bank GET',
  'receiver',
] as const

/** Long enough for workers to do what there is to do. */
const QUIET_MS = 3_000
/** Long enough for a lease to end, too. */
const DISTURBED_MS = 100_000
const TRIES_MAX = 12
/** Twelve tries, none of which is answered. */
const PLAYED_MS_MAX = 200_000
/** The institution tells by itself: asking it rarely is enough. */
const ASK_AGAIN_SECONDS = 3_600

export function openStage(options: WorldOptions): Stage {
  const world = createWorld({
    ...options,
    onHandOver(_, __, payment) {
      payment.askAgainSeconds = ASK_AGAIN_SECONDS
    },
  })
  return { world, client: createClient(world), isDisturbed: false, messages: 0 }
}

/** Lets time pass until the promise is settled. */
async function played<Result>({ time }: World, promise: Promise<Result>): Promise<Result> {
  let isDone = false
  const settled = promise.finally(() => {
    isDone = true
  })
  await time.passUntil(time.nowMs() + PLAYED_MS_MAX, () => isDone)
  return settled
}

/** Does what the command says, and gives what was answered. */
export async function perform(stage: Stage, command: Command): Promise<readonly Insisted[]> {
  const { world, client } = stage
  switch (command.name) {
    case 'CREATE':
      return [await insist(stage, () => client.create(command))]
    case 'STORM': {
      const answers = Array.from({ length: command.count }, () => client.create(command))
      return (await played(world, Promise.all(answers))).map((answer) => ({ ...answer, isRepeat: false }))
    }
    case 'READ':
      return [await insist(stage, () => client.read(command.of, 'READER'))]
    case 'REFER':
      return [await insist(stage, () => client.setReference(command.of, command.reference))]
    default:
      await happen(stage, command)
      return []
  }
}

type Happening = Exclude<Command, { name: 'CREATE' | 'STORM' | 'READ' | 'REFER' }>

async function happen(stage: Stage, command: Happening): Promise<void> {
  const { world } = stage
  switch (command.name) {
    case 'DECIDE':
      await decide(stage, command)
      return
    case 'CONFUSE':
      await confuse(stage, command)
      return
    case 'WAIT':
      await world.time.passUntil(world.time.nowMs() + command.minutes * 60_000)
      return
    case 'RECEIVE':
      world.receivers.behave(receiverHost(command.merchantId), command.behaviour)
      return
    case 'CRASH':
      world.crash(command.process)
      stage.isDisturbed = true
      return
    case 'SKEW':
      world.skew(command.process, command.minutes * 60_000)
      return
    case 'BREAK':
      world.faults.plan(command.site, command.fault)
      stage.isDisturbed = true
      return
  }
}

/** An answer, and whether an earlier try of the same request was not answered. */
export interface Insisted extends Answer {
  readonly isRepeat: boolean
}

/** Repeats a request that was not answered, or with 500, until it is. */
async function insist({ world }: Stage, request: () => Promise<Answer>): Promise<Insisted> {
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    const answer = await played(world, request())
    if (answer.status !== 'UNANSWERED' && answer.status !== 500) return { ...answer, isRepeat: tries > 0 }
    await world.time.passUntil(world.time.nowMs() + 1_000)
  }
  throw new Error('a request was never answered')
}

async function decide(
  stage: Stage,
  { of, outcome, copies }: Extract<Command, { name: 'DECIDE' }>,
): Promise<void> {
  const { world, client } = stage
  const reference = client.references.get(nameText(of))
  const payment = reference === undefined ? undefined : world.bank.payments.get(reference)
  if (reference === undefined || payment === undefined) return
  const { money, direction } = payment.asked
  const other = { ...money, amount: `${money.amount}1` }
  // Money that goes out goes out whole.
  if (outcome === 'OTHER_MONEY' && direction !== 'PAYOUT') world.bank.decide(reference, 'SUCCEEDED', other)
  else world.bank.decide(reference, STATUSES[outcome], payment.received)
  const messages = Array.from({ length: copies }, () =>
    deliver(stage, (no) => world.bank.messageOf(reference, no)),
  )
  await played(world, Promise.all(messages))
}

const STATUSES = {
  PAID: 'SUCCEEDED',
  OTHER_MONEY: 'SUCCEEDED',
  FAILED: 'FAILED',
  CANCELLED: 'CANCELLED',
  RETURNED: 'RETURNED',
} as const

async function confuse(
  stage: Stage,
  { of, with: how }: Extract<Command, { name: 'CONFUSE' }>,
): Promise<void> {
  const { world, client } = stage
  const reference = client.references.get(nameText(of))
  if (reference === undefined) return
  const claimed = {
    STILL_PENDING: { status: 'PENDING' },
    OTHER_MERCHANT: { merchantCode: 'SHOP9', status: 'SUCCEEDED' },
    OTHER_DIRECTION: { direction: of.kind === 'PAYIN' ? 'TOPUP' : 'PAYIN', status: 'SUCCEEDED' },
    NO_SUCH_REFERENCE: { reference: 'NOBODY', status: 'SUCCEEDED' },
  } as const
  await played(
    world,
    deliver(stage, (no) => world.bank.messageOf(reference, no, claimed[how])),
  )
}

/** Delivers a message until it is taken, as an institution does. */
async function deliver(
  stage: Stage,
  make: (no: string) => ReturnType<World['bank']['messageOf']>,
): Promise<void> {
  const { world } = stage
  stage.messages += 1
  const no = `N-${stage.messages}`
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    const message = make(no)
    if (message === undefined || (await world.notify(message))) return
    await new Promise<void>((resolve) => void world.time.after(2_000, resolve))
  }
}

/** Lets workers finish. */
export async function rest(stage: Stage): Promise<void> {
  const { time } = stage.world
  await time.passUntil(time.nowMs() + (stage.isDisturbed ? DISTURBED_MS : QUIET_MS))
  // What is to break may not have been called yet.
  stage.isDisturbed = stage.world.faults.isPlanned()
}

/** Ends all troubles and lets everything come to its end; then nothing may be wrong. */
export async function finish({ world, client }: Stage): Promise<void> {
  world.faults.forget()
  for (const process of PROCESSES) world.skew(process, 0)
  for (const merchantId of MERCHANTS) world.receivers.behave(receiverHost(merchantId), 'OK')
  await world.time.passUntil(world.time.nowMs() + HEALING_MS)
  assert.deepEqual(
    [
      ...client.breaches,
      ...findBreaches(world.disk),
      ...findLost(world, client),
      ...findLeft(world),
      ...findUnheard(world),
    ],
    [],
  )
}

const merchantId = fc.constantFrom(MERCHANTS[0], MERCHANTS[0], ...MERCHANTS)
const name: fc.Arbitrary<Name> = fc.record({
  merchantId,
  kind: fc.constantFrom(...KINDS),
  id: fc.constantFrom('a', 'b', 'c'),
})
const order: fc.Arbitrary<Order> = fc
  .record({
    name,
    amount: fc.constantFrom(1, 7, 33, 99, 100, 101, 1_000_000_007),
    currencyCode: fc.constantFrom('EUR', 'EUR', 'EUR', ...CURRENCIES),
    isWallet: fc.boolean(),
    token: fc.constantFrom('FULL', 'FULL', 'FULL', 'FULL', 'FULL', 'FULL', 'READER', 'ONE_PAYIN'),
  })
  .map(({ name: { kind, ...rest }, isWallet, ...more }) => ({
    ...{ ...rest, ...more, kind },
    methodCode: isWallet && kind === 'PAYIN' ? 'WALLET' : 'TRANSFER',
  }))

const process = fc.constantFrom(...PROCESSES)
const of = name
const ofPayin = name.map((given): Name => ({ ...given, kind: 'PAYIN' }))

/** What may come next. */
const COMMANDS: fc.Arbitrary<Command> = fc.oneof(
  { weight: 10, arbitrary: order.map((given) => ({ name: 'CREATE' as const, ...given })) },
  {
    weight: 1,
    arbitrary: fc
      .record({ given: order, count: fc.integer({ min: 2, max: 14 }) })
      .map(({ given, count }) => ({ name: 'STORM' as const, ...given, count })),
  },
  { weight: 2, arbitrary: fc.record({ name: fc.constant('READ'), of }) },
  {
    weight: 2,
    arbitrary: fc.record({ name: fc.constant('REFER'), of: ofPayin, reference: fc.constantFrom('R1', 'R2') }),
  },
  {
    weight: 10,
    arbitrary: fc.record({
      ...{ name: fc.constant('DECIDE'), of, copies: fc.integer({ min: 1, max: 3 }) },
      outcome: fc.constantFrom('PAID', 'PAID', 'PAID', 'RETURNED', ...OUTCOMES),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ name: fc.constant('CONFUSE'), of, with: fc.constantFrom(...CONFUSIONS) }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ name: fc.constant('WAIT'), minutes: fc.constantFrom(1, 5, 11, 4_500) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      name: fc.constant('RECEIVE'),
      merchantId,
      behaviour: fc.constantFrom(...BEHAVIOURS),
    }),
  },
  { weight: 2, arbitrary: fc.record({ name: fc.constant('CRASH'), process }) },
  {
    weight: 1,
    arbitrary: fc.record({ name: fc.constant('SKEW'), process, minutes: fc.constantFrom(-4, 0, 4) }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      ...{ name: fc.constant('BREAK'), site: fc.constantFrom(...SITES), fault: fc.constantFrom(...FAULTS) },
    }),
  },
)

const COMMANDS_MAX = 10

/** What may happen one after the other. */
export const HISTORIES: fc.Arbitrary<readonly Command[]> = fc.array(COMMANDS, {
  maxLength: COMMANDS_MAX,
  size: 'max',
})

/** Without crashes and lost answers, which are the network's and not the database's; and nobody waits for days. */
export const calm = (commands: readonly Command[]): readonly Command[] =>
  commands.filter(({ name: each }) => each !== 'BREAK' && each !== 'CRASH' && each !== 'WAIT')

export const CALM_HISTORIES: fc.Arbitrary<readonly Command[]> = HISTORIES.map(calm)
