import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { createGateway, IdConflictError, type RawResponse } from '@tollgate/sdk'
import { callbackReceiver, openSession, testRounds, waitUntil } from '@tollgate/testkit'
import fc from 'fast-check'
import { seenOf } from './support/answers.ts'
import { startGateway } from './support/gateway.ts'
import { addMerchant, codesOf, createBody, EVERYTHING, merchantOf, verdict } from './support/merchant.ts'
import { lossyProxy } from './support/wire.ts'

const gateway = await startGateway({ after })
const second = await startGateway({ after }, { beside: gateway })
const shop = await addMerchant(gateway, 'SHOP')
const rival = await addMerchant(gateway, 'RIVAL')
const token = await shop.token(EVERYTHING)

const post = (path: string, rawBody: string, as = token): Promise<RawResponse> =>
  gateway.call({ method: 'POST', path, token: as, rawBody })
const countOf = async (table: 'payments' | 'callback_events', like: string): Promise<number> => {
  const column = table === 'payments' ? 'id_payment' : 'id_entity'
  const [row] = await gateway.sql(`select count(*)::integer as n from ${table} where ${column} like $1`, [
    like,
  ])
  return Number(row?.['n'])
}

/** Ids that P1 fights for: 20, or as many as TOLLGATE_TEST_ROUNDS says. */
const CONTESTED = testRounds(20)
const RACERS = 50

test('P1 of many equal creates at once, at two processes, one is accepted and one series of callbacks follows', async (t) => {
  const receiver = await callbackReceiver(t)
  const there = merchantOf(second, shop)
  const ids = Array.from({ length: CONTESTED }, (_, n) => `p1-${n}`)
  const parts = { callbackUrl: `${receiver.url}/`, emailAddress: 'success@sandbox.test' }
  await Promise.all([shop.read('/segments'), there.read('/segments')])
  for (const id of ids) {
    const answers = await Promise.all(
      Array.from({ length: RACERS }, (_, n) => (n % 2 === 0 ? shop : there).create(id, parts)),
    )
    const statuses = answers.map(({ status }) => status)
    assert.equal(statuses.filter((status) => status === 201).length, 1, `${id}: ${statuses.join()}`)
    assert.equal(statuses.filter((status) => status === 409).length, RACERS - 1, `${id}: ${statuses.join()}`)
  }
  assert.equal(await countOf('payments', 'p1-%'), ids.length)
  await receiver.waitForCount(ids.length, 20_000)
  await sleep(1_000)
  assert.equal(receiver.requests.length, ids.length)
  assert.deepEqual(new Set(receiver.requests.map(({ body }) => JSON.parse(body).idEntity)), new Set(ids))
  assert.equal(await countOf('callback_events', 'p1-%'), ids.length)
})

test('P2 a create whose answer was lost is found again, and is never changed by a repeat', async (t) => {
  const proxy = await lossyProxy(t, gateway.port)
  const lost = createGateway({ baseUrl: `http://127.0.0.1:${proxy.port}`, merchantCode: 'SHOP', retries: 0 })
  for (const id of ['p2-a', 'p2-b', 'p2-c']) {
    proxy.dropAnswers = true
    await assert.rejects(
      lost.request({ method: 'POST', path: `/payins/${id}`, token, rawBody: createBody({ amount: 30 }) }),
    )
    proxy.dropAnswers = false
    await waitUntil(async () => (await shop.read(`/payins/${id}`)).status === 200, {
      timeoutMs: 3_000,
      what: 'the payment',
    })
    const same = await shop.create(id, { amount: '30.00' })
    assert.equal(verdict(same), '409 ENTITY_DUPLICATED')
    assert.equal(JSON.parse(same.text).duplicate, 'IDENTICAL')
    const before = await shop.read(`/payins/${id}`)
    for (const parts of [
      { amount: 31 },
      { amount: 30, currencyCode: 'USD' },
      { amount: 30, returnUrl: 'http://a.test/' },
    ]) {
      const different = await shop.create(id, parts)
      assert.equal(verdict(different), '409 ENTITY_DUPLICATED')
      assert.equal(JSON.parse(different.text).duplicate, 'DIFFERENT')
    }
    assert.equal((await shop.read(`/payins/${id}`)).text, before.text)
    const request = { money: { amount: '30', currencyCode: 'EUR' }, paymentMethodCode: 'BANK_TRANSFER' }
    const found = await shop.sdk.payins.create(id, {
      ...request,
      callbackUrl: 'http://127.0.0.1:9/callbacks',
    })
    assert.equal(found.created, false)
    await assert.rejects(
      shop.sdk.payins.create(id, { ...request, callbackUrl: 'http://127.0.0.1:9/other' }),
      IdConflictError,
    )
  }
  assert.equal(await countOf('payments', 'p2-%'), 3)
})

