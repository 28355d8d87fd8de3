import assert from 'node:assert/strict'
import { createPublicKey, verify } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { verifyCallback } from '@tollgate/sdk'
import { type Answer, callbackReceiver, type ReceivedRequest, waitUntil } from '@tollgate/testkit'
import { textAt } from '../support/json.ts'
import { type Gateway, startGateway } from './support/gateway.ts'
import {
  addMerchant,
  type CreateParts,
  codesOf,
  EVERYTHING,
  type Merchant,
  merchantOf,
  verdict,
} from './support/merchant.ts'

const INTERVAL_SECONDS = 1
const quick = {
  TOLLGATE_CALLBACK_INTERVAL_SECONDS: String(INTERVAL_SECONDS),
  TOLLGATE_CALLBACK_TIMEOUT_SECONDS: '2',
}
const gateway = await startGateway({ after }, { env: quick })
const shop = await addMerchant(gateway, 'SHOP')
const neighbour = await addMerchant(gateway, 'NEIGHBOUR')

const succeed = async (merchant: Merchant, id: string, callbackUrl: string): Promise<void> => {
  const created = await merchant.create(id, { callbackUrl, emailAddress: 'success@sandbox.test' })
  assert.equal(created.status, 201, created.text)
}
/** Waits for a reference of the customer, and then succeeds. */
const untilReferenced = (callbackUrl: string): CreateParts => ({
  callbackUrl,
  paymentMethod: {
    paymentMethodCode: 'OFFLINE_TRANSFER',
    account: { accountName: 'A' },
    emailAddress: 'reference@sandbox.test',
  },
})
const stateOf = async (at: Gateway, id: string) => {
  const [row] = await at.sql(
    `select state, attempts_started, (select string_agg(outcome, ' ' order by attempt_no) from callback_attempts a
       where a.event_id = e.event_id) as outcomes, (select coalesce(sum(starts), 0)::integer from callback_attempts a
       where a.event_id = e.event_id) as starts from callback_events e where id_entity = $1`,
    [id],
  )
  return row
}

/** Everything that leads inside, in every notation. */
const INNER_HOSTS = [
  '127.0.0.1',
  '127.1',
  '127.255.255.254',
  '0.0.0.0',
  '0',
  '0x7f.1',
  '0x7f000001',
  '2130706433',
  '017700000001',
  '0177.0.0.1',
  '127.0.0.1.',
  '①②⑦.⓪.⓪.①',
  '１２７.0.0.1',
  '127。0。0。1',
  'localhost',
  'LOCALHOST',
  'localhost.',
  'api.localhost',
  'ⓛocalhost',
  '10.0.0.1',
  '10.255.255.255',
  '172.16.0.1',
  '172.31.255.255',
  '192.168.0.1',
  '100.64.0.1',
  '100.127.255.255',
  '169.254.169.254',
  '169.254.170.2',
  '0xA9FEA9FE',
  '2852039166',
  '168.63.129.16',
  '192.0.0.1',
  '192.0.2.1',
  '192.88.99.1',
  '198.18.0.1',
  '198.51.100.1',
  '203.0.113.1',
  '224.0.0.1',
  '239.255.255.255',
  '240.0.0.1',
  '255.255.255.255',
  '[::]',
  '[::1]',
  '[0:0:0:0:0:0:0:1]',
  '[::ffff:127.0.0.1]',
  '[::ffff:7f00:1]',
  '[::127.0.0.1]',
  '[::ffff:10.0.0.1]',
  '[fc00::1]',
  '[fd00:ec2::254]',
  '[fe80::1]',
  '[fec0::1]',
  '[ff02::1]',
  '[64:ff9b::7f00:1]',
  '[64:ff9b:1::1]',
  '[2002:7f00:1::]',
  '[2001::1]',
  '[2001:db8::1]',
  '[3fff::1]',
  '[100::1]',
  '[5f00::1]',
  '[fd20:ce::254]',
]

