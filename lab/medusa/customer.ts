import type { TestBrowser, WatchedPage } from '@tollgate/testkit/browser'

type Page = WatchedPage['page']

const SHOWN_TIMEOUT_MS = 60_000

const press = (page: Page, name: RegExp): Promise<void> => page.getByRole('button', { name }).first().click()

/** Waits for the heading; says what is there instead. */
async function shows(page: Page, name: RegExp): Promise<void> {
  try {
    await page.getByRole('heading', { name }).first().waitFor({ timeout: SHOWN_TIMEOUT_MS })
  } catch {
    throw new Error(
      `no ${String(name)} at ${page.url()}, but: ${(await page.locator('body').textContent()) ?? ''}`,
    )
  }
}

async function sendTransfer(page: Page): Promise<void> {
  await press(page, /^Bank transfer/)
  await sendDetails(page)
}

/** At the magic address of the sandbox; the e-mail is optional, and folded. */
async function sendDetails(page: Page): Promise<void> {
  await page.getByText(/^Your details/).click()
  await page.getByLabel('E-mail').fill('success@sandbox.test')
  await press(page, /^Show payment details$/)
}

/** A customer in Chromium, who has the address of the payment page. */
export interface Customer {
  /** Chooses online banking, logs in to the simulated bank, approves, and sees that the payment is complete. */
  payAtBank(): Promise<void>
  /** Chooses a bank transfer, and sees where to send the money. */
  chooseTransfer(): Promise<void>
  /** The same with an address at which the sandbox pays at once, and waits for the end. */
  payByTransfer(): Promise<void>
  /** The same without waiting; what the page says then. */
  tryTransfer(): Promise<string>
  /** Waits for the end on the payment page. */
  isPaid(): Promise<void>
  /** Goes back to the shop; what it says. */
  return(): Promise<string>
}

export async function newCustomer(browser: TestBrowser, address: string): Promise<Customer> {
  const { page } = await browser.open()
  await page.goto(address)
  const isPaid = () => shows(page, /^Payment complete$/)
  return {
    isPaid,
    async payAtBank() {
      await press(page, /^Online banking/)
      await press(page, /^Banka Vltava/)
      await press(page, /^Continue to Banka Vltava$/)
      await shows(page, /^Log in to your bank$/)
      await page.getByLabel('User name').fill('Jana')
      await press(page, /^Log in$/)
      await press(page, /^Approve/)
      await page.getByRole('link', { name: /^Back to the shop$/ }).click()
      await isPaid()
    },
    async chooseTransfer() {
      await press(page, /^Bank transfer/)
      await press(page, /^Show payment details$/)
      await shows(page, /^Transfer from your bank$/)
    },
    async payByTransfer() {
      await sendTransfer(page)
      await isPaid()
    },
    async tryTransfer() {
      await press(page, /^Bank transfer/)
      await page.waitForLoadState('networkidle')
      // A page that knows already that the payment has ended has no form.
      if ((await page.getByLabel('E-mail').count()) > 0) {
        await sendDetails(page)
        await page.waitForLoadState('networkidle')
      }
      return (await page.getByRole('heading').first().textContent()) ?? ''
    },
    async return() {
      await page
        .getByRole('link', { name: /^Return to/ })
        .first()
        .click()
      await page.waitForURL(/\/thanks\//, { timeout: SHOWN_TIMEOUT_MS })
      return (await page.getByRole('heading').first().textContent()) ?? ''
    },
  }
}