test('P3 a repeat of an accepted payment is a duplicate whatever has been switched off since', async () => {
  assert.equal((await shop.create('p3')).status, 201)
  const isOffered = async (): Promise<boolean> =>
    (await shop.create(`p3-${performance.now().toFixed().padStart(12, '0')}`)).status === 201
  const changes = [
    [
      `delete from merchant_methods where merchant_id = $1 and method_code = 'BANK_TRANSFER'`,
      `insert into merchant_methods values ($1, 'BANK_TRANSFER', 'PAYIN')`,
    ],
    [
      `insert into merchant_limits (merchant_id, method_code, direction, currency_code, min_amount) values ($1, 'BANK_TRANSFER', 'PAYIN', 'EUR', 5000)`,
      `delete from merchant_limits where merchant_id = $1`,
    ],
    [
      `insert into merchant_limits (merchant_id, method_code, direction, currency_code, daily_count_max) values ($1, 'BANK_TRANSFER', 'PAYIN', 'EUR', 1)`,
      `delete from merchant_limits where merchant_id = $1`,
    ],
    [
      `update merchants set allowed_origins = '{https://shop.example}' where merchant_id = $1`,
      `update merchants set allowed_origins = '{}' where merchant_id = $1`,
    ],
  ] as const
  for (const [change, undo] of changes) {
    await gateway.sql(change, [shop.merchantId])
    await waitUntil(async () => !(await isOffered()), { timeoutMs: 60_000, what: change })
    assert.match(verdict(await shop.create('p3-new')), /^406 /, change)
    const repeat = await shop.create('p3')
    assert.equal(verdict(repeat), '409 ENTITY_DUPLICATED', change)
    assert.equal(JSON.parse(repeat.text).duplicate, 'IDENTICAL')
    await gateway.sql(undo, [shop.merchantId])
    await waitUntil(isOffered, { timeoutMs: 60_000, what: undo })
  }
  // The same for a currency that is gone for everybody.
  await gateway.sql(`update currencies set enabled = false where currency_code = 'EUR'`)
  await waitUntil(async () => !(await isOffered()), { timeoutMs: 60_000, what: 'the currency to go' })
  assert.equal(verdict(await shop.create('p3')), '409 ENTITY_DUPLICATED')
  await gateway.sql(`update currencies set enabled = true where currency_code = 'EUR'`)
  await waitUntil(isOffered, { timeoutMs: 60_000, what: 'the currency to return' })
})

const LIST_WAITING = `select 1 from pg_stat_activity
  where datname = current_database() and application_name = 'tollgate api' and wait_event_type = 'Lock'`

test('P4 no duplicate is reported of what was never accepted: who waits behind a lost insert is accepted', async () => {
  const columns = `merchant_id, kind, nonce, request_digest, status, processor_status, amount, currency_code, fee_amount, method_code,
    rail, reference, instructions, callback_url, is_test, expire_at`
  await shop.create('p4-template')
  for (const [id, end, expected] of [
    ['p4-rolled-back', 'rollback', 201],
    ['p4-committed', 'commit', 409],
  ] as const) {
    const session = await openSession(gateway.databaseUrl)
    await session.run(`begin; insert into payments (id_payment, ${columns})
      select '${id}', ${columns} from payments where id_payment = 'p4-template'`)
    const creates = Array.from({ length: 5 }, () => shop.create(id))
    await waitUntil(async () => (await gateway.sql(LIST_WAITING)).length > 0, {
      timeoutMs: 60_000,
      what: 'a create to wait for the insert',
    })
    await session.run(end)
    await session.close()
    const answers = await Promise.all(creates)
    const statuses = answers.map(({ status }) => status)
    assert.equal(
      statuses.filter((status) => status === 201).length,
      expected === 201 ? 1 : 0,
      `${id}: ${statuses.join()}`,
    )
    assert.equal(
      statuses.filter((status) => status === 409).length,
      expected === 201 ? 4 : 5,
      `${id}: ${statuses.join()}`,
    )
    assert.equal(await countOf('payments', id), 1)
  }
})

