import assert from 'node:assert/strict'
import crypto, { sign } from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'
import { test } from 'node:test'
import { rsaPair } from '../../../platform/test/index.ts'
import { createMerchantDirectory } from '../../merchants/index.ts'
import { type CredentialRequest, type ProvenCredential, proveCredential } from '../credentials.ts'
import { nowSeconds, refusedWith, signText, type TokenRig, tokenRig } from './rig.ts'

function prove(rig: TokenRig, request: Partial<CredentialRequest>): Promise<ProvenCredential> {
  return proveCredential(
    {
      merchants: rig.directory,
      secrets: rig.secrets,
      nowMs: rig.clock.nowMs,
      timestampToleranceSeconds: 300,
    },
    {
      merchantCode: 'SHOP',
      secret: undefined,
      timestamp: undefined,
      signatureHeader: undefined,
      rawBody: Buffer.alloc(0),
      ...request,
    },
  )
}

/** A request whose body says so and is signed so. */
function signed(rig: TokenRig, text: string, privateKey = rig.pair.privateKey): Partial<CredentialRequest> {
  return {
    timestamp: nowSeconds(rig.clock),
    rawBody: Buffer.from(text),
    signatureHeader: signText(text, privateKey),
  }
}

const PRETTY =
  '{\n  "merchantCode": "SHOP",\n  "money": { "amount": 1.0, "currencyCode": "EUR" },\n  "x": "\\u00e9\\/ "\n}'

test('a signature holds over the minified body, whatever whitespace was sent', async (t) => {
  const rig = await tokenRig(t)
  for (const text of [PRETTY, PRETTY.replaceAll('\n', '\r\n'), PRETTY.replace(/\n {2}/g, '')]) {
    const { merchant, usedSecret, issuance } = await prove(rig, signed(rig, text))
    assert.equal(merchant.merchantCode, 'SHOP')
    assert.equal(usedSecret, false)
    assert.equal(issuance?.iatSeconds, nowSeconds(rig.clock))
  }
})

test('a signature over the very bytes that were sent holds, too', async (t) => {
  const rig = await tokenRig(t)
  const signatureHeader = sign('RSA-SHA256', Buffer.from(PRETTY), rig.pair.privateKey).toString('base64')
  await prove(rig, { ...signed(rig, PRETTY), signatureHeader })
})

test('401 a signature over the body as a JSON writer would write it anew', async (t) => {
  const rig = await tokenRig(t)
  const rewritten = JSON.stringify(JSON.parse(PRETTY))
  await assert.rejects(
    prove(rig, { ...signed(rig, PRETTY), signatureHeader: signText(rewritten, rig.pair.privateKey) }),
    refusedWith('SIGNATURE_INVALID'),
  )
})

test('401 one changed byte, another key, another algorithm, or another spelling', async (t) => {
  const rig = await tokenRig(t)
  const good = signed(rig, PRETTY)
  const header = good.signatureHeader ?? ''
  const sha1 = sign('RSA-SHA1', Buffer.from(PRETTY), rig.pair.privateKey).toString('base64')
  const variants: readonly Partial<CredentialRequest>[] = [
    { ...good, rawBody: Buffer.from(PRETTY.replace('1.0', '1.1')) },
    signed(rig, PRETTY, rsaPair().privateKey),
    { ...good, signatureHeader: sha1 },
    { ...good, signatureHeader: '' },
    { ...good, signatureHeader: `${header}\n` },
    { ...good, signatureHeader: `${header},${header}` },
    { ...good, signatureHeader: header.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '') },
  ]
  for (const variant of variants) await assert.rejects(prove(rig, variant), refusedWith('SIGNATURE_INVALID'))
})

test('each of a merchant’s keys signs until it is removed', async (t) => {
  const rig = await tokenRig(t)
  const second = rsaPair()
  const { keyId } = await rig.merchants.addKey('SHOP', second.publicKey)
  await prove(rig, signed(rig, PRETTY))
  await prove(rig, signed(rig, PRETTY, second.privateKey))
  await rig.merchants.removeKey('SHOP', keyId)
  await rig.changes.announce('MERCHANT', rig.merchant.merchantId)
  await prove(rig, signed(rig, PRETTY))
  await assert.rejects(prove(rig, signed(rig, PRETTY, second.privateKey)), refusedWith('SIGNATURE_INVALID'))
})

test('the timestamp may be 300 seconds off to either side', async (t) => {
  const rig = await tokenRig(t)
  const now = nowSeconds(rig.clock)
  for (const timestamp of [now - 299, now + 299, (now - 299) * 1000, (now + 299) * 1000])
    await prove(rig, { ...signed(rig, PRETTY), timestamp })
  for (const timestamp of [now - 302, now + 302, (now - 302) * 1000, 0])
    await assert.rejects(prove(rig, { ...signed(rig, PRETTY), timestamp }), refusedWith('SIGNATURE_INVALID'))
})

test('400 a signature without a timestamp', async (t) => {
  const rig = await tokenRig(t)
  await assert.rejects(
    prove(rig, { ...signed(rig, PRETTY), timestamp: undefined }),
    refusedWith('ATTRIBUTE_REQUIRED'),
  )
})

