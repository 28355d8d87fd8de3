import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { waitUntil } from '@tollgate/testkit'
import { testBrowser } from '@tollgate/testkit/browser'
import { startGateway } from './support/gateway.ts'
import { newId } from './support/payins.ts'
import { fits, follow, press, type Screen, shows } from './support/screen.ts'
import { fundBalance, TOP_UP_OPERATIONS } from './support/topups.ts'

// The shop that `npm start` brings, as a customer uses it: whatever way they pay, the order is paid by the callback.

const RESULT_TIMEOUT_MS = 40_000
const gateway = await startGateway({ after }, { checkout: true, simulator: true, shop: true })
const browser = await testBrowser({ after })

async function buy(scenario: number): Promise<Screen> {
  const { page } = await browser.open({ width: 390 })
  await page.goto(gateway.shopUrl)
  await fits(page)
  const form = page.locator('form', { has: page.locator('[value="pot"]') })
  await form.getByRole('combobox').selectOption(String(scenario))
  await form.getByRole('button').click()
  return page
}

async function isPaidFor(screen: Screen): Promise<void> {
  await shows(screen, /^Thank you for your order$/, RESULT_TIMEOUT_MS)
  // The customer may be back before the callback is here.
  const isHeard = async (): Promise<boolean> =>
    (await screen.getByRole('row').allTextContents()).some((row) => row.includes('SUCCESS'))
  await waitUntil(isHeard, { timeoutMs: RESULT_TIMEOUT_MS, what: 'the callback to be shown' })
}

async function payAtTheBank(screen: Screen): Promise<void> {
  await shows(screen, /^Log in to your bank$/)
  await screen.getByLabel('User name').fill('Ada')
  await press(screen, /^Log in$/)
  await press(screen, /^Approve/)
}

test('an order of each scenario is paid on the payment page, and the callback tells the shop', async () => {
  const byTransfer = async (scenario: number): Promise<void> => {
    const screen = await buy(scenario)
    await press(screen, /^Bank transfer/)
    if (scenario === 1) {
      await screen.getByText('Your details (optional)').click()
      await screen.getByLabel('E-mail').fill('success@sandbox.test')
      await press(screen, /^Show payment details$/)
    } else if (scenario === 3) {
      assert.equal(await screen.getByLabel('Account holder name').inputValue(), 'Jane Doe')
      await screen.getByLabel('E-mail').fill('success@sandbox.test')
      await press(screen, /^Show payment details$/)
    } else {
      await press(screen, /^Show payment details$/)
      await screen.getByText('Test panel').click()
      await press(screen, /^Simulate: paid$/)
    }
    await shows(screen, /^Payment complete$/, RESULT_TIMEOUT_MS)
    await follow(screen, /^Return to localhost/)
    await isPaidFor(screen)
  }
  await Promise.all([1, 2, 3].map(byTransfer))
})

test('with the bank chosen by the shop one press leads there; with a method suggested another can be taken', async () => {
  const fixed = await buy(4)
  await press(fixed, /^Continue to Banka Vltava$/)
  await payAtTheBank(fixed)
  await follow(fixed, /^Back to the shop$/)
  await shows(fixed, /^Payment complete$/, RESULT_TIMEOUT_MS)
  await follow(fixed, /^Return to localhost/)
  await isPaidFor(fixed)
  const suggested = await buy(5)
  await shows(suggested, /^Choose your wallet$/)
  await follow(suggested, /^Choose another payment method$/)
  await shows(suggested, /^How would you like to pay\?$/)
})

test('a paid order is refunded with one press, and the order and the payment page say so', async () => {
  await fundBalance(gateway, await gateway.demo().token(...TOP_UP_OPERATIONS), { id: newId(), amount: '500' })
  const screen = await buy(3)
  await press(screen, /^Bank transfer/)
  await screen.getByLabel('E-mail').fill('success@sandbox.test')
  await press(screen, /^Show payment details$/)
  await shows(screen, /^Payment complete$/, RESULT_TIMEOUT_MS)
  const payment = screen.url()
  await follow(screen, /^Return to localhost/)
  await isPaidFor(screen)
  await press(screen, /^Refund$/)
  const isRefunded = async (): Promise<boolean> => {
    await screen.reload()
    return (await screen.getByText('Refunded: 149.9 EUR.').count()) === 1
  }
  await waitUntil(isRefunded, { timeoutMs: RESULT_TIMEOUT_MS, what: 'the order to be refunded' })
  await screen.goto(payment)
  await shows(screen, /^Payment refunded$/)
})

test('by the shop’s own form: to the bank and back to the order, or where to pay to', async () => {
  const { page } = await browser.open()
  await page.goto(`${gateway.shopUrl}/forms/pot`)
  await press(page, /^Online banking – Banka Vltava$/)
  await payAtTheBank(page)
  await follow(page, /^Back to the shop$/)
  await isPaidFor(page)
  await page.goto(`${gateway.shopUrl}/forms/pot`)
  await press(page, /^Bank transfer$/)
  await shows(page, /^Where to pay to$/)
  assert.match((await page.locator('main').textContent()) ?? '', /DE93\d+/)
})

test('`tollgate checkout link` prints an address like the shop’s', async () => {
  const wish = [
    '--amount',
    '149.90',
    '--currency',
    'EUR',
    '--method',
    'BANK_TRANSFER',
    '--data',
    'accountName=Jane',
  ]
  const { stdout } = await gateway.cli('checkout', 'link', newId(), ...wish)
  const { page } = await browser.open()
  await page.goto(stdout.trim())
  await press(page, /^Show payment details$/)
  await shows(page, /^Transfer from your bank$/)
})

test('a customer’s return pays nothing, a forged callback neither, and foreign text stays text', async () => {
  const screen = await buy(1)
  const id = await screen.getByText(/^SHOP-/).textContent()
  const order = `${gateway.shopUrl}/orders/${id ?? ''}`
  const body = JSON.stringify({ idEntity: id })
  const forged = await fetch(`${gateway.shopUrl}/callbacks`, { method: 'POST', body })
  assert.equal(forged.status, 400)
  await screen.goto(`${order}?status=SUCCESS`)
  await shows(screen, /^Your order: Coffee pot$/)
  const strange = await fetch(`${gateway.shopUrl}/orders/<script>`)
  assert.equal(strange.status, 404)
  assert.doesNotMatch(await strange.text(), /<script>/)
})
