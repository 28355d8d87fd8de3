import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testRounds } from '@tollgate/testkit'
import fc from 'fast-check'
import { OutboundFailure } from '../failure.ts'
import { allowedAddresses } from '../resolve.ts'
import { createAddressRule, hostOf, judgeTargetPolicy, parseTargetUrl } from '../target.ts'
import { NOTHING_OPEN } from './receivers.ts'

// Addresses in every notation, as hosts and as answers of name servers, against a table of ranges written down here.

const RUNS = testRounds(2_000)

type Kind = 'public' | 'private' | 'closed'

/** [first address, bits, kind]; what is in none is public. */
const RANGES_V4: readonly (readonly [base: number, bits: number, kind: Kind])[] = [
  [0x00000000, 8, 'closed'],
  [0x0a000000, 8, 'private'],
  [0x64400000, 10, 'closed'],
  [0x7f000000, 8, 'private'],
  [0xa83f8110, 32, 'closed'],
  [0xa9fe0000, 16, 'closed'],
  [0xac100000, 12, 'private'],
  [0xc0000000, 24, 'closed'],
  [0xc0000200, 24, 'closed'],
  [0xc01fc400, 24, 'closed'],
  [0xc034c100, 24, 'closed'],
  [0xc0586300, 24, 'closed'],
  [0xc0a80000, 16, 'private'],
  [0xc0af3000, 24, 'closed'],
  [0xc6120000, 15, 'closed'],
  [0xc6336400, 24, 'closed'],
  [0xcb007100, 24, 'closed'],
  [0xe0000000, 3, 'closed'],
]

const kindOfV4 = (address: number): Kind =>
  RANGES_V4.find(
    ([base, bits]) => Math.floor(address / 2 ** (32 - bits)) === Math.floor(base / 2 ** (32 - bits)),
  )?.[2] ?? 'public'

/** Inside of a range, at its edges, just outside, and anywhere. */
const addressesV4 = fc.oneof(
  fc
    .tuple(
      fc.constantFrom(...RANGES_V4),
      fc.constantFrom('first', 'last', 'inside', 'before', 'behind'),
      fc.nat(),
    )
    .map(([[base, bits], where, host]) => {
      const size = 2 ** (32 - bits)
      const offset = { first: 0, last: size - 1, inside: host % size, before: -1, behind: size }[where]
      return (base + offset + 2 ** 32) % 2 ** 32
    }),
  fc.integer({ min: 0, max: 2 ** 32 - 1 }),
)

const octetsOf = (address: number): readonly number[] =>
  [24, 16, 8, 0].map((shift) => Math.floor(address / 2 ** shift) % 256)
const dotted = (address: number): string => octetsOf(address).join('.')

const DIGITS = [
  (text: string) => text,
  (text: string) => text.replace(/\d/g, (digit) => String.fromCodePoint(0xff10 + Number(digit))),
  (text: string) => text.replace(/\d/g, (digit) => String.fromCodePoint(0x1d7d8 + Number(digit))),
  (text: string) => text.replace(/\d/g, (digit) => `%3${digit}`),
  (text: string) => text.toUpperCase(),
]
const DOTS = ['.', '。', '．', '｡', '%2e']
const BASES = [
  (part: number) => String(part),
  (part: number) => `0${part.toString(8)}`,
  (part: number) => `0x${part.toString(16)}`,
  (part: number) => `0X000${part.toString(16)}`,
  (part: number) => `000${part.toString(8)}`,
]

/** An IPv4 address as browsers would still understand it: fewer parts, other bases, other digits, other dots. */
const spellingsV4 = fc
  .record({
    address: addressesV4,
    parts: fc.integer({ min: 1, max: 4 }),
    bases: fc.array(fc.constantFrom(...BASES), { minLength: 4, maxLength: 4 }),
    digits: fc.constantFrom(...DIGITS),
    dot: fc.constantFrom(...DOTS),
    end: fc.constantFrom('', '', '.'),
  })
  .map(({ address, parts, bases, digits, dot, end }) => {
    const octets = octetsOf(address)
    const tail = octets.slice(parts - 1).reduce((sum, octet) => sum * 256 + octet, 0)
    const numbers = [...octets.slice(0, parts - 1), tail]
    const text = numbers.map((part, index) => bases[index]?.(part) ?? '').join('.')
    return { host: digits(text).replaceAll('.', dot) + end, kind: kindOfV4(address) }
  })

const groups = fc.array(fc.integer({ min: 1, max: 0xffff }), { minLength: 8, maxLength: 8 })
const textOfV6 = (all: readonly number[]): string => all.map((group) => group.toString(16)).join(':')

