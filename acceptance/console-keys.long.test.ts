import assert from 'node:assert/strict'
import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { testBrowser } from '@tollgate/testkit/browser'
import {
  type ConsolePage,
  moveTo,
  pressOn,
  signIn,
  tabTo,
  typeInto,
  violationsOn,
} from './support/console.ts'
import { startGateway } from './support/gateway.ts'
import { createPayin, newId, payinWithStatus } from './support/payins.ts'
import { createPayout, PAYOUT_OPERATIONS } from './support/payouts.ts'
import { fundBalance } from './support/topups.ts'

// The console by keyboard: the ten tasks that docs/operators.md marks, the dialog of Ctrl-K, single keys; and a payment that is followed.

const gateway = await startGateway({ after }, { console: true })
const { consoleUrl } = gateway
const at = { browser: await testBrowser({ after }), consoleUrl }
const token = await gateway.demo().token(...PAYOUT_OPERATIONS, 'POST /payins/.*', 'GET /payins/.*')
await fundBalance(gateway, token, { id: newId(), amount: '5000' })
const payinId = newId()
await createPayin(gateway, token, { id: payinId, email: 'success@sandbox.test' })
await payinWithStatus(gateway, token, { id: payinId, status: 'SUCCESS' })
const [ada, grace, alan] = [
  gateway.operatorKey('ada'),
  gateway.operatorKey('grace'),
  gateway.operatorKey('alan'),
]

const MARKED = [
  ...readFileSync(new URL('../docs/operators.md', import.meta.url), 'utf8').matchAll(/^\*\*(\d+)\. .*⌨/gm),
].map(([, number]) => Number(number))

async function waitingPayout(): Promise<string> {
  const id = newId()
  await createPayout(gateway, token, { id, amount: '24.80', email: 'approval@sandbox.test' })
  return id
}

const says = (page: ConsolePage, hasText: string | RegExp): Promise<void> =>
  page.getByRole('status').filter({ hasText }).first().waitFor()

/** Ctrl-K, what to go to, and the first that is found. */
async function goTo(page: ConsolePage, words: string, name: string | RegExp): Promise<void> {
  await page.keyboard.press('Control+k')
  await page.keyboard.type(words)
  const found = page.locator('[data-seek-found]').getByRole('link', { name }).first()
  await moveTo(page, found, 'ArrowDown')
  await Promise.all([page.waitForEvent('load'), page.keyboard.press('Enter')])
}

test('K64 K69 what changes is followed: the timeline and the status, told once and politely', async () => {
  const id = await waitingPayout()
  const { page, complaints } = await signIn(at, ada)
  await page.goto(`${consoleUrl}/payments/PAYOUT/DEMO/${id}`)
  await page.getByText('Live', { exact: true }).waitFor()
  const marked = page.locator('.hero .chip').first()
  const before = await marked.textContent()
  // What somebody types stays.
  await tabTo(page, 'Reason', 'textbox')
  await page.keyboard.type('The merchant called')
  const other = await signIn(at, grace)
  await other.page.goto(`${consoleUrl}/payments/PAYOUT/DEMO/${id}`)
  await other.page.getByLabel('Reason').fill('Stopped.')
  await other.page.getByRole('button', { name: 'Put on hold' }).click()
  await page
    .getByText(/^Hold: /)
    .first()
    .waitFor()
  assert.notEqual(await marked.textContent(), before)
  const status = page.locator('[data-live-says]')
  await page.waitForFunction('document.querySelector("[data-live-says]").textContent !== ""')
  assert.match((await status.textContent()) ?? '', /^Status: /)
  assert.equal(await status.getAttribute('aria-live'), 'polite')
  assert.equal(await page.getByLabel('Reason').inputValue(), 'The merchant called')
  assert.deepEqual(await violationsOn(page), [])
  const unmaskings = { method: 'GET', path: '/operator/unmaskings', token: ada }
  assert.ok(!(await gateway.sendToOperators(unmaskings)).text.includes(id))
  // K64: signing out elsewhere ends it.
  const context = page.context()
  const second = await context.newPage()
  await second.goto(`${consoleUrl}/`)
  await second.getByRole('button', { name: /Sign out/ }).click()
  await page.bringToFront()
  await page.getByText('Not followed any more').waitFor()
  assert.deepEqual(complaints, [])
})

