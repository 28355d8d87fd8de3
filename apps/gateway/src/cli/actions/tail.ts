import { setTimeout as sleep } from 'node:timers/promises'
import type { Printed, RecordedRequestListSchema } from '@tollgate/contract'
import { askServer, parsed } from '../api.ts'
import { CommandFailure } from '../failure.ts'
import { harmless } from '../harmless.ts'
import { NOTHING_MORE, type Report, type Shell } from '../shell.ts'
import { API, callerFor, createToken, type MerchantWish } from './token-create.ts'

const ASK_EVERY_MS = 1_000
const TOKEN_SECONDS = 3_600
const TOKEN_RENEWED_MS = (TOKEN_SECONDS / 2) * 1_000
const PAGE = 100
const REFUSED_FROM = 400

type Requests = Printed<typeof RecordedRequestListSchema>
type Recorded = Requests['data'][number]

export interface TailWish extends MerchantWish {
  /** Only what was refused. */
  readonly failed?: true
}

/** `tollgate tail`: goes on until a signal ends it. */
export async function tail(shell: Shell, wish: TailWish): Promise<Report> {
  const stop = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort())
  const { merchantCode, apiUrl } = await callerFor(shell, wish)
  const ask = askerFor(shell, wish, apiUrl)
  let after = show(shell, wish, await ask(undefined))
  shell.note(`Requests of ${merchantCode} at ${apiUrl}. Ctrl-C ends.`)
  while (!stop.signal.aborted) {
    await sleep(ASK_EVERY_MS, undefined, { signal: stop.signal }).catch(() => undefined)
    after = show(shell, wish, await ask(after)) ?? after
  }
  return NOTHING_MORE
}

/** Asks for the requests after one, with a token that is renewed in time. */
function askerFor(
  shell: Shell,
  wish: MerchantWish,
  apiUrl: string,
): (after: string | undefined) => Promise<Requests> {
  let token: string | undefined
  let renewAtMs = 0
  return async (after) => {
    const nowMs = shell.clock.nowMs()
    if (token === undefined || nowMs >= renewAtMs) {
      const order = { ...wish, operation: ['GET /sandbox/requests'], validity: TOKEN_SECONDS }
      token = (await createToken(shell, order)).token
      renewAtMs = nowMs + TOKEN_RENEWED_MS
    }
    const query = after === undefined ? '' : `?after=${after}&limit=${PAGE}`
    const url = `${apiUrl}/sandbox/requests${query}`
    const headers = { authorization: `Bearer ${token}` }
    const answer = parsed(await askServer({ method: 'GET', url, headers }, API).catch(sayIfLive))
    if (isRequests(answer)) return answer
    throw new CommandFailure('SERVER', `${apiUrl} answered no list of requests. Is it the API of Tollgate?`)
  }
}

function sayIfLive(error: unknown): never {
  if (error instanceof CommandFailure && error.kind === 'NOT_FOUND')
    throw new CommandFailure('REFUSED', 'This works only in the sandbox.')
  throw error
}

const isRequests = (answer: unknown): answer is Requests =>
  typeof answer === 'object' && answer !== null && 'data' in answer && Array.isArray(answer.data)

/** Prints them; the number of the last one. */
function show(shell: Shell, { failed }: TailWish, { data }: Requests): string | undefined {
  for (const request of data) {
    if (failed === true && request.status < REFUSED_FROM) continue
    shell.print(shell.isJson() ? JSON.stringify(request) : lines(request))
  }
  return data.at(-1)?.requestNo
}

/** Below the method, behind the time. */
const INDENT = ' '.repeat('00:00:00 '.length)

function lines(request: Recorded): string {
  const { answeredAt, method, path, status, code, tookMs, requestId, isProven, says } = request
  const head = [
    answeredAt.slice(11, 19),
    method,
    path,
    '->',
    String(status),
    code ?? '',
    `in ${Math.round(tookMs)} ms`,
    `(${requestId})`,
    isProven ? '' : 'from somebody who has not proven to be you',
  ]
  const shown = [
    head.filter((part) => part !== '').join(' '),
    ...says.map((sentence) => `${INDENT}${sentence}`),
  ]
  return shown.map(harmless).join('\n')
}
