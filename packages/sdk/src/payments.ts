import { type Call, type Caller, type Guard, hasTexts } from './caller.ts'
import { TollgateError } from './errors.ts'
import { checkedAmount, member } from './json.ts'
import type { CustomerAccount, Money, PaymentOption } from './types.ts'

// What the creates of payins, payouts and top-ups share.

const ID = /^[A-Za-z0-9_-]{1,250}$/

export interface OptionsRequest {
  readonly money: Money
  readonly segmentCode?: string | undefined
}
/** What every payment says of itself when it is created. */
export interface PaymentCreate extends OptionsRequest {
  readonly paymentMethodCode: string
  readonly paymentOperatorCode?: string | undefined
  readonly account?: CustomerAccount | undefined
  readonly emailAddress?: string | undefined
  /** One of your customers. Its segment counts where none is named; a blocked one is refused. */
  readonly idCustomer?: string | undefined
}

/** `created` is false when the gateway had already accepted the same request; then it is the full detail. */
type Created<Accepted, Detail> =
  | { readonly created: true; readonly payment: Accepted }
  | { readonly created: false; readonly payment: Detail }

/** One kind of payment on the wire. */
interface PaymentKind<Accepted, Detail> {
  /** First segment of its paths, such as `payins`. */
  readonly noun: string
  /** The member of a create that says what is asked for. */
  readonly requested: 'paymentRequested' | 'topUpRequested'
  readonly isAccepted: Guard<Accepted>
  readonly isDetail: Guard<Detail>
}

/** What is known of one payment of yours; MISSING: the gateway has never accepted it, so it may be created with this id. */
export type Reconciled<Detail> =
  | { readonly id: string; readonly kind: 'ENDED' | 'OPEN'; readonly payment: Detail }
  | { readonly id: string; readonly kind: 'MISSING' }

/** How long to wait for the end of a payment. */
export interface Waiting {
  /** Default: 60,000. */
  readonly timeoutMs?: number
}

/** Waiting for payments, and asking for those that are open. The same for every kind. */
export interface Following<Detail> {
  /**
   * Reads the payment until it has ended, or for the time given (the last read may take a second more): then it is answered as
   * it was read last, perhaps still CREATED. Throws a TollgateError TIMEOUT when no read was answered in this time. 0 reads once.
   */
  waitFor(id: string, waiting?: Waiting): Promise<Detail>
  /** Reads your open payments one after the other: after an outage, or each night. Safe to repeat. */
  reconcile(ids: Iterable<string>): AsyncGenerator<Reconciled<Detail>>
}

/** The operations that every kind of payment has. */
interface Payments<Accepted, Detail> extends Following<Detail> {
  options(request: OptionsRequest): Promise<readonly PaymentOption[]>
  create(
    id: string,
    request: PaymentCreate,
    urls: Readonly<Record<string, string | undefined>>,
  ): Promise<Created<Accepted, Detail>>
  read(id: string): Promise<Detail>
  /** A call with the token of this kind of payment. Throws RangeError for an id that is none. */
  callOf(method: string, id: string, rest?: { readonly action?: string; readonly body?: unknown }): Call
}

/** Payments of one kind over a caller. */
export function createPayments<Accepted, Detail extends WithProcess>(
  caller: Caller,
  kind: PaymentKind<Accepted, Detail>,
): Payments<Accepted, Detail> {
  const { noun, requested } = kind
  // One token for all payments of the kind: it stays in this process, and one per payment would double the requests.
  const operations = [`POST /${noun}/.*`, `GET /${noun}/.*`]
  const callOf: Payments<Accepted, Detail>['callOf'] = (method, id, { action = '', body } = {}) => ({
    method,
    path: `/${noun}/${checkedId(id)}${action}`,
    body,
    operations,
  })
  const readWithin = async (id: string, leftMs: Call['leftMs']) =>
    caller.record({ ...callOf('GET', id), leftMs }, kind.isDetail)
  const read = async (id: string) => readWithin(id, undefined)

  return {
    callOf,
    read,
    waitFor: async (id, { timeoutMs = WAIT_MS } = {}) => {
      if (Number.isNaN(timeoutMs)) throw new TypeError('timeoutMs must be a number of milliseconds')
      const { sleep, nowMs } = caller
      const endMs = nowMs() + timeoutMs
      const leftMs = () => endMs - nowMs()
      let payment = await readWithin(id, timeoutMs > 0 ? leftMs : undefined)
      for (let pauseMs = PAUSE_FIRST_MS; !hasEnded(payment) && leftMs() > 0; pauseMs *= 2) {
        await sleep(Math.min(pauseMs, PAUSE_MS_MAX, leftMs()))
        payment = await unlessOver(readWithin(id, leftMs), payment, leftMs)
      }
      return payment
    },
    async *reconcile(ids) {
      for (const id of ids) yield await reconciled(id, read)
    },
    options: async ({ money, segmentCode }) => {
      checkedAmount(money.amount)
      const path = `/${noun}/!availablePaymentOptions`
      return caller.list({ method: 'POST', path, body: { money, segmentCode }, operations }, isPaymentOption)
    },
    create: async (id, request, urls) => {
      const body = { ...bodyOf(requested, request), ...urls }
      return createOnce(
        () => caller.record({ ...callOf('POST', id, { body }), idPayment: id }, kind.isAccepted),
        () => read(id),
      )
    },
  }
}

