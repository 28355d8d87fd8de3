import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ClaimedCallback } from '../model.ts'
import { CALLBACK_LIMITS, createSlots, type Slots } from '../slots.ts'

const callback = (receiver: string, merchantId = '1'): ClaimedCallback => ({
  eventId: 'e',
  merchantId,
  kind: 'PAYIN',
  idEntity: 'order',
  isRefund: false,
  url: `${receiver}/hook`,
  receiver,
  attemptNo: 1,
  leaseToken: '',
  startedAtSeconds: 0,
})

const after = (tookMs: number) => ({ tookMs, isOk: true })

test('the limits of a worker process are those of the operations page', () => {
  assert.deepEqual(CALLBACK_LIMITS, {
    receiverMax: 8,
    quickReceiverMax: 32,
    quickWithinMs: 500,
    merchantMax: 50,
    inAllMax: 400,
    slowMax: 100,
    slowAfterMs: 2_000,
  })
})

test('slots count what is under way and remember who was slow the last time', () => {
  const slots = createSlots({ ...CALLBACK_LIMITS, slowMax: 1 })
  const [a, b, c] = [callback('https://a'), callback('https://a'), callback('https://c')]
  for (const each of [a, b, c]) slots.take(each)
  assert.deepEqual(slots.busyLanes(), [
    { receiver: 'https://a', merchantId: '1', taken: 2 },
    { receiver: 'https://c', merchantId: '1', taken: 1 },
  ])
  slots.release(c, after(10))
  assert.deepEqual([slots.slowReceivers(), slots.freeForSlow()], [[], 1])
  slots.release(a, after(9_000))
  assert.deepEqual([slots.slowReceivers(), slots.freeForSlow()], [['https://a'], 0])
  slots.release(b, after(10))
  assert.deepEqual([slots.slowReceivers(), slots.freeForSlow()], [[], 1])
})

test('a lane is one merchant at one receiver', () => {
  const slots = createSlots(CALLBACK_LIMITS)
  for (const each of [callback('https://a', '1'), callback('https://a', '2'), callback('https://a', '2')])
    slots.take(each)
  assert.deepEqual(slots.busyLanes(), [
    { receiver: 'https://a', merchantId: '1', taken: 1 },
    { receiver: 'https://a', merchantId: '2', taken: 2 },
  ])
})

test('slow is who took the time of the limit, to the millisecond; what is left for the slow is never negative', () => {
  const slots = createSlots({ ...CALLBACK_LIMITS, slowMax: 2 })
  const underWay = Array.from({ length: 3 }, () => callback('https://slow'))
  for (const each of underWay) slots.take(each)
  slots.release(callback('https://quick'), after(1_999))
  assert.deepEqual(slots.slowReceivers(), [])
  slots.release(callback('https://slow'), after(2_000))
  assert.deepEqual([slots.slowReceivers(), slots.freeForSlow()], [['https://slow'], 0])
  slots.take(callback('https://quick'))
  assert.equal(slots.freeForSlow(), 0)
})

test('a thousand slow receivers are remembered; the one that was slow longest ago is forgotten first', () => {
  const slots = createSlots(CALLBACK_LIMITS)
  const slow = (index: number): void => slots.release(callback(`https://r${index}`), after(5_000))
  for (let index = 0; index < 1_000; index += 1) slow(index)
  assert.equal(slots.slowReceivers().length, 1_000)
  slow(0)
  slow(1_000)
  const remembered = slots.slowReceivers()
  assert.equal(remembered.length, 1_000)
  assert.deepEqual(
    [remembered[0], remembered.at(-2), remembered.at(-1)],
    ['https://r2', 'https://r0', 'https://r1000'],
  )
})

/** How many attempts at the receiver, each of another merchant, have room at the same time. */
function roomAt(slots: Slots, receiver: string): number {
  let count = 0
  for (; count < 100; count += 1) {
    const attempt = callback(receiver, String(count))
    if (!slots.hasRoomFor(attempt)) break
    slots.take(attempt)
  }
  return count
}

test('who answers 200 within half a second may have 32 under way, everybody else 8, and who was slow none without a claim', () => {
  const slots = createSlots(CALLBACK_LIMITS)
  const answer = (receiver: string, tookMs: number, isOk: boolean): void =>
    slots.release(callback(receiver), { tookMs, isOk })
  answer('https://quick', 500, true)
  answer('https://late', 501, true)
  answer('https://wrong', 5, false)
  answer('https://slow', 2_000, true)
  answer('https://was-quick', 5, true)
  answer('https://was-quick', 5, false)
  assert.deepEqual(slots.quickReceivers(), ['https://quick'])
  const rooms = ['quick', 'late', 'wrong', 'was-quick', 'never-seen', 'slow'].map((name) =>
    roomAt(slots, `https://${name}`),
  )
  assert.deepEqual(rooms, [32, 8, 8, 8, 8, 0])
})

test('a merchant has room for 50, and a slot that is given back without an answer changes nothing else', () => {
  const slots = createSlots(CALLBACK_LIMITS)
  const attempts = Array.from({ length: 50 }, (_, index) => callback(`https://r${index}`))
  for (const each of attempts) slots.take(each)
  assert.equal(slots.hasRoomFor(callback('https://other')), false)
  assert.equal(slots.hasRoomFor(callback('https://other', '2')), true)
  for (const each of attempts) slots.release(each)
  assert.equal(slots.hasRoomFor(callback('https://other')), true)
  assert.deepEqual([slots.busyLanes(), slots.quickReceivers(), slots.slowReceivers()], [[], [], []])
})

test('of more than a hundred quick receivers, the one that was quick longest ago is forgotten first', () => {
  const slots = createSlots(CALLBACK_LIMITS)
  for (let index = 0; index <= 100; index += 1) slots.release(callback(`https://r${index}`), after(5))
  const quick = slots.quickReceivers()
  assert.deepEqual([quick.length, quick[0]], [100, 'https://r1'])
})
