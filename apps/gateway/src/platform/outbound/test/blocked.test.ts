import assert from 'node:assert/strict'
import { createServer } from 'node:net'
import { type TestContext, test } from 'node:test'
import { createSecureContext } from 'node:tls'
import { createOutboundClient } from '../client.ts'
import { openConnection } from '../connection.ts'
import { createAddressRule } from '../target.ts'
import {
  answering,
  LOOPBACK_OPEN,
  listen,
  NOTHING_OPEN,
  type Receiver,
  receiver,
  requestTo,
} from './receivers.ts'

// The public answer of the tests below is a second loopback address: no packet leaves this machine.
const STAND_IN_FOR_PUBLIC = '127.0.0.2'
const REBINDING_SENDS = 1_000

const HOSTS_INSIDE = [
  '127.0.0.1',
  '127.0.0.1.',
  '127.1',
  '127.0.1',
  '127.255.255.254',
  '2130706433',
  '017700000001',
  '0x7f000001',
  '0x7f.1',
  '0x7F.0x0.0x0.0x1',
  '0177.0.0.1',
  '0177.0.0.01.',
  '%31%32%37.0.0.1',
  '①②⑦.⓪.⓪.①',
  '１２７.０.０.１',
  '127。0。0。1',
  '𝟙𝟚𝟟.0.0.1',
  '0',
  '0.0.0.0',
  '0x0',
  '[::]',
  '[::1]',
  '[0:0:0:0:0:0:0:1]',
  '[::127.0.0.1]',
  '[::ffff:127.0.0.1]',
  '[::ffff:7f00:1]',
  '[0:0:0:0:0:ffff:7f00:0001]',
  '[::ffff:0:127.0.0.1]',
  '[64:ff9b::127.0.0.1]',
  '[64:ff9b::7f00:1]',
  '[64:ff9b:1::7f00:1]',
  '[2002:7f00:1::]',
  '[2001:0:7f00:1::]',
  '[fe80::1]',
  '[fec0::1]',
  '[fc00::1]',
  '[fd00:ec2::254]',
  '[ff02::1]',
  '[100::1]',
  '[2001:db8::1]',
  '[3fff::1]',
  '[5f00::1]',
  '10.0.0.1',
  '10.255.255.255',
  '0xa000001',
  '012.0.0.1',
  '172.16.0.1',
  '172.31.255.255',
  '192.168.0.1',
  '3232235521',
  '100.64.0.1',
  '100.100.100.200',
  '169.254.169.254',
  '169.254.170.2',
  '2852039166',
  '0251.0376.0251.0376',
  '0xa9fea9fe',
  '[::ffff:169.254.169.254]',
  '168.63.129.16',
  '192.0.0.192',
  '192.0.2.1',
  '192.88.99.1',
  '198.18.0.1',
  '198.51.100.1',
  '203.0.113.1',
  '224.0.0.1',
  '240.0.0.1',
  '255.255.255.255',
  'localhost',
  'LocalHost',
  'localhost.',
  'ｌｏｃａｌｈｏｓｔ',
  '%6c%6f%63alhost',
  'shop.localhost',
  'shop.localhost.',
  // Names that the resolver of this test leads to 127.0.0.1.
  'localhost.localdomain',
  'inside.example',
  'inside.example.',
  '127.0.0.1.nip.example',
] as const

test('C1 no notation of an inner address and no name that leads to one is connected to', async (t) => {
  const inside = await receiver(t, answering('HTTP/1.1 200 OK\r\n\r\n'))
  const client = createOutboundClient({ policy: NOTHING_OPEN, resolve: async () => ['127.0.0.1'] })
  assert.ok(new Set(HOSTS_INSIDE).size >= 60)
  for (const host of HOSTS_INSIDE) {
    const result = await client.post(requestTo(`http://${host}:${inside.port}/`, 2_000))
    assert.equal(result.kind === 'failed' && result.reason, 'blocked', host)
    assert.ok(result.kind === 'failed' && !/\d+\.\d+/u.test(result.message), host)
  }
  assert.equal(inside.accepted(), 0)
})

test('the same listener is reached once its address is opened: the test above can fail', async (t) => {
  const inside = await receiver(t, answering('HTTP/1.1 200 OK\r\n\r\n'))
  const client = createOutboundClient({ policy: LOOPBACK_OPEN, resolve: async () => ['127.0.0.1'] })
  for (const host of ['127.0.0.1', '2130706433', '①②⑦.⓪.⓪.①', 'localhost', 'inside.example']) {
    const result = await client.post(requestTo(`http://${host}:${inside.port}/`))
    assert.equal(result.kind, 'answered', host)
  }
  assert.equal(inside.accepted(), 5)
})

