import { at, type Step } from '@tollgate/testkit'

/** The text at the path; throws where there is none. */
export function textAt(value: unknown, ...path: readonly Step[]): string {
  const found = at(value, ...path)
  if (typeof found !== 'string')
    throw new Error(`no text at ${path.join('.')}: ${JSON.stringify(value).slice(0, WORDS_MAX)}`)
  return found
}

const WORDS_MAX = 600
const TIMEOUT_MS = 60_000

interface Request {
  readonly method?: 'GET' | 'POST'
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
}

/** Asks a server for JSON. Throws unless it answers 200. */
export async function ask(url: string, { method = 'GET', headers = {}, body }: Request): Promise<unknown> {
  const response = await fetch(url, {
    method,
    signal: AbortSignal.timeout(TIMEOUT_MS),
    headers: { 'content-type': 'application/json', ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${method} ${url}: ${response.status} ${text.slice(0, WORDS_MAX)}`)
  return JSON.parse(text)
}
