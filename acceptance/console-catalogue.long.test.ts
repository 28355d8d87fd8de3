import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { type PageOptions, testBrowser, type WatchedPage } from '@tollgate/testkit/browser'
import { type ConsolePage, expectFine, pressOn, signIn as signInAt, tabTo } from './support/console.ts'
import { startGateway } from './support/gateway.ts'
import { at, itemWith, listAt } from './support/json.ts'

// The catalogue, a merchant's terms and the health of the gateway in the operators' console, in a browser.

const gateway = await startGateway({ after }, { console: true })
const { consoleUrl } = gateway
const browser = await testBrowser({ after })
// Before anybody looks: what is known is asked for once a minute.
await gateway.cli('ledger', 'check')

const signIn = (options: PageOptions = {}, code: 'ada' | 'alan' = 'alan'): Promise<WatchedPage> =>
  signInAt({ browser, consoleUrl }, gateway.operatorKey(code), { width: 1440, ...options })

const done = (page: ConsolePage, hasText: string): Promise<void> =>
  page.getByRole('status').filter({ hasText }).waitFor()

const segment = (code: string, name: string): string => `segments:\n  - { code: ${code}, name: ${name} }\n`

async function explained(amount: string): Promise<unknown> {
  const { stdout } = await gateway.cli('catalogue', 'explain', 'DEMO', amount, 'EUR', '--json')
  return itemWith(listAt(JSON.parse(stdout), 'methods'), 'paymentMethodCode', 'BANK_TRANSFER')
}

for (const javaScript of [true, false]) {
  const words = javaScript ? 'with the script' : 'without'
  const code = javaScript ? 'WITH' : 'WITHOUT'

  test(`a document is shown as a difference and applied by keyboard, ${words}`, async () => {
    const { page, complaints } = await signIn({ javaScript })
    await page.goto(`${consoleUrl}/catalogue/document`)
    await tabTo(page, /^Document/, 'textbox')
    await page.keyboard.insertText(segment(code, 'Somebody'))
    await pressOn(page, 'Show the difference')
    await page.getByText('1 added. Nothing was changed yet.').waitFor()
    await pressOn(page, 'Apply 1 change')
    await done(page, '1 item changed.')
    await page.getByRole('link', { name: 'Before and after' }).click()
    await page.getByText(code, { exact: true }).first().waitFor()
    assert.deepEqual(complaints, [])
  })

  test(`K50 what was shown is not applied when the catalogue has changed since, ${words}`, async () => {
    const { page } = await signIn({ javaScript })
    const moved = `${code}_MOVED`
    await page.goto(`${consoleUrl}/catalogue/document`)
    await page.getByLabel(/^Document/).fill(segment(moved, 'Shown'))
    await page.getByRole('button', { name: 'Show the difference' }).click()
    const other = await signIn({ javaScript })
    await other.page.goto(`${consoleUrl}/catalogue/document`)
    await other.page.getByLabel(/^Document/).fill(segment(moved, 'Other'))
    await other.page.getByRole('button', { name: 'Show the difference' }).click()
    await other.page.getByRole('button', { name: /^Apply/ }).click()
    await done(other.page, '1 item changed.')
    await page.getByRole('button', { name: /^Apply/ }).click()
    await page.getByRole('alert').filter({ hasText: 'This is not what was shown' }).waitFor()
    assert.match(await page.getByLabel(/^Document/).inputValue(), /Shown/)
    await page.getByRole('button', { name: 'Show the difference' }).click()
    const change = page.getByRole('row').filter({ hasText: moved })
    await change.getByText('Other').waitFor()
    await change.getByText('Shown').waitFor()
  })

  test(`a merchant’s fee, limits and methods are set, and the simulator tells the fee, ${words}`, async () => {
    const { page, complaints } = await signIn({ javaScript })
    const fixed = javaScript ? '0.31' : '0.37'
    await page.goto(`${consoleUrl}/merchants/DEMO/terms`)
    await page.getByRole('link', { name: 'change BANK_TRANSFER EUR' }).click()
    const fee = page.getByRole('region', { name: 'Set a fee' })
    await fee.getByLabel(/^Fixed/).fill(fixed)
    await fee.getByLabel(/^Percent/).fill('1.333')
    await fee.getByRole('button', { name: 'Set the fee' }).click()
    await done(page, 'The fee is set.')
    await page.getByText(`${fixed} + 1.333%`).waitFor()
    const limits = page.getByRole('region', { name: 'Set limits' })
    await limits.getByLabel('Method').selectOption('BANK_TRANSFER')
    await limits.getByLabel('Currency').selectOption('EUR')
    await limits.getByLabel('Greatest amount').fill('4000')
    await limits.getByRole('button', { name: 'Set the limits' }).click()
    await done(page, 'The limits are set.')
    await page.getByText(/to 4,000\.00/).waitFor()
    await page.goto(
      `${consoleUrl}/catalogue/explain?merchantCode=DEMO&amount=149.90&currencyCode=EUR&kind=PAYIN`,
    )
    const told = page.locator('details').filter({ hasText: `${fixed} + 1.333%` })
    const taken = String(at(await explained('149.90'), 'fees', 0, 'fee', 'amount'))
    assert.match((await told.locator('summary').textContent()) ?? '', new RegExp(taken.replace('.', '[.]')))
    await page.getByLabel('Amount').fill('4000.01')
    await page.getByRole('button', { name: 'Explain' }).click()
    await page.getByText('above the maximum of 4000 EUR of BANK_TRANSFER').waitFor()
    await page.goto(`${consoleUrl}/merchants/DEMO/terms`)
    await page.getByRole('button', { name: 'Disable Offline transfer' }).click()
    await done(page, 'Disabled.')
    await page.getByRole('button', { name: 'Enable Offline transfer' }).click()
    await done(page, 'Enabled.')
    assert.deepEqual(complaints, [])
  })

  test(`a bank that is down is closed and cleared, ${words}`, async () => {
    const { page, complaints } = await signIn({ javaScript })
    await page.goto(`${consoleUrl}/catalogue/operators?name=otter`)
    await page
      .getByRole('link', { name: /Set the state of Otter/ })
      .first()
      .click()
    await page.getByLabel('Reason').fill('Maintenance until six.')
    await page.getByRole('button', { name: 'Set the state' }).click()
    await done(page, 'What is closed takes no payments')
    const row = page.getByRole('row').filter({ hasText: 'Maintenance until six.' })
    await row.getByText('Closed', { exact: true }).waitFor()
    await row.getByRole('button', { name: /^Clear/ }).click()
    await done(page, 'what the workers see counts again')
    assert.deepEqual(complaints, [])
  })
}

