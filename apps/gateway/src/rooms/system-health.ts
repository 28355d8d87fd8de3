import type { Answer, SystemHealthSchema } from '@tollgate/contract'
import { findLastBackup } from '../modules/backups/index.ts'
import { findDueCallbacks } from '../modules/callbacks/index.ts'
import { findRecentFailures } from '../modules/inbox/index.ts'
import { JOURNAL } from '../modules/journal/index.ts'
import { findLastLedgerCheck } from '../modules/ledger/index.ts'
import { findDueNotifications } from '../modules/notifications/index.ts'
import { findDueTasks } from '../modules/payments/index.ts'
import { findOpenGap } from '../modules/payouts/index.ts'
import { ageOf, type RateService, sheetAt } from '../modules/rates/index.ts'
import { findHorizon } from '../modules/retention/index.ts'
import { CHAIN_BEGINNING, findHead, findWaitingSeconds, printHead } from '../platform/chain/index.ts'
import type { Tx } from '../platform/database.ts'
import type { DueWork } from '../platform/due.ts'
import { knownMigrations, pendingMigrations } from '../platform/migrate.ts'
import { findServerState } from '../platform/server-state.ts'
import { VERSION } from '../platform/version.ts'
import { type Parts, retentionDays } from './parts.ts'

type Health = Answer<typeof SystemHealthSchema>

const FAILED_DAYS = 7
const FAILED_COUNTED_MAX = 100

interface HealthDeps extends Pick<Parts, 'db' | 'config' | 'clock'> {
  readonly rates: Pick<RateService, 'current'>
}

/** How the gateway is: each part is a statement or two that an index answers, or is in memory. */
export async function readSystemHealth(deps: HealthDeps): Promise<Health> {
  const { db, config } = deps
  const server = await findServerState(db)
  const gap = await findOpenGap(db)
  const failed = await findRecentFailures(db, FAILED_DAYS, FAILED_COUNTED_MAX)
  return {
    now: server.now.toISOString(),
    gateway: {
      version: VERSION,
      nodeVersion: process.version,
      environment: config.isLive ? 'live' : 'sandbox',
      ...(config.TOLLGATE_CELL !== undefined && { cell: config.TOLLGATE_CELL }),
      upSeconds: Math.floor(process.uptime()),
    },
    database: await databaseOf(db, server),
    queues: await queuesOf(db),
    ledger: await ledgerOf(db),
    ...(await backupOf(db)),
    ...(gap !== undefined && {
      restoreGap: { lostFrom: gap.lostFrom.toISOString(), restoredAt: gap.restoredAt.toISOString() },
    }),
    failedDocuments: { count: failed.count, ...at('latestAt', failed.latestAt) },
    retention: await retentionOf(deps),
    rates: ratesOf(deps),
  }
}

function at<Name extends string>(name: Name, moment: Date | undefined): Partial<Record<Name, string>> {
  const members: Partial<Record<Name, string>> = {}
  if (moment !== undefined) members[name] = moment.toISOString()
  return members
}

async function databaseOf(
  db: Tx,
  { version, connections }: Awaited<ReturnType<typeof findServerState>>,
): Promise<Health['database']> {
  const latestMigration = knownMigrations().at(-1)
  return {
    version,
    ...(latestMigration !== undefined && { latestMigration }),
    pendingMigrations: await pendingMigrations(db),
    connections: connections.map(({ since, ...each }) => ({ ...each, since: since.toISOString() })),
  }
}

async function queuesOf(db: Tx): Promise<Health['queues']> {
  const queues = [
    ['PAYMENTS', await findDueTasks(db, 'RAIL')],
    ['EXPIRIES', await findDueTasks(db, 'EXPIRE')],
    ['CALLBACKS', await findDueCallbacks(db)],
    ['NOTIFICATIONS', await findDueNotifications(db)],
  ] as const satisfies readonly (readonly [string, DueWork])[]
  return queues.map(([queue, { due, oldestDueAt }]) => ({ queue, due, ...at('oldestDueAt', oldestDueAt) }))
}

async function ledgerOf(db: Tx): Promise<Health['ledger']> {
  const check = await findLastLedgerCheck(db)
  const head = await findHead(db, JOURNAL)
  const waitSeconds = await findWaitingSeconds(db, JOURNAL)
  return {
    ...(check !== undefined && { lastCheck: { ...check, checkedAt: check.checkedAt.toISOString() } }),
    head: printHead(head ?? CHAIN_BEGINNING),
    ...at('chainedAt', head?.chainedAt),
    ...(waitSeconds !== undefined && { waitSeconds: Math.floor(waitSeconds) }),
  }
}

async function backupOf(db: Tx): Promise<Pick<Health, 'lastBackup'>> {
  const last = await findLastBackup(db)
  if (last === undefined) return {}
  const { startedAt, finishedAt, kind, bytes } = last
  const moments = { startedAt: startedAt.toISOString(), finishedAt: finishedAt.toISOString() }
  return { lastBackup: { ...moments, kind, bytes } }
}

async function retentionOf({ db, config }: HealthDeps): Promise<Health['retention']> {
  const days = retentionDays(config)
  const classes = ['DELIVERIES', 'INQUIRIES', 'PERSONAL_DATA'] as const
  return Promise.all(
    classes.map(async (each) => ({
      class: each,
      days: days[each],
      ...at('removedUntil', await findHorizon(db, each)),
    })),
  )
}

function ratesOf({ rates, clock }: HealthDeps): Health['rates'] {
  const nowMs = clock.nowMs()
  return [...rates.current().lists.values()].map((list) => {
    const sheet = sheetAt(list, nowMs)
    return {
      rateListCode: list.code,
      ...at('publishedAt', sheet?.publishedAt),
      isStale: sheet !== undefined && ageOf(list, sheet, nowMs).isStale,
    }
  })
}
