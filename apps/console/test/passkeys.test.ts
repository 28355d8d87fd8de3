import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { formTokenOf } from '../src/session.ts'
import { touchWords } from '../src/touch-words.ts'
import { openRig, PASSKEY_ASKED, PAYOUT, payoutsOf, type Rig, refusal, SESSION, selfWith } from './support.ts'

// Signing in by passkey, invitations, and a fresh touch for what needs one.

const CREATION = {
  challengeId: 'chl_2',
  options: {
    challenge: 'AQID',
    timeout: 300_000,
    attestation: 'none',
    excludeCredentials: [],
    rp: { id: 'localhost', name: 'Tollgate' },
    user: { id: 'AQID', name: 'grace', displayName: 'Grace <Hopper>' },
    pubKeyCredParams: [{ type: 'public-key', alg: -7 }],
    authenticatorSelection: {
      residentKey: 'required',
      requireResidentKey: true,
      userVerification: 'required',
    },
  },
}
const CREDENTIAL = {
  id: 'AQID',
  response: { clientDataJSON: 'eyJ0', authenticatorData: 'SZ', signature: 'MEU' },
}
const answered = (challenge = 'chl_1') => ({
  'passkey.challenge': challenge,
  'passkey.credential': JSON.stringify(CREDENTIAL),
})
const OPENED = {
  status: 201,
  body: {
    session: {
      id: 'ses_1',
      secret: SESSION,
      method: 'PASSKEY',
      createdAt: '2026-11-21T10:15:28.001Z',
      idleUntil: '2026-11-21T10:45:28.001Z',
      expireAt: '2026-11-21T22:15:28.001Z',
    },
    operator: { code: 'ada', name: 'Ada Lovelace', roles: ['SUPPORT'] },
  },
}

