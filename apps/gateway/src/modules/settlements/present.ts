import {
  type Answer,
  type OperatorSettlementItemListSchema,
  SETTLEMENT_CSV_COLUMNS,
  type SettlementItemSchema,
  type SettlementSchema,
} from '@tollgate/contract'
import { type Amount, isPositive, parsePlainAmount, rawAmount } from '@tollgate/money'
import type { RowFile } from '../../http/row-files.ts'
import { presentMoney } from '../payments/index.ts'
import type { ItemSum, Settlement, SettlementItem } from './model.ts'

type Shown = Answer<typeof SettlementSchema>

/** The record of a settlement. */
export function presentSettlement(settlement: Settlement, isLive: boolean): Shown {
  const { currencyCode, period, account, repaid } = settlement
  const money = (amount: Amount) => presentMoney({ amount, currencyCode })
  return {
    idSettlement: settlement.idSettlement,
    kind: settlement.kind,
    ...(period !== undefined && {
      period: { from: period.from.toISOString(), to: period.to.toISOString() },
    }),
    gross: money(settlement.gross),
    fees: money(settlement.fees),
    adjustments: money(settlement.adjustments),
    net: money(settlement.net),
    ...(isPositive(repaid) && { repaid: money(repaid) }),
    ...presentConversion(settlement),
    ...(account !== undefined && {
      account: {
        paymentMethodCode: account.methodCode,
        ...(account.operatorCode !== undefined && { paymentOperatorCode: account.operatorCode }),
        accountNumber: account.maskedNumber,
      },
    }),
    reference: settlement.reference,
    process: presentProcess(settlement, isLive),
  }
}

function presentConversion({ conversion }: Settlement): Pick<Shown, 'conversion'> {
  if (conversion === undefined) return {}
  const { listCode: rateListCode, sold, bought, repaid, rate, ...how } = conversion
  return {
    conversion: {
      sold: presentMoney(sold),
      bought: presentMoney(bought),
      ...(repaid !== undefined && { repaid: presentMoney(repaid) }),
      rateListCode,
      ...how,
      rate: rawAmount(parsePlainAmount(rate)),
    },
  }
}

function presentProcess({ createdAt, paidOut }: Settlement, isLive: boolean): Shown['process'] {
  const created = { createdAt: createdAt.toISOString() }
  // What a cycle does is done when it is there: money moves inside of our books alone.
  if (paidOut === undefined)
    return {
      status: 'SUCCESS',
      processorStatus: 'CONFIRMED',
      ...created,
      processedAt: createdAt.toISOString(),
      isTest: !isLive,
    }
  const { status, processorStatus, processedAt, failure, isTest } = paidOut
  return {
    status,
    processorStatus,
    ...created,
    ...(processedAt !== undefined && { processedAt: processedAt.toISOString() }),
    isTest,
    ...(failure !== undefined && {
      failureReasons: {
        failedAt: failure.failedAt.toISOString(),
        failureReasonCode: failure.code,
        message: failure.message,
      },
    }),
  }
}

/** One transaction of a settlement; `money` is what it brought, or took, before the fee. */
export function presentItem(item: SettlementItem, currencyCode: string): Answer<typeof SettlementItemSchema> {
  const money = (amount: Amount) => presentMoney({ amount, currencyCode })
  return {
    type: item.type,
    idEntity: item.idEntity,
    money: money(item.gross),
    fee: money(item.fee),
    net: money(item.net),
    processedAt: item.processedAt.toISOString(),
  }
}

/** What the transactions of one type add up to. */
export function presentItemSum(
  { type, count, gross, fee, net }: ItemSum,
  currencyCode: string,
): Answer<typeof OperatorSettlementItemListSchema>['sums'][number] {
  const money = (amount: Amount) => presentMoney({ amount, currencyCode })
  return { type, count, money: money(gross), fee: money(fee), net: money(net) }
}

/** How the transactions of a settlement are written into a file. */
export const itemFile = (currencyCode: string): RowFile<SettlementItem> => ({
  columns: SETTLEMENT_CSV_COLUMNS,
  cellsOf: ({ type, idEntity, gross, fee, net, processedAt }) => [
    type,
    idEntity,
    currencyCode,
    ...[gross, fee, net].map((amount) => ({ number: amount })),
    processedAt.toISOString(),
  ],
  jsonOf: (item) => presentItem(item, currencyCode),
})
