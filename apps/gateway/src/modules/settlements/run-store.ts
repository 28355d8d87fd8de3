import { type Amount, parsePlainAmount } from '@tollgate/money'
import type { Statement, Tx } from '../../platform/database.ts'
import type { CycleKey, Totals } from './model.ts'

/**
 * The merchant's transfers of the currency that are not settled yet, booked at $3 or later (null: all of them). Those that
 * touched NOT_SETTLED, and every payin: one that went into its fee as a whole belongs to the period as well.
 * The time is a hint for speed and nothing more: whoever uses it compares the sum with the balance.
 */
const OPEN = (condition: string): string => `open as (
      select t.transfer_id, t.event, t.id_payment, t.created_at, n.net,
        case t.event when 'PAYIN_SUCCESS' then n.fee else 0 end as fee,
        case t.event when 'PAYIN_SUCCESS' then 'PAYIN' when 'PAYIN_REVERSED' then 'REVERSAL' when 'TOPUP_REVERSED' then 'REVERSAL'
          when 'PAYOUT_SUCCESS_LATE' then 'PAYOUT' else 'ADJUSTMENT' end as type
      from ledger_transfers t
        cross join lateral (
          select count(*) as postings, coalesce(sum(p.amount) filter (where p.account = 'NOT_SETTLED'), 0) as net,
            coalesce(sum(p.amount) filter (where p.account = 'FEES'), 0) as fee
          from ledger_postings p
          where p.merchant_id = t.merchant_id and p.transfer_id = t.transfer_id and p.currency_code = $2) n
      where t.merchant_id = $1 and ($3::timestamptz is null or t.created_at >= $3) and t.event not like 'SETTLED%' and ${condition}
        and n.postings > 0 and (n.net <> 0 or t.event = 'PAYIN_SUCCESS')
        and not exists (select from settlement_items i where i.merchant_id = t.merchant_id and i.transfer_id = t.transfer_id))`

/** What was earned until then, and everything that was taken back until now: the sum never exceeds what is there. */
const CHOSEN = '(created_at < $4 or net < 0)'

const TOTALS = (chosen: string): string => `count(*) filter (where ${chosen})::int as items,
      coalesce(sum(net + fee) filter (where type = 'PAYIN' and ${chosen}), 0) as gross,
      coalesce(sum(fee) filter (where ${chosen}), 0) as fees,
      coalesce(sum(net) filter (where type <> 'PAYIN' and ${chosen}), 0) as adjustments`

const SUM_UP: Statement = {
  name: 'settlements_sum_up',
  // One statement is one snapshot: what is open and the balance are of the same moment.
  text: `with ${OPEN('true')}
    select ${TOTALS(CHOSEN)}, min(created_at) filter (where ${CHOSEN}) as first_at, coalesce(sum(net), 0) as open_net,
      (select not_settled from balances where merchant_id = $1 and currency_code = $2) as not_settled
    from open`,
}
const INSERT = (open: string): string => `with ${open},
    inserted as (
      insert into settlement_items (merchant_id, transfer_id, id_settlement, type, id_entity, gross, fee, net, processed_at)
      select $1, transfer_id, $5, type, id_payment, net + fee, fee, net, created_at from open where ${CHOSEN}
      returning type, fee, net, processed_at)
    select ${TOTALS('true')}, min(processed_at) as first_at from inserted`

const INSERT_ITEMS: Statement = { name: 'settlements_insert_items', text: INSERT(OPEN('true')) }
/** Only what can take money back, so that it is quick: the balance is locked meanwhile. */
const INSERT_TAKERS: Statement = {
  name: 'settlements_insert_takers',
  text: INSERT(OPEN(`t.event <> 'PAYIN_SUCCESS'`)),
}

/** What a run looks at. */
export interface RunScope extends CycleKey {
  /** No transfer before it is looked at; undefined: all are. */
  readonly bookedFrom: Date | undefined
  /** The end of the period. */
  readonly to: Date
}

interface TotalsRow {
  readonly items: number
  readonly gross: string
  readonly fees: string
  readonly adjustments: string
  readonly first_at: Date | null
}

/** What would be settled, and whether everything that is not settled was found. */
export interface SummedUp {
  readonly totals: Totals
  /** What all transfers that are not settled come to, of any time. */
  readonly openNet: Amount
  readonly notSettled: Amount
}

/** Adds up what the run would settle, in one snapshot with the balance. */
export async function sumUp(tx: Tx, scope: RunScope): Promise<SummedUp> {
  const [row] = await tx.rows<TotalsRow & { readonly open_net: string; readonly not_settled: string | null }>(
    SUM_UP,
    valuesOf(scope),
  )
  if (row === undefined) throw new Error('the transfers to settle do not add up to anything')
  return {
    totals: toTotals(row),
    openNet: parsePlainAmount(row.open_net),
    notSettled: parsePlainAmount(row.not_settled ?? '0'),
  }
}

/** Puts what is to be settled into the settlement. A transfer that is in one already violates the primary key. */
export async function insertItems(tx: Tx, scope: RunScope, idSettlement: string): Promise<Totals> {
  const [row] = await tx.rows<TotalsRow>(INSERT_ITEMS, [...valuesOf(scope), idSettlement])
  return toTotals(row)
}

/** The same, of what took money back meanwhile. To be called under the lock of the balance. */
export async function insertTakers(tx: Tx, scope: RunScope, idSettlement: string): Promise<Totals> {
  const [row] = await tx.rows<TotalsRow>(INSERT_TAKERS, [...valuesOf(scope), idSettlement])
  return toTotals(row)
}

const valuesOf = ({ merchantId, currencyCode, bookedFrom, to }: RunScope): readonly unknown[] => [
  merchantId,
  currencyCode,
  bookedFrom ?? null,
  to,
]

function toTotals(row: TotalsRow | undefined): Totals {
  if (row === undefined) throw new Error('the settled transfers do not add up to anything')
  return {
    items: row.items,
    gross: parsePlainAmount(row.gross),
    fees: parsePlainAmount(row.fees),
    adjustments: parsePlainAmount(row.adjustments),
    firstAt: row.first_at ?? undefined,
  }
}
