import type { TestLife } from '@tollgate/testkit'
import { waitUntil } from '@tollgate/testkit'
import { type PaymentKey, readRequest } from '../../modules/payments/index.ts'
import type { Rail } from '../../rails/rail.ts'
import { verifyBooks } from '../../rooms/books.ts'
import { openShop, type Shop } from '../support/shop.ts'
import type { Met } from './hostile.ts'

/** A shop whose payouts go by one rail, with money to pay out, and a worker that asks soon and gives up soon. */
interface HostileShop extends Shop {
  payOut(): Promise<HostilePayout>
  /** Every message of an institution has been dealt with. */
  untilNoNews(): Promise<void>
}

interface HostilePayout {
  readonly key: PaymentKey
  /** What the gateway says of it. */
  until(says: string): Promise<void>
  /** What came of it, but for what moved. */
  met(): Promise<Omit<Met, 'moved'>>
}

const UNTIL_MS = 30_000

export async function openHostileShop(t: TestLife, rail: Rail): Promise<HostileShop> {
  const shop = await openShop(t, {
    rail,
    prepare: ({ sql }) => sql(`update payment_methods set rail = $1`, [rail.code]),
  })
  await shop.fund('1000', 'EUR')
  shop.startWorker({
    railDeadlineSeconds: 1,
    inquirySchedule: { distancesSeconds: [0.05], lastDistanceSeconds: 0.05, patienceSeconds: 1 },
  })
  const saysOf = async (key: PaymentKey): Promise<string> => {
    const payment = await shop.payments.find(key)
    return `${payment?.status ?? ''} ${payment?.processorStatus ?? ''}`
  }
  return {
    ...shop,
    async payOut() {
      const key: PaymentKey = { merchantId: shop.merchantId, kind: 'PAYOUT', idPayment: 'OUT-1' }
      await shop.intake.create({
        caller: shop.caller,
        key,
        direction: 'PAYOUT',
        request: readRequest(shop.caller, BODY),
      })
      return {
        key,
        until: (says) =>
          waitUntil(async () => (await saysOf(key)) === says, {
            what: says,
            timeoutMs: UNTIL_MS,
          }),
        async met() {
          const reviews = await shop.sql(`select from payment_tasks where task = 'REVIEW'`)
          const { findings } = await verifyBooks(shop.db)
          return { says: await saysOf(key), isWithPeople: reviews.length > 0, faults: findings }
        },
      }
    },
    untilNoNews: () =>
      waitUntil(
        async () => (await shop.sql(`select from rail_notifications where state = 'PENDING'`)).length === 0,
        { what: 'the messages', timeoutMs: UNTIL_MS },
      ),
  }
}

const BODY = {
  requestedField: 'paymentRequested',
  requested: { money: { amount: 100, currencyCode: 'EUR' } },
  paymentMethod: {
    paymentMethodCode: 'BANK_TRANSFER',
    account: { accountName: 'Ada Lovelace', accountNumber: 'NL91ABNA0417164300' },
  },
  callbackUrl: 'https://shop.example/callbacks',
}
