import assert from 'node:assert/strict'
import type { RequestListener } from 'node:http'
import { after, test } from 'node:test'
import { freePort, waitUntil } from '@tollgate/testkit'
import { testBrowser, type WatchedPage } from '@tollgate/testkit/browser'
import { type ConsolePage, expectFine, signIn } from './support/console.ts'
import { startGateway, type TestGateway } from './support/gateway.ts'
import { ALL_OPERATIONS } from './support/merchant.ts'
import { createPayin, newId } from './support/payins.ts'
import { openServer } from './support/server.ts'

// docs/cells.md: the console over all cells, in a browser. Two whole installations, and a third console that lies.

const PAGE = 50
const START_TIMEOUT_MS = 60_000
/** Longer than the page waits for it. */
const SLOW_MS = 4_000
const ROWS = '[data-cells-list] tbody tr'

/** What the third console answers. */
let lie: RequestListener = (_request, response) => response.writeHead(401).end('{}')
const liar = await openServer({ after }, (request, response) => {
  response.setHeader('access-control-allow-origin', request.headers.origin ?? '')
  response.setHeader('access-control-allow-credentials', 'true')
  response.setHeader('content-type', 'application/json')
  lie(request, response)
})
const [portA, portB] = await Promise.all([freePort(), freePort()])
const consoleA = `http://a.ops.localhost:${portA}`
const consoleB = `http://b.ops.localhost:${portB}`
const consoleC = `http://c.ops.localhost:${new URL(liar).port}`
const [a, b] = await Promise.all([startCell('A', consoleA), startCell('B', consoleB)])
const browser = await testBrowser({ after })

function startCell(letter: string, url: string): Promise<TestGateway> {
  const settings = {
    TOLLGATE_CELL: letter,
    TOLLGATE_CONSOLE_PORT: new URL(url).port,
    TOLLGATE_PUBLIC_CONSOLE_URL: url,
    TOLLGATE_CONSOLE_CELLS: `A=${consoleA} B=${consoleB} C=${consoleC}`,
  }
  return startGateway({ after }, { console: true, simulator: true, settings })
}

async function createPayins(gateway: TestGateway, count: number): Promise<readonly string[]> {
  const token = await gateway.demo().token(...ALL_OPERATIONS)
  const ids = Array.from({ length: count }, newId)
  for (const id of ids) await createPayin(gateway, token, { id })
  return ids
}

/** Ada at the console of cell A; with `isInBoth`, signed in to cell B as well. */
async function open(isInBoth: boolean): Promise<WatchedPage> {
  const watched = await signIn({ browser, consoleUrl: consoleA }, a.operatorKey('ada'))
  if (isInBoth) {
    await watched.page.goto(`${consoleB}/`)
    await signInHere(watched.page)
  }
  return watched
}

async function signInHere(page: ConsolePage): Promise<void> {
  await page.getByLabel('Operator key').fill(b.operatorKey('ada'))
  await page.keyboard.press('Enter')
  await page.waitForURL((url) => url.pathname !== '/sign-in')
}

const says = (page: ConsolePage, words: string | RegExp): Promise<void> =>
  page.locator('[data-cells-count]', { hasText: words }).waitFor()

const note = (page: ConsolePage, hasText: string | RegExp): ReturnType<ConsolePage['locator']> =>
  page.locator('.note', { hasText })

/** Where the rows lead to, in their order. */
const linksOf = (page: ConsolePage): Promise<readonly string[]> =>
  page.locator(`${ROWS} a`).evaluateAll((links) => links.map((link) => link.getAttribute('href') ?? ''))

const momentsOf = (page: ConsolePage): Promise<readonly string[]> =>
  page
    .locator(`${ROWS} time`)
    .evaluateAll((times) => times.map((time) => time.getAttribute('datetime') ?? ''))

