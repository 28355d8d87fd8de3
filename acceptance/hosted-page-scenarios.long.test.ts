import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { verifyCallback } from '@tollgate/sdk'
import { callbackReceiver, type ReceivedRequest } from '@tollgate/testkit'
import { testBrowser } from '@tollgate/testkit/browser'
import { startGateway } from './support/gateway.ts'
import { listAt, textAt } from './support/json.ts'
import { newId, payinWithStatus } from './support/payins.ts'
import { fits, follow, openShop, press, type Screen, shows } from './support/screen.ts'
import { type LinkWish, linkFor } from './support/shop.ts'

// The hosted page as a customer uses it: the five scenarios of specification 4.9, each with and without scripts on a
// small phone, a phone and a desk; and all of it once, from the link to the callback that the merchant believes.

const gateway = await startGateway({ after }, { checkout: true, simulator: true })
const browser = await testBrowser({ after })
const shopUrl = await openShop({ after })
const IBAN = 'DE89370400440532013000'
/** Without scripts a screen asks again every 20 seconds. */
const RESULT_TIMEOUT_MS = 60_000
const CALLBACK_TIMEOUT_MS = 60_000

interface Way {
  readonly javaScript: boolean
  readonly width: number
}

const WAYS: readonly Way[] = [true, false].flatMap((javaScript) =>
  [320, 360, 1280].map((width) => ({ javaScript, width })),
)

/**
 * Walks through a scenario in every way at once, from a clean address. Nobody hears from where the customer comes, and
 * the browser has nothing to complain about.
 */
async function inEveryWay(wish: LinkWish, walk: (screen: Screen, way: Way) => Promise<void>): Promise<void> {
  await Promise.all(
    WAYS.map(async (way) => {
      const { page, complaints } = await browser.open(way)
      const referers: string[] = []
      page.on('request', (request) => referers.push(request.headers()['referer'] ?? ''))
      const { url } = await linkFor(gateway, { returnUrl: `${shopUrl}/thanks?order=1`, ...wish })
      await page.goto(url)
      assert.match(page.url(), /\/p\/[\w-]{22}$/)
      await walk(page, way)
      assert.deepEqual(complaints, [], JSON.stringify(way))
      assert.deepEqual(new Set(referers), new Set(['']))
      await page.context().close()
    }),
  )
}

const CONFIRM = /^Pay €149\.90 to Demo Shop with Bank transfer$/

async function reaches(screen: Screen, heading: RegExp): Promise<void> {
  await shows(screen, heading)
  await fits(screen)
}

async function choose(screen: Screen, label: string): Promise<void> {
  await press(screen, new RegExp(`^${label}`))
}

async function returnsToShop(screen: Screen): Promise<void> {
  await follow(screen, /^Return to 127\.0\.0\.1/)
  await screen.waitForURL(`${shopUrl}/thanks?order=1`)
  await shows(screen, /^Thank you for your order$/)
}

