import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, test } from 'node:test'
import { callbackReceiver, waitUntil } from '@tollgate/testkit'
import { testBrowser, type WatchedPage } from '@tollgate/testkit/browser'
import { type ConsolePage, signIn } from './support/console.ts'
import { startGateway } from './support/gateway.ts'
import { at, listAt } from './support/json.ts'
import { createPayin, newId, payinWithStatus } from './support/payins.ts'
import { createPayout, PAYOUT_OPERATIONS, payoutWithStatus } from './support/payouts.ts'
import { fundBalance } from './support/topups.ts'

// The console without its script: those tasks of docs/operators.md, by their numbers, that no other test here does without it.

const gateway = await startGateway(
  { after },
  {
    console: true,
    settings: { TOLLGATE_CALLBACK_INTERVAL_SECONDS: '1', TOLLGATE_CALLBACK_TIMEOUT_SECONDS: '1' },
  },
)
const { consoleUrl } = gateway
const browser = await testBrowser({ after })
const token = await gateway
  .demo()
  .token(...PAYOUT_OPERATIONS, 'POST /payins/.*', 'GET /payins/.*', 'POST /customers/.*')
await fundBalance(gateway, token, { id: newId(), amount: '5000' })

async function plainly(code: 'ada' | 'alan', path: string): Promise<WatchedPage> {
  const at = { browser, consoleUrl }
  const watched = await signIn(at, gateway.operatorKey(code), { javaScript: false })
  await watched.page.goto(consoleUrl + path)
  return watched
}

const says = (page: ConsolePage, hasText: string | RegExp): Promise<void> =>
  page.getByRole('status').filter({ hasText }).first().waitFor()

const press = (page: ConsolePage, name: string | RegExp): Promise<void> =>
  page.getByRole('button', { name }).first().click()

test('12 a payout is rejected, and its reason is kept', async () => {
  const id = newId()
  await createPayout(gateway, token, { id, amount: '24.80', email: 'approval@sandbox.test' })
  const { page, complaints } = await plainly('ada', '/payouts')
  await page.locator('.queue').getByRole('link').filter({ hasText: id }).click()
  await page.getByLabel('Reason').fill('Call us.')
  await press(page, /^Reject/)
  await says(page, 'Rejected')
  await payoutWithStatus(gateway, token, { id, status: 'CANCELLED' })
  await page.goto(`${consoleUrl}/payments/PAYOUT/DEMO/${id}`)
  await page.getByText('Call us.').first().waitFor()
  assert.deepEqual(complaints, [])
})

test('16 callbacks that are out of attempts are sent again, one and then all of a merchant', async () => {
  let isUp = false
  const taken: string[] = []
  const receiver = await callbackReceiver(
    { after },
    {
      answer({ body }) {
        if (isUp) taken.push(body)
        return isUp ? 200 : 500
      },
    },
  )
  const ids = [newId(), newId(), newId()]
  for (const id of ids)
    await createPayin(gateway, token, { id, email: 'success@sandbox.test', callbackUrl: receiver.url })
  const exhausted = { method: 'GET', path: '/operator/callbacks?state=EXHAUSTED&merchantCode=DEMO' }
  const waiting = async (): Promise<number> => {
    const { body } = await gateway.sendToOperators({ ...exhausted, token: gateway.operatorKey('ada') })
    return listAt(body, 'data').filter((each) => ids.includes(String(at(each, 'idPayment')))).length
  }
  const untilWaiting = (count: number): Promise<void> =>
    waitUntil(async () => (await waiting()) === count, {
      timeoutMs: 60_000,
      what: `${count} callbacks that are out of attempts`,
    })
  await untilWaiting(3)
  isUp = true
  const { page, complaints } = await plainly('ada', '/callbacks')
  await page.getByRole('link', { name: 'Out of attempts' }).click()
  await press(page, `Send again the callback of ${ids[1] ?? ''}`)
  await says(page, 'Sent again')
  await untilWaiting(2)
  await page.goto(`${consoleUrl}/callbacks?state=EXHAUSTED&merchantCode=DEMO`)
  await page.locator('summary', { hasText: 'Send all again' }).click()
  await press(page, 'Send all again, of DEMO')
  await says(page, 'callbacks sent again')
  await untilWaiting(0)
  for (const id of ids) assert.ok(taken.some((body) => body.includes(id)))
  assert.deepEqual(complaints, [])
})

