import assert from 'node:assert/strict'
import type { BankPayment } from './bank.ts'
import {
  type Client,
  createClient,
  type Ending,
  type Judgement,
  type Name,
  nameText,
  type Order,
  type Word,
} from './client.ts'
import { findLeft, findLost, findStorms, findUnheard, HEALING_MS } from './endings.ts'
import type { Fault } from './faults.ts'
import {
  type FeeChange,
  type MethodChange,
  revokeSpare,
  rotateKey,
  setFee,
  setMethod,
  type Work,
} from './operators.ts'
import { findBreaches } from './properties.ts'
import type { Behaviour } from './receivers.ts'
import { MERCHANTS, receiverHost } from './shop.ts'
import type { HandedIn, LineForm, Waiting } from './uploads.ts'
import {
  type Answer,
  createWorld,
  type Failover,
  PROCESSES,
  type ProcessName,
  type World,
  type WorldOptions,
} from './world.ts'

// The model rig: commands, one after the other, of which each has the answer that the model gives.

/** What the institution does, and how often it tells of it. */
export const OUTCOMES = ['PAID', 'FAILED', 'CANCELLED', 'RETURNED', 'OTHER_MONEY'] as const
type Outcome = (typeof OUTCOMES)[number]

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
  /** At the next such call the standby hears nothing any more, and takes over after a while. */
  | ({ readonly name: 'FAIL_OVER'; readonly site: string } & Failover)
  /** Operators, one after the other, say what they read on paper. Where they read something else, they say nothing. */
  | {
      readonly name: 'ADJUST'
      readonly of: Name
      readonly outcome: Word['outcome']
      readonly by: readonly Word['operatorCode'][]
    }
  /** A payout, and in the same moment an operator who stops it: one of operator and worker comes first. */
  | ({ readonly name: 'CREATE_HELD'; readonly by: Word['operatorCode'] } & Order)
  /** An operator lets a payout on hold go on, or ends it. */
  | { readonly name: 'RELEASE' | 'CANCEL_HELD'; readonly of: Name; readonly by: Word['operatorCode'] }
  /** Operators, one after the other, approve a payout; one that does not wait for them is not touched. */
  | {
      readonly name: 'APPROVE'
      readonly of: Name
      readonly by: readonly Word['operatorCode'][]
      readonly sees: Judgement['sees']
    }
  | { readonly name: 'REJECT'; readonly of: Name; readonly by: Word['operatorCode'] }
  /** An operator hands in a document that says that payments were paid, and operators decide about it. */
  | ({ readonly name: 'UPLOAD' } & Upload)
  | ({ readonly name: 'SET_METHOD' } & MethodChange)
  | ({ readonly name: 'SET_FEE' } & FeeChange)
  /** Of the key that signs a merchant's callbacks. */
  | { readonly name: 'ROTATE'; readonly merchantId: string }
  /** Of a merchant's spare token. */
  | { readonly name: 'REVOKE'; readonly merchantId: string }

/** Lines about payments, each with the money that was asked for or with other money. */
export interface Upload {
  readonly lines: readonly Name[]
  readonly isExact: boolean
  /** How lines of a statement name their payments. */
  readonly form: LineForm
  readonly by: Word['operatorCode']
  readonly endings: readonly Ending[]
}

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
  'payments_update_held',
  'payments_update_released',
  'payout_approvals_insert',
  'payout_approval_requests_update_approved',
  'confirmations_insert',
  'confirmations_update_ended',
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
  'notify',
  'configuration_list_since',
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

const OPENED_MS_MAX = 10_000

export async function openStage(options: WorldOptions): Promise<Stage> {
  const world = createWorld({
    ...options,
    onHandOver(_, __, payment) {
      payment.askAgainSeconds = ASK_AGAIN_SECONDS
    },
  })
  await world.time.passUntil(world.time.nowMs() + OPENED_MS_MAX, () => world.isOpen())
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
  const answers = await carryOut(stage, command)
  await passFailover(stage)
  return answers
}

async function carryOut(stage: Stage, command: Command): Promise<readonly Insisted[]> {
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
    case 'ADJUST':
      return adjust(stage, command)
    case 'APPROVE': {
      const answers: Insisted[] = []
      for (const operatorCode of command.by) {
        const judgement = { operatorCode, sees: command.sees }
        answers.push(await insist(stage, () => client.judge('approve', command.of, judgement)))
      }
      return answers
    }
    case 'REJECT': {
      const judgement = { operatorCode: command.by, sees: 'CONTENT' } as const
      return [await insist(stage, () => client.judge('reject', command.of, judgement))]
    }
    case 'UPLOAD':
      return upload(stage, command)
    case 'CREATE_HELD': {
      const answer = await insist(stage, () => client.create(command))
      return [answer, await insist(stage, () => client.changeHold('hold', command, command.by))]
    }
    case 'RELEASE':
      return [await insist(stage, () => client.changeHold('release', command.of, command.by))]
    case 'CANCEL_HELD':
      return [await insist(stage, () => client.changeHold('cancelHeld', command.of, command.by))]
    default:
      await happen(stage, command)
      return []
  }
}

type Happening = Exclude<
  Command,
  {
    name:
      | ('CREATE' | 'STORM' | 'READ' | 'REFER' | 'ADJUST' | 'CREATE_HELD' | 'RELEASE' | 'CANCEL_HELD')
      | ('APPROVE' | 'REJECT' | 'UPLOAD')
  }
