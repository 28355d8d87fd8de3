import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { ConfigError, describeConfig, readConfig } from '../config.ts'

const LIVE = {
  TOLLGATE_ENVIRONMENT: 'live',
  TOLLGATE_PUBLIC_API_URL: 'https://api.pay.example',
  TOLLGATE_PUBLIC_CHECKOUT_URL: 'https://pay.example',
}

const sentenceFor = (environment: Record<string, string>): string => {
  try {
    readConfig(environment)
  } catch (error) {
    assert(error instanceof ConfigError)
    return error.message
  }
  throw new Error(`${JSON.stringify(environment)} was accepted`)
}

test('without any setting it is a sandbox on this machine', () => {
  const config = readConfig({ PATH: '/bin', HOME: '/root' })
  assert.equal(config.isLive, false)
  assert.equal(config.publicApiUrl, 'http://localhost:8080')
  assert.equal(config.TOLLGATE_HOST, '127.0.0.1')
  assert.equal(config.callbackAllowPrivate, true)
  assert.deepEqual(config.trustProxy, [])
})

test('commands ask the operator API where it listens', () => {
  const at = (host: string): string => readConfig({ TOLLGATE_OPERATOR_HOST: host }).publicOperatorUrl
  assert.deepEqual(['0.0.0.0', '127.0.0.2', '::1'].map(at), [
    'http://localhost:8084',
    'http://127.0.0.2:8084',
    'http://[::1]:8084',
  ])
})

test('settings arrive as texts and become what they mean', () => {
  const config = readConfig({
    TOLLGATE_API_PORT: '9000',
    TOLLGATE_CALLBACK_ALLOW_PRIVATE: 'false',
    TOLLGATE_TRUST_PROXY: ' 10.0.0.0/8 ,loopback,, ::1',
    TOLLGATE_PUBLIC_CHECKOUT_URL: 'https://pay.example/',
    TOLLGATE_LOG_LEVEL: '',
  })
  assert.equal(config.TOLLGATE_API_PORT, 9000)
  assert.equal(config.publicApiUrl, 'http://localhost:9000')
  assert.equal(config.publicCheckoutUrl, 'https://pay.example')
  assert.equal(config.callbackAllowPrivate, false)
  assert.deepEqual(config.trustProxy, ['10.0.0.0/8', 'loopback', '::1'])
  assert.equal(config.TOLLGATE_LOG_LEVEL, 'info')
})

const BAD: readonly (readonly [string, string, RegExp])[] = [
  ['TOLLGATE_ENVIRONMENT', 'production', /must be one of sandbox, live; it is "production"/],
  ['TOLLGATE_API_PORT', 'http', /must be a whole number; it is "http"/],
  ['TOLLGATE_API_PORT', '80.5', /must be a whole number/],
  ['TOLLGATE_API_PORT', '-1', /must be at least 0/],
  ['TOLLGATE_API_PORT', '65536', /must be at most 65535/],
  ['TOLLGATE_DATABASE_POOL_MAX', '1', /must be at least 2/],
  ['TOLLGATE_DATABASE_URL', 'mysql://db/tollgate', /must be a PostgreSQL address/],
  ['TOLLGATE_DATABASE_URL', 'postgres://user:pass word@db/x', /must be a PostgreSQL address/],
  ['TOLLGATE_DATABASE_URL', 'postgres://[db/x', /must be a PostgreSQL address/],
  [
    'TOLLGATE_DATABASE_URL',
    'postgres://u:p@a:5432,b:5432/x',
    /names several hosts.*proxy that follows the primary/,
  ],
  ['TOLLGATE_DATABASE_URL', 'postgres://a,b/x', /names several hosts/],
  ['TOLLGATE_DATABASE_URL', 'postgres:///x?host=a,b', /names several hosts/],
  ['TOLLGATE_DATABASE_URL', 'postgres:///x?user=u&host=a%2Cb', /names several hosts/],
  ['TOLLGATE_REDIS_URL', 'http://cache/0', /must be a Redis address/],
  ['TOLLGATE_REDIS_URL', 'redis://[cache', /must be a Redis address/],
  ['TOLLGATE_PUBLIC_API_URL', 'pay.example', /must be an http or https address/],
  ['TOLLGATE_PUBLIC_API_URL', 'https://pay.example/?a=1', /must be an http or https address/],
  ['TOLLGATE_CALLBACK_ALLOW_PRIVATE', 'yes', /must be true or false; it is "yes"/],
  [
    'TOLLGATE_CALLBACK_ALLOW_CIDR',
    '10.0.0.0/8,intranet',
    /ranges such as 10\.0\.0\.0\/8; "intranet" is none/,
  ],
  ['TOLLGATE_CALLBACK_ALLOW_CIDR', '10.0.0.0/33', /is none/],
  ['TOLLGATE_TRUST_PROXY', 'true', /"true" is none/],
  ['TOLLGATE_TIMESTAMP_TOLERANCE_SECONDS', '0', /must be at least 1/],
  ['TOLLGATE_LOG_LEVEL', 'loud', /must be one of debug, info, warn, error, silent/],
  ['TOLLGATE_DRAIN_SECONDS', '601', /must be at most 600/],
]

