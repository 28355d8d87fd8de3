import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Script } from 'node:vm'
import { buildAssets } from '../src/assets/index.ts'
import type { Cells } from '../src/cells.ts'
import { readConfig } from '../src/config.ts'
import { COOKIE, openRig, type Rig, refusal, SESSION, selfWith } from './support.ts'

// A console that knows others: its settings, whom it answers, and what its pages may ask.

const A = 'https://ops-a.example.com'
const B = 'https://ops-b.example.com'
const GIVEN = { CONSOLE_API_URL: 'http://127.0.0.1:8084', CONSOLE_PUBLIC_URL: A }
const cellsIn = (text: string, more: Record<string, string> = {}): Cells | undefined =>
  readConfig({ ...GIVEN, ...more, CONSOLE_CELLS: text }).cells

test('the cells are letters and addresses, of which one is the console’s own', () => {
  assert.equal(readConfig(GIVEN).cells, undefined)
  assert.deepEqual(cellsIn(` B=${B}\n A=${A}/ `), {
    own: { letter: 'A', origin: A },
    all: [
      { letter: 'A', origin: A },
      { letter: 'B', origin: B },
    ],
  })
  const local = { CONSOLE_PUBLIC_URL: 'http://a.ops.localhost:8082' }
  assert.equal(cellsIn('A=http://a.ops.localhost:8082 B=http://b.ops.localhost:9082', local)?.own.letter, 'A')
})

test('D71 cells that would send a session elsewhere, or into the clear, are refused with a sentence', () => {
  for (const [text, says] of [
    [`A=${A},B=${B}`, /without path/],
    ['A', /letters of cells and addresses/],
    [`O=${B} A=${A}`, /other than I, L, O and U/],
    [`A=${A} A=${B}`, /the letter A twice/],
    [`A=${A} B=${A}`, /the host ops-a.example.com twice/],
    // A cookie is the same at all ports.
    [`A=${A} B=${A}:8443`, /the host ops-a.example.com twice/],
    [`B=${B}`, /does not have https:\/\/ops-a.example.com/],
    [`A=${A} B=https://ops-b.example.org`, /not of one site/],
    [`A=${A} B=https://u:secret@ops-b.example.com`, /without path, query or password/],
    [`A=${A} B=${B}/x`, /without path/],
    [`A=${A} B=http://ops-b.example.com`, /must begin with https/],
    [`A=${A} B=http://b.ops.localhost`, /not of one site/],
    [`A=${A} B=javascript:alert(1)`, /http or https address/],
  ] as const) {
    assert.throws(() => cellsIn(text), says, text)
    assert.throws(
      () => cellsIn(text),
      (error: Error) => !error.message.includes('secret'),
    )
  }
  // Only browsers lead such a name to their own machine.
  const api = { ...GIVEN, CONSOLE_API_URL: 'http://api.localhost:8084' }
  assert.throws(() => readConfig(api), /CONSOLE_API_URL must begin with https/)
  assert.throws(() => readConfig({ ...GIVEN, CONSOLE_PUBLIC_URL: 'http://localhost.example' }), /https/)
})

const FOUND = {
  merchantCode: 'SHOP',
  kind: 'PAYIN',
  idPayment: 'ORD-1',
  status: 'SUCCESS',
  processorStatus: 'CONFIRMED',
  paymentMethodCode: 'BANK_TRANSFER',
  reference: 'AK7HC7SP61GN',
  createdAt: '2026-11-21T10:15:28.001Z',
}
const ONE = `{"data":[${JSON.stringify(FOUND).slice(0, -1)},"money":{"amount":12345678901234567.890123456789012345,"currencyCode":"ETH"}}],"nextCursor":"MTc5"}`

/** A console of cell A, beside B and C. */
const openCell = (t: Parameters<typeof openRig>[0], answers: Rig['answers'] = {}): Promise<Rig> =>
  openRig(
    t,
    {
      'GET /operator/payments': { body: ONE },
      'GET /operator/attention': { body: { data: [] } },
      ...answers,
    },
    {
      cellsAt(url) {
        const own = { letter: 'A', origin: url }
        return {
          own,
          all: [own, { letter: 'B', origin: B }, { letter: 'C', origin: 'https://ops-c.example.com' }],
        }
      },
    },
  )

