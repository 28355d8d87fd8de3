import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { PageOptions, TestBrowser, WatchedPage } from '@tollgate/testkit/browser'

// The operators' console in a browser, by keyboard.

export type ConsolePage = WatchedPage['page']
type Locator = ReturnType<ConsolePage['locator']>

/** Opens the console and signs in with the keyboard alone. */
export async function signIn(
  { browser, consoleUrl }: { readonly browser: TestBrowser; readonly consoleUrl: string },
  key: string,
  options: PageOptions = {},
): Promise<WatchedPage> {
  const watched = await browser.open({ width: 1280, ...options })
  const { page } = watched
  await page.goto(`${consoleUrl}/`)
  await page.getByLabel('Operator key').focus()
  await page.keyboard.type(key)
  await page.keyboard.press('Enter')
  await page.waitForURL(`${consoleUrl}/`)
  return watched
}

/** Gives the page a device with a passkey, whose person is there. */
export async function plugIn(page: ConsolePage): Promise<void> {
  const cdp = await page.context().newCDPSession(page)
  await cdp.send('WebAuthn.enable')
  await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      ...{ protocol: 'ctap2', transport: 'internal', hasResidentKey: true, hasUserVerification: true },
      ...{ isUserVerified: true, automaticPresenceSimulation: true },
    },
  })
}

type Role = 'button' | 'link' | 'textbox' | 'radio' | 'checkbox' | 'combobox' | 'searchbox'
const PRESSES_MAX = 120

/** Moves the focus by Tab, or by another key, until it is there. */
export async function moveTo(page: ConsolePage, wanted: Locator, key = 'Tab'): Promise<void> {
  await wanted.waitFor()
  for (let presses = 0; presses < PRESSES_MAX; presses += 1) {
    if (await wanted.evaluate((element) => element === element.ownerDocument.activeElement)) return
    await page.keyboard.press(key)
  }
  assert.fail(`${key} does not lead to ${String(wanted)}`)
}

/** The same for what has this name. */
export const tabTo = (page: ConsolePage, name: string | RegExp, role: Role): Promise<void> =>
  moveTo(page, page.getByRole(role, { name }).first())

/** Moves there, and presses Enter. */
export async function pressOn(
  page: ConsolePage,
  name: string | RegExp,
  role: 'button' | 'link' = 'button',
): Promise<void> {
  await tabTo(page, name, role)
  await page.keyboard.press('Enter')
}

/** Moves there, and types over what there is. */
export async function typeInto(page: ConsolePage, name: string | RegExp, text: string): Promise<void> {
  await tabTo(page, name, 'textbox')
  await page.keyboard.press('Control+a')
  await page.keyboard.type(text)
}

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** What axe finds on the page as it stands. */
export async function violationsOn(page: ConsolePage): Promise<readonly string[]> {
  await page.evaluate(AXE)
  const found: string[] = await page.evaluate(
    'axe.run().then(({ violations }) => violations.map(({ id, nodes }) => [id, nodes[0].html].join(": ")))',
  )
  return found
}
