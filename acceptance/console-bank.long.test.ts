import assert from 'node:assert/strict'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { runSql, testDatabase, waitUntil } from '@tollgate/testkit'
import { type PageOptions, testBrowser, type WatchedPage } from '@tollgate/testkit/browser'
import { type ConsolePage, expectFine, pressOn, signIn as signInAt, tabTo } from './support/console.ts'
import { startGateway, temporaryFolder } from './support/gateway.ts'
import { at, listAt, textAt } from './support/json.ts'
import { type Booking, mt940 } from './support/mt940.ts'
import { statusReport } from './support/pain002.ts'
import { createPayin, newId, payinWithStatus } from './support/payins.ts'
import { createPayout, PAYOUT_OPERATIONS, payoutWithStatus } from './support/payouts.ts'
import { fundBalance } from './support/topups.ts'

// Bank documents and decisions at the console, in a browser, before a gateway that wants two people from 50 EUR on: the tasks
// of docs/operators.md with statements, suspense, payout files, reports and unknown outcomes.

const TIMEOUT_MS = 60_000
const folder = join(temporaryFolder(), 'statements')
mkdirSync(folder)
const { url: databaseUrl } = await testDatabase({ after })
const settings = {
  TOLLGATE_SECOND_PERSON: 'on',
  TOLLGATE_SECOND_PERSON_FROM: 'EUR=50',
  TOLLGATE_STATEMENTS_DIR: folder,
}
const gateway = await startGateway({ after }, { console: true, databaseUrl, settings })
const { consoleUrl } = gateway
const browser = await testBrowser({ after })
const token = await gateway.demo().token(...PAYOUT_OPERATIONS, 'POST /payins/.*', 'GET /payins/.*')
await fundBalance(gateway, token, { id: newId(), amount: '5000' })
const otto = (await gateway.cli('operators', 'create', 'otto', '--role', 'APPROVER')).stdout.trim()
const KEYS = { ada: gateway.operatorKey('ada'), grace: gateway.operatorKey('grace'), otto }

const signIn = (code: keyof typeof KEYS, options: PageOptions = {}): Promise<WatchedPage> =>
  signInAt({ browser, consoleUrl }, KEYS[code], { width: 1440, ...options })

/** The reason, and the button; Enter in the reason decides nothing. */
async function decide(page: ConsolePage, reason: string, button: string | RegExp): Promise<void> {
  await tabTo(page, 'Reason', 'textbox')
  await page.keyboard.type(reason)
  const before = page.url()
  await page.keyboard.press('Enter')
  assert.equal(page.url(), before, 'Enter did not decide')
  await page.getByRole('button', { name: button }).first().focus()
  await page.keyboard.press('Enter')
}

const says = (page: ConsolePage, text: string | RegExp): Promise<void> =>
  page.locator('.note').filter({ hasText: text }).first().waitFor()

/** Chooses the file and imports it, from the screen that has the form. */
async function importFile(page: ConsolePage, path: string, name: string, text: string): Promise<void> {
  await page.goto(consoleUrl + path)
  await page
    .locator('input[type=file]')
    .setInputFiles({ name, mimeType: 'text/plain', buffer: Buffer.from(text) })
  await pressOn(page, /^Import$/)
}

async function lineIdOf(amount: string): Promise<string> {
  const path = '/operator/statement-lines?limit=100'
  const { body } = await gateway.sendToOperators({ method: 'GET', path, token: KEYS.otto })
  const line = listAt(body, 'data').find((each) => String(at(each, 'money', 'amount')) === amount)
  return textAt(line, 'lineId')
}

/** A statement of more than 50 EUR that ada brings and grace confirms, so that its lines are there. */
async function confirmedStatement(bookings: readonly Booking[], options: PageOptions = {}): Promise<void> {
  const ada = await signIn('ada', options)
  await importFile(
    ada.page,
    '/statements/import',
    'day.sta',
    mt940([...bookings, ['51', `a gift ${newId()}`]]),
  )
  await says(ada.page, 'Nothing has followed yet')
  const grace = await signIn('grace', options)
  await grace.page.goto(ada.page.url())
  await decide(grace.page, 'Compared with the portal.', /^Confirm/)
  await says(grace.page, 'Confirmed, and carried out.')
  assert.deepEqual([...ada.complaints, ...grace.complaints], [])
}

