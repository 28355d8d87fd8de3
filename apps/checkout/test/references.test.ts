import assert from 'node:assert/strict'
import { after, beforeEach, test } from 'node:test'
import {
  type Answer,
  browserAt,
  linkFor,
  offering,
  openPage,
  payinOf,
  START_MS,
  type TestBrowser,
} from './fake-gateway.ts'

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

const sentTo = (externalReference: string): unknown =>
  payinOf('ORD-1', { processorStatus: 'REFERENCE_SUBMITTED', method: UPI, more: { externalReference } })
const titleOf = ({ html }: Answer): string => /<title>(.*?)<\/title>/s.exec(html)?.[1] ?? ''
const refreshOf = ({ html }: Answer): string | undefined => /http-equiv="refresh"/.exec(html)?.[0]

/** Sends a reference by the form in front. */
async function send(browser: TestBrowser, { html }: Answer, externalReference: string): Promise<Answer> {
  const [, action = ''] = /action="([^"]*\/reference)"/.exec(html) ?? assert.fail(html)
  const [, formToken = ''] = /name="formToken" value="([\w-]+)"/.exec(html) ?? assert.fail(html)
  return browser.go(action, { formToken, externalReference })
}

test('a reference is corrected on a screen of its own, where nothing that is typed gets lost and no mistake is thanked for', async () => {
  page.gateway.payin = sentTo(FIRST)
  const browser = browserAt(page)
  const sent = await browser.go(linkFor('ORD-1'))
  assert.match(sent.html, /Thank you\. We are looking for your payment\./)
  assert.doesNotMatch(sent.html, /action="[^"]*\/reference"/)
  const [, link = ''] = /href="([^"]*)">Correct the reference</.exec(sent.html) ?? assert.fail(sent.html)
  const form = await browser.go(link)
  assert.equal(form.heading, 'Enter the payment reference')
  assert.match(form.html, new RegExp(`value="${FIRST}"`))
  assert.equal(refreshOf(form), undefined, 'the page does not reload while somebody types')
  assert.notEqual(refreshOf(sent), undefined)
  // It may be paid: nothing is cancelled by leaving.
  assert.doesNotMatch(form.html, /Cancel and return/)
  assert.match(form.html, /Return to shop\.example/)

  const wrong = await send(browser, form, '12345')
  assert.match(wrong.html, /role="alert"[^>]*autofocus><h2>Please correct 1 entry</)
  assert.match(titleOf(wrong), /^Please check: /)
  page.gateway.answers.set('!setExternalReference', {
    status: 406,
    body: [{ code: 'INVALID_REF_NUM', message: 'None.' }],
  })
  const refused = await send(browser, wrong, '316547829302')
  assert.match(refused.html, /role="alert">This reference was not accepted\. Please check it\.</)
  assert.match(titleOf(refused), /^Please check: /)
  for (const { html, path } of [wrong, refused]) {
    assert.match(path, /\?step=reference$/)
    assert.doesNotMatch(html, /Thank you/)
  }
  page.gateway.answers.set('!setExternalReference', { status: 204 })
  assert.match((await send(browser, refused, '316547829302')).html, /Thank you/)
})

test('who enters a reference of a payment that is over is led back to the shop, and has nothing to cancel', async () => {
  page.gateway.payin = expired('EXPIRED')
  const browser = browserAt(page)
  const { path } = await browser.go(linkFor('ORD-1'))
  const { html } = await browser.go(`${path}?step=reference`)
  assert.match(html, /<a class="button button--quiet" id="return" href="https:\/\/shop\.example\/thanks"/)
  assert.doesNotMatch(html, /\/leave|Cancel and return/)
  page.gateway.payin = payinOf('ORD-1', { processorStatus: 'AWAITING_REFERENCE', method: UPI })
  assert.match((await browser.go(path)).html, /\/leave"[^>]*>Cancel and return to shop\.example</)
})

test('the form of a reference stays what it is when the language is changed', async () => {
  page.gateway.payin = expired('EXPIRED')
  const browser = browserAt(page)
  const { path } = await browser.go(linkFor('ORD-1'))
  const { html } = await browser.go(`${path}?step=reference`)
  const [, link = ''] = /<a href="([^"]*)" lang="de"/.exec(html) ?? assert.fail(html)
  const german = await browser.go(link.replaceAll('&amp;', '&'))
  assert.equal(german.path, `${path}?step=reference`)
  assert.match(german.html, /<html lang="de".*name="externalReference"/s)
})

test('where the page itself may not send a reference, the customer is not told that it is wrong', async () => {
  page.gateway.payin = expired('EXPIRED')
  const browser = browserAt(page)
  const { path } = await browser.go(linkFor('ORD-1'))
  const form = await browser.go(`${path}?step=reference`)
  for (const status of [401, 403, 404]) {
    page.gateway.answers.set('!setExternalReference', { status })
    const denied = await send(browser, form, FIRST)
    assert.equal(denied.status, 403)
    assert.equal(denied.heading, 'Something went wrong on our side')
    assert.match(denied.html, /Do not pay again\..*CHECKOUT_SERVICE_KEY.*id="incident">PG-/s)
    assert.doesNotMatch(denied.html, /not accepted|Nothing was charged/)
  }
  page.gateway.answers.set('!setExternalReference', { status: 204 })
  // What was typed is still there.
  assert.match((await browser.go(`${path}?step=reference`)).html, new RegExp(`value="${FIRST}"`))
})

test('a reference that could not be sent is still in the form when the gateway is back', async () => {
  for (const cut of ['look', 'send']) {
    page.gateway.payin = expired('EXPIRED')
    page.gateway.answers.set('!setExternalReference', { status: 500 })
    const browser = browserAt(page)
    const { path } = await browser.go(linkFor('ORD-1'))
    const form = await browser.go(`${path}?step=reference`)
    if (cut === 'look') page.gateway.payin = 500
    const unsure = await send(browser, form, FIRST)
    assert.match(unsure.html, /We are keeping your details/)
    const [, again = ''] = /id="again" href="([^"]*)"/.exec(unsure.html) ?? assert.fail(unsure.html)
    page.gateway.payin = expired('EXPIRED')
    const back = await browser.go(again.replaceAll('&amp;', '&'))
    assert.equal(back.path, `${path}?step=reference`, cut)
    assert.match(back.html, new RegExp(`name="externalReference"[^>]*value="${FIRST}"`), cut)
  }
})
