import { EVM_COIN } from '@tollgate/payment-codes'
import { ChainFault } from './errors.ts'
import type { Chain } from './model.ts'
import type { Block, BlockRange, BlockTransaction, ChainNode, TokenTransfer } from './node.ts'
import { type Receipt, receiptAtAll } from './receipts.ts'

/** What all nodes of a chain say alike. Throws ChainFault. */
export interface Agreement {
  /** That every node has: the lowest of their heads. */
  headNumber(): Promise<number>
  /** Undefined when one of them has no such block. Throws DISAGREE when they have different ones. */
  block(number: number): Promise<Block | undefined>
  /** Undefined when it is more than a node answers at once. Throws DISAGREE when one has a transfer that another has not. */
  transfers(range: BlockRange, tokens: readonly string[]): Promise<readonly TokenTransfer[] | undefined>
  /**
   * The same of transactions that are ours, of all that a node has. What they say of others is not compared: some count things as
   * transactions that others do not.
   */
  transactions(range: BlockRange, oursAmong: Choice): Promise<readonly BlockTransaction[] | undefined>
  /** Of a transaction that is in this block at all of them. Throws UNREACHABLE while one lacks it, DISAGREE. */
  receipt(transaction: Pick<BlockTransaction, 'txHash' | 'blockHash'>): Promise<Receipt>
  /** What each address has of a token, or of the chain's own coin, at a block, in the smallest units. Throws DISAGREE. */
  balances(token: string, addresses: readonly string[], block: number): Promise<readonly bigint[]>
  /** Throws SETTINGS when a node is of another chain, or a token has other decimals. */
  requireSettings(): Promise<void>
}

/** Which of some transactions are ours. */
type Choice = (all: readonly BlockTransaction[]) => Promise<(transaction: BlockTransaction) => boolean>

/** Asks all nodes at once: one that lies, or is on a fork of its own, stops the reading, and nothing is booked by its word alone. */
export function agreementOf(chain: Chain, signal: AbortSignal): Agreement {
  const { nodes } = chain
  const askAll = <Answer>(ask: (node: ChainNode) => Promise<Answer>): Promise<readonly Answer[]> =>
    Promise.all(nodes.map(ask))
  return {
    headNumber: async () => Math.min(...(await askAll((node) => node.headNumber(signal)))),
    async block(number) {
      const blocks = await askAll((node) => node.block(number, signal))
      const found = blocks.filter((block) => block !== undefined)
      const [first] = found
      if (first === undefined || found.length < nodes.length) return undefined
      if (first.number !== number)
        throw new ChainFault('REFUSED', `${nameOf(nodes, 0)} gave block ${first.number} for ${number}.`)
      const other = found.findIndex((block) => textOfBlock(block) !== textOfBlock(first))
      if (other !== -1)
        throw new ChainFault(
          'DISAGREE',
          `${nameOf(nodes, 0)} and ${nameOf(nodes, other)} have different blocks ${number}: ${first.hash} and ${found[other]?.hash ?? ''}. Nothing of it is counted until they agree.`,
        )
      return first
    },
    async transfers(range, tokens) {
      const lists = await askAll((node) => node.transfers(range, tokens, signal))
      return sameLists(nodes, lists, { textOf: textOfTransfer, what: 'transfers', range })
    },
    async transactions(range, oursAmong) {
      const lists = await askAll((node) => node.transactions(range, signal))
      const isOurs = await oursAmong(lists.flatMap((list) => list ?? []))
      const ours = lists.map((list) => list?.filter(isOurs))
      return sameLists(nodes, ours, { textOf: textOfTransaction, what: 'transactions', range })
    },
    async receipt({ txHash, blockHash }) {
      const receipt = await receiptAtAll(nodes, txHash, signal)
      if (receipt === 'NOWHERE' || receipt === 'SOMEWHERE' || receipt.blockHash !== blockHash)
        throw new ChainFault(
          'UNREACHABLE',
          `A node has the block of the transaction ${txHash}, and does not say what became of it there. It is asked again.`,
        )
      return receipt
    },
    async balances(token, addresses, block) {
      const lists = await askAll((node) =>
        token === EVM_COIN
          ? node.coins(addresses, block, signal)
          : node.balances({ token, addresses, block }, signal),
      )
      const what = token === EVM_COIN ? "coins of the chain's own" : `coins of ${token}`
      return requireSame(nodes, lists, `${what} in the block ${block}`)
    },
    requireSettings: () => requireSettings(chain, signal),
  }
}

interface Compared<Item> {
  /** All that two nodes must say alike. */
  readonly textOf: (item: Item) => string
  readonly what: string
  readonly range: BlockRange
}

/** Undefined when it is too much for one of them. Throws DISAGREE. */
function sameLists<Item>(
  nodes: readonly ChainNode[],
  lists: readonly (readonly Item[] | undefined)[],
  { textOf, what, range }: Compared<Item>,
): readonly Item[] | undefined {
  const whole = lists.filter((list) => list !== undefined)
  const [first] = whole
  if (first === undefined || whole.length < nodes.length) return undefined
  const textOfAll = (list: readonly Item[]): string => list.map(textOf).sort().join()
  const known = textOfAll(first)
  const other = whole.findIndex((list) => textOfAll(list) !== known)
  if (other === -1) return first
  throw new ChainFault(
    'DISAGREE',
    `${nameOf(nodes, 0)} and ${nameOf(nodes, other)} have different ${what} in the blocks ${range.from} to ${range.to}. Nothing of them is counted until they agree.`,
  )
}

function requireSame(
  nodes: readonly ChainNode[],
  lists: readonly (readonly bigint[])[],
  what: string,
): readonly bigint[] {
  const [first = []] = lists
  const other = lists.findIndex((list) => list.join() !== first.join())
  if (other === -1) return first
  throw new ChainFault(
    'DISAGREE',
    `${nameOf(nodes, 0)} and ${nameOf(nodes, other)} have different ${what}. They are counted again.`,
  )
}

const nameOf = (nodes: readonly ChainNode[], index: number): string => nodes[index]?.name ?? ''
const textOfBlock = ({ number, hash, timeSeconds }: Block): string => `${number} ${hash} ${timeSeconds}`
const textOfTransfer = ({ token, from, to, units, txHash, logIndex, blockHash }: TokenTransfer): string =>
  [token, from, to, units, txHash, logIndex, blockHash].join(' ')
const textOfTransaction = ({ txHash, from, to, units, blockHash }: BlockTransaction): string =>
  [txHash, from, to, units, blockHash].join(' ')

async function requireSettings({ nodes, chainId, assets }: Chain, signal: AbortSignal): Promise<void> {
  for (const node of nodes) {
    const found = await node.chainId(signal)
    if (found !== chainId)
      throw new ChainFault(
        'SETTINGS',
        `${node.name} is a node of the chain ${found}, and the settings say ${chainId}. Correct rpc or chainId; nothing is read until they fit.`,
      )
    for (const { token, decimals, currencyCode } of assets) {
      if (token === EVM_COIN) continue
      const said = await node.decimals(token, signal)
      if (said !== decimals)
        throw new ChainFault(
          'SETTINGS',
          `${currencyCode} at ${token} has ${said} decimals by ${node.name}, and the settings say ${decimals}. Correct token or decimals; nothing is read until they fit.`,
        )
    }
  }
}
