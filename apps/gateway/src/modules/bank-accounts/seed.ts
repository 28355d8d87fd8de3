import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { Tx } from '../../platform/database.ts'

const SANDBOX_ACCOUNTS_PATH = fileURLToPath(new URL('../../../seed/bank-accounts.sql', import.meta.url))

/** Adds the sandbox's accounts where they are not there. Its currencies must be there. */
export async function seedSandboxBankAccounts(db: Tx): Promise<void> {
  const text = await readFile(SANDBOX_ACCOUNTS_PATH, 'utf8')
  await db.rows({ name: 'bank_accounts_seed_sandbox', text }, [])
}
