import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, test } from 'node:test'
import { waitUntil } from '@tollgate/testkit'
import { newCustomer } from '../support/customer.ts'
import { startGateway } from '../support/gateway.ts'
import { listAt, textAt } from '../support/json.ts'
import { addMerchant } from '../support/merchant.ts'
import { newId, payinBody } from '../support/payins.ts'
import { linkFor, payinOperations } from '../support/shop.ts'

const gateway = await startGateway({ after }, { checkout: true })
const LANGUAGES = ['ar', 'cs', 'de', 'en', 'es', 'fr', 'hi', 'ja', 'pl', 'pt-BR']

async function statusOf(id: string): Promise<number> {
  const token = await gateway.demo().token(`GET /payins/${id}`)
  return (await gateway.send({ method: 'GET', path: `/payins/${id}`, token })).status
}

test('H3: the token is gone from the address before the first page is shown, and in no page or log', async () => {
  const { url, token } = await linkFor(gateway)
  const customer = newCustomer(gateway.checkoutUrl)
  const { path, way, html, headers } = await customer.open(url)
  assert.match(path, /^\/p\/[\w-]{22}$/)
  assert.equal(way.length, 3)
  assert.ok(!html.includes(token))
  assert.equal(headers.get('referrer-policy'), 'no-referrer')
  assert.equal(headers.get('cache-control'), 'no-store')
  for (const cookie of customer.cookies()) assert.ok(!cookie.includes(token.slice(0, 40)))
})

test('H3: of a link that is no good the address is cleaned, too, and what is wrong is said to developers', async () => {
  const { url, token } = await linkFor(gateway)
  const broken = new URL(url)
  broken.searchParams.delete('callbackUrl')
  broken.searchParams.set('amount', '1,50')
  const customer = newCustomer(gateway.checkoutUrl)
  const { status, path, html } = await customer.open(broken.href)
  assert.equal(status, 400)
  assert.match(path, /^\/p\/[\w-]{22}\?problems=[\w-]+$/)
  assert.equal(customer.heading(), 'This payment link is incomplete')
  assert.match(html, /<code>callbackUrl<\/code><\/th><td>\(nothing\)<\/td><td>MISSING/)
  assert.match(html, /<code>1,50<\/code>/)
  assert.ok(!html.includes(token))
})

test('H10: tokens that are none, over, another merchant’s or another payment’s open nothing', async () => {
  const id = newId()
  const over = await gateway.demo().tokenFor({ action: 'PAYIN_CREATE', idPayment: id, validitySecs: 1 })
  const other = await gateway.demo().tokenFor({ action: 'PAYIN_CREATE', idPayment: newId() })
  const good = await gateway.demo().tokenFor({ action: 'PAYIN_CREATE', idPayment: id })
  const [head = '', body = ''] = good.split('.')
  await new Promise((resolve) => setTimeout(resolve, 1100))
  const forged = `${head}.${body}.${'A'.repeat(86)}`
  const foreign = (await linkFor(gateway, { idPayin: id, token: good })).url.replace('=DEMO&', '=OTHER&')
  const urls = [foreign]
  for (const token of [over, other, forged]) urls.push((await linkFor(gateway, { idPayin: id, token })).url)
  for (const url of urls) {
    const customer = newCustomer(gateway.checkoutUrl)
    const { status, html } = await customer.open(url)
    assert.equal(status, 403, url)
    assert.equal(customer.heading(), 'This payment link is no longer valid')
    assert.doesNotMatch(html, /149|shop\.localhost/)
    assert.match(html, /<section class="developer".*(?:token explain|The token must permit)/)
  }
})

