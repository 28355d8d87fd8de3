import type { Money } from '@tollgate/money'
import { createGateway, type RawResponse, TollgateError } from '@tollgate/sdk'
import { Compile } from 'typebox/compile'
import {
  type OfferedOption,
  OptionsSchema,
  type Payin,
  PayinSchema,
  ProblemSchema,
  type Rejection,
  RejectionsSchema,
  type Shop,
  ShopSchema,
} from './records.ts'
import type { CustomerData } from './redirect-url.ts'

/** Why a question has no answer. DENIED: the token does not permit it, or no longer. */
export interface Silence {
  readonly kind: 'DENIED' | 'BUSY' | 'UNREACHABLE'
  readonly retryAfterSeconds?: number
  readonly requestId?: string
}

export type Look = { readonly kind: 'FOUND'; readonly payin: Payin } | { readonly kind: 'MISSING' } | Silence
export type Offer =
  | { readonly kind: 'FOUND'; readonly options: readonly OfferedOption[] }
  | { readonly kind: 'NONE'; readonly reasons: readonly Rejection[] }
  | Silence
export type Created =
  /** Now or before: the same id is the same payment. */
  { readonly kind: 'EXISTS' } | { readonly kind: 'REFUSED'; readonly reasons: readonly Rejection[] } | Silence
export type Done = { readonly kind: 'DONE' } | { readonly kind: 'REFUSED'; readonly code: string } | Silence

/** Which payment, and in whose name. */
export interface Subject {
  readonly token: string
  readonly idPayin: string
}

export interface Creation {
  readonly money: Money
  readonly methodCode: string
  readonly operatorCode: string | undefined
  readonly customer: CustomerData
  readonly callbackUrl: string
  readonly returnUrl: string
  /** Where the institution sends the customer back: this page, not the shop. */
  readonly pageUrl: string
}

/** The gateway as a customer's token sees it. Nothing is thrown for what the gateway answers or does not. */
export interface Api {
  look(subject: Subject): Promise<Look>
  offer(token: string, money: Money): Promise<Offer>
  create(subject: Subject, creation: Creation): Promise<Created>
  sendReference(subject: Subject, externalReference: string): Promise<Done>
  /** Whether the shop has these addresses; true when nobody can say. */
  judgeAddresses(
    subject: Subject,
    addresses: Readonly<Record<'callbackUrl' | 'returnUrl', string>>,
  ): Promise<boolean>
  /** Undefined unless the token permits to know. */
  shop(token: string): Promise<Shop | undefined>
  /** Sandbox: makes the institution say something. */
  trigger(subject: Subject, outcome: string): Promise<Done>
}

export interface ApiOptions {
  /** Where the gateway's API is. */
  readonly apiUrl: string
  /** Opens the API's routes for this page alone; without it, only what every token may is done. */
  readonly serviceKey?: string | undefined
  readonly timeoutMs?: number
}

const TIMEOUT_MS = 5_000
const SHOPS_MAX = 500

const isPayin = Compile(PayinSchema)
const areOptions = Compile(OptionsSchema)
const isShop = Compile(ShopSchema)
const areRejections = Compile(RejectionsSchema)
const isProblem = Compile(ProblemSchema)

