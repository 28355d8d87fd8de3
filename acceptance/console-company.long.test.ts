import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { freePort, testDatabase } from '@tollgate/testkit'
import { testBrowser, type WatchedPage } from '@tollgate/testkit/browser'
import { startGateway } from './support/gateway.ts'
import { CLIENT_ID, CLIENT_SECRET, startProvider } from './support/oidc.ts'

// Signing in to the console by a provider of identities, in a browser: there, back, and out again.

const { url: databaseUrl } = await testDatabase({ after })
const port = await freePort()
const provider = await startProvider({ after }, `http://localhost:${port}/sign-in/company`)
const folder = mkdtempSync(join(tmpdir(), 'tollgate-company-'))
after(() => rmSync(folder, { recursive: true }))
const secretFile = join(folder, 'client-secret')
writeFileSync(secretFile, CLIENT_SECRET, { mode: 0o600 })
const gateway = await startGateway(
  { after },
  {
    databaseUrl,
    console: true,
    settings: {
      TOLLGATE_CONSOLE_PORT: String(port),
      TOLLGATE_OIDC_ISSUER: provider.issuer,
      TOLLGATE_OIDC_CLIENT_ID: CLIENT_ID,
      TOLLGATE_OIDC_CLIENT_SECRET_FILE: secretFile,
      TOLLGATE_OIDC_NAME: 'Example Corp',
    },
  },
)
const consoleUrl = `http://localhost:${port}`
const browser = await testBrowser({ after })

type Page = WatchedPage['page']

/** At the provider: it asks in its own page who one is. */
async function signInThere(page: Page, account: string): Promise<void> {
  await page.waitForURL(`${provider.issuer}/interaction/**`)
  await page.locator('input[name=login]').fill(account)
  await page.locator('input[name=password]').fill('any')
  await page.locator('button[type=submit]').click()
}

const signIn = (page: Page): Promise<void> =>
  page.getByRole('button', { name: 'Continue with Example Corp' }).click()

/** By the link of an invitation, as the person who was invited. */
async function linkAccount(page: Page, code: string, account: string): Promise<void> {
  await page.goto((await gateway.cli('operators', 'invite', code)).stdout.trim())
  await page.getByRole('button', { name: 'Use Example Corp' }).click()
  await signInThere(page, account)
  await page.getByRole('heading', { name: 'Account linked' }).waitFor()
}

test('K100 a person links an account by an invitation, signs in by it to the screen that they wanted, and is out when the link is removed', async () => {
  await gateway.cli('operators', 'create', 'nora', '--role', 'SUPPORT')
  const { page } = await browser.open({ width: 1280 })
  await linkAccount(page, 'nora', 'nora-at-work')
  await page.goto(`${consoleUrl}/callbacks?state=EXHAUSTED`)
  await signIn(page)
  // The provider knows this browser by now, and asks nothing.
  await page.waitForURL(`${consoleUrl}/callbacks?state=EXHAUSTED`)
  await page.goto(`${consoleUrl}/account`)
  await page.getByText('Approvals and changes to people need a touch of a passkey').waitFor()
  const row = page.getByRole('row').filter({ hasText: 'nora-at-work' })
  await row.getByText('Waits for confirmation').waitFor()
  const { stdout } = await gateway.cli('operators', 'show', 'nora')
  const identityId = /oid_[A-Z0-9]+/.exec(stdout)?.[0] ?? ''
  await gateway.cli('operators', 'remove-identity', identityId)
  await page.goto(`${consoleUrl}/account`)
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  await signIn(page)
  await page.getByText('the account is linked to no operator').waitFor()
})

test('K101 without the script it works as well, and what another browser brought back signs nobody in', async () => {
  await gateway.cli('operators', 'create', 'paul', '--role', 'SUPPORT')
  await linkAccount((await browser.open()).page, 'paul', 'paul-at-work')
  const mine = await browser.open({ javaScript: false, width: 1280 })
  await mine.page.goto(`${consoleUrl}/sign-in`)
  await signIn(mine.page)
  await signInThere(mine.page, 'paul-at-work')
  await mine.page.getByRole('link', { name: /Your account/ }).waitFor()

  const theirs = await browser.open()
  await theirs.page.route(`${consoleUrl}/sign-in/company?*`, (route) => route.abort())
  const back = theirs.page.waitForRequest(`${consoleUrl}/sign-in/company?*`)
  await theirs.page.goto(`${consoleUrl}/sign-in`)
  await signIn(theirs.page)
  await signInThere(theirs.page, 'paul-at-work')
  const sent = (await back).url()
  assert.match(sent, /[?&]code=/)
  const victim = await browser.open()
  await victim.page.goto(sent)
  await victim.page.getByText('This sign-in was begun in another browser').waitFor()
  assert.deepEqual(await victim.page.context().cookies(), [])
})
