import { CommandFailure, type FailureKind } from './failure.ts'
import { harmless } from './harmless.ts'

const TIMEOUT_MS = 10_000
const API_VERSION = '2'

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

/** Posts a JSON body to the API and resolves to the answer. Throws a sentence for everything but 200 and 201. */
export async function postToApi(
  url: string,
  body: Uint8Array<ArrayBuffer>,
  headers: Readonly<Record<string, string>>,
): Promise<unknown> {
  const { status, text } = await exchange(url, body, headers)
  const answer = parsed(text)
  if (status === 200 || status === 201) return answer
  const kind = KIND_OF_STATUS[status] ?? (status >= 500 ? 'SERVER' : 'FAULT')
  throw new CommandFailure(kind, `The API answers ${status}: ${harmless(messageOf(answer))}`)
}

async function exchange(
  url: string,
  body: Uint8Array<ArrayBuffer>,
  headers: Readonly<Record<string, string>>,
): Promise<{ status: number; text: string }> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json', 'x-api-version': API_VERSION, ...headers },
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    return { status: response.status, text: await response.text() }
  } catch (error) {
    throw new CommandFailure(
      'UNREACHABLE',
      `The API does not answer at ${new URL(url).origin} (${reasonOf(error)}). Start the gateway, or name its address with --api-url.`,
    )
  }
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown reason'
  if (error.name === 'TimeoutError') return `no answer in ${TIMEOUT_MS / 1000} s`
  const { cause } = error
  if (!(cause instanceof Error)) return error.message
  return 'code' in cause ? String(cause.code) : cause.message
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
  if (typeof answer !== 'object' || answer === null) return 'there is no explanation.'
  const message = 'message' in answer ? String(answer.message) : 'there is no explanation.'
  return 'code' in answer ? `${message} (${String(answer.code)})` : message
}
