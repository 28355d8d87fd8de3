import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { waitUntil } from '@tollgate/testkit'
import { type Customer, newCustomer, untilHeading } from './support/customer.ts'
import { startGateway } from './support/gateway.ts'
import { textAt } from './support/json.ts'
import { addMerchant } from './support/merchant.ts'
import { newId } from './support/payins.ts'
import { type LinkWish, linkFor, payinOperations, RETURN_URL } from './support/shop.ts'

const gateway = await startGateway({ after }, { checkout: true, simulator: true })
const RESULT_TIMEOUT_MS = 60_000

async function arrive(wish: LinkWish = {}): Promise<{ customer: Customer; id: string; token: string }> {
  const link = await linkFor(gateway, wish)
  const customer = newCustomer(gateway.checkoutUrl)
  await customer.open(link.url)
  return { customer, id: link.id, token: link.token }
}

/** The payin as its shop reads it; undefined when there is none. */
async function payinOf(id: string): Promise<unknown> {
  const token = await gateway.demo().token(`GET /payins/${id}`)
  const { status, body } = await gateway.send({ method: 'GET', path: `/payins/${id}`, token })
  assert.ok(status === 200 || status === 410, String(status))
  return status === 200 ? body : undefined
}

test('scenario 1: a customer chooses, fills in, pays and returns, without scripts', async () => {
  const { customer, id } = await arrive()
  assert.equal(customer.heading(), 'How would you like to pay?')
  await customer.submit('choose')
  assert.equal(customer.heading(), 'How would you like to pay?')
  await customer.submit('choose', { methodCode: 'BANK_TRANSFER' })
  assert.equal(customer.heading(), 'Pay €149.90 to Demo Shop with Bank transfer')
  assert.match(customer.shown.html, /<summary>Your details \(optional\)<\/summary>/)
  await customer.submit('pay', { accountName: 'Ada', accountNumber: 'de88 3704 0044 0532 0130 00' })
  assert.match(customer.shown.html, /aria-invalid="true"/)
  assert.match(customer.shown.html, /This IBAN contains a typing error/)
  assert.match(customer.shown.html, /value="Ada"/)
  assert.equal(await payinOf(id), undefined)
  const iban = 'de89 3704-0044 0532 0130 00'
  await customer.submit('pay', { accountNumber: iban, emailAddress: 'slow@sandbox.test' })
  assert.equal(customer.heading(), 'Transfer from your bank')
  assert.match(customer.shown.html, /<svg [^>]*role="img"/)
  assert.match(customer.shown.html, /data-copy="149\.90"/)
  assert.match(customer.shown.html, /http-equiv="refresh"/)
  await untilHeading(customer, /^Payment complete$/)
  assert.match(customer.shown.html, /href="http:\/\/shop\.localhost\/thanks\?order=1&amp;x=2"/)
  const payin = await payinOf(id)
  assert.equal(textAt(payin, 'paymentMethodResponse', 'returnUrl'), RETURN_URL)
  const token = await gateway.demo().token('GET /payins/.*')
  const accounts = await gateway.send({ method: 'GET', path: `/payins/${id}/accounts`, token })
  assert.match(accounts.text, /"DE89370400440532013000"/)
})

test('scenario 2: what the shop supplied is sent, not asked for, and shown only in part', async () => {
  const customerData = { accountName: 'Jane Doe', accountNumber: 'DE89370400440532013000' }
  const { customer, id } = await arrive({ customerData })
  await customer.submit('choose', { methodCode: 'BANK_TRANSFER' })
  assert.match(customer.heading(), /^Pay €149\.90 to .* with Bank transfer$/)
  assert.match(customer.shown.html, /DE89 •••• 3000/)
  assert.doesNotMatch(customer.shown.html, /Jane Doe|0400440532/)
  await customer.submit('pay', { accountName: 'Somebody Else' })
  assert.equal(customer.heading(), 'Transfer from your bank')
  const token = await gateway.demo().token('GET /payins/.*')
  const accounts = await gateway.send({ method: 'GET', path: `/payins/${id}/accounts`, token })
  assert.match(accounts.text, /"accountName":"Jane Doe"/)
})

test('scenario 2: supplied data that is wrong is the shop’s to mend', async () => {
  const { customer } = await arrive({
    paymentMethodCode: 'BANK_TRANSFER',
    customerData: { accountNumber: 'DE88370400440532013000' },
  })
  assert.equal(customer.heading(), 'The shop sent incomplete details')
})

