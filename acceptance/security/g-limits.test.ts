import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { waitUntil } from '@tollgate/testkit'
import { startGateway } from './support/gateway.ts'
import { limitTo as setLimit } from './support/limits.ts'
import { addMerchant, EVERYTHING, type Merchant, verdict } from './support/merchant.ts'
import { request } from './support/wire.ts'

const SLOW_CONNECTIONS = 500

const gateway = await startGateway({ after })
const slow = attackSlowly()

/** Connections that never finish what they began; G2 looks at them when the other tests are through. */
function attackSlowly(): { readonly open: () => number; readonly startedMs: number } {
  const head = 'POST /auth-tokens HTTP/1.1\r\nHost: a\r\nX-API-Version: 2\r\n'
  const body = 'Content-Type: application/json\r\nContent-Length: 50000\r\n\r\n'
  let open = 0
  for (let i = 0; i < SLOW_CONNECTIONS; i += 1) {
    const socket = connect(gateway.port, '127.0.0.1')
    const drip = setInterval(() => socket.write(i % 3 === 0 ? 'X' : ' '), 2_000)
    open += 1
    socket.on('error', () => undefined)
    socket.resume()
    socket.once('close', () => {
      clearInterval(drip)
      open -= 1
    })
    // A third sends headers for ever, a third a body for ever, a third nothing at all.
    if (i % 3 === 2) clearInterval(drip)
    else socket.write(i % 3 === 0 ? `${head}X-Slow: ` : `${head}${body}{`)
  }
  return { open: () => open, startedMs: performance.now() }
}

/** Lowers a merchant's limit, and lets the windows of the old one pass. */
async function limitTo(merchant: Merchant, ratePerSecond: number): Promise<void> {
  await setLimit(gateway, merchant, ratePerSecond)
  await sleep(1_100)
}

interface Timed {
  readonly sentMs: number
  readonly receivedMs: number
  readonly status: number
}

/** Sends requests one every `everyMs`, without waiting for answers. */
async function fire(
  count: number,
  everyMs: number,
  send: (n: number) => Promise<{ status: number }>,
): Promise<readonly Timed[]> {
  const startMs = performance.now()
  const answers: Promise<Timed>[] = []
  for (let n = 0; n < count; n += 1) {
    await sleep(Math.max(0, startMs + n * everyMs - performance.now()))
    const sentMs = performance.now()
    answers.push(send(n).then(({ status }) => ({ sentMs, receivedMs: performance.now(), status })))
  }
  return Promise.all(answers)
}

/**
 * The n-th admission is not before the n-th earliest sending and not after the n-th earliest answer, so these bounds hold
 * however long the requests were under way.
 */
function assertWindowsHold(answers: readonly Timed[], limit: number): void {
  const admitted = answers.filter(({ status }) => status < 400)
  const sent = admitted.map(({ sentMs }) => sentMs).sort((a, b) => a - b)
  const received = admitted.map(({ receivedMs }) => receivedMs).sort((a, b) => a - b)
  for (const [index, sentMs] of sent.entries()) {
    const later = received[index + limit]
    if (later === undefined) continue
    assert.ok(later - sentMs >= 1_000, `${limit + 1} requests were admitted within ${later - sentMs} ms`)
  }
}

test('G10 several tokens of one merchant share its ten requests in any second', async () => {
  const shop = await addMerchant(gateway, 'LIMITED')
  const neighbour = await addMerchant(gateway, 'NEIGHBOUR')
  const tokens = await Promise.all(
    Array.from({ length: 20 }, (_, n) => shop.token(['GET /segments', `GET /never/${n}`])),
  )
  await limitTo(shop, 10)
  const before = performance.now()
  const [answers, others] = await Promise.all([
    fire(160, 25, (n) =>
      gateway.call({
        method: 'GET',
        path: '/segments',
        token: tokens[n % tokens.length] ?? '',
        headers: { 'X-Forwarded-For': `203.0.113.${n % 250}`, Forwarded: `for=203.0.113.${n % 250}` },
      }),
    ),
    fire(40, 100, () => neighbour.read('/segments')),
  ])
  const seconds = (performance.now() - before) / 1000
  const admitted = answers.filter(({ status }) => status === 200).length
  const refused = answers.filter(({ status }) => status === 429).length
  assert.equal(admitted + refused, 160)
  assert.ok(admitted >= 30, `only ${admitted} were admitted`)
  assert.ok(admitted <= 10 * (Math.floor(seconds) + 1), `${admitted} were admitted in ${seconds} s`)
  assertWindowsHold(answers, 10)
  assert.ok(
    others.every(({ status }) => status === 200),
    'another merchant was held up',
  )
})

test('G10 a refused request has no effect and says when to come again', async () => {
  const shop = await addMerchant(gateway, 'EAGER')
  await shop.create('warm-up')
  await limitTo(shop, 1)
  const [first, ...rest] = await Promise.all(Array.from({ length: 8 }, (_, n) => shop.create(`eager-${n}`)))
  const answers = [first, ...rest].filter((answer) => answer !== undefined)
  const refused = answers.filter(({ status }) => status === 429)
  assert.equal(answers.filter(({ status }) => status === 201).length, 1)
  assert.equal(refused.length, 7)
  for (const answer of refused) {
    assert.equal(verdict(answer), '429 RATE_LIMIT_EXCEEDED')
    assert.equal(answer.headers.get('retry-after'), '1')
    assert.match(String(answer.headers.get('ratelimit')), /^"merchant";r=0;t=1$/)
  }
  const [row] = await gateway.sql(
    `select count(*)::integer as payments from payments where id_payment like 'eager-%'`,
  )
  assert.equal(row?.['payments'], 1)
})

