import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formTokenOf } from '../src/session.ts'
import { openRig, refusal, SESSION, selfWith } from './support.ts'

// Settlements, balances, rates, customers and blocked accounts.

const token = (): string => formTokenOf(SESSION)
const eur = (amount: number) => ({ amount, currencyCode: 'EUR' })
const SETTLEMENT = {
  merchantCode: 'SHOP',
  idSettlement: 'S-1',
  kind: 'CYCLE',
  reference: 'REF1',
  period: { from: '2026-11-19T00:00:00.000Z', to: '2026-11-20T00:00:00.000Z' },
  gross: eur(449.7),
  fees: eur(0.75),
  adjustments: eur(-25.5),
  net: eur(423.45),
  repaid: eur(23.45),
  process: {
    status: 'SUCCESS',
    processorStatus: 'CONFIRMED',
    createdAt: '2026-11-20T00:00:05.000Z',
    isTest: true,
  },
}
const SUM = (type: string, count: number, net: number) => ({
  type,
  count,
  money: eur(net),
  fee: eur(0),
  net: eur(net),
})
const ITEM = {
  type: 'PAYIN',
  idEntity: 'ORD-1',
  money: eur(149.9),
  fee: eur(0.25),
  net: eur(149.65),
  processedAt: '2026-11-19T10:00:00.000Z',
}
const CONVERSION = {
  sold: eur(400),
  bought: { amount: 430, currencyCode: 'USD' },
  repaid: { amount: 12.5, currencyCode: 'USD' },
  rateListCode: 'SANDBOX',
  version: 1,
  currencyCodes: ['USD'],
  side: 'BUY',
  rate: 1.075,
}
const FINANCE = selfWith('settlements.read', 'settlements.run', 'rates.read', 'rates.change')

test('a settlement shows how it was computed, and its transactions lead to their payments', async (t) => {
  const rig = await openRig(t, {
    'GET /operator/me': FINANCE,
    'GET /operator/settlements/SHOP': { body: { data: [SETTLEMENT] } },
    'GET /operator/settlements/SHOP/S-1': { body: { ...SETTLEMENT, conversion: CONVERSION } },
    'GET /operator/settlements/SHOP/S-1/transactions': {
      body: { sums: [SUM('PAYIN', 3, 448.95), SUM('REVERSAL', 1, -25.5)], data: [ITEM], nextCursor: 'MTc5' },
    },
  })
  const page = await (await rig.get('/settlements/SHOP/S-1')).text()
  assert.match(page, /Gross[\s\S]*449\.70[\s\S]*3 payins brought/)
  assert.match(page, /Fees[\s\S]*−0\.75/)
  assert.match(page, /Adjustments[\s\S]*−25\.50[\s\S]*Reversal, 1: −25\.50 EUR/)
  assert.match(
    page,
    /Settled in USD[\s\S]*430\.00[\s\S]*Paid what was owed[\s\S]*12\.50[\s\S]*in that currency/,
  )
  assert.match(page, /449\.70 EUR less 0\.75 EUR plus −25\.50 EUR/)
  assert.match(page, /Paid what was owed[\s\S]*23\.45/)
  assert.match(page, /From, UTC[\s\S]*To, UTC/)
  assert.match(page, /href="\/payments\/PAYIN\/SHOP\/ORD-1"[\s\S]*1 of 4 transactions[\s\S]*cursor=MTc5/)
})

test('K44 a run is shown before it is done, and is done with the same order', async (t) => {
  const period = {
    merchantCode: 'SHOP',
    currencyCode: 'EUR',
    until: SETTLEMENT.period.to,
    result: 'SETTLED',
    net: eur(5),
  }
  const carried = { ...period, result: 'NOT_POSITIVE', net: eur(0) }
  const rig = await openRig(t, {
    'GET /operator/me': FINANCE,
    'POST /operator/settlements/!run': ({ body }) => ({
      body: { isDry: body.includes('"isDry":true'), cycleCount: 1, data: [period, carried] },
    }),
  })
  const order = { merchantCode: 'SHOP', currencyCode: 'eur', until: 'Now', formToken: token() }
  const preview = await (await rig.post('/settlements/preview', { form: 'preview', ...order })).text()
  assert.match(preview, /Carried: nothing is left after fees and recalls/)
  assert.match(preview, /What would be settled[\s\S]*Would be settled[\s\S]*Settle 1 period/)
  const hidden = [...preview.matchAll(/name="(merchantCode|currencyCode|until)" value="([^"]*)"/g)]
  const kept = Object.fromEntries(hidden.map(([, name = '', value = '']) => [name, value]))
  assert.match(
    await (await rig.post('/settlements/run', { ...kept, formToken: token() })).text(),
    /What was settled/,
  )
  const [dry, real] = rig.heard.filter(({ method }) => method === 'POST').map(({ body }) => JSON.parse(body))
  const same = { merchantCode: 'SHOP', currencyCode: 'EUR', until: 'NOW' }
  assert.deepEqual(
    [dry, real],
    [
      { ...same, isDry: true },
      { ...same, isDry: false },
    ],
  )
})

