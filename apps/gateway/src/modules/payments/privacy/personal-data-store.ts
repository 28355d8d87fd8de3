import type { Statement, Tx } from '../../../platform/database.ts'
import type { PaymentKey, PaymentKind } from '../model.ts'
import { KEYS, keyArrays, toKey } from '../rows.ts'

/** Encrypted personal data and the key that opens it, itself wrapped. */
export interface SealedData {
  readonly dataKey: Buffer
  readonly sealed: Buffer
}

/** Where personal data came from: the merchant's request, or the institution during the payment. */
export type DataSource = 'REQUEST' | 'PROCESS'

const INSERT: Statement = {
  name: 'payments_insert_personal_data',
  text: `insert into payment_personal_data (merchant_id, kind, id_payment, source, data_key, sealed)
    select * from unnest($1::bigint[], $2::text[], $3::text[], $4::text[], $5::bytea[], $6::bytea[]) on conflict do nothing`,
}
const LIST: Statement = {
  name: 'payments_list_personal_data',
  text: `select k.merchant_id, k.kind, k.id_payment, d.source, d.data_key, d.sealed, d.collected_at
    from payment_personal_data d join ${KEYS} using (merchant_id, kind, id_payment) where d.sealed is not null
    order by case d.source when 'REQUEST' then 1 else 2 end`,
}

export interface NewPersonalData extends PaymentKey, SealedData {
  readonly source: DataSource
}

/** Stores personal data once per payment and source; what was collected first stays. */
export async function insertPersonalData(tx: Tx, data: readonly NewPersonalData[]): Promise<void> {
  if (data.length === 0) return
  await tx.rows(INSERT, [
    ...keyArrays(data),
    data.map((each) => each.source),
    data.map((each) => each.dataKey),
    data.map((each) => each.sealed),
  ])
}

export interface StoredPersonalData extends NewPersonalData {
  readonly collectedAt: Date
}

interface PersonalDataRow {
  readonly merchant_id: string
  readonly kind: PaymentKind
  readonly id_payment: string
  readonly source: DataSource
  readonly data_key: Buffer
  readonly sealed: Buffer
  readonly collected_at: Date
}

/** Personal data that has not been erased, of all the keys, REQUEST before PROCESS. */
export async function listPersonalData(
  tx: Tx,
  keys: readonly PaymentKey[],
): Promise<readonly StoredPersonalData[]> {
  const rows = await tx.rows<PersonalDataRow>(LIST, keyArrays(keys))
  return rows.map((row) => ({
    ...toKey(row),
    source: row.source,
    dataKey: row.data_key,
    sealed: row.sealed,
    collectedAt: row.collected_at,
  }))
}
