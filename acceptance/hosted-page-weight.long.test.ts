import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { runSql, waitUntil } from '@tollgate/testkit'
import { testBrowser, type WatchedPage } from '@tollgate/testkit/browser'
import { newCustomer } from './support/customer.ts'
import { startGateway } from './support/gateway.ts'
import { createPayin, payinWithStatus, type Wanted } from './support/payins.ts'
import { type Link, type LinkWish, linkFor } from './support/shop.ts'

// What a customer's phone loads at the first look, counted on the wire: headers and all, nothing in any cache. What is
// printed is shown by `npm test -- --print acceptance/hosted-page-weight.long.test.ts`.

const KB = 1024
/** Of HTML, stylesheet and script. A logo is the shop’s own. */
const TOTAL_BYTES_MAX = 30 * KB
const HTML_BYTES_MAX = 14 * KB
const STYLE_BYTES_MAX = 8 * KB
const SCRIPT_BYTES_MAX = 10 * KB
const REQUESTS_MAX = 4
/** What is smaller, with its headers, is as fast without. */
const PACKED_FROM_BYTES = 2 * KB
const BANKS = 100
/** The browser says so of every page with this status. */
const OF_A_BROKEN_LINK = 'Failed to load resource: the server responded with a status of 400 (Bad Request)'
const NEWS_TIMEOUT_MS = 60_000
const LANGUAGES = ['en', 'de', 'fr', 'es', 'pt-BR', 'cs', 'pl', 'hi', 'ar', 'ja']

const gateway = await startGateway({ after }, { checkout: true })
const browser = await testBrowser({ after })

// A shop with everything that its link permits to show, and far more banks than the sandbox has.
const logo = join(gateway.dataDir, 'logo.svg')
writeFileSync(
  logo,
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><circle cx="4" cy="4" r="4"/></svg>',
)
await gateway.cli('merchants', 'set-logo', 'DEMO', logo)
await runSql(
  gateway.databaseUrl ?? assert.fail('a database of the test’s own'),
  `update merchants set primary_color = '#1d4ed8', support_url = 'https://shop.localhost/help' where merchant_code = 'DEMO';
   insert into payment_operators (operator_code, name, type, country_code, currency_codes)
   select 'BANK_' || n, initcap(translate(left(md5(n::text), 12), '0123456789', 'ghijklmnop')) || ' Bank', 'BANK', 'DE', '{EUR}'
   from generate_series(1, ${BANKS}) n;
   insert into payment_method_operators select 'ONLINE_BANKING', 'BANK_' || n from generate_series(1, ${BANKS}) n`,
)

interface Load {
  readonly url: string
  readonly kind: string
  bytes: number
  /** Compressed, or without a body. */
  isPacked: boolean
}

/** Everything that goes over the wire until the screen is there and quiet. */
async function loadsOf({ page }: WatchedPage, url: string): Promise<readonly Load[]> {
  const wire = await page.context().newCDPSession(page)
  const open = new Map<string, Load>()
  const loads: Load[] = []
  wire.on('Network.requestWillBeSent', ({ requestId, request, type = 'Other', redirectResponse }) => {
    const before = open.get(requestId)
    if (before !== undefined && redirectResponse !== undefined)
      Object.assign(before, { kind: 'Redirect', bytes: redirectResponse.encodedDataLength, isPacked: true })
    const load = { url: request.url, kind: type, bytes: 0, isPacked: false }
    open.set(requestId, load)
    loads.push(load)
  })
  wire.on('Network.responseReceived', ({ requestId, response: { headers } }) => {
    const load = open.get(requestId)
    const encoding = Object.entries(headers).find(([name]) => name.toLowerCase() === 'content-encoding')?.[1]
    if (load !== undefined) load.isPacked = encoding === 'br' || encoding === 'gzip'
  })
  wire.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    const load = open.get(requestId)
    if (load !== undefined) load.bytes = encodedDataLength
  })
  await wire.send('Network.enable')
  await page.goto(url, { waitUntil: 'load' })
  await page.getByRole('heading', { level: 1 }).waitFor()
  const isQuiet = (): boolean => loads.every(({ kind, bytes }) => kind === 'EventSource' || bytes > 0)
  await waitUntil(isQuiet, { timeoutMs: NEWS_TIMEOUT_MS, what: `${url} to be loaded` })
  return loads
}

const bytesOf = (loads: readonly Load[], kind: string): number =>
  loads.filter((load) => load.kind === kind).reduce((sum, { bytes }) => sum + bytes, 0)

