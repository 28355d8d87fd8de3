import { type Call, type Caller, hasTexts } from './caller.ts'
import { member } from './json.ts'
import { queryOf } from './query.ts'
import type { Balance, Coded, Currency, MerchantInfo, PaymentMethod, PaymentOperator } from './types.ts'

const OPERATIONS = [
  'GET /balances',
  'GET /merchant-info',
  'GET /currencies',
  'GET /segments',
  'GET /payment-operators',
  'GET /payment-methods',
]

/** The merchant's own data and the code lists (specification 4.4 and 4.5). All throw TollgateError. */
export interface ReferenceLists {
  /** Balances in these currencies; of all without `currencyCodes`. */
  balances(currencyCodes?: readonly string[]): Promise<readonly Balance[]>
  merchantInfo(): Promise<MerchantInfo>
  currencies(): Promise<readonly Currency[]>
  segments(): Promise<readonly Coded[]>
  paymentOperators(): Promise<readonly PaymentOperator[]>
  paymentMethods(): Promise<readonly PaymentMethod[]>
}

/** Reference lists over a caller. */
export function createReferenceLists(caller: Caller): ReferenceLists {
  return {
    balances: async (currencyCodes) => {
      return caller.list(get(`/balances${queryOf({ currencyCodes })}`), isBalance)
    },
    merchantInfo: async () => caller.record(get('/merchant-info'), isMerchantInfo),
    currencies: async () => caller.list(get('/currencies'), isCurrency),
    segments: async () => caller.list(get('/segments'), isCoded),
    paymentOperators: async () => caller.list(get('/payment-operators'), isPaymentOperator),
    paymentMethods: async () => caller.list(get('/payment-methods'), isPaymentMethod),
  }
}

const get = (path: string): Call => ({ method: 'GET', path, operations: OPERATIONS })

const isCoded = (value: unknown): value is Coded => hasTexts(value, 'code', 'name')
const isCurrency = (value: unknown): value is Currency => hasTexts(value, 'code', 'name', 'type')
const isPaymentOperator = (value: unknown): value is PaymentOperator =>
  hasTexts(value, 'code', 'name', 'type')
const isPaymentMethod = (value: unknown): value is PaymentMethod =>
  hasTexts(value, 'paymentMethodCode', 'name')
const isBalance = (value: unknown): value is Balance =>
  hasTexts(value, 'currencyCode') && hasTexts(member(value, 'available'), 'amount', 'currencyCode')
const isMerchantInfo = (value: unknown): value is MerchantInfo =>
  hasTexts(member(value, 'channelInfo'), 'name') && Array.isArray(member(value, 'callbackPublicKeys'))
