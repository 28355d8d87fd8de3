import { randomIds, systemClock } from '@tollgate/runtime'
import { createLog } from '@tollgate/runtime/log'
import { runSql, type SqlRow, type TestLife, testDatabase } from '@tollgate/testkit'
import type { Caller } from '../../http/app-type.ts'
import {
  type CatalogueSettings,
  createCatalogueService,
  createCatalogueSettings,
  seedSandboxCatalogue,
} from '../../modules/catalogue/index.ts'
import { createMerchantDirectory, createMerchantService } from '../../modules/merchants/index.ts'
import {
  createIntake,
  createPaymentService,
  createPaymentWorker,
  type Intake,
  type IntakeDeps,
  type PaymentService,
  type PaymentWorker,
} from '../../modules/payments/index.ts'
import { contentHashOf } from '../../modules/payouts/index.ts'
import { type ConfigurationChanges, watchConfiguration } from '../../platform/configuration-changes.ts'
import { type Database, openDatabase } from '../../platform/database.ts'
import { createMetrics } from '../../platform/metrics.ts'
import { Refusal } from '../../platform/refusal.ts'
import { createSecrets, type Secrets } from '../../platform/secrets.ts'
import type { Rail } from '../../rails/rail.ts'
import { createSandboxRail, isSandboxAddress } from '../../rails/sandbox/index.ts'

export const MERCHANT_CODE = 'SHOP'

// For rooms below the payouts, which may not know them.
export { contentHashOf } from '../../modules/payouts/index.ts'

/** A shop with every method of the sandbox's catalogue, on a database of its own, and what its rooms are made of. */
export interface Shop {
  readonly url: string
  readonly db: Database
  readonly secrets: Secrets
  readonly changes: ConfigurationChanges
  readonly settings: CatalogueSettings
  readonly intake: Intake
  readonly intakeDeps: IntakeDeps
  readonly payments: PaymentService
  readonly merchantId: string
  readonly caller: Caller
  /** How often the worker was told of work. */
  readonly wakes: () => number
  /** Starts a worker on the shop's rail, or on another; it is stopped when the test ends. */
  startWorker(
    given?: { readonly rail?: Rail } & Partial<
      Pick<
        Parameters<typeof createPaymentWorker>[0],
        'leaseSeconds' | 'railDeadlineSeconds' | 'inquirySchedule'
      >
    >,
  ): PaymentWorker
  /** Gives the shop money that it can spend, by a top-up that no rail has seen. */
  fund(amount: string, currencyCode: string): Promise<void>
  sql(text: string, values?: readonly unknown[]): Promise<readonly SqlRow[]>
}

export interface ShopOptions
  extends Partial<Pick<IntakeDeps, 'isLive' | 'callbackPolicy' | 'returnPolicy' | 'findCustomer'>> {
  readonly rail?: Rail
  /** What an operator sets before the gateway starts. */
  readonly prepare?: (house: {
    readonly settings: CatalogueSettings
    readonly merchantId: string
    readonly sql: Shop['sql']
  }) => Promise<unknown>
}

const POOL_MAX = 6

export async function openShop(
  t: TestLife,
  { prepare, rail = sandbox(), ...options }: ShopOptions = {},
): Promise<Shop> {
  const { url } = await testDatabase(t)
  const log = createLog({ level: 'silent' })
  const db = openDatabase({ url, poolMax: POOL_MAX, log, applicationName: 'shop test' })
  const sql: Shop['sql'] = (text, values) => runSql(url, text, values)
  const secrets = createSecrets(Buffer.alloc(32, 7))
  const merchantId = await openMerchant(db, secrets)
  const settings = createCatalogueSettings({ db })
  await settings.enableAllMethods(merchantId)
  await prepare?.({ settings, merchantId, sql })
  const changes = watchConfiguration({ db, clock: systemClock, log })
  const catalogue = createCatalogueService({ db, changes, log })
  const merchants = createMerchantDirectory({ db, changes })
  await catalogue.start()
  await changes.start()
  const workers: PaymentWorker[] = []
  t.after(async () => {
    await Promise.all(workers.map((worker) => worker.stop()))
    changes.stop()
    await db.close()
  })
  const payments = servicePayments(db, secrets)
  let wakes = 0
  const intakeDeps: IntakeDeps = {
    ids: randomIds,
    secrets,
    catalogue,
    merchants,
    payments,
    rails: new Map([[rail.code, rail]]),
    findCustomer: () => Promise.resolve(undefined),
    rates: { current: () => ({ lists: new Map() }) },
    clock: systemClock,
    callbackPolicy: { httpsOnly: false, portsAllowed: 'any', allowPrivate: false },
    returnPolicy: { httpsOnly: false, portsAllowed: 'any', allowPrivate: true },
    isLive: false,
    isSandboxAddress,
    wakeWorker: () => {
      wakes += 1
      for (const worker of workers) worker.wake()
    },
    ...options,
  }
  return {
    url,
    db,
    secrets,
    changes,
    settings,
    payments,
    merchantId,
    intakeDeps,
    sql,
    intake: createIntake(intakeDeps),
    caller: callerOf(merchantId),
    wakes: () => wakes,
    startWorker({ rail: other = rail, ...given } = {}) {
      const worker = createPaymentWorker({
        db,
        clock: systemClock,
        ids: randomIds,
        log,
        secrets,
        payments,
        contentHashOf,
        rails: new Map([[other.code, other]]),
        merchantCodeOf: () => Promise.resolve(MERCHANT_CODE),
        ...given,
      })
      workers.push(worker)
      worker.start()
      return worker
    },
    fund: (amount, currencyCode) => fund(sql, { merchantId, amount, currencyCode }),
  }
}

