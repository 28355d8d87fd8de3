import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { RawRequest, RawResponse } from '@tollgate/sdk'
import { waitUntil } from '@tollgate/testkit'
import type { TestGateway } from './gateway.ts'
import { at, textAt } from './json.ts'

/** Nobody listens here: for payins whose callback is not looked at. */
export const NOWHERE = 'http://127.0.0.1:9/callbacks'

const STATUS_TIMEOUT_MS = 60_000

/** What a test wants of a payin; the rest is ordinary. */
export interface Wanted {
  readonly amount?: string
  readonly currencyCode?: string
  readonly segmentCode?: string
  readonly method?: string
  readonly operator?: string
  readonly account?: Readonly<Record<string, string>>
  readonly email?: string
  readonly callbackUrl?: string
  readonly returnUrl?: string
}

/** An id that nobody has used. */
export const newId = (): string => randomUUID()

/** The body of a create request: 149.9 EUR by bank transfer, and nobody pays unless an address of the sandbox says so. */
export function payinBody(wanted: Wanted = {}): Readonly<Record<string, unknown>> {
  const { amount = '149.9', currencyCode = 'EUR', segmentCode } = wanted
  return {
    paymentRequested: { money: { amount, currencyCode }, segmentCode },
    paymentMethod: {
      paymentMethodCode: wanted.method ?? 'BANK_TRANSFER',
      paymentOperatorCode: wanted.operator,
      account: wanted.account,
      emailAddress: wanted.email,
    },
    callbackUrl: wanted.callbackUrl ?? NOWHERE,
    returnUrl: wanted.returnUrl,
  }
}

/** POST /payins/{idPayin}. */
export function createRequest(token: string, id: string, wanted: Wanted = {}): RawRequest {
  return { method: 'POST', path: `/payins/${id}`, token, body: payinBody(wanted) }
}

/** Creates a payin that must be accepted; the 201. */
export async function createPayin(
  gateway: TestGateway,
  token: string,
  { id, ...wanted }: Wanted & { readonly id: string },
): Promise<RawResponse> {
  const response = await gateway.send(createRequest(token, id, wanted))
  assert.equal(response.status, 201, response.text)
  return response
}

/** The detail of a payin that must be there. */
export async function readPayin(gateway: TestGateway, token: string, id: string): Promise<unknown> {
  const response = await gateway.send({ method: 'GET', path: `/payins/${id}`, token })
  assert.equal(response.status, 200, response.text)
  return response.body
}

interface Awaited {
  readonly id: string
  readonly status: string
  readonly timeoutMs?: number
}

/** The detail of the payin once it has the status. */
export async function payinWithStatus(
  gateway: TestGateway,
  token: string,
  awaited: Awaited,
): Promise<unknown> {
  const { id, status, timeoutMs = STATUS_TIMEOUT_MS } = awaited
  let detail: unknown
  const hasStatus = async (): Promise<boolean> => {
    detail = await readPayin(gateway, token, id)
    return at(detail, 'process', 'status') === status
  }
  await waitUntil(hasStatus, { timeoutMs, what: `${id} to be ${status}` }).catch((error: unknown) => {
    throw new Error(`${id} is ${textAt(detail, 'process', 'status')}, not ${status}`, { cause: error })
  })
  return detail
}
