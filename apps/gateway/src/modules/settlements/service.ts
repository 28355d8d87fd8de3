import type { SettlementRequest } from '@tollgate/contract'
import { isPositive, type Money, parseAmount, parsePlainAmount, ZERO } from '@tollgate/money'
import type { Caller } from '../../http/authentication.ts'
import type { Clock } from '../../platform/clock.ts'
import { type Database, resolveUnknown, type Tx } from '../../platform/database.ts'
import { invalidField, Refusal } from '../../platform/refusal.ts'
import type { Secrets } from '../../platform/secrets.ts'
import { createBalanceService } from '../ledger/index.ts'
import type { CreateOrder, Intake, NewPayment, PaymentRequest } from '../payments/index.ts'
import type { PayoutPolicies } from '../payouts/index.ts'
import { openAccount } from './account.ts'
import { findAccount, type StoredAccount } from './account-store.ts'
import { accountMissing, duplicateOf, inOwnWords, nothingAvailable } from './errors.ts'
import type { Settlement, SettlementItem, SettlementKey } from './model.ts'
import { outgoingTerms } from './outgoing-rules.ts'
import {
  findSettlement,
  insertSettlement,
  listItems,
  listSettlements,
  type SettlementFilter,
} from './store.ts'

export interface SettlementDeps {
  readonly db: Database
  readonly clock: Pick<Clock, 'monotonicMs'>
  readonly secrets: Secrets
  readonly intake: Pick<Intake, 'create'>
  readonly policies: PayoutPolicies
}

/** A part of a list. */
export interface Page<Item> {
  readonly items: readonly Item[]
  readonly hasMore: boolean
}

/** Where a page begins, and how long it is. */
export interface Place {
  readonly after: string | undefined
  readonly limit: number
}

/** What merchants ask about their settlements. Refusals are thrown. */
export interface SettlementService {
  /** The newest first. */
  list(filter: SettlementFilter): Promise<Page<Settlement>>
  /** Throws ENTITY_NOT_FOUND. */
  read(key: SettlementKey): Promise<Settlement>
  /** What it consists of; nothing for a requested one. Throws ENTITY_NOT_FOUND. */
  listItems(key: SettlementKey, place: Place): Promise<Page<SettlementItem>>
  /** All of it, page by page: memory holds one. Throws ENTITY_NOT_FOUND before the first page. */
  streamItems(key: SettlementKey): Promise<ItemStream>
  /**
   * Holds available money and pays it out to the merchant's registered account. Throws 400 for what is no money,
   * MONEY_NOT_PERMITTED, ENTITY_DUPLICATED, and then the reasons of a 406.
   */
  request(caller: Caller, idSettlement: string, body: SettlementRequest): Promise<Settlement>
}

export interface ItemStream {
  readonly settlement: Settlement
  readonly pages: AsyncIterable<readonly SettlementItem[]>
}

const STREAM_PAGE = 1_000

export function createSettlementService(deps: SettlementDeps): SettlementService {
  const { db } = deps
  const patient = <Result>(work: () => Promise<Result>): Promise<Result> => resolveUnknown(deps.clock, work)
  const read = async (key: SettlementKey): Promise<Settlement> => {
    const found = await patient(() => findSettlement(db, key))
    if (found === undefined) throw new Refusal('ENTITY_NOT_FOUND')
    return found
  }
  const pageOf = (key: SettlementKey, { after, limit }: Place): Promise<Page<SettlementItem>> =>
    patient(async () => cut(await listItems(db, { ...key, after, limit: limit + 1 }), limit))
  return {
    list: ({ limit, ...filter }) =>
      patient(async () => cut(await listSettlements(db, { ...filter, limit: limit + 1 }), limit)),
    read,
    async listItems(key, place) {
      const page = await pageOf(key, place)
      if (page.items.length === 0) await read(key)
      return page
    },
    async streamItems(key) {
      const settlement = await read(key)
      // Read before anything is sent, so that a database that is away is still told by a status.
      const first = await pageOf(key, { after: undefined, limit: STREAM_PAGE })
      return { settlement, pages: pagesFrom(first, (after) => pageOf(key, { after, limit: STREAM_PAGE })) }
    },
    request: (caller, idSettlement, body) => request(deps, caller, { idSettlement, body }),
  }
}

const cut = <Item>(found: readonly Item[], limit: number): Page<Item> => ({
  items: found.slice(0, limit),
  hasMore: found.length > limit,
})

async function* pagesFrom(
  first: Page<SettlementItem>,
  next: (after: string) => Promise<Page<SettlementItem>>,
): AsyncIterable<readonly SettlementItem[]> {
  let page = first
  yield page.items
  while (page.hasMore) {
    const last = page.items.at(-1)
    if (last === undefined) return
    page = await next(last.transferId)
    yield page.items
  }
}

interface Asked {
  readonly idSettlement: string
  readonly body: SettlementRequest
}

/** How often the amount is read again when it is left to us and somebody else spends at the same time. */
const AMOUNT_TRIES_MAX = 3

