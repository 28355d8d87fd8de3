import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { type PageOptions, testBrowser, type WatchedPage } from '@tollgate/testkit/browser'
import { expectFine, type ConsolePage as Page, signIn as signInTo, tabTo } from './support/console.ts'
import { startGateway } from './support/gateway.ts'
import { createPayin, newId } from './support/payins.ts'
import { createPayout, PAYOUT_OPERATIONS } from './support/payouts.ts'
import { fundBalance } from './support/topups.ts'

// The operators' console in a browser, before a gateway as `npm start` runs it.

const gateway = await startGateway({ after }, { console: true, simulator: true })
const { consoleUrl } = gateway
const browser = await testBrowser({ after })
const token = await gateway.demo().token(...PAYOUT_OPERATIONS, 'POST /payins/.*')
await fundBalance(gateway, token, { id: newId(), amount: '5000' })
const payinId = newId()
await createPayin(gateway, token, { id: payinId, email: 'success@sandbox.test' })

async function waitingPayout(): Promise<string> {
  const id = newId()
  await createPayout(gateway, token, { id, amount: '24.80', email: 'approval@sandbox.test' })
  return id
}

const signIn = (code: 'ada' | 'grace', options: PageOptions = {}): Promise<WatchedPage> =>
  signInTo({ browser, consoleUrl }, gateway.operatorKey(code), options)

/** Approves with the keyboard; Enter in the reason decides nothing. */
async function approve(page: Page, id: string, words: RegExp): Promise<void> {
  await page.goto(`${consoleUrl}/payouts/PAYOUT/DEMO/${id}`)
  await tabTo(page, 'Reason', 'textbox')
  await page.keyboard.type('Invoice checked.')
  await page.keyboard.press('Enter')
  assert.equal(new URL(page.url()).search, '', 'Enter did not decide')
  await tabTo(page, words, 'button')
  await page.keyboard.press('Enter')
  await page.getByRole('status').filter({ hasText: 'Approved.' }).waitFor()
}

for (const javaScript of [true, false])
  test(`two operators find a payment and send a payout by keyboard, ${javaScript ? 'with' : 'without'} the script`, async () => {
    const id = await waitingPayout()
    const ada = await signIn('ada', { width: 1280, javaScript })
    await tabTo(ada.page, /Payouts need approval/, 'link')
    if (javaScript) await ada.page.keyboard.press('Control+k')
    else await ada.page.getByRole('searchbox').focus()
    await ada.page.keyboard.type(payinId)
    await ada.page.keyboard.press('Enter')
    await ada.page.waitForURL(/search/)
    await tabTo(ada.page, payinId, 'link')
    await ada.page.keyboard.press('Enter')
    await ada.page.getByRole('heading', { name: 'Timeline' }).waitFor()
    await ada.page.getByText('Ledger: Payin success').waitFor()
    await approve(ada.page, id, /^Approve 24\.80 EUR$/)
    const grace = await signIn('grace', { width: 1280, javaScript })
    await approve(grace.page, id, /^Approve and send 24\.80 EUR$/)
    await grace.page.getByRole('link', { name: 'Open the payment' }).click()
    await grace.page.getByText('Approval: Approve').first().waitFor()
    assert.deepEqual([...ada.complaints, ...grace.complaints], [])
  })

test('no screen has anything that axe finds, nor is wider than the window, in light and dark', async () => {
  const id = await waitingPayout()
  const paths = ['/', '/payments', '/payments?status=FAILED&amountFrom=1', `/payments/PAYIN/DEMO/${payinId}`]
  paths.push('/search?q=nothing', '/payouts', `/payouts/PAYOUT/DEMO/${id}`, '/payouts?status=ON_HOLD')
  paths.push('/callbacks', '/nowhere')
  const { page, complaints } = await signIn('ada')
  for (const path of [...paths, '/sign-in']) {
    await page.goto(consoleUrl + path)
    await expectFine(page, path)
  }
  // The screen that is not there is the one complaint.
  assert.deepEqual(
    complaints.filter((text) => !text.includes('404')),
    [],
  )
})

test('a payout that was put on hold is let go by another operator', async () => {
  const id = await waitingPayout()
  const ada = await signIn('ada', { width: 1280 })
  const path = `${consoleUrl}/payments/PAYOUT/DEMO/${id}`
  await ada.page.goto(path)
  await ada.page.getByLabel('Reason').fill('The merchant called.')
  await ada.page.getByRole('button', { name: 'Put on hold' }).click()
  await ada.page.getByRole('status').filter({ hasText: 'on hold' }).waitFor()
  const grace = await signIn('grace', { width: 1280 })
  await grace.page.goto(path)
  await grace.page.getByLabel('Reason').fill('Cleared up.')
  await grace.page.getByRole('button', { name: 'Release' }).click()
  await grace.page.getByRole('status').filter({ hasText: 'Released' }).waitFor()
})