test('C1 P12 a callback URL that leads inside is refused at the create, in any notation, and nobody is called', async (t) => {
  const closed = await startGateway(t, { env: { TOLLGATE_CALLBACK_ALLOW_PRIVATE: 'false' } })
  const merchant = await addMerchant(closed, 'SHOP')
  const receiver = await callbackReceiver(t)
  assert.ok(INNER_HOSTS.length >= 60)
  for (const host of INNER_HOSTS) {
    for (const url of [`http://${host}:${receiver.port}/callbacks`, `https://${host}/`]) {
      const answer = await merchant.create('c1', { callbackUrl: url, emailAddress: 'success@sandbox.test' })
      assert.equal(verdict(answer), '406 CALLBACK_URL_NOT_ALLOWED', url)
    }
  }
  const malformed = [
    '',
    'callbacks',
    '//shop.test/',
    'ftp://shop.test/',
    'file:///etc/passwd',
    'gopher://shop.test/',
    'javascript:1',
    'http:shop.test',
    'http:/shop.test',
    'http:\\\\shop.test',
    'http://',
    'http://user@shop.test/',
    'http://a:b@shop.test/',
    'http://shop.test@127.0.0.1/',
    'http://127.0.0.1#@shop.test/',
    'http://shop.test/#a',
    'http://shop.test:0/',
    'http://shop.test:65536/',
    'http://shop.test/\r\nX: y',
    'http://shop.test/ a',
    'http://[::1',
    'http://[::1%25lo]/',
    'http://1.2.3.4.5/',
    'http://256.256.256.256/',
    'http://shop%2etest%00/',
    `http://shop.test/${'a'.repeat(2_048)}`,
    'http://\u202eshop.test/',
    'http://shop\u200b.test/',
    'unix:/var/run/docker.sock',
    'http+unix://a/b',
  ]
  for (const callbackUrl of malformed) {
    const answer = await merchant.create('c1', { callbackUrl })
    assert.match(verdict(answer), /^400 ATTRIBUTE_/, JSON.stringify(callbackUrl))
  }
  assert.equal((await merchant.read('/payins/c1')).status, 410)
  // A name is not resolved here: where it leads is judged when it is called.
  const named = await merchant.create('c1-named', { callbackUrl: 'https://shop.test/callbacks' })
  assert.equal(named.status, 201, named.text)
  await sleep(300)
  assert.equal(receiver.requests.length, 0)
})

test('C1 what was accepted under a looser setting is not called under the stricter one, and counts as attempts', async (t) => {
  const receiver = await callbackReceiver(t)
  const open = await startGateway(t)
  const merchant = await addMerchant(open, 'SHOP')
  const created = await merchant.create('c1-strict', untilReferenced(`${receiver.url}/`))
  assert.equal(created.status, 201)
  await open.stop()
  const closed = await startGateway(t, {
    beside: open,
    env: { ...quick, TOLLGATE_CALLBACK_ALLOW_PRIVATE: 'false' },
  })
  const reference = await closed.call({
    method: 'POST',
    path: '/payins/c1-strict/!setExternalReference',
    token: await merchantOf(closed, merchant).token(EVERYTHING),
    rawBody: '{"externalReference":"1"}',
  })
  assert.equal(reference.status, 204)
  await waitUntil(async () => (await stateOf(closed, 'c1-strict'))?.['state'] === 'EXHAUSTED', {
    timeoutMs: 60_000,
    what: 'the series to end',
  })
  assert.equal((await stateOf(closed, 'c1-strict'))?.['outcomes'], 'BLOCKED BLOCKED BLOCKED BLOCKED BLOCKED')
  assert.equal(receiver.requests.length, 0)
})

