import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { RawResponse } from '@tollgate/sdk'
import { violatedFields } from '../support/expectations.ts'
import { startGateway } from '../support/gateway.ts'
import { at, textAt } from '../support/json.ts'
import { OPERATOR_BODIES } from './support/operator-bodies.ts'
import { OPERATOR_ROUTES, type Role, SESSION_ROUTES, SIGN_IN_ROUTES } from './support/routes.ts'

// What operators ask with a wrong body: each answer names the field that is wrong, and nothing else.

const gateway = await startGateway({ after })
const description = (await gateway.sendToOperators({ method: 'GET', path: '/openapi.json' })).body

const ASKERS: readonly Role[] = ['SUPPORT', 'FINANCE', 'APPROVER', 'CATALOGUE', 'ADMIN']
const keys = new Map<Role, string>()
for (const role of ASKERS) {
  const made = await gateway.cli('operators', 'create', role.toLowerCase(), '--role', role)
  keys.set(role, made.stdout.trim())
}

type Members = Readonly<Record<string, unknown>>
const isMembers = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** An operator may ask twenty times a second; these tests ask faster. */
async function ask(operation: string, body: unknown): Promise<RawResponse> {
  const [method = '', template = ''] = operation.split(' ')
  assert.ok(method === 'POST' || method === 'PUT')
  const path = template
    .replace('/people/{operatorCode}', '/people/nobody@DEMO')
    .replaceAll(/\{(\w+)\}/g, (_, name: string) => PLACES[name] ?? 'NOBODYS')
  const role = ASKERS.find((each) => OPERATOR_ROUTES[operation]?.includes(each)) ?? 'ADMIN'
  const headers = { 'Content-Type': 'application/json' }
  const token = keys.get(role)
  const request = { method, path, token, headers, rawBody: JSON.stringify(body) } as const
  for (;;) {
    const answer = await gateway.sendToOperators(request)
    if (answer.status !== 429) return answer
    await sleep(100)
  }
}

/** What parameters of paths take where they do not take just any code. */
const PLACES: Readonly<Record<string, string>> = {
  operatorCode: 'nobody',
  passkeyId: 'pk_NONE',
  identityId: 'oid_NONE',
  kind: 'PAYOUT',
  direction: 'PAYIN',
  type: 'OPERATOR',
  lineId: '1',
  confirmationId: '1',
  currencyCode: 'EUR',
  merchantCode: 'DEMO',
  methodCode: 'BANK_TRANSFER',
  code: 'SANDBOX',
}

/** The routes that take JSON, each with the schema of its body. */
function bodies(): ReadonlyMap<string, Members> {
  const found = new Map<string, Members>()
  for (const operation of [...Object.keys(OPERATOR_ROUTES), ...SESSION_ROUTES, ...SIGN_IN_ROUTES]) {
    const [method = '', path = ''] = operation.split(' ')
    const content = ['paths', path, method.toLowerCase(), 'requestBody', 'content', 'application/json']
    const schema = resolved(at(description, ...content, 'schema'))
    if (schema !== undefined) found.set(operation, schema)
  }
  return found
}

function resolved(schema: unknown): Members | undefined {
  const reference = at(schema, '$ref')
  const plain = typeof reference === 'string' ? at(description, ...reference.split('/').slice(1)) : schema
  return isMembers(plain) ? plain : undefined
}

interface Field {
  readonly path: readonly string[]
  readonly schema: Members
  readonly isRequired: boolean
}

/** Every field of a body, those of objects and lists within included. */
function fieldsOf(schema: Members, above: readonly string[] = []): readonly Field[] {
  const items = resolved(schema['items'])
  if (items !== undefined) return [{ path: [...above, '0'], schema: items, isRequired: false }]
  const properties = isMembers(schema['properties']) ? schema['properties'] : {}
  const required = Array.isArray(schema['required']) ? schema['required'] : []
  return Object.entries(properties).flatMap(([name, each]) => {
    const inner = resolved(each) ?? {}
    const path = [...above, name]
    return [{ path, schema: inner, isRequired: required.includes(name) }, ...fieldsOf(inner, path)]
  })
}

const choicesOf = ({ anyOf }: Members): readonly Members[] =>
  Array.isArray(anyOf) ? anyOf.filter(isMembers) : []

/** What is no value of a type, each with the types whose values it is one of. */
const STRANGERS: readonly (readonly [what: string, value: unknown, types: readonly string[]])[] = [
  ['a text', 'x', ['string']],
  ['a number', 12, ['number', 'integer']],
  ['a switch', true, ['boolean']],
  ['a list', [[]], ['array']],
  ['an object', {}, ['object']],
  ['null', null, ['null']],
]

