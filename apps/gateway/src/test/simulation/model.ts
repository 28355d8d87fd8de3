import type { PaymentStatus } from '../../modules/payments/model.ts'
import type { Judgement, Kind, Name, Order, Word } from './client.ts'
import { nameText } from './client.ts'
import type { FeeChange, MethodChange } from './operators.ts'
import { MINOR_UNITS, WALLET_COUNT_MAX } from './shop.ts'

// What a gateway should do, said once more and as plainly as possible: maps, and amounts in smallest units.

interface Held {
  available: bigint
  notSettled: bigint
  reserved: bigint
  receivable: bigint
}

export interface Expected {
  readonly order: Order
  readonly units: bigint
  readonly fee: bigint
  status: PaymentStatus
  reference: string | undefined
}

/** How a payment stands with its institution, which the model does not follow. */
export interface Standing {
  /** The last entry of its history: words from before it do not count any more. */
  readonly entryNo: number
  /** Whether it has been handed over, so that people may know more than the gateway. */
  readonly isHandedOver: boolean
  /** Whether it waits for operators. */
  readonly isAwaiting: boolean
}

export interface Model {
  readonly payments: ReadonlyMap<string, Expected>
  /** The status and code of a create. */
  answerTo(order: Order): Verdict
  /** The create was accepted. */
  accept(order: Order): void
  /** What is offered and taken from now on. Payments that were accepted keep their fee. */
  setMethod(change: MethodChange): void
  setFee(change: FeeChange): void
  /** The spare token of the merchant permits nothing any more. */
  revoke(merchantId: string): void
  /** The status and code of an operator's word about a payment. What two said happens, and what one said does not. */
  say(name: Name, word: Word, as: Standing): Verdict
  /** The status and code of an operator's approval. What two approved goes on. */
  approve(name: Name, judgement: Judgement, isAwaiting: boolean): Verdict
  /** Whether two operators have approved it. */
  isApproved(name: Name): boolean
  /** Two operators vouch for a document that says that it was paid. */
  pay(name: Name, by: 'STATEMENT' | 'REPORT'): void
  /** The institution said so, or time was over; nothing happens where no edge leads. */
  end(name: Name, status: Exclude<PaymentStatus, 'CREATED'>): void
  balanceOf(merchantId: string, currencyCode: string): Readonly<Held>
}

const HUNDRED = 100n

const unitsOf = (amount: number, { currencyCode }: Pick<Order, 'currencyCode'>): bigint =>
  BigInt(amount) * 10n ** BigInt(MINOR_UNITS[currencyCode])

const isPermitted = ({ token, kind, id }: Order): boolean =>
  token === 'FULL' || token === 'SPARE' || (token === 'ONE_PAYIN' && kind === 'PAYIN' && id === 'a')

type Verdict = readonly [status: number, code: string]

function denialOf(order: Order, revoked: ReadonlySet<string>): Verdict | undefined {
  if (order.token === 'SPARE' && revoked.has(order.merchantId)) return [401, 'TOKEN_INVALID']
  return isPermitted(order) ? undefined : [403, 'OPERATION_NOT_PERMITTED']
}

/** A part of the amount in hundredths of a percent, and what does not depend on it. */
export type Fee = Pick<FeeChange, 'fixed' | 'hundredths'>

/** 1.5 percent of a payin; a payout costs 1; a top-up nothing. */
export const FEES: Readonly<Record<Kind, Fee>> = {
  PAYIN: { fixed: 0, hundredths: 150 },
  PAYOUT: { fixed: 1, hundredths: 0 },
  TOPUP: { fixed: 0, hundredths: 0 },
}

/** Of smallest units; half up. */
export function takenFrom(
  of: Pick<Order, 'currencyCode'>,
  units: bigint,
  { fixed, hundredths }: Fee,
): bigint {
  const exact = units * BigInt(hundredths)
  return unitsOf(fixed, of) + (2n * exact + HUNDRED * HUNDRED) / (2n * HUNDRED * HUNDRED)
}

