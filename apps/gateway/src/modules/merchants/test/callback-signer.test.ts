import assert from 'node:assert/strict'
import { createPublicKey, verify } from 'node:crypto'
import { test } from 'node:test'
import type { Secrets } from '../../../platform/secrets.ts'
import { heldChanges } from '../../../platform/test/index.ts'
import { createCallbackSigner } from '../index.ts'
import { merchantRig } from './rig.ts'

const MESSAGE = 'msg_1.1795255200.{"idEntity":"A"}'
const SPKI_PREFIX = Buffer.from('302a300506032b6570032100', 'hex')

function holds(signature: string, publicText: string): boolean {
  const raw = Buffer.from(publicText.replace(/^whpk_/, ''), 'base64')
  const key = createPublicKey({ key: Buffer.concat([SPKI_PREFIX, raw]), format: 'der', type: 'spki' })
  return verify(null, Buffer.from(MESSAGE), key, Buffer.from(signature.replace(/^v1a,/, ''), 'base64'))
}

/** Counts how often a key is derived. */
function counting(secrets: Secrets): { readonly secrets: Secrets; count(): number } {
  let derived = 0
  return {
    secrets: {
      ...secrets,
      derivedSigningKey(context) {
        derived += 1
        return secrets.derivedSigningKey(context)
      },
    },
    count: () => derived,
  }
}

test('a rotation adds a key; the one before goes on signing, and the one before that does not', async (t) => {
  const { db, secrets, merchants } = await merchantRig(t)
  const first = await merchants.create('SHOP', 'The shop')
  const changes = heldChanges()
  const signer = createCallbackSigner({ db, secrets, changes })
  const [oldKey = ''] = signer.publicKeys(first)
  const before = await signer.sign(first.merchantId, MESSAGE)
  assert.equal(before.length, 1)
  assert.ok(holds(before[0] ?? '', oldKey))

  const second = await merchants.rotateCallbackKey('SHOP')
  await changes.announce('MERCHANT', first.merchantId)
  const keys = signer.publicKeys(second)
  const after = await signer.sign(first.merchantId, MESSAGE)
  assert.equal(keys[1], oldKey)
  assert.deepEqual(
    after.map((signature, index) => holds(signature, keys[index] ?? '')),
    [true, true],
  )

  const third = await merchants.rotateCallbackKey('SHOP')
  await changes.announce('MERCHANT', first.merchantId)
  assert.equal(signer.publicKeys(third).includes(oldKey), false)
  assert.equal(
    (await signer.sign(first.merchantId, MESSAGE)).some((signature) => holds(signature, oldKey)),
    false,
  )
})

test('no merchant signs with the key of another', async (t) => {
  const { db, secrets, merchants } = await merchantRig(t)
  const a = await merchants.create('A', 'A')
  const b = await merchants.create('B', 'B')
  const signer = createCallbackSigner({ db, secrets, changes: heldChanges() })
  assert.notDeepEqual(signer.publicKeys(a), signer.publicKeys(b))
  await assert.rejects(signer.sign('999999', MESSAGE), /no merchant with the id 999999/)
})

test('keys are derived once, not at every callback', async (t) => {
  const { db, secrets, merchants } = await merchantRig(t)
  const { merchantId } = await merchants.create('SHOP', 'The shop')
  const counted = counting(secrets)
  const signer = createCallbackSigner({ db, secrets: counted.secrets, changes: heldChanges() })
  for (let callback = 0; callback < 20; callback += 1) await signer.sign(merchantId, MESSAGE)
  assert.equal(counted.count(), 1)
})
