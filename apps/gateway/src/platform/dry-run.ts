import type { Database, Tx } from './database.ts'

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
  const rollBack = new Error('a dry run is rolled back')
  let found: { readonly result: Result } | undefined
  try {
    await db.transaction(async (tx) => {
      found = { result: await work(databaseWithin(tx)) }
      throw rollBack
    })
  } catch (error) {
    if (error !== rollBack) throw error
  }
  if (found === undefined) throw new Error('a dry run was committed')
  return found.result
}
