import assert from 'node:assert/strict'
import { test } from 'node:test'
import { buildAssets } from '../src/assets/index.ts'
import { formTokenOf } from '../src/session.ts'
import { openRig, PAYOUT, payoutsOf, refusal, SESSION, selfWith } from './support.ts'

// What screens show, ask for, and keep.

const FOUND = {
  merchantCode: 'SHOP',
  kind: 'PAYIN',
  idPayment: 'ORD-1',
  status: 'SUCCESS',
  processorStatus: 'CONFIRMED',
  paymentMethodCode: 'BANK_TRANSFER',
  reference: 'YK7HC7SP61GN',
  createdAt: '2026-11-21T10:15:28.001Z',
}
const listOfOne = `{"data":[${JSON.stringify(FOUND).slice(0, -1)},"money":{"amount":12345678901234567.890123456789012345,"currencyCode":"ETH"}}],"nextCursor":"MTc5"}`

const hrefIn = (text: string, pattern: RegExp): string =>
  pattern.exec(text)?.[1]?.replaceAll('&amp;', '&') ?? ''

test('an amount is shown with every digit, none of which a float would have kept', async (t) => {
  const rig = await openRig(t, { 'GET /operator/payments': { body: listOfOne } })
  const text = await (await rig.get('/payments')).text()
  assert.ok(text.includes('12,345,678,901,234,567.890123456789012345'))
})

test('the list asks with the filters of its address, and the export has exactly the same', async (t) => {
  const rig = await openRig(t, { 'GET /operator/payments': { body: listOfOne } })
  const page = await rig.get(
    '/payments?status=FAILED&currencyCode=eur&createdFrom=2026-11-01T00:00&amountFrom=5&x=1',
  )
  const asked = rig.heard.find(({ path }) => path === '/operator/payments')?.query ?? []
  assert.deepEqual(Object.fromEntries(asked), {
    status: 'FAILED',
    createdFrom: '2026-11-01T00:00:00Z',
    amountFrom: '5',
    currencyCode: 'EUR',
    limit: '50',
  })
  const link = hrefIn(await page.text(), /href="(\/payments\/export[^"]+)"/)
  rig.answers['GET /operator/payments/export'] = { body: 'createdAt,merchantCode\r\n' }
  const file = await rig.get(link)
  assert.equal(await file.text(), 'createdAt,merchantCode\r\n')
  assert.match(file.headers.get('content-disposition') ?? '', /^attachment; filename="payments-.*\.csv"$/)
  const exported = Object.fromEntries(rig.heard.at(-1)?.query ?? [])
  const { limit: _limit, ...filters } = Object.fromEntries(asked)
  assert.deepEqual(exported, { ...filters, format: 'csv' })
})

test('an end without a beginning shows the month before it, and says so', async (t) => {
  const rig = await openRig(t, { 'GET /operator/payments': { body: listOfOne } })
  const text = await (await rig.get('/payments?createdTo=2026-03-01T08:00')).text()
  const { createdFrom, createdTo } = Object.fromEntries(
    rig.heard.find(({ path }) => path === '/operator/payments')?.query ?? [],
  )
  assert.deepEqual([createdFrom, createdTo], ['2026-01-29T08:00:00.000Z', '2026-03-01T08:00:00Z'])
  assert.match(text, /<p>Of the 31 days before 1 Mar 2026, 08:00:00 UTC<\/p>/)
  const link = new URL(hrefIn(text, /href="(\/payments\/export[^"]+)"/), rig.url)
  assert.equal(link.searchParams.get('createdFrom'), createdFrom)
  assert.match(await (await rig.get('/payments')).text(), /<p>Of the last 7 days<\/p>/)
  assert.doesNotMatch(await (await rig.get('/payments?createdFrom=2026-03-01')).text(), /<p>Of the /)
})

test('"Older" and "Newer" lead through the pages and back', async (t) => {
  const rig = await openRig(t, { 'GET /operator/payments': { body: listOfOne } })
  const follow = async (path: string, rel: string): Promise<string> => {
    const text = await (await rig.get(path)).text()
    return hrefIn(text, new RegExp(`rel="${rel}" href="([^"]+)"`))
  }
  const second = await follow('/payments?kind=PAYIN', 'next')
  assert.equal(second, '/payments?kind=PAYIN&cursor=MTc5&trail=-')
  const third = await follow(second, 'next')
  assert.equal(await follow(third, 'prev'), second)
  assert.equal(await follow(second, 'prev'), '/payments?kind=PAYIN')
})

test('a filter that the API refuses is a sentence above the list, not an error', async (t) => {
  const refused = refusal(400, 'ATTRIBUTE_VALUE_INVALID', 'currencyCode: is no code')
  const rig = await openRig(t, { 'GET /operator/payments': refused })
  const answer = await rig.get('/payments?currencyCode=x')
  assert.equal(answer.status, 200)
  assert.match(await answer.text(), /role="alert"[\s\S]*currencyCode: is no code/)
  rig.answers['GET /operator/payments'] = refusal(410, 'ENTITY_NOT_FOUND', 'There is no merchant NOBODY.')
  const unknown = await rig.get('/payments?merchantCode=NOBODY')
  assert.equal(unknown.status, 200)
  assert.match(await unknown.text(), /<h1>Payments<\/h1>[\s\S]*There is no merchant NOBODY\./)
})

