import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { RawResponse } from '@tollgate/sdk'
import { runSql, type SoftwareAuthenticator, testDatabase } from '@tollgate/testkit'
import { expectError, expectSuccess } from '../support/expectations.ts'
import { startGateway } from '../support/gateway.ts'
import { at, listAt, textAt } from '../support/json.ts'
import { operatorsOf } from '../support/operators.ts'
import { newDevice, openedBy, passkeysAt } from '../support/passkeys.ts'

// Passkeys of operators: who does not hold the device gets no session, and who holds a session does not get the device's word.

const { url: databaseUrl } = await testDatabase({ after })
const gateway = await startGateway({ after }, { databaseUrl, settings: { TOLLGATE_TRUST_PROXY: 'loopback' } })
const operators = await operatorsOf(gateway, {
  adam: ['adam', 'ADMIN'],
  eve: ['eve', 'ADMIN'],
  anna: ['anna', 'APPROVER'],
  adam2: ['adam2', 'ADMIN'],
  olga: ['olga', 'AUDITOR'],
  sue: ['sue', 'SUPPORT'],
})
type Name = 'adam2' | 'anna' | 'olga' | 'sue'
const people = passkeysAt(gateway)
const TIMEOUT_MS = 60_000

const CONFIRM = { method: 'POST', path: '/operator/confirmations/999/!confirm' } as const
/** What an APPROVER alone may ask: with a touch it is answered 410, because there is no such confirmation. */
const confirm = (token: string, touch?: string): Promise<RawResponse> =>
  people.ask(token, {
    method: 'POST',
    path: 'confirmations/999/!confirm',
    body: { digest: '3f79bb7b435b' },
    ...(touch !== undefined && { headers: { 'X-Step-Up': touch } }),
  })
const me = (token: string) => people.ask(token, { method: 'GET', path: 'me' })

const invite = async (by: 'adam' | 'eve', operatorCode: string): Promise<string> =>
  textAt(expectSuccess(await operators.post(by, 'invitations', { operatorCode }), 201), 'secret')

/** An operator's device, invited by adam; the passkey's id and what the operator was shown. */
async function registered(code: Name) {
  const device = newDevice()
  const body = expectSuccess(await people.register(await invite('adam', code), device), 201)
  return { device, passkeyId: textAt(body, 'passkeyId'), fingerprint: textAt(body, 'fingerprint') }
}

/** The same, and confirmed by eve. */
async function confirmed(code: Name): Promise<{ device: SoftwareAuthenticator; passkeyId: string }> {
  const { device, passkeyId, fingerprint } = await registered(code)
  expectSuccess(await operators.post('eve', `passkeys/${passkeyId}/!confirm`, { fingerprint }), 200)
  return { device, passkeyId }
}

/** What an ADMIN may do to people by a touch alone. */
const TOUCHED: readonly (readonly [method: 'POST' | 'PUT' | 'DELETE', path: string, body?: unknown])[] = [
  ['POST', 'operators', { operatorCode: 'puppet', roles: ['APPROVER'] }],
  ['PUT', 'operators/sue/roles', { roles: ['APPROVER'] }],
  ['POST', 'operators/sue/!enable'],
  ['POST', 'operators/sue/keys', {}],
  ['POST', 'operators/sue/keys/key_X/!second'],
  ['DELETE', 'operators/sue/keys/key_X'],
  ['POST', 'invitations', { operatorCode: 'sue' }],
  ['POST', 'passkeys/!begin'],
  ['POST', 'passkeys/pk_X/!confirm', { fingerprint: 'AAAA-AAAA-AAAA' }],
  ['DELETE', 'passkeys/pk_X'],
]

/** The secret of an invitation opens nothing any more, and is told why. */
async function endedAs(secret: string, why: RegExp): Promise<void> {
  const answer = await people.register(secret, newDevice())
  expectError(answer, 401, 'TOKEN_INVALID')
  assert.match(textAt(answer.body, 'message'), why)
}

const refused = (answer: RawResponse): void => expectError(answer, 401, 'PASSKEY_INVALID')
const touchOf = (answer: RawResponse): string => textAt(expectSuccess(answer, 201), 'secret')

