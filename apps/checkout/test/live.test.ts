import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as settled } from 'node:timers/promises'
import type { Look } from '../src/api-client.ts'
import { createWatch } from '../src/live.ts'

const MISSING: Look = { kind: 'MISSING' }
const HERE = { isForOnePayment: true, address: '192.0.2.7' }

/** A watch on a gateway that says this, and how often it was asked. */
function watchOn(answer: Look = MISSING) {
  const asked: string[] = []
  const watch = createWatch({
    look: ({ idPayin }) => {
      asked.push(idPayin)
      return Promise.resolve(answer)
    },
  })
  return { watch, asked }
}

function follower() {
  const heard: string[] = []
  return { heard, heardOne: ({ kind }: Look) => void heard.push(kind), ended: () => void heard.push('END') }
}

function follow(watch: ReturnType<typeof createWatch>, idPayin: string, where: Partial<typeof HERE> = {}) {
  const { heard, heardOne, ended } = follower()
  const leave = watch.add({ token: 'token', idPayin }, { heard: heardOne, ended }, { ...HERE, ...where })
  return { heard, leave }
}

test('all who follow one payment share one question', async (t) => {
  const { watch, asked } = watchOn()
  t.after(() => watch.stop())
  const [one, other] = [follow(watch, 'A'), follow(watch, 'A')]
  await settled()
  assert.deepEqual(asked, ['A'])
  assert.deepEqual([one.heard, other.heard], [['MISSING'], ['MISSING']])
  assert.equal(watch.count, 2)
  one.leave?.()
  one.leave?.()
  assert.equal(watch.count, 1)
})

test('so many follow one payment, and so many come from one address; who leaves makes room', (t) => {
  const { watch } = watchOn()
  t.after(() => watch.stop())
  const ofOne = Array.from({ length: 21 }, () => follow(watch, 'A'))
  assert.deepEqual(
    ofOne.map(({ leave }) => leave !== undefined),
    ofOne.map((_, index) => index < 20),
  )
  const ofAddress = Array.from({ length: 181 }, (_, index) => follow(watch, `B${index}`))
  assert.equal(ofAddress.filter(({ leave }) => leave === undefined).length, 1)
  assert.notEqual(follow(watch, 'C', { address: '192.0.2.8' }).leave, undefined)
  ofAddress[0]?.leave?.()
  assert.notEqual(follow(watch, 'D').leave, undefined)
})

test('ten thousand follow at most, wherever they are', (t) => {
  const { watch } = watchOn()
  t.after(() => watch.stop())
  const all = Array.from({ length: 10_001 }, (_, index) =>
    follow(watch, `A${index}`, { address: `network ${index % 100}` }),
  )
  assert.equal(all.filter(({ leave }) => leave === undefined).length, 1)
  assert.equal(watch.count, 10_000)
})

test('what is denied is said once and not asked again', async () => {
  const { watch, asked } = watchOn({ kind: 'DENIED' })
  const { heard } = follow(watch, 'A')
  await settled()
  assert.deepEqual(heard, ['DENIED', 'END'])
  follow(watch, 'A')
  await settled()
  assert.deepEqual(asked, ['A', 'A'])
  watch.stop()
})

test('a page that stops ends all, and takes nobody any more', () => {
  const { watch } = watchOn()
  const [one, other] = [follow(watch, 'A'), follow(watch, 'B')]
  watch.stop()
  assert.deepEqual([one.heard, other.heard], [['END'], ['END']])
  assert.equal(follow(watch, 'C').leave, undefined)
})
