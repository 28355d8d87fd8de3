import { setTimeout as sleep } from 'node:timers/promises'
import { issueToken, startWorker } from '../../rig/gateway.ts'
import { copyMerchants, fundMerchants } from '../../rig/merchants.ts'
import { sqlNumber } from '../../rig/sql.ts'
import type { Bench } from '../bench.ts'

const TOKENS_AT_ONCE = 8
const CHAIN_TIMEOUT_MS = 120_000
const CHAIN_POLL_MS = 200

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
  await untilChained(bench)
  return [...tokens.values()]
}

/** That so many merchants were made is in the audit log. It is chained before anything is measured, not beside it. */
async function untilChained({ server }: Bench): Promise<void> {
  const worker = await startWorker(server)
  const deadlineMs = performance.now() + CHAIN_TIMEOUT_MS
  const left = 'select (select count(*) from audit_records) - (select count(*) from audit_chain)'
  try {
    while ((await sqlNumber(server.sql, left)) > 0) {
      if (performance.now() > deadlineMs) throw new Error('the audit log was not chained in time')
      await sleep(CHAIN_POLL_MS)
    }
  } finally {
    await worker.stop()
  }
}
