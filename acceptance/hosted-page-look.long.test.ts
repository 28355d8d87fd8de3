import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { runSql, testDatabase, waitUntil } from '@tollgate/testkit'
import { type Customer, newCustomer } from './support/customer.ts'
import { databaseDoor } from './support/database-door.ts'
import { expectError, expectSuccess } from './support/expectations.ts'
import { startGateway } from './support/gateway.ts'
import { at, textAt } from './support/json.ts'
import { pngOf } from './support/png.ts'
import { type LinkWish, linkFor } from './support/shop.ts'

// How a shop looks on the hosted page: its logo, and the list of ways to pay and of banks. The last test takes the
// database away.

const RATE_PER_SECOND = 60
const CHANGE_TIMEOUT_MS = 60_000
const NOBODYS_HASH = 'f'.repeat(64)

const database = await testDatabase({ after })
const door = await databaseDoor({ after }, database.url)
const gateway = await startGateway(
  { after },
  {
    checkout: true,
    databaseUrl: door.url,
    settings: { TOLLGATE_ADDRESS_RATE_PER_SECOND: String(RATE_PER_SECOND) },
  },
)
const infoToken = await gateway.demo().token('GET /merchant-info')

const PNG = pngOf(120, 40)
const SVG =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 80 20"><title>Shop</title><path d="M0 0h80v20z"/></svg>'

async function setLogo(content: string | Buffer): Promise<void> {
  const file = join(gateway.dataDir, 'logo')
  writeFileSync(file, content)
  await gateway.cli('merchants', 'set-logo', 'DEMO', file)
}

/** What GET /merchant-info says of the channel, once it says something that fits. */
async function channelWhere(isWanted: (channel: unknown) => boolean): Promise<unknown> {
  let channel: unknown
  const isThere = async (): Promise<boolean> => {
    const info = await gateway.send({ method: 'GET', path: '/merchant-info', token: infoToken })
    channel = at(expectSuccess(info, 200), 'channelInfo')
    return isWanted(channel)
  }
  await waitUntil(isThere, { timeoutMs: CHANGE_TIMEOUT_MS, what: 'the change in merchant-info' })
  return channel
}

const pathOf = (channel: unknown): string => new URL(textAt(channel, 'logoUrl')).pathname
const readLogo = (path: string) => gateway.send({ method: 'GET', path, headers: { 'X-API-Version': null } })

async function arrive(wish: LinkWish = {}): Promise<Customer> {
  const customer = newCustomer(gateway.checkoutUrl)
  await customer.open((await linkFor(gateway, wish)).url)
  return customer
}

test('GET /brand-logos/{hash} → 200 anybody has the picture for ever, and it is nothing but a picture', async () => {
  await setLogo(PNG)
  const channel = await channelWhere((each) => at(each, 'logoUrl') !== undefined)
  assert.deepEqual([at(channel, 'logoWidth'), at(channel, 'logoHeight')], [120, 40])
  const response = await fetch(textAt(channel, 'logoUrl'))
  assert.equal(response.status, 200)
  assert.deepEqual(Buffer.from(await response.arrayBuffer()), PNG)
  const { headers } = await readLogo(pathOf(channel))
  assert.equal(headers.get('content-type'), 'image/png')
  assert.equal(headers.get('x-content-type-options'), 'nosniff')
  assert.equal(headers.get('content-security-policy'), "default-src 'none'; sandbox")
  assert.match(headers.get('cache-control') ?? '', /max-age=31536000, immutable/)
})

test('the page shows the shop’s logo from its own address, with its size; the name stands beside it', async () => {
  const { shown } = await arrive({ operations: ['GET /merchant-info'] })
  const found = /<img class="bar__logo" alt="" src="([^"]+)" width="120" height="40">/.exec(shown.html)
  const src = found?.[1] ?? assert.fail(shown.html)
  assert.match(src, /^\/logo\//)
  assert.match(shown.html, /class="bar__name">Demo Shop</)
  const picture = await fetch(gateway.checkoutUrl + src)
  assert.deepEqual(Buffer.from(await picture.arrayBuffer()), PNG)
  assert.equal(picture.headers.get('content-type'), 'image/png')
  assert.equal(picture.headers.get('content-security-policy'), "default-src 'none'; sandbox")
  assert.equal(picture.headers.get('x-content-type-options'), 'nosniff')
  assert.match(picture.headers.get('cache-control') ?? '', /immutable/)
  const [, hash = '', mark = ''] = /(\w{64})\.(.+)$/.exec(src) ?? []
  for (const file of [
    hash,
    `${hash}.${mark.slice(1)}x`,
    `${NOBODYS_HASH}.${mark}`,
    `${hash}.${mark}.png`,
    'x',
  ])
    assert.equal((await fetch(`${gateway.checkoutUrl}/logo/${file}`)).status, 404, file)
  assert.match((await arrive()).shown.html, /<img class="bar__logo"/)
})

