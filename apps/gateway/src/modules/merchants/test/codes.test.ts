import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createMerchantCodes } from '../index.ts'
import { merchantRig } from './rig.ts'

test('the code of a merchant is read once, whoever asks meanwhile', async (t) => {
  const { db, merchants } = await merchantRig(t)
  const { merchantId } = await merchants.create('SHOP', 'The shop')
  let reads = 0
  const codeOf = createMerchantCodes({
    ...db,
    rows: (...asked: Parameters<typeof db.rows>) => {
      reads += 1
      return db.rows(...asked)
    },
  })
  assert.deepEqual(await Promise.all([codeOf(merchantId), codeOf(merchantId)]), ['SHOP', 'SHOP'])
  assert.equal(await codeOf(merchantId), 'SHOP')
  assert.equal(reads, 1)
})

test('a merchant that is not there yet is asked for again', async (t) => {
  const { db, merchants } = await merchantRig(t)
  const codeOf = createMerchantCodes(db)
  const { merchantId } = await merchants.create('SHOP', 'The shop')
  const next = String(BigInt(merchantId) + 1n)
  await assert.rejects(codeOf(next), /there is no merchant with the id/)
  const made = await merchants.create('OTHER', 'The other shop')
  assert.equal(made.merchantId, next)
  assert.equal(await codeOf(next), 'OTHER')
})
