import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formTokenOf } from '../src/session.ts'
import { openRig, refusal, SESSION, selfWith } from './support.ts'

// Operators, their keys, passkeys and sessions, and one's own.

const MOMENT = '2026-11-21T10:15:28.001Z'
const ACCOUNT = {
  operatorCode: 'grace',
  name: 'Grace Hopper',
  status: 'ACTIVE',
  roles: ['APPROVER'],
  createdAt: MOMENT,
}
const KEY = { keyId: 'key_1', createdAt: MOMENT, madeBy: 'alan' }
const PASSKEY = {
  passkeyId: 'pk_1',
  name: 'Laptop',
  createdAt: MOMENT,
  isBackedUp: false,
  isHalf: true,
  invitedBy: 'alan',
}
const SESSION_LISTED = {
  id: 'ses_1',
  method: 'PASSKEY',
  passkeyId: 'pk_1',
  createdAt: MOMENT,
  lastUsedAt: MOMENT,
  idleUntil: MOMENT,
  expireAt: MOMENT,
  isCurrent: false,
}
const READS = ['operators.read']
const CHANGES = ['operators.read', 'operators.change']

const answersOf = (account: unknown = {}, passkey: unknown = {}) => ({
  'GET /operator/operators/grace': {
    body: { ...ACCOUNT, permissions: [], identities: [], keys: [KEY], ...Object(account) },
  },
  'GET /operator/passkeys': { body: { data: [{ ...PASSKEY, ...Object(passkey) }] } },
  'GET /operator/sessions': { body: { data: [SESSION_LISTED] } },
})

const formOf = (more: Readonly<Record<string, string>> = {}) => ({ formToken: formTokenOf(SESSION), ...more })

test('the list of operators is filtered and paged by its address', async (t) => {
  const data = Array.from({ length: 60 }, (_, index) => ({
    ...ACCOUNT,
    keys: 1,
    operatorCode: `op-${String(index).padStart(2, '0')}`,
    name: `Person ${index}`,
    status: index === 7 ? 'DISABLED' : 'ACTIVE',
  }))
  const rig = await openRig(t, {
    'GET /operator/me': selfWith(...READS),
    'GET /operator/operators': { body: { data } },
  })
  const first = await (await rig.get('/operators')).text()
  assert.match(first, /59 active of 60/)
  assert.match(first, /Person 49<[\s\S]*rel="next" href="\/operators\?cursor=op-49&amp;trail=-"/)
  assert.doesNotMatch(first, /Person 50</)
  assert.doesNotMatch(first, /New operator/)
  const second = await (await rig.get('/operators?cursor=op-49&trail=-')).text()
  assert.match(second, /Person 50<[\s\S]*Person 59</)
  const found = await (await rig.get('/operators?status=DISABLED&q=person')).text()
  assert.match(found, /Person 7<[\s\S]*Disabled/)
  assert.doesNotMatch(found, /Person 8</)
  const packed = await fetch(`${rig.url}/operators`, {
    headers: { cookie: `tollgate=${SESSION}`, 'accept-encoding': 'br' },
  })
  const sent = Number(packed.headers.get('content-length'))
  assert.ok(sent > 0 && sent <= 40_000, String(sent))
})

