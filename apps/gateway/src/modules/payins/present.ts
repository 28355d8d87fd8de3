import { type Money, type RawJson, rawAmount } from '@tollgate/money'
import type { Instructions } from '../../rails/rail.ts'
import type { CollectedData, Payment } from '../payments/index.ts'
import type { AcceptedPayin } from './service.ts'

interface WireMoneyOut {
  readonly amount: RawJson
  readonly currencyCode: string
}

const presentMoney = (money: Money): WireMoneyOut => ({
  amount: rawAmount(money.amount),
  currencyCode: money.currencyCode,
})

interface MethodResponseParts {
  readonly idPayin: string
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
    idPayin: parts.idPayin,
    paymentMethodCode: parts.methodCode,
    ...(parts.operatorCode !== undefined && { paymentOperatorCode: parts.operatorCode }),
    ...(instructions.account !== undefined && { account: instructions.account }),
    money: presentMoney(parts.money),
    expireAt: parts.expireAt.toISOString(),
    reference: parts.reference,
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

/** The 201 (specification 2.3). */
export function presentAccepted(accepted: AcceptedPayin): Record<string, unknown> {
  const { payment, money } = accepted
  return {
    paymentRequested: presentRequested(money, payment.segmentCode),
    paymentMethodResponse: presentMethodResponse({
      ...payment,
      idPayin: payment.idPayment,
      money,
      expireAt: accepted.expireAt,
      acceptedAt: accepted.acceptedAt,
    }),
  }
}

/** The detail. The fee appears once it has been charged, which is with the success. */
export function presentDetail(payment: Payment): Record<string, unknown> {
  const { failure } = payment
  const isCharged = payment.status === 'SUCCESS' || payment.status === 'REVERSED'
  return {
    paymentRequested: presentRequested(payment.money, payment.segmentCode),
    paymentMethodResponse: presentMethodResponse({
      ...payment,
      idPayin: payment.idPayment,
      acceptedAt: payment.createdAt,
    }),
    ...(isCharged && { fee: presentMoney(payment.fee) }),
    process: {
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
    },
    ...(payment.received !== undefined && { paymentReceived: { money: presentMoney(payment.received) } }),
    ...(payment.externalReference !== undefined && { externalReference: payment.externalReference }),
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
