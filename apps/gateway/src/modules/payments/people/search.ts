import type { Database } from '../../../platform/database.ts'
import { type FoundPayment, type PaymentSearch, searchPayments } from './search-store.ts'

export type { FoundPayment, Lead, PaymentSearch } from './search-store.ts'

/** What a place looks like: microseconds since 1970, merchant, kind, id. */
export const FOUND_PLACE = /^\d{1,17}:\d{1,18}:[A-Z]{1,20}:[A-Za-z0-9_-]{1,250}$/

/** Finds payments for operators. */
export type FindPayments = (search: PaymentSearch) => Promise<readonly FoundPayment[]>

export const createPaymentSearch =
  (db: Database): FindPayments =>
  (search) =>
    searchPayments(db, search)
