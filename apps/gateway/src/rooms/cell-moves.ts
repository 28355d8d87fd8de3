import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { unparkCallbacks } from '../modules/callbacks/index.ts'
import {
  CellProblem,
  copyRows,
  type Fingerprint,
  findHorizon,
  findLatestMove,
  findLetter,
  findMove,
  fingerprintOf,
  insertMove,
  type MovingTable,
  removeRows,
  removeStrays,
  seeOneMoment,
  updateMoveHead,
  updateMoveReturned,
} from '../modules/cells/index.ts'
import { hasUnchainedOf, JOURNAL } from '../modules/journal/index.ts'
import { listPlacedMerchants, type PlacedMerchant, updateMerchantCell } from '../modules/merchants/index.ts'
import {
  countPayments,
  raiseInquiryNumbers,
  recountMerchant,
  unparkTasks,
} from '../modules/payments/index.ts'
import { hasGapTracesOf } from '../modules/payouts/index.ts'
import { raiseHorizons } from '../modules/retention/index.ts'
import { hasWaitingLinesOf } from '../modules/statements/index.ts'
import { CHAIN_BEGINNING, createChainer, findHead, printHead } from '../platform/chain/index.ts'
import { CommitUnknown, type Database, missingIn, type Tx } from '../platform/database.ts'
import { pendingMigrations } from '../platform/migrate.ts'
import { DUE, HISTORY, MERCHANT, STATE, SWITCHES } from './cell-move-tables.ts'
import { endMerchants, place, requireOwner, requireSplittable } from './cells.ts'

// A merchant moves into a cell that has a past of its own (docs/cells.md). All that the new cell gets of it is one transaction there: it
// copies what there is while the merchant is served, then ends the merchant in the old cell, copies what changed, compares, and commits.
// Until that commit the merchant is whole in the old cell, served or ended; from then on in the new one.

/** A move that is wished for. Both databases are used as the owner of their tables. */
export interface Moving {
  readonly source: Database
  readonly target: Database
  readonly merchantCode: string
  readonly from: string
  readonly to: string
}

/** What a move did. Times in seconds. */
interface Moved {
  readonly merchantCode: string
  readonly rows: number
  readonly transfers: number
  /** An end of the old cell’s journal with all that it had booked for the merchant; undefined while the journal is behind. */
  readonly journalHead: string | undefined
  /** It had been done before: the command was repeated. */
  readonly wasDone: boolean
  /** While the merchant was served. */
  readonly copySeconds: number
  /** From the end in the old cell, or the repetition of the command after that, to the beginning in the new one. */
  readonly pauseSeconds: number
}

/** A merchant on its way. */
interface Way extends Moving {
  readonly merchant: PlacedMerchant
  readonly moveId: string
  /** How far an earlier command came: it is served in the old cell, ended there, or has arrived. */
  readonly stage: 'SERVED' | 'ENDED' | 'ARRIVED'
}

/** Says whether the merchant can move, and with how many payments. Throws CellProblem. */
export async function tryMove(
  moving: Moving,
): Promise<{ readonly payments: number; readonly wasDone: boolean }> {
  const { stage, merchant } = await findWay(moving)
  return { payments: await countPayments(moving.source, merchant.merchantId), wasDone: stage === 'ARRIVED' }
}

const NOTHING = { rows: 0, transfers: 0, copySeconds: 0, pauseSeconds: 0 }

/**
 * Moves a merchant with everything that belongs to it. Interrupted anywhere it is whole in one of the two cells, and repeating the
 * command goes on. Throws CellProblem.
 */
export async function moveMerchant(moving: Moving): Promise<Moved> {
  const way = await findWay(moving)
  const wasDone = way.stage === 'ARRIVED'
  const did = wasDone ? NOTHING : await arrive(way)
  return { merchantCode: moving.merchantCode, ...did, wasDone, journalHead: await noteHead(way) }
}

async function arrive(way: Way): Promise<typeof NOTHING> {
  const beganMs = performance.now()
  let copiedMs = beganMs
  const counts = await settle(way, () =>
    way.target.transaction(async (into) => {
      const horizon = await copyHistory(into, way)
      copiedMs = performance.now()
      if (way.stage === 'SERVED') await release(way)
      return finishArrival(into, way, horizon)
    }),
  )
  const pauseSeconds = (performance.now() - copiedMs) / 1000
  return { ...counts, copySeconds: (copiedMs - beganMs) / 1000, pauseSeconds }
}

