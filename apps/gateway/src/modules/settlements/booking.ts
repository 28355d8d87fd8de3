import { type Amount, isPositive, type Money, ZERO } from '@tollgate/money'
import type { Ids } from '@tollgate/runtime'
import type { LedgerEntry, LedgerEvent } from '../ledger/index.ts'
import type { SettlementCycle } from './cycle-store.ts'
import { dayOf, netOf, type SettledConversion, type Totals } from './model.ts'
import type { RunScope } from './run-store.ts'
import type { NewSettlement } from './store.ts'

const REFERENCE_LENGTH = 12

/** What a run has found out about a period. */
interface PeriodResult {
  readonly idSettlement: string
  readonly cycle: SettlementCycle
  readonly scope: RunScope
  /** Where the period before ended; undefined for the first. */
  readonly lastEnd: Date | undefined
  readonly totals: Totals
  readonly repaid: Amount
  readonly conversion: SettledConversion | undefined
}

/** The record of a period that is settled. */
export function draftSettlement(ids: Pick<Ids, 'readable'>, result: PeriodResult): NewSettlement {
  const { cycle, scope, totals, lastEnd } = result
  return {
    merchantId: cycle.merchantId,
    idSettlement: result.idSettlement,
    kind: 'CYCLE',
    currencyCode: cycle.currencyCode,
    period: { from: lastEnd ?? dayOf(totals.firstAt ?? scope.to), to: scope.to },
    gross: totals.gross,
    fees: totals.fees,
    adjustments: totals.adjustments,
    net: netOf(totals),
    repaid: result.repaid,
    conversion: result.conversion,
    account: undefined,
    reference: ids.readable(REFERENCE_LENGTH),
    requestDigest: undefined,
  }
}

/**
 * What it books. In another currency a debt is paid before the rest is sold: a merchant who owes must not be paid
 * elsewhere.
 */
export function entriesOf(
  ids: Pick<Ids, 'uuid'>,
  settlement: NewSettlement,
  { settleIn }: SettlementCycle,
): readonly LedgerEntry[] {
  const { merchantId, idSettlement, currencyCode, net, repaid, conversion } = settlement
  const entry = (event: LedgerEvent, { amount, currencyCode: code }: Money): LedgerEntry => ({
    ...{ transferId: ids.uuid(), merchantId, event, kind: 'SETTLEMENT', idPayment: idSettlement },
    ...{ currencyCode: code, gross: amount, fee: ZERO },
  })
  if (settleIn === undefined) return [entry('SETTLED', { amount: net, currencyCode })]
  return [
    ...(isPositive(repaid) ? [entry('SETTLED', { amount: repaid, currencyCode })] : []),
    ...(conversion === undefined
      ? []
      : [entry('SETTLED_SOLD', conversion.sold), entry('SETTLED_BOUGHT', conversion.bought)]),
  ]
}
