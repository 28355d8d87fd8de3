import type { Statement, Tx } from '../../platform/database.ts'
import { type CycleKey, type ShownAccount, shownNumber } from './model.ts'

/** The account that a merchant is paid out to in a currency, still sealed. */
export interface StoredAccount extends CycleKey, ShownAccount {
  readonly dataKey: Buffer
  readonly sealed: Buffer
  /** The operator who set it; undefined for the command line, and before this was stored. */
  readonly setBy: string | undefined
  readonly updatedAt: Date
}

const COLUMNS =
  'merchant_id, currency_code, method_code, operator_code, data_key, sealed, masked_number, set_by, updated_at'

const UPSERT: Statement = {
  name: 'settlements_upsert_account',
  text: `insert into settlement_accounts (merchant_id, currency_code, method_code, operator_code, data_key, sealed, masked_number, set_by)
    values ($1, $2, $3, $4, $5, $6, $7, $8)
    on conflict (merchant_id, currency_code) do update set method_code = excluded.method_code, operator_code = excluded.operator_code,
      data_key = excluded.data_key, sealed = excluded.sealed, masked_number = excluded.masked_number, set_by = excluded.set_by,
      updated_at = clock_timestamp()`,
}
const FIND: Statement = {
  name: 'settlements_find_account',
  text: `select ${COLUMNS} from settlement_accounts where merchant_id = $1 and currency_code = $2`,
}
const LIST: Statement = {
  name: 'settlements_list_accounts',
  text: `select ${COLUMNS} from settlement_accounts where merchant_id = $1 order by currency_code`,
}

/** Registers the account, in place of the one before. */
export async function upsertAccount(tx: Tx, account: Omit<StoredAccount, 'updatedAt'>): Promise<void> {
  await tx.rows(UPSERT, [
    account.merchantId,
    account.currencyCode,
    account.methodCode,
    account.operatorCode ?? null,
    account.dataKey,
    account.sealed,
    account.maskedNumber,
    account.setBy ?? null,
  ])
}

interface AccountRow {
  readonly merchant_id: string
  readonly currency_code: string
  readonly method_code: string
  readonly operator_code: string | null
  readonly data_key: Buffer
  readonly sealed: Buffer
  readonly masked_number: string
  readonly set_by: string | null
  readonly updated_at: Date
}

export async function findAccount(tx: Tx, key: CycleKey): Promise<StoredAccount | undefined> {
  const [row] = await tx.rows<AccountRow>(FIND, [key.merchantId, key.currencyCode])
  return row && toAccount(row)
}

export async function listAccounts(tx: Tx, merchantId: string): Promise<readonly StoredAccount[]> {
  return (await tx.rows<AccountRow>(LIST, [merchantId])).map(toAccount)
}

function toAccount(row: AccountRow): StoredAccount {
  return {
    merchantId: row.merchant_id,
    currencyCode: row.currency_code,
    methodCode: row.method_code,
    operatorCode: row.operator_code ?? undefined,
    dataKey: row.data_key,
    sealed: row.sealed,
    maskedNumber: shownNumber(row.masked_number),
    setBy: row.set_by ?? undefined,
    updatedAt: row.updated_at,
  }
}