/** Throws in words for an operator. The answer of the last commit may be lost: whether it happened is in the database. */
async function settle(way: Way, work: () => Promise<Counts>): Promise<Counts> {
  try {
    return await work()
  } catch (error) {
    const lacking = missingIn(error)
    if (lacking !== undefined)
      throw new CellProblem(
        `Cell ${way.to} lacks what ${way.merchantCode} refers to: ${lacking} Publish it there first (\`tollgate cells check\`).`,
        'CONFLICT',
      )
    if (error instanceof CommitUnknown)
      throw new CellProblem(
        `The connection to a database was lost. Repeat the command: it finds out how far ${way.merchantCode} came, and goes on.`,
        'CONFLICT',
      )
    throw error
  }
}

/** Where the merchant is, and whether it may go. */
async function findWay(moving: Moving): Promise<Way> {
  const { source } = moving
  await requireCells(moving)
  const merchant = await findMerchant(moving)
  if (merchant.cell !== null) return findWayOn(moving, merchant)
  await requirePlace(moving, merchant)
  await requireMovable(source, merchant)
  return { ...moving, merchant, moveId: randomUUID(), stage: 'SERVED' }
}

/** The way of a merchant that has ended here, by an earlier command. */
async function findWayOn(moving: Moving, merchant: PlacedMerchant): Promise<Way> {
  const { source, target, to } = moving
  const move = await findLatestMove(source, merchant.merchantId)
  if (merchant.cell !== to || move?.state !== 'RELEASED')
    throw new CellProblem(
      `The merchant ${merchant.merchantCode} is in cell ${String(merchant.cell)} already.`,
      'CONFLICT',
    )
  const { moveId } = move
  const there = await findMove(target, moveId)
  if (there?.state === 'REFUSED')
    throw new CellProblem('This move was given up. Finish that: repeat the command with --back.', 'CONFLICT')
  if (there !== undefined) return { ...moving, merchant, moveId, stage: 'ARRIVED' }
  await requirePlace(moving, merchant)
  return { ...moving, merchant, moveId, stage: 'ENDED' }
}

async function requireCells({ source, target, from, to }: Moving): Promise<void> {
  if (from === to) throw new CellProblem(`This is cell ${from} already: name another letter.`)
  for (const [db, letter] of [
    [source, from],
    [target, to],
  ] as const) {
    await requireOwner(db)
    if ((await pendingMigrations(db)).length > 0)
      throw new CellProblem(
        `The database of cell ${letter} is of an older version: migrate it first.`,
        'CONFLICT',
      )
    const found = await findLetter(db)
    if (found === letter) continue
    throw new CellProblem(
      found === undefined
        ? `The database of cell ${letter} does not say which cell it is: start the cell once with TOLLGATE_CELL=${letter}.`
        : `The database that was given for cell ${letter} is that of cell ${found}.`,
      'CONFLICT',
    )
  }
}

async function findMerchant({ source, merchantCode }: Moving): Promise<PlacedMerchant> {
  const merchant = (await listPlacedMerchants(source)).find((each) => each.merchantCode === merchantCode)
  if (merchant === undefined)
    throw new CellProblem(`There is no merchant ${merchantCode} in this cell.`, 'NOT_FOUND')
  return merchant
}

/** Neither the merchant’s code nor its number is another merchant’s there; itself it may have been there before. */
async function requirePlace(
  { target, from, to }: Moving,
  { merchantId, merchantCode }: PlacedMerchant,
): Promise<void> {
  const there = (await listPlacedMerchants(target)).filter(
    (each) => each.merchantId === merchantId || each.merchantCode === merchantCode,
  )
  for (const each of there) {
    if (each.merchantId !== merchantId)
      throw new CellProblem(`Cell ${to} has another merchant ${merchantCode}.`, 'CONFLICT')
    if (each.merchantCode !== merchantCode)
      throw new CellProblem(
        `The number of ${merchantCode} is that of ${each.merchantCode} in cell ${to}, since the two cells numbered their merchants by themselves. Split ${merchantCode} off instead.`,
        'CONFLICT',
      )
    if (each.cell === null)
      throw new CellProblem(
        `Cell ${to} has ${merchantCode} as well as cell ${from}: it was opened twice.`,
        'CONFLICT',
      )
  }
}