test('K66 what merchants are called is words in the dialog, and nothing of a page is taken into another', async () => {
  const name = '<img src=x onerror=alert(1)>"><script>alert(2)</script>'
  await gateway.cli('merchants', 'create', 'HOSTILE', '--name', name)
  const { page, complaints } = await signIn(at, alan)
  await page.keyboard.press('Control+k')
  await page.keyboard.type('hostile')
  const found = page.locator('[data-seek-found] a')
  await found.filter({ hasText: '<script>alert(2)</script>' }).waitFor()
  assert.equal(await page.locator('[data-seek-found] :is(img, script, svg)').count(), 0)
  assert.equal(await found.first().getAttribute('href'), '/merchants/HOSTILE')
  assert.deepEqual(complaints, [])
})

test('who is among what was found stays there when it is found again, and goes on typing when it is not', async () => {
  const { page, complaints } = await signIn(at, ada)
  const focusedHref = (): Promise<string | null> => page.locator(':focus').getAttribute('href')
  const again = (words: string): Promise<void> =>
    page.locator('#seek-q').evaluate((field, value) => {
      Object.assign(field, { value })
      field.dispatchEvent(new Event('input'))
    }, words)
  await page.keyboard.press('Control+k')
  await page.keyboard.type('payou')
  await moveTo(page, page.locator('[data-seek-found] a[href="/payouts"]'), 'ArrowDown')
  const before = await page.locator('[data-seek-found] a[href="/payouts"]').evaluateHandle((link) => link)
  await again('payouts')
  await page.waitForFunction((link) => !link.isConnected, before)
  assert.equal(await focusedHref(), '/payouts')
  await again('settlements')
  await page.locator('[data-seek-found] a[href="/settlements"]').waitFor()
  assert.equal(await page.locator('#seek-q:focus').count(), 1)
  assert.deepEqual(complaints, [])
})

test('the dialogs are labelled, give the focus back, and single keys can be switched off', async () => {
  const pictures = join(process.cwd(), 'node_modules', '.cache', 'console-pictures')
  mkdirSync(pictures, { recursive: true })
  for (const width of [390, 1280])
    for (const colorScheme of ['light', 'dark'] as const) {
      const { page, complaints } = await signIn(at, ada, { width, colorScheme })
      const picture = (what: string): Promise<Buffer> =>
        page.screenshot({ path: join(pictures, `${what}-${width}-${colorScheme}.png`) })
      await page.goto(`${consoleUrl}/payments`)
      await page.keyboard.press('j')
      const focused = page.locator('.rows th a').first()
      const isFocused = (): Promise<boolean> =>
        focused.evaluate((element) => element === element.ownerDocument.activeElement)
      assert.ok(await isFocused())
      await page.keyboard.press('Control+k')
      await page.keyboard.type(payinId)
      await page.locator('[data-seek-found] a').filter({ hasText: payinId }).waitFor()
      assert.deepEqual(await violationsOn(page), [], `${width} ${colorScheme}`)
      await picture('seek')
      await page.keyboard.press('Escape')
      assert.ok(await isFocused(), 'the focus is back')
      await page.keyboard.press('?')
      await page.getByRole('dialog', { name: 'Keys' }).waitFor()
      assert.deepEqual(await violationsOn(page), [], `${width} ${colorScheme}`)
      await picture('keys')
      await tabTo(page, /Single keys/, 'checkbox')
      await page.keyboard.press('Space')
      await page.keyboard.press('Escape')
      await page.keyboard.press('j')
      await page.keyboard.press('?')
      assert.equal(await page.getByRole('dialog').count(), 0, 'they are off')
      await page.goto(`${consoleUrl}/payments/PAYIN/DEMO/${payinId}`)
      await page.getByText('Live', { exact: true }).waitFor()
      await picture('payment')
      await page.goto(`${consoleUrl}/search?q=pay`)
      assert.deepEqual(await violationsOn(page), [], `${width} ${colorScheme}`)
      await picture('search')
      assert.deepEqual(complaints, [])
    }
})

test('without the script the search is a page, and nothing speaks of keys', async () => {
  const { page } = await signIn(at, ada, { javaScript: false })
  await page.getByRole('searchbox').focus()
  await page.keyboard.type('settle')
  await page.keyboard.press('Enter')
  await page.getByRole('main').getByRole('link', { name: 'Settlements' }).waitFor()
  assert.equal(await page.getByRole('button', { name: 'Keys' }).count(), 0)
  await page.goto(`${consoleUrl}/payments/PAYIN/DEMO/${payinId}`)
  assert.equal(await page.locator('[data-live]').isVisible(), false)
})