test('a drawing is served as it was drawn anew, and a logo that was taken away is gone', async () => {
  const before = pathOf(await channelWhere(() => true))
  await setLogo(SVG)
  const channel = await channelWhere((each) => at(each, 'logoWidth') === 80)
  const { headers, text } = await readLogo(pathOf(channel))
  assert.equal(headers.get('content-type'), 'image/svg+xml')
  assert.equal(
    text,
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 80 20" width="80" height="20"><path d="M0 0h80v20z"/></svg>',
  )
  expectError(await readLogo(before), 410, 'ENTITY_NOT_FOUND')
  await gateway.cli('merchants', 'set-logo', 'DEMO', '--remove')
  await channelWhere((each) => at(each, 'logoUrl') === undefined)
  expectError(await readLogo(pathOf(channel)), 410, 'ENTITY_NOT_FOUND')
})

test('GET /brand-logos/{hash} → 400 what is no hash', async () => {
  for (const hash of ['x', NOBODYS_HASH.toUpperCase(), `${NOBODYS_HASH}0`])
    expectError(await readLogo(`/brand-logos/${hash}`), 400, 'ATTRIBUTE_VALUE_INVALID')
})

test('GET /brand-logos/{hash} → 410 no merchant has such a logo', async () => {
  expectError(await readLogo(`/brand-logos/${NOBODYS_HASH}`), 410, 'ENTITY_NOT_FOUND')
})

const rowOf = (html: string, name: string): string =>
  [...html.matchAll(/<li class="choice".*?<\/li>/gs)].map(([row]) => row).find((row) => row.includes(name)) ??
  assert.fail(`${name} is not listed:\n${html}`)

test('the most used banks come first, and one that is closed is shown as such, under the others', async () => {
  const { shown } = await arrive({ paymentMethodCode: 'ONLINE_BANKING' })
  const names = [...shown.html.matchAll(/choice__name">([^<]+)/g)].map(([, name]) => name)
  assert.deepEqual(names, [
    'Banka Vltava',
    'Sparkasse Elbstrom',
    'Banque Luminaire',
    'Banco Marisol',
    'Nevermore Bank',
  ])
  assert.match(rowOf(shown.html, 'Nevermore Bank'), / disabled>.*Not available right now/s)
  assert.match(rowOf(shown.html, 'Banco Marisol'), /Slower than usual right now/)
  assert.doesNotMatch(rowOf(shown.html, 'Banka Vltava'), / disabled|choice__note/)
})

test('a method says how soon, and one that is closed just now is listed without a choice', async () => {
  await runSql(
    database.url,
    "update payment_operators set payin_availability = 'CLOSED' where type = 'WALLET'",
  )
  let html = ''
  const isClosed = async (): Promise<boolean> => {
    html = (await arrive()).shown.html
    return rowOf(html, 'Wallet').includes(' disabled>')
  }
  await waitUntil(isClosed, { timeoutMs: CHANGE_TIMEOUT_MS, what: 'wallets to be closed' })
  assert.match(rowOf(html, 'Wallet'), /Not available right now/)
  assert.match(rowOf(html, 'Online banking'), /choice__speed--now">Instant</)
  assert.match(rowOf(html, 'Online banking'), /<svg class="choice__logo icon"[^>]*aria-hidden="true">/)
})

test('GET /brand-logos/{hash} → 429 more requests from one address than the limit', async () => {
  const path = `/brand-logos/${NOBODYS_HASH}`
  const all = await Promise.all(Array.from({ length: 2 * RATE_PER_SECOND }, () => readLogo(path)))
  const limited = all.find(({ status }) => status === 429) ?? assert.fail('none was limited')
  expectError(limited, 429, 'RATE_LIMIT_EXCEEDED')
})

test('GET /brand-logos/{hash} → 500 the database is away', async () => {
  await door.shut()
  const isOver = async (): Promise<boolean> => {
    const response = await readLogo(`/brand-logos/${'e'.repeat(64)}`)
    if (response.status === 429) return false
    expectError(response, 500, 'SYSTEM')
    return true
  }
  await waitUntil(isOver, { timeoutMs: CHANGE_TIMEOUT_MS, what: 'an answer without a database' })
  await door.open()
})