test('a new operator’s key is shown this once, with what it carries; what is refused keeps what was typed', async (t) => {
  const rig = await openRig(t, {
    'GET /operator/me': selfWith(...CHANGES),
    'GET /operator/operators': { body: { data: [{ ...ACCOUNT, keys: 1 }] } },
    'POST /operator/operators': { status: 201, body: { ...ACCOUNT, keyId: 'key_2', key: 'tgop_SECRET' } },
  })
  const send = () => {
    const body = new URLSearchParams(formOf({ operatorCode: ' grace ', name: 'Grace "G" Hopper' }))
    for (const role of ['SUPPORT', 'APPROVER']) body.append('roles', role)
    return fetch(`${rig.url}/operators/create`, {
      method: 'POST',
      headers: {
        cookie: `tollgate=${SESSION}`,
        origin: rig.url,
        'sec-fetch-site': 'same-origin',
        'content-type': 'application/x-www-form-urlencoded',
      },
      body: body.toString(),
    })
  }
  const text = await (await send()).text()
  assert.match(text, /<code tabindex="0">tgop_SECRET<\/code>[\s\S]*until a second administrator/)
  assert.match(text, /action="\/operators\/grace\/invite"/)
  const sent = JSON.parse(rig.heard.find(({ method }) => method === 'POST')?.body ?? '')
  assert.deepEqual(sent, {
    operatorCode: 'grace',
    name: 'Grace "G" Hopper',
    roles: ['SUPPORT', 'APPROVER'],
  })
  rig.answers['POST /operator/operators'] = refusal(409, 'STATE_CONFLICT', 'The code is taken.')
  const again = await (await send()).text()
  assert.match(again, /Not done\.<\/b> The code is taken/)
  assert.match(again, /<details class="panel make" open>/)
  assert.match(again, /value="Grace &quot;G&quot; Hopper"/)
  assert.match(again, /value="APPROVER" checked/)
  assert.doesNotMatch(again, /value="FINANCE" checked/)
})

test('K25 who may only read sees no buttons, and is refused where they send one anyway', async (t) => {
  const rig = await openRig(t, { 'GET /operator/me': selfWith(...READS), ...answersOf() })
  const text = await (await rig.get('/operators/grace')).text()
  assert.match(text, /Grace Hopper[\s\S]*Laptop[\s\S]*key_1[\s\S]*ses_1/)
  assert.doesNotMatch(text, /\/operators\/grace\/|Remove|Disable/)
  for (const verb of ['roles', 'disable', 'key', 'invite', 'confirm', 'end-session', 'remove-passkey'])
    assert.equal((await rig.post(`/operators/grace/${verb}`, formOf())).status, 403, verb)
  assert.ok(!rig.heard.some(({ method }) => method !== 'GET'))
})

test('a key without an end works until it is removed, and says so', async (t) => {
  const rig = await openRig(t, { 'GET /operator/me': selfWith(...READS), ...answersOf() })
  const page = await (await rig.get('/operators/grace')).text()
  assert.match(page, /Until, UTC[\s\S]*>until removed</)
})

test('each change asks for its own thing, in the name of the session', async (t) => {
  const rig = await openRig(t, {
    'GET /operator/me': selfWith(...CHANGES),
    ...answersOf(),
    'PUT /operator/operators/grace/roles': { body: ACCOUNT },
    'POST /operator/operators/grace/!disable': { body: { ...ACCOUNT, status: 'DISABLED' } },
    'POST /operator/operators/grace/!enable': { body: ACCOUNT },
    'DELETE /operator/operators/grace/keys/key_1': { body: { keyId: 'key_1', removed: true } },
    'DELETE /operator/passkeys/pk_1': { body: { passkeyId: 'pk_1', removed: true } },
    'DELETE /operator/sessions/ses_1': { body: { id: 'ses_1', ended: true } },
    'POST /operator/passkeys/pk_1/!confirm': { body: PASSKEY },
  })
  const changes: readonly (readonly [verb: string, more: Readonly<Record<string, string>>, says: RegExp])[] =
    [
      ['roles', { roles: 'SUPPORT' }, /The roles are set/],
      ['disable', {}, /Disabled\. Sessions/],
      ['enable', {}, /Enabled\. Keys/],
      ['remove-key', { keyId: 'key_1' }, /The key was removed/],
      ['remove-passkey', { passkeyId: 'pk_1' }, /The passkey was removed/],
      ['end-session', { sessionId: 'ses_1' }, /The session has ended/],
      ['confirm', { passkeyId: 'pk_1', fingerprint: '7kq2 m8x4 tj5n' }, /Confirmed/],
    ]
  for (const [verb, more, says] of changes) {
    const answer = await rig.post(`/operators/grace/${verb}`, formOf(more))
    assert.equal(answer.status, 303, verb)
    assert.match(await (await rig.get(answer.headers.get('location') ?? '')).text(), says)
  }
  const bodies = rig.heard.filter(({ body }) => body !== '').map(({ path, body }) => [path, JSON.parse(body)])
  assert.deepEqual(bodies, [
    ['/operator/operators/grace/roles', { roles: ['SUPPORT'] }],
    ['/operator/passkeys/pk_1/!confirm', { fingerprint: '7KQ2-M8X4-TJ5N' }],
  ])
})

