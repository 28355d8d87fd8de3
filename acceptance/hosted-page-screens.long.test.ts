import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { testBrowser } from '@tollgate/testkit/browser'
import { startGateway } from './support/gateway.ts'
import { prepareScenes } from './support/screens.ts'
import { FEWER_LOOKS, inspect, missedAtFirst, overflowAt, type Question } from './support/screens-inspect.ts'
import { play, reload, type Scene, speakerOf } from './support/screens-scene.ts'
import { TROUBLE_SCENES } from './support/screens-trouble.ts'

const WIDTH_MIN = 320
/** The languages with the longest words, and those of other scripts. */
const LONGEST = ['de', 'fr', 'hi', 'ja'] as const
/** Where the most words stand beside each other. */
const WORDY: ReadonlySet<string> = new Set([
  'choose-method',
  'details-faults',
  'redirect',
  'transfer-epc',
  'partial',
  'leave',
  'paid',
  'expired-reference',
])
/** What customers have done is done; they may leave. */
const ASKS_NOTHING: ReadonlySet<string> = new Set(['back-checking', 'reference-sent', 'reversed'])
/** Without a link that holds, the page knows neither shop nor amount. */
const NAMES_NO_SHOP: ReadonlySet<Scene> = new Set(TROUBLE_SCENES)
/** The browser complains of screens that are answered with an error, and of a network that was taken away. */
const EXPECTED =
  /^Failed to load resource: (?:the server responded with a status of|net::ERR_INTERNET_DISCONNECTED)/

const gateway = await startGateway({ after }, { checkout: true, simulator: true })
const browser = await testBrowser({ after })
const { page: tab, complaints } = await browser.open()
const speak = await speakerOf(tab)
/** What a page asked for in vain. */
const failures: string[] = []
tab.on('response', (response) => {
  if (response.status() >= 400 && !response.request().isNavigationRequest()) failures.push(response.url())
})

/** What the first glance at a screen has to answer. */
function questionsOf(scene: Scene): readonly Question[] {
  const shop: readonly Question[] = NAMES_NO_SHOP.has(scene) ? [] : ['how much', 'to whom']
  return [...shop, 'what is the matter', ...(ASKS_NOTHING.has(scene.name) ? [] : (['what to do'] as const))]
}

for (const { scene, url } of await prepareScenes({ after }, { gateway, tab })) {
  test(`the screen ${scene.name} keeps nobody out`, async (t) => {
    t.after(() => scene.tidy?.(tab))
    const heard = complaints.length
    const problems: string[] = []
    const note = (language: string, found: readonly string[]): void =>
      void problems.push(...found.map((problem) => `${language}: ${problem}`))
    await speak('en')
    await play(scene, tab, url)
    note('en', await missedAtFirst(tab, questionsOf(scene)))
    note('en', await inspect(tab))
    await speak('ar')
    await reload(scene, tab)
    assert.equal(await tab.locator('html').getAttribute('dir'), 'rtl')
    note('ar', await inspect(tab, FEWER_LOOKS))
    for (const language of WORDY.has(scene.name) ? LONGEST : []) {
      await speak(language)
      await reload(scene, tab)
      const overflow = await overflowAt(tab, WIDTH_MIN)
      if (overflow > 0) note(language, [`${overflow} px too wide at ${WIDTH_MIN} px`])
    }
    const heardNow = complaints.slice(heard).filter((text) => !EXPECTED.test(text))
    assert.deepEqual([...problems, ...heardNow, ...failures.splice(0)], [])
  })
}
