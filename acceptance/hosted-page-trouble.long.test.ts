import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { runSql } from '@tollgate/testkit'
import { type PageOptions, testBrowser, type WatchedPage } from '@tollgate/testkit/browser'
import { newCustomer } from './support/customer.ts'
import { startGateway } from './support/gateway.ts'
import { cookielessSite, spoiledPage } from './support/page.ts'
import { newId, payinWithStatus } from './support/payins.ts'
import { follow, press, type Screen, shows } from './support/screen.ts'
import { type Link, type LinkWish, linkFor } from './support/shop.ts'

// What happens to customers in a real browser when something goes wrong, and when they themselves do what nobody thought
// of: the screen says what is the case, and there is one payment at most.

const gateway = await startGateway({ after }, { checkout: true, simulator: true })
const [browser, spoiled, cookieless] = await Promise.all([
  testBrowser({ after }),
  spoiledPage({ after }, gateway),
  cookielessSite({ after }, gateway),
])
const RESULT_TIMEOUT_MS = 60_000
const DAY_MS = 86_400_000
/** Far longer than the page waits before it goes on; of the browser’s own time, which a test can let pass. */
const PATIENCE_MS = 30_000
/** Long enough to arrive on a machine that is busy. */
const TOKEN_SECONDS = 6
const CLOCK_SECONDS_OFF_MAX = 5
/** What has stayed is there at once. */
const STILL_MS = 1000
const STEPS_MAX = 20
const RELOADS = 3

/** What the browser itself writes about a page with such a status. */
const failedWith = (status: string): string =>
  `Failed to load resource: the server responded with a status of ${status}`
const BAD_REQUEST = failedWith('400 (Bad Request)')
const REFUSED = failedWith('403 (Forbidden)')
const UNAVAILABLE = failedWith('503 (Service Unavailable)')

interface Arrived extends WatchedPage, Link {}

async function arrive(wish: LinkWish = {}, options: PageOptions = {}): Promise<Arrived> {
  const link = await linkFor(gateway, wish)
  const watched = await browser.open(options)
  await watched.page.goto(link.url)
  return { ...link, ...watched }
}

/** Somebody who is told where to transfer to. */
async function arriveAtInstructions(): Promise<Arrived> {
  const arrived = await arrive(TRANSFER)
  await press(arrived.page, SHOW_DETAILS)
  await shows(arrived.page, SCAN)
  return arrived
}

const AWAY = /^We cannot reach the payment service$/
const NO_COOKIES = /^Your browser blocks cookies$/
const TO_THE_BANK = {
  paymentMethodCode: 'ONLINE_BANKING',
  paymentOperatorCode: 'BANKA_VLTAVA',
  customerData: { accountName: 'Jane Doe' },
}
const TRANSFER = { paymentMethodCode: 'BANK_TRANSFER' } as const
const CONFIRM = /^Pay €149\.90 to Demo Shop with Bank transfer$/
const SHOW_DETAILS = /^Show payment details$/
const SCAN = /^Transfer from your bank$/
const PAID = /^Payment complete$/
const ALL = [true, false] as const

/** How many payments the shop has under the id. */
async function paymentsOf(id: string): Promise<number> {
  const url = gateway.databaseUrl ?? assert.fail('a database of the test’s own')
  return (await runSql(url, 'select 1 from payments where id_payment = $1', [id])).length
}

const referenceOn = async (screen: Screen): Promise<string> =>
  (await screen.locator('#reference').textContent()) ?? ''

/** On another device, by the same link: the bank says that it is paid. */
async function payElsewhere({ url, id, token }: Link): Promise<void> {
  const customer = newCustomer(gateway.checkoutUrl)
  await customer.open(url)
  await customer.submit('trigger', { outcome: 'paid' })
  await payinWithStatus(gateway, token, { id, status: 'SUCCESS', timeoutMs: RESULT_TIMEOUT_MS })
}

const STEP_MS = 1000
const STEP_PAUSE_MS = 40

/** Lets the browser's own time pass, which a test has taken over, with a pause now and then in which it is answered. */
async function passTimeUntil(screen: Screen, isOver: () => boolean | Promise<boolean>): Promise<void> {
  for (let passedMs = 0; passedMs < 3 * PATIENCE_MS; passedMs += STEP_MS) {
    if (await isOver()) return
    await screen.clock.runFor(STEP_MS)
    await delay(STEP_PAUSE_MS)
  }
  assert.fail(`it did not happen: ${(await screen.locator('main').textContent()) ?? ''}`)
}

