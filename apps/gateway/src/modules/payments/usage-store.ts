import type { Statement, Tx } from '../../platform/database.ts'
import type { NewPayment } from './accept-rows.ts'

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

/** What a merchant may accept by one method in one direction, currency and day (UTC). */
export interface Cap {
  readonly amountMax?: string
  readonly countMax?: number
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
