import assert from 'node:assert/strict'
import { request } from 'node:http'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { startGateway } from '../support/gateway.ts'
import { at, listAt } from '../support/json.ts'
import { newId } from '../support/payins.ts'
import { createPayout, PAYOUT_OPERATIONS } from '../support/payouts.ts'
import { fundBalance } from '../support/topups.ts'

// What somebody can do to operators by way of their console: as a merchant, as another site, as a thief of a cookie.

const gateway = await startGateway({ after }, { console: true })
const { consoleUrl } = gateway
const token = await gateway.demo().token(...PAYOUT_OPERATIONS)
await fundBalance(gateway, token, { id: newId(), amount: '5000' })

/** What a browser sends with a form of our own page. */
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

/** Signs in as a person would. */
async function answerToSignIn(code: 'ada' | 'grace', next = '/'): Promise<Response> {
  const form = { key: gateway.operatorKey(code), next }
  for (;;) {
    const answer = await send('/sign-in', { form })
    if (answer.status !== 429) return answer
    // An operator may ask twenty times a second; tests ask faster.
    await sleep(200)
  }
}

/** The cookie of the session. */
async function signIn(code: 'ada' | 'grace', next = '/'): Promise<{ cookie: string; location: string }> {
  const answer = await answerToSignIn(code, next)
  assert.equal(answer.status, 303, await answer.text())
  const [cookie = ''] = (answer.headers.get('set-cookie') ?? '').split(';')
  return { cookie, location: answer.headers.get('location') ?? '' }
}

/** A payout that waits for approval, paid to this name. */
async function waitingPayout(accountName = 'Jane Doe'): Promise<string> {
  const id = newId()
  await createPayout(gateway, token, {
    id,
    email: 'approval@sandbox.test',
    account: { accountName, accountNumber: 'DE89370400440532013000' },
  })
  return id
}

const pathOf = (id: string): string => `/payouts/PAYOUT/DEMO/${id}`

async function formOn(path: string, cookie: string): Promise<{ formToken: string; contentHash: string }> {
  const text = await (await send(path, { cookie })).text()
  const fieldOf = (name: string): string => new RegExp(`name="${name}" value="([^"]+)"`).exec(text)?.[1] ?? ''
  return { formToken: fieldOf('formToken'), contentHash: fieldOf('contentHash') }
}

/** How often it was approved, by the operator API. */
async function approvalsOf(id: string): Promise<number> {
  const request = { method: 'GET', path: '/operator/payouts?limit=100', token: gateway.operatorKey('grace') }
  const payouts = listAt((await gateway.sendToOperators(request)).body, 'data')
  return listAt(
    payouts.find((payout) => at(payout, 'idPayout') === id),
    'approvals',
  ).length
}

const HOSTILE = [
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  "' autofocus onfocus=alert(1) x='",
  '</title><svg onload=alert(1)>',
  '`;alert(1);`',
]

test('K3 what a merchant writes is words to the operator who reads it', async () => {
  const { cookie } = await signIn('ada')
  for (const text of HOSTILE) {
    const id = await waitingPayout(text)
    const { formToken } = await formOn(pathOf(id), cookie)
    const page = await (await send(`${pathOf(id)}/payee`, { cookie, form: { formToken } })).text()
    const escaped = text.replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
    assert.ok(page.includes(escaped.replaceAll("'", '&#39;').replaceAll('`', '&#96;')), text)
    // What stands in the quotes of an attribute cannot leave them.
    const marks = page.replaceAll(/"[^"]*"/g, '""')
    assert.doesNotMatch(marks, /<script>|<img|<[a-z]+[^>]* (?:style|on[a-z]+)=/i)
  }
})

test('K3 no script runs but the console’s own file, and nothing frames the console', async () => {
  const { headers } = await send('/sign-in')
  const policy = headers.get('content-security-policy') ?? ''
  assert.match(policy, /^default-src 'none'; script-src 'self'; style-src 'self'/)
  assert.match(policy, /form-action 'self'; base-uri 'none'; frame-ancestors 'none'/)
  assert.doesNotMatch(policy, /unsafe|https?:|\*/)
  assert.equal(headers.get('cache-control'), 'no-store')
})

