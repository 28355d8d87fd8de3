import { Type } from 'typebox'
import { Compile } from 'typebox/compile'
import type { LargeAnswerClient } from '../../platform/outbound/index.ts'
import { ChainFault } from './errors.ts'

export interface RpcOptions {
  readonly url: string
  readonly client: Pick<LargeAnswerClient, 'ask'>
}

const DEADLINE_MS = 20_000
/** Some thousands of transfers; a node with more to say is asked for fewer blocks. */
const ANSWER_BYTES_MAX = 8 * 1_048_576

export const Quantity = Type.String({ pattern: '^0x[0-9a-fA-F]{1,64}$' })
export const Hash = Type.String({ pattern: '^0x[0-9a-fA-F]{64}$' })
export const Address = Type.String({ pattern: '^0x[0-9a-fA-F]{40}$' })
const AnswerSchema = Compile(
  Type.Object({
    result: Type.Optional(Type.Unknown()),
    error: Type.Optional(Type.Object({ code: Type.Number(), message: Type.String() })),
  }),
)

interface Checker<Checked> {
  Check(value: unknown): value is Checked
}

/** What a node answered: a result, or an error of its own. */
type Reply =
  | { readonly ok: true; readonly result: unknown }
  | { readonly ok: false; readonly isTooMuch: boolean; readonly message: string }

/** Asks a node by JSON-RPC. Whatever goes wrong is a ChainFault that names it. */
interface Rpc {
  /** For people: the node's host, never the path, which often has a key in it. */
  readonly name: string
  /** An error of the node's own is an answer. */
  ask(method: string, params: readonly unknown[], signal: AbortSignal): Promise<Reply>
  /** A result of this form; all else is a fault. */
  result<Checked>(
    schema: Checker<Checked>,
    question: readonly [method: string, params: readonly unknown[]],
    signal: AbortSignal,
  ): Promise<Checked>
  understood<Checked>(schema: Checker<Checked>, method: string, value: unknown): Checked
}

export function createRpc({ url, client }: RpcOptions): Rpc {
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

  return { name, ask, result, understood }
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

export const toHex = (number: number): string => `0x${number.toString(16)}`
export const toNumber = (quantity: string): number => Number(BigInt(quantity))
