import type { PaymentStatus } from '../../modules/payments/model.ts'
import type { Kind, Name, Order } from './client.ts'
import { nameText } from './client.ts'
import { MINOR_UNITS, WALLET_COUNT_MAX } from './shop.ts'

// What a gateway should do, said once more and as plainly as possible: maps, and amounts in smallest units.

export interface Held {
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

export interface Model {
  readonly payments: ReadonlyMap<string, Expected>
  /** The status and code of a create. */
  answerTo(order: Order): readonly [status: number, code: string]
  /** The create was accepted. */
  accept(order: Order): void
  /** The institution said so, or time was over; nothing happens where no edge leads. */
  end(name: Name, status: Exclude<PaymentStatus, 'CREATED'>): void
  balanceOf(merchantId: string, currencyCode: string): Readonly<Held>
}

const HUNDRED = 100n
/** 1.5 percent of a payin, in hundredths of a percent. */
const PAYIN_SHARE = 150n
const PAYOUT_FEE = 1

const unitsOf = (amount: number, { currencyCode }: Order): bigint =>
  BigInt(amount) * 10n ** BigInt(MINOR_UNITS[currencyCode])

const isPermitted = ({ token, kind, id }: Order): boolean =>
  token === 'FULL' || (token === 'ONE_PAYIN' && kind === 'PAYIN' && id === 'a')

/** Half up, on the smallest unit. */
function feeOf(order: Order, units: bigint): bigint {
  if (order.kind === 'TOPUP') return 0n
  if (order.kind === 'PAYOUT') return unitsOf(PAYOUT_FEE, order)
  const exact = units * PAYIN_SHARE
  return (2n * exact + HUNDRED * HUNDRED) / (2n * HUNDRED * HUNDRED)
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
  const balanceOf = (merchantId: string, currencyCode: string): Held => {
    const key = `${merchantId} ${currencyCode}`
    const known = balances.get(key)
    const held = known ?? { available: 0n, notSettled: 0n, reserved: 0n, receivable: 0n }
    if (known === undefined) balances.set(key, held)
    return held
  }
  const walletKey = ({ merchantId, currencyCode }: Order): string => `${merchantId} ${currencyCode}`

  return {
    payments,
    balanceOf,
    answerTo(order) {
      const { kind, merchantId, currencyCode, methodCode } = order
      if (!isPermitted(order)) return [403, 'OPERATION_NOT_PERMITTED']
      if (payments.has(nameText(order))) return [409, 'ENTITY_DUPLICATED']
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
    end(name, status) {
      const payment = payments.get(nameText(name))
      if (payment === undefined) return
      const { kind } = payment.order
      const isLate = kind === 'PAYIN' && payment.status === 'EXPIRED' && status === 'SUCCESS'
      if (!isLate && !EDGES[payment.status].includes(status)) return
      payment.status = status
      book(balanceOf(payment.order.merchantId, payment.order.currencyCode), kind, payment)
    },
  }
}

/** What the change to its status does to the merchant's money. */
function book(held: Held, kind: Kind, { status, units, fee }: Expected): void {
  if (kind === 'PAYOUT') bookOut(held, status, { units, fee })
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
