import { issueToken } from '../../rig/gateway.ts'
import { copyMerchants, fundMerchants } from '../../rig/merchants.ts'
import type { Bench } from '../bench.ts'

const TOKENS_AT_ONCE = 8

/** Makes merchants like the one of the sandbox, with money; a token for each, issued for a signed request. */
export async function gatherCrowd(bench: Bench, count: number): Promise<readonly string[]> {
  const { server, demo, gateway } = bench
  const merchants = await copyMerchants(server.sql, demo, count)
  await fundMerchants(server.sql)
  const tokens = new Map<string, string>()
  const left = [...merchants]
  const work = async (): Promise<void> => {
    for (let merchant = left.pop(); merchant !== undefined; merchant = left.pop())
      tokens.set(merchant.merchantCode, await issueToken(gateway.port, merchant))
  }
  await Promise.all(Array.from({ length: TOKENS_AT_ONCE }, work))
  return [...tokens.values()]
}
