import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import type { RawResponse } from '@tollgate/sdk'
import { runSql, testDatabase } from '@tollgate/testkit'
import { expectError, expectSuccess } from '../support/expectations.ts'
import { startGateway } from '../support/gateway.ts'
import { at, listAt, textAt } from '../support/json.ts'
import { newKeyPair } from '../support/merchant.ts'
import {
  authorize,
  CLIENT_ID,
  CLIENT_SECRET,
  type Forgery,
  signedBy,
  startProvider,
} from '../support/oidc.ts'
import { operatorsOf } from '../support/operators.ts'
import { newDevice, openedBy, passkeysAt } from '../support/passkeys.ts'

// Signing in by a provider of identities: who comes with what was meant for another browser, another purpose or another person gets
// nothing, and the account itself proves who somebody is, but approves nothing.

const { url: databaseUrl } = await testDatabase({ after })
const provider = await startProvider({ after }, 'http://localhost:8082/sign-in/company')
const folder = mkdtempSync(join(tmpdir(), 'tollgate-oidc-'))
after(() => rmSync(folder, { recursive: true }))
const secretFile = join(folder, 'client-secret')
writeFileSync(secretFile, `${CLIENT_SECRET}\n`, { mode: 0o600 })
const gateway = await startGateway(
  { after },
  {
    databaseUrl,
    settings: {
      TOLLGATE_TRUST_PROXY: 'loopback',
      TOLLGATE_SECOND_PERSON: 'on',
      TOLLGATE_PUBLIC_CONSOLE_URL: 'http://localhost:8082',
      TOLLGATE_OIDC_ISSUER: provider.issuer,
      TOLLGATE_OIDC_CLIENT_ID: CLIENT_ID,
      TOLLGATE_OIDC_CLIENT_SECRET_FILE: secretFile,
      TOLLGATE_OIDC_CLAIM: 'groups=payments',
      TOLLGATE_OIDC_NAME: 'Example Corp',
    },
  },
)
const operators = await operatorsOf(gateway, {
  adam: ['adam', 'ADMIN'],
  eve: ['eve', 'ADMIN'],
  anna: ['anna', 'APPROVER'],
  olga: ['olga', 'AUDITOR'],
  sue: ['sue', 'SUPPORT'],
  finn: ['finn', 'FINANCE'],
  zoe: ['zoe', 'ADMIN'],
})
type Code = 'anna' | 'olga' | 'sue' | 'finn' | 'zoe'
const people = passkeysAt(gateway)
const post = (token: string | undefined, path: string, body?: unknown): Promise<RawResponse> =>
  people.ask(token, { method: 'POST', path, ...(body !== undefined && { body }) })

interface Brought {
  readonly state: string
  readonly browserSecret: string
  readonly code?: string
  readonly iss?: string
}

/** Begins, and signs in at the provider; what the browser comes back with is not handed in yet. */
async function brought(account: string, begun: RawResponse): Promise<Brought> {
  const body = expectSuccess(begun, 200)
  const given = await authorize(textAt(body, 'authorizationUrl'), account)
  return { state: '', ...Object.fromEntries(given), browserSecret: textAt(body, 'browserSecret') }
}
const beginSignIn = (): Promise<RawResponse> => post(undefined, 'sessions/oidc/!begin')
const finishSignIn = (body: Brought): Promise<RawResponse> => post(undefined, 'sessions/oidc/!finish', body)
const signIn = async (account: string): Promise<RawResponse> =>
  finishSignIn(await brought(account, await beginSignIn()))
const finishLink = (body: Brought): Promise<RawResponse> => post(undefined, 'identities/!finish', body)
const me = (token: string): Promise<RawResponse> => people.ask(token, { method: 'GET', path: 'me' })

const invite = async (operatorCode: Code): Promise<string> =>
  textAt(expectSuccess(await operators.post('adam', 'invitations', { operatorCode }), 201), 'secret')

/** The account of this name, linked to the operator by adam's invitation. */
async function linked(code: Code, account: string) {
  const begun = await post(await invite(code), 'identities/!begin')
  const body = expectSuccess(await finishLink(await brought(account, begun)), 201)
  return { identityId: textAt(body, 'identityId'), fingerprint: textAt(body, 'fingerprint') }
}

