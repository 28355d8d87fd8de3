import { isDeepStrictEqual } from 'node:util'
import { fractionDigits, isPositive, MINOR_UNITS_MAX, parseAmount } from '@tollgate/money'
import type { HandOverRequest } from '@tollgate/rail-protocol'
import type { Ids, WallClock } from '@tollgate/runtime'
import type { Journal } from '@tollgate/runtime/journal'
import { type Books, type Line, moodOf, type Payment, type Plan, post } from './books.ts'
import { cancelled, declined, executed, type Moment, planAt, returned } from './changes.ts'
import { delayMsOf, type MoodSetting } from './moods.ts'
import type { Timers } from './timers.ts'

interface BankDeps {
  readonly books: Books
  readonly journal: Pick<Journal<Line>, 'append' | 'settled'>
  readonly clock: WallClock
  readonly ids: Ids
  readonly timers: Timers
  /** Whether there is a gateway to be told of changes. */
  readonly hasGateway: boolean
  /** Messages are owed about the payment. */
  readonly onOwed: (reference: string) => void
}

/** What became of a hand-over. */
type HandOver =
  | { readonly kind: 'NEW' | 'KNOWN'; readonly payment: Payment }
  /** The reference names another payment. */
  | { readonly kind: 'CONFLICT' }
  | { readonly kind: 'INVALID'; readonly why: string }

/** What became of a wish about a payment. DONE also says: it was so already. */
export type Wish =
  | { readonly kind: 'DONE'; readonly payment: Payment }
  | { readonly kind: 'TOO_LATE'; readonly payment: Payment }
  | { readonly kind: 'UNKNOWN' }

/**
 * The institution. Whatever it decides is decided at once and without waiting, so that no two requests can get in each
 * other's way; but nobody may be told of it before `settled` has resolved.
 */
export interface Bank {
  /** Notes that the gateway speaks of the reference, and says in which mood the bank is about it. */
  meet(reference: string): MoodSetting
  handOver(request: HandOverRequest): HandOver
  find(reference: string): Payment | undefined
  /** The gateway calls the payment off. */
  cancel(reference: string): Wish
  /** The customer's choice at the page. Refused after the time to pay; what the mood forbids is noted and not done. */
  choose(reference: string, choice: 'APPROVED' | 'DECLINED', userName: string): Wish
  /** The same by the hand of whoever scripts the bank: neither mood nor time stands in the way. */
  force(reference: string, choice: 'APPROVED' | 'DECLINED'): Wish
  /** Money that had moved comes back. */
  bounce(reference: string): Wish
  /** Of the whole bank, or of one payment, which the bank need not know yet. A payment that waits begins anew. */
  setMood(mood: MoodSetting, reference?: string): void
  /** Notes that a message need not be sent any more. */
  endNotice(reference: string, idNotification: string, outcome: 'DELIVERED' | 'GIVEN_UP'): void
  /** Resolves when everything that was decided so far is on the disk. */
  settled(): Promise<void>
  /** Takes up what an earlier run left: plans, and payments that it had not begun with. */
  resume(): void
}

/** A bank over its books. Whoever makes it calls `resume` once. */
export function createBank(deps: BankDeps): Bank {
  const { books, journal } = deps
  return {
    meet: (reference) => meet(deps, reference),
    handOver: (request) => handOver(deps, request),
    find: (reference) => books.payments.get(reference),
    cancel: (reference) => decide(deps, reference, (payment) => cancel(deps, payment)),
    choose: (reference, choice, userName) =>
      decide(deps, reference, (payment) => choose(deps, payment, { choice, userName })),
    force: (reference, choice) => decide(deps, reference, (payment) => force(deps, payment, choice)),
    bounce: (reference) => decide(deps, reference, (payment) => bounce(deps, payment)),
    setMood: (mood, reference) => setMood(deps, mood, reference),
    endNotice: (reference, idNotification, outcome) =>
      record(deps, { type: 'NOTICE_ENDED', at: now(deps), reference, idNotification, outcome }),
    settled: () => journal.settled(),
    resume() {
      for (const [reference, payment] of books.payments) {
        if (payment.plan !== undefined) arm(deps, reference, payment.plan)
        else begin(deps, payment)
      }
    },
  }
}

const now = ({ clock }: BankDeps): string => new Date(clock.nowMs()).toISOString()

/** The one place where the books change. */
function record(deps: BankDeps, line: Line): void {
  deps.journal.append(line)
  post(deps.books, line)
}

function meet(deps: BankDeps, reference: string): MoodSetting {
  const { numbers } = deps.books
  if (!numbers.has(reference))
    record(deps, { type: 'SEEN', at: now(deps), reference, number: numbers.size + 1 })
  return moodOf(deps.books, reference)
}

function handOver(deps: BankDeps, request: HandOverRequest): HandOver {
  const { reference } = request
  const before = deps.books.payments.get(reference)
  if (before !== undefined)
    return isDeepStrictEqual(before.request, request)
      ? { kind: 'KNOWN', payment: before }
      : { kind: 'CONFLICT' }
  const why = whyNot(request)
  if (why !== undefined) return { kind: 'INVALID', why }
  const mood = meet(deps, reference)
  record(deps, { type: 'HANDED_OVER', at: now(deps), reference, request, mood })
  begin(deps, mustFind(deps, reference))
  return { kind: 'NEW', payment: mustFind(deps, reference) }
}

/** What the schema cannot see. */
function whyNot({ money, returnUrl }: HandOverRequest): string | undefined {
  const amount = parseAmount(money.amount)
  if (amount === undefined || !isPositive(amount)) return 'money.amount must be more than zero'
  if (fractionDigits(amount) >= MINOR_UNITS_MAX) return 'money.amount has too many decimals'
  const protocol = returnUrl === undefined ? 'https:' : URL.parse(returnUrl)?.protocol
  return protocol === 'https:' || protocol === 'http:' ? undefined : 'returnUrl must be an http address'
}

