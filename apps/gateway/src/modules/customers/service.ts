import { isCountryCode } from '@tollgate/payment-codes'
import type { Clock, Ids } from '@tollgate/runtime'
import { createBatcher } from '../../platform/batch.ts'
import { confirmSeen } from '../../platform/confirm-seen.ts'
import { awayForAll, type Database, isDataFault, resolveUnknown, type Tx } from '../../platform/database.ts'
import { invalidField, Refusal, rejection } from '../../platform/refusal.ts'
import type { Secrets } from '../../platform/secrets.ts'
import { type Erasure, erasureOf, type Traces } from './erasure.ts'
import {
  applyChange,
  type Customer,
  type CustomerChange,
  type CustomerData,
  type CustomerKey,
  canonicalCustomer,
  isNothing,
  type KnownCustomer,
  textOf,
} from './model.ts'
import { openPerson, sealPerson } from './personal-data.ts'
import {
  findCustomer,
  findCustomerForUpdate,
  insertCustomer,
  listCustomers,
  listStandings,
  type Standing,
  type StoredCustomer,
  updateCustomerData,
  updateCustomerErased,
  updateCustomerStatus,
} from './store.ts'

/** What this room asks of the payments, which stand above it: handed in by the frame. */
export interface PaymentHooks {
  /** Whether a payment of the customer has not ended. */
  readonly hasOpenPayments: (tx: Tx, customer: CustomerKey) => Promise<boolean>
  /** Erases the personal data of the customer's payments that have ended. Safe to repeat. */
  readonly erasePayments: (tx: Tx, customer: CustomerKey) => Promise<void>
  /** Counts what the customer's payments, and documents about them, hold of persons. */
  readonly countTraces: (tx: Tx, customer: CustomerKey) => Promise<Traces>
}

export interface CustomerDeps extends PaymentHooks {
  readonly db: Database
  readonly clock: Pick<Clock, 'monotonicMs'>
  readonly ids: Pick<Ids, 'uuid'>
  readonly secrets: Secrets
  /** Whether the catalogue has the segment. */
  readonly hasSegment: (segmentCode: string) => boolean
  readonly batchRowsMax: number
  readonly batchesInFlightMax: number
}

/** A part of a list. */
interface CustomerPage {
  readonly customers: readonly Customer[]
  readonly hasMore: boolean
}

/** A merchant's customers. Refusals are thrown. */
export interface CustomerService {
  /** Throws ENTITY_DUPLICATED when the id is taken, also by an erased customer, and SEGMENT_NOT_SUPPORTED. */
  create(key: CustomerKey, data: CustomerData): Promise<KnownCustomer>
  /** Also finds an erased customer. Throws ENTITY_NOT_FOUND. */
  read(key: CustomerKey): Promise<Customer>
  /** By their ids, from after one of them. */
  list(
    merchantId: string,
    page: { readonly after: string | undefined; readonly limit: number },
  ): Promise<CustomerPage>
  /** What is absent stays, null removes. Throws BODY_INVALID for no change, ENTITY_NOT_FOUND, SEGMENT_NOT_SUPPORTED. */
  change(key: CustomerKey, change: CustomerChange): Promise<KnownCustomer>
  /** Blocks or unblocks; being so already is no fault. Throws ENTITY_NOT_FOUND. */
  setStatus(key: CustomerKey, status: Standing['status']): Promise<KnownCustomer>
  /**
   * Forgets the person, here and in the payments; the ledger stays. Being erased already is no fault. Answers what was erased
   * now, and what is kept. Throws ENTITY_NOT_FOUND, and CUSTOMER_HAS_OPEN_PAYMENTS while a payment has not ended.
   */
  erase(key: CustomerKey): Promise<Erasure>
  /** How the customer stands; undefined for one that is unknown or erased. Concurrent calls share a round trip. */
  findForPayment(merchantId: string, idCustomer: string): Promise<Standing | undefined>
}

