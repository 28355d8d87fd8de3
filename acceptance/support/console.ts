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

/** A device with a passkey, as the browser sees it; it can be told to refuse. */
export interface Device {
  /** Whether the person is there to touch it. */
  present(isThere: boolean): Promise<void>
  /** Another device in its place. */
  replace(): Promise<void>
}

/** Gives the page a device with a passkey, whose person is there. */
export async function plugIn(page: ConsolePage): Promise<Device> {
  const cdp = await page.context().newCDPSession(page)
  await cdp.send('WebAuthn.enable')
  const add = async (): Promise<string> => {
    const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    })
    return authenticatorId
  }
  let authenticatorId = await add()
  return {
    async present(isThere) {
      await cdp.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: isThere })
    },
    async replace() {
      await cdp.send('WebAuthn.removeVirtualAuthenticator', { authenticatorId })
      authenticatorId = await add()
    },
  }
}

/** A person of a merchant, as the form of invitations asks. */
interface Invited {
  readonly person: string
  readonly name: string
  readonly role: 'ADMIN' | 'STAFF'
}

/** Fills the form on the screen of people; the link that is shown. */
export async function invite(page: ConsolePage, { person, name, role }: Invited): Promise<string> {
  await page.locator('summary', { hasText: 'Invite a person' }).click()
  await page.getByLabel('Short name').fill(person)
  await page.getByLabel('Name', { exact: true }).fill(name)
  await page.getByLabel('Role').selectOption(role)
  await page.getByRole('button', { name: 'Make the invitation' }).click()
  await page.getByText('Shown this once').waitFor()
  return (await page.locator('.cli code').textContent()) ?? ''
}

/** Opens the link of an invitation on a device of one's own, registers it, and signs in by it. */
export async function enter(
  { browser, consoleUrl }: { readonly browser: TestBrowser; readonly consoleUrl: string },
  link: string,
  options: PageOptions = {},
): Promise<WatchedPage> {
  const watched = await browser.open({ width: 1280, ...options })
  const { page } = watched
  await plugIn(page)
  await page.goto(link)
  await page.getByLabel('Name of this device').fill('Laptop')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Passkey registered' }).waitFor()
  await page.getByRole('link', { name: 'Sign in' }).click()
  await page.getByRole('button', { name: 'Continue with a passkey' }).click()
  await page.waitForURL(`${consoleUrl}/`)
  return watched
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

/** The rules of axe that another colour scheme can break. */
const OF_COLOURS = '{ runOnly: { type: "rule", values: ["color-contrast", "link-in-text-block"] } }'

/** What axe finds on the page as it stands. */
export async function violationsOn(page: ConsolePage, options = '{}'): Promise<readonly string[]> {
  if (!(await page.evaluate('"axe" in globalThis'))) await page.evaluate(AXE)
  const found: string[] = await page.evaluate(
    `axe.run(${options}).then(({ violations }) => violations.map(({ id, nodes }) => [id, nodes[0].html].join(": ")))`,
  )
  return found
}

/** A change of colours on its way would be read as it is half through. Those that never end are no matter. */
const END_ANIMATIONS = `for (const each of document.getAnimations()) { try { each.finish() } catch {} }`

/**
 * The page as it stands has nothing that axe finds, and nothing of it is beside the window: on a phone and on a desk, in light and
 * in dark. `look` is told of each of them, for example to take a picture.
 */
export async function expectFine(
  page: ConsolePage,
  what: string,
  look: (how: string) => Promise<void> = () => Promise.resolve(),
): Promise<void> {
  for (const width of [390, 1440]) {
    await page.setViewportSize({ width, height: 900 })
    const isWider: boolean = await page.evaluate('document.documentElement.scrollWidth > innerWidth')
    assert.equal(isWider, false, `${what} at ${width} px`)
    for (const colorScheme of ['dark', 'light'] as const) {
      await page.emulateMedia({ colorScheme })
      await page.evaluate(END_ANIMATIONS)
      const violations = await violationsOn(page, colorScheme === 'dark' ? OF_COLOURS : '{}')
      assert.deepEqual(violations, [], `${what} at ${width} px, ${colorScheme}`)
      await look(`${width}-${colorScheme}`)
    }
  }
}