const sandbox = (): Rail => createSandboxRail({ simulatorUrl: 'https://simulator.example' })

async function openMerchant(db: Database, secrets: Secrets): Promise<string> {
  await seedSandboxCatalogue(db)
  const { merchantId } = await createMerchantService({ db, secrets, ids: randomIds }).create(
    MERCHANT_CODE,
    'A shop',
  )
  return merchantId
}

function servicePayments(db: Database, secrets: Secrets): PaymentService {
  return createPaymentService({
    db,
    clock: systemClock,
    ids: randomIds,
    secrets,
    metrics: createMetrics(),
    batchRowsMax: 100,
    batchesInFlightMax: 2,
  })
}

/** Money to spend: a top-up that has succeeded, with its timeline and its booking, so that the books agree. */
export async function fund(
  sql: Shop['sql'],
  given: { readonly merchantId: string; readonly amount: string; readonly currencyCode: string },
): Promise<void> {
  await sql(
    `with payment as (
      insert into payments (merchant_id, kind, id_payment, nonce, request_digest, status, processor_status, amount, currency_code, fee_amount,
        received_amount, received_currency_code, method_code, rail, reference, instructions, is_test, timeline_count, expire_at, processed_at)
      values ($1, 'TOPUP', 'fund-' || gen_random_uuid(), gen_random_uuid(), '\\x00', 'SUCCESS', 'CONFIRMED', $2, $3, 0,
        $2, $3, 'BANK_TRANSFER', 'sandbox', 'FUND', '{}', true, 2, now() + interval '1 day', now())
      returning merchant_id, kind, id_payment, amount, currency_code),
    timeline as (
      insert into payment_timeline (merchant_id, kind, id_payment, entry_no, status, processor_status, actor)
      select merchant_id, kind, id_payment, entry_no, status, phase, 'test'
      from payment cross join (values (1, 'CREATED', 'AWAITING_CUSTOMER'), (2, 'SUCCESS', 'CONFIRMED')) as line (entry_no, status, phase)),
    transfer as (
      insert into ledger_transfers (merchant_id, transfer_id, event, kind, id_payment)
      select merchant_id, gen_random_uuid(), 'TOPUP_SUCCESS', kind, id_payment from payment returning merchant_id, transfer_id),
    postings as (
      insert into ledger_postings (merchant_id, transfer_id, posting_no, account, currency_code, amount)
      select t.merchant_id, t.transfer_id, posting_no, account, currency_code, sign * amount
      from transfer t cross join payment cross join (values (1, 'CLEARING', -1), (2, 'AVAILABLE', 1)) as line (posting_no, account, sign))
    insert into balances as b (merchant_id, currency_code, available) select merchant_id, currency_code, amount from payment
    on conflict (merchant_id, currency_code) do update set available = b.available + excluded.available`,
    [given.merchantId, given.amount, given.currencyCode],
  )
}

/** Somebody with a token for everything, or for exactly this money. */
export function callerOf(merchantId: string, money?: Caller['money']): Caller {
  return {
    merchantId,
    merchantCode: MERCHANT_CODE,
    allows: () => true,
    money,
    bucket: { key: 'test', limitPerSecond: 10, name: 'merchant' },
  }
}

/** What somebody was refused with. */
export async function refusalOf(work: Promise<unknown>): Promise<Refusal> {
  try {
    await work
  } catch (error) {
    if (error instanceof Refusal) return error
    throw error
  }
  throw new Error('nothing was refused')
}

/** The code of a refusal, or all codes of a 406 with their fields. */
export async function codesOf(work: Promise<unknown>): Promise<readonly string[]> {
  const { code, details } = await refusalOf(work)
  return (
    details.items?.map((item) => (item.field === undefined ? item.code : `${item.code} ${item.field}`)) ?? [
      code,
    ]
  )
}
