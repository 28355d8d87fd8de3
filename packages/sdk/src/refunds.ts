import { type Call, type Caller, hasTexts } from './caller.ts'
import { checkedAmount, member } from './json.ts'
import { checkedId, createOnce, hasProcess } from './payments.ts'
import type { Money, Refund, RefundAccepted } from './types.ts'

/** What to pay back. */
export interface RefundCreate {
  readonly money: Money
  /** Only where it is not known which account the money came from. */
  readonly account?:
    | {
        readonly accountName?: string | undefined
        readonly accountNumber?: string | undefined
        readonly bankCode?: string | undefined
      }
    | undefined
  /** Only where the payin's own method takes no payouts. */
  readonly paymentMethodCode?: string | undefined
  readonly paymentOperatorCode?: string | undefined
}
/** `created` is false when the gateway had already accepted the same refund; then it is its full detail. */
export type RefundCreated =
  | { readonly created: true; readonly refund: RefundAccepted }
  | { readonly created: false; readonly refund: Refund }

/** Paying money of payins back. All throw TollgateError, and RangeError for an id or amount that is none. */
export interface Refunds {
  /**
   * Refunds money of a payin under an id of yours, unique per payin: after a lost answer the same id never pays twice. Throws
   * IdConflictError when the id names another refund.
   */
  create(idPayin: string, idRefund: string, refund: RefundCreate): Promise<RefundCreated>
  get(idPayin: string, idRefund: string): Promise<Refund>
  /** All refunds of the payin, the oldest first. */
  list(idPayin: string): Promise<readonly Refund[]>
}

const OPERATIONS = ['POST /payins/.*', 'GET /payins/.*']
/** Who names an account could pay anybody. */
const WITH_ACCOUNT = [...OPERATIONS, 'POST /payouts/.*']

/** Refunds over a caller. */
export function createRefunds(caller: Caller): Refunds {
  const get = async (idPayin: string, idRefund: string) =>
    caller.record(callOf('GET', pathOf(idPayin, idRefund)), isRefund)
  return {
    get,
    list: async (idPayin) => caller.list(callOf('GET', pathOf(idPayin)), isRefund),
    create: async (idPayin, idRefund, { money, account, paymentMethodCode, paymentOperatorCode }) => {
      checkedAmount(money.amount)
      const call = {
        ...callOf('POST', pathOf(idPayin, idRefund)),
        body: {
          refundRequested: { money },
          account,
          ...(paymentMethodCode !== undefined && {
            paymentMethod: { paymentMethodCode, paymentOperatorCode },
          }),
        },
        idPayment: idRefund,
        ...(account !== undefined && { operations: WITH_ACCOUNT }),
      }
      const outcome = await createOnce(
        () => caller.record(call, isAccepted),
        () => get(idPayin, idRefund),
      )
      return outcome.created
        ? { created: true, refund: outcome.payment }
        : { created: false, refund: outcome.payment }
    },
  }
}

const pathOf = (idPayin: string, idRefund?: string): string =>
  `/payins/${checkedId(idPayin)}/refunds${idRefund === undefined ? '' : `/${checkedId(idRefund)}`}`

const callOf = (method: string, path: string): Call => ({ method, path, operations: OPERATIONS })

const isAccepted = (value: unknown): value is RefundAccepted =>
  hasTexts(member(value, 'paymentMethodResponse'), 'idPayin', 'idRefund') &&
  hasTexts(member(member(value, 'refundRequested'), 'money'), 'amount', 'currencyCode')
const isRefund = (value: unknown): value is Refund => isAccepted(value) && hasProcess(value)
