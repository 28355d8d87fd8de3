import assert from 'node:assert/strict'
import { request } from 'node:http'
import { text } from 'node:stream/consumers'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { softwareAuthenticator } from '@tollgate/testkit'
import { expectSuccess } from '../support/expectations.ts'
import { startGateway } from '../support/gateway.ts'
import { textAt } from '../support/json.ts'
import { operatorsOf } from '../support/operators.ts'
import { passkeysAt } from '../support/passkeys.ts'

// The console's sign-in, which strangers may ask as well. A proxy on another machine is in front of it; the console itself is beside
// the operator API, and no proxy that the settings name.

const PROXY = '127.0.0.9'
const gateway = await startGateway({ after }, { console: true, settings: { TOLLGATE_TRUST_PROXY: PROXY } })
const operators = await operatorsOf(gateway, { adam: ['adam', 'ADMIN'], olga: ['olga', 'AUDITOR'] })
const { host, port } = new URL(gateway.consoleUrl)
const device = softwareAuthenticator(gateway.consoleUrl)
const invitation = expectSuccess(await operators.post('adam', 'invitations', { operatorCode: 'olga' }), 201)
expectSuccess(await passkeysAt(gateway).register(textAt(invitation, 'secret'), device), 201)

interface Answer {
  readonly status: number | undefined
  readonly text: string
}

/** A form that a visitor at this address sends through the proxy. */
function send(visitor: string, path: string, form: Readonly<Record<string, string>> = {}): Promise<Answer> {
  const headers = {
    host,
    origin: gateway.consoleUrl,
    'content-type': 'application/x-www-form-urlencoded',
    'x-forwarded-for': visitor,
  }
  return new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port, localAddress: PROXY, method: 'POST', path, headers })
    sent.once('error', reject).once('response', (response) => {
      text(response).then((body) => resolve({ status: response.statusCode, text: body }), reject)
    })
    sent.end(new URLSearchParams({ next: '/', ...form }).toString())
  })
}

const fieldOf = (page: string, pattern: RegExp): string =>
  (pattern.exec(page)?.[1] ?? assert.fail(page)).replaceAll('&quot;', '"')

/** Begins, and finishes with what this device says. */
async function signIn(visitor: string, by: typeof device): Promise<number | undefined> {
  const begun = await send(visitor, '/sign-in/passkey')
  if (begun.status !== 200) return begun.status
  const options: unknown = JSON.parse(fieldOf(begun.text, /data-options="([^"]*)"/))
  const answer = {
    'passkey.challenge': fieldOf(begun.text, /name="passkey\.challenge" value="([^"]*)"/),
    'passkey.credential': JSON.stringify(by.get(textAt(options, 'challenge'))),
  }
  return (await send(visitor, '/sign-in/touched', answer)).status
}

const STRANGERS = Array.from({ length: 40 }, (_, index) => `198.51.100.${index}`)
const ROUNDS = 5

test('K104 strangers who flood the console’s sign-in, from one address or from many, keep no operator out', async () => {
  const loud = Promise.all(Array.from({ length: 100 }, () => send('203.0.113.7', '/sign-in/passkey')))
  const many = STRANGERS.map(async (stranger) => {
    for (let round = 0; round < ROUNDS; round += 1) await send(stranger, '/sign-in/passkey')
  })
  assert.equal(await signIn('192.0.2.7', device), 303)
  await Promise.all(many)
  assert.ok((await loud).some(({ status }) => status === 429))
  assert.equal(await signIn('192.0.2.8', device), 303)
})

/** More than an address may answer wrongly in a minute. */
const WRONG = 12
/** So that no other limit is met. */
const PAUSE_MS = 300

test('K104 wrong answers count for who sends them, and after too many a right one still passes', async () => {
  const other = softwareAuthenticator(gateway.consoleUrl)
  const strangers = Array.from({ length: WRONG }, (_, index) => `203.0.113.${100 + index}`)
  const wrong = await Promise.all(strangers.map((stranger) => signIn(stranger, other)))
  assert.deepEqual(new Set(wrong), new Set([401]))
  const guesser = '203.0.113.8'
  const guesses: (number | undefined)[] = []
  for (let count = 0; count < WRONG; count += 1) {
    guesses.push(await signIn(guesser, other))
    await sleep(PAUSE_MS)
  }
  assert.equal(guesses.at(-1), 429)
  assert.equal(await signIn('192.0.2.9', other), 401)
  assert.equal(await signIn(guesser, device), 303)
})
