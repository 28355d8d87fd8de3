import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hostOf, judgeTargetPolicy, LIVE_PORTS, portOf, type TargetPolicy } from '../target.ts'

const LIVE: TargetPolicy = { httpsOnly: true, portsAllowed: LIVE_PORTS, allowPrivate: false }
const SANDBOX: TargetPolicy = { httpsOnly: false, portsAllowed: 'any', allowPrivate: false }
const LOCAL: TargetPolicy = { ...SANDBOX, allowPrivate: true }

function judge(text: string, policy: TargetPolicy): string | undefined {
  return judgeTargetPolicy(new URL(text), policy)
}

test('live wants https and one of the usual ports', () => {
  assert.equal(judge('https://shop.example/', LIVE), undefined)
  for (const port of [80, 443, 8080, 8443])
    assert.equal(judge(`https://shop.example:${port}/`, LIVE), undefined)
  assert.equal(judge('http://shop.example/', LIVE), 'must use https')
  for (const port of [1, 22, 25, 5432, 6379, 9000, 65535]) {
    assert.equal(judge(`https://shop.example:${port}/`, LIVE), 'uses a port that is not allowed')
  }
  const withMore = { ...LIVE, portsAllowed: [...LIVE_PORTS, 9443] }
  assert.equal(judge('https://shop.example:9443/', withMore), undefined)
})

test('the sandbox takes http and any port', () => {
  assert.equal(judge('http://shop.example:31337/', SANDBOX), undefined)
})

const INSIDE = [
  '127.0.0.1',
  '127.0.0.1.',
  '0x7f.1',
  '2130706433',
  '017700000001',
  '①②⑦.⓪.⓪.①',
  '10.0.0.1',
  '169.254.169.254',
  '[::1]',
  '[::ffff:127.0.0.1]',
  '[64:ff9b::7f00:1]',
  '[fd00:ec2::254]',
  'localhost',
  'LOCALHOST',
  'localhost.',
  'localhost..',
  '%6cocalhost',
  'shop.localhost',
  'shop.localhost.',
  '.',
]

test('literal addresses of closed ranges and the names of this machine are refused', () => {
  for (const host of INSIDE) {
    const problem = 'leads to an address that is not allowed'
    assert.equal(judge(`https://${host}/`, LIVE), problem, host)
    assert.equal(judge(`http://${host}:8000/`, SANDBOX), problem, host)
  }
})

test('names are not resolved: what they lead to is judged when they are called', () => {
  for (const host of [
    'shop.example',
    'internal',
    'localhost.example',
    'notlocalhost',
    '127.0.0.1.nip.example',
  ]) {
    assert.equal(judge(`https://${host}/`, LIVE), undefined, host)
  }
})

test('a sandbox on one machine may call localhost, never the metadata service', () => {
  for (const host of ['localhost', 'shop.localhost', '127.0.0.1', '[::1]', '192.168.1.5']) {
    assert.equal(judge(`http://${host}:3000/`, LOCAL), undefined, host)
  }
  for (const host of ['169.254.169.254', '[fd00:ec2::254]', '0.0.0.0', '[::ffff:127.0.0.1]']) {
    assert.notEqual(judge(`http://${host}/`, LOCAL), undefined, host)
  }
})

test('opening the range of loopback by name opens the name localhost with it', () => {
  const policy = { ...SANDBOX, allowedCidrs: ['127.0.0.0/8'] }
  assert.equal(judge('http://localhost/', policy), undefined)
  assert.equal(judge('http://127.9.9.9/', policy), undefined)
  assert.notEqual(judge('http://10.0.0.1/', policy), undefined)
})

test('a list of origins allows exactly these', () => {
  const policy = {
    ...LIVE,
    allowedOrigins: ['https://shop.example', 'https://pay.example:8443/', 'nonsense'],
  }
  assert.equal(judge('https://shop.example/any/path', policy), undefined)
  assert.equal(judge('https://SHOP.example:443/', policy), undefined)
  assert.equal(judge('https://pay.example:8443/x', policy), undefined)
  for (const text of [
    'https://shop.example:8443/',
    'https://shop.example.evil/',
    'https://a.shop.example/',
  ]) {
    assert.equal(judge(text, policy), 'is not on the list of allowed origins', text)
  }
  assert.notEqual(judge('https://shop.example/', { ...LIVE, allowedOrigins: [] }), undefined)
})

test('the port is the one of the URL, or of its scheme', () => {
  const ports = ['http://a', 'https://a', 'http://a:443', 'https://a:80', 'https://a:8443'].map((text) =>
    portOf(new URL(text)),
  )
  assert.deepEqual(ports, [80, 443, 443, 80, 8443])
  assert.equal(
    judge('https://shop.example/', { ...LIVE, portsAllowed: [80] }),
    'uses a port that is not allowed',
  )
  assert.equal(
    judge('http://shop.example/', { ...SANDBOX, portsAllowed: [443] }),
    'uses a port that is not allowed',
  )
})

test('the host has neither brackets nor the dots that end an absolute name', () => {
  const hosts = [
    'https://[2001:db8::1]:8443/',
    'https://shop.example./',
    'https://shop.example/',
    'https://a.b../',
  ]
  assert.deepEqual(
    hosts.map((text) => hostOf(new URL(text))),
    ['2001:db8::1', 'shop.example', 'shop.example', 'a.b'],
  )
})

test('a machine on which one address of loopback is open may call itself by name', () => {
  for (const cidr of ['127.0.0.1/32', '::1/128'])
    assert.equal(judge('http://localhost/', { ...SANDBOX, allowedCidrs: [cidr] }), undefined, cidr)
  assert.notEqual(judge('http://localhost/', { ...SANDBOX, allowedCidrs: ['127.0.0.2/32'] }), undefined)
})