const logText = (): string => readFileSync(join(gateway.dataDir, 'gateway.log'), 'utf8')

const refused = (answer: RawResponse): void => expectError(answer, 401, 'IDENTITY_INVALID')
const remove = (identityId: string): Promise<RawResponse> =>
  operators.remove('adam', `identities/${identityId}`)

test('S150 POST /operator/sessions/oidc/!begin → 200, POST /operator/sessions/oidc/!finish → 201, POST /operator/sessions/oidc/!finish → 401: what the provider sent back is taken once, from the browser that began, in time', async () => {
  const { identityId } = await linked('olga', 'olga-at-work')
  const mine = await brought('olga-at-work', await beginSignIn())
  const { secret } = openedBy(await finishSignIn(mine))
  assert.deepEqual(at((await me(secret)).body, 'roles'), ['AUDITOR'])
  refused(await finishSignIn(mine))

  const other = await brought('olga-at-work', await beginSignIn())
  const stolen = await brought('olga-at-work', await beginSignIn())
  refused(await finishSignIn({ ...stolen, browserSecret: other.browserSecret }))
  // Seen by somebody else, it is nobody's any more.
  refused(await finishSignIn(stolen))
  // A code of another attempt does not fit the verifier of this one.
  const third = await brought('olga-at-work', await beginSignIn())
  refused(await finishSignIn({ ...other, ...(third.code !== undefined && { code: third.code }) }))

  const late = await brought('olga-at-work', await beginSignIn())
  await runSql(databaseUrl, `update operator_oidc_attempts set expire_at = expire_at - interval '10 minutes'`)
  refused(await finishSignIn(late))

  const twice = await brought('olga-at-work', await beginSignIn())
  const both = await Promise.all([finishSignIn(twice), finishSignIn(twice)])
  assert.deepEqual(both.map(({ status }) => status).toSorted(), [201, 401])

  for (const url of provider.asked) {
    assert.equal(url.searchParams.get('code_challenge_method'), 'S256')
    assert.equal(url.searchParams.get('response_type'), 'code')
  }
  const all = (name: string) => provider.asked.map((url) => url.searchParams.get(name))
  for (const name of ['state', 'nonce', 'code_challenge']) {
    const values = all(name)
    assert.ok(!values.includes(null))
    assert.equal(new Set(values).size, values.length, `${name} is fresh`)
  }
  expectSuccess(await remove(identityId), 200)
})

test('S151: a code of another provider, a refusal of the provider, and an account without the claim or without an operator open nothing', async () => {
  const { identityId } = await linked('olga', 'olga-at-work')
  const mixed = await brought('olga-at-work', await beginSignIn())
  assert.equal(mixed.iss, provider.issuer)
  refused(await finishSignIn({ ...mixed, iss: 'https://login.evil.example' }))
  const { iss: _, ...without } = await brought('olga-at-work', await beginSignIn())
  refused(await finishSignIn(without))
  const { state, browserSecret } = await brought('olga-at-work', await beginSignIn())
  refused(await post(undefined, 'sessions/oidc/!finish', { state, browserSecret, error: 'access_denied' }))
  refused(await signIn('olga'))
  refused(await signIn('olga@example.com'))

  const begun = await post(await invite('sue'), 'identities/!begin')
  refused(await finishLink(await brought('stranger-sue', begun)))
  expectSuccess(await remove(identityId), 200)
  refused(await signIn('olga-at-work'))
})

