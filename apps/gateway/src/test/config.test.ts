import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { ConfigError, describeConfig, readConfig } from '../config.ts'

const LIVE = {
  TOLLGATE_ENVIRONMENT: 'live',
  TOLLGATE_PUBLIC_API_URL: 'https://api.example.com/',
  TOLLGATE_PUBLIC_CHECKOUT_URL: 'https://pay.example.com',
}

function problemOf(environment: Record<string, string>): string {
  try {
    readConfig(environment)
  } catch (error) {
    assert.ok(error instanceof ConfigError, String(error))
    return error.message
  }
  return assert.fail('the settings were accepted')
}

test('without any setting everything has its default', () => {
  const config = readConfig({})
  assert.equal(config.TOLLGATE_API_PORT, 8080)
  assert.equal(config.TOLLGATE_CALLBACK_INTERVAL_SECONDS, 120)
  assert.equal(config.isLive, false)
  assert.equal(config.callbackAllowPrivate, true)
  assert.equal(config.publicApiUrl, 'http://localhost:8080')
})

test('a value that cannot be used gives one sentence that names the variable', () => {
  const table: readonly (readonly [string, string])[] = [
    ['TOLLGATE_API_PORT', 'abc'],
    ['TOLLGATE_API_PORT', '70000'],
    ['TOLLGATE_API_PORT', '-1'],
    ['TOLLGATE_API_PORT', '80.5'],
    ['TOLLGATE_ENVIRONMENT', 'production'],
    ['TOLLGATE_CALLBACK_INTERVAL_SECONDS', '0'],
    ['TOLLGATE_DATABASE_URL', 'mysql://localhost/x'],
    ['TOLLGATE_PUBLIC_API_URL', 'not a url'],
    ['TOLLGATE_CALLBACK_ALLOW_PRIVATE', 'perhaps'],
    ['TOLLGATE_LOG_LEVEL', 'loud'],
  ]
  for (const [name, value] of table) {
    const problem = problemOf({ [name]: value })
    assert.match(problem, new RegExp(`^${name} `), problem)
    assert.equal(problem.split('\n').length, 1)
  }
})

test('an enumeration lists what it may be', () => {
  assert.match(problemOf({ TOLLGATE_ENVIRONMENT: 'production' }), /must be one of sandbox, live/)
})

test('a mistyped variable is refused, because its default would silently stay in force', () => {
  assert.match(problemOf({ TOLLGATE_API_PROT: '9000' }), /TOLLGATE_API_PROT is not a setting/)
})

test('an empty variable counts as absent', () => {
  assert.equal(readConfig({ TOLLGATE_API_PORT: '' }).TOLLGATE_API_PORT, 8080)
})

test('NAME_FILE holds the value of NAME', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-config-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'url')
  writeFileSync(file, 'postgres://me:secret@db/tollgate\n')
  assert.equal(
    readConfig({ TOLLGATE_DATABASE_URL_FILE: file }).TOLLGATE_DATABASE_URL,
    'postgres://me:secret@db/tollgate',
  )
  assert.match(problemOf({ TOLLGATE_DATABASE_URL_FILE: join(folder, 'none') }), /cannot be read/)
})

test('live refuses what only a sandbox may have', () => {
  assert.equal(readConfig(LIVE).callbackAllowPrivate, false)
  assert.equal(readConfig(LIVE).publicApiUrl, 'https://api.example.com')
  assert.match(
    problemOf({ ...LIVE, TOLLGATE_CALLBACK_ALLOW_PRIVATE: 'true' }),
    /TOLLGATE_CALLBACK_ALLOW_PRIVATE/,
  )
  assert.match(
    problemOf({ ...LIVE, TOLLGATE_PUBLIC_API_URL: 'http://api.example.com' }),
    /TOLLGATE_PUBLIC_API_URL/,
  )
  assert.match(problemOf({ ...LIVE, TOLLGATE_PUBLIC_CHECKOUT_URL: '' }), /TOLLGATE_PUBLIC_CHECKOUT_URL/)
})

test('every setting has a sentence that says what it means', () => {
  for (const setting of describeConfig()) {
    assert.match(setting.name, /^TOLLGATE_[A-Z_]+$/)
    assert.ok(setting.description.length > 10, setting.name)
  }
})
