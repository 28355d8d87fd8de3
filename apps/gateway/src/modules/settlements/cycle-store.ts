import { type Amount, parsePlainAmount } from '@tollgate/money'
import type { Statement, Tx } from '../../platform/database.ts'
import type { CycleKey } from './model.ts'
import type { CycleRule } from './schedule.ts'

/** When and how a merchant's money of a currency is settled. */
export interface SettlementCycle extends CycleKey {
  readonly rule: CycleRule
  readonly minimum: Amount | undefined
  readonly settleIn: { readonly currencyCode: string; readonly listCode: string } | undefined
  readonly revision: number
  /** From when on its periods are due. */
  readonly since: Date
  /** The end of the last period that was run. */
  readonly runUntil: Date | undefined
  readonly dueAt: Date
}

const COLUMNS = `merchant_id, currency_code, cycle, days, weekday, minimum, settle_currency_code, rate_list_code, revision, since, run_until, due_at`
const KEY = 'merchant_id = $1 and currency_code = $2'

/** A new rule keeps what was run; what is due by it is looked at from its own due time on. */
const UPSERT: Statement = {
  name: 'settlements_upsert_cycle',
  text: `insert into settlement_cycles as c (merchant_id, currency_code, cycle, days, weekday, minimum, settle_currency_code, rate_list_code, due_at, since)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
    on conflict (merchant_id, currency_code) do update set cycle = excluded.cycle, days = excluded.days, weekday = excluded.weekday,
      minimum = excluded.minimum, settle_currency_code = excluded.settle_currency_code, rate_list_code = excluded.rate_list_code,
      due_at = excluded.due_at, revision = c.revision + 1
    returning ${COLUMNS}`,
}
const FIND: Statement = {
  name: 'settlements_find_cycle',
  text: `select ${COLUMNS} from settlement_cycles where ${KEY}`,
}
const FIND_FOR_UPDATE: Statement = {
  name: 'settlements_find_cycle_for_update',
  text: `select ${COLUMNS} from settlement_cycles where ${KEY} for update`,
}
const LIST: Statement = {
  name: 'settlements_list_cycles',
  text: `select ${COLUMNS} from settlement_cycles where ($1::bigint is null or merchant_id = $1) and ($2::text is null or currency_code = $2)
    order by merchant_id, currency_code limit $3`,
}
const UPDATE_RUN: Statement = {
  name: 'settlements_update_run',
  text: `update settlement_cycles set run_until = greatest(run_until, $3) where ${KEY}`,
}
const UPDATE_DUE: Statement = {
  name: 'settlements_update_due',
  text: `update settlement_cycles set due_at = $3 where ${KEY} and revision = $4`,
}
const CLAIM: Statement = {
  name: 'settlements_claim_cycles',
  text: `update settlement_cycles c set due_at = clock_timestamp() + make_interval(secs => $2)
    from (select merchant_id, currency_code from settlement_cycles where due_at <= clock_timestamp() and cell_of_merchant(merchant_id) is null
      order by due_at limit $1 for update skip locked) due
    where c.merchant_id = due.merchant_id and c.currency_code = due.currency_code
    returning c.merchant_id, c.currency_code`,
}
const NOW: Statement = {
  name: 'settlements_now',
  text: `select date_trunc('milliseconds', clock_timestamp()) as now`,
}

interface CycleRow {
  readonly merchant_id: string
  readonly currency_code: string
  readonly cycle: CycleRule['cycle']
  readonly days: number
  readonly weekday: number | null
  readonly minimum: string | null
  readonly settle_currency_code: string | null
  readonly rate_list_code: string | null
  readonly revision: number
  readonly since: Date
  readonly run_until: Date | null
  readonly due_at: Date
}

type NewCycle = Pick<SettlementCycle, 'rule' | 'minimum' | 'settleIn' | 'since' | 'dueAt'> & CycleKey

/** Sets when and how money is settled, in place of what was set before. */
export async function upsertCycle(tx: Tx, cycle: NewCycle): Promise<SettlementCycle> {
  const { rule } = cycle
  const [row] = await tx.rows<CycleRow>(UPSERT, [
    cycle.merchantId,
    cycle.currencyCode,
    rule.cycle,
    rule.cycle === 'T_PLUS' ? rule.days : 0,
    rule.cycle === 'WEEKLY' ? rule.weekday : null,
    cycle.minimum ?? null,
    cycle.settleIn?.currencyCode ?? null,
    cycle.settleIn?.listCode ?? null,
    cycle.dueAt,
    cycle.since,
  ])
  if (row === undefined) throw new Error('a settlement cycle was neither inserted nor updated')
  return toCycle(row)
}