/** What the old cell alone can end. Throws CellProblem. */
async function requireMovable(tx: Tx, merchant: PlacedMerchant): Promise<void> {
  await requireSplittable(tx, [merchant])
  const { merchantId, merchantCode } = merchant
  if (await hasWaitingLinesOf(tx, merchantId))
    throw new CellProblem(
      `Lines of bank statements that name payments of ${merchantCode} wait for an operator: decide on them first. Nothing was changed.`,
      'CONFLICT',
    )
  if (await hasGapTracesOf(tx, merchantId))
    throw new CellProblem(
      `Payouts of ${merchantCode} are stopped after a restore, and only this cell knows why: it stays. Split it off instead.`,
      'CONFLICT',
    )
}

/** Ends the merchant in the old cell: from the commit on it belongs to the new one. */
async function release({ source, merchant, moveId, from, to }: Way): Promise<void> {
  const { merchantId } = merchant
  await endMerchants(source, {
    to,
    merchantIds: [merchantId],
    check: (tx) => requireMovable(tx, merchant),
    async note(tx) {
      await insertMove(tx, { moveId, merchantId, fromCell: from, toCell: to, state: 'RELEASED' })
    },
  })
}

const MOST: readonly MovingTable[] = [...new Set([...STATE, ...HISTORY, ...DUE.map(({ table }) => table)])]
/** Whoever writes these keeps payouts of the new cell waiting until the end. */
const LAST: readonly MovingTable[] = [MERCHANT, ...SWITCHES]

/** Copies what there is of the merchant; gives which transactions may have written what was not seen. */
function copyHistory(into: Tx, { source, merchant: { merchantId } }: Way): Promise<string> {
  return source.transaction(async (from) => {
    await seeOneMoment(from)
    const horizon = await findHorizon(from)
    // First, since it makes another move of the same merchant wait.
    await copyRows(from, into, { table: { ...MERCHANT, isOnlyAdded: true }, merchantId })
    const there = (await listPlacedMerchants(into)).find((each) => each.merchantId === merchantId)
    // What is written of it is the fence's business no more, in this transaction.
    if (there?.cell != null) await updateMerchantCell(into, [merchantId], { from: there.cell, to: null })
    for (const table of [...STATE, ...HISTORY]) {
      const isDue = DUE.some((due) => due.table.name === table.name)
      await copyRows(from, into, { table, merchantId, ...(isDue && { only: `t.state <> 'PENDING'` }) })
    }
    return horizon
  })
}

interface Counts {
  readonly rows: number
  readonly transfers: number
}

const CHAIN_ROUNDS_MAX = 100
const CHAIN_PAUSE_MS = 50

/**
 * Notes in the new cell an end of the old cell’s journal that has everything of the merchant; undefined while the journal is behind: somebody
 * else may be chaining, and writers that began before hold it back.
 */
async function noteHead({ source, target, merchant, moveId }: Way): Promise<string | undefined> {
  const chainer = createChainer(source, JOURNAL)
  for (let round = 0; round < CHAIN_ROUNDS_MAX; round += 1) {
    await chainer.chain()
    if (await hasUnchainedOf(source, merchant.merchantId)) {
      await sleep(CHAIN_PAUSE_MS)
      continue
    }
    await updateMoveHead(target, moveId, printHead((await findHead(source, JOURNAL)) ?? CHAIN_BEGINNING))
    return (await findMove(target, moveId))?.journalHead ?? undefined
  }
  return undefined
}

