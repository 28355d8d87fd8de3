import assert from 'node:assert/strict'
import type { RawRequest, RawResponse } from '@tollgate/sdk'
import { waitUntil } from '@tollgate/testkit'
import type { TestGateway } from './gateway.ts'
import { at, itemWith, listAt, textAt } from './json.ts'

const STATUS_TIMEOUT_MS = 60_000

/** Everything a merchant's server may do with top-ups, and look at its balances. */
export const TOP_UP_OPERATIONS = ['POST /topups/.*', 'GET /topups/.*', 'GET /balances'] as const

/** What a test wants of a top-up; the rest is ordinary. */
interface WantedTopUp {
  readonly amount?: string
  readonly currencyCode?: string
  readonly segmentCode?: string
  readonly method?: string
  readonly operator?: string
  readonly email?: string
  readonly callbackUrl?: string
  readonly returnUrl?: string
}

/** The body of a create: 500 EUR by bank transfer, and nobody pays unless an address of the sandbox says so. */
export function topUpBody(wanted: WantedTopUp = {}): Readonly<Record<string, unknown>> {
  const { amount = '500', currencyCode = 'EUR', segmentCode, callbackUrl, returnUrl } = wanted
  return {
    topUpRequested: { money: { amount, currencyCode }, segmentCode },
    paymentMethod: {
      paymentMethodCode: wanted.method ?? 'BANK_TRANSFER',
      paymentOperatorCode: wanted.operator,
      emailAddress: wanted.email,
    },
    callbackUrl,
    returnUrl,
  }
}

/** POST /topups/{idTopUp}. */
export function topUpRequest(token: string, id: string, wanted: WantedTopUp = {}): RawRequest {
  return { method: 'POST', path: `/topups/${id}`, token, body: topUpBody(wanted) }
}

/** Creates a top-up that must be accepted; the 201. */
export async function createTopUp(
  gateway: TestGateway,
  token: string,
  { id, ...wanted }: WantedTopUp & { readonly id: string },
): Promise<RawResponse> {
  const response = await gateway.send(topUpRequest(token, id, wanted))
  assert.equal(response.status, 201, response.text)
  return response
}

/** The detail of a top-up that must be there. */
export async function readTopUp(gateway: TestGateway, token: string, id: string): Promise<unknown> {
  const response = await gateway.send({ method: 'GET', path: `/topups/${id}`, token })
  assert.equal(response.status, 200, response.text)
  return response.body
}

/** The detail of the top-up once it has the status. */
export async function topUpWithStatus(
  gateway: TestGateway,
  token: string,
  { id, status }: { readonly id: string; readonly status: string },
): Promise<unknown> {
  let detail: unknown
  const hasStatus = async (): Promise<boolean> => {
    detail = await readTopUp(gateway, token, id)
    return at(detail, 'process', 'status') === status
  }
  await waitUntil(hasStatus, { timeoutMs: STATUS_TIMEOUT_MS, what: `${id} to be ${status}` })
  return detail
}

/** The parts of the balance in a currency; all of them 0 where there is none. */
export async function balanceIn(
  gateway: TestGateway,
  token: string,
  currencyCode: string,
): Promise<Readonly<Record<'available' | 'notSettled' | 'reserved', string>>> {
  const path = `/balances?currencyCodes=${currencyCode}`
  const response = await gateway.send({ method: 'GET', path, token })
  assert.equal(response.status, 200, response.text)
  const balances = listAt(response.body, 'data')
  if (balances.length === 0) return { available: '0', notSettled: '0', reserved: '0' }
  const balance = itemWith(balances, 'currencyCode', currencyCode)
  const part = (name: string): string => textAt(balance, name, 'amount')
  return { available: part('available'), notSettled: part('notSettled'), reserved: part('reserved') }
}

/** Adds a top-up that succeeds, so that there is money to pay out; waits until it is available. */
export async function fundBalance(
  gateway: TestGateway,
  token: string,
  wanted: Pick<WantedTopUp, 'amount' | 'currencyCode' | 'method'> & { readonly id: string },
): Promise<void> {
  await createTopUp(gateway, token, { ...wanted, email: 'success@sandbox.test' })
  await topUpWithStatus(gateway, token, { id: wanted.id, status: 'SUCCESS' })
}
