import type { Statement, Tx } from '../../platform/database.ts'
import type { CustomerKey, CustomerStatus, Traits } from './model.ts'
import type { SealedPerson } from './personal-data.ts'

const COLUMNS = `merchant_id, id_customer, nonce, request_digest, status, segment_code, country_code, data_key, sealed, created_at, erased_at`
const KEY = `merchant_id = $1 and id_customer = $2`

const INSERT: Statement = {
  name: 'customers_insert',
  text: `insert into customers (merchant_id, id_customer, nonce, request_digest, segment_code, country_code, data_key, sealed)
    values ($1, $2, $3, $4, $5, $6, $7, $8) on conflict do nothing returning ${COLUMNS}`,
}
const FIND: Statement = { name: 'customers_find', text: `select ${COLUMNS} from customers where ${KEY}` }
const FIND_FOR_UPDATE: Statement = {
  name: 'customers_find_for_update',
  text: `select ${COLUMNS} from customers where ${KEY} for update`,
}
const LIST: Statement = {
  name: 'customers_list',
  text: `select ${COLUMNS} from customers where merchant_id = $1 and ($2::text is null or id_customer > $2)
    order by id_customer limit $3`,
}
const LIST_STANDINGS: Statement = {
  name: 'customers_list_standings',
  text: `select c.merchant_id, c.id_customer, c.status, c.segment_code
    from unnest($1::bigint[], $2::text[]) as k(merchant_id, id_customer)
      join customers c on c.merchant_id = k.merchant_id and c.id_customer = k.id_customer
    where c.status <> 'ERASED'`,
}
const UPDATE_DATA: Statement = {
  name: 'customers_update_data',
  text: `update customers set segment_code = $3, country_code = $4, data_key = $5, sealed = $6, updated_at = clock_timestamp()
    where ${KEY}`,
}
const UPDATE_STATUS: Statement = {
  name: 'customers_update_status',
  text: `update customers set status = $3, updated_at = case when status = $3 then updated_at else clock_timestamp() end
    where ${KEY} and status <> 'ERASED' returning ${COLUMNS}`,
}
const UPDATE_ERASED: Statement = {
  name: 'customers_update_erased',
  text: `update customers set status = 'ERASED', request_digest = null, segment_code = null, country_code = null, data_key = null,
      sealed = null, updated_at = clock_timestamp(), erased_at = clock_timestamp(), sweep_due_at = clock_timestamp() + make_interval(secs => $3)
    where ${KEY} and status <> 'ERASED'`,
}

/** A row of `customers`. */
export interface StoredCustomer extends CustomerKey, Traits {
  readonly nonce: string
  /** Absent, as the sealed data, after an erasure. */
  readonly requestDigest: Buffer | undefined
  readonly status: CustomerStatus
  readonly person: SealedPerson | undefined
  readonly createdAt: Date
  readonly erasedAt: Date | undefined
}

interface CustomerRow {
  readonly merchant_id: string
  readonly id_customer: string
  readonly nonce: string
  readonly request_digest: Buffer | null
  readonly status: CustomerStatus
  readonly segment_code: string | null
  readonly country_code: string | null
  readonly data_key: Buffer | null
  readonly sealed: Buffer | null
  readonly created_at: Date
  readonly erased_at: Date | null
}

function toCustomer(row: CustomerRow): StoredCustomer {
  const { data_key: dataKey, sealed } = row
  return {
    merchantId: row.merchant_id,
    idCustomer: row.id_customer,
    nonce: row.nonce,
    requestDigest: row.request_digest ?? undefined,
    status: row.status,
    segmentCode: row.segment_code ?? undefined,
    countryCode: row.country_code ?? undefined,
    person: dataKey === null || sealed === null ? undefined : { dataKey, sealed },
    createdAt: row.created_at,
    erasedAt: row.erased_at ?? undefined,
  }
}

