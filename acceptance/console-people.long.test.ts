import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { runSql, testDatabase } from '@tollgate/testkit'
import { type PageOptions, testBrowser, type WatchedPage } from '@tollgate/testkit/browser'
import { type ConsolePage, type Device, expectFine, plugIn, signIn } from './support/console.ts'
import { startGateway } from './support/gateway.ts'
import { at, listAt } from './support/json.ts'
import { newId } from './support/payins.ts'
import { createPayout, PAYOUT_OPERATIONS } from './support/payouts.ts'
import { fundBalance } from './support/topups.ts'

// People in the console: from an invitation to a payout that is approved by a touch, in a browser with an authenticator of its own.

const { url: databaseUrl } = await testDatabase({ after })
const gateway = await startGateway({ after }, { databaseUrl, console: true })
const { consoleUrl } = gateway
const browser = await testBrowser({ after })
const token = await gateway.demo().token(...PAYOUT_OPERATIONS)
await fundBalance(gateway, token, { id: newId(), amount: '5000' })
/** The second administrator; alan of the sandbox is the first one. */
const eveKey = (await gateway.cli('operators', 'create', 'eve', '--role', 'ADMIN')).stdout.trim()

async function waitingPayout(): Promise<string> {
  const id = newId()
  await createPayout(gateway, token, { id, amount: '24.80', email: 'approval@sandbox.test' })
  return id
}

/** Who has approved it, by the operator API. */
async function approversOf(id: string): Promise<readonly unknown[]> {
  const asked = { method: 'GET', path: '/operator/payouts?limit=100', token: gateway.operatorKey('grace') }
  const payouts = listAt((await gateway.sendToOperators(asked)).body, 'data')
  const approvals = listAt(
    payouts.find((payout) => at(payout, 'idPayout') === id),
    'approvals',
  )
  return approvals.map((each) => at(each, 'operatorCode'))
}

const signInByKey = (key: string, options: PageOptions = {}): Promise<WatchedPage> =>
  signIn({ browser, consoleUrl }, key, { width: 1440, ...options })

/** Opens the link of an invitation and registers a passkey, by keyboard. */
async function register(page: ConsolePage, link: string, name = 'Laptop'): Promise<void> {
  await page.goto(link)
  await page.getByLabel('Name of this device').focus()
  await page.keyboard.type(name)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Passkey registered' }).waitFor()
}

async function signInByPasskey(page: ConsolePage, next = '/'): Promise<void> {
  await page.goto(`${consoleUrl}/sign-in?next=${encodeURIComponent(next)}`)
  await page.getByRole('button', { name: 'Continue with a passkey' }).focus()
  await page.keyboard.press('Enter')
  await page.waitForURL(consoleUrl + next)
}

/** An operator who approves, with a passkey that nobody has to confirm; signed in. */
async function approver(code: string, options: PageOptions = {}): Promise<WatchedPage & { device: Device }> {
  await gateway.cli('operators', 'create', code, '--role', 'APPROVER')
  const { stdout } = await gateway.cli('operators', 'invite', code, '--local')
  const watched = await browser.open({ width: 1440, ...options })
  const device = await plugIn(watched.page)
  await register(watched.page, stdout.trim())
  await signInByPasskey(watched.page)
  return { ...watched, device }
}

/** Presses the button of a decision; the page of the touch, or what follows it, is for the caller to wait for. */
async function press(page: ConsolePage, id: string, reason: string): Promise<void> {
  await page.goto(`${consoleUrl}/payouts/PAYOUT/DEMO/${id}`)
  await page.getByLabel('Reason').fill(reason)
  await page.getByRole('button', { name: /^Approve/ }).click()
}

/** The page of a touch is there, and the device has refused. */
async function untilRefused(page: ConsolePage): Promise<void> {
  await page.getByRole('heading', { name: /^Touch your passkey to / }).waitFor()
  await page.locator('[data-problem]', { hasText: 'Not done' }).waitFor()
}

