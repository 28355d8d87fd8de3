import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { callbackReceiver } from '@tollgate/testkit'
import { type PageOptions, testBrowser, type WatchedPage } from '@tollgate/testkit/browser'
import { type ConsolePage, enter, expectFine, invite, signIn } from './support/console.ts'
import { startGateway } from './support/gateway.ts'
import { addMerchant } from './support/merchant.ts'
import { createPayin, newId, payinWithStatus } from './support/payins.ts'

// A merchant's people in the console: invited by an administrator of the house, then by their own.

const gateway = await startGateway({ after }, { console: true })
const { consoleUrl } = gateway
const browser = await testBrowser({ after })
const at = { browser, consoleUrl }
const receiver = await callbackReceiver({ after })

const token = await gateway.demo().token('POST /payins/.*', 'GET /payins/.*')
const other = await addMerchant(gateway, 'OTHER')
await gateway.cli('merchants', 'enable-method', 'OTHER', 'all')
const otherToken = await other.token('POST /payins/.*', 'GET /payins/.*')
const [OWN, THEIRS] = [newId(), newId()]
const callbackUrl = `${receiver.url}/callbacks`
await createPayin(gateway, token, { id: OWN, email: 'success@sandbox.test', callbackUrl })
await payinWithStatus(gateway, token, { id: OWN, status: 'SUCCESS' })
await createPayin(gateway, otherToken, { id: THEIRS, email: 'success@sandbox.test' })
await receiver.waitForCount(1, 20_000)

/** Alan of the sandbox, an administrator of the house. */
const house = (options: PageOptions = {}): Promise<WatchedPage> =>
  signIn(at, gateway.operatorKey('alan'), options)

/** What a browser says of an answer that refuses is no fault of the page. */
const faults = (...watched: readonly WatchedPage[]): readonly string[] =>
  watched
    .flatMap(({ complaints }) => complaints)
    .filter((text) => !text.includes('the server responded with'))

test('K78 a merchant’s administrator is invited, sees its payment, sends a callback again and invites a colleague, who sees nothing of another merchant', async () => {
  const alan = await house()
  await alan.page.goto(`${consoleUrl}/merchants/DEMO`)
  await alan.page.getByRole('link', { name: 'People' }).click()
  const link = await invite(alan.page, { person: 'lea', name: 'Lea Novak', role: 'ADMIN' })

  const lea = await enter(at, link)
  const { page } = lea
  await page.getByText('Admin of DEMO').waitFor()
  const nav = await page.locator('nav.side li').allTextContents()
  assert.deepEqual(
    nav.map((text) => text.trim()),
    ['Home', 'Payments', 'Callbacks', 'Customers', 'Settlements', 'Balances', 'Merchant', 'People'],
  )
  await page.getByRole('link', { name: OWN }).click()
  await page.getByRole('heading', { name: /payin/ }).waitFor()
  await page.getByRole('heading', { name: 'Timeline' }).waitFor()
  assert.doesNotMatch((await page.locator('main').textContent()) ?? '', /Rail|Ledger|evidence|sandbox$/)

  await page.getByRole('link', { name: 'Callbacks' }).first().click()
  const sent = receiver.requests.length
  await page.getByRole('button', { name: `Send again the callback of ${OWN}` }).click()
  await page.getByRole('status').filter({ hasText: 'Sent again' }).waitFor()
  await receiver.waitForCount(sent + 1, 20_000)

  await page.getByRole('link', { name: 'People' }).click()
  const second = await invite(page, { person: 'sam', name: 'Sam Ortiz', role: 'STAFF' })
  const sam = await enter(at, second)
  await sam.page.getByText('Staff of DEMO').waitFor()
  assert.equal(await sam.page.getByText(THEIRS).count(), 0)
  const refused: readonly (readonly [path: string, says: RegExp])[] = [
    [`/payments/PAYIN/OTHER/${THEIRS}`, /There is no merchant OTHER/],
    ['/merchants/OTHER', /There is no merchant OTHER/],
    ['/merchants/OTHER/people', /There is no merchant OTHER/],
    ['/settlements/OTHER', /There is no merchant OTHER/],
    ['/merchants/OTHER/customers', /There is no merchant OTHER/],
    [`/search?q=${THEIRS}`, /Nothing found/],
    [`/payments?idPayment=${THEIRS}`, /No payments/],
    ...[
      '/merchants',
      '/operators',
      '/audit',
      '/payouts',
      '/suspense',
      '/health',
      '/catalogue',
      '/settlements',
    ].map((path) => [path, /do not permit this/] as const),
  ]
  for (const [path, says] of refused) {
    await sam.page.goto(consoleUrl + path)
    const text = (await sam.page.locator('main').textContent()) ?? ''
    assert.match(text, says, path)
    assert.ok(!text.includes('Shop OTHER'), path)
  }
  // Staff is offered nothing to change.
  for (const path of ['/merchants/DEMO', '/merchants/DEMO/people', '/merchants/DEMO?show=brand']) {
    await sam.page.goto(consoleUrl + path)
    assert.equal(await sam.page.locator('main form').count(), 0, path)
  }
  // And is out when the administrator presses once.
  await page.goto(`${consoleUrl}/merchants/DEMO/people`)
  await page.locator('summary', { hasText: 'Change Sam Ortiz' }).click()
  await page.getByRole('button', { name: 'Disable Sam Ortiz' }).click()
  await page.getByRole('status').filter({ hasText: 'they are signed out' }).waitFor()
  await sam.page.goto(`${consoleUrl}/payments`)
  await sam.page.getByRole('button', { name: 'Continue with a passkey' }).waitFor()
  assert.deepEqual(faults(alan, lea, sam), [])
})

test('no screen of a merchant’s person has anything that axe finds, nor is wider than the window', async () => {
  const alan = await house()
  await alan.page.goto(`${consoleUrl}/merchants/DEMO/people`)
  const link = await invite(alan.page, { person: 'mia', name: 'Mia Berg', role: 'ADMIN' })
  const { page, complaints } = await enter(at, link)
  const paths = [
    '/',
    '/payments',
    `/payments/PAYIN/DEMO/${OWN}`,
    '/callbacks',
    '/balances',
    '/settlements/DEMO',
    '/merchants/DEMO/customers',
    '/merchants/DEMO',
    '/merchants/DEMO?show=terms',
    '/account',
    '/merchants/DEMO?show=brand',
    '/merchants/DEMO?show=callbacks',
    '/merchants/DEMO?show=tokens',
    '/merchants/DEMO/people',
    `/search?q=${OWN}`,
  ]
  for (const path of paths) {
    const answer = await page.goto(consoleUrl + path)
    assert.equal(answer?.status(), 200, path)
    await expectFine(page, path, (how) => keepPicture(page, `members-${path.replace(OWN, 'OWN')}-${how}`))
  }
  await page.goto(`${consoleUrl}/merchants/DEMO/people`)
  await page.locator('summary', { hasText: 'Invite a person' }).click()
  await page.locator('summary', { hasText: 'Change Lea Novak' }).click()
  await expectFine(page, 'the forms of people', (how) => keepPicture(page, `members-people-open-${how}`))
  assert.deepEqual(complaints, [])
})

/** For people who want to look: TOLLGATE_TEST_PICTURES names a folder. */
async function keepPicture(page: ConsolePage, name: string): Promise<void> {
  const folder = process.env['TOLLGATE_TEST_PICTURES']
  if (folder !== undefined)
    await page.screenshot({ path: `${folder}/${name.replace(/\W+/g, '-')}.png`, fullPage: true })
}
