import { setTimeout as sleep } from 'node:timers/promises'
import { type Account, accountFor, headOf, untilDue } from '../rig/accounts.ts'
import { startCell } from '../rig/cells.ts'
import { mustRun } from '../rig/commands.ts'
import { prepareInstallation } from '../rig/gateway.ts'
import { copyMerchants } from '../rig/merchants.ts'
import { type DurableServer, startDurableServer } from '../rig/server.ts'
import { acceptedOf, longestPause, openShopsOf, type Shops } from '../rig/shops.ts'
import type { RunningServer } from '../rig/standby.ts'
import { copyOf, promote, serverAt } from './copies.ts'

const [GOES, STAYS] = ['BENCH-1', 'BENCH-2'] as const
const CLIENTS = 24
/** Some 200 payments a second, so that the machine has time for a second gateway. */
const PACE_MS = 220
const AFTER_MS = 15_000
const POLL_MS = 500
/** What is under way at this pace: merchants were asking faster than one worker tells them. */
const DUE_MAX = 500

/** What a split under load did. Times in seconds. */
interface SplitUnderLoad extends Account {
  /** Of the merchant that went, when it went. */
  readonly payments: number
  /** In which the merchant that went had nothing acknowledged. */
  readonly pause: number
  /** The longest time without an acknowledgement of the merchant that stayed, around the split and before it. */
  readonly pauseOfOther: number
  readonly usualPauseOfOther: number
  readonly release: number
  readonly promotion: number
  readonly open: number
  readonly start: number
}

/**
 * Two merchants ask without a pause, and one of them goes to a new cell: released, a standby promoted, opened, started. Then the books
 * and journals of both are checked, and each acknowledged payment is looked for. Throws when they are not right.
 */
export async function splitUnderLoad(payments: number, say: (line: string) => void): Promise<SplitUnderLoad> {
  const server = await startDurableServer(undefined)
  const ends: (() => Promise<void>)[] = [() => server.stop()]
  try {
    return await split(server, { payments, say, atEnd: (end) => void ends.push(end) })
  } finally {
    for (const end of ends.reverse()) await end()
  }
}

interface Work {
  readonly payments: number
  readonly say: (line: string) => void
  readonly atEnd: (end: () => Promise<void>) => void
}

async function split(server: DurableServer, { payments, say, atEnd }: Work): Promise<SplitUnderLoad> {
  const demo = await prepareInstallation(server)
  const merchants = await copyMerchants(server.sql, demo, 2)
  const a = await startCell(server, 'A')
  atEnd(() => a.stop())
  const shops = await openShopsOf(merchants, { clients: CLIENTS, port: a.api.port })
  say(`  until ${GOES} has ${payments.toLocaleString('en-US')} payments…`)
  while (acceptedOf(shops, GOES) < payments) await sleep(POLL_MS)
  shops.pace(PACE_MS)
  await untilDue(server.sql, DUE_MAX)
  const copy = await copyOf(server, 'copy')
  atEnd(() => copy.stop())
  await sleep(AFTER_MS)
  const head = await headOf(server.sql)
  const went = acceptedOf(shops, GOES)
  const place = serverAt(server, copy.url)
  const { laps, c, beganMs } = await move({ server, copy, place, shops })
  atEnd(() => c.stop())
  const ofMove = Object.entries(laps).map(([name, seconds]) => `${name} ${seconds.toFixed(1)} s`)
  say(`  ${went.toLocaleString('en-US')} payments went: ${ofMove.join(', ')}; then the books of both…`)
  await sleep(AFTER_MS)
  await shops.stop()
  await Promise.all([server, place].map(({ sql }) => untilDue(sql, 0)))
  await Promise.all([a.stop(), c.stop()])
  // In both, the journal as it was before the split is the beginning of what it is now.
  await mustRun(server, 'A', ['ledger', 'check', '--head', head])
  await mustRun(place, 'C', ['ledger', 'check', '--head', head])
  return {
    payments: went,
    ...(await accountFor(shops, { [GOES]: place.sql, [STAYS]: server.sql })),
    ...laps,
    pause: longestPause(shops, GOES, beganMs),
    pauseOfOther: longestPause(shops, STAYS, beganMs),
    usualPauseOfOther: longestPause(shops, STAYS, beganMs - AFTER_MS, beganMs),
  }
}

interface Move {
  readonly server: DurableServer
  readonly copy: RunningServer
  /** The copy, once it is the new cell's. */
  readonly place: DurableServer
  readonly shops: Shops
}

/** The steps of docs/cells.md, and how long each took, in seconds. */
async function move({ server, copy, place, shops }: Move) {
  const beganMs = performance.now()
  let lapMs = beganMs
  const lap = (): number => {
    const sinceMs = lapMs
    lapMs = performance.now()
    return (lapMs - sinceMs) / 1000
  }
  await mustRun(server, 'A', ['cells', 'release', 'C', '--merchant', GOES])
  const release = lap()
  await promote(server, copy)
  const promotion = lap()
  await mustRun(place, 'C', ['cells', 'open'])
  const open = lap()
  let start = 0
  const c = await startCell(place, 'C', (port) => {
    start = lap()
    shops.route(GOES, port)
  })
  return { c, beganMs, laps: { release, promotion, open, start } }
}
