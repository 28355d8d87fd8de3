import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formTokenOf } from '../src/session.ts'
import { COOKIE, openRig, type Rig, refusal, SESSION, selfWith } from './support.ts'

// Bank documents and decisions: what their screens show, ask for, and refuse.

type Answer = Exclude<Rig['answers'][string], (...given: never[]) => unknown>

const READS = [
  'statements.read',
  'confirmations.read',
  'reviews.read',
  'payout-files.read',
  'bank-accounts.read',
]
const FINANCE = [...READS, 'statements.take', 'statements.decide', 'statements.unmask', 'payout-files.change']
const meWith = (...permissions: readonly string[]): Answer => selfWith(...READS, ...permissions)
const finance = selfWith(...FINANCE, 'confirmations.withdraw')

const HOSTILE = `"><script>alert(1)</script><img src=x onerror='alert(2)'>`

/** What stands in the quotes of an attribute cannot leave them. */
function assertOnlyWords(text: string, where: string): void {
  assert.ok(text.includes('&lt;script&gt;alert(1)'), `${where} shows it`)
  const marks = text.replaceAll(/"[^"]*"/g, '""')
  assert.doesNotMatch(marks, /<script>|<img|<[a-z]+[^>]* (?:style|on[a-z]+)=/i, where)
}

const EUR = (amount: number) => ({ amount, currencyCode: 'EUR' })
const PAYMENT = { merchantCode: 'SHOP', kind: 'PAYIN', idPayment: 'ORD-41' }

const LINE = {
  lineId: '4711',
  state: 'UNDER',
  accountCode: 'MAIN',
  direction: 'CREDIT',
  isReversal: false,
  money: EUR(99.5),
  openMoney: EUR(99.5),
  bookedOn: '2026-11-20',
  isMasked: true,
  party: { name: 'J…', accountNumber: '…5399' },
  references: [],
  texts: ['…'],
  payment: PAYMENT,
  score: 0.6,
  reasons: ['it names our reference'],
}
const suggestion = (more: object = {}) => ({
  payment: PAYMENT,
  status: 'CREATED',
  money: EUR(100),
  score: 0.6,
  reasons: ['it names our reference 7Q2M'],
  differences: ['0.5 EUR less than asked for'],
  ...more,
})
const REPORT = {
  ...LINE,
  decisions: [],
  waiting: [],
  suggestions: [suggestion()],
  choices: [
    { decision: 'ACCEPT', secondOperator: 'MAYBE' },
    { decision: 'COVER', secondOperator: 'MAYBE' },
    { decision: 'RETURN', secondOperator: 'NO' },
  ],
}
const DIGEST = '3f79bb7b435b05321651daefd374cdc681dc06faa65e374e38337b88ca046dea'
const ACT = {
  confirmationId: '31',
  kind: 'STATEMENT_FILE',
  state: 'WAITING',
  title: '2026-11-20.xml',
  digest: DIGEST,
  proposedBy: 'operator:grace',
  proposedAt: '2026-11-20T18:04:11.093Z',
  expireAt: '2026-11-23T18:04:11.093Z',
  sums: [EUR(149.9)],
  lineIds: [],
}
const CONSEQUENCES_DIGEST = 'ab'.repeat(32)
const DETAIL = {
  ...ACT,
  about: { fileName: '2026-11-20.xml', byteCount: 5120 },
  consequences: {
    paymentCount: 1,
    payments: [{ payment: PAYMENT, becomes: 'SUCCESS', money: EUR(149.9) }],
    sums: [{ what: 'SUCCESS', count: 1, money: EUR(149.9) }],
    remarks: ['1 MATCHED: 149.9 EUR'],
  },
  consequencesDigest: CONSEQUENCES_DIGEST,
  earlier: [],
}

const desk = (report: object = REPORT, me: Answer = finance): Rig['answers'] => ({
  'GET /operator/me': me,
  'GET /operator/statement-lines': { body: { data: [LINE] } },
  'GET /operator/statement-lines/4711': { body: report },
})

