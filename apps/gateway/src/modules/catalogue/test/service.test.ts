import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { systemClock } from '@tollgate/runtime'
import { waitUntil } from '@tollgate/testkit'
import { watchConfiguration } from '../../../platform/configuration-changes.ts'
import type { Database } from '../../../platform/database.ts'
import { seedSandboxCatalogue } from '../seed.ts'
import { createCatalogueService } from '../service.ts'
import { createCatalogueSettings } from '../settings.ts'
import { insertMerchant, openTestDatabase, run, testLog } from './database.ts'

const TIMEOUT_MS = 20_000

/** A service as in the gateway: woken by the database. */
async function startService(t: TestContext, db: Database) {
  const { log, lines } = testLog()
  const changes = watchConfiguration({ db, clock: systemClock, log })
  const service = createCatalogueService({ db, changes, log })
  await service.start()
  await changes.start()
  t.after(() => changes.stop())
  return { service, lines }
}

test('the catalogue cannot be used before it was started', async (t) => {
  const db = await openTestDatabase(t)
  const service = createCatalogueService({ db, changes: { on: () => undefined }, log: testLog().log })
  assert.throws(() => service.current(), /before it was started/)
})

test('a change of the catalogue makes a new snapshot and leaves the old one as it was', async (t) => {
  const db = await openTestDatabase(t)
  await seedSandboxCatalogue(db)
  const { service } = await startService(t, db)
  const old = service.current()
  assert(old.methods.has('PIX'))
  await run(db, `update payment_methods set enabled = false where method_code = 'PIX'`)
  await waitUntil(() => !service.current().methods.has('PIX'), {
    timeoutMs: TIMEOUT_MS,
    what: 'the method to go',
  })
  assert(old.methods.has('PIX'))
})

test('a pattern that cannot be compiled takes out its method alone and is logged', async (t) => {
  const db = await openTestDatabase(t)
  await seedSandboxCatalogue(db)
  const { service, lines } = await startService(t, db)
  await run(
    db,
    `update payment_method_fields set pattern = '(((' where field_name = 'accountNumber' and method_code = 'UPI'`,
  )
  await waitUntil(() => !service.current().methods.has('UPI'), {
    timeoutMs: TIMEOUT_MS,
    what: 'the method to go',
  })
  assert.equal(service.current().methods.size, 6)
  assert(lines.some((line) => line.includes('UPI is not offered')))
})

test('terms are cached until the merchant changes', async (t) => {
  const db = await openTestDatabase(t)
  await seedSandboxCatalogue(db)
  const merchantId = await insertMerchant(db)
  const { service } = await startService(t, db)
  const before = await service.termsOf(merchantId)
  assert.equal(before.methods.get('PAYIN')?.size, 0)
  await createCatalogueSettings({ db }).enableMethod({ merchantId, methodCode: 'UPI', direction: 'PAYIN' })
  await waitUntil(async () => (await service.termsOf(merchantId)).methods.get('PAYIN')?.has('UPI') === true, {
    timeoutMs: TIMEOUT_MS,
    what: 'the new terms',
  })
  assert(!(service.termsOf(merchantId) instanceof Promise))
})

test('an unknown merchant has nothing', async (t) => {
  const db = await openTestDatabase(t)
  const { service } = await startService(t, db)
  const terms = await service.termsOf('999')
  assert.deepEqual(
    [...terms.methods.values()].map(({ size }) => size),
    [0, 0, 0],
  )
})
