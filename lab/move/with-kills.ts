import { setTimeout as sleep } from 'node:timers/promises'
import { accountFor, missingOf, stateOf, untilDue } from '../rig/accounts.ts'
import { type Cell, startCell } from '../rig/cells.ts'
import { command, mustRun } from '../rig/commands.ts'
import type { Demo } from '../rig/gateway.ts'
import { copyMerchants } from '../rig/merchants.ts'
import { createRandom, type Random } from '../rig/random.ts'
import { acceptedOf, openShopsOf, type Shops } from '../rig/shops.ts'
import { type Sql, sqlNumber } from '../rig/sql.ts'
import { changedTransfers, untilChained } from './journals.ts'
import { lead, moveTo, preparePair, type Side } from './pair.ts'

const CLIENTS = 4
/** Few payments: each move copies all there are. */
const PACE_MS = 300
const PAUSE_MS = 400
/** How often processes of a cell are killed, too; and how often the move is given up before it is made. */
const [PROCESSES_SHARE, BACK_SHARE] = [1 / 2, 1 / 3]
/** In which a merchant that is in a cell has something acknowledged there. */
const SERVED_MS_MAX = 30_000
const POLL_MS = 20

/** What killed moves did. */
interface KilledMoves {
  readonly moves: number
  /** Commands and processes that were killed. */
  readonly kills: number
  /** Commands that were killed when the merchant had ended in one cell, and not begun in the other. */
  readonly between: number
  /** Moves that had ended the merchant in one cell, and were given up. */
  readonly givenUp: number
  readonly acknowledged: number
  /** Of payments: missing where the merchant was after a move, or without an end that was booked and told. */
  readonly lost: number
  readonly doubled: number
  /** Of moves: the merchant's payments changed in the cell that it had left. */
  readonly twice: number
  /** Of transfers: not the same in both journals in the end. */
  readonly changedTransfers: number
}

/** Moves one merchant to and fro between two cells under load, and kills commands and processes at random moments. */
export async function movesWithKills(
  moves: number,
  seed: number,
  say: (line: string) => void,
): Promise<KilledMoves> {
  const ends: (() => Promise<void>)[] = []
  try {
    return await moveToAndFro({ moves, seed, say, atEnd: (end) => void ends.push(end) })
  } finally {
    for (const end of ends.reverse()) await end()
  }
}

interface Work {
  readonly moves: number
  readonly seed: number
  readonly say: (line: string) => void
  readonly atEnd: (end: () => Promise<void>) => void
}

/** A cell at work. Its processes are replaced when they are killed. */
interface Place extends Side {
  cell: Cell
}

/** All moves of the merchant. */
interface Journey {
  readonly merchant: Demo
  readonly shops: Shops
  readonly random: Random
  readonly say: (line: string) => void
  readonly lost: Set<string>
  readonly total: { moves: number; kills: number; between: number; twice: number }
  /** The longest that a command took which was not killed, in milliseconds. */
  longestMs: number
}

async function moveToAndFro({ moves, seed, say, atEnd }: Work): Promise<KilledMoves> {
  const sides = await preparePair(atEnd)
  const [merchant = sides.a.demo] = await copyMerchants(sides.a.server.sql, sides.a.demo, 1)
  const [a, b] = [await open(sides.a), await open(sides.b)]
  for (const place of [a, b]) atEnd(() => place.cell.stop())
  const shops = await openShopsOf([merchant], { clients: CLIENTS, port: a.cell.api.port })
  shops.pace(PACE_MS)
  const journey: Journey = {
    merchant,
    shops,
    random: createRandom(seed),
    say,
    lost: new Set(),
    total: { moves: 0, kills: 0, between: 0, twice: 0 },
    longestMs: 0,
  }
  let [from, to] = [a, b]
  for (let move = 1; move <= moves; move += 1) {
    await sleep(PAUSE_MS)
    await oneMove(journey, from, to)
    const { kills } = journey.total
    say(
      `  move ${move}, ${from.letter} to ${to.letter}: ${acceptedOf(shops, merchant.merchantCode)} acknowledged, ${kills} kills`,
    )
    ;[from, to] = [to, from]
  }
  await shops.stop()
  return judge(journey, from, to)
}

const open = async (side: Side): Promise<Place> => ({
  ...side,
  cell: await startCell(side.server, side.letter),
})

async function oneMove(journey: Journey, from: Place, to: Place): Promise<void> {
  const { merchant, shops, random, total } = journey
  const { merchantCode } = merchant
  // The first one is not disturbed: it says how long a move takes.
  if (total.moves > 0) {
    await disturbedMove(journey, from, to)
    if (await isInNeither(from, to, merchantCode)) total.between += 1
    if (random.share() < BACK_SHARE) await giveUp(journey, from, to)
  }
  const early =
    (await cellOf(from.server.sql, merchantCode)) === null
      ? undefined
      : await stateOf(from.server.sql, merchantCode)
  const beganMs = performance.now()
  await mustRun(from.server, from.letter, moveTo(to, merchantCode))
  journey.longestMs = Math.max(journey.longestMs, performance.now() - beganMs)
  const frozen = early ?? (await stateOf(from.server.sql, merchantCode))
  await lead(shops, merchant, to.cell.api.port)
  await untilServed(shops, merchantCode)
  await sleep(PAUSE_MS)
  await requireOnlyIn(to, from, merchantCode)
  if ((await stateOf(from.server.sql, merchantCode)) !== frozen) total.twice += 1
  for (const id of await missingOf(shops, to.server.sql, merchantCode)) journey.lost.add(id)
  await mustRun(to.server, to.letter, ['ledger', 'check'])
  total.moves += 1
}