for (const [name, value, rule] of BAD) {
  test(`${name}=${value} gets one sentence that names it`, () => {
    const sentence = sentenceFor({ [name]: value })
    assert.ok(sentence.startsWith(`${name} `), sentence)
    assert.match(sentence, rule)
    assert.match(sentence, /\.$/)
  })
}

test('an address with its password is never shown', () => {
  for (const address of [
    'mysql://tollgate:hunter2@db/x',
    'postgres://a:hunter2 @db/x',
    'postgres://a:hunter2@[x/y',
    'postgres://a:hunter2@x,y/z',
  ])
    assert.doesNotMatch(sentenceFor({ TOLLGATE_DATABASE_URL: address }), /hunter2/)
  for (const address of ['http://cache:hunter2@x', 'redis://:hunter2@[x'])
    assert.doesNotMatch(sentenceFor({ TOLLGATE_REDIS_URL: address }), /hunter2/)
})

test('a comma in a password, or in a name, is not between hosts', () => {
  for (const address of ['postgres://u,v:a,b@db/x', 'postgres://db/a,b?application_name=a,b'])
    assert.equal(readConfig({ TOLLGATE_DATABASE_URL: address }).TOLLGATE_DATABASE_URL, address)
})

test('a setting that does not exist is refused: its default would go on in silence', () => {
  assert.match(sentenceFor({ TOLLGATE_PORT: '80' }), /^TOLLGATE_PORT is not a setting/)
  assert.match(sentenceFor({ TOLLGATE_PORT_FILE: '/x' }), /^TOLLGATE_PORT_FILE is not a setting/)
  readConfig({ TOLLGATE_TEST_SERVER_URL: 'postgres://x' })
})

test('a value may be in a file, and then only there', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-config-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'database-url')
  writeFileSync(file, 'postgres://tollgate@db/tollgate\n')
  const fromFile = { TOLLGATE_DATABASE_URL_FILE: file }
  assert.equal(readConfig(fromFile).TOLLGATE_DATABASE_URL, 'postgres://tollgate@db/tollgate')
  assert.equal(
    readConfig({ ...fromFile, TOLLGATE_DATABASE_URL: '' }).TOLLGATE_DATABASE_URL,
    'postgres://tollgate@db/tollgate',
  )
  assert.match(sentenceFor({ ...fromFile, TOLLGATE_DATABASE_URL: 'postgres://other/x' }), /are both set/)
  assert.match(sentenceFor({ TOLLGATE_DATABASE_URL_FILE: join(folder, 'none') }), /cannot be read/)
})

test('live refuses what only makes sense in a sandbox', () => {
  const config = readConfig(LIVE)
  assert.equal(config.isLive, true)
  assert.equal(config.callbackAllowPrivate, false)
  assert.match(sentenceFor({ TOLLGATE_ENVIRONMENT: 'live' }), /^TOLLGATE_PUBLIC_API_URL must/)
  assert.match(
    sentenceFor({ ...LIVE, TOLLGATE_PUBLIC_API_URL: 'http://pay.example' }),
    /TOLLGATE_PUBLIC_API_URL .* https/,
  )
  assert.match(
    sentenceFor({ ...LIVE, TOLLGATE_PUBLIC_CHECKOUT_URL: 'http://pay.example' }),
    /TOLLGATE_PUBLIC_CHECKOUT_URL/,
  )
  assert.match(
    sentenceFor({ ...LIVE, TOLLGATE_CALLBACK_ALLOW_PRIVATE: 'true' }),
    /TOLLGATE_CALLBACK_ALLOW_PRIVATE/,
  )
})

for (const [name, ranges] of [
  ['TOLLGATE_CALLBACK_ALLOW_CIDR', '10.0.0.0/8,0.0.0.0/0'],
  ['TOLLGATE_CALLBACK_ALLOW_CIDR', '::/0'],
  ['TOLLGATE_CALLBACK_ALLOW_CIDR', '203.0.113.7/0'],
  ['TOLLGATE_TRUST_PROXY', '0.0.0.0/0'],
  ['TOLLGATE_TRUST_PROXY', 'loopback,::/00'],
] as const) {
  test(`live refuses ${name}=${ranges}: it means every address`, () => {
    readConfig({ [name]: ranges })
    assert.match(
      sentenceFor({ ...LIVE, [name]: ranges }),
      new RegExp(`^${name} must not hold .*/0+ in live: `),
    )
  })
}

test('every setting says what it is for', () => {
  for (const { name, description } of describeConfig()) assert.match(description, /\S.*\.$/, name)
})