test('payments of all cells are one list, and each is opened where it is decided', async () => {
  const ofA: string[] = []
  const ofB: string[] = []
  for (let turn = 0; turn < 6; turn += 1) {
    ofA.push(...(await createPayins(a, 5)))
    ofB.push(...(await createPayins(b, 5)))
  }
  const { page } = await open(true)
  await page.goto(`${consoleA}/payments`)
  await page.locator('.cells summary').click()
  await page.getByRole('link', { name: /Cell B/ }).click()
  await page.waitForURL(`${consoleB}/payments`)
  await page.goto(`${consoleA}/cells/payments?kind=PAYIN`)
  await says(page, `${PAGE} payments, the newest first`)
  assert.equal(await page.locator(ROWS).count(), PAGE)
  await page.getByRole('button', { name: 'Older payments' }).click()
  await says(page, '60 payments, the newest first')
  assert.equal(await page.getByRole('button', { name: 'Older payments' }).isHidden(), true)
  assert.match(page.url(), /kind=PAYIN&rows=100$/)
  const links = await linksOf(page)
  const wanted = [
    ...ofA.map((id) => `${consoleA}/payments/PAYIN/DEMO/${id}`),
    ...ofB.map((id) => `${consoleB}/payments/PAYIN/DEMO/${id}`),
  ]
  assert.deepEqual(links.toSorted(), wanted.toSorted())
  const moments = await momentsOf(page)
  assert.deepEqual(moments, moments.toSorted().toReversed())
  // Only the third cell, where nobody is signed in, is missing.
  await note(page, 'You are not signed in to cell C. Its payments are missing here.').waitFor()
  // As long as it was, after a reload.
  await page.reload()
  await says(page, '60 payments')
  await page.locator(`${ROWS} a[href^="${consoleB}"]`).first().click()
  await page.waitForURL(`${consoleB}/payments/PAYIN/DEMO/**`)
  await page.getByRole('heading', { level: 1 }).waitFor()
  await expectFine(page, 'a payment of cell B')
  await page.goto(`${consoleA}/cells/payments`)
  await says(page, 'payments, the newest first')
  await expectFine(page, 'payments of all cells')
  await page.goto(`${consoleA}/cells/payments?merchantCode=NOBODY`)
  await page.getByText('None fits these filters').waitFor()
  assert.equal(await page.locator('.note').count(), 1)
})

test('where nobody is signed in, a link leads there and back to the list', async () => {
  const { page } = await open(false)
  await page.goto(`${consoleA}/cells/payments?kind=PAYIN`)
  await note(page, 'You are not signed in to cell B').getByRole('link', { name: 'Sign in to cell B' }).click()
  await signInHere(page)
  await page.waitForURL(`${consoleB}/cells/payments?kind=PAYIN`)
  await says(page, /payments, the newest first/)
  assert.equal(await note(page, 'cell B').count(), 0)
  const hosts = new Set((await linksOf(page)).map((link) => new URL(link).host))
  assert.equal(hosts.size, 2)
})

test('a cell that is away is named, and its payments come into their places once it is back', async () => {
  const { page } = await open(true)
  await createPayins(b, 1)
  await createPayins(a, 1)
  await page.goto(`${consoleA}/cells`)
  await page.locator('[data-cell="B"] .todo, [data-cell="B"] .quiet').first().waitFor()
  await b.kill()
  await untilAway()
  await page.goto(`${consoleA}/cells/payments?kind=PAYIN`)
  const away = note(page, 'Cell B does not answer. Its payments are missing here.')
  await away.waitFor()
  assert.ok((await linksOf(page)).every((link) => link.startsWith(consoleA)))
  await page.getByRole('status').filter({ hasText: 'Cell B does not answer.' }).waitFor({ state: 'attached' })
  await page.goto(`${consoleA}/cells`)
  await note(page, 'Cell B does not answer. What waits there is missing here.').waitFor()
  await page.goto(`${consoleA}/cells/payments?kind=PAYIN`)
  await away.waitFor()
  await b.start()
  await away.getByRole('button', { name: 'Try again' }).click()
  await says(page, /\d+ payments of cell B came in between/)
  const moments = await momentsOf(page)
  assert.deepEqual(moments, moments.toSorted().toReversed())
  assert.ok((await linksOf(page)).some((link) => link.startsWith(consoleB)))
  assert.equal(await note(page, 'cell B').count(), 0)
})

const untilAway = (): Promise<void> =>
  waitUntil(
    () =>
      fetch(`http://127.0.0.1:${portB}/livez`).then(
        () => false,
        () => true,
      ),
    { timeoutMs: START_TIMEOUT_MS, what: 'the console of cell B to be away' },
  )

test('what waits in a cell leads to the screen of that cell', async () => {
  const [id = ''] = await createPayins(b, 1)
  await b.cli('trigger', 'payin', 'partial', id, '--merchant', 'DEMO')
  const { page } = await open(true)
  await page.goto(`${consoleA}/cells`)
  const row = page.locator('[data-cell="B"]').getByRole('link', { name: /Payments with unknown outcome/ })
  await row.waitFor()
  assert.equal(await row.getAttribute('href'), `${consoleB}/reviews`)
  assert.equal(await page.locator('[data-cell="B"] [data-health] .chip').textContent(), 'Healthy')
  await page
    .getByRole('status')
    .filter({ hasText: /You are not signed in to cell C/ })
    .waitFor({ state: 'attached' })
  await expectFine(page, 'all cells')
  await row.click()
  await page.waitForURL(`${consoleB}/reviews`)
})

