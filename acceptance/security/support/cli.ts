import { execFile } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { runtimeUrl } from '@tollgate/testkit'
import type { Gateway } from './gateway.ts'

const CLI = new URL('../../../apps/gateway/bin/tollgate.mjs', import.meta.url).pathname
const TIMEOUT_MS = 60_000

/** Runs a command for operators. Rejects with its words when it fails. */
export async function tollgate(gateway: Gateway, ...parts: readonly string[]): Promise<string> {
  return run(gateway, parts, await liveOperator(gateway, parts))
}

/** Live has no operators of its own: the first command makes one, by whom the tests set up what they need. */
async function liveOperator(
  gateway: Gateway,
  [group]: readonly string[],
): Promise<Readonly<Record<string, string>>> {
  if (gateway.environment['TOLLGATE_ENVIRONMENT'] !== 'live' || group === 'operators') return {}
  const file = join(gateway.dataDir, 'operator.key')
  if (!existsSync(file)) {
    const roles = ['ADMIN', 'CATALOGUE'].flatMap((role) => ['--role', role])
    const key = await run(gateway, ['operators', 'create', 'setup', ...roles], {})
    writeFileSync(file, key, { mode: 0o600 })
  }
  return { TOLLGATE_OPERATOR_KEY_FILE: file }
}

function run(
  gateway: Gateway,
  parts: readonly string[],
  more: Readonly<Record<string, string>>,
): Promise<string> {
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
          ...more,
        },
      },
      (error, stdout, stderr) => {
        if (error === null) resolve(stdout)
        else reject(new Error(`tollgate ${parts.join(' ')}: ${stderr}${stdout}`))
      },
    )
  })
}