/** Nothing but what is named, and that at least once. */
function assertComplaints(complaints: readonly string[], ...expected: readonly string[]): void {
  assert.deepEqual([...new Set(complaints)].sort(), [...expected].sort())
}

describe('trouble', { concurrency: 4 }, () => {
  describe('the API is away', { concurrency: 1 }, () => {
    /** Somebody at the page whose way to the API can be spoiled. */
    async function arriveThere(options: PageOptions = {}, hasClock = false): Promise<Arrived> {
      const link = await linkFor(spoiled.site, TRANSFER)
      const watched = await browser.open(options)
      if (hasClock) await watched.page.clock.install()
      await watched.page.goto(link.url)
      return { ...link, ...watched }
    }

    function takeApiAway(): void {
      spoiled.door.refuse(true)
      spoiled.door.cutAll()
    }

    const bringApiBack = (): void => spoiled.door.refuse(false)

    test('at arrival: the customer is told so, and the page goes on by itself when it is back', async () => {
      takeApiAway()
      const arrived = await Promise.all(ALL.map((javaScript) => arriveThere({ javaScript })))
      for (const { page } of arrived) {
        await shows(page, AWAY)
        await page.getByText('You have not been charged.').waitFor()
      }
      bringApiBack()
      for (const { page, complaints, id } of arrived) {
        await shows(page, CONFIRM)
        assertComplaints(complaints, UNAVAILABLE)
        assert.equal(await paymentsOf(id), 0)
      }
    })

    test('while paying, the answer is lost: nobody is asked to pay again, and there is one payment', async () => {
      const arrived = await Promise.all(ALL.map((javaScript) => arriveThere({ javaScript })))
      for (const { page } of arrived) await shows(page, CONFIRM)
      spoiled.door.plan({ kind: 'REPLY_LOST', marker: '"paymentMethodCode"', times: arrived.length })
      for (const { page } of arrived) {
        await press(page, SHOW_DETAILS)
        await page.getByText('Do not pay again.').waitFor()
      }
      for (const { page, complaints, id } of arrived) {
        await shows(page, SCAN)
        assert.equal(await paymentsOf(id), 1)
        assertComplaints(complaints, UNAVAILABLE)
      }
      assert.equal(spoiled.door.faults, arrived.length)
    })

    test('while paying, for longer: what was typed is kept, and the customer goes on when it is back', async () => {
      const { page, complaints, id } = await arriveThere()
      await page.getByText('Your details (optional)').click()
      await page.getByLabel('Account holder name').fill('Ada Lovelace')
      takeApiAway()
      await press(page, SHOW_DETAILS)
      for (const _ of ['at once', 'when asked again']) {
        await page.getByText('Do not pay again.').waitFor()
        await follow(page, /^Try now$/)
      }
      bringApiBack()
      await follow(page, /^Try now$/)
      await shows(page, /^Your details$/)
      assert.equal(await paymentsOf(id), 0)
      assert.equal(await page.getByLabel('Account holder name').inputValue(), 'Ada Lovelace')
      await press(page, SHOW_DETAILS)
      await shows(page, SCAN)
      assert.equal(await paymentsOf(id), 1)
      assertComplaints(complaints, UNAVAILABLE)
    })

    test('while waiting: the screen stays as it is, and follows when it is back', async () => {
      const { page, complaints, id } = await arriveThere({}, true)
      await press(page, SHOW_DETAILS)
      await shows(page, SCAN)
      takeApiAway()
      await passTimeUntil(page, () => complaints.includes(UNAVAILABLE))
      await shows(page, SCAN, STILL_MS)
      bringApiBack()
      await payElsewhere(await linkFor(gateway, { idPayin: id }))
      await passTimeUntil(page, () => page.getByRole('heading', { name: PAID }).isVisible())
      assertComplaints(complaints, UNAVAILABLE)
    })
  })

  test('the time left is the server’s, however wrong the browser’s clock is, and so is its end', async () => {
    const customerData = { emailAddress: 'expires@sandbox.test' }
    await Promise.all(
      [-DAY_MS, DAY_MS].map(async (skewMs) => {
        const { page, complaints } = await browser.open()
        await page.clock.install({ time: Date.now() + skewMs })
        await page.goto((await linkFor(gateway, { ...TRANSFER, customerData })).url)
        await press(page, SHOW_DETAILS)
        const clock = page.locator('[data-countdown-clock]')
        await clock.waitFor()
        const deadline = Date.parse((await page.locator('.deadline time').getAttribute('datetime')) ?? '')
        const [, minutes, seconds] = /^(\d+):(\d\d)$/.exec((await clock.textContent()) ?? '') ?? []
        const shown = Number(minutes) * 60 + Number(seconds)
        const left = (deadline - Date.now()) / 1000
        assert.ok(Math.abs(shown - left) <= CLOCK_SECONDS_OFF_MAX, `${shown} s, not ${left}`)
        await shows(page, /^This payment has expired$/, RESULT_TIMEOUT_MS)
        // On a busy machine the API may be away for a moment: the page says so and goes on.
        assert.deepEqual(
          complaints.filter((complaint) => complaint !== UNAVAILABLE),
          [],
        )
      }),
    )
  })

  test('the way back and forward in the browser leads to the payment, once there is one', async () => {
    for (const javaScript of ALL) {
      const { page, complaints, id } = await arrive({}, { javaScript })
      await press(page, /^Online banking/)
      await shows(page, /^Choose your bank$/)
      await follow(page, /^Choose another payment method$/)
      await press(page, /^Bank transfer/)
      await shows(page, CONFIRM)
      await page.goBack()
      await shows(page, /^How would you like to pay/)
      await page.goForward()
      await press(page, SHOW_DETAILS)
      await shows(page, SCAN)
      let steps = 0
      for (; steps < STEPS_MAX; steps += 1) {
        await page.goBack()
        if (page.url() === 'about:blank') break
        await shows(page, SCAN)
      }
      assert.ok(steps > 0 && steps < STEPS_MAX)
      for (; steps >= 0; steps -= 1) {
        await page.goForward()
        await shows(page, SCAN)
      }
      assert.equal(await paymentsOf(id), 1)
      assert.deepEqual(complaints, [])
    }
  })

  test('a screen that the browser had kept is asked for anew', async () => {
    const { page, complaints } = await arrive(TRANSFER)
    await shows(page, CONFIRM)
    const other = await page.context().newPage()
    await other.goto(page.url())
    await press(other, SHOW_DETAILS)
    await shows(other, SCAN)
    // This browser keeps no screens; one that does tells them so.
    await page.evaluate("dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))")
    await shows(page, SCAN)
    assert.deepEqual(complaints, [])
  })

  test('two clicks, two forms sent at once and reloads afterwards make one payment', async () => {
    for (const javaScript of ALL) {
      const { page, complaints, id } = await arrive(TRANSFER, { javaScript })
      const other = await page.context().newPage()
      await other.goto(page.url())
      const twice = page.getByRole('button', { name: SHOW_DETAILS }).dblclick()
      await Promise.all([twice, press(other, SHOW_DETAILS)])
      await Promise.all([shows(page, SCAN), shows(other, SCAN)])
      const reference = await referenceOn(page)
      assert.match(reference, /^RF/)
      for (let count = 0; count < RELOADS; count += 1) await page.reload()
      for (const each of [page, other]) assert.equal(await referenceOn(each), reference)
      assert.equal(await paymentsOf(id), 1)
      assert.deepEqual(complaints, [])
    }
  })

  test('two tabs with different choices, and another device, end at the same payment', async () => {
    const { page, complaints, url, id } = await arrive()
    const other = await page.context().newPage()
    await other.goto(page.url())
    await press(page, /^Bank transfer/)
    await shows(page, CONFIRM)
    await press(other, /^Online banking/)
    await press(other, /^Banka Vltava/)
    await shows(other, /^Pay €149\.90 to Demo Shop with Banka Vltava$/)
    await press(page, SHOW_DETAILS)
    await shows(page, SCAN)
    await press(other, /^Continue to Banka Vltava$/)
    await shows(other, SCAN)
    const device = await browser.open({ javaScript: false })
    await device.page.goto(url)
    await shows(device.page, SCAN)
    const reference = await referenceOn(page)
    for (const each of [other, device.page]) assert.equal(await referenceOn(each), reference)
    assert.equal(await paymentsOf(id), 1)
    assert.deepEqual([...complaints, ...device.complaints], [])
  })

  test('a token that ends before the customer arrives, or pays, opens nothing and makes nothing', async () => {
    const tokenFor = (id: string, validitySecs: number): Promise<string> =>
      gateway.demo().tokenFor({ action: 'PAYIN_CREATE', idPayment: id, validitySecs })
    const walk = async (javaScript: boolean): Promise<void> => {
      const [early, late] = [newId(), newId()]
      const over = await linkFor(gateway, { idPayin: early, token: await tokenFor(early, TOKEN_SECONDS) })
      const token = await tokenFor(late, TOKEN_SECONDS)
      const { page, complaints } = await arrive({ ...TRANSFER, idPayin: late, token }, { javaScript })
      await shows(page, CONFIRM)
      await delay(TOKEN_SECONDS * 1000)
      await press(page, SHOW_DETAILS)
      await shows(page, /^This payment link is no longer valid$/)
      await page.goto(over.url)
      await shows(page, /^This payment link is no longer valid$/)
      assertComplaints(complaints, REFUSED)
      for (const id of [early, late]) assert.equal(await paymentsOf(id), 0)
    }
    await Promise.all(ALL.map(walk))
  })

  test('another amount or currency in the link than the token’s pays nothing', async () => {
    for (const [ours, theirs] of [
      ['amount=149.90', 'amount=1.49'],
      ['currencyCode=EUR', 'currencyCode=CZK'],
    ] as const) {
      const { url, id } = await linkFor(gateway)
      assert.ok(url.includes(ours))
      const { page, complaints } = await browser.open()
      await page.goto(url.replace(ours, theirs))
      await shows(page, /^This payment link is incomplete$/)
      assert.equal(await page.getByRole('button').count(), 0)
      assertComplaints(complaints, BAD_REQUEST)
      assert.equal(await paymentsOf(id), 0)
    }
  })

  test('without a network a banner says so, and with it the page follows again', async () => {
    const arrived = await arriveAtInstructions()
    const { page, complaints } = arrived
    const banner = page.getByText('You are offline. We will continue when you are back online.').first()
    assert.equal(await banner.isVisible(), false)
    await page.context().setOffline(true)
    await banner.waitFor()
    await shows(page, SCAN, STILL_MS)
    await page.context().setOffline(false)
    await banner.waitFor({ state: 'hidden' })
    await page.getByRole('status').getByText('You are online again.').waitFor({ state: 'attached' })
    await payElsewhere(arrived)
    await shows(page, PAID, RESULT_TIMEOUT_MS)
    // Only if the page happened to ask just then.
    const cutOff = 'Failed to load resource: net::ERR_INTERNET_DISCONNECTED'
    assert.deepEqual(
      complaints.filter((complaint) => complaint !== cutOff),
      [],
    )
  })

  test('a browser without cookies is told so in plain words', async () => {
    for (const javaScript of ALL) {
      const { page, complaints } = await browser.open({ javaScript })
      await page.goto((await linkFor(cookieless)).url)
      await shows(page, NO_COOKIES)
      assertComplaints(complaints, BAD_REQUEST)
    }
  })

  test('Stop stops: the page does not go on to the bank by itself', async () => {
    const { page, complaints } = await browser.open()
    await page.clock.install()
    const { url } = await linkFor(gateway, TO_THE_BANK)
    await page.goto(url)
    await press(page, /^Continue to Banka Vltava$/)
    await press(page, /^Stop$/)
    await page.clock.runFor(PATIENCE_MS)
    await shows(page, /^Continue at Banka Vltava$/, STILL_MS)
    assert.equal(await page.getByRole('button', { name: /^Stop$/ }).count(), 0)
    assert.deepEqual(complaints, [])
  })

  test('where no stream gets through, the page asks instead', async () => {
    const link = await linkFor(gateway, TRANSFER)
    const { page, complaints } = await browser.open()
    await page.route('**/events', (route) => route.abort())
    await page.clock.install()
    await page.goto(link.url)
    await press(page, SHOW_DETAILS)
    await shows(page, SCAN)
    await payElsewhere(link)
    await passTimeUntil(page, () => page.getByRole('heading', { name: PAID }).isVisible())
    assertComplaints(complaints, 'Failed to load resource: net::ERR_FAILED')
  })
})
