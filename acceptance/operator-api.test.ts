import assert from 'node:assert/strict'
import { statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { type RawResponse, TollgateError } from '@tollgate/sdk'
import { testDatabase } from '@tollgate/testkit'
import { databaseDoor } from './support/database-door.ts'
import { expectError, expectOneLimited, expectSuccess } from './support/expectations.ts'
import { startGateway } from './support/gateway.ts'
import { at, listAt, textAt } from './support/json.ts'

// For those who operate the gateway: a port, keys and permissions of their own.

const door = await databaseDoor({ after }, (await testDatabase({ after })).url)
const gateway = await startGateway({ after }, { databaseUrl: door.url })
const ada = gateway.operatorKey('ada')

const me = (token?: string): Promise<RawResponse> =>
  gateway.sendToOperators({ method: 'GET', path: '/operator/me', token })

/** A new operator by the command line, and the key. */
async function addOperator(code: string, ...roles: readonly string[]): Promise<string> {
  const { stdout } = await gateway.cli(
    'operators',
    'create',
    code,
    ...roles.flatMap((role) => ['--role', role]),
  )
  return stdout.trim()
}

test('GET /operator/me → 200 who the key is, and what it may do', async () => {
  const self = expectSuccess(await me(ada), 200)
  assert.equal(textAt(self, 'operatorCode'), 'ada')
  assert.deepEqual(listAt(self, 'roles'), ['SUPPORT', 'FINANCE', 'APPROVER'])
  assert.ok(listAt(self, 'permissions').includes('payouts.approve'))
  const auditor = expectSuccess(await me(await addOperator('olga', 'AUDITOR')), 200)
  const permissions = listAt(auditor, 'permissions').map(String)
  assert.ok(permissions.length > 0 && permissions.every((permission) => permission.endsWith('.read')))
})

test('K1 the sandbox has two operators, since a payout is approved by two; their keys are the owner’s alone', async () => {
  const grace = gateway.operatorKey('grace')
  assert.notEqual(grace, ada)
  assert.equal(textAt((await me(grace)).body, 'operatorCode'), 'grace')
  for (const code of ['ada', 'grace'])
    assert.equal(statSync(join(gateway.dataDir, 'demo', `operator-${code}.key`)).mode & 0o777, 0o600)
})

test('GET /operator/me → 401 without a key, and with one that opens nothing', async () => {
  expectError(await me(), 401, 'TOKEN_MISSING')
  const altered = `${ada.slice(0, -5)}${ada.at(-5) === 'A' ? 'B' : 'A'}${ada.slice(-4)}`
  for (const wrong of [altered, ada.toUpperCase(), 'tgop_'])
    expectError(await me(wrong), 401, 'TOKEN_INVALID')
})

test('a merchant’s token opens nothing here, and an operator’s key nothing there', async () => {
  const token = await gateway.demo().token('GET /.*')
  expectError(await me(token), 401, 'TOKEN_INVALID')
  expectError(await gateway.send({ method: 'GET', path: '/balances', token: ada }), 401, 'TOKEN_INVALID')
  const paths = Object.keys(
    Object(at((await gateway.send({ method: 'GET', path: '/openapi.json' })).body, 'paths')),
  )
  assert.ok(paths.length > 0 && paths.every((path) => !path.startsWith('/operator')))
  expectError(
    await gateway.sendToOperators({ method: 'GET', path: '/balances', token: ada }),
    404,
    'ROUTE_NOT_FOUND',
  )
})

test('there is no version to name', async () => {
  const response = await fetch(`${gateway.operatorUrl}/operator/me`, {
    headers: { authorization: `Bearer ${ada}` },
  })
  assert.equal(response.status, 200)
})

test('the page behind docUrl is on the same port', async () => {
  const { body } = await me()
  const page = await fetch(new URL(new URL(textAt(body, 'docUrl')).pathname, gateway.operatorUrl))
  assert.equal(page.status, 200)
  assert.match(await page.text(), /TOKEN_MISSING/)
})

test('K1 who is disabled, or whose key was removed, is out with the next request', async () => {
  const key = await addOperator('otto', 'SUPPORT')
  expectSuccess(await me(key), 200)
  await gateway.cli('operators', 'disable', 'otto')
  expectError(await me(key), 401, 'TOKEN_INVALID')
  await gateway.cli('operators', 'enable', 'otto')
  expectSuccess(await me(key), 200)
  const shown: unknown = JSON.parse((await gateway.cli('operators', 'show', 'otto', '--json')).stdout)
  await gateway.cli('operators', 'remove-key', 'otto', textAt(shown, 'keys', 0, 'keyId'))
  expectError(await me(key), 401, 'TOKEN_INVALID')
})

test('the command line knows an operator by the same key', async () => {
  const file = join(gateway.dataDir, 'demo', 'operator-ada.key')
  const { stdout } = await gateway.cli('operators', 'whoami', '--operator-key-file', file, '--json')
  assert.deepEqual(JSON.parse(stdout), (await me(ada)).body)
  const otherFile = join(gateway.dataDir, 'copy.key')
  writeFileSync(otherFile, `  ${ada}\n\n`)
  await gateway.cli('operators', 'whoami', '--operator-key-file', otherFile)
})

const needsKey = ([, operation]: [string, unknown]): boolean => listAt(operation, 'security').length > 0

/** Every operation that asks for a key, as the API describes itself. */
async function everyOperation(): Promise<readonly { readonly method: string; readonly path: string }[]> {
  const { body } = await gateway.sendToOperators({ method: 'GET', path: '/openapi.json' })
  const paths: Readonly<Record<string, object>> = Object(at(body, 'paths'))
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations)
      .filter(needsKey)
      .map(([method]) => ({
        method: method.toUpperCase(),
        path: path.replace(/\{\w+\}/g, 'x'),
      })),
  )
}