test('S126 POST /operator/sessions/passkey/!begin → 200, POST /operator/sessions/passkey/!finish → 201, POST /operator/sessions/passkey/!finish → 401: a challenge and an assertion are taken once, in time, and for signing in alone', async () => {
  const { device } = await registered('olga')
  const { challengeId, challenge } = await people.beginSignIn()
  const assertion = device.get(challenge)
  const { secret } = openedBy(await people.finishSignIn(challengeId, assertion))
  assert.deepEqual(at((await me(secret)).body, 'roles'), ['AUDITOR'])
  refused(await people.finishSignIn(challengeId, assertion))
  refused(await people.finishSignIn((await people.beginSignIn()).challengeId, assertion))

  const late = await people.beginSignIn()
  await runSql(databaseUrl, `update operator_challenges set expire_at = expire_at - interval '5 minutes'`)
  refused(await people.finishSignIn(late.challengeId, device.get(late.challenge)))

  const twice = await people.beginSignIn()
  const both = await Promise.all(
    [1, 2].map(() => people.finishSignIn(twice.challengeId, device.get(twice.challenge))),
  )
  assert.deepEqual(both.map(({ status }) => status).toSorted(), [201, 401])

  const begun = await people.ask(secret, {
    method: 'POST',
    path: 'step-ups/!begin',
    body: { method: 'POST', path: '/operator/passkeys/!begin' },
  })
  const ofTouch = expectSuccess(begun, 200)
  const signed = device.get(textAt(ofTouch, 'options', 'challenge'))
  refused(await people.finishSignIn(textAt(ofTouch, 'challengeId'), signed))
})

test('S127: an assertion of another address, of an unverified user, of another key, or with a counter that went back opens nothing', async () => {
  const { device } = await registered('olga')
  openedBy(await people.signIn(device, { counter: 10 }))
  for (const faults of [
    { origin: 'http://localhost:8083' },
    { origin: 'https://console.example' },
    { rpId: 'console.example' },
    { isUserVerified: false },
    { isForged: true },
    { counter: 10 },
    { counter: 9 },
    { counter: 0 },
  ])
    refused(await people.signIn(device, { counter: 20, ...faults }))
  refused(await people.signIn(newDevice()))
  openedBy(await people.signIn(device, { counter: 11 }))

  const noted = await operators.get('adam', 'requests?operatorCode=olga&limit=3')
  const found = listAt(expectSuccess(noted, 200), 'data')
  assert.deepEqual(
    found.map((each) => [at(each, 'operation'), at(each, 'answeredStatus')]),
    [
      ['finishPasskeySession', 201],
      ['finishPasskeySession', 401],
      ['finishPasskeySession', 401],
    ],
  )
})

test('S127: a registration of another address or of an unverified user is not taken, nor a passkey twice', async () => {
  for (const faults of [
    { origin: 'https://console.example' },
    { rpId: 'console.example' },
    { isUserVerified: false },
  ])
    expectError(
      await people.register(await invite('adam', 'sue'), newDevice(), faults),
      400,
      'ATTRIBUTE_VALUE_INVALID',
    )
  const { device } = await registered('sue')
  expectError(await people.register(await invite('adam', 'olga'), device), 409, 'STATE_CONFLICT')
})

test('S128: an unknown passkey and a wrong signature are answered alike, and no sooner', async () => {
  const { device } = await registered('olga')
  const timed = async (asked: () => Promise<RawResponse>) => {
    const start = performance.now()
    const { status, body } = await asked()
    return { status, code: at(body, 'code'), message: at(body, 'message'), ms: performance.now() - start }
  }
  const known = await timed(() => people.signIn(device, { isForged: true }))
  const unknown = await timed(() => people.signIn(newDevice()))
  for (const { ms, ...said } of [known, unknown]) {
    assert.deepEqual(said, {
      status: 401,
      code: 'PASSKEY_INVALID',
      message: 'Signing in with this passkey failed.',
    })
    assert.ok(ms >= 300, `answered after ${ms} ms`)
  }
})