test('signing in by passkey asks for a challenge by a press alone, and leads to what was wanted', async (t) => {
  const rig = await openRig(t, {
    'POST /operator/sessions/passkey/!begin': { body: PASSKEY_ASKED },
    'POST /operator/sessions/passkey/!finish': OPENED,
  })
  await rig.get('/sign-in?next=/payouts')
  assert.equal(rig.heard.length, 0)
  const page = await (await rig.post('/sign-in/passkey', { next: '/payouts?status=ON_HOLD' })).text()
  assert.match(page, /data-passkey="get" data-options="\{&quot;challenge&quot;:&quot;AQID&quot;/)
  assert.match(page, /data-without>[\s\S]*Sign in with your operator key/)
  const form = { next: '/payouts?status=ON_HOLD', ...answered() }
  const answer = await rig.post('/sign-in/touched', form)
  assert.equal(answer.status, 303)
  assert.equal(answer.headers.get('location'), '/payouts?status=ON_HOLD')
  assert.match(answer.headers.get('set-cookie') ?? '', new RegExp(`^tollgate=${SESSION}; Path=/; HttpOnly`))
  const [, finished] = rig.heard
  assert.deepEqual(JSON.parse(finished?.body ?? ''), { challengeId: 'chl_1', credential: CREDENTIAL })
  assert.equal(finished?.bearer, '')
})

test('K21 a passkey that is refused opens nothing and leads nowhere', async (t) => {
  const rig = await openRig(t, {
    'POST /operator/sessions/passkey/!begin': { body: PASSKEY_ASKED },
    'POST /operator/sessions/passkey/!finish': refusal(401, 'PASSKEY_INVALID', 'no'),
  })
  for (const form of [answered(), {}, { ...answered(), 'passkey.credential': 'no json' }]) {
    const answer = await rig.post('/sign-in/touched', { next: 'https://evil.example', ...form })
    assert.equal(answer.status, 401)
    assert.equal(answer.headers.get('set-cookie'), null)
    const text = await answer.text()
    assert.match(text, /role="alert"[\s\S]*This passkey does not work/)
    assert.doesNotMatch(text, /evil/)
  }
  rig.answers['POST /operator/sessions/passkey/!finish'] = OPENED
  const led = await rig.post('/sign-in/touched', { next: '//evil.example', ...answered() })
  assert.equal(led.headers.get('location'), '/')
})

test('a gateway without passkeys says so, and the key is still there', async (t) => {
  const rig = await openRig(t)
  const answer = await rig.post('/sign-in/passkey', {})
  assert.match(await answer.text(), /TOLLGATE_PUBLIC_CONSOLE_URL is not set[\s\S]*Operator key/)
})

const INVITATION = `tgoi_${'A'.repeat(43)}`
const REGISTERED = {
  passkeyId: 'pk_1',
  name: 'Laptop',
  createdAt: '2026-11-21T10:15:28.001Z',
  isBackedUp: false,
  isHalf: true,
  invitedBy: 'alan',
  fingerprint: '7KQ2-M8X4-TJ5N',
}

test('an invitation registers a passkey; of half a one the fingerprint is shown, of a whole one none', async (t) => {
  const rig = await openRig(t, {
    'POST /operator/passkeys/!begin': { body: CREATION },
    'POST /operator/passkeys/!finish': { status: 201, body: REGISTERED },
  })
  await rig.get('/invitation')
  assert.equal(rig.heard.length, 0)
  const page = await (await rig.post('/invitation', { invitation: INVITATION, name: ' Laptop ' })).text()
  assert.match(page, /For Grace &lt;Hopper&gt; \(<span class="code">grace<\/span>\)/)
  assert.match(page, /data-passkey="create"/)
  const form = { invitation: INVITATION, name: 'Laptop', ...answered('chl_2') }
  const half = await (await rig.post('/invitation/touched', form)).text()
  assert.match(half, /7KQ2-M8X4-TJ5N[\s\S]*shown this once[\s\S]*href="\/sign-in"/)
  assert.deepEqual(
    rig.heard.map(({ path, bearer }) => [path, bearer]),
    [
      ['/operator/passkeys/!begin', INVITATION],
      ['/operator/passkeys/!finish', INVITATION],
    ],
  )
  rig.answers['POST /operator/passkeys/!finish'] = { status: 201, body: { ...REGISTERED, isHalf: false } }
  const whole = await (await rig.post('/invitation/touched', form)).text()
  assert.match(whole, /carries all your roles/)
  assert.doesNotMatch(whole, /7KQ2/)
})

test('an invitation that has ended says why; what the device did wrong can be tried again', async (t) => {
  const ended = 'This invitation was used.'
  const rig = await openRig(t, {
    'POST /operator/passkeys/!begin': refusal(401, 'TOKEN_INVALID', ended),
    'POST /operator/passkeys/!finish': refusal(409, 'STATE_CONFLICT', 'This passkey is registered already.'),
  })
  const answer = await rig.post('/invitation', { invitation: INVITATION, name: 'Laptop' })
  assert.equal(answer.status, 401)
  assert.match(await answer.text(), /This invitation does not work<\/h1><p>This invitation was used\./)
  const form = { invitation: INVITATION, name: 'My "phone"', ...answered('chl_2') }
  const again = await (await rig.post('/invitation/touched', form)).text()
  assert.match(again, /registered already/)
  assert.match(again, new RegExp(`name="invitation" value="${INVITATION}"`))
  assert.match(again, /value="My &quot;phone&quot;"/)
})

const APPROVE = '/payouts/PAYOUT/SHOP/OUT-1/approve'
const API_APPROVE = '/operator/payouts/SHOP/OUT-1/!approve'
const TOUCH = `tgou_${'B'.repeat(43)}`

/** A desk in a session of a passkey: the approval wants this touch. */
const openDesk = (t: Parameters<typeof openRig>[0]): Promise<Rig> =>
  openRig(t, {
    'GET /operator/me': selfWith('payouts.approve', 'payments.hold'),
    'GET /operator/payouts': payoutsOf(PAYOUT),
    'POST /operator/step-ups/!begin': { body: PASSKEY_ASKED },
    'POST /operator/step-ups/!finish': { status: 201, body: { secret: TOUCH, expireAt: PAYOUT.expireAt } },
    [`POST ${API_APPROVE}`]: ({ stepUp }) =>
      stepUp === TOUCH ? { body: PAYOUT } : refusal(403, 'STEP_UP_REQUIRED', 'touch it'),
  })

const typed = () => ({ formToken: formTokenOf(SESSION), contentHash: '9f2c41d07ab3', reason: 'Invoice <7>' })
const touched = (request = `POST ${API_APPROVE}`) => ({
  ...typed(),
  ...answered(),
  'passkey.request': request,
})

test('K22 an act that needs a touch says what will be done, keeps what was typed, and is sent again with the touch', async (t) => {
  const rig = await openDesk(t)
  const asked = await rig.post(`${APPROVE}?status=ON_HOLD`, typed())
  const page = await asked.text()
  assert.equal(asked.status, 200)
  assert.match(page, /<h1>Touch your passkey to approve payout OUT-1 of SHOP<\/h1>/)
  assert.match(page, /action="\/payouts\/PAYOUT\/SHOP\/OUT-1\/approve\?status=ON_HOLD"/)
  assert.match(page, /<dt>Reason<\/dt><dd>Invoice &lt;7&gt;<\/dd>/)
  assert.match(page, /name="reason" value="Invoice &lt;7&gt;"/)
  assert.match(page, /name="contentHash" value="9f2c41d07ab3"/)
  assert.match(page, new RegExp(`name="passkey.request" value="POST ${API_APPROVE}"`))
  const begun = rig.heard.find(({ path }) => path.endsWith('step-ups/!begin'))
  assert.deepEqual(JSON.parse(begun?.body ?? ''), { method: 'POST', path: API_APPROVE })

  const done = await rig.post(`${APPROVE}?status=ON_HOLD`, touched())
  assert.equal(done.status, 303)
  assert.equal(done.headers.get('location'), '/payouts/PAYOUT/SHOP/OUT-1?status=ON_HOLD&done=approved')
  const approval = rig.heard.findLast(({ path }) => path === API_APPROVE)
  assert.deepEqual(JSON.parse(approval?.body ?? ''), { contentHash: '9f2c41d07ab3', reason: 'Invoice <7>' })
  assert.equal(approval?.bearer, SESSION)
  // The touch goes with that one request.
  assert.deepEqual(
    rig.heard.filter(({ stepUp }) => stepUp !== undefined).map(({ path }) => path),
    [API_APPROVE],
  )
})

test('K23 a touch that is late, or of another act, does nothing and is asked for again', async (t) => {
  const rig = await openDesk(t)
  const other = await rig.post(APPROVE, touched('POST /operator/payouts/SHOP/OUT-2/!approve'))
  const text = await other.text()
  assert.match(text, /Touch your passkey to approve payout OUT-1 of SHOP/)
  assert.match(text, /That touch was for something else/)
  assert.match(text, /name="reason" value="Invoice &lt;7&gt;"/)
  assert.doesNotMatch(text, /data-now/)
  assert.ok(!rig.heard.some(({ stepUp }) => stepUp !== undefined))
  rig.answers['POST /operator/step-ups/!finish'] = refusal(409, 'STATE_CONFLICT', 'This touch has expired.')
  const late = await (await rig.post(APPROVE, touched())).text()
  assert.match(late, /Not done\.<\/b> This touch has expired\. Touch it again/)
  assert.match(late, /name="reason" value="Invoice &lt;7&gt;"/)
})

test('K23 a touch that the operator API does not take for this request is asked for again, not sent on', async (t) => {
  const rig = await openDesk(t)
  rig.answers[`POST ${API_APPROVE}`] = refusal(403, 'STEP_UP_REQUIRED', 'touch it')
  const text = await (await rig.post(APPROVE, touched())).text()
  assert.match(text, /was used before or came too late/)
  assert.equal(rig.heard.filter(({ path }) => path === API_APPROVE).length, 1)
})

test('going back instead of touching shows the screen with what was typed', async (t) => {
  const rig = await openDesk(t)
  const answer = await rig.post(APPROVE, { ...touched(), 'passkey.credential': '', 'passkey.back': 'yes' })
  const text = await answer.text()
  assert.match(text, /You did not touch your passkey/)
  assert.match(text, /name="reason"[^>]*value="Invoice &lt;7&gt;"/)
  assert.ok(!rig.heard.some(({ method }) => method !== 'GET'))
})

test('K24 a session that ended between press and touch does nothing, and says so where it leads', async (t) => {
  const rig = await openDesk(t)
  rig.answers['GET /operator/me'] = refusal(401, 'TOKEN_INVALID', 'ended')
  const answer = await rig.post(APPROVE, touched())
  assert.equal(answer.headers.get('location'), '/sign-in?next=%2Fpayouts%2FPAYOUT%2FSHOP%2FOUT-1&lost=1')
  assert.ok(!rig.heard.some(({ method }) => method !== 'GET'))
  const page = await (await rig.get(answer.headers.get('location') ?? '')).text()
  assert.match(page, /Your session has ended\. What you sent was not done\./)
})

test('a session that carries no role says what it waits for, and can be ended', async (t) => {
  const message = 'It needs self.read. Another ADMIN confirms the passkey.'
  const rig = await openRig(t, { 'GET /operator/me': refusal(403, 'OPERATION_NOT_PERMITTED', message) })
  const answer = await rig.get('/account')
  assert.equal(answer.status, 403)
  assert.match(
    await answer.text(),
    /Nothing is open to you yet[\s\S]*confirms the passkey[\s\S]*action="\/sign-out"/,
  )
})

test('without a script the page of a touch says that nothing was done', async (t) => {
  const rig = await openDesk(t)
  const page = await (await rig.post(APPROVE, typed())).text()
  assert.match(page, /data-without>[\s\S]*A passkey needs JavaScript\. Nothing was done\./)
})

test('every request that needs a touch has words of its own', () => {
  const text = readFileSync(new URL('../../../docs/operator-openapi.json', import.meta.url), 'utf8')
  const { paths }: { paths: Record<string, Record<string, { description?: string }>> } = JSON.parse(text)
  const touchable = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, { description = '' }]) => description.includes('needs a fresh touch'))
      .map(([method]) => ({ method: method.toUpperCase(), path: path.replaceAll(/\{\w+\}/g, 'A%2FB') })),
  )
  assert.ok(touchable.length >= 20)
  for (const request of touchable) {
    const words = touchWords(request)
    assert.doesNotMatch(words, /^do |%2F/, `${request.method} ${request.path}: ${words}`)
  }
  assert.equal(touchWords({ method: 'POST', path: '/operator/new' }), 'do POST /operator/new')
})
