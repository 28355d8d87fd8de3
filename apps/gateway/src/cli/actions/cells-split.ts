import { createLog } from '@tollgate/runtime/log'
import type { Config } from '../../config.ts'
import { type Database, openDatabase } from '../../platform/database.ts'
import { findMigrationTarget } from '../../programs/installation.ts'
import { openCell, releaseMerchants } from '../../rooms/cells.ts'
import { CELL } from '../../settings.ts'
import { CommandFailure } from '../failure.ts'
import { readTextOrInput } from '../files.ts'
import { noInstallation } from '../installation.ts'
import type { Report, Shell } from '../shell.ts'

/** What is due for many merchants is many rows, and a journal that is far behind takes its time. */
const QUERY_MS_MAX = 600_000

/** Works as the owner of the tables: a fence is theirs to set up. */
async function withOwner<Result>(config: Config, work: (db: Database) => Promise<Result>): Promise<Result> {
  const target = await findMigrationTarget(config)
  if (target === undefined) throw noInstallation(config)
  const db = openDatabase({
    url: target.url,
    poolMax: 2,
    log: createLog({ level: 'silent' }),
    applicationName: 'tollgate cells',
    queryTimeoutMs: QUERY_MS_MAX,
  })
  try {
    return await work(db)
  } finally {
    await db.close()
  }
}

function cellOf({ TOLLGATE_CELL: cell }: Config): string {
  if (cell !== undefined) return cell
  throw new CommandFailure(
    'USAGE',
    'TOLLGATE_CELL is not set: an installation needs its letter before it is split.',
  )
}

interface ReleaseWish {
  readonly merchant?: readonly string[]
  readonly merchantsFile?: string
  readonly dryRun?: true
}

/** `tollgate cells release` */
export async function release(shell: Shell, to: string, wish: ReleaseWish): Promise<Report> {
  const config = await shell.config()
  const from = cellOf(config)
  if (!CELL.test(to))
    throw new CommandFailure(
      'USAGE',
      `A cell has one capital letter other than I, L, O and U; this is ${JSON.stringify(to)}.`,
    )
  const merchantCodes = await codesOf(shell, wish)
  const isDryRun = wish.dryRun === true
  const { merchants, wasDone, tries } = await withOwner(config, (db) =>
    releaseMerchants(db, { from, to, merchantCodes, isDryRun }),
  )
  return {
    json: { from, to, merchants, wasDone, isDryRun, tries },
    text: releasedText({ to, merchants, wasDone, isDryRun }),
    ...(!isDryRun && {
      notes: [
        `Now promote a copy of this database that has everything up to here, and run \`TOLLGATE_CELL=${to} tollgate cells open\` on it: docs/cells.md, "Splitting a cell".`,
      ],
    }),
  }
}

async function codesOf(
  shell: Shell,
  { merchant = [], merchantsFile }: ReleaseWish,
): Promise<readonly string[]> {
  const lines = merchantsFile === undefined ? '' : await readTextOrInput(shell, merchantsFile)
  const listed = lines.split(/\r?\n/).map((line) => line.trim())
  const codes = [...merchant, ...listed.filter((line) => line !== '')]
  if (codes.length > 0) return codes
  throw new CommandFailure(
    'USAGE',
    'Name the merchants that go: --merchant <code>, repeated, or --merchants-file <file>.',
  )
}

function releasedText({
  to,
  merchants,
  wasDone,
  isDryRun,
}: {
  readonly to: string
  readonly merchants: number
  readonly wasDone: boolean
  readonly isDryRun: boolean
}): string {
  const who = merchants === 1 ? '1 merchant' : `${merchants} merchants`
  if (wasDone) return `Cell ${to} has ${who} of these already. Nothing was changed.`
  if (isDryRun) return `${who} could go to cell ${to}. Nothing was changed (dry run).`
  return `${who} ended here, and go on in cell ${to} once it is open.`
}

/** `tollgate cells open` */
export async function open(shell: Shell): Promise<Report> {
  const config = await shell.config()
  const cell = cellOf(config)
  const { fromCell, merchants, wasDone } = await withOwner(config, (db) => openCell(db, cell))
  const who = merchants === 1 ? '1 merchant' : `${merchants} merchants`
  return {
    json: { cell, fromCell, merchants, wasDone },
    text: wasDone
      ? `This is cell ${cell} already, with ${who}. Nothing was changed.`
      : `This is cell ${cell} now, with ${who} of cell ${fromCell}.`,
    notes: [
      'Start its processes, add it (`tollgate cells add`), and let the router know (`tollgate cells route`). Never open another copy as this cell.',
    ],
  }
}