export function createApi(options: ApiOptions): Api {
  const { apiUrl: baseUrl, serviceKey, timeoutMs = TIMEOUT_MS } = options
  const wire = createGateway({ baseUrl, merchantCode: '', retries: 0, timeoutMs })
  const shops = new Map<string, Promise<Shop | undefined>>()
  const ask = async (
    method: string,
    path: string,
    { token, body }: Asked,
  ): Promise<RawResponse | Silence> => {
    const headers =
      serviceKey !== undefined && path.startsWith('/checkout/') ? { [KEY_HEADER]: serviceKey } : {}
    try {
      return await wire.request({ method, path, token, headers, ...(body !== undefined && { body }) })
    } catch (error) {
      if (error instanceof TollgateError) return { kind: 'UNREACHABLE' }
      throw error
    }
  }
  const own = ({ idPayin }: Subject): string =>
    serviceKey === undefined ? `/payins/${idPayin}` : `/checkout/payins/${idPayin}`
  return {
    async look({ token, idPayin }) {
      const answer = await ask('GET', `/payins/${idPayin}`, { token })
      if ('kind' in answer) return answer
      if (answer.status === 200 && isPayin.Check(answer.body)) return { kind: 'FOUND', payin: answer.body }
      return answer.status === 410 ? { kind: 'MISSING' } : silenceOf(answer)
    },
    async offer(token, money) {
      const answer = await ask('POST', '/payins/!availablePaymentOptions', { token, body: { money } })
      if ('kind' in answer) return answer
      if (answer.status === 200 && areOptions.Check(answer.body))
        return { kind: 'FOUND', options: answer.body.data }
      return answer.status === 406 ? { kind: 'NONE', reasons: rejectionsIn(answer) } : silenceOf(answer)
    },
    async create(subject, creation) {
      const body = createBody(creation, serviceKey !== undefined)
      const answer = await ask('POST', own(subject), { token: subject.token, body })
      if ('kind' in answer) return answer
      if (answer.status === 201 || answer.status === 409) return { kind: 'EXISTS' }
      return answer.status === 406 || answer.status === 400
        ? { kind: 'REFUSED', reasons: rejectionsIn(answer) }
        : silenceOf(answer)
    },
    async sendReference(subject, externalReference) {
      const path = `${own(subject)}/!setExternalReference`
      return done(await ask('POST', path, { token: subject.token, body: { externalReference } }))
    },
    async judgeAddresses(subject, body) {
      if (serviceKey === undefined) return true
      const answer = await ask('POST', `${own(subject)}/!judgeAddresses`, { token: subject.token, body })
      return 'kind' in answer || answer.status !== 406
    },
    shop(token) {
      const known = shops.get(token)
      if (known !== undefined) return known
      const found = ask('GET', '/merchant-info', { token }).then((answer) =>
        !('kind' in answer) && answer.status === 200 && isShop.Check(answer.body)
          ? answer.body.channelInfo
          : undefined,
      )
      for (const oldest of shops.keys()) if (shops.size >= SHOPS_MAX) shops.delete(oldest)
      shops.set(token, found)
      // What could not be read is asked for again.
      void found.then((shop) => shop === undefined && shops.delete(token))
      return found
    },
    trigger: async (subject, outcome) =>
      done(await ask('POST', `${own(subject)}/!trigger`, { token: subject.token, body: { outcome } })),
  }
}

const KEY_HEADER = 'Tollgate-Checkout-Key'

interface Asked {
  readonly token: string
  readonly body?: unknown
}

function createBody(creation: Creation, isTrusted: boolean): unknown {
  const { money, methodCode, operatorCode, customer, callbackUrl, returnUrl, pageUrl } = creation
  const { emailAddress, ...account } = customer
  return {
    paymentRequested: { money },
    paymentMethod: {
      paymentMethodCode: methodCode,
      ...(operatorCode !== undefined && { paymentOperatorCode: operatorCode }),
      ...(Object.keys(account).length > 0 && { account }),
      ...(emailAddress !== undefined && { emailAddress }),
    },
    callbackUrl,
    returnUrl,
    ...(isTrusted && { pageUrl }),
  }
}

function done(answer: RawResponse | Silence): Done {
  if ('kind' in answer) return answer
  if (answer.status >= 200 && answer.status <= 299) return { kind: 'DONE' }
  if (answer.status === 400 || answer.status === 406 || answer.status === 410)
    return { kind: 'REFUSED', code: rejectionsIn(answer)[0]?.code ?? '' }
  return silenceOf(answer)
}

const REQUEST_AT_ALL = /^paymentMethod\.(?:account\.)?/

/** Why the gateway refuses, by the customer's own fields where it names them. */
function rejectionsIn({ body }: RawResponse): readonly Rejection[] {
  const named = (code: string, field: string | undefined): Rejection => ({
    code,
    ...(field !== undefined && { field: field.replace(REQUEST_AT_ALL, '') }),
  })
  if (areRejections.Check(body))
    return body.map(({ field, ...rest }) => ({ ...rest, ...named(rest.code, field) }))
  if (!isProblem.Check(body)) return []
  return body.violations?.map(({ code, field }) => named(code, field)) ?? [{ code: body.code }]
}

const DENIED_STATUSES: readonly number[] = [401, 403, 404]

function silenceOf(answer: RawResponse): Silence {
  const { status, headers, body } = answer
  const wait = /^\d{1,5}$/.exec(headers.get('retry-after') ?? '')?.[0]
  return {
    kind: DENIED_STATUSES.includes(status) ? 'DENIED' : status === 429 ? 'BUSY' : 'UNREACHABLE',
    ...(wait !== undefined && { retryAfterSeconds: Number(wait) }),
    ...(isProblem.Check(body) && body.requestId !== undefined && { requestId: body.requestId }),
  }
}
