import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { RawRequest, RawResponse } from '@tollgate/sdk'
import { setRateLimit } from '@tollgate/testkit'
import { expectError, expectSuccess } from './support/expectations.ts'
import { startGateway, untilRateLimitIs } from './support/gateway.ts'
import { ALL_OPERATIONS, addMerchant } from './support/merchant.ts'
import {
  type ProtectedOperation,
  requestTo,
  type TokenOperation,
  tokenRequestTo,
} from './support/operations.ts'
import { createPayin, createRequest, newId } from './support/payins.ts'

// Specification section 8.

const LIMIT = 10
const WINDOW_MS = 1_000
const SATURATED_MS = 3_500
const SATURATED_EVERY_MS = 12
const PACED_REQUESTS = 30
/** Nine a second. */
const PACE_MS = 1_000 / 9
/** Clocks of two processes run apart by less than this while a test takes. */
const CLOCK_MS = 2

const gateway = await startGateway({ after })
const { databaseUrl = '' } = gateway
const demo = gateway.demo()
const token = await demo.token(...ALL_OPERATIONS)
const limited = await addMerchant(gateway, 'LIMITED')
await gateway.cli('merchants', 'enable-method', 'LIMITED', 'all')
const limitedToken = await limited.token(...ALL_OPERATIONS)
const slow = await addMerchant(gateway, 'SLOW')
const slowToken = await slow.token(...ALL_OPERATIONS)
await setRateLimit(databaseUrl, 'SLOW', 1)
await untilRateLimitIs(gateway, slow, 1)

const quiet = (): Promise<void> => sleep(WINDOW_MS + 100)

interface Timed {
  readonly sentMs: number
  readonly receivedMs: number
  readonly response: RawResponse
}

async function timed(request: RawRequest): Promise<Timed> {
  const sentMs = performance.now()
  const response = await gateway.send(request)
  return { sentMs, receivedMs: performance.now(), response }
}

const isAdmitted = ({ response }: Timed): boolean => response.status !== 429

const times = (count: number, request: RawRequest): readonly RawRequest[] =>
  Array.from({ length: count }, () => request)

/** Sends all at once; 10 are admitted, and 10 more for every second that it takes here. */
async function expectBurstLimited(requests: readonly RawRequest[]): Promise<void> {
  const startedMs = performance.now()
  const all = await Promise.all(requests.map(timed))
  const windows = 1 + Math.floor((performance.now() - startedMs) / WINDOW_MS)
  for (const { response } of all.filter((each) => !isAdmitted(each))) {
    expectError(response, 429, 'RATE_LIMIT_EXCEEDED')
  }
  const admitted = all.filter(isAdmitted).length
  assert.ok(admitted >= LIMIT && admitted <= LIMIT * windows, `${admitted} in ${windows} windows`)
}

test('no window of a second admits more than 10, however many are sent', async () => {
  await quiet()
  const sent: Promise<Timed>[] = []
  const endMs = performance.now() + SATURATED_MS
  while (performance.now() < endMs) {
    sent.push(timed(requestTo('GET /segments', limitedToken)))
    await sleep(SATURATED_EVERY_MS)
  }
  const all = await Promise.all(sent)
  const admitted = all.filter(isAdmitted)
  assert.ok(all.length > admitted.length, 'it was saturated')
  assert.ok(
    admitted.length >= LIMIT * Math.floor(SATURATED_MS / WINDOW_MS - 1),
    `${admitted.length} admitted`,
  )
  // Each was admitted between its sending and its answer, so eleven need more than a window from first to last.
  for (const first of admitted) {
    const after = admitted.filter((each) => each.sentMs >= first.sentMs).map((each) => each.receivedMs)
    const eleventhMs = after.sort((a, b) => a - b)[LIMIT]
    if (eleventhMs !== undefined) assert.ok(eleventhMs - first.sentMs >= WINDOW_MS - CLOCK_MS)
  }
})

test('nine requests a second are never refused', async () => {
  await quiet()
  for (let n = 0; n < PACED_REQUESTS; n += 1) {
    expectSuccess(await gateway.send(requestTo('GET /segments', limitedToken)), 200)
    await sleep(PACE_MS)
  }
})

test('10 of a burst are admitted, whatever the operations are', async () => {
  await quiet()
  await expectBurstLimited([
    ...times(40, requestTo('GET /segments', limitedToken)),
    ...times(10, requestTo('GET /balances', limitedToken)),
    ...times(10, limited.tokenRequest({ operations: ['GET /segments'] })),
  ])
})

test('one merchant does not use up the requests of another', async () => {
  await quiet()
  const [, answer] = await Promise.all([
    expectBurstLimited(times(40, requestTo('GET /segments', limitedToken))),
    gateway.send(requestTo('GET /segments', token)),
  ])
  expectSuccess(answer, 200)
})

