import type { Statement, Tx } from '../../../platform/database.ts'
import type { Payment } from '../model.ts'

const FIND_HISTORY: Statement = {
  name: 'payments_find_payee_history',
  text: `select currency_code, count(*) filter (where status = 'SUCCESS')::int as paid, count(*) filter (where status = 'REVERSED')::int as returned,
      count(*) filter (where status = 'CREATED')::int as open, trim_scale(coalesce(sum(amount) filter (where status = 'SUCCESS'), 0))::text as amount,
      min(processed_at) filter (where status = 'SUCCESS') as first_at, max(processed_at) filter (where status = 'SUCCESS') as last_at
    from payments where merchant_id = $1 and beneficiary_digest = $2 group by currency_code order by currency_code`,
}

/** What a merchant has paid a payee, in one currency. */
export interface PayeeHistory {
  readonly currencyCode: string
  readonly paid: number
  readonly returned: number
  readonly open: number
  /** What was paid; a plain decimal. */
  readonly amount: string
  readonly firstAt: Date | undefined
  readonly lastAt: Date | undefined
}

interface HistoryRow {
  readonly currency_code: string
  readonly paid: number
  readonly returned: number
  readonly open: number
  readonly amount: string
  readonly first_at: Date | null
  readonly last_at: Date | null
}

/** By currency; empty for a payment without an account. */
export async function findPayeeHistory(
  tx: Tx,
  { merchantId, beneficiaryDigest }: Payment,
): Promise<readonly PayeeHistory[]> {
  if (beneficiaryDigest === undefined) return []
  const rows = await tx.rows<HistoryRow>(FIND_HISTORY, [merchantId, beneficiaryDigest])
  return rows.map(({ first_at, last_at, currency_code, ...counts }) => ({
    ...counts,
    currencyCode: currency_code,
    firstAt: first_at ?? undefined,
    lastAt: last_at ?? undefined,
  }))
}
