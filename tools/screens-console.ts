import assert from 'node:assert/strict'
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { type TestBrowser, testBrowser } from '@tollgate/testkit/browser'
import { type ConsolePage, enter, invite, signIn } from '../acceptance/support/console.ts'
import { startFilledConsole } from '../acceptance/support/console-data.ts'
import {
  CONSOLE_CHAPTERS,
  CONSOLE_SCENES,
  type ConsoleScene,
  type Eyes,
} from '../acceptance/support/console-screens.ts'
import type { TestGateway } from '../acceptance/support/gateway.ts'
import { consolePage, consolePictureOf, type Look, looksOf } from './screens/console-page.ts'
import { withPalette } from './screens/png.ts'
import { startTestServer } from './test-server.ts'

// `npm run screens:console` starts a sandbox with its console, fills it, and writes pictures of every screen into
// docs/screens/console/. `npm run screens:console -- home payout` takes those alone.

const { positionals: wanted } = parseArgs({ allowPositionals: true })
const GALLERY = resolve(import.meta.dirname, '../docs/screens/console')
const HEIGHT = 720
/** Light pictures may be longer than the window; dark ones show the colours. */
const HEIGHT_MAX = 940
/** Dark pictures show the colours; they are short so that all fit into the budget. */
const DARK_HEIGHT = 720
/** The sum of all pictures. */
const BYTES_MAX = 4.5 * 1024 * 1024

const endings: (() => unknown)[] = []
const life = { after: (end: () => unknown): void => void endings.unshift(end) }
const scenes = CONSOLE_SCENES.filter(({ name }) => wanted.length === 0 || wanted.includes(name))
let bytes = 0

const server = await startTestServer()
life.after(() => server.stop())
Object.assign(process.env, {
  TOLLGATE_TEST_SERVER_URL: server.url,
  TOLLGATE_TEST_RUNTIME_URL: server.runtimeUrl,
})

try {
  const gateway = await startFilledConsole(life)
  const browser = await testBrowser(life)
  const pages = await eyesAt(gateway, browser)
  mkdirSync(GALLERY, { recursive: true })
  if (wanted.length === 0) clear()
  for (const scene of scenes) {
    const page = pages[scene.eyes]
    await open(page, gateway.consoleUrl, scene)
    for (const look of looksOf(scene)) take(scene, look, await shot(page, look))
    process.stdout.write(`${scene.name}\n`)
  }
  writeFileSync(join(GALLERY, 'README.md'), consolePage(CONSOLE_CHAPTERS))
} finally {
  for (const end of endings) await end()
}

/** Everybody who looks at the console, signed in. */
async function eyesAt(
  gateway: TestGateway,
  browser: TestBrowser,
): Promise<Readonly<Record<Eyes, ConsolePage>>> {
  const { consoleUrl } = gateway
  const [ada, alan] = await Promise.all(
    (['ada', 'alan'] as const).map((code) => signIn({ browser, consoleUrl }, gateway.operatorKey(code))),
  )
  assert.ok(ada !== undefined && alan !== undefined)
  const lea = await merchantsPerson(alan.page, browser, consoleUrl)
  return { ada: ada.page, alan: alan.page, lea }
}

/** Alan invites an administrator of the merchant, who registers a passkey and signs in. */
async function merchantsPerson(
  alan: ConsolePage,
  browser: TestBrowser,
  consoleUrl: string,
): Promise<ConsolePage> {
  await alan.goto(`${consoleUrl}/merchants/DEMO/people`)
  const link = await invite(alan, { person: 'lea', name: 'Lea Example', role: 'ADMIN' })
  const { page } = await enter({ browser, consoleUrl }, link)
  return page
}

async function open(page: ConsolePage, consoleUrl: string, scene: ConsoleScene): Promise<void> {
  const { name, path, follow } = scene
  const answer = await page.goto(consoleUrl + path)
  assert.equal(answer?.status(), 200, name)
  if (follow === undefined) return
  const hrefs: readonly string[] = await page
    .locator('main a')
    .evaluateAll((links) => links.map((link) => link.getAttribute('href') ?? ''))
  const href = hrefs.find((each) => follow.test(each)) ?? assert.fail(`${name}: ${path} has no such link`)
  assert.equal((await page.goto(consoleUrl + href))?.status(), 200, name)
}

/** The page from its top, as far as a picture goes. */
async function shot(page: ConsolePage, { width, colorScheme }: Look): Promise<Buffer> {
  await page.setViewportSize({ width, height: HEIGHT })
  await page.emulateMedia({ colorScheme })
  const full: number = await page.evaluate('document.documentElement.scrollHeight')
  const height = colorScheme === 'dark' ? HEIGHT : Math.min(Math.max(full, HEIGHT), HEIGHT_MAX)
  await page.setViewportSize({ width, height })
  const shown = colorScheme === 'dark' ? DARK_HEIGHT : height
  return page.screenshot({ animations: 'disabled', clip: { x: 0, y: 0, width, height: shown } })
}

function take(scene: ConsoleScene, look: Look, png: Buffer): void {
  const small = withPalette(png)
  bytes += small.length
  if (bytes > BYTES_MAX) throw new Error(`the pictures have more than ${BYTES_MAX} bytes`)
  writeFileSync(join(GALLERY, consolePictureOf(scene, look)), small)
}

function clear(): void {
  for (const name of readdirSync(GALLERY)) if (name.endsWith('.png')) rmSync(join(GALLERY, name))
}
