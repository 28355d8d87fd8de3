import { type Call, type Caller, hasTexts } from './caller.ts'
import { TollgateError } from './errors.ts'
import { checkedAmount, member } from './json.ts'
import type { CustomerAccount, Money, Payin, PayinAccepted, PaymentAccount, PaymentOption } from './types.ts'

const ID = /^[A-Za-z0-9_-]{1,250}$/
/** One token for all payins: it stays in this process, and a token per payment would double the requests. */
const OPERATIONS = ['POST /payins/.*', 'GET /payins/.*']

export interface OptionsRequest {
  readonly money: Money
  readonly segmentCode?: string | undefined
}
/** A payin to create (specification 2.2). */
export interface PayinCreate extends OptionsRequest {
  readonly paymentMethodCode: string
  readonly paymentOperatorCode?: string | undefined
  readonly account?: CustomerAccount | undefined
  readonly emailAddress?: string | undefined
  readonly callbackUrl: string
  readonly returnUrl?: string | undefined
}
/** `created` is false when the gateway had already accepted the same request; then the payin is its full detail. */
export type PayinCreated =
  | { readonly created: true; readonly payin: PayinAccepted }
  | { readonly created: false; readonly payin: Payin }

/** Incoming payments (specification 4.1). All throw TollgateError, and RangeError for an id or amount that is none. */
export interface Payins {
  /** The methods for this money. None: a TollgateError 406 whose `items` say why, method by method. */
  options(request: OptionsRequest): Promise<readonly PaymentOption[]>
  /** Creates the payin, or finds it created. Throws IdConflictError when the id names a different payment. */
  create(id: string, request: PayinCreate): Promise<PayinCreated>
  read(id: string): Promise<Payin>
  /** Passes on the reference that the customer got when paying offline. */
  setExternalReference(id: string, externalReference: string): Promise<void>
  /** Account data collected so far; none yet: a TollgateError 406. */
  accounts(id: string): Promise<readonly PaymentAccount[]>
}

/** Payins over a caller. */
export function createPayins(caller: Caller): Payins {
  const read = async (id: string) => caller.record(callOf('GET', pathOf(id)), isPayin)

  async function create(id: string, request: PayinCreate): Promise<PayinCreated> {
    const call = { ...callOf('POST', pathOf(id), bodyOf(request)), idPayment: id }
    try {
      return { created: true, payin: await caller.record(call, isPayinAccepted) }
    } catch (error) {
      if (!(error instanceof TollgateError) || error.duplicate !== 'IDENTICAL') throw error
      return { created: false, payin: await read(id) }
    }
  }

  return {
    create,
    read,
    options: async ({ money, segmentCode }) => {
      checkedAmount(money.amount)
      const call = callOf('POST', '/payins/!availablePaymentOptions', { money, segmentCode })
      return caller.list(call, isPaymentOption)
    },
    setExternalReference: async (id, externalReference) => {
      await caller.send(callOf('POST', `${pathOf(id)}/!setExternalReference`, { externalReference }))
    },
    accounts: async (id) => caller.list(callOf('GET', `${pathOf(id)}/accounts`), isPaymentAccount),
  }
}

function callOf(method: string, path: string, body?: unknown): Call {
  return { method, path, body, operations: OPERATIONS }
}

function pathOf(id: string): string {
  if (!ID.test(id)) throw new RangeError('a payment id is 1 to 250 of A-Z a-z 0-9 _ -')
  return `/payins/${id}`
}

function bodyOf({ money, segmentCode, callbackUrl, returnUrl, ...paymentMethod }: PayinCreate): unknown {
  const { paymentMethodCode, paymentOperatorCode, account, emailAddress } = paymentMethod
  checkedAmount(money.amount)
  return {
    paymentRequested: { money, segmentCode },
    paymentMethod: { paymentMethodCode, paymentOperatorCode, account, emailAddress },
    callbackUrl,
    returnUrl,
  }
}

function isPayinAccepted(value: unknown): value is PayinAccepted {
  return (
    hasTexts(member(member(value, 'paymentRequested'), 'money'), 'amount', 'currencyCode') &&
    hasTexts(member(value, 'paymentMethodResponse'), 'idPayin', 'paymentMethodCode')
  )
}

function isPayin(value: unknown): value is Payin {
  return isPayinAccepted(value) && hasTexts(member(value, 'process'), 'status')
}

function isPaymentOption(value: unknown): value is PaymentOption {
  return hasTexts(value, 'paymentMethodCode') && Array.isArray(member(value, 'paymentOperators'))
}

function isPaymentAccount(value: unknown): value is PaymentAccount {
  return hasTexts(value, 'source')
}
