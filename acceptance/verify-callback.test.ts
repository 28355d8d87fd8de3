import assert from 'node:assert/strict'
import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { callbackReceiver, freePort, type ReceivedRequest, waitUntil } from '@tollgate/testkit'
import { expectSuccess } from './support/expectations.ts'
import { CLI, startGateway, temporaryFolder } from './support/gateway.ts'
import { at, listAt } from './support/json.ts'
import { ALL_OPERATIONS } from './support/merchant.ts'
import { createPayin, newId } from './support/payins.ts'
import { runProgram, startProgram } from './support/process.ts'

// `tollgate verify` and `listen --forward`: real callbacks of a gateway, and what happens to them on their way.

const folder = temporaryFolder()
const file = (name: string): string => join(folder, name)
const gateway = await startGateway({ after })
await gateway.cli('merchants', 'rotate-callback-secret', 'DEMO').then(({ stdout }) => {
  writeFileSync(file('secret'), /whsec_\S+/.exec(stdout)?.[0] ?? '', { mode: 0o600 })
})
const token = await gateway.demo().token(...ALL_OPERATIONS, 'GET /merchant-info')
const keys = listAt(
  expectSuccess(await gateway.send({ method: 'GET', path: '/merchant-info', token }), 200),
  'callbackPublicKeys',
).map(String)
const callback = await received()

async function received(): Promise<ReceivedRequest> {
  const receiver = await callbackReceiver({ after })
  const wanted = { email: 'success@sandbox.test', callbackUrl: `${receiver.url}/` }
  await createPayin(gateway, token, { id: newId(), ...wanted })
  await receiver.waitForCount(1, 20_000)
  const [first] = receiver.requests
  assert.ok(first !== undefined)
  return first
}

/** The callback as a developer records it, changed or as it is. */
function recorded(body = callback.body, change = (headers: string): string => headers): string {
  const headers = headerLines(callback).map((line) => `${line}\r\n`)
  return `${change(`POST /callbacks HTTP/1.1\r\n${headers.join('')}`)}\r\n${body}`
}

function headerLines({ headers }: ReceivedRequest): readonly string[] {
  return Object.entries(headers).map(([name, value]) => `${name}: ${String(value)}`)
}

/** By a merchant's developer: there is no installation on this machine. */
async function verify(text: string, ...options: readonly string[]) {
  writeFileSync(file('callback.txt'), text)
  const settings = { TOLLGATE_DATA_DIR: file('nowhere') }
  return runProgram([CLI, 'verify', file('callback.txt'), ...options], settings)
}
const byKeys = keys.flatMap((key) => ['--key', key])

test('a callback as it came is right by a public key, by a shared secret, and by the installation that runs here', async () => {
  const bySecret = ['--secret-file', file('secret')]
  for (const options of [byKeys, bySecret, [...bySecret, ...byKeys]]) {
    const { code, stdout, stderr } = await verify(recorded(), ...options)
    assert.equal(code, 0, stderr)
    assert.match(stdout, /^The signature is right: by wh(?:pk_\S{7}|sec_)…, /)
  }
  writeFileSync(file('callback.txt'), recorded())
  const here = await gateway.cli('verify', file('callback.txt'), '--json')
  assert.equal(at(JSON.parse(here.stdout), 'isValid'), true)
})

const pretty = (body: string): string => JSON.stringify(JSON.parse(body), undefined, 2)
const { publicKey } = generateKeyPairSync('ed25519')
const stranger = `whpk_${Buffer.from(publicKey.export({ format: 'jwk' }).x ?? '', 'base64url').toString('base64')}`

for (const [name, text, told, options] of [
  [
    'a body that was parsed and written anew',
    () => recorded(pretty(callback.body)),
    /written anew from parsed JSON/,
  ],
  ['a line break behind the body', () => recorded(`${callback.body}\n`), /with a line break at its end/],
  ['another body', () => recorded('{"idEntity":"OTHER"}'), /No signature fits/],
  [
    'another time',
    () => recorded(callback.body, (headers) => headers.replace(/(webhook-timestamp: )\d+/, '$11')),
    /No signature fits/,
  ],
  [
    'headers that a proxy dropped',
    () => recorded(callback.body, (headers) => headers.replace(/webhook-(?:id|signature): .*\r\n/g, '')),
    /It has no webhook-id, no webhook-signature\./,
  ],
  ['keys of another merchant', () => recorded(), /No signature fits this key/, ['--key', stranger]],
  [
    'a signature of another kind',
    () => recorded(callback.body, (headers) => headers.replace(/v1a,\S+ ?/g, '')),
    /Its signatures are v1; these keys check v1a/,
  ],
] as const)
  test(`${name} is told`, async () => {
    const { code, stdout } = await verify(text(), ...(options ?? byKeys))
    assert.equal(code, 1)
    assert.match(stdout, told)
    assert.match(stdout, /\n-> \S/)
  })

test('what cannot be verified is refused in a sentence, and no secret is shown', async () => {
  writeFileSync(file('no-secret'), randomBytes(8))
  for (const [text, options, told] of [
    ['no request', byKeys, /There is no blank line between headers and body/],
    [recorded(), ['--key', 'whpk_short'], /--key must be one of callbackPublicKeys/],
    [recorded(), ['--secret-file', file('no-secret')], /must have a shared secret in it/],
    [recorded(), ['--secret-file', file('missing')], /cannot be read: it does not exist/],
    [recorded(), [], /Name the keys by --key: GET \/merchant-info shows them/],
  ] as const) {
    const { code, stdout, stderr } = await verify(text, ...options)
    assert.equal(code, 2, stderr)
    assert.equal(stdout, '')
    assert.match(stderr, told)
  }
})

test('a callback that is handed on comes to the server byte for byte, and has its answer; a dead server is told', async () => {
  const server = await callbackReceiver({ after }, { answer: () => 418 })
  const port = await freePort()
  const to = `${server.url}/webhooks?from=tollgate`
  const listener = startProgram([CLI, 'listen', '--port', String(port), '--forward', to, '--json'], {
    TOLLGATE_DATA_DIR: file('nowhere'),
  })
  after(() => {
    listener.kill('SIGTERM')
  })
  const listening = { timeoutMs: 60_000, what: 'the listener' }
  await waitUntil(() => listener.stderr().includes(`handed on to ${to}`), listening)
  const id = newId()
  const callbackUrl = `http://127.0.0.1:${port}/callbacks`
  await createPayin(gateway, token, { id, email: 'success@sandbox.test', callbackUrl })
  await server.waitForCount(1, 20_000)
  const [taken] = server.requests
  assert.equal(taken?.path, '/webhooks?from=tollgate')
  writeFileSync(file('callback.txt'), [...headerLines(taken), '', taken.body].join('\r\n'))
  const { code, stderr } = await runProgram([CLI, 'verify', file('callback.txt'), ...byKeys], {
    TOLLGATE_DATA_DIR: file('nowhere'),
  })
  assert.equal(code, 0, stderr)

  await server.close()
  await fetch(callbackUrl, { method: 'POST', body: '{}' }).then((answer) => assert.equal(answer.status, 502))
  assert.match(listener.stderr(), /Nothing answers at http:\S+webhooks\S*: start your server there\./)
  listener.kill('SIGTERM')
  assert.equal(await listener.end, 0)
  const answers = listener.stdout().trim().split('\n')
  assert.deepEqual(
    answers.map((line) => at(JSON.parse(line), 'answered')),
    [418, 502],
  )
})
