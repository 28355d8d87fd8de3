import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { verifyCallback } from '@tollgate/sdk'
import { callbackReceiver, freePort, type ReceivedRequest, waitUntil } from '@tollgate/testkit'
import { testBrowser } from '@tollgate/testkit/browser'
import { camtStatement } from './support/camt.ts'
import { expectSuccess } from './support/expectations.ts'
import { startGateway, temporaryFolder } from './support/gateway.ts'
import { at, itemWith, listAt, textAt } from './support/json.ts'
import { ALL_OPERATIONS } from './support/merchant.ts'
import { createPayin, newId, payinWithStatus, readPayin } from './support/payins.ts'
import { balanceIn } from './support/topups.ts'

// The main job of a gateway, from the first question of a merchant to the callback: by a bank's own pages in a real
// browser, and by a transfer that a statement tells of.

const TIMEOUT_MS = 60_000
const PAYER = { payerName: 'Jana Novak', payerIban: 'DE89370400440532013000' } as const

const gateway = await startGateway({ after }, { simulator: true })
const BY_ADA = ['--operator-key-file', join(gateway.dataDir, 'demo', 'operator-ada.key')]
const token = await gateway.demo().token(...ALL_OPERATIONS)
const browser = await testBrowser({ after })
const shopUrl = await openShop()

/** The shop's page that the customer comes back to. */
async function openShop(): Promise<string> {
  const port = await freePort()
  const server = createServer((_request, response) =>
    response
      .setHeader('Content-Type', 'text/html')
      .end('<title>Shop</title><h1>Thank you for your order</h1>'),
  )
  await new Promise<void>((resolve) => void server.listen(port, '127.0.0.1', resolve))
  after(() => server.close())
  return `http://127.0.0.1:${port}`
}

/** What a merchant does first: asks what can be offered, and finds the method among it. */
async function offered(methodCode: string): Promise<unknown> {
  const body = expectSuccess(
    await gateway.send({
      method: 'POST',
      path: '/payins/!availablePaymentOptions',
      token,
      body: { money: { amount: '149.90', currencyCode: 'EUR' } },
    }),
    200,
  )
  return itemWith(listAt(body, 'data'), 'paymentMethodCode', methodCode)
}

/** The callback about the payin, proven by the key that the gateway publishes. */
async function proven(call: ReceivedRequest | undefined): Promise<string> {
  assert.ok(call)
  const info = expectSuccess(await gateway.send({ method: 'GET', path: '/merchant-info', token }), 200)
  const event = await verifyCallback({
    headers: call.headers,
    body: call.body,
    publicKeys: listAt(info, 'callbackPublicKeys').map(String),
  })
  return event.idEntity
}

for (const javaScript of [true, false]) {
  test(`ONLINE_BANKING: from the options to the callback over the bank’s pages, ${javaScript ? 'with' : 'without'} JavaScript`, async (t) => {
    const receiver = await callbackReceiver(t)
    const before = await balanceIn(gateway, token, 'EUR')
    const [operator] = listAt(await offered('ONLINE_BANKING'), 'paymentOperators')
    const id = newId()
    const { body } = await createPayin(gateway, token, {
      id,
      amount: '149.90',
      method: 'ONLINE_BANKING',
      operator: textAt(operator, 'code'),
      callbackUrl: receiver.url,
      returnUrl: `${shopUrl}/thanks?order=1`,
    })

    const { page, complaints } = await browser.open({ width: 320, javaScript })
    await page.goto(textAt(body, 'paymentMethodResponse', 'redirectUrl'))
    await page.waitForSelector('input[name=userName]')
    await page.getByLabel('User name').fill('jana')
    await page.getByRole('button', { name: 'Log in' }).click()
    await page.getByRole('button', { name: /Approve/ }).click()
    await page.getByRole('status').waitFor()
    await page.getByRole('link', { name: /shop|back|return/i }).click()
    await page.waitForURL(`${shopUrl}/thanks?order=1`)
    assert.deepEqual(complaints, [])

    const [call] = await receiver.waitForCount(1, TIMEOUT_MS)
    assert.equal(await proven(call), id)
    const detail = await payinWithStatus(gateway, token, { id, status: 'SUCCESS', timeoutMs: 0 })
    assert.equal(textAt(detail, 'process', 'status'), 'SUCCESS')
    const now = await balanceIn(gateway, token, 'EUR')
    assert.notEqual(now.notSettled, before.notSettled)
  })
}

test('BANK_TRANSFER: from the options to the callback over a bank’s statement', async (t) => {
  const receiver = await callbackReceiver(t)
  await offered('BANK_TRANSFER')
  const id = newId()
  const { body } = await createPayin(gateway, token, { id, amount: '149.90', callbackUrl: receiver.url })
  const instructions = at(body, 'paymentMethodResponse')
  const iban = textAt(instructions, 'account', 'accountNumber')
  const credit = { ...PAYER, amount: '149.90', reference: textAt(instructions, 'reference') }
  const file = join(temporaryFolder(), 'statement.xml')
  writeFileSync(file, camtStatement(iban, [credit]))
  await gateway.cli('statements', 'import', file, ...BY_ADA)

  const [call] = await receiver.waitForCount(1, TIMEOUT_MS)
  assert.equal(await proven(call), id)
  const detail = await payinWithStatus(gateway, token, { id, status: 'SUCCESS', timeoutMs: 0 })
  await gateway.cli('statements', 'import', file, ...BY_ADA)
  assert.deepEqual(await readPayin(gateway, token, id), detail)
  await waitUntil(() => receiver.requests.length === 1, { timeoutMs: TIMEOUT_MS, what: 'one callback alone' })
})

test('the books are right at the end', async () => {
  await gateway.cli('ledger', 'check')
})
