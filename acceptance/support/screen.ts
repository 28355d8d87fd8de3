import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { TestLife } from '@tollgate/testkit'
import type { WatchedPage } from '@tollgate/testkit/browser'

/** What a customer has before them. */
export type Screen = WatchedPage['page']

/** Presses the button of this name. */
export const press = (screen: Screen, name: RegExp): Promise<void> =>
  screen.getByRole('button', { name }).first().click()

/** Follows the link of this name. */
export const follow = (screen: Screen, name: RegExp): Promise<void> =>
  screen.getByRole('link', { name }).first().click()

const SHOWN_TIMEOUT_MS = 60_000

/** Waits for the heading, however often the screen is replaced meanwhile; says what is there instead. */
export async function shows(screen: Screen, name: RegExp, timeoutMs = SHOWN_TIMEOUT_MS): Promise<void> {
  try {
    await screen.getByRole('heading', { name }).first().waitFor({ timeout: timeoutMs })
  } catch {
    const text = await screen.locator('body').textContent()
    assert.fail(`no ${String(name)} at ${screen.url()}, but: ${text ?? ''}`)
  }
}

// As a text: there are no types of a browser here.
const EXCESS = 'document.documentElement.scrollWidth - document.documentElement.clientWidth'

/** Fails when there is more than the width of the window holds. */
export async function fits(screen: Screen): Promise<void> {
  const measure = (): Promise<number> => screen.evaluate(EXCESS)
  // A screen that gives way to the next one while it is measured is no fault; the next one is measured.
  const excess = await measure().catch(async () => {
    await screen.waitForLoadState()
    return measure()
  })
  assert.ok(excess <= 0, `${screen.url()} is ${excess} px too wide`)
}

/** A shop's page that customers come back to; its address. It is closed with the test. */
export async function openShop(t: TestLife): Promise<string> {
  const server = createServer((_request, response) =>
    response
      .setHeader('content-type', 'text/html')
      .end('<title>Shop</title><link rel="icon" href="data:,"><h1>Thank you for your order</h1>'),
  )
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  t.after(() => void server.close())
  const address = server.address()
  assert.ok(typeof address === 'object' && address !== null)
  return `http://127.0.0.1:${address.port}`
}