const PATHS = ['/cells/answer/payments', '/cells/answer/waiting']

const ask = ({ url }: Rig, path: string, headers: Record<string, string> = {}, method = 'GET') =>
  fetch(url + path, { method, headers: { cookie: COOKIE, ...headers }, redirect: 'manual' })

const bodyOf = async (answer: Response): Promise<unknown> => {
  const body: unknown = await answer.json()
  return body
}

const messageOf = async (answer: Response): Promise<string> => {
  assert.match(answer.headers.get('content-type') ?? '', /^application\/json/)
  const body = await bodyOf(answer)
  return typeof body === 'object' && body !== null && 'message' in body ? String(body.message) : ''
}

test('D68 payments of a cell are answered to the consoles of the list, and to no other page', async (t) => {
  const rig = await openCell(t)
  const strangers = [
    'https://evil.example',
    'null',
    '',
    `${B}.evil.example`,
    `${B}:444`,
    B.replace('https', 'http'),
  ]
  for (const path of PATHS) {
    const ours = await ask(rig, path, { origin: B, 'sec-fetch-site': 'same-site' })
    assert.equal(ours.status, 200)
    assert.equal(ours.headers.get('access-control-allow-origin'), B)
    assert.equal(ours.headers.get('access-control-allow-credentials'), 'true')
    assert.match(ours.headers.get('vary') ?? '', /Origin/)
    assert.equal(ours.headers.get('cache-control'), 'no-store')
    const own = await ask(rig, path, { 'sec-fetch-site': 'same-origin' })
    assert.equal(own.status, 200)
    assert.equal(own.headers.get('access-control-allow-origin'), null)
    const named = await ask(rig, path, { origin: rig.url, 'sec-fetch-site': 'same-origin' })
    assert.deepEqual([named.status, named.headers.get('access-control-allow-origin')], [200, rig.url])
    rig.heard.length = 0
    for (const origin of strangers) {
      const answer = await ask(rig, path, { origin })
      assert.equal(answer.status, 403, origin)
      assert.equal(answer.headers.get('access-control-allow-origin'), null)
      assert.match(await messageOf(answer), /not the console of a cell/)
    }
    // An element of another site names no origin.
    for (const site of ['cross-site', 'same-site', 'none'])
      assert.equal((await ask(rig, path, { 'sec-fetch-site': site })).status, 403, site)
    for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS', 'HEAD']) {
      const answer = await ask(rig, path, { origin: B }, method)
      assert.ok([403, 404].includes(answer.status), `${method}: ${answer.status}`)
      assert.equal(answer.headers.get('access-control-allow-origin'), null)
    }
    assert.deepEqual(rig.heard, [])
  }
  // No other address of the console is opened to them.
  for (const path of ['/', '/payments', '/cells', '/cells/payments', '/payments/export']) {
    const answer = await ask(rig, path, { origin: B })
    assert.equal(answer.headers.get('access-control-allow-origin'), null, path)
  }
})

test('D68 a console without cells has none of it', async (t) => {
  const rig = await openRig(t, { 'GET /operator/payments': { body: ONE } })
  for (const path of [...PATHS, '/cells', '/cells/payments'])
    assert.equal((await ask(rig, path, { origin: rig.url })).status, 404, path)
  const page = await ask(rig, '/payments')
  assert.match(page.headers.get('content-security-policy') ?? '', /connect-src 'self';/)
  assert.doesNotMatch(await page.text(), /All cells|class="pill pill-on cells"/)
})