/** What breaks a bound, by the word that the bound has in a schema. */
const BREAKERS: Readonly<Record<string, (bound: unknown) => unknown>> = {
  pattern: () => '\u0001',
  maxLength: (bound) => 'x'.repeat(Number(bound) + 1),
  minLength: () => '',
  minimum: (bound) => Number(bound) - 1,
  maximum: (bound) => Number(bound) + 1,
  minItems: () => [],
}

/** Values that the schema does not take, each by what is wrong about it. */
function wrongValues(schema: Members): ReadonlyMap<string, unknown> {
  const choices = choicesOf(schema)
  const types = [schema, ...choices].map(({ type }) => type).filter((type) => typeof type === 'string')
  const wrong = new Map<string, unknown>()
  for (const [what, value, takers] of STRANGERS)
    if (!takers.some((type) => types.includes(type))) wrong.set(what, value)
  for (const [word, breakIt] of Object.entries(BREAKERS))
    if (schema[word] !== undefined) wrong.set(word, breakIt(schema[word]))
  if (choices.some((choice) => 'enum' in choice)) wrong.set('an unknown choice', 'NOBODYS')
  if (types.includes('integer')) wrong.set('a fraction', 1.5)
  return wrong
}

/** The body with another value at the place; undefined leaves it out. */
function withValue(body: unknown, [name, ...rest]: readonly string[], value: unknown): unknown {
  if (name === undefined) return value
  if (Array.isArray(body)) return [withValue(body[0], rest, value)]
  assert.ok(isMembers(body))
  const { [name]: member, ...others } = body
  const changed = withValue(member, rest, value)
  return changed === undefined ? others : { ...others, [name]: changed }
}

const stepOf = (name: string): string | number => (name === '0' ? 0 : name)

/** The answer must be a 400 that names these fields and no other, the first one in its sentence. */
function problemOf(answer: RawResponse, fields: readonly string[]): string | undefined {
  if (answer.status !== 400 || !Array.isArray(at(answer.body, 'violations')))
    return `${answer.status} ${answer.text}`
  const names = violatedFields(answer)
  const isNamed = textAt(answer.body, 'message').startsWith(`${names[0] ?? ''}: `)
  const isAll = fields.every((field) => names.includes(field)) && names.every((name) => fields.includes(name))
  return isNamed && isAll ? undefined : answer.text
}

interface Wrong {
  readonly path: readonly string[]
  readonly value: unknown
}

/** Of each field what is no value of its type, and, where it must be there, nothing. */
const wrongOnes = (schema: Members): readonly Wrong[] =>
  fieldsOf(schema).flatMap(({ path, schema: member, isRequired }) => [
    ...[...wrongValues(member).values()].slice(0, 1).map((value) => ({ path, value })),
    ...(isRequired ? [{ path, value: undefined }] : []),
  ])

/** What is wrong with the answers of one route to one wrong field at a time. */
async function problemsOf(operation: string, schema: Members): Promise<readonly string[]> {
  const body = OPERATOR_BODIES[operation]
  const problems: string[] = []
  for (const { path, value } of wrongOnes(schema)) {
    const answer = await ask(operation, withValue(body, path, value))
    const field = path.join('.')
    const problem = problemOf(answer, [field])
    if (problem !== undefined) problems.push(`${operation}: ${field} is ${JSON.stringify(value)}: ${problem}`)
  }
  return problems
}

/** Every kind of wrong value, each time in all fields at once that have such a value. */
async function problemsOfAll(operation: string, schema: Members): Promise<readonly string[]> {
  const fields = fieldsOf(schema).map((field) => ({ ...field, wrong: wrongValues(field.schema) }))
  const kinds = new Set(fields.flatMap(({ wrong }) => [...wrong.keys()].slice(1)))
  const problems: string[] = []
  for (const kind of kinds) {
    // What is within a wrong value is not there any more.
    const chosen = fields.filter(({ wrong }) => wrong.has(kind))
    const outer = chosen.filter(
      ({ path }) => !chosen.some((other) => other.path.length < path.length && isAbove(other.path, path)),
    )
    const body = outer.reduce<unknown>(
      (changed, { path, wrong }) => withValue(changed, path, wrong.get(kind)),
      OPERATOR_BODIES[operation],
    )
    const problem = problemOf(
      await ask(operation, body),
      outer.map(({ path }) => path.join('.')),
    )
    if (problem !== undefined) problems.push(`${operation}: ${kind}: ${problem}`)
  }
  return problems
}

const isAbove = (above: readonly string[], path: readonly string[]): boolean =>
  above.every((name, index) => path[index] === name)

