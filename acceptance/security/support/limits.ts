import { waitUntil } from '@tollgate/testkit'
import type { Gateway } from './gateway.ts'
import type { Merchant } from './merchant.ts'

/** Changes a merchant's limit of requests per second, and waits until the gateway has heard of it. */
export async function limitTo(
  gateway: Pick<Gateway, 'sql'>,
  merchant: Merchant,
  ratePerSecond: number,
): Promise<void> {
  await merchant.read('/segments')
  await gateway.sql('update merchants set rate_limit_per_second = $2 where merchant_code = $1', [
    merchant.merchantCode,
    ratePerSecond,
  ])
  await waitUntil(
    async () => {
      const { headers } = await merchant.read('/segments')
      return headers.get('ratelimit-policy') === `"merchant";q=${ratePerSecond};w=1`
    },
    { timeoutMs: 60_000, what: 'the new limit' },
  )
}