test('a cell answers with every digit, by the filters of the screen, without what moved to the others', async (t) => {
  const rig = await openCell(t)
  const path =
    '/cells/answer/payments?status=FAILED&currencyCode=eth&createdFrom=2026-11-01T00:00&cursor=MTc4&rows=100&x=1'
  assert.partialDeepStrictEqual(await bodyOf(await ask(rig, path, { origin: B })), {
    cell: 'A',
    nextCursor: 'MTc5',
    data: [
      {
        amount: '12,345,678,901,234,567.890123456789012345',
        tone: 'good',
        icon: 'check',
        status: 'Succeeded',
      },
    ],
  })
  const asked = rig.heard.find((heard) => heard.path === '/operator/payments')
  assert.equal(asked?.bearer, SESSION)
  assert.deepEqual(Object.fromEntries(asked.query), {
    status: 'FAILED',
    currencyCode: 'ETH',
    createdFrom: '2026-11-01T00:00:00Z',
    withoutCells: 'B,C',
    cursor: 'MTc4',
    limit: '50',
  })
})

test('who is not signed in, may not, or whose gateway is away is told so in JSON, never by a page or a way elsewhere', async (t) => {
  const rig = await openCell(t)
  for (const path of PATHS) {
    const answerTo = async (cookie = COOKIE): Promise<readonly [number, string]> => {
      const answer = await ask(rig, path, { origin: B, cookie })
      assert.equal(answer.headers.get('access-control-allow-origin'), B)
      return [answer.status, await messageOf(answer)]
    }
    assert.deepEqual(await answerTo(''), [401, 'You are not signed in.'])
    rig.answers['GET /operator/me'] = refusal(401, 'UNAUTHORIZED', 'The session has ended.')
    assert.deepEqual(await answerTo(), [401, 'The session has ended.'])
    rig.answers['GET /operator/me'] = refusal(403, 'FORBIDDEN', 'Half a key.')
    assert.deepEqual(await answerTo(), [403, 'Half a key.'])
    // A merchant's person has one cell.
    rig.answers['GET /operator/me'] = {
      body: {
        operatorCode: 'lea@SHOP',
        name: 'Lea',
        roles: [],
        merchantCode: 'SHOP',
        memberRole: 'ADMIN',
        permissions: ['self.read', 'payouts.read'],
      },
    }
    assert.equal((await answerTo())[0], 403)
    assert.ok(
      !rig.heard.some((heard) => heard.path === '/operator/payments' || heard.path === '/operator/attention'),
    )
    rig.answers['GET /operator/me'] = selfWith()
  }
  rig.answers['GET /operator/payments'] = refusal(400, 'ATTRIBUTE_VALUE_INVALID', 'currencyCode: is no code')
  const wrong = await ask(rig, '/cells/answer/payments?currencyCode=x', { origin: B })
  assert.deepEqual([wrong.status, await messageOf(wrong)], [400, 'currencyCode: is no code'])
  rig.answers['GET /operator/me'] = {
    body: { operatorCode: 'ada', name: 'Ada', roles: [], permissions: ['self.read'] },
  }
  const forbidden = await ask(rig, '/cells/answer/payments', { origin: B })
  assert.deepEqual([forbidden.status, (await messageOf(forbidden)).includes('payouts.read')], [403, true])
  rig.answers['GET /operator/me'] = { body: 'not JSON' }
  assert.equal((await ask(rig, '/cells/answer/payments', { origin: B })).status, 500)
  await rig.goAway()
  const away = await ask(rig, '/cells/answer/payments', { origin: B })
  assert.deepEqual([away.status, await messageOf(away)], [503, 'The operator API does not answer.'])
})

const HEALTH = {
  now: '2026-11-21T10:15:30.000Z',
  gateway: { version: '1', nodeVersion: '24', environment: 'live', cell: 'A', upSeconds: 5 },
  database: { version: '17', pendingMigrations: [], connections: [] },
  queues: [{ queue: 'PAYMENTS', due: 0 }],
  ledger: { head: '0:00' },
  failedDocuments: { count: 0 },
  rates: [],
  retention: [],
}

