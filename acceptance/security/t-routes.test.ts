import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { createGateway, type RawResponse } from '@tollgate/sdk'
import { freePort, waitUntil } from '@tollgate/testkit'
import { seenOf } from './support/answers.ts'
import { tollgate } from './support/cli.ts'
import { goodClaims, type Json, jws, newKey, trustKey } from './support/forge.ts'
import { startGateway } from './support/gateway.ts'
import { addMerchant, type Merchant, verdict } from './support/merchant.ts'
import {
  answerTo,
  MONEY,
  NOBODYS,
  OPEN_OPERATIONS,
  OPERATOR_ROUTES,
  OWN,
  operationFor,
  PATTERNS_FOR_EVERYTHING,
  ROLES,
  ROUTES,
  type Role,
  type Route,
  SESSION_ROUTES,
  type Shape,
  SIGN_IN_ROUTES,
  THEIRS,
} from './support/routes.ts'
import { claimsOf, nowSeconds } from './support/token-request.ts'
import { exchange, request } from './support/wire.ts'

// Every route, of merchants and of operators, with everything that one can come with.

const operatorPort = await freePort()
const gateway = await startGateway(
  { after },
  {
    env: {
      TOLLGATE_OPERATOR_PORT: String(operatorPort),
      TOLLGATE_ADDRESS_RATE_PER_SECOND: '100000',
      // So that wrong keys can come from many addresses.
      TOLLGATE_TRUST_PROXY: '127.0.0.1',
    },
  },
)
const shop = await addMerchant(gateway, 'SHOP')
const rival = await addMerchant(gateway, 'RIVAL')
const closed = await addMerchant(gateway, 'CLOSED')
const known = newKey('tg_known_to_the_test')
await trustKey(gateway, known)

const operatorKeyOf = (code: string): string =>
  readFileSync(join(gateway.dataDir, 'demo', `operator-${code}.key`), 'utf8').trim()

const signed = (more: Json, key = known): string =>
  jws({ alg: 'EdDSA', kid: key.kid, typ: 'JWT' }, goodClaims(shop, more), key.privateKey)

const call = (operation: string, authorization: string | undefined, body?: string): Promise<RawResponse> => {
  const [method = '', path = ''] = operation.split(' ')
  return gateway.call({
    method,
    path,
    ...(body === undefined ? method !== 'GET' && { rawBody: '{}' } : { rawBody: body }),
    ...(authorization !== undefined && { headers: { Authorization: authorization } }),
  })
}

/** Something of every kind under the id. */
async function stock(merchant: Merchant, id: string): Promise<void> {
  const token = await merchant.token(PATTERNS_FOR_EVERYTHING)
  const post = async (path: string, body: unknown): Promise<void> => {
    const answer = await gateway.call({ method: 'POST', path, token, body })
    assert.equal(answer.status, 201, `${path}: ${answer.text}`)
  }
  const account = { accountName: 'Ada Lovelace', accountNumber: 'DE89370400440532013000' }
  const paymentRequested = { money: MONEY }
  const order = { paymentRequested, callbackUrl: 'http://127.0.0.1:9/' }
  await post(`/payins/${id}`, { ...order, paymentMethod: { paymentMethodCode: 'OFFLINE_TRANSFER', account } })
  const paid = { paymentMethodCode: 'BANK_TRANSFER', account, emailAddress: 'success@sandbox.test' }
  await post(`/topups/${id}`, { ...order, paymentMethod: paid })
  await post(`/customers/${id}`, { name: 'Ada' })
  await gateway.sql(
    `insert into settlements (merchant_id, id_settlement, kind, currency_code, period_from, period_to, gross, fees, adjustments, net, reference)
     values ($1, $2, 'CYCLE', 'EUR', now() - interval '1 day', now(), 1, 0, 0, 1, $2)`,
    [merchant.merchantId, id],
  )
  const topUp = async (): Promise<boolean> =>
    (await gateway.call({ method: 'GET', path: `/topups/${id}`, token })).text.includes('"SUCCESS"')
  await waitUntil(topUp, { timeoutMs: 60_000, what: 'the top-up' })
  const affordable = { money: { ...MONEY, amount: 10 } }
  await post(`/payouts/${id}`, { ...order, paymentRequested: affordable, paymentMethod: paid })
}