test('scenario 3: supplied data is filled in, judged at once and may be changed', async () => {
  const { customer } = await arrive({
    paymentMethodCode: 'BANK_TRANSFER',
    allowCustomerDataChange: true,
    customerData: { accountName: 'Jane Doe', accountNumber: 'DE88370400440532013000' },
  })
  assert.equal(customer.heading(), 'Your details')
  assert.match(customer.shown.html, /value="Jane Doe"/)
  assert.match(customer.shown.html, /This IBAN contains a typing error/)
  await customer.submit('pay', { accountNumber: 'DE89370400440532013000' })
  assert.equal(customer.heading(), 'Transfer from your bank')
})

test('H4: scenario 4: a fixed method and bank leave one click, and no look at the page makes a payment', async () => {
  const { customer, id } = await arrive({
    paymentMethodCode: 'ONLINE_BANKING',
    paymentOperatorCode: 'BANKA_VLTAVA',
    customerData: { accountName: 'Jane Doe' },
  })
  assert.equal(customer.heading(), 'Pay €149.90 to Demo Shop with Banka Vltava')
  assert.doesNotMatch(customer.shown.html, /step=method|step=operator/)
  for (let count = 0; count < 20; count += 1) await customer.reload()
  assert.equal(await payinOf(id), undefined)
  await customer.submit('pay')
  assert.equal(customer.heading(), 'Continue at Banka Vltava')
})

test('scenario 5: the fixed method is there already, and another may be chosen', async () => {
  const { customer } = await arrive({ paymentMethodCode: 'WALLET', optionsAvailable: true })
  assert.equal(customer.heading(), 'Choose your wallet')
  await customer.follow(/Choose another payment method/)
  assert.match(customer.shown.html, /value="WALLET" aria-current="true"/)
  await customer.submit('choose', { methodCode: 'BANK_TRANSFER' })
  assert.match(customer.shown.html, /Bank transfer <a href=/)
})

test('a customer goes to the bank, approves, comes back to the page and is told that it is paid', async () => {
  const { customer, id } = await arrive({ paymentMethodCode: 'ONLINE_BANKING' })
  assert.equal(customer.heading(), 'Choose your bank')
  await customer.submit('choose', { operatorCode: 'SPARKASSE_ELBSTROM' })
  await customer.submit('pay')
  assert.equal(customer.heading(), 'Continue at Sparkasse Elbstrom')
  const address = /id="go" href="([^"]+)"/.exec(customer.shown.html)?.[1] ?? assert.fail('no way to the bank')
  const bank = newCustomer(new URL(address).origin)
  const isOpen = async (): Promise<boolean> => (await bank.open(`${address}?userName=Ada`)).status === 200
  await waitUntil(isOpen, { timeoutMs: RESULT_TIMEOUT_MS, what: 'the bank to know the payment' })
  await bank.submit('approve')
  const back = /class="button" href="([^"]+)"/.exec(bank.shown.html)?.[1] ?? assert.fail('no way back')
  assert.match(back, /^http:\/\/localhost:\d+\/p\/[\w-]{22}\/back$/)
  await customer.open(back)
  assert.match(customer.heading(), /^(?:Your payment is being confirmed|Payment complete)$/)
  await untilHeading(customer, /^Payment complete/)
  assert.match(customer.shown.html, /Online banking – Sparkasse Elbstrom/)
  assert.equal(textAt(await payinOf(id), 'process', 'status'), 'SUCCESS')
})

test('a customer who comes back without having approved may go again', async () => {
  const { customer } = await arrive({
    paymentMethodCode: 'ONLINE_BANKING',
    paymentOperatorCode: 'BANKA_VLTAVA',
  })
  await customer.submit('pay')
  await customer.open(`${customer.shown.path}/back`)
  assert.equal(customer.heading(), 'Your payment is being confirmed')
})

test('an external reference is asked for where to pay is shown, judged, sent and may be corrected', async () => {
  const { customer, id } = await arrive({ paymentMethodCode: 'OFFLINE_TRANSFER' })
  await customer.submit('pay', { accountName: 'Ada' })
  assert.equal(customer.heading(), 'Transfer from your bank')
  await customer.submit('reference', { externalReference: '' })
  assert.match(customer.shown.html, /Payment reference is required\./)
  await customer.submit('reference', { externalReference: ' AB-1 ' })
  assert.match(customer.shown.html, /Thank you\. We are looking for your payment\./)
  assert.equal(textAt(await payinOf(id), 'externalReference'), 'AB-1')
  await customer.follow(/^Correct the reference$/)
  await customer.submit('reference', { externalReference: '' })
  assert.match(customer.shown.html, /Payment reference is required\./)
  assert.doesNotMatch(customer.shown.html, /Thank you/)
  await customer.submit('reference', { externalReference: 'AB-2' })
  assert.equal(textAt(await payinOf(id), 'externalReference'), 'AB-2')
})

