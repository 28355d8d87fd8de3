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

test('that nothing is charged before the button is said only where the button pays', async () => {
  for (const [flow, isSaid] of [
    ['REDIRECT', true],
    ['INSTRUCTIONS', false],
    ['QR', false],
    ['REFERENCE', false],
  ] as const) {
    page.gateway.answers.set('!availablePaymentOptions', offering({ flow }))
    const { html } = await browserAt(page).go(linkFor(`ORD-${flow}`))
    assert.equal(html.includes('You will not be charged until you press the button.'), isSaid, flow)
  }
})

test('a method that the shop has fixed and that is not to be had does not speak for all methods', async () => {
  for (const fixed of ['paymentMethodCode=PIX', 'paymentMethodCode=UPI&paymentOperatorCode=GONE']) {
    const { heading, html } = await browserAt(page).go(`${linkFor('ORD-1')}&${fixed}`)
    assert.equal(heading, 'This payment method is not available right now')
    assert.match(html, /The shop chose it for this payment\. Nothing was charged\..*Return to shop\.example/s)
    assert.doesNotMatch(html, /None of this shop/)
  }
})

test('a developer is told why the link is refused: a token that the gateway does not take, a fixed value that does not fit', async () => {
  page.gateway.answers.set(
    '!availablePaymentOptions',
    offering({ fields: [{ name: 'accountNumber', required: true }] }),
  )
  const faulty = await browserAt(page).go(`${linkFor('ORD-9')}&accountNumber=DE00`)
  assert.equal(faulty.heading, 'The shop sent incomplete details')
  assert.match(faulty.html, /What the address says of accountNumber does not fit BANK_TRANSFER\./)
  page.gateway.answers.set('!availablePaymentOptions', { status: 401 })
  const denied = await browserAt(page).go(linkFor('ORD-2'))
  assert.equal(denied.heading, 'This payment link is no longer valid')
  assert.match(denied.html, /it has expired or was revoked, .*tollgate token explain/)
})
