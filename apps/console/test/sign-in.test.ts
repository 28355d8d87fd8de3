import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createCookies, formTokenOf } from '../src/session.ts'
import { nextOf } from '../src/sign-in.ts'
import { openRig, refusal, SESSION } from './support.ts'

const KEY = 'tgop_4Q7XWB2K9M-4Q7XWB2K9M'
const opened = {
  status: 201,
  body: {
    session: {
      id: 'ses_1',
      secret: SESSION,
      method: 'KEY',
      createdAt: '2026-11-21T10:15:28.001Z',
      idleUntil: '2026-11-21T10:45:28.001Z',
      expireAt: '2026-11-21T22:15:28.001Z',
    },
    operator: { code: 'ada', name: 'Ada Lovelace', roles: ['SUPPORT'] },
  },
}

test('a key opens a session, and only the session is kept by the browser', async (t) => {
  const rig = await openRig(t, { 'POST /operator/sessions': opened })
  const answer = await rig.post('/sign-in', { key: ` ${KEY}\n`, next: '/payments?kind=PAYIN' })
  assert.equal(answer.status, 303)
  assert.equal(answer.headers.get('location'), '/payments?kind=PAYIN')
  const cookie = answer.headers.get('set-cookie') ?? ''
  assert.equal(cookie, `tollgate=${SESSION}; Path=/; HttpOnly; SameSite=Strict`)
  assert.deepEqual(
    rig.heard.map(({ path, bearer }) => [path, bearer]),
    [['/operator/sessions', KEY]],
  )
})

test('K5 by https the cookie is bound to the host and never leaves in the clear', () => {
  assert.equal(
    createCookies(true).write(SESSION),
    `__Host-tollgate=${SESSION}; Path=/; HttpOnly; SameSite=Strict; Secure`,
  )
})

test('a wrong key is said to be wrong, and is not shown again', async (t) => {
  const rig = await openRig(t, { 'POST /operator/sessions': refusal(401, 'TOKEN_INVALID', 'no') })
  const answer = await rig.post('/sign-in', { key: KEY })
  const text = await answer.text()
  assert.equal(answer.status, 401)
  assert.match(text, /This key does not work/)
  assert.ok(!text.includes(KEY))
  assert.equal(answer.headers.get('set-cookie'), null)
})

test('K8 signing in leads to a screen of ours and nowhere else', () => {
  assert.equal(nextOf('/payments?status=FAILED&cursor=MTc5'), '/payments?status=FAILED&cursor=MTc5')
  for (const text of ['https://evil.example', '//evil.example', '/\\evil.example', '/sign-out', '', null])
    assert.equal(nextOf(text), '/', String(text))
})

test('signing out ends the session at the operator API, and takes the cookie away', async (t) => {
  const ended = { body: { id: 'ses_1', ended: true } }
  const rig = await openRig(t, { 'DELETE /operator/sessions/current': ended })
  const answer = await rig.post('/sign-out', { formToken: formTokenOf(SESSION) })
  assert.match(answer.headers.get('set-cookie') ?? '', /^tollgate=; Max-Age=0;/)
  assert.deepEqual(
    rig.heard.map(({ method, bearer }) => [method, bearer]),
    [['DELETE', SESSION]],
  )
})

test('a session that has ended leads to signing in, and from there back', async (t) => {
  const rig = await openRig(t, { 'GET /operator/me': refusal(401, 'TOKEN_INVALID', 'ended') })
  const answer = await rig.get('/payments?kind=PAYOUT')
  assert.equal(answer.status, 303)
  assert.equal(answer.headers.get('location'), '/sign-in?next=%2Fpayments%3Fkind%3DPAYOUT')
  assert.match(answer.headers.get('set-cookie') ?? '', /Max-Age=0/)
})