/** What a browser says of an answer that refuses is no fault of the page. */
const faults = (...watched: readonly WatchedPage[]): readonly string[] =>
  watched
    .flatMap(({ complaints }) => complaints)
    .filter((text) => !text.includes('the server responded with'))

test('K27 a person is invited, registers, is confirmed by a second administrator, signs in by passkey and approves a payout with a touch', async () => {
  await gateway.cli('operators', 'create', 'anna', '--role', 'APPROVER')
  const link = (await gateway.cli('operators', 'invite', 'anna')).stdout.trim()
  const anna = await browser.open({ width: 1440 })
  await plugIn(anna.page)
  const asked: string[] = []
  anna.page.on('request', (request) => asked.push(request.url(), request.headers()['referer'] ?? ''))
  await register(anna.page, link)
  const fingerprint = /[0-9A-Z]{4}(?:-[0-9A-Z]{4}){2}/.exec(
    (await anna.page.locator('.print').textContent()) ?? '',
  )
  assert.ok(fingerprint !== null, 'the fingerprint is shown')
  const [, secret = 'none'] = link.split('#')
  assert.ok(!asked.some((text) => text.includes(secret)), 'K20 the secret is in no address')

  await anna.page.getByRole('link', { name: 'Sign in' }).click()
  await signInByPasskey(anna.page, '/account')
  await anna.page.getByRole('heading', { name: 'Nothing is open to you yet' }).waitFor()
  assert.doesNotMatch(await anna.page.content(), new RegExp(fingerprint[0]), 'it is shown once')

  const eve = await signInByKey(eveKey)
  await eve.page.getByRole('link', { name: 'Operators' }).click()
  await eve.page.getByRole('link', { name: 'anna' }).click()
  await eve.page.getByLabel('Fingerprint').fill('AAAA-AAAA-AAAA')
  await eve.page.getByRole('button', { name: 'Confirm' }).click()
  await eve.page.getByRole('alert').filter({ hasText: 'not the fingerprint' }).waitFor()
  await eve.page.getByLabel('Fingerprint').fill(fingerprint[0].toLowerCase().replaceAll('-', ' '))
  await eve.page.keyboard.press('Enter')
  await eve.page.getByRole('status').filter({ hasText: 'Confirmed' }).waitFor()

  const id = await waitingPayout()
  await press(anna.page, id, 'Invoice checked.')
  await anna.page.getByRole('status').filter({ hasText: 'Approved.' }).waitFor()
  assert.deepEqual(await approversOf(id), ['anna'])
  assert.deepEqual(faults(anna, eve), [])
})

test('K22 without a touch nothing is done, and what was typed is kept until it is touched', async () => {
  const { page, device, ...rest } = await approver('tess')
  const id = await waitingPayout()
  await device.present(false)
  await press(page, id, 'Invoice 7, "paid".')
  await page.getByRole('heading', { name: `Touch your passkey to approve payout ${id} of DEMO` }).waitFor()
  await untilRefused(page)
  await page.getByText('Invoice 7, "paid".').waitFor()
  assert.equal(await page.getByText('needs JavaScript').isVisible(), false)
  assert.deepEqual(await approversOf(id), [])
  await page.getByRole('button', { name: 'Back' }).click()
  await page.getByRole('alert').filter({ hasText: 'You did not touch your passkey' }).waitFor()
  assert.equal(await page.getByLabel('Reason').inputValue(), 'Invoice 7, "paid".')

  await page.getByRole('button', { name: /^Approve/ }).click()
  await untilRefused(page)
  await device.present(true)
  await page.getByRole('button', { name: 'Touch your passkey' }).click()
  await page.getByRole('status').filter({ hasText: 'Approved.' }).waitFor()
  assert.deepEqual(await approversOf(id), ['tess'])
  assert.deepEqual(faults({ page, ...rest }), [])
})

