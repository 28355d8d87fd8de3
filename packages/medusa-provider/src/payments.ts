import { type Gateway, IdConflictError, type Money, type Payin, TollgateError } from '@tollgate/sdk'
import { decimalOf } from './amounts.ts'
import { NotAllowed, type ProviderData, type SessionStatus } from './medusa.ts'

// A payment session of Medusa and its payin. The payin has the session's id, so a session is paid at most once.

/** What the provider stores with a session: written by us at each step, whatever a storefront had sent under these names. */
export interface SessionData {
  readonly idPayin: string
  /** What the customer is asked to pay. */
  readonly money: Money
  /** Where to send the customer. */
  readonly redirectUrl: string
}

const SESSION = /^(payses_[A-Za-z0-9]{1,100})(?:-\d{1,6})?$/

/** The session that a payin pays; undefined for a payin of something else. */
export const sessionOf = (idPayin: string): string | undefined => SESSION.exec(idPayin)?.[1]

/** The next id for the same session, when the one before is used up: `payses_1`, `payses_1-2`, `payses_1-3`. */
export function nextId(idPayin: string): string {
  const [session = '', number = '1'] = idPayin.split('-')
  return `${session}-${Number(number) + 1}`
}

/** What was stored; undefined where nothing of ours is. */
export function findData(data: ProviderData | null | undefined): SessionData | undefined {
  const { idPayin, money, redirectUrl } = data ?? {}
  if (typeof idPayin !== 'string' || sessionOf(idPayin) === undefined || !isMoney(money)) return undefined
  return { idPayin, money, redirectUrl: typeof redirectUrl === 'string' ? redirectUrl : '' }
}

/** The same where there is no way on without it. */
export function storedData(data: ProviderData | undefined): SessionData {
  const found = findData(data)
  if (found === undefined) throw new NotAllowed('This payment session was not made by Tollgate.')
  return found
}

const isMoney = (value: unknown): value is Money =>
  typeof value === 'object' &&
  value !== null &&
  typeof Reflect.get(value, 'amount') === 'string' &&
  typeof Reflect.get(value, 'currencyCode') === 'string'

/** The payin; undefined while the customer has not chosen how to pay. */
export async function findPayin(gateway: Gateway, idPayin: string): Promise<Payin | undefined> {
  return orUndefined(gateway.payins.read(idPayin))
}

/** The same, waiting some seconds for the end of one that is open: a customer who comes back is often faster than the bank. */
export async function findPayinOfReturn(gateway: Gateway, idPayin: string): Promise<Payin | undefined> {
  return (await orUndefined(gateway.payins.handleReturn(idPayin)))?.payin
}

const NOT_FOUND = 410

async function orUndefined<Value>(reading: Promise<Value>): Promise<Value | undefined> {
  try {
    return await reading
  } catch (error) {
    if (error instanceof TollgateError && error.status === NOT_FOUND) return undefined
    throw error
  }
}

const STATUSES: Readonly<Record<string, SessionStatus>> = {
  SUCCESS: 'captured',
  FAILED: 'error',
  EXPIRED: 'error',
  CANCELLED: 'canceled',
  REVERSED: 'error',
}

/** What the payin is to Medusa. A status that is not known counts as open. */
export const statusOf = (payin: Payin | undefined): SessionStatus =>
  STATUSES[payin?.process.status ?? ''] ?? 'pending'

/** Whether the payin is about the session's money: a page that was opened before the cart changed asks for the old amount. */
export const isFor = (payin: Payin, { money }: SessionData): boolean => {
  const { amount, currencyCode } = payin.paymentRequested.money
  return currencyCode === money.currencyCode && decimalOf(amount) === money.amount
}

/**
 * Makes sure that nothing is paid any more for this session: neither a payin that has begun, nor one that the payment page, which may
 * still be open, would begin. Throws NotAllowed when it is paid, or when money may be under way: then Medusa keeps its session, and
 * what arrives is not lost.
 */
export async function endPayment(
  gateway: Gateway,
  data: SessionData,
  urls: { readonly callbackUrl: string },
): Promise<void> {
  const isBegun = (await findPayin(gateway, data.idPayin)) !== undefined
  if (isBegun || (await useUp(gateway, data, urls))) await endPayin(gateway, data.idPayin)
}

/** Begins the payin ourselves, by a method that asks nobody. False where there is no such method: then nothing is begun. */
async function useUp(
  gateway: Gateway,
  { idPayin, money }: SessionData,
  { callbackUrl }: { readonly callbackUrl: string },
): Promise<boolean> {
  try {
    const options = await gateway.payins.options({ money })
    const quiet = options.find(
      ({ flow, fields }) => flow === 'INSTRUCTIONS' && !fields.some(({ required }) => required),
    )
    if (quiet === undefined) return false
    const { paymentMethodCode, paymentOperators } = quiet
    const paymentOperatorCode = paymentOperators[0]?.code
    await gateway.payins.create(idPayin, { money, paymentMethodCode, paymentOperatorCode, callbackUrl })
    return true
  } catch (error) {
    // The customer was faster.
    if (error instanceof IdConflictError) return true
    if (error instanceof TollgateError && error.status === NOT_POSSIBLE) return false
    throw error
  }
}

const NOT_POSSIBLE = 406

async function endPayin(gateway: Gateway, idPayin: string): Promise<void> {
  try {
    await gateway.payins.cancel(idPayin)
  } catch (error) {
    if (!(error instanceof TollgateError) || error.retryable) throw error
    const payin = await findPayin(gateway, idPayin)
    const status = statusOf(payin)
    if (payin === undefined || status === 'error' || status === 'canceled') return
    throw new NotAllowed(
      status === 'captured'
        ? `Payment ${idPayin} is paid: refund it.`
        : `Payment ${idPayin} cannot be cancelled now: money may be under way, or its bank is being asked. Try again in a minute.`,
    )
  }
}
