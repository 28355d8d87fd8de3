import type { Database, Statement } from '../../platform/database.ts'
import type { Secrets } from '../../platform/secrets.ts'
import { storeAccount } from './administration.ts'

const INSERT_CYCLES: Statement = {
  name: 'settlements_seed_cycles',
  text: `insert into settlement_cycles (merchant_id, currency_code, cycle, due_at)
    select $1, currency_code, 'DAILY', (date_trunc('day', clock_timestamp() at time zone 'UTC') + interval '1 day') at time zone 'UTC'
    from currencies on conflict do nothing`,
}

/** Those of BANK_TRANSFER in the sandbox's catalogue. */
const CURRENCIES = ['EUR', 'CZK', 'USD', 'JPY', 'KWD', 'INR', 'BRL'] as const

/** Gives a merchant of the sandbox a daily cycle in every currency, and accounts of the sandbox to be paid out to. */
export async function seedSandboxSettlements(
  deps: { readonly db: Database; readonly secrets: Secrets },
  merchantId: string,
): Promise<void> {
  await deps.db.rows(INSERT_CYCLES, [merchantId])
  for (const currencyCode of CURRENCIES) {
    // No account of any bank: nobody can send real money there.
    const account = {
      accountName: 'Demo Shop',
      accountNumber: `SANDBOX-${currencyCode}-000099`,
      bankCode: 'TESTXS00',
    }
    await storeAccount(deps, {
      merchantId,
      currencyCode,
      methodCode: 'BANK_TRANSFER',
      operatorCode: undefined,
      account,
      setBy: undefined,
    })
  }
}
