import { randomIds, systemClock } from '@tollgate/runtime'
import { createLog } from '@tollgate/runtime/log'
import { createMerchantDirectory } from './modules/merchants/index.ts'
import { openDatabase } from './platform/database.ts'
import { createMetrics } from './platform/metrics.ts'
import { createSecrets } from './platform/secrets.ts'
import { type FromImporter, faultAsText, type ImportJob } from './rooms/import-messages.ts'
import { buildStatements } from './rooms/statements.ts'

// Imports one large statement for the gateway that started it, and ends; see rooms/import-process.ts.

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

async function work({ config, databaseUrl, rootKey, handsIn, order }: ImportJob): Promise<FromImporter> {
  const log = createLog({ level: config.TOLLGATE_LOG_LEVEL })
  const db = openDatabase({ url: databaseUrl, poolMax: CONNECTIONS, log, applicationName: 'tollgate import' })
  const metrics = createMetrics()
  const parts = {
    ...{ config, databaseUrl, log, metrics, db, workerDb: db, patientDb: db },
    ...{ clock: systemClock, ids: randomIds, secrets: createSecrets(rootKey) },
  }
  const { acts } = buildStatements(parts, createMerchantDirectory({ db, changes: { on: () => undefined } }))
  const taken = await (handsIn === 'FOLDER' ? acts.handInFromFolder(order) : acts.handIn(order))
  const { values } = await metrics.payments.get()
  return { kind: 'TAKEN', taken, payments: values.map(({ labels, value }) => ({ labels, value })) }
}
