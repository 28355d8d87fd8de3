import { copyFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { mustRun } from '../rig/commands.ts'
import { type Demo, issueToken, prepareInstallation } from '../rig/gateway.ts'
import { type DurableServer, startDurableServer } from '../rig/server.ts'
import type { Shops } from '../rig/shops.ts'

const MASTER_KEY = 'master.key'
const OWNER_ONLY = 0o600
/** A gateway may hear a moment later of a merchant that arrived. */
const TOKEN_MS_MAX = 15_000
const POLL_MS = 20

/** A cell that merchants leave for the other one, and come back to. */
export interface Side {
  readonly letter: string
  readonly server: DurableServer
  /** Has the address of its database, for commands at the other one. */
  readonly urlFile: string
  /** The merchant of its sandbox, which stays. */
  readonly demo: Demo
}

/** Two installations, of which the second joined the first before anything was made there. `atEnd` is handed what stops their servers. */
export async function preparePair(
  atEnd: (end: () => Promise<void>) => void,
): Promise<{ readonly a: Side; readonly b: Side }> {
  const [one, other] = [await startDurableServer(undefined), await startDurableServer(undefined)]
  atEnd(() => one.stop())
  atEnd(() => other.stop())
  const a = await prepareSide(one, 'A')
  copyFileSync(join(one.dataDir, MASTER_KEY), join(other.dataDir, MASTER_KEY))
  await mustRun(other, 'B', ['migrate'])
  await mustRun(other, 'B', ['cells', 'join', '--database-url-file', a.urlFile])
  return { a, b: await prepareSide(other, 'B') }
}

async function prepareSide(server: DurableServer, letter: string): Promise<Side> {
  const demo = await prepareInstallation(server, '', { TOLLGATE_CELL: letter })
  const urlFile = join(server.dataDir, 'database-url')
  writeFileSync(urlFile, `${server.url}\n`, { mode: OWNER_ONLY })
  return { letter, server, urlFile, demo }
}

/** The parts of the command that moves the merchant to the cell. */
export const moveTo = ({ letter, urlFile }: Side, merchantCode: string): readonly string[] => [
  '--json',
  'cells',
  'move',
  merchantCode,
  '--to',
  letter,
  '--database-url-file',
  urlFile,
]

/** Leads a merchant's shops to the gateway at the port, with a token that they ask for there: those of another cell are not valid in it. */
export async function lead(shops: Shops, merchant: Demo, port: number): Promise<void> {
  const deadlineMs = performance.now() + TOKEN_MS_MAX
  for (;;) {
    try {
      shops.route(merchant.merchantCode, port, await issueToken(port, merchant))
      return
    } catch (error) {
      if (performance.now() > deadlineMs) throw error
      await sleep(POLL_MS)
    }
  }
}
