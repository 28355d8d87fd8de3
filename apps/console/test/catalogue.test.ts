import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formTokenOf } from '../src/session.ts'
import { openRig, refusal, SESSION, selfWith } from './support.ts'

// The catalogue, terms and health: words, forms, refusals, and who sees what.

const formToken = (): string => formTokenOf(SESSION)
const HOSTILE = `"><script>alert(1)</script><img src=x onerror='alert(2)'>`

const METHOD = {
  code: 'BANK_TRANSFER',
  name: 'Bank transfer',
  flow: 'INSTRUCTIONS',
  rail: 'bank-transfer',
  expiresAfterSeconds: 259_200,
  operators: [],
  excludedSegments: [],
  fields: [],
  limits: [{ direction: 'PAYIN', currencyCode: 'EUR', min: '1', max: '5000' }],
  fees: [{ direction: 'PAYIN', currencyCode: 'EUR', fixed: '0.25', percentage: '1.5', maximum: '20' }],
}
const CATALOGUE = {
  currencies: [{ code: 'EUR', name: 'Euro', minorUnits: 2 }],
  segments: [{ code: 'VIP', name: 'VIP customer' }],
  paymentOperators: [{ code: 'OTTER', name: 'Otter Bank', currencyCodes: ['EUR'], aliases: ['Lutra'] }],
  methods: [METHOD],
}
const TERMS = {
  merchantCode: 'SHOP',
  methods: { PAYIN: ['BANK_TRANSFER'], PAYOUT: [], TOPUP: [] },
  limits: [],
  fees: [],
}
const HEALTH = {
  now: '2026-11-21T10:15:28.001Z',
  gateway: { version: '0.1.0', nodeVersion: 'v24.1.0', environment: 'sandbox', upSeconds: 4210 },
  database: { version: '18.1', pendingMigrations: [], connections: [] },
  queues: [{ queue: 'CALLBACKS', due: 2, oldestDueAt: '2026-11-21T10:05:20.000Z' }],
  ledger: { head: '417:3f79', waitSeconds: 0 },
  failedDocuments: { count: 0 },
  retention: [],
  rates: [],
}

const answers = (...permissions: readonly string[]) => ({
  'GET /operator/me': selfWith('catalogue.read', ...permissions),
  'GET /operator/catalogue': { body: CATALOGUE },
  'GET /operator/merchants/SHOP/terms': { body: TERMS },
  'GET /operator/health': { body: HEALTH },
})

const MATRIX_FEE = /0\.25 \+ 1\.5%[\s\S]*at most 20\.00[\s\S]*1\.00 to 5,000\.00/

test('fees and limits stand by method and currency, those of a merchant before the catalogue’s', async (t) => {
  const rig = await openRig(t, answers())
  assert.match(await (await rig.get('/merchants/SHOP/terms')).text(), MATRIX_FEE)
  const place = { direction: 'PAYIN', methodCode: 'BANK_TRANSFER', currencyCode: 'EUR' }
  rig.answers['GET /operator/merchants/SHOP/terms'] = {
    body: `{"merchantCode":"SHOP","methods":{"PAYIN":[],"PAYOUT":[],"TOPUP":[]},"limits":[${JSON.stringify(place).slice(0, -1)},"max":4999.990000000000000001}],"fees":[${JSON.stringify(place).slice(0, -1)},"fixed":0.1,"percentage":0}]}`,
  }
  const text = await (await rig.get('/merchants/SHOP/terms')).text()
  assert.match(text, /class="own"[\s\S]*0\.10[\s\S]*1\.00 to 4,999\.990000000000000001/)
  assert.match(text, /Not enabled/)
})