test('where a reference may help, the customer can send one, with a hint at its form', async () => {
  const { customer, id } = await arrive({ amount: '500', currencyCode: 'INR', paymentMethodCode: 'UPI' })
  await customer.submit('pay')
  assert.match(customer.heading(), /^Pay with UPI$/)
  await customer.follow(/I have paid/)
  await customer.submit('reference', { externalReference: '12345678901' })
  assert.match(customer.shown.html, /This reference has 12 digits; you entered 11\./)
  await customer.submit('reference', { externalReference: '१२३४ ५६७८ ९०१२' })
  assert.equal(textAt(await payinOf(id), 'externalReference'), '123456789012')
})

test('H5: two clicks at once, a reload, another tab and another device are the same payment', async () => {
  const link = await linkFor(gateway, { paymentMethodCode: 'BANK_TRANSFER' })
  const [one, other] = [newCustomer(gateway.checkoutUrl), newCustomer(gateway.checkoutUrl)]
  await Promise.all([one.open(link.url), other.open(link.url)])
  assert.equal(one.shown.path, other.shown.path)
  await Promise.all([one.submit('pay', { accountName: 'Ada' }), other.submit('pay', { accountName: 'Bob' })])
  const reference = /data-copy="(RF\d\d[0-9A-Z]+)"/
  const [, first] = reference.exec(one.shown.html) ?? assert.fail(one.shown.html)
  assert.equal(reference.exec(other.shown.html)?.[1], first)
  await one.reload()
  const late = newCustomer(gateway.checkoutUrl)
  await late.open(link.url)
  for (const customer of [one, late]) assert.equal(reference.exec(customer.shown.html)?.[1], first)
})

test('a failed, a cancelled and an expired payment say so, and lead back to the shop', async () => {
  const endings = [
    ['declined@sandbox.test', /^Payment not completed$/, /did not approve/],
    ['insufficient-funds@sandbox.test', /^Payment not completed$/, /not enough money/],
    ['cancelled@sandbox.test', /^The payment was cancelled$/, /No money was taken/],
    ['expires@sandbox.test', /^This payment has expired$/, /Do not pay twice/],
  ] as const
  await Promise.all(
    endings.map(async ([emailAddress, heading, sentence]) => {
      const { customer } = await arrive({
        paymentMethodCode: 'BANK_TRANSFER',
        customerData: { emailAddress },
      })
      await customer.submit('pay')
      if (emailAddress === 'expires@sandbox.test') await customer.submit('trigger', { outcome: 'expired' })
      await untilHeading(customer, heading)
      assert.match(customer.shown.html, sentence)
      assert.match(customer.shown.html, /Return to shop\.localhost/)
    }),
  )
})

test('the test panel of the sandbox makes the bank say what a developer wants to see', async () => {
  const { customer } = await arrive({ paymentMethodCode: 'BANK_TRANSFER' })
  await customer.submit('pay')
  assert.match(customer.shown.html, /Test panel/)
  await customer.submit('trigger', { outcome: 'partial' })
  await untilHeading(customer, /^(?:Part of your payment has arrived|Your payment is being confirmed)$/)
  await customer.submit('trigger', { outcome: 'paid' })
  await untilHeading(customer, /^Payment complete/)
})

test('leaving a payment that is open asks once', async () => {
  const { customer } = await arrive({ paymentMethodCode: 'BANK_TRANSFER' })
  await customer.submit('pay')
  await customer.follow(/Cancel and return to shop\.localhost/)
  assert.equal(customer.heading(), 'Your payment is not complete yet. Leave this page?')
  await customer.follow(/Stay on this page/)
  assert.equal(customer.heading(), 'Transfer from your bank')
})

test('the status screen shows how a payment stands and offers nothing else', async () => {
  const { customer: payer, id } = await arrive({ paymentMethodCode: 'BANK_TRANSFER' })
  await payer.submit('pay')
  const token = await gateway.demo().tokenFor({ action: 'PAYIN_INFO', idPayment: id })
  const customer = newCustomer(gateway.checkoutUrl)
  const query = new URLSearchParams({ idPayin: id, token, currencyCode: 'EUR' })
  await customer.open(`/status?${query.toString()}`)
  assert.match(customer.shown.path, /^\/status\/[\w-]{22}$/)
  assert.equal(customer.heading(), 'Transfer from your bank')
  assert.doesNotMatch(customer.shown.html, /<form/)
  await payer.submit('trigger', { outcome: 'paid' })
  await untilHeading(customer, /^Payment complete/)
  assert.match(customer.shown.html, /Return to shop\.localhost/)
})

