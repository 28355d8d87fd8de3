import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestLife } from '@tollgate/testkit'
import { LIVE_LIMITS, type LiveLimits } from '../src/live.ts'
import { COOKIE, openRig, type Rig, refusal, selfWith } from './support.ts'

// Who may follow a payment, for how long, and what the stream says.

const PATH = '/payments/PAYIN/SHOP/ORD-1/live'
const HISTORY = 'GET /operator/payments/PAYIN/SHOP/ORD-1/history'
const happened = (...says: readonly string[]) => ({
  body: {
    kind: 'PAYIN',
    merchantCode: 'SHOP',
    idPayment: 'ORD-1',
    data: says.map((each) => ({ happenedAt: '2026-11-21T10:15:28.001Z', what: 'STATUS', says: each })),
  },
})
const CREATED = 'CREATED (NEW)'
const QUICK = { ...LIVE_LIMITS, pollMs: 20, lifeMs: 60_000 }

const openLive = (t: TestLife, limits: Partial<LiveLimits> = {}): Promise<Rig> =>
  openRig(t, { [HISTORY]: happened(CREATED) }, { live: { ...QUICK, ...limits } })

interface Listening {
  readonly status: number
  readonly headers: Headers
  /** What came so far, as soon as this is in it; fails when the stream ends before. */
  until(pattern: RegExp): Promise<string>
  /** All that came, when the stream has ended. */
  ended(): Promise<string>
  leave(): Promise<void>
}

async function listen(
  rig: Rig,
  { path = PATH, headers = {} }: { path?: string; headers?: Readonly<Record<string, string>> } = {},
): Promise<Listening> {
  const answer = await fetch(rig.url + path, { headers: { cookie: COOKIE, ...headers }, redirect: 'manual' })
  const reader = (answer.body ?? new Blob([]).stream()).getReader()
  let text = ''
  const more = async (): Promise<boolean> => {
    const { done, value } = await reader.read()
    if (!done) text += Buffer.from(value).toString()
    return !done
  }
  return {
    status: answer.status,
    headers: answer.headers,
    async until(pattern) {
      while (!pattern.test(text)) assert.ok(await more(), `the stream ended: …${text.slice(-500)}`)
      return text
    },
    async ended() {
      while (await more());
      return text
    },
    leave: () => reader.cancel(),
  }
}

const versionIn = (text: string): string => /data: (\S+)/.exec(text)?.[1] ?? ''

test('a stream says that something is new, names the version and nothing of what it is', async (t) => {
  const rig = await openLive(t)
  const first = await listen(rig)
  assert.equal(first.headers.get('content-type'), 'text/event-stream; charset=utf-8')
  assert.equal(first.headers.get('cache-control'), 'no-store, no-transform')
  assert.equal(first.headers.get('x-accel-buffering'), 'no')
  const version = versionIn(await first.until(/data: \S+\n\n/))
  const second = await listen(rig, { path: `${PATH}?seen=${version}` })
  rig.answers[HISTORY] = happened(CREATED, 'SUCCESS (EXECUTED)')
  const text = await second.until(/data: \S+\n\n/)
  assert.notEqual(versionIn(text), version)
  assert.match(text, /^:\n\n(?:id: [\w-]{22}\nevent: changed\ndata: [\w-]{22}\n\n)$/)
})

test('K63 one session holds four streams, one operator and all of them not more than theirs, and a place is free again', async (t) => {
  const rig = await openLive(t, { streamsOfOperatorMax: 5, streamsMax: 6 })
  const open = [await listen(rig), await listen(rig), await listen(rig), await listen(rig)]
  const refused = await listen(rig)
  assert.deepEqual([refused.status, refused.headers.get('retry-after')], [503, '30'])
  const other = { headers: { cookie: 'tollgate=tgos_AbKi1pY-2oPhX2p5-mda5NG1uRASQxl8' } }
  assert.equal((await listen(rig, other)).status, 200)
  assert.equal((await listen(rig, other)).status, 503, 'the operator has five')
  rig.answers['GET /operator/me'] = { body: { ...Object(selfWith().body), operatorCode: 'grace' } }
  assert.equal((await listen(rig, other)).status, 200)
  assert.equal((await listen(rig, other)).status, 503, 'there are six')
  await open[0]?.leave()
  let again = await listen(rig)
  while (again.status === 503) again = await listen(rig)
  assert.equal(again.status, 200)
})

test('K63 a stream ends at its time, and all end with the console', async (t) => {
  const rig = await openLive(t, { lifeMs: 50 })
  assert.doesNotMatch(await (await listen(rig)).ended(), /over/)
  const lasting = await openLive(t, { heartbeatMs: 10 })
  const stream = await listen(lasting)
  await stream.until(/:\n\n(?:id: .*\n.*\n.*\n\n)?:\n\n/)
  await lasting.stop()
  assert.doesNotMatch(await stream.ended(), /over/, 'the browser comes back')
})

