import type { PayinCreate, WireMoney } from '@tollgate/contract'
import { runSql, type SqlRow, type TestLife, testDatabase } from '@tollgate/testkit'
import type { Caller } from '../../../http/authentication.ts'
import { systemClock } from '../../../platform/clock.ts'
import { watchConfiguration } from '../../../platform/configuration-changes.ts'
import { type Database, openDatabase } from '../../../platform/database.ts'
import { randomIds } from '../../../platform/ids.ts'
import { createLog } from '../../../platform/log.ts'
import { createMetrics } from '../../../platform/metrics.ts'
import { Refusal } from '../../../platform/refusal.ts'
import { createSecrets } from '../../../platform/secrets.ts'
import { createSandboxRail, isSandboxAddress } from '../../../rails/sandbox/index.ts'
import {
  type CatalogueSettings,
  createCatalogueService,
  createCatalogueSettings,
  seedSandboxCatalogue,
} from '../../catalogue/index.ts'
import { createMerchantDirectory, createMerchantService } from '../../merchants/index.ts'
import { createPaymentService, type PaymentService } from '../../payments/index.ts'
import { createPayinService, type PayinDeps, type PayinService } from '../index.ts'

const MERCHANT_CODE = 'SHOP'

/** A shop in the sandbox's catalogue with every method. */
export interface Rig {
  readonly db: Database
  readonly payins: PayinService
  readonly payments: PaymentService
  readonly caller: Caller
  /** How often the worker was told of work. */
  readonly wakes: () => number
  sql(text: string, values?: readonly unknown[]): Promise<readonly SqlRow[]>
}

export interface RigOptions extends Partial<Pick<PayinDeps, 'isLive' | 'callbackPolicy' | 'returnPolicy'>> {
  /** What an operator sets before the gateway starts. */
  readonly prepare?: (house: {
    readonly settings: CatalogueSettings
    readonly merchantId: string
    readonly sql: Rig['sql']
  }) => Promise<unknown>
}

export async function openRig(t: TestLife, { prepare, ...options }: RigOptions = {}): Promise<Rig> {
  const { url } = await testDatabase(t)
  const log = createLog({ level: 'silent' })
  const db = openDatabase({ url, poolMax: 6, log, applicationName: 'payins test' })
  const sql: Rig['sql'] = (text, values) => runSql(url, text, values)
  const secrets = createSecrets(Buffer.alloc(32, 7))
  await seedSandboxCatalogue(db)
  const { merchantId } = await createMerchantService({ db, secrets, ids: randomIds }).create(
    MERCHANT_CODE,
    'A shop',
  )
  const settings = createCatalogueSettings({ db })
  await settings.enableAllMethods(merchantId)
  await prepare?.({ settings, merchantId, sql })
  const changes = watchConfiguration({ db, clock: systemClock, log })
  const catalogue = createCatalogueService({ db, changes, log })
  const merchants = createMerchantDirectory({ db, changes })
  await catalogue.start()
  await changes.start()
  t.after(async () => {
    changes.stop()
    await db.close()
  })
  const payments = createPaymentService({
    db,
    clock: systemClock,
    ids: randomIds,
    secrets,
    metrics: createMetrics(),
    batchRowsMax: 100,
    batchesInFlightMax: 2,
  })
  const rail = createSandboxRail({ simulatorUrl: 'https://simulator.example' })
  let wakes = 0
  const payins = createPayinService({
    ids: randomIds,
    secrets,
    catalogue,
    merchants,
    payments,
    rails: new Map([[rail.code, rail]]),
    callbackPolicy: { httpsOnly: false, portsAllowed: 'any', allowPrivate: false },
    returnPolicy: { httpsOnly: false, portsAllowed: 'any', allowPrivate: true },
    isLive: false,
    isSandboxAddress,
    wakeWorker: () => {
      wakes += 1
    },
    ...options,
  })
  return { db, payins, payments, caller: callerOf(merchantId), wakes: () => wakes, sql }
}

export function callerOf(merchantId: string, money?: Caller['money']): Caller {
  return {
    merchantId,
    merchantCode: MERCHANT_CODE,
    allows: () => true,
    money,
    bucket: { key: 'test', limitPerSecond: 10, name: 'merchant' },
  }
}

export interface BodyGiven {
  readonly amount?: WireMoney['amount']
  readonly currencyCode?: string
  readonly segmentCode?: string
  readonly method?: Partial<PayinCreate['paymentMethod']>
  readonly callbackUrl?: string
  readonly returnUrl?: string
}

/** A body that is accepted as it is. */
export function bodyOf(given: BodyGiven = {}): PayinCreate {
  const { amount = 100, currencyCode = 'EUR', segmentCode, method, ...urls } = given
  return {
    paymentRequested: { money: { amount, currencyCode }, ...(segmentCode !== undefined && { segmentCode }) },
    paymentMethod: { paymentMethodCode: 'BANK_TRANSFER', account: { accountName: 'Ada' }, ...method },
    callbackUrl: 'https://shop.example/callbacks',
    ...urls,
  }
}

/** What somebody was refused with: the code, or all codes of a 406 with their fields. */
export async function refusalOf(work: Promise<unknown>): Promise<Refusal> {
  try {
    await work
  } catch (error) {
    if (error instanceof Refusal) return error
    throw error
  }
  throw new Error('nothing was refused')
}

export async function codesOf(work: Promise<unknown>): Promise<readonly string[]> {
  const { code, details } = await refusalOf(work)
  return (
    details.items?.map((item) => (item.field === undefined ? item.code : `${item.code} ${item.field}`)) ?? [
      code,
    ]
  )
}
