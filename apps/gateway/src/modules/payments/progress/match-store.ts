import { type Money, parsePlainAmount } from '@tollgate/money'
import type { Statement, Tx } from '../../../platform/database.ts'
import type { PaymentKey, PaymentKind, PaymentStatus, ProcessorStatus } from '../model.ts'
import { toKey } from '../rows.ts'

/** After a restore, it may have been handed over since the backup. */
const MAY_HAVE_LEFT = `(p.submitted_at is not null or exists (select from payment_holds h where h.merchant_id = p.merchant_id
    and h.kind = p.kind and h.id_payment = p.id_payment and h.cause = 'RESTORED'))`
const COLUMNS = `p.merchant_id, p.kind, p.id_payment, p.status, p.rail, p.amount, p.currency_code, p.reference, p.external_reference,
  p.instructions ->> 'reference' as printed_reference, ${MAY_HAVE_LEFT} as is_submitted,
  p.instructions #>> '{account,accountNumber}' as payee_account, p.created_at`
/** Money of merchants of another cell is booked there. */
const IS_HERE = 'cell_of_merchant(p.merchant_id) is null'
const LIST_BY_REFERENCE: Statement = {
  name: 'payments_list_by_references',
  text: `select ${COLUMNS} from payments p where p.reference = any($1) and ${IS_HERE}
    union
    select ${COLUMNS} from payments p where p.instructions ? 'reference' and p.instructions ->> 'reference' = any($1) and ${IS_HERE}`,
}
const LIST_BY_EXTERNAL_REFERENCE: Statement = {
  name: 'payments_list_by_external_references',
  text: `select ${COLUMNS} from payments p where p.external_reference = any($1) and p.status = 'CREATED' and p.kind in ('PAYIN', 'TOPUP')
      and ${IS_HERE}`,
}
/** What is open has an expiry before it. */
const LIST_OPEN_BY_AMOUNT: Statement = {
  name: 'payments_list_open_by_amount',
  text: `select ${COLUMNS} from payment_tasks t
      join payments p on p.merchant_id = t.merchant_id and p.kind = t.kind and p.id_payment = t.id_payment
    where t.task = 'EXPIRE' and t.kind in ('PAYIN', 'TOPUP') and p.status = 'CREATED' and p.currency_code = $1 and p.amount = $2
    order by p.created_at limit $3`,
}
const LIST_BY_WALLET: Statement = {
  name: 'payments_list_by_wallets',
  text: `select p.merchant_id, p.kind, p.id_payment, p.status, p.processor_status, p.reference, lower(p.instructions #>> '{wallet,address}') as address,
      p.instructions #>> '{wallet,chainId}' as chain_id
    from payments p where p.instructions ? 'wallet' and lower(p.instructions #>> '{wallet,address}') = any($1)`,
}
const LIST_WALLETS_IN_TURN: Statement = {
  name: 'payments_list_wallets_in_turn',
  text: `select address from (
      select lower(p.instructions #>> '{wallet,address}') as address, row_number() over (order by p.created_at desc, p.reference) - 1 as place,
        greatest(1, ceil((count(*) over () - $4) / $5::numeric)) as pages
      from payments p where p.instructions ? 'wallet' and p.created_at > statement_timestamp() - make_interval(days => $3)
        and p.currency_code = $2 and p.instructions #>> '{wallet,chainId}' = $1) awaited
    where place < $4 or div(place - $4, $5) = $6::numeric % pages`,
}
const FIND_FIRST_ON_CHAIN: Statement = {
  name: 'payments_find_first_on_chain',
  text: `select min(created_at) as at from payments p where p.instructions ? 'wallet' and p.instructions #>> '{wallet,chainId}' = $1`,
}

interface Row {
  readonly merchant_id: string
  readonly kind: PaymentKind
  readonly id_payment: string
  readonly status: string
  readonly rail: string
  readonly amount: string
  readonly currency_code: string
  readonly reference: string
  readonly external_reference: string | null
  readonly printed_reference: string | null
  readonly is_submitted: boolean
  readonly payee_account: string | null
  readonly created_at: Date
}

