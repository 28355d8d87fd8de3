import type { Money } from '@tollgate/money'
import type { Statement, Tx } from '../../../platform/database.ts'
import type { PaymentKind } from '../model.ts'
import type { NewPayment } from './rows.ts'

const UPDATE_DAILY_USAGE: Statement = {
  name: 'payments_update_daily_usage',
  text: `insert into payment_daily_usage as u (merchant_id, kind, method_code, currency_code, day, amount, payments)
    select $1, $2, $3, $4, (now() at time zone 'UTC')::date, $5, 1
    where ($6::numeric is null or $5::numeric <= $6) and ($7::integer is null or 1 <= $7)
    on conflict (merchant_id, kind, method_code, currency_code, day) do update
      set amount = u.amount + excluded.amount, payments = u.payments + 1
      where ($6::numeric is null or u.amount + excluded.amount <= $6) and ($7::integer is null or u.payments + 1 <= $7)
    returning 1`,
}

const LIST_USED_UP: Statement = {
  name: 'payments_list_used_up',
  text: `select c.method_code from unnest($4::text[], $5::numeric[], $6::integer[]) as c (method_code, amount_max, count_max)
    left join payment_daily_usage u on u.merchant_id = $1 and u.kind = $2 and u.currency_code = $3 and u.method_code = c.method_code
      and u.day = (now() at time zone 'UTC')::date
    where coalesce(u.amount, 0) + $7::numeric > c.amount_max or coalesce(u.payments, 0) + 1 > c.count_max`,
}

/** What a merchant may accept by one method in one direction, currency and day (UTC). */
export interface Cap {
  readonly amountMax?: string
  readonly countMax?: number
}

/** A payment that may be made, and the caps of the methods that could take it. */
export interface CapQuestion {
  readonly merchantId: string
  readonly kind: PaymentKind
  readonly money: Money
  readonly caps: ReadonlyMap<string, Cap>
}

/** The methods of which the day's cap would not let the payment through now. */
export async function listUsedUp(
  tx: Tx,
  { merchantId, kind, money, caps }: CapQuestion,
): Promise<ReadonlySet<string>> {
  const rows = await tx.rows<{ method_code: string }>(LIST_USED_UP, [
    merchantId,
    kind,
    money.currencyCode,
    [...caps.keys()],
    [...caps.values()].map(({ amountMax }) => amountMax ?? null),
    [...caps.values()].map(({ countMax }) => countMax ?? null),
    money.amount,
  ])
  return new Set(rows.map((row) => row.method_code))
}

/** Counts the payment against the day's cap. False when that would exceed it, and then nothing was counted. */
export async function updateDailyUsage(tx: Tx, payment: NewPayment, cap: Cap): Promise<boolean> {
  const counted = await tx.rows(UPDATE_DAILY_USAGE, [
    payment.merchantId,
    payment.kind,
    payment.methodCode,
    payment.currencyCode,
    payment.amount,
    cap.amountMax ?? null,
    cap.countMax ?? null,
  ])
  return counted.length > 0
}
