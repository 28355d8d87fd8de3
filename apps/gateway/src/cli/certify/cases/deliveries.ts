import { setTimeout as sleep } from 'node:timers/promises'
import type { Callback } from '../callback.ts'
import type { Case } from '../case.ts'
import { Fault } from '../fault.ts'
import { type Call, type Created, createdBy, type Meddler } from '../relay.ts'
import { PAID, type Stage, withReadsOf } from '../stage.ts'
import { isSoon } from '../wait.ts'

// When callbacks arrive, how often, and in which order.

/** A shop that asks one question at a time sends the second only after the first is answered: no longer than this is waited for it. */
const SECOND_READ_TIMEOUT_MS = 2_000
const FIRST_READ_TIMEOUT_MS = 5_000
const OK = 200

export const DELIVERIES: readonly Case[] = [
  {
    name: 'early',
    done: 'The callback arrives before the shop has the answer to its create; with the payment page, before the customer is back.',
    right: 'Accepts the callback, or answers other than 200 and accepts the retry. The order is paid.',
    why: 'A shop that stores its order after the create loses the callbacks of fast payments.',
    fix: 'Store the order with its id before you create the payment.',
    play: playEarly,
  },
  {
    name: 'return-first',
    done: 'The customer comes back before the payment is done; the callback follows.',
    right: 'Shows the order as not paid yet, and as paid after the callback.',
    why: 'A shop that closes the order at the return takes the money and sends nothing.',
    fix: 'Leave the order open when the customer returns; let the status at the gateway decide.',
    async play(stage: Stage): Promise<void> {
      const order = await stage.order()
      await stage.shop.visit(order)
      await stage.isUnpaid(order)
      await stage.deliver(order, await stage.happens(order, 'paid'))
      await stage.believes(order, PAID)
    },
  },
  {
    name: 'twice',
    done: 'The callback of a paid order is delivered twice.',
    right: 'Answers 200 both times and sends the goods once.',
    why: 'Callbacks arrive at least once: a shop that counts them sends the goods again.',
    fix: 'Send the goods only where they are not sent yet, and note that in the same transaction.',
    async play(stage: Stage): Promise<void> {
      const order = await stage.order()
      const callback = await stage.happens(order, 'paid')
      await stage.deliver(order, callback)
      await stage.believes(order, PAID)
      await stage.deliver(order, callback)
      await stage.believes(order, PAID)
    },
  },
  {
    name: 'at-once',
    done: 'The callback of a paid order is delivered twice at the same time.',
    right: 'Answers 200 to at least one of them and sends the goods once.',
    why: 'Two processes that both see unsent goods both send them.',
    fix: 'Lock the order’s row, or make one statement check and set, before you send the goods.',
    play: playAtOnce,
  },
  {
    name: 'out-of-order',
    done: 'A payment succeeds and is reversed. The callback of the reversal arrives first, that of the success after it.',
    right: 'Answers 200 to both, ends at REVERSED, and sends nothing.',
    why: 'A shop that expects SUCCESS before REVERSED ignores the reversal, or sends goods for money that is gone.',
    fix: 'Read the payment at each callback and store its status, whatever the order’s status was.',
    async play(stage: Stage): Promise<void> {
      const order = await stage.order()
      const older = await stage.happens(order, 'paid')
      const newer = await stage.happens(order, 'returned')
      await stage.deliver(order, newer)
      await stage.deliver(order, older)
      await stage.believes(order, { status: 'REVERSED', fulfilled: 0 })
    },
  },
  {
    name: 'overtaken',
    done: 'The shop reads SUCCESS, but that answer is slow: the reversal’s callback and its read overtake it.',
    right: 'Ends at REVERSED.',
    why: 'If the older answer is written last, a reversed order stays paid forever.',
    fix: 'Read and write one order at a time: lock its row before you ask the gateway.',
    play: playOvertaken,
  },
  {
    name: 'retry',
    done: 'The gateway answers 503 while the shop reads the payment; the callback is retried once the gateway is back.',
    right: 'Answers other than 200 and accepts the retry, or answers 200 and reads again by itself.',
    why: 'A shop that answers 200 and forgets never hears of this payment again.',
    fix: 'Answer 200 only when the order is changed, or when the id is stored for later.',
    play: playRetry,
  },
  {
    name: 'lost-callback',
    done: 'The callbacks of a paid order never arrive. The customer comes back.',
    right: 'Reads the payment at the return, and the order is paid.',
    why: 'A receiver that was down for ten minutes has missed all five attempts.',
    fix: 'Read open payments when the customer returns, and at intervals (reconcile).',
    async play(stage: Stage): Promise<void> {
      const order = await stage.order()
      await stage.happens(order, 'paid')
      await stage.shop.visit(order)
      await stage.believes(order, PAID)
    },
  },
  {
    name: 'lost-answer',
    done: 'The shop’s call that starts the payment succeeds, but the connection breaks before the answer arrives.',
    right:
      'Repeats the call with the same id and finds its payment. There is one payment, and it can be paid.',
    why: 'A shop that uses a new id lets its customer pay twice.',
    fix: 'Repeat with the same id; on 409, read the payment.',
    play: playLostAnswer,
  },
]

