import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readConfig } from '../src/config.ts'
import { openRig, PASSKEY_ASKED, refusal } from './support.ts'

const BEGUN = { body: PASSKEY_ASKED }
const BEGIN = 'POST /operator/sessions/passkey/!begin'
/** It stands still, so that nothing is granted anew. */
const clock = { nowMs: () => Date.parse('2026-11-21T10:15:28.001Z') }
const AT_ONCE = 20
const MANY = 60

const countOf = (statuses: readonly number[], status: number): number =>
  statuses.filter((each) => each === status).length

test('K104 a visitor who floods the sign-in is refused by the console, and another one behind the same proxy signs in', async (t) => {
  const rig = await openRig(t, { [BEGIN]: BEGUN }, { trustProxy: ['loopback'], clock })
  const begin = async (address: string): Promise<number> =>
    (await rig.post('/sign-in/passkey', { next: '/' }, { 'x-forwarded-for': address })).status
  // What a client claims stands before what the proxy adds, and a /64 is one visitor.
  const flood = await Promise.all(
    Array.from({ length: MANY }, (_, index) => begin(`198.51.100.${index}, 2001:db8:1:2::${index}`)),
  )
  assert.equal(countOf(flood, 200), AT_ONCE)
  assert.equal(countOf(flood, 429), MANY - AT_ONCE)
  assert.equal(await begin('2001:db8:1:3::1'), 200)
  assert.equal(await begin('192.0.2.7'), 200)
  assert.equal(rig.heard.length, AT_ONCE + 2)
  assert.equal(rig.heard.at(-1)?.forwardedFor, '192.0.2.7')
})

test('K104 without a trusted proxy X-Forwarded-For is ignored: it makes no other visitor, and is not passed on', async (t) => {
  const rig = await openRig(t, { [BEGIN]: BEGUN }, { clock })
  const answers = await Promise.all(
    Array.from({ length: MANY }, (_, index) =>
      rig.post('/sign-in/passkey', { next: '/' }, { 'x-forwarded-for': `192.0.2.${index}` }),
    ),
  )
  const refused = answers.filter(({ status }) => status === 429)
  assert.equal(refused.length, MANY - AT_ONCE)
  assert.match(refused[0]?.headers.get('retry-after') ?? '', /^[1-9]\d*$/)
  assert.match((await refused[0]?.text()) ?? '', /Too many requests.*Nothing was changed/s)
  assert.deepEqual([...new Set(rig.heard.map(({ forwardedFor }) => forwardedFor))], ['127.0.0.1'])
})

test('K104 every way to the operator API without a session is limited, and the screens of who is signed in are not', async (t) => {
  const rig = await openRig(t, { 'POST /operator/sessions': refusal(401, 'TOKEN_INVALID', 'no') }, { clock })
  const flood = await Promise.all(
    Array.from({ length: MANY }, (_, index) =>
      index % 2 === 0 ? rig.get('/sign-in') : rig.post('/sign-in', { key: 'tgop_4Q7XWB2K9M-4Q7XWB2K9M' }),
    ),
  )
  assert.equal(flood.filter(({ status }) => status === 429).length, MANY - AT_ONCE)
  for (const path of ['/invitation', '/sign-in/company'])
    assert.equal((await rig.get(path)).status, 429, path)
  for (const path of ['/invitation', '/invitation/touched', '/invitation/company', '/sign-in/touched'])
    assert.equal((await rig.post(path, {})).status, 429, path)
  assert.notEqual((await rig.get('/payments')).status, 429)
  assert.equal((await fetch(`${rig.url}/livez`)).status, 200)
})

test('proxies are named by addresses and ranges, and live refuses all addresses', () => {
  const given = { CONSOLE_API_URL: 'http://127.0.0.1:8084' }
  assert.deepEqual(readConfig(given).trustProxy, [])
  const named = { ...given, CONSOLE_TRUST_PROXY: 'loopback, 10.0.0.0/8' }
  assert.deepEqual(readConfig(named).trustProxy, ['loopback', '10.0.0.0/8'])
  assert.throws(
    () => readConfig({ ...given, CONSOLE_TRUST_PROXY: 'proxy.local' }),
    /^ConfigError: CONSOLE_TRUST_PROXY must hold addresses or ranges .* "proxy.local" is none/,
  )
  const all = { ...given, CONSOLE_TRUST_PROXY: '0.0.0.0/0' }
  assert.deepEqual(readConfig(all).trustProxy, ['0.0.0.0/0'])
  assert.throws(
    () => readConfig({ ...all, CONSOLE_ENVIRONMENT: 'live' }),
    /CONSOLE_TRUST_PROXY must not hold 0.0.0.0\/0 in live/,
  )
})
