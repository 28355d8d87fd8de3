import { type Amount, compareAmounts, isPositive, isZero, type Money, ZERO } from '@tollgate/money'
import type { Clock, Ids } from '@tollgate/runtime'
import { type Database, resolveUnknown, type Tx } from '../../platform/database.ts'
import { bookEntries, type LedgerEntry, type LedgerEvent, lockReceivables } from '../ledger/index.ts'
import type { Converter } from './conversion.ts'
import { type AdvancedMs, findCycleForUpdate, type SettlementCycle, updateRunUntil } from './cycle-store.ts'
import {
  addTotals,
  type Carried,
  type CycleKey,
  cycleIdOf,
  dayOf,
  netOf,
  type SettledConversion,
  type Settlement,
  splitNet,
  type Totals,
  whyCarried,
} from './model.ts'
import { insertItems, insertTakers, type RunScope, type SummedUp, sumUp } from './run-store.ts'
import { DAY_MS } from './schedule.ts'
import { findLastEnd, findSettlement, insertSettlement, type NewSettlement } from './store.ts'

export interface RunDeps {
  readonly db: Database
  readonly clock: Pick<Clock, 'monotonicMs'>
  readonly ids: Ids
  readonly convert: Converter
  /** By how much the merchant’s clock is ahead; undefined in live, where none is. */
  readonly advancedMs?: AdvancedMs | undefined
}

/** What became of a period. */
export type RunOutcome =
  | { readonly kind: 'SETTLED'; readonly settlement: Settlement }
  /** It, or a later one, was run before: nothing is changed. */
  | { readonly kind: 'ALREADY_RUN' }
  /** Nothing is settled; what is there goes to the next period. */
  | { readonly kind: 'CARRIED'; readonly why: Carried; readonly net: Amount }
  /** It cannot be settled now and is tried again; later periods wait for it. */
  | { readonly kind: 'WAITS'; readonly problem: string }

/** Thrown when nothing of the currency of the merchant is settled by a cycle. */
class NoCycle extends Error {
  override readonly name = 'NoCycle'
}

/** Thrown to undo what was written when it turns out that the period is not settled after all. */
class Undone extends Error {
  override readonly name = 'Undone'
  readonly outcome: Refused

  constructor(outcome: Refused) {
    super('the period is not settled now')
    this.outcome = outcome
  }
}

/** Thrown at the end of a dry run. */
class RolledBack extends Error {
  override readonly name = 'RolledBack'
}

/** Settles what was earned before `to`, once: a transaction of its own, safe to repeat and to run from several processes. */
export async function runPeriod(deps: RunDeps, key: CycleKey, to: Date): Promise<RunOutcome> {
  let tried: RunOutcome | undefined
  try {
    return await resolveUnknown(deps.clock, async () => {
      const before = tried
      const outcome = await deps.db.transaction(async (tx) => {
        tried = await settlePeriod(deps, tx, { key, to })
        return tried
      })
      // The answer of the COMMIT before was lost, and it may have been that one.
      const isOurs = outcome.kind === 'ALREADY_RUN' && before?.kind === 'SETTLED'
      return isOurs && (await findSettlement(deps.db, before.settlement)) !== undefined ? before : outcome
    })
  } catch (error) {
    if (!(error instanceof Undone)) throw error
    if (error.outcome.kind === 'CARRIED') await updateRunUntil(deps.db, key, to)
    return error.outcome
  }
}

/** What running these periods one after the other would do. Nothing stays. */
export async function tryPeriods(
  deps: RunDeps,
  key: CycleKey,
  ends: readonly Date[],
): Promise<readonly RunOutcome[]> {
  const outcomes: RunOutcome[] = []
  try {
    await deps.db.transaction(async (tx) => {
      for (const to of ends) {
        const outcome = await settlePeriod(deps, tx, { key, to })
        outcomes.push(outcome)
        if (outcome.kind === 'WAITS') break
      }
      throw new RolledBack('a dry run leaves nothing behind')
    })
  } catch (error) {
    if (error instanceof Undone) outcomes.push(error.outcome)
    else if (!(error instanceof RolledBack)) throw error
  }
  return outcomes
}