for (const javaScript of [true, false])
  test(`one operator uploads a statement and another one confirms it, ${javaScript ? 'with' : 'without'} the script`, async () => {
    const ada = await signIn('ada', { javaScript })
    await pressOn(ada.page, 'Suspense', 'link')
    await ada.page.waitForURL(`${consoleUrl}/suspense`)
    await pressOn(ada.page, 'Import statement', 'link')
    await ada.page.waitForURL(`${consoleUrl}/statements/import`)
    await importFile(ada.page, '/statements/import', '2026-11-20.sta', mt940([['60', `a gift ${newId()}`]]))
    await ada.page.waitForURL(/\/confirmations\/\d+\?done=waits$/)
    await says(ada.page, 'Nothing has followed yet')
    await ada.page.getByText('You proposed it, so somebody else decides.').waitFor()
    assert.equal(await ada.page.getByRole('button', { name: /Confirm|Refuse/ }).count(), 0)
    assert.equal(await ada.page.getByRole('button', { name: 'Withdraw' }).count(), 1)
    const grace = await signIn('grace', { javaScript })
    await pressOn(grace.page, /Proposals need a second operator/, 'link')
    await grace.page.waitForURL(`${consoleUrl}/confirmations`)
    await pressOn(grace.page, '2026-11-20.sta', 'link')
    await grace.page.getByText('Goes into suspense (1)').waitFor()
    await decide(grace.page, 'Compared with the portal.', /^Confirm 60\.00 EUR$/)
    await says(grace.page, 'Confirmed, and carried out.')
    await pressOn(grace.page, 'Open the statements', 'link')
    await grace.page
      .getByRole('row', { name: /2026-11-20\.sta.*ada, grace/ })
      .first()
      .waitFor()
    assert.deepEqual([...ada.complaints, ...grace.complaints], [])
  })

test('a file that cannot be taken says where, and what was typed is kept', async () => {
  const { page } = await signIn('ada')
  await page.goto(`${consoleUrl}/statements/import`)
  await page.getByText('Encoding, CSV and strictness').click()
  await page.getByLabel('Encoding').fill('cp850')
  const broken = mt940([['60', 'a gift']]).replace(/^:61:.*$/m, ':61:nonsense')
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'a.sta', mimeType: 'text/plain', buffer: Buffer.from(broken) })
  await page.getByRole('button', { name: 'Import' }).click()
  await page
    .getByRole('alert')
    .filter({ hasText: /Not done\. line \d+/ })
    .waitFor()
  await says(page, 'Choose the file again')
  assert.equal(await page.getByLabel('Encoding').inputValue(), 'cp850')
})

for (const [javaScript, cents] of [
  [true, '4'],
  [false, '5'],
] as const)
  test(`money in suspense is matched, returned and noted, ${javaScript ? 'with' : 'without'} the script`, async () => {
    const [matched, returned, noted] = [`12.3${cents}`, `31.2${cents}`, `3.1${cents}`]
    const id = newId()
    await createPayin(gateway, token, { id, amount: matched })
    await confirmedStatement(
      [
        [matched, 'an order'],
        [returned, 'not for us'],
        [`-${noted}`, 'charges'],
      ],
      { javaScript },
    )
    const [matchedLine, returnedLine, notedLine] = await Promise.all([matched, returned, noted].map(lineIdOf))
    const { page, complaints } = await signIn('grace', { javaScript })
    await pressOn(page, /Bank lines in suspense/, 'link')
    await page.locator('summary').filter({ hasText: 'Currency' }).click()
    await page.locator('details[open]').getByRole('textbox').fill('eur')
    await page.locator('details[open]').getByRole('button', { name: 'Apply' }).click()
    await page.waitForURL(/currencyCode=eur/)
    await page.goto(`${consoleUrl}/suspense/${matchedLine}`)
    await page.getByText('The amount is the one asked for').waitFor()
    await decide(page, 'The payer sent the receipt.', `Match ${id}`)
    await says(page, 'the money is the payment’s')
    await payinWithStatus(gateway, token, { id, status: 'SUCCESS' })
    await page.goto(`${consoleUrl}/suspense/${returnedLine}`)
    await decide(page, 'Not for us.', 'Return the money')
    await says(page, /Send the money back from your bank under the reference [0-9A-Z]{12}/)
    await page.goto(`${consoleUrl}/suspense/${notedLine}`)
    assert.equal(await page.getByRole('button', { name: 'Return the money' }).count(), 0)
    await decide(page, 'The bank’s charges.', 'Note it')
    await says(page, 'Noted.')
    assert.deepEqual(complaints, [])
  })

