import { withHeaders } from '../callback.ts'
import type { Case } from '../case.ts'
import { exactJson } from '../exact-json.ts'
import type { Answer } from '../exchange.ts'
import type { Created, Meddler } from '../relay.ts'
import { PAID, type Stage, withReadsOf } from '../stage.ts'

// What becomes of a payment, and what later versions may say of it.

export const OUTCOMES: readonly Case[] = [
  {
    name: 'reversed',
    done: 'An order is paid, and then the money goes back: REVERSED.',
    right: 'The order is no longer paid.',
    why: 'A shop that stops at SUCCESS keeps serving a customer who has got the money back.',
    fix: 'Process callbacks of paid orders too: SUCCESS can become REVERSED.',
    async play(stage: Stage): Promise<void> {
      const order = await stage.order()
      await stage.deliver(order, await stage.happens(order, 'paid'))
      await stage.believes(order, PAID)
      await stage.deliver(order, await stage.happens(order, 'returned'))
      await stage.believes(order, { status: 'REVERSED', fulfilled: 1 })
    },
  },
  {
    name: 'late-money',
    done: 'The payment expires, and the money arrives after that: EXPIRED, then SUCCESS.',
    right: 'The order is EXPIRED first and paid in the end.',
    why: 'A shop that treats any callback as payment sends goods for nothing; one that deletes expired orders keeps late money.',
    fix: 'Act on process.status, never on the callback itself; keep expired orders, and accept SUCCESS for them.',
    async play(stage: Stage): Promise<void> {
      const order = await stage.order()
      await stage.deliver(order, await stage.happens(order, 'expired'))
      await stage.believes(order, { status: 'EXPIRED', fulfilled: 0 })
      await stage.deliver(order, await stage.happens(order, 'paid'))
      await stage.believes(order, PAID)
    },
  },
  {
    name: 'partial',
    done: 'Half of the money arrives: the payment stays CREATED and is being reviewed.',
    right: 'Answers 200; the order is not paid.',
    why: 'A shop that goes by the phase, or by any money that arrived, sends goods for half their price.',
    fix: 'Only the status SUCCESS is paid; paymentReceived and processorStatus are for people.',
    async play(stage: Stage): Promise<void> {
      const order = await stage.order()
      await stage.sandbox.trigger(order.id, 'partial')
      await stage.deliver(order, await stage.sandbox.sign({ body: bodyOf(order) }))
      await stage.isUnpaid(order)
    },
  },
  {
    name: 'unknown-status',
    done: 'The gateway reports a status that does not exist yet; later it is SUCCESS.',
    right: 'Answers 200 and leaves the order open; then it is paid.',
    why: 'New statuses may be added at any time: a shop that treats them as paid, or fails on them, breaks that day.',
    fix: 'Treat a status that you do not know as not ended.',
    play: playUnknownStatus,
  },
  {
    name: 'unknown-fields',
    done: 'Callback, headers and payment have members that do not exist yet; the signature is valid.',
    right: 'Ignores them. The order is paid.',
    why: 'New members are added without a new version: a strict schema refuses every callback from then on.',
    fix: 'Read the members that you know, and ignore all others.',
    play: playUnknownFields,
  },
]

const bodyOf = ({ id }: Created, more: object = {}): string => JSON.stringify({ idEntity: id, ...more })

async function playUnknownStatus(stage: Stage): Promise<void> {
  const order = await stage.order()
  const callback = await stage.happens(order, 'paid')
  const later = changing(order, (payment) => ({
    ...payment,
    process: { ...processOf(payment), status: 'PARKED' },
  }))
  await stage.relay.during(later, async () => {
    await stage.deliver(order, callback)
    await stage.isUnpaid(order)
  })
  await stage.deliver(order, callback)
  await stage.believes(order, PAID)
}

async function playUnknownFields(stage: Stage): Promise<void> {
  const order = await stage.order()
  await stage.happens(order, 'paid')
  const body = bodyOf(order, { livemode: false, data: { items: [null, { total: 1.5 }] } })
  const callback = withHeaders(await stage.sandbox.sign({ body }), { 'webhook-region': 'eu' })
  const later = changing(order, (payment) => ({
    ...payment,
    riskScore: { value: 12, reasons: ['NEW_CUSTOMER'] },
    process: { ...processOf(payment), channel: null },
  }))
  await stage.relay.during(later, () => stage.deliver(order, callback))
  await stage.believes(order, PAID)
}

function processOf(payment: object): object {
  const found: unknown = Reflect.get(payment, 'process')
  return typeof found === 'object' && found !== null ? found : {}
}

/** Changes what the shop reads of this payment. */
const changing = (order: Created, change: (payment: object) => object): Meddler =>
  withReadsOf(order, async (_call, pass) => {
    const answer = await pass()
    const payment = answer.status === 200 ? exactJson(answer.body.toString('utf8')) : undefined
    return typeof payment === 'object' && payment !== null ? withBody(answer, change(payment)) : answer
  })

const withBody = (answer: Answer, body: object): Answer => ({
  ...answer,
  body: Buffer.from(JSON.stringify(body)),
})
