import assert from 'node:assert/strict'
import { request } from 'node:http'
import { test } from 'node:test'
import { formTokenOf } from '../src/session.ts'
import { COOKIE, openRig, PAYOUT, payoutsOf, type Rig, refusal, SESSION, selfWith } from './support.ts'

// Whom the console answers, and what it takes.

const APPROVE = '/payouts/PAYOUT/SHOP/OUT-1/approve'

const openDesk = (t: Parameters<typeof openRig>[0]): Promise<Rig> =>
  openRig(t, {
    'GET /operator/me': selfWith('payouts.approve'),
    'GET /operator/payouts': payoutsOf(PAYOUT),
    'POST /operator/payouts/SHOP/OUT-1/!approve': { body: PAYOUT },
  })

const changes = ({ heard }: Rig): number => heard.filter(({ method }) => method !== 'GET').length

const form = (): Record<string, string> => ({
  formToken: formTokenOf(SESSION),
  contentHash: '9f2c41d07ab3',
  reason: 'Checked.',
})

test('a form of our own page is carried out once, in the name of the session', async (t) => {
  const rig = await openDesk(t)
  const answer = await rig.post(`${APPROVE}?status=ON_HOLD`, form())
  assert.equal(answer.status, 303)
  assert.equal(answer.headers.get('location'), '/payouts/PAYOUT/SHOP/OUT-1?status=ON_HOLD&done=approved')
  const [approval] = rig.heard.filter(({ method }) => method === 'POST')
  assert.equal(approval?.bearer, SESSION)
  assert.equal(approval.query.get('kind'), 'PAYOUT')
  assert.deepEqual(JSON.parse(approval.body), { contentHash: '9f2c41d07ab3', reason: 'Checked.' })
})

test('what the operator API had no time for is sent again by a session; a key is tried once', async (t) => {
  const rig = await openDesk(t)
  const busy = refusal(429, 'RATE_LIMIT_EXCEEDED', 'Too many requests; this one was not processed.')
  let asked = 0
  rig.answers['POST /operator/payouts/SHOP/OUT-1/!approve'] = () => {
    asked += 1
    return asked === 1 ? busy : { body: PAYOUT }
  }
  assert.equal((await rig.post(APPROVE, form())).status, 303)
  assert.equal(asked, 2)
  rig.answers['POST /operator/sessions'] = busy
  assert.equal((await rig.post('/sign-in', { key: 'tgop_4Q7XWB2K9M-4Q7XWB2K9M' })).status, 429)
  assert.equal(rig.heard.filter(({ path }) => path === '/operator/sessions').length, 1)
})

test('K6 a form of another site changes nothing', async (t) => {
  const rig = await openDesk(t)
  const foreign: Record<string, string>[] = [
    { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' },
    { origin: rig.url, 'sec-fetch-site': 'cross-site' },
    { origin: rig.url.replace('localhost', '127.0.0.1'), 'sec-fetch-site': 'same-site' },
    { origin: 'null' },
    { origin: '' },
  ]
  for (const headers of foreign) {
    const answer = await rig.post(APPROVE, form(), headers)
    assert.equal(answer.status, 403, JSON.stringify(headers))
    assert.match(await answer.text(), /Nothing was changed/)
  }
  assert.equal(changes(rig), 0)
})

test('a form without the token of its session changes nothing', async (t) => {
  const rig = await openDesk(t)
  for (const formToken of ['', 'AAAA', formTokenOf('tgos_another-session-altogether')]) {
    const answer = await rig.post(APPROVE, { ...form(), formToken })
    assert.equal(answer.status, 403)
    assert.match(await answer.text(), /not from your session/)
  }
  assert.equal(changes(rig), 0)
})

test('the token of a form is never written twice alike', () => {
  assert.notEqual(formTokenOf(SESSION), formTokenOf(SESSION))
})

test('who may not do it is told so before anything is asked for', async (t) => {
  const rig = await openRig(t, { 'GET /operator/payouts': payoutsOf(PAYOUT) })
  assert.equal((await rig.post(APPROVE, form())).status, 403)
  assert.equal(changes(rig), 0)
})

test('K7 another host name is not answered, whatever is asked', async (t) => {
  const rig = await openDesk(t)
  for (const host of ['evil.example', `127.0.0.1:${new URL(rig.url).port}`, '']) {
    const [status, text] = await askByHost(rig, host)
    assert.ok([400, 421].includes(status), `${host}: ${status}`)
    assert.doesNotMatch(text, /OUT-1/)
  }
  assert.equal(rig.heard.length, 0)
})

function askByHost({ url }: Rig, host: string): Promise<readonly [number, string]> {
  return new Promise((resolve, reject) => {
    const options = { host: '127.0.0.1', port: new URL(url).port, path: '/payouts', setHost: false }
    request({ ...options, headers: { host, cookie: COOKIE } }, (answer) => {
      let text = ''
      answer.on('data', (chunk: Buffer) => {
        text += chunk.toString()
      })
      answer.on('end', () => resolve([answer.statusCode ?? 0, text]))
    })
      .on('error', reject)
      .end()
  })
}

test('nothing is kept, framed or taken from elsewhere', async (t) => {
  const rig = await openDesk(t)
  for (const path of ['/sign-in', '/payouts', '/nowhere']) {
    const { headers } = await rig.get(path)
    assert.match(headers.get('content-security-policy') ?? '', /default-src 'none'.*frame-ancestors 'none'/)
    assert.doesNotMatch(headers.get('content-security-policy') ?? '', /unsafe/)
    assert.equal(headers.get('cache-control'), 'no-store')
    assert.equal(headers.get('x-content-type-options'), 'nosniff')
  }
})

test('two cookies of the session’s name open nothing: one of them was planted', async (t) => {
  const rig = await openDesk(t)
  const headers = { cookie: `${COOKIE}; tollgate=tgos_planted-by-somebody-else` }
  const answer = await fetch(`${rig.url}/payouts`, { headers, redirect: 'manual' })
  assert.equal(answer.headers.get('location'), '/sign-in?next=%2Fpayouts')
})