test('live needs a second person from zero on, the sandbox does not, and a setting says otherwise', () => {
  assert.equal(readConfig(LIVE).needsSecondPerson, true)
  assert.equal(readConfig(LIVE).TOLLGATE_SECOND_PERSON_FROM, '')
  assert.equal(readConfig(LIVE).TOLLGATE_STATEMENTS_DIR_IS_CHANNEL, undefined)
  assert.equal(readConfig({}).needsSecondPerson, false)
  assert.equal(readConfig({ TOLLGATE_SECOND_PERSON: 'on' }).needsSecondPerson, true)
  assert.equal(readConfig({ ...LIVE, TOLLGATE_SECOND_PERSON: 'off' }).needsSecondPerson, false)
  const from = readConfig({ TOLLGATE_SECOND_PERSON_FROM: 'EUR=500, CZK=10000.50' })
  assert.equal(from.TOLLGATE_SECOND_PERSON_FROM, 'EUR=500,CZK=10000.50')
  for (const wrong of ['EUR', 'EUR=', 'EUR=-1', 'EUR=1e3', 'eur=1', 'EUR=1,EUR=2', 'EUR=1;CZK=2'])
    assert.match(
      sentenceFor({ TOLLGATE_SECOND_PERSON_FROM: wrong }),
      /one amount per currency, such as EUR=500/,
    )
  assert.match(sentenceFor({ TOLLGATE_SECOND_PERSON: 'perhaps' }), /must be one of on, off/)
})

test('files of payouts are made at times of a day, in a zone', () => {
  assert.equal(readConfig({}).TOLLGATE_PAYOUT_FILES_AT, '')
  const set = {
    TOLLGATE_PAYOUT_FILES_AT: 'EUR=08:30, EUR=23:59',
    TOLLGATE_PAYOUT_FILES_ZONE: 'europe/prague',
  }
  assert.equal(readConfig(set).TOLLGATE_PAYOUT_FILES_AT, 'EUR=08:30,EUR=23:59')
  assert.equal(readConfig(set).TOLLGATE_PAYOUT_FILES_ZONE, 'Europe/Prague')
  for (const wrong of ['08:30', 'EUR=8:30', 'EUR=24:00', 'EUR=08:60', 'eur=08:30', 'EUR=08:30;CZK=10:00'])
    assert.match(
      sentenceFor({ TOLLGATE_PAYOUT_FILES_AT: wrong }),
      /times of a day by currency, such as EUR=08:30/,
    )
  assert.match(
    sentenceFor({ TOLLGATE_PAYOUT_FILES_ZONE: 'Prague' }),
    /must be the name of a time zone, such as Europe\/Prague; it is "Prague"/,
  )
})

test('live has no passkeys until the address of the console is set, which is https', () => {
  assert.equal(readConfig({}).publicConsoleUrl, 'http://localhost:8082')
  assert.equal(readConfig(LIVE).publicConsoleUrl, undefined)
  const at = (url: string) => ({ ...LIVE, TOLLGATE_PUBLIC_CONSOLE_URL: url })
  assert.equal(readConfig(at('https://console.pay.example/')).publicConsoleUrl, 'https://console.pay.example')
  assert.match(sentenceFor(at('http://console.pay.example')), /TOLLGATE_PUBLIC_CONSOLE_URL must be an https/)
})

test('a provider of identities has all that it needs or is not there, and is reached by https alone', () => {
  const whole = {
    TOLLGATE_OIDC_ISSUER: 'https://login.example/tenant',
    TOLLGATE_OIDC_CLIENT_ID: 'tollgate',
    TOLLGATE_OIDC_CLIENT_SECRET_FILE: '/etc/tollgate/oidc-secret',
  }
  assert.equal(readConfig({}).oidc, undefined)
  assert.deepEqual(readConfig({ ...whole, TOLLGATE_OIDC_CLAIM: 'groups=a=b' }).oidc, {
    issuer: 'https://login.example/tenant',
    clientId: 'tollgate',
    scope: 'openid',
    secretFile: '/etc/tollgate/oidc-secret',
    name: 'your company account',
    claim: { name: 'groups', value: 'a=b' },
  })
  const { TOLLGATE_OIDC_ISSUER: issuer, ...without } = whole
  assert.match(sentenceFor(without), /TOLLGATE_OIDC_CLIENT_ID needs TOLLGATE_OIDC_ISSUER/)
  assert.match(sentenceFor({ TOLLGATE_OIDC_ISSUER: issuer }), /TOLLGATE_OIDC_CLIENT_ID is missing/)
  const at = (url: string) => ({ ...whole, TOLLGATE_OIDC_ISSUER: url })
  assert.match(sentenceFor(at('http://login.example')), /must begin with https/)
  assert.match(sentenceFor(at('https://ada:pw@login.example')), /without user or password/)
  assert.equal(readConfig(at('http://localhost:9000')).oidc?.issuer, 'http://localhost:9000')
  const console = { TOLLGATE_PUBLIC_CONSOLE_URL: 'https://console.pay.example' }
  assert.match(sentenceFor({ ...LIVE, ...console, ...at('http://localhost:9000') }), /must begin with https/)
  assert.match(sentenceFor({ ...LIVE, ...whole }), /needs TOLLGATE_PUBLIC_CONSOLE_URL/)
})