test('a fee is sent with the digits that were typed, and a refusal keeps them', async (t) => {
  const rig = await openRig(t, {
    ...answers('catalogue.change'),
    'PUT /operator/fees': refusal(400, 'ATTRIBUTE_VALUE_INVALID', 'The fixed part has too many decimals.'),
  })
  const form = {
    formToken: formToken(),
    direction: 'PAYIN',
    methodCode: 'BANK_TRANSFER',
    currencyCode: 'EUR',
    fixed: '0.100000000000000000001',
    percentage: '1.50',
    minimum: '',
    operatorCode: 'otter',
  }
  const answer = await rig.post('/merchants/SHOP/terms/set-fee?kind=PAYIN', form)
  const text = await answer.text()
  assert.equal(answer.status, 400)
  assert.match(text, /Not done\.<\/b> The fixed part has too many decimals\./)
  assert.match(text, /name="fixed" value="0\.100000000000000000001"/)
  const sent = rig.heard.find(({ method }) => method === 'PUT')?.body ?? ''
  assert.equal(
    sent,
    '{"merchantCode":"SHOP","direction":"PAYIN","methodCode":"BANK_TRANSFER","currencyCode":"EUR","operatorCode":"OTTER","fixed":0.100000000000000000001,"percentage":1.50}'.replace(
      '1.50}',
      '1.5}',
    ),
  )
})

test('what is no amount is said beside what was typed, and nothing is sent', async (t) => {
  const rig = await openRig(t, answers('catalogue.change'))
  const form = { formToken: formToken(), methodCode: 'BANK_TRANSFER', currencyCode: 'EUR', fixed: '0,25' }
  const answer = await rig.post('/catalogue/fees/set-fee', form)
  assert.equal(answer.status, 400)
  assert.match(
    await answer.text(),
    /fixed: &quot;0,25&quot; is not an amount[\s\S]*name="fixed" value="0,25"/,
  )
  assert.ok(rig.heard.every(({ method }) => method === 'GET'))
})

test('the question why a method is not offered takes no amount with a comma, and says how to write it', async (t) => {
  const rig = await openRig(t, answers())
  const page = await rig.get('/catalogue/explain?merchantCode=SHOP&amount=1,5&currencyCode=EUR')
  assert.match(await page.text(), /Amount: &quot;1,5&quot; is not an amount/)
  assert.ok(!rig.heard.some(({ path }) => path === '/operator/catalogue/explain'))
})

test('K54 forms that change terms are neither shown to nor taken from who may not', async (t) => {
  const rig = await openRig(t, answers('institutions.read', 'bank-accounts.read'))
  rig.answers['GET /operator/institutions'] = { body: { data: [] } }
  rig.answers['GET /operator/bank-accounts'] = { body: { data: [] } }
  const paths = [
    '/merchants/SHOP/terms',
    '/catalogue/fees',
    '/catalogue/document',
    '/catalogue/accounts',
    '/health',
  ]
  for (const path of paths) {
    const answer = await rig.get(path)
    assert.equal(answer.status, path === '/health' ? 403 : 200, path)
    const forms = (await answer.text()).match(/<form[^>]*method="post"[^>]*action="([^"]+)"/g) ?? []
    assert.deepEqual(
      forms.filter((form) => !form.includes('/sign-out')),
      [],
      path,
    )
  }
  const acts = [
    '/merchants/SHOP/terms/set-fee',
    '/merchants/SHOP/terms/set-limit',
    '/merchants/SHOP/terms/enable',
    '/catalogue/fees/set-fee',
    '/catalogue/document/apply',
    '/catalogue/document/difference',
    '/catalogue/accounts/add',
    '/catalogue/accounts/retire',
    '/health/say',
    '/health/clear',
  ]
  for (const path of acts) assert.equal((await rig.post(path, { formToken: formToken() })).status, 403, path)
  assert.ok(rig.heard.every(({ method }) => method === 'GET'))
})