test('H10: a status link to nothing, and one with the token of another payment, show nothing', async () => {
  const [id, other] = [newId(), newId()]
  const token = await gateway.demo().tokenFor({ action: 'PAYIN_INFO', idPayment: id })
  const customer = newCustomer(gateway.checkoutUrl)
  const queryFor = (idPayin: string) =>
    new URLSearchParams({ idPayin, token, currencyCode: 'EUR' }).toString()
  assert.equal((await customer.open(`/status?${queryFor(id)}`)).status, 404)
  assert.equal(customer.heading(), 'We cannot find this payment')
  assert.equal((await customer.open(`/status?${queryFor(other)}`)).status, 403)
  assert.equal(customer.heading(), 'This payment link is no longer valid')
})

test('H12: the shop’s name is what the merchant’s information says, with every token of the payin and with no other', async () => {
  const { customer } = await arrive()
  assert.match(customer.shown.html, /class="bar__name">Demo Shop</)
  assert.match(customer.shown.html, /<title>Pay €149\.90 – Demo Shop<\/title>/)
  const { url } = await linkFor(gateway)
  const forged = newCustomer(gateway.checkoutUrl)
  await forged.open(url.replace(/(token=[^&]{40})[^&]*/, '$1.x.y'))
  assert.doesNotMatch(forged.shown.html, /Demo Shop/)
})