/** What is read, or what was known before if no answer has come when the time is over. */
async function unlessOver<Detail>(
  reading: Promise<Detail>,
  known: Detail,
  leftMs: () => number,
): Promise<Detail> {
  try {
    return await reading
  } catch (error) {
    if (error instanceof TollgateError && error.retryable && leftMs() <= 0) return known
    throw error
  }
}

const WAIT_MS = 60_000
const PAUSE_FIRST_MS = 500
const PAUSE_MS_MAX = 5_000

interface WithProcess {
  readonly process: { readonly status: string }
}

const ENDED: ReadonlySet<string> = new Set(['SUCCESS', 'FAILED', 'EXPIRED', 'CANCELLED', 'REVERSED'])

/** A status that is not known counts as open. */
export const hasEnded = ({ process }: WithProcess): boolean => ENDED.has(process.status)

async function reconciled<Detail extends WithProcess>(
  id: string,
  read: (id: string) => Promise<Detail>,
): Promise<Reconciled<Detail>> {
  try {
    const payment = await read(id)
    return { id, kind: hasEnded(payment) ? 'ENDED' : 'OPEN', payment }
  } catch (error) {
    if (error instanceof TollgateError && error.status === 410) return { id, kind: 'MISSING' }
    throw error
  }
}

/** Creates, or finds what the very same request had created before. Throws IdConflictError for another request. */
export async function createOnce<Accepted, Stored>(
  create: () => Promise<Accepted>,
  read: () => Promise<Stored>,
): Promise<Created<Accepted, Stored>> {
  try {
    return { created: true, payment: await create() }
  } catch (error) {
    if (!(error instanceof TollgateError) || error.duplicate !== 'IDENTICAL') throw error
    return { created: false, payment: await read() }
  }
}

/** The id, if it cannot change the path that it becomes part of; otherwise throws RangeError. */
export function checkedId(id: string): string {
  if (!ID.test(id)) throw new RangeError('an id is 1 to 250 of A-Z a-z 0-9 _ -')
  return id
}

function bodyOf(requested: string, request: PaymentCreate): Readonly<Record<string, unknown>> {
  const { money, segmentCode, paymentMethodCode, paymentOperatorCode, account, emailAddress } = request
  checkedAmount(money.amount)
  return {
    [requested]: { money, segmentCode },
    paymentMethod: { paymentMethodCode, paymentOperatorCode, account, emailAddress },
    customer: request.idCustomer === undefined ? undefined : { idCustomer: request.idCustomer },
  }
}

/** True for a record with this id under `paymentMethodResponse`, and with money under `requested`. */
export function isPaymentRecord(value: unknown, id: string, requested = 'paymentRequested'): boolean {
  return (
    hasTexts(member(member(value, requested), 'money'), 'amount', 'currencyCode') &&
    hasTexts(member(value, 'paymentMethodResponse'), id, 'paymentMethodCode')
  )
}

/** True when it says how far the payment has come: a detail. */
export const hasProcess = (value: unknown): boolean => hasTexts(member(value, 'process'), 'status')

function isPaymentOption(value: unknown): value is PaymentOption {
  return hasTexts(value, 'paymentMethodCode') && Array.isArray(member(value, 'paymentOperators'))
}
