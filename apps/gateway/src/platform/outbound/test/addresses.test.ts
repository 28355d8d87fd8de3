import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { createAddressRule, isPublicAddress } from '../target.ts'

const NOT_PUBLIC = [
  ['this network', '0.0.0.0', '0.1.2.3', '0.255.255.255'],
  ['loopback', '127.0.0.1', '127.255.255.255', '::1'],
  ['private', '10.0.0.0', '10.255.255.255', '172.16.0.1', '172.31.255.255', '192.168.0.1', '192.168.255.255'],
  ['shared', '100.64.0.0', '100.100.100.200', '100.127.255.255'],
  [
    'link-local',
    '169.254.0.1',
    '169.254.169.254',
    '169.254.170.2',
    'fe80::1',
    'febf:ffff::1',
    'fe80::1%eth0',
  ],
  ['services of clouds', '168.63.129.16', 'fd00:ec2::254', 'fd20:ce::254', 'fd00:42::42'],
  ['multicast', '224.0.0.1', '239.255.255.255', 'ff02::1', 'ff0e::1'],
  ['class E', '240.0.0.0', '255.255.255.254', '255.255.255.255'],
  ['protocol assignments', '192.0.0.0', '192.0.0.192', '192.0.0.255'],
  ['6to4 relays', '192.88.99.1', '192.88.99.255'],
  ['benchmarking', '198.18.0.0', '198.19.255.255', '2001:2::1'],
  [
    'documentation',
    '192.0.2.1',
    '198.51.100.1',
    '203.0.113.255',
    '2001:db8::1',
    '3fff::1',
    '3fff:fff:ffff::1',
  ],
  ['unspecified', '::'],
  ['unique local', 'fc00::1', 'fdff:ffff::1'],
  ['site-local', 'fec0::1', 'feff::1'],
  ['mapped', '::ffff:127.0.0.1', '::ffff:8.8.8.8', '::ffff:7f00:1', '0:0:0:0:0:ffff:10.0.0.1'],
  ['compatible', '::127.0.0.1', '::8.8.8.8', '::ffff:0:127.0.0.1'],
  ['NAT64', '64:ff9b::127.0.0.1', '64:ff9b::808:808', '64:ff9b:1::a00:1'],
  ['6to4', '2002:7f00:1::', '2002:808:808::1'],
  ['Teredo', '2001::1', '2001:0:7f00:1::'],
  ['ORCHID', '2001:10::1', '2001:20::1', '2001:30::1'],
  ['discard', '100::1', '100:0:0:1::1'],
  ['segment routing', '5f00::1', '5f00:ffff::1'],
  ['not given out', '4000::1', '8000::1', '200::1', '1fff:ffff::1'],
] as const

const PUBLIC = [
  '1.1.1.1',
  '8.8.8.8',
  '9.255.255.255',
  '11.0.0.0',
  '100.63.255.255',
  '100.128.0.0',
  '126.255.255.255',
  '128.0.0.1',
  '169.253.255.255',
  '172.15.255.255',
  '172.32.0.0',
  '192.167.255.255',
  '198.17.255.255',
  '198.20.0.0',
  '223.255.255.255',
  '2606:4700:4700::1111',
  '2001:4860:4860::8888',
  '2a00:1450:4001::1',
  '2003::1',
  '3ffe::1',
]

const NO_ADDRESSES = [
  '',
  'localhost',
  '8.8.8',
  '134744072',
  '0x8.8.8.8',
  '010.8.8.8',
  '8.8.8.8.',
  ' 8.8.8.8',
  '8.8.8.8/32',
  '[2606:4700::1]',
  '①.1.1.1',
]

test('no address of a special range is public', () => {
  for (const [range, ...addresses] of NOT_PUBLIC) {
    for (const address of addresses) assert.equal(isPublicAddress(address), false, `${range}: ${address}`)
  }
})

test('the addresses beside the special ranges are public', () => {
  for (const address of PUBLIC) assert.equal(isPublicAddress(address), true, address)
})

test('what is not an address in the canonical notation is not public', () => {
  for (const text of NO_ADDRESSES) assert.equal(isPublicAddress(text), false, JSON.stringify(text))
})