test('what waits is told with its age, and the health in a word', async (t) => {
  const waiting = {
    kind: 'REVIEWS',
    count: 1000,
    oldestAt: '2026-01-01T00:00:00.000Z',
    sums: [{ amount: 5, currencyCode: 'EUR' }],
    about: [],
    aboutCount: 0,
  }
  const rig = await openCell(t, { 'GET /operator/attention': { body: { data: [waiting] } } })
  const told = async (): Promise<unknown> => bodyOf(await ask(rig, '/cells/answer/waiting', { origin: B }))
  const row = { kind: 'REVIEWS', count: '1000+', says: 'At least 5.00 EUR' }
  assert.partialDeepStrictEqual(await told(), { cell: 'A', health: 'HIDDEN', data: [row] })
  assert.match(JSON.stringify(await told()), /"age":"oldest \d+ days"/)
  rig.answers['GET /operator/me'] = selfWith('health.read')
  const late = [{ queue: 'CALLBACKS', due: 3, oldestDueAt: '2026-11-21T10:10:00.000Z' }]
  const gap = { lostFrom: HEALTH.now, restoredAt: HEALTH.now }
  for (const [body, word] of [
    [HEALTH, 'WELL'],
    [{ ...HEALTH, queues: late }, 'LOOK'],
    [{ ...HEALTH, rates: [{ rateListCode: 'X', isStale: true }] }, 'LOOK'],
    [{ ...HEALTH, restoreGap: gap }, 'STOPPED'],
    [{ ...HEALTH, gateway: { ...HEALTH.gateway, cell: 'B' } }, 'MISPLACED'],
  ] as const) {
    rig.answers['GET /operator/health'] = { body }
    assert.partialDeepStrictEqual(await told(), { health: word })
  }
})

test('the pages of all cells may ask those consoles and no other, with a script of their own', async (t) => {
  const rig = await openCell(t)
  const { cellScript } = buildAssets()
  for (const path of ['/cells', '/cells/payments', '/payments']) {
    const page = await rig.get(path)
    const isOfCells = path.startsWith('/cells')
    const policy = page.headers.get('content-security-policy') ?? ''
    const asked = ` ${rig.url} ${B} https://ops-c.example.com`
    assert.ok(policy.includes(`connect-src 'self'${isOfCells ? asked : ''};`), policy)
    const text = await page.text()
    assert.equal(text.includes(cellScript.path), isOfCells, path)
    // Which cell it is, and the same list in the others.
    assert.match(text, /<summary>Cell <b>A<\/b>/)
    assert.ok(text.includes(`href="${B}${path}"`), path)
    assert.match(text, /<a href="\/cells"[^>]*>.*All cells/)
  }
  const payment = await (await rig.get('/search?q=x')).text()
  assert.ok(payment.includes(`href="${B}/"`))
  // Without a script the lists of the cells are links.
  const plain = /<noscript>([\s\S]*?)<\/noscript>/.exec(
    await (await rig.get('/cells/payments?status=FAILED&rows=100')).text(),
  )?.[1]
  assert.ok(plain?.includes(`href="${B}/payments?status=FAILED"`), plain)
})

test('a merchant’s person sees no other cell', async (t) => {
  const rig = await openCell(t, {
    'GET /operator/me': {
      body: {
        operatorCode: 'lea@SHOP',
        name: 'Lea',
        roles: [],
        merchantCode: 'SHOP',
        memberRole: 'ADMIN',
        permissions: ['self.read', 'payouts.read'],
      },
    },
  })
  const text = await (await rig.get('/payments')).text()
  assert.match(text, /Cell A</)
  assert.doesNotMatch(text, /ops-b|All cells/)
  for (const path of ['/cells', '/cells/payments']) assert.equal((await rig.get(path)).status, 403)
})

test('the script of all cells is at most 15 kB, and names nothing that the other one names', () => {
  const { script, cellScript } = buildAssets()
  assert.ok(cellScript.body.length <= 15_000, String(cellScript.body.length))
  assert.doesNotThrow(() => new Script(`${script.body.toString()};${cellScript.body.toString()}`))
  assert.doesNotMatch(
    cellScript.body.toString(),
    /innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval\(/,
  )
})
