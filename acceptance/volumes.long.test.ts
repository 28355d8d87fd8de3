import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { runSql, testDatabase, waitUntil } from '@tollgate/testkit'
import { startGateway } from './support/gateway.ts'
import { createPayin, newId, payinWithStatus } from './support/payins.ts'

// What a running gateway counts, a minute after it happened.

const CLI_TIMEOUT_MS = 120_000

const { url: databaseUrl } = await testDatabase({ after })
const gateway = await startGateway({ after }, { databaseUrl })

test('D80 volumes are what the timelines say; what is wrong is found and counted again', async () => {
  const token = await gateway.demo().token('POST /payins/.*', 'GET /payins/.*')
  const ids = Array.from({ length: 20 }, () => newId())
  await Promise.all(ids.map((id) => createPayin(gateway, token, { id, email: 'success@sandbox.test' })))
  for (const id of ids) await payinWithStatus(gateway, token, { id, status: 'SUCCESS' })
  const counted = async (): Promise<number> => {
    const [row] = await runSql(
      databaseUrl,
      `select coalesce(sum(payments), 0)::int as payments from payment_volumes where step = 'HOUR' and entered = 'SUCCESS'`,
    )
    return Number(row?.['payments'])
  }
  const isCounted = { what: '20 successes to be counted', timeoutMs: 240_000 }
  await waitUntil(async () => (await counted()) >= 20, isCounted)
  assert.match((await gateway.cli('ledger', 'check')).stdout, /The books agree/)

  await runSql(databaseUrl, `update payment_volumes set payments = payments + 1 where entered = 'SUCCESS'`)
  const found = await gateway.tryCli(['ledger', 'check'], CLI_TIMEOUT_MS)
  assert.match(found.stdout, /volumes_are_counted: .* tollgate ledger recount/)
  const recounted = await gateway.cli('ledger', 'recount', '--from', '2020-01-01')
  assert.match(recounted.stdout, /Counted until 2020-01-01/)
  await waitUntil(async () => (await counted()) === 20, isCounted)
})