test('C1 live calls https on the usual ports only', async (t) => {
  const live = await startGateway(t, {
    env: {
      TOLLGATE_ENVIRONMENT: 'live',
      TOLLGATE_PUBLIC_API_URL: 'https://api.gateway.test',
      TOLLGATE_PUBLIC_CHECKOUT_URL: 'https://pay.gateway.test',
    },
  })
  const merchant = await addMerchant(live, 'SHOP')
  for (const [callbackUrl, isAllowed] of [
    ['http://shop.test/', false],
    ['https://shop.test:22/', false],
    ['https://shop.test:5432/', false],
    ['https://127.0.0.1/', false],
    ['https://169.254.169.254/latest/meta-data', false],
    ['https://localhost/', false],
    ['https://shop.test/', true],
    ['https://shop.test:8443/', true],
  ] as const) {
    const answer = await merchant.create('c1-live', { callbackUrl })
    // Live has no catalogue of its own, so the method is refused as well.
    assert.equal(answer.status, 406, callbackUrl)
    assert.equal(
      codesOf(answer).includes('CALLBACK_URL_NOT_ALLOWED'),
      !isAllowed,
      `${callbackUrl}: ${answer.text}`,
    )
  }
  const plain = await merchant.create('c1-live', {
    callbackUrl: 'https://shop.test/',
    returnUrl: 'http://shop.test/',
  })
  assert.match(codesOf(plain), /RETURN_URL_NOT_ALLOWED/)
  const magic = await merchant.create('c1-live', {
    callbackUrl: 'https://shop.test/',
    emailAddress: 'success@sandbox.test',
  })
  assert.match(codesOf(magic), /SANDBOX_ADDRESS_NOT_ALLOWED/)
})

test('C3 C5 nothing but 200 is success: five attempts, an interval apart, and no redirect is followed', async (t) => {
  const elsewhere = await callbackReceiver(t)
  const wrong: Record<string, number | Answer> = {
    s201: 201,
    s202: 202,
    s204: 204,
    s206: 206,
    s208: 208,
    s226: 226,
    s304: 304,
    s400: 400,
    s401: 401,
    s404: 404,
    s410: 410,
    s429: 429,
    s500: 500,
    s503: 503,
    r301: { kind: 'redirect', status: 301, location: `${elsewhere.url}/a` },
    r302: { kind: 'redirect', status: 302, location: `${elsewhere.url}/b` },
    r303: { kind: 'redirect', status: 303, location: '/moved' },
    r307: { kind: 'redirect', status: 307, location: `${elsewhere.url}/c` },
    r308: { kind: 'redirect', status: 308, location: 'http://169.254.169.254/' },
    close: { kind: 'close' },
    huge: { kind: 'hugeBody', status: 500, bytes: 5_000_000 },
    'retry-after': { kind: 'reply', status: 503, headers: { 'Retry-After': '0' } },
    'looks-good': { kind: 'reply', status: 202, body: '{"status":200}' },
  }
  const receiver = await callbackReceiver(t, {
    answer: (request) => wrong[request.path.slice(1).split('?')[0] ?? ''] ?? 200,
  })
  for (const name of Object.keys(wrong)) await succeed(shop, `c5-${name}`, `${receiver.url}/${name}`)
  await succeed(shop, 'c5-good', `${receiver.url}/good`)
  const names = Object.keys(wrong)
  await waitUntil(
    async () => {
      const rows = await gateway.sql(
        `select state from callback_events where id_entity like 'c5-%' and state = 'EXHAUSTED'`,
      )
      return rows.length === names.length
    },
    { timeoutMs: 60_000, what: 'all series to end' },
  )
  await sleep(INTERVAL_SECONDS * 1_000 + 500)
  const byPath = Map.groupBy(receiver.requests, (request) => request.path.slice(1))
  for (const name of names) {
    const attempts = byPath.get(name) ?? []
    assert.equal(attempts.length, 5, name)
    assert.equal(new Set(attempts.map((attempt) => attempt.headers['webhook-id'])).size, 1, name)
  }
  // By the clock of the record: what the receiver sees is blurred by the network and by how busy this machine is.
  const [gap] = await gateway.sql(`
    select count(*)::integer as gaps, min(extract(epoch from gap))::float8 as shortest, max(extract(epoch from gap))::float8 as longest
    from (select a.started_at - lag(a.started_at) over (partition by event_id order by attempt_no) as gap
      from callback_attempts a join callback_events using (event_id) where id_entity like 'c5-%') gaps
    where gap is not null`)
  assert.equal(gap?.['gaps'], names.length * 4)
  assert.ok(Number(gap['shortest']) >= INTERVAL_SECONDS, `${gap['shortest']} s`)
  assert.ok(Number(gap['longest']) < INTERVAL_SECONDS + 5, `${gap['longest']} s`)
  assert.equal(byPath.get('good')?.length, 1)
  assert.equal(byPath.has('moved'), false)
  assert.equal(elsewhere.requests.length, 0)
  const attempts = await gateway.sql(`select max(length(answer_start)) as longest from callback_attempts`)
  assert.ok(Number(attempts[0]?.['longest']) <= 4_096)
})

