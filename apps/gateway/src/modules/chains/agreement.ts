import { ChainFault } from './errors.ts'
import type { Chain } from './model.ts'
import type { Block, BlockRange, ChainNode, TokenTransfer } from './node.ts'

/** What all nodes of a chain say alike. Throws ChainFault. */
export interface Agreement {
  /** That every node has: the lowest of their heads. */
  headNumber(): Promise<number>
  /** Undefined when one of them has no such block. Throws DISAGREE when they have different ones. */
  block(number: number): Promise<Block | undefined>
  /** Undefined when it is more than a node answers at once. Throws DISAGREE when one has a transfer that another has not. */
  transfers(range: BlockRange, tokens: readonly string[]): Promise<readonly TokenTransfer[] | undefined>
  /** What each address has of a token at a block, in its smallest units. Throws DISAGREE. */
  balances(token: string, addresses: readonly string[], block: number): Promise<readonly bigint[]>
  /** What an address has of the chain's own coin at a block. Throws DISAGREE. */
  coins(address: string, block: number): Promise<bigint>
  /** Throws SETTINGS when a node is of another chain, or a token has other decimals. */
  requireSettings(): Promise<void>
}

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
      const whole = lists.filter((list) => list !== undefined)
      const [first] = whole
      if (first === undefined || whole.length < nodes.length) return undefined
      const known = textOfTransfers(first)
      const other = whole.findIndex((list) => textOfTransfers(list) !== known)
      if (other !== -1)
        throw new ChainFault(
          'DISAGREE',
          `${nameOf(nodes, 0)} and ${nameOf(nodes, other)} have different transfers in the blocks ${range.from} to ${range.to}. Nothing of them is counted until they agree.`,
        )
      return first
    },
    async balances(token, addresses, block) {
      const lists = await askAll((node) => node.balances({ token, addresses, block }, signal))
      return requireSame(nodes, lists, `coins of ${token} in the block ${block}`)
    },
    async coins(address, block) {
      const all = await askAll(async (node) => [await node.coins(address, block, signal)])
      return requireSame(nodes, all, `coins of ${address} in the block ${block}`)[0] ?? 0n
    },
    requireSettings: () => requireSettings(chain, signal),
  }
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
const textOfTransfers = (transfers: readonly TokenTransfer[]): string =>
  JSON.stringify(
    transfers
      .map(({ token, from, to, units, txHash, logIndex, blockHash }) =>
        [token, from, to, units, txHash, logIndex, blockHash].join(' '),
      )
      .sort(),
  )

async function requireSettings({ nodes, chainId, assets }: Chain, signal: AbortSignal): Promise<void> {
  for (const node of nodes) {
    const found = await node.chainId(signal)
    if (found !== chainId)
      throw new ChainFault(
        'SETTINGS',
        `${node.name} is a node of the chain ${found}, and the settings say ${chainId}. Correct rpc or chainId; nothing is read until they fit.`,
      )
    for (const { token, decimals, currencyCode } of assets) {
      if (token === undefined) continue
      const said = await node.decimals(token, signal)
      if (said !== decimals)
        throw new ChainFault(
          'SETTINGS',
          `${currencyCode} at ${token} has ${said} decimals by ${node.name}, and the settings say ${decimals}. Correct token or decimals; nothing is read until they fit.`,
        )
    }
  }
}
