import { Refusal } from '../../platform/refusal.ts'
import type { PaymentKey, PaymentKind } from './model.ts'

/** What people call a payment of the kind. */
export const kindWord = (kind: PaymentKind): string => (kind === 'TOPUP' ? 'top-up' : kind.toLowerCase())

/** ENTITY_NOT_FOUND that says what was looked for; with the merchant where operators ask, who see those of all. */
export function unknownPayment(
  { kind, idPayment }: Pick<PaymentKey, 'kind' | 'idPayment'>,
  merchantCode?: string,
): Refusal {
  // Operators see the settlements of cycles beside these.
  if (kind === 'SETTLEMENT' && merchantCode !== undefined)
    return new Refusal('ENTITY_NOT_FOUND', {
      message: `${merchantCode} has no requested settlement ${idPayment}. A settlement of a cycle is no payment: it has transactions, and no history.`,
    })
  const kindOf = kindWord(kind)
  // A merchant gets the same bytes, whatever it asked for and whoever else has it.
  const message =
    merchantCode === undefined
      ? `This merchant has no such ${kindOf}.`
      : `${merchantCode} has no ${kindOf} ${idPayment}.`
  return new Refusal('ENTITY_NOT_FOUND', { message })
}