test('K44 without a merchant nobody’s money is settled, and the form keeps what was typed', async (t) => {
  const rig = await openRig(t, {
    'GET /operator/me': FINANCE,
    'POST /operator/settlements/!run': refusal(
      400,
      'ATTRIBUTE_VALUE_INVALID',
      'name the merchant, or say isForAll',
    ),
  })
  const page = await (
    await rig.post('/settlements/preview', { form: 'preview', currencyCode: 'EUR', formToken: token() })
  ).text()
  assert.match(page, /name the merchant, or say isForAll[\s\S]*name="currencyCode"[^>]*value="EUR"/)
  assert.equal(rig.heard.at(-1)?.body.includes('isForAll'), false)
})

test('an end of a run that is no day is refused in words, with what was typed', async (t) => {
  const rig = await openRig(t, { 'GET /operator/me': FINANCE })
  const order = { form: 'preview', merchantCode: 'SHOP', until: '20.11.2026', formToken: token() }
  const page = await (await rig.post('/settlements/preview', order)).text()
  assert.match(page, /Until: &quot;20\.11\.2026&quot; is not a day\. Write it as 2026-11-20, or now\./)
  assert.match(page, /name="until"[^>]*value="20\.11\.2026"/)
})

test('balances have a column for each currency, and sums with every digit', async (t) => {
  const total = (currencyCode: string, available: string, receivable: string) =>
    `{"currencyCode":"${currencyCode}","merchants":2,"available":${available},"notSettled":0.1,"reserved":0.2,"receivable":${receivable},"suspense":0}`
  const rig = await openRig(t, {
    'GET /operator/balances/totals': {
      body: `{"data":[${total('EUR', '1', '-5')},${total('ETH', '123456789012345678.123456789012345678', '0')}]}`,
    },
    'GET /operator/balances': { body: { data: [] } },
  })
  const page = await (await rig.get('/balances')).text()
  assert.match(page, /class="n">EUR[\s\S]*class="n">ETH/)
  assert.match(page, /Owed to merchants[\s\S]*1\.30[\s\S]*123,456,789,012,345,678\.423456789012345678/)
  assert.match(page, /Owed by merchants[\s\S]*>5\.00</)
  assert.match(await (await rig.get('/balances?merchantCode=X')).text(), /None fits these filters/)
})

test('the journal is exported by a form that has the last month, and passes on what is typed', async (t) => {
  const rig = await openRig(t, {
    'GET /operator/balances/totals': { body: { data: [] } },
    'GET /operator/balances': { body: { data: [] } },
    'GET /operator/journal/export': { body: 'Konto,Soll\r\n' },
  })
  const page = await (await rig.get('/balances')).text()
  const [from, to] = ['from', 'to'].map(
    (name) => new RegExp(`name="${name}" value="(.+?)"`).exec(page)?.[1] ?? '',
  )
  assert.match(page, /<form [^>]*action="\/journal\/export"/)
  assert.match(from ?? '', /^\d{4}-\d{2}-01$/)
  assert.equal(
    new Date(`${from ?? ''}T00:00:00Z`).getUTCMonth(),
    (new Date(to ?? '').getUTCMonth() + 11) % 12,
  )
  const file = await rig.get(
    `/journal/export?from=${from}&to=${to}&currencyCode=&columns=Konto%3Daccount&accounts=&format=csv`,
  )
  assert.equal(await file.text(), 'Konto,Soll\r\n')
  assert.deepEqual(Object.fromEntries(rig.heard.at(-1)?.query ?? []), {
    from,
    to,
    columns: 'Konto=account',
    format: 'csv',
  })
})

