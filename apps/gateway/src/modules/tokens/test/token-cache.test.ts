import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  CHARACTERS_CACHED_MAX,
  createTokenCache,
  TOKENS_CACHED_MAX,
  type VerifiedToken,
} from '../authenticator.ts'
import { compileOperations } from '../operations.ts'

function verifiedToken(): VerifiedToken {
  const outcome = compileOperations(['GET /'])
  assert(outcome.ok)
  return { claims: { operations: ['GET /'], sub: 'A', iat: 1, exp: 2, jti: 'x' }, scope: outcome.scope }
}

const TOKEN = verifiedToken()

test('the token that was kept first goes first when there are too many', () => {
  const cache = createTokenCache()
  for (let index = 0; index <= TOKENS_CACHED_MAX; index += 1) cache.keep(`t${index}`, TOKEN)
  assert.equal(cache.find('t0'), undefined)
  assert.equal(cache.find('t1'), TOKEN)
  assert.equal(cache.find(`t${TOKENS_CACHED_MAX}`), TOKEN)
})

test('long tokens count by their length', () => {
  const cache = createTokenCache()
  const length = CHARACTERS_CACHED_MAX / 4
  const texts = ['a', 'b', 'c', 'd', 'e'].map((letter) => letter.repeat(length))
  for (const text of texts) cache.keep(text, TOKEN)
  assert.deepEqual(
    texts.map((text) => cache.find(text) !== undefined),
    [false, true, true, true, true],
  )
  cache.keep(texts[4] ?? '', TOKEN)
  assert.equal(cache.find(texts[1] ?? ''), TOKEN)
})

test('nothing stays after a clear, and the room is free again', () => {
  const cache = createTokenCache()
  const long = 'x'.repeat(CHARACTERS_CACHED_MAX)
  cache.keep(long, TOKEN)
  cache.clear()
  assert.equal(cache.find(long), undefined)
  cache.keep('short', TOKEN)
  cache.keep(long.slice(5), TOKEN)
  assert.equal(cache.find('short'), TOKEN)
})
