import { Type } from 'typebox'
import { Compile } from 'typebox/compile'
import type { LargeAnswerClient } from '../../platform/outbound/index.ts'
import { ChainFault } from './errors.ts'

/** A block by its number, as a node has it. */
export interface Block {
  readonly number: number
  /** `0x` and 64 digits in lower case, as all hashes here. */
  readonly hash: string
  readonly timeSeconds: number
}

/** A transfer of a token, as the token's contract logged it. */
export interface TokenTransfer {
  /** In lower case, as all addresses here. */
  readonly token: string
  readonly from: string
  readonly to: string
  /** In the token's smallest units. */
  readonly units: bigint
  readonly txHash: string
  readonly logIndex: number
  readonly blockNumber: number
  readonly blockHash: string
}

/** Blocks from one to another, both included. */
export interface BlockRange {
  readonly from: number
  readonly to: number
}

/** A node of a chain, asked by JSON-RPC. Whatever goes wrong is a ChainFault that names it. */
export interface ChainNode {
  /** For people: its host, never the path, which often has a key in it. */
  readonly name: string
  chainId(signal: AbortSignal): Promise<number>
  headNumber(signal: AbortSignal): Promise<number>
  /** Undefined when the node has no such block yet. */
  block(number: number, signal: AbortSignal): Promise<Block | undefined>
  /** Every transfer of the tokens in the blocks; undefined when that is more than the node answers at once. */
  transfers(
    range: BlockRange,
    tokens: readonly string[],
    signal: AbortSignal,
  ): Promise<readonly TokenTransfer[] | undefined>
  decimals(token: string, signal: AbortSignal): Promise<number>
}

interface NodeOptions {
  readonly url: string
  readonly client: Pick<LargeAnswerClient, 'ask'>
}

const DEADLINE_MS = 20_000
/** Some thousands of transfers; a node with more to say is asked for fewer blocks. */
const ANSWER_BYTES_MAX = 8 * 1_048_576
/** keccak256('Transfer(address,address,uint256)'). */
const TRANSFER_TOPIC = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'
/** `decimals()`. */
const DECIMALS_CALL = '0x313ce567'

const Quantity = Type.String({ pattern: '^0x[0-9a-fA-F]{1,64}$' })
const Hash = Type.String({ pattern: '^0x[0-9a-fA-F]{64}$' })
const Address = Type.String({ pattern: '^0x[0-9a-fA-F]{40}$' })
const AnswerSchema = Compile(
  Type.Object({
    result: Type.Optional(Type.Unknown()),
    error: Type.Optional(Type.Object({ code: Type.Number(), message: Type.String() })),
  }),
)
const QuantitySchema = Compile(Quantity)
const BlockSchema = Compile(
  Type.Union([Type.Null(), Type.Object({ number: Quantity, hash: Hash, timestamp: Quantity })]),
)
const LogsSchema = Compile(
  Type.Array(
    Type.Object({
      address: Address,
      topics: Type.Array(Hash),
      data: Type.String({ pattern: '^0x[0-9a-fA-F]*$' }),
      transactionHash: Hash,
      logIndex: Quantity,
      blockNumber: Quantity,
      blockHash: Hash,
      removed: Type.Optional(Type.Boolean()),
    }),
  ),
)

interface Checker<Checked> {
  Check(value: unknown): value is Checked
}

/** What a node answered: a result, or an error of its own. */
type Reply =
  | { readonly ok: true; readonly result: unknown }
  | { readonly ok: false; readonly isTooMuch: boolean; readonly message: string }