interface NewCustomer extends CustomerKey, Traits {
  readonly nonce: string
  readonly requestDigest: Buffer
  readonly person: SealedPerson
}

/** Inserts a customer; undefined when the id is taken. */
export async function insertCustomer(tx: Tx, customer: NewCustomer): Promise<StoredCustomer | undefined> {
  const [row] = await tx.rows<CustomerRow>(INSERT, [
    customer.merchantId,
    customer.idCustomer,
    customer.nonce,
    customer.requestDigest,
    customer.segmentCode ?? null,
    customer.countryCode ?? null,
    customer.person.dataKey,
    customer.person.sealed,
  ])
  return row && toCustomer(row)
}

export async function findCustomer(tx: Tx, key: CustomerKey): Promise<StoredCustomer | undefined> {
  const [row] = await tx.rows<CustomerRow>(FIND, [key.merchantId, key.idCustomer])
  return row && toCustomer(row)
}

/** The same, locked until the transaction ends. */
export async function findCustomerForUpdate(tx: Tx, key: CustomerKey): Promise<StoredCustomer | undefined> {
  const [row] = await tx.rows<CustomerRow>(FIND_FOR_UPDATE, [key.merchantId, key.idCustomer])
  return row && toCustomer(row)
}

interface ListFilter {
  readonly merchantId: string
  /** The last id of the page before. */
  readonly after: string | undefined
  readonly limit: number
}

/** A merchant's customers by their ids, erased ones among them. */
export async function listCustomers(tx: Tx, filter: ListFilter): Promise<readonly StoredCustomer[]> {
  const values = [filter.merchantId, filter.after ?? null, filter.limit]
  return (await tx.rows<CustomerRow>(LIST, values)).map(toCustomer)
}

/** What a payment needs to know of its customer. */
export interface Standing {
  readonly status: 'ACTIVE' | 'BLOCKED'
  readonly segmentCode: string | undefined
}

interface StandingRow {
  readonly merchant_id: string
  readonly id_customer: string
  readonly status: Standing['status']
  readonly segment_code: string | null
}

/** How the customers stand that exist and are not erased, in no order. */
export async function listStandings(
  tx: Tx,
  keys: readonly CustomerKey[],
): Promise<readonly (CustomerKey & { readonly standing: Standing })[]> {
  const rows = await tx.rows<StandingRow>(LIST_STANDINGS, [
    keys.map((key) => key.merchantId),
    keys.map((key) => key.idCustomer),
  ])
  return rows.map((row) => ({
    merchantId: row.merchant_id,
    idCustomer: row.id_customer,
    standing: { status: row.status, segmentCode: row.segment_code ?? undefined },
  }))
}

/** Replaces what is known of a customer. */
export async function updateCustomerData(
  tx: Tx,
  { merchantId, idCustomer }: CustomerKey,
  data: Traits & { readonly person: SealedPerson },
): Promise<void> {
  const { segmentCode, countryCode, person } = data
  const values = [segmentCode ?? null, countryCode ?? null, person.dataKey, person.sealed]
  await tx.rows(UPDATE_DATA, [merchantId, idCustomer, ...values])
}

/** Blocks or unblocks; undefined when there is no such customer or it was erased. */
export async function updateCustomerStatus(
  tx: Tx,
  key: CustomerKey,
  status: Standing['status'],
): Promise<StoredCustomer | undefined> {
  const [row] = await tx.rows<CustomerRow>(UPDATE_STATUS, [key.merchantId, key.idCustomer, status])
  return row && toCustomer(row)
}

/** Forgets the person; `sweepAfterSeconds` from now it is looked for what a create under way left behind. */
export async function updateCustomerErased(
  tx: Tx,
  key: CustomerKey,
  sweepAfterSeconds: number,
): Promise<void> {
  await tx.rows(UPDATE_ERASED, [key.merchantId, key.idCustomer, sweepAfterSeconds])
}
