import { setTimeout as sleep } from 'node:timers/promises'
import { missingOf, stateOf } from '../rig/accounts.ts'
import { startCell } from '../rig/cells.ts'
import { command, mustRun } from '../rig/commands.ts'
import { type Demo, prepareInstallation } from '../rig/gateway.ts'
import { copyMerchants } from '../rig/merchants.ts'
import { createRandom, type Random } from '../rig/random.ts'
import { type DurableServer, startDurableServer } from '../rig/server.ts'
import { acceptedOf, openShopsOf } from '../rig/shops.ts'
import { copyOf, promote, serverAt } from './copies.ts'

/** The letters that there are, but for A. After so many splits another server is begun with. */
const LETTERS = 'BCDEFGHJKMNPQRSTVWXYZ'
const CLIENTS = 4
/** Longer than a command takes from its start to its end. */
const KILL_MS_MAX = 1_500
const PAUSE_MS = 400
const PACE_MS = 50

/** What killed splits did. */
interface KilledSplits {
  readonly splits: number
  /** Commands and processes that were killed. */
  readonly kills: number
  readonly acknowledged: number
  /** Of payments: in no cell, or changed in the one that the merchant had left. */
  readonly lost: number
  readonly twice: number
}

/** Splits one merchant after the other off a cell under load, and kills commands, processes and copies at random moments. */
export async function splitsWithKills(
  splits: number,
  seed: number,
  say: (line: string) => void,
): Promise<KilledSplits> {
  const random = createRandom(seed)
  const total = { splits: 0, kills: 0, acknowledged: 0, lost: 0, twice: 0 }
  while (total.splits < splits) {
    const rounds = Math.min(LETTERS.length, splits - total.splits)
    const server = await startDurableServer(undefined)
    try {
      await splitOff(server, { rounds, random, total, say })
    } finally {
      await server.stop()
    }
  }
  return total
}

type Total = { -readonly [Name in keyof KilledSplits]: number }

interface Work {
  readonly rounds: number
  readonly random: Random
  readonly total: Total
  readonly say: (line: string) => void
}

async function splitOff(server: DurableServer, { rounds, random, total, say }: Work): Promise<void> {
  const demo = await prepareInstallation(server)
  const merchants = await copyMerchants(server.sql, demo, rounds)
  for (const [index, merchant] of merchants.entries()) {
    const round = { server, merchant, letter: LETTERS[index] ?? '', random, total }
    await oneSplit(round)
    total.splits += 1
    say(`  split ${total.splits}: ${total.acknowledged} acknowledged, ${total.kills} kills`)
  }
}

interface Round {
  readonly server: DurableServer
  readonly merchant: Demo
  readonly letter: string
  readonly random: Random
  readonly total: Total
}

async function oneSplit(round: Round): Promise<void> {
  const { server, merchant, letter, random, total } = round
  const { merchantCode } = merchant
  let a = await startCell(server, 'A')
  const shops = await openShopsOf([merchant], { clients: CLIENTS, port: a.api.port })
  shops.pace(PACE_MS)
  await sleep(PAUSE_MS)
  const copy = await copyOf(server, `copy-${letter}`)
  try {
    await untilDone(round, server, 'A', ['cells', 'release', letter, '--merchant', merchantCode])
    const frozen = await stateOf(server.sql, merchantCode)
    if (random.share() < 0.5) {
      await Promise.all([a.api.program.kill(), a.worker.kill()])
      total.kills += 2
      a = await startCell(server, 'A')
    }
    await promote(server, copy)
    const place = serverAt(server, copy.url)
    await untilDone(round, place, letter, ['cells', 'open'])
    const c = await startCell(place, letter)
    shops.route(merchantCode, c.api.port)
    await sleep(PAUSE_MS)
    await shops.stop()
    await c.stop()
    if ((await stateOf(server.sql, merchantCode)) !== frozen) total.twice += 1
    await mustRun(place, letter, ['ledger', 'check'])
    total.acknowledged += acceptedOf(shops, merchantCode)
    total.lost += (await missingOf(shops, place.sql, merchantCode)).length
  } finally {
    await shops.stop()
    await a.stop()
    await copy.stop()
  }
}

/** Kills the command at some moment, and repeats it as an operator would. */
async function untilDone(
  { random, total }: Round,
  server: DurableServer,
  letter: string,
  parts: readonly string[],
): Promise<void> {
  const { exitCode } = await command(server, letter, parts, random.below(KILL_MS_MAX))
  if (exitCode === undefined) total.kills += 1
  await mustRun(server, letter, parts)
}