test('S106: a wrong body is answered with the field that is wrong, whatever the route', async () => {
  const routes = [...bodies()]
  assert.deepEqual(Object.keys(OPERATOR_BODIES).toSorted(), routes.map(([name]) => name).toSorted())
  const one = await Promise.all(routes.map(([operation, schema]) => problemsOf(operation, schema)))
  assert.deepEqual(one.flat(), [])
  const all = await Promise.all(routes.map(([operation, schema]) => problemsOfAll(operation, schema)))
  assert.deepEqual(all.flat(), [])
})

test('S106: every field is in a body of ours, so that no field is left out of the comparison', () => {
  const missing = [...bodies()].flatMap(([operation, schema]) =>
    fieldsOf(schema)
      .filter(({ path }) => at(OPERATOR_BODIES[operation], ...path.map(stepOf)) === undefined)
      .map(({ path }) => `${operation} ${path.join('.')}`),
  )
  assert.deepEqual(missing, [])
})

const CHANGE_MERCHANT = 'POST /operator/merchants/{merchantCode}/!change'
const LIMIT = 'PUT /operator/merchants/{merchantCode}/limits/{direction}/{methodCode}/{currencyCode}'
const DECIDE_LINE = 'POST /operator/statement-lines/{lineId}/!decide'
const RATE = 'POST /operator/rate-lists/{code}/!set'
const CYCLE = 'PUT /operator/settlement-terms/{merchantCode}/cycles/{currencyCode}'
const ACCOUNT = 'PUT /operator/settlement-terms/{merchantCode}/accounts/{currencyCode}'
const TRANSFER_ACCOUNT = {
  paymentMethodCode: 'BANK_TRANSFER',
  paymentOperatorCode: undefined,
  account: { accountNumber: 'DE89370400440532013001', accountName: 'Nobody', bankCode: 'TGSBDE99' },
}
const BANK = { methodCode: 'BANK_TRANSFER' }
const BANK_ALONE = { ...BANK, operatorCode: undefined, segmentCode: undefined }
const BANK_PLAIN = { ...BANK_ALONE, pricedCurrencyCode: undefined, rateListCode: undefined }