test('S152 POST /operator/identities/!begin → 200, POST /operator/identities/!finish → 201, POST /operator/identities/!finish → 401, POST /operator/identities/!finish → 409: an account is linked by an invitation, once, to one operator', async () => {
  const secret = await invite('sue')
  const first = await brought('sue-at-work', await post(secret, 'identities/!begin'))
  const second = await brought('sue-at-work', await post(secret, 'identities/!begin'))
  // What was begun to link signs nobody in, and the other way round.
  const third = await brought('sue-at-work', await post(secret, 'identities/!begin'))
  refused(await finishSignIn(third))
  refused(await finishLink(await brought('sue-at-work', await beginSignIn())))

  const { identityId } = await (async () => {
    const body = expectSuccess(await finishLink(first), 201)
    return { identityId: textAt(body, 'identityId') }
  })()
  expectError(await finishLink(second), 409, 'STATE_CONFLICT')
  expectError(await post(secret, 'identities/!begin'), 401, 'TOKEN_INVALID')
  expectError(await people.register(secret, newDevice()), 401, 'TOKEN_INVALID')

  const toOlga = await brought('sue-at-work', await post(await invite('olga'), 'identities/!begin'))
  expectError(await finishLink(toOlga), 409, 'STATE_CONFLICT')
  const another = await brought('sue-elsewhere', await post(await invite('sue'), 'identities/!begin'))
  expectError(await finishLink(another), 409, 'STATE_CONFLICT')

  // An invitation that ended while its holder was away links nothing.
  const ended = await brought('finn-at-work', await post(await invite('finn'), 'identities/!begin'))
  await invite('finn')
  expectError(await finishLink(ended), 409, 'STATE_CONFLICT')

  const { secret: session } = openedBy(await signIn('sue-at-work'))
  expectError(await post(session, 'identities/!begin'), 403, 'OPERATION_NOT_PERMITTED')
  expectSuccess(await remove(identityId), 200)
})

test('S153 POST /operator/identities/{identityId}/!confirm → 200, POST /operator/identities/{identityId}/!confirm → 409, GET /operator/identities → 200: an account of one ADMIN’s invitation carries no FINANCE until another ADMIN confirms it', async () => {
  const { identityId, fingerprint } = await linked('finn', 'finn-at-work')
  const { secret } = openedBy(await signIn('finn-at-work'))
  const payouts = (): Promise<RawResponse> => people.ask(secret, { method: 'GET', path: 'payouts' })
  expectError(await payouts(), 403, 'OPERATION_NOT_PERMITTED')
  const confirm = (by: 'adam' | 'eve', body: unknown): Promise<RawResponse> =>
    operators.post(by, `identities/${identityId}/!confirm`, body)
  expectError(await confirm('eve', { fingerprint: 'AAAA-AAAA-AAAA' }), 409, 'STATE_CONFLICT')
  expectError(await confirm('adam', { fingerprint }), 409, 'STATE_CONFLICT')
  const listed = await operators.get('eve', 'identities?operatorCode=finn')
  assert.ok(!JSON.stringify(listed.body).includes(fingerprint), 'no list shows the fingerprint')
  expectSuccess(await confirm('eve', { fingerprint }), 200)
  expectSuccess(await payouts(), 200)
  assert.deepEqual(at((await me(secret)).body, 'roles'), ['FINANCE'])
  expectError(await confirm('eve', { fingerprint }), 409, 'STATE_CONFLICT')
  expectError(
    await people.ask(secret, { method: 'GET', path: 'identities?operatorCode=eve' }),
    403,
    'OPERATION_NOT_PERMITTED',
  )
  expectSuccess(await remove(identityId), 200)
})

test('S154: a session of an account approves nothing and changes no people: it says that this needs a passkey', async () => {
  const { identityId, fingerprint } = await linked('anna', 'anna-at-work')
  expectSuccess(await operators.post('eve', `identities/${identityId}/!confirm`, { fingerprint }), 200)
  const { secret } = openedBy(await signIn('anna-at-work'))
  const needsPasskey = (answer: RawResponse): void => {
    expectError(answer, 403, 'OPERATION_NOT_PERMITTED')
    assert.match(textAt(answer.body, 'message'), /sign in with a passkey/)
  }
  needsPasskey(await post(secret, 'confirmations/999/!confirm', { digest: '3f79bb7b435b' }))
  needsPasskey(await post(secret, 'passkeys/!begin'))
  needsPasskey(await people.ask(secret, { method: 'DELETE', path: `identities/${identityId}` }))
  const touch = { method: 'POST', path: '/operator/confirmations/999/!confirm' }
  expectError(await post(secret, 'step-ups/!begin', touch), 403, 'OPERATION_NOT_PERMITTED')
  expectError(await post(secret, 'sessions'), 403, 'OPERATION_NOT_PERMITTED')
  expectSuccess(await remove(identityId), 200)
})

