import { type Call, type Caller, hasTexts } from './caller.ts'
import { checkedAmount, member } from './json.ts'
import { checkedId, createOnce } from './payments.ts'
import { queryOf } from './query.ts'
import type { Money, Page, PageRequest, PaymentStatus, Settlement, SettlementItem } from './types.ts'

const OPERATIONS = ['GET /settlements', 'GET /settlements/.*', 'POST /settlements/.*']

/** Which settlements to list; the newest come first. */
export interface SettlementFilter extends PageRequest {
  /** Days such as `2026-11-20` (UTC); both belong to the range. */
  readonly dateFrom?: string | undefined
  readonly dateTo?: string | undefined
  readonly currencyCodes?: readonly string[] | undefined
  readonly statuses?: readonly PaymentStatus[] | undefined
}
/** How much to pay out: this money, or everything that is available in a currency. */
export type SettlementRequest =
  | { readonly money: Money; readonly currencyCode?: never }
  | { readonly currencyCode: string; readonly money?: never }

/** `created` is false when the gateway had already accepted the same request; then it is the settlement as it is now. */
export interface SettlementRequested {
  readonly created: boolean
  readonly settlement: Settlement
}

/** What became available, and paying it out. All throw TollgateError, and RangeError for an id or amount that is none. */
export interface Settlements {
  list(filter?: SettlementFilter): Promise<Page<Settlement>>
  read(id: string): Promise<Settlement>
  /** What a settlement of a cycle consists of; one that was requested has none. */
  transactions(id: string, page?: PageRequest): Promise<Page<SettlementItem>>
  /**
   * Asks for available money to be paid out to your registered account, under an id of yours: after a lost answer the
   * same id never pays twice. There is no callback. Throws IdConflictError when the id names another settlement.
   */
  request(id: string, request: SettlementRequest): Promise<SettlementRequested>
}

/** Settlements over a caller. */
export function createSettlements(caller: Caller): Settlements {
  const read = async (id: string) => caller.record(callOf('GET', pathOf(id)), isSettlement)
  return {
    read,
    list: async (filter = {}) =>
      caller.page(callOf('GET', `/settlements${queryOf({ ...filter })}`), isSettlement),
    transactions: async (id, page = {}) =>
      caller.page(callOf('GET', `${pathOf(id)}/transactions${queryOf({ ...page })}`), isSettlementItem),
    request: async (id, request) => {
      if (request.money !== undefined) checkedAmount(request.money.amount)
      const call = { ...callOf('POST', pathOf(id), request), idPayment: id }
      const { created, payment } = await createOnce(
        () => caller.record(call, isSettlement),
        () => read(id),
      )
      return { created, settlement: payment }
    },
  }
}

const pathOf = (id: string): string => `/settlements/${checkedId(id)}`

function callOf(method: string, path: string, body?: unknown): Call {
  return { method, path, body, operations: OPERATIONS }
}

const isMoney = (value: unknown): boolean => hasTexts(value, 'amount', 'currencyCode')
const isSettlement = (value: unknown): value is Settlement =>
  hasTexts(value, 'idSettlement', 'kind') &&
  isMoney(member(value, 'net')) &&
  hasTexts(member(value, 'process'), 'status')
const isSettlementItem = (value: unknown): value is SettlementItem =>
  hasTexts(value, 'type', 'idEntity') && isMoney(member(value, 'net'))