test('C6 C7 a hanging receiver gets few connections at a time and delays nobody else', async (t) => {
  let hanging = 0
  let most = 0
  const slow = await callbackReceiver(t, {
    answer: async () => {
      hanging += 1
      most = Math.max(most, hanging)
      await sleep(1_900)
      hanging -= 1
      return { kind: 'close' }
    },
  })
  const good = await callbackReceiver(t)
  await Promise.all(Array.from({ length: 60 }, (_, n) => succeed(shop, `c7-slow-${n}`, `${slow.url}/`)))
  await waitUntil(() => slow.requests.length >= 8, {
    timeoutMs: 60_000,
    what: 'the hanging receiver to be busy',
  })
  const delays: number[] = []
  for (let n = 0; n < 10; n += 1) {
    const startedMs = performance.now()
    // The same shop at another receiver, and another shop.
    await succeed(n % 2 === 0 ? shop : neighbour, `c7-good-${n}`, `${good.url}/`)
    await good.waitForCount(n + 1, 10_000)
    delays.push(performance.now() - startedMs)
  }
  assert.ok(Math.max(...delays) < 3_000, `a callback took ${Math.max(...delays)} ms`)
  assert.ok(most <= 8, `${most} connections at once`)
})

test('C8 a merchant can tell our callbacks from anybody else’s', async (t) => {
  const receiver = await callbackReceiver(t)
  await succeed(shop, 'c8', `${receiver.url}/hook?a=b`)
  const [request] = await receiver.waitForCount(1, 10_000)
  assert.ok(request !== undefined)
  const { publicKeys, others } = await callbackKeys()
  assert.deepEqual(
    [
      request.method,
      request.path,
      request.body,
      request.headers['content-type'],
      request.headers['x-api-version'],
    ],
    ['POST', '/hook?a=b', '{"idEntity":"c8"}', 'application/json', '2'],
  )
  const { headers, body } = request
  assert.equal((await verifyCallback({ headers, body, publicKeys })).idEntity, 'c8')
  assert.equal(request.headers['webhook-event-type'], 'payin.status')
  // Once more without our own SDK, as Standard Webhooks describes it.
  const key = Buffer.from(publicKeys[0]?.replace('whpk_', '') ?? '', 'base64').toString('base64url')
  const publicKey = createPublicKey({ format: 'jwk', key: { kty: 'OKP', crv: 'Ed25519', x: key } })
  const signed = Buffer.from(`${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`)
  const [scheme, signature = ''] = String(headers['webhook-signature']).split(',')
  assert.equal(scheme, 'v1a')
  assert.ok(verify(null, signed, publicKey, Buffer.from(signature, 'base64')))
  const timestamp = Number(headers['webhook-timestamp'])
  const forgeries = [
    { headers, body: '{"idEntity":"c9"}', publicKeys },
    { headers, body: `${body} `, publicKeys },
    { headers, body, publicKeys: others },
    { headers: { ...headers, 'webhook-id': 'other' }, body, publicKeys },
    { headers: { ...headers, 'webhook-timestamp': String(timestamp + 1) }, body, publicKeys },
    { headers: { ...headers, 'webhook-signature': '' }, body, publicKeys },
    {
      headers: { ...headers, 'webhook-signature': `v1,${Buffer.alloc(64).toString('base64')}` },
      body,
      publicKeys,
    },
    { headers, body, publicKeys, nowMs: (timestamp + 301) * 1000 },
  ]
  for (const forgery of forgeries) await assert.rejects(verifyCallback(forgery), { name: 'CallbackInvalid' })
  for (const name of ['authorization', 'cookie', 'x-signature']) assert.equal(headers[name], undefined)
})

async function callbackKeys(): Promise<{ publicKeys: readonly string[]; others: readonly string[] }> {
  const keysOf = async (merchant: Merchant): Promise<readonly string[]> =>
    JSON.parse((await merchant.read('/merchant-info')).text).callbackPublicKeys
  return { publicKeys: await keysOf(shop), others: await keysOf(neighbour) }
}

