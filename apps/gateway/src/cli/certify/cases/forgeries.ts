import { generateKeyPairSync, randomBytes, randomUUID, sign } from 'node:crypto'
import { type Callback, withHeaders } from '../callback.ts'
import type { Case } from '../case.ts'
import { Fault } from '../fault.ts'
import type { Stage } from '../stage.ts'

// What strangers may send. None of it may make an order paid.

/** Twice what a receiver is to tolerate. */
const OLD_SECONDS = 600
const SIGNATURE_BYTES = 64

export const FORGERIES: readonly Case[] = [
  {
    name: 'unsigned',
    done: 'Callbacks arrive without any signature headers, and with only the signature missing.',
    right: 'Answers 4xx.',
    why: 'A shop that verifies a signature only if there is one verifies nothing.',
    fix: 'Refuse a callback without webhook-id, webhook-timestamp or webhook-signature.',
    async play(stage: Stage): Promise<void> {
      const order = await stage.order()
      const callback = await stage.sandbox.sign({ body: JSON.stringify({ idEntity: order.id }) })
      const none = { 'webhook-id': undefined, 'webhook-timestamp': undefined, 'webhook-signature': undefined }
      await stage.refuses(order, withHeaders(callback, none), 'a callback without a signature')
      const unsigned = withHeaders(callback, { 'webhook-signature': undefined })
      await stage.refuses(order, unsigned, 'a callback without webhook-signature')
      await stage.isUnpaid(order)
    },
  },
  {
    name: 'stranger',
    done: 'Callbacks are signed by a stranger’s key, and with bytes that are no signature.',
    right: 'Answers 4xx.',
    why: 'Anyone who knows your receiver’s address could make your shop read any payment, as often as they like.',
    fix: 'Verify the signature with callbackPublicKeys of GET /merchant-info, and with no other key.',
    async play(stage: Stage): Promise<void> {
      const order = await stage.order()
      const callback = await stage.sandbox.sign({ body: JSON.stringify({ idEntity: order.id }) })
      await stage.refuses(order, signedByStranger(callback), 'a callback that a stranger signed')
      const noise = withHeaders(callback, {
        'webhook-signature': `v1a,${randomBytes(SIGNATURE_BYTES).toString('base64')}`,
      })
      await stage.refuses(order, noise, 'a callback with a wrong signature')
      await stage.isUnpaid(order)
    },
  },
  {
    name: 'changed-body',
    done: 'The callback of one order is sent again with another order’s id in its body.',
    right: 'Answers 4xx.',
    why: 'If the signature is not checked over the body, anyone can reuse it.',
    fix: 'Verify webhook-id, webhook-timestamp and the bytes of the body as they arrived, joined by dots.',
    async play(stage: Stage): Promise<void> {
      const [paid, open] = [await stage.order(), await stage.order()]
      const callback = await stage.happens(paid, 'paid')
      await stage.deliver(paid, callback)
      const forged = { ...callback, body: JSON.stringify({ idEntity: open.id }) }
      await stage.refuses(open, forged, 'a callback whose body was changed')
      await stage.isUnpaid(open)
    },
  },
  {
    name: 'replayed',
    done: 'A callback with a valid signature arrives ten minutes after it was signed.',
    right: 'Answers 4xx.',
    why: 'Anyone who recorded a callback could send it for years.',
    fix: 'Refuse a webhook-timestamp that is more than five minutes from your clock.',
    async play(stage: Stage): Promise<void> {
      const order = await stage.order()
      const body = JSON.stringify({ idEntity: order.id })
      const old = await stage.sandbox.sign({ body, ageSeconds: OLD_SECONDS })
      await stage.refuses(order, old, 'a callback of ten minutes ago')
      await stage.isUnpaid(order)
    },
  },
  {
    name: 'unknown-payment',
    done: 'A callback with a valid signature names a payment that the shop does not have.',
    right: 'Answers 200 or 4xx and keeps working.',
    why: 'A receiver that fails on it is retried four times, fills its log, and may crash the shop.',
    fix: 'Look the order up first; where there is none, answer 200 and do nothing.',
    play: playUnknownPayment,
  },
  {
    name: 'forged-return',
    done: 'The customer comes back without having paid, and with status=SUCCESS in the address.',
    right: 'The order is not paid.',
    why: 'Anyone can type an address: a shop that believes it gives its goods away.',
    fix: 'Ignore the query; read the payment at the gateway.',
    async play(stage: Stage): Promise<void> {
      const order = await stage.order()
      await stage.shop.visit(order, FORGED_QUERY)
      await stage.isUnpaid(order)
    },
  },
]

const FORGED_QUERY = 'status=SUCCESS&paymentStatus=SUCCESS&result=paid&paid=true&success=1'

/** Signed as it should be, by a key of nobody. */
function signedByStranger(callback: Callback): Callback {
  const { 'webhook-id': id = '', 'webhook-timestamp': time = '' } = callback.headers
  const { privateKey } = generateKeyPairSync('ed25519')
  const signature = sign(null, Buffer.from(`${id}.${time}.${callback.body}`), privateKey)
  return withHeaders(callback, { 'webhook-signature': `v1a,${signature.toString('base64')}` })
}

async function playUnknownPayment(stage: Stage): Promise<void> {
  const order = await stage.order()
  const callback = await stage.sandbox.sign({ body: JSON.stringify({ idEntity: `certify-${randomUUID()}` }) })
  const status = await stage.shop.deliver(order, callback)
  if (status !== 200 && (status < 400 || status > 499))
    throw new Fault(
      `the shop’s callback receiver answered ${status} to a callback about a payment that it does not have`,
      'the answer 200, or one from 400 to 499',
    )
  await stage.isUnpaid(order)
}
