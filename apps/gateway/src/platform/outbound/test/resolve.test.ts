import assert from 'node:assert/strict'
import { getEventListeners } from 'node:events'
import { test } from 'node:test'
import { orAborted } from '../abort.ts'
import { allowedAddresses, resolveBySystem } from '../resolve.ts'

const never = new Promise<never>(() => {})
const anything = () => true

test('an address is not resolved, a name is, and one forbidden address forbids them all', async () => {
  const nothing = () => assert.fail('nothing is to be resolved')
  assert.deepEqual(await allowedAddresses('192.0.2.1', nothing, anything), ['192.0.2.1'])
  const both = async () => ['192.0.2.1', '192.0.2.2']
  assert.deepEqual(await allowedAddresses('shop.example', both, anything), ['192.0.2.1', '192.0.2.2'])
  await assert.rejects(
    allowedAddresses('shop.example', both, (address) => address === '192.0.2.1'),
    { reason: 'blocked', message: 'The host leads to an address that is not allowed.' },
  )
  await assert.rejects(
    allowedAddresses('192.0.2.1', nothing, () => false),
    { reason: 'blocked' },
  )
})

test('a name without addresses and one that cannot be resolved are failures of the name', async () => {
  await assert.rejects(
    allowedAddresses('shop.example', async () => [], anything),
    { reason: 'dns', message: 'The name could not be resolved.' },
  )
  const lost = async () => {
    throw Object.assign(new Error('shop.example'), { code: 'ENOTFOUND' })
  }
  await assert.rejects(allowedAddresses('shop.example', lost, anything), {
    reason: 'dns',
    message: 'The name could not be resolved (ENOTFOUND).',
  })
})

test('the system gives all addresses of a name, as texts', async () => {
  const addresses = await resolveBySystem('localhost')
  assert.ok(addresses.length > 0)
  for (const address of addresses) assert.ok(['127.0.0.1', '::1'].includes(address), address)
})

test('a wait ends with the reason of the abort, before it and during it, and leaves no listener behind', async () => {
  const abort = new AbortController()
  assert.equal(await orAborted(Promise.resolve('done'), abort.signal), 'done')
  const waiting = orAborted(never, abort.signal)
  assert.equal(getEventListeners(abort.signal, 'abort').length, 1)
  const reason = new Error('too late')
  abort.abort(reason)
  await assert.rejects(waiting, reason)
  await assert.rejects(orAborted(never, abort.signal), reason)
  assert.equal(getEventListeners(abort.signal, 'abort').length, 0)
  const other = new AbortController()
  const failing = orAborted(Promise.reject(new Error('itself')), other.signal)
  await assert.rejects(failing, /itself/)
  assert.equal(getEventListeners(other.signal, 'abort').length, 0)
})

test('a reason that is no error becomes the cause of one', async () => {
  await assert.rejects(orAborted(never, AbortSignal.abort('gone')), { message: 'aborted', cause: 'gone' })
})