export async function findCycle(tx: Tx, key: CycleKey): Promise<SettlementCycle | undefined> {
  const [row] = await tx.rows<CycleRow>(FIND, [key.merchantId, key.currencyCode])
  return row && toCycle(row)
}

/** The same, locked until the transaction ends: of several runs one goes on. */
export async function findCycleForUpdate(tx: Tx, key: CycleKey): Promise<SettlementCycle | undefined> {
  const [row] = await tx.rows<CycleRow>(FIND_FOR_UPDATE, [key.merchantId, key.currencyCode])
  return row && toCycle(row)
}

interface CycleFilter {
  readonly merchantId?: string | undefined
  readonly currencyCode?: string | undefined
  readonly limit: number
}

export async function listCycles(tx: Tx, filter: CycleFilter): Promise<readonly SettlementCycle[]> {
  const values = [filter.merchantId ?? null, filter.currencyCode ?? null, filter.limit]
  return (await tx.rows<CycleRow>(LIST, values)).map(toCycle)
}

/** Notes that the period that ends there was run. It never goes back. */
export async function updateRunUntil(tx: Tx, key: CycleKey, until: Date): Promise<void> {
  await tx.rows(UPDATE_RUN, [key.merchantId, key.currencyCode, until])
}

/** Says when a worker looks next, unless an operator has changed the rule meanwhile. */
export async function updateDueAt(tx: Tx, cycle: SettlementCycle, dueAt: Date): Promise<void> {
  await tx.rows(UPDATE_DUE, [cycle.merchantId, cycle.currencyCode, dueAt, cycle.revision])
}

/** Takes cycles that are due, by the database's clock; they come again after the lease unless they are given another time. */
export async function claimCycles(
  tx: Tx,
  claim: { readonly limit: number; readonly leaseSeconds: number },
): Promise<readonly CycleKey[]> {
  const rows = await tx.rows<Pick<CycleRow, 'merchant_id' | 'currency_code'>>(CLAIM, [
    claim.limit,
    claim.leaseSeconds,
  ])
  return rows.map((row) => ({ merchantId: row.merchant_id, currencyCode: row.currency_code }))
}

/** The database's clock: it alone says what is due. */
export async function readNow(tx: Tx): Promise<Date> {
  const [row] = await tx.rows<{ now: Date }>(NOW, [])
  if (row === undefined) throw new Error('the database has no time')
  return row.now
}

/** By how many milliseconds a merchant's clock is ahead of the database's. */
export type AdvancedMs = (merchantId: string) => Promise<number>

interface Ahead {
  readonly advancedMs?: AdvancedMs | undefined
}

/** By how much a merchant's clock is ahead; 0 in live, where nobody is asked. */
export const findAheadMs = async ({ advancedMs }: Ahead, merchantId: string): Promise<number> =>
  (await advancedMs?.(merchantId)) ?? 0

/** What time it is for the merchant, and by how much that is ahead: periods end and fall due by this time. */
export async function readMerchantNow(
  deps: Ahead & { readonly db: Tx },
  merchantId: string,
): Promise<{ readonly nowMs: number; readonly aheadMs: number }> {
  const aheadMs = await findAheadMs(deps, merchantId)
  return { nowMs: (await readNow(deps.db)).getTime() + aheadMs, aheadMs }
}

function toCycle(row: CycleRow): SettlementCycle {
  return {
    merchantId: row.merchant_id,
    currencyCode: row.currency_code,
    rule: toRule(row),
    minimum: row.minimum === null ? undefined : parsePlainAmount(row.minimum),
    settleIn:
      row.settle_currency_code === null || row.rate_list_code === null
        ? undefined
        : { currencyCode: row.settle_currency_code, listCode: row.rate_list_code },
    revision: row.revision,
    since: row.since,
    runUntil: row.run_until ?? undefined,
    dueAt: row.due_at,
  }
}

function toRule({ cycle, days, weekday }: CycleRow): CycleRule {
  if (cycle === 'T_PLUS') return { cycle, days }
  if (cycle !== 'WEEKLY') return { cycle }
  if (weekday === null) throw new Error('a weekly cycle has no weekday')
  return { cycle, weekday }
}