test('P5 P7 P19 two merchants may use one id, and neither learns anything of the other’s', async () => {
  const balances = (await shop.read('/balances')).text
  assert.equal(
    (await rival.create('p5-shared', { amount: 40, emailAddress: 'success@sandbox.test' })).status,
    201,
  )
  assert.equal((await rival.create('p5-theirs', { emailAddress: 'expires@sandbox.test' })).status, 201)
  assert.equal((await shop.create('p5-shared', { amount: 50 })).status, 201)
  const [mine, theirs] = await Promise.all([shop.read('/payins/p5-shared'), rival.read('/payins/p5-shared')])
  assert.equal(JSON.parse(mine.text).paymentRequested.money.amount, 50)
  assert.equal(JSON.parse(theirs.text).paymentRequested.money.amount, 40)
  await waitUntil(
    async () => JSON.parse((await rival.read('/payins/p5-shared')).text).process.status === 'SUCCESS',
    { timeoutMs: 60_000, what: 'the rival’s success' },
  )

  const probes = (id: string) => [
    () => shop.read(`/payins/${id}`),
    () => shop.read(`/payins/${id}/accounts`),
    () => post(`/payins/${id}/!setExternalReference`, '{"externalReference":"abc"}'),
    () => post(`/payins/${id}`, createBody({ amount: 7, paymentMethod: { paymentMethodCode: 'NONE' } })),
    () => post(`/payins/${id}`, createBody({ amount: 1e9 })),
    () => post(`/payins/${id}`, '{}'),
  ]
  const nothing = probes('p5-nothin')
  for (const [index, probe] of probes('p5-theirs').entries()) {
    const other = nothing[index]
    assert.ok(other !== undefined)
    assert.equal(seenOf(await probe()), seenOf(await other()), `probe ${index}`)
  }
  // A token for one payment says the same about another id whether it exists or not, here or elsewhere.
  const bound = await shop.actionToken({ action: 'PAYIN_CREATE', idPayment: 'p5-bound' })
  const answers = await Promise.all(
    ['p5-shared', 'p5-theirs', 'p5-nothin'].map((id) =>
      gateway.call({ method: 'GET', path: `/payins/${id}`, token: bound }),
    ),
  )
  assert.equal(new Set(answers.map((answer) => seenOf(answer))).size, 1)
  assert.equal(verdict(answers[0] ?? mine), '403 OPERATION_NOT_PERMITTED')
  assert.equal((await shop.read('/balances')).text, balances)
})

test('P8 an id is 1 to 250 of letters, digits, hyphen and underscore', async () => {
  const good = [
    'a',
    '-',
    '_',
    '0',
    'A-Z_09',
    'a'.repeat(250),
    '-rf',
    '__proto__',
    'constructor',
    'null',
    'accounts',
  ]
  for (const id of good) {
    assert.equal((await shop.create(id)).status, 201, id)
    assert.equal((await shop.read(`/payins/${id}`)).status, 200, id)
  }
  const bad = [
    'a'.repeat(251),
    'a b',
    'a+b',
    'a.b',
    'a:b',
    'é',
    'а',
    '１',
    '\u200b',
    'a\u0000',
    'a\n',
    '😀',
    'a%',
    '!a',
    '~',
    '{id}',
  ]
  for (const id of bad) {
    const answer = await post(`/payins/${encodeURIComponent(id)}`, createBody())
    assert.ok([400, 403].includes(answer.status), `${JSON.stringify(id)}: ${answer.text}`)
  }
  assert.equal(verdict(await post(`/payins/${'a'.repeat(251)}`, createBody())), '400 ATTRIBUTE_VALUE_INVALID')
})

