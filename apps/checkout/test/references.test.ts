import assert from 'node:assert/strict'
import { after, beforeEach, test } from 'node:test'
import { browserAt, linkFor, offering, openPage, payinOf, START_MS } from './fake-gateway.ts'

// The reference that a customer's app shows after paying: sent, corrected, refused.

const page = await openPage({ after })
const UPI = { paymentMethodCode: 'UPI' }
const FIRST = '316547829301'
beforeEach(() => {
  const { answers } = page.gateway
  answers.clear()
  answers.set(
    '!availablePaymentOptions',
    offering({ ...UPI, name: 'UPI', flow: 'QR', externalReference: 'OPTIONAL' }),
  )
  answers.set('!setExternalReference', { status: 204 })
})

const expired = (processorStatus: string, externalReference?: string): unknown =>
  payinOf('ORD-1', {
    status: 'EXPIRED',
    processorStatus,
    processedAt: new Date(START_MS).toISOString(),
    method: UPI,
    more: externalReference === undefined ? {} : { externalReference },
  })

test('a reference that came after the deadline is thanked for and can be corrected', async () => {
  page.gateway.payin = expired('EXPIRED')
  const browser = browserAt(page)
  assert.match((await browser.go(linkFor('ORD-1'))).html, /Nothing arrived in time\..*Enter reference/s)
  for (const processorStatus of ['IN_REVIEW', 'EXPIRED']) {
    page.gateway.payin = expired(processorStatus, FIRST)
    const sent = await browser.go(linkFor('ORD-1'))
    assert.equal(sent.heading, 'This payment has expired')
    assert.match(sent.html, /Thank you\. We are looking for your payment\./)
    assert.match(sent.html, new RegExp(`<dd id="sent"><bdi[^>]*>${FIRST}<`))
    assert.match(sent.html, /Do not pay again\./)
    assert.match(sent.html, /href="[^"]*\?step=reference">Correct the reference</)
    assert.doesNotMatch(sent.html, /Nothing arrived|start again|Not paid|Enter reference/)
  }
  page.gateway.payin = expired('IN_REVIEW')
  const { html } = await browser.go(linkFor('ORD-1'))
  assert.match(html, /Our team is reviewing your payment\..*Do not pay again\./s)
  assert.doesNotMatch(html, /Thank you|Nothing arrived|Correct the reference/)
})
