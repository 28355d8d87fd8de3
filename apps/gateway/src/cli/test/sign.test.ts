import assert from 'node:assert/strict'
import { constants, createHash, generateKeyPairSync, sign, verify } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import fc from 'fast-check'
import { diagnose } from '../../modules/tokens/index.ts'
import { expectFailure, run, runJson, temporaryFolder, textAt } from './support.ts'

const pair = generateKeyPairSync('rsa', { modulusLength: 2048 })
const other = generateKeyPairSync('rsa', { modulusLength: 2048 })
const BODY = Buffer.from('{ "a": 1.0,\n  "b": "x y/ü" }\n')
const signed = (bytes: Uint8Array | string): string =>
  sign('RSA-SHA256', Buffer.from(bytes), pair.privateKey).toString('base64')

test('sign shows the exact bytes, their digest, the signature and the header', async (t) => {
  const folder = temporaryFolder(t)
  const keyFile = join(folder, 'key.pem')
  writeFileSync(keyFile, pair.privateKey.export({ type: 'pkcs8', format: 'pem' }))
  writeFileSync(join(folder, 'body.json'), BODY)
  const [data, text, bad] = await Promise.all([
    runJson(['sign', '--private-key-file', keyFile], {}, BODY.toString()),
    run(['sign', join(folder, 'body.json'), '--private-key-file', keyFile], {}),
    run(['sign', '-', '--private-key-file', keyFile], {}, '{"a":1,"a":2}'),
  ])
  const minified = '{"a":1.0,"b":"x y/ü"}'
  assert.equal(textAt(data, 'minified'), minified)
  assert.equal(textAt(data, 'sha256'), createHash('sha256').update(minified).digest('hex'))
  const signature = textAt(data, 'signature')
  assert.ok(verify('RSA-SHA256', Buffer.from(minified), pair.publicKey, Buffer.from(signature, 'base64')))
  assert.equal(text.stdout.split('\n')[0], minified)
  assert.ok(text.stdout.includes(`-H 'X-SIGNATURE: ${signature}'`))
  assert.match(bad.stderr, /^The gateway would answer 400 to this body: The member "a" appears twice/)
})

test('sign --verify exits with 0 or 3, and takes the public key from a file', async (t) => {
  const folder = temporaryFolder(t)
  const keyFile = join(folder, 'public.pem')
  writeFileSync(keyFile, pair.publicKey.export({ type: 'spki', format: 'pem' }))
  const check = (signature: string) =>
    run(['sign', '--public-key-file', keyFile, '--verify', signature], {}, BODY.toString())
  const [good, wrong] = await Promise.all([check(signed(BODY)), check(signed('{}'))])
  assert.equal(good.exitCode, 0)
  assert.match(good.stdout, /^The signature is valid: it covers the body as it is\.$/m)
  assert.equal(wrong.exitCode, 3)
  assert.match(wrong.stdout, /another key pair or another body/)
})

test('a file that holds no usable key is told from one that cannot be read', async (t) => {
  const folder = temporaryFolder(t)
  const write = (name: string, content: string): string => {
    const file = join(folder, name)
    writeFileSync(file, content)
    return file
  }
  const publicPem = pair.publicKey.export({ type: 'spki', format: 'pem' }).toString()
  const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    .privateKey.export({ type: 'pkcs8', format: 'pem' })
    .toString()
  const locked = pair.privateKey
    .export({ type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'x' })
    .toString()
  const cases: readonly (readonly [string, RegExp])[] = [
    [write('public.pem', publicPem), /holds a public key/],
    [write('ec.pem', ec), /of the type ec; requests are signed with RSA/],
    [write('locked.pem', locked), /is encrypted/],
    [write('text.pem', 'hello'), /holds no key in PEM/],
    [join(folder, 'none.pem'), /cannot be read: it does not exist/],
    [folder, /cannot be read: it is a folder/],
  ]
  await Promise.all(
    cases.map(([file, says]) =>
      expectFailure(['sign', '--private-key-file', file], {}, { exitCode: 2, says, input: '{}' }),
    ),
  )
})

test('what was signed instead of the body is named', () => {
  const text = BODY.toString()
  const value: unknown = JSON.parse(text)
  const minified = '{"a":1.0,"b":"x y/ü"}'
  const digest = createHash('sha256').update(BODY).digest()
  const forms: Readonly<Record<string, string>> = {
    CRLF: signed(text.replace(/\n/g, '\r\n')),
    TRIMMED: signed(text.trim()),
    BOM: signed(`\ufeff${text}`),
    BOM_MINIFIED: signed(`\ufeff${minified}`),
    UTF16: signed(Buffer.from(text, 'utf16le')),
    LATIN1: signed(Buffer.from(text, 'latin1')),
    REWRITTEN: signed(JSON.stringify(value)),
    REWRITTEN_INDENTED: signed(JSON.stringify(value, undefined, 2)),
    REWRITTEN_ASCII: signed('{"a":1,"b":"x y/\\u00fc"}'),
    REWRITTEN_SLASHES: signed('{"a":1,"b":"x y\\/ü"}'),
    REWRITTEN_SPACED: signed('{"a": 1, "b": "x y/ü"}'),
    HASHED_TWICE: signed(digest.toString('hex')),
    HEX: Buffer.from(signed(BODY), 'base64').toString('hex'),
    BASE64_LINES: signed(BODY).replace(/(.{64})/g, '$1\n'),
    SHA1: sign('RSA-SHA1', BODY, pair.privateKey).toString('base64'),
    SHA512: sign('RSA-SHA512', Buffer.from(minified), pair.privateKey).toString('base64'),
    PSS: sign('SHA256', BODY, { key: pair.privateKey, padding: constants.RSA_PKCS1_PSS_PADDING }).toString(
      'base64',
    ),
  }
  for (const [form, signature] of Object.entries(forms)) {
    const verdict = diagnose(BODY, pair.publicKey, signature)
    assert.deepEqual([verdict.form, verdict.isAccepted], [form, false], verdict.message)
  }
})

test('a body with a byte order mark or Windows line ends is recognised, too', () => {
  const unix = BODY.toString()
  const windows = Buffer.from(unix.replace(/\n/g, '\r\n'))
  assert.equal(diagnose(windows, pair.publicKey, signed(unix)).form, 'LF')
  const marked = Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), BODY])
  assert.equal(diagnose(marked, pair.publicKey, signed(unix)).form, 'WITHOUT_BOM')
})

test('the raw and the minified body are accepted in whatever spacing, and nothing is without the right key', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.constantFrom(undefined, 1, '\t'), (value, indentation) => {
      const body = Buffer.from(JSON.stringify(value, undefined, indentation))
      assert.ok(diagnose(body, pair.publicKey, signed(body)).isAccepted)
      assert.ok(diagnose(body, pair.publicKey, signed(JSON.stringify(value))).isAccepted)
      assert.equal(diagnose(body, other.publicKey, signed(body)).form, undefined)
    }),
    { numRuns: 25 },
  )
})

test('a signature of another length says which key it cannot be of', () => {
  assert.match(diagnose(BODY, pair.publicKey, 'AAAA').message, /it has 3 bytes, and this key makes 256/)
})
