import { type ConvertRequest, digitsOf } from '@tollgate/contract'
import { type Amount, fractionDigits, isPositive, type Money, parseAmount } from '@tollgate/money'
import type { Clock, Log } from '@tollgate/runtime'
import { createSnapshot } from '../../platform/caches.ts'
import type { ConfigurationChanges } from '../../platform/configuration-changes.ts'
import type { Database, Tx } from '../../platform/database.ts'
import { invalidField, Refusal, rejection } from '../../platform/refusal.ts'
import { readAskedMs } from './dates.ts'
import {
  type Age,
  ageOf,
  type Conversion,
  type ConversionOutcome,
  type ConversionRequest,
  convertBySheet,
  convertMoney,
  noList,
  noSheet,
  type RateList,
  type RateProblem,
  type RateSheet,
  type RateSnapshot,
} from './model.ts'
import { listSheets, listSnapshot } from './store.ts'

interface RateDeps {
  readonly db: Database
  readonly changes: Pick<ConfigurationChanges, 'on'>
  readonly clock: Clock
  readonly log: Log
  /** How many decimals a currency has; undefined for one that nobody knows. */
  readonly minorUnitsOf: (currencyCode: string) => number | undefined
}

/** A list with the sheet that was asked for, and the age that the sheet had at the moment in question. */
export interface SheetView {
  readonly list: RateList
  readonly sheet: RateSheet
  readonly age: Age
}

/** A list and, if it has one, its sheet in force. */
export interface ListView {
  readonly list: RateList
  readonly current: SheetView | undefined
}

/** Which sheet: the one in force at a day or moment (default: now), or a version whether it counts or not. */
interface SheetChoice {
  readonly date?: string | undefined
  readonly version?: number | undefined
}

export interface RateService {
  /** Reads the lists and keeps them current from then on. To be called once, before anything else. */
  start(): Promise<void>
  /** The lists of now, in memory. Take it once per request, so that the request sees one picture. */
  readonly current: () => RateSnapshot
  /** GET /rate-lists: the lists in use. */
  list(): Promise<readonly ListView[]>
  /** GET /rate-lists/{code}. 410 for no such list, 406 for no such sheet, 400 for no such date. */
  find(code: string, choice: SheetChoice): Promise<SheetView>
  /** POST /rate-lists/{code}/!convert, as of now out of memory, as of a date out of the database. */
  convert(code: string, request: ConvertRequest, date: string | undefined): Promise<Conversion>
  /** Converts by the sheet that was in force at a moment of the past or will be, out of the database. */
  convertAt(request: ConversionRequest): Promise<ConversionOutcome>
}

/** A clock may be set back by this much, and the sheets of then are still here. */
const SET_BACK_MS_MAX = 3_600_000

/** Holds the rate lists in memory, and answers what merchants ask of them. */
export function createRateService(deps: RateDeps): RateService {
  const { db, clock, log } = deps
  const snapshot = createSnapshot<RateSnapshot>('the rate service was', async () => {
    const lists = await listSnapshot(db, new Date(clock.nowMs() - SET_BACK_MS_MAX))
    log.info({ lists: lists.length }, 'the rate lists were read')
    return { lists: new Map(lists.map((list) => [list.code, list])) }
  })
  const convertAt = (request: ConversionRequest): Promise<ConversionOutcome> => convertByDate(db, request)
  return {
    async start() {
      deps.changes.on('RATES', () => snapshot.reload())
      await snapshot.reload()
    },
    current: snapshot.current,
    list: () => listViews(db, clock.nowMs()),
    find: (code, choice) => findView(db, code, { ...choice, nowMs: clock.nowMs() }),
    async convert(code, wire, date) {
      const nowMs = clock.nowMs()
      const atMs = date === undefined ? nowMs : readAskedMs(date, nowMs)
      const request = readConversion(wire, deps.minorUnitsOf)
      const dated: ConversionRequest = { ...request, listCode: code, atMs, staleSheet: 'SAY' }
      return demand(date === undefined ? convertMoney(snapshot.current(), dated) : await convertAt(dated))
    },
    convertAt,
  }
}