const EDGES: Readonly<Record<PaymentStatus, readonly PaymentStatus[]>> = {
  CREATED: ['SUCCESS', 'FAILED', 'EXPIRED', 'CANCELLED'],
  SUCCESS: ['REVERSED'],
  FAILED: [],
  EXPIRED: [],
  CANCELLED: [],
  REVERSED: [],
}

export function createModel(): Model {
  const payments = new Map<string, Expected>()
  const balances = new Map<string, Held>()
  const accepted = new Map<string, number>()
  const fees = new Map<string, Fee>()
  const methodsOff = new Set<string>()
  const revoked = new Set<string>()
  const words = new Map<string, Set<string>>()
  const approvals = new Map<string, Set<string>>()
  const feeKey = ({ kind, methodCode, currencyCode }: Omit<FeeChange, 'kind' | keyof Fee> & { kind: Kind }) =>
    `${kind} ${methodCode} ${currencyCode}`
  const feeOf = (order: Order, units: bigint): bigint =>
    takenFrom(order, units, fees.get(feeKey(order)) ?? FEES[order.kind])
  const balanceOf = (merchantId: string, currencyCode: string): Held => {
    const key = `${merchantId} ${currencyCode}`
    const known = balances.get(key)
    const held = known ?? { available: 0n, notSettled: 0n, reserved: 0n, receivable: 0n }
    if (known === undefined) balances.set(key, held)
    return held
  }
  const walletKey = ({ merchantId, currencyCode }: Order): string => `${merchantId} ${currencyCode}`

  function end(name: Name, status: Exclude<PaymentStatus, 'CREATED'>): void {
    const payment = payments.get(nameText(name))
    if (payment !== undefined && mayEnd(payment, status)) change(payment, status)
  }

  function change(payment: Expected, status: PaymentStatus): void {
    const { order, status: before } = payment
    payment.status = status
    book(balanceOf(order.merchantId, order.currencyCode), payment, before)
  }

  return {
    payments,
    balanceOf,
    end,
    say(name, { outcome, operatorCode }, { entryNo, isHandedOver }) {
      const payment = payments.get(nameText(name))
      const isTooEarly = payment?.status === 'CREATED' && !isHandedOver
      if (payment === undefined || isTooEarly || !mayBeSaid(payment, OUTCOMES[outcome]))
        return [409, 'REVIEW_NOT_OPEN']
      const key = `${nameText(name)} ${entryNo} ${outcome}`
      const said = words.get(key) ?? new Set()
      if (said.has(operatorCode)) return [409, 'REVIEW_REPEATED']
      words.set(key, said.add(operatorCode))
      if (said.size > 1) change(payment, OUTCOMES[outcome])
      return [200, 'OK']
    },
    approve(name, { operatorCode, sees }, isAwaiting) {
      const payment = payments.get(nameText(name))
      const approvers = approvals.get(nameText(name)) ?? new Set()
      if (payment === undefined) return [410, 'ENTITY_NOT_FOUND']
      if (!isAwaiting || approvers.size > 1) return [409, 'APPROVAL_NOT_OPEN']
      if (sees === 'OTHER') return [409, 'APPROVAL_CONTENT_CHANGED']
      if (approvers.has(operatorCode)) return [409, 'APPROVAL_REPEATED']
      approvals.set(nameText(name), approvers.add(operatorCode))
      return [200, 'OK']
    },
    isApproved: (name) => (approvals.get(nameText(name))?.size ?? 0) > 1,
    pay(name, by) {
      const payment = payments.get(nameText(name))
      // What a statement says of a payment that has ended waits for a person.
      const may = by === 'STATEMENT' ? mayEnd : mayBeSaid
      if (payment !== undefined && may(payment, 'SUCCESS')) change(payment, 'SUCCESS')
    },
    answerTo(order) {
      const { kind, merchantId, currencyCode, methodCode } = order
      const denial = denialOf(order, revoked)
      if (denial !== undefined) return denial
      if (payments.has(nameText(order))) return [409, 'ENTITY_DUPLICATED']
      if (methodCode === 'TRANSFER' && methodsOff.has(`${merchantId} ${kind}`))
        return [406, 'PAYMENT_METHOD_NOT_AVAILABLE']
      const units = unitsOf(order.amount, order)
      const isCovered = balanceOf(merchantId, currencyCode).available >= units + feeOf(order, units)
      if (kind === 'PAYOUT' && !isCovered) return [406, 'BALANCE_INSUFFICIENT']
      const isUsedUp = (accepted.get(walletKey(order)) ?? 0) >= WALLET_COUNT_MAX
      return methodCode === 'WALLET' && isUsedUp ? [406, 'CHANNEL_LIMIT'] : [201, 'OK']
    },
    accept(order) {
      const units = unitsOf(order.amount, order)
      const fee = feeOf(order, units)
      payments.set(nameText(order), { order, units, fee, status: 'CREATED', reference: undefined })
      if (order.methodCode === 'WALLET')
        accepted.set(walletKey(order), (accepted.get(walletKey(order)) ?? 0) + 1)
      const held = balanceOf(order.merchantId, order.currencyCode)
      if (order.kind === 'PAYOUT') {
        held.available -= units + fee
        held.reserved += units + fee
      }
    },
    setMethod: ({ merchantId, kind, isOn }) =>
      void methodsOff[isOn ? 'delete' : 'add'](`${merchantId} ${kind}`),
    setFee: (change) => void fees.set(feeKey(change), change),
    revoke: (merchantId) => void revoked.add(merchantId),
  }
}

