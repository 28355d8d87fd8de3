import type { Caller } from './caller.ts'
import {
  createPayments,
  type Following,
  hasProcess,
  isPaymentRecord,
  type OptionsRequest,
  type PaymentCreate,
} from './payments.ts'
import type { PaymentOption, TopUp, TopUpAccepted } from './types.ts'

/** A top-up to create. Without a `callbackUrl` there is no callback: read it. */
export interface TopUpCreate extends PaymentCreate {
  readonly callbackUrl?: string | undefined
  readonly returnUrl?: string | undefined
}
/** `created` is false when the gateway had already accepted the same request; then the top-up is its full detail. */
export type TopUpCreated =
  | { readonly created: true; readonly topUp: TopUpAccepted }
  | { readonly created: false; readonly topUp: TopUp }

/** Top-ups (specification 4.2). All throw TollgateError, and RangeError for an id or amount that is none. */
export interface TopUps extends Following<TopUp> {
  /** The methods for this money. None: a TollgateError 406 whose `items` say why, method by method. */
  options(request: OptionsRequest): Promise<readonly PaymentOption[]>
  /** Creates the top-up, or finds it created. Throws IdConflictError when the id names a different payment. */
  create(id: string, request: TopUpCreate): Promise<TopUpCreated>
  read(id: string): Promise<TopUp>
}

/** Top-ups over a caller. */
export function createTopUps(caller: Caller): TopUps {
  const payments = createPayments(caller, {
    noun: 'topups',
    requested: 'topUpRequested',
    isAccepted: isTopUpAccepted,
    isDetail: isTopUp,
  })
  return {
    options: payments.options,
    read: payments.read,
    waitFor: payments.waitFor,
    reconcile: payments.reconcile,
    create: async (id, { callbackUrl, returnUrl, ...request }) => {
      const outcome = await payments.create(id, request, { callbackUrl, returnUrl })
      return outcome.created
        ? { created: true, topUp: outcome.payment }
        : { created: false, topUp: outcome.payment }
    },
  }
}

const isTopUpAccepted = (value: unknown): value is TopUpAccepted =>
  isPaymentRecord(value, 'idTopUp', 'topUpRequested')
const isTopUp = (value: unknown): value is TopUp => isPaymentRecord(value, 'idTopUp') && hasProcess(value)
