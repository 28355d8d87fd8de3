import { randomIds, systemClock } from '@tollgate/runtime'
import { createLog } from '@tollgate/runtime/log'
import { createMerchantDirectory } from './modules/merchants/index.ts'
import { openDatabase } from './platform/database.ts'
import { createMetrics } from './platform/metrics.ts'
import { createSecrets } from './platform/secrets.ts'
import { buildConfirmations } from './rooms/confirmations.ts'
import {
  type FromImporter,
  faultAsText,
  type ImportJob,
  type Outcome,
  type Task,
} from './rooms/import-messages.ts'
import type { Parts } from './rooms/parts.ts'
import { buildPayoutFiles } from './rooms/payout-files.ts'
import { buildStatements } from './rooms/statements.ts'

// Reads one large document for the gateway that started it, and ends; see rooms/import-process.ts.

const CONNECTIONS = 2

process.once('message', (job: ImportJob) => {
  work(job)
    .catch((error: unknown): FromImporter => ({ kind: 'FAULT', fault: faultAsText(error) }))
    .then((answer) => process.send?.(answer, () => process.disconnect()))
    .catch(() => process.exit(1))
})
// A Ctrl-C reaches it as well; the gateway finishes what is under way.
process.on('SIGINT', () => undefined)
// Whoever waits for the answer is gone: what is not committed is rolled back.
process.once('disconnect', () => process.exit())

async function work({ config, databaseUrl, rootKey, task }: ImportJob): Promise<FromImporter> {
  const log = createLog({ level: config.TOLLGATE_LOG_LEVEL })
  const db = openDatabase({ url: databaseUrl, poolMax: CONNECTIONS, log, applicationName: 'tollgate import' })
  const metrics = createMetrics()
  const outcome = await outcomeOf(task, {
    config,
    databaseUrl,
    log,
    metrics,
    db,
    workerDb: db,
    patientDb: db,
    clock: systemClock,
    ids: randomIds,
    secrets: createSecrets(rootKey),
  })
  const { values } = await metrics.payments.get()
  return { kind: 'DONE', outcome, payments: values.map(({ labels, value }) => ({ labels, value })) }
}

async function outcomeOf(task: Task, parts: Parts): Promise<Outcome> {
  const merchants = createMerchantDirectory({ db: parts.db, changes: { on: () => undefined } })
  const { acts } = buildStatements(parts, merchants)
  const { service } = buildConfirmations(parts, {
    statementActs: acts,
    reportActs: buildPayoutFiles(parts).acts,
  })
  switch (task.kind) {
    case 'HAND_IN':
      return { kind: 'TAKEN', taken: await acts.handIn(task.order) }
    case 'HAND_IN_FROM_FOLDER':
      return { kind: 'TAKEN', taken: await acts.handInFromFolder(task.order) }
    case 'TAKE_FROM_CHANNEL':
      return { kind: 'TAKEN', taken: await acts.takeFromChannel(task.order) }
    case 'SHOW':
      return { kind: 'VIEW', view: await service.show(task.confirmationId) }
    case 'CONFIRM':
      return { kind: 'VIEW', view: await service.confirm(task.order) }
  }
}