test('what is lacking is covered by two, of whom none brought the statement', async () => {
  const id = newId()
  const { body } = await createPayin(gateway, token, { id, amount: '70' })
  await confirmedStatement([['69.5', `order ${textAt(body, 'paymentMethodResponse', 'reference')}`]])
  const path = `${consoleUrl}/suspense/${await lineIdOf('69.5')}`
  const grace = await signIn('grace')
  await grace.page.goto(path)
  await grace.page.getByText('A second operator confirms it').waitFor()
  await decide(grace.page, 'The payer’s bank took half a euro.', `Cover 0.50 EUR ${id}`)
  await says(grace.page, 'Nothing has followed yet')
  const confirmation = grace.page.url().replace(/\?.*/, '')
  const ada = await signIn('ada')
  await ada.page.goto(confirmation)
  await decide(ada.page, 'Seen.', /^Confirm/)
  await says(ada.page, 'You handed in the file that brought this line')
  const third = await signIn('otto')
  await third.page.goto(confirmation)
  await third.page.getByText('The gateway gives').waitFor()
  await decide(third.page, 'Seen.', /^Confirm 70\.00 EUR$/)
  await says(third.page, 'Confirmed, and carried out.')
  await payinWithStatus(gateway, token, { id, status: 'SUCCESS' })
  await pressOn(third.page, 'Open the bank line', 'link')
  await third.page.getByText('the difference covered by grace and otto').waitFor()
})

for (const javaScript of [true, false])
  test(`a payout file goes to the bank, and its report comes back, ${javaScript ? 'with' : 'without'} the script`, async () => {
    const id = newId()
    const { body } = await createPayout(gateway, token, { id, amount: '11.70', email: 'file@sandbox.test' })
    const grace = await signIn('grace', { javaScript })
    await pressOn(grace.page, 'Bank files', 'link')
    await pressOn(grace.page, 'Collect waiting payouts')
    await says(grace.page, '1 file made')
    await grace.page.locator('.note a').click()
    await grace.page.getByRole('link', { name: id }).waitFor()
    const fileId = grace.page.url().split('/').at(-1) ?? ''
    const download = grace.page.waitForEvent('download')
    await pressOn(grace.page, 'Download for the bank')
    const saved = await (await download).path()
    assert.match(readFileSync(saved, 'utf8'), new RegExp(fileId))
    await pressOn(grace.page, /^The bank has it/)
    await says(grace.page, 'Noted: the bank has it')
    const ada = await signIn('ada', { javaScript })
    await pressOn(ada.page, 'Bank files', 'link')
    await pressOn(ada.page, 'Status reports', 'link')
    await pressOn(ada.page, 'Import a report', 'link')
    await ada.page.waitForURL(`${consoleUrl}/bank-files/reports/import`)
    const report = statusReport(fileId, [[textAt(body, 'paymentMethodResponse', 'reference'), 'ACSC']])
    await importFile(ada.page, '/bank-files/reports/import', 'status.xml', report)
    await says(ada.page, 'The report was taken')
    await ada.page.getByRole('row', { name: /Executed.*Applied/ }).waitFor()
    await payoutWithStatus(gateway, token, { id, status: 'SUCCESS' })
    await importFile(ada.page, '/bank-files/reports/import', 'status.xml', report)
    await says(ada.page, 'taken before')
    assert.deepEqual([...ada.complaints, ...grace.complaints], [])
  })

/** A payout whose institution does not answer, and of which that is so for an hour. */
async function unknownPayout(): Promise<string> {
  const id = newId()
  await createPayout(gateway, token, { id, email: 'unknown@sandbox.test' })
  await payoutWithStatus(gateway, token, { id, status: 'UNKNOWN' })
  await runSql(
    databaseUrl,
    `update payment_tasks set unknown_since = unknown_since - interval '1 h', due_at = due_at + interval '1 h' where id_payment = $1`,
    [id],
  )
  return id
}

