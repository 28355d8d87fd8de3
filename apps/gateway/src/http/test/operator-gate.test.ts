import assert from 'node:assert/strict'
import { test } from 'node:test'
import { randomIds } from '@tollgate/runtime'
import type { TestLife } from '@tollgate/testkit'
import { createMetrics } from '../../platform/metrics.ts'
import { type HeldClock, heldClock, testLog } from '../../platform/test/index.ts'
import type { App } from '../app-type.ts'
import { operatorOf } from '../operator-authentication.ts'
import { OPERATOR_RATE_PER_SECOND } from '../operator-gate.ts'
import { createOperatorServer } from '../operator-server.ts'
import { createFailureThrottle, FAILURES_PER_MINUTE_MAX } from '../operator-throttle.ts'
import { createRateLimiter } from '../rate-limit.ts'

const ADDRESS_RATE_PER_SECOND = 30
const KEY = { authorization: 'Bearer tgop_right' }
const WRONG = { authorization: 'Bearer tgop_wrong' }

interface OperatorEdge {
  readonly app: App
  readonly clock: HeldClock
  readonly lines: string[]
  /** What was noted, and what was done. */
  readonly noted: readonly string[]
  readonly done: readonly string[]
  drain(): void
  /** From now on nothing can be noted. */
  deafen(): void
}

/** The operator API with one operator, who may read payouts and nothing else. */
async function operatorEdge(t: TestLife): Promise<OperatorEdge> {
  const clock = heldClock()
  const { log, lines } = testLog()
  const drain = new AbortController()
  let isDeaf = false
  const noted: string[] = []
  const done: string[] = []
  const app = await createOperatorServer({
    publicUrl: 'http://operators.test',
    clock,
    ids: randomIds,
    log,
    metrics: createMetrics(),
    trustProxy: [],
    isLive: false,
    addressRatePerSecond: ADDRESS_RATE_PER_SECOND,
    limiter: createRateLimiter(clock),
    authenticator: {
      authenticate: (key) =>
        Promise.resolve(
          key === 'tgop_right'
            ? { operatorId: '7', code: 'ada', name: 'Ada', roles: ['AUDITOR'] }
            : undefined,
        ),
      authenticateInvited: () => Promise.resolve(undefined),
    },
    throttle: createFailureThrottle(clock),
    stepUps: { take: () => Promise.resolve(false) },
    members: { table: {}, isOpen: () => Promise.resolve(true) },
    mayDo: (_operator, permission) => permission === 'payouts.read',
    requests: {
      note: ({ operation, path, operatorCode }) => {
        if (isDeaf) return Promise.reject(new Error('nothing can be noted'))
        noted.push(`${operatorCode} ${operation} ${path}`)
        return Promise.resolve(String(noted.length))
      },
      answered: (requestNo, status) => {
        noted.push(`${requestNo}: ${status}`)
        return Promise.resolve()
      },
    },
    draining: drain.signal,
  })
  app.get('/operator/read', { config: { permission: 'payouts.read' } }, (request) =>
    Promise.resolve({ by: operatorOf(request).code }),
  )
  app.post('/operator/change/:what', { config: { permission: 'payouts.read' } }, ({ url }) => {
    done.push(url)
    return Promise.resolve({})
  })
  app.post('/operator/approve', { config: { permission: 'payouts.approve' } }, () => Promise.resolve({}))
  t.after(() => app.close())
  return {
    app,
    clock,
    lines,
    noted,
    done,
    deafen: () => {
      isDeaf = true
    },
    drain: () => drain.abort(),
  }
}

const codeOf = (answer: { json(): unknown }): unknown => {
  const body = answer.json()
  return typeof body === 'object' && body !== null && 'code' in body ? body.code : undefined
}

test('the handler knows who asks, and so does the log', async (t) => {
  const { app, lines } = await operatorEdge(t)
  const answer = await app.inject({ url: '/operator/read', headers: KEY })
  assert.deepEqual([answer.statusCode, answer.json()], [200, { by: 'ada' }])
  const line: unknown = JSON.parse(lines.at(-1) ?? '{}')
  assert.ok(typeof line === 'object' && line !== null && 'operator' in line)
  assert.equal(line.operator, 'ada')
  assert.doesNotMatch(lines.join('\n'), /tgop_/)
})

test('K2 a route that names no permission is refused as it is built', async (t) => {
  const { app } = await operatorEdge(t)
  assert.throws(
    () => app.get('/operator/forgotten', () => Promise.resolve({})),
    /GET \/operator\/forgotten of the operator API names no permission/,
  )
})

test('what the roles do not permit is 403, and the answer names the permission', async (t) => {
  const { app } = await operatorEdge(t)
  const answer = await app.inject({ method: 'POST', url: '/operator/approve', headers: KEY })
  assert.equal(answer.statusCode, 403)
  assert.equal(codeOf(answer), 'OPERATION_NOT_PERMITTED')
  assert.match(answer.body, /it needs payouts\.approve\./)
})