/** Copies what the merchant has come to, and makes it the new cell's. */
async function finishArrival(into: Tx, way: Way, horizon: string): Promise<Counts> {
  const { source, merchant, moveId, from: fromCell, to: toCell } = way
  const { merchantId } = merchant
  const counts = await source.transaction(async (from) => {
    await seeOneMoment(from)
    if ((await findMove(from, moveId))?.state !== 'RELEASED') throw givenUp()
    for (const { table, parkedIn } of DUE) {
      await removeRows(into, { table: parkedIn, merchantId })
      await copyRows(from, into, { table, merchantId, from: parkedIn.name })
    }
    for (const table of HISTORY) await copyRows(from, into, { table, merchantId, since: horizon })
    for (const table of STATE) await copyRows(from, into, { table, merchantId })
    await raiseHorizons(from, into)
    await raiseInquiryNumbers(into, merchantId)
    await recountMerchant(into, merchantId)
    const most = await compareAll(MOST, from, into, merchantId)
    for (const table of LAST) await copyRows(from, into, { table, merchantId })
    const last = await compareAll(LAST, from, into, merchantId)
    return { ...most, rows: most.rows + last.rows }
  })
  const isFirst = await insertMove(into, { moveId, merchantId, fromCell, toCell, state: 'ARRIVED' })
  if (!isFirst) throw givenUp()
  return counts
}

const givenUp = (): CellProblem =>
  new CellProblem('This move was given up meanwhile: the merchant stays where it was.', 'CONFLICT')

/** Throws unless both databases have the same rows of the merchant; gives how many. */
async function compareAll(
  tables: readonly MovingTable[],
  from: Tx,
  into: Tx,
  merchantId: string,
): Promise<Counts> {
  let [rows, transfers] = [0, 0]
  for (const table of tables) {
    const parkedIn = DUE.find((due) => due.table.name === table.name)?.parkedIn.name
    const sums = [
      sumOf(from, { table, merchantId }, parkedIn),
      fingerprintOf(into, { table, merchantId }),
    ] as const
    // Neither is left alone at work in a transaction that ends.
    await Promise.allSettled(sums)
    const there = await sums[0]
    let here = await sums[1]
    if (!isSame(there, here)) {
      await removeStrays(from, into, { table, merchantId }, parkedIn)
      here = await fingerprintOf(into, { table, merchantId })
    }
    if (!isSame(there, here))
      throw new CellProblem(
        `The merchant's rows of ${table.name} are not the same in both cells, ${there.rows} and ${here.rows}. Nothing arrived: repeat the command, or give it up with --back.`,
        'CONFLICT',
      )
    rows += here.rows
    if (table.name === 'ledger_transfers') transfers = here.rows
  }
  return { rows, transfers }
}

const isSame = (one: Fingerprint, other: Fingerprint): boolean =>
  one.rows === other.rows && one.sum === other.sum

async function sumOf(
  tx: Tx,
  of: Parameters<typeof fingerprintOf>[1],
  alsoFrom?: string,
): Promise<Fingerprint> {
  const main = await fingerprintOf(tx, of)
  if (alsoFrom === undefined) return main
  const also = await fingerprintOf(tx, { ...of, from: alsoFrom })
  return { rows: main.rows + also.rows, sum: main.sum + also.sum }
}

/** What giving up a move did. */
interface GivenUp {
  readonly merchantCode: string
  /** The merchant was in the old cell: nothing was to be done. */
  readonly wasDone: boolean
}

/**
 * Gives up a move that was interrupted: the merchant goes on in the old cell, and that move can arrive no more. Repeated, it changes
 * nothing. Throws CellProblem.
 */
export async function giveUpMove(moving: Moving): Promise<GivenUp> {
  const { source, target, merchantCode, from: fromCell, to: toCell } = moving
  await requireCells(moving)
  const { merchantId, cell } = await findMerchant(moving)
  if (cell === null) return { merchantCode, wasDone: true }
  const move = await findLatestMove(source, merchantId)
  if (cell !== toCell || move?.state !== 'RELEASED')
    throw new CellProblem(
      `The merchant ${merchantCode} is in cell ${cell}, and did not leave by a move to ${toCell}.`,
      'CONFLICT',
    )
  const { moveId } = move
  const isRefused = await insertMove(target, { moveId, merchantId, fromCell, toCell, state: 'REFUSED' })
  if (!isRefused && (await findMove(target, moveId))?.state === 'ARRIVED')
    throw new CellProblem(
      `The merchant ${merchantCode} has arrived in cell ${toCell}. To have it back, move it from there.`,
      'CONFLICT',
    )
  await source.transaction(async (tx) => {
    await place(tx, [merchantId], { from: toCell, to: null })
    await unparkTasks(tx, [merchantId])
    await unparkCallbacks(tx, [merchantId])
    await updateMoveReturned(tx, moveId)
  })
  return { merchantCode, wasDone: false }
}