test('C9 C10 a gateway killed between the sending and the record sends the same attempt again', async (t) => {
  const first = await startGateway(t, { env: { ...quick, TOLLGATE_CALLBACK_TIMEOUT_SECONDS: '1' } })
  const merchant = await addMerchant(first, 'SHOP')
  let isHolding = true
  const receiver = await callbackReceiver(t, {
    answer: () => (isHolding ? { kind: 'hang' } : 200),
  })
  const ids = Array.from({ length: 6 }, (_, n) => `c9-${n}`)
  await Promise.all(ids.map((id) => succeed(merchant, id, `${receiver.url}/`)))
  await receiver.waitForCount(ids.length, 10_000)
  // Accepted and not yet called when it dies: its callback must not be lost either.
  await succeed(merchant, 'c10', `${receiver.url}/`)
  await first.kill()
  isHolding = false
  const before = receiver.requests.length
  await startGateway(t, { beside: first, env: { ...quick, TOLLGATE_CALLBACK_TIMEOUT_SECONDS: '1' } })
  await waitUntil(
    async () => {
      const rows = await first.sql(`select id_entity from callback_events where state = 'DELIVERED'`)
      return rows.length === ids.length + 1
    },
    { timeoutMs: 45_000, what: 'every callback to be delivered' },
  )
  assert.ok(receiver.requests.length >= before + ids.length)
  const series = Map.groupBy(receiver.requests, idEntityOf)
  for (const id of [...ids, 'c10']) {
    const requests = series.get(id) ?? []
    const state = await stateOf(first, id)
    // At most one attempt more than the five per death.
    assert.ok(requests.length >= 1 && requests.length <= 6, `${id}: ${requests.length}`)
    assert.equal(new Set(requests.map((request) => request.headers['webhook-id'])).size, 1, id)
    assert.equal(state?.['state'], 'DELIVERED')
    assert.equal(Number(state['starts']), requests.length, `${id}: every start is on record`)
  }
  const repeated = ids.filter((id) => (series.get(id)?.length ?? 0) > 1)
  assert.equal(repeated.length, ids.length)
})

const idEntityOf = (request: ReceivedRequest): string => JSON.parse(request.body).idEntity

test('C11 while the clock of its process jumps by hours, a series keeps its schedule, and no attempt comes twice', async (t) => {
  const file = join(mkdtempSync(join(tmpdir(), 'tollgate-clock-')), 'jump')
  t.after(() => rmSync(dirname(file), { recursive: true }))
  const preload = new URL('support/jumping-clock.ts', import.meta.url).pathname
  const jumpy = await startGateway(t, {
    env: { ...quick, NODE_OPTIONS: `--import=${preload}`, TOLLGATE_TEST_CLOCK_JUMPS_FILE: file },
  })
  const receiver = await callbackReceiver(t, { answer: () => 500 })
  await succeed(await addMerchant(jumpy, 'SHOP'), 'c11', `${receiver.url}/`)
  await receiver.waitForCount(1, 10_000)
  writeFileSync(file, '')
  const hours = new Set<string>()
  await waitUntil(
    async () => {
      const { text } = await jumpy.call({ method: 'GET', path: '/segments' })
      hours.add(textAt(JSON.parse(text), 'timestamp').slice(0, '2026-01-01T00'.length))
      return (await stateOf(jumpy, 'c11'))?.['state'] === 'EXHAUSTED'
    },
    { timeoutMs: 60_000, what: 'the series to end' },
  )
  assert.ok(hours.size > 1, 'the clock did not jump')
  assert.equal(receiver.requests.length, 5)
  const [gap] = await jumpy.sql(`
    select min(extract(epoch from gap))::float8 as shortest, max(extract(epoch from gap))::float8 as longest
    from (select started_at - lag(started_at) over (order by attempt_no) as gap from callback_attempts) gaps`)
  assert.ok(Number(gap?.['shortest']) >= INTERVAL_SECONDS, `${gap?.['shortest']} s`)
  assert.ok(Number(gap?.['longest']) < INTERVAL_SECONDS + 5, `${gap?.['longest']} s`)
})