test('an amount with a comma is refused in words, and the list is not asked for', async (t) => {
  const rig = await openRig(t, { 'GET /operator/payments': { body: listOfOne } })
  const text = await (await rig.get('/payments?amountFrom=1,5')).text()
  assert.match(text, /At least: &quot;1,5&quot; is not an amount\. Write it with a point, such as 1234\.50\./)
  assert.ok(!rig.heard.some(({ path }) => path === '/operator/payments'))
})

const HOSTILE = `"><script>alert(1)</script><img src=x onerror='alert(2)'>`

test('K3 texts of others are words and nothing else', async (t) => {
  const holds = [{ event: 'HELD', reason: HOSTILE, operatorCode: HOSTILE, happenedAt: PAYOUT.expireAt }]
  const rig = await openRig(t, {
    'GET /operator/me': {
      body: {
        operatorCode: 'ada',
        name: HOSTILE,
        roles: [HOSTILE],
        permissions: ['payouts.read', 'payouts.approve', 'payouts.unmask'],
      },
    },
    'GET /operator/payouts': payoutsOf({ ...PAYOUT, merchantCode: HOSTILE, holds, refundOf: HOSTILE }),
    'GET /operator/payments': { body: { data: [] } },
  })
  for (const path of [
    '/payouts',
    `/search?q=${encodeURIComponent(HOSTILE)}`,
    `/payments?reference=${encodeURIComponent(HOSTILE)}`,
  ]) {
    const text = await (await rig.get(path)).text()
    assert.ok(text.includes('&lt;script&gt;alert(1)'), path)
    // What stands in the quotes of an attribute cannot leave them.
    const marks = text.replaceAll(/"[^"]*"/g, '""')
    assert.doesNotMatch(marks, /<script>|<img|<[a-z]+[^>]* (?:style|on[a-z]+)=/i, path)
  }
})

test('K9 the payee is hidden until somebody asks by a press, which only those see who may', async (t) => {
  const payee = {
    merchantCode: 'SHOP',
    kind: 'PAYOUT',
    idPayout: 'OUT-1',
    contentHash: '9f2c41d07ab3',
    account: { accountName: 'Jane Doe', accountNumber: 'DE89370400440532013000' },
    waitsBecause: ['AMOUNT'],
    isBlocked: false,
    history: { paidCount: 0, returnedCount: 0, openCount: 1, paidMoney: [] },
  }
  const rig = await openRig(t, {
    'GET /operator/me': selfWith('payouts.unmask'),
    'GET /operator/payouts': payoutsOf(PAYOUT),
    'GET /operator/payouts/SHOP/OUT-1/payee': { body: payee },
  })
  const path = '/payouts/PAYOUT/SHOP/OUT-1'
  assert.match(await (await rig.get(path)).text(), /Show the payee in full/)
  assert.ok(!rig.heard.some((heard) => heard.path.endsWith('/payee')))
  assert.equal((await rig.get(`${path}/payee`)).status, 404)
  const shown = await (await rig.post(`${path}/payee`, { formToken: formTokenOf(SESSION) })).text()
  assert.match(shown, /Jane Doe[\s\S]*DE89 3704 0044 0532 0130 00/)
  rig.answers['GET /operator/me'] = selfWith()
  assert.doesNotMatch(await (await rig.get(path)).text(), /Show the payee in full|Reject/)
})

test('a decision that is refused keeps the reason that was typed, and says why', async (t) => {
  const rig = await openRig(t, {
    'GET /operator/me': selfWith('payouts.approve'),
    'GET /operator/payouts': payoutsOf(PAYOUT),
    'POST /operator/payouts/SHOP/OUT-1/!approve': refusal(409, 'PAYOUT_CHANGED', 'It has changed since.'),
  })
  const form = { formToken: formTokenOf(SESSION), contentHash: '9f2c41d07ab3', reason: 'Called "them"' }
  const answer = await rig.post('/payouts/PAYOUT/SHOP/OUT-1/approve', form)
  const text = await answer.text()
  assert.equal(answer.status, 409)
  assert.match(text, /Not done\.<\/b> It has changed since\./)
  assert.match(text, /name="reason"[^>]*value="Called &quot;them&quot;"/)
})

test('who has approved is not asked again; the last approval says that it sends the money', async (t) => {
  const approvedBy = (operatorCode: string) => ({
    ...PAYOUT,
    approvals: [{ operatorCode, decidedAt: '2026-11-21T11:00:00.000Z' }],
  })
  const rig = await openRig(t, {
    'GET /operator/me': selfWith('payouts.approve'),
    'GET /operator/payouts': payoutsOf(approvedBy('ada')),
  })
  assert.doesNotMatch(await (await rig.get('/payouts')).text(), /formaction/)
  rig.answers['GET /operator/payouts'] = payoutsOf(approvedBy('grace'))
  assert.match(await (await rig.get('/payouts')).text(), /Approve and send 24,800\.00 EUR/)
})

