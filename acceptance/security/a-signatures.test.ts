import assert from 'node:assert/strict'
import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { signBody } from '@tollgate/sdk'
import { waitUntil } from '@tollgate/testkit'
import { tollgate } from './support/cli.ts'
import { startGateway } from './support/gateway.ts'
import { addMerchant, demoSecret, EVERYTHING, verdict } from './support/merchant.ts'
import { askToken, claimsOf, nowSeconds, signatureOver, tokenOf } from './support/token-request.ts'

const gateway = await startGateway({ after })
const shop = await addMerchant(gateway, 'SHOP')
const stranger = await addMerchant(gateway, 'STRANGER')
const secret = demoSecret(gateway)

const bySecret = (members: Record<string, unknown>) =>
  askToken(gateway, {
    body: JSON.stringify({ merchantCode: 'DEMO', secret, operations: EVERYTHING, ...members }),
  })

/** A request that can be signed, as JSON text. */
const signable = (members: Record<string, unknown> = {}): string =>
  JSON.stringify({
    merchantCode: 'SHOP',
    operations: ['GET /payins/.*'],
    validitySecs: 600,
    timestamp: nowSeconds(),
    ...members,
  })
const bySignature = (body: string | Uint8Array, signed: string | Uint8Array = body) =>
  askToken(gateway, { body, signature: signatureOver(signed, shop.privateKey) })

test('A6 the bytes are what is signed: as sent, or without whitespace, and nothing re-written', async () => {
  const timestamp = nowSeconds()
  const styles = {
    java: `{"merchantCode":"SHOP","operations":["GET /payins/.*"],"validitySecs":600,"timestamp":${timestamp}}`,
    python: `{"merchantCode": "SHOP", "operations": ["GET /payins/.*"], "timestamp": ${timestamp}, "note": "\\u00e9"}`,
    php: `{"merchantCode":"SHOP","operations":["GET \\/payins\\/.*"],"timestamp":${timestamp}}`,
    go: `{"merchantCode":"SHOP","note":"\\u003ca\\u0026b\\u003e","operations":["GET /payins/.*"],"timestamp":${timestamp}}\n`,
    windows: `{\r\n\t"merchantCode": "SHOP",\r\n\t"operations": [ "GET /payins/.*" ],\r\n\t"timestamp": ${timestamp}\r\n}\r\n`,
    numbers: `{"timestamp":${timestamp},"merchantCode":"SHOP","operations":["GET /payins/.*"],"money":{"amount":1.0e2,"currencyCode":"EUR"},"x":1.10}`,
    order: `{"2":0,"1":0,"timestamp":${timestamp},"operations":["GET /payins/.*"],"merchantCode":"SHOP"}`,
    unicode: `{"merchantCode":"SHOP","note":"é ☃ \u2028 😀","operations":["GET /payins/.*"],"timestamp":${timestamp}}`,
    spaces: `{"merchantCode":"SHOP","note":"a  b \\" : , ","operations":["GET /payins/.*"],"timestamp":${timestamp}}`,
  }
  for (const [style, body] of Object.entries(styles)) {
    const raw = await bySignature(body)
    assert.equal(raw.status, 200, `${style}, signed as sent: ${raw.text}`)
    const signed = await signBody(body, shop.privateKey)
    const minified = await askToken(gateway, { body, signature: signed })
    assert.equal(minified.status, 200, `${style}, signed without whitespace: ${minified.text}`)
    const rewritten = JSON.stringify(JSON.parse(body))
    if (rewritten === body || signed === signatureOver(rewritten, shop.privateKey)) continue
    assert.equal(verdict(await bySignature(body, rewritten)), '401 SIGNATURE_INVALID', `${style}, rewritten`)
  }
})

