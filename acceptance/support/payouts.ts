import assert from 'node:assert/strict'
import type { RawRequest, RawResponse } from '@tollgate/sdk'
import { waitUntil } from '@tollgate/testkit'
import type { TestGateway } from './gateway.ts'
import { at, textAt } from './json.ts'
import { NOWHERE } from './payins.ts'

const STATUS_TIMEOUT_MS = 60_000

/** Everything a merchant's server may do with payouts; to top its wallet up first, and to look at its balances. */
export const PAYOUT_OPERATIONS = [
  'POST /payouts/.*',
  'GET /payouts/.*',
  'POST /topups/.*',
  'GET /topups/.*',
  'GET /balances',
] as const

/** Accounts with right check digits that belong to nobody. */
export const ACCOUNT_NUMBERS = ['DE89370400440532013000', 'GB82WEST12345698765432'] as const

/** What a test wants of a payout; the rest is ordinary. */
export interface WantedPayout {
  readonly amount?: string
  readonly currencyCode?: string
  readonly method?: string
  readonly operator?: string
  readonly account?: Readonly<Record<string, string>>
  readonly email?: string
  readonly callbackUrl?: string
}

/** The body of a create: 10 EUR by bank transfer, which the sandbox pays at once unless an address says otherwise. */
export function payoutBody(wanted: WantedPayout = {}): Readonly<Record<string, unknown>> {
  const { amount = '10', currencyCode = 'EUR' } = wanted
  return {
    paymentRequested: { money: { amount, currencyCode } },
    paymentMethod: {
      paymentMethodCode: wanted.method ?? 'BANK_TRANSFER',
      paymentOperatorCode: wanted.operator,
      account: wanted.account ?? { accountName: 'Ada Lovelace', accountNumber: ACCOUNT_NUMBERS[0] },
      emailAddress: wanted.email,
    },
    callbackUrl: wanted.callbackUrl ?? NOWHERE,
  }
}

/** POST /payouts/{idPayout}. */
export function payoutRequest(token: string, id: string, wanted: WantedPayout = {}): RawRequest {
  return { method: 'POST', path: `/payouts/${id}`, token, body: payoutBody(wanted) }
}

/** Creates a payout that must be accepted; the 201. */
export async function createPayout(
  gateway: TestGateway,
  token: string,
  { id, ...wanted }: WantedPayout & { readonly id: string },
): Promise<RawResponse> {
  const response = await gateway.send(payoutRequest(token, id, wanted))
  assert.equal(response.status, 201, response.text)
  return response
}

/** The detail of a payout that must be there. */
export async function readPayout(gateway: TestGateway, token: string, id: string): Promise<unknown> {
  const response = await gateway.send({ method: 'GET', path: `/payouts/${id}`, token })
  assert.equal(response.status, 200, response.text)
  return response.body
}

/** What is waited for: a status, or a phase. */
interface AwaitedPayout {
  readonly id: string
  readonly status: string
  readonly timeoutMs?: number
}

/** The detail of the payout once its status, or its phase, is the one. */
export async function payoutWithStatus(
  gateway: TestGateway,
  token: string,
  { id, status, timeoutMs = STATUS_TIMEOUT_MS }: AwaitedPayout,
): Promise<unknown> {
  let detail: unknown
  const hasStatus = async (): Promise<boolean> => {
    detail = await readPayout(gateway, token, id)
    return [at(detail, 'process', 'status'), at(detail, 'process', 'processorStatus')].includes(status)
  }
  await waitUntil(hasStatus, { timeoutMs, what: `${id} to be ${status}` }).catch((error: unknown) => {
    throw new Error(`${id} is ${textAt(detail, 'process', 'status')}, not ${status}`, { cause: error })
  })
  return detail
}