>

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
    case 'FAIL_OVER':
      world.faults.planEvent(command.site, () => world.failOver(command))
      stage.isDisturbed = true
      return
    case 'SET_METHOD':
      await operate(stage, setMethod(command))
      return
    case 'SET_FEE':
      await operate(stage, setFee(command))
      return
    case 'ROTATE':
      await operate(stage, rotateKey(command.merchantId))
      return
    case 'REVOKE':
      await operate(stage, revokeSpare(command.merchantId))
      stage.client.noteRevoked(command.merchantId)
      return
  }
}

/** Repeats what an operator does until it is done. */
async function operate({ world }: Stage, work: Work): Promise<void> {
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    if (await played(world, world.operate(work))) return
    await world.time.passUntil(world.time.nowMs() + 1_000)
  }
  throw new Error('an operator was never answered')
}

/** An answer, and whether an earlier try of the same request was not answered. */
export interface Insisted extends Answer {
  readonly isRepeat: boolean
}

export const isAnswered = ({ status }: Answer): boolean => status !== 'UNANSWERED' && status !== 500

/** Repeats a request that was not answered, or with 500, until it is. */
async function insist({ world }: Stage, request: () => Promise<Answer>): Promise<Insisted> {
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    const answer = await played(world, request())
    if (isAnswered(answer)) return { ...answer, isRepeat: tries > 0 }
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

/** Shortly before its time is over nobody decides about a payment: it would be chance which comes first. */
const UNDECIDED_MS = 180_000
const FOREVER = '9999-01-01T00:00:00Z'

async function adjust(
  stage: Stage,
  { of, outcome, by }: Extract<Command, { name: 'ADJUST' }>,
): Promise<readonly Insisted[]> {
  const { world, client } = stage
  const asked = decidable(stage, of)
  if (asked === undefined || !world.bank.decideOnPaper(asked.reference, ON_PAPER[outcome])) return []
  const answers: Insisted[] = []
  for (const operatorCode of by)
    answers.push(await insist(stage, () => client.say(of, { operatorCode, outcome })))
  return answers
}

/** What the institution was asked for, where people may decide about it now. */
function decidable({ world, client }: Stage, of: Name): BankPayment['asked'] | undefined {
  const reference = client.references.get(nameText(of))
  const asked = reference === undefined ? undefined : world.bank.payments.get(reference)?.asked
  const leftMs = Date.parse(asked?.expireAt ?? FOREVER) - world.time.nowMs()
  return Math.abs(leftMs) < UNDECIDED_MS ? undefined : asked
}

/** The document of an upload; undefined where nobody could know what it says. */
export function documentOf(
  stage: Stage,
  { lines, isExact, form }: Upload,
): Pick<HandedIn, 'kind' | 'lines'> | undefined {
  const asked = lines.flatMap((of) => decidable(stage, of) ?? [])
  if (asked.length < lines.length || asked.length === 0) return undefined
  const own = new Set(asked.map(({ reference }) => reference))
  const other = [...stage.client.references.values()].find((reference) => !own.has(reference))
  if (form === 'TWO' && other === undefined) return undefined
  return {
    kind: lines[0]?.kind === 'PAYOUT' ? 'PAYOUT_REPORT' : 'STATEMENT_FILE',
    lines: asked.map(({ reference, money: { amount, currencyCode } }) => ({
      reference,
      currencyCode,
      amount: isExact ? amount : `${amount}1`,
      form,
      other: other ?? '',
    })),
  }
}

/** The document is true where its money is that of the payment: then people can read it on paper. */
async function upload(stage: Stage, command: Upload): Promise<readonly Insisted[]> {
  const { world, client } = stage
  const document = documentOf(stage, command)
  if (document === undefined) return []
  const isTrue = document.lines.every(
    ({ reference }) => !command.isExact || world.bank.decideOnPaper(reference, 'SUCCEEDED'),
  )
  if (!isTrue) return []
  const handedIn = await insist(stage, () => client.handIn({ ...document, operatorCode: command.by }))
  const waiting = waitingIn(handedIn)
  const answers = [handedIn]
  if (waiting === undefined) return answers
  for (const ending of command.endings)
    answers.push(await insist(stage, () => client.endUpload(waiting, ending)))
  return answers
}

/** What an answer to a document says that waits. */
export function waitingIn({ body }: Answer): Waiting | undefined {
  const isWaiting = typeof body === 'object' && body !== null && 'confirmationId' in body && 'digest' in body
  return isWaiting ? { confirmationId: String(body.confirmationId), digest: String(body.digest) } : undefined
}

const ON_PAPER = { EXECUTED: 'SUCCEEDED', NOT_EXECUTED: 'FAILED', RETURNED: 'RETURNED' } as const

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
  const { time, faults } = stage.world
  // What is to break may not have been called yet, or only at the end of the rest.
  const wasPlanned = faults.isPlanned()
  await time.passUntil(time.nowMs() + (stage.isDisturbed ? DISTURBED_MS : QUIET_MS))
  await passFailover(stage)
  stage.isDisturbed = wasPlanned || faults.isPlanned()
}

/** What nobody was told of may still be undone. */
async function passFailover({ world: { time, isFailingOver } }: Stage): Promise<void> {
  await time.passUntil(time.nowMs() + PLAYED_MS_MAX, () => !isFailingOver())
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
      ...findStorms(world),
    ],
    [],
  )
}