test('faults of a document are told with their lines, beside what was typed', async () => {
  const { page } = await signIn()
  await page.goto(`${consoleUrl}/catalogue/document`)
  await page.getByLabel(/^Document/).fill('segments:\n  - { code: vip, name: No }\ncurrency: []\n')
  await page.getByRole('button', { name: 'Show the difference' }).click()
  const faults = page.getByRole('listitem').filter({ hasText: /^line \d+:/ })
  assert.ok((await faults.count()) >= 2)
  assert.match(
    (await faults.first().textContent()) ?? '',
    /line 3: "currency" is not known here[\s\S]*currency: \[\]/,
  )
  assert.match(await page.getByLabel(/^Document/).inputValue(), /code: vip/)
})

test('a file is read into the document with the script, and the export is that file', async () => {
  const { page, complaints } = await signIn()
  await page.goto(`${consoleUrl}/catalogue/document`)
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Export YAML' }).click(),
  ])
  assert.match(download.suggestedFilename(), /^catalogue-\d{4}-\d\d-\d\d\.yaml$/)
  await page.locator('input[type=file]').setInputFiles(await download.path())
  await page.getByRole('button', { name: 'Show the difference' }).click()
  await page.getByText('Nothing to change').waitFor()
  assert.deepEqual(complaints, [])
})

test('an account of ours is added, made the default and retired', async () => {
  const { page } = await signIn()
  await page.goto(`${consoleUrl}/catalogue/accounts`)
  await page.getByLabel(/^Code/).fill('second_eur')
  await page.getByLabel(/^Currency/).fill('EUR')
  await page.getByLabel(/^Holder/).fill('My Company GmbH')
  await page.getByLabel('Bank', { exact: true }).fill('My Bank')
  await page.getByLabel('IBAN').fill('DE00370400440532013000')
  await page.getByRole('button', { name: 'Add the account' }).click()
  await page.getByRole('alert').filter({ hasText: 'Not done.' }).waitFor()
  assert.equal(await page.getByLabel(/^Holder/).inputValue(), 'My Company GmbH')
  await page.getByLabel('IBAN').fill('DE89370400440532013000')
  await page.getByRole('button', { name: 'Add the account' }).click()
  await done(page, 'The account is added.')
  const row = page.getByRole('row').filter({ hasText: 'SECOND_EUR' })
  await row.getByText('DE89 3704 0044 0532 0130 00').waitFor()
  await row.locator('summary').click()
  await row.getByRole('button', { name: /^Retire for good/ }).click()
  await done(page, 'Retired.')
  await row.getByText('Retired').waitFor()
})

const PATHS = [
  '/catalogue',
  '/catalogue/methods/BANK_TRANSFER',
  '/catalogue/methods/NONE',
  '/catalogue/operators',
  '/catalogue/operators?name=zzz',
  '/catalogue/currencies',
  '/catalogue/fees?kind=PAYOUT',
  '/catalogue/accounts',
  '/catalogue/rails',
  '/catalogue/document?from=current',
  '/catalogue/changes',
  '/catalogue/explain?merchantCode=DEMO&amount=149.90&currencyCode=EUR',
  '/merchants/DEMO/terms',
  '/merchants/DEMO/terms?kind=TOPUP&method=WALLET&currency=EUR',
  '/health',
]

test('no screen has anything that axe finds, nor is wider than the window, in light and dark', async () => {
  const { page, complaints } = await signIn()
  for (const path of PATHS) {
    await page.goto(consoleUrl + path)
    await expectFine(page, path)
  }
  assert.deepEqual(complaints, [])
})

test('health says when the books were checked, and every screen at its foot', async () => {
  const { page } = await signIn({}, 'ada')
  await page.getByText('Ledger balanced').waitFor()
  await page.goto(`${consoleUrl}/health`)
  await page.getByText('Balanced', { exact: true }).waitFor()
  await page.getByText(/^\d+:[0-9a-f]{64}$/).waitFor()
  await page.getByText('others are not known here').waitFor()
})
