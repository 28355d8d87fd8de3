import assert from 'node:assert/strict'
import { constants, sign } from 'node:crypto'
import { after, test } from 'node:test'
import { rsaPair } from '../../../platform/test/index.ts'
import { type ProvenCredential, proveCredential } from '../credentials.ts'
import { nowSeconds, refusedWith, tokenRig } from './rig.ts'

const rig = await tokenRig({ after })

interface Sent {
  readonly body: Uint8Array | string
  readonly signature: string
  readonly merchantCode?: string
}

function prove({ body, signature, merchantCode = 'SHOP' }: Sent): Promise<ProvenCredential> {
  const { directory: merchants, secrets, clock } = rig
  return proveCredential(
    { merchants, secrets, nowMs: clock.nowMs, timestampToleranceSeconds: 300 },
    {
      merchantCode,
      secret: undefined,
      timestamp: nowSeconds(clock),
      signatureHeader: signature,
      rawBody: Buffer.from(body),
    },
  )
}

const refuse = (sent: Sent, what: string): Promise<void> =>
  assert.rejects(prove(sent), refusedWith('SIGNATURE_INVALID'), what)

const signExactly = (text: string): string =>
  sign('RSA-SHA256', Buffer.from(text), rig.pair.privateKey).toString('base64')

function flipped(bytes: Buffer, index: number): Buffer {
  const copy = Buffer.from(bytes)
  copy.writeUInt8(copy.readUInt8(index) ^ 1, index)
  return copy
}

const BODY = '{"merchantCode":"SHOP","operations":["GET /a b"],"timestamp":1}'

test('401 each flipped byte of the body', async () => {
  const signature = signExactly(BODY)
  await prove({ body: BODY, signature })
  for (let index = 0; index < BODY.length; index += 1)
    await refuse({ body: flipped(Buffer.from(BODY), index), signature }, `byte ${index}`)
})

test('401 each flipped byte of the signature', async () => {
  const signature = Buffer.from(signExactly(BODY), 'base64')
  assert.equal(signature.length, 256)
  for (let index = 0; index < signature.length; index += 1)
    await refuse({ body: BODY, signature: flipped(signature, index).toString('base64') }, `byte ${index}`)
})

test('401 whitespace within a text is part of what was signed', async () => {
  const signature = signExactly(BODY)
  for (const body of [
    BODY.replace('/a b', '/ab'),
    BODY.replace('/a b', '/a  b'),
    BODY.replace('SHOP', 'SHOP '),
  ])
    await refuse({ body, signature }, body)
})

/** Two ways to write one value: who signed the one did not sign the other. */
const REWRITTEN: readonly (readonly [string, string])[] = [
  ['{"a":1.0}', '{"a":1}'],
  ['{"a":1e2}', '{"a":100}'],
  ['{"a":10000000000000001}', '{"a":10000000000000000}'],
  ['{"a":"\\/"}', '{"a":"/"}'],
  ['{"a":"\\u00e9"}', '{"a":"é"}'],
  ['{"a":1,"b":2}', '{"b":2,"a":1}'],
  ['{"2":1,"1":2}', '{"1":2,"2":1}'],
]

test('401 one value in another spelling, though each spelling can be signed', async () => {
  for (const [first, second] of REWRITTEN) {
    for (const [signed, sent] of [
      [first, second],
      [second, first],
    ] as const) {
      await prove({ body: signed, signature: signExactly(signed) })
      await refuse({ body: sent, signature: signExactly(signed) }, `${signed} for ${sent}`)
    }
  }
})

test('401 a signature over more whitespace than was sent', async () => {
  const pretty = BODY.replaceAll(',', ', ')
  await prove({ body: pretty, signature: signExactly(pretty) })
  await prove({ body: pretty, signature: signExactly(BODY) })
  await refuse({ body: BODY, signature: signExactly(pretty) }, 'minified later')
})

test('401 the same bytes in a lax spelling of base64', async () => {
  const signature = signExactly(BODY)
  const { length } = signature
  assert.match(signature, /[AQgw]==$/)
  const last = signature.charAt(length - 3)
  const next = String.fromCharCode(last.charCodeAt(0) + 1)
  const unusedBits = `${signature.slice(0, -3)}${next}==`
  assert.deepEqual(Buffer.from(unusedBits, 'base64'), Buffer.from(signature, 'base64'))
  const lax = [
    unusedBits,
    signature.slice(0, -2),
    signature.slice(0, -1),
    `${signature}=`,
    ` ${signature}`,
    `${signature} `,
    `${signature.slice(0, 76)}\n${signature.slice(76)}`,
    `${signature}, ${signature}`,
    Buffer.from(signature, 'base64').toString('base64url'),
    Buffer.from(signature, 'base64').toString('hex'),
    '=',
    '',
  ]
  for (const spelling of lax) await refuse({ body: BODY, signature: spelling }, spelling)
})

test('401 another padding or another digest by the right key', async () => {
  const key = rig.pair.privateKey
  const pss = sign('RSA-SHA256', Buffer.from(BODY), { key, padding: constants.RSA_PKCS1_PSS_PADDING })
  await refuse({ body: BODY, signature: pss.toString('base64') }, 'PSS')
  for (const digest of ['RSA-SHA1', 'RSA-SHA384', 'RSA-SHA512'])
    await refuse({ body: BODY, signature: sign(digest, Buffer.from(BODY), key).toString('base64') }, digest)
})

test("401 another merchant's key, and any key for a merchant that has none", async () => {
  const other = rsaPair()
  await rig.merchants.create('OTHER', 'Another shop')
  await rig.merchants.addKey('OTHER', other.publicKey)
  await rig.merchants.create('KEYLESS', 'A shop without keys')
  const signature = sign('RSA-SHA256', Buffer.from(BODY), other.privateKey).toString('base64')
  assert.equal((await prove({ body: BODY, signature, merchantCode: 'OTHER' })).merchant.merchantCode, 'OTHER')
  for (const merchantCode of ['SHOP', 'KEYLESS', 'NOBODY'])
    await refuse({ body: BODY, signature, merchantCode }, merchantCode)
})
