import { Type } from 'typebox'
import { Compile } from 'typebox/schema'
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
/** 32 bytes, as contracts answer. */
export const Word = Hash
/** Of any length. */
export const Bytes = Type.String({ pattern: '^0x([0-9a-fA-F]{2})*$' })
export const Address = Type.String({ pattern: '^0x[0-9a-fA-F]{40}$' })
const Answer = Type.Object({
  result: Type.Optional(Type.Unknown()),
  error: Type.Optional(Type.Object({ code: Type.Number(), message: Type.String() })),
})
const AnswerSchema = Compile(Answer)
const AnswersSchema = Compile(
  Type.Array(Type.Intersect([Answer, Type.Object({ id: Type.Optional(Type.Unknown()) })])),
)

type LargeAnswer = Awaited<ReturnType<LargeAnswerClient['ask']>>

interface Checker<Checked> {
  Check(value: unknown): value is Checked
}

/** What a node answered: a result, or an error of its own. */
type Reply =
  | { readonly ok: true; readonly result: unknown }
  | { readonly ok: false; readonly isTooMuch: boolean; readonly message: string }

/** Asks a node by JSON-RPC. Whatever goes wrong is a ChainFault that names it. */
export interface Rpc {
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
  /** Results of this form to many questions of one method, in their order. */
  results<Checked>(
    schema: Checker<Checked>,
    question: readonly [method: string, params: readonly (readonly unknown[])[]],
    signal: AbortSignal,
  ): Promise<readonly Checked[]>
  /** The same; undefined when they are more than the node answers, or than is read, at once. */
  resultsIfFew<Checked>(
    schema: Checker<Checked>,
    question: readonly [method: string, params: readonly (readonly unknown[])[]],
    signal: AbortSignal,
  ): Promise<readonly Checked[] | undefined>
  understood<Checked>(schema: Checker<Checked>, method: string, value: unknown): Checked
}

/** What public nodes take in one request. */
const QUESTIONS_AT_ONCE = 50

export function createRpc({ url, client }: RpcOptions): Rpc {
  const name = new URL(url).host

  async function post(method: string, question: object, signal: AbortSignal) {
    const answer = await client.ask({
      url,
      signal,
      deadlineMs: DEADLINE_MS,
      bytesMax: ANSWER_BYTES_MAX,
      body: JSON.stringify(question),
    })
    if (answer.kind !== 'failed') return answer
    throw new ChainFault('UNREACHABLE', `${name} does not answer ${method}: ${answer.message}.`)
  }

  async function ask(method: string, params: readonly unknown[], signal: AbortSignal): Promise<Reply> {
    const answer = await post(method, { jsonrpc: '2.0', id: 1, method, params }, signal)
    if (answer.kind === 'tooLarge' || answer.status === 413)
      return { ok: false, isTooMuch: true, message: 'more than is read at once' }
    const read = parsed(AnswerSchema, answer.text)
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

  async function resultsIfFew<Checked>(
    schema: Checker<Checked>,
    [method, params]: readonly [string, readonly (readonly unknown[])[]],
    signal: AbortSignal,
  ): Promise<readonly Checked[] | undefined> {
    const all: Checked[] = []
    for (let start = 0; start < params.length; start += QUESTIONS_AT_ONCE) {
      const asked = params.slice(start, start + QUESTIONS_AT_ONCE)
      const questions = asked.map((each, id) => ({ jsonrpc: '2.0', id, method, params: each }))
      for (const reply of repliesIn(questions, await post(method, questions, signal))) {
        if (!reply.ok && reply.isTooMuch) return undefined
        if (!reply.ok)
          throw new ChainFault(
            'REFUSED',
            `${name} does not answer ${asked.length} times ${method} at once: ${reply.message}`,
          )
        all.push(understood(schema, method, reply.result))
      }
    }
    return all
  }

  async function results<Checked>(
    schema: Checker<Checked>,
    question: readonly [string, readonly (readonly unknown[])[]],
    signal: AbortSignal,
  ): Promise<readonly Checked[]> {
    const all = await resultsIfFew(schema, question, signal)
    if (all !== undefined) return all
    const [method] = question
    throw new ChainFault('REFUSED', `${name} does not answer ${method}: the answer is too large.`)
  }

  return { name, ask, result, results, resultsIfFew, understood }
}

/** What was answered to each question, in their order. */
function repliesIn(
  questions: readonly { readonly id: number }[],
  answer: Exclude<LargeAnswer, { kind: 'failed' }>,
): readonly Reply[] {
  const isTooLarge = answer.kind === 'tooLarge' || answer.status === 413
  const read = answer.kind === 'tooLarge' ? undefined : parsed(AnswersSchema, answer.text)
  const byId = new Map(read?.map((reply) => [reply.id, reply]))
  return questions.map(({ id }): Reply => {
    const reply = byId.get(id)
    if (reply !== undefined && reply.error === undefined) return { ok: true, result: reply.result }
    const { code, message } = reply?.error ?? { code: 0, message: 'not all of them' }
    return { ok: false, isTooMuch: isTooLarge || isTooMuch(code, message), message: clean(message) }
  })
}

function parsed<Checked>(schema: Checker<Checked>, text: string): Checked | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return schema.Check(value) ? value : undefined
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

/** `balanceOf(address)`. */
const BALANCE_CALL = '0x70a08231'
const WORD_DIGITS = 64

/** Asks a token's contract what an address has. */
export const balanceCall = (
  token: string,
  address: string,
): { readonly to: string; readonly data: string } => ({
  to: token,
  data: `${BALANCE_CALL}${address.slice(2).padStart(WORD_DIGITS, '0')}`,
})

export const toHex = (number: number): string => `0x${number.toString(16)}`
export const toNumber = (quantity: string): number => Number(BigInt(quantity))