export function createChainNode({ url, client }: NodeOptions): ChainNode {
  const name = new URL(url).host

  async function ask(method: string, params: readonly unknown[], signal: AbortSignal): Promise<Reply> {
    const answer = await client.ask({
      ...{ url, signal, deadlineMs: DEADLINE_MS, bytesMax: ANSWER_BYTES_MAX },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    })
    if (answer.kind === 'failed')
      throw new ChainFault('UNREACHABLE', `${name} does not answer ${method}: ${answer.message}.`)
    if (answer.kind === 'tooLarge' || answer.status === 413)
      return { ok: false, isTooMuch: true, message: 'more than is read at once' }
    const read = parsed(answer.text)
    if (read?.error !== undefined) {
      const { code, message } = read.error
      return { ok: false, isTooMuch: isTooMuch(code, message), message: clean(message) }
    }
    if (answer.status === 200 && read !== undefined) return { ok: true, result: read.result }
    throw new ChainFault('REFUSED', `${name} answered ${method} with status ${answer.status} and no result.`)
  }

  async function result<Checked>(
    schema: Checker<Checked>,
    [method, params]: readonly [string, readonly unknown[]],
    signal: AbortSignal,
  ): Promise<Checked> {
    const reply = await ask(method, params, signal)
    if (!reply.ok) throw new ChainFault('REFUSED', `${name} refuses ${method}: ${reply.message}`)
    return understood(schema, method, reply.result)
  }

  function understood<Checked>(schema: Checker<Checked>, method: string, value: unknown): Checked {
    if (schema.Check(value)) return value
    throw new ChainFault('REFUSED', `${name} answers ${method} in a form that is not Ethereum's.`)
  }

  return {
    name,
    chainId: async (signal) => toNumber(await result(QuantitySchema, ['eth_chainId', []], signal)),
    headNumber: async (signal) => toNumber(await result(QuantitySchema, ['eth_blockNumber', []], signal)),
    async block(number, signal) {
      const found = await result(BlockSchema, ['eth_getBlockByNumber', [toHex(number), false]], signal)
      if (found === null) return undefined
      return {
        number: toNumber(found.number),
        hash: found.hash.toLowerCase(),
        timeSeconds: toNumber(found.timestamp),
      }
    },
    async transfers({ from, to }, tokens, signal) {
      const method = 'eth_getLogs'
      const filter = {
        ...{ fromBlock: toHex(from), toBlock: toHex(to), address: tokens, topics: [TRANSFER_TOPIC] },
      }
      const reply = await ask(method, [filter], signal)
      if (!reply.ok && reply.isTooMuch) return undefined
      if (!reply.ok) throw new ChainFault('REFUSED', `${name} refuses ${method}: ${reply.message}`)
      const logs = understood(LogsSchema, method, reply.result)
      return logs.filter(({ removed }) => removed !== true).flatMap(toTransfer)
    },
    async decimals(token, signal) {
      const called = await result(
        QuantitySchema,
        ['eth_call', [{ to: token, data: DECIMALS_CALL }, 'latest']],
        signal,
      )
      return toNumber(called)
    },
  }
}

function parsed(text: string) {
  try {
    const value: unknown = JSON.parse(text)
    return AnswerSchema.Check(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** Each provider says it in its own words: -32005 is "limit exceeded", and most name the range or the number of results. */
const isTooMuch = (code: number, message: string): boolean =>
  code === -32_005 || /too many|range|limit|exceed|more than|too large|response size/i.test(message)

const MESSAGE_CHARACTERS_MAX = 200

/** The node's own words, for operators: one line. */
const clean = (message: string): string =>
  message
    .replace(/[\p{C}\s]+/gu, ' ')
    .trim()
    .slice(0, MESSAGE_CHARACTERS_MAX)

const toHex = (number: number): string => `0x${number.toString(16)}`
const toNumber = (quantity: string): number => Number(BigInt(quantity))

/** Three topics and 32 bytes of data: contracts whose transfers are of another form, such as those of single things, are none of ours. */
function toTransfer(log: {
  readonly address: string
  readonly topics: readonly string[]
  readonly data: string
  readonly transactionHash: string
  readonly logIndex: string
  readonly blockNumber: string
  readonly blockHash: string
}): readonly TokenTransfer[] {
  const [topic, from, to, ...rest] = log.topics
  if (topic?.toLowerCase() !== TRANSFER_TOPIC || from === undefined || to === undefined) return []
  if (rest.length > 0 || log.data.length !== DATA_CHARACTERS) return []
  return [
    {
      ...{ token: log.address.toLowerCase(), from: addressIn(from), to: addressIn(to) },
      ...{ units: BigInt(log.data), txHash: log.transactionHash.toLowerCase() },
      logIndex: toNumber(log.logIndex),
      blockNumber: toNumber(log.blockNumber),
      blockHash: log.blockHash.toLowerCase(),
    },
  ]
}

const DATA_CHARACTERS = 66
const ADDRESS_DIGITS = 40
const addressIn = (topic: string): string => `0x${topic.slice(-ADDRESS_DIGITS).toLowerCase()}`