test('an answer says how many requests are left, and a 429 when to come again', async () => {
  await quiet()
  const first = await gateway.send(requestTo('GET /segments', limitedToken))
  assert.match(first.headers.get('ratelimit-policy') ?? '', /q=10;w=1$/)
  assert.match(first.headers.get('ratelimit') ?? '', /r=9;/)
  const all = await Promise.all(
    Array.from({ length: 30 }, () => gateway.send(requestTo('GET /segments', limitedToken))),
  )
  const refused = all.find((response) => response.status === 429)
  assert.ok(refused)
  assert.equal(refused.headers.get('retry-after'), '1')
  await sleep(WINDOW_MS)
  expectSuccess(await gateway.send(requestTo('GET /segments', limitedToken)), 200)
})

test('a token for one payment has 10 requests a second of its own', async () => {
  await quiet()
  const [id, otherId] = [newId(), newId()]
  const own = await limited.tokenFor({ action: 'PAYIN_CREATE', idPayment: id })
  const literal = await limited.token(`GET /payins/${otherId}`)
  await createPayin(gateway, own, { id })
  await quiet()
  const shop = requestTo('GET /segments', limitedToken)
  const [, answer] = await Promise.all([
    expectBurstLimited(times(40, shop)),
    gateway.send(requestTo('GET /payins/{idPayin}', own, id)),
  ])
  expectSuccess(answer, 200)
  await quiet()
  const [shopAnswer] = await Promise.all([
    gateway.send(shop),
    expectBurstLimited(times(40, requestTo('GET /payins/{idPayin}', own, id))),
    expectBurstLimited(times(40, requestTo('GET /payins/{idPayin}', literal, otherId))),
  ])
  expectSuccess(shopAnswer, 200)
})

test('a refused request was not processed', async () => {
  await quiet()
  const ids = Array.from({ length: 40 }, () => newId())
  const answers = await Promise.all(ids.map((id) => gateway.send(createRequest(limitedToken, id))))
  const refused = ids.filter((_, index) => answers[index]?.status === 429)
  assert.ok(refused.length > 0)
  await quiet()
  for (const id of refused.slice(0, 5)) await createPayin(gateway, limitedToken, { id })
})

// 429 of every operation, for a merchant who has one request a second

async function expectLimited(request: RawRequest): Promise<void> {
  const [, second, third] = await Promise.all([timed(request), timed(request), timed(request)])
  // One of three is admitted at most, and only if the test before did not take the place.
  const refused = [second, third].find((each) => !isAdmitted(each))
  assert.ok(refused)
  expectError(refused.response, 429, 'RATE_LIMIT_EXCEEDED')
}
const expectOperationLimited = (operation: ProtectedOperation): Promise<void> =>
  expectLimited(requestTo(operation, slowToken))
const expectTokensLimited = (operation: TokenOperation): Promise<void> =>
  expectLimited(tokenRequestTo(operation, slow))

test('POST /auth-tokens → 429 more requests than the limit', () => expectTokensLimited('POST /auth-tokens'))
test('POST /auth-tokens-by-action → 429 more requests than the limit', () =>
  expectTokensLimited('POST /auth-tokens-by-action'))
test('POST /payins/!availablePaymentOptions → 429 more requests than the limit', () =>
  expectOperationLimited('POST /payins/!availablePaymentOptions'))
test('POST /payins/{idPayin} → 429 more requests than the limit', () =>
  expectOperationLimited('POST /payins/{idPayin}'))
test('GET /payins/{idPayin} → 429 more requests than the limit', () =>
  expectOperationLimited('GET /payins/{idPayin}'))
test('POST /payins/{idPayin}/!cancel → 429 more requests than the limit', () =>
  expectOperationLimited('POST /payins/{idPayin}/!cancel'))
test('POST /payins/{idPayin}/refunds/{idRefund} → 429 more requests than the limit', () =>
  expectOperationLimited('POST /payins/{idPayin}/refunds/{idRefund}'))
test('GET /payins/{idPayin}/refunds → 429 more requests than the limit', () =>
  expectOperationLimited('GET /payins/{idPayin}/refunds'))
test('GET /payins/{idPayin}/refunds/{idRefund} → 429 more requests than the limit', () =>
  expectOperationLimited('GET /payins/{idPayin}/refunds/{idRefund}'))
test('POST /payins/{idPayin}/!setExternalReference → 429 more requests than the limit', () =>
  expectOperationLimited('POST /payins/{idPayin}/!setExternalReference'))
test('GET /payins/{idPayin}/accounts → 429 more requests than the limit', () =>
  expectOperationLimited('GET /payins/{idPayin}/accounts'))
test('GET /balances → 429 more requests than the limit', () => expectOperationLimited('GET /balances'))
test('GET /merchant-info → 429 more requests than the limit', () =>
  expectOperationLimited('GET /merchant-info'))
test('GET /currencies → 429 more requests than the limit', () => expectOperationLimited('GET /currencies'))
test('GET /segments → 429 more requests than the limit', () => expectOperationLimited('GET /segments'))
test('GET /payment-operators → 429 more requests than the limit', () =>
  expectOperationLimited('GET /payment-operators'))
test('GET /payment-methods → 429 more requests than the limit', () =>
  expectOperationLimited('GET /payment-methods'))
