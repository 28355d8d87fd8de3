import { type Caller, hasTexts } from './caller.ts'
import {
  createPayments,
  type Following,
  hasEnded,
  hasProcess,
  isPaymentRecord,
  type OptionsRequest,
  type PaymentCreate,
  type Waiting,
} from './payments.ts'
import type { Payin, PayinAccepted, PaymentAccount, PaymentOption } from './types.ts'

/** A payin to create (specification 2.2). */
export interface PayinCreate extends PaymentCreate {
  readonly callbackUrl: string
  readonly returnUrl?: string | undefined
}
/** `created` is false when the gateway had already accepted the same request; then the payin is its full detail. */
export type PayinCreated =
  | { readonly created: true; readonly payin: PayinAccepted }
  | { readonly created: false; readonly payin: Payin }

/** What a customer who comes back should be told. */
export interface CustomerReturn {
  readonly outcome: 'PAID' | 'UNDER_WAY' | 'NOT_PAID'
  readonly payin: Payin
}

/** Incoming payments (specification 4.1). All throw TollgateError, and RangeError for an id or amount that is none. */
export interface Payins extends Following<Payin> {
  /** The methods for this money. None: a TollgateError 406 whose `items` say why, method by method. */
  options(request: OptionsRequest): Promise<readonly PaymentOption[]>
  /** Creates the payin, or finds it created. Throws IdConflictError when the id names a different payment. */
  create(id: string, request: PayinCreate): Promise<PayinCreated>
  read(id: string): Promise<Payin>
  /**
   * What to show a customer who comes back to your `returnUrl`. The return itself proves nothing, so the payin is read, for up to
   * three seconds if it is still open. UNDER_WAY: say that the payment is being processed, and invite no second one.
   */
  handleReturn(id: string, waiting?: Waiting): Promise<CustomerReturn>
  /**
   * Cancels the payin while nothing was paid; safe to repeat. Too late, or its institution is being asked about it for more than a
   * moment: a TollgateError 409, whose message says which.
   */
  cancel(id: string): Promise<Payin>
  /** Passes on the reference that the customer got when paying offline. */
  setExternalReference(id: string, externalReference: string): Promise<void>
  /** Account data collected so far; none yet: a TollgateError 406. */
  accounts(id: string): Promise<readonly PaymentAccount[]>
}

/** Payins over a caller. */
export function createPayins(caller: Caller): Payins {
  const payments = createPayments(caller, {
    noun: 'payins',
    requested: 'paymentRequested',
    isAccepted: isPayinAccepted,
    isDetail: isPayin,
  })
  return {
    options: payments.options,
    read: payments.read,
    waitFor: payments.waitFor,
    reconcile: payments.reconcile,
    create: async (id, { callbackUrl, returnUrl, ...request }) => {
      const outcome = await payments.create(id, request, { callbackUrl, returnUrl })
      return outcome.created
        ? { created: true, payin: outcome.payment }
        : { created: false, payin: outcome.payment }
    },
    handleReturn: async (id, { timeoutMs = RETURN_WAIT_MS } = {}) => {
      const payin = await payments.waitFor(id, { timeoutMs })
      if (payin.process.status === 'SUCCESS') return { outcome: 'PAID', payin }
      return { outcome: hasEnded(payin) ? 'NOT_PAID' : 'UNDER_WAY', payin }
    },
    cancel: async (id) => caller.record(payments.callOf('POST', id, { action: '/!cancel' }), isPayin),
    setExternalReference: async (id, externalReference) => {
      const body = { externalReference }
      await caller.send(payments.callOf('POST', id, { action: '/!setExternalReference', body }))
    },
    accounts: async (id) =>
      caller.list(payments.callOf('GET', id, { action: '/accounts' }), isPaymentAccount),
  }
}

/** A customer waits for this page. */
const RETURN_WAIT_MS = 3_000

const isPayinAccepted = (value: unknown): value is PayinAccepted => isPaymentRecord(value, 'idPayin')
const isPayin = (value: unknown): value is Payin => isPayinAccepted(value) && hasProcess(value)
const isPaymentAccount = (value: unknown): value is PaymentAccount => hasTexts(value, 'source')
