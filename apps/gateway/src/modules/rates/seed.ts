import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { Tx } from '../../platform/database.ts'

/** The sandbox's rate list: one `do` block, so one statement and all or nothing; psql runs it as well. */
const SANDBOX_RATES_PATH = fileURLToPath(new URL('../../../seed/rates.sql', import.meta.url))

/** Adds the list SANDBOX with its one sheet of invented rates, where there is no list of that code. */
export async function seedSandboxRates(db: Tx): Promise<void> {
  const text = await readFile(SANDBOX_RATES_PATH, 'utf8')
  await db.rows({ name: 'rates_seed_sandbox', text }, [])
}
