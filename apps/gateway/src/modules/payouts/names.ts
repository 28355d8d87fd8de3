import { type MerchantDirectory, requireMerchantId } from '../merchants/index.ts'
import type { PaymentKey, PaymentKind } from '../payments/index.ts'

/** Names an outgoing payment as operators do. */
export interface NamedOutgoing {
  readonly kind: PaymentKind
  readonly merchantCode: string
  readonly idPayment: string
}

interface NameDeps {
  readonly merchants: Pick<MerchantDirectory, 'find'>
}

/** The payment that an operator names. Throws ENTITY_NOT_FOUND for a merchant that does not exist. */
export async function keyOf(deps: NameDeps, named: NamedOutgoing): Promise<PaymentKey> {
  const { kind, merchantCode, idPayment } = named
  return { merchantId: await merchantIdOf(deps, merchantCode), kind, idPayment }
}

/** Throws ENTITY_NOT_FOUND for a code that no merchant has. */
export const merchantIdOf = ({ merchants }: NameDeps, merchantCode: string): Promise<string> =>
  requireMerchantId(merchants, merchantCode)