test('P9 an amount is a number, greater than zero, and is kept to its last digit', async () => {
  const table: readonly (readonly [amount: string, expected: RegExp])[] = [
    ['"100"', /^400 ATTRIBUTE_INVALID$/],
    ['null', /^400 ATTRIBUTE_INVALID$/],
    ['true', /^400 ATTRIBUTE_INVALID$/],
    ['[1]', /^400 ATTRIBUTE_INVALID$/],
    ['{"text":"1"}', /^400 ATTRIBUTE_INVALID$/],
    ['0', /^400 ATTRIBUTE_VALUE_INVALID$/],
    ['-0', /^400 ATTRIBUTE_VALUE_INVALID$/],
    ['0.00', /^400 ATTRIBUTE_VALUE_INVALID$/],
    ['-1', /^400 ATTRIBUTE_VALUE_INVALID$/],
    ['-0.01', /^400 ATTRIBUTE_VALUE_INVALID$/],
    ['1e400', /^400 ATTRIBUTE_VALUE_INVALID$/],
    ['1e-400', /^400 ATTRIBUTE_VALUE_INVALID$/],
    ['1e999999999', /^400 ATTRIBUTE_VALUE_INVALID$/],
    ['1e-999999999', /^400 ATTRIBUTE_VALUE_INVALID$/],
    ['1'.repeat(41), /^400 ATTRIBUTE_VALUE_INVALID$/],
    ['1.005', /^406 AMOUNT_PRECISION_INVALID$/],
    ['25.000000000000000001', /^406 AMOUNT_PRECISION_INVALID$/],
    ['9007199254740993', /^406 AMOUNT_ABOVE_MAXIMUM$/],
    ['1e30', /^406 AMOUNT_ABOVE_MAXIMUM$/],
    ['0.01', /^406 AMOUNT_BELOW_MINIMUM$/],
    ['0.1e1', /^201$/],
    ['25.10', /^201$/],
    ['2.5E+1', /^201$/],
  ]
  for (const [index, [amount, expected]] of table.entries()) {
    assert.match(verdict(await post(`/payins/p9-${index}`, createBody({ amount }))), expected, amount)
  }
  const currencies = [
    { currencyCode: 'JPY', method: 'BANK_TRANSFER', decimals: 0, least: 100, most: 10_000_000 },
    { currencyCode: 'EUR', method: 'BANK_TRANSFER', decimals: 2, least: 1, most: 100_000 },
    { currencyCode: 'KWD', method: 'BANK_TRANSFER', decimals: 3, least: 1, most: 30_000 },
    { currencyCode: 'ETH', method: 'CRYPTO', decimals: 18, least: 0, most: 99 },
  ]
  let runs = 0
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...currencies),
      fc.nat(),
      fc.stringMatching(/^[0-9]{18}$/),
      fc.boolean(),
      async ({ currencyCode, method, decimals, least, most }, whole, fraction, isOneTooMany) => {
        runs += 1
        const integer = least + (whole % (most - least))
        const digits = fraction.slice(0, decimals)
        const plain =
          digits.replace(/0+$/, '') === '' ? `${integer}` : `${integer}.${digits.replace(/0+$/, '')}`
        fc.pre(plain !== '0')
        const paymentMethod = { paymentMethodCode: method }
        const amount = isOneTooMany ? `${integer}.${digits}1` : digits === '' ? plain : `${integer}.${digits}`
        const answer = await post(
          `/payins/p9-echo-${runs}`,
          createBody({ amount, currencyCode, paymentMethod }),
        )
        if (isOneTooMany) {
          assert.equal(verdict(answer), '406 AMOUNT_PRECISION_INVALID', `${amount} ${currencyCode}`)
          return
        }
        assert.equal(answer.status, 201, `${amount} ${currencyCode}: ${answer.text}`)
        for (const text of [answer.text, (await shop.read(`/payins/p9-echo-${runs}`)).text]) {
          assert.ok(
            text.includes(`"money":{"amount":${plain},"currencyCode":"${currencyCode}"}`),
            `${amount}: ${text}`,
          )
        }
      },
    ),
    { numRuns: 60, seed: 20261121 },
  )
})

