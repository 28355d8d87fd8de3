import cluster from 'node:cluster'
import { createLog, linesWritten } from '@tollgate/runtime/log'
import type { Registry } from 'prom-client'
import { readExistingMasterKeys, requireDatabaseUrl } from './cli/installation.ts'
import { readConfig } from './config.ts'
import { readSecrets } from './keys/open-secrets.ts'
import { runUntilStopped } from './programs/lifecycle.ts'
import { isMetricsQuestion, type MetricsAnswer, STOP } from './programs/process-messages.ts'

// One of the processes of `tollgate serve --workers`: it serves the API. Whoever started it has looked at the settings,
// the ports, the schema and the master key, restarts it when it ends, and has the port of the metrics.

const EXIT_FAULT = 1

const config = readConfig(process.env)
const [, , number = ''] = process.argv
const log = createLog({ level: config.TOLLGATE_LOG_LEVEL }).child({ process: number })

async function main(): Promise<void> {
  const { worker } = cluster
  if (worker === undefined) throw new Error('this program is started by `tollgate serve --workers`')
  const told = new Promise<void>((resolve) => {
    process.on('message', (message) => {
      if (message === STOP) resolve()
    })
  })
  const databaseUrl = await requireDatabaseUrl(config)
  const options = {
    config,
    log,
    databaseUrl,
    secrets: await readSecrets({ databaseUrl, masterKeys: readExistingMasterKeys(config), log }),
    roles: ['api'],
    publishMetrics,
  } as const
  await runUntilStopped(options, told)
  worker.disconnect()
}

/** Each series says which process it is of: its counters begin anew when the process does. */
function publishMetrics(registry: Registry): void {
  registry.setDefaultLabels({ process: number })
  process.on('message', (message) => {
    if (!isMetricsQuestion(message)) return
    const { metricsQuestion: metricsAnswer } = message
    const answer = async (): Promise<void> => {
      const text = await registry.metrics()
      process.send?.({ metricsAnswer, text } satisfies MetricsAnswer)
    }
    answer().catch((error: unknown) => log.warn({ err: error }, 'the metrics could not be read'))
  })
}

main().catch(async (error: unknown) => {
  log.error({ err: error }, 'this process cannot serve')
  await linesWritten()
  process.exit(EXIT_FAULT)
})