test('A6 no byte of a signed request can be changed', async () => {
  const body = Buffer.from(signable({ money: { amount: 10, currencyCode: 'EUR' } }))
  const signature = signatureOver(body, shop.privateKey)
  assert.equal((await askToken(gateway, { body, signature })).status, 200)
  for (let at = 0; at < body.length; at += 1) {
    const changed = Buffer.from(body)
    changed.writeUInt8(changed.readUInt8(at) ^ 1, at)
    const answer = await askToken(gateway, { body: changed, signature })
    assert.ok([400, 401].includes(answer.status), `byte ${at}: ${answer.status} ${answer.text}`)
  }
  for (const extended of [`${body}{}`, `${body.subarray(0, -1)},"a":1}`, `[${body}]`]) {
    assert.ok([400, 401].includes((await askToken(gateway, { body: extended, signature })).status), extended)
  }
  const padded = Buffer.concat([Buffer.from(' \r\n'), body, Buffer.from('\n')])
  assert.equal((await askToken(gateway, { body: padded, signature })).status, 200)
})

test('A7 a member that comes twice is refused before anything is believed', async () => {
  const timestamp = nowSeconds()
  const doubles = [
    `{"merchantCode":"SHOP","merchantCode":"STRANGER","operations":["GET /.*"],"timestamp":${timestamp}}`,
    `{"merchantCode":"SHOP","operations":["GET /.*"],"timestamp":1,"timestamp":${timestamp}}`,
    `{"merchantCode":"SHOP","operations":["GET /a"],"operations":["GET /.*"],"timestamp":${timestamp}}`,
    `{"merchantCode":"SHOP","operations":["GET /.*"],"timestamp":${timestamp},"money":{"amount":1,"amount":9,"currencyCode":"EUR"}}`,
  ]
  for (const body of doubles) assert.equal(verdict(await bySignature(body)), '400 BODY_INVALID', body)
})

test('A8 a timestamp is fresh, in seconds or milliseconds, and required with a signature', async () => {
  const table: readonly (readonly [secondsFromNow: number, expected: string])[] = [
    [0, '200'],
    [-290, '200'],
    [290, '200'],
    [-310, '401 SIGNATURE_INVALID'],
    [310, '401 SIGNATURE_INVALID'],
    [-86_400, '401 SIGNATURE_INVALID'],
    [86_400 * 365, '401 SIGNATURE_INVALID'],
  ]
  for (const [secondsFromNow, expected] of table) {
    const seconds = nowSeconds() + secondsFromNow
    assert.equal(
      verdict(await bySignature(signable({ timestamp: seconds }))),
      expected,
      `${secondsFromNow} s`,
    )
    const inMilliseconds = await bySignature(signable({ timestamp: seconds * 1000 + 7 }))
    assert.equal(verdict(inMilliseconds), expected, `${secondsFromNow} s in ms`)
  }
  assert.equal(verdict(await bySignature(signable({ timestamp: undefined }))), '400 ATTRIBUTE_REQUIRED')
  for (const timestamp of ['1', 1.5, -1, null, true, 1e20]) {
    assert.match(verdict(await bySignature(signable({ timestamp }))), /^400 ATTRIBUTE_/, String(timestamp))
  }
  assert.equal(verdict(await bySecret({})), '200')
  assert.equal(verdict(await bySecret({ timestamp: nowSeconds() - 400 })), '401 SIGNATURE_INVALID')
})

test('A8 a replayed request is the same token for no longer, at every process', async (t) => {
  const second = await startGateway(t, { beside: gateway })
  const timestamp = nowSeconds() - 200
  const body = signable({ timestamp })
  const signature = signatureOver(body, shop.privateKey)
  const tokens = new Set<string>()
  for (const each of [gateway, second, gateway, second])
    tokens.add(tokenOf(await askToken(each, { body, signature })))
  assert.equal(tokens.size, 1)
  const claims = claimsOf([...tokens][0] ?? '')
  assert.equal(claims['iat'], timestamp)
  assert.equal(claims['exp'], timestamp + 600)
  // The same request in other words is another request, with another id.
  const other = tokenOf(await bySignature(signable({ timestamp, note: 1 })))
  assert.notEqual(claimsOf(other)['jti'], claims['jti'])
})

