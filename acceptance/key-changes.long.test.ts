import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { createGateway, type RawRequest, type RawResponse, verifyCallback } from '@tollgate/sdk'
import { callbackReceiver, freePort, type ReceivedRequest, runtimeUrl, waitUntil } from '@tollgate/testkit'
import { expectSuccess } from './support/expectations.ts'
import { CLI, startGateway } from './support/gateway.ts'
import { listAt, textAt } from './support/json.ts'
import { ALL_OPERATIONS } from './support/merchant.ts'
import { createRequest, newId, readPayin } from './support/payins.ts'
import { type Program, runProgram, type Settings, startProgram } from './support/process.ts'

// One database and several processes, whose keys change while merchants' servers go on: nobody is refused.

const TIMEOUT_MS = 60_000
const MERCHANTS_SERVERS = 4
const PAUSE_MS = 40
const DRAIN_MS = 300
const TRIES_MAX = 5
const ROUNDS_BETWEEN = 25

// It works the callbacks off, and stays as it is: a running process needs no master key.
const gateway = await startGateway({ after })
const { databaseUrl = '' } = gateway
const demo = gateway.demo()
const oldKey = join(gateway.dataDir, 'master.key')
const newKey = join(gateway.dataDir, 'new.key')
writeFileSync(newKey, randomBytes(32).toString('base64'), { mode: 0o600 })
const receiver = await callbackReceiver({ after })
const token = await demo.token(...ALL_OPERATIONS)

const COMMON = {
  TOLLGATE_DATA_DIR: gateway.dataDir,
  TOLLGATE_DATABASE_URL: runtimeUrl(databaseUrl),
  TOLLGATE_SIMULATOR_PORT: '0',
  TOLLGATE_SHOP_PORT: '0',
  TOLLGATE_CONSOLE_PORT: '0',
  TOLLGATE_PUBLIC_SIMULATOR_URL: 'https://simulator.example',
}
const WITH_OLD = { ...COMMON, TOLLGATE_MASTER_KEY_FILE: oldKey }
const WITH_NEW = { ...COMMON, TOLLGATE_MASTER_KEY_FILE: newKey }
const WITH_BOTH = { ...WITH_NEW, TOLLGATE_PREVIOUS_MASTER_KEY_FILE: oldKey }

/** A process of the API, as the proxy in front of it sees it. */
interface Member {
  readonly program: Program
  request(request: RawRequest): Promise<RawResponse>
}

async function freePorts() {
  const [api, operator, metrics] = await Promise.all([freePort(), freePort(), freePort()])
  return {
    TOLLGATE_API_PORT: String(api),
    TOLLGATE_OPERATOR_PORT: String(operator),
    TOLLGATE_METRICS_PORT: String(metrics),
  }
}

async function startMember(settings: Settings): Promise<Member> {
  const ports = await freePorts()
  const program = startProgram([CLI, 'serve'], { ...settings, ...ports })
  const isOver = (): boolean =>
    program.stderr().includes('the gateway is ready') || program.ended() !== undefined
  await waitUntil(isOver, { timeoutMs: TIMEOUT_MS, what: 'a process to be ready' })
  assert.equal(program.ended(), undefined, program.stderr())
  const wire = createGateway({
    baseUrl: `http://127.0.0.1:${ports.TOLLGATE_API_PORT}`,
    merchantCode: 'DEMO',
    retries: 0,
  })
  return { program, request: (request) => wire.request(request) }
}

/** Those that requests are sent to, in turn. */
let rotation: readonly Member[] = await Promise.all([startMember(WITH_OLD), startMember(WITH_OLD)])
after(() => Promise.all(rotation.map(({ program }) => end(program))))

async function end(program: Program): Promise<void> {
  program.kill('SIGTERM')
  assert.equal(await program.end, 0, program.stderr())
}

/** As a rolling restart does it: the new process takes over, the old one gets nothing new, then it is asked to end. */
async function replace(index: 0 | 1, settings: Settings): Promise<void> {
  const next = await startMember(settings)
  const last = rotation[index]
  rotation = rotation.with(index, next)
  // What was sent to the old one has arrived there: an idle connection is closed at once.
  await sleep(DRAIN_MS)
  if (last !== undefined) await end(last.program)
}

const failed: string[] = []
const accepted: string[] = []
let rounds = 0

/** At whoever's turn it is; a 500, which a machine that is too busy may cause, says nothing, and the same is sent again. */
async function sendUntilDecided(request: RawRequest) {
  for (let sent = 1; ; sent += 1) {
    const member = rotation[rounds++ % rotation.length] ?? assert.fail('nobody is there')
    const answer = await member.request(request)
    if (answer.status !== 500 || sent === TRIES_MAX) return { ...answer, sent }
    await sleep(PAUSE_MS)
  }
}