/** What can be read and cannot be: the route, what of its body is otherwise, and the field that this is. */
const IMPOSSIBLE: readonly (readonly [operation: string, change: Members, field: string, status?: 410])[] = [
  ['POST /operator/operators', { roles: ['ADMIN', 'APPROVER'] }, 'roles'],
  ['POST /operator/operators', { name: ' ' }, 'name'],
  ['POST /operator/merchants', { merchantCode: 'house' }, 'merchantCode'],
  ['POST /operator/merchants', { name: ' ' }, 'name'],
  ['POST /operator/merchants/{merchantCode}/people', { name: ' ' }, 'name'],
  [CHANGE_MERCHANT, { allowedOrigins: ['shop.example'] }, 'allowedOrigins'],
  [CHANGE_MERCHANT, { browserOrigins: ['shop.example'] }, 'browserOrigins'],
  [CHANGE_MERCHANT, { callbackOrigins: ['shop.example'] }, 'callbackOrigins'],
  [CHANGE_MERCHANT, { returnOrigins: ['https://shop.example/'] }, 'returnOrigins'],
  [CHANGE_MERCHANT, { segments: ['NOBODYS'] }, 'segments', 410],
  [CHANGE_MERCHANT, { primaryColor: 'red' }, 'primaryColor'],
  [CHANGE_MERCHANT, { supportUrl: 'help' }, 'supportUrl'],
  [CHANGE_MERCHANT, { supportEmail: 'help' }, 'supportEmail'],
  ['POST /operator/merchants/{merchantCode}/keys', {}, 'publicKey'],
  ['POST /operator/tokens/!revoke', {}, 'token'],
  ['POST /operator/merchants/{merchantCode}/methods/!enable', {}, 'methodCode'],
  [LIMIT, { min: 0 }, 'min'],
  [LIMIT, { max: 0.001 }, 'max'],
  [LIMIT, { min: 5 }, 'max'],
  [LIMIT, { dailyAmountMax: 0 }, 'dailyAmountMax'],
  ['PUT /operator/fees', {}, 'methodCode'],
  ['PUT /operator/fees', { ...BANK, currencyCode: 'ZZZ' }, 'currencyCode'],
  ['PUT /operator/fees', BANK, 'operatorCode'],
  ['PUT /operator/fees', { ...BANK, operatorCode: undefined }, 'segmentCode'],
  ['PUT /operator/fees', { ...BANK_ALONE, rateListCode: undefined }, 'rateListCode'],
  ['PUT /operator/fees', { ...BANK_ALONE, pricedCurrencyCode: undefined }, 'pricedCurrencyCode'],
  ['PUT /operator/fees', { ...BANK_ALONE, pricedCurrencyCode: 'ZZZ' }, 'pricedCurrencyCode'],
  ['PUT /operator/fees', BANK_ALONE, 'rateListCode'],
  ['PUT /operator/fees', { ...BANK_PLAIN, fixed: -1 }, 'fixed'],
  ['PUT /operator/fees', { ...BANK_PLAIN, percentage: 101 }, 'percentage'],
  ['PUT /operator/fees', { ...BANK_PLAIN, minimum: 3 }, 'maximum'],
  ['POST /operator/bank-accounts', { holder: ' ' }, 'holder'],
  ['POST /operator/bank-accounts', { payoutFormat: 'pain.001.001.09', instantMax: 0.001 }, 'instantMax'],
  ['POST /operator/bank-accounts', { instantMax: JSON.rawJSON('1e99') }, 'instantMax'],
  ['POST /operator/bank-accounts/{code}/!change', { instantMax: JSON.rawJSON('1e99') }, 'instantMax'],
  ['POST /operator/bank-accounts', { iban: 'DE89370400440532013001' }, 'iban'],
  ['POST /operator/bank-accounts', { bic: 'NONE' }, 'bic'],
  ['POST /operator/bank-accounts', { address: { countryCode: 'XX' } }, 'address.countryCode'],
  ['POST /operator/bank-accounts', {}, 'upiAddress'],
  ['POST /operator/bank-accounts', { upiAddress: undefined }, 'pixKey'],
  ['POST /operator/bank-accounts', { upiAddress: undefined, pixKey: undefined }, 'bitcoinAddress'],
  ['POST /operator/blocked-accounts/!block', { isForAll: true }, 'merchantCode'],
  [
    'POST /operator/blocked-accounts/!block',
    { accountNumbers: ['DE89370400440532013000', ';'] },
    'accountNumbers.1',
  ],
  ['PUT /operator/payout-rules/{merchantCode}/{currencyCode}', { amountFrom: '0' }, 'amountFrom'],
  ['PUT /operator/payout-rules/{merchantCode}/{currencyCode}', { dailySumFrom: '0.001' }, 'dailySumFrom'],
  ['POST /operator/restore-gap/!open', { lostFrom: '2026-02-30T25:00:00Z' }, 'lostFrom'],
  [DECIDE_LINE, { decision: 'NOTE' }, 'payment'],
  [DECIDE_LINE, { reason: ' ' }, 'reason'],
  ['POST /operator/rate-lists', { isNeverStale: true }, 'staleAfterDays'],
  ['POST /operator/rate-lists', { name: ' ' }, 'name'],
  [RATE, { buy: 0 }, 'buy'],
  [RATE, { currencyCode: 'EUR' }, 'currencyCode'],
  [RATE, { validFrom: '2026-02-30' }, 'validFrom'],
  ['POST /operator/settlements/!run', { isForAll: true }, 'merchantCode'],
  ['POST /operator/callbacks/!resend', { isForAll: true }, 'merchantCode'],
  ['POST /operator/callbacks/!resend', { createdFrom: 'yesterday' }, 'createdFrom'],
  ['POST /operator/callbacks/!resend', { createdTo: '2026-11-19T00:00:00Z' }, 'createdTo'],
  ['POST /operator/settlements/!run', { until: '2026-02-30' }, 'until'],
  ['POST /operator/settlements/!run', { until: '2999-01-01' }, 'until'],
  [CYCLE, { cycle: 't+99' }, 'cycle'],
  [CYCLE, { minimum: '0' }, 'minimum'],
  [CYCLE, { minimum: '0.001' }, 'minimum'],
  [CYCLE, { settleIn: { currencyCode: 'EUR', rateListCode: 'ECB' } }, 'settleIn.currencyCode'],
  [CYCLE, {}, 'settleIn.rateListCode', 410],
  [ACCOUNT, {}, 'paymentMethodCode'],
  [ACCOUNT, TRANSFER_ACCOUNT, 'account.accountNumber'],
]

test('S106: what can be read and cannot be is answered with the field that it is', async () => {
  const found: string[] = []
  for (const [operation, change, field, status = 400] of IMPOSSIBLE) {
    const answer = await ask(operation, { ...OPERATOR_BODIES[operation], ...change })
    const isNamed = Array.isArray(at(answer.body, 'violations')) && violatedFields(answer).join() === field
    if (answer.status !== status || !isNamed)
      found.push(
        `${operation} ${JSON.stringify(change)}: not ${status} ${field}: ${answer.status} ${answer.text}`,
      )
  }
  assert.deepEqual(found, [])
})
