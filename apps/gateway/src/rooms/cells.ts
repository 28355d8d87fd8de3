import { setTimeout as sleep } from 'node:timers/promises'
import { parkCallbacks, unparkCallbacks } from '../modules/callbacks/index.ts'
import {
  CellProblem,
  enableFences,
  findLetter,
  findPowerlessUser,
  findSplitTo,
  findUse,
  insertSplit,
  lockFences,
  updateSplitOpened,
} from '../modules/cells/index.ts'
import { expireAllActs } from '../modules/confirmations/index.ts'
import { JOURNAL } from '../modules/journal/index.ts'
import {
  listPlacedMerchants,
  numberMerchants,
  type PlacedMerchant,
  updateMerchantCell,
} from '../modules/merchants/index.ts'
import { listBoundPayments, parkTasks, unparkTasks } from '../modules/payments/index.ts'
import { hasNewLines } from '../modules/statements/index.ts'
import { createChainer, findHead } from '../platform/chain/index.ts'
import { type Database, isLockTimeout, type Tx } from '../platform/database.ts'
import { FILE_RAILS } from './restore-gap.ts'

// A cell is split in two by a copy of its database (docs/cells.md). In the cell, `releaseMerchants` ends some merchants in one
// transaction; the copy gets that transaction like every other, and `openCell` makes it the new cell. Between the two the merchants
// are served nowhere, and there is no moment at which they are served in both.

/** What is to be split. */
interface Release {
  readonly from: string
  readonly to: string
  readonly merchantCodes: readonly string[]
  readonly isDryRun: boolean
}

/** Throws CellProblem for anybody but the owner of the tables. */
export async function requireOwner(tx: Tx): Promise<void> {
  const user = await findPowerlessUser(tx)
  if (user !== undefined)
    throw new CellProblem(
      `The database user ${user} does not own the tables. Set TOLLGATE_MIGRATE_DATABASE_URL to the same database with the user that does.`,
    )
}

/** What was found, and done unless it was a dry run. */
interface Released {
  readonly merchants: number
  /** It had been done before: the command was repeated. */
  readonly wasDone: boolean
  /** How often others were writing when the tables were to be locked. */
  readonly tries: number
}

const TRIES_MAX = 100
const PAUSE_MS = 100

/**
 * Ends merchants in this cell for the sake of the new one: from the commit on, nothing of them is taken or done here. By the owner of
 * the tables, while the gateway works. Repeated, it changes nothing. Throws CellProblem.
 */
export async function releaseMerchants(db: Database, release: Release): Promise<Released> {
  const { from, to } = release
  await requireOwner(db)
  const letter = await findLetter(db)
  if (letter !== undefined && letter !== from)
    throw new CellProblem(`This database is of cell ${letter}, not ${from}.`, 'CONFLICT')
  if (from === to) throw new CellProblem(`This is cell ${from} already: name another letter.`)
  const chosen = choose(await listPlacedMerchants(db), release.merchantCodes)
  const split = await findSplitTo(db, to)
  if (split !== undefined) {
    if (chosen.every(({ cell }) => cell === to)) return { merchants: chosen.length, wasDone: true, tries: 0 }
    throw new CellProblem(
      `Cell ${to} was split off on ${split.releasedAt.toISOString()}, with other merchants. Each split makes a new cell: choose another letter.`,
      'CONFLICT',
    )
  }
  const gone = chosen.find(({ cell }) => cell !== null)
  if (gone !== undefined)
    throw new CellProblem(
      `The merchant ${gone.merchantCode} is in cell ${gone.cell ?? ''} already.`,
      'CONFLICT',
    )
  await requireSplittable(db, chosen)
  if (release.isDryRun) return { merchants: chosen.length, wasDone: false, tries: 0 }
  const tries = await endMerchants(db, {
    to,
    merchantIds: idsOf(chosen),
    async check(tx) {
      await requireSplittable(tx, chosen)
      await refuseNewLines(tx)
    },
    note: (tx) => insertSplit(tx, from, to),
  })
  return { merchants: chosen.length, wasDone: false, tries }
}

const idsOf = (merchants: readonly PlacedMerchant[]): readonly string[] =>
  merchants.map(({ merchantId }) => merchantId)

function choose(all: readonly PlacedMerchant[], codes: readonly string[]): readonly PlacedMerchant[] {
  const byCode = new Map(all.map((merchant) => [merchant.merchantCode, merchant]))
  const unknown = codes.filter((code) => !byCode.has(code))
  if (unknown.length > 0)
    throw new CellProblem(`There are no merchants ${unknown.join(', ')}. Nothing was changed.`, 'NOT_FOUND')
  return [...new Set(codes)].flatMap((code) => byCode.get(code) ?? [])
}

