import type { Database, Tx } from './database.ts'

/** Rolls the transaction back and carries the result out of it. */
class RolledBack<Result> extends Error {
  override readonly name = 'RolledBack'
  readonly result: Result

  constructor(result: Result) {
    super('a dry run is rolled back')
    this.result = result
  }
}

/**
 * A transaction that is under way, as a database: transactions within it are a part of it, so that code that opens its own
 * becomes atomic with what its caller writes. An error that a statement of it causes ends all of it.
 */
export function databaseWithin(tx: Tx): Database {
  return {
    rows: (statement, values) => tx.rows(statement, values),
    transaction: (work) => work(tx),
    listen: () => Promise.reject(new Error('nothing is listened to within a transaction')),
    close: () => Promise.reject(new Error('a transaction is not closed like a database')),
  }
}

/** Runs the work in a transaction that is always rolled back: what would follow, found out by the code that does it. */
export async function dryRun<Result>(
  db: Database,
  work: (dry: Database) => Promise<Result>,
): Promise<Result> {
  try {
    await db.transaction(async (tx) => {
      throw new RolledBack(await work(databaseWithin(tx)))
    })
  } catch (error) {
    // Only our own: whoever threw it knew the type of the result.
    if (error instanceof RolledBack) return (error as RolledBack<Result>).result
    throw error
  }
  throw new Error('a dry run was committed')
}
