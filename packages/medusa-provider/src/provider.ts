import { type Gateway, type Money, type Payin, redirectUrl, TollgateError } from '@tollgate/sdk'
import { decimalOf, roundedTo } from './amounts.ts'
import {
  type AmountInput,
  type MoneyInput,
  NotAllowed,
  type ProviderData,
  type ProviderInput,
  type ProviderOutput,
  type SessionStatus,
  type StatusOutput,
  type WebhookAction,
  type WebhookInput,
} from './medusa.ts'
import { checkOptions, gatewayOf, type TollgateOptions } from './options.ts'
import {
  endPayment,
  findData,
  findPayin,
  findPayinOfReturn,
  isFor,
  nextId,
  type SessionData,
  sessionOf,
  statusOf,
  storedData,
} from './payments.ts'
import { payBack } from './refunds.ts'
import { createVerifier, type Verifier } from './webhooks.ts'

/**
 * Medusa's payment provider `tollgate`. Customers pay on the hosted page at `data.redirectUrl`; money that has arrived is
 * captured, so nothing is captured by hand. Everything that it answers was read from the gateway at that moment.
 */
export class TollgateProvider {
  static readonly identifier = 'tollgate'

  /** Medusa calls it when it starts. Throws an Error that names what is missing. */
  static validateOptions(options: unknown): void {
    checkOptions(options)
  }

  readonly #options: TollgateOptions
  readonly #gateway: Gateway
  readonly #verify: Verifier
  #decimals: Promise<ReadonlyMap<string, number>> | undefined

  constructor(_container: unknown, options: TollgateOptions) {
    checkOptions(options)
    this.#options = options
    this.#gateway = gatewayOf(options)
    this.#verify = createVerifier(this.#gateway)
  }

  getIdentifier(): string {
    return TollgateProvider.identifier
  }

  /** Gives the session an address to pay at. Repeating it for the same session is the same payment. */
  async initiatePayment(
    input: MoneyInput,
  ): Promise<ProviderOutput & { readonly id: string; readonly status: SessionStatus }> {
    const session = input.context?.idempotency_key ?? input.data?.['session_id']
    if (typeof session !== 'string' || sessionOf(session) !== session)
      throw new NotAllowed('Tollgate needs the id of the payment session.')
    const data = await this.#payable(session, await this.#moneyOf(input), input.data)
    return { id: data.idPayin, status: 'pending', data: { ...data } }
  }

