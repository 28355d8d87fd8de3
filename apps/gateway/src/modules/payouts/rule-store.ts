import { type Amount, parsePlainAmount } from '@tollgate/money'
import type { Statement, Tx } from '../../platform/database.ts'
import type { PaymentKind } from '../payments/index.ts'
import type { JudgedPayment, PayoutRule } from './model.ts'

const LIST_RULES: Statement = {
  name: 'payout_rules_list',
  text: `select currency_code, amount_from, new_beneficiary, daily_sum_from from payout_rules where merchant_id = $1`,
}
const UPSERT_RULE: Statement = {
  name: 'payout_rules_upsert',
  text: `insert into payout_rules (merchant_id, currency_code, amount_from, new_beneficiary, daily_sum_from) values ($1, $2, $3, $4, $5)
    on conflict (merchant_id, currency_code) do update
      set amount_from = excluded.amount_from, new_beneficiary = excluded.new_beneficiary, daily_sum_from = excluded.daily_sum_from`,
}
const DELETE_RULE: Statement = {
  name: 'payout_rules_delete',
  text: `delete from payout_rules where merchant_id = $1 and currency_code = $2`,
}
const ADD_TO_DAILY_SUM: Statement = {
  name: 'payout_daily_sums_add',
  text: `insert into payout_daily_sums as s (merchant_id, kind, currency_code, day, amount)
    values ($1, $2, $3, (now() at time zone 'UTC')::date, $4)
    on conflict (merchant_id, kind, currency_code, day) do update set amount = s.amount + excluded.amount
    returning amount`,
}
const BEGIN_DAILY_SUM: Statement = {
  name: 'payout_daily_sums_begin',
  text: `insert into payout_daily_sums as s (merchant_id, kind, currency_code, day, amount)
    select $1, $2, $3, (now() at time zone 'UTC')::date, coalesce(sum(amount), 0) from payments
    where merchant_id = $1 and kind = $2 and currency_code = $3 and kind in ('PAYOUT', 'SETTLEMENT')
      and created_at >= date_trunc('day', now() at time zone 'UTC') at time zone 'UTC'
    on conflict (merchant_id, kind, currency_code, day) do update set amount = greatest(s.amount, excluded.amount)`,
}
const FIND_KNOWN_BENEFICIARY: Statement = {
  name: 'payouts_find_known_beneficiary',
  // The table of the payments belongs to another room; its index by beneficiary is there for this question.
  text: `select 1 from payments p
    where p.merchant_id = $1 and p.beneficiary_digest = any($2::bytea[]) and p.kind = $3
      and (p.status = 'SUCCESS' or exists (select from payout_approval_requests r
        where r.merchant_id = p.merchant_id and r.kind = p.kind and r.id_payment = p.id_payment and r.approved_at is not null))
    limit 1`,
}

interface RuleRow {
  readonly currency_code: string
  readonly amount_from: string | null
  readonly new_beneficiary: boolean
  readonly daily_sum_from: string | null
}

const toAmount = (text: string | null): Amount | undefined =>
  text === null ? undefined : parsePlainAmount(text)

/** The merchant's rules by currency. */
export async function listRules(tx: Tx, merchantId: string): Promise<ReadonlyMap<string, PayoutRule>> {
  const rows = await tx.rows<RuleRow>(LIST_RULES, [merchantId])
  return new Map(
    rows.map((row) => [
      row.currency_code,
      {
        amountFrom: toAmount(row.amount_from),
        newBeneficiary: row.new_beneficiary,
        dailySumFrom: toAmount(row.daily_sum_from),
      },
    ]),
  )
}

interface RuleKey {
  readonly merchantId: string
  readonly currencyCode: string
}

/** Replaces the rule of a currency. */
export async function upsertRule(
  tx: Tx,
  { merchantId, currencyCode }: RuleKey,
  rule: PayoutRule,
): Promise<void> {
  const bounds = [rule.amountFrom ?? null, rule.newBeneficiary, rule.dailySumFrom ?? null]
  await tx.rows(UPSERT_RULE, [merchantId, currencyCode, ...bounds])
}

export async function deleteRule(tx: Tx, { merchantId, currencyCode }: RuleKey): Promise<void> {
  await tx.rows(DELETE_RULE, [merchantId, currencyCode])
}

/** Counts the payment, and gives the sum of its day. The row stays locked until the transaction ends. */
export async function addToDailySum(tx: Tx, payment: JudgedPayment): Promise<Amount> {
  const { merchantId, kind, currencyCode, amount } = payment
  const [row] = await tx.rows<{ amount: string }>(ADD_TO_DAILY_SUM, [merchantId, kind, currencyCode, amount])
  if (row === undefined) throw new Error('the sum of the day was not counted')
  return parsePlainAmount(row.amount)
}

/** Sees to it that today's sum knows what was accepted before anybody counted. */
export async function beginDailySum(tx: Tx, key: RuleKey & { readonly kind: PaymentKind }): Promise<void> {
  await tx.rows(BEGIN_DAILY_SUM, [key.merchantId, key.kind, key.currencyCode])
}

/**
 * Whether a payment of this kind reached the account and stayed there, or people approved one to it; also by the digest that the
 * account had formerly.
 */
export async function findKnownBeneficiary(
  tx: Tx,
  { merchantId, kind, beneficiaryDigest }: JudgedPayment,
  former?: Buffer,
): Promise<boolean> {
  if (beneficiaryDigest === undefined) return false
  const digests = former === undefined ? [beneficiaryDigest] : [beneficiaryDigest, former]
  return (await tx.rows(FIND_KNOWN_BENEFICIARY, [merchantId, digests, kind])).length > 0
}