/** Requests that may wait for a batch; beyond it they are told to come back. */
const WAITING_MAX = 5_000
/** From the erasure to the first look for what a create under way left behind. */
const SWEEP_AFTER_SECONDS = 30

export function createCustomerService(deps: CustomerDeps): CustomerService {
  const findStanding = createBatcher<CustomerKey, Standing | undefined>({
    limits: { rowsMax: deps.batchRowsMax, inFlightMax: deps.batchesInFlightMax, waitingMax: WAITING_MAX },
    isPoison: isDataFault,
    refusalForAll: awayForAll,
    run: (keys) => resolveUnknown(deps.clock, () => standingsOf(deps.db, keys)),
  })
  const patient = <Result>(work: () => Promise<Result>): Promise<Result> => resolveUnknown(deps.clock, work)
  return {
    create: (key, data) => createCustomer(deps, key, data),
    read: async (key) => toCustomer(deps, (await patient(() => findCustomer(deps.db, key))) ?? missing(key)),
    list: (merchantId, page) => patient(() => listPage(deps, merchantId, page)),
    async change(key, change) {
      if (isNothing(change)) throw nothingToChange()
      return patient(() => deps.db.transaction((tx) => changeCustomer(deps, tx, { key, change })))
    },
    async setStatus(key, status) {
      const updated = await patient(() => updateCustomerStatus(deps.db, key, status))
      return toKnown(deps, updated ?? missing(key))
    },
    erase: (key) => patient(() => deps.db.transaction((tx) => eraseCustomer(deps, tx, key))),
    findForPayment: (merchantId, idCustomer) => findStanding({ merchantId, idCustomer }),
  }
}

function missing({ idCustomer }: Pick<CustomerKey, 'idCustomer'>): never {
  throw new Refusal('ENTITY_NOT_FOUND', { message: `There is no customer ${idCustomer}.` })
}

/** Whether the id is taken goes before the rule about segments, as for payments: a repeat must hear of its first try. */
async function createCustomer(
  deps: CustomerDeps,
  key: CustomerKey,
  data: CustomerData,
): Promise<KnownCustomer> {
  demandCountry(data.countryCode)
  // Bound to the id, so that two customers with the same data have nothing in common that can be seen.
  const requestDigest = deps.secrets.digest('request-digest', `${textOf(key)} ${canonicalCustomer(data)}`)
  if (!isSegmentKnown(deps, data.segmentCode)) {
    const existing = await findHolder(deps, key)
    throw existing === undefined ? segmentUnknown() : duplicateOf(existing, requestDigest)
  }
  const customer = {
    ...key,
    nonce: deps.ids.uuid(),
    requestDigest,
    segmentCode: data.segmentCode,
    countryCode: data.countryCode,
    person: sealPerson(deps.secrets, key, data),
  }
  const stored = await resolveUnknown(deps.clock, async () => {
    const inserted = await insertCustomer(deps.db, customer)
    return inserted ?? (await findHolder(deps, key))
  })
  if (stored === undefined) throw new Error(`the customer was neither inserted nor found`)
  if (stored.nonce !== customer.nonce) throw duplicateOf(stored, requestDigest)
  return toKnown(deps, stored)
}

/** The customer who has the id, for an answer that acknowledges it. */
async function findHolder({ db }: CustomerDeps, key: CustomerKey): Promise<StoredCustomer | undefined> {
  const holder = await findCustomer(db, key)
  return holder && confirmSeen(db, (tx) => findCustomer(tx, key))
}

function demandCountry(countryCode: string | null | undefined): void {
  if (countryCode === undefined || countryCode === null || isCountryCode(countryCode)) return
  throw invalidField('countryCode', `${countryCode} is no country code of ISO 3166-1 alpha-2, such as CZ.`)
}

function isSegmentKnown({ hasSegment }: CustomerDeps, segmentCode: string | null | undefined): boolean {
  return segmentCode === undefined || segmentCode === null || hasSegment(segmentCode)
}

const duplicateOf = ({ createdAt, requestDigest }: StoredCustomer, digest: Buffer) =>
  duplicate(createdAt, requestDigest?.equals(digest) ?? false)