const form = (fields: Readonly<Record<string, string>> = {}): Record<string, string> => ({
  formToken: formTokenOf(SESSION),
  ...fields,
})

const asked = ({ heard }: Rig) => heard.filter(({ method }) => method !== 'GET')

test('a line shows what agrees and what differs, and offers exactly what can be decided', async (t) => {
  const rig = await openRig(t, desk())
  const text = await (await rig.get('/suspense/4711')).text()
  assert.match(text, /class="yes">[\s\S]*?It names our reference 7Q2M/)
  assert.match(text, /class="no">[\s\S]*?0\.5 EUR less than asked for/)
  assert.match(text, /value="COVER PAYIN SHOP ORD-41">Cover 0\.50 EUR/)
  assert.doesNotMatch(text, /value="ACCEPT PAYIN SHOP ORD-41"/)
  assert.match(text, /value="RETURN"/)
  assert.doesNotMatch(text, /name="choice" value="(?:SAME_MONEY|RETURNED|NOTE)"/)
  assert.match(text, /A second operator may have to confirm it/)
})

test('what suffices is matched, another currency is not offered, and nothing is offered without the permission', async (t) => {
  const suggestions = [
    suggestion({ money: EUR(99.5) }),
    suggestion({
      money: { amount: 99.5, currencyCode: 'CZK' },
      payment: { ...PAYMENT, idPayment: 'ORD-42' },
    }),
  ]
  const rig = await openRig(t, desk({ ...REPORT, suggestions }))
  const text = await (await rig.get('/suspense/4711')).text()
  assert.match(text, /value="ACCEPT PAYIN SHOP ORD-41">Match/)
  assert.doesNotMatch(text, /value="\w+ PAYIN SHOP ORD-42"/)
  rig.answers['GET /operator/me'] = meWith()
  assert.doesNotMatch(await (await rig.get('/suspense/4711')).text(), /name="choice"|name="reason"/)
})

test('a decision is sent as it was pressed, and what waits leads to its confirmation', async (t) => {
  const rig = await openRig(t, {
    ...desk(),
    'POST /operator/statement-lines/4711/!decide': { status: 202, body: { waiting: ACT } },
  })
  const answer = await rig.post(
    '/suspense/4711/decide?currencyCode=EUR',
    form({ choice: 'COVER PAYIN SHOP ORD-41', reason: 'half a euro' }),
  )
  assert.equal(answer.headers.get('location'), '/confirmations/31?done=waits')
  assert.deepEqual(JSON.parse(asked(rig)[0]?.body ?? ''), {
    decision: 'COVER',
    reason: 'half a euro',
    payment: PAYMENT,
  })
  rig.answers['POST /operator/statement-lines/4711/!decide'] = {
    body: { ...REPORT, state: 'APPLIED', choices: [] },
  }
  const typed = {
    choice: 'ACCEPT',
    kind: 'TOPUP',
    merchantCode: 'SHOP',
    idPayment: 'T-1',
    withLineIds: '5, 6',
  }
  const done = await rig.post('/suspense/4711/decide', form({ ...typed, reason: 'two parts' }))
  assert.equal(done.headers.get('location'), '/suspense/4711?done=decided')
  assert.deepEqual(JSON.parse(asked(rig)[1]?.body ?? ''), {
    decision: 'ACCEPT',
    reason: 'two parts',
    withLineIds: ['5', '6'],
    payment: { kind: 'TOPUP', merchantCode: 'SHOP', idPayment: 'T-1' },
  })
})