/** Whether there is such a list, and it is in use. */
export async function isRateListInUse(tx: Tx, code: string): Promise<boolean> {
  const [found] = await listSheets(tx, { code, at: new Date(0) })
  return found?.list.isEnabled === true
}

async function listViews(db: Database, nowMs: number): Promise<readonly ListView[]> {
  const all = await listSheets(db, { code: undefined, at: new Date(nowMs) })
  return all
    .filter(({ list }) => list.isEnabled)
    .map(({ list, sheet }) => ({
      list,
      current: sheet && { list, sheet, age: ageOf(list, sheet, nowMs) },
    }))
}

async function findView(
  db: Database,
  code: string,
  { date, version, nowMs }: SheetChoice & { readonly nowMs: number },
): Promise<SheetView> {
  const atMs = date === undefined ? nowMs : readAskedMs(date, nowMs)
  const [found] = await listSheets(db, { code, at: new Date(atMs), version })
  if (found?.list.isEnabled !== true) throw refusalOf(noList(code).problem)
  const { list, sheet } = found
  if (sheet !== undefined) return { list, sheet, age: ageOf(list, sheet, atMs) }
  if (version === undefined) throw refusalOf(noSheet(code, atMs).problem)
  throw refusalOf({ code: 'RATE_NOT_AVAILABLE', message: `${code} has no sheet of version ${version}.` })
}

async function convertByDate(db: Database, request: ConversionRequest): Promise<ConversionOutcome> {
  const [found] = await listSheets(db, { code: request.listCode, at: new Date(request.atMs) })
  if (found?.list.isEnabled !== true) return noList(request.listCode)
  return convertBySheet(found.list, found.sheet, request)
}

function demand(outcome: ConversionOutcome): Conversion {
  if (outcome.ok) return outcome.conversion
  throw refusalOf(outcome.problem)
}

/** The refusal that a problem is to the caller: 410 for an unknown list, 406 for a rate that is not there. */
function refusalOf(problem: RateProblem): Refusal {
  return problem.code === 'ENTITY_NOT_FOUND'
    ? new Refusal(problem.code, { message: problem.message })
    : rejection([{ code: problem.code, message: problem.message }])
}

/** Reads what the schema cannot: the amount (400), and the currencies with their decimals (406). */
function readConversion(
  wire: ConvertRequest,
  minorUnitsOf: RateDeps['minorUnitsOf'],
): Pick<ConversionRequest, 'money' | 'targetCurrencyCode' | 'side' | 'minorUnits'> {
  const { targetCurrencyCode, side } = wire
  const money = readMoney(wire.money)
  const moneyDecimals = decimalsOf(money.currencyCode, 'money.currencyCode', minorUnitsOf)
  const minorUnits = decimalsOf(targetCurrencyCode, 'targetCurrencyCode', minorUnitsOf)
  if (fractionDigits(money.amount) > moneyDecimals) {
    const message = `${money.currencyCode} has ${moneyDecimals} decimals.`
    throw rejection([{ code: 'AMOUNT_PRECISION_INVALID', message, field: 'money.amount' }])
  }
  return { money, targetCurrencyCode, side, minorUnits }
}

function readMoney({ amount: wire, currencyCode }: ConvertRequest['money']): Money {
  const amount: Amount | undefined = parseAmount(digitsOf(wire))
  if (amount === undefined || !isPositive(amount))
    throw invalidField('money.amount', 'must be greater than zero and have at most 40 digits')
  return { amount, currencyCode }
}

function decimalsOf(currencyCode: string, field: string, minorUnitsOf: RateDeps['minorUnitsOf']): number {
  const minorUnits = minorUnitsOf(currencyCode)
  if (minorUnits !== undefined) return minorUnits
  throw rejection([
    { code: 'CURRENCY_NOT_SUPPORTED', message: `The currency ${currencyCode} is not known.`, field },
  ])
}