test('G10 paced below the limit nothing is refused', async () => {
  const shop = await addMerchant(gateway, 'PACED')
  await shop.read('/segments')
  await limitTo(shop, 10)
  for (let n = 0; n < 25; n += 1) {
    assert.equal(verdict(await shop.read('/segments')), '200')
    await sleep(105)
  }
})

test('G10 whoever proves nothing is limited by address, whatever it says where it comes from', async (t) => {
  const small = await startGateway(t, { env: { TOLLGATE_ADDRESS_RATE_PER_SECOND: '20' } })
  const shop = await addMerchant(small, 'KNOWN')
  const token = await shop.token(EVERYTHING)
  await sleep(1_100)
  const guess = (n: number): Promise<{ status: number }> => {
    const headers = {
      'X-Forwarded-For': `198.51.100.${n % 250}`,
      Forwarded: `for="[2001:db8::${n}]"`,
      'X-Real-IP': `198.51.100.${n % 250}`,
      'CF-Connecting-IP': `198.51.100.${n % 250}`,
    }
    return n % 2 === 0
      ? small.call({ method: 'GET', path: '/balances', token: `a.b.c${n}`, headers })
      : small.call({
          method: 'POST',
          path: '/auth-tokens',
          body: { merchantCode: `NOBODY${n}`, operations: ['GET /x'], secret: `guess${n}` },
          headers,
        })
  }
  const answers = await fire(150, 8, guess)
  const statuses = new Set(answers.map(({ status }) => status))
  assert.deepEqual([...statuses].sort(), [401, 429])
  const judged = answers.filter(({ status }) => status === 401).map((answer) => ({ ...answer, status: 200 }))
  assertWindowsHold(judged, 20)
  // Who has a token is not slowed down by who guesses at the same address.
  const known = await small.call({ method: 'GET', path: '/segments', token })
  assert.equal(known.status, 200)
})

test('G11 whoever abuses the token of one payment does not use up the shop’s requests', async () => {
  const shop = await addMerchant(gateway, 'LEAKED')
  await shop.create('leaked')
  const info = await shop.actionToken({ action: 'PAYIN_INFO', idPayment: 'leaked' })
  const create = await shop.actionToken({ action: 'PAYIN_CREATE', idPayment: 'leaked' })
  const other = await shop.actionToken({ action: 'PAYIN_INFO', idPayment: 'other' })
  await limitTo(shop, 10)
  const readWith = (token: string, id: string): Promise<{ status: number }> =>
    gateway.call({ method: 'GET', path: `/payins/${id}`, token })
  const abuse = fire(120, 20, (n) => readWith(n % 2 === 0 ? info : create, 'leaked'))
  await sleep(300)
  const shopAnswers = await Promise.all(Array.from({ length: 10 }, () => shop.read('/payins/leaked')))
  assert.deepEqual(new Set(shopAnswers.map(verdict)), new Set(['200']))
  assert.equal((await readWith(other, 'other')).status, 410)
  const abused = await abuse
  assert.ok(
    abused.some(({ status }) => status === 429),
    'the abuse was never limited',
  )
  assertWindowsHold(abused, 10)
  const refused = await gateway.call({ method: 'GET', path: '/payins/leaked', token: info })
  assert.match(String(refused.headers.get('ratelimit-policy')), /^"payment";q=10;w=1$/)
})

test('G2 slow connections are closed in time and hold up nobody', async () => {
  const shop = await addMerchant(gateway, 'PATIENT')
  const tookMs: number[] = []
  while (slow.open() > 0 && performance.now() - slow.startedMs < 22_000) {
    const startedMs = performance.now()
    const answer = await shop.read('/segments')
    assert.equal(answer.status, 200)
    tookMs.push(performance.now() - startedMs)
    await sleep(100)
  }
  assert.equal(slow.open(), 0, `${slow.open()} slow connections are still open after 22 s`)
  const middleMs = tookMs.sort((a, b) => a - b)[Math.floor(tookMs.length / 2)] ?? 0
  assert.ok(middleMs < 1_000, `half of all requests took more than ${middleMs} ms`)
})

test('G2 a connection that only sits there is closed, one that is used is kept', async () => {
  const started = performance.now()
  const socket = connect(gateway.port, '127.0.0.1')
  let bytes = 0
  socket.on('data', (chunk: Buffer) => {
    bytes += chunk.length
  })
  const keptAlive = request('GET /livez').toString().replace('Connection: close', 'Connection: keep-alive')
  socket.write(keptAlive)
  await waitUntil(() => bytes > 0, { timeoutMs: 3_000, what: 'the first answer' })
  const first = bytes
  socket.write(keptAlive)
  await waitUntil(() => bytes > first, { timeoutMs: 3_000, what: 'the second answer' })
  await new Promise<void>((resolve) => socket.once('close', () => resolve()))
  assert.ok(performance.now() - started < 15_000, 'an idle connection was kept')
})
