import type { Gateway } from '@tollgate/sdk'
import type { SqlRow } from '@tollgate/testkit'
import type { Sql } from '../rig/sql.ts'
import type { Cart } from './shop.ts'

/** What Medusa and the gateway say of one cart. Amounts are decimal texts. */
export interface Facts {
  readonly orders: number
  /** Captures of the cart's payments, and their sum. */
  readonly captures: number
  readonly captured: string
  /** What the order has booked as paid. */
  readonly booked: string
  /** Refunds in Medusa, and their sum. */
  readonly refunds: number
  readonly refunded: string
  /** Of the payin, at the gateway. */
  readonly status: string
  readonly received: string
  /** Refunds at the gateway that were not refused, and their sum. */
  readonly paidBack: string
  readonly refundsAtGateway: number
  /** The payment in Medusa. */
  readonly payment: string
}

const FACTS = `
with cart as (
  select l.payment_collection_id as col from cart_payment_collection l where l.cart_id = $1 and l.deleted_at is null),
pays as (select p.id from payment p join cart on p.payment_collection_id = cart.col where p.deleted_at is null),
ords as (select order_id from order_cart where cart_id = $1 and deleted_at is null)
select
  (select count(*) from ords)::int as orders,
  (select min(id) from pays) as payment,
  (select count(*) from capture where payment_id in (select id from pays) and deleted_at is null)::int as captures,
  (select coalesce(sum(amount), 0) from capture where payment_id in (select id from pays) and deleted_at is null)::float8::text as captured,
  (select count(*) from refund where payment_id in (select id from pays) and deleted_at is null)::int as refunds,
  (select coalesce(sum(amount), 0) from refund where payment_id in (select id from pays) and deleted_at is null)::float8::text as refunded,
  (select coalesce(sum(amount), 0) from order_transaction
    where order_id in (select order_id from ords) and reference = 'capture' and deleted_at is null)::float8::text as booked`

const textOf = (row: SqlRow, name: string): string => String(row[name])

/** Asks both. */
export async function factsOf(medusa: Sql, merchant: Gateway, { id, session }: Cart): Promise<Facts> {
  const [row = {}] = await medusa(FACTS, [id])
  return {
    orders: Number(row['orders']),
    captures: Number(row['captures']),
    captured: textOf(row, 'captured'),
    booked: textOf(row, 'booked'),
    refunds: Number(row['refunds']),
    refunded: textOf(row, 'refunded'),
    payment: textOf(row, 'payment'),
    ...(await gatewayFacts(merchant, session)),
  }
}

async function gatewayFacts(
  merchant: Gateway,
  session: string,
): Promise<Pick<Facts, 'status' | 'received' | 'paidBack' | 'refundsAtGateway'>> {
  const payin = await merchant.payins.read(session).catch(() => undefined)
  if (payin === undefined) return { status: 'none', received: '0', paidBack: '0', refundsAtGateway: 0 }
  const refunds = await merchant.refunds.list(session)
  const stand = refunds.filter(({ process }) => ['CREATED', 'SUCCESS'].includes(process.status))
  return {
    status: payin.process.status,
    received: payin.paymentReceived?.money.amount ?? '0',
    paidBack: String(stand.reduce((sum, each) => sum + Number(each.refundRequested.money.amount), 0)),
    refundsAtGateway: stand.length,
  }
}