test('K55 names, aliases, documents and reasons of others are words and nothing else', async (t) => {
  const rig = await openRig(t, {
    ...answers(
      'catalogue.apply',
      'catalogue.change',
      'institutions.read',
      'institutions.change',
      'health.read',
    ),
    'GET /operator/catalogue': {
      body: {
        currencies: [{ code: 'EUR', name: HOSTILE, minorUnits: 2 }],
        segments: [{ code: 'VIP', name: HOSTILE }],
        paymentOperators: [
          { code: HOSTILE, name: HOSTILE, currencyCodes: [HOSTILE], bic: HOSTILE, aliases: [HOSTILE] },
        ],
        methods: [{ ...METHOD, code: HOSTILE, name: HOSTILE, rail: HOSTILE }],
      },
    },
    'GET /operator/institutions': {
      body: {
        data: [
          {
            type: 'OPERATOR',
            code: HOSTILE,
            direction: 'PAYIN',
            availability: 'CLOSED',
            observed: 'OPERATIONAL',
            observedSince: HEALTH.now,
            answered: 0,
            unanswered: 0,
            said: { availability: 'CLOSED', reason: HOSTILE, operatorCode: HOSTILE, since: HEALTH.now },
          },
        ],
      },
    },
    'GET /operator/catalogue/changes': {
      body: {
        data: [
          {
            operatorCode: HOSTILE,
            requestId: 'R',
            section: 'segments',
            item: HOSTILE,
            after: { name: HOSTILE },
            changedAt: HEALTH.now,
          },
        ],
      },
    },
    'PUT /operator/catalogue': refusal(400, 'ATTRIBUTE_VALUE_INVALID', HOSTILE),
  })
  const shown = await Promise.all(
    [
      '/catalogue',
      '/catalogue/operators',
      '/catalogue/currencies',
      '/catalogue/changes',
      '/health',
      '/catalogue/fees',
    ].map(async (path) => (await rig.get(path)).text()),
  )
  const document = `</textarea>${HOSTILE}`
  const refused = await rig.post('/catalogue/document/difference', { formToken: formToken(), document })
  for (const text of [...shown, await refused.text()]) {
    assert.ok(text.includes('&lt;script&gt;alert(1)'))
    const marks = text.replaceAll(/"[^"]*"/g, '""')
    assert.doesNotMatch(marks, /<script>|<img|<[a-z]+[^>]* (?:style|on[a-z]+)=/i)
  }
})

const APPLIED = {
  isDryRun: true,
  digest: 'ab'.repeat(32),
  changes: [
    {
      section: 'limits',
      item: 'BANK_TRANSFER PAYIN EUR *',
      action: 'CHANGE',
      fields: [{ field: 'max', before: '5000', after: '100000' }],
    },
  ],
}

test('K50 a difference is shown without a change, and applied under its digest alone', async (t) => {
  const rig = await openRig(t, {
    ...answers('catalogue.apply'),
    'PUT /operator/catalogue': ({ query }) =>
      query.get('dryRun') === 'true'
        ? { body: APPLIED }
        : refusal(409, 'STATE_CONFLICT', 'This is not what was shown.'),
  })
  const document = 'segments: []\r\n# a comment\r\n'
  const shown = await (
    await rig.post('/catalogue/document/difference', { formToken: formToken(), document })
  ).text()
  assert.match(shown, /<del>5000<\/del>[\s\S]*<ins>100000<\/ins>[\s\S]*Apply 1 change/)
  assert.equal(rig.heard.at(-1)?.path.endsWith('/catalogue') ?? false, true)
  const digest = /name="digest" value="([^"]+)"/.exec(shown)?.[1] ?? ''
  const answer = await rig.post('/catalogue/document/apply', { formToken: formToken(), document, digest })
  assert.equal(answer.status, 409)
  assert.match(await answer.text(), /This is not what was shown\.[\s\S]*# a comment/)
  const puts = rig.heard.filter(({ method }) => method === 'PUT')
  assert.deepEqual(
    puts.map(({ query, body }) => [Object.fromEntries(query), body]),
    [
      [{ dryRun: 'true' }, 'segments: []\n# a comment\n'],
      [{ digest: APPLIED.digest }, 'segments: []\n# a comment\n'],
    ],
  )
})

test('a document as large as the operator API takes fits the form', async (t) => {
  const rig = await openRig(t, {
    ...answers('catalogue.apply'),
    'PUT /operator/catalogue': { body: APPLIED },
  })
  const document = '# ä\n'.repeat(100_000)
  const answer = await rig.post('/catalogue/document/difference', { formToken: formToken(), document })
  assert.equal(answer.status, 200)
  const elsewhere = await rig.post('/catalogue/fees/set-fee', { formToken: formToken(), fixed: document })
  assert.equal(elsewhere.status, 413)
})

