import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { waitUntil } from '@tollgate/testkit'
import { rejectionItem } from '../support/expectations.ts'
import { textAt } from '../support/json.ts'
import { tollgate } from './support/cli.ts'
import { startGateway } from './support/gateway.ts'
import { addMerchant, codesOf, createBody, type Merchant, verdict } from './support/merchant.ts'

const LIVE = {
  TOLLGATE_ENVIRONMENT: 'live',
  TOLLGATE_PUBLIC_API_URL: 'https://api.gateway.test',
  TOLLGATE_PUBLIC_CHECKOUT_URL: 'https://pay.gateway.test',
}
const MONEY = { amount: 25, currencyCode: 'EUR' }
const gateway = await startGateway({ after })
const shop = await addMerchant(gateway, 'SHOP')
await shop.read('/segments')

/** An operator's change, and the moment from which the gateway works by it. */
async function change(isThere: () => Promise<boolean>, ...parts: readonly string[]): Promise<void> {
  await tollgate(gateway, 'merchants', ...parts)
  await waitUntil(isThere, { timeoutMs: 60_000, what: parts.join(' ') })
}

const optionsFor = async (merchant: Merchant, segmentCode: string, token?: string): Promise<string> =>
  verdict(
    await gateway.call({
      method: 'POST',
      path: '/payins/!availablePaymentOptions',
      token: token ?? (await merchant.token(['POST /payins/.*'])),
      body: { money: MONEY, segmentCode },
    }),
  )
const createIn = (id: string, segmentCode: string, more: Record<string, unknown> = {}) =>
  shop.create(id, { paymentRequested: { money: MONEY, segmentCode }, ...more })
const REFUSED = '406 SEGMENT_NOT_SUPPORTED'

test('H16 a merchant claims only the segments that were granted to it', async () => {
  assert.equal(await optionsFor(shop, 'VIP'), '200')
  await change(async () => (await optionsFor(shop, 'VIP')) === REFUSED, 'set-segments', 'SHOP', 'NEW')
  assert.equal(verdict(await createIn('h15-vip', 'VIP')), REFUSED)
  assert.equal(await optionsFor(shop, 'NEW'), '200')
  await change(async () => (await optionsFor(shop, 'NEW')) === REFUSED, 'set-segments', 'SHOP')
  assert.equal(verdict(await shop.create('h15-none')), '201')
  await change(async () => (await optionsFor(shop, 'VIP')) === '200', 'set-segments', 'SHOP', '--all')
  await assert.rejects(tollgate(gateway, 'merchants', 'set-segments', 'SHOP', 'NOBODY'), /no segment NOBODY/)
})

test('H16 a token for one payment cannot choose a segment, and a customer’s own one wins', async () => {
  const token = await shop.actionToken({ action: 'PAYIN_CREATE', idPayment: 'h15-own' })
  assert.equal(await optionsFor(shop, 'VIP', token), REFUSED)
  const chosen = await gateway.call({
    method: 'POST',
    path: '/payins/h15-own',
    token,
    rawBody: createBody({ paymentRequested: { money: MONEY, segmentCode: 'VIP' } }),
  })
  assert.equal(verdict(chosen), REFUSED)
  const general = await shop.token(['POST /customers/.*', 'POST /payins/.*', 'GET /payins/.*'])
  const body = { segmentCode: 'NEW' }
  const added = await gateway.call({ method: 'POST', path: '/customers/nina', token: general, body })
  assert.equal(verdict(added), '201')
  assert.equal(verdict(await createIn('h15-nina', 'VIP', { customer: { idCustomer: 'nina' } })), '201')
  const rows = await gateway.sql(`select segment_code from payments where id_payment = 'h15-nina'`)
  assert.deepEqual(rows, [{ segment_code: 'NEW' }])
})

