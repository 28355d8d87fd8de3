import {
  type DIRECTIONS,
  HandOverRequestSchema,
  type PaymentState,
  PaymentStateSchema,
} from '@tollgate/rail-protocol'
import { type Static, Type } from 'typebox'
import { Compile } from 'typebox/schema'
import { type MoodSetting, MoodSettingSchema, NORMAL, shareOf } from './moods.ts'

// What the bank's journal is made of, and the books that follow from it. Reading the journal again gives the same books.

const At = Type.String({ minLength: 20, maxLength: 30 })
const Reference = HandOverRequestSchema.properties.reference
const Money = HandOverRequestSchema.properties.money

/** Something that the bank will do by itself. */
const PlanSchema = Type.Object({ action: Type.Enum(['EXECUTE', 'RETURN']), at: At })
export type Plan = Readonly<Static<typeof PlanSchema>>

/** A message to the gateway that is owed. `sendings`: how often the same message goes out. */
const NoticeSchema = Type.Object({
  idNotification: Type.String(),
  sendings: Type.Integer({ minimum: 1 }),
  payment: PaymentStateSchema,
})
export type Notice = Readonly<Static<typeof NoticeSchema>>

/** Money that moved: executed, or come back. */
const MovementSchema = Type.Object({ kind: Type.Enum(['EXECUTED', 'RETURNED']), money: Money })

const LineSchema = Type.Union([
  /** The bank hears of a reference for the first time, whether it takes the payment or not. */
  Type.Object({
    type: Type.Literal('SEEN'),
    at: At,
    reference: Reference,
    number: Type.Integer({ minimum: 1 }),
  }),
  Type.Object({
    type: Type.Literal('HANDED_OVER'),
    at: At,
    reference: Reference,
    request: HandOverRequestSchema,
    mood: MoodSettingSchema,
  }),
  /** A new status, with the money that moved by it and what the gateway must be told of it: all in one line, or nothing. */
  Type.Object({
    type: Type.Literal('CHANGED'),
    at: At,
    reference: Reference,
    status: PaymentStateSchema.properties.status,
    movement: Type.Optional(MovementSchema),
    payer: PaymentStateSchema.properties.payer,
    reason: PaymentStateSchema.properties.reason,
    plan: Type.Optional(PlanSchema),
    notices: Type.Array(NoticeSchema),
  }),
  Type.Object({
    type: Type.Literal('PLANNED'),
    at: At,
    reference: Reference,
    plan: Type.Optional(PlanSchema),
  }),
  /** What the customer chose at the page, where it does not end the payment. */
  Type.Object({
    type: Type.Literal('CHOSEN'),
    at: At,
    reference: Reference,
    choice: Type.Enum(['APPROVED', 'DECLINED']),
    userName: Type.String(),
  }),
  Type.Object({
    type: Type.Literal('NOTICE_ENDED'),
    at: At,
    reference: Reference,
    idNotification: Type.String(),
    outcome: Type.Enum(['DELIVERED', 'GIVEN_UP']),
  }),
  /** Without a reference: of the whole bank. */
  Type.Object({
    type: Type.Literal('MOOD'),
    at: At,
    reference: Type.Optional(Reference),
    mood: MoodSettingSchema,
  }),
])
export type Line = Readonly<Static<typeof LineSchema>>
type LineOf<Kind extends Line['type']> = Extract<Line, { type: Kind }>

const line = Compile(LineSchema)

/** A line of the journal, or undefined. */
export function readLine(value: unknown): Line | undefined {
  return line.Check(value) ? value : undefined
}

/** A payment as the bank knows it. */
export interface Payment {
  readonly request: Readonly<Static<typeof HandOverRequestSchema>>
  readonly institutionReference: string
  readonly mood: MoodSetting
  readonly status: PaymentState['status']
  /** What moved in fact; undefined as long as nothing did. */
  readonly moved: PaymentState['money'] | undefined
  readonly payer: PaymentState['payer']
  readonly reason: PaymentState['reason']
  readonly plan: Plan | undefined
  readonly choice: LineOf<'CHOSEN'>['choice'] | undefined
  readonly updatedAt: string
}

/** One movement of money: what a bank statement would show. */
interface Movement {
  readonly at: string
  readonly reference: string
  readonly institutionReference: string
  readonly merchantCode: string
  readonly direction: (typeof DIRECTIONS)[number]
  readonly kind: Static<typeof MovementSchema>['kind']
  readonly money: PaymentState['money']
}

