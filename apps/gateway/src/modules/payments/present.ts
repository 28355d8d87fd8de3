import { type Money, parsePlainAmount, type RawJson, rawAmount } from '@tollgate/money'
import type { Instructions } from '../../rails/rail.ts'
import type { Accepted } from './accept/intake.ts'
import type { Payment } from './model.ts'
import type { CollectedData } from './service.ts'

interface WireMoneyOut {
  readonly amount: RawJson
  readonly currencyCode: string
}

/** Money as it goes out: a number with all its digits. */
export const presentMoney = (money: Money): WireMoneyOut => ({
  amount: rawAmount(money.amount),
  currencyCode: money.currencyCode,
})

/** The member of `paymentMethodResponse` that carries the id, and the member that repeats what was requested. */
export interface Wording {
  readonly id: 'idPayin' | 'idPayout' | 'idTopUp'
  readonly requested: 'paymentRequested' | 'topUpRequested'
}

interface MethodResponseParts {
  readonly id: Readonly<Record<string, string>>
  readonly methodCode: string
  readonly operatorCode: string | undefined
  readonly instructions: Instructions
  readonly money: Money
  readonly expireAt: Date
  readonly reference: string
  readonly returnUrl: string | undefined
  readonly acceptedAt: Date
}

function presentMethodResponse(parts: MethodResponseParts): Record<string, unknown> {
  const { instructions } = parts
  return {
    ...parts.id,
    paymentMethodCode: parts.methodCode,
    ...(parts.operatorCode !== undefined && { paymentOperatorCode: parts.operatorCode }),
    ...(instructions.account !== undefined && { account: instructions.account }),
    money: presentMoney(parts.money),
    expireAt: parts.expireAt.toISOString(),
    reference: instructions.reference ?? parts.reference,
    ...(parts.returnUrl !== undefined && { returnUrl: parts.returnUrl }),
    acceptedAt: parts.acceptedAt.toISOString(),
    ...(instructions.redirectUrl !== undefined && { redirectUrl: instructions.redirectUrl }),
    ...(instructions.qr !== undefined && { qr: instructions.qr }),
    ...(instructions.deepLinks !== undefined && { deepLinks: instructions.deepLinks }),
  }
}

const presentRequested = (money: Money, segmentCode: string | undefined) => ({
  money: presentMoney(money),
  ...(segmentCode !== undefined && { segmentCode }),
})

/** The 201 (specification 2.3, 2.5). */
export function presentAccepted(accepted: Accepted, wording: Wording): Record<string, unknown> {
  const { payment, money } = accepted
  return {
    [wording.requested]: presentRequested(money, payment.segmentCode),
    paymentMethodResponse: presentMethodResponse({
      ...payment,
      id: { [wording.id]: payment.idPayment },
      money,
      expireAt: accepted.expireAt,
      acceptedAt: accepted.acceptedAt,
    }),
  }
}

/** The detail. The fee appears once it has been charged, which is with the success. */
export function presentDetail(payment: Payment, wording: Wording): Record<string, unknown> {
  const isCharged = payment.status === 'SUCCESS' || payment.status === 'REVERSED'
  return {
    [wording.requested]: presentRequested(payment.money, payment.segmentCode),
    paymentMethodResponse: presentMethodResponse({
      ...payment,
      id: { [wording.id]: payment.idPayment },
      acceptedAt: payment.createdAt,
    }),
    ...(isCharged && { fee: presentMoney(payment.fee), ...presentConversion(payment) }),
    ...(payment.idCustomer !== undefined && { customer: { idCustomer: payment.idCustomer } }),
    process: presentProcess(payment),
    ...presentMoved(payment),
    ...(payment.externalReference !== undefined && { externalReference: payment.externalReference }),
  }
}

/** The money that arrived and stayed, or went back. Money that is not the money asked for is no reason for a merchant to deliver. */
function presentMoved({ status, received, failure }: Payment): Record<string, unknown> {
  if (received === undefined) return {}
  const money = presentMoney(received)
  if (status === 'SUCCESS') return { paymentReceived: { money } }
  // A reversal says why, and when.
  if (status === 'REVERSED' && failure !== undefined)
    return { paymentReversed: { money, reversedAt: failure.failedAt.toISOString() } }
  return {}
}

function presentConversion({ feeConversion }: Payment): Record<string, unknown> {
  if (feeConversion === undefined) return {}
  const { listCode: rateListCode, priced, ...how } = feeConversion
  const amount = rawAmount(parsePlainAmount(priced.amount))
  return { feeConversion: { rateListCode, ...how, priced: { ...priced, amount } } }
}

/** `process` of a detail (specification 2.6). */
export function presentProcess(payment: Payment): Record<string, unknown> {
  const { failure } = payment
  return {
    status: payment.status,
    processorStatus: payment.processorStatus,
    createdAt: payment.createdAt.toISOString(),
    ...(payment.processedAt !== undefined && { processedAt: payment.processedAt.toISOString() }),
    isTest: payment.isTest,
    ...(failure !== undefined && {
      failureReasons: {
        failedAt: failure.failedAt.toISOString(),
        failureReasonCode: failure.code,
        message: failure.message,
      },
    }),
  }
}

/** GET /payins/{idPayin}/accounts. */
export function presentAccounts(
  payment: Payment,
  collected: readonly CollectedData[],
): Record<string, unknown> {
  return {
    data: collected.map(({ source, collectedAt, data }) => ({
      source,
      ...data,
      ...(payment.operatorCode !== undefined && { paymentOperatorCode: payment.operatorCode }),
      collectedAt: collectedAt.toISOString(),
    })),
  }
}