test('20 the payments of a filter are taken away as a file', async () => {
  const [wanted, other] = [newId(), newId()]
  for (const id of [wanted, other]) {
    await createPayin(gateway, token, { id, email: 'success@sandbox.test' })
    await payinWithStatus(gateway, token, { id, status: 'SUCCESS' })
  }
  const { page } = await plainly('ada', `/payments?idPayment=${wanted}`)
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Export CSV' }).click(),
  ])
  const lines = readFileSync(await file.path(), 'utf8')
    .trim()
    .split('\n')
  assert.equal(lines.length, 2, 'the names of the columns, and the payment')
  assert.ok(lines[1]?.includes(wanted))
})

test('23 a customer is blocked, let in again and erased', async () => {
  const idCustomer = 'CUST-PLAIN'
  const made = { method: 'POST', path: `/customers/${idCustomer}`, token, body: { name: 'Jana Novak' } }
  await gateway.send(made)
  const { page, complaints } = await plainly('alan', '/merchants/DEMO/customers')
  await page.getByLabel('Customer id').fill(idCustomer)
  await press(page, 'Find')
  await page.getByRole('link', { name: idCustomer }).click()
  await press(page, /^Block/)
  await says(page, 'Blocked')
  await press(page, /^Unblock/)
  await says(page, 'again')
  await page.getByRole('link', { name: 'Erase…' }).click()
  await page.getByLabel(`Type ${idCustomer} to erase`).fill(idCustomer)
  await press(page, 'Erase for ever')
  await page.getByRole('heading', { name: `${idCustomer} is erased` }).waitFor()
  assert.deepEqual(complaints, [])
})

test('24 a bank is closed, and opened again', async () => {
  const { page, complaints } = await plainly('ada', '/health')
  await page.getByLabel(/^Code/).fill('OTTER_WALLET')
  await page.getByLabel(/^State/).selectOption('CLOSED')
  await page.getByLabel(/^Reason/).fill('maintenance until six')
  await press(page, 'Set the state')
  await says(page, 'Set. What is closed')
  await page.getByRole('row').filter({ hasText: 'OTTER_WALLET' }).getByRole('button').first().click()
  await says(page, /./)
  assert.equal(await page.getByRole('row').filter({ hasText: 'maintenance until six' }).count(), 0)
  assert.deepEqual(complaints, [])
})

test('25 the last check of the books and the last backup are read', async () => {
  await gateway.cli('ledger', 'check')
  const { page, complaints } = await plainly('ada', '/health')
  // The foot of the screen says "Ledger balanced", too, once the console has asked.
  await page.getByText('Balanced', { exact: true }).waitFor()
  await page.getByText('Last backup').waitFor()
  assert.deepEqual(complaints, [])
})

test('26 a person is made and invited; the invitation says that a passkey takes a script', async () => {
  const { page, complaints } = await plainly('alan', '/operators')
  await page.locator('summary', { hasText: 'New operator' }).click()
  await page.getByLabel(/^Code/).first().fill('nora')
  await page.getByLabel(/^Name/).first().fill('Nora Newcomer')
  await page.getByRole('checkbox', { name: /^Support/ }).check()
  await press(page, 'Create the operator')
  await press(page, 'Invite Nora Newcomer')
  const link = (await page.locator('code').filter({ hasText: 'tgoi_' }).textContent()) ?? ''
  assert.match(link, /\/invitation#tgoi_/)
  await page.goto(link)
  await page
    .getByText(/JavaScript/)
    .first()
    .waitFor()
  assert.deepEqual(complaints, [])
})