test('S166: whoever runs the provider signs in as another ADMIN, and makes no credential that they confirm as themselves', async () => {
  const { identityId, fingerprint } = await linked('zoe', 'zoe-at-work')
  expectSuccess(await operators.post('eve', `identities/${identityId}/!confirm`, { fingerprint }), 200)
  const { secret } = openedBy(await signIn('zoe-at-work'))
  const { publicKey } = newKeyPair()
  for (const answer of [
    await post(secret, 'merchants/DEMO/keys', { publicKey }),
    await post(secret, 'merchants/DEMO/secrets'),
    await post(secret, 'merchants/DEMO/keys/key_NONE/!confirm', { fingerprint: '0'.repeat(64) }),
  ]) {
    expectError(answer, 403, 'OPERATION_NOT_PERMITTED')
    assert.match(textAt(answer.body, 'message'), /sign in with a passkey/)
  }
  expectSuccess(await remove(identityId), 200)
})

test('S155 DELETE /operator/identities/{identityId} → 200, DELETE /operator/identities/{identityId} → 410: removing the link, or disabling the operator, ends the sessions at once', async () => {
  const { identityId } = await linked('olga', 'olga-at-work')
  const { secret, id } = openedBy(await signIn('olga-at-work'))
  const sessions = await operators.get('adam', 'sessions?operatorCode=olga')
  const own = listAt(sessions.body, 'data').find((each) => at(each, 'id') === id)
  assert.deepEqual([at(own, 'method'), at(own, 'identityId')], ['OIDC', identityId])
  expectSuccess(await operators.post('adam', 'operators/olga/!disable'), 200)
  expectError(await me(secret), 401, 'TOKEN_INVALID')
  refused(await signIn('olga-at-work'))
  expectSuccess(await operators.post('adam', 'operators/olga/!enable'), 200)
  expectError(await me(secret), 401, 'TOKEN_INVALID')
  const again = openedBy(await signIn('olga-at-work'))
  expectSuccess(await remove(identityId), 200)
  expectError(await me(again.secret), 401, 'TOKEN_INVALID')
  expectError(await remove(identityId), 410, 'ENTITY_NOT_FOUND')

  const acts = await operators.get('adam', 'audit?operatorCode=olga&limit=100')
  const found = listAt(expectSuccess(acts, 200), 'data').map(
    (each) => `${String(at(each, 'act'))} ${String(at(each, 'means'))} ${String(at(each, 'status'))}`,
  )
  for (const act of [
    'finishIdentity INVITATION 201',
    'finishOidcSession OIDC 201',
    'finishOidcSession OIDC 401',
  ])
    assert.ok(found.includes(act), `${act} in ${found.join(', ')}`)
})

test('S156: GET /operator/sign-in-ways → 200 says what there is, and neither it nor the log has a secret', async () => {
  const ways = await people.ask(undefined, { method: 'GET', path: 'sign-in-ways' })
  assert.deepEqual(expectSuccess(ways, 200), { passkeys: true, oidc: { name: 'Example Corp' } })
  const { identityId } = await linked('olga', 'olga-at-work')
  const mine = await brought('olga-at-work', await beginSignIn())
  const { secret } = openedBy(await finishSignIn(mine))
  refused(await finishSignIn(mine))
  const log = logText()
  assert.match(log, /The state is unknown or was used/)
  for (const text of [CLIENT_SECRET, mine.code ?? '', mine.state, mine.browserSecret, secret])
    assert.ok(!log.includes(text))
  expectSuccess(await remove(identityId), 200)
})

const SOON_SECONDS = 300
const now = (): number => Math.floor(Date.now() / 1000)