test('no IPv6 form that carries an IPv4 address is public, whatever it carries', () => {
  fc.assert(
    fc.property(fc.ipV4(), (ipv4) => {
      const [a = 0, b = 0, c = 0, d = 0] = ipv4.split('.').map(Number)
      const high = (a * 256 + b).toString(16)
      const low = (c * 256 + d).toString(16)
      for (const prefix of ['::', '::ffff:', '::ffff:0:', '64:ff9b::', '64:ff9b:1::']) {
        assert.equal(isPublicAddress(prefix + ipv4), false)
        assert.equal(isPublicAddress(`${prefix}${high}:${low}`), false)
      }
      assert.equal(isPublicAddress(`2002:${high}:${low}::1`), false)
    }),
  )
})

test('no address of a private range is public, whichever host of the range it is', () => {
  const bases = [
    [0x00000000, 8],
    [0x0a000000, 8],
    [0x64400000, 10],
    [0x7f000000, 8],
    [0xa9fe0000, 16],
    [0xac100000, 12],
    [0xc0a80000, 16],
    [0xc6120000, 15],
    [0xe0000000, 3],
  ] as const
  fc.assert(
    fc.property(fc.constantFrom(...bases), fc.nat(), ([base, bits], host) => {
      const value = base + (host % 2 ** (32 - bits))
      const octets = [24, 16, 8, 0].map((shift) => (value >>> shift) & 255)
      assert.equal(isPublicAddress(octets.join('.')), false)
    }),
  )
})

test('a sandbox that allows private addresses gets loopback and private networks, and no more', () => {
  const isAllowed = createAddressRule({ allowPrivate: true })
  for (const address of ['127.0.0.1', '::1', '10.1.2.3', '172.16.0.1', '192.168.1.1', 'fd12::1', '8.8.8.8']) {
    assert.equal(isAllowed(address), true, address)
  }
  const closed = [
    '0.0.0.0',
    '169.254.169.254',
    'fd00:ec2::254',
    'fd20:ce::254',
    '168.63.129.16',
    '100.64.0.1',
  ]
  for (const address of [...closed, '224.0.0.1', '::ffff:127.0.0.1', 'fe80::1', '::', 'localhost']) {
    assert.equal(isAllowed(address), false, address)
  }
})

test('a range opened by name is open, one closed by name is closed whatever else is said', () => {
  const isAllowed = createAddressRule({
    allowPrivate: true,
    allowedCidrs: ['100.64.0.0/10', 'fd00::/8'],
    deniedCidrs: ['100.64.7.0/24', '10.0.0.5/32', '8.8.8.0/24', '2606:4700::/32'],
  })
  for (const address of ['100.64.0.1', 'fd00::1', '10.0.0.4', '8.8.9.1'])
    assert.equal(isAllowed(address), true, address)
  for (const address of ['100.64.7.1', '10.0.0.5', '8.8.8.8', '2606:4700::1', '::ffff:100.64.0.1']) {
    assert.equal(isAllowed(address), false, address)
  }
})

test('a mapped address stays closed even when everything is opened by name', () => {
  const isAllowed = createAddressRule({ allowPrivate: true, allowedCidrs: ['0.0.0.0/0', '::/0'] })
  assert.equal(isAllowed('10.0.0.1'), true)
  assert.equal(isAllowed('::1'), true)
  for (const address of ['::ffff:8.8.8.8', '::ffff:127.0.0.1'])
    assert.equal(isAllowed(address), false, address)
})

test('a range that is none is an error when the rule is built', () => {
  for (const cidr of ['', 'localhost', '127.0.0.1', '127.0.0.0/33', '10.0.0.0/x']) {
    assert.throws(
      () => createAddressRule({ allowPrivate: false, allowedCidrs: [cidr] }),
      /range of addresses/u,
    )
    assert.throws(
      () => createAddressRule({ allowPrivate: false, deniedCidrs: [cidr] }),
      /range of addresses/u,
    )
  }
})

test('verdicts are remembered, and asking for very many addresses changes none of them', () => {
  const isAllowed = createAddressRule({ allowPrivate: false, deniedCidrs: ['8.8.8.8/32'] })
  for (let round = 0; round < 2; round += 1) {
    for (let host = 0; host < 1_100; host += 1) {
      const [third, fourth] = [Math.floor(host / 256), host % 256]
      assert.equal(isAllowed(`8.8.${third}.${fourth}`), !(third === 8 && fourth === 8))
      assert.equal(isAllowed(`10.0.${third}.${fourth}`), false)
    }
    assert.equal(isAllowed('8.8.8.8'), false)
    assert.equal(isAllowed('8.8.8.9'), true)
  }
})
