import type { Gateway, Money } from '@tollgate/sdk'
import type { TollgateOptions } from './options.ts'

/** Money of a payin on its way back, under an id of Medusa's. */
interface RefundOrder {
  readonly idPayin: string
  readonly idRefund: string
  readonly money: Money
}

/**
 * Refunds, or finds what the very same request has refunded before. The request depends on the payin alone, so that a repeat
 * is the same request. Throws TollgateError.
 */
export async function payBack(
  gateway: Gateway,
  { refundMethods }: TollgateOptions,
  { idPayin, idRefund, money }: RefundOrder,
): Promise<void> {
  const paidBy =
    refundMethods === undefined
      ? undefined
      : (await gateway.payins.read(idPayin)).paymentMethodResponse.paymentMethodCode
  const paymentMethodCode = refundMethods?.[paidBy ?? '']
  await gateway.refunds.create(idPayin, idRefund, {
    money,
    ...(paymentMethodCode !== undefined && { paymentMethodCode }),
  })
}
