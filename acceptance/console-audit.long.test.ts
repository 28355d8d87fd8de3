import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { runSql, testDatabase, waitUntil } from '@tollgate/testkit'
import { type PageOptions, testBrowser, type WatchedPage } from '@tollgate/testkit/browser'
import { type ConsolePage, expectFine, pressOn, signIn as signInAt } from './support/console.ts'
import { startGateway } from './support/gateway.ts'
import { at, listAt, textAt } from './support/json.ts'

// The audit log of the console in a browser, before a gateway as `npm start` runs it.

const { url: databaseUrl } = await testDatabase({ after })
const gateway = await startGateway({ after }, { console: true, databaseUrl })
const { consoleUrl } = gateway
const browser = await testBrowser({ after })

const asAdmin = async (method: 'GET' | 'POST' | 'PUT', path: string, body?: unknown): Promise<unknown> => {
  const token = gateway.operatorKey('alan')
  const answer = await gateway.sendToOperators({ method, path: `/operator/${path}`, token, body })
  assert.ok(answer.status < 500, answer.text)
  return answer.body
}
await asAdmin('POST', 'merchants', { merchantCode: 'PAPAYA', name: 'Papaya' })
await asAdmin('POST', 'merchants/PAPAYA/!change', {
  name: 'Papaya Books',
  supportEmail: 'help@papaya.example',
})
await asAdmin('POST', 'merchants', { merchantCode: 'PAPAYA', name: 'Papaya again' })
await asAdmin('PUT', 'institutions/OPERATOR/OTTER_WALLET/PAYIN', {
  availability: 'CLOSED',
  reason: 'Maintenance until six, ticket 8841',
})

const signIn = (options: PageOptions = {}): Promise<WatchedPage> =>
  signInAt({ browser, consoleUrl }, gateway.operatorKey('alan'), options)

const untilChained = (): Promise<void> =>
  waitUntil(
    async () =>
      listAt(await asAdmin('GET', 'audit?merchantCode=PAPAYA'), 'data').every(
        (act) => at(act, 'entryNo') !== undefined,
      ),
    { timeoutMs: 60_000, what: 'the acts to be chained' },
  )

for (const javaScript of [true, false])
  test(`an administrator finds out by keyboard who changed a merchant, and what it was before, ${javaScript ? 'with' : 'without'} the script`, async () => {
    await untilChained()
    const { page, complaints } = await signIn({ width: 1440, javaScript })
    await pressOn(page, 'Audit log', 'link')
    await page.getByText(/^Chained up to/).waitFor()
    await page.getByText('Merchant', { exact: true }).first().click()
    await page.getByLabel('Merchant code').fill('PAPAYA')
    await page.keyboard.press('Enter')
    await page.waitForURL(/merchantCode=PAPAYA/)
    await page.getByText('Refused, 409').waitFor()
    await pressOn(page, 'Changed a merchant', 'link')
    await page.getByRole('heading', { name: 'Changed a merchant' }).waitFor()
    assert.equal(await page.locator('del').first().textContent(), 'Papaya')
    assert.equal(await page.locator('ins').first().textContent(), 'Papaya Books')
    await page.getByRole('link', { name: 'Audit log' }).first().click()
    await page.getByRole('link', { name: 'Verify the chain' }).click()
    await page.getByRole('status').filter({ hasText: 'Chain intact.' }).waitFor()
    assert.deepEqual(complaints, [])
  })

test('the file has the acts that the page filters by', async () => {
  const { page } = await signIn({ width: 1440 })
  await page.goto(`${consoleUrl}/audit?merchantCode=PAPAYA`)
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Export CSV' }).click(),
  ])
  const text = readFileSync(await file.path(), 'utf8')
  assert.equal(text.trimEnd().split('\r\n').length, 4)
  assert.match(text, /Papaya Books/)
})

test('no screen of the log has anything that axe finds, nor is wider than the window, and the list is light', async () => {
  const act = listAt(await asAdmin('GET', 'audit?act=changeMerchant'), 'data')[0]
  const seeded = listAt(await asAdmin('GET', 'audit?merchantCode=DEMO'), 'data').at(-1)
  const paths = ['/audit', '/audit?verify=1', '/audit?failed=true', '/audit?operatorCode=nobody']
  paths.push(`/audit/${textAt(act, 'number')}`, `/audit/${textAt(seeded, 'number')}`)
  const { page, complaints } = await signIn()
  for (const path of paths) {
    await page.goto(consoleUrl + path)
    const bytes = gzipSync(await page.content()).length
    assert.ok(path.startsWith('/audit/') || bytes <= 40_960, `${path}: ${bytes} bytes`)
    await expectFine(page, path, (how) => keepPicture(page, `${path}-${how}`))
  }
  assert.deepEqual(complaints, [])
})

/** For people who want to look: TOLLGATE_TEST_PICTURES names a folder. */
async function keepPicture(page: ConsolePage, name: string): Promise<void> {
  const folder = process.env['TOLLGATE_TEST_PICTURES']
  if (folder !== undefined)
    await page.screenshot({ path: `${folder}/${name.replace(/\W+/g, '-')}.png`, fullPage: false })
}

test('an act that somebody changed in the database is named on the screen', async () => {
  await untilChained()
  const act = listAt(await asAdmin('GET', 'audit?act=changeMerchant'), 'data')[0]
  const number = textAt(act, 'number')
  await runSql(
    databaseUrl,
    `set session_replication_role = replica; update audit_records set operator_code = 'eve' where record_no = ${number}`,
  )
  const { page } = await signIn({ width: 1440 })
  await page.goto(`${consoleUrl}/audit?verify=1`)
  await page.getByRole('alert').filter({ hasText: 'The chain is broken.' }).waitFor()
  await page.getByText(new RegExp(`changed: record ${number} `)).waitFor()
})