/** Beginnings of IPv6 addresses, and what lies behind them. */
const PREFIXES_V6: readonly (readonly [groups: readonly number[], kind: Kind])[] = [
  [[0x2606, 0x4700], 'public'],
  [[0x2a00, 0x1450], 'public'],
  [[0x2003], 'public'],
  [[0x2400, 0xcb00], 'public'],
  [[0xfd12], 'private'],
  [[0xfc00], 'private'],
  [[0xfd00, 0xec2, 0, 0, 0, 0, 0, 0x254], 'closed'],
  [[0xfe80], 'closed'],
  [[0xfec0], 'closed'],
  [[0xff02], 'closed'],
  [[0x64, 0xff9b], 'closed'],
  [[0x64, 0xff9b, 1], 'closed'],
  [[0x2002], 'closed'],
  [[0x2001, 0], 'closed'],
  [[0x2001, 0xdb8], 'closed'],
  [[0x3fff, 1], 'closed'],
  [[0x100, 0, 0, 0], 'closed'],
  [[0x5f00], 'closed'],
  [[0x4000], 'closed'],
  [[0, 0, 0, 0, 0, 0xffff], 'closed'],
  [[0, 0, 0, 0, 0, 0], 'closed'],
  [[0, 0, 0, 0, 0, 0, 0, 1], 'private'],
  [[0, 0, 0, 0, 0, 0, 0, 0], 'closed'],
]

const addressesV6 = fc
  .tuple(fc.constantFrom(...PREFIXES_V6), groups)
  .map(([[prefix, kind], rest]) => ({ address: textOfV6([...prefix, ...rest.slice(prefix.length)]), kind }))

/** An IPv6 address in brackets: plain, padded, in capitals, or with an IPv4 address at its end. */
const spellingsV6 = fc
  .tuple(addressesV6, fc.constantFrom('plain', 'padded', 'capitals', 'with dots'))
  .map(([{ address, kind }, how]) => {
    const all = address.split(':').map((group) => Number.parseInt(group, 16))
    const tail = dotted((all[6] ?? 0) * 0x10000 + (all[7] ?? 0))
    const text = {
      plain: address,
      padded: all.map((group) => group.toString(16).padStart(4, '0')).join(':'),
      capitals: address.toUpperCase(),
      'with dots': `${textOfV6(all.slice(0, 6))}:${tail}`,
    }[how]
    return { host: `[${text}]`, kind }
  })

const isOpen = (kind: Kind, allowPrivate: boolean): boolean =>
  kind === 'public' || (allowPrivate && kind === 'private')

/** What the guard says of a URL whose name the resolver answers like this; `blocked` wherever it is caught. */
async function verdictOn(url: string, answers: readonly string[], allowPrivate: boolean): Promise<string> {
  const target = parseTargetUrl(url)
  if (!target.ok) return 'blocked'
  const policy = { ...NOTHING_OPEN, allowPrivate }
  if (judgeTargetPolicy(target.url, policy) !== undefined) return 'blocked'
  try {
    await allowedAddresses(hostOf(target.url), async () => answers, createAddressRule(policy))
    return 'open'
  } catch (error) {
    assert.ok(error instanceof OutboundFailure, String(error))
    return error.reason
  }
}

test('C1 an address as a host is called just when its range is open, in whatever notation', async () => {
  let openCount = 0
  await fc.assert(
    fc.asyncProperty(
      fc.oneof({ weight: 3, arbitrary: spellingsV4 }, spellingsV6),
      fc.constantFrom('http', 'https', 'HTTPS'),
      fc.constantFrom('', ':8080'),
      fc.boolean(),
      async ({ host, kind }, scheme, port, allowPrivate) => {
        const expected = isOpen(kind, allowPrivate) ? 'open' : 'blocked'
        if (expected === 'open') openCount += 1
        assert.equal(
          await verdictOn(`${scheme}://${host}${port}/a`, ['8.8.8.8'], allowPrivate),
          expected,
          host,
        )
      },
    ),
    { numRuns: RUNS },
  )
  assert.ok(openCount > RUNS / 10 && openCount < (RUNS * 9) / 10, `${openCount} of ${RUNS} were open`)
})

test('C1 C2 a name is called just when every one of its addresses is open', async () => {
  const answer = fc.oneof(
    addressesV4.map((address) => ({ address: dotted(address), kind: kindOfV4(address) })),
    fc.constant({ address: '8.8.8.8', kind: 'public' as const }),
    addressesV6,
    fc
      .constantFrom('0x7f.1', '127.1', 'localhost', '', '::ffff:8.8.8.8', '1.1.1.1 ', '8.8.8.8/8')
      .map((address) => ({
        address,
        kind: 'closed' as const,
      })),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(answer, { maxLength: 4 }), fc.boolean(), async (answers, allowPrivate) => {
      const areOpen = answers.every(({ kind }) => isOpen(kind, allowPrivate))
      const expected = answers.length === 0 ? 'dns' : areOpen ? 'open' : 'blocked'
      const addresses = answers.map(({ address }) => address)
      assert.equal(
        await verdictOn('https://shop.example/', addresses, allowPrivate),
        expected,
        addresses.join(' '),
      )
    }),
    { numRuns: RUNS },
  )
})
