import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { waitUntil } from '@tollgate/testkit'
import { expectError, expectSuccess } from './support/expectations.ts'
import { startGateway } from './support/gateway.ts'
import { at, listAt } from './support/json.ts'
import { ALL_OPERATIONS, addMerchant } from './support/merchant.ts'
import { createPayin, newId, payinWithStatus } from './support/payins.ts'

// Specification 4.7 lists statuses for some reads that nothing in this gateway can cause. They stay documented, because
// a client must expect them; these tests hold what happens instead, where one would look for them.

const gateway = await startGateway({ after })
const token = await gateway.demo().token(...ALL_OPERATIONS)
const read = (path: string, bearer = token) => gateway.send({ method: 'GET', path, token: bearer })

test('GET /payins/{idPayin} → 406 never: a payin can be read in every status', async () => {
  const ends = [
    ['success@sandbox.test', 'SUCCESS'],
    ['declined@sandbox.test', 'FAILED'],
    ['cancelled@sandbox.test', 'CANCELLED'],
    ['nobody@example.com', 'CREATED'],
  ] as const
  for (const [email, status] of ends) {
    const id = newId()
    await createPayin(gateway, token, { id, email })
    const detail = await payinWithStatus(gateway, token, { id, status })
    assert.equal(at(detail, 'process', 'status'), status)
  }
})

test('GET /balances → 406 never: values that are no currency codes are ignored', async () => {
  const body = expectSuccess(await read('/balances?currencyCodes=euro,%F0%9F%92%B6,,*'), 200)
  assert.deepEqual(listAt(body, 'data'), [])
})

test('GET /balances → 410 never: a currency in which there is no account is ignored', async () => {
  assert.deepEqual(listAt(expectSuccess(await read('/balances?currencyCodes=KWD'), 200), 'data'), [])
})

test('GET /currencies → 410 never: a merchant without methods has an empty list', async () => {
  const merchant = await addMerchant(gateway, 'EMPTY')
  const bearer = await merchant.token(...ALL_OPERATIONS)
  assert.deepEqual(listAt(expectSuccess(await read('/currencies', bearer), 200), 'data'), [])
})

test('GET /merchant-info → 410 never: a merchant can be disabled, which is 403, but not vanish', async () => {
  const merchant = await addMerchant(gateway, 'LEAVING')
  const bearer = await merchant.token(...ALL_OPERATIONS)
  expectSuccess(await read('/merchant-info', bearer), 200)
  await gateway.cli('merchants', 'disable', 'LEAVING')
  const isRefused = async (): Promise<boolean> => (await read('/merchant-info', bearer)).status !== 200
  await waitUntil(isRefused, { timeoutMs: 60_000, what: 'the merchant to be refused' })
  expectError(await read('/merchant-info', bearer), 403, 'MERCHANT_UNAVAILABLE')
})
