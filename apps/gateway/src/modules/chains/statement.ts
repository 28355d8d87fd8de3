import { isInternal } from './coins.ts'
import type { SeenTransfer } from './model.ts'

/** A transfer that counts, with what its block says. */
export interface FinalTransfer extends SeenTransfer {
  readonly from: string
  /** ISO 8601, in UTC. */
  readonly bookedOn: string
}

/** How a chain's statement is read by the room of statements: as a bank's CSV. */
export const CHAIN_MAPPING = {
  delimiter: ',',
  columns: {
    account: 'account',
    bookedOn: 'booked',
    amount: 'amount',
    currencyCode: 'currency',
    bankReference: 'transfer',
    endToEndId: 'reference',
    partyAccount: 'from',
    texts: ['note'],
  },
}

/** The number under which the coins of a currency on a chain are an account of ours. */
export const accountNumberOf = (chainId: number, currencyCode: string): string =>
  `EVM${chainId}${currencyCode}`

/**
 * The transfers as a bank would tell them. The same transfer is the same line in whichever statement, so one that is told twice counts
 * once. The reference is named only where the payment is to be paid on this chain: what came on another is for people.
 */
export function chainStatement(chainId: number, transfers: readonly FinalTransfer[]): string {
  const lines = transfers.map((transfer) =>
    [
      accountNumberOf(chainId, transfer.currencyCode),
      transfer.bookedOn,
      transfer.amount,
      transfer.currencyCode,
      isInternal(transfer)
        ? `${transfer.address}-${transfer.ordinal}`
        : `${transfer.txHash}-${transfer.ordinal}`,
      transfer.isElsewhere ? '' : transfer.reference,
      transfer.from,
      transfer.isElsewhere ? `to ${transfer.address} which is awaited on another chain` : '',
    ].join(','),
  )
  return `${['account,booked,amount,currency,transfer,reference,from,note', ...lines].join('\n')}\n`
}
