// What we need of Medusa, as types of our own: the package works with any Medusa 2 that has these, and installs none.

/** What Medusa stores with a session or a payment for its provider. */
export type ProviderData = Record<string, unknown>

/** How Medusa sees a payment session. `pending_authorization`: the order may be placed, the money follows. */
export type SessionStatus =
  | 'authorized'
  | 'captured'
  | 'pending'
  | 'requires_more'
  | 'error'
  | 'canceled'
  | 'pending_authorization'

/** What a callback means to Medusa. */
type Action = 'captured' | 'failed' | 'canceled' | 'pending' | 'not_supported'

/** What every method of a provider gets. */
export interface ProviderInput {
  readonly data?: ProviderData | undefined
  readonly context?: { readonly idempotency_key?: string | undefined } | undefined
}
/** The same where Medusa names an amount: a number, a decimal text, or one of its BigNumbers. */
export interface AmountInput extends ProviderInput {
  readonly amount: unknown
}
export interface MoneyInput extends AmountInput {
  readonly currency_code: string
}
/** What every method of a provider answers. */
export interface ProviderOutput {
  readonly data: ProviderData
}
export interface StatusOutput extends ProviderOutput {
  readonly status: SessionStatus
}

/** A request to /hooks/payment/…, as Medusa hands it over. */
export interface WebhookInput {
  readonly rawData: string | Uint8Array
  readonly headers: Readonly<Record<string, unknown>>
}
export interface WebhookAction {
  readonly action: Action
  readonly data?: { readonly session_id: string; readonly amount: string }
}

/** A payment session, as the job reads it. */
export interface PaymentSession {
  readonly id: string
  readonly data: ProviderData | null
  readonly created_at: string | Date
  readonly payment_collection_id: string
}
/** A refund, as the job reads it. */
export interface Refund {
  readonly id: string
  readonly amount: unknown
  readonly raw_amount?: unknown
  readonly payment?: { readonly provider_id: string; readonly data: ProviderData | null } | undefined
}

interface Listing {
  readonly take?: number
  readonly skip?: number
  readonly order?: Readonly<Record<string, 'ASC' | 'DESC'>>
  readonly relations?: readonly string[]
}

/** Medusa's payment module. */
interface PaymentModule {
  listPaymentSessions(filters: object, listing: Listing): Promise<readonly PaymentSession[]>
  listRefunds(filters: object, listing: Listing): Promise<readonly Refund[]>
}
interface WorkflowEngine {
  run(id: string, options: { readonly input: WebhookAction }): Promise<unknown>
}
interface Query {
  graph(question: {
    readonly entity: string
    readonly fields: readonly string[]
    readonly filters: object
  }): Promise<{ readonly data: readonly Readonly<Record<string, unknown>>[] }>
}
interface Logger {
  info(text: string): unknown
  warn(text: string): unknown
}

/** What the job resolves, by Medusa's names. */
export interface MedusaParts {
  readonly payment: PaymentModule
  readonly workflows: WorkflowEngine
  readonly query: Query
  readonly logger: Logger
}

/** The container that Medusa gives to a scheduled job. */
export interface MedusaContainer {
  resolve<Name extends keyof MedusaParts>(name: Name): MedusaParts[Name]
}

/** An error whose message Medusa shows to whoever asked, instead of hiding it behind a 500. */
export class NotAllowed extends Error {
  override readonly name = 'NotAllowed'
  /** Medusa's words. */
  readonly type = 'not_allowed'
  readonly __isMedusaError = true
}
