import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { after, test } from 'node:test'
import { type PageOptions, testBrowser, type WatchedPage } from '@tollgate/testkit/browser'
import { type ConsolePage, expectFine, signIn as signInAt, tabTo } from './support/console.ts'
import { startGateway } from './support/gateway.ts'
import { createPayin, newId, payinWithStatus } from './support/payins.ts'
import { PAYOUT_OPERATIONS } from './support/payouts.ts'
import { fundBalance } from './support/topups.ts'

// The screens of merchants and their money in a browser, before a gateway as `npm start` runs it: the tasks of operators' week.

const gateway = await startGateway({ after }, { console: true, simulator: true })
const { consoleUrl } = gateway
const browser = await testBrowser({ after })
const token = await gateway
  .demo()
  .token(...PAYOUT_OPERATIONS, 'POST /payins/.*', 'GET /payins/.*', 'POST /customers/.*')
await fundBalance(gateway, token, { id: newId(), amount: '5000' })

const LIST_BYTES_MAX = 40_000

const signIn = (code: 'ada' | 'alan', options: PageOptions = {}): Promise<WatchedPage> =>
  signInAt({ browser, consoleUrl }, gateway.operatorKey(code), { width: 1440, ...options })

const open = (page: ConsolePage, words: string): Promise<void> =>
  page.locator('summary', { hasText: new RegExp(`^${words}$`) }).click()
const done = (page: ConsolePage, words: string | RegExp): Promise<void> =>
  page.getByRole('status').filter({ hasText: words }).waitFor()
const press = (page: ConsolePage, name: string | RegExp): Promise<void> =>
  page.getByRole('button', { name, exact: typeof name === 'string' }).click()

/** Fills fields of one form of the screen, by their names. */
async function fill(
  page: ConsolePage,
  verb: string,
  fields: Readonly<Record<string, string>>,
): Promise<void> {
  for (const [name, value] of Object.entries(fields))
    await page.locator(`form:is([action$="/${verb}"], [action*="/${verb}?"]) [name="${name}"]`).fill(value)
}

/** A payin of the sandbox that has been paid. */
async function paid(): Promise<void> {
  const id = newId()
  await createPayin(gateway, token, { id, email: 'success@sandbox.test' })
  await payinWithStatus(gateway, token, { id, status: 'SUCCESS' })
}

function publicKey(): string {
  const { publicKey: key } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  return key.export({ type: 'spki', format: 'pem' }).toString()
}

/** Task 1, by keyboard: the form opens by Enter, and a merchant is made in one go. */
async function onboard(page: ConsolePage, code: string): Promise<void> {
  await page.goto(`${consoleUrl}/merchants`)
  const summary = page.locator('summary', { hasText: 'New merchant' })
  await summary.focus()
  await page.keyboard.press('Enter')
  await tabTo(page, 'Merchant code', 'textbox')
  await page.keyboard.type(code)
  await tabTo(page, /Shop’s name/, 'textbox')
  await page.keyboard.type('Papaya Games')
  await tabTo(page, /Origins/, 'textbox')
  await page.keyboard.type('https://papaya.example')
  await page.getByLabel('Enable every payment method').check()
  await tabTo(page, 'Create the merchant', 'button')
  await page.keyboard.press('Enter')
  await done(page, 'The merchant was created.')
  await page.getByRole('link', { name: /No key/ }).click()
  await open(page, 'Add a public key')
  await page.getByLabel('Public key').fill(publicKey())
  await press(page, 'Add the key')
  await done(page, 'The key counts from now on.')
  assert.equal(await page.getByRole('heading', { name: 'Left to do' }).count(), 0)
}

/** Tasks 5, 17 and 18. */
async function setTerms(page: ConsolePage, code: string): Promise<void> {
  await page.goto(`${consoleUrl}/merchants/${code}?show=terms`)
  await open(page, 'Set a rule')
  await fill(page, 'payout-rule', { currencyCode: 'eur', amountFrom: '1000' })
  await press(page, 'Replace the rule')
  await done(page, 'The rule is replaced.')
  await open(page, 'Set a cycle')
  await fill(page, 'cycle', { currencyCode: 'EUR', cycle: 'fortnightly' })
  await press(page, 'Set the cycle')
  await page.locator('form[action*="/cycle"]').getByRole('alert').waitFor()
  assert.equal(await page.locator('[name="cycle"]').inputValue(), 'fortnightly')
  await fill(page, 'cycle', { cycle: 'daily' })
  await press(page, 'Set the cycle')
  await done(page, 'The cycle is set.')
  await open(page, 'Register an account')
  await page.locator('form[action*="/account"] select').selectOption('BANK_TRANSFER')
  await fill(page, 'account', {
    currencyCode: 'EUR',
    accountNumber: 'DE89370400440532013000',
    accountName: 'Demo Ltd',
  })
  await press(page, 'Register the account')
  await done(page, 'The account is registered.')
}

/** Tasks 6 and 22. */
async function brandAndKeys(page: ConsolePage, code: string): Promise<void> {
  await page.goto(`${consoleUrl}/merchants/${code}?show=brand`)
  await fill(page, 'brand', { primaryColor: '#ffc21a', supportEmail: 'help@papaya.example' })
  await press(page, 'Save')
  await done(page, 'Saved.')
  await page.getByRole('img', { name: /The payment page in the colour of Papaya Games/ }).waitFor()
  await page.goto(`${consoleUrl}/merchants/${code}?show=callbacks`)
  await open(page, 'Rotate the key')
  await press(page, 'Rotate the callback key')
  await done(page, 'A new key signs callbacks')
  await open(page, 'Sign by a secret')
  await press(page, 'Make a callback secret')
  await page.getByText('Shown this once.').waitFor()
  assert.match((await page.locator('.cli code').textContent()) ?? '', /^whsec_/)
  await page.getByRole('link', { name: `Back to ${code}` }).click()
  await page.getByText('1 secret signs.').waitFor()
  assert.doesNotMatch(await page.content(), /whsec_/)
  await page.goto(`${consoleUrl}/merchants/${code}`)
  await page.getByRole('link', { name: /^Remove key_/ }).click()
  await press(page, /^Remove key_/)
  await done(page, 'Removed: tokens')
  await page.getByRole('link', { name: /No key/ }).waitFor()
}