test('K23 a stale touch, and a touch of another act, approve nothing', async () => {
  const { page, device } = await approver('theo')
  const [id, other] = [await waitingPayout(), await waitingPayout()]
  await device.present(false)
  await press(page, id, 'Checked.')
  await untilRefused(page)
  await runSql(databaseUrl, `update operator_challenges set expire_at = expire_at - interval '5 minutes'`)
  await device.present(true)
  await page.getByRole('button', { name: 'Touch your passkey' }).click()
  await page.getByText('This touch has expired or was used before').waitFor()
  assert.deepEqual(await approversOf(id), [])

  // Somebody has bent the form to another payout: the touch is for the one that was shown.
  await page
    .locator('form.touch')
    .evaluate((form, path) => form.setAttribute('action', path), `/payouts/PAYOUT/DEMO/${other}/approve`)
  await page.getByRole('button', { name: 'Touch your passkey' }).click()
  await page.getByText('That touch was for something else').waitFor()
  await page.getByRole('heading', { name: `approve payout ${other} of DEMO` }).waitFor()
  assert.deepEqual([await approversOf(id), await approversOf(other)], [[], []])

  // Also where the form claims that the touch was for it.
  await page.goto(`${consoleUrl}/payouts/PAYOUT/DEMO/${id}`)
  await device.present(false)
  await press(page, id, 'Checked.')
  await untilRefused(page)
  await page.locator('form.touch').evaluate(
    (form, [path = '', request = '']) => {
      form.setAttribute('action', path)
      form.querySelector('[name="passkey.request"]')?.setAttribute('value', request)
    },
    [`/payouts/PAYOUT/DEMO/${other}/approve`, `POST /operator/payouts/DEMO/${other}/!approve`],
  )
  await device.present(true)
  await page.getByRole('button', { name: 'Touch your passkey' }).click()
  await page.getByText('That touch was for something else').waitFor()
  assert.deepEqual([await approversOf(id), await approversOf(other)], [[], []])
})

test('K24 a session that was ended between press and touch approves nothing, and leads back after signing in', async () => {
  const { page, device } = await approver('ines')
  const id = await waitingPayout()
  await device.present(false)
  await press(page, id, 'Checked.')
  await untilRefused(page)
  const list = await gateway.cli('operators', 'sessions', 'ines')
  for (const [session] of list.stdout.matchAll(/ses_[A-Z0-9]+/g))
    await gateway.cli('operators', 'end-session', session)
  await device.present(true)
  await page.getByRole('button', { name: 'Touch your passkey' }).click()
  await page.getByText('Your session has ended. What you sent was not done.').waitFor()
  assert.deepEqual(await approversOf(id), [])
  await page.getByRole('button', { name: 'Continue with a passkey' }).click()
  await page.waitForURL(`${consoleUrl}/payouts/PAYOUT/DEMO/${id}`)
})

test('K20 an invitation that was used, was replaced or is late says so, and its secret leaves the address bar', async () => {
  await gateway.cli('operators', 'create', 'otto', '--role', 'SUPPORT')
  const invite = async (): Promise<string> => (await gateway.cli('operators', 'invite', 'otto')).stdout.trim()
  const [replaced, used] = [await invite(), await invite()]
  const { page, complaints } = await browser.open({ width: 390 })
  await plugIn(page)
  const tryIt = async (link: string): Promise<void> => {
    await page.goto('about:blank')
    await page.goto(link)
    await page.getByLabel('Name of this device').fill('Phone')
    assert.equal(page.url(), `${consoleUrl}/invitation`)
    await page.getByRole('button', { name: 'Continue' }).click()
  }
  await tryIt(used)
  await page.getByRole('heading', { name: 'Passkey registered' }).waitFor()
  await tryIt(used)
  await page.getByText('This invitation was used').waitFor()
  await tryIt(replaced)
  await page.getByText('A newer invitation has replaced this one').waitFor()
  const late = await invite()
  await runSql(
    databaseUrl,
    `update operator_invitations set created_at = created_at - interval '24 hours', expire_at = expire_at - interval '24 hours'`,
  )
  await tryIt(late)
  await page.getByText('This invitation has expired').waitFor()
  await page.goto(`${consoleUrl}/invitation`)
  await page.getByText('Open the link of your invitation once more').waitFor()
  assert.deepEqual(
    complaints.filter((text) => !text.includes('the server responded with')),
    [],
  )
})