interface PeriodRun {
  readonly key: CycleKey
  readonly to: Date
}

/**
 * One run at a time per cycle, by the lock of its row. What is to be settled is gathered before the balance is locked,
 * because that may take a while and bookings wait for the lock; under the lock only what took money back meanwhile is added.
 */
async function settlePeriod(deps: RunDeps, tx: Tx, { key, to }: PeriodRun): Promise<RunOutcome> {
  const cycle = await findCycleForUpdate(tx, key)
  if (cycle === undefined)
    throw new NoCycle(`There is no settlement cycle for ${key.currencyCode} of this merchant.`)
  if (cycle.runUntil !== undefined && to <= cycle.runUntil) return { kind: 'ALREADY_RUN' }
  const lastEnd = await findLastEnd(tx, key)
  const { scope, totals } = await gather(tx, { ...key, to }, lastEnd)
  const refused = refuse(deps, cycle, totals)
  if (refused?.kind === 'CARRIED') await updateRunUntil(tx, key, to)
  if (refused !== undefined) return refused
  const idSettlement = cycleIdOf(to, key.currencyCode, deps.ids.readable(ID_LENGTH))
  const settled = await takeUp(deps, tx, { cycle, scope, lastEnd, idSettlement })
  await updateRunUntil(tx, key, to)
  return { kind: 'SETTLED', settlement: settled }
}

const ID_LENGTH = 6

/**
 * How far before the last period's end transfers are looked for. Every run takes all that it can see of its period; what
 * it could not see was being written by a transaction that had begun before its end. None is open for a day; if one ever
 * were, or a clock had been wrong, the sum would not be the balance, and everything is looked through.
 */
const LATE_MS = DAY_MS

/** Adds up what is open. Throws when the books do not agree: then nothing is settled. */
async function gather(
  tx: Tx,
  period: CycleKey & { readonly to: Date },
  lastEnd: Date | undefined,
): Promise<{ readonly scope: RunScope; readonly totals: Totals }> {
  const bookedFrom = lastEnd && new Date(lastEnd.getTime() - LATE_MS)
  const quick = { ...period, bookedFrom }
  const found = await sumUp(tx, quick)
  if (isWhole(found)) return { scope: quick, totals: found.totals }
  const scope = { ...period, bookedFrom: undefined }
  const all = bookedFrom === undefined ? found : await sumUp(tx, scope)
  if (isWhole(all)) return { scope, totals: all.totals }
  throw new Error(
    `the transfers of ${period.currencyCode} that are not settled come to ${all.openNet}, the balance to ${all.notSettled}: run \`tollgate ledger check\``,
  )
}

const isWhole = ({ openNet, notSettled }: SummedUp): boolean => compareAmounts(openNet, notSettled) === 0

function refuse(deps: RunDeps, cycle: SettlementCycle, totals: Totals): Refused | undefined {
  const net = netOf(totals)
  const why = whyCarried(totals, cycle.minimum)
  if (why !== undefined) return { kind: 'CARRIED', why, net }
  const sold = sell(deps, cycle, net)
  return sold.kind === 'SOLD' ? undefined : sold
}

/** What money becomes in the other currency, if there is one; or why nothing can be settled. */
type Sale = { readonly kind: 'SOLD'; readonly conversion: SettledConversion | undefined } | Refused
type Refused = Extract<RunOutcome, { kind: 'CARRIED' | 'WAITS' }>

function sell({ convert }: RunDeps, { currencyCode, settleIn }: SettlementCycle, amount: Amount): Sale {
  if (settleIn === undefined || isZero(amount)) return { kind: 'SOLD', conversion: undefined }
  const sold: Money = { amount, currencyCode }
  const answer = convert({ sold, targetCurrencyCode: settleIn.currencyCode, listCode: settleIn.listCode })
  switch (answer.kind) {
    case 'CONVERTED':
      return { kind: 'SOLD', conversion: answer.conversion }
    case 'TOO_LITTLE':
      return { kind: 'CARRIED', why: 'BELOW_MINIMUM', net: amount }
    case 'NO_RATE':
      return { kind: 'WAITS', problem: answer.problem }
  }
}

