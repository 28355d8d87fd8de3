import { createHmac, timingSafeEqual } from 'node:crypto'
import type { TransferContent } from './schemas.ts'

/**
 * A seal over where which coins go, with the secret that gateway and signer share. It is made when a payout is taken, from what people
 * approved: whoever changes the row afterwards, and does not have the secret, gets nothing signed.
 */
export function sealOf(secret: Uint8Array, content: TransferContent): string {
  const { chainId, reference, token, payee, units } = content
  const key = createHmac('sha256', secret).update('tollgate signer seal').digest()
  return createHmac('sha256', key)
    .update(JSON.stringify(['transfer 1', chainId, reference, token, payee, units]))
    .digest('hex')
}

/** Whether a seal is the one over this content. */
export function isSealOf(secret: Uint8Array, content: TransferContent, seal: string): boolean {
  const own = Buffer.from(sealOf(secret, content))
  const given = Buffer.from(seal)
  return own.length === given.length && timingSafeEqual(own, given)
}