// Two at a time: while the first one waits, the others have the processor.
describe('the five scenarios', { concurrency: 2 }, () => {
  test('1: a customer chooses, fills in, pays, hears of it by itself and returns to the shop', async () => {
    await inEveryWay({}, async (screen) => {
      await reaches(screen, /^How would you like to pay\?$/)
      await choose(screen, 'Bank transfer')
      await reaches(screen, CONFIRM)
      await screen.getByText('Your details (optional)').click()
      await screen.getByLabel('IBAN').fill(IBAN)
      await screen.getByLabel('E-mail').fill('slow@sandbox.test')
      await press(screen, /^Show payment details$/)
      await reaches(screen, /^Transfer from your bank$/)
      await shows(screen, /^Payment complete$/, RESULT_TIMEOUT_MS)
      await fits(screen)
      assert.match(await screen.title(), /^Paid €149\.90/)
      await returnsToShop(screen)
    })
  })

  test('2: what the shop supplied is neither asked for nor to be changed', async () => {
    const customerData = { accountName: 'Jane Doe', accountNumber: IBAN }
    await inEveryWay({ customerData }, async (screen) => {
      await reaches(screen, /^How would you like to pay\?$/)
      await choose(screen, 'Bank transfer')
      await reaches(screen, CONFIRM)
      assert.equal(await screen.getByRole('textbox').count(), 0)
      await screen.getByText('DE89 •••• 3000').waitFor()
      await press(screen, /^Show payment details$/)
      await reaches(screen, /^Transfer from your bank$/)
    })
  })

  test('3: what the shop supplied is filled in and may be changed', async () => {
    const customerData = { accountName: 'Jane Doe', emailAddress: 'jane@shop.test' }
    await inEveryWay({ customerData, allowCustomerDataChange: true }, async (screen) => {
      await reaches(screen, /^How would you like to pay\?$/)
      await choose(screen, 'Bank transfer')
      await reaches(screen, /^Your details$/)
      assert.equal(await screen.getByLabel('Account holder name').inputValue(), 'Jane Doe')
      await screen.getByLabel('E-mail').fill('success@sandbox.test')
      await press(screen, /^Show payment details$/)
      await reaches(screen, /^(?:Transfer from your bank|Payment complete)$/)
    })
  })

  test('4: with a fixed method and bank one press leads to the bank', async () => {
    const fixed = { paymentMethodCode: 'ONLINE_BANKING', paymentOperatorCode: 'BANKA_VLTAVA' }
    const customerData = { accountName: 'Jane Doe' }
    await inEveryWay({ ...fixed, customerData }, async (screen, { javaScript }) => {
      await reaches(screen, /^Pay €149\.90 to Demo Shop with Banka Vltava$/)
      await press(screen, /^Continue to Banka Vltava$/)
      await reaches(screen, /^Continue at Banka Vltava$/)
      // With scripts the page goes on by itself.
      if (!javaScript) await follow(screen, /^Continue to Banka Vltava$/)
      await shows(screen, /^Log in to your bank$/)
    })
  })

  test('5: a fixed method is there already, and another one may be chosen', async () => {
    await inEveryWay({ paymentMethodCode: 'WALLET', optionsAvailable: true }, async (screen) => {
      await reaches(screen, /^Choose your wallet$/)
      await follow(screen, /^Choose another payment method$/)
      await reaches(screen, /^How would you like to pay\?$/)
      assert.match((await screen.locator('.choice [aria-current]').textContent()) ?? '', /Wallet/)
      await choose(screen, 'Bank transfer')
      await reaches(screen, CONFIRM)
      await press(screen, /^Show payment details$/)
      await reaches(screen, /^Transfer from your bank$/)
    })
  })

  test('without scripts: from the link over the bank back to the page, to the shop, and a callback that can be believed', async (t) => {
    const receiver = await callbackReceiver(t)
    const id = newId()
    const returnUrl = `${shopUrl}/thanks?order=1`
    const link = await linkFor(gateway, { idPayin: id, callbackUrl: `${receiver.url}/callbacks`, returnUrl })
    const { page, complaints } = await browser.open({ javaScript: false })
    await page.goto(link.url)
    await choose(page, 'Online banking')
    await choose(page, 'Banka Vltava')
    await press(page, /^Continue to Banka Vltava$/)
    await follow(page, /^Continue to Banka Vltava$/)
    await shows(page, /^Log in to your bank$/)
    await page.getByLabel('User name').fill('Ada')
    await press(page, /^Log in$/)
    await press(page, /^Approve/)
    await follow(page, /^Back to the shop$/)
    await page.waitForURL(`${gateway.checkoutUrl}/p/*`)
    await shows(page, /^Payment complete$/, RESULT_TIMEOUT_MS)
    await returnsToShop(page)
    assert.deepEqual(complaints, [])

    const [call] = await receiver.waitForCount(1, CALLBACK_TIMEOUT_MS)
    assert.equal(call?.path, '/callbacks')
    assert.equal(await proven(call), id)
    const token = await gateway.demo().token(`GET /payins/${id}`)
    const detail = await payinWithStatus(gateway, token, { id, status: 'SUCCESS', timeoutMs: 0 })
    assert.equal(textAt(detail, 'paymentMethodResponse', 'returnUrl'), returnUrl)
  })
})

/** Which payment the callback is about, proven by the keys that the gateway publishes. */
async function proven({ headers, body }: ReceivedRequest): Promise<string> {
  const token = await gateway.demo().token('GET /merchant-info')
  const info = await gateway.send({ method: 'GET', path: '/merchant-info', token })
  const publicKeys = listAt(info.body, 'callbackPublicKeys').map(String)
  return (await verifyCallback({ headers, body, publicKeys })).idEntity
}