/** Weighs a screen, prints it, and says what is over the budget. */
async function weigh(name: string, url: string, width: number): Promise<readonly string[]> {
  const watched = await browser.open({ width })
  const loads = await loadsOf(watched, url)
  await watched.page.context().close()
  // A stream of events is open for as long as the screen is: it has no weight.
  const counted = loads.filter(({ kind }) => kind !== 'EventSource')
  const total = counted.filter(({ kind }) => kind !== 'Image').reduce((sum, { bytes }) => sum + bytes, 0)
  const asked = counted.filter(({ kind }) => kind !== 'Redirect')
  const weights = [
    ['HTML', bytesOf(counted, 'Document'), HTML_BYTES_MAX],
    ['CSS', bytesOf(counted, 'Stylesheet'), STYLE_BYTES_MAX],
    ['script', bytesOf(counted, 'Script'), SCRIPT_BYTES_MAX],
    ['all', total, TOTAL_BYTES_MAX],
  ] as const
  const figures = weights.map(([what, bytes]) => `${what} ${(bytes / KB).toFixed(1)} KB`)
  process.stdout.write(`${name.padEnd(13)} ${width} px: ${figures.join(', ')}, ${asked.length} requests\n`)
  const origin = new URL(gateway.checkoutUrl).origin
  const faults = [
    ...weights.filter(([, bytes, max]) => bytes > max).map(([what, bytes]) => `${bytes} bytes of ${what}`),
    ...weights.filter(([, bytes]) => bytes === 0).map(([what]) => `no ${what} at all`),
    ...counted
      .filter(({ bytes, isPacked }) => bytes > PACKED_FROM_BYTES && !isPacked)
      .map(({ url: each }) => `${each} is not packed`),
    ...loads
      .filter((load) => new URL(load.url).origin !== origin)
      .map(({ url: each }) => `${each} is not ours`),
    ...(asked.length > REQUESTS_MAX ? [`${asked.length} requests`] : []),
    ...watched.complaints.filter((complaint) => complaint !== OF_A_BROKEN_LINK),
  ]
  return faults.map((fault) => `${name}: ${fault}`)
}

const linkTo = (wish: LinkWish = {}): Promise<Link> =>
  linkFor(gateway, { operations: ['GET /merchant-info'], ...wish })

/** A link to a payment that is there already, as on a second device. */
async function linkToPayment(wanted: Wanted = {}): Promise<Link> {
  const link = await linkTo()
  await createPayin(gateway, link.token, { id: link.id, ...wanted })
  return link
}

async function statusLink(): Promise<string> {
  const { id } = await linkToPayment()
  const token = await gateway.demo().tokenFor({ action: 'PAYIN_INFO', idPayment: id })
  const query = new URLSearchParams({ idPayin: id, token, currencyCode: 'EUR' })
  return `${gateway.checkoutUrl}/status?${query.toString()}`
}

async function paidLink(): Promise<string> {
  const link = await linkToPayment({ email: 'success@sandbox.test' })
  await payinWithStatus(gateway, link.token, { id: link.id, status: 'SUCCESS' })
  return link.url
}

/** Every kind of screen that a link can lead to. */
const SCREENS: readonly (readonly [name: string, url: string])[] = [
  ['methods', (await linkTo()).url],
  ['banks', (await linkTo({ paymentMethodCode: 'ONLINE_BANKING' })).url],
  ['details', (await linkTo({ paymentMethodCode: 'BANK_TRANSFER' })).url],
  ['instructions', (await linkToPayment()).url],
  ['to the bank', (await linkToPayment({ method: 'ONLINE_BANKING', operator: 'BANKA_VLTAVA' })).url],
  ['status', await statusLink()],
  ['paid', await paidLink()],
  ['broken link', `${gateway.checkoutUrl}/?amount=x`],
]

test(`the list of ${BANKS} banks is all there`, async () => {
  const customer = newCustomer(gateway.checkoutUrl)
  const [, url = ''] = SCREENS.find(([name]) => name === 'banks') ?? []
  // The gateway hears of new banks by itself, and the page remembers an offer for some seconds.
  const areThere = async (): Promise<boolean> =>
    ((await customer.open(url)).html.match(/value="BANK_\d+"/g)?.length ?? 0) === BANKS
  await waitUntil(areThere, { timeoutMs: NEWS_TIMEOUT_MS, what: 'the banks' })
})

test('the first look at any screen weighs at most 30 KB in at most four requests, packed and from our own host', async () => {
  const problems: string[] = []
  for (const [name, url] of SCREENS)
    for (const width of [360, 1280]) problems.push(...(await weigh(name, url, width)))
  assert.deepEqual(problems, [])
})

test('in every language a screen is at most 14 KB of HTML', async () => {
  for (const [name, url] of SCREENS) {
    const sizes = await Promise.all(
      LANGUAGES.map(async (language) => {
        const { headers, html } = await newCustomer(gateway.checkoutUrl, language).open(url)
        assert.match(html, new RegExp(`<html lang="${language}"`))
        return Number(headers.get('content-length'))
      }),
    )
    process.stdout.write(`${name.padEnd(13)} ${Math.min(...sizes)} to ${Math.max(...sizes)} bytes of HTML\n`)
    for (const size of sizes) assert.ok(size > 0 && size <= HTML_BYTES_MAX, `${name}: ${size} bytes`)
  }
})