test('K26 whoever made one half adds no second one, and whoever invited confirms nothing', async (t) => {
  const rig = await openRig(t, { 'GET /operator/me': selfWith(...CHANGES), ...answersOf() })
  const other = await (await rig.get('/operators/grace')).text()
  assert.match(other, /action="\/operators\/grace\/second"/)
  assert.match(other, /action="\/operators\/grace\/confirm"[\s\S]*invited them/)
  const own = answersOf({ keys: [{ ...KEY, madeBy: 'ada' }] }, { invitedBy: 'ada' })
  Object.assign(rig.answers, own)
  const text = await (await rig.get('/operators/grace')).text()
  assert.doesNotMatch(text, /\/operators\/grace\/(?:second|confirm)"/)
  assert.match(text, /You invited them, so another administrator confirms it/)
})

test('a fingerprint that is refused is still there; so are the roles that were ticked', async (t) => {
  const rig = await openRig(t, {
    'GET /operator/me': selfWith(...CHANGES),
    ...answersOf(),
    'POST /operator/passkeys/pk_1/!confirm': refusal(409, 'STATE_CONFLICT', 'This is not the fingerprint.'),
    'PUT /operator/operators/grace/roles': refusal(400, 'ATTRIBUTE_VALUE_INVALID', 'ADMIN and APPROVER'),
  })
  const typed = formOf({ passkeyId: 'pk_1', fingerprint: 'AAAA-<BB>' })
  const text = await (await rig.post('/operators/grace/confirm', typed)).text()
  assert.match(text, /Not done\.<\/b> This is not the fingerprint[\s\S]*value="AAAA-&lt;BB&gt;"/)
  const roles = await (
    await rig.post('/operators/grace/roles', formOf({ of: 'roles', roles: 'ADMIN' }))
  ).text()
  assert.match(roles, /value="ADMIN" checked/)
  assert.doesNotMatch(roles, /value="APPROVER" checked/)
})

test('K27 a key, a second half and the link of an invitation are shown once, and not by an address', async (t) => {
  const rig = await openRig(t, {
    'GET /operator/me': selfWith(...CHANGES),
    ...answersOf(),
    'POST /operator/operators/grace/keys': { status: 201, body: { ...KEY, keyId: 'key_2', key: 'tgop_ONE' } },
    'POST /operator/operators/grace/keys/key_1/!second': { body: { keyId: 'key_1', secondHalf: 'TWO' } },
    'POST /operator/invitations': {
      status: 201,
      body: {
        invitationId: 'inv_1',
        operatorCode: 'grace',
        secret: 'tgoi_X',
        expireAt: MOMENT,
        link: 'https://console.example/invitation#tgoi_X',
      },
    },
  })
  const shown: readonly (readonly [verb: string, more: Readonly<Record<string, string>>, text: string])[] = [
    ['key', { days: '90' }, 'tgop_ONE'],
    ['second', { keyId: 'key_1' }, 'TWO'],
    ['invite', {}, 'https://console.example/invitation#tgoi_X'],
  ]
  for (const [verb, more, secret] of shown) {
    const answer = await rig.post(`/operators/grace/${verb}`, formOf(more))
    assert.match(await answer.text(), new RegExp(`Shown this once[\\s\\S]*<code tabindex="0">${secret}<`))
    assert.equal(answer.headers.get('cache-control'), 'no-store')
    assert.equal((await rig.get(`/operators/grace/${verb}`)).status, 404, 'an address shows none')
  }
  const asked = rig.heard.find(({ path }) => path.endsWith('/keys'))
  assert.equal(asked?.body, '{"days":90}')
})

test('nobody changes their own account; passkeys and sessions of one’s own are in “Your account”', async (t) => {
  const rig = await openRig(t, {
    'GET /operator/me': selfWith(...CHANGES),
    ...answersOf(),
    'GET /operator/operators/ada': {
      body: { ...ACCOUNT, operatorCode: 'ada', permissions: [], identities: [], keys: [KEY] },
    },
  })
  const own = await (await rig.get('/operators/ada')).text()
  assert.match(own, /This is your own account[\s\S]*href="\/account"/)
  assert.doesNotMatch(own, /action="\/operators\/ada\//)
  const current = { ...SESSION_LISTED, id: 'ses_2', isCurrent: true }
  rig.answers['GET /operator/sessions'] = { body: { data: [current, SESSION_LISTED] } }
  const account = await (await rig.get('/account')).text()
  assert.match(account, /Laptop waits for confirmation[\s\S]*other than alan/)
  assert.match(account, /ses_2[\s\S]*This one[\s\S]*name="sessionId" value="ses_1"/)
  assert.doesNotMatch(account, /name="sessionId" value="ses_2"/)
  const asked = rig.heard.findLast(({ path }) => path === '/operator/passkeys')
  assert.equal(asked?.query.get('operatorCode'), null)
})

test('a further device is registered from “Your account”, and the fingerprint of half a passkey is shown this once', async (t) => {
  const options = {
    challenge: 'AQID',
    timeout: 300_000,
    attestation: 'none',
    excludeCredentials: [],
    rp: { id: 'localhost', name: 'Tollgate' },
    user: { id: 'AQID', name: 'ada', displayName: 'Ada' },
    pubKeyCredParams: [{ type: 'public-key', alg: -7 }],
    authenticatorSelection: {
      residentKey: 'required',
      requireResidentKey: true,
      userVerification: 'required',
    },
  }
  const rig = await openRig(t, {
    ...answersOf(),
    'POST /operator/passkeys/!begin': { body: { challengeId: 'chl_1', options } },
    'POST /operator/passkeys/!finish': { status: 201, body: { ...PASSKEY, fingerprint: '7KQ2-M8X4-TJ5N' } },
  })
  const page = await (await rig.post('/account/register', formOf({ name: 'Phone' }))).text()
  assert.match(page, /action="\/account\/registered"[\s\S]*name="name" value="Phone"/)
  const credential = { id: 'AQID', response: { clientDataJSON: 'eyJ0', attestationObject: 'o2Nm' } }
  const answer = { 'passkey.challenge': 'chl_1', 'passkey.credential': JSON.stringify(credential) }
  const done = await rig.post('/account/registered', formOf({ name: 'Phone', ...answer }))
  assert.match(await done.text(), /7KQ2-M8X4-TJ5N/)
  const sent = rig.heard.findLast(({ method }) => method === 'POST')
  assert.deepEqual(JSON.parse(sent?.body ?? ''), { challengeId: 'chl_1', credential, name: 'Phone' })
})

test('a gateway that takes no passkeys says so, and keeps the rest', async (t) => {
  const rig = await openRig(t, { 'GET /operator/me': selfWith(...CHANGES), ...answersOf() })
  delete rig.answers['GET /operator/passkeys']
  assert.match(await (await rig.get('/operators/grace')).text(), /takes no passkeys[\s\S]*key_1/)
  assert.match(await (await rig.get('/account')).text(), /takes no passkeys[\s\S]*ses_1/)
})

test('K3 names of operators, passkeys and roles are words and nothing else', async (t) => {
  const hostile = `"><script>alert(1)</script>`
  const rig = await openRig(t, {
    'GET /operator/me': selfWith(...CHANGES),
    ...answersOf({ name: hostile, roles: [hostile] }, { name: hostile, invitedBy: hostile }),
    'GET /operator/operators': { body: { data: [{ ...ACCOUNT, name: hostile, roles: [hostile], keys: 1 }] } },
  })
  for (const path of ['/operators', '/operators/grace', '/account']) {
    const text = await (await rig.get(path)).text()
    assert.ok(text.includes('&lt;script&gt;alert(1)'), path)
    assert.doesNotMatch(text.replaceAll(/"[^"]*"/g, '""'), /<script>/, path)
  }
})