/** Throws CellProblem where merchants have something that only the cell can end that began it. */
export async function requireSplittable(tx: Tx, merchants: readonly PlacedMerchant[]): Promise<void> {
  const codes = new Map(merchants.map(({ merchantId, merchantCode }) => [merchantId, merchantCode]))
  const bound = await listBoundPayments(tx, [...codes.keys()], FILE_RAILS)
  if (bound.length === 0) return
  const faults = bound.map(
    ({ merchantId, onChains, outgoing }) =>
      `${codes.get(merchantId) ?? ''}: ${onChains} payments with an address on a chain, ${outgoing} payouts that wait for a bank file, or for the bank’s word on one`,
  )
  throw new CellProblem(
    'Some merchants have payments that only this cell can end. Nothing was changed.',
    'CONFLICT',
    faults,
  )
}

/** How merchants end here. */
interface Ending {
  /** The cell in which they go on. */
  readonly to: string
  readonly merchantIds: readonly string[]
  /** Throws where they cannot go after all: nobody writes by now. */
  check(tx: Tx): Promise<void>
  /** Notes why they ended. */
  note(tx: Tx): Promise<void>
}

/**
 * Ends merchants in this cell, in one transaction that waits until nobody writes; gives the number of tries that took. By the owner of
 * the tables. Throws CellProblem.
 */
export function endMerchants(db: Database, { to, merchantIds, check, note }: Ending): Promise<number> {
  return persist(() =>
    db.transaction(async (tx) => {
      await lockFences(tx)
      await check(tx)
      await parkTasks(tx, merchantIds)
      await parkCallbacks(tx, merchantIds)
      await place(tx, merchantIds, { from: null, to })
      await note(tx)
      await enableFences(tx)
    }),
  )
}

/** Each database would look at them for itself, and have their money in suspense. */
async function refuseNewLines(tx: Tx): Promise<void> {
  if (!(await hasNewLines(tx))) return
  throw new CellProblem(
    'Lines of a bank statement are being looked at. Nothing was changed: repeat it in a moment.',
    'CONFLICT',
  )
}

/** Says where merchants are from now on. Throws CellProblem where somebody else was at it meanwhile. */
export async function place(...args: Parameters<typeof updateMerchantCell>): Promise<void> {
  if (!(await updateMerchantCell(...args)))
    throw new CellProblem('Merchants were moved in the meantime. Nothing was changed: repeat it.', 'CONFLICT')
}

/** The number of tries. The locks are waited for a moment only, since all merchants wait behind them. */
async function persist(work: () => Promise<void>): Promise<number> {
  for (let tries = 1; tries <= TRIES_MAX; tries += 1) {
    try {
      await work()
      return tries
    } catch (error) {
      if (!isLockTimeout(error)) throw error
      await sleep(PAUSE_MS)
    }
  }
  throw new CellProblem(
    `Others were writing at each of ${TRIES_MAX} tries, some of them for long. Nothing was changed: repeat it at a quieter time.`,
    'CONFLICT',
  )
}

/** What the new cell has. */
interface Opened {
  readonly fromCell: string
  readonly merchants: number
  readonly wasDone: boolean
}

/**
 * Makes a copy of a cell's database the new cell. The copy must have the release in it, must not follow its server any more, and no
 * process of a gateway may use it. By the owner of the tables. Repeated, it changes nothing. Throws CellProblem.
 */
export async function openCell(db: Database, letter: string): Promise<Opened> {
  await requireOwner(db)
  const { isStandby, hasProcesses } = await findUse(db)
  if (isStandby)
    throw new CellProblem(
      'This database still follows its server. Promote it once it has everything, then repeat.',
      'CONFLICT',
    )
  const split = await findSplitTo(db, letter)
  if (split === undefined)
    throw new CellProblem(
      `No merchants were released to cell ${letter} in this database: it is no copy of the cell that was split, or an older one than \`tollgate cells release\`.`,
      'CONFLICT',
    )
  const { fromCell } = split
  const placed = await listPlacedMerchants(db)
  if (split.openedAt !== null)
    return { fromCell, merchants: placed.filter(({ cell }) => cell === null).length, wasDone: true }
  const current = await findLetter(db)
  if (current !== fromCell)
    throw new CellProblem(
      `This database is of cell ${current ?? ''}, and cell ${letter} was split off cell ${fromCell}.`,
      'CONFLICT',
    )
  if (hasProcesses)
    throw new CellProblem(
      'Processes of a gateway are connected to this database. If it is the copy, stop them; if it is the cell itself, never open it.',
      'CONFLICT',
    )
  const chainer = createChainer(db, JOURNAL)
  while ((await chainer.chain()).isFull);
  const own = placed.filter(({ cell }) => cell === letter)
  const others = placed.filter(({ cell }) => cell === null)
  await db.transaction(async (tx) => {
    await lockFences(tx)
    await parkTasks(tx, idsOf(others))
    await parkCallbacks(tx, idsOf(others))
    await place(tx, idsOf(others), { from: null, to: fromCell })
    await place(tx, idsOf(own), { from: letter, to: null })
    await unparkTasks(tx, idsOf(own))
    await unparkCallbacks(tx, idsOf(own))
    // They are decided in the cell where they were proposed.
    await expireAllActs(tx)
    await updateSplitOpened(tx, letter, (await findHead(tx, JOURNAL))?.entryNo ?? 0)
    await numberMerchants(tx, letter)
  })
  return { fromCell, merchants: own.length, wasDone: false }
}