test('P11 a currency is a code; one that nobody offers is told as such', async () => {
  assert.equal(verdict(await shop.create('p11', { currencyCode: '' })), '400 ATTRIBUTE_REQUIRED')
  for (const currencyCode of ['eur', 'E', 'EURO€', 'EUR ', ' EUR', 'E-R', 'ЕUR', 'ABCDEFGHIJK']) {
    const answer = await shop.create('p11', { currencyCode })
    assert.equal(verdict(answer), '400 ATTRIBUTE_VALUE_INVALID', JSON.stringify(currencyCode))
  }
  for (const currencyCode of [1, null, ['EUR'], true]) {
    const body = createBody().replace('"EUR"', JSON.stringify(currencyCode))
    assert.equal(
      verdict(await post('/payins/p11', body)),
      '400 ATTRIBUTE_INVALID',
      JSON.stringify(currencyCode),
    )
  }
  for (const currencyCode of ['XXX', 'XTS', 'ZWL', 'DOGE', 'NULL', 'GBP', '000']) {
    const answer = await shop.create('p11', { currencyCode })
    assert.equal(answer.status, 406, currencyCode)
    assert.match(codesOf(answer), /CURRENCY_NOT_SUPPORTED/)
  }
  assert.equal((await shop.read('/payins/p11')).status, 410)
})

test('P13 a return URL is absolute http or https, and is echoed as it was sent', async () => {
  const refused = [
    'javascript:alert(1)',
    ' java\nscript:alert(1)',
    'JaVaScRiPt:alert(1)',
    'data:text/html,<script>',
    'vbscript:x',
    'file:///etc/passwd',
    'blob:https://a.test/1',
    '//evil.test/',
    '/relative',
    'evil.test',
    'https:evil.test',
    'https:/evil.test',
    'http:\\\\evil.test',
    'https://good.test\\@evil.test',
    'https://user@evil.test/',
    'https://user:pass@evil.test/',
    'https://a.test/\r\nSet-Cookie: a=b',
    'https://',
    'https://a.test:0/',
    'https://a.test:99999/',
    'https://a b.test/',
    'https://[::1',
    'intent://a.test#Intent;end',
    'https://a.test/\u202e',
    `https://a.test/${'a'.repeat(2_048)}`,
    '',
    ' ',
  ]
  for (const returnUrl of refused) {
    const answer = await shop.create('p13', { returnUrl })
    assert.match(verdict(answer), /^400 ATTRIBUTE_/, JSON.stringify(returnUrl))
  }
  for (const returnUrl of [1, null, ['https://a.test/'], {}]) {
    assert.equal(verdict(await shop.create('p13', { returnUrl })), '400 ATTRIBUTE_INVALID')
  }
  assert.equal((await shop.read('/payins/p13')).status, 410)
  const kept = [
    'https://SHOP.test',
    'https://shop.test:443/a/../b?c=d',
    'https://shop.test/order#paid',
    'https://bücher.test/',
    'https://аpple.test/',
    'https://shop.test/"><script>',
  ] as const
  for (const [index, returnUrl] of kept.entries()) {
    const answer = await shop.create(`p13-${index}`, { returnUrl })
    assert.equal(answer.status, 201, answer.text)
    assert.equal(JSON.parse(answer.text).paymentMethodResponse.returnUrl, returnUrl)
    const detail = await shop.read(`/payins/p13-${index}`)
    assert.equal(JSON.parse(detail.text).paymentMethodResponse.returnUrl, returnUrl)
  }
})