/** Does with a payment that waits what its mood does by itself. Doing it again is harmless. */
function begin(deps: BankDeps, payment: Payment): void {
  if (payment.status !== 'PENDING' || payment.mood.mood === 'NEVER') return
  const { mood, request } = payment
  const nowMs = deps.clock.nowMs()
  if (mood.mood === 'LATE') {
    const expireAtMs = request.expireAt === undefined ? nowMs : Date.parse(request.expireAt)
    plan(deps, payment, planAt('EXECUTE', Math.max(nowMs, expireAtMs) + delayMsOf(mood)))
  } else if (request.direction === 'PAYOUT') {
    execute(deps, payment, undefined)
  } else if (mood.autoMs !== undefined) {
    plan(deps, payment, planAt('EXECUTE', nowMs + mood.autoMs))
  }
}

function plan(deps: BankDeps, { request: { reference } }: Payment, next: Plan): void {
  record(deps, { type: 'PLANNED', at: now(deps), reference, plan: next })
  arm(deps, reference, next)
}

function arm(deps: BankDeps, reference: string, { action, at }: Plan): void {
  deps.timers.set(reference, Date.parse(at), () => {
    const payment = mustFind(deps, reference)
    if (action === 'RETURN') bounce(deps, payment)
    else if (payment.status === 'PENDING') execute(deps, payment, undefined)
  })
}

function execute(deps: BankDeps, payment: Payment, userName: string | undefined): void {
  // The gateway is to find out by asking what became of a hand-over that nobody answered.
  const isSilent = payment.mood.mood === 'TIMEOUT_AFTER_EXECUTING' && payment.request.direction === 'PAYOUT'
  change(deps, executed(payment, momentOf(deps, !isSilent), userName))
}

function momentOf({ clock, ids, hasGateway }: BankDeps, notifies = true): Moment {
  return { atMs: clock.nowMs(), ids, notifies: notifies && hasGateway }
}

/** Every change of a status goes through here: what was planned before is over, what is planned now is armed. */
function change(deps: BankDeps, next: ReturnType<typeof executed>): void {
  record(deps, next)
  deps.timers.clear(next.reference)
  if (next.plan !== undefined) arm(deps, next.reference, next.plan)
  if (next.notices.length > 0) deps.onOwed(next.reference)
}

/** Lets `act` do what it may, and says what became of it: `false` is too late. */
function decide(deps: BankDeps, reference: string, act: (payment: Payment) => boolean): Wish {
  const payment = deps.books.payments.get(reference)
  if (payment === undefined) return { kind: 'UNKNOWN' }
  const kind = act(payment) ? 'DONE' : 'TOO_LATE'
  return { kind, payment: mustFind(deps, reference) }
}

function cancel(deps: BankDeps, payment: Payment): boolean {
  if (payment.status !== 'PENDING') return payment.status === 'CANCELLED'
  // Somebody who never does anything does not call off either.
  if (payment.mood.mood === 'NEVER') return false
  change(deps, cancelled(payment, momentOf(deps)))
  return true
}

interface Choice {
  readonly choice: 'APPROVED' | 'DECLINED'
  readonly userName: string
}

const CHOSEN_STATUS = { APPROVED: 'SUCCEEDED', DECLINED: 'FAILED' } as const

function choose(deps: BankDeps, payment: Payment, { choice, userName }: Choice): boolean {
  const { request, mood } = payment
  if (payment.status !== 'PENDING') return payment.status === CHOSEN_STATUS[choice]
  if (payment.choice !== undefined) return payment.choice === choice
  if (isOver(payment, deps.clock.nowMs())) return false
  const { reference } = request
  const isNoted = mood.mood === 'NEVER' || (mood.mood === 'LATE' && choice === 'APPROVED')
  if (isNoted) record(deps, { type: 'CHOSEN', at: now(deps), reference, choice, userName })
  else if (choice === 'APPROVED') execute(deps, payment, userName)
  else change(deps, declined(payment, momentOf(deps)))
  return true
}

/** Whether the time to pay is over. */
export function isOver({ request: { expireAt } }: Payment, nowMs: number): boolean {
  return expireAt !== undefined && Date.parse(expireAt) <= nowMs
}

function force(deps: BankDeps, payment: Payment, choice: Choice['choice']): boolean {
  if (payment.status !== 'PENDING') return payment.status === CHOSEN_STATUS[choice]
  if (choice === 'APPROVED') execute(deps, payment, undefined)
  else change(deps, declined(payment, momentOf(deps)))
  return true
}

function bounce(deps: BankDeps, payment: Payment): boolean {
  if (payment.status !== 'SUCCEEDED') return payment.status === 'RETURNED'
  change(deps, returned(payment, momentOf(deps)))
  return true
}

function setMood(deps: BankDeps, mood: MoodSetting, reference: string | undefined): void {
  record(deps, { type: 'MOOD', at: now(deps), mood, ...(reference !== undefined && { reference }) })
  const payment = reference === undefined ? undefined : deps.books.payments.get(reference)
  if (payment?.status !== 'PENDING') return
  deps.timers.clear(payment.request.reference)
  record(deps, { type: 'PLANNED', at: now(deps), reference: payment.request.reference })
  begin(deps, mustFind(deps, payment.request.reference))
}

function mustFind(deps: BankDeps, reference: string): Payment {
  const payment = deps.books.payments.get(reference)
  if (payment === undefined) throw new Error(`the bank does not know ${reference}`)
  return payment
}