test('URLs that do not parse or break the policy are blocked, and nothing is resolved for them', async (t) => {
  const inside = await receiver(t, answering('HTTP/1.1 200 OK\r\n\r\n'))
  const resolve = () => assert.fail('nothing is to be resolved')
  const live = { ...LOOPBACK_OPEN, httpsOnly: true, portsAllowed: [443] }
  const client = createOutboundClient({ policy: live, resolve })
  for (const url of [
    '',
    'x',
    'javascript:1',
    inside.url,
    `https://127.0.0.1:${inside.port}/`,
    'https://a@b.example/',
  ]) {
    const result = await client.post(requestTo(url))
    assert.equal(result.kind === 'failed' && result.reason, 'blocked', url)
  }
  assert.equal(inside.accepted(), 0)
})

test('C2 one inner address among the addresses of a name forbids them all', async (t) => {
  const inside = await receiver(t, answering('HTTP/1.1 200 OK\r\n\r\n'))
  const mixtures = [
    ['127.0.0.1', '10.0.0.1'],
    ['10.0.0.1', '127.0.0.1'],
    ['127.0.0.1', '::1'],
    ['127.0.0.1', '::ffff:127.0.0.1'],
    ['127.0.0.1', '127.0.0.1', '127.0.0.1', '127.0.0.1', '127.0.0.1', '169.254.169.254'],
  ]
  for (const mixture of mixtures) {
    const client = createOutboundClient({ policy: LOOPBACK_OPEN, resolve: async () => mixture })
    const result = await client.post(requestTo(`http://shop.example:${inside.port}/`))
    assert.equal(result.kind === 'failed' && result.reason, 'blocked')
  }
  assert.equal(inside.accepted(), 0)
})

test('C2 a name that changes between a public and an inner address never reaches the inner one', async (t) => {
  const twins = await twinReceivers(t)
  if (twins === undefined) return t.skip(`this machine has no ${STAND_IN_FOR_PUBLIC}`)
  let lookups = 0
  const resolve = async () => {
    lookups += 1
    return lookups % 2 === 1 ? [STAND_IN_FOR_PUBLIC] : ['127.0.0.1']
  }
  const policy = { ...NOTHING_OPEN, allowedCidrs: [`${STAND_IN_FOR_PUBLIC}/32`] }
  const client = createOutboundClient({ policy, resolve })
  const outcomes = { answered: 0, blocked: 0 }
  for (let sent = 0; sent < REBINDING_SENDS; sent += 20) {
    const batch = Array.from({ length: 20 }, () =>
      client.post(requestTo(`http://shop.example:${twins.open.port}/`)),
    )
    for (const result of await Promise.all(batch)) {
      assert.ok(result.kind === 'answered' || result.reason === 'blocked')
      outcomes[result.kind === 'answered' ? 'answered' : 'blocked'] += 1
    }
  }
  assert.equal(lookups, REBINDING_SENDS)
  assert.deepEqual(outcomes, { answered: REBINDING_SENDS / 2, blocked: REBINDING_SENDS / 2 })
  assert.equal(twins.open.accepted(), REBINDING_SENDS / 2)
  assert.equal(twins.inside.accepted(), 0)
})

test('the address at the other end is judged again before a byte is sent', async (t) => {
  const shop = await receiver(t, answering('HTTP/1.1 200 OK\r\n\r\n'))
  const judged: string[] = []
  const isAllowed = (address: string) => judged.push(address) === 1
  const opening = openConnection({
    url: new URL(shop.url),
    signal: new AbortController().signal,
    resolve: async () => ['127.0.0.1'],
    isAllowed,
    secureContext: createSecureContext(),
  })
  await assert.rejects(opening, { name: 'OutboundFailure', reason: 'blocked' })
  assert.deepEqual(judged, ['127.0.0.1', '127.0.0.1'])
  await new Promise((done) => setTimeout(done, 50))
  assert.equal(shop.received(), '')
  assert.equal(shop.open(), 0)
})

test('a range closed by name stays closed in a sandbox that allows private addresses', async (t) => {
  const inside = await receiver(t, answering('HTTP/1.1 200 OK\r\n\r\n'))
  const policy = { ...NOTHING_OPEN, allowPrivate: true, deniedCidrs: ['127.0.0.1/32'] }
  assert.equal(createAddressRule(policy)('127.0.0.2'), true)
  const result = await createOutboundClient({ policy }).post(requestTo(inside.url))
  assert.equal(result.kind === 'failed' && result.reason, 'blocked')
  assert.equal(inside.accepted(), 0)
})

/** Two receivers on the same port: one that may be called, one inside. */
async function twinReceivers(t: TestContext): Promise<{ open: Receiver; inside: Receiver } | undefined> {
  if (!(await canListenOn(STAND_IN_FOR_PUBLIC))) return undefined
  const fine = answering('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n')
  const inside = await receiver(t, fine)
  const open = await receiver(t, fine, { host: STAND_IN_FOR_PUBLIC, port: inside.port })
  return { open, inside }
}

async function canListenOn(host: string): Promise<boolean> {
  const server = createServer()
  try {
    await listen(server, host, 0)
    return true
  } catch {
    return false
  } finally {
    server.close()
  }
}
