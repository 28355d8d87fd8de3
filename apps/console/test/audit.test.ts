import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openRig, refusal, selfWith } from './support.ts'

// The audit log: what it shows, asks for, and does not claim.

const HASH = '3f79bb7b435b05321651daefd374cdc681dc06faa65e374e38337b88ca046dea'
const ACT = {
  number: '1204',
  happenedAt: '2026-11-21T11:02:40.120Z',
  kind: 'ACT',
  operatorCode: 'ada',
  operatorName: 'Ada Lovelace',
  means: 'PASSKEY',
  meansId: 'ses_4Q7X',
  act: 'setPayoutRule',
  says: 'Set an approval rule',
  merchantCode: 'SHOP',
  subject: 'EUR',
  reason: 'Renewal of contract',
  outcome: 'DONE',
  status: 200,
  path: '/operator/payout-rules/SHOP/EUR',
  requestId: 'R-1',
  changeCount: 2,
  isFromBefore: false,
  entryNo: 1198,
  chainHash: HASH,
  changes: [
    {
      section: 'payout_rules',
      item: 'EUR',
      merchantCode: 'SHOP',
      verb: 'CHANGED',
      fields: [{ name: 'amount_from', before: '1000', after: '123456789012345678.5' }],
    },
  ],
}
const HEAD = { head: `1198:${HASH}`, entryNo: 1198, chainHash: HASH, chainedAt: '2026-11-21T11:02:41.001Z' }
const BEGAN = { beginsWith: '17', beganAt: '2026-11-20T08:00:00.000Z' }
const VERIFIED = { ...HEAD, verifiedAt: '2026-11-21T11:05:00.000Z' }

const answersWith = (...acts: readonly unknown[]) => ({
  'GET /operator/me': selfWith('operators.read'),
  'GET /operator/audit': { body: { data: acts, nextCursor: 'MTc5' } },
  'GET /operator/audit/head': { body: { ...HEAD, ...BEGAN } },
})

const textOf = async (answer: Promise<Response>): Promise<string> => (await answer).text()

test('the log says who, what, why, and both ends of what changed', async (t) => {
  const rig = await openRig(t, answersWith(ACT))
  const text = await textOf(rig.get('/audit'))
  for (const words of [
    'Ada Lovelace',
    'Set an approval rule',
    'SHOP, EUR',
    '“Renewal of contract”',
    '3f79…6dea',
  ])
    assert.ok(text.includes(words), words)
  assert.match(text, /Amount from <del>1000<\/del> <ins>123456789012345678\.5<\/ins>/)
  assert.match(text, /and 1 more/)
  assert.doesNotMatch(text, /chip-bad|chip-warn/)
})

test('what was refused, and what has no answer, says so', async (t) => {
  const failed = { ...ACT, outcome: 'FAILED', status: 409, changeCount: 0, changes: [] }
  const { status: _, ...open } = { ...failed, outcome: 'NOT_KNOWN' }
  const rig = await openRig(t, answersWith(failed, open))
  const text = await textOf(rig.get('/audit'))
  assert.match(text, /chip-bad[\s\S]*Refused, 409/)
  assert.match(text, /chip-warn[\s\S]*No answer recorded/)
})

test('the list and its files ask with the filters of the address, and with nothing else', async (t) => {
  const rig = await openRig(t, answersWith(ACT))
  const text = await textOf(
    rig.get(
      '/audit?operatorCode=ada&act=setFee&merchantCode=SHOP&subject=EUR&from=2026-11-01T00:00&failed=true&x=1',
    ),
  )
  const filters = {
    from: '2026-11-01T00:00:00Z',
    operatorCode: 'ada',
    act: 'setFee',
    merchantCode: 'SHOP',
    subject: 'EUR',
    failed: 'true',
  }
  const asked = rig.heard.find(({ path }) => path === '/operator/audit')?.query ?? []
  assert.deepEqual(Object.fromEntries(asked), { ...filters, limit: '50' })
  for (const format of ['csv', 'jsonl']) {
    const link = new RegExp(`href="(/audit/export[^"]+format=${format})"`).exec(text)?.[1] ?? ''
    rig.answers['GET /operator/audit/export'] = { body: 'number\r\n' }
    const file = await rig.get(link.replaceAll('&amp;', '&'))
    assert.equal(await file.text(), 'number\r\n')
    assert.match(
      file.headers.get('content-disposition') ?? '',
      new RegExp(`^attachment; filename="audit-.*\\.${format}"$`),
    )
    assert.deepEqual(Object.fromEntries(rig.heard.at(-1)?.query ?? []), { ...filters, format })
  }
})