test('S129 DELETE /operator/passkeys/{passkeyId} → 200, GET /operator/passkeys → 200: a session of a passkey ends with it and with its operator, and says which passkey it is of', async () => {
  const { device, passkeyId } = await registered('sue')
  const { secret, id } = openedBy(await people.signIn(device))
  const listed = await people.ask(secret, { method: 'GET', path: 'sessions' })
  const own = listAt(expectSuccess(listed, 200), 'data').find((each) => at(each, 'id') === id)
  assert.deepEqual([at(own, 'method'), at(own, 'passkeyId')], ['PASSKEY', passkeyId])

  expectError(await operators.remove('olga', `passkeys/${passkeyId}`), 410, 'ENTITY_NOT_FOUND')
  expectSuccess(await operators.post('adam', 'operators/sue/!disable'), 200)
  expectError(await me(secret), 401, 'TOKEN_INVALID')
  refused(await people.signIn(device))
  expectSuccess(await operators.post('adam', 'operators/sue/!enable'), 200)
  expectError(await me(secret), 401, 'TOKEN_INVALID')
  const again = openedBy(await people.signIn(device))
  const passkeys = await operators.get('olga', 'passkeys?operatorCode=sue')
  assert.ok(listAt(expectSuccess(passkeys, 200), 'data').some((each) => at(each, 'passkeyId') === passkeyId))
  expectSuccess(await operators.remove('adam', `passkeys/${passkeyId}`), 200)
  expectError(await me(again.secret), 401, 'TOKEN_INVALID')
  refused(await people.signIn(device))
})

test('S130 POST /operator/invitations → 201, POST /operator/passkeys/!finish → 201, POST /operator/passkeys/!finish → 409: an invitation is used once, in time, opens nothing else, and nobody invites themselves', async () => {
  const secret = await invite('adam', 'olga')
  expectError(await me(secret), 401, 'TOKEN_INVALID')
  expectError(await people.ask(secret, { method: 'POST', path: 'sessions' }), 401, 'TOKEN_INVALID')
  // Two who have begun with one invitation: one of them registers.
  const begin = async () =>
    expectSuccess(await people.ask(secret, { method: 'POST', path: 'passkeys/!begin' }), 200)
  const finish = (begun: unknown) =>
    people.ask(secret, {
      method: 'POST',
      path: 'passkeys/!finish',
      body: {
        challengeId: textAt(begun, 'challengeId'),
        name: 'Laptop',
        credential: newDevice().create(textAt(begun, 'options', 'challenge')),
      },
    })
  const [one, other] = [await begin(), await begin()]
  const answers = await Promise.all([finish(one), finish(other)])
  const statuses = answers.map(({ status }) => status).toSorted()
  assert.equal(statuses[0], 201)
  assert.ok(statuses[1] === 409 || statuses[1] === 401, String(statuses[1]))
  await endedAs(secret, /was used/)

  const replaced = await invite('adam', 'olga')
  const late = await invite('adam', 'olga')
  await endedAs(replaced, /newer invitation has replaced/)
  await runSql(
    databaseUrl,
    `update operator_invitations set created_at = created_at - interval '24 hours', expire_at = expire_at - interval '24 hours'`,
  )
  await endedAs(late, /has expired/)
  await endedAs(`tgoi_${'A'.repeat(43)}`, /no such invitation/)

  expectError(
    await operators.post('adam', 'invitations', { operatorCode: 'adam' }),
    403,
    'OPERATION_NOT_PERMITTED',
  )
  const ofDisabled = await invite('adam', 'sue')
  expectSuccess(await operators.post('adam', 'operators/sue/!disable'), 200)
  await endedAs(ofDisabled, /was ended/)
  expectError(await operators.post('adam', 'invitations', { operatorCode: 'sue' }), 409, 'STATE_CONFLICT')
  expectSuccess(await operators.post('adam', 'operators/sue/!enable'), 200)
  expectError(await people.register(ofDisabled, newDevice()), 401, 'TOKEN_INVALID')
})

