import { randomUUID } from 'node:crypto'
import { type Gateway, type Payin, type PaymentOption, redirectUrl } from '@tollgate/sdk'

// The shop's orders, and how each is paid. A real shop keeps them in its database.

export const GOODS = [
  { id: 'mug', name: 'Mug', price: '14.90' },
  { id: 'pot', name: 'Coffee pot', price: '149.90' },
  { id: 'card', name: 'Postcard', price: '1.00' },
] as const
export type Good = (typeof GOODS)[number]

/** How much of the payment the shop settles before the customer comes to the payment page (specification 4.9). */
export const SCENARIOS = {
  1: 'The customer chooses everything on the payment page',
  2: 'The shop says who pays; the customer cannot change it',
  3: 'The shop says who pays; the customer may change it',
  4: 'The shop has chosen method and bank: one press is left',
  5: 'The shop suggests a method; the customer may take another',
} as const
export type Scenario = keyof typeof SCENARIOS

/** What each scenario adds to the address of the payment page. */
const PARAMETERS = {
  1: {},
  2: { customerData: { accountName: 'Jane Doe', accountNumber: 'DE89370400440532013000' } },
  3: { customerData: { accountName: 'Jane Doe' }, allowCustomerDataChange: true },
  4: {
    paymentMethodCode: 'ONLINE_BANKING',
    paymentOperatorCode: 'BANKA_VLTAVA',
    customerData: { accountName: 'Jane Doe' },
  },
  5: { paymentMethodCode: 'WALLET', optionsAvailable: true },
} as const

export interface Order {
  /** Also the id of the payin: a repeat of the same order is the same payment. */
  readonly id: string
  readonly good: Good
  /** What the gateway said when it was last asked; callbacks and the customer's return only make us ask. */
  status: string
  /** How often the goods were sent: once, however often we hear that they are paid. */
  fulfilled: number
  /** Ends when the question to the gateway that is under way is answered. */
  asked: Promise<unknown>
  /** Callbacks as they arrived: which event, and what the gateway said when it was asked. */
  readonly heard: { readonly eventId: string; readonly status: string }[]
}

export interface ShopSettings {
  /** Where customers find this shop. */
  readonly url: string
  readonly merchantCode: string
  readonly paymentAppUrl: string
}

const ORDERS_MAX = 1_000

export interface Orders {
  find(id: string): Order | undefined
  /** The way with the payment page: where to send the customer. The token opens this one payment only. */
  payOnPage(good: Good, scenario: Scenario): Promise<string>
  /** The way with the shop's own forms: what the customer can pay this with. */
  options(good: Good): Promise<readonly PaymentOption[]>
  /** … and with which one; where to send the customer: to the bank, or to the order, which says where to pay to. */
  payHere(good: Good, paymentMethodCode: string, paymentOperatorCode?: string): Promise<string>
  /** The customer is back, or a callback got lost: what the gateway says; undefined while there is no payment. */
  read(order: Order): Promise<Payin | undefined>
  /** Gives all of it back. Asked twice, it is the same refund. */
  refund(order: Order): Promise<unknown>
  /** A callback says that something changed, never what: the gateway is asked. It may arrive more than once. */
  hear(id: string, eventId: string): Promise<void>
}

export function createOrders(gateway: Gateway, { url, merchantCode, paymentAppUrl }: ShopSettings): Orders {
  const orders = new Map<string, Order>()

  function place(good: Good): Order {
    const fresh = { status: 'CREATED', fulfilled: 0, asked: Promise.resolve(), heard: [] }
    const order: Order = { id: `SHOP-${randomUUID()}`, good, ...fresh }
    orders.set(order.id, order)
    for (const oldest of orders.keys()) if (orders.size > ORDERS_MAX) orders.delete(oldest)
    return order
  }

  const moneyOf = ({ good }: Order) => ({ amount: good.price, currencyCode: 'EUR' })
  const urlsOf = ({ id }: Order) => ({ callbackUrl: `${url}/callbacks`, returnUrl: `${url}/orders/${id}` })

  /** Asks the gateway. One question at a time for an order, so that an older answer never overtakes a newer one. */
  function settle(order: Order): Promise<Payin> {
    const asking = order.asked.then(async () => {
      const payin = await gateway.payins.read(order.id)
      order.status = payin.process.status
      if (order.status === 'SUCCESS' && order.fulfilled === 0) order.fulfilled += 1
      return payin
    })
    order.asked = asking.catch(() => undefined)
    return asking
  }

  return {
    find: (id) => orders.get(id),
    async payOnPage(good, scenario) {
      const order = place(good)
      const money = moneyOf(order)
      const permits = { action: 'PAYIN_CREATE', idPayment: order.id, money } as const
      const token = await gateway.tokens.createByAction(permits)
      const known = { paymentAppUrl, merchantCode, idPayin: order.id, token, money, ...urlsOf(order) }
      return redirectUrl({ ...known, ...PARAMETERS[scenario] })
    },
    options: (good) => gateway.payins.options({ money: { amount: good.price, currencyCode: 'EUR' } }),
    async payHere(good, paymentMethodCode, paymentOperatorCode) {
      const order = place(good)
      const { payin } = await gateway.payins.create(order.id, {
        money: moneyOf(order),
        paymentMethodCode,
        paymentOperatorCode,
        account: { accountName: 'Jane Doe' },
        ...urlsOf(order),
      })
      return payin.paymentMethodResponse.redirectUrl ?? urlsOf(order).returnUrl
    },
    read: (order) => settle(order).catch(() => undefined),
    refund: (order) => gateway.refunds.create(order.id, 'ALL', { money: moneyOf(order) }),
    async hear(id, eventId) {
      const order = orders.get(id)
      if (order !== undefined) order.heard.push({ eventId, status: (await settle(order)).process.status })
    },
  }
}
