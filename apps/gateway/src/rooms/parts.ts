import { CURRENCIES_ISO_4217 } from '@tollgate/money'
import type { Clock, Ids, Log } from '@tollgate/runtime'
import type { Config } from '../config.ts'
import type { CatalogueService } from '../modules/catalogue/index.ts'
import type { RetentionDays } from '../modules/retention/index.ts'
import type { Database } from '../platform/database.ts'
import type { Metrics } from '../platform/metrics.ts'
import { LIVE_PORTS, type TargetPolicy } from '../platform/outbound/index.ts'
import type { Secrets } from '../platform/secrets.ts'

/** What every room may need. */
export interface Parts {
  readonly config: Config
  readonly clock: Clock
  readonly ids: Ids
  readonly log: Log
  readonly metrics: Metrics
  readonly secrets: Secrets
  /** For processes of our own. */
  readonly databaseUrl: string
  /** Connections of the request path. */
  readonly db: Database
  /** Connections of the workers: a flood of requests must not take them, nor the reverse. */
  readonly workerDb: Database
  /** Connections for work that gathers much: its statements may take minutes. */
  readonly patientDb: Database
}

/** Where callbacks may go. */
export function callbackPolicy(config: Config): TargetPolicy {
  return {
    httpsOnly: config.isLive,
    portsAllowed: config.isLive ? LIVE_PORTS : 'any',
    allowPrivate: config.callbackAllowPrivate,
    allowedCidrs: config.callbackAllowCidrs,
  }
}

/** For how long what is kept for a time only. */
export function retentionDays(config: Config): RetentionDays {
  return {
    DELIVERIES: config.TOLLGATE_RETENTION_DELIVERIES_DAYS,
    INQUIRIES: config.TOLLGATE_RETENTION_INQUIRIES_DAYS,
    PERSONAL_DATA: config.TOLLGATE_RETENTION_PERSONAL_DATA_DAYS,
  }
}

/** The decimals of a currency, also of one that is in no method here. */
export function decimalsBy(catalogue: CatalogueService): (currencyCode: string) => number | undefined {
  return (code) => (catalogue.current().currencies.get(code) ?? CURRENCIES_ISO_4217.get(code))?.minorUnits
}