test('H20: only a token that the gateway has accepted sets a cookie', async () => {
  const { url, token, id } = await linkFor(gateway)
  const [head = '', body = ''] = token.split('.')
  const forged = `${head}.${body}.${'A'.repeat(86)}`
  const status = (given: string): string =>
    `${gateway.checkoutUrl}/status?idPayin=${id}&token=${given}&currencyCode=EUR`
  const links = [url.replace(token, forged), status(forged), url.replace('amount=149.90', 'amount=1,50')]
  for (const link of [...links, `${gateway.checkoutUrl}/?token=${token}`, `${gateway.checkoutUrl}/status`]) {
    const customer = newCustomer(gateway.checkoutUrl)
    const shown = await customer.open(link)
    assert.ok(shown.status === 400 || shown.status === 403, link)
    assert.ok(!shown.path.includes('token='), shown.path)
    assert.deepEqual(customer.cookies(), [], link)
  }
  for (const link of [url, status(token)]) {
    const customer = newCustomer(gateway.checkoutUrl)
    await customer.open(link)
    assert.ok(customer.cookies().length > 0, link)
  }
})

test('H21: a token of 12.8 kB is answered with a screen that says so', async () => {
  const id = newId()
  const money = { amount: '149.90', currencyCode: 'EUR' }
  const many = Array.from({ length: 47 }, (_, index) => `GET /payouts/${String(index).padStart(190, 'x')}`)
  const token = await gateway.demo().tokenFor({ operations: [...payinOperations(id), ...many], money })
  assert.ok(token.length > 11_000 && token.length < 14_000, String(token.length))
  const returnUrl = `http://shop.localhost/${'x'.repeat(2000)}`
  const customer = newCustomer(gateway.checkoutUrl)
  const { status, html } = await customer.open(
    (await linkFor(gateway, { idPayin: id, token, returnUrl })).url,
  )
  assert.equal(status, 400)
  assert.equal(customer.heading(), 'This payment link is incomplete')
  assert.match(html, /<code>token<\/code><\/th><td><code>\d+ characters<\/code><\/td><td>TOO_LONG/)
})

test('H22: where the money is required, the page names the missing claim to developers, in every language', async () => {
  const merchant = await addMerchant(gateway, 'STRICT')
  const { url, id } = await linkFor(gateway, {
    merchant,
    token: await merchant.token(...payinOperations('ORD-22')),
    idPayin: 'ORD-22',
  })
  await gateway.cli('merchants', 'require-money', 'STRICT', 'on')
  const first = newCustomer(gateway.checkoutUrl)
  const isRefused = async (): Promise<boolean> => (await first.open(url)).status === 403
  await waitUntil(isRefused, { timeoutMs: 60_000, what: 'the switch to count' })
  const headings = new Set<string>()
  for (const language of LANGUAGES) {
    const customer = newCustomer(gateway.checkoutUrl, language)
    const { status, html } = await customer.open(url)
    assert.equal(status, 403, language)
    headings.add(customer.heading())
    assert.match(html, /The token lacks the claim &quot;money&quot;/)
    assert.match(
      html,
      /&quot;money&quot;: \{&quot;amount&quot;:&quot;149.9&quot;,&quot;currencyCode&quot;:&quot;EUR&quot;\}/,
    )
    assert.match(html, /\/errors\/MONEY_NOT_PERMITTED of the API/)
    assert.match(html, /merchants require-money STRICT off/)
  }
  assert.equal(headings.size, LANGUAGES.length)
  const read = await merchant.token(`GET /payins/${id}`)
  assert.equal((await gateway.send({ method: 'GET', path: `/payins/${id}`, token: read })).status, 410)
})

test('H3: without its cookies, or with those of another payment, an address shows nothing', async () => {
  const [one, two] = [newCustomer(gateway.checkoutUrl), newCustomer(gateway.checkoutUrl)]
  await one.open((await linkFor(gateway)).url)
  await two.open((await linkFor(gateway)).url)
  const shown = await newCustomer(gateway.checkoutUrl).open(one.shown.path)
  assert.equal(shown.status, 403)
  const mixed = await fetch(gateway.checkoutUrl + one.shown.path, {
    headers: { cookie: two.cookies().join('; ') },
  })
  assert.equal(mixed.status, 403)
})