async function request(
  deps: SettlementDeps,
  caller: Caller,
  { idSettlement, body }: Asked,
): Promise<Settlement> {
  const { currencyCode, money } = readBody(caller, body)
  const key = { merchantId: caller.merchantId, idSettlement }
  const canonical = JSON.stringify([caller.merchantId, idSettlement, currencyCode, money?.amount ?? null])
  const digest = deps.secrets.digest('request-digest', `settlement ${canonical}`)
  await refuseDuplicate(deps, key, digest)
  const account = await findAccount(deps.db, { merchantId: caller.merchantId, currencyCode })
  if (account === undefined) throw accountMissing(currencyCode)
  for (let tries = 1; ; tries += 1) {
    const wanted = money ?? (await allAvailable(deps, caller, currencyCode))
    try {
      await create(deps, caller, { key, digest, money: wanted, account })
      break
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      if (error.code === 'ENTITY_DUPLICATED') await refuseDuplicate(deps, key, digest)
      const mayHelp = money === undefined && error.code === 'BALANCE_INSUFFICIENT' && tries < AMOUNT_TRIES_MAX
      if (!mayHelp) throw inOwnWords(error)
    }
  }
  const settlement = await resolveUnknown(deps.clock, () => findSettlement(deps.db, key))
  if (settlement === undefined) throw new Error('a settlement that was accepted is not there')
  return settlement
}

interface ReadBody {
  readonly currencyCode: string
  /** Undefined: everything that is available. */
  readonly money: Money | undefined
}

function readBody(caller: Caller, { money: wire, currencyCode: asked }: SettlementRequest): ReadBody {
  const currencyCode = asked ?? wire?.currencyCode
  if (currencyCode === undefined)
    throw invalidField('currencyCode', 'is required where there is no money', 'ATTRIBUTE_REQUIRED')
  if (wire !== undefined && wire.currencyCode !== currencyCode)
    throw invalidField('currencyCode', 'differs from money.currencyCode')
  const money = wire && { amount: readAmount(wire.amount), currencyCode }
  const { money: permitted } = caller
  const isPermitted =
    permitted === undefined || (permitted.amount === money?.amount && permitted.currencyCode === currencyCode)
  if (!isPermitted) throw new Refusal('MONEY_NOT_PERMITTED')
  return { currencyCode, money }
}

function readAmount(wire: NonNullable<SettlementRequest['money']>['amount']): Money['amount'] {
  const amount = parseAmount(typeof wire === 'number' ? String(wire) : wire.text)
  if (amount !== undefined && isPositive(amount)) return amount
  throw invalidField('money.amount', 'must be greater than zero and have at most 40 digits')
}

/** Goes before business rules: a repeat of an accepted request must never hear that it could not be made. */
async function refuseDuplicate(
  { db, clock }: SettlementDeps,
  key: SettlementKey,
  digest: Buffer,
): Promise<void> {
  const existing = await resolveUnknown(clock, () => findSettlement(db, key))
  if (existing !== undefined) throw duplicateOf(existing, digest)
}

async function allAvailable({ db }: SettlementDeps, caller: Caller, currencyCode: string): Promise<Money> {
  const [balance] = await createBalanceService({ db }).list(caller.merchantId, [currencyCode])
  if (balance === undefined || !isPositive(balance.available)) throw nothingAvailable(currencyCode)
  return { amount: balance.available, currencyCode }
}

interface Wanted {
  readonly key: SettlementKey
  readonly digest: Buffer
  readonly money: Money
  readonly account: StoredAccount
}

/** A payment of the kind SETTLEMENT, whose row here is written in the transaction that accepts it. */
async function create(deps: SettlementDeps, caller: Caller, wanted: Wanted): Promise<void> {
  const { key, money } = wanted
  const order: CreateOrder = {
    caller,
    key: { merchantId: key.merchantId, kind: 'SETTLEMENT', idPayment: key.idSettlement },
    direction: 'PAYOUT',
    request: payoutOf(deps, wanted),
    fee: { ...money, amount: ZERO },
  }
  const terms = await outgoingTerms(deps, order)
  await deps.intake.create({
    ...order,
    ...terms,
    async prepare(tx, payment) {
      await insertRequested(tx, wanted, payment)
      return terms.prepare?.(tx, payment) ?? payment
    },
  })
}

function payoutOf({ secrets }: SettlementDeps, { money, account }: Wanted): PaymentRequest {
  const { accountName, accountNumber, bankCode, emailAddress } = openAccount(secrets, account)
  return {
    ...{ money, methodCode: account.methodCode, operatorCode: account.operatorCode, emailAddress },
    account: { accountName, accountNumber, bankCode },
    ...{ segmentCode: undefined, idCustomer: undefined, callbackUrl: undefined, returnUrl: undefined },
  }
}

async function insertRequested(tx: Tx, { key, digest, account }: Wanted, payment: NewPayment): Promise<void> {
  const amount = parsePlainAmount(payment.amount)
  const { methodCode, operatorCode, maskedNumber } = account
  const inserted = await insertSettlement(tx, {
    ...key,
    ...{ kind: 'REQUESTED', currencyCode: payment.currencyCode, period: undefined },
    ...{ gross: amount, fees: ZERO, adjustments: ZERO, net: amount, repaid: ZERO, conversion: undefined },
    account: { methodCode, operatorCode, maskedNumber },
    reference: payment.reference,
    requestDigest: digest,
  })
  if (inserted !== undefined) return
  const existing = await findSettlement(tx, key)
  // One that was requested is a payment as well, which the intake finds and compares.
  if (existing?.kind === 'CYCLE') throw duplicateOf(existing, digest)
}