test('A9 only a strong RSA public key of the merchant’s own is registered', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-keys-'))
  const rsa = (modulusLength: number, publicExponent = 65_537) =>
    generateKeyPairSync('rsa', { modulusLength, publicExponent })
  const pem = (key: KeyObject): string =>
    key.export({ type: key.type === 'private' ? 'pkcs8' : 'spki', format: 'pem' }).toString()
  const strong = rsa(2048)
  const [registered] = await gateway.sql(
    `select public_key_pem from merchant_keys join merchants using (merchant_id) where merchant_code = 'DEMO'`,
  )
  const refused: Record<string, readonly [text: string, why: RegExp]> = {
    'rsa-512': [pem(rsa(512).publicKey), /512 bits/],
    'rsa-1024': [pem(rsa(1024).publicKey), /1024 bits/],
    'exponent-3': [pem(rsa(2048, 3).publicKey), /65537/],
    'elliptic-curve': [pem(generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey), /RSA/],
    ed25519: [pem(generateKeyPairSync('ed25519').publicKey), /RSA/],
    'private-key': [pem(strong.privateKey), /PRIVATE|private/],
    certificate: ['-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n', /certificate/],
    damaged: [
      pem(strong.publicKey).replace(/(-----\n).{8}/, '$1'),
      /damaged|cannot be read|not a public key/,
    ],
    'another-merchant': [String(registered?.['public_key_pem']), /registered already/],
  }
  try {
    const keysOf = async (): Promise<unknown> =>
      gateway.sql('select key_id from merchant_keys where merchant_id = $1', [stranger.merchantId])
    const before = await keysOf()
    for (const [name, [text, why]] of Object.entries(refused)) {
      const file = join(folder, `${name}.pem`)
      writeFileSync(file, text)
      await assert.rejects(tollgate(gateway, 'merchants', 'add-key', 'STRANGER', file), why, name)
    }
    assert.deepEqual(await keysOf(), before)
    const file = join(folder, 'strong.pem')
    writeFileSync(file, pem(strong.publicKey))
    await tollgate(gateway, 'merchants', 'add-key', 'STRANGER', file)
    const body = signable({ merchantCode: 'STRANGER' })
    await waitUntil(
      async () =>
        (await askToken(gateway, { body, signature: signatureOver(body, pem(strong.privateKey)) })).status ===
        200,
      { timeoutMs: 60_000, what: 'the new key to sign' },
    )
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test('A10 a signature has one spelling', async () => {
  const body = signable()
  const good = signatureOver(body, shop.privateKey)
  assert.equal(good.length % 4, 0)
  const variants = [
    good.replace(/=+$/, ''),
    `${good}=`,
    `${good}====`,
    `${good.slice(0, 10)} ${good.slice(10)}`,
    `${good.slice(0, 10)}\t${good.slice(10)}`,
    `${good}garbage`,
    `${good}=garbage`,
    good.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, ''),
    `${good},${good}`,
    `${good}, ${good}`,
    Buffer.from(good, 'base64').toString('hex'),
    good.toLowerCase(),
    good.slice(0, -4),
    '',
    '====',
    'A',
    'A'.repeat(2_000),
    Buffer.alloc(256).toString('base64'),
    Buffer.alloc(256, 0xff).toString('base64'),
    lastCharacterChanged(good),
  ]
  for (const signature of variants) {
    if (signature === good) continue
    const answer = await askToken(gateway, { body, signature })
    assert.equal(verdict(answer), '401 SIGNATURE_INVALID', signature.slice(-30))
  }
  assert.equal((await askToken(gateway, { body, signature: good })).status, 200)
})

/** Sets bits of the last character that no decoder looks at. */
function lastCharacterChanged(base64: string): string {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
  const at = base64.replace(/=+$/, '').length - 1
  const changed = alphabet[alphabet.indexOf(base64.charAt(at)) ^ 1] ?? ''
  return `${base64.slice(0, at)}${changed}${base64.slice(at + 1)}`
}