const HOSTILE = `"><img src=x onerror="document.title='owned'"><script>document.title='owned'</script>`
const LIE = {
  kind: 'javascript:alert(1)//',
  merchantCode: '../../../evil',
  idPayment: HOSTILE,
  createdAt: '2099-01-01T00:00:00.000Z',
  amount: HOSTILE,
  currencyCode: 'EUR',
  tone: HOSTILE,
  icon: '"]',
  status: HOSTILE,
  kindWords: HOSTILE,
  method: 'x',
  reference: HOSTILE,
  moment: HOSTILE,
  day: 'x',
}

test('a slow cell is not waited for, and its payments come in between when it answers', async () => {
  lie = (_request, response) => {
    const row = { ...LIE, kind: 'PAYIN', merchantCode: 'SLOW', idPayment: 'ORD-1', amount: '5.00' }
    setTimeout(() => response.end(JSON.stringify({ cell: 'C', data: [row] })), SLOW_MS)
  }
  const { page, complaints } = await open(true)
  await page.goto(`${consoleA}/cells/payments?kind=PAYIN`)
  await note(page, 'Cell C has not answered yet.').waitFor()
  assert.ok((await linksOf(page)).length > 0)
  await says(page, '1 payment of cell C came in between.')
  assert.equal((await linksOf(page))[0], `${consoleC}/payments/PAYIN/SLOW/ORD-1`)
  assert.equal(await note(page, 'Cell C').count(), 0)
  assert.deepEqual(complaints, [])
})

test('D69 a cell that lies writes texts, and leads to itself alone', async () => {
  const answers = new Map<string, unknown>([
    ['/cells/answer/payments', { cell: 'C', data: [LIE] }],
    [
      '/cells/answer/waiting',
      {
        cell: 'C',
        health: '"] , [x="',
        data: [
          { kind: HOSTILE, count: '1', says: HOSTILE, age: '' },
          { kind: 'REVIEWS', count: HOSTILE, says: HOSTILE, age: HOSTILE },
        ],
      },
    ],
  ])
  lie = (request, response) => {
    const path = request.url?.split('?', 1)[0] ?? ''
    response.end(JSON.stringify(answers.get(path) ?? {}))
  }
  const { page, complaints } = await open(true)
  await page.goto(`${consoleA}/cells/payments`)
  await says(page, 'payments, the newest first')
  const row = page.locator(ROWS).first()
  assert.ok((await row.textContent())?.includes(HOSTILE))
  const link = new URL((await row.locator('a').getAttribute('href')) ?? '')
  assert.equal(link.origin, consoleC)
  assert.match(link.pathname, /^\/payments\/javascript%3Aalert/)
  assert.equal(await page.locator('main img, main script').count(), 0)
  await page.goto(`${consoleA}/cells`)
  const waits = page.locator('[data-cell="C"] .todo a')
  await waits.waitFor()
  assert.equal(await waits.getAttribute('href'), `${consoleC}/reviews`)
  assert.ok((await waits.textContent())?.includes(HOSTILE))
  assert.equal(await page.locator('main img, main script').count(), 0)
  assert.equal(await page.title(), 'All cells · Tollgate')
  assert.deepEqual(complaints, [])

  for (const [what, said] of [
    ['another cell', JSON.stringify({ cell: 'B', data: [] })],
    ['no JSON', '<html>'],
    ['endless', JSON.stringify({ cell: 'C', data: [], more: 'x'.repeat(300_000) })],
    ['an empty page with more', JSON.stringify({ cell: 'C', data: [], nextCursor: 'x' })],
  ] as const) {
    lie = (_request, response) => response.end(said)
    await page.goto(`${consoleA}/cells/payments`)
    await note(page, 'Cell C answered something else')
      .waitFor({ timeout: 5_000 })
      .catch(() => assert.fail(what))
    assert.ok((await linksOf(page)).length > 0, what)
  }
  // One that leads elsewhere is not followed.
  lie = (_request, response) =>
    response.writeHead(302, { location: `${consoleB}/cells/answer/payments` }).end()
  await page.goto(`${consoleA}/cells/payments`)
  await note(page, 'Cell C does not answer').waitFor()
})

test('D68 a page of another site gets nothing by the session of who looks at it', async () => {
  const stranger = await openServer({ after }, (_request, response) => {
    response.setHeader('content-type', 'text/html')
    response.end('<!doctype html><title>Another site</title>')
  })
  const { page } = await open(true)
  // One of another site, and one of the same that is no console of the list.
  for (const host of ['evil.localhost', 'evil.ops.localhost']) {
    await page.goto(stranger.replace('127.0.0.1', host))
    for (const path of ['/cells/answer/payments', '/cells/answer/waiting', '/payments']) {
      const told: string = await page.evaluate(
        `fetch('${consoleB}${path}', { credentials: 'include' }).then((answer) => answer.text(), () => 'nothing')`,
      )
      assert.equal(told, 'nothing', `${host}${path}`)
    }
  }
})