test('H16 a token for one payment cannot choose a segment by naming a customer, nor learn who is one', async () => {
  const general = await shop.token(['POST /customers/.*'])
  const add = async (id: string, segmentCode?: string): Promise<void> => {
    const path = `/customers/${id}`
    const added = await gateway.call({ method: 'POST', path, token: general, body: { segmentCode } })
    assert.equal(verdict(added), '201')
  }
  await add('vera', 'VIP')
  await add('bob')
  await gateway.call({ method: 'POST', path: '/customers/bob/!block', token: general })
  const byAction = await shop.actionToken({ action: 'PAYIN_CREATE', idPayment: 'h15-named' })
  const byPath = await shop.token(['POST /payins/h15-named'])
  const answers = new Set<string>()
  for (const token of [byAction, byPath])
    for (const idCustomer of ['vera', 'bob', 'nobody']) {
      const rawBody = createBody({ customer: { idCustomer } })
      const answer = await gateway.call({ method: 'POST', path: '/payins/h15-named', token, rawBody })
      answers.add(`${verdict(answer)} ${textAt(rejectionItem(answer, 'CUSTOMER_NOT_FOUND'), 'message')}`)
    }
  assert.equal(answers.size, 1, [...answers].join('\n'))
  assert.match([...answers].join(''), /^406 CUSTOMER_NOT_FOUND .*cannot name a customer/)
})

test('H17 where the money is required, a token for the payment page without it is not issued and does not pay', async () => {
  const before = await shop.actionToken({ action: 'PAYIN_CREATE', idPayment: 'h16' })
  const pay = async (token: string): Promise<string> =>
    verdict(
      await gateway.call({ method: 'POST', path: '/payins/h16', token, rawBody: createBody({ amount: 99 }) }),
    )
  const ask = async (members: Record<string, unknown>): Promise<string> =>
    shop.actionToken({ action: 'PAYIN_CREATE', idPayment: 'h16', ...members }).then(
      () => 'issued',
      (error: unknown) => String(Reflect.get(Object(error), 'code') ?? error),
    )
  await change(async () => (await pay(before)) === '403 MONEY_NOT_PERMITTED', 'require-money', 'SHOP', 'on')
  assert.match(await ask({}), /ATTRIBUTE_REQUIRED/)
  const bound = await shop.actionToken({
    action: 'PAYIN_CREATE',
    idPayment: 'h16',
    money: { ...MONEY, amount: '25' },
  })
  assert.equal(await pay(bound), '403 MONEY_NOT_PERMITTED')
  // The shop's own token is in no customer's hands.
  assert.equal(verdict(await shop.create('h16-own')), '201')
  await change(async () => (await ask({})) === 'issued', 'require-money', 'SHOP', 'off')
})

test('H18 callback and return addresses have lists of their own, and an empty one allows nothing', async () => {
  const create = async (id: string): Promise<string> => {
    const urls = { callbackUrl: 'http://127.0.0.1:9/c', returnUrl: 'https://shop.example/back' }
    return verdict(await shop.create(id, urls))
  }
  const CALLBACK = '406 CALLBACK_URL_NOT_ALLOWED'
  const RETURN = '406 RETURN_URL_NOT_ALLOWED'
  await change(async () => (await create('h17-a')) === CALLBACK, 'set-origins', 'SHOP', '--callbacks')
  const set = ['set-origins', 'SHOP', 'http://127.0.0.1:9'] as const
  await change(async () => (await create('h17-b')) === RETURN, ...set)
  await change(
    async () => (await create('h17-c')) === '201',
    'set-origins',
    'SHOP',
    'https://shop.example',
    '--returns',
  )
  await tollgate(gateway, 'merchants', 'set-origins', 'SHOP')
})

test('H19 a merchant of a live gateway begins with no addresses, no segments and money in its tokens', async (t) => {
  const live = await startGateway(t, { env: LIVE })
  const shown = JSON.parse(await tollgate(live, 'merchants', 'show', await created(live), '--json'))
  assert.deepEqual(
    [shown.callbackOrigins, shown.returnOrigins, shown.segments, shown.requireMoneyInTokens],
    [[], [], [], true],
  )
  const merchant = await addMerchant(live, 'BEFORE')
  const answer = await merchant.create('h18', { callbackUrl: 'https://shop.example/c' })
  assert.doesNotMatch(codesOf(answer), /CALLBACK_URL_NOT_ALLOWED/)
  await live.sql(
    `update merchants n set callback_origins = o.callback_origins from merchants o
      where n.merchant_code = 'BEFORE' and o.merchant_code = 'FRESH'`,
  )
  await waitUntil(
    async () =>
      /CALLBACK_URL_NOT_ALLOWED/.test(
        codesOf(await merchant.create('h18', { callbackUrl: 'https://shop.example/c' })),
      ),
    { timeoutMs: 60_000, what: 'the empty list to count' },
  )
})

/** A merchant that an operator made in live; its code. */
async function created(live: typeof gateway): Promise<string> {
  await tollgate(live, 'merchants', 'create', 'FRESH')
  return 'FRESH'
}