test('H2 H7: an address that is not the shop’s is refused before anything is offered', async () => {
  const merchant = await addMerchant(gateway, `PAGE_${newId().slice(0, 8)}`)
  await gateway.cli('merchants', 'enable-method', merchant.code, 'BANK_TRANSFER')
  await gateway.cli('merchants', 'set-origins', merchant.code, 'http://shop.localhost', 'http://127.0.0.1:9')
  const { customer: good } = await arrive({ merchant })
  await untilHeading(good, /^(?:Pay €149\.90 to|How would you like)/)
  const { customer } = await arrive({ merchant, returnUrl: 'http://evil.localhost/' })
  await untilHeading(customer, /^The shop’s return address is not registered$/)
  assert.doesNotMatch(customer.shown.html, /href="http:\/\/evil/)
  assert.match(customer.shown.html, /tollgate merchants set-origins/)
})

test('an amount that no method takes leads to a screen that says so, with the reasons for developers', async () => {
  const { customer } = await arrive({ amount: '0.01' })
  assert.equal(customer.heading(), 'This amount cannot be paid here')
  assert.match(customer.shown.html, /AMOUNT_BELOW_MINIMUM/)
})

test('a method whose limit of today is reached is named, and another may be chosen', async () => {
  const merchant = await addMerchant(gateway, `LIMITED_${newId().slice(0, 8)}`)
  for (const method of ['BANK_TRANSFER', 'ONLINE_BANKING', 'OFFLINE_TRANSFER'])
    await gateway.cli('merchants', 'enable-method', merchant.code, method)
  await gateway.cli(
    'merchants',
    'set-limit',
    merchant.code,
    'BANK_TRANSFER',
    '--currency',
    'EUR',
    '--daily-count',
    '1',
  )
  const customerData = { accountName: 'Jane Doe' }
  const transfer = { merchant, customerData, paymentMethodCode: 'BANK_TRANSFER' }
  const { customer: fast } = await arrive(transfer)
  const { customer: slow } = await arrive({ merchant, customerData })
  const { customer: bound } = await arrive(transfer)
  await slow.submit('choose', { methodCode: 'BANK_TRANSFER' })
  for (const each of [fast, slow, bound])
    assert.match(each.heading(), /^Pay €149\.90 to .* with Bank transfer$/)
  await fast.submit('pay')
  assert.equal(fast.heading(), 'Transfer from your bank')
  // Between the offer and the payment somebody else was faster.
  await slow.submit('pay')
  assert.equal(slow.heading(), 'How would you like to pay?')
  assert.match(slow.shown.html, /Today’s limit for \S*Bank transfer\S* has been reached\./)
  assert.match(slow.shown.html, /value="BANK_TRANSFER" disabled>.*Daily limit reached/s)
  await slow.submit('choose', { methodCode: 'ONLINE_BANKING' })
  assert.equal(slow.heading(), 'Choose your bank')
  await bound.submit('pay')
  assert.equal(bound.heading(), 'This payment method is not available right now')
  assert.match(bound.shown.html, /Today’s limit for \S*Bank transfer\S* has been reached\./)
  const { customer: late } = await arrive({ merchant })
  assert.match(late.shown.html, /value="BANK_TRANSFER" disabled>.*Daily limit reached/s)
})

test('H15: a token without one of the operations that the page needs is refused on opening', async () => {
  for (const missing of payinOperations('ORD')) {
    const id = newId()
    const operations = payinOperations(id).filter((_, at) => at !== payinOperations('ORD').indexOf(missing))
    const token = await gateway.demo().token(...operations)
    const customer = newCustomer(gateway.checkoutUrl)
    const { url } = await linkFor(gateway, { idPayin: id, token })
    const shown = await customer.open(url)
    assert.equal(shown.status, 403, missing)
    assert.match(customer.heading(), /^This payment link is (?:incomplete|no longer valid)$/)
    assert.match(shown.html, /The token must permit &quot;POST \/payins\/!availablePaymentOptions&quot;/)
    assert.equal(await payinOf(id), undefined)
  }
})

test('a payment operator alone preselects its method, and a fragment of the return address stays', async () => {
  const returnUrl = 'http://shop.localhost/app#/orders/1?x=2'
  const { customer, id } = await arrive({
    paymentOperatorCode: 'BANKA_VLTAVA',
    returnUrl,
    customerData: { accountName: 'Jane Doe' },
  })
  assert.equal(customer.heading(), 'Pay €149.90 to Demo Shop with Banka Vltava')
  assert.match(customer.shown.html, /href="http:\/\/shop\.localhost\/app#\/orders\/1\?x=2"/)
  await customer.submit('pay')
  const payin = await payinOf(id)
  assert.equal(textAt(payin, 'paymentMethodResponse', 'paymentOperatorCode'), 'BANKA_VLTAVA')
  assert.equal(textAt(payin, 'paymentMethodResponse', 'returnUrl'), returnUrl)
})

test('H1: a link whose amount was edited pays nothing', async () => {
  const { url, id } = await linkFor(gateway)
  const customer = newCustomer(gateway.checkoutUrl)
  const shown = await customer.open(url.replace('amount=149.90', 'amount=1.00'))
  assert.equal(shown.status, 400)
  assert.equal(customer.heading(), 'This payment link is incomplete')
  assert.equal(await payinOf(id), undefined)
})

test('a screen hears by itself that the payment has moved on, as a stream and by asking', async () => {
  const { customer } = await arrive({ paymentMethodCode: 'BANK_TRANSFER' })
  await customer.submit('pay')
  const { path, html } = customer.shown
  const shownState = /data-live-state="([^"]+)"/.exec(html)?.[1] ?? assert.fail('it does not follow')
  const headers = { cookie: customer.cookies().join('; ') }
  const ask = async (): Promise<string> =>
    textAt(await (await fetch(`${gateway.checkoutUrl}${path}/state`, { headers })).json(), 'state')
  assert.equal(await ask(), shownState)
  const stream = await fetch(`${gateway.checkoutUrl}${path}/events`, {
    headers,
    signal: AbortSignal.timeout(RESULT_TIMEOUT_MS),
  })
  assert.equal(stream.headers.get('content-type'), 'text/event-stream')
  assert.equal(stream.headers.get('x-accel-buffering'), 'no')
  const states: string[] = []
  let text = ''
  for await (const chunk of stream.body ?? assert.fail('no stream')) {
    text += Buffer.from(chunk).toString()
    states.splice(
      0,
      states.length,
      ...[...text.matchAll(/"state":"([^"]+)"/g)].map(([, state = '']) => state),
    )
    if (states.length === 1 && states[0] === shownState) await customer.submit('trigger', { outcome: 'paid' })
    if (states.some((state) => state !== shownState)) break
  }
  assert.equal(states[0], shownState)
  assert.equal(states.at(-1), await ask())
})

test('the page speaks the customer’s language, and another one when asked', async () => {
  const { url } = await linkFor(gateway)
  const customer = newCustomer(gateway.checkoutUrl, 'de-AT, en;q=0.5')
  await customer.open(url)
  assert.match(customer.shown.html, /<html lang="de" dir="ltr">/)
  await customer.follow(/العربية/)
  assert.match(customer.shown.html, /<html lang="ar" dir="rtl">/)
  await customer.reload()
  assert.match(customer.shown.html, /<html lang="ar" dir="rtl">/)
})