/** Everything the bank knows. Changed by `post` alone. */
export interface Books {
  readonly payments: Map<string, Payment>
  /** The place of each reference in the order in which the bank heard of them. */
  readonly numbers: Map<string, number>
  readonly movements: Movement[]
  /** Notices that are owed, by reference, in their order. */
  readonly owed: Map<string, readonly Notice[]>
  readonly ownMoods: Map<string, MoodSetting>
  mood: MoodSetting
}

/** Books with nothing in them. */
export function emptyBooks(): Books {
  return {
    payments: new Map(),
    numbers: new Map(),
    movements: [],
    owed: new Map(),
    ownMoods: new Map(),
    mood: NORMAL,
  }
}

/** Brings the books to the state after the line. */
export function post(books: Books, entry: Line): void {
  switch (entry.type) {
    case 'SEEN':
      books.numbers.set(entry.reference, entry.number)
      return
    case 'HANDED_OVER':
      books.payments.set(entry.reference, newPayment(books, entry))
      return
    case 'CHANGED':
      postChange(books, entry)
      return
    case 'PLANNED':
      amend(books, entry, { plan: entry.plan })
      return
    case 'CHOSEN':
      amend(books, entry, { choice: entry.choice })
      return
    case 'NOTICE_ENDED':
      endNotice(books, entry)
      return
    case 'MOOD':
      postMood(books, entry)
      return
  }
}

function newPayment(books: Books, { at, reference, request, mood }: LineOf<'HANDED_OVER'>): Payment {
  return {
    request,
    institutionReference: `SIM-${String(books.numbers.get(reference) ?? 0).padStart(6, '0')}`,
    mood,
    status: 'PENDING',
    moved: undefined,
    payer: undefined,
    reason: undefined,
    plan: undefined,
    choice: undefined,
    updatedAt: at,
  }
}

function postChange(books: Books, change: LineOf<'CHANGED'>): void {
  const { at, reference, status, movement, payer, reason, plan, notices } = change
  const before = known(books, reference)
  books.payments.set(reference, {
    ...before,
    status,
    moved: movement?.kind === 'EXECUTED' ? movement.money : before.moved,
    payer: payer ?? before.payer,
    reason,
    plan,
    updatedAt: at,
  })
  if (movement !== undefined) {
    const { merchantCode, direction } = before.request
    const { institutionReference } = before
    books.movements.push({ at, reference, institutionReference, merchantCode, direction, ...movement })
  }
  if (notices.length > 0) books.owed.set(reference, [...(books.owed.get(reference) ?? []), ...notices])
}

function endNotice(books: Books, { reference, idNotification }: LineOf<'NOTICE_ENDED'>): void {
  const left = (books.owed.get(reference) ?? []).filter((each) => each.idNotification !== idNotification)
  if (left.length === 0) books.owed.delete(reference)
  else books.owed.set(reference, left)
}

function postMood(books: Books, { reference, mood }: LineOf<'MOOD'>): void {
  if (reference === undefined) {
    books.mood = mood
    return
  }
  books.ownMoods.set(reference, mood)
  if (books.payments.has(reference)) amend(books, { reference }, { mood })
}

function amend(books: Books, { reference }: { readonly reference: string }, change: Partial<Payment>): void {
  books.payments.set(reference, { ...known(books, reference), ...change })
}

function known(books: Books, reference: string): Payment {
  const payment = books.payments.get(reference)
  if (payment === undefined) throw new Error(`the journal speaks of ${reference} before its hand-over`)
  return payment
}

/** The mood that counts for the reference now: its own, or its share of the bank's. */
export function moodOf(books: Books, reference: string): MoodSetting {
  return books.ownMoods.get(reference) ?? shareOf(books.mood, books.numbers.get(reference) ?? 1)
}

const ASK_AGAIN_SECONDS = 30

/** What the gateway is told of a payment. */
export function stateOf(payment: Payment): PaymentState {
  const { request, institutionReference, status, moved, payer, reason, plan, updatedAt } = payment
  const { reference, merchantCode, direction, money } = request
  const isOther = moved !== undefined && JSON.stringify(moved) !== JSON.stringify(money)
  const mayChange = status === 'PENDING' || (status === 'SUCCEEDED' && plan !== undefined)
  return {
    reference,
    merchantCode,
    direction,
    status,
    institutionReference,
    money,
    ...(isOther && { received: moved }),
    ...(payer !== undefined && { payer }),
    ...(reason !== undefined && { reason }),
    ...(mayChange && { askAgainSeconds: ASK_AGAIN_SECONDS }),
    updatedAt,
  }
}
