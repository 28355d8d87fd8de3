import assert from 'node:assert/strict'
import type { RawRequest, RawResponse } from '@tollgate/sdk'
import { at, listAt, textAt } from './json.ts'

const CLOCKS_APART_MS = 60_000
const ISO_UTC = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}[.]\d{3}Z$/

/** The answer is this success. */
export function expectSuccess(response: RawResponse, status: 200 | 201 | 202 | 204): unknown {
  assert.equal(response.status, status, response.text)
  return response.body
}

/** The answer is this error, with everything that an error of its status carries. */
export function expectError(response: RawResponse, status: number, code: string): void {
  assert.equal(response.status, status, response.text)
  if (status === 406) expectRejection(response, code)
  else expectBasicError(response, code)
  if (status === 429 || status === 500) assert.match(response.headers.get('retry-after') ?? '', /^[1-9]\d*$/)
  if (status === 401) assert.equal(response.headers.get('www-authenticate'), 'Bearer')
}

/** BasicError: code, a sentence, the request, the time, and the page that explains the code. */
function expectBasicError({ body, headers }: RawResponse, code: string): void {
  assert.equal(at(body, 'code'), code, JSON.stringify(body))
  assert.ok(textAt(body, 'message').length > 0)
  assert.equal(textAt(body, 'requestId'), headers.get('x-request-id'))
  assert.match(textAt(body, 'docUrl'), new RegExp(`^https?://.*/errors/${code}$`))
  const timestamp = textAt(body, 'timestamp')
  assert.match(timestamp, ISO_UTC)
  assert.ok(Math.abs(Date.parse(timestamp) - Date.now()) < CLOCKS_APART_MS, timestamp)
}

/** An array of reasons, each with a code and a sentence; one has this code. */
function expectRejection({ body }: RawResponse, code: string): void {
  const items = listAt(body)
  assert.ok(items.length > 0)
  for (const item of items) assert.ok(textAt(item, 'code') !== '' && textAt(item, 'message') !== '')
  assert.ok(
    items.some((item) => at(item, 'code') === code),
    `${code} in ${JSON.stringify(body)}`,
  )
}

/** The reason of a 406 with this code. */
export function rejectionItem({ body }: RawResponse, code: string): unknown {
  const item = listAt(body).find((each) => at(each, 'code') === code)
  assert.ok(item !== undefined, `${code} in ${JSON.stringify(body)}`)
  return item
}

/** The fields that a 400 names. */
export function violatedFields({ body }: RawResponse): readonly string[] {
  return listAt(body, 'violations').map((violation) => textAt(violation, 'field'))
}

/** Of these answers to the same caller, sent at once, one at least says that it was one too many. */
export function expectOneLimited(responses: readonly RawResponse[]): void {
  const refused = responses.find(({ status }) => status === 429)
  assert.ok(refused, 'one of them is refused')
  expectError(refused, 429, 'RATE_LIMIT_EXCEEDED')
}

type Send = (request: RawRequest) => Promise<RawResponse>

/** The request is refused without a token, and with one that is none. */
export async function expectTokenNeeded(send: Send, { token: _, ...request }: RawRequest): Promise<void> {
  expectError(await send(request), 401, 'TOKEN_MISSING')
  expectError(await send({ ...request, token: 'a.b.c' }), 401, 'TOKEN_INVALID')
}

/** The request is refused without a version of the interface, and in versions that are none of ours. */
export async function expectVersionNeeded(send: Send, request: RawRequest): Promise<void> {
  for (const version of [null, '1', '3', '2.82']) {
    const other = { ...request, headers: { ...request.headers, 'X-API-Version': version } }
    expectError(await send(other), 404, 'API_VERSION_UNSUPPORTED')
  }
}