test('K64 a stream ends as soon as the session has ended, without the change that came after', async (t) => {
  const rig = await openLive(t)
  const stream = await listen(rig)
  const before = await stream.until(/data: \S+\n\n/)
  rig.answers['GET /operator/me'] = refusal(401, 'TOKEN_INVALID', 'The operator key is not valid.')
  rig.answers[HISTORY] = happened(CREATED, 'SUCCESS (EXECUTED)')
  assert.equal(await stream.ended(), `${before}event: over\ndata: over\n\n`)
  const none = await listen(rig)
  assert.equal(none.status, 401)
})

test('K65 a payment is followed by those alone who may open it, and no longer than they may', async (t) => {
  const rig = await openLive(t)
  const lessThan = (...permissions: readonly string[]) => ({
    body: { ...Object(selfWith().body), permissions: ['self.read', ...permissions] },
  })
  for (const permissions of [[], ['payins.read'], ['payouts.read']]) {
    rig.answers['GET /operator/me'] = lessThan(...permissions)
    assert.equal((await listen(rig)).status, 403, permissions.join())
  }
  assert.ok(!rig.heard.some(({ path }) => path.endsWith('/history')), 'the API is not even asked')
  rig.answers['GET /operator/me'] = selfWith()
  assert.equal((await listen(rig, { path: '/payments/PAYIN/SHOP/ORD-2/live' })).status, 404)
  const stream = await listen(rig)
  await stream.until(/data: \S+\n\n/)
  rig.answers['GET /operator/me'] = lessThan('payouts.read')
  assert.match(await stream.ended(), /event: over/)
})

test('K67 another site opens no stream', async (t) => {
  const rig = await openLive(t)
  for (const site of ['cross-site', 'same-site', 'none'])
    assert.equal((await listen(rig, { headers: { 'sec-fetch-site': site } })).status, 403, site)
  assert.deepEqual(rig.heard, [])
  const { headers, status } = await listen(rig, { headers: { 'sec-fetch-site': 'same-origin' } })
  assert.equal(status, 200)
  assert.equal(headers.get('cross-origin-resource-policy'), 'same-origin')
  assert.equal(headers.get('access-control-allow-origin'), null)
})

test('K68 K69 following is no use of the session and leaves no record, and a payment is read once for all who follow it', async (t) => {
  const rig = await openLive(t)
  const streams = [await listen(rig), await listen(rig), await listen(rig)]
  for (const stream of streams) await stream.until(/data: \S+\n\n/)
  // Every reading finds something else: only one that was shared is told to all.
  let readings = 0
  rig.answers[HISTORY] = () => {
    readings += 1
    return happened(CREATED, `STEP_${readings} (NEW)`)
  }
  // A round under way may not know of the stream that was opened last: what that one is told, all are.
  const last = await streams.at(-1)?.until(/data: \S+\n\n.*data: \S+\n\n/s)
  const shared = /data: \S+\n\n.*data: (\S+)\n\n/s.exec(last ?? '')?.[1] ?? 'nothing'
  const all = await Promise.all(streams.map((stream) => stream.until(new RegExp(`data: ${shared}`))))
  assert.equal(all.length, streams.length)
  assert.ok(rig.heard.every(({ method, isUnattended }) => method === 'GET' && isUnattended))
  // So does the screen that the script asks for again; the one that a person asks for is a use.
  for (const [headers, expected] of [
    [{ 'x-unattended': '1' }, true],
    [{}, false],
  ] as const) {
    rig.heard.length = 0
    await fetch(`${rig.url}/search`, { headers: { cookie: COOKIE, ...headers } })
    const asked = rig.heard.filter(({ path }) => path === '/operator/me')
    assert.ok(asked.some(({ isUnattended }) => isUnattended === expected))
  }
})

test('the search finds merchants and pages, of each only what the visitor may read', async (t) => {
  const none = { body: { data: [] } }
  const rig = await openRig(t, {
    'GET /operator/me': selfWith('merchants.read'),
    'GET /operator/merchants': none,
    'GET /operator/payments': none,
  })
  assert.match(await (await rig.get('/search?q=merch')).text(), /data-group="Pages"[\s\S]*href="\/merchants"/)
  rig.answers['GET /operator/me'] = selfWith()
  assert.match(await (await rig.get('/search?q=merch')).text(), /Nothing found/)
  assert.ok(!rig.heard.slice(-3).some(({ path }) => path === '/operator/merchants'))
})