/** J until the focus is on it, and Enter. */
async function fromList(page: ConsolePage, id: string): Promise<void> {
  await moveTo(page, page.locator('.queue a, .rows th a').filter({ hasText: id }).first(), 'j')
  await Promise.all([page.waitForEvent('load'), page.keyboard.press('Enter')])
}

async function unfold(page: ConsolePage, words: string): Promise<void> {
  await moveTo(page, page.locator('summary', { hasText: words }).first())
  await page.keyboard.press('Enter')
}

/** Opens a payout from the list of those that wait. */
async function decided(key: string, id: string, reason: string, button: RegExp): Promise<ConsolePage> {
  const { page } = await signIn(at, key)
  await goTo(page, 'payouts', /^Payouts$/)
  await fromList(page, id)
  await typeInto(page, 'Reason', reason)
  await pressOn(page, button)
  return page
}

/** By the numbers of docs/operators.md. No pointer is moved in any of them. */
const TASKS: Readonly<Record<number, () => Promise<void>>> = {
  1: async () => {
    const { page } = await signIn(at, alan)
    await goTo(page, 'merchants', /^Merchants$/)
    await unfold(page, 'New merchant')
    await typeInto(page, 'Merchant code', 'BYKEY')
    await typeInto(page, /Shop’s name/, 'By key')
    await pressOn(page, 'Create the merchant')
    await says(page, 'The merchant was created.')
  },
  9: async () => {
    const { page } = await signIn(at, ada)
    await goTo(page, payinId, new RegExp(payinId))
    await page.getByRole('heading', { name: 'Timeline' }).waitFor()
  },
  10: async () => {
    const { page } = await signIn(at, ada)
    await goTo(page, payinId, new RegExp(payinId))
    await pressOn(page, /^Ledger \d/, 'link')
    await page.waitForURL(/show=ledger/)
    await page.getByText('Ledger: Payin success').waitFor()
  },
  11: async () => {
    const id = await waitingPayout()
    await says(await decided(ada, id, 'Invoice checked.', /^Approve 24/), 'Approved.')
    await says(await decided(grace, id, 'Seen, too.', /^Approve and send/), 'Approved.')
  },
  12: async () => {
    await says(await decided(ada, await waitingPayout(), 'Call us.', /^Reject/), 'Rejected')
  },
  19: async () => {
    const { page } = await signIn(at, ada)
    await goTo(page, 'balances', /^Balances$/)
    await fromList(page, 'DEMO')
    await page.getByRole('heading', { level: 1, name: /DEMO|demo/i }).waitFor()
  },
  20: async () => {
    const { page } = await signIn(at, ada)
    await goTo(page, 'payments', /^Payments$/)
    await tabTo(page, 'Export CSV', 'link')
    const [file] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('Enter')])
    assert.ok(readFileSync(await file.path(), 'utf8').includes(payinId))
  },
  22: async () => {
    const { page } = await signIn(at, alan)
    await goTo(page, 'demo', /DEMO/)
    await pressOn(page, /^Callbacks/, 'link')
    await unfold(page, 'Rotate the key')
    await pressOn(page, 'Rotate the callback key')
    await says(page, 'A new key signs callbacks')
  },
  23: async () => {
    const { page } = await signIn(at, ada)
    await page.goto(`${consoleUrl}/blocked-accounts`)
    await unfold(page, 'Block accounts')
    await typeInto(page, 'Merchant code', 'DEMO')
    await typeInto(page, /^Accounts/, 'DE02120300000000202051')
    await pressOn(page, 'Block the accounts')
    await page.locator('.rows').getByText('DEMO').first().waitFor()
  },
  24: async () => {
    const { page } = await signIn(at, ada)
    await goTo(page, 'health', /^Health$/)
    await typeInto(page, /^Code/, 'OTTER_WALLET')
    await tabTo(page, /^State/, 'combobox')
    await page.keyboard.type('Closed')
    await typeInto(page, /^Reason/, 'maintenance until six')
    await pressOn(page, 'Set the state')
    await says(page, 'Set. What is closed')
  },
}

for (const [number, perform] of Object.entries(TASKS))
  test(`task ${number} of docs/operators.md, by keyboard alone`, perform)

test('the tasks that the page marks are those that are done here', () => {
  assert.deepEqual(MARKED, Object.keys(TASKS).map(Number))
})