test('a decision that is refused keeps all that was typed', async (t) => {
  const rig = await openRig(t, {
    ...desk(),
    'POST /operator/statement-lines/4711/!decide': refusal(
      409,
      'STATEMENT_LINE_NOT_OPEN',
      '0.5 EUR are lacking.',
    ),
  })
  const typed = {
    choice: 'ACCEPT',
    kind: 'TOPUP',
    merchantCode: 'SHOP',
    idPayment: 'T-1',
    reason: 'by "phone"',
  }
  const answer = await rig.post('/suspense/4711/decide', form(typed))
  const text = await answer.text()
  assert.equal(answer.status, 409)
  assert.match(text, /Not done\.<\/b> 0\.5 EUR are lacking\./)
  assert.match(text, /name="reason"[^>]*value="by &quot;phone&quot;"/)
  assert.match(text, /<details[^>]* open[\s\S]*name="idPayment" value="T-1"/)
  assert.match(text, /value="TOPUP" selected/)
})

test('the queue asks with the filters of its address, and a wrong one is a sentence', async (t) => {
  const rig = await openRig(t, desk())
  await rig.get('/suspense?show=returning&accountCode=main&currencyCode=eur&bookedFrom=2026-11-01&x=1')
  const query = rig.heard.find(({ path }) => path === '/operator/statement-lines')?.query ?? []
  assert.deepEqual(Object.fromEntries(query), {
    states: 'RETURNING',
    accountCode: 'MAIN',
    currencyCode: 'EUR',
    bookedFrom: '2026-11-01',
    limit: '50',
  })
  rig.answers['GET /operator/statement-lines'] = refusal(
    400,
    'ATTRIBUTE_VALUE_INVALID',
    'bookedFrom: is no day',
  )
  const answer = await rig.get('/suspense?bookedFrom=2026-02-30')
  assert.equal(answer.status, 200)
  assert.match(await answer.text(), /role="alert"[\s\S]*bookedFrom: is no day/)
})

test('K33 a line, a file and a report are read in full by a press alone, which only those see who may', async (t) => {
  const full = { ...REPORT, isMasked: false, party: { name: 'Jana Nováková' }, texts: ['gracias'] }
  const content = { name: 'a.sta', sha256: DIGEST, reason: 'r', contentBase64: 'OjIwOg==' }
  const failed = { documentId: '3', channel: 'STATEMENTS', fileName: 'a.sta', sha256: DIGEST, byteCount: 4 }
  const rig = await openRig(t, {
    ...desk(),
    'GET /operator/statement-lines/4711/details': { body: full },
    'GET /operator/failed-documents': {
      body: { data: [{ ...failed, reason: 'line 1', putAsideAt: ACT.proposedAt, isStored: true }] },
    },
    'GET /operator/failed-documents/3/content': { body: content },
  })
  const looks = (): number => rig.heard.filter(({ path }) => /details|content/.test(path)).length
  assert.match(await (await rig.get('/suspense/4711')).text(), /Show in full/)
  assert.match(await (await rig.get('/statements/failed')).text(), /Fetch/)
  for (const path of ['/suspense/4711/details', '/statements/failed/content'])
    assert.equal((await rig.get(path)).status, 404)
  assert.equal(looks(), 0)
  assert.match(await (await rig.post('/suspense/4711/details', form())).text(), /Jana Nováková[\s\S]*gracias/)
  const file = await rig.post('/statements/failed/content', form({ documentId: '3' }))
  assert.equal(await file.text(), ':20:')
  assert.equal(looks(), 2)
  rig.answers['GET /operator/me'] = meWith('statements.decide')
  assert.doesNotMatch(await (await rig.get('/suspense/4711')).text(), /Show in full/)
  assert.doesNotMatch(await (await rig.get('/statements/failed')).text(), /Fetch/)
  assert.equal((await rig.post('/suspense/4711/details', form())).status, 403)
  assert.equal(looks(), 2)
})

