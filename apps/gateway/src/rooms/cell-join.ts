import { CellProblem, findLetter, insertLetter, isUnused } from '../modules/cells/index.ts'
import { numberMerchants } from '../modules/merchants/index.ts'
import type { Database } from '../platform/database.ts'
import { copyRootKey } from '../platform/root-key.ts'
import { requireOwner } from './cells.ts'

/** A new cell, and one between which and it merchants are to move. */
interface Joining {
  readonly db: Database
  readonly letter: string
  readonly other: Database
}

/**
 * Gives a new cell the root key of another, and numbers of its own for its merchants: between the two, merchants can move
 * (docs/cells.md). By the owner of the tables, before anybody uses the new cell. Repeated, it changes nothing. Throws CellProblem.
 */
export async function joinCell({ db, letter, other }: Joining): Promise<{ readonly wasDone: boolean }> {
  await requireOwner(db)
  const [own, others] = [await findLetter(db), await findLetter(other)]
  if (others === letter)
    throw new CellProblem(
      `The database in the file is that of cell ${letter} itself: name one of another cell.`,
    )
  if (own !== undefined && own !== letter)
    throw new CellProblem(`This database is of cell ${own}, not ${letter}.`, 'CONFLICT')
  if (own === letter && !(await isUnused(db))) return { wasDone: true }
  if (!(await isUnused(db)))
    throw new CellProblem(
      'This cell has been used: what is in it was made under a root key of its own. Only a cell without merchants, operators and keys can join.',
      'CONFLICT',
    )
  await db.transaction(async (tx) => {
    await copyRootKey(other, tx)
    await numberMerchants(tx, letter)
    await insertLetter(tx, letter)
  })
  return { wasDone: false }
}
