import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { after, test } from 'node:test'
import { type PageOptions, testBrowser, type WatchedPage } from '@tollgate/testkit/browser'
import { startGateway } from './support/gateway.ts'
import { newId } from './support/payins.ts'
import { type LinkWish, linkFor } from './support/shop.ts'

const gateway = await startGateway({ after }, { checkout: true, simulator: true })
const browser = await testBrowser({ after })
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

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

/** What a wide and a narrow, a light and a dark, a spoken and a zoomed screen would show to be wrong. */
async function inspect(page: Page, where: string): Promise<readonly string[]> {
  const problems: string[] = []
  for (const [width, colorScheme] of [
    [320, 'dark'],
    [1280, 'light'],
  ] as const) {
    await page.setViewportSize({ width, height: 800 })
    await page.emulateMedia({ colorScheme })
    // As texts: the page itself allows no script but its own, and has no types here.
    await page.evaluate(AXE)
    const found: { id: string; nodes: { html: string }[] }[] = await page.evaluate(
      `axe.run(document, { runOnly: ${JSON.stringify(TAGS)}, resultTypes: ['violations'] }).then((result) => result.violations.map(({ id, nodes }) => ({ id, nodes: nodes.map(({ html, any, all }) => ({ html: html.slice(0, 160) + ' ' + [...any, ...all].map((each) => each.message).join() })) })))`,
    )
    problems.push(...found.map(({ id, nodes }) => `${where}, ${width}: ${id} ${nodes[0]?.html ?? ''}`))
    const overflow: number = await page.evaluate(
      'document.documentElement.scrollWidth - document.documentElement.clientWidth',
    )
    if (overflow > 0) problems.push(`${where}, ${width}: ${overflow} px too wide`)
  }
  return problems
}

test('with scripts on a phone a customer pays, and the screen follows by itself', async () => {
  const { page, complaints } = await arrive({}, { width: 360 })
  const referers: string[] = []
  page.on('request', (request) => {
    const { referer } = request.headers()
    if (referer !== undefined && referer !== '') referers.push(referer)
  })
  assert.equal(new URL(page.url()).search, '')
  await page.getByLabel('Bank transfer').check()
  await press(page, /^Continue$/)
  await page.getByLabel('IBAN').fill('DE89370400440532013000')
  await page.getByLabel('E-mail').fill('slow@sandbox.test')
  await press(page, /^Show payment details$/)
  await shows(page, /^Scan to pay €149\.90$/)
  await shows(page, /^Paid €149\.90$/)
  assert.match(await page.title(), /^Paid €149\.90/)
  assert.deepEqual(referers, [])
  assert.deepEqual(complaints, [])
})

test('without scripts a customer pays at the bank and comes back', async () => {
  const { page, complaints } = await arrive({}, { width: 320, javaScript: false })
  await page.getByLabel('Online banking').check()
  await press(page, /^Continue$/)
  await page.getByLabel('Banka Vltava').check()
  await press(page, /^Continue$/)
  await press(page, /^Continue to Banka Vltava$/)
  await shows(page, /^Continue at Banka Vltava$/)
  await page.getByRole('link', { name: 'Continue to Banka Vltava' }).click()
  await shows(page, /^Log in to your bank$/)
  await page.getByLabel('User name').fill('Ada')
  await press(page, /^Log in$/)
  await press(page, /^Approve/)
  await page.getByRole('link', { name: 'Back to the shop' }).click()
  await shows(page, /^(?:Your payment is being confirmed|Paid)/)
  // The page asks again by itself.
  await shows(page, /^Paid €149\.90$/)
  assert.deepEqual(complaints, [])
})

test('two clicks make one payment, and the way back in the browser leads to it', async () => {
  const { page } = await arrive({ paymentMethodCode: 'BANK_TRANSFER', optionsAvailable: true })
  await page.getByRole('button', { name: 'Show payment details' }).dblclick()
  await shows(page, /^Scan to pay/)
  await page.goBack()
  await shows(page, /^Scan to pay/)
  const other = await page.context().newPage()
  await other.goto(page.url())
  await shows(other, /^Scan to pay/)
})