await Promise.all([stock(shop, OWN), stock(rival, THEIRS)])
await gateway.sql(
  `insert into rate_lists (rate_list_code, name, base_currency_code) values ($1, 'None yet', 'EUR')`,
  [OWN],
)

interface Described {
  readonly method: string
  readonly path: string
}

/** The routes as an API describes them. */
async function describedBy(url: string): Promise<readonly Described[]> {
  const description: { paths: Record<string, Record<string, unknown>> } = JSON.parse(
    await (await fetch(`${url}/openapi.json`)).text(),
  )
  return Object.entries(description.paths).flatMap(([path, operations]) =>
    Object.keys(operations).map((method) => ({ method: method.toUpperCase(), path })),
  )
}

/** Tokens that open nothing, whatever they say that they permit. */
async function uselessShapes(): Promise<readonly Shape[]> {
  const all = { operations: PATTERNS_FOR_EVERYTHING }
  const now = nowSeconds()
  const revoked = await shop.token(PATTERNS_FOR_EVERYTHING, { validitySecs: 777 })
  await gateway.sql(
    `insert into revoked_tokens (merchant_id, jti, expires_at) values ($1, $2, now() + interval '1 hour')`,
    [shop.merchantId, claimsOf(revoked)['jti']],
  )
  const disabled = await closed.token(PATTERNS_FOR_EVERYTHING)
  await gateway.sql(`update merchants set status = 'DISABLED' where merchant_code = 'CLOSED'`)
  const stranger = newKey(known.kid)
  const invalid = '401 TOKEN_INVALID'
  const bearers: readonly (readonly [name: string, token: string, fault: string])[] = [
    ['garbage', 'garbage', invalid],
    ['two tokens', `${signed(all)} ${signed(all)}`, invalid],
    ['a token by a wrong key', signed(all, stranger), invalid],
    ['a token by an unknown key', signed(all, newKey('tg_stranger')), invalid],
    ['a token whose signature is cut', signed(all).slice(0, -4), invalid],
    ['an expired token', signed({ ...all, iat: now - 100, exp: now - 50 }), '401 TOKEN_EXPIRED'],
    ['a token of tomorrow', signed({ ...all, iat: now + 86_400, exp: now + 90_000 }), invalid],
    ['a token of nobody', signed({ ...all, sub: 'NOBODY' }), invalid],
    ['a token for live', signed({ ...all, aud: 'tollgate-live' }), invalid],
    ['a token of another issuer', signed({ ...all, iss: 'another' }), invalid],
    ['a token without operations', signed({ operations: [] }), invalid],
    ['a revoked token', revoked, invalid],
    ['the token of a disabled merchant', disabled, '403 MERCHANT_UNAVAILABLE'],
    ['the key of an operator', operatorKeyOf('ada'), invalid],
  ]
  const missing = '401 TOKEN_MISSING'
  return [
    { name: 'nothing', authorization: undefined, fault: missing },
    { name: 'an empty header', authorization: '', fault: missing },
    { name: 'another scheme', authorization: 'Basic YTpi', fault: missing },
    { name: 'a token without its scheme', authorization: signed(all), fault: missing },
    ...bearers.map(([name, token, fault]) => ({ name, authorization: `Bearer ${token}`, fault })),
  ]
}

