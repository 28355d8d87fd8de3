import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { type Customer, newCustomer, untilHeading } from './support/customer.ts'
import { startGateway } from './support/gateway.ts'
import { newId } from './support/payins.ts'
import { type LinkWish, linkFor } from './support/shop.ts'
import { bankOf } from './support/simulator.ts'

const gateway = await startGateway({ after }, { checkout: true, simulator: true })
const INVALID = 'This payment link is no longer valid'

async function arrive(wish: LinkWish = {}): Promise<Customer> {
  const customer = newCustomer(gateway.checkoutUrl)
  await customer.open((await linkFor(gateway, { paymentMethodCode: 'BANK_TRANSFER', ...wish })).url)
  return customer
}

const VALIDITY_SECONDS = 5
const createToken = (idPayment: string): Promise<string> =>
  gateway.demo().tokenFor({ action: 'PAYIN_CREATE', idPayment, validitySecs: VALIDITY_SECONDS })

// They wait more than they work.
describe('the page of a payment', { concurrency: true }, () => {
  it('H10: after the end of its token a page goes on for who has it open, to look, and for nobody else', async () => {
    const [id, other] = [newId(), newId()]
    const token = await createToken(id)
    const customer = await arrive({ idPayin: id, token })
    await customer.submit('pay')
    assert.equal(customer.heading(), 'Transfer from your bank')
    const { path, html } = customer.shown
    const formToken = /name="formToken" value="([\w-]+)"/.exec(html)?.[1] ?? assert.fail(html)
    const stranger = await arrive({ idPayin: other })
    await stranger.submit('pay')
    await delay((VALIDITY_SECONDS + 1) * 1000)

    await customer.reload()
    assert.equal(customer.heading(), 'Transfer from your bank')
    assert.match(customer.shown.html, /Your link has expired/)
    assert.doesNotMatch(customer.shown.html, /<form/)
    const sent = { formToken, externalReference: 'AB-1', outcome: 'paid', methodCode: 'BANK_TRANSFER' }
    for (const action of ['pay', 'reference', 'trigger']) {
      await customer.post(`${path}/${action}`, sent)
      assert.equal(customer.heading(), 'Transfer from your bank')
    }

    const [head = '', body = ''] = token.split('.')
    const forged = `${head}.${body}.${'A'.repeat(86)}`
    for (const [idPayin, wrong] of [
      [id, token],
      [id, forged],
      [other, token],
    ] as const) {
      const late = await arrive({ idPayin, token: wrong })
      assert.equal(late.shown.status, 403)
      assert.equal(late.heading(), INVALID)
      assert.doesNotMatch(late.shown.html, /149|shop\.localhost/)
    }
    const headers = { cookie: customer.cookies().join('; ') }
    assert.equal((await fetch(gateway.checkoutUrl + stranger.shown.path, { headers })).status, 403)
    // The gateway itself knows no such way for whoever is not the page.
    const direct = await gateway.send({ method: 'GET', path: `/payins/${id}`, token })
    assert.equal(direct.status, 401)
    for (const each of [token, await gateway.demo().token('GET /payins/.*')]) {
      const hidden = await fetch(`${gateway.url}/checkout/payins/${id}`, {
        headers: { 'X-API-Version': '2', Authorization: `Bearer ${each}` },
      })
      assert.equal(hidden.status, 404)
    }

    await gateway.cli('token', 'revoke', token)
    await untilHeading(customer, new RegExp(`^${INVALID}$`))
    assert.doesNotMatch(customer.shown.html, /149|shop\.localhost/)
  })

  it('who came in before the token ended is told that the payment succeeded', async () => {
    const id = newId()
    const customer = await arrive({ idPayin: id, token: await createToken(id) })
    await customer.submit('pay')
    await delay((VALIDITY_SECONDS + 1) * 1000)
    await untilHeading(customer, /^Transfer from your bank$/)
    const developer = await arrive({ idPayin: id })
    await developer.submit('trigger', { outcome: 'paid' })
    await untilHeading(customer, /^Payment complete$/)
    assert.match(customer.shown.html, /Return to shop\.localhost/)
  })

  it('a part of the money is answered by what is missing, with a code for that', async () => {
    const customer = await arrive()
    await customer.submit('pay')
    const [, reference = ''] = /data-copy="(RF\d\d[0-9A-Z]+)"/.exec(customer.shown.html) ?? []
    await customer.submit('trigger', { outcome: 'partial' })
    await untilHeading(customer, /^Part of your payment has arrived$/)
    const { html } = customer.shown
    assert.match(html, /We received €74\.95 of €149\.90\./)
    assert.match(html, /data-copy="74\.95"/)
    assert.ok(html.includes(`data-copy="${reference}"`))
    assert.match(html, /id="payment-code"><bdi[^>]*>BCD[^<]*EUR74\.95/)
    await customer.submit('trigger', { outcome: 'paid' })
    await untilHeading(customer, /^Payment complete$/)
  })

  it('a bank that does not answer is named before the customer leaves, and left for when it does', async () => {
    const bank = bankOf(gateway)
    await bank.setMood({ mood: 'DOWN' })
    try {
      const customer = await arrive({
        paymentMethodCode: 'ONLINE_BANKING',
        paymentOperatorCode: 'BANKA_VLTAVA',
      })
      await customer.submit('pay')
      await untilHeading(customer, /^Banka Vltava is not responding right now$/)
      assert.match(customer.shown.html, />Try again<.*>Continue to Banka Vltava anyway</s)
      assert.match(customer.shown.html, /Return to shop\.localhost/)
      await bank.setMood({ mood: 'NORMAL' })
      await untilHeading(customer, /^Continue at Banka Vltava$/)
    } finally {
      await bank.setMood({ mood: 'NORMAL' })
    }
  })

  it('a browser that keeps no cookies is told what it needs', async () => {
    const { url } = await linkFor(gateway)
    const response = await fetch(url, { headers: { 'accept-language': 'en' } })
    assert.equal(response.status, 400)
    assert.match(await response.text(), /<h1[^>]*>Your browser blocks cookies<\/h1>/)
  })
})