const attempt = (
  { method, path }: { readonly method: string; readonly path: string },
  token: string,
): Promise<RawResponse> =>
  gateway.sendToOperators({
    method,
    path,
    token,
    ...((method === 'POST' || method === 'PUT') && { body: {} }),
  })

test('GET /operator/me → 429 an operator who asks faster than a person can', async () => {
  expectOneLimited(await Promise.all(Array.from({ length: 60 }, () => me(ada))))
})

const TOGETHER = 10

test('ANY /operator/** → 429 an operator who asks faster than a person can', async () => {
  const hasty = await addOperator('hugo', 'AUDITOR')
  const left = [...(await everyOperation())]
  assert.ok(left.length > 30)
  while (left.length > 0) {
    const asked = left.splice(0, TOGETHER)
    // What is permitted at once is used up by others before.
    const [, ...answers] = await Promise.all([
      Promise.all(Array.from({ length: 60 }, () => me(hasty))),
      ...asked.map((operation) => attempt(operation, hasty)),
    ])
    for (const [index, answer] of answers.entries()) {
      const operation = asked[index]
      if (answer.status === 429) expectError(answer, 429, 'RATE_LIMIT_EXCEEDED')
      else if (operation !== undefined) left.push(operation)
    }
  }
})

test('GET /operator/me → 500, ANY /operator/** → 500 the database is away; and it goes on when it is back', async () => {
  const grace = gateway.operatorKey('grace')
  const operations = await everyOperation()
  await door.shut()
  const response = await me(grace)
  expectError(response, 500, 'SYSTEM')
  assert.doesNotMatch(response.text, /ECONNREFUSED|postgres|select /i)
  // More than an operator may ask at once; and on a busy machine a request may meet the end of a connection that was idle for five seconds.
  const answered = async (
    operation: Parameters<typeof attempt>[0],
    mayBeCut = true,
  ): Promise<RawResponse> => {
    const answer = await attempt(operation, grace).catch((error: unknown) => {
      if (mayBeCut && error instanceof TollgateError && error.code === 'NETWORK_FAILED') return undefined
      throw error
    })
    if (answer !== undefined && answer.status !== 429) return answer
    await sleep(100)
    return answered(operation, mayBeCut && answer !== undefined)
  }
  for (const answer of await Promise.all(operations.map((operation) => answered(operation))))
    expectError(answer, 500, 'SYSTEM')
  await door.open()
  expectSuccess(await me(grace), 200)
})

test('K1 wrong keys of one address are refused with 429 after some; a right one passes all the same', async () => {
  let refused: RawResponse | undefined
  for (let tries = 0; tries < 20 && refused === undefined; tries += 1) {
    const response = await me(`tgop_${String(tries).padStart(43, 'A')}`)
    if (response.status === 429) refused = response
    else expectError(response, 401, 'TOKEN_INVALID')
  }
  assert.ok(refused !== undefined, 'no 429 in 20 wrong keys')
  expectError(refused, 429, 'RATE_LIMIT_EXCEEDED')
  expectSuccess(await me(gateway.operatorKey('ada')), 200)
})