test('H9: a form that is not from our page does nothing', async () => {
  const { url, id } = await linkFor(gateway, { paymentMethodCode: 'BANK_TRANSFER' })
  const customer = newCustomer(gateway.checkoutUrl)
  const { path, html } = await customer.open(url)
  const formToken = /name="formToken" value="([\w-]+)"/.exec(html)?.[1] ?? assert.fail('no form token')
  const fields = { methodCode: 'BANK_TRANSFER', formToken }
  for (const headers of [{ 'sec-fetch-site': 'cross-site' }, { 'sec-fetch-site': 'same-site' }])
    assert.equal((await customer.post(`${path}/pay`, fields, headers)).status, 403)
  for (const wrong of ['', 'x'.repeat(22)])
    assert.equal((await customer.post(`${path}/pay`, { ...fields, formToken: wrong })).status, 403)
  assert.equal(await statusOf(id), 410)
  assert.equal((await customer.post(`${path}/pay`, fields)).status, 200)
  assert.equal(await statusOf(id), 200)
})

test('H6: whatever stands in the address stays a text', async () => {
  const payloads = [
    '"><script>alert(1)</script>',
    "'><img src=x onerror=alert(1)>",
    '</title><svg onload=alert(1)>',
    '{{7*7}}',
    '`-alert(1)-`',
    '"onfocus="alert(1)" autofocus="',
    '--><script>alert(1)</script>',
    ']]><script>alert(1)</script>',
    '</textarea><script>alert(1)</script>',
    '</style><script>alert(1)</script>',
    '<a href=x onclick=alert(1)>x</a>',
    '<iframe srcdoc="<script>alert(1)</script>">',
    '<math><mtext></form><form><mglyph><style></math><img src onerror=alert(1)>',
    '&lt;script&gt;alert(1)&lt;/script&gt;',
    '\\u003cscript\\u003ealert(1)',
    '＜script＞alert(1)＜/script＞',
    '<sVg/OnLoAd=alert`1`>',
    '#{7*7}<%= 7*7 %>',
  ]
  for (const payload of payloads) {
    const { url } = await linkFor(gateway, {
      paymentMethodCode: 'BANK_TRANSFER',
      allowCustomerDataChange: true,
      customerData: { accountName: payload, accountNumber: payload, emailAddress: payload },
      returnUrl: `http://shop.localhost/?q=${encodeURIComponent(payload)}`,
    })
    const customer = newCustomer(gateway.checkoutUrl)
    const { html } = await customer.open(url)
    assert.equal(customer.heading(), 'Your details')
    assertPlain(html)
    const broken = new URL(url)
    for (const name of ['amount', 'currencyCode', 'paymentMethodCode', 'optionsAvailable'])
      broken.searchParams.set(name, payload)
    assertPlain((await newCustomer(gateway.checkoutUrl).open(broken.href)).html)
  }
})