test('the fee explains itself, and each rule says what it found', async (t) => {
  const rig = await openRig(t, answers())
  rig.answers['GET /operator/catalogue/explain'] = {
    body: `{"reasons":[],"methods":[{"paymentMethodCode":"BANK_TRANSFER","isOffered":true,"rules":[{"rule":"AMOUNT","verdict":"PASSED"}],"fees":[{"paymentOperatorCodes":[],"fee":{"amount":2.25,"currencyCode":"EUR"},"rule":{"source":"MERCHANT","fixed":0.25,"percentage":1.333},"percentageAmount":1.998167,"sum":2.248167}]},{"paymentMethodCode":"WALLET","isOffered":false,"rules":[{"rule":"MERCHANT","verdict":"FAILED","message":"The merchant does not have WALLET."},{"rule":"FEE","verdict":"NOT_JUDGED"}],"fees":[]}]}`,
  }
  const text = await (
    await rig.get('/catalogue/explain?merchantCode=SHOP&amount=149.90&currencyCode=EUR')
  ).text()
  assert.match(text, /1 method is offered/)
  assert.match(
    text,
    /of the merchant: 0\.25 \+ 1\.333%[\s\S]*is 1\.998167[\s\S]*Together 2\.248167 EUR[\s\S]*2\.25 EUR/,
  )
  assert.match(text, /The merchant does not have WALLET\.[\s\S]*not judged/)
  rig.answers['GET /operator/catalogue/explain'] = refusal(410, 'ENTITY_NOT_FOUND', 'There is no merchant X.')
  const missing = await rig.get('/catalogue/explain?merchantCode=X&amount=1&currencyCode=EUR')
  assert.equal(missing.status, 200)
  assert.match(await missing.text(), /role="alert"[\s\S]*There is no merchant X\./)
})

test('health says what it knows and what it does not, and the ledger is balanced only by a check', async (t) => {
  const rig = await openRig(t, answers('health.read'))
  const text = await (await rig.get('/health')).text()
  assert.match(text, /not known: it was never run/)
  assert.match(text, /Callbacks to merchants[\s\S]*for 10 min/)
  assert.match(text, /none by <code>tollgate backup<\/code>; others are not known here/)
  assert.doesNotMatch(text, /Ledger balanced|Operator and rails/)
})

test('health says when the last backup was made, and warns of one that is older than a night', async (t) => {
  const rig = await openRig(t, answers('health.read'))
  const nowMs = Date.parse(HEALTH.now)
  const shown = async (ageHours: number): Promise<string> => {
    const startedAt = new Date(nowMs - ageHours * 3_600_000).toISOString()
    const lastBackup = { startedAt, finishedAt: startedAt, kind: 'DUMP', bytes: 41_200_310 }
    rig.answers['GET /operator/health'] = { body: { ...HEALTH, lastBackup } }
    return /Last backup[\s\S]*?39.3 MiB/.exec(await (await rig.get('/health')).text())?.[0] ?? ''
  }
  assert.match(await shown(8), /chip-good[\s\S]*8 h/)
  assert.match(await shown(60), /chip-warn/)
})

test('every screen has the last check at its foot, also one with findings; who may not read it sees none', async (t) => {
  const lastCheck = { checkedAt: '2026-11-21T09:30:00.000Z', checks: 31, findings: 0 }
  const healthWith = (check: unknown) => ({
    body: { ...HEALTH, ledger: { ...HEALTH.ledger, lastCheck: check } },
  })
  for (const [check, words] of [
    [lastCheck, /Ledger balanced<small>Verified at 21 Nov, 09:30 UTC/],
    [{ ...lastCheck, findings: 3 }, /Ledger check: 3 findings/],
  ] as const) {
    const rig = await openRig(t, { ...answers('health.read'), 'GET /operator/health': healthWith(check) })
    assert.match(await (await rig.get('/catalogue')).text(), words)
    await rig.get('/catalogue/fees')
    assert.equal(rig.heard.filter(({ path }) => path === '/operator/health').length, 1)
  }
  const rig = await openRig(t, { ...answers(), 'GET /operator/health': healthWith(lastCheck) })
  assert.doesNotMatch(await (await rig.get('/catalogue')).text(), /Ledger balanced/)
})

