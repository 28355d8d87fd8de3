import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { testBrowser } from '@tollgate/testkit/browser'
import { startGateway } from '../support/gateway.ts'
import { at } from '../support/json.ts'
import { newId } from '../support/payins.ts'
import { FEWER_LOOKS, inspect } from '../support/screens-inspect.ts'

// The API's own pages: `/`, `/docs`, and `/errors` in a browser.

const gateway = await startGateway({ after })
const browser = await testBrowser({ after })
const { privateKey } = gateway.demo()
const fileOf = (text: string) => ({ name: 'key.pem', mimeType: 'text/plain', buffer: Buffer.from(text) })

const get = (path: string, accept = '*/*'): Promise<Response> =>
  fetch(`${gateway.url}${path}`, { headers: { accept } })

test('the first address says what answers, to machines as JSON and to people as a page', async () => {
  const machine = await get('/')
  const told: unknown = await machine.json()
  assert.deepEqual([at(told, 'name'), at(told, 'mode')], ['Tollgate', 'SANDBOX'])
  assert.equal((await fetch(String(at(told, 'openapi')))).status, 200)
  assert.equal((await fetch(String(at(told, 'reference')))).status, 200)
  const person = await get('/', 'text/html,*/*;q=0.8')
  assert.match(person.headers.get('content-type') ?? '', /^text\/html/)
  assert.match(await person.text(), /API reference/)
})

test('an error’s page is HTML in a browser and Markdown elsewhere', async () => {
  assert.match(await (await get('/errors/TOKEN_EXPIRED')).text(), /^# TOKEN_EXPIRED/)
  const { page, complaints } = await browser.open()
  await page.goto(`${gateway.url}/errors/TOKEN_EXPIRED`)
  assert.equal(await page.locator('h1').textContent(), 'TOKEN_EXPIRED')
  await page.getByRole('link', { name: 'All error codes' }).click()
  await page.getByRole('heading', { name: 'Errors', exact: true }).last().waitFor()
  assert.deepEqual(complaints, [])
})

test('H24: the reference signs in the browser: the private key reaches nobody, and the token creates and reads a payin', async () => {
  const { page, complaints } = await browser.open({ width: 1280 })
  const sent: string[] = []
  page.on('request', (request) => sent.push(`${request.url()} ${request.postData() ?? ''}`))
  await page.goto(`${gateway.url}/docs`)
  const form = page.locator('#token')
  await form.getByLabel('Private key').setInputFiles(fileOf(privateKey))
  await form.getByRole('button', { name: 'Request a token' }).click()
  await form.getByText(/^Token for one hour/).waitFor()
  const create = page.locator('#createPayin form')
  const id = `TRY-${newId()}`
  await create.getByLabel('idPayin').fill(id)
  await create.getByRole('button', { name: 'Send' }).click()
  await create.getByText(/^201 in/).waitFor()
  const read = page.locator('#readPayin form')
  assert.equal(await read.getByLabel('idPayin').inputValue(), id)
  await read.getByRole('button', { name: 'Send' }).click()
  await read.getByText(/^200 in/).waitFor()
  const answer: unknown = JSON.parse((await read.locator('pre').textContent()) ?? '')
  assert.equal(at(answer, 'paymentRequested', 'money', 'amount'), 149.9)
  const keyText = privateKey.split('\n')[1] ?? ''
  assert.ok(keyText.length > 40)
  assert.ok(sent.every((each) => each.startsWith(gateway.url) && !each.includes(keyText)))
  assert.deepEqual(complaints, [])
})

test('H23: the API’s own pages load nothing from elsewhere, run nothing inline, fit no frame and send no form', async () => {
  for (const path of ['/', '/docs', '/errors/SYSTEM']) {
    const response = await get(path, 'text/html')
    const policy = response.headers.get('content-security-policy') ?? ''
    for (const rule of [
      "default-src 'none'",
      "frame-ancestors 'none'",
      "form-action 'none'",
      "base-uri 'none'",
    ])
      assert.ok(policy.includes(rule), `${path}: ${policy}`)
    assert.doesNotMatch(policy, /unsafe|https?:|\*/)
    assert.equal(response.headers.get('x-content-type-options'), 'nosniff')
    const html = await response.text()
    assert.doesNotMatch(html, /<style|\sstyle=|\son\w+=|<script(?![^>]* src="\.{1,2}\/docs\/reference\.js")/)
    assert.doesNotMatch(html, /(?:src|href)="(?:https?:)?\/\//)
  }
  for (const path of ['/errors/%3Cscript%3E', '/docs/..%2f..%2fpackage.json', '/docs/client.ts'])
    assert.equal((await get(path, 'text/html')).status, 404, path)
})

test('what is wrong with a key or a form is said beside it', async () => {
  const { page } = await browser.open()
  await page.goto(`${gateway.url}/docs`)
  const get = page.locator('#readPayin form')
  await get.getByRole('button', { name: 'Send' }).click()
  await get.getByText('Request a token first').waitFor()
  const form = page.locator('#token')
  for (const [text, said] of [
    ['hello', /no private key/],
    ['-----BEGIN RSA PRIVATE KEY-----', /openssl pkcs8/],
    ['-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----', /not an RSA/],
  ] as const) {
    await form.getByLabel('Private key').setInputFiles(fileOf(text))
    await form.getByRole('button', { name: 'Request a token' }).click()
    await form.getByText(said).waitFor()
  }
  await form.getByLabel('Merchant code').fill('STRANGER')
  await form.getByLabel('Private key').setInputFiles(fileOf(privateKey))
  await form.getByRole('button', { name: 'Request a token' }).click()
  await form.getByText(/^401/).waitFor()
})

test('each operation of the description is in the reference', async () => {
  const described: unknown = await (await get('/openapi.json')).json()
  const html = await (await get('/docs')).text()
  const ids = [...JSON.stringify(described).matchAll(/"operationId":"(\w+)"/g)].map(([, id]) => id)
  assert.ok(ids.length > 30)
  assert.deepEqual(
    ids.filter((id) => id !== 'statusChangeCallback' && !html.includes(`<article id="${id}">`)),
    [],
  )
})

test('the pages are for everybody: narrow, dark, without a pointer, without a script', async () => {
  for (const path of ['/', '/docs', '/errors/TOKEN_EXPIRED']) {
    const { page } = await browser.open()
    await page.goto(`${gateway.url}${path}`)
    assert.deepEqual(await inspect(page, FEWER_LOOKS), [], path)
  }
})