for (const javaScript of [true, false])
  test(`task 22: an operator’s key is rotated, in halves by two administrators, ${javaScript ? 'with' : 'without'} the script`, async () => {
    const code = javaScript ? 'rita' : 'rolf'
    const old = (await gateway.cli('operators', 'create', code, '--role', 'APPROVER')).stdout.trim()
    const adam = await administrator(`adam-${code}`, { javaScript })
    const eve = await signInByKey(eveKey, { javaScript })
    const path = `${consoleUrl}/operators/${code}`
    await adam.page.goto(path)
    await adam.page.getByLabel('Days that a key lives').fill('90')
    await adam.page.getByRole('button', { name: 'Create a key' }).click()
    const half = await shownSecret(adam.page)
    await eve.page.goto(path)
    await eve.page.getByRole('button', { name: /^Add second half/ }).click()
    const second = await shownSecret(eve.page)
    await eve.page.getByRole('link', { name: 'Back to' }).click()
    await eve.page.locator('details.sure', { hasText: 'Remove' }).nth(0).waitFor()
    const row = eve.page.getByRole('row').filter({ hasText: 'by the command line' })
    await row.locator('summary').click()
    await row.getByRole('button', { name: 'Remove it' }).click()
    await eve.page.getByRole('status').filter({ hasText: 'The key was removed' }).waitFor()
    assert.deepEqual(await rolesOf(`${half}.${second}`), ['APPROVER'])
    assert.deepEqual([await rolesOf(half), await rolesOf(old)], [undefined, undefined])
    assert.deepEqual(faults(adam, eve), [])
  })

async function administrator(code: string, options: PageOptions): Promise<WatchedPage> {
  const key = (await gateway.cli('operators', 'create', code, '--role', 'ADMIN')).stdout.trim()
  return signInByKey(key, options)
}

async function shownSecret(page: ConsolePage): Promise<string> {
  await page.getByText('Shown this once').waitFor()
  return (await page.locator('.cli code').textContent()) ?? ''
}

/** What a key carries; undefined for one that opens nothing. */
async function rolesOf(key: string): Promise<unknown> {
  const { body } = await gateway.sendToOperators({ method: 'GET', path: '/operator/me', token: key })
  return at(body, 'roles')
}

