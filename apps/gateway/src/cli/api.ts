import { CommandFailure, type FailureKind } from './failure.ts'
import { harmless } from './harmless.ts'

const TIMEOUT_MS = 10_000
const API_VERSION = '2'

/** A request to a server. */
export interface Question {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly content?: Content
  /** What a refused file is called: a bank's file that is refused is no mistake of who typed the command. */
  readonly fileName?: string
  /** Default: 10 s. */
  readonly timeoutMs?: number
}

interface Content {
  readonly type: string
  readonly body: Uint8Array<ArrayBuffer>
}

/** What a server is asked with, as JSON. */
export const jsonContent = (value: unknown): Content => ({
  type: 'application/json',
  body: new TextEncoder().encode(JSON.stringify(value)),
})

/** Which server it is, and what to do when it does not answer; for sentences. */
interface Server {
  readonly name: string
  readonly remedy: string
}

interface Answer {
  readonly status: number
  readonly text: string
}

/**
 * Asks a server and resolves to the text of its answer. Follows no redirect: what proves who asks goes nowhere else. Throws a
 * sentence for everything but a success.
 */
export async function askServer(question: Question, server: Server): Promise<string> {
  const answer = await exchange(question, server)
  if (answer.status >= 200 && answer.status < 300) return answer.text
  throw refusalOf(answer, server.name, question.fileName)
}

async function exchange(
  { method, url, headers, content, timeoutMs = TIMEOUT_MS }: Question,
  { name, remedy }: Server,
): Promise<Answer> {
  let status: number | undefined
  try {
    const response = await fetch(url, {
      method,
      ...(content !== undefined && { body: content.body }),
      headers: {
        'x-api-version': API_VERSION,
        ...(content !== undefined && { 'content-type': content.type }),
        ...headers,
      },
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
    })
    status = response.status
    return { status, text: await response.text() }
  } catch (error) {
    const reason = reasonOf(error, timeoutMs)
    if (status !== undefined)
      throw new CommandFailure(
        'SERVER',
        `The ${name} began its answer and broke it off (${reason}). Nothing of it is printed; the server's log says why.`,
      )
    throw new CommandFailure(
      'UNREACHABLE',
      `The ${name} does not answer at ${new URL(url).origin} (${reason}). ${remedy}`,
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
function refusalOf({ status, text }: Answer, name: string, fileName: string | undefined): CommandFailure {
  const answer = parsed(text)
  const message = harmless(messageOf(answer))
  const violations = listAt(answer, 'violations')
  // One that is told by the sentence already needs no line of its own.
  const lines = violations.length > 1 || isOfFile(violations) ? violations.map(lineOf) : []
  if (fileName !== undefined && status === 400 && textAt(answer, 'code') === 'BODY_INVALID')
    return new CommandFailure('REFUSED', `${fileName}: ${message}`, lines)
  const kind = KIND_OF_STATUS[status] ?? (status >= 500 ? 'SERVER' : 'FAULT')
  return new CommandFailure(kind, `The ${name} answers ${status}: ${message}`, lines)
}

const isOfFile = (violations: readonly unknown[]): boolean =>
  violations.length > 0 && violations.every((each) => textAt(each, 'field') === 'body')

function lineOf(violation: unknown): string {
  const field = textAt(violation, 'field') ?? 'body'
  const message = textAt(violation, 'message') ?? ''
  return harmless(field === 'body' ? message : `${field}: ${message}`)
}

/** What a text says as JSON; undefined for another one. */
export function parsed(text: string): unknown {
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