for (const javaScript of [true, false])
  test(`two operators decide an unknown outcome by keyboard, ${javaScript ? 'with' : 'without'} the script`, async () => {
    const id = await unknownPayout()
    for (const [code, after] of [
      ['ada', /You decided: executed\. Nothing has followed yet/],
      ['grace', /Decided: executed/],
    ] as const) {
      const { page, complaints } = await signIn(code, { javaScript })
      await pressOn(page, /Payments with unknown outcome/, 'link')
      await pressOn(page, id, 'link')
      await page.getByRole('heading', { name: 'What was asked, answered and decided' }).waitFor()
      await tabTo(page, /^Executed/, 'radio')
      await page.keyboard.press('Space')
      await decide(page, 'Statement of today, line 14.', 'Decide')
      await says(page, after)
      assert.deepEqual(complaints, [])
    }
    await payoutWithStatus(gateway, token, { id, status: 'SUCCESS' })
  })

test('a file of the folder that could not be taken is listed with its reason, and fetched by a press', async () => {
  writeFileSync(join(folder, 'broken.sta'), 'this is no statement')
  const { page } = await signIn('ada')
  const isListed = async (): Promise<boolean> => {
    await page.goto(`${consoleUrl}/statements/failed`)
    return (await page.getByRole('row', { name: /broken\.sta.*neither XML/ }).count()) > 0
  }
  await waitUntil(isListed, { timeoutMs: TIMEOUT_MS, what: 'broken.sta' })
  const download = page.waitForEvent('download')
  await pressOn(page, 'Fetch broken.sta')
  assert.equal(readFileSync(await (await download).path(), 'utf8'), 'this is no statement')
})

/** A payout file, and a report about it of which one entry is put aside. */
async function reportedFile(): Promise<void> {
  const { body } = await createPayout(gateway, token, {
    id: newId(),
    amount: '1.10',
    email: 'file@sandbox.test',
  })
  const run = { method: 'POST', path: '/operator/payout-files', token: KEYS.grace, body: {} }
  const fileId = textAt((await gateway.sendToOperators(run)).body, 'files', 0, 'fileId')
  const lines = [
    [textAt(body, 'paymentMethodResponse', 'reference'), 'ACSC'] as const,
    ['NOBODYS', 'RJCT'] as const,
  ]
  const { status } = await gateway.sendToOperators({
    method: 'POST',
    path: '/operator/payout-reports?fileName=status.xml',
    token: KEYS.ada,
    rawBody: statusReport(fileId, lines),
    headers: { 'content-type': 'application/xml' },
  })
  assert.equal(status, 200)
}

test('no screen of banks has anything that axe finds, nor is wider than the window, in light and dark', async () => {
  await unknownPayout()
  await reportedFile()
  await confirmedStatement([['50.01', 'a gift']])
  const ada = await signIn('ada')
  await importFile(ada.page, '/statements/import', 'waits.sta', mt940([['50.02', 'a gift']]))
  const confirmation = new URL(ada.page.url()).pathname
  const paths = [
    '/',
    '/suspense',
    '/suspense?show=decided',
    `/suspense/${await lineIdOf('50.01')}`,
    '/statements',
  ]
  paths.push(
    '/statements/import',
    '/statements/failed',
    '/confirmations',
    '/confirmations?show=ended',
    confirmation,
  )
  paths.push('/bank-files', '/bank-files/reports', '/bank-files/reports/import', '/reviews')
  for (const [list, pattern] of [
    ['/bank-files', /^\/bank-files\/[A-Z0-9]+$/],
    ['/bank-files/reports', /^\/bank-files\/reports\/\d+$/],
    ['/reviews', /^\/reviews\/PAYOUT\//],
  ] as const) {
    await ada.page.goto(consoleUrl + list)
    const hrefs = await ada.page
      .locator('tbody a')
      .evaluateAll((links) => links.map((link) => link.getAttribute('href') ?? ''))
    paths.push(hrefs.find((href) => pattern.test(href)) ?? assert.fail(`nothing in ${list}`))
  }
  for (const path of paths) {
    await ada.page.goto(consoleUrl + path)
    await expectFine(ada.page, path)
  }
  assert.deepEqual(ada.complaints, [])
})