test('S131 POST /operator/passkeys/{passkeyId}/!confirm → 200, POST /operator/passkeys/{passkeyId}/!confirm → 409: by an invitation of one ADMIN nobody approves before another one has the fingerprint from the operator', async () => {
  expectSuccess(await operators.put('adam', 'operators/anna/roles', { roles: ['SUPPORT', 'APPROVER'] }), 200)
  const { device, passkeyId, fingerprint } = await registered('anna')
  const { secret } = openedBy(await people.signIn(device))
  assert.deepEqual(at((await me(secret)).body, 'roles'), ['SUPPORT'])
  expectError(await confirm(secret), 403, 'OPERATION_NOT_PERMITTED')

  const path = `passkeys/${passkeyId}/!confirm`
  expectError(await operators.post('adam', path, { fingerprint }), 409, 'STATE_CONFLICT')
  const wrong = { fingerprint: 'AAAA-AAAA-AAAA' }
  expectError(await operators.post('eve', path, wrong), 409, 'STATE_CONFLICT')
  expectError(await operators.post('olga', path, { fingerprint }), 403, 'OPERATION_NOT_PERMITTED')
  // Nobody but the operator is told it.
  for (const name of ['adam', 'eve'] as const)
    assert.doesNotMatch(
      (await operators.get(name, 'passkeys?operatorCode=anna')).text,
      new RegExp(fingerprint),
    )
  expectSuccess(await operators.post('eve', path, { fingerprint }), 200)
  expectError(await operators.post('eve', path, { fingerprint }), 409, 'STATE_CONFLICT')
  expectError(await confirm(secret), 403, 'STEP_UP_REQUIRED')
  const touch = touchOf(await people.stepUp(secret, device, CONFIRM))
  assert.equal((await confirm(secret, touch)).status, 410)
  expectError(await operators.post('eve', 'passkeys/pk_NONE/!confirm', wrong), 410, 'ENTITY_NOT_FOUND')
})

test('S132: what a session of a key registers carries no more than one ADMIN’s invitation, and is gone with the key', async () => {
  const made = expectSuccess(await operators.post('adam', 'operators/olga/keys', {}), 201)
  const [key, keyId] = [textAt(made, 'key'), textAt(made, 'keyId')]
  const thief = openedBy(await people.ask(key, { method: 'POST', path: 'sessions' }))
  expectError(await people.register(key, newDevice()), 403, 'OPERATION_NOT_PERMITTED')
  const device = newDevice()
  const passkey = expectSuccess(await people.register(thief.secret, device), 201)
  assert.equal(at(passkey, 'isHalf'), true)
  const { secret } = openedBy(await people.signIn(device))
  // Another one by the first: it needs a touch, and hangs on the same key.
  const begin = { method: 'POST', path: '/operator/passkeys/!begin' }
  expectError(await people.register(secret, newDevice()), 403, 'STEP_UP_REQUIRED')
  const touch = touchOf(await people.stepUp(secret, device, begin))
  const begun = await people.ask(secret, {
    method: 'POST',
    path: 'passkeys/!begin',
    headers: { 'X-Step-Up': touch },
  })
  const { body } = begun
  const next = newDevice()
  const credential = next.create(textAt(body, 'options', 'challenge'))
  const finished = await people.ask(secret, {
    method: 'POST',
    path: 'passkeys/!finish',
    body: { challengeId: textAt(body, 'challengeId'), name: 'Phone', credential },
  })
  assert.equal(at(expectSuccess(finished, 201), 'isHalf'), true)
  openedBy(await people.signIn(next))
  expectSuccess(await operators.remove('adam', `operators/olga/keys/${keyId}`), 200)
  expectError(await me(secret), 401, 'TOKEN_INVALID')
  refused(await people.signIn(device))
  refused(await people.signIn(next))
})

