import assert from 'node:assert/strict'
import { type MedusaContainer, type MedusaParts, TollgateProvider } from '@tollgate/medusa-provider'
import type { RawResponse } from '@tollgate/sdk'
import type { TestGateway } from './gateway.ts'
import { at, textAt } from './json.ts'

/** A shop on Medusa, as far as the provider sees it. */
interface MedusaShop {
  readonly provider: TollgateProvider
  readonly options: ConstructorParameters<typeof TollgateProvider>[1]
}

type Settings = Partial<MedusaShop['options']>

/** The provider with the sandbox's merchant; `settings` come over what is ordinary. */
export function medusaShop(gateway: TestGateway, settings: Settings): MedusaShop {
  const { code, privateKey } = gateway.demo()
  const options = {
    baseUrl: gateway.url,
    paymentAppUrl: 'http://localhost:3001/',
    merchantCode: code,
    privateKey,
    callbackUrl: 'http://127.0.0.1:9/hooks/payment/tollgate',
    returnUrl: 'https://shop.example/thanks',
    ...settings,
  }
  return { provider: new TollgateProvider({}, options), options }
}

/** Creates the payin of a session as the payment page does: with the token and the addresses of its link. */
export async function payOnPage(
  gateway: TestGateway,
  data: unknown,
  emailAddress: string,
  method: Readonly<Record<string, string>> = { paymentMethodCode: 'BANK_TRANSFER' },
): Promise<RawResponse> {
  const link = new URL(textAt(data, 'redirectUrl')).searchParams
  const of = (name: string): string => link.get(name) ?? assert.fail(`the link has no ${name}`)
  return gateway.send({
    method: 'POST',
    path: `/payins/${of('idPayin')}`,
    token: of('token'),
    body: {
      paymentRequested: { money: { amount: of('amount'), currencyCode: of('currencyCode') } },
      paymentMethod: { ...method, emailAddress },
      callbackUrl: of('callbackUrl'),
      returnUrl: of('returnUrl'),
    },
  })
}

/** What Medusa has stored: the job reads it, and starts workflows. */
interface MedusaStore {
  readonly sessions: { id: string; status: string; data: Record<string, unknown>; createdAt?: Date }[]
  readonly refunds: { id: string; amount: string; data: Record<string, unknown>; createdAt: Date }[]
  /** Sessions whose carts have an order. */
  readonly ordered: Set<string>
  /** Each start of Medusa's workflow for payments, by its session. */
  readonly processed: string[]
  readonly warnings: string[]
}

export const newStore = (): MedusaStore => ({
  sessions: [],
  refunds: [],
  ordered: new Set(),
  processed: [],
  warnings: [],
})

const PROVIDER = 'pp_tollgate'
const wanted = (filters: object, name: string): readonly string[] => [at(filters, name)].flat().map(String)

/** A container with the four parts that the job resolves, over the store. */
export function containerOf(store: MedusaStore): MedusaContainer {
  const parts: MedusaParts = {
    payment: {
      listPaymentSessions: async (filters) =>
        store.sessions
          .filter(({ status }) => wanted(filters, 'status').includes(status))
          .filter(() => wanted(filters, 'provider_id').includes(PROVIDER))
          .map(({ createdAt = new Date(), ...session }) => ({
            ...session,
            created_at: createdAt,
            payment_collection_id: `col-${session.id}`,
          })),
      listRefunds: async (filters) =>
        store.refunds
          .filter(({ createdAt }) => {
            const until = at(filters, 'created_at', '$lte')
            return until instanceof Date && createdAt <= until
          })
          .map(({ id, amount, data }) => ({ id, amount, payment: { provider_id: PROVIDER, data } })),
    },
    workflows: {
      run: async (_id, { input }) => {
        const session = input.data?.session_id ?? assert.fail('the workflow is about a session')
        store.processed.push(session)
        store.ordered.add(session)
        for (const each of store.sessions) if (each.id === session) each.status = 'authorized'
      },
    },
    query: {
      graph: async ({ entity, filters }) => ({
        data:
          entity === 'order_cart'
            ? [...store.ordered].map((id) => ({ cart_id: `cart-${id}` }))
            : wanted(filters, 'payment_collection_id').map((id) => ({
                payment_collection_id: id,
                cart_id: id.replace('col-', 'cart-'),
              })),
      }),
    },
    logger: { info: () => undefined, warn: (text) => store.warnings.push(text) },
  }
  return { resolve: (name) => parts[name] }
}
