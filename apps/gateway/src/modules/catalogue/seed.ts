import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { Tx } from '../../platform/database.ts'

/** The sandbox's catalogue: one `do` block, so one statement and all or nothing; psql runs it as well. */
const SANDBOX_CATALOGUE_PATH = fileURLToPath(new URL('../../../seed/catalogue.sql', import.meta.url))

/** Adds what the sandbox's catalogue has and the database has not. What is there already stays as the operator left it. */
export async function seedSandboxCatalogue(db: Tx): Promise<void> {
  const text = await readFile(SANDBOX_CATALOGUE_PATH, 'utf8')
  await db.rows({ name: 'catalogue_seed_sandbox', text }, [])
}
