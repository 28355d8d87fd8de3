import { existsSync } from 'node:fs'
import { open, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sparticuz from '@sparticuz/chromium'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import type { TestLife } from './test-life.ts'
import { waitUntil } from './wait.ts'

/** What a page is opened with: 360 px wide and scripts on unless said otherwise. */
export interface PageOptions {
  readonly width?: number
  readonly javaScript?: boolean
  readonly locale?: string
  readonly colorScheme?: 'light' | 'dark'
  /** Takes certificates that nobody has signed, such as those that a test makes. */
  readonly anyCertificate?: boolean
}

/** A page with what it complained about: a test looks at `complaints` at its end. */
export interface WatchedPage {
  readonly page: Page
  /** Errors of the console, of scripts and of the content security policy, in their order. */
  readonly complaints: readonly string[]
}

/** A real browser, headless. It ends with the test. */
export interface TestBrowser {
  /** Opens a page in a context of its own: no cookies, no history. */
  open(options?: PageOptions): Promise<WatchedPage>
}

const WIDTH = 360
const HEIGHT = 720
/** For a machine that has much else to do. */
const ACTION_TIMEOUT_MS = 60_000
/** With these, pages in several contexts lose their cookies, and rules of the web do not hold. */
const UNLIKE_A_BROWSER: ReadonlySet<string> = new Set([
  '--single-process',
  '--no-zygote',
  '--disable-web-security',
  '--allow-running-insecure-content',
])
const SYSTEM_CHROMIUM = '/usr/bin/chromium'
// No page of ours draws in three dimensions; without it a test needs a third less of the processors.
sparticuz.setGraphicsMode = false

/**
 * Starts Chromium: the one that TOLLGATE_CHROMIUM names, else the system's, else the one that npm has brought (which is
 * unpacked into the folder for temporary files at its first start).
 */
export async function testBrowser(t: TestLife): Promise<TestBrowser> {
  const browser = await start()
  t.after(() => browser.close())
  return {
    async open({ width = WIDTH, javaScript = true, locale = 'en-GB', colorScheme = 'light', ...rest } = {}) {
      const options: BrowserContextOptions = {
        viewport: { width, height: HEIGHT },
        javaScriptEnabled: javaScript,
        ignoreHTTPSErrors: rest.anyCertificate ?? false,
        locale,
        colorScheme,
      }
      const context = await browser.newContext(options)
      context.setDefaultTimeout(ACTION_TIMEOUT_MS)
      const page = await context.newPage()
      const complaints: string[] = []
      page.on('console', (message) => {
        if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text())
      })
      page.on('pageerror', (error) => complaints.push(error.message))
      return { page, complaints }
    },
  }
}

async function start(): Promise<Browser> {
  const own = process.env['TOLLGATE_CHROMIUM']
  const found = own ?? (existsSync(SYSTEM_CHROMIUM) ? SYSTEM_CHROMIUM : undefined)
  const args =
    found === undefined ? sparticuz.args.filter((arg) => !UNLIKE_A_BROWSER.has(arg)) : ['--no-sandbox']
  return chromium.launch({
    executablePath: found ?? (await unpacked()),
    args,
    headless: true,
  })
}

const UNPACK_TIMEOUT_MS = 60_000

/** The path of npm's browser. One process at a time: who finds half of the file believes that it is all there. */
async function unpacked(): Promise<string> {
  const lock = join(tmpdir(), 'tollgate-chromium.lock')
  const isOurs = async (): Promise<boolean> => {
    try {
      await (await open(lock, 'wx')).close()
      return true
    } catch {
      // Whoever died while it unpacked is not waited for.
      const { mtimeMs } = await stat(lock).catch(() => ({ mtimeMs: Number.POSITIVE_INFINITY }))
      if (Date.now() - mtimeMs > UNPACK_TIMEOUT_MS / 2) await rm(lock, { force: true })
      return false
    }
  }
  await waitUntil(isOurs, { timeoutMs: UNPACK_TIMEOUT_MS, what: `the browser to be unpacked (${lock})` })
  try {
    return await sparticuz.executablePath()
  } finally {
    await rm(lock, { force: true })
  }
}