/** A merchant's server: a token by the secret, a payin, and a look at it. */
async function serve(isOver: () => boolean): Promise<void> {
  const expect = async (request: RawRequest, status: number): Promise<void> => {
    const answer = await sendUntilDecided(request)
    const isRepeat = answer.status === 409 && answer.sent > 1
    if (answer.status !== status && !isRepeat)
      failed.push(`${request.method} ${request.path}: ${answer.text}`)
  }
  const bySecret = { merchantCode: demo.code, secret: demo.secret, operations: ['GET /segments'] }
  while (!isOver()) {
    const id = newId()
    await expect({ method: 'POST', path: '/auth-tokens', body: bySecret }, 200)
    await expect(createRequest(token, id, { email: 'success@sandbox.test', callbackUrl: receiver.url }), 201)
    await expect({ method: 'GET', path: `/payins/${id}`, token }, 200)
    accepted.push(id)
    await sleep(PAUSE_MS)
  }
}

/** Does the work while merchants' servers go on, before, meanwhile and after. */
async function underLoad(work: () => Promise<void>): Promise<void> {
  let isOver = false
  const load = Promise.all(Array.from({ length: MERCHANTS_SERVERS }, () => serve(() => isOver)))
  try {
    await untilMore()
    await work()
    await untilMore()
  } finally {
    isOver = true
    await load
  }
  assert.deepEqual([...new Set(failed)], [])
}

function untilMore(): Promise<void> {
  const enough = rounds + ROUNDS_BETWEEN
  return waitUntil(() => rounds >= enough, { timeoutMs: TIMEOUT_MS, what: 'more requests' })
}

async function callbackKeys(): Promise<readonly string[]> {
  const body = expectSuccess(await gateway.send({ method: 'GET', path: '/merchant-info', token }), 200)
  return listAt(body, 'callbackPublicKeys').map(String)
}

async function verifies(
  { headers, bodyBytes }: ReceivedRequest,
  publicKey: string | undefined,
): Promise<boolean> {
  try {
    await verifyCallback({ headers, body: bodyBytes, publicKeys: [publicKey ?? ''] })
    return true
  } catch {
    return false
  }
}

/** Every payin so far has been called back. */
async function called(): Promise<readonly ReceivedRequest[]> {
  const calledBack = (): Set<string> =>
    new Set(receiver.requests.map(({ body }) => textAt(JSON.parse(body), 'idEntity')))
  await waitUntil(() => calledBack().size >= accepted.length, {
    timeoutMs: TIMEOUT_MS,
    what: 'the callbacks',
  })
  return receiver.requests
}

test('the master key changes by a rolling restart: not one request fails, and every other key stays', async () => {
  const before = await callbackKeys()
  await underLoad(async () => {
    await replace(0, WITH_BOTH)
    const { stdout } = await runProgram([CLI, 'keys', 'rewrap', '--json'], WITH_BOTH)
    assert.match(stdout, /"previousMasterKeyId": "[0-9a-f]{8}"/)
    const withOld = { ...WITH_OLD, ...(await freePorts()) }
    const [old] = await Promise.all([runProgram([CLI, 'serve'], withOld), replace(1, WITH_NEW)])
    assert.equal(old.code, 2)
    assert.match(
      old.stderr,
      /^The master key \([0-9a-f]{8}\) is not the one this database was used with .*\n$/,
    )
  })
  assert.deepEqual(await callbackKeys(), before)
  for (const call of await called()) assert.ok(await verifies(call, before[0]))
  const [id = ''] = accepted
  assert.equal(textAt(await readPayin(gateway, token, id), 'paymentMethodResponse', 'idPayin'), id)
})

test('a callback key changes: callbacks verify by the old one and by the new one, and not one request fails', async () => {
  const [oldPublicKey] = await callbackKeys()
  const from = receiver.requests.length
  await underLoad(async () => {
    await gateway.cli('merchants', 'rotate-callback-key', demo.code)
    const isNew = async (): Promise<boolean> => (await callbackKeys())[0] !== oldPublicKey
    await waitUntil(isNew, { timeoutMs: TIMEOUT_MS, what: 'the new key in the merchant info' })
  })
  const [newPublicKey, stillPublic] = await callbackKeys()
  assert.equal(stillPublic, oldPublicKey)
  const calls = (await called()).slice(from)
  for (const call of calls)
    assert.ok(await verifies(call, oldPublicKey), 'who has not fetched the new key yet')
  const last = calls.at(-1)
  assert.ok(last !== undefined && (await verifies(last, newPublicKey)))
})
