import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openRig, refusal, SESSION } from './support.ts'

// Signing in by a provider of identities: what the console keeps of it, and where it leads.

const WAYS = { body: { passkeys: true, oidc: { name: 'Example <Corp>' } } }
const SECRET = 'B'.repeat(43)
const STATE = 'A'.repeat(43)
const BEGUN = {
  body: { authorizationUrl: 'https://login.example/auth?client_id=t&state=x', browserSecret: SECRET },
}
const OPENED = {
  status: 201,
  body: {
    session: {
      id: 'ses_1',
      secret: SESSION,
      method: 'OIDC',
      identityId: 'oid_1',
      createdAt: '2026-11-21T10:15:28.001Z',
      idleUntil: '2026-11-21T10:45:28.001Z',
      expireAt: '2026-11-21T22:15:28.001Z',
    },
    operator: { code: 'ada', name: 'Ada Lovelace', roles: ['SUPPORT'] },
  },
}
const ANSWERS = {
  'GET /operator/sign-in-ways': WAYS,
  'POST /operator/sessions/oidc/!begin': BEGUN,
  'POST /operator/sessions/oidc/!finish': OPENED,
}

const attemptOf = (next: string, purpose = 'in'): string =>
  `tollgate-attempt=${SECRET}.${purpose}.${Buffer.from(next).toString('base64url')}`
const comeBack = (url: string, cookie: string): Promise<Response> =>
  fetch(`${url}/sign-in/company?state=${STATE}&code=C1&iss=https%3A%2F%2Flogin.example`, {
    headers: { cookie },
    redirect: 'manual',
  })

test('the button stands there when the gateway has a provider, and the screen without one, and with nobody to ask', async (t) => {
  const rig = await openRig(t, ANSWERS)
  const button = /Continue with Example &lt;Corp&gt;/
  assert.match(await (await rig.get('/sign-in')).text(), button)
  rig.answers['GET /operator/sign-in-ways'] = { body: { passkeys: true } }
  assert.doesNotMatch(await (await rig.get('/sign-in')).text(), /Continue with Example/)
  await rig.goAway()
  const answer = await rig.get('/sign-in')
  assert.equal(answer.status, 200)
  assert.match(await answer.text(), /Operator key/)
})

test('a press leads to the provider, and what comes back to the screen that was wanted', async (t) => {
  const rig = await openRig(t, ANSWERS)
  const begun = await rig.post('/sign-in/company', { next: '/payouts?status=ON_HOLD' })
  assert.equal(begun.headers.get('refresh'), `0;url=${BEGUN.body.authorizationUrl}`)
  const cookie = begun.headers.get('set-cookie') ?? ''
  assert.match(cookie, /^tollgate-attempt=.*; Max-Age=600; Path=\/; HttpOnly; SameSite=Lax$/)
  const answer = await comeBack(rig.url, cookie.split(';', 1)[0] ?? '')
  assert.equal(answer.headers.get('refresh'), '0;url=/payouts?status=ON_HOLD')
  const set = answer.headers.getSetCookie()
  assert.ok(set.some((each) => each.startsWith('tollgate-attempt=; Max-Age=0')))
  assert.ok(set.some((each) => each.startsWith(`tollgate=${SESSION};`) && each.includes('SameSite=Strict')))
  const finished = rig.heard.find(({ path }) => path.endsWith('oidc/!finish'))
  assert.deepEqual(JSON.parse(finished?.body ?? ''), {
    state: STATE,
    code: 'C1',
    iss: 'https://login.example',
    browserSecret: SECRET,
  })
})

test('K101 what comes back without the attempt of this browser, or with two of them, is not handed on', async (t) => {
  const rig = await openRig(t, ANSWERS)
  for (const cookie of ['', `${attemptOf('/')}; ${attemptOf('/payouts')}`, 'tollgate-attempt=x.in.Lw']) {
    const answer = await comeBack(rig.url, cookie)
    assert.equal(answer.status, 400)
    assert.match(await answer.text(), /begun in another browser/)
    assert.ok(!answer.headers.getSetCookie().some((each) => each.startsWith(`tollgate=${SESSION}`)))
  }
  assert.ok(!rig.heard.some(({ path }) => path.endsWith('!finish')))
})

test('K102 it leads to a screen of the console alone, whatever was asked for or kept', async (t) => {
  const rig = await openRig(t, ANSWERS)
  for (const next of [
    'https://evil.example/',
    '//evil.example',
    '/\\evil.example',
    '/a;url=//evil.example\n',
  ]) {
    const begun = await rig.post('/sign-in/company', { next })
    const [cookie = ''] = (begun.headers.get('set-cookie') ?? '').split(';', 1)
    for (const each of [cookie, attemptOf(next)]) {
      const answer = await comeBack(rig.url, each)
      const refresh = answer.headers.get('refresh') ?? ''
      assert.match(refresh, /^0;url=\/(?![/\\])/, `${next}: ${refresh}`)
      assert.equal(new URL(refresh.slice('0;url='.length), rig.url).origin, rig.url)
    }
  }
})

test('a form of another site begins nothing, and a provider that is away leaves the other ways', async (t) => {
  const rig = await openRig(t, ANSWERS)
  const foreign = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }
  const answer = await rig.post('/sign-in/company', { next: '/' }, foreign)
  assert.equal(answer.status, 403)
  assert.ok(!rig.heard.some(({ path }) => path.endsWith('!begin')))
  const away = 'The provider of identities does not answer.'
  rig.answers['POST /operator/sessions/oidc/!begin'] = refusal(500, 'SYSTEM', away)
  const page = await rig.post('/sign-in/company', { next: '/' })
  assert.equal(page.status, 503)
  const text = await page.text()
  assert.match(text, /Continue with a passkey[\s\S]*Your company’s sign-in does not answer/)
  assert.match(text, /Operator key/)
})