test('S133 POST /operator/step-ups/!begin → 200, POST /operator/step-ups/!finish → 201, POST /operator/step-ups/!finish → 409: a stolen session approves nothing: each approval needs a touch for this request of this session, used once and in time', async () => {
  const { device } = await confirmed('anna')
  const [{ secret }, other] = [openedBy(await people.signIn(device)), openedBy(await people.signIn(device))]
  const asked = await confirm(secret)
  expectError(asked, 403, 'STEP_UP_REQUIRED')
  assert.ok(textAt(asked.body, 'message').includes(`${CONFIRM.method} ${CONFIRM.path}`))
  const touch = async (request: { method: string; path: string } = CONFIRM) =>
    touchOf(await people.stepUp(secret, device, request))
  for (const wrong of [
    `tgou_${'A'.repeat(43)}`,
    await touch({ ...CONFIRM, path: '/operator/confirmations/998/!confirm' }),
    await touch({ ...CONFIRM, method: 'PUT' }),
    touchOf(await people.stepUp(other.secret, device, CONFIRM)),
  ])
    expectError(await confirm(secret, wrong), 403, 'STEP_UP_REQUIRED')
  const late = await touch()
  await runSql(databaseUrl, `update operator_step_ups set expire_at = expire_at - interval '2 minutes'`)
  expectError(await confirm(secret, late), 403, 'STEP_UP_REQUIRED')

  const once = await touch()
  const both = await Promise.all([confirm(secret, once), confirm(secret, once)])
  assert.deepEqual(both.map(({ status }) => status).toSorted(), [403, 410])

  for (const faults of [{ isForged: true }, { isUserVerified: false }, { origin: 'https://console.example' }])
    expectError(await people.stepUp(secret, device, CONFIRM, faults), 400, 'ATTRIBUTE_VALUE_INVALID')
  expectError(await people.stepUp(secret, newDevice(), CONFIRM), 400, 'ATTRIBUTE_VALUE_INVALID')
  const begun = await people.ask(secret, { method: 'POST', path: 'step-ups/!begin', body: CONFIRM })
  const [challengeId, challenge] = [
    textAt(begun.body, 'challengeId'),
    textAt(begun.body, 'options', 'challenge'),
  ]
  const finish = (token: string) =>
    people.ask(token, {
      method: 'POST',
      path: 'step-ups/!finish',
      body: { challengeId, credential: device.get(challenge) },
    })
  expectError(await finish(other.secret), 409, 'STATE_CONFLICT')
  touchOf(await finish(secret))
  expectError(await finish(secret), 409, 'STATE_CONFLICT')
})

test('S134: keys, and sessions of keys, approve as before, and have no touch', async () => {
  const { secret } = openedBy(await operators.post('anna', 'sessions'))
  assert.equal((await confirm(secret)).status, 410)
  const begin = { method: 'POST', path: 'step-ups/!begin', body: CONFIRM } as const
  expectError(await people.ask(secret, begin), 403, 'OPERATION_NOT_PERMITTED')
})

test('GET /operator/passkeys → 400, GET /operator/passkeys → 410, DELETE /operator/passkeys/{passkeyId} → 400, DELETE /operator/passkeys/{passkeyId} → 410, POST /operator/passkeys/{passkeyId}/!confirm → 400, POST /operator/passkeys/{passkeyId}/!confirm → 410: there is no such operator or passkey', async () => {
  expectError(await operators.get('adam', 'passkeys?operatorCode=A'), 400, 'ATTRIBUTE_VALUE_INVALID')
  expectError(await operators.get('adam', 'passkeys?operatorCode=nobody'), 410, 'ENTITY_NOT_FOUND')
  expectError(await operators.get('sue', 'passkeys?operatorCode=anna'), 403, 'OPERATION_NOT_PERMITTED')
  expectError(await operators.remove('adam', 'passkeys/x'), 400, 'ATTRIBUTE_VALUE_INVALID')
  expectError(await operators.remove('adam', 'passkeys/pk_NONE'), 410, 'ENTITY_NOT_FOUND')
  const body = { fingerprint: 'AAAA-AAAA-AAAA' }
  expectError(await operators.post('adam', 'passkeys/x/!confirm', body), 400, 'ATTRIBUTE_VALUE_INVALID')
  expectError(await operators.post('adam', 'passkeys/pk_NONE/!confirm', body), 410, 'ENTITY_NOT_FOUND')
})

test('POST /operator/passkeys/!begin → 200, POST /operator/passkeys/!finish → 400, POST /operator/sessions/passkey/!finish → 400, POST /operator/step-ups/!begin → 400, POST /operator/step-ups/!finish → 400: what a device says has a form', async () => {
  const { secret } = openedBy(await operators.post('olga', 'sessions'))
  expectSuccess(await people.ask(secret, { method: 'POST', path: 'passkeys/!begin' }), 200)
  for (const path of ['passkeys/!finish', 'sessions/passkey/!finish', 'step-ups/!finish'])
    expectError(await people.ask(secret, { method: 'POST', path, body: {} }), 400, 'ATTRIBUTE_REQUIRED')
  const elsewhere = { method: 'POST', path: '/payouts/X' }
  expectError(
    await people.ask(secret, { method: 'POST', path: 'step-ups/!begin', body: elsewhere }),
    400,
    'ATTRIBUTE_VALUE_INVALID',
  )
})