const OUTCOMES = { EXECUTED: 'SUCCESS', NOT_EXECUTED: 'FAILED', RETURNED: 'REVERSED' } as const

/** A customer may pay late. */
function mayEnd({ order, status: before }: Expected, status: PaymentStatus): boolean {
  const isLate = order.kind === 'PAYIN' && before === 'EXPIRED' && status === 'SUCCESS'
  return isLate || EDGES[before].includes(status)
}

/** What people may say: also that a payment had ended without money, and was paid all the same. */
function mayBeSaid(payment: Expected, status: PaymentStatus): boolean {
  const isPaidAfterAll = status === 'SUCCESS' && PAID_AFTER_ALL[payment.order.kind].includes(payment.status)
  return isPaidAfterAll || mayEnd(payment, status)
}

const PAID_AFTER_ALL: Readonly<Record<Kind, readonly PaymentStatus[]>> = {
  PAYIN: ['FAILED', 'CANCELLED', 'EXPIRED'],
  TOPUP: ['FAILED', 'CANCELLED', 'EXPIRED'],
  PAYOUT: ['FAILED', 'CANCELLED'],
}

/** What the change to its status does to the merchant's money. */
function book(held: Held, { order: { kind }, status, units, fee }: Expected, before: PaymentStatus): void {
  // What was held for it went back when it ended, and may have been spent since.
  if (kind === 'PAYOUT' && status === 'SUCCESS' && before !== 'CREATED')
    take(held, units + fee, ['available', 'notSettled'])
  else if (kind === 'PAYOUT') bookOut(held, status, { units, fee })
  else if (status === 'SUCCESS') held[kind === 'PAYIN' ? 'notSettled' : 'available'] += units - fee
  else if (status === 'REVERSED')
    take(held, units, kind === 'PAYIN' ? ['notSettled', 'available'] : ['available', 'notSettled'])
}

function bookOut(held: Held, status: PaymentStatus, { units, fee }: Pick<Expected, 'units' | 'fee'>): void {
  if (status === 'REVERSED') held.available += units
  else held.reserved -= units + fee
  if (status !== 'SUCCESS' && status !== 'REVERSED') held.available += units + fee
}

function take(held: Held, units: bigint, from: readonly ('available' | 'notSettled')[]): void {
  let left = units
  for (const account of from) {
    let taken = held[account]
    if (taken > left) taken = left
    held[account] -= taken
    left -= taken
  }
  held.receivable -= left
}