test('what goes at once from an account is shown, set, and taken away by an empty field', async (t) => {
  const account = {
    code: 'MAIN',
    currencyCode: 'EUR',
    isDefault: true,
    status: 'ACTIVE',
    holder: 'Shop',
    bankName: 'Bank',
    iban: 'DE02120300000000202051',
    payoutFormat: 'pain.001.001.09',
    instantMax: 100000,
    createdAt: '2026-11-21T10:15:28.001Z',
  }
  const rig = await openRig(t, {
    'GET /operator/me': selfWith('bank-accounts.read', 'bank-accounts.change'),
    'GET /operator/bank-accounts': { body: { data: [account] } },
    'POST /operator/bank-accounts/MAIN/!change': { body: account },
  })
  assert.match(await (await rig.get('/catalogue/accounts')).text(), /at once up to 100,000.00/)
  const refused = await rig.post('/catalogue/accounts/format', {
    formToken: formToken(),
    code: 'MAIN',
    payoutFormat: 'pain.001.001.09',
    instantMax: '1,5',
  })
  assert.match(await refused.text(), /instantMax: .* is not an amount[\s\S]*name="instantMax" value="1,5"/)
  const sent = async (form: Readonly<Record<string, string>>): Promise<unknown> => {
    await rig.post('/catalogue/accounts/format', { formToken: formToken(), code: 'MAIN', ...form })
    return rig.heard.findLast(({ method }) => method === 'POST')?.body
  }
  const payoutFormat = 'pain.001.001.09'
  assert.deepEqual(
    await sent({ payoutFormat, instantMax: '12345678901.25' }),
    `{"payoutFormat":"${payoutFormat}","instantMax":12345678901.25}`,
  )
  assert.deepEqual(
    await sent({ payoutFormat, instantMax: '' }),
    `{"payoutFormat":"${payoutFormat}","instantMax":0}`,
  )
  assert.deepEqual(await sent({ payoutFormat: 'none', instantMax: '5' }), '{"payoutFormat":"none"}')
  assert.deepEqual(await sent({ payoutFormat }), `{"payoutFormat":"${payoutFormat}"}`)
})

test('an administrator without the catalogue has its accounts in the navigation, once', async (t) => {
  const rig = await openRig(t, {
    'GET /operator/me': selfWith('bank-accounts.read', 'bank-accounts.change'),
    'GET /operator/bank-accounts': { body: { data: [] } },
  })
  const text = await (await rig.get('/catalogue/accounts')).text()
  assert.equal(text.match(/<span>Catalogue<\/span>/g)?.length, 1)
  assert.match(text, /<a href="\/catalogue\/accounts" aria-current="page">/)
})

test('fifty payment operators are at most 40 kB on the way, and "Older" leads to the rest', async (t) => {
  const paymentOperators = Array.from({ length: 120 }, (_, index) => ({
    code: `BANK_${index}`,
    name: `Bank number ${index}`,
    currencyCodes: ['EUR', 'USD'],
    countryCode: 'DE',
    bic: `BANKDE${index}`,
    popularRank: index + 1,
    aliases: [`Alias ${index}`],
  }))
  const rig = await openRig(t, {
    ...answers(),
    'GET /operator/catalogue': { body: { ...CATALOGUE, paymentOperators } },
  })
  const answer = await fetch(`${rig.url}/catalogue/operators`, {
    headers: { cookie: `tollgate=${SESSION}`, 'accept-encoding': 'br' },
  })
  const sent = Number(answer.headers.get('content-length'))
  assert.ok(sent > 0 && sent <= 40_000, String(sent))
  const next = /rel="next" href="([^"]+)"/.exec(await answer.text())?.[1]?.replaceAll('&amp;', '&') ?? ''
  assert.match(await (await rig.get(next)).text(), /51 to 100 of 120/)
})
