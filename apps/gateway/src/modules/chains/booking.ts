import { isInternal } from './coins.ts'
import { ChainFault } from './errors.ts'
import type { NumberedTransfer, StoredTransfer } from './model.ts'
import { findIn, type Look, readAgain, requireBlock, type Standing } from './scanning.ts'
import { chainStatement, type FinalTransfer } from './statement.ts'
import { listConfirmed, noteBooked } from './store.ts'

/** Takes a statement of a chain as one of a bank. Taking a transfer twice, in whichever statement, changes nothing. */
export type TakeStatement = (statement: {
  readonly fileName: string
  readonly text: string
  /** `chain:BASE`. */
  readonly actor: string
}) => Promise<void>

const PER_STATEMENT = 500

/**
 * Books what has enough blocks on top of it: as a statement of the chain, which is matched as a bank's is. Each is looked up once more
 * in its block, at all nodes; where one is not there, the blocks are read again. A crash before it is noted books it again, which changes nothing.
 */
export async function book(look: Look, standing: Standing, take: TakeStatement): Promise<void> {
  const { db, chain, signal } = look
  for (;;) {
    if (signal.aborted) return
    const confirmed = await listConfirmed(db, chain.code, standing.headBlock, PER_STATEMENT)
    const [first, last] = [confirmed[0], confirmed.at(-1)]
    if (first === undefined || last === undefined) return
    const proven = await prove(look, confirmed)
    if (proven.length < confirmed.length) return readAgain(look, standing)
    await take({
      fileName: `${chain.code}-${first.blockNumber}-${last.blockNumber}.csv`,
      text: chainStatement(chain.chainId, proven),
      actor: `chain:${chain.code}`,
    })
    await noteBooked(db, chain.code, proven)
    if (confirmed.length < PER_STATEMENT) return
  }
}

/** Those that all nodes still have in the same block, with what the block says of them. */
async function prove(look: Look, transfers: readonly StoredTransfer[]): Promise<readonly FinalTransfer[]> {
  const { agreement } = look
  const proven: FinalTransfer[] = []
  for (const [number, ofBlock] of Map.groupBy(transfers, ({ blockNumber }) => blockNumber)) {
    const block = await requireBlock(agreement, number)
    const read = await findIn(look, { from: number, to: number })
    if (read === undefined)
      throw new ChainFault(
        'REFUSED',
        `A node does not answer what is in the block ${number}: the answer is too large.`,
      )
    const there = new Map(
      read.found.map((each) => [nameOf({ ...each, currencyCode: each.asset.currencyCode }), each]),
    )
    const bookedOn = new Date(block.timeSeconds * 1000).toISOString().slice(0, DAY_CHARACTERS)
    for (const transfer of ofBlock) {
      const own = there.get(nameOf(transfer))
      // What an address has follows from the block: while that is the same, so is this.
      if (isInternal(transfer) && transfer.blockHash === block.hash)
        proven.push({ ...transfer, from: '', bookedOn })
      else if (own !== undefined && own.blockHash === block.hash && isSame(own, transfer))
        proven.push({ ...transfer, from: own.from, bookedOn })
    }
  }
  return proven
}

const isSame = (own: NumberedTransfer, stored: StoredTransfer): boolean =>
  own.blockHash === stored.blockHash &&
  own.amount === stored.amount &&
  own.to === stored.address.toLowerCase()

const DAY_CHARACTERS = 10

const nameOf = ({
  txHash,
  currencyCode,
  ordinal,
}: Pick<StoredTransfer, 'txHash' | 'currencyCode' | 'ordinal'>): string =>
  `${txHash} ${currencyCode} ${ordinal}`