test('a secret needs no timestamp, but one that is sent must be timely', async (t) => {
  const rig = await tokenRig(t)
  assert.equal((await prove(rig, { secret: rig.secret })).issuance, undefined)
  assert.equal((await prove(rig, { secret: rig.secret })).usedSecret, true)
  await prove(rig, { secret: rig.secret, timestamp: nowSeconds(rig.clock) })
  await assert.rejects(prove(rig, { secret: rig.secret, timestamp: 1 }), refusedWith('SIGNATURE_INVALID'))
})

test('where both credentials are sent, both must hold', async (t) => {
  const rig = await tokenRig(t)
  const good = signed(rig, PRETTY)
  const bad = { ...good, signatureHeader: signText('{}', rig.pair.privateKey) }
  const proven = await prove(rig, { ...good, secret: rig.secret })
  assert.equal(proven.usedSecret, true)
  assert.notEqual(proven.issuance, undefined)
  await assert.rejects(prove(rig, { ...bad, secret: rig.secret }), refusedWith('SIGNATURE_INVALID'))
  await assert.rejects(prove(rig, { ...good, secret: 'sec_wrong' }), refusedWith('CREDENTIALS_INVALID'))
  await assert.rejects(prove(rig, { ...bad, secret: 'sec_wrong' }), refusedWith('SIGNATURE_INVALID'))
})

test('401 the login by secret is switched off', async (t) => {
  const rig = await tokenRig(t)
  await rig.merchants.change('SHOP', { secretEnabled: false })
  await assert.rejects(prove(rig, { secret: rig.secret }), refusedWith('CREDENTIALS_INVALID'))
  await assert.rejects(
    prove(rig, { ...signed(rig, PRETTY), secret: rig.secret }),
    refusedWith('CREDENTIALS_INVALID'),
  )
  await prove(rig, signed(rig, PRETTY))
})

test('401 an unknown merchant hears what a wrong credential hears, word by word', async (t) => {
  const rig = await tokenRig(t)
  const answer = (request: Partial<CredentialRequest>): Promise<string> =>
    prove(rig, request).then(
      () => 'proven',
      (error: unknown) => JSON.stringify(error, ['code', 'message', 'details']),
    )
  const wrongSecret = { secret: 'sec_wrong' }
  const wrongSignature = signed(rig, PRETTY, rsaPair().privateKey)
  const unknown = { merchantCode: 'NOBODY' }
  assert.equal(await answer({ ...wrongSecret, ...unknown }), await answer(wrongSecret))
  assert.equal(await answer({ ...wrongSignature, ...unknown }), await answer(wrongSignature))
  assert.equal(await answer({ secret: rig.secret, ...unknown }), await answer(wrongSecret))
  assert.equal(await answer({}), await answer(wrongSecret))
})

test('A13 an unknown merchant costs as many looks and verifications as one with a key, a secret or all it may have', async (t) => {
  const rig = await tokenRig(t)
  await rig.merchants.create('RICH', 'Many keys')
  for (let key = 0; key < 5; key += 1) await rig.merchants.addKey('RICH', rsaPair().publicKey)
  await rig.merchants.create('BARE', 'No keys')
  for (const known of ['SHOP', 'RICH', 'BARE']) await rig.directory.find(known)
  const originals = { verify: crypto.verify, timingSafeEqual: crypto.timingSafeEqual }
  let verifications = 0
  let comparisons = 0
  let looks = 0
  t.after(() => {
    Object.assign(crypto, originals)
    syncBuiltinESMExports()
  })
  Object.assign(crypto, {
    verify: (...given: Parameters<typeof crypto.verify>) => {
      verifications += 1
      return originals.verify(...given)
    },
    timingSafeEqual: (...given: Parameters<typeof crypto.timingSafeEqual>) => {
      comparisons += 1
      return originals.timingSafeEqual(...given)
    },
  })
  syncBuiltinESMExports()
  const merchants = createMerchantDirectory({
    db: {
      ...rig.db,
      rows: (statement, values) => {
        looks += 1
        return rig.db.rows(statement, values)
      },
    },
    changes: rig.changes,
  })
  const stranger = rsaPair()
  const work = async (merchantCode: string): Promise<readonly number[]> => {
    if (merchantCode !== 'NOBODY') await merchants.find(merchantCode)
    ;[verifications, comparisons, looks] = [0, 0, 0]
    const deps = { ...rig, merchants, nowMs: rig.clock.nowMs, timestampToleranceSeconds: 300 }
    const request = { merchantCode, secret: undefined, rawBody: Buffer.from(PRETTY) }
    const wrong = { ...request, ...signed(rig, PRETTY, stranger.privateKey) }
    await assert.rejects(
      proveCredential(deps, { ...request, timestamp: undefined, signatureHeader: undefined, ...wrong }),
    )
    await assert.rejects(
      proveCredential(deps, {
        ...request,
        timestamp: undefined,
        signatureHeader: undefined,
        secret: 'sec_wrong',
      }),
    )
    return [verifications, comparisons, looks]
  }
  const unknown = await work('NOBODY')
  assert.deepEqual(unknown, [10, 2, 2])
  for (const known of ['SHOP', 'RICH', 'BARE']) assert.deepEqual(await work(known), unknown, known)
})
