/// <reference lib="dom" />
import { setTimeout as sleep } from 'node:timers/promises'
import { waitUntil } from '@tollgate/testkit'
import type { WatchedPage } from '@tollgate/testkit/browser'
import { type Customer, newCustomer } from './customer.ts'
import type { TestGateway } from './gateway.ts'
import type { ScriptedPage } from './screens-script.ts'
import { type LinkWish, linkFor } from './shop.ts'

/** A page of the browser. */
export type Tab = WatchedPage['page']

/** Where scenes are played. */
export interface Stage {
  readonly gateway: TestGateway
  /** The same page in front of an API that says what it is told to. */
  readonly scripted: ScriptedPage
  /** The customer's tab; all scenes share its cookies. */
  readonly tab: Tab
  /** The number of an order, as a shop would give it; never the same. */
  nextOrder(): string
}

/** A way to bring a customer's browser to one screen of the hosted page. */
export interface Scene {
  readonly name: string
  /** What the page calls the screen (apps/checkout/src/router.ts). */
  readonly screen: string
  /** One sentence about what is to be seen. */
  readonly shows: string
  /** The heading in English. */
  readonly heading: RegExp
  /** Makes the payment and brings it into its state; the address that the customer opens. Scenes may be prepared at once. */
  prepare(stage: Stage): Promise<string> | string
  /** What the customer does there, once. */
  act?(tab: Tab): Promise<void>
  /** What the customer does each time that the screen was loaded. */
  arrange?(tab: Tab): Promise<void>
  /** The screen goes on by itself after some seconds. */
  readonly isCounting?: boolean
  /** It takes a while until the page shows it: looked at after all others. */
  readonly isLate?: boolean
  /** Undoes what would trouble the next loading. */
  tidy?(tab: Tab): Promise<void>
}

/** Brings the tab to the screen of a scene that was prepared. Nothing moves there, and what counts down is held. */
export async function play(scene: Scene, tab: Tab, url: string): Promise<void> {
  await tab.emulateMedia({ reducedMotion: scene.isCounting === true ? 'no-preference' : 'reduce' })
  await tab.goto(url)
  await scene.act?.(tab)
  await untilHeading(tab, scene.heading)
  await settle(scene, tab)
}

/** Loads the screen of a scene again. */
export async function reload(scene: Scene, tab: Tab): Promise<void> {
  await scene.tidy?.(tab)
  await tab.reload()
  await settle(scene, tab)
}

async function settle({ isCounting = false, arrange }: Scene, tab: Tab): Promise<void> {
  if (isCounting) {
    // It only counts while somebody looks.
    await tab.evaluate(() => Object.defineProperty(document, 'visibilityState', { value: 'hidden' }))
    await tab.locator('[data-enhance~="proceed"]').waitFor()
  }
  await arrange?.(tab)
}

/** Says to the tab's browser which language its customer speaks; from the next loading on. */
type Speak = (language: string) => Promise<void>

/** The language that a context was opened with cannot be changed by a header. */
export async function speakerOf(tab: Tab): Promise<Speak> {
  const session = await tab.context().newCDPSession(tab)
  const userAgent: string = await tab.evaluate('navigator.userAgent')
  return async (acceptLanguage) => {
    await session.send('Emulation.setUserAgentOverride', { userAgent, acceptLanguage })
  }
}

const HEADING_TIMEOUT_MS = 60_000

/** Waits for a screen that may come by itself; fails the test with what there is instead. */
export async function untilHeading(tab: Tab, heading: RegExp, timeoutMs = HEADING_TIMEOUT_MS): Promise<void> {
  try {
    await tab.getByRole('heading', { level: 1, name: heading }).waitFor({ timeout: timeoutMs })
  } catch (cause) {
    const shown: string = await tab.evaluate('document.body.innerText')
    throw new Error(`no ${String(heading)} at ${tab.url()}, but: ${shown}`, { cause })
  }
}

export const press = (tab: Tab, name: RegExp): Promise<void> =>
  tab.getByRole('button', { name }).first().click()

/** Opens what is folded. */
export async function unfold(tab: Tab, selector: string): Promise<void> {
  await tab.locator(selector).evaluateAll((folded) => {
    for (const each of folded) each.setAttribute('open', '')
  })
}

/** Opens the page in a tab of its own, for the cookies' sake; its clean address. */
export async function visited(
  { tab: other }: Stage,
  url: string,
  act: (tab: Tab) => Promise<unknown> = async () => undefined,
): Promise<string> {
  const tab = await other.context().newPage()
  await tab.goto(url)
  await act(tab)
  const address = tab.url()
  await tab.close()
  return address
}

type Preparation = Scene['prepare']

/** A link from a shop, not followed yet. */
export const ordered =
  (wish: LinkWish = {}): Preparation =>
  async ({ gateway, nextOrder }) =>
    (await linkFor(gateway, { idPayin: nextOrder(), operations: ['GET /merchant-info'], ...wish })).url

/** A link to a payment that its customer has made, on another device, and what happened then. */
export const made =
  (wish: LinkWish, then?: (customer: Customer) => Promise<unknown>): Preparation =>
  async (stage) => {
    const url = await ordered(wish)(stage)
    const customer = newCustomer(stage.gateway.checkoutUrl)
    await customer.open(url)
    await untilReached(customer)
    await untilMade(customer)
    await then?.(customer)
    return url
  }

const TRIED_AGAIN =
  /^(?:We cannot reach the payment service|Many people are paying right now|Please wait a moment)$/
const REACHED_TIMEOUT_MS = 60_000
const TRY_AGAIN_MS = 500

/** All scenes are prepared at once: on a busy machine the page may not be served in time, and asks to try again. */
function untilReached(customer: Customer): Promise<void> {
  const isReached = async (): Promise<boolean> => {
    if (!TRIED_AGAIN.test(customer.heading())) return true
    await sleep(TRY_AGAIN_MS)
    await customer.follow(/^Try now$/)
    return false
  }
  return waitUntil(isReached, { timeoutMs: REACHED_TIMEOUT_MS, what: 'the page to reach the gateway' })
}

/** What did not reach the gateway is pressed again, as a customer would: it is the same payment. */
function untilMade(customer: Customer): Promise<void> {
  const isMade = async (): Promise<boolean> => {
    await customer.submit('pay')
    await untilReached(customer)
    return !/<form [^>]*action="[^"]*\/pay"/.test(customer.shown.html)
  }
  return waitUntil(isMade, { timeoutMs: REACHED_TIMEOUT_MS, what: 'the payment to be made' })
}

/** The test panel of the sandbox. */
export const triggered =
  (outcome: string) =>
  (customer: Customer): Promise<unknown> =>
    customer.submit('trigger', { outcome })

/** What a shop may know of its customer. */
export const JANE = { accountName: 'Jane Doe', accountNumber: 'DE89370400440532013000' } as const

/** The status link of a payment, with a token that may only read it. */
export async function statusLinkFor(gateway: TestGateway, idPayin: string): Promise<string> {
  const token = await gateway.demo().tokenFor({ action: 'PAYIN_INFO', idPayment: idPayin })
  const query = new URLSearchParams({ idPayin, token, currencyCode: 'EUR' })
  return `${gateway.checkoutUrl}/status?${query.toString()}`
}
