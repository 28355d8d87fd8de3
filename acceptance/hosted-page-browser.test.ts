import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { type PageOptions, testBrowser, type WatchedPage } from '@tollgate/testkit/browser'
import { startGateway } from './support/gateway.ts'
import { type LinkWish, linkFor } from './support/shop.ts'

const gateway = await startGateway({ after }, { checkout: true, simulator: true })
const browser = await testBrowser({ after })

type Page = WatchedPage['page']

async function arrive(wish: LinkWish = {}, options: PageOptions = {}): Promise<WatchedPage> {
  const watched = await browser.open(options)
  await watched.page.goto((await linkFor(gateway, wish)).url)
  return watched
}

const press = (page: Page, name: RegExp): Promise<void> => page.getByRole('button', { name }).first().click()
const shows = (page: Page, name: RegExp): Promise<void> =>
  page
    .getByRole('heading', { name })
    .first()
    .waitFor()
    .catch(async () =>
      assert.fail(
        `no ${String(name)} at ${page.url()}, but: ${(await page.locator('main').textContent()) ?? ''}`,
      ),
    )

test('what was typed wrongly is said at the field and first on the page, without sending anything else', async () => {
  for (const javaScript of [true, false]) {
    const { page } = await arrive({ paymentMethodCode: 'BANK_TRANSFER' }, { javaScript })
    await page.getByText('Your details (optional)').click()
    await page.getByLabel('IBAN').fill('DE88370400440532013000')
    await press(page, /^Show payment details$/)
    await page.getByRole('alert').first().waitFor()
    assert.match(await page.title(), /^Please check: /)
    assert.equal(await page.getByLabel('IBAN').getAttribute('aria-invalid'), 'true')
    await page.getByRole('alert').getByRole('link').click()
    await page.getByLabel('IBAN').fill('DE89370400440532013000')
    await press(page, /^Show payment details$/)
    await shows(page, /^Transfer from your bank$/)
  }
})

test('a customer who leaves for another tab finds the same page there, at a clean address', async () => {
  const { page } = await arrive()
  assert.match(new URL(page.url()).pathname, /^\/p\/[\w-]{22}$/)
  const lengths: number = await page.evaluate('history.length')
  assert.ok(lengths <= 2, 'the address with the token is not in the history')
})

test('H8: nobody can put the page into a frame', async () => {
  const { page: inner } = await arrive()
  const { page, complaints } = await browser.open()
  await page.setContent(`<iframe src="${inner.url()}"></iframe>`)
  await page.waitForLoadState('networkidle')
  const [, frame] = page.frames()
  // What the browser shows instead, it shows when it likes.
  assert.ok(['about:blank', 'chrome-error://chromewebdata/'].includes(frame?.url() ?? ''), frame?.url())
  assert.doesNotMatch((await frame?.content()) ?? '', /<main/)
  assert.ok(complaints.length > 0)
})
