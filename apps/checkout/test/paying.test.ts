import assert from 'node:assert/strict'
import { after, beforeEach, test } from 'node:test'
import { browserAt, linkFor, offering, openPage, START_MS } from './fake-gateway.ts'

// The last form before there is a payment.

const page = await openPage({ after })
const NAME = { name: 'accountName', required: true }

beforeEach(() => {
  page.nowMs = START_MS
  page.gateway.payin = undefined
  page.gateway.answers.clear()
  page.gateway.answers.set(
    '!availablePaymentOptions',
    offering({ fields: [NAME] }, { paymentMethodCode: 'UPI' }),
  )
})

test('what was typed is there again after the gateway was away when it was sent', async () => {
  const browser = browserAt(page)
  const { path, html } = await browser.go(linkFor('ORD-1').replace('Jane+Doe', ''))
  const [, formToken = ''] = /name="formToken" value="([\w-]+)"/.exec(html) ?? assert.fail(html)
  const methodCode = 'BANK_TRANSFER'
  await browser.go(`${path}/choose`, { formToken, methodCode })
  // Longer than an offer is remembered.
  page.nowMs += 60_000
  page.gateway.answers.set('!availablePaymentOptions', { status: 500 })
  const away = await browser.go(`${path}/pay`, { formToken, methodCode, accountName: 'Ada Lovelace' })
  assert.match(away.html, /We are keeping your details/)
  page.gateway.answers.set(
    '!availablePaymentOptions',
    offering({ fields: [NAME] }, { paymentMethodCode: 'UPI' }),
  )
  const back = await browser.go(path)
  assert.match(back.html, /name="methodCode" value="BANK_TRANSFER"/)
  assert.match(back.html, /name="accountName"[^>]*value="Ada Lovelace"/)
})