test('P14 members that nobody asked for change nothing', async () => {
  const extras = {
    process: { status: 'SUCCESS', isTest: false, processedAt: '2020-01-01T00:00:00Z' },
    status: 'SUCCESS',
    fee: { amount: 0, currencyCode: 'EUR' },
    isTest: false,
    merchantCode: 'RIVAL',
    merchantId: rival.merchantId,
    idPayin: 'p14-other',
    paymentReceived: { money: { amount: 1, currencyCode: 'EUR' } },
    paymentMethodResponse: { reference: 'MINE', expireAt: '2099-01-01T00:00:00Z' },
    createdAt: '2020-01-01T00:00:00Z',
    rail: 'none',
    toString: 1,
  }
  assert.equal((await shop.create('p14', extras)).status, 201)
  assert.equal((await shop.create('p14-plain')).status, 201)
  const shape = (text: string): unknown => {
    const detail = JSON.parse(text)
    const { reference, expireAt, acceptedAt, idPayin, ...method } = detail.paymentMethodResponse
    assert.match(reference, /^(RF\d{2})?[0-9A-Z]{12}$/)
    assert.ok(Date.parse(expireAt) > Date.parse(acceptedAt) && idPayin.startsWith('p14'))
    // The code that customers scan has the reference in it.
    const instructions = JSON.stringify(method).replaceAll(reference, '')
    return { ...detail, paymentMethodResponse: instructions, process: { ...detail.process, createdAt: '' } }
  }
  const [detail, plain] = [await shop.read('/payins/p14'), await shop.read('/payins/p14-plain')]
  assert.deepEqual(shape(detail.text), shape(plain.text))
  assert.equal(JSON.parse(detail.text).process.isTest, true)
  assert.equal((await rival.read('/payins/p14')).status, 410)
})

const TEXTS = [
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  `'; alert(1)//`,
  '=cmd|calc!A1',
  '+1+1',
  '-1+1',
  '@SUM(A1)',
  '{{7*7}}#{7*7}<%= 7*7 %>',
  '%0d%0aSet-Cookie:a=b',
  '&lt;b&gt;',
  'Žluťoučký kůň 馬 😀',
]
const CONTROLS = [
  '\u0000',
  '\n',
  '\r',
  '\t',
  '\u001b[2J',
  '\u007f',
  '\u009b',
  '\u200e',
  '\u202e',
  '\u2028',
  '\u2066',
]

test('P15 texts are kept and given back as they are; control and direction characters are refused', async () => {
  const withAccount = (account: Record<string, unknown>): Promise<RawResponse> =>
    shop.create('p15', { paymentMethod: { paymentMethodCode: 'BANK_TRANSFER', account } })
  for (const control of CONTROLS) {
    for (const account of [
      { accountName: `a${control}b` },
      { accountNumber: `a${control}b` },
      { bankCode: `a${control}b` },
    ]) {
      assert.equal(
        verdict(await withAccount(account)),
        '400 ATTRIBUTE_VALUE_INVALID',
        JSON.stringify(account),
      )
    }
    const body = JSON.stringify({ externalReference: `a${control}b` })
    assert.equal(
      verdict(await post('/payins/p15/!setExternalReference', body)),
      '400 ATTRIBUTE_VALUE_INVALID',
    )
  }
  assert.equal(verdict(await withAccount({ accountName: 'a'.repeat(141) })), '400 ATTRIBUTE_VALUE_INVALID')
  const mails = [
    'a',
    'a@',
    '@b.c',
    'a@b',
    'a b@c.de',
    'a@b.c\n',
    'a@b.c\r\nBcc: d@e.f',
    '<a@b.c>',
    'a@b..c',
    '"a b"@c.de',
  ]
  for (const emailAddress of [...mails, 'a@-b.c', 'a,b@c.de', 'a@[127.0.0.1]', `${'a'.repeat(250)}@b.de`]) {
    assert.match(verdict(await shop.create('p15', { emailAddress })), /^400 ATTRIBUTE_/, emailAddress)
  }
  for (const [index, accountName] of TEXTS.entries()) {
    const id = `p15-${index}`
    const paymentMethod = { paymentMethodCode: 'BANK_TRANSFER', account: { accountName } }
    assert.equal((await shop.create(id, { paymentMethod })).status, 201, accountName)
    const accounts = await shop.read(`/payins/${id}/accounts`)
    assert.equal(JSON.parse(accounts.text).data[0].accountName, accountName)
    assert.match(String(accounts.headers.get('content-type')), /^application\/json/)
    assert.equal(accounts.headers.get('x-content-type-options'), 'nosniff')
    assert.match(String(accounts.headers.get('content-security-policy')), /default-src 'none'/)
  }
})