test('K5 a session that was signed out is dead for whoever has copied its cookie', async () => {
  const { cookie } = await signIn('ada')
  assert.equal((await send('/payments', { cookie })).status, 200)
  const { formToken } = await formOn('/payouts', cookie)
  await send('/sign-out', { cookie, form: { formToken } })
  const answer = await send('/payments', { cookie })
  assert.equal(answer.headers.get('location'), '/sign-in?next=%2Fpayments')
})

test('K5 the cookie is no operator key, and scripts and other sites do not get it', async () => {
  const cookie = (await answerToSignIn('ada')).headers.get('set-cookie') ?? ''
  assert.match(cookie, /^tollgate=tgos_[\w-]+; Path=\/; HttpOnly; SameSite=Strict$/)
  assert.ok(!cookie.includes(gateway.operatorKey('ada')))
})

test('K5 one operator’s form does nothing in another one’s session', async () => {
  const id = await waitingPayout()
  const [ada, grace] = [await signIn('ada'), await signIn('grace')]
  const { formToken, contentHash } = await formOn(pathOf(id), ada.cookie)
  const form = { formToken, contentHash, reason: 'Checked.' }
  const answer = await send(`${pathOf(id)}/approve`, { cookie: grace.cookie, form })
  assert.equal(answer.status, 403)
  assert.equal(await approvalsOf(id), 0)
})

test('K6 another site cannot approve a payout with the cookie of who visits it', async () => {
  const id = await waitingPayout()
  const { cookie } = await signIn('ada')
  const form = { ...(await formOn(pathOf(id), cookie)), reason: 'Checked.' }
  const foreign: Record<string, string>[] = [
    {},
    { origin: 'null' },
    { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' },
    { origin: consoleUrl, 'sec-fetch-site': 'same-site' },
    { origin: consoleUrl.replace('localhost', '127.0.0.1'), 'sec-fetch-site': 'same-origin' },
  ]
  for (const headers of foreign) {
    const answer = await send(`${pathOf(id)}/approve`, { cookie, form, headers })
    assert.equal(answer.status, 403, JSON.stringify(headers))
  }
  assert.equal((await send(`${pathOf(id)}/approve`, { cookie })).status, 404, 'an address alone does nothing')
  assert.equal(await approvalsOf(id), 0)
  assert.equal((await send(`${pathOf(id)}/approve`, { cookie, form })).status, 303)
  assert.equal(await approvalsOf(id), 1)
})

test('K7 a name that somebody points at the console is not answered', async () => {
  const { cookie } = await signIn('ada')
  const { port } = new URL(consoleUrl)
  const status = await new Promise<number | undefined>((resolve, reject) => {
    const headers = { host: `evil.example:${port}`, cookie }
    request({ host: '127.0.0.1', port, path: '/payments', headers }, (answer) => {
      answer.resume()
      resolve(answer.statusCode)
    })
      .on('error', reject)
      .end()
  })
  assert.equal(status, 421)
})

test('K8 signing in leads nowhere else', async () => {
  for (const next of [
    'https://evil.example/',
    '//evil.example/',
    '/\\evil.example/',
    '/%0d%0aSet-Cookie: a=b',
  ])
    assert.match((await signIn('ada', next)).location, /^\/(?!\/|\\)[^\r\n:]*$/, next)
})

test('K9 a payee is read by a press alone, and the reading is recorded', async () => {
  const id = await waitingPayout('Josephine Tester')
  const { cookie } = await signIn('grace')
  const reading = async (): Promise<number> => {
    const wanted = { method: 'GET', path: '/operator/unmaskings', token: await auditorKey }
    return (await gateway.sendToOperators(wanted)).text.split(id).length - 1
  }
  for (const path of [pathOf(id), '/payouts', `/payments/PAYOUT/DEMO/${id}`])
    assert.doesNotMatch(await (await send(path, { cookie })).text(), /Josephine/)
  assert.equal(await reading(), 0)
  const { formToken } = await formOn(pathOf(id), cookie)
  assert.match(
    await (await send(`${pathOf(id)}/payee`, { cookie, form: { formToken } })).text(),
    /Josephine Tester/,
  )
  assert.equal(await reading(), 1)
})

const auditorKey = gateway
  .cli('operators', 'create', 'olga', '--role', 'AUDITOR')
  .then(({ stdout }) => stdout.trim())
