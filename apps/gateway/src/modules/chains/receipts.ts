import { type Static, Type } from 'typebox'
import { Compile } from 'typebox/schema'
import { ChainFault } from './errors.ts'
import { Address, Bytes, Hash, Quantity, type Rpc, toNumber } from './json-rpc.ts'
import { readMove, type TokenMove } from './transfer-log.ts'

/** What a block says of a transaction. */
export interface Receipt {
  readonly blockNumber: number
  readonly blockHash: string
  readonly isDone: boolean
  /** What it cost, in the smallest units of the chain's own coin: gas, and what a chain above another one adds for that. */
  readonly cost: bigint
  readonly moves: readonly TokenMove[]
}

/** Who can be asked for one. */
interface ReceiptNode {
  receipt(txHash: string, signal: AbortSignal): Promise<Receipt | undefined>
}

const ReceiptSchema = Type.Object({
  blockNumber: Quantity,
  blockHash: Hash,
  status: Quantity,
  gasUsed: Quantity,
  effectiveGasPrice: Quantity,
  /** Of chains above another one, as Base and Optimism have it. */
  l1Fee: Type.Optional(Type.Union([Type.Null(), Quantity])),
  logs: Type.Array(
    Type.Object({
      address: Address,
      topics: Type.Array(Hash),
      data: Bytes,
    }),
  ),
})
const receiptSchema = Compile(Type.Union([Type.Null(), ReceiptSchema]))

/** Asks a node for what its block says of a transaction; undefined while it is in none. */
export const receiptFrom =
  (rpc: Pick<Rpc, 'result'>): ReceiptNode['receipt'] =>
  async (txHash, signal) => {
    const found = await rpc.result(receiptSchema, ['eth_getTransactionReceipt', [txHash]], signal)
    return found === null ? undefined : toReceipt(found)
  }

function toReceipt(found: Static<typeof ReceiptSchema>): Receipt {
  const status = BigInt(found.status)
  if (status !== 0n && status !== 1n)
    throw new ChainFault('REFUSED', `A receipt has the status ${found.status}.`)
  return {
    blockNumber: toNumber(found.blockNumber),
    blockHash: found.blockHash.toLowerCase(),
    isDone: status === 1n,
    cost: BigInt(found.gasUsed) * BigInt(found.effectiveGasPrice) + BigInt(found.l1Fee ?? '0x0'),
    moves: found.logs.flatMap((log) => readMove(log) ?? []),
  }
}

/** What all nodes say alike of a transaction; NOWHERE when none has it in a block, SOMEWHERE while some have. Throws DISAGREE. */
export async function receiptAtAll(
  nodes: readonly ReceiptNode[],
  txHash: string,
  signal: AbortSignal,
): Promise<Receipt | 'NOWHERE' | 'SOMEWHERE'> {
  const receipts = await Promise.all(nodes.map((node) => node.receipt(txHash, signal)))
  const known = receipts.filter((receipt) => receipt !== undefined)
  const [first] = known
  if (first === undefined) return 'NOWHERE'
  if (known.length < receipts.length) return 'SOMEWHERE'
  if (new Set(known.map(textOf)).size === 1) return first
  throw new ChainFault(
    'DISAGREE',
    `The nodes say different things of the transaction ${txHash}. Nothing of it is counted until they agree.`,
  )
}

const textOf = ({ blockNumber, blockHash, isDone, cost, moves }: Receipt): string =>
  JSON.stringify([
    blockNumber,
    blockHash,
    isDone,
    String(cost),
    moves.map(({ units, ...move }) => [move, String(units)]),
  ])