test('what was typed wrongly is said at the field and first on the page, without sending anything else', async () => {
  for (const javaScript of [true, false]) {
    const { page } = await arrive({ paymentMethodCode: 'BANK_TRANSFER' }, { javaScript })
    await page.getByLabel('IBAN').fill('DE88370400440532013000')
    await press(page, /^Show payment details$/)
    await page.getByRole('alert').first().waitFor()
    assert.match(await page.title(), /^Please check: /)
    assert.equal(await page.getByLabel('IBAN').getAttribute('aria-invalid'), 'true')
    await page.getByRole('alert').getByRole('link').click()
    await page.getByLabel('IBAN').fill('DE89370400440532013000')
    await press(page, /^Show payment details$/)
    await shows(page, /^Scan to pay/)
  }
})

test('a customer who leaves for another tab finds the same page there, at a clean address', async () => {
  const { page } = await arrive()
  assert.match(new URL(page.url()).pathname, /^\/p\/[\w-]{22}$/)
  const lengths: number = await page.evaluate('history.length')
  assert.ok(lengths <= 2, 'the address with the token is not in the history')
})

test('nobody can put the page into a frame', async () => {
  const { page: inner } = await arrive()
  const { page, complaints } = await browser.open()
  await page.setContent(`<iframe src="${inner.url()}"></iframe>`)
  await page.waitForLoadState('networkidle')
  assert.equal(await page.frames()[1]?.locator('h1').count(), 0)
  assert.ok(complaints.length > 0)
})

test('no screen of a transfer keeps anybody out', async () => {
  const { page } = await arrive({ operations: ['GET /merchant-info'] })
  const problems = [...(await inspect(page, 'methods'))]
  await page.getByLabel('Bank transfer').check()
  await press(page, /^Continue$/)
  await page.getByLabel('IBAN').fill('DE88370400440532013000')
  await press(page, /^Show payment details$/)
  await page.getByRole('alert').first().waitFor()
  problems.push(...(await inspect(page, 'details with faults')))
  await page.getByLabel('IBAN').fill('')
  await press(page, /^Show payment details$/)
  await shows(page, /^Scan to pay/)
  problems.push(...(await inspect(page, 'instructions')))
  await page.getByText('Test panel').click()
  await press(page, /^Simulate: partial amount$/)
  await shows(page, /^(?:Part of the money|Your payment is being)/)
  problems.push(...(await inspect(page, 'in progress')))
  await page.getByText('Test panel').click()
  await press(page, /^Simulate: paid$/)
  await shows(page, /^Paid/)
  problems.push(...(await inspect(page, 'paid')))
  assert.deepEqual(problems, [])
})

test('no screen of the other ways keeps anybody out', async () => {
  const problems: string[] = []
  const look = async (page: Page, where: string): Promise<void> =>
    void problems.push(...(await inspect(page, where)))
  const { page: bank } = await arrive({ paymentMethodCode: 'ONLINE_BANKING' })
  await look(bank, 'banks')
  await bank.getByLabel('Banka Vltava').check()
  await press(bank, /^Continue$/)
  await press(bank, /^Continue to Banka Vltava$/)
  await shows(bank, /^Continue at/)
  await press(bank, /^Stop$/)
  await look(bank, 'on the way to the bank')
  await bank.context().close()
  const { page: offline } = await arrive({ paymentMethodCode: 'OFFLINE_TRANSFER' })
  await offline.getByLabel('Account holder name').fill('Ada')
  await press(offline, /^Show payment details$/)
  await shows(offline, /^Transfer/)
  await look(offline, 'reference')
  await offline.context().close()
  const customerData = { accountName: 'Jane Doe', emailAddress: 'declined@sandbox.test' }
  const { page: failed } = await arrive({ paymentMethodCode: 'BANK_TRANSFER', customerData })
  await look(failed, 'confirmation')
  await press(failed, /^Show payment details$/)
  await shows(failed, /^Payment not completed$/)
  await look(failed, 'failed')
  const { page: broken } = await browser.open()
  await broken.goto(`${gateway.checkoutUrl}/?amount=x&idPayin=${newId()}`)
  await look(broken, 'incomplete link')
  assert.deepEqual(problems, [])
})

test('in Arabic the page runs from right to left, and keeps nobody out either', async () => {
  const { page } = await arrive({ paymentMethodCode: 'BANK_TRANSFER' }, { locale: 'ar' })
  assert.equal(await page.locator('html').getAttribute('dir'), 'rtl')
  await page.locator('form[action$="/pay"] button').click()
  await page.locator('svg[role=img]').first().waitFor()
  assert.deepEqual(await inspect(page, 'instructions in Arabic'), [])
  const copied = await page.locator('[data-copy-from="account-number"]').getAttribute('data-copy')
  assert.match(copied ?? '', /^[A-Z0-9]+$/)
})
