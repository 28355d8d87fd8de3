import type { Statement, Tx } from '../../../platform/database.ts'
import type { PaymentKey } from '../model.ts'
import { KEYS, keyArrays, PAYMENTS_BY_KEYS, type PaymentRow, toKey } from '../rows.ts'
import type { PayingCustomer } from './customer-payments.ts'

type KeyRow = Pick<PaymentRow, 'merchant_id' | 'kind' | 'id_payment'>

const LIST_OF_CUSTOMER: Statement = {
  name: 'payments_list_keys_of_customer',
  text: `select merchant_id, kind, id_payment, status <> 'CREATED' or cell_of_merchant(merchant_id) is not null as has_ended
    from payments
    where merchant_id = $1 and id_customer = $2 order by merchant_id, kind, id_payment`,
}
const LIST_PAYERS: Statement = {
  name: 'payments_list_payers',
  text: `select distinct p.merchant_id, p.id_customer from ${PAYMENTS_BY_KEYS} where p.id_customer is not null`,
}
const COUNT_DATA: Statement = {
  name: 'payments_count_personal_data',
  text: `select count(*)::int as data from payment_personal_data d join ${KEYS} using (merchant_id, kind, id_payment)
    where d.sealed is not null`,
}

/** All payments of a customer, in the order in which everyone locks them. */
export async function listKeysOfCustomer(
  tx: Tx,
  { merchantId, idCustomer }: PayingCustomer,
): Promise<readonly (PaymentKey & { readonly hasEnded: boolean })[]> {
  const rows = await tx.rows<KeyRow & { has_ended: boolean }>(LIST_OF_CUSTOMER, [merchantId, idCustomer])
  return rows.map((row) => ({ ...toKey(row), hasEnded: row.has_ended }))
}

/** The customers of the payments, each once. */
export async function listPayers(tx: Tx, keys: readonly PaymentKey[]): Promise<readonly PayingCustomer[]> {
  const rows = await tx.rows<{ merchant_id: string; id_customer: string }>(LIST_PAYERS, keyArrays(keys))
  return rows.map((row) => ({ merchantId: row.merchant_id, idCustomer: row.id_customer }))
}

/** How often the payments hold account data, from the request and from the institution. */
export async function countPersonalData(tx: Tx, keys: readonly PaymentKey[]): Promise<number> {
  const [row] = await tx.rows<{ data: number }>(COUNT_DATA, keyArrays(keys))
  return row?.data ?? 0
}
