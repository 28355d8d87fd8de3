import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { parseTargetUrl, TARGET_CHARACTERS_MAX } from '../target.ts'

const REFUSED = [
  '',
  ' ',
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  'java\nscript:alert(1)',
  ' java\nscript:alert(1)',
  'javascript://shop.example/%0aalert(1)',
  'data:text/html,<script>alert(1)</script>',
  'vbscript:x',
  'blob:https://shop.example/1',
  'file:///etc/passwd',
  'ftp://shop.example/',
  'gopher://shop.example/',
  'ws://shop.example/',
  'mailto:a@shop.example',
  '//evil.example',
  '///evil.example',
  '/callback',
  'callback',
  '?x=1',
  'shop.example/callback',
  'https:evil.example',
  'https:/evil.example',
  'https:///evil.example',
  'https:////evil.example',
  'http:\\\\evil.example',
  'http:/\\evil.example',
  'https://shop.example\\@evil.example/',
  'https://shop.example/\\evil',
  'https://shop.example/\r\nX-Evil: 1',
  'https://shop.example/\n',
  'https://shop.example/\tpath',
  'https://shop.example/a b',
  ' https://shop.example/',
  'https://shop.example/ ',
  'https://shop.example/\u0000',
  'https://shop.example/\u007f',
  'https://shop.example/\u0085',
  'https://shop.example/\u00a0',
  'https://shop.example/\u2028',
  'https://shop\u200b.example/',
  'https://sh\u00adop.example/',
  'https://shop.example/\u202egnp',
  'https://shop.example/\ufeff',
  'https://user@shop.example/',
  'https://user:secret@shop.example/',
  'https://:secret@shop.example/',
  'https://@shop.example/',
  'https://shop.example@evil.example/',
  'https://shop.example/#part',
  'https://shop.example/#',
  'https://',
  'https://?x',
  'https://#x',
  'https://:443/',
  'https://shop.example:0/',
  'https://shop.example:65536/',
  'https://shop.example:port/',
  'https://shop.example／evil/',
  'https://shop<b>.example/',
  'https://[::1/',
  'https://[fe80::1%25eth0]/',
  'https://999.1.1.1/',
  'https://1.1.1.1.1/',
] as const

test('what is no absolute http or https URL is refused with a reason', () => {
  for (const text of REFUSED) {
    const result = parseTargetUrl(text)
    assert.ok(!result.ok, JSON.stringify(text))
    assert.notEqual(result.problem, '')
  }
})

test('the reason says what is wrong', () => {
  const table: readonly (readonly [text: string, problem: string])[] = [
    ['https://shop.example/a b', 'contains a space, a backslash, or a control or invisible character'],
    ['ftp://shop.example/', 'must start with http:// or https:// and a host'],
    ['xhttps://shop.example/', 'must start with http:// or https:// and a host'],
    ['https:///shop.example/', 'must start with http:// or https:// and a host'],
    ['https://user@shop.example/', 'must not contain a user name or password'],
    ['https://shop.example/#', 'must not contain a fragment'],
    ['https://shop.example:0/', 'is not a valid URL'],
    ['https://[::1/', 'is not a valid URL'],
    [`https://shop.example/${'a'.repeat(2048)}`, 'is longer than 2048 characters'],
    [`https://shop.example/${'ö'.repeat(1000)}`, 'is longer than 2048 characters'],
  ]
  for (const [text, problem] of table) assert.deepEqual(parseTargetUrl(text), { ok: false, problem }, text)
})

const ACCEPTED = [
  ['https://shop.example', 'https://shop.example/'],
  ['HTTPS://Shop.Example/Path?Q=1', 'https://shop.example/Path?Q=1'],
  ['http://shop.example:80/', 'http://shop.example/'],
  ['https://shop.example:8443/a/../b', 'https://shop.example:8443/b'],
  ['https://shop.example/user@home?mail=a@b', 'https://shop.example/user@home?mail=a@b'],
  ['https://münchen.example/ö', 'https://xn--mnchen-3ya.example/%C3%B6'],
  // The first letter of the second one is Cyrillic: the homograph shows itself.
  ['https://apple.example/', 'https://apple.example/'],
  ['https://аpple.example/', 'https://xn--pple-43d.example/'],
  ['http://①②⑦.⓪.⓪.①/', 'http://127.0.0.1/'],
  ['http://0x7f.1/', 'http://127.0.0.1/'],
  ['http://2130706433/', 'http://127.0.0.1/'],
  ['http://[::ffff:127.0.0.1]/', 'http://[::ffff:7f00:1]/'],
] as const

test('a well formed URL comes back serialised, its host in ASCII', () => {
  for (const [text, href] of ACCEPTED) {
    const result = parseTargetUrl(text)
    assert.ok(result.ok, text)
    assert.equal(result.url.href, href)
  }
})

test('2048 characters are accepted and one more is not, as given or as serialised', () => {
  const start = 'https://shop.example/'
  const longest = start + 'a'.repeat(TARGET_CHARACTERS_MAX - start.length)
  assert.equal(parseTargetUrl(longest).ok, true)
  assert.equal(parseTargetUrl(`${longest}a`).ok, false)
  assert.equal(parseTargetUrl(`${start}${'a/../'.repeat(500)}`).ok, false)
  assert.equal(parseTargetUrl(start + 'ö'.repeat(1000)).ok, false)
  const serialised = start + 'ö'.repeat(337)
  assert.equal(
    parseTargetUrl(`${serialised}${'a'.repeat(TARGET_CHARACTERS_MAX - new URL(serialised).href.length)}`).ok,
    true,
  )
})

const PIECES = [
  'http',
  'https',
  ':',
  '/',
  '\\',
  '@',
  '#',
  '?',
  '.',
  '[',
  ']',
  '%',
  '\n',
  ' ',
  'a',
  'é',
  '0x7f',
  '１',
]
const NEAR_URLS = fc
  .array(fc.oneof(fc.constantFrom(...PIECES), fc.string({ unit: 'binary', maxLength: 3 })), { maxLength: 15 })
  .map((parts) => parts.join(''))

test('whatever is accepted is serialised ASCII that is accepted again, unchanged', () => {
  const texts = fc.oneof(
    NEAR_URLS,
    NEAR_URLS.map((text) => `https://${text}`),
    fc.webUrl(),
  )
  fc.assert(
    fc.property(texts, (text) => {
      const first = parseTargetUrl(text)
      if (!first.ok) return
      assert.match(first.url.href, /^https?:\/\/[\x21-\x7e]+$/u)
      assert.equal(first.url.username + first.url.password + first.url.hash, '')
      const second = parseTargetUrl(first.url.href)
      assert.ok(second.ok)
      assert.equal(second.url.href, first.url.href)
    }),
    { numRuns: 2000 },
  )
})
