import { newCustomer } from './customer.ts'
import { scriptedPayin } from './screens-payin.ts'
import { made, type Scene, type Stage, statusLinkFor, triggered } from './screens-scene.ts'
import { type LinkWish, linkFor } from './shop.ts'

// How a payment ends, and what the status link shows of it.

const TRANSFER: LinkWish = { paymentMethodCode: 'BANK_TRANSFER' }
const withAddress = (name: string): LinkWish => ({
  ...TRANSFER,
  customerData: { emailAddress: `${name}@sandbox.test` },
})

const ends: readonly Scene[] = [
  {
    name: 'paid',
    screen: 'PAID',
    shows: 'Paid: a receipt to keep. The page returns to the shop automatically unless the customer stays.',
    heading: /^Payment complete$/,
    isCounting: true,
    prepare: made(withAddress('success')),
  },
  {
    name: 'paid-late',
    screen: 'PAID',
    shows: 'The money arrived after the deadline and is not lost.',
    heading: /^Payment complete$/,
    prepare: ({ scripted, nextOrder }) => {
      const wish = { idPayin: nextOrder() }
      const late = { status: 'SUCCESS', processorStatus: 'CONFIRMED_LATE' }
      return scripted.link(scriptedPayin({ ...wish, ...late }), wish)
    },
  },
  {
    name: 'reversed',
    screen: 'REVERSED',
    shows: 'The money was returned.',
    heading: /^Payment returned$/,
    prepare: ({ scripted, nextOrder }) => {
      const wish = { idPayin: nextOrder() }
      return scripted.link(scriptedPayin({ ...wish, status: 'REVERSED' }), wish)
    },
  },
  {
    name: 'failed',
    screen: 'FAILED',
    shows: 'Not paid: the reason, where the money is, and what to do.',
    heading: /^Payment not completed$/,
    prepare: made(withAddress('declined')),
  },
  {
    name: 'cancelled',
    screen: 'CANCELLED',
    shows: 'Cancelled: no money was taken.',
    heading: /^The payment was cancelled$/,
    prepare: made(withAddress('cancelled')),
  },
  {
    name: 'expired',
    screen: 'EXPIRED',
    shows: 'Expired: customers who have not paid start again; those who have must not pay twice.',
    heading: /^This payment has expired$/,
    prepare: made(TRANSFER, triggered('expired')),
  },
  {
    name: 'expired-reference',
    screen: 'EXPIRED',
    shows: 'Customers who have paid can enter their reference.',
    heading: /^This payment has expired$/,
    prepare: made({ amount: '500', currencyCode: 'INR', paymentMethodCode: 'UPI' }, triggered('expired')),
  },
]

const statuses: readonly Scene[] = [
  {
    name: 'status-open',
    screen: 'INSTRUCTIONS',
    shows: 'The status link of an open payment is read-only.',
    heading: /^Transfer from your bank$/,
    prepare: (stage) => statusOf(stage, TRANSFER),
  },
  {
    name: 'status-paid',
    screen: 'PAID',
    shows: 'The status link of a paid payment shows the receipt.',
    heading: /^Payment complete$/,
    prepare: (stage) => statusOf(stage, withAddress('success')),
  },
]

async function statusOf({ gateway, nextOrder }: Stage, wish: LinkWish): Promise<string> {
  const { url, id } = await linkFor(gateway, { idPayin: nextOrder(), ...wish })
  const customer = newCustomer(gateway.checkoutUrl)
  await customer.open(url)
  await customer.submit('pay')
  return statusLinkFor(gateway, id)
}

export const END_SCENES: readonly Scene[] = [...ends, ...statuses]