test('P15 the external reference is hostile text, too, and has its own permission', async () => {
  const create = { paymentMethod: { paymentMethodCode: 'OFFLINE_TRANSFER', account: { accountName: 'A' } } }
  assert.equal((await shop.create('p15-reference', create)).status, 201)
  const path = '/payins/p15-reference/!setExternalReference'
  for (const externalReference of [...TEXTS, 'a'.repeat(250)]) {
    assert.equal((await post(path, JSON.stringify({ externalReference }))).status, 204, externalReference)
    assert.equal(
      (await post(path, JSON.stringify({ reference: externalReference }))).status,
      204,
      externalReference,
    )
    const detail = JSON.parse((await shop.read('/payins/p15-reference')).text)
    assert.equal(detail.externalReference, externalReference)
  }
  for (const externalReference of ['', 'a'.repeat(251), 1, null, ['a'], {}]) {
    assert.match(verdict(await post(path, JSON.stringify({ externalReference }))), /^400 ATTRIBUTE_/)
  }
  assert.equal(verdict(await post(path, '{}')), '400 ATTRIBUTE_REQUIRED')
  assert.equal(
    verdict(await post(path.replace('reference', 'nothing'), '{"reference":"a"}')),
    '410 ENTITY_NOT_FOUND',
  )
  const bound = await shop.actionToken({ action: 'PAYIN_CREATE', idPayment: 'p15-reference' })
  assert.equal(verdict(await post(path, '{"reference":"a"}', bound)), '403 OPERATION_NOT_PERMITTED')
})

test('P16 payment options are told to whom they are permitted, and 406 gives the reasons', async () => {
  const body = '{"money":{"amount":25,"currencyCode":"EUR"}}'
  const path = '/payins/!availablePaymentOptions'
  assert.equal((await post(path, body)).status, 200)
  const info = await shop.actionToken({ action: 'PAYIN_INFO', idPayment: 'p16' })
  assert.equal(verdict(await post(path, body, info)), '403 OPERATION_NOT_PERMITTED')
  const narrow = await shop.token(['POST /payins/p16', 'GET /payins/.*'])
  assert.equal(verdict(await post(path, body, narrow)), '403 OPERATION_NOT_PERMITTED')
  const none = await post(path, '{"money":{"amount":25,"currencyCode":"XXX"}}')
  assert.equal(none.status, 406)
  assert.doesNotMatch(none.text, /RIVAL/)
})

test('P17 P18 the token of a customer shows nothing of the account or the address that was sent', async () => {
  const account = { accountName: 'Planted Name', accountNumber: 'PLANTED-12345678', bankCode: 'PLANTEDXX' }
  const paymentMethod = { paymentMethodCode: 'BANK_TRANSFER', account, emailAddress: 'planted@customer.test' }
  const created = await shop.create('p17', { paymentMethod })
  assert.equal(created.status, 201, created.text)
  const info = await shop.actionToken({ action: 'PAYIN_INFO', idPayment: 'p17' })
  const create = await shop.actionToken({ action: 'PAYIN_CREATE', idPayment: 'p17' })
  for (const as of [info, create]) {
    const detail = await gateway.call({ method: 'GET', path: '/payins/p17', token: as })
    assert.equal(detail.status, 200)
    assert.doesNotMatch(detail.text, /planted/i)
    const accounts = await gateway.call({ method: 'GET', path: '/payins/p17/accounts', token: as })
    assert.equal(verdict(accounts), '403 OPERATION_NOT_PERMITTED')
  }
  const exact = await shop.token(['GET /payins/p17'])
  const accounts = await gateway.call({ method: 'GET', path: '/payins/p17/accounts', token: exact })
  assert.equal(verdict(accounts), '403 OPERATION_NOT_PERMITTED')
  const own = JSON.parse((await shop.read('/payins/p17/accounts')).text).data[0]
  assert.deepEqual([own.accountName, own.accountNumber], [account.accountName, account.accountNumber])
})
