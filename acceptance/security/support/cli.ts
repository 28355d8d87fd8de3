import { execFile } from 'node:child_process'
import { runtimeUrl } from '@tollgate/testkit'
import type { Gateway } from './gateway.ts'

const CLI = new URL('../../../apps/gateway/bin/tollgate.mjs', import.meta.url).pathname
const TIMEOUT_MS = 30_000

/** Runs a command for operators. Rejects with its words when it fails. */
export function tollgate(gateway: Gateway, ...parts: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile(
      process.execPath,
      [CLI, ...parts],
      {
        timeout: TIMEOUT_MS,
        env: {
          PATH: process.env['PATH'],
          HOME: process.env['HOME'],
          TOLLGATE_DATA_DIR: gateway.dataDir,
          TOLLGATE_DATABASE_URL: runtimeUrl(gateway.databaseUrl),
          ...gateway.environment,
        },
      },
      (error, stdout, stderr) => {
        if (error === null) resolve(stdout)
        else reject(new Error(`tollgate ${parts.join(' ')}: ${stderr}${stdout}`))
      },
    )
  })
}
