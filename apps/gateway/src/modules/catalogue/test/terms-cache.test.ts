import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { MerchantTerms } from '../model.ts'
import { cacheTerms } from '../service.ts'
import { buildTerms } from '../snapshot.ts'

/** A reader whose answers the test gives when it wants. */
function slowReader() {
  const reads: { readonly merchantId: string; readonly answer: (methodCode: string) => void }[] = []
  const read = (merchantId: string): Promise<MerchantTerms> => {
    const { promise, resolve } = Promise.withResolvers<MerchantTerms>()
    reads.push({ merchantId, answer: (methodCode) => resolve(termsWith(merchantId, methodCode)) })
    return promise
  }
  return { reads, read }
}

function termsWith(merchantId: string, methodCode: string): MerchantTerms {
  return buildTerms(merchantId, { methods: [{ methodCode, direction: 'PAYIN' }], limits: [], fees: [] })
}

function methodOf(terms: MerchantTerms): string | undefined {
  return [...(terms.methods.get('PAYIN') ?? [])][0]
}

test('terms that were read once are there at once', async () => {
  const { reads, read } = slowReader()
  const cache = cacheTerms(read, 10)
  const first = cache.find('1')
  reads[0]?.answer('A')
  assert.equal(methodOf(await first), 'A')
  const second = cache.find('1')
  assert(!(second instanceof Promise))
  assert.equal(methodOf(second), 'A')
  assert.equal(reads.length, 1)
})

test('concurrent misses of one merchant share one query, those of two merchants do not', async () => {
  const { reads, read } = slowReader()
  const cache = cacheTerms(read, 10)
  const answers = [cache.find('1'), cache.find('1'), cache.find('2')].map(async (terms) => terms)
  assert.deepEqual(
    reads.map(({ merchantId }) => merchantId),
    ['1', '2'],
  )
  for (const { answer } of reads) answer('A')
  await Promise.all(answers)
})

test('what was read before a change is not kept, and does not replace what was read after it', async () => {
  const { reads, read } = slowReader()
  const cache = cacheTerms(read, 10)
  const early = cache.find('1')
  cache.drop('1')
  const late = cache.find('1')
  assert.equal(reads.length, 2, 'a request after the change does not wait for the early query')
  reads[1]?.answer('NEW')
  assert.equal(methodOf(await late), 'NEW')
  reads[0]?.answer('OLD')
  assert.equal(methodOf(await early), 'OLD')
  assert.equal(methodOf(await cache.find('1')), 'NEW')
  assert.equal(reads.length, 2)
})

test('a change of one merchant drops that merchant alone; a change of all drops all', async () => {
  const { reads, read } = slowReader()
  const cache = cacheTerms(read, 10)
  const both = [cache.find('1'), cache.find('2')].map(async (terms) => terms)
  for (const { answer } of reads) answer('A')
  await Promise.all(both)
  cache.drop('1')
  assert(cache.find('1') instanceof Promise)
  assert(!(cache.find('2') instanceof Promise))
  cache.drop(undefined)
  assert(cache.find('2') instanceof Promise)
})

test('the cache is bounded, and the merchant that was not used for the longest time goes first', async () => {
  const cache = cacheTerms((merchantId) => Promise.resolve(termsWith(merchantId, 'A')), 2)
  await cache.find('1')
  await cache.find('2')
  await cache.find('1')
  await cache.find('3')
  assert(!(cache.find('1') instanceof Promise))
  assert(!(cache.find('3') instanceof Promise))
  assert(cache.find('2') instanceof Promise)
})

test('a failed query is not remembered', async () => {
  let fails = true
  const cache = cacheTerms(async (merchantId) => {
    if (fails) throw new Error('away')
    return termsWith(merchantId, 'A')
  }, 10)
  await assert.rejects(async () => cache.find('1'), /away/)
  fails = false
  assert.equal(methodOf(await cache.find('1')), 'A')
})