test('only a Bearer key of the Authorization header counts', async (t) => {
  const { app } = await operatorEdge(t)
  for (const authorization of ['', '  ', 'Basic YTpi', 'tgop_right']) {
    const answer = await app.inject({ url: '/operator/read', headers: { authorization } })
    assert.deepEqual([answer.statusCode, codeOf(answer)], [401, 'TOKEN_MISSING'], authorization)
  }
  for (const authorization of ['Bearer', 'Bearer a b', 'Bearer eyJ.eyJ.sig']) {
    const answer = await app.inject({ url: '/operator/read', headers: { authorization } })
    assert.deepEqual([answer.statusCode, codeOf(answer)], [401, 'TOKEN_INVALID'], authorization)
    assert.equal(answer.headers['www-authenticate'], 'Bearer')
  }
  const elsewhere = await app.inject({
    url: '/operator/read?key=tgop_right',
    headers: { cookie: 'tgop_right' },
  })
  assert.equal(elsewhere.statusCode, 401)
})

test('too many wrong keys from an address are 429 for a while, and a right key passes all the same', async (t) => {
  const { app, clock } = await operatorEdge(t)
  const guess = (remoteAddress: string) =>
    app.inject({ url: '/operator/read', headers: WRONG, remoteAddress })
  for (let count = 0; count < FAILURES_PER_MINUTE_MAX; count += 1)
    assert.equal((await guess('10.0.0.1')).statusCode, 401)
  const refused = await guess('10.0.0.1')
  assert.deepEqual([refused.statusCode, codeOf(refused)], [429, 'RATE_LIMIT_EXCEEDED'])
  assert.equal(refused.headers['retry-after'], '60')
  assert.equal((await guess('10.0.0.2')).statusCode, 401)
  const right = await app.inject({ url: '/operator/read', headers: KEY, remoteAddress: '10.0.0.1' })
  assert.equal(right.statusCode, 200)
  clock.advance(60_000)
  assert.equal((await guess('10.0.0.1')).statusCode, 401)
})

test('an operator has a rate, and so has an address, whatever it sends', async (t) => {
  const { app, clock } = await operatorEdge(t)
  const ask = (headers: Record<string, string>, url = '/operator/read') => app.inject({ url, headers })
  for (let count = 0; count < OPERATOR_RATE_PER_SECOND; count += 1)
    assert.equal((await ask(KEY)).statusCode, 200)
  const fast = await ask(KEY)
  assert.deepEqual([fast.statusCode, fast.headers['ratelimit-policy']], [429, '"operator";q=20;w=1'])
  clock.advance(1_000)
  for (let count = 0; count < ADDRESS_RATE_PER_SECOND; count += 1)
    assert.equal((await ask({}, '/nowhere')).statusCode, 404)
  assert.equal((await ask({}, '/nowhere')).statusCode, 429)
})

test('the edge is that of the merchants: strict JSON, no version header, drain, unknown routes, error pages', async (t) => {
  const { app, drain } = await operatorEdge(t)
  const post = (payload: string) =>
    app.inject({
      method: 'POST',
      url: '/operator/approve',
      headers: { ...KEY, 'content-type': 'application/json' },
      payload,
    })
  assert.equal((await post('{"a":1}')).statusCode, 403)
  assert.equal((await app.inject({ url: '/operator/READ', headers: KEY })).statusCode, 404)
  assert.equal((await app.inject({ method: 'HEAD', url: '/operator/read', headers: KEY })).statusCode, 404)
  const page = await app.inject({ url: '/errors/TOKEN_INVALID' })
  assert.equal(page.statusCode, 200)
  const document = await app.inject({ url: '/openapi.json' })
  assert.deepEqual(Object.keys(document.json().paths), [
    '/operator/read',
    '/operator/change/{what}',
    '/operator/approve',
  ])
  assert.deepEqual(document.json().paths['/operator/read'].get.security, [{ operatorKey: [] }])
  drain()
  const late = await app.inject({ url: '/operator/read', headers: KEY })
  assert.deepEqual([late.statusCode, late.headers['retry-after']], [500, '5'])
})

test('the throttle forgets who was silent while very many addresses failed, and nobody else', () => {
  const clock = heldClock()
  const throttle = createFailureThrottle(clock)
  for (let count = 0; count < FAILURES_PER_MINUTE_MAX; count += 1) assert.equal(throttle.fail('kept'), 0)
  for (let count = 0; count < 9_999; count += 1) throttle.fail(`stranger ${count}`)
  assert.ok(throttle.fail('kept') > 0)
  throttle.fail('one more')
  assert.ok(throttle.fail('kept') > 0, 'who goes on guessing is not forgotten')
  for (let count = 0; count < 10_000; count += 1) throttle.fail(`another ${count}`)
  assert.equal(throttle.fail('kept'), 0)
})

test('S80 a change is noted before it is made, with its answer afterwards, without its query; reading is not', async (t) => {
  const { app, noted, done } = await operatorEdge(t)
  await app.inject({ url: '/operator/read', headers: KEY })
  assert.deepEqual(noted, [])
  const answer = await app.inject({
    method: 'POST',
    url: '/operator/change/it?name=Jane',
    headers: KEY,
  })
  assert.equal(answer.statusCode, 200)
  assert.deepEqual(noted, ['ada POST /operator/change/:what /operator/change/it', '1: 200'])
  assert.equal(done.length, 1)
  // What the roles do not permit is refused before anything could be noted.
  await app.inject({ method: 'POST', url: '/operator/approve', headers: KEY })
  assert.equal(noted.length, 2)
})

test('S80 what cannot be noted is not done', async (t) => {
  const { app, done, deafen } = await operatorEdge(t)
  deafen()
  const answer = await app.inject({ method: 'POST', url: '/operator/change/it', headers: KEY })
  assert.deepEqual([answer.statusCode, codeOf(answer)], [500, 'SYSTEM'])
  assert.deepEqual(done, [])
})
