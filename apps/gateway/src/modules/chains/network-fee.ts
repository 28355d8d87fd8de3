import { type Amount, ZERO } from '@tollgate/money'
import type { Tx } from '../../platform/database.ts'
import { bookEntries, HOUSE_MERCHANT_ID } from '../ledger/index.ts'

interface NetworkFee {
  readonly transferId: string
  /** Of the payout that it was paid for, or the hash of the transaction. */
  readonly reference: string
  readonly fee: Amount
  /** Of the chain's own coin. */
  readonly currencyCode: string
}

/** The kind of the house's bookings of network fees. */
const FEE_KIND = 'CHAIN_FEE'

/** Books what the network took: the house pays it. */
export async function bookNetworkFee(
  tx: Tx,
  { transferId, reference, fee, currencyCode }: NetworkFee,
): Promise<void> {
  await bookEntries(tx, [
    {
      transferId,
      merchantId: HOUSE_MERCHANT_ID,
      event: 'NETWORK_FEE',
      kind: FEE_KIND,
      idPayment: reference,
      currencyCode,
      gross: fee,
      fee: ZERO,
    },
  ])
}
