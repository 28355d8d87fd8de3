import type { RawResponse } from '@tollgate/sdk'

/** What differs from answer to answer, whoever asks for whatever. */
const OWN_TO_EACH_ANSWER: ReadonlySet<string> = new Set(['date', 'x-request-id', 'ratelimit'])

/** Everything that a client can see of an answer but the moment of the request, and the id that it asked for. */
export function seenOf({ status, headers, text }: RawResponse, id = ''): string {
  const shown = [...headers].filter(([name]) => !OWN_TO_EACH_ANSWER.has(name)).sort()
  const body = text.replace(/"requestId":"[^"]*"/, '').replace(/"timestamp":"[^"]*"/, '')
  return JSON.stringify([status, shown, id === '' ? body : body.replaceAll(id, '')])
}