/** A payment as bank statements are matched with it. */
export interface NamedPayment {
  readonly merchantId: string
  readonly kind: PaymentKind
  readonly idPayment: string
  readonly status: string
  readonly rail: string
  readonly money: Money
  readonly reference: string
  /** The form in which the customer was told it, if that is another one. */
  readonly printedReference: string | undefined
  readonly externalReference: string | undefined
  /** It was handed over, or may have been before a restore. */
  readonly isSubmitted: boolean
  /** The account that the customer was told to pay to. */
  readonly payeeAccount: string | undefined
  readonly createdAt: Date
}

/** Payments with one of these references of ours, as they are or as they were printed. */
export async function listPaymentsByReference(
  tx: Tx,
  references: readonly string[],
): Promise<readonly NamedPayment[]> {
  return (await tx.rows<Row>(LIST_BY_REFERENCE, [references])).map(toNamed)
}

/** Open payments that wait for money, and whose customer typed one of these references. */
export async function listPaymentsByExternalReference(
  tx: Tx,
  references: readonly string[],
): Promise<readonly NamedPayment[]> {
  return (await tx.rows<Row>(LIST_BY_EXTERNAL_REFERENCE, [references])).map(toNamed)
}

/** Open payins and top-ups of exactly this money, the oldest first. */
export async function listOpenPaymentsByAmount(
  tx: Tx,
  money: Money,
  limit: number,
): Promise<readonly NamedPayment[]> {
  const rows = await tx.rows<Row>(LIST_OPEN_BY_AMOUNT, [money.currencyCode, money.amount, limit])
  return rows.map(toNamed)
}

/** A payment whose address on a chain is known. */
export interface WalletPayment {
  readonly key: PaymentKey
  readonly status: PaymentStatus
  readonly processorStatus: ProcessorStatus
  readonly reference: string
  /** In lower case. */
  readonly address: string
  /** The chain that its customer was told. */
  readonly chainId: string
}

interface WalletRow {
  readonly merchant_id: string
  readonly kind: PaymentKind
  readonly id_payment: string
  readonly status: PaymentStatus
  readonly processor_status: ProcessorStatus
  readonly reference: string
  readonly address: string
  readonly chain_id: string
}

/** Payments whose coins go to one of these addresses, whatever became of them. @param addresses in lower case */
export async function listPaymentsByWallet(
  tx: Tx,
  addresses: readonly string[],
): Promise<readonly WalletPayment[]> {
  return (await tx.rows<WalletRow>(LIST_BY_WALLET, [addresses])).map(toWalletPayment)
}

/** Whose turn it is, of payments that were to be paid on a chain. */
interface Turn {
  readonly chainId: string
  readonly currencyCode: string
  /** How old the oldest are. */
  readonly days: number
  /** So many of the newest are always among them. */
  readonly newest: number
  /** And so many of the others. */
  readonly others: number
  /** One more each time. */
  readonly turn: string
}

/** Addresses of payments that were to be paid on a chain in a currency, each once, in lower case. */
export async function listWalletsInTurn(tx: Tx, given: Turn): Promise<readonly string[]> {
  const { chainId, currencyCode, days, newest, others, turn } = given
  const rows = await tx.rows<{ address: string }>(LIST_WALLETS_IN_TURN, [
    chainId,
    currencyCode,
    days,
    newest,
    others,
    turn,
  ])
  return [...new Set(rows.map(({ address }) => address))]
}

const toWalletPayment = (row: WalletRow): WalletPayment => ({
  key: toKey(row),
  status: row.status,
  processorStatus: row.processor_status,
  reference: row.reference,
  address: row.address,
  chainId: row.chain_id,
})

/** When the first payment was accepted that is to be paid on the chain; undefined when there is none. */
export async function findFirstOnChain(tx: Tx, chainId: string): Promise<Date | undefined> {
  return (await tx.rows<{ at: Date | null }>(FIND_FIRST_ON_CHAIN, [chainId]))[0]?.at ?? undefined
}

function toNamed(row: Row): NamedPayment {
  return {
    merchantId: row.merchant_id,
    kind: row.kind,
    idPayment: row.id_payment,
    status: row.status,
    rail: row.rail,
    money: { amount: parsePlainAmount(row.amount), currencyCode: row.currency_code },
    reference: row.reference,
    printedReference: row.printed_reference ?? undefined,
    externalReference: row.external_reference ?? undefined,
    isSubmitted: row.is_submitted,
    payeeAccount: row.payee_account ?? undefined,
    createdAt: row.created_at,
  }
}