test('a filter that the API refuses is a sentence above the list', async (t) => {
  const rig = await openRig(t, {
    ...answersWith(),
    'GET /operator/audit': refusal(400, 'ATTRIBUTE_VALUE_INVALID', 'from: is not a time'),
  })
  const answer = await rig.get('/audit?from=yesterday')
  assert.equal(answer.status, 200)
  assert.match(await answer.text(), /role="alert"[\s\S]*from: is not a time/)
})

test('K60 who may not read operators finds neither the entry nor the screens, and the API is not asked', async (t) => {
  const rig = await openRig(t, { ...answersWith(ACT), 'GET /operator/me': selfWith() })
  rig.answers['GET /operator/payments'] = { body: { data: [] } }
  assert.doesNotMatch(await textOf(rig.get('/payments')), /href="\/audit"/)
  for (const path of ['/audit', '/audit/1204', '/audit/export', '/audit?verify=1'])
    assert.equal((await rig.get(path)).status, 403, path)
  assert.ok(!rig.heard.some(({ path }) => path.startsWith('/operator/audit')))
})

test('K61 a chain is called intact only after it was followed, and never when something was found', async (t) => {
  const rig = await openRig(t, answersWith(ACT))
  const plain = await textOf(rig.get('/audit'))
  assert.match(plain, /Chained up to 21 Nov 2026, 11:02:41 UTC: 1198 records/)
  assert.match(plain, /Everything from entry 17 on/)
  assert.doesNotMatch(plain, /intact|verified/i)
  rig.answers['GET /operator/audit/verification'] = { body: { ...VERIFIED, isIntact: true, findings: [] } }
  const intact = await textOf(rig.get('/audit?verify=1'))
  assert.match(intact, /Chain intact\.[\s\S]*1198 records verified at 21 Nov 2026, 11:05:00 UTC/)
  assert.doesNotMatch(intact, /rel="next" href="[^"]*verify/)
  const findings = [{ check: 'audit_matches_records', detail: 'changed: record 7 <b>' }]
  rig.answers['GET /operator/audit/verification'] = { body: { ...VERIFIED, isIntact: false, findings } }
  const broken = await textOf(rig.get('/audit?verify=1'))
  assert.match(broken, /role="alert"[\s\S]*The chain is broken\.[\s\S]*changed: record 7 &lt;b&gt;/)
  assert.doesNotMatch(broken, /intact/)
})

const HOSTILE = `"><script>alert(1)</script><img src=x onerror='alert(2)'>`

test('K62 what operators typed is words in the log and nothing else', async (t) => {
  const hostile = {
    ...ACT,
    operatorName: HOSTILE,
    says: HOSTILE,
    merchantCode: HOSTILE,
    subject: HOSTILE,
    reason: HOSTILE,
    path: `/operator/payments/PAYIN/${HOSTILE}/${HOSTILE}/!hold`,
    program: HOSTILE,
    meansId: HOSTILE,
    changes: [
      {
        section: HOSTILE,
        item: HOSTILE,
        merchantCode: HOSTILE,
        verb: 'CHANGED',
        fields: [{ name: HOSTILE, before: HOSTILE, after: HOSTILE }],
      },
    ],
  }
  const rig = await openRig(t, { ...answersWith(hostile), 'GET /operator/audit/1204': { body: hostile } })
  for (const path of ['/audit', '/audit/1204']) {
    const text = await textOf(rig.get(path))
    assert.ok(text.includes('&lt;script&gt;'), path)
    assert.ok(!text.includes('<script>alert') && !text.includes('<img src=x'), path)
  }
})

test('an entry has everything that it changed, and leads to the payment that it is about', async (t) => {
  const approved = {
    ...ACT,
    act: 'approvePayout',
    says: 'Approved a payout',
    subject: 'OUT-1',
    changes: [],
    changeCount: 0,
    path: '/operator/payouts/SHOP/OUT-1/!approve',
  }
  const rig = await openRig(t, {
    ...answersWith(),
    'GET /operator/audit/1204': { body: ACT },
    'GET /operator/audit/1205': { body: approved },
  })
  const text = await textOf(rig.get('/audit/1204'))
  assert.match(text, /<h1>Set an approval rule<\/h1>/)
  assert.match(text, /Passkey ses_4Q7X/)
  assert.match(text, /Changed approval rule EUR/)
  assert.match(text, /<del>1000<\/del>[\s\S]*<ins>123456789012345678\.5<\/ins>/)
  assert.match(text, /The first 1 are shown/)
  const other = await textOf(rig.get('/audit/1205'))
  assert.match(other, /href="\/payments\/PAYOUT\/SHOP\/OUT-1"/)
  assert.match(other, /No configuration and no person was changed/)
  assert.equal((await rig.get('/audit/99')).status, 404)
})
