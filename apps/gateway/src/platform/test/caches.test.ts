import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLoadingCache } from '../caches.ts'
import { type Gate, gate } from './gate.ts'

/** A cache whose loads the test settles, in the order they began. */
function heldCache(entriesMax = 10) {
  const loads: { readonly key: string; readonly gate: Gate<string | undefined> }[] = []
  const cache = createLoadingCache<string>({
    entriesMax,
    load: (key) => {
      const load = { key, gate: gate<string | undefined>() }
      loads.push(load)
      return load.gate.promise
    },
  })
  return { cache, loads }
}

test('concurrent readers of one key share one load, and later ones find the value here', async () => {
  const { cache, loads } = heldCache()
  const both = Promise.all([cache.get('a'), cache.get('a')])
  loads[0]?.gate.open('value')
  assert.deepEqual(await both, ['value', 'value'])
  assert.equal(await cache.get('a'), 'value')
  assert.equal(cache.peek('a'), 'value')
  assert.equal(loads.length, 1)
})

for (const forget of ['drop', 'clear'] as const) {
  test(`what was loading during a ${forget} is handed out but not kept, and later readers load anew`, async () => {
    const { cache, loads } = heldCache()
    const early = cache.get('a')
    if (forget === 'drop') cache.drop('a')
    else cache.clear()
    const late = cache.get('a')
    loads[1]?.gate.open('new')
    assert.equal(await late, 'new')
    loads[0]?.gate.open('old')
    assert.equal(await early, 'old')
    assert.equal(cache.peek('a'), 'new')
    assert.equal(loads.length, 2)
  })

  test(`a ${forget} forgets what is here`, async () => {
    const { cache, loads } = heldCache()
    const first = cache.get('a')
    loads[0]?.gate.open('old')
    await first
    if (forget === 'drop') cache.drop('a')
    else cache.clear()
    assert.equal(cache.peek('a'), undefined)
    const second = cache.get('a')
    loads[1]?.gate.open('new')
    assert.equal(await second, 'new')
  })
}

test('a load that fails is not kept: the next reader tries again', async () => {
  const { cache, loads } = heldCache()
  const first = cache.get('a')
  loads[0]?.gate.fail(new Error('away'))
  await assert.rejects(first, /away/)
  const second = cache.get('a')
  loads[1]?.gate.open('value')
  assert.equal(await second, 'value')
})

test('a key without a value takes no place, so that strangers cannot fill the cache', async () => {
  const { cache, loads } = heldCache(1)
  const known = cache.get('known')
  loads[0]?.gate.open('value')
  await known
  for (const [index, stranger] of ['x', 'y', 'z'].entries()) {
    const answer = cache.get(stranger)
    loads[index + 1]?.gate.open(undefined)
    assert.equal(await answer, undefined)
  }
  assert.equal(cache.peek('known'), 'value')
})

test('the entry that was loaded first goes first', async () => {
  const { cache, loads } = heldCache(2)
  for (const [index, key] of ['a', 'b', 'c'].entries()) {
    const answer = cache.get(key)
    loads[index]?.gate.open(key)
    await answer
  }
  assert.deepEqual(
    ['a', 'b', 'c'].map((key) => cache.peek(key)),
    [undefined, 'b', 'c'],
  )
})

test('a drop forgets one key alone, a clear all of them', async () => {
  const { cache, loads } = heldCache()
  const both = Promise.all([cache.get('a'), cache.get('b')])
  assert.deepEqual(
    loads.map(({ key }) => key),
    ['a', 'b'],
  )
  for (const load of loads) load.gate.open('value')
  await both
  cache.drop('a')
  assert.deepEqual([cache.peek('a'), cache.peek('b')], [undefined, 'value'])
  cache.clear()
  assert.equal(cache.peek('b'), undefined)
})

for (const use of ['peek', 'get'] as const) {
  test(`what was not used for the longest time goes first; a ${use} is a use`, async () => {
    const cache = createLoadingCache<string>({ entriesMax: 2, load: (key) => Promise.resolve(key) })
    await cache.get('a')
    await cache.get('b')
    await cache[use]('a')
    await cache.get('c')
    assert.deepEqual([cache.peek('a'), cache.peek('b'), cache.peek('c')], ['a', undefined, 'c'])
  })
}
