import assert from 'node:assert/strict'
import { after, beforeEach, test } from 'node:test'
import {
  browserAt,
  linkFor,
  openPage,
  payinOf,
  START_MS,
  type TestPage,
  TOKEN_END_MS,
  tokenFor,
} from './fake-gateway.ts'

const DAY_MS = 86_400_000
const INVALID = 'This payment link is no longer valid'

const page = await openPage({ after })
beforeEach(() => {
  page.nowMs = START_MS
  page.gateway.payin = payinOf('ORD-1')
})

const looks = ({ gateway }: TestPage): readonly string[] =>
  gateway.asked.filter((line) => line.includes('ORD-1'))

test('a customer who came in time sees how the payment goes on after the token has ended, and can do nothing', async () => {
  const browser = browserAt(page)
  const { path, html } = await browser.go(linkFor('ORD-1'))
  assert.match(html, /action="[^"]*\/trigger"/)
  page.nowMs = TOKEN_END_MS
  const shown = await browser.go(path)
  assert.equal(shown.heading, 'Transfer from your bank')
  assert.match(shown.html, /Your link has expired/)
  assert.match(shown.html, /data-copy="DE89370400440532013000"/)
  assert.match(shown.html, /href="https:\/\/shop\.example\/thanks"/)
  assert.doesNotMatch(shown.html, /<form|step=/)
  const formToken = /name="formToken" value="([\w-]+)"/.exec(html)?.[1] ?? assert.fail('no form')
  const before = looks(page).length
  for (const action of ['pay', 'reference', 'trigger', 'choose'])
    assert.equal((await browser.go(`${path}/${action}`, { formToken })).heading, 'Transfer from your bank')
  assert.ok(
    looks(page)
      .slice(before)
      .every((line) => line === 'GET /checkout/payins/ORD-1'),
  )
  page.gateway.payin = payinOf('ORD-1', {
    status: 'SUCCESS',
    processedAt: new Date(page.nowMs).toISOString(),
  })
  assert.equal((await browser.go(path)).heading, 'Payment complete')
})

test('what is shown after the end of the token ends a day after the payment, and 14 days after the token', async () => {
  const [early, late] = [browserAt(page), browserAt(page)]
  const { path } = await early.go(linkFor('ORD-1'))
  await late.go(linkFor('ORD-1'))
  assert.equal(late.maxAgeSeconds, (TOKEN_END_MS + 14 * DAY_MS - START_MS) / 1000)
  const endedMs = TOKEN_END_MS + DAY_MS
  page.gateway.payin = payinOf('ORD-1', { status: 'FAILED', processedAt: new Date(endedMs).toISOString() })
  page.nowMs = endedMs
  assert.equal((await early.go(path)).heading, 'Payment not completed')
  // From then on the browser itself knows when to forget it.
  assert.equal(early.maxAgeSeconds, DAY_MS / 1000)
  page.nowMs = endedMs + DAY_MS - 1
  assert.equal((await early.go(path)).heading, 'Payment not completed')
  page.nowMs = endedMs + DAY_MS
  for (const browser of [early, late]) assert.equal((await browser.go(path)).heading, INVALID)
})

test('a payment that stays open is shown for 14 days after the token, and no longer', async () => {
  const browser = browserAt(page)
  const { path } = await browser.go(linkFor('ORD-1'))
  page.nowMs = TOKEN_END_MS + 14 * DAY_MS - 1
  assert.equal((await browser.go(path)).heading, 'Transfer from your bank')
  page.nowMs += 1
  assert.equal((await browser.go(path)).heading, INVALID)
})

test('of a payment that ended while the token lives, the page is there as long as the token', async () => {
  page.gateway.payin = payinOf('ORD-1', {
    status: 'SUCCESS',
    processedAt: new Date(START_MS - 30 * DAY_MS).toISOString(),
  })
  const browser = browserAt(page)
  const { path } = await browser.go(linkFor('ORD-1'))
  page.nowMs = TOKEN_END_MS - 1
  assert.equal((await browser.go(path)).heading, 'Payment complete')
  page.nowMs = TOKEN_END_MS
  assert.equal((await browser.go(path)).heading, INVALID)
})

test('a token that has ended lets nobody in anew, and keeps nobody out who is in', async () => {
  const browser = browserAt(page)
  await browser.go(linkFor('ORD-1'))
  page.nowMs = TOKEN_END_MS
  const before = looks(page).length
  const other = await browserAt(page).go(linkFor('ORD-1'))
  assert.equal(other.status, 403)
  assert.equal(other.heading, INVALID)
  assert.equal(looks(page).length, before, 'nobody is asked with it')
  assert.equal((await browser.go(linkFor('ORD-1'))).heading, 'Transfer from your bank')
})

test('what the gateway denies is not shown, and a payment that was never made is not begun', async () => {
  const browser = browserAt(page)
  const { path } = await browser.go(linkFor('ORD-1'))
  page.nowMs = TOKEN_END_MS
  for (const denied of [401, 403, undefined]) {
    page.gateway.payin = denied
    assert.equal((await browser.go(path)).heading, INVALID, String(denied))
  }
})

test('without a service key a session ends with its token', async (t) => {
  const page = await openPage(t, { isTrusted: false })
  page.gateway.payin = payinOf('ORD-1')
  const browser = browserAt(page)
  const { path } = await browser.go(linkFor('ORD-1'))
  assert.equal(page.gateway.asked.at(-1)?.includes('/checkout/'), false)
  assert.equal(browser.maxAgeSeconds, 3_600)
  page.nowMs = TOKEN_END_MS
  assert.equal((await browser.go(path)).heading, INVALID)
})