test('K34 who proposed it is not asked to confirm it, and is told so', async (t) => {
  const rig = await openRig(t, {
    'GET /operator/me': selfWith(...READS, 'confirmations.decide', 'confirmations.withdraw'),
    'GET /operator/confirmations/31': { body: { ...DETAIL, proposedBy: 'operator:ada' } },
    'POST /operator/confirmations/31/!confirm': refusal(
      406,
      'CONFIRMATION_OTHER_PERSON',
      'You proposed this.',
    ),
  })
  const own = await (await rig.get('/confirmations/31')).text()
  assert.doesNotMatch(own, /\/confirm"|\/refuse"/)
  assert.match(own, /formaction="\/confirmations\/31\/withdraw"[\s\S]*Withdraw/)
  assert.match(own, /You proposed it, so somebody else decides/)
  const sent = await rig.post('/confirmations/31/confirm', form({ digest: DIGEST }))
  assert.equal(sent.status, 406)
  rig.answers['GET /operator/confirmations/31'] = { body: DETAIL }
  const other = await (await rig.get('/confirmations/31')).text()
  assert.match(other, /Confirm 149\.90 EUR/)
  assert.doesNotMatch(other, /\/withdraw"/)
})

test('K35 what is confirmed is what was seen: both digests are sent, and a change is said', async (t) => {
  const rig = await openRig(t, {
    'GET /operator/me': meWith('confirmations.decide'),
    'GET /operator/confirmations/31': { body: DETAIL },
    'POST /operator/confirmations/31/!confirm': refusal(
      409,
      'CONFIRMATION_CHANGED',
      'It has changed since you looked.',
    ),
  })
  const text = await (await rig.get('/confirmations/31')).text()
  const fieldOf = (name: string): string => new RegExp(`name="${name}" value="([^"]+)"`).exec(text)?.[1] ?? ''
  const seen = { digest: fieldOf('digest'), consequencesDigest: fieldOf('consequencesDigest') }
  assert.deepEqual(seen, { digest: DIGEST, consequencesDigest: CONSEQUENCES_DIGEST })
  const answer = await rig.post('/confirmations/31/confirm', form({ ...seen, reason: 'by the portal' }))
  assert.equal(answer.status, 409)
  assert.match(await answer.text(), /It has changed since you looked[\s\S]*value="by the portal"/)
  assert.deepEqual(JSON.parse(asked(rig)[0]?.body ?? ''), { ...seen, reason: 'by the portal' })
})

test('what cannot be carried out any more cannot be confirmed, and what has ended has no buttons', async (t) => {
  const { consequences: _gone, consequencesDigest: _digest, ...rest } = DETAIL
  const rig = await openRig(t, {
    'GET /operator/me': meWith('confirmations.decide'),
    'GET /operator/confirmations/31': { body: { ...rest, impossible: 'The line is gone.' } },
  })
  const text = await (await rig.get('/confirmations/31')).text()
  assert.match(text, /cannot be carried out[\s\S]*The line is gone/)
  assert.doesNotMatch(text, /\/confirm"/)
  const ended = { ...rest, state: 'CONFIRMED', result: '12', endedBy: 'operator:ada', endedAt: ACT.expireAt }
  rig.answers['GET /operator/confirmations/31'] = { body: ended }
  assert.doesNotMatch(await (await rig.get('/confirmations/31')).text(), /formaction=/)
})

test('a review offers the outcomes that fit, shows who said what, and sends the decision', async (t) => {
  const inquiry = {
    question: 'OPERATOR',
    answer: 'EXECUTED',
    contradicts: false,
    askedAt: ACT.proposedAt,
    times: 1,
    lastAnsweredAt: ACT.proposedAt,
    operatorCode: 'grace',
    reason: 'statement',
    counts: true,
  }
  const review = {
    ...PAYMENT,
    money: EUR(10),
    fee: EUR(0.5),
    paymentMethodCode: 'BANK_TRANSFER',
    rail: 'sandbox',
    reference: 'R1',
    process: { status: 'CREATED', processorStatus: 'IN_REVIEW', isTest: true, createdAt: ACT.proposedAt },
    timeline: [],
    inquiries: [inquiry],
    outcomes: [{ outcome: 'EXECUTED', operatorsNeeded: 2 }],
  }
  const path = '/reviews/PAYIN/SHOP/ORD-41'
  const rig = await openRig(t, {
    'GET /operator/me': meWith('reviews.decide'),
    [`GET /operator${path}`]: { body: review },
    [`POST /operator${path}/!decide`]: { body: { ...review, inquiries: [] } },
  })
  const text = await (await rig.get(path)).text()
  assert.match(text, /value="EXECUTED" required[\s\S]*Takes 2 operators/)
  assert.doesNotMatch(text, /value="RETURNED"/)
  assert.match(text, /grace: executed/)
  const sent = await rig.post(`${path}/decide`, form({ outcome: 'EXECUTED', reason: 'seen, too' }))
  assert.equal(sent.headers.get('location'), `${path}?done=decided`)
  assert.deepEqual(JSON.parse(asked(rig)[0]?.body ?? ''), { outcome: 'EXECUTED', reason: 'seen, too' })
  rig.answers['GET /operator/me'] = meWith()
  assert.doesNotMatch(await (await rig.get(path)).text(), /name="outcome"/)
  // Only of a payment that is as old as what was removed may something be missing.
  const inquiriesRemovedUntil = '2026-11-20T00:00:00.000Z'
  const shownWith = async (happenedAt: string): Promise<string> => {
    const timeline = [{ entryNo: 1, status: 'CREATED', processorStatus: 'SUBMITTED', happenedAt }]
    rig.answers[`GET /operator${path}`] = { body: { ...review, timeline, inquiriesRemovedUntil } }
    return (await rig.get(path)).text()
  }
  assert.match(await shownWith('2026-11-19T00:00:00.000Z'), /Evidence before .* was removed/)
  assert.doesNotMatch(await shownWith('2026-11-21T00:00:00.000Z'), /Evidence before/)
})

test('the review of a payout on hold says by whom and why, and leads to where it is released', async (t) => {
  const path = '/reviews/PAYOUT/SHOP/OUT-1'
  const held = (actor: string) => ({
    kind: 'PAYOUT',
    merchantCode: 'SHOP',
    idPayment: 'OUT-1',
    money: EUR(10),
    fee: EUR(0.5),
    paymentMethodCode: 'BANK_TRANSFER',
    rail: 'sandbox',
    reference: 'R1',
    process: { status: 'CREATED', processorStatus: 'ON_HOLD', isTest: true, createdAt: ACT.proposedAt },
    timeline: [
      { entryNo: 1, status: 'CREATED', processorStatus: 'QUEUED', happenedAt: ACT.proposedAt },
      {
        entryNo: 2,
        status: 'CREATED',
        processorStatus: 'ON_HOLD',
        actor,
        reason: 'a stolen token',
        happenedAt: ACT.proposedAt,
      },
    ],
    inquiries: [],
    outcomes: [],
  })
  const rig = await openRig(t, { [`GET /operator${path}`]: { body: held('operator:grace') } })
  rig.answers['GET /operator/me'] = meWith()
  const shown = async (): Promise<string> => (await rig.get(path)).text()
  assert.match(
    await shown(),
    /Put on hold by grace: a stolen token\.<\/b>[^<]*<a href="\/payments\/PAYOUT\/SHOP\/OUT-1">Release or cancel it/,
  )
  rig.answers[`GET /operator${path}`] = { body: held('worker') }
  assert.match(await shown(), /Put on hold by the gateway: a stolen token\./)
})

test('K32 what banks, payers and file names say is words and nothing else', async (t) => {
  const payment = { ...PAYMENT, idPayment: HOSTILE, merchantCode: HOSTILE }
  const line = { ...LINE, party: { name: HOSTILE, accountNumber: HOSTILE }, texts: [HOSTILE], payment }
  const file = {
    fileId: '12',
    fileName: HOSTILE,
    format: HOSTILE,
    accountCodes: [HOSTILE],
    takenBy: HOSTILE,
    receivedAt: ACT.proposedAt,
    lineCount: 1,
    knownCount: 0,
    pendingCount: 0,
    warnings: [HOSTILE],
    balances: [],
  }
  const payoutFile = {
    fileId: HOSTILE,
    accountCode: HOSTILE,
    format: HOSTILE,
    paymentCount: 1,
    controlSum: EUR(1),
    folder: HOSTILE,
    speed: HOSTILE,
    executionOn: HOSTILE,
    byteCount: 1,
    sha256: HOSTILE,
    createdBy: HOSTILE,
    createdAt: HOSTILE,
  }
  const report = {
    reportId: '17',
    fileName: HOSTILE,
    messageId: HOSTILE,
    originalMessageId: HOSTILE,
    actor: HOSTILE,
    receivedAt: HOSTILE,
    counts: { [HOSTILE]: 1 },
    isNew: true,
    entries: [
      { position: 1, level: HOSTILE, statusCode: HOSTILE, says: HOSTILE, outcome: HOSTILE, why: HOSTILE },
    ],
  }
  const failed = {
    documentId: '3',
    channel: HOSTILE,
    fileName: HOSTILE,
    sha256: HOSTILE,
    byteCount: 4,
    reason: HOSTILE,
    putAsideAt: HOSTILE,
    isStored: true,
  }
  const act = { ...DETAIL, title: HOSTILE, kind: HOSTILE, proposedBy: HOSTILE, digest: HOSTILE }
  const rig = await openRig(t, {
    'GET /operator/me': selfWith(...FINANCE, 'confirmations.decide', 'reviews.decide'),
    'GET /operator/statement-lines': { body: { data: [line] } },
    'GET /operator/statement-lines/4711': {
      body: {
        ...REPORT,
        ...line,
        reasons: [HOSTILE],
        bankReference: HOSTILE,
        returnReference: HOSTILE,
        waiting: [{ ...ACT, title: HOSTILE }],
        decisions: [
          { decision: HOSTILE, decidedBy: HOSTILE, reason: HOSTILE, money: EUR(1), decidedAt: HOSTILE },
        ],
        suggestions: [suggestion({ payment, reasons: [HOSTILE], differences: [HOSTILE] })],
      },
    },
    'GET /operator/statements': { body: { data: [file] } },
    'GET /operator/failed-documents': { body: { data: [failed] } },
    'GET /operator/confirmations': { body: { data: [act] } },
    'GET /operator/confirmations/31': {
      body: {
        ...act,
        about: { [HOSTILE]: HOSTILE, mapping: { columns: HOSTILE }, payment },
        consequences: { ...DETAIL.consequences, remarks: [HOSTILE] },
        earlier: [{ ...ACT, state: HOSTILE, reason: HOSTILE }],
      },
    },
    'GET /operator/payout-files': { body: { data: [payoutFile] } },
    'GET /operator/payout-files/F1': { body: { ...payoutFile, payments: [] } },
    'GET /operator/payout-reports': { body: { data: [report] } },
    'GET /operator/payout-reports/17': { body: report },
    'GET /operator/bank-accounts': refusal(404, 'NONE', HOSTILE),
  })
  const paths = ['/suspense', '/suspense/4711', '/statements', '/statements/failed', '/confirmations']
  paths.push(
    '/confirmations/31',
    '/bank-files',
    '/bank-files/F1',
    '/bank-files/reports',
    '/bank-files/reports/17',
  )
  for (const path of paths) {
    const answer = await rig.get(path)
    assertOnlyWords(await answer.text(), `${path} ${answer.status}`)
    assert.equal(answer.status, 200, path)
  }
})

test('K36 a file of a bank is saved, never shown, whatever is in it and however it is called', async (t) => {
  const name = '"\r\nset-cookie: a=b; <b>.html'
  const content = {
    name,
    sha256: DIGEST,
    contentBase64: Buffer.from('<script>alert(1)</script>').toString('base64'),
  }
  const rig = await openRig(t, {
    'GET /operator/me': finance,
    'GET /operator/payout-reports/17/content': { body: content },
    'GET /operator/payout-files/F1/content': { body: content },
  })
  for (const path of ['/bank-files/reports/17/content', '/bank-files/F1/content']) {
    const { headers, status } = await rig.post(path, form())
    assert.equal(status, 200)
    assert.equal(headers.get('content-type'), 'application/octet-stream')
    assert.equal(headers.get('x-content-type-options'), 'nosniff')
    assert.match(
      headers.get('content-disposition') ?? '',
      /^attachment; filename="[\w.-]+"; filename\*=UTF-8''[\w.%!-]+$/,
    )
    assert.equal(headers.get('set-cookie'), null)
  }
})

test('lists of fifty are at most 40 kB on the way', async (t) => {
  const lines = Array.from({ length: 50 }, (_, index) => ({ ...LINE, lineId: String(index + 1) }))
  const acts = Array.from({ length: 50 }, (_, index) => ({ ...ACT, confirmationId: String(index + 1) }))
  const rig = await openRig(t, {
    ...desk(),
    'GET /operator/statement-lines': { body: { data: lines } },
    'GET /operator/statement-lines/1': { body: REPORT },
    'GET /operator/confirmations': { body: { data: acts } },
  })
  for (const path of ['/suspense', '/confirmations']) {
    const answer = await fetch(rig.url + path, { headers: { cookie: COOKIE, 'accept-encoding': 'br' } })
    const sent = Number(answer.headers.get('content-length'))
    assert.ok(sent > 0 && sent <= 40_000, `${path}: ${sent}`)
  }
})

test('home leads to what waits, the most urgent first, and passes over what it does not know', async (t) => {
  const nothing = { sums: [], about: [], aboutCount: 0 }
  const data = [
    { ...nothing, kind: 'NEW_KIND', count: 1 },
    {
      kind: 'CALLBACKS_EXHAUSTED',
      count: 1000,
      oldestAt: '2026-11-20T08:00:00.000Z',
      sums: [],
      about: ['a.example', '<b>.example', 'c.example'],
      aboutCount: 5,
    },
    { ...nothing, kind: 'CONFIRMATIONS', count: 2 },
    {
      ...nothing,
      kind: 'SUSPENSE',
      count: 1000,
      sums: [99.5, 1].map((amount, at) => ({ amount, currencyCode: ['EUR', 'BRL'][at] })),
    },
    { ...nothing, kind: 'INSTITUTIONS', count: 1, about: ['TESTBANK (payin) closed'], aboutCount: 1 },
  ]
  const rig = await openRig(t, {
    'GET /operator/me': {
      body: { operatorCode: 'ada', name: 'Ada', roles: ['FINANCE'], permissions: ['self.read'] },
    },
    'GET /operator/attention': { body: { data } },
  })
  const text = await (await rig.get('/')).text()
  const rows = [
    ...text.matchAll(
      /<li>(?:<a href="([^"]*)">|<div class="todo-row">)<b[^>]*>([^<]*)<\/b><span><strong>([^<]*)<\/strong><span class="quiet">([^<]*)</g,
    ),
  ]
  assert.deepEqual(
    rows.map(([, ...parts]) => parts),
    [
      [
        '/callbacks?state=EXHAUSTED',
        '1000+',
        'Callbacks out of attempts',
        'a.example, &lt;b&gt;.example, c.example and 2 more',
      ],
      [
        '/confirmations',
        '2',
        'Proposals need a second operator',
        'Files and decisions that nothing followed yet',
      ],
      ['/suspense', '1000+', 'Bank lines in suspense', 'At least 99.50 EUR, 1.00 BRL'],
      [undefined, '1', 'Institutions not operational', 'TESTBANK (payin) closed'],
    ],
  )
  assert.match(text, /oldest \d+ days/)
  // One question, besides who asks.
  assert.deepEqual(
    rig.heard.map(({ path }) => path),
    ['/operator/me', '/operator/attention'],
  )
})
