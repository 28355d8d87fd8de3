import { execFile } from 'node:child_process'
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { giveTo } from '../../apps/gateway/src/platform/embedded-postgres/account.ts'
import type { Place } from '../../apps/gateway/src/platform/embedded-postgres/cluster.ts'
import { choosePort } from '../../apps/gateway/src/platform/embedded-postgres/ports.ts'
import { startPostmaster } from '../../apps/gateway/src/platform/embedded-postgres/postmaster.ts'
import { placeIn } from './place.ts'
import { cleanEnvironment } from './programs.ts'

/** By which the primary knows its standby. */
export const STANDBY_NAME = 'standby'

/** A server that runs. */
export interface RunningServer {
  /** Its files are in the folder `postgres` of this one. */
  readonly dataDir: string
  readonly url: string
  stop(): Promise<void>
}

interface StandbyOptions {
  /** A new folder. */
  readonly dataDir: string
  /** Of the server that is copied. */
  readonly primaryUrl: string
  /** Where the log comes from: the same server, perhaps through a proxy. */
  readonly logUrl: string
  /** Of the primary, and of the standby when it has taken over. */
  readonly settings: Readonly<Record<string, string>>
}

const COPY = fileURLToPath(new URL('copy-server.ts', import.meta.url))

/**
 * Makes a standby of a running server as `docs/failover.md` says: a base backup, `standby.signal`, `primary_conninfo`.
 * Resolves when it takes sessions; it may still have to catch up.
 */
export async function startStandby(options: StandbyOptions): Promise<RunningServer> {
  const { dataDir, primaryUrl, settings } = options
  mkdirSync(dataDir)
  const env = { ...cleanEnvironment(), PRIMARY_URL: primaryUrl }
  await promisify(execFile)(process.execPath, [COPY, dataDir], { env })
  const place = await placeIn(dataDir)
  becomeStandby(place, options)
  const port = await choosePort(undefined)
  const { stop } = await startPostmaster({ place, port, settings })
  const url = new URL(primaryUrl)
  url.port = String(port)
  return { dataDir, url: url.href, stop }
}

/** Once promoted, it does not wait for a standby until it has one. */
function becomeStandby({ cluster, account }: Place, { logUrl }: StandbyOptions): void {
  const signalFile = join(cluster, 'standby.signal')
  writeFileSync(signalFile, '')
  giveTo(account, signalFile)
  const { hostname, port, username, password } = new URL(logUrl)
  const source = `host=${hostname} port=${port} user=${username} password=${password} application_name=${STANDBY_NAME}`
  appendFileSync(
    join(cluster, 'postgresql.auto.conf'),
    `primary_conninfo = '${source}'\nsynchronous_standby_names = ''\n`,
  )
}