test('once there is a payment, what the customer and the shop wrote about the customer is not kept', async () => {
  const browser = browserAt(page)
  const response = await fetch(page.url + linkFor('ORD-1'), { redirect: 'manual' })
  const before = response.headers.getSetCookie().join('').length
  const { path } = await browser.go(linkFor('ORD-1'))
  const cookie = response.headers
    .getSetCookie()
    .map((each) => each.split(';')[0])
    .join('; ')
  const after = await fetch(page.url + path, { headers: { cookie } })
  assert.ok(after.headers.getSetCookie().join('').length < before, 'the name is gone')
})

test('a browser that keeps no cookies is told so, and is not told that its link has ended', async () => {
  const before = looks(page).length
  const html = await (
    await fetch(page.url + linkFor('ORD-1'), { headers: { 'accept-language': 'en' } })
  ).text()
  assert.match(html, /<h1[^>]*>Your browser blocks cookies<\/h1>/)
  assert.doesNotMatch(html, /149|shop\.example|no longer valid/)
  // The token is asked for, and nothing else.
  assert.equal(looks(page).length, before + 1)
  const browser = browserAt(page)
  const { path } = await browser.go(linkFor('ORD-1', tokenFor('ORD-1')))
  assert.match(path, /^\/p\/[\w-]{22}$/)
})

test('a link that ends while the customer arrives is no longer valid, and no fault of cookies', async () => {
  const answer = await fetch(page.url + linkFor('ORD-1', tokenFor('ORD-1')), { redirect: 'manual' })
  const first = answer.headers.get('location') ?? ''
  assert.match(first, /\?first=\d+$/)
  page.nowMs = TOKEN_END_MS
  const after = await (await fetch(page.url + first, { headers: { 'accept-language': 'en' } })).text()
  assert.match(after, /<h1[^>]*>This payment link is no longer valid<\/h1>/)
})

test('twenty seconds after coming back without a result, a customer is told that it is not finished', async () => {
  const method = {
    paymentMethodCode: 'ONLINE_BANKING',
    paymentOperatorCode: 'BANKA_VLTAVA',
    redirectUrl: 'https://bank.example/pay/1',
  }
  page.gateway.payin = payinOf('ORD-1', { method })
  const browser = browserAt(page)
  const { path, heading } = await browser.go(linkFor('ORD-1'))
  assert.equal(heading, 'Continue at Banka Vltava')
  const back = await browser.go(`${path}/back`)
  assert.equal(back.heading, 'Your payment is being confirmed')
  assert.match(back.html, /Back from Banka Vltava/)
  page.nowMs += 20_000
  const returned = await browser.go(path)
  assert.equal(returned.heading, 'Your payment at Banka Vltava is not complete')
  assert.match(returned.html, /href="https:\/\/bank\.example\/pay\/1"/)
  assert.match(returned.html, /href="[^"]*\/leave"/)
  const approved = /href="([^"]*\/back\?approved=1)"/.exec(returned.html)?.[1] ?? assert.fail(returned.html)
  assert.equal((await browser.go(approved)).heading, 'Your payment is being confirmed')
  page.nowMs += 119_000
  assert.equal((await browser.go(path)).heading, 'Your payment is being confirmed')
  page.nowMs += 1_000
  assert.equal((await browser.go(path)).heading, 'Your payment at Banka Vltava is not complete')
  page.gateway.payin = payinOf('ORD-1', { method, processorStatus: 'UNKNOWN' })
  assert.equal((await browser.go(path)).heading, 'Your payment is being confirmed')
})

test('before leaving, a bank that does not answer is not waited for in silence', async () => {
  const method = { paymentMethodCode: 'ONLINE_BANKING', redirectUrl: 'https://bank.example/pay/1' }
  page.gateway.payin = payinOf('ORD-1', { method, processorStatus: 'UNKNOWN' })
  const { heading, html, path } = await browserAt(page).go(linkFor('ORD-1'))
  assert.equal(heading, 'Online banking is not responding right now')
  assert.match(html, new RegExp(`class="button" href="${path}">Try again<`))
  assert.match(html, /href="https:\/\/bank\.example\/pay\/1"/)
  assert.match(html, /href="https:\/\/shop\.example\/thanks"/)
  assert.doesNotMatch(html, /You have not been charged/)
  page.gateway.payin = payinOf('ORD-1', { method, processorStatus: 'ACCEPTED' })
  const unsent = await browserAt(page).go(linkFor('ORD-1'))
  assert.equal(unsent.heading, heading)
  assert.match(unsent.html, /You have not been charged/)
})

test('while the gateway is away, the page asks less and less often, and cleans its address when it is back', async () => {
  const browser = browserAt(page)
  const { path } = await browser.go(linkFor('ORD-1'))
  page.gateway.payin = 500
  const seconds: string[] = []
  let next = path
  for (let count = 0; count < 4; count += 1) {
    const { status, html } = await browser.go(next)
    assert.equal(status, 503)
    const [, each = '', url = ''] = /http-equiv="refresh" content="(\d+); url=([^"]+)"/.exec(html) ?? []
    assert.match(html, new RegExp(`data-proceed-seconds="${each}"`))
    assert.match(html, new RegExp(`id="again" href="${url.replace('?', '\\?')}"`))
    seconds.push(each)
    next = url
  }
  assert.deepEqual(seconds, ['5', '15', '30', '30'])
  page.gateway.payin = payinOf('ORD-1')
  const back = await browser.go(next)
  assert.equal(back.heading, 'Transfer from your bank')
  assert.equal(back.path, path)
})
