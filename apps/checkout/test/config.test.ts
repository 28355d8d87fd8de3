import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { ConfigError } from '@tollgate/runtime/settings'
import { readConfig } from '../src/config.ts'

const SECRET = Buffer.alloc(32, 7)
const GOOD = {
  CHECKOUT_API_URL: 'http://127.0.0.1:8080',
  CHECKOUT_SECRET: SECRET.toString('base64'),
}

function refusal(environment: Readonly<Record<string, string>>): string {
  try {
    readConfig({ ...GOOD, ...environment })
  } catch (error) {
    assert.ok(error instanceof ConfigError)
    return error.message
  }
  return assert.fail(`taken: ${JSON.stringify(environment)}`)
}

test('two settings are enough; the rest is as for a first look', () => {
  assert.deepEqual(readConfig(GOOD), {
    host: '127.0.0.1',
    port: 8081,
    metricsHost: '127.0.0.1',
    metricsPort: 0,
    publicUrl: 'http://localhost:8081',
    apiUrl: 'http://127.0.0.1:8080',
    secret: SECRET,
    serviceKey: undefined,
    isLive: false,
    cell: undefined,
    trustProxy: [],
    addressRatePerSecond: 100,
    drainSeconds: 10,
  })
})

test('every setting is read', () => {
  const settings = readConfig({
    ...GOOD,
    CHECKOUT_HOST: '0.0.0.0',
    CHECKOUT_PORT: '9000',
    CHECKOUT_METRICS_HOST: '127.0.0.3',
    CHECKOUT_METRICS_PORT: '9001',
    CHECKOUT_PUBLIC_URL: 'https://pay.example/',
    CHECKOUT_SERVICE_KEY: 'k'.repeat(64),
    CHECKOUT_ENVIRONMENT: 'live',
    CHECKOUT_TRUST_PROXY: 'loopback, 10.0.0.0/8,fd00::/8 , 192.0.2.7',
    CHECKOUT_ADDRESS_RATE_PER_SECOND: '1',
    CHECKOUT_DRAIN_SECONDS: '600',
    CHECKOUT_CELL: 'B',
  })
  assert.equal(settings.cell, 'B')
  assert.equal(settings.publicUrl, 'https://pay.example')
  assert.deepEqual(settings.trustProxy, ['loopback', '10.0.0.0/8', 'fd00::/8', '192.0.2.7'])
  assert.deepEqual([settings.host, settings.metricsHost], ['0.0.0.0', '127.0.0.3'])
  assert.deepEqual([settings.port, settings.metricsPort, settings.addressRatePerSecond], [9000, 9001, 1])
  assert.equal(settings.isLive, true)
})

test('live trusts no proxy of any address', () => {
  const live = { CHECKOUT_ENVIRONMENT: 'live', CHECKOUT_PUBLIC_URL: 'https://pay.example' }
  for (const range of ['0.0.0.0/0', '::/0', 'loopback,192.0.2.7/0']) {
    assert.match(
      refusal({ ...live, CHECKOUT_TRUST_PROXY: range }),
      /^CHECKOUT_TRUST_PROXY must not hold .*\/0 in live: it means every address/,
    )
    readConfig({ ...GOOD, CHECKOUT_TRUST_PROXY: range })
  }
})

test('a file may hold a value, and only one of both says it', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-page-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'secret')
  writeFileSync(file, `${GOOD.CHECKOUT_SECRET}\n`)
  assert.deepEqual(readConfig({ ...GOOD, CHECKOUT_SECRET: '', CHECKOUT_SECRET_FILE: file }).secret, SECRET)
  assert.match(
    refusal({ CHECKOUT_SECRET_FILE: file }),
    /^CHECKOUT_SECRET and CHECKOUT_SECRET_FILE are both set/,
  )
  const gone = join(folder, 'gone')
  assert.equal(
    refusal({ CHECKOUT_SECRET: '', CHECKOUT_SECRET_FILE: gone }),
    `CHECKOUT_SECRET_FILE names ${gone}, which cannot be read.`,
  )
})

test('what cannot be used is refused in one line that names it and says what to do', () => {
  const wrong: readonly (readonly [string, string, RegExp])[] = [
    ['CHECKOUT_API_URL', '', /is missing: set it to .* such as http/],
    ['CHECKOUT_API_URL', 'localhost:8080', /must be an http or https address/],
    ['CHECKOUT_API_URL', 'ftp://a', /must be an http or https address/],
    ['CHECKOUT_API_URL', 'http://a/v2', /without path/],
    ['CHECKOUT_API_URL', 'http://me:hidden@a', /without path, query or password/],
    ['CHECKOUT_PUBLIC_URL', 'https://pay.example?x=1', /without path, query/],
    ['CHECKOUT_SECRET', '', /is missing: set it to what `tollgate checkout --settings` prints/],
    ['CHECKOUT_SECRET', 'c2hvcnQ=', /must be 32 bytes or more in base64/],
    ['CHECKOUT_SECRET', `${SECRET.toString('base64')}!`, /must be 32 bytes or more in base64/],
    ['CHECKOUT_SERVICE_KEY', 'short', /must be 16 characters or more/],
    ['CHECKOUT_SERVICE_KEY', `${'k'.repeat(20)}\n`, /without spaces/],
    ['CHECKOUT_PORT', '65536', /must be a whole number from 0 to 65535; it is "65536"/],
    ['CHECKOUT_PORT', '-1', /must be a whole number/],
    ['CHECKOUT_METRICS_PORT', '8081', /is 8081, like CHECKOUT_PORT/],
    ['CHECKOUT_ENVIRONMENT', 'production', /must be sandbox or live; it is "production"/],
    ['CHECKOUT_ENVIRONMENT', 'live', /^CHECKOUT_PUBLIC_URL must be an https address in live/],
    ['CHECKOUT_TRUST_PROXY', '10.0.0.0/8,proxy.local', /"proxy.local" is none/],
    ['CHECKOUT_TRUST_PROXY', '10.0.0.0/33', /"10.0.0.0\/33" is none/],
    ['CHECKOUT_TRUST_PROXY', '10.0.0.0/8/8', /is none/],
    ['CHECKOUT_ADDRESS_RATE_PER_SECOND', '0', /from 1 to 1000000/],
    ['CHECKOUT_DRAIN_SECONDS', '1.5', /from 1 to 600/],
    ['CHECKOUT_CELL', 'b', /must be the one capital letter/],
    ['CHECKOUT_CELL', 'AB', /must be the one capital letter/],
    ['CHECKOUT_PROT', '8081', /^CHECKOUT_PROT is not a setting\. There are: CHECKOUT_HOST,/],
  ]
  for (const [name, value, says] of wrong) {
    const message = refusal({ [name]: value })
    assert.match(message, says)
    assert.match(message, /^CHECKOUT_\w+ [^\n]*\.$/)
    assert.doesNotMatch(message, /hidden/)
  }
})
