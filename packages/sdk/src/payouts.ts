import type { Caller } from './caller.ts'
import {
  createPayments,
  type Following,
  hasProcess,
  isPaymentRecord,
  type OptionsRequest,
  type PaymentCreate,
} from './payments.ts'
import type { PaymentOption, Payout, PayoutAccepted } from './types.ts'

/** A payout to create (specification 2.4): `account` is whom the money goes to. */
export interface PayoutCreate extends PaymentCreate {
  readonly callbackUrl: string
}
/** `created` is false when the gateway had already accepted the same request; then the payout is its full detail. */
export type PayoutCreated =
  | { readonly created: true; readonly payout: PayoutAccepted }
  | { readonly created: false; readonly payout: Payout }

/** Outgoing payments (specification 4.3). All throw TollgateError, and RangeError for an id or amount that is none. */
export interface Payouts extends Following<Payout> {
  /** The methods for this money. None: a TollgateError 406 whose `items` say why, method by method. */
  options(request: OptionsRequest): Promise<readonly PaymentOption[]>
  /**
   * Creates the payout, or finds it created: after a lost answer the same id never pays twice. Throws IdConflictError
   * when the id names a different payment, and a TollgateError 406 `BALANCE_INSUFFICIENT` when the available balance
   * does not cover the money and its fee.
   */
  create(id: string, request: PayoutCreate): Promise<PayoutCreated>
  read(id: string): Promise<Payout>
}

/** Payouts over a caller. */
export function createPayouts(caller: Caller): Payouts {
  const payments = createPayments(caller, {
    noun: 'payouts',
    requested: 'paymentRequested',
    isAccepted: isPayoutAccepted,
    isDetail: isPayout,
  })
  return {
    options: payments.options,
    read: payments.read,
    waitFor: payments.waitFor,
    reconcile: payments.reconcile,
    create: async (id, { callbackUrl, ...request }) => {
      const outcome = await payments.create(id, request, { callbackUrl })
      return outcome.created
        ? { created: true, payout: outcome.payment }
        : { created: false, payout: outcome.payment }
    },
  }
}

const isPayoutAccepted = (value: unknown): value is PayoutAccepted => isPaymentRecord(value, 'idPayout')
const isPayout = (value: unknown): value is Payout => isPayoutAccepted(value) && hasProcess(value)