/** The command is killed at some moment, and in half of the moves the processes of a cell at another one. */
async function disturbedMove(journey: Journey, from: Place, to: Place): Promise<void> {
  const { merchant, random } = journey
  const attempt = killed(journey, from, moveTo(to, merchant.merchantCode))
  const processes =
    random.share() < PROCESSES_SHARE ? killProcesses(journey, random.pick([from, to]), from) : undefined
  await Promise.all([attempt, processes])
}

/** A command that is killed within the time that it takes. What it said, where it ended before with a fault. */
async function killed(journey: Journey, { server, letter }: Side, parts: readonly string[]): Promise<void> {
  const { random, total, say } = journey
  const { exitCode, said } = await command(server, letter, parts, random.below(journey.longestMs))
  if (exitCode === undefined) total.kills += 1
  else if (exitCode !== 0) say(`  refused: ${said.trim()}`)
}

async function killProcesses(journey: Journey, place: Place, from: Place): Promise<void> {
  const { merchant, shops, random, total } = journey
  await sleep(random.below(journey.longestMs))
  await Promise.all([place.cell.api.program.kill(), place.cell.worker.kill()])
  total.kills += 2
  place.cell = await startCell(place.server, place.letter)
  if (place === from) shops.route(merchant.merchantCode, place.cell.api.port)
}

/** Gives the move up, which is killed as well. Then the merchant is where it was, or has arrived: then there is nothing to give up. */
async function giveUp(journey: Journey, from: Place, to: Place): Promise<void> {
  const { merchantCode } = journey.merchant
  const parts = [...moveTo(to, merchantCode), '--back']
  await killed(journey, from, parts)
  const { exitCode, said } = await command(from.server, from.letter, parts)
  if ((await cellOf(from.server.sql, merchantCode)) === null) {
    await untilServed(journey.shops, merchantCode)
    return
  }
  if (exitCode === 0) throw new Error(`given up, and not in cell ${from.letter}: ${said}`)
  await requireOnlyIn(to, from, merchantCode)
}

/** The cell that has the merchant: null for the one that is asked, undefined where it was never. */
async function cellOf(sql: Sql, merchantCode: string): Promise<unknown> {
  const [row] = await sql('select cell from merchants where merchant_code = $1', [merchantCode])
  return row?.['cell']
}

async function isInNeither(one: Side, other: Side, merchantCode: string): Promise<boolean> {
  const cells = await Promise.all([one, other].map(({ server }) => cellOf(server.sql, merchantCode)))
  return cells.every((cell) => cell !== null)
}

async function requireOnlyIn(place: Side, other: Side, merchantCode: string): Promise<void> {
  const [here, there] = [
    await cellOf(place.server.sql, merchantCode),
    await cellOf(other.server.sql, merchantCode),
  ]
  if (here !== null || there !== place.letter)
    throw new Error(
      `${merchantCode} is in ${String(here)} for cell ${place.letter}, and in ${String(there)} for cell ${other.letter}`,
    )
}

/** Until another payment is acknowledged. */
async function untilServed(shops: Shops, merchantCode: string): Promise<void> {
  const deadlineMs = performance.now() + SERVED_MS_MAX
  const before = acceptedOf(shops, merchantCode)
  // Those that were under way may have been acknowledged before.
  while (acceptedOf(shops, merchantCode) <= before + CLIENTS) {
    if (performance.now() > deadlineMs) throw new Error(`${merchantCode} is served nowhere`)
    await sleep(POLL_MS)
  }
}

/** `has`: the cell that has the merchant in the end. */
async function judge(
  { merchant, shops, lost, total }: Journey,
  has: Place,
  left: Place,
): Promise<KilledMoves> {
  const { merchantCode } = merchant
  const [now, before] = [has.server.sql, left.server.sql]
  for (const { server, letter, cell } of [left, has]) {
    await untilDue(server.sql, 0)
    await untilChained(server.sql)
    await cell.stop()
    await mustRun(server, letter, ['ledger', 'check'])
  }
  const account = await accountFor(shops, { [merchantCode]: now })
  const returned = `select count(*) from cell_moves where state = 'RETURNED'`
  return {
    ...total,
    givenUp: (await sqlNumber(now, returned)) + (await sqlNumber(before, returned)),
    acknowledged: account.acknowledged,
    lost: Math.max(lost.size, account.lost),
    doubled: account.doubled,
    changedTransfers: await changedTransfers(before, now, merchantCode),
  }
}