test('without the operator API a screen says so; what was typed is there to be sent again', async (t) => {
  const rig = await openRig(t, { 'GET /operator/me': selfWith('payouts.approve') })
  await rig.goAway()
  const page = await rig.get('/payments')
  assert.equal(page.status, 503)
  assert.match(await page.text(), /does not answer[\s\S]*Nothing was changed[\s\S]*Try again/)
  const form = { formToken: formTokenOf(SESSION), contentHash: '9f2c41d07ab3', reason: 'Invoice <7>' }
  const sent = await rig.post('/payouts/PAYOUT/SHOP/OUT-1/approve?status=ON_HOLD', form)
  const text = await sent.text()
  assert.equal(sent.status, 503)
  assert.match(text, /action="\/payouts\/PAYOUT\/SHOP\/OUT-1\/approve\?status=ON_HOLD"/)
  assert.match(text, /name="reason" value="Invoice &lt;7&gt;"/)
  assert.match(text, /type="hidden" name="contentHash" value="9f2c41d07ab3"/)
})

test('the script is at most 15 kB, and a list of fifty payments at most 40 kB on the way', async (t) => {
  assert.ok(buildAssets().script.body.length <= 15_000)
  const money = { amount: 149.9, currencyCode: 'EUR' }
  const data = Array.from({ length: 50 }, (_, index) => ({ ...FOUND, idPayment: `ORD-${index}`, money }))
  const rig = await openRig(t, { 'GET /operator/payments': { body: { data } } })
  const answer = await fetch(`${rig.url}/payments`, {
    headers: { cookie: `tollgate=${SESSION}`, 'accept-encoding': 'br' },
  })
  const sent = Number(answer.headers.get('content-length'))
  assert.ok(sent > 0 && sent <= 40_000, String(sent))
})

test('a callback says when its next attempt is, in UTC', async (t) => {
  const callback = {
    eventId: '0d6c2e5e-3a55-4f0e-9f4e-6d7b3f1c2a10',
    merchantCode: 'SHOP',
    kind: 'PAYIN',
    idPayment: 'ORD-1',
    timelineEntryNo: 2,
    url: 'https://shop.example/callbacks',
    state: 'PENDING',
    attemptsStarted: 1,
    attemptsMax: 5,
    isUnderWay: false,
    nextAttemptAt: '2026-11-21T10:20:00.000Z',
    createdAt: '2026-11-21T10:15:28.001Z',
    attempts: [],
  }
  const rig = await openRig(t, { 'GET /operator/callbacks': { body: { data: [callback] } } })
  assert.match(await (await rig.get('/callbacks')).text(), /next 21 Nov 2026, 10:20:00 UTC</)
})

test('all callbacks that failed are sent again by one press, of the merchant of the list or expressly of all', async (t) => {
  const rig = await openRig(t, {
    'GET /operator/me': selfWith('callbacks.resend'),
    'GET /operator/callbacks': { body: { data: [] } },
    'POST /operator/callbacks/!resend': { body: { resent: 1000, hasMore: true } },
  })
  const form = { formToken: formTokenOf(SESSION) }
  for (const [query, fields, asked] of [
    ['state=EXHAUSTED&merchantCode=SHOP', { merchantCode: 'SHOP' }, { merchantCode: 'SHOP' }],
    ['state=EXHAUSTED', { isForAll: 'true' }, { isForAll: true }],
    // A form that says neither is not taken for all.
    ['state=EXHAUSTED', {}, {}],
  ] as const) {
    const page = await (await rig.get(`/callbacks?${query}`)).text()
    for (const [name, value] of Object.entries(fields))
      assert.match(page, new RegExp(`type="hidden" name="${name}" value="${value}"`))
    const answer = await rig.post(`/callbacks/resendAll?${query}`, { ...form, ...fields })
    const heard = rig.heard.find(({ path }) => path === '/operator/callbacks/!resend')
    assert.deepEqual(JSON.parse(heard?.body ?? ''), asked)
    rig.heard.length = 0
    const shown = await (await rig.get(answer.headers.get('location') ?? '')).text()
    assert.match(shown, /1,?000 callbacks sent again: .* There are more: press again\./)
  }
  assert.match(
    await (await rig.get('/callbacks?state=EXHAUSTED')).text(),
    />Send all again, of every merchant</,
  )
  assert.doesNotMatch(await (await rig.get('/callbacks?state=PENDING')).text(), /Send all again/)
  rig.answers['GET /operator/me'] = selfWith()
  assert.doesNotMatch(await (await rig.get('/callbacks?state=EXHAUSTED')).text(), /Send all again/)
})
