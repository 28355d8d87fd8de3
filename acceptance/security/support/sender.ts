import assert from 'node:assert/strict'
import type { RawResponse } from '@tollgate/sdk'
import { waitUntil } from '@tollgate/testkit'
import { at, listAt, textAt } from '../../support/json.ts'
import type { Gateway } from './gateway.ts'
import { createBody } from './merchant.ts'

/** An account with right check digits that belongs to nobody. */
const ACCOUNT_NUMBER = 'DE89370400440532013000'

const CHANGE_MS = 10_000

/** What a payout or a top-up is to have; 10 EUR by bank transfer unless it says otherwise. */
interface SentParts {
  readonly amount?: string
  readonly currencyCode?: string
  readonly emailAddress?: string
  readonly accountNumber?: string
  readonly callbackUrl?: string
}

/** A merchant's server that sends money, at one process of the gateway. */
export interface Sender {
  /** `POST /payouts/{id}`. */
  pay(id: string, parts?: SentParts): Promise<RawResponse>
  /** `POST /topups/{id}`; nobody pays it unless the address says so. */
  topUp(id: string, parts?: SentParts): Promise<RawResponse>
  /** `POST /payins/{id}`; nobody pays it. */
  payIn(id: string, parts?: SentParts): Promise<RawResponse>
  /** The fee of so many euros by bank transfer; undefined where that is not offered. */
  feeOf(kind: 'payin' | 'payout' | 'topup', amount: string): Promise<unknown>
  /** Tops up, and waits until the money less the fee of 0.25 is there. */
  fund(amount: string, currencyCode?: string): Promise<void>
  /** The detail of a payout. */
  payout(id: string): Promise<PayoutSeen>
  /** Waits until the payout has the status, or the phase. */
  reaches(id: string, status: string, timeoutMs?: number): Promise<PayoutSeen>
  /** `105.25 available, 10.5 reserved`; of a currency without an account, both are 0. */
  holdings(currencyCode?: string): Promise<string>
}

/** What a merchant reads of a payout; amounts are texts, to the digit. */
interface PayoutSeen {
  readonly status: string
  readonly processorStatus: string
  readonly reference: string
  /** Undefined until it is charged. */
  readonly fee: unknown
}

export function senderAt(gateway: Gateway, token: string): Sender {
  const post = (path: string, rawBody: string): Promise<RawResponse> =>
    gateway.call({ method: 'POST', path, token, rawBody })
  const read = async (path: string): Promise<unknown> => {
    const response = await gateway.call({ method: 'GET', path, token })
    assert.equal(response.status, 200, response.text)
    return response.body
  }
  let topUps = 0
  const sender: Sender = {
    pay: (id, parts) => post(`/payouts/${id}`, payoutBody(parts)),
    topUp: (id, parts) => post(`/topups/${id}`, incomingBody(parts)),
    payIn: (id, parts) => post(`/payins/${id}`, incomingBody(parts)),
    async feeOf(kind, amount) {
      const body = JSON.stringify({ money: { amount: Number(amount), currencyCode: 'EUR' } })
      const response = await post(`/${kind}s/!availablePaymentOptions`, body)
      const options = response.status === 200 ? listAt(response.body, 'data') : []
      return at(
        options.find((option) => at(option, 'paymentMethodCode') === 'BANK_TRANSFER'),
        'fee',
        'amount',
      )
    },
    async fund(amount, currencyCode = 'EUR') {
      topUps += 1
      const id = `fund-${topUps}`
      const parts = { amount, currencyCode, emailAddress: 'success@sandbox.test' }
      assert.equal((await sender.topUp(id, parts)).status, 201)
      const isPaid = async (): Promise<boolean> =>
        at(await read(`/topups/${id}`), 'process', 'status') === 'SUCCESS'
      await waitUntil(isPaid, { timeoutMs: CHANGE_MS, what: `the top-up of ${amount}` })
    },
    async payout(id) {
      const detail = await read(`/payouts/${id}`)
      return {
        status: textAt(detail, 'process', 'status'),
        processorStatus: textAt(detail, 'process', 'processorStatus'),
        reference: textAt(detail, 'paymentMethodResponse', 'reference'),
        fee: at(detail, 'fee', 'amount'),
      }
    },
    async reaches(id, status, timeoutMs = CHANGE_MS) {
      let seen = await sender.payout(id)
      const isThere = async (): Promise<boolean> => {
        seen = await sender.payout(id)
        return seen.status === status || seen.processorStatus === status
      }
      await waitUntil(isThere, { timeoutMs, what: `${id} to be ${status}` })
      return seen
    },
    async holdings(currencyCode = 'EUR') {
      const body = await read(`/balances?currencyCodes=${currencyCode}`)
      const part = (name: string): unknown => at(body, 'data', 0, name, 'amount') ?? 0
      return `${part('available')} available, ${part('reserved')} reserved`
    },
  }
  return sender
}

function payoutBody(parts: SentParts = {}): string {
  const { accountNumber = ACCOUNT_NUMBER, emailAddress } = parts
  const account = { accountName: 'Ada Lovelace', accountNumber }
  return bodyOf(parts, { paymentMethodCode: 'BANK_TRANSFER', account, emailAddress })
}

function incomingBody(parts: SentParts = {}): string {
  return bodyOf(parts, { paymentMethodCode: 'BANK_TRANSFER', emailAddress: parts.emailAddress })
}

function bodyOf({ amount = '10', currencyCode, callbackUrl }: SentParts, paymentMethod: unknown): string {
  const given = {
    ...(currencyCode !== undefined && { currencyCode }),
    ...(callbackUrl !== undefined && { callbackUrl }),
  }
  return createBody({ amount, paymentMethod, ...given })
}
