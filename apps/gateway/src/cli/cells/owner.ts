import { createLog } from '@tollgate/runtime/log'
import type { Config } from '../../config.ts'
import { type Database, openDatabase } from '../../platform/database.ts'
import { findMigrationTarget } from '../../programs/installation.ts'
import { CELL } from '../../settings.ts'
import { CommandFailure } from '../failure.ts'
import { noInstallation } from '../installation.ts'

// What commands that split a cell, or move a merchant, have in common.

/** What is due for many merchants is many rows, and a journal that is far behind takes its time. */
const QUERY_MS_MAX = 600_000

/** Works as the owner of the tables of this cell: a fence is theirs to set up. */
export async function withOwner<Result>(
  config: Config,
  work: (db: Database) => Promise<Result>,
): Promise<Result> {
  const target = await findMigrationTarget(config)
  if (target === undefined) throw noInstallation(config)
  return withDatabase(target.url, work)
}

/** The same in the database of another cell. */
export async function withDatabase<Result>(
  url: string,
  work: (db: Database) => Promise<Result>,
): Promise<Result> {
  const db = openDatabase({
    url,
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

/** The letter of this cell. Throws a sentence where it has none. */
export function cellOf({ TOLLGATE_CELL: cell }: Config): string {
  if (cell !== undefined) return cell
  throw new CommandFailure('USAGE', 'TOLLGATE_CELL is not set: an installation needs its letter first.')
}

/** Throws a sentence for anything but the letter of a cell. */
export function requireLetter(letter: string): void {
  if (CELL.test(letter)) return
  throw new CommandFailure(
    'USAGE',
    `A cell has one capital letter other than I, L, O and U; this is ${JSON.stringify(letter)}.`,
  )
}
