import { failureOf, TollgateError } from './errors.ts'
import { member, textMember } from './json.ts'
import { attemptMs, type Patience, type RepeatableRequest, sendPatiently } from './patience.ts'
import type { Tokens } from './tokens.ts'
import type { RawResponse } from './transport.ts'
import type { Page } from './types.ts'

/** Tells whether a body has the members that make it this record. The rest is the gateway's word. */
export type Guard<T> = (value: unknown) => value is T

/** A request with the operations that its token must cover. */
export interface Call extends RepeatableRequest {
  readonly operations: readonly string[]
}

/** Calls the gateway with a token of its own getting. All throw TollgateError. */
export interface Caller {
  readonly sleep: (ms: number) => Promise<void>
  readonly nowMs: () => number
  send(call: Call): Promise<RawResponse>
  /** Reads one record. */
  record<T>(call: Call, guard: Guard<T>): Promise<T>
  /** Reads the items of a `{ data: [] }` list. */
  list<T>(call: Call, guard: Guard<T>): Promise<readonly T[]>
  /** Reads one part of a list that comes in parts. */
  page<T>(call: Call, guard: Guard<T>): Promise<Page<T>>
}

/** A caller over a wire, with tokens. */
export function createCaller(parts: Patience & Pick<Caller, 'nowMs'>, tokens: Tokens): Caller {
  async function sendWithToken({ operations, ...request }: Call): Promise<RawResponse> {
    const tokenOf = async () => within(parts, tokens.cached({ operations }), request.leftMs)
    const token = await tokenOf()
    try {
      return await sendPatiently(parts, { ...request, token })
    } catch (error) {
      if (!(error instanceof TollgateError) || error.status !== 401) throw error
      // The gateway may have changed its keys or revoked the token; a second refusal is meant.
      tokens.forget({ operations })
      return sendPatiently(parts, { ...request, token: await tokenOf() })
    }
  }

  return {
    sleep: parts.sleep,
    nowMs: parts.nowMs,
    send: sendWithToken,
    async record(call, guard) {
      const response = await sendWithToken(call)
      if (!guard(response.body)) throw new TollgateError('ANSWER_UNEXPECTED', response)
      return response.body
    },
    list: async (call, guard) => dataOf(await sendWithToken(call), guard),
    async page(call, guard) {
      const response = await sendWithToken(call)
      const nextCursor = textMember(response.body, 'nextCursor')
      return { data: dataOf(response, guard), ...(nextCursor === undefined ? {} : { nextCursor }) }
    },
  }
}

/** Other calls wait for the same token, so that a short wait must not end the request for it. */
async function within(
  { baseUrl }: Patience,
  token: Promise<string>,
  leftMs: Call['leftMs'],
): Promise<string> {
  if (leftMs === undefined) return token
  const signal = AbortSignal.timeout(attemptMs(leftMs))
  const end = new Promise<never>((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(failureOf(signal.reason, new URL(baseUrl).host)))
  })
  return Promise.race([token, end])
}

function dataOf<T>(response: RawResponse, guard: Guard<T>): readonly T[] {
  const data = member(response.body, 'data')
  if (!Array.isArray(data) || !data.every(guard)) throw new TollgateError('ANSWER_UNEXPECTED', response)
  return data
}

/** True when every named member is a text. */
export function hasTexts(value: unknown, ...names: readonly string[]): boolean {
  return names.every((name) => textMember(value, name) !== undefined)
}