/** Tokens that are good, each with what it permits. */
async function usefulShapes(): Promise<readonly Shape[]> {
  const shape = (name: string, token: string, rest: Omit<Shape, 'name' | 'authorization'>): Shape => ({
    name,
    authorization: `Bearer ${token}`,
    owns: OWN,
    ...rest,
  })
  const everything = { permits: 'everything' } as const
  const byAction = async (
    action: 'PAYIN_CREATE' | 'PAYIN_INFO' | 'PAYOUT_CREATE' | 'TOPUP_INFO',
    id: string,
  ) => {
    const kind = { PAYI: 'payins', PAYO: 'payouts', TOPU: 'topups' }[action.slice(0, 4)] ?? ''
    const read = [`GET /${kind}/${id}`]
    const create = [`POST /${kind}/!availablePaymentOptions`, `POST /${kind}/${id}`]
    const permits = action.endsWith('_CREATE') ? [...create, ...read] : read
    return shape(`${action} of ${id}`, await shop.actionToken({ action, idPayment: id }), { permits })
  }
  const page = [
    'POST /payins/!availablePaymentOptions',
    `POST /payins/${OWN}`,
    `GET /payins/${OWN}`,
    'GET /merchant-info',
  ]
  const everythingFor = (amount: number, currencyCode: string): Promise<string> =>
    shop.token(PATTERNS_FOR_EVERYTHING, { money: { amount: String(amount), currencyCode } })
  return [
    shape('everything', await shop.token(PATTERNS_FOR_EVERYTHING), everything),
    shape('everything of another merchant', await rival.token(PATTERNS_FOR_EVERYTHING), {
      ...everything,
      owns: THEIRS,
    }),
    shape('everything, for this money', await everythingFor(25, 'EUR'), { ...everything, money: 'fits' }),
    shape('everything, for less money', await everythingFor(24.99, 'EUR'), {
      ...everything,
      money: 'differs',
    }),
    shape('everything, for other money', await everythingFor(25, 'USD'), { ...everything, money: 'differs' }),
    shape('the hosted page’s', await shop.token(page, { money: { amount: '25', currencyCode: 'EUR' } }), {
      permits: page,
      money: 'fits',
    }),
    ...(await Promise.all([
      ...[OWN, THEIRS, NOBODYS].map((id) => byAction('PAYIN_CREATE', id)),
      ...[OWN, THEIRS, NOBODYS].map((id) => byAction('PAYIN_INFO', id)),
      byAction('PAYOUT_CREATE', OWN),
      byAction('TOPUP_INFO', OWN),
    ])),
  ]
}

/** Tokens that were made for one operation, and for others beside it. */
function shapesBeside(operation: string, template: string): readonly Shape[] {
  const [method = '', path = ''] = operation.split(' ')
  const otherMethod = method === 'GET' ? 'POST' : 'GET'
  const beside: readonly (readonly [name: string, entry: string])[] = [
    ['the other method', `${otherMethod} ${path}`],
    ['a longer path', `${operation}/more`],
    ['a shorter path', operation.slice(0, -1)],
    ['another id', `${operationFor(template, 'T8_')}x`],
    ['the template itself', template.replace(/[{}]/g, '\\:')],
    ['a path in capitals', `${method} ${path.toUpperCase()}/`],
    ['exactly this', operation],
  ]
  return [
    ...beside.map(([name, entry]) => ({
      name,
      authorization: `Bearer ${signed({ operations: [entry, 'GET /never'] })}`,
      permits: [entry],
      owns: OWN,
    })),
    {
      name: 'exactly this, in another spelling of the scheme',
      authorization: `bEARER   ${signed({ operations: [operation, 'GET /never'] })}`,
      permits: [operation],
      owns: OWN,
    },
  ]
}

/** Asks in every shape; fails where the answer is another one than the reference says. The answers, by shape. */
function askInAllShapes(route: Route, shapes: readonly Shape[], id: string): Promise<readonly RawResponse[]> {
  const operation = operationFor(route.operation, id)
  return Promise.all(
    shapes.map(async (shape) => {
      const answer = await call(operation, shape.authorization, route.body)
      const expected = answerTo(shape, { route, operation, id })
      assert.equal(verdict(answer), expected, `${operation} with ${shape.name}`)
      if (answer.status === 401) assert.equal(answer.headers.get('www-authenticate'), 'Bearer')
      return answer
    }),
  )
}

