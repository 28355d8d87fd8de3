import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLog } from '@tollgate/runtime/log'
import type { TestLife } from '@tollgate/testkit'
import { assets } from '../src/assets/index.ts'
import { fakeGateway } from './fake-gateway.ts'
import { quietPage } from './quiet-page.ts'

const claims = { sub: 'DEMO', exp: 4_000_000_000, operations: ['GET /payins/ORD-1'] }
const QUERY = new URLSearchParams({
  merchantCode: 'DEMO',
  idPayin: 'ORD-1',
  token: `aaa.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.bbb`,
  amount: '10',
  currencyCode: 'EUR',
  callbackUrl: 'https://shop.example/callbacks',
  returnUrl: 'https://shop.example/thanks',
})

async function open(t: TestLife, { isLive = false, publicUrl = 'http://localhost:1' } = {}) {
  const lines: string[] = []
  const log = createLog({ level: 'info', destination: { write: (line) => void lines.push(line) } })
  const gateway = await fakeGateway(t)
  const checkout = await quietPage(t, { publicUrl, isLive, log, apiUrl: gateway.url })
  return { url: checkout.url, lines, gateway }
}

async function enter(
  url: string,
): Promise<{ readonly location: string; readonly cookie: string; readonly set: string }> {
  const response = await fetch(`${url}/?${QUERY.toString()}`, { redirect: 'manual' })
  assert.equal(response.status, 303)
  const set = response.headers.getSetCookie().join('\n')
  const cookie = response.headers
    .getSetCookie()
    .map((each) => each.split(';')[0])
    .join('; ')
  const { pathname: location } = new URL(response.headers.get('location') ?? '', url)
  return { location, cookie, set }
}

test('while the gateway does not answer, the customer is told so and the page tries again by itself', async (t) => {
  const { url, lines, gateway } = await open(t)
  const { location, cookie } = await enter(url)
  gateway.payin = 503
  const response = await fetch(url + location, { headers: { cookie } })
  const html = await response.text()
  assert.equal(response.status, 503)
  assert.equal(response.headers.get('retry-after'), '5')
  assert.match(html, /<h1[^>]*>We cannot reach the payment service<\/h1>/)
  assert.match(html, new RegExp(`http-equiv="refresh" content="5; url=${location}\\?try=1"`))
  const incident = /id="incident">(PG-[0-9A-Z]+)</.exec(html)?.[1] ?? assert.fail('no incident code')
  assert.ok(lines.some((line) => line.includes(incident)))
})

test('H20: while the gateway has not accepted the token, no cookie is set, and the page tries again', async (t) => {
  const { url, gateway } = await open(t)
  for (const [status, path] of [
    [503, '/'],
    [429, '/'],
    [503, '/status'],
  ] as const) {
    gateway.payin = status
    const response = await fetch(`${url}${path}?${QUERY.toString()}`, { redirect: 'manual' })
    assert.equal(response.status, 503)
    assert.deepEqual(response.headers.getSetCookie(), [])
    const html = await response.text()
    assert.match(html, /http-equiv="refresh" content="5; url="/)
    assert.doesNotMatch(html, /aaa\.|ORD-1|shop\.example/)
  }
  for (const status of [401, 403, 404]) {
    gateway.payin = status
    const response = await fetch(`${url}/?${QUERY.toString()}`, { redirect: 'manual' })
    assert.equal(response.status, 303)
    assert.deepEqual(response.headers.getSetCookie(), [])
  }
})

test('H21: a link too long for cookies is told so, and what customers add never fills them', async (t) => {
  const { url } = await open(t)
  const answers = new Set<number>()
  for (const length of [5_000, 9_000, 10_000, 11_000, 12_000, 12_800, 13_900, 14_100, 30_000]) {
    const token = `aaa.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.${'b'.repeat(length)}`
    const query = new URLSearchParams(QUERY)
    query.set('token', token)
    query.set('returnUrl', `https://shop.example/${'x'.repeat(2000)}`)
    const response = await fetch(`${url}/?${query.toString()}`, { redirect: 'manual' })
    assert.equal(response.status, 303, String(length))
    const location = response.headers.get('location') ?? ''
    if (response.headers.getSetCookie().length > 0) continue
    const told = await fetch(url + location)
    answers.add(told.status)
    assert.match(
      await told.text(),
      /<code>token<\/code><\/th><td><code>\d+ characters<\/code><\/td><td>TOO_LONG/,
    )
  }
  assert.deepEqual([...answers], [400])
})

test('H3: the log names no token, no query and no person', async (t) => {
  const { url, lines } = await open(t)
  const { location, cookie } = await enter(url)
  await fetch(`${url}${location}?lang=de`, { headers: { cookie }, redirect: 'manual' })
  assert.ok(lines.length >= 3)
  for (const line of lines) assert.doesNotMatch(line, /aaa\.|ORD-1|shop\.example|lang=/)
})

test('cookies are for https and for their payment alone; a sandbox at home may do without https', async (t) => {
  const { url: home } = await open(t)
  const { url: live } = await open(t, { isLive: true, publicUrl: 'https://pay.example' })
  const { set: plain } = await enter(home)
  const { set, location } = await enter(live)
  assert.match(plain, /^pay0=/)
  assert.doesNotMatch(plain, /Secure/)
  assert.match(set, /^__Secure-pay0=/)
  assert.match(set, new RegExp(`; Path=${location}; Max-Age=\\d+; HttpOnly; SameSite=Lax; Secure`))
})

test('H12: only in the sandbox there is a banner, and without https nothing asks for it', async (t) => {
  for (const isLive of [true, false]) {
    const publicUrl = isLive ? 'https://pay.example' : 'http://localhost:1'
    const { url } = await open(t, { isLive, publicUrl })
    const response = await fetch(`${url}/nowhere`)
    assert.equal(response.status, 404)
    assert.equal(/class="sandbox"/.test(await response.text()), !isLive)
    assert.equal(response.headers.has('strict-transport-security'), isLive)
    assert.equal(
      response.headers.get('content-security-policy')?.includes('upgrade-insecure-requests'),
      isLive,
    )
  }
})

test('a merchant’s colour is in the one stylesheet; under any other address there is none', async (t) => {
  const { url } = await open(t)
  const { path, body } = assets().stylesheetIn('1d4ed8')
  const sheet = await fetch(url + path)
  assert.match(sheet.headers.get('content-type') ?? '', /^text\/css/)
  const text = await sheet.text()
  assert.equal(text, body.toString())
  assert.match(text, /^:root \{/)
  assert.match(text, /:root:root\{--brand:#1d4ed8/)
  for (const wrong of [
    path.replace('1d4ed8', '1d4ed9'),
    path.replace('1d4ed8', 'red'),
    path.replace('.css', ''),
    '/assets/checkout-%7D%7D%7D.css',
    '/assets/checkout.css',
  ])
    assert.equal((await fetch(url + wrong)).status, 404, wrong)
})

test('bodies that are no forms, and too long ones, do nothing', async (t) => {
  const { url } = await open(t)
  const { location, cookie } = await enter(url)
  for (const [type, body, status] of [
    ['application/json', '{}', 415],
    ['application/x-www-form-urlencoded', 'x'.repeat(20_000), 413],
    ['application/x-www-form-urlencoded', 'formToken=x', 403],
  ] as const) {
    const headers = { cookie, 'content-type': type }
    const response = await fetch(`${url}${location}/pay`, { method: 'POST', headers, body })
    assert.equal(response.status, status)
  }
})