/** A sign or an icon of ours: shapes alone. */
const OUR_ICON =
  /<svg class="[a-z_ -]*\bicon" viewBox="0 0 \d+ \d+" aria-hidden="true">(?:<(?:path|circle) [\w\s=".,-]*\/>)+<\/svg>/g

/** Only our own script and icons, nothing that runs, and no attribute that came from outside. */
function assertPlain(html: string): void {
  assert.equal(html.match(/<script/g)?.length, 1)
  const withoutValues = html.replace(OUR_ICON, '').replace(/="[^"]*"/g, '=""')
  assert.doesNotMatch(withoutValues, /<img|<svg|<[^>]* on\w+=|<[^>]*=[^"]/)
  assert.doesNotMatch(html, /javascript:/)
}

test('H7: no address of a shop is one that does something else', async () => {
  for (const returnUrl of [
    'javascript:alert(1)',
    ' java\nscript:alert(1)',
    'JaVaScRiPt:alert(1)',
    'data:text/html,x',
    'vbscript:x',
    '//shop.localhost/',
    '/relative',
    'http:shop.localhost',
    'http:/shop.localhost',
    'http:\\\\shop.localhost',
    'http://shop.localhost@evil.localhost/',
    'http://shop.localhost\\@evil.localhost',
    'http://shop.localhost/#a b',
    'http://shop.localhost/\r\nSet-Cookie: a=b',
    'http://shop.localhost/\u202e',
    'file:///etc/passwd',
    'http://',
  ]) {
    const { url } = await linkFor(gateway, { returnUrl })
    const customer = newCustomer(gateway.checkoutUrl)
    assert.equal((await customer.open(url)).status, 400, returnUrl)
    assert.doesNotMatch(customer.shown.html, /href="(?: ?javascript|data:text|http:\/\/shop)/)
  }
})

test('H8: every answer of the page has the headers that keep others out', async () => {
  const customer = newCustomer(gateway.checkoutUrl)
  const { url } = await linkFor(gateway)
  const { html } = await customer.open(url)
  const paths = [
    customer.shown.path,
    '/nowhere',
    '/status',
    ...[...html.matchAll(/(?:href|src)="(\/assets\/[^"]+)"/g)].map(([, path = '']) => path),
  ]
  assert.equal(paths.length, 5)
  for (const path of paths) {
    const { headers } = await fetch(gateway.checkoutUrl + path, { redirect: 'manual' })
    const policy = headers.get('content-security-policy') ?? ''
    assert.doesNotMatch(policy, /unsafe|\*|https?:/, path)
    for (const part of [
      "default-src 'none'",
      "frame-ancestors 'none'",
      "form-action 'self'",
      "trusted-types 'none'",
    ])
      assert.ok(policy.includes(part), `${path}: ${part}`)
    assert.equal(headers.get('x-frame-options'), 'DENY')
    assert.equal(headers.get('referrer-policy'), 'no-referrer')
    assert.equal(headers.get('x-content-type-options'), 'nosniff')
  }
})

test('H13: everything that the page loads is its own, and named with its hash', async () => {
  const customer = newCustomer(gateway.checkoutUrl)
  const { html } = await customer.open((await linkFor(gateway)).url)
  const loads = [
    ...html.matchAll(
      /<(?:link rel="stylesheet" href|script type="module" src)="([^"]+)" integrity="sha384-([^"]+)"/g,
    ),
  ]
  assert.equal(loads.length, 2)
  assert.equal(html.match(/<(?:script|style|iframe|object|embed)\b|<link rel="stylesheet"/g)?.length, 2)
  const inventory: unknown = JSON.parse(
    readFileSync(new URL('../../docs/script-inventory.json', import.meta.url), 'utf8'),
  )
  for (const [, path = '', hash = ''] of loads) {
    const response = await fetch(gateway.checkoutUrl + path)
    const digest = await crypto.subtle.digest('SHA-384', await response.arrayBuffer())
    assert.equal(Buffer.from(digest).toString('base64'), hash)
    const row = listAt(inventory, 'files').find((each) => textAt(each, 'path') === path)
    assert.equal(textAt(row, 'integrity'), `sha384-${hash}`, `${path} in docs/script-inventory.json`)
    assert.match(response.headers.get('cache-control') ?? '', /immutable/)
  }
})

test('H2: the routes for the page are there for nobody else', async () => {
  const id = newId()
  const token = await gateway.demo().token(...payinOperations(id))
  const body = { ...payinBody(), pageUrl: 'http://evil.localhost/' }
  for (const path of ['', '/!setExternalReference', '/!trigger', '/!judgeAddresses', '/!listChoices']) {
    const request = { method: 'POST', path: `/checkout/payins/${id}${path}`, token, body }
    for (const headers of [
      {},
      { 'Tollgate-Checkout-Key': '' },
      { 'Tollgate-Checkout-Key': 'x'.repeat(64) },
    ]) {
      const wire = await fetch(gateway.url + request.path, {
        method: 'POST',
        headers: {
          'X-API-Version': '2',
          'Content-Type': 'application/json',
          Authorization: `Bearer ${token}`,
          ...headers,
        },
        body: JSON.stringify(body),
      })
      assert.equal(wire.status, 404, path)
      assert.match(await wire.text(), /"ROUTE_NOT_FOUND"/)
    }
  }
  assert.equal(await statusOf(id), 410)
})

test('H10: a token that may only read makes nothing through the page', async () => {
  const id = newId()
  const token = await gateway.demo().tokenFor({ action: 'PAYIN_INFO', idPayment: id })
  const customer = newCustomer(gateway.checkoutUrl)
  await customer.open((await linkFor(gateway, { idPayin: id, token })).url)
  assert.equal(customer.heading(), 'This payment link is incomplete')
  assert.equal(await statusOf(id), 410)
})