/** Whether a token speaks of one of two ids that are compared, or shows its owner what is there. */
const isPartial = ({ owns, permits }: Shape): boolean =>
  owns === THEIRS ||
  (Array.isArray(permits) && permits.some((each) => each.includes(THEIRS) || each.includes(NOBODYS)))

test('T8 P19 on every route the answer follows from token, operation, money and object, and what others have is not there', async () => {
  const described = (await describedBy(gateway.url)).map(({ method, path }) => `${method} ${path}`)
  const written = [...ROUTES.map(({ operation }) => operation), ...OPEN_OPERATIONS]
  assert.deepEqual(written.toSorted(), described.toSorted(), 'the table of routes is the table of the API')
  const shapes = [...(await uselessShapes()), ...(await usefulShapes())]
  const isKnown = async ({ authorization, fault }: Shape): Promise<boolean> =>
    fault === undefined || verdict(await call('GET /segments', authorization)) === fault
  await waitUntil(async () => (await Promise.all(shapes.map(isKnown))).every(Boolean), {
    timeoutMs: 60_000,
    what: 'the revocation and the disabling to be known',
  })
  for (const route of ROUTES) {
    const besides = (id: string): readonly Shape[] =>
      shapesBeside(operationFor(route.operation, id), route.operation)
    await askInAllShapes(route, [...shapes, ...besides(OWN)], OWN)
    if (route.none === undefined) continue
    await askInAllShapes(route, besides(THEIRS), THEIRS)
    const [theirs, nobodys] = await Promise.all(
      [THEIRS, NOBODYS].map((id) => askInAllShapes(route, shapes, id)),
    )
    for (const [index, shape] of shapes.entries()) {
      const [theirAnswer, nobodysAnswer] = [theirs?.[index], nobodys?.[index]]
      assert(theirAnswer && nobodysAnswer)
      if (isPartial(shape)) continue
      assert.equal(
        seenOf(theirAnswer, THEIRS),
        seenOf(nobodysAnswer, NOBODYS),
        `${route.operation} with ${shape.name}`,
      )
    }
  }
})

test('A14 a token for more than its merchant has gets nothing by it, and none gets to the operators’ routes', async () => {
  const poor = await addMerchant(gateway, 'POOR')
  await gateway.sql(`delete from merchant_methods where merchant_id = $1 and direction = 'PAYOUT'`, [
    poor.merchantId,
  ])
  const token = await poor.token([...PATTERNS_FOR_EVERYTHING, 'POST /operator/.*', 'GET /rails/.*'])
  const account = { accountName: 'Ada', accountNumber: 'DE89370400440532013000' }
  const payout = {
    paymentRequested: { money: MONEY },
    paymentMethod: { paymentMethodCode: 'BANK_TRANSFER', account },
    callbackUrl: 'http://127.0.0.1:9/',
  }
  const answer = await gateway.call({ method: 'POST', path: '/payouts/a14', token, body: payout })
  assert.match(verdict(answer), /^406 PAYMENT_METHOD_NOT_AVAILABLE/)
  const [row] = await gateway.sql(`select count(*)::integer as n from payments where id_payment = 'a14'`)
  assert.equal(row?.['n'], 0)
  for (const operation of Object.keys(OPERATOR_ROUTES)) {
    const path = operation.replace(/\{\w+\}/g, 'x')
    assert.equal(verdict(await call(path, `Bearer ${token}`)), '404 ROUTE_NOT_FOUND', operation)
    assert.equal(verdict(await askOperators(path, token)), '401 TOKEN_INVALID', operation)
  }
})

