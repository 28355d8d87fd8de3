import type { Statement, Tx } from '../../../platform/database.ts'
import type { Payment, PaymentKind, PaymentStatus } from '../model.ts'
import { PAYMENT_COLUMNS, type PaymentRow, toPayment } from '../rows.ts'

/** What leads to payments by an index: one of these is needed. TIME is the span from `createdFrom` to `createdTo`. */
export type Lead = 'ID' | 'REFERENCE' | 'CUSTOMER' | 'TIME'

/** What payments are searched by. Of a customer the merchant is needed, too. */
export interface PaymentSearch {
  readonly lead: Lead
  /** Nothing for TIME. */
  readonly value: string | undefined
  readonly merchantId: string | undefined
  readonly kind: PaymentKind | undefined
  readonly status: PaymentStatus | undefined
  readonly currencyCode: string | undefined
  readonly methodCode: string | undefined
  /** Plain decimals. */
  readonly amountFrom: string | undefined
  readonly amountTo: string | undefined
  readonly createdFrom: Date | undefined
  /** Not included. */
  readonly createdTo: Date | undefined
  /** Without merchants that moved to one of these cells. */
  readonly withoutCells?: readonly string[] | undefined
  /** `placeOf` the last payment of the page before. */
  readonly after: string | undefined
  readonly limit: number
}

/** A payment that was found. */
export interface FoundPayment {
  readonly payment: Payment
  readonly place: string
}

const LEADS: Readonly<Record<Lead, string>> = {
  // By the primary key, merchant by merchant: no index by id alone is paid for at each create.
  ID: `p.kind in ('PAYIN', 'PAYOUT', 'TOPUP', 'SETTLEMENT') and p.id_payment = $1`,
  REFERENCE: 'true',
  CUSTOMER: `p.merchant_id = $2 and p.id_customer = $1`,
  // The end is that of the span, or of the page before.
  TIME: `$1::text is null and p.created_at >= $9 and p.created_at <= least($10, timestamptz 'epoch' + $11::bigint * interval '1 microsecond')`,
}

/** Where payments are looked for, and what has to be found before. */
interface Source {
  readonly before: string
  readonly from: string
}

/** The merchants that have payments, each by one look into the primary key. */
const BY_MERCHANT: Source = {
  before: `with recursive merchant as (select min(merchant_id) as id from payments
    union all select (select min(merchant_id) from payments where merchant_id > merchant.id) from merchant where id is not null)
  `,
  from: 'merchant join payments p on p.merchant_id = merchant.id',
}

/**
 * Our reference, the institution's, and the one that a payer was shown, each by its index and each payment once. Found before the rest
 * is looked at: for a page in the order of time PostgreSQL would otherwise rather read all payments in that order.
 */
const BY_REFERENCE: Source = {
  before: `with p as materialized (select * from payments where reference = any ($1)
    union all select * from payments where external_reference = any ($1) and reference <> all ($1)
    union all select * from payments where instructions ? 'reference' and instructions ->> 'reference' = any ($1)
      and reference <> all ($1) and (external_reference = any ($1)) is not true)
  `,
  from: 'p',
}

/** People type ours in lower case, and in groups of four as it is printed. An institution's may have blanks and small letters of its own. */
function spellingsOf(reference: string): readonly string[] {
  const plain = reference.replaceAll(/\s/g, '')
  return [reference, plain, plain.toUpperCase()]
}

const SOURCES: Readonly<Record<Lead, Source>> = {
  ID: BY_MERCHANT,
  REFERENCE: BY_REFERENCE,
  CUSTOMER: { before: '', from: 'payments p' },
  TIME: { before: '', from: 'payments p' },
}

const statement = (lead: Lead): Statement => ({
  name: `payments_search_${lead.toLowerCase()}`,
  text: `${SOURCES[lead].before}select ${PAYMENT_COLUMNS},
      (extract(epoch from p.created_at) * 1000000)::bigint::text as created_at_us
    from ${SOURCES[lead].from}
    where ${LEADS[lead]} and ($2::bigint is null or p.merchant_id = $2) and ($3::text is null or p.kind = $3)
      and ($4::text is null or p.status = $4) and ($5::text is null or p.currency_code = $5)
      and ($6::text is null or p.method_code = $6) and ($7::numeric is null or p.amount >= $7)
      and ($8::numeric is null or p.amount <= $8) and ($9::timestamptz is null or p.created_at >= $9)
      and ($10::timestamptz is null or p.created_at < $10)
      and ($16::text[] is null or (cell_of_merchant(p.merchant_id) = any ($16)) is not true)
      and ($11::bigint is null or (p.created_at, p.merchant_id, p.kind, p.id_payment)
        < (timestamptz 'epoch' + $11::bigint * interval '1 microsecond', $12::bigint, $13::text, $14::text))
    order by p.created_at desc, p.merchant_id desc, p.kind desc, p.id_payment desc limit $15`,
})

const STATEMENTS = {
  ID: statement('ID'),
  REFERENCE: statement('REFERENCE'),
  CUSTOMER: statement('CUSTOMER'),
  TIME: statement('TIME'),
} as const

/** Payments of all merchants and kinds, the newest first, from after a place of an earlier page. */
export async function searchPayments(tx: Tx, search: PaymentSearch): Promise<readonly FoundPayment[]> {
  const [us, merchantId, kind, idPayment] = search.after?.split(':') ?? []
  const rows = await tx.rows<PaymentRow & { readonly created_at_us: string }>(
    STATEMENTS[search.lead],
    [
      search.lead === 'REFERENCE' ? spellingsOf(search.value ?? '') : search.value,
      search.merchantId,
      search.kind,
      search.status,
      search.currencyCode,
      search.methodCode,
      search.amountFrom,
      search.amountTo,
      search.createdFrom,
      search.createdTo,
      us,
      merchantId,
      kind,
      idPayment,
      search.limit,
      search.withoutCells,
    ].map((value) => value ?? null),
  )
  return rows.map((row) => ({
    payment: toPayment(row),
    place: [row.created_at_us, row.merchant_id, row.kind, row.id_payment].join(':'),
  }))
}