  /** The same session with another amount. What the customer may have begun is cancelled first. */
  async updatePayment(input: MoneyInput): Promise<StatusOutput> {
    const known = storedData(input.data)
    const money = await this.#moneyOf(input)
    const isSame = money.amount === known.money.amount && money.currencyCode === known.money.currencyCode
    const payin = await findPayin(this.#gateway, known.idPayin)
    if (isSame && (payin === undefined || statusOf(payin) === 'pending'))
      return { status: 'pending', data: { ...(await this.#payable(known.idPayin, money, input.data)) } }
    await endPayment(this.#gateway, known, this.#options)
    return {
      status: 'pending',
      data: { ...(await this.#payable(nextId(known.idPayin), money, input.data)) },
    }
  }

  /** Called when the customer has come back, when a callback says so, and by the job. */
  async authorizePayment({ data }: ProviderInput): Promise<StatusOutput> {
    const known = storedData(data)
    const payin = await findPayinOfReturn(this.#gateway, known.idPayin)
    if (payin !== undefined && !isFor(payin, known)) {
      const { amount, currencyCode } = payin.paymentRequested.money
      throw new NotAllowed(
        `Payment ${known.idPayin} is about ${amount} ${currencyCode}, the session about ${known.money.amount} ${known.money.currencyCode}.`,
      )
    }
    return { status: this.#decision(payin), data: dataWith(data, payin) }
  }

  /** Money that has arrived is captured already. */
  async capturePayment({ data }: ProviderInput): Promise<ProviderOutput> {
    const { idPayin } = storedData(data)
    const payin = await findPayin(this.#gateway, idPayin)
    if (statusOf(payin) !== 'captured') throw new NotAllowed(`Payment ${idPayin} is not paid.`)
    return { data: dataWith(data, payin) }
  }

  /** Ends a payment that is not paid. Throws NotAllowed for one that is, or may be. */
  async cancelPayment({ data }: ProviderInput): Promise<ProviderOutput> {
    const known = storedData(data)
    await endPayment(this.#gateway, known, this.#options)
    return { data: dataWith(data, await findPayin(this.#gateway, known.idPayin)) }
  }

  /** The same for a session that Medusa is about to forget. */
  async deletePayment({ data }: ProviderInput): Promise<ProviderOutput> {
    const known = findData(data)
    if (known !== undefined) await endPayment(this.#gateway, known, this.#options)
    return { data: data ?? {} }
  }

  /**
   * Pays money back under the id of Medusa's refund, which never pays twice. Where no answer came the refund stands as well: Medusa
   * has recorded it, and the job sends it again until the gateway has it. Throws NotAllowed when the gateway refused.
   */
  async refundPayment(input: AmountInput): Promise<ProviderOutput> {
    const { idPayin, money } = storedData(input.data)
    const idRefund = input.context?.idempotency_key
    if (idRefund === undefined) throw new NotAllowed('Tollgate needs the id of the refund.')
    const amount = await this.#rounded(input.amount, money.currencyCode)
    try {
      await payBack(this.#gateway, this.#options, { idPayin, idRefund, money: { ...money, amount } })
    } catch (error) {
      if (!(error instanceof TollgateError)) throw error
      if (!error.retryable) throw new NotAllowed(error.message, { cause: error })
    }
    return { data: input.data ?? {} }
  }

  async retrievePayment({ data }: ProviderInput): Promise<ProviderOutput> {
    const payin = await findPayin(this.#gateway, storedData(data).idPayin)
    return { data: { ...dataWith(data, payin), ...(payin !== undefined && { payin }) } }
  }

  async getPaymentStatus({ data }: ProviderInput): Promise<StatusOutput> {
    const payin = await findPayin(this.#gateway, storedData(data).idPayin)
    return { status: statusOf(payin), data: dataWith(data, payin) }
  }

  /** What a callback means. It rejects with CallbackInvalid for one that the gateway has not signed. */
  async getWebhookActionAndData(webhook: WebhookInput): Promise<WebhookAction> {
    const { idEntity, kind } = await this.#verify(webhook)
    const session = sessionOf(idEntity)
    // Medusa has recorded a refund when it asked for it.
    if (session === undefined || kind !== 'PAYIN') return { action: 'not_supported' }
    const payin = await this.#gateway.payins.read(idEntity)
    const data = { session_id: session, amount: payin.paymentRequested.money.amount }
    return { action: ACTIONS[payin.process.status] ?? 'not_supported', data }
  }

  #decision(payin: Payin | undefined): SessionStatus {
    const status = statusOf(payin)
    if (status !== 'pending') return status
    const hasInstructions = payin !== undefined && payin.paymentMethodResponse.redirectUrl === undefined
    return hasInstructions && this.#options.ordersBeforePayment === true
      ? 'pending_authorization'
      : 'requires_more'
  }

  async #payable(
    idPayin: string,
    money: Money,
    wished: ProviderData | undefined,
  ): Promise<SessionData & { readonly status: string }> {
    const { paymentAppUrl, merchantCode, callbackUrl } = this.#options
    const token = await this.#gateway.tokens.createByAction({
      action: 'PAYIN_CREATE',
      idPayment: idPayin,
      money,
    })
    const address = redirectUrl({
      paymentAppUrl,
      merchantCode,
      idPayin,
      token,
      money,
      callbackUrl,
      returnUrl: this.#returnUrl(wished?.['return_url']),
    })
    return { idPayin, money, redirectUrl: address, status: NO_PAYIN }
  }

  /** A storefront is a browser: it may choose among our own pages, and no others. */
  #returnUrl(wished: unknown): string {
    const { returnUrl } = this.#options
    if (typeof wished !== 'string' || !URL.canParse(wished)) return returnUrl
    return new URL(wished).origin === new URL(returnUrl).origin ? wished : returnUrl
  }

  async #moneyOf({ amount, currency_code }: MoneyInput): Promise<Money> {
    const currencyCode = currency_code.toUpperCase()
    return { amount: await this.#rounded(amount, currencyCode), currencyCode }
  }

  async #rounded(amount: unknown, currencyCode: string): Promise<string> {
    const decimals = (await this.#decimalsByCurrency()).get(currencyCode)
    const exact = decimalOf(amount)
    return decimals === undefined ? exact : roundedTo(exact, decimals)
  }

  async #decimalsByCurrency(): Promise<ReadonlyMap<string, number>> {
    this.#decimals ??= this.#gateway
      .currencies()
      .then((list) => new Map(list.map(({ code, minorUnits }) => [code, minorUnits])))
    try {
      return await this.#decimals
    } catch (error) {
      this.#decimals = undefined
      throw error
    }
  }
}

/** What stands in `data.status` while the customer has not chosen how to pay. */
const NO_PAYIN = 'NOT_STARTED'

const ACTIONS: Readonly<Record<string, WebhookAction['action']>> = {
  SUCCESS: 'captured',
  FAILED: 'failed',
  EXPIRED: 'failed',
  CANCELLED: 'canceled',
  CREATED: 'pending',
}

const dataWith = (data: ProviderData | undefined, payin: Payin | undefined): ProviderData => ({
  ...data,
  status: payin?.process.status ?? NO_PAYIN,
})