function toCustomer(deps: CustomerDeps, stored: StoredCustomer): Customer {
  const { merchantId, idCustomer, createdAt, erasedAt } = stored
  if (stored.status !== 'ERASED') return toKnown(deps, stored)
  if (erasedAt === undefined) throw new Error('an erased customer has no time of its erasure')
  return { merchantId, idCustomer, status: stored.status, createdAt, erasedAt }
}

function toKnown({ secrets }: CustomerDeps, stored: StoredCustomer): KnownCustomer {
  const { merchantId, idCustomer, status, person, createdAt, segmentCode, countryCode } = stored
  if (status === 'ERASED') missing(stored)
  if (person === undefined) throw new Error('a customer has lost its data')
  const opened = openPerson(secrets, stored, person)
  return { merchantId, idCustomer, status, ...opened, segmentCode, countryCode, createdAt }
}

async function listPage(
  deps: CustomerDeps,
  merchantId: string,
  { after, limit }: { readonly after: string | undefined; readonly limit: number },
): Promise<CustomerPage> {
  const rows = await listCustomers(deps.db, { merchantId, after, limit: limit + 1 })
  const customers = rows.slice(0, limit).map((row) => toCustomer(deps, row))
  return { customers, hasMore: rows.length > limit }
}

async function changeCustomer(
  deps: CustomerDeps,
  tx: Tx,
  { key, change }: { readonly key: CustomerKey; readonly change: CustomerChange },
): Promise<KnownCustomer> {
  const before = toKnown(deps, (await findCustomerForUpdate(tx, key)) ?? missing(key))
  demandCountry(change.countryCode)
  if (!isSegmentKnown(deps, change.segmentCode)) throw segmentUnknown()
  const data = applyChange(before, change)
  await updateCustomerData(tx, key, { ...data, person: sealPerson(deps.secrets, key, data) })
  return { ...before, ...data }
}

/** In one transaction: either all of it is forgotten or nothing. */
async function eraseCustomer(deps: CustomerDeps, tx: Tx, key: CustomerKey): Promise<Erasure> {
  const { status } = (await findCustomerForUpdate(tx, key)) ?? missing(key)
  const before = await deps.countTraces(tx, key)
  if (status === 'ERASED') return erasureOf(before, before)
  if (await deps.hasOpenPayments(tx, key)) throw hasOpenPaymentsRefusal()
  await updateCustomerErased(tx, key, SWEEP_AFTER_SECONDS)
  await deps.erasePayments(tx, key)
  return erasureOf(before, await deps.countTraces(tx, key))
}

async function standingsOf(
  db: Database,
  keys: readonly CustomerKey[],
): Promise<readonly (Standing | undefined)[]> {
  const distinct = new Map(keys.map((key) => [textOf(key), key]))
  const rows = await listStandings(db, [...distinct.values()])
  const byKey = new Map(rows.map((row) => [textOf(row), row.standing]))
  return keys.map((key) => byKey.get(textOf(key)))
}

const nothingToChange = (): Refusal =>
  new Refusal('BODY_INVALID', { message: 'The body names nothing that could be changed.' })

/** The id is taken. After an erasure nobody can tell any more whether the request is the same. */
function duplicate(acceptedAt: Date, isIdentical: boolean): Refusal {
  return new Refusal('ENTITY_DUPLICATED', {
    extra: { duplicate: isIdentical ? 'IDENTICAL' : 'DIFFERENT', acceptedAt: acceptedAt.toISOString() },
  })
}

const segmentUnknown = (): Refusal =>
  rejection([
    {
      code: 'SEGMENT_NOT_SUPPORTED',
      message: 'The customer segment is not supported.',
      field: 'segmentCode',
    },
  ])

const hasOpenPaymentsRefusal = (): Refusal =>
  rejection([
    { code: 'CUSTOMER_HAS_OPEN_PAYMENTS', message: 'The customer has payments that have not ended.' },
  ])
