import { readBankDays } from '../modules/bank-accounts/index.ts'
import type { CatalogueService } from '../modules/catalogue/index.ts'
import { createFailedDocuments } from '../modules/inbox/index.ts'
import { createMerchantCodes } from '../modules/merchants/index.ts'
import { createPaymentService } from '../modules/payments/index.ts'
import {
  createPayoutFileService,
  createPayoutReportActs,
  createPayoutReportService,
  createReportWorker,
  createScheduledFiles,
  type PayoutFileRouteDeps,
  type ReportWorker,
  readSchedule,
  type ScheduledFiles,
} from '../modules/payout-files/index.ts'
import { contentHashOf } from '../modules/payouts/index.ts'
import { createMetrics } from '../platform/metrics.ts'
import { BANK_TRANSFER_CODE } from '../rails/bank-transfer/index.ts'
import type { ConfiguredChannel } from './bank-channel-settings.ts'
import { fileChannelsOf } from './bank-channels.ts'
import { buildSecondPerson } from './confirmations.ts'
import type { Parts } from './parts.ts'

/** Files of payouts for operators who ask, and the folder that is watched for reports. */
export interface PayoutFiles extends PayoutFileRouteDeps {
  /** Undefined when no folder is watched. */
  readonly worker: ReportWorker | undefined
  /** Undefined when operators alone make files. */
  readonly scheduled: ScheduledFiles | undefined
}

/** Methods of the catalogue, as it is then, whose payouts go at once where they can. */
export const instantMethodsBy = (catalogue: CatalogueService) => (): readonly string[] =>
  [...catalogue.current().methods.values()].flatMap(({ code, payoutSpeed }) =>
    payoutSpeed === 'INSTANT' ? [code] : [],
  )

interface PayoutFileNeeds {
  readonly channels?: readonly ConfiguredChannel[]
  /** Methods whose payouts go at once where they can. */
  readonly instantMethods?: () => readonly string[]
}

/** Puts together files of payouts and the banks' reports about them. */
export function buildPayoutFiles(parts: Parts, needs: PayoutFileNeeds = {}): PayoutFiles {
  const { config, log } = parts
  const directory = config.TOLLGATE_PAYOUT_REPORTS_DIR
  const { workerDb: db } = parts
  const worker =
    directory === undefined
      ? undefined
      : createReportWorker({
          log,
          directory,
          acts: roomOn(parts, db, needs).acts,
          failed: createFailedDocuments({ ...parts, db }),
        })
  return { ...roomOn(parts, parts.db, needs), worker, scheduled: scheduledOn(parts, needs) }
}

function scheduledOn(parts: Parts, needs: PayoutFileNeeds): ScheduledFiles | undefined {
  const { config, workerDb: db } = parts
  const schedule = readSchedule(config.TOLLGATE_PAYOUT_FILES_AT, config.TOLLGATE_PAYOUT_FILES_ZONE)
  if (schedule.times.size === 0) return undefined
  return createScheduledFiles({ ...parts, db, schedule, files: roomOn(parts, db, needs).files })
}

function roomOn(
  parts: Parts,
  db: Parts['db'],
  { channels = [], instantMethods }: PayoutFileNeeds,
): PayoutFileRouteDeps {
  const { config } = parts
  // What is only rehearsed is not counted.
  const uncounted = createMetrics()
  const paymentsOn = (on: Parts['db'], metrics = uncounted) =>
    createPaymentService({
      ...parts,
      db: on,
      metrics,
      batchRowsMax: config.TOLLGATE_BATCH_ROWS_MAX,
      batchesInFlightMax: 1,
    })
  const needs = {
    ...parts,
    db,
    payments: paymentsOn(db, parts.metrics),
    contentHashOf,
    rail: BANK_TRANSFER_CODE,
    folder: config.TOLLGATE_PAYOUT_FILES_DIR,
    channels: fileChannelsOf(channels),
    days: readBankDays(config.TOLLGATE_PAYOUT_CUT_OFF, config.TOLLGATE_PAYOUT_FILES_ZONE),
    ...(instantMethods !== undefined && { instantMethods }),
    separatesPersons: config.needsSecondPerson,
  }
  const reports = createPayoutReportService(needs)
  const secondPerson = buildSecondPerson(parts)
  return {
    files: createPayoutFileService(needs),
    reports,
    acts: createPayoutReportActs({
      ...needs,
      reports,
      secondPerson,
      isFolderChannel: config.TOLLGATE_PAYOUT_REPORTS_DIR_IS_CHANNEL === true,
      paymentsOn: (dry) => paymentsOn(dry),
    }),
    merchantCodeOf: createMerchantCodes(db),
  }
}