test('C13 who reads the payment from within its callback reads the final status', async (t) => {
  const seen: string[] = []
  const token = await shop.token(EVERYTHING)
  const receiver = await callbackReceiver(t, {
    answer: async (request) => {
      const detail = await gateway.call({ method: 'GET', path: `/payins/${idEntityOf(request)}`, token })
      seen.push(JSON.parse(detail.text).process.status)
      return 200
    },
  })
  await Promise.all(
    Array.from({ length: 60 }, async (_, n) => {
      const emailAddress = ['success', 'declined', 'cancelled'][n % 3] ?? 'success'
      const created = await shop.create(`c13-${n}`, {
        callbackUrl: `${receiver.url}/`,
        emailAddress: `${emailAddress}@sandbox.test`,
      })
      assert.equal(created.status, 201)
    }),
  )
  await waitUntil(() => seen.length === 60, { timeoutMs: 60_000, what: 'all callbacks' })
  assert.deepEqual(
    Object.fromEntries(
      Map.groupBy(seen, (status) => status)
        .entries()
        .map(([status, each]) => [status, each.length]),
    ),
    { SUCCESS: 20, FAILED: 20, CANCELLED: 20 },
  )
})

test('C14 a payment that ends once has one series, whatever is sent to it at the same time', async (t) => {
  const receiver = await callbackReceiver(t)
  const created = await shop.create('c14', untilReferenced(`${receiver.url}/`))
  assert.equal(created.status, 201)
  const token = await shop.token(EVERYTHING)
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, n) =>
      gateway.call({
        method: 'POST',
        path: '/payins/c14/!setExternalReference',
        token,
        rawBody: `{"externalReference":"${n % 3}"}`,
      }),
    ),
  )
  assert.ok(answers.every(({ status }) => status === 204 || status === 400))
  assert.ok(answers.some(({ status }) => status === 204))
  await receiver.waitForCount(1, 10_000)
  await sleep(1_500)
  assert.equal(receiver.requests.length, 1)
  const events = await gateway.sql(`select 1 from callback_events where id_entity = 'c14'`)
  assert.equal(events.length, 1)
})

const STARVED_SECONDS = 5
/** As many as a process has unless it is told otherwise. */
const CONNECTIONS = 10
const WAITING = `select 1 from pg_stat_activity
  where datname = current_database() and application_name = 'tollgate api' and wait_event_type = 'Lock'`
const LOCKED = `select 1 from pg_locks where relation = 'customers'::regclass and mode = 'AccessExclusiveLock' and granted`

test('G12 while some requests hold every connection, others are told 500 before long, and callbacks go on', async (t) => {
  const receiver = await callbackReceiver(t, { answer: () => 500 })
  await succeed(shop, 'g12', `${receiver.url}/`)
  await receiver.waitForCount(1, 10_000)
  const token = await neighbour.token(EVERYTHING)
  const read = (path: string) => gateway.call({ method: 'GET', path, token })
  const untilFound = (text: string, count: number) =>
    waitUntil(async () => (await gateway.sql(text)).length >= count, { timeoutMs: 60_000, what: text })
  let isHeld = true
  const hold = gateway
    .sql(`begin; lock table customers in access exclusive mode; select pg_sleep(${STARVED_SECONDS}); commit`)
    .finally(() => {
      isHeld = false
    })
  await untilFound(LOCKED, 1)
  const holders = Array.from({ length: CONNECTIONS }, (_, n) => read(`/customers/g12-${n}`))
  await untilFound(WAITING, CONNECTIONS)
  const before = receiver.requests.length
  const starved = ['/balances', '/settlements', '/payins/g12'].map(async (path) => {
    const answer = await read(path)
    return { path, answer, wasHeld: isHeld }
  })
  assert.equal((await fetch(`${gateway.url}/livez`)).status, 200)
  for (const { path, answer, wasHeld } of await Promise.all(starved)) {
    assert.equal(verdict(answer), '500 SYSTEM', path)
    assert.ok(wasHeld, `${path} was answered when all was over`)
  }
  await hold
  assert.ok(receiver.requests.length > before, 'no callback was sent meanwhile')
  for (const answer of await Promise.all(holders)) assert.match(verdict(answer), /^(?:410 |500 SYSTEM)/)
  assert.equal((await read('/balances')).status, 200)
})