const FORGERIES: Readonly<Record<string, () => Forgery>> = {
  'another nonce': () => ({ claims: { nonce: 'N'.repeat(43) } }),
  'no nonce': () => ({ claims: { nonce: undefined } }),
  'another audience': () => ({ claims: { aud: 'another-client' } }),
  'several audiences, for another of them': () => ({
    claims: { aud: [CLIENT_ID, 'another-client'], azp: 'another-client' },
  }),
  'another issuer': () => ({ claims: { iss: 'https://login.evil.example' } }),
  'a time that is over': () => ({ claims: { iat: now() - 2 * SOON_SECONDS, exp: now() - SOON_SECONDS } }),
  'no end': () => ({ claims: { exp: undefined } }),
  'a time that has not begun': () => ({ claims: { nbf: now() + SOON_SECONDS } }),
  'another key': () => ({ sign: signedBy() }),
  'another subject under the old signature': () => ({ sign: () => signedBy()('something else') }),
  'no signature': () => ({ header: { alg: 'none' }, sign: () => '' }),
  'the client’s secret as its key': () => ({
    header: { alg: 'HS256' },
    sign: (content) => createHmac('sha256', CLIENT_SECRET).update(content).digest('base64url'),
  }),
}

test('S157: an id_token that is not for us, not fresh, or not of the provider’s key opens nothing', async () => {
  const { identityId } = await linked('olga', 'olga-at-work')
  for (const [what, forgery] of Object.entries(FORGERIES)) {
    const mine = await brought('olga-at-work', await beginSignIn())
    provider.forge(forgery())
    const answer = await finishSignIn(mine)
    provider.forge(undefined)
    assert.equal(answer.status, 401, what)
    refused(answer)
  }
  // What is rewritten and signed by the right key is taken: the forgeries above fail for what they change.
  provider.forge({})
  openedBy(await signIn('olga-at-work'))
  provider.forge(undefined)
  expectSuccess(await remove(identityId), 200)
})

test('S158: the same subject at another issuer is somebody else', async () => {
  const { identityId } = await linked('olga', 'olga-at-work')
  await runSql(
    databaseUrl,
    `update operator_identities set issuer = 'https://login.elsewhere.example' where identity_id = '${identityId}'`,
  )
  refused(await signIn('olga-at-work'))
  await runSql(
    databaseUrl,
    `update operator_identities set issuer = '${provider.issuer}' where identity_id = '${identityId}'`,
  )
  openedBy(await signIn('olga-at-work'))
  expectSuccess(await remove(identityId), 200)
})

test('S159: while the provider is away the answer says so, and keys, passkeys and open sessions work', async () => {
  const { identityId } = await linked('olga', 'olga-at-work')
  const device = newDevice()
  expectSuccess(await people.register(await invite('olga'), device), 201)
  const { secret } = openedBy(await signIn('olga-at-work'))
  const mine = await brought('olga-at-work', await beginSignIn())
  provider.goAway(true)
  try {
    const answer = await finishSignIn(mine)
    expectError(answer, 500, 'SYSTEM')
    assert.match(textAt(answer.body, 'message'), /provider of identities does not answer/)
    openedBy(await people.signIn(device))
    expectSuccess(await me(secret), 200)
    expectSuccess(await operators.get('adam', 'me'), 200)
  } finally {
    provider.goAway(false)
  }
  openedBy(await signIn('olga-at-work'))
  expectSuccess(await remove(identityId), 200)
})

test('POST /operator/sessions/oidc/!finish → 400, POST /operator/identities/!finish → 400, POST /operator/identities/{identityId}/!confirm → 400, POST /operator/identities/{identityId}/!confirm → 410, DELETE /operator/identities/{identityId} → 400, GET /operator/identities → 400, GET /operator/identities → 410: what is not well formed, or not there, is said', async () => {
  for (const path of ['sessions/oidc/!finish', 'identities/!finish']) {
    assert.equal((await post(undefined, path, { state: 'short' })).status, 400)
    assert.equal((await post(undefined, path, {})).status, 400)
  }
  assert.equal(
    (await operators.post('adam', 'identities/oid_NONE/!confirm', { fingerprint: 'x' })).status,
    400,
  )
  const fingerprint = 'AAAA-AAAA-AAAA'
  expectError(
    await operators.post('adam', 'identities/oid_NONE/!confirm', { fingerprint }),
    410,
    'ENTITY_NOT_FOUND',
  )
  assert.equal((await remove('pk_NONE')).status, 400)
  assert.equal((await operators.get('adam', 'identities?operatorCode=A%20B')).status, 400)
  expectError(await operators.get('adam', 'identities?operatorCode=nobody-here'), 410, 'ENTITY_NOT_FOUND')
})
