import { CommandFailure, type FailureKind } from './failure.ts'
import { harmless } from './harmless.ts'

const TIMEOUT_MS = 10_000
const API_VERSION = '2'

/** A request to one of the gateway's servers. */
export interface Exchange {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: Uint8Array<ArrayBuffer>
  /** Default: 10 s. */
  readonly timeoutMs?: number
}

/** Which server it is, and what to do when it does not answer; for sentences. */
interface Server {
  readonly name: string
  readonly remedy: string
}

interface Answer {
  readonly status: number
  readonly text: string
}

const API: Server = { name: 'API', remedy: 'Start the gateway, or name its address with --api-url.' }

/** Posts a JSON body to the API and resolves to the answer. Throws a sentence for everything but 200 and 201. */
export async function postToApi(
  url: string,
  body: Uint8Array<ArrayBuffer>,
  headers: Readonly<Record<string, string>>,
): Promise<unknown> {
  const answer = await exchange(
    { method: 'POST', url, body, headers: { 'content-type': 'application/json', ...headers } },
    API,
  )
  if (answer.status === 200 || answer.status === 201) return parsed(answer.text)
  throw refusalOf(answer, API.name)
}

/** Asks a server. Follows no redirect: what proves who asks goes nowhere else. Throws a sentence when there is no answer. */
export async function exchange(
  { method, url, headers, body, timeoutMs = TIMEOUT_MS }: Exchange,
  { name, remedy }: Server,
): Promise<Answer> {
  try {
    const response = await fetch(url, {
      method,
      ...(body !== undefined && { body }),
      headers: { 'x-api-version': API_VERSION, ...headers },
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
    })
    return { status: response.status, text: await response.text() }
  } catch (error) {
    const { origin } = new URL(url)
    throw new CommandFailure(
      'UNREACHABLE',
      `The ${name} does not answer at ${origin} (${reasonOf(error, timeoutMs)}). ${remedy}`,
    )
  }
}

function reasonOf(error: unknown, timeoutMs: number): string {
  if (!(error instanceof Error)) return 'unknown reason'
  if (error.name === 'TimeoutError') return `no answer in ${timeoutMs / 1000} s`
  const { cause } = error
  if (!(cause instanceof Error)) return error.message
  return 'code' in cause ? String(cause.code) : cause.message
}

const KIND_OF_STATUS: Readonly<Record<number, FailureKind>> = {
  400: 'USAGE',
  401: 'CREDENTIALS',
  403: 'CREDENTIALS',
  404: 'NOT_FOUND',
  406: 'REFUSED',
  409: 'CONFLICT',
  410: 'NOT_FOUND',
  429: 'RATE_LIMIT',
}

/** What a server refuses with, as a sentence with its exit code, and a line for each field that is wrong. */
export function refusalOf({ status, text }: Answer, name: string): CommandFailure {
  const answer = parsed(text)
  const kind = KIND_OF_STATUS[status] ?? (status >= 500 ? 'SERVER' : 'FAULT')
  const violations = listAt(answer, 'violations')
  // One that is told by the sentence already needs no line of its own.
  const lines = violations.length > 1 || isOfFile(violations) ? violations.map(lineOf) : []
  return new CommandFailure(kind, `The ${name} answers ${status}: ${harmless(messageOf(answer))}`, lines)
}

/** The same of a request that hands in a file of a bank: what cannot be taken is named by its file. */
export function fileRefusalOf(answer: Answer, name: string, fileName: string): CommandFailure {
  const failure = refusalOf(answer, name)
  const said = parsed(answer.text)
  if (answer.status !== 400 || textAt(said, 'code') !== 'BODY_INVALID') return failure
  return new CommandFailure('REFUSED', `${fileName}: ${harmless(messageOf(said))}`, failure.lines)
}

const isOfFile = (violations: readonly unknown[]): boolean =>
  violations.length > 0 && violations.every((each) => textAt(each, 'field') === 'body')

function lineOf(violation: unknown): string {
  const field = textAt(violation, 'field') ?? 'body'
  const message = textAt(violation, 'message') ?? ''
  return harmless(field === 'body' ? message : `${field}: ${message}`)
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The sentences of a BasicError, or of the list of a 406. */
function messageOf(answer: unknown): string {
  if (Array.isArray(answer)) return answer.map(messageOf).join(' ')
  const message = textAt(answer, 'message') ?? 'there is no explanation.'
  const code = textAt(answer, 'code')
  return code === undefined ? message : `${message} (${code})`
}

function textAt(value: unknown, name: string): string | undefined {
  const found: unknown = typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined
  return typeof found === 'string' ? found : undefined
}

function listAt(value: unknown, name: string): readonly unknown[] {
  const found: unknown = typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined
  return Array.isArray(found) ? found : []
}
