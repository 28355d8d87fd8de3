import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { startGateway } from '../support/gateway.ts'
import { at, listAt } from '../support/json.ts'

// What somebody can do to merchants by way of the operators' console: as another site, with too small a role, or by a slip.

const gateway = await startGateway({ after }, { console: true })
const { consoleUrl } = gateway
const token = await gateway.demo().token('POST /customers/.*', 'GET /customers/.*')
const OURS = { origin: consoleUrl, 'sec-fetch-site': 'same-origin' }

interface Sent {
  readonly cookie?: string
  readonly form?: Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string>>
}

function send(path: string, { cookie, form, headers = form && OURS }: Sent = {}): Promise<Response> {
  return fetch(consoleUrl + path, {
    method: form === undefined ? 'GET' : 'POST',
    redirect: 'manual',
    headers: {
      ...(cookie !== undefined && { cookie }),
      ...(form !== undefined && { 'content-type': 'application/x-www-form-urlencoded' }),
      ...headers,
    },
    ...(form !== undefined && { body: new URLSearchParams(form).toString() }),
  })
}

/** Signs in as a person would: the cookie of the session, and the token of its forms. */
async function signIn(code: 'ada' | 'alan'): Promise<{ cookie: string; formToken: string }> {
  const form = { key: gateway.operatorKey(code), next: '/' }
  let answer = await send('/sign-in', { form })
  // An operator may ask twenty times a second; tests ask faster.
  while (answer.status === 429) {
    await sleep(200)
    answer = await send('/sign-in', { form })
  }
  const [cookie = ''] = (answer.headers.get('set-cookie') ?? '').split(';')
  const text = await (await send('/', { cookie })).text()
  return { cookie, formToken: /name="formToken" value="([^"]+)"/.exec(text)?.[1] ?? '' }
}

/** The merchant, by the operator API. */
async function demo(): Promise<unknown> {
  const request = { method: 'GET', path: '/operator/merchants/DEMO', token: gateway.operatorKey('alan') }
  return (await gateway.sendToOperators(request)).body
}

/** Everything that the gateway and its console wrote. */
const said = (): string => gateway.process().stdout() + gateway.process().stderr()

const pem = (): string =>
  generateKeyPairSync('rsa', { modulusLength: 2048 })
    .publicKey.export({ type: 'spki', format: 'pem' })
    .toString()

test('K40 another site, or an operator without the role, adds no key, secret or account to a merchant', async () => {
  const alan = await signIn('alan')
  const ada = await signIn('ada')
  const before = JSON.stringify(await demo())
  const forms: readonly (readonly [verb: string, form: Readonly<Record<string, string>>])[] = [
    ['add-key', { publicKey: pem() }],
    ['add-secret', {}],
    ['rotate-callback-key', {}],
    ['revoke-tokens', {}],
    ['disable', {}],
    [
      'account',
      { currencyCode: 'EUR', paymentMethodCode: 'BANK_TRANSFER', accountNumber: 'DE89370400440532013000' },
    ],
  ]
  for (const [verb, form] of forms) {
    const path = `/merchants/DEMO/${verb}`
    const { cookie, formToken } = alan
    const foreign = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }
    const other = await send(path, { cookie, form: { ...form, formToken }, headers: foreign })
    assert.equal(other.status, 403, verb)
    const small = await send(path, { cookie: ada.cookie, form: { ...form, formToken: ada.formToken } })
    assert.equal(small.status, 403, verb)
    // A link does nothing: the address of a press is none to be opened.
    assert.equal((await send(path, { cookie })).status, 404, verb)
  }
  assert.equal(JSON.stringify(await demo()), before)
})

test('K43 a secret is in the answer to the press alone: in no later screen, address or log', async () => {
  const { cookie, formToken } = await signIn('alan')
  const answer = await send('/merchants/DEMO/rotate-callback-secret', { cookie, form: { formToken } })
  assert.equal(answer.headers.get('location'), null)
  assert.equal(answer.headers.get('cache-control'), 'no-store')
  const [secret = 'none'] = /whsec_[\w+/=-]{10,}/.exec(await answer.text()) ?? []
  assert.notEqual(secret, 'none')
  for (const path of ['/merchants/DEMO', '/merchants/DEMO?show=callbacks', '/merchants'])
    assert.ok(!(await (await send(path, { cookie })).text()).includes(secret), path)
  assert.ok(!said().includes(secret))
})

test('K45 no link erases a customer, nor does a press for somebody else', async () => {
  const created = await gateway.send({
    method: 'POST',
    path: '/customers/K45',
    token,
    body: { name: 'Jana Novak' },
  })
  assert.equal(created.status, 201)
  const { cookie, formToken } = await signIn('alan')
  const path = '/merchants/DEMO/customers/K45'
  const status = async (): Promise<unknown> =>
    at((await gateway.send({ method: 'GET', path: '/customers/K45', token })).body, 'status')
  await send(`${path}?erase=1`, { cookie })
  await send(`${path}/erase?repeated=K45`, { cookie })
  await send(`${path}/erase`, { cookie, form: { formToken } })
  await send(`${path}/erase`, { cookie, form: { formToken, repeated: 'K46' } })
  assert.equal(await status(), 'ACTIVE')
  const erased = await send(`${path}/erase`, { cookie, form: { formToken, repeated: 'K45' } })
  assert.match(await erased.text(), /K45 is erased/)
  assert.equal(await status(), 'ERASED')
})

test('K47 an account that is blocked is in no address, log or list, and the operator who did it is', async () => {
  const { cookie, formToken } = await signIn('ada')
  const accountNumbers = 'GB33BUKB20201555555555'
  const form = { formToken, isForAll: 'yes', note: 'K47', accountNumbers }
  const answer = await send('/blocked-accounts/block', { cookie, form })
  assert.equal(answer.headers.get('location'), '/blocked-accounts?done=block-1')
  const list = await (await send('/blocked-accounts', { cookie })).text()
  assert.match(list, /K47[\s\S]*ada/)
  assert.ok(!list.includes(accountNumbers))
  assert.ok(!said().includes(accountNumbers))
})

test('K49 a settlement is found with its own merchant alone', async () => {
  await gateway.cli('merchants', 'create', 'K49')
  const request = { method: 'GET', path: '/operator/settlements/K49', token: gateway.operatorKey('ada') }
  assert.equal(listAt((await gateway.sendToOperators(request)).body, 'data').length, 0)
  const { cookie } = await signIn('ada')
  for (const path of ['/settlements/K49/2026-11-20-EUR-7Q2M8K', '/settlements/NOBODY'])
    assert.equal((await send(path, { cookie })).status, 410, path)
  assert.equal((await send('/settlements/K49', { cookie })).status, 200)
})