const SHEET = {
  code: 'ECB',
  name: 'ECB',
  baseCurrencyCode: 'EUR',
  isEnabled: true,
  version: 3,
  source: 'ECB',
  validFrom: '2026-11-20T00:00:00.000Z',
  publishedAt: '2026-11-20T15:00:00.000Z',
  ageSeconds: 400_000,
  isStale: true,
  staleAfterSeconds: 345_600,
  rates: [{ currencyCode: 'USD', quotation: 'INDIRECT', unit: 1, buy: 1.1, sell: 1.05, mid: 1.081 }],
}

test('a rate is stored with the digits that were typed; a conversion that is refused is a sentence', async (t) => {
  const rig = await openRig(t, {
    'GET /operator/me': FINANCE,
    'GET /operator/rate-lists/ECB': { body: SHEET },
    'GET /operator/rate-lists/ECB/conversion': refusal(406, 'RATE_STALE', 'The sheet is too old.'),
    'POST /operator/rate-lists/ECB/!set': {
      body: { ...SHEET, isNew: true, rateCount: 1 },
    },
  })
  const page = await (await rig.get('/rates/ECB?amount=100&from=eur&to=usd')).text()
  assert.match(page, /Stale[\s\S]*1 EUR in USD/)
  assert.equal(rig.heard.at(-1)?.query.get('currencyCode'), 'EUR')
  assert.match(page, /The operator API answered 406|The sheet is too old\./)
  const form = {
    currencyCode: 'usd',
    mid: '1.0810000000000000000001',
    buy: '',
    sell: '',
    unit: '',
    quotation: '',
    validFrom: '2026-11-21',
  }
  await rig.post('/rates/ECB/set', { form: 'set', ...form, formToken: token() })
  assert.equal(
    rig.heard.at(-1)?.body,
    '{"currencyCode":"USD","mid":1.0810000000000000000001,"validFrom":"2026-11-21T00:00:00Z"}',
  )
})

test('what is no number is left to the API to refuse, and a sheet that is pasted goes on as a file', async (t) => {
  const rig = await openRig(t, {
    'GET /operator/me': FINANCE,
    'GET /operator/rate-lists/ECB': { body: SHEET },
    'POST /operator/rate-lists/ECB/!set': refusal(400, 'ATTRIBUTE_VALUE_INVALID', 'mid: is no number'),
    'POST /operator/rate-lists/ECB/sheets': {
      body: {
        code: 'ECB',
        sheets: [
          {
            version: 4,
            validFrom: SHEET.validFrom,
            publishedAt: SHEET.publishedAt,
            isNew: true,
            rateCount: 1,
          },
        ],
      },
    },
  })
  const refused = await (
    await rig.post('/rates/ECB/set', { form: 'set', currencyCode: 'USD', mid: '1,08', formToken: token() })
  ).text()
  assert.match(refused, /mid: is no number[\s\S]*name="mid"[^>]*value="1,08"/)
  const sheet = 'currencyCode,unit,buy,sell,mid\r\nUSD,1,0.90,0.94,0.92\r\n'
  const done = await rig.post('/rates/ECB/import', {
    form: 'import',
    format: 'CSV',
    sheet,
    formToken: token(),
  })
  assert.equal(done.headers.get('location'), '/rates/ECB?done=imported')
  const upload = rig.heard.findLast(({ path }) => path.endsWith('/sheets'))
  assert.equal(upload?.body, sheet.replaceAll('\r\n', '\n'))
  assert.equal(upload.query.get('format'), 'CSV')
})

const CUSTOMER = {
  merchantCode: 'SHOP',
  idCustomer: 'C-1',
  status: 'ACTIVE',
  createdAt: '2026-05-04T08:00:12.345Z',
  masked: { name: 'J…', accounts: [{ accountName: 'J…', accountNumber: '…0001' }] },
}