test('G6 on every path each method but its own is 404', async () => {
  const token = await shop.token(PATTERNS_FOR_EVERYTHING)
  const described = await describedBy(gateway.url)
  const paths = [...new Set(described.map(({ path }) => path))]
  const hasRoute = (method: string, path: string): boolean =>
    described.some(
      (route) =>
        route.method === method && new RegExp(`^${route.path.replace(/\{\w+\}/, '[^/]+')}$`).test(path),
    )
  for (const template of paths) {
    const path = template.replace(/\{\w+\}/, NOBODYS)
    for (const method of ['GET', 'POST', 'PATCH', 'PUT', 'DELETE', 'HEAD', 'OPTIONS', 'TRACE']) {
      // `GET /payins/!availablePaymentOptions` asks for a payin of that id, which is none.
      if (hasRoute(method, path)) continue
      const answer = await exchange(gateway.port, request(`${method} ${path}`, { token }))
      assert.deepEqual(answer.statuses, [404], `${method} ${path}: ${answer.text}`)
    }
  }
})

const operators = createGateway({
  baseUrl: `http://127.0.0.1:${operatorPort}`,
  merchantCode: 'NOBODY',
  timeoutMs: 60_000,
})
let addresses = 0

/** Asks the operators' API, each time from an address that nobody else has: guessing is counted by address. */
function askOperators(operation: string, key: string | undefined): Promise<RawResponse> {
  const [method = '', template = ''] = operation.split(' ')
  addresses += 1
  return operators.request({
    method,
    path: template.replace(/\{\w+\}/g, 'x'),
    token: key,
    headers: { 'X-Forwarded-For': `2001:db8:${addresses.toString(16)}::1` },
    ...((method === 'POST' || method === 'PUT') && { body: {} }),
  })
}

test('K2 ANY /operator/** → 401 without a key, ANY /operator/** → 403 for whoever has none of the roles of the table', async () => {
  const described = await describedBy(`http://127.0.0.1:${operatorPort}`)
  const operations = described
    .map(({ method, path }) => `${method} ${path}`)
    .filter((operation) => !SIGN_IN_ROUTES.includes(operation))
  const known = [...Object.keys(OPERATOR_ROUTES), ...SESSION_ROUTES, ...SIGN_IN_ROUTES]
  assert.deepEqual(known.toSorted(), described.map(({ method, path }) => `${method} ${path}`).toSorted())
  const stranger = `tgop_${'A'.repeat(43)}`
  for (const operation of operations) {
    assert.equal(verdict(await askOperators(operation, undefined)), '401 TOKEN_MISSING', operation)
    for (const key of [stranger, `${operatorKeyOf('ada')}A`, 'tgop_'])
      assert.equal(verdict(await askOperators(operation, key)), '401 TOKEN_INVALID', operation)
  }
  const judge = async (role: Role): Promise<void> => {
    const key = (await tollgate(gateway, 'operators', 'create', role.toLowerCase(), '--role', role)).trim()
    for (const operation of operations) {
      const seen = verdict(await patiently(() => askOperators(operation, key)))
      // With an empty body: a touch is begun for some request.
      if (SESSION_ROUTES.includes(operation)) {
        assert.match(seen, /^(?:400|403) /, operation)
        continue
      }
      const isDenied = seen === '403 OPERATION_NOT_PERMITTED'
      assert.equal(
        isDenied,
        OPERATOR_ROUTES[operation]?.includes(role) !== true,
        `${role}: ${operation}: ${seen}`,
      )
      assert.match(seen, /^(?:20\d|40[03]|406|409|410)/, `${role}: ${operation}`)
    }
  }
  await Promise.all(ROLES.map(judge))
})

/** An operator may ask twenty times a second. */
async function patiently(ask: () => Promise<RawResponse>): Promise<RawResponse> {
  for (;;) {
    const answer = await ask()
    if (answer.status !== 429) return answer
    await sleep(100)
  }
}