test('POST /operator/invitations → 400, POST /operator/invitations → 409, POST /operator/invitations → 410: whom nobody can invite', async () => {
  expectError(
    await operators.post('adam', 'invitations', { operatorCode: 'A' }),
    400,
    'ATTRIBUTE_VALUE_INVALID',
  )
  expectError(
    await operators.post('adam', 'invitations', { operatorCode: 'nobody' }),
    410,
    'ENTITY_NOT_FOUND',
  )
  await gateway.cli('operators', 'create', 'otto', '--role', 'AUDITOR')
  await gateway.cli('operators', 'disable', 'otto')
  expectError(await operators.post('adam', 'invitations', { operatorCode: 'otto' }), 409, 'STATE_CONFLICT')
})

test('S131: what the command line invites locally is whole, and signs in; there a passkey is looked after as well', async () => {
  await gateway.cli('operators', 'create', 'ines', '--role', 'APPROVER')
  const { stdout } = await gateway.cli('operators', 'invite', 'ines', '--local')
  assert.match(stdout, /^http:\/\/localhost:8082\/invitation#tgoi_[A-Za-z0-9_-]{43}\n$/)
  const device = newDevice()
  const made = expectSuccess(await people.register(stdout.trim().split('#')[1] ?? '', device), 201)
  assert.equal(at(made, 'isHalf'), false)
  const { secret, id } = openedBy(await people.signIn(device))
  const touch = touchOf(await people.stepUp(secret, device, CONFIRM))
  assert.equal((await confirm(secret, touch)).status, 410)

  const passkeyId = textAt(made, 'passkeyId')
  assert.match(
    (await gateway.cli('operators', 'passkeys', 'ines')).stdout,
    new RegExp(`${passkeyId} .* active`),
  )
  assert.match((await gateway.cli('operators', 'sessions', 'ines')).stdout, new RegExp(`${id} +${passkeyId}`))
  await gateway.cli('operators', 'end-session', id)
  expectError(await me(secret), 401, 'TOKEN_INVALID')
  await gateway.cli('operators', 'remove-passkey', passkeyId)
  refused(await people.signIn(device))

  const link = (await gateway.cli('operators', 'invite', 'ines')).stdout.trim()
  const half = expectSuccess(await people.register(link.split('#')[1] ?? '', newDevice()), 201)
  assert.equal(at(half, 'isHalf'), true)
  const [passkeyOfHalf, fingerprint] = [textAt(half, 'passkeyId'), textAt(half, 'fingerprint')]
  // The sandbox's ADMIN invited, so another one has to confirm.
  const byInviter = await gateway.tryCli(
    ['operators', 'confirm-passkey', passkeyOfHalf, fingerprint],
    TIMEOUT_MS,
  )
  assert.match(byInviter.stderr, /you invited the operator, so another ADMIN confirms it/)
})

test('S134: a session of a passkey cannot do one of these without a touch', async () => {
  const { device } = await confirmed('adam2')
  const { secret } = openedBy(await people.signIn(device))
  const found: string[] = []
  for (const [method, path, body] of TOUCHED) {
    const answer = await people.ask(secret, { method, path, ...(body !== undefined && { body }) })
    if (at(answer.body, 'code') !== 'STEP_UP_REQUIRED') found.push(`${method} ${path}: ${answer.text}`)
  }
  assert.deepEqual(found, [])
})

test('POST /operator/sessions/oidc/!begin → 404, POST /operator/sessions/oidc/!finish → 404, POST /operator/identities/!begin → 404, POST /operator/identities/!finish → 404: without a provider of identities there is no such way in', async () => {
  const ways = await people.ask(undefined, { method: 'GET', path: 'sign-in-ways' })
  assert.deepEqual(expectSuccess(ways, 200), { passkeys: true })
  const body = { state: 'A'.repeat(43), browserSecret: 'B'.repeat(43), code: 'C' }
  const ask = (token: string | undefined, path: string): Promise<RawResponse> =>
    people.ask(token, { method: 'POST', path, ...(path.endsWith('finish') && { body }) })
  for (const path of ['sessions/oidc/!begin', 'sessions/oidc/!finish', 'identities/!finish'])
    expectError(await ask(undefined, path), 404, 'ROUTE_NOT_FOUND')
  const invited = await operators.post('adam', 'invitations', { operatorCode: 'olga' })
  const invitation = textAt(expectSuccess(invited, 201), 'secret')
  expectError(await ask(invitation, 'identities/!begin'), 404, 'ROUTE_NOT_FOUND')
})