test('K45 a customer is erased by the id that is typed, after a second look, and by no link', async (t) => {
  const path = '/merchants/SHOP/customers/C-1'
  const rig = await openRig(t, {
    'GET /operator/me': selfWith('merchants.read', 'customers.read', 'customers.change'),
    'GET /operator/customers/SHOP/C-1': { body: CUSTOMER },
    'POST /operator/customers/SHOP/C-1/!erase': {
      body: {
        ...CUSTOMER,
        status: 'ERASED',
        erased: { personalData: 3, callbackAnswers: 0, statementLines: 1 },
        kept: [],
      },
    },
  })
  const posts = (): number => rig.heard.filter(({ method }) => method === 'POST').length
  assert.doesNotMatch(await (await rig.get(path)).text(), /action="[^"]*\/erase"/)
  assert.match(
    await (await rig.get(`${path}?erase=1`)).text(),
    /cannot be undone[\s\S]*Type C-1 to erase[\s\S]*Keep the customer/,
  )
  assert.equal((await rig.get(`${path}/erase`)).status, 404)
  const other = await rig.post(`${path}/erase`, { form: 'erase', repeated: 'C-2', formToken: token() })
  assert.equal(other.status, 400)
  assert.match(await other.text(), /Type C-1 to erase this customer\.[\s\S]*value="C-2"/)
  assert.equal(posts(), 0)
  const done = await (
    await rig.post(`${path}/erase`, { form: 'erase', repeated: 'C-1', formToken: token() })
  ).text()
  assert.match(done, /C-1 is erased[\s\S]*Account data of payments<\/dt><dd>3/)
  assert.equal(posts(), 1)
})

test('K46 who may only read customers finds one by its id, masked, and can neither block nor erase', async (t) => {
  const rig = await openRig(t, {
    'GET /operator/me': selfWith('merchants.read', 'customers.read'),
    'GET /operator/customers/SHOP/C-1': { body: CUSTOMER },
    'GET /operator/customers/SHOP/C-9': refusal(410, 'ENTITY_NOT_FOUND', 'There is none.'),
  })
  assert.match(
    await (await rig.get('/merchants/SHOP/customers?id=C-1')).text(),
    /href="\/merchants\/SHOP\/customers\/C-1"/,
  )
  assert.match(await (await rig.get('/merchants/SHOP/customers?id=C-9')).text(), /SHOP has no customer C-9/)
  const page = await (await rig.get('/merchants/SHOP/customers/C-1?erase=1')).text()
  assert.match(page, /J…[\s\S]*…0001/)
  assert.doesNotMatch(page, /Erase|Block/)
  for (const verb of ['block', 'erase'])
    assert.equal(
      (await rig.post(`/merchants/SHOP/customers/C-1/${verb}`, { repeated: 'C-1', formToken: token() }))
        .status,
      403,
    )
})

test('K47 accounts that are blocked travel in bodies alone, and only to those who may', async (t) => {
  const rig = await openRig(t, {
    'GET /operator/me': selfWith('payouts.approve'),
    'GET /operator/blocked-accounts': { body: { data: [] } },
    'POST /operator/blocked-accounts/!block': { body: { named: 2, changed: 1 } },
  })
  const form = { isForAll: 'yes', note: 'Report 7', accountNumbers: 'DE89 3704 0044\r\n\r\nGB82 WEST' }
  const done = await rig.post('/blocked-accounts/block', { form: 'block', ...form, formToken: token() })
  assert.equal(done.headers.get('location'), '/blocked-accounts?done=block-1')
  assert.deepEqual(JSON.parse(rig.heard.at(-1)?.body ?? ''), {
    isForAll: true,
    accountNumbers: ['DE89 3704 0044', 'GB82 WEST'],
    note: 'Report 7',
  })
  assert.match(await (await rig.get('/blocked-accounts?done=block-1')).text(), /1 account newly blocked\./)
  assert.doesNotMatch(await (await rig.get('/blocked-accounts?done=block-999999')).text(), /role="status"/)
  rig.answers['POST /operator/blocked-accounts/!block'] = refusal(410, 'ENTITY_NOT_FOUND', 'No such merchant')
  const refused = await rig.post('/blocked-accounts/block', {
    form: 'block',
    merchantCode: 'NO',
    ...form,
    formToken: token(),
  })
  assert.match(await refused.text(), /No such merchant[\s\S]*DE89 3704 0044/)
  rig.answers['GET /operator/me'] = selfWith()
  assert.equal((await rig.post('/blocked-accounts/block', { ...form, formToken: token() })).status, 403)
})
