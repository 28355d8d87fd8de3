import assert from 'node:assert/strict'
import { Writable } from 'node:stream'
import { createLog, type Log } from '@tollgate/runtime/log'
import { type TestLife, testDatabase } from '@tollgate/testkit'
import { type Database, openDatabase } from '../../../platform/database.ts'

/** A log whose lines the test reads. */
export function testLog(): { readonly log: Log; readonly lines: string[] } {
  const lines: string[] = []
  const destination = new Writable({
    write(chunk, _encoding, done) {
      lines.push(String(chunk))
      done()
    },
  })
  return { log: createLog({ level: 'info', destination }), lines }
}

/** A database of the test's own, closed when the test ends. */
export async function openTestDatabase(t: TestLife): Promise<Database> {
  const { url } = await testDatabase(t)
  const db = openDatabase({ url, poolMax: 4, log: testLog().log, applicationName: 'catalogue test' })
  t.after(() => db.close())
  return db
}

/** A merchant without any terms; its id. */
export async function insertMerchant(db: Database, merchantCode = 'DEMO'): Promise<string> {
  const [row] = await db.rows<{ merchant_id: string }>(
    {
      name: 'test_insert_merchant',
      text: 'insert into merchants (merchant_code, channel_name) values ($1, $1) returning merchant_id',
    },
    [merchantCode],
  )
  assert(row !== undefined)
  return row.merchant_id
}

let statements = 0

/** A change as an operator would make it in psql. */
export async function run(db: Database, text: string): Promise<void> {
  statements += 1
  await db.rows({ name: `test_statement_${statements}`, text }, [])
}