interface Taking {
  readonly cycle: SettlementCycle
  readonly scope: RunScope
  readonly lastEnd: Date | undefined
  readonly idSettlement: string
}

/** Writes items, settlement and bookings. */
async function takeUp(deps: RunDeps, tx: Tx, taking: Taking): Promise<Settlement> {
  const { cycle, scope, idSettlement } = taking
  const { merchantId, currencyCode, settleIn } = cycle
  const seen = await insertItems(tx, scope, idSettlement)
  const currencyCodes = [currencyCode, ...(settleIn === undefined ? [] : [settleIn.currencyCode])]
  const receivables = await lockReceivables(tx, merchantId, currencyCodes)
  const totals = addTotals(seen, await insertTakers(tx, scope, idSettlement))
  const refused = refuse(deps, cycle, totals)
  if (refused !== undefined) throw new Undone(refused)
  const { repaid, left } = splitNet(netOf(totals), receivables.get(currencyCode) ?? ZERO)
  const sale = sell(deps, cycle, left)
  if (sale.kind !== 'SOLD') throw new Undone(sale)
  const conversion = sale.conversion && repaying(sale.conversion, receivables)
  const settlement = draftSettlement(deps.ids, { ...taking, totals, repaid, conversion })
  const createdAt = await insertSettlement(tx, settlement)
  if (createdAt === undefined) throw new Error(`the id ${idSettlement} is taken; the run is tried again`)
  await bookEntries(tx, entriesOf(deps.ids, settlement, cycle))
  return { ...settlement, createdAt, paidOut: undefined }
}

/** With what the ledger takes of the bought money for a debt in that currency. */
function repaying(
  conversion: SettledConversion,
  receivables: ReadonlyMap<string, Amount>,
): SettledConversion {
  const { amount, currencyCode } = conversion.bought
  const { repaid } = splitNet(amount, receivables.get(currencyCode) ?? ZERO)
  return isPositive(repaid) ? { ...conversion, repaid: { amount: repaid, currencyCode } } : conversion
}

/** What a run has found out about a period. */
interface PeriodResult {
  readonly idSettlement: string
  readonly cycle: SettlementCycle
  readonly scope: RunScope
  /** Where the period before ended; undefined for the first. */
  readonly lastEnd: Date | undefined
  readonly totals: Totals
  readonly repaid: Amount
  readonly conversion: SettledConversion | undefined
}

/** The record of a period that is settled. */
function draftSettlement(ids: Pick<Ids, 'reference'>, result: PeriodResult): NewSettlement {
  const { cycle, scope, totals, lastEnd } = result
  return {
    merchantId: cycle.merchantId,
    idSettlement: result.idSettlement,
    kind: 'CYCLE',
    currencyCode: cycle.currencyCode,
    period: { from: lastEnd ?? dayOf(totals.firstAt ?? scope.to), to: scope.to },
    gross: totals.gross,
    fees: totals.fees,
    adjustments: totals.adjustments,
    net: netOf(totals),
    repaid: result.repaid,
    conversion: result.conversion,
    account: undefined,
    reference: ids.reference(),
    requestDigest: undefined,
  }
}

/**
 * What it books. In another currency a debt is paid before the rest is sold: a merchant who owes must not be paid
 * elsewhere.
 */
function entriesOf(
  ids: Pick<Ids, 'uuid'>,
  settlement: NewSettlement,
  { settleIn }: SettlementCycle,
): readonly LedgerEntry[] {
  const { merchantId, idSettlement, currencyCode, net, repaid, conversion } = settlement
  const entry = (event: LedgerEvent, { amount, currencyCode: code }: Money): LedgerEntry => ({
    transferId: ids.uuid(),
    merchantId,
    event,
    kind: 'SETTLEMENT',
    idPayment: idSettlement,
    currencyCode: code,
    gross: amount,
    fee: ZERO,
  })
  if (settleIn === undefined) return [entry('SETTLED', { amount: net, currencyCode })]
  return [
    ...(isPositive(repaid) ? [entry('SETTLED', { amount: repaid, currencyCode })] : []),
    ...(conversion === undefined
      ? []
      : [entry('SETTLED_SOLD', conversion.sold), entry('SETTLED_BOUGHT', conversion.bought)]),
  ]
}
