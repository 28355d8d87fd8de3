import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTurns } from '../turns.ts'

test('work of one key goes one after the other, in its order, whatever fails; that of others does not wait', async () => {
  const inTurn = createTurns()
  const seen: string[] = []
  const first = Promise.withResolvers<void>()
  const work =
    (name: string, until: Promise<void> = Promise.resolve()) =>
    async (): Promise<string> => {
      seen.push(`${name} begins`)
      await until
      seen.push(`${name} ends`)
      if (name === 'a2') throw new Error('no')
      return name
    }
  const results = [inTurn('a', work('a1', first.promise)), inTurn('a', work('a2')), inTurn('a', work('a3'))]
  assert.equal(await inTurn('b', work('b1')), 'b1')
  assert.deepEqual(seen, ['a1 begins', 'b1 begins', 'b1 ends'])
  first.resolve()
  const settled = await Promise.allSettled(results)
  assert.deepEqual(
    settled.map(({ status }) => status),
    ['fulfilled', 'rejected', 'fulfilled'],
  )
  assert.deepEqual(seen.slice(3), ['a1 ends', 'a2 begins', 'a2 ends', 'a3 begins', 'a3 ends'])
})

test('beyond 256 that wait for one key, the next is told to come back', async () => {
  const inTurn = createTurns()
  const gate = Promise.withResolvers<void>()
  const waiting = Array.from({ length: 256 }, () => inTurn('a', () => gate.promise))
  await assert.rejects(
    inTurn('a', () => gate.promise),
    { code: 'SYSTEM' },
  )
  gate.resolve()
  await Promise.all(waiting)
  assert.equal(await inTurn('a', async () => 'again'), 'again')
})