for (const javaScript of [true, false])
  test(`an administrator onboards a merchant, sets its terms and its brand, and rotates its keys, ${javaScript ? 'with' : 'without'} the script`, async () => {
    const { page, complaints } = await signIn('alan', { javaScript })
    const code = `PAPAYA_${javaScript ? 1 : 2}`
    await onboard(page, code)
    await setTerms(page, code)
    await brandAndKeys(page, code)
    // The cycle that was refused on purpose.
    assert.deepEqual(
      complaints.filter((text) => !text.includes('400')),
      [],
    )
  })

for (const javaScript of [true, false])
  test(`money is settled, read, priced and kept from a payee, ${javaScript ? 'with' : 'without'} the script`, async () => {
    await paid()
    const { page, complaints } = await signIn('ada', { javaScript })
    await tabTo(page, 'Settlements', 'link')
    await page.keyboard.press('Enter')
    await page.getByRole('link', { name: 'Demo Shop' }).click()
    await open(page, 'Run a settlement')
    await page.getByLabel('Currency').fill('EUR')
    await page.getByLabel('Until').fill('now')
    await press(page, 'Show what would happen')
    await page.getByText('Would be settled', { exact: true }).waitFor()
    await press(page, 'Settle 1 period')
    await page.getByRole('heading', { name: 'What was settled' }).waitFor()
    await page.locator('a[href*="/settlements/DEMO/"]').click()
    await page.locator('summary', { hasText: 'Gross' }).click()
    await page.getByText(/payins? brought before fees/).waitFor()
    await page.getByRole('table', { name: 'Transactions' }).getByRole('link').first().click()
    await page.waitForURL(/\/payments\/PAYIN\/DEMO\//)
    await page.goto(`${consoleUrl}/balances`)
    await page.getByRole('rowheader', { name: /Owed to merchants/ }).waitFor()
    await page.goto(`${consoleUrl}/rates/SANDBOX`)
    await open(page, 'Set a rate')
    await fill(page, 'set', { currencyCode: 'USD', mid: '0.925' })
    await press(page, 'Store a new sheet')
    await done(page, 'A new sheet is stored.')
    await press(page, 'Convert')
    await page.getByText('100.00 EUR is').waitFor()
    await page.goto(`${consoleUrl}/blocked-accounts`)
    await open(page, 'Block accounts')
    await page.locator('form[action$="/block"] [name="isForAll"]').check()
    await fill(page, 'block', { accountNumbers: 'GB82 WEST 1234 5698 7654 32' })
    await press(page, 'Block the accounts')
    await done(page, javaScript ? '1 account newly blocked.' : '0 accounts newly blocked.')
    assert.deepEqual(complaints, [])
  })

test('an administrator erases a customer in two steps', async () => {
  const idCustomer = 'CUST-ERASE'
  await gateway.send({
    method: 'POST',
    path: `/customers/${idCustomer}`,
    token,
    body: { name: 'Jana Novak' },
  })
  const { page } = await signIn('alan')
  await page.goto(`${consoleUrl}/merchants/DEMO/customers`)
  await page.getByLabel('Customer id').fill(idCustomer)
  await page.keyboard.press('Enter')
  await page.getByRole('link', { name: idCustomer }).click()
  await page.getByText('J…').waitFor()
  await page.getByRole('link', { name: 'Erase…' }).click()
  await page.getByLabel(`Type ${idCustomer} to erase`).fill(idCustomer)
  await press(page, 'Erase for ever')
  await page.getByRole('heading', { name: `${idCustomer} is erased` }).waitFor()
})

const OF_ALAN = [
  '/merchants?new=1',
  '/merchants/DEMO',
  '/merchants/DEMO?show=terms',
  '/merchants/DEMO?show=brand',
  '/merchants/DEMO?show=callbacks',
  '/merchants/DEMO/customers',
  '/merchants/DEMO/customers?id=nobody',
]
const OF_ADA = [
  '/settlements',
  '/settlements/DEMO',
  '/balances',
  '/rates',
  '/rates/SANDBOX?amount=100&from=EUR&to=USD',
  '/blocked-accounts',
  '/merchants',
  '/merchants/DEMO?show=terms',
]

test('no screen of merchants and money has anything that axe finds, nor is wider than the window, in light and dark', async () => {
  await paid()
  await gateway.cli('settlements', 'run', '--merchant', 'DEMO', '--until', 'now')
  for (const [who, paths] of [['alan', OF_ALAN] as const, ['ada', OF_ADA] as const]) {
    const { page, complaints } = await signIn(who)
    for (const path of paths) await inspect(page, path)
    assert.deepEqual(complaints, [])
  }
})

/** As it is opened, and with everything opened that folds. */
async function inspect(page: ConsolePage, path: string): Promise<void> {
  const answer = await page.goto(consoleUrl + path)
  const sizes = await answer?.request().sizes()
  assert.ok((sizes?.responseBodySize ?? 0) <= LIST_BYTES_MAX, path)
  for (const opening of [
    undefined,
    'for (const each of document.querySelectorAll("details:not(.pill)")) each.open = true',
  ]) {
    if (opening !== undefined) await page.evaluate(opening)
    await expectFine(page, path)
  }
}
