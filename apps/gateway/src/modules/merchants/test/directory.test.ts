import assert from 'node:assert/strict'
import { test } from 'node:test'
import { heldChanges } from '../../../platform/test/index.ts'
import { createMerchantDirectory } from '../index.ts'
import { merchantRig } from './rig.ts'

test('a merchant is read once, and again when its row has changed', async (t) => {
  const { db, outside, merchants } = await merchantRig(t)
  const { merchantId } = await merchants.create('SHOP', 'The shop')
  const changes = heldChanges()
  const directory = createMerchantDirectory({ db, changes })
  assert.equal(directory.peek('SHOP'), undefined)
  assert.equal((await directory.find('SHOP'))?.status, 'ACTIVE')
  await outside.query(`update merchants set status = 'DISABLED'`)
  assert.equal((await directory.find('SHOP'))?.status, 'ACTIVE')
  await changes.announce('MERCHANT', merchantId)
  assert.equal(directory.peek('SHOP'), undefined)
  assert.equal((await directory.find('SHOP'))?.status, 'DISABLED')
  assert.equal(directory.peek('SHOP')?.status, 'DISABLED')
})

test('a change of another merchant leaves the ones that are here', async (t) => {
  const { db, merchants } = await merchantRig(t)
  await merchants.create('A', 'A')
  const { merchantId } = await merchants.create('B', 'B')
  const changes = heldChanges()
  const directory = createMerchantDirectory({ db, changes })
  await directory.find('A')
  await directory.find('B')
  await changes.announce('MERCHANT', merchantId)
  assert.equal(directory.peek('A')?.merchantCode, 'A')
  assert.equal(directory.peek('B'), undefined)
})

test('what is read while its row changes is not kept', async (t) => {
  const { db, merchants } = await merchantRig(t)
  const { merchantId } = await merchants.create('SHOP', 'The shop')
  const changes = heldChanges()
  const directory = createMerchantDirectory({ db, changes })
  const reading = directory.find('SHOP')
  await changes.announce('MERCHANT', merchantId)
  await reading
  assert.equal(directory.peek('SHOP'), undefined)
})

test('a change that names nobody forgets everybody', async (t) => {
  const { db, merchants } = await merchantRig(t)
  await merchants.create('SHOP', 'The shop')
  const changes = heldChanges()
  const directory = createMerchantDirectory({ db, changes })
  await directory.find('SHOP')
  await changes.announce('MERCHANT')
  assert.equal(directory.peek('SHOP'), undefined)
})

test('an unknown merchant is unknown, until it is made', async (t) => {
  const { db, merchants } = await merchantRig(t)
  const directory = createMerchantDirectory({ db, changes: heldChanges() })
  assert.equal(await directory.find('SHOP'), undefined)
  await merchants.create('SHOP', 'The shop')
  assert.equal((await directory.find('SHOP'))?.merchantCode, 'SHOP')
})
