import { type Amount, parsePlainAmount } from '@tollgate/money'
import { randomIds, systemClock } from '@tollgate/runtime'
import { createLog } from '@tollgate/runtime/log'
import type { TestLife } from '@tollgate/testkit'
import { createMetrics, type Metrics } from '../../../platform/metrics.ts'
import { verifyBooks } from '../../../rooms/books.ts'
import { openShop, type Shop, type ShopOptions } from '../../../test/support/shop.ts'
import { bookEntries, type LedgerEntry, type LedgerEvent } from '../../ledger/index.ts'
import { createPayoutPolicies } from '../../payouts/index.ts'
import { createRateService, seedSandboxRates } from '../../rates/index.ts'
import {
  createConverter,
  createSettlementService,
  createSettlementWorker,
  type RunDeps,
  type RunOutcome,
  type Settlement,
  type SettlementService,
  type SettlementWorker,
} from '../index.ts'
import { runPeriod } from '../run.ts'

/** A shop with settlements: bookings are made behind the payments' back, at the time that a test wants. */
export interface Rig extends Shop {
  readonly deps: RunDeps
  readonly settlements: SettlementService
  readonly metrics: Metrics
  /** A daily cycle, or another. */
  setCycle(given?: Partial<CycleColumns>): Promise<void>
  /** Books an event; `at` becomes the time of its transfer. */
  book(event: LedgerEvent, given: Booked): Promise<void>
  /** Settles EUR until then. */
  run(to: Date | string): Promise<RunOutcome>
  worker(given?: Partial<RunDeps>): SettlementWorker
  balance(currencyCode?: string): Promise<Readonly<Record<string, unknown>>>
}

interface CycleColumns {
  readonly currencyCode: string
  readonly cycle: string
  readonly days: number
  readonly minimum: string | null
  readonly settleIn: string | null
  readonly rateList: string | null
  readonly since: string
  readonly dueAt: string
}

interface Booked {
  readonly id: string
  readonly gross: string
  readonly fee?: string
  readonly currencyCode?: string
  readonly at?: string
}

export const NOON = '2026-03-10T12:00:00Z'
export const MIDNIGHT = '2026-03-11T00:00:00Z'

export async function openRig(t: TestLife, options: ShopOptions = {}): Promise<Rig> {
  const shop = await openShop(t, options)
  await seedSandboxRates(shop.db)
  const metrics = createMetrics()
  const log = createLog({ level: 'silent' })
  const minorUnitsOf = (code: string) => shop.intakeDeps.catalogue.current().currencies.get(code)?.minorUnits
  const rates = createRateService({ ...shop, clock: systemClock, log, minorUnitsOf })
  await rates.start()
  const deps: RunDeps = {
    db: shop.db,
    clock: systemClock,
    ids: randomIds,
    convert: createConverter({ rates, minorUnitsOf, clock: systemClock }),
  }
  return {
    ...shop,
    deps,
    metrics,
    settlements: createSettlementService({
      db: shop.db,
      clock: systemClock,
      secrets: shop.secrets,
      intake: shop.intake,
      policies: createPayoutPolicies(shop),
      needsSecondPerson: true,
    }),
    setCycle: (given) => setCycle(shop, given),
    book: (event, given) => book(shop, event, given),
    run: (to) => runPeriod(deps, { merchantId: shop.merchantId, currencyCode: 'EUR' }, new Date(to)),
    worker: (given) => createSettlementWorker({ ...deps, log, metrics, ...given }),
    balance: (currencyCode = 'EUR') => balanceOf(shop, currencyCode),
  }
}

async function setCycle({ sql, merchantId }: Shop, given: Partial<CycleColumns> = {}): Promise<void> {
  const { currencyCode = 'EUR', cycle = 'DAILY', days = 0, minimum = null } = given
  const { settleIn = null, rateList = null, since = NOON, dueAt = 'infinity' } = given
  await sql(
    `insert into settlement_cycles (merchant_id, currency_code, cycle, days, minimum, settle_currency_code, rate_list_code, since, due_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
     on conflict (merchant_id, currency_code) do update set cycle = excluded.cycle, days = excluded.days, minimum = excluded.minimum,
       settle_currency_code = excluded.settle_currency_code, rate_list_code = excluded.rate_list_code`,
    [merchantId, currencyCode, cycle, days, minimum, settleIn, rateList, since, dueAt],
  )
}

export function entryOf(merchantId: string, event: LedgerEvent, given: Booked): LedgerEntry {
  return {
    transferId: randomIds.uuid(),
    merchantId,
    event,
    kind: kindOf(event),
    idPayment: given.id,
    currencyCode: given.currencyCode ?? 'EUR',
    gross: parsePlainAmount(given.gross),
    fee: parsePlainAmount(given.fee ?? '0'),
  }
}

const kindOf = (event: LedgerEvent): string => event.split('_')[0] ?? event

async function book({ db, sql, merchantId }: Shop, event: LedgerEvent, given: Booked): Promise<void> {
  const entry = entryOf(merchantId, event, given)
  await db.transaction((tx) => bookEntries(tx, [entry]))
  await sql(
    `set session_replication_role = replica;
     update ledger_transfers set created_at = '${given.at ?? NOON}' where transfer_id = '${entry.transferId}'`,
  )
}

async function balanceOf({ sql, merchantId }: Shop, currencyCode: string) {
  const [row] = await sql(
    `select trim_scale(available)::text as available, trim_scale(not_settled)::text as "notSettled",
       trim_scale(receivable)::text as receivable
     from balances where merchant_id = $1 and currency_code = $2`,
    [merchantId, currencyCode],
  )
  return row ?? {}
}

/** The settlement of a run that settled something. */
export function settledBy(outcome: RunOutcome): Settlement {
  if (outcome.kind !== 'SETTLED') throw new Error(JSON.stringify(outcome))
  return outcome.settlement
}

/** Gross, fees, adjustments and net. */
export const sumsOf = ({ gross, fees, adjustments, net }: Settlement): readonly Amount[] => [
  gross,
  fees,
  adjustments,
  net,
]

/** Faults that the books show. Bookings without payments are the tests' own doing. */
export async function faultsOf({ db }: Pick<Shop, 'db'>): Promise<readonly string[]> {
  const { findings } = await verifyBooks(db)
  return findings
    .filter(({ check }) => check !== 'transfers_belong_to_payments')
    .map(({ check, detail }) => `${check}: ${detail}`)
}