async function playEarly(stage: Stage): Promise<void> {
  let early: Promise<Early> | undefined
  const meddler: Meddler = async (call, pass) => {
    const answer = await pass()
    const created = createdBy(call)
    if (created === undefined || answer.status !== CREATED || early !== undefined) return answer
    early = handled(deliverEarly(stage, created))
    // A shop may hold its order locked until it has the answer: then the callback waits, and we do not.
    await Promise.race([early.catch(() => undefined), sleep(LOCKED_MS)])
    return answer
  }
  const order = await stage.relay.during(meddler, () => stage.order())
  const { callback, status } = await (early ?? deliverEarly(stage, order))
  // What is answered other than 200 is repeated; so it is at the gateway.
  if (status !== OK) await stage.deliver(order, callback)
  await stage.believes(order, PAID)
}

interface Early {
  readonly callback: Callback
  /** What the shop answered to it. */
  readonly status: number
}

async function deliverEarly(stage: Stage, order: Created): Promise<Early> {
  const callback = await stage.happens(order, 'paid')
  return { callback, status: await stage.shop.deliver(order, callback) }
}

const CREATED = 201
const LOCKED_MS = 3_000

/** A promise that is awaited later, and may fail before. */
function handled<Result>(promise: Promise<Result>): Promise<Result> {
  promise.catch(() => undefined)
  return promise
}

async function playAtOnce(stage: Stage): Promise<void> {
  const order = await stage.order()
  const callback = await stage.happens(order, 'paid')
  const before = stage.readsOf(order).length
  const bothRead = (): boolean => stage.readsOf(order).length - before >= 2
  const together = withReadsOf(order, async (_call, pass) => {
    const answer = await pass()
    await isSoon(bothRead, { timeoutMs: SECOND_READ_TIMEOUT_MS })
    return answer
  })
  const statuses = await stage.relay.during(together, () =>
    Promise.all([stage.shop.deliver(order, callback), stage.shop.deliver(order, callback)]),
  )
  if (!statuses.includes(OK))
    throw new Fault(
      `the shop’s callback receiver answered ${statuses.join(' and ')}`,
      'the answer 200 to at least one of them',
    )
  await stage.believes(order, PAID)
}

async function playOvertaken(stage: Stage): Promise<void> {
  const order = await stage.order()
  const older = await stage.happens(order, 'paid')
  const before = stage.readsOf(order).length
  let isReleased = false
  const slow = withReadsOf(order, async (call, pass) => {
    const answer = await pass()
    if (stage.readsOf(order)[before] === call)
      await isSoon(() => isReleased, { timeoutMs: FIRST_READ_TIMEOUT_MS })
    return answer
  })
  await stage.relay.during(slow, async () => {
    const first = handled(stage.shop.deliver(order, older))
    await isSoon(() => stage.readsOf(order).length > before, { timeoutMs: FIRST_READ_TIMEOUT_MS })
    const newer = await stage.happens(order, 'returned')
    const second = handled(stage.shop.deliver(order, newer))
    const isOvertaken = (): boolean =>
      stage
        .readsOf(order)
        .slice(before + 1)
        .some(({ status }) => status === OK)
    if (await isSoon(isOvertaken, { timeoutMs: SECOND_READ_TIMEOUT_MS })) await second
    isReleased = true
    await Promise.all([first, second])
  })
  // Whether it has sent the goods meanwhile is a matter of moments.
  await stage.believes(order, { status: 'REVERSED' })
}

async function playRetry(stage: Stage): Promise<void> {
  const order = await stage.order()
  const callback = await stage.happens(order, 'paid')
  const away = withReadsOf(order, async () => ({
    status: 503,
    headers: new Headers({ 'content-type': 'application/json' }),
    body: Buffer.from('{"code":"INTERNAL","message":"The gateway is away."}'),
  }))
  const status = await stage.relay.during(away, () => stage.shop.deliver(order, callback))
  if (status !== OK) await stage.deliver(order, callback)
  await stage.believes(order, PAID)
}

async function playLostAnswer(stage: Stage): Promise<void> {
  const { isDirect } = await stage.order()
  let isLost = false
  const known = stage.relay.calls.length
  const losing: Meddler = async (call, pass) => {
    const answer = await pass()
    const isFirst = !isLost && (isDirect ? createdBy(call) !== undefined : isToken(call))
    isLost ||= isFirst
    return isFirst ? undefined : answer
  }
  const order = await stage.relay.during(losing, () => stage.order())
  const ids = new Set(stage.relay.calls.slice(known).flatMap((call) => createdBy(call)?.id ?? []))
  if (ids.size > 1)
    throw new Fault(
      `the shop created ${ids.size} payments for one order`,
      'one payment, created again with its own id',
    )
  await stage.deliver(order, await stage.happens(order, 'paid'))
  await stage.believes(order, PAID)
}

/** What a shop asks for that leaves the create to the payment page. */
const isToken = ({ path }: Call): boolean => path.startsWith('/auth-tokens')
