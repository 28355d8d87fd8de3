import assert from 'node:assert/strict'
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { testDatabase, waitUntil } from '@tollgate/testkit'
import { type PageOptions, testBrowser, type WatchedPage } from '@tollgate/testkit/browser'
import { startSftpServer } from '@tollgate/testkit/sftp'
import { writeChannels } from './support/bank-channels.ts'
import { type ConsolePage, expectFine, pressOn, signIn as signInAt, tabTo } from './support/console.ts'
import { startGateway, temporaryFolder } from './support/gateway.ts'
import { newId } from './support/payins.ts'
import { createPayout, PAYOUT_OPERATIONS } from './support/payouts.ts'
import { fundBalance } from './support/topups.ts'

// Channels of banks at the console, in a browser: one that has stopped is seen, looked into and started again, and a payout file
// that it does not bring is carried by hand.

const TIMEOUT_MS = 60_000
/** A payout of the sandbox with this address waits for a file, as every bank transfer does in live. */
const BY_FILE = 'file@sandbox.test'

const own = temporaryFolder()
const root = join(own, 'bank')
for (const name of ['in', 'out']) mkdirSync(join(root, name), { recursive: true })
after(() => rmSync(own, { recursive: true, force: true }))
const bank = await startSftpServer({ after }, { directory: root })
bank.setOpen(false)
const channelsFile = writeChannels(own, [
  {
    code: 'MYBANK',
    bank,
    does: {
      everySeconds: 10,
      fetch: [{ directory: '/out', holds: 'STATEMENTS', afterwards: 'DELETE' }],
      put: { directory: '/in', accounts: ['SANDBOX_EUR'] },
    },
  },
])
const { url: databaseUrl } = await testDatabase({ after })
const settings = { TOLLGATE_BANK_CHANNELS_FILE: channelsFile }
const gateway = await startGateway({ after }, { console: true, databaseUrl, settings })
const { consoleUrl } = gateway
const browser = await testBrowser({ after })
const token = await gateway.demo().token(...PAYOUT_OPERATIONS)
await fundBalance(gateway, token, { id: newId(), amount: '5000' })

const signIn = (options: PageOptions = {}): Promise<WatchedPage> =>
  signInAt({ browser, consoleUrl }, gateway.operatorKey('ada'), { width: 1440, ...options })

/** Loads the screen until it says so. */
const untilSays = (page: ConsolePage, path: string, text: string): Promise<void> =>
  waitUntil(
    async () => {
      await page.goto(consoleUrl + path)
      return ((await page.getByRole('main').textContent()) ?? '').includes(text)
    },
    { timeoutMs: TIMEOUT_MS, what: `${path} to say ${JSON.stringify(text)}` },
  )

test('a channel that has stopped is on the home page, and says at whom it is and what to do', async () => {
  const { page, complaints } = await signIn()
  await untilSays(page, '/', 'Bank channels that do not work')
  await pressOn(page, /Bank channels that do not work/, 'link')
  await page.getByRole('heading', { name: 'Bank channels' }).waitFor()
  await pressOn(page, 'MYBANK', 'link')
  await untilSays(page, '/bank-files/channels/MYBANK', 'Stopped')
  const said = (await page.locator('.note-bad').textContent()) ?? ''
  assert.match(said, /does not let acme in with this key/)
  assert.match(said, /Nothing is tried until somebody presses Look now/)
  for (const path of ['/', '/bank-files/channels', '/bank-files/channels/MYBANK']) {
    await page.goto(consoleUrl + path)
    await expectFine(page, path)
  }
  assert.deepEqual(complaints, [])
})

for (const javaScript of [true, false])
  test(`a payout file that the channel does not bring is carried by hand, ${javaScript ? 'with' : 'without'} scripts`, async () => {
    const { page, complaints } = await signIn({ javaScript })
    await createPayout(gateway, token, { id: newId(), email: BY_FILE })
    await page.goto(`${consoleUrl}/bank-files`)
    await pressOn(page, /Collect waiting payouts/)
    await page.locator('.note-good a').click()
    const path = new URL(page.url()).pathname
    await page.getByText('Waits for the channel').waitFor()
    assert.equal(await page.getByRole('button', { name: /Download/ }).count(), 0, 'while the channel has it')
    if (javaScript) await expectFine(page, path)
    await tabTo(page, 'Reason', 'textbox')
    await page.keyboard.type('the bank has locked us out')
    await pressOn(page, 'Carry it by hand')
    await page.getByText('Carried by hand').waitFor()
    await page.getByText('operator:ada: the bank has locked us out').waitFor()
    await page.getByRole('button', { name: /Download for the bank/ }).waitFor()
    assert.deepEqual(readdirSync(join(root, 'in')), [])
    assert.deepEqual(complaints, [])
  })

test('an operator has it look again, and it works; what it brings is listed', async () => {
  const { page, complaints } = await signIn()
  bank.setOpen(true)
  writeFileSync(join(root, 'out', 'no-statement.txt'), 'not a statement of any bank')
  await page.goto(`${consoleUrl}/bank-files/channels/MYBANK`)
  await pressOn(page, 'Look now')
  await page.locator('.note-good').filter({ hasText: 'the next look comes at once' }).waitFor()
  await untilSays(page, '/bank-files/channels/MYBANK', 'Works')
  await untilSays(page, '/bank-files/channels/MYBANK', 'no-statement.txt')
  await untilSays(page, '/bank-files/channels/MYBANK', 'Not takenWhy')
  await expectFine(page, '/bank-files/channels/MYBANK')
  await page.goto(`${consoleUrl}/bank-files/channels/NONE`)
  await page.getByText(/There is no channel NONE/).waitFor()
  assert.deepEqual(
    complaints.filter((each) => !each.includes('410')),
    [],
  )
})