test('an administrator with a passkey creates, invites, limits, stops and starts an operator, each by a touch but the brake', async () => {
  await gateway.cli('operators', 'create', 'amy', '--role', 'ADMIN')
  const amy = await browser.open({ width: 1440 })
  const { page } = amy
  await plugIn(page)
  await register(page, (await gateway.cli('operators', 'invite', 'amy', '--local')).stdout.trim())
  await signInByPasskey(page, '/operators')
  await page.getByText('New operator').click()
  await page.getByLabel('Code', { exact: false }).first().fill('nora')
  await page.getByLabel('Name', { exact: false }).first().fill('Nora Newcomer')
  await page.getByRole('checkbox', { name: /^Support/ }).check()
  await page.getByRole('button', { name: 'Create the operator' }).click()
  await shownSecret(page)
  await page.getByRole('button', { name: 'Invite Nora Newcomer' }).click()
  const link = await shownSecret(page)
  assert.match(link, /\/invitation#tgoi_/)
  await page.getByRole('link', { name: 'Back to Nora Newcomer' }).click()
  await page.getByRole('checkbox', { name: /^Finance/ }).check()
  await page.getByRole('button', { name: 'Set the roles' }).click()
  await page.getByRole('status').filter({ hasText: 'The roles are set' }).waitFor()

  const nora = await browser.open({ width: 390 })
  await plugIn(nora.page)
  await register(nora.page, link, 'Phone')
  await signInByPasskey(nora.page, '/account')
  await page.reload()
  await page.getByText('You invited them, so another administrator confirms it').waitFor()
  await page.getByRole('button', { name: /^End/ }).click()
  await page.getByRole('status').filter({ hasText: 'The session has ended' }).waitFor()
  await page.getByRole('button', { name: 'Disable Nora Newcomer' }).click()
  await page.getByRole('status').filter({ hasText: 'Disabled' }).waitFor()
  await page.getByRole('button', { name: 'Enable Nora Newcomer' }).click()
  await page.getByRole('status').filter({ hasText: 'Enabled' }).waitFor()
  await nora.page.reload()
  await nora.page.getByRole('heading', { name: 'Sign in' }).waitFor()
  assert.deepEqual(faults(amy, nora), [])
})

test('a person registers a second device with the touch of the first, and removes it', async () => {
  const watched = await approver('dora')
  const { page, device } = watched
  await page.getByRole('link', { name: /Your account/ }).click()
  await page.getByLabel('Register another device').fill('Phone')
  await page.keyboard.press('Enter')
  await page.getByRole('alert').filter({ hasText: 'This device has a passkey of yours already' }).waitFor()
  await device.replace()
  await page.getByRole('button', { name: 'Register this device' }).click()
  await page.getByText('Phone carries all your roles').waitFor()
  await signInByPasskey(page, '/account')
  const row = page.getByRole('row').filter({ hasText: 'Laptop' })
  await row.locator('summary').click()
  await row.getByRole('button', { name: 'Remove it' }).click()
  await page.getByRole('status').filter({ hasText: 'The passkey was removed' }).waitFor()
  assert.equal(await page.getByRole('row').filter({ hasText: 'Laptop' }).count(), 0)
  assert.deepEqual(faults(watched), [])
})

test('without the script, signing in by passkey and an invitation say what they need, and the key works', async () => {
  const { page } = await browser.open({ javaScript: false })
  await page.goto(`${consoleUrl}/sign-in`)
  await page.getByText('Signing in by passkey needs JavaScript').waitFor()
  assert.equal(await page.getByRole('button', { name: 'Continue with a passkey' }).count(), 0)
  await page.goto(`${consoleUrl}/invitation#tgoi_x`)
  await page.getByText('Registering a passkey needs JavaScript').waitFor()
  const ada = await signInByKey(gateway.operatorKey('ada'), { javaScript: false })
  const id = await waitingPayout()
  await press(ada.page, id, 'By key.')
  await ada.page.getByRole('status').filter({ hasText: 'Approved.' }).waitFor()
})

test('no screen of people has anything that axe finds, nor is wider than the window, in light and dark', async () => {
  await gateway.cli('operators', 'create', 'lina', '--role', 'SUPPORT')
  const device = await browser.open()
  await plugIn(device.page)
  await register(device.page, (await gateway.cli('operators', 'invite', 'lina')).stdout.trim())
  const eve = await signInByKey(eveKey)
  for (const path of [
    '/operators',
    '/operators?new=1',
    '/operators/lina',
    '/operators/eve',
    '/account',
    '/sign-in?lost=1',
    '/invitation',
  ]) {
    await eve.page.goto(consoleUrl + path)
    await expectFine(eve.page, path)
  }
  assert.deepEqual(faults(eve), [])
})

test('the pages of a touch and of an invitation that is read have nothing that axe finds', async () => {
  const { page, device, complaints } = await approver('looker')
  await device.present(false)
  await press(page, await waitingPayout(), 'A reason.')
  await untilRefused(page)
  await expectFine(page, 'touch')
  await page.goto(`${consoleUrl}/invitation#tgoi_${'A'.repeat(43)}`)
  await page.getByLabel('Name of this device').waitFor()
  await expectFine(page, 'invitation')
  assert.deepEqual(complaints, [])
})
