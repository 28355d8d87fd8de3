import { setTimeout as delay } from 'node:timers/promises'
import type { Money } from '@tollgate/money'
import type { WallClock } from '@tollgate/runtime'
import { createGateway, type RawResponse, TollgateError } from '@tollgate/sdk'
import { type Cache, createCache } from './cache.ts'
import {
  areChoices,
  areOptions,
  areRejections,
  type Choice,
  isPayin,
  isProblem,
  isShop,
  type OfferedOption,
  type Payin,
  type Rejection,
  type Shop,
} from './records.ts'
import type { CustomerData } from './redirect-url.ts'

/** Why a question has no answer. DENIED: the token does not permit it, or no longer. */
export interface Silence {
  readonly kind: 'DENIED' | 'BUSY' | 'UNREACHABLE'
  /** The token is valid, and this is missing in it. */
  readonly lacks?: Lacking
  readonly retryAfterSeconds?: number
  readonly requestId?: string
}

/** OPERATION: the token does not permit what was asked. MONEY: it is for other money, or carries none and must. */
export type Lacking = 'OPERATION' | 'MONEY'

export type Look = { readonly kind: 'FOUND'; readonly payin: Payin } | { readonly kind: 'MISSING' } | Silence
export type Offer =
  | { readonly kind: 'FOUND'; readonly options: readonly OfferedOption[] }
  | { readonly kind: 'NONE'; readonly reasons: readonly Rejection[] }
  | Silence
type Created =
  /** Now or before: the same id is the same payment. */
  { readonly kind: 'EXISTS' } | { readonly kind: 'REFUSED'; readonly reasons: readonly Rejection[] } | Silence
type Done = { readonly kind: 'DONE' } | { readonly kind: 'REFUSED'; readonly code: string } | Silence

/** NOT_PERMITTED: the token may not create the payment, whatever the addresses. MONEY_MISSING: it must carry the money. */
export type AddressJudgement = 'ALLOWED' | 'NOT_ALLOWED' | 'NOT_PERMITTED' | 'MONEY_MISSING'

/** Which payment, and in whose name. */
export interface Subject {
  readonly token: string
  readonly idPayin: string
}

/** The gateway as a customer's token sees it. Nothing is thrown for what the gateway answers or does not. */
export interface Api {
  look(subject: Subject): Promise<Look>
  offer(token: string, money: Money): Promise<Offer>
  /** What a picker shows beside the offer; nothing where the gateway does not say. */
  choices(subject: Subject, money: Money): Promise<readonly Choice[]>
  create(subject: Subject, creation: Creation): Promise<Created>
  sendReference(subject: Subject, externalReference: string): Promise<Done>
  /** Whether a create with these addresses could be made; ALLOWED when nobody can say. */
  judgeAddresses(
    subject: Subject,
    addresses: Readonly<Record<'callbackUrl' | 'returnUrl', string>>,
  ): Promise<AddressJudgement>
  /** Undefined unless the token permits to know; this page may know with any token of the payin. */
  shop(subject: Subject): Promise<Shop | undefined>
  /** Whether the gateway lets this page look at a payment for a while after its token has ended. */
  readonly looksLonger: boolean
  /** Whether the gateway lets this page do what follows. */
  readonly canTrigger: boolean
  /** Sandbox: makes the institution say something. */
  trigger(subject: Subject, outcome: string): Promise<Done>
}

interface ApiOptions {
  /** Where the gateway's API is. */
  readonly apiUrl: string
  /** Opens the API's routes for this page alone; without it, only what every token may is done. */
  readonly serviceKey?: string | undefined
  readonly timeoutMs?: number
  readonly clock: WallClock
}

const TIMEOUT_MS = 5_000
const BUSY_PAUSE_MS = 1_050
/** How long names of shops and their addresses are believed. */
const REMEMBERED_MS = 60_000
const REMEMBERED_MAX = 2_000

export function createApi(options: ApiOptions): Api {
  const parts = createParts(options)
  return { ...reading(parts), ...acting(parts) }
}

interface Parts {
  readonly isTrusted: boolean
  ask(method: string, path: string, asked: Asked): Promise<RawResponse | Silence>
  /** The payin at the routes for this page, or at the public ones. */
  own(subject: Subject): string
  readonly shops: Cache<Shop | undefined>
  readonly judgements: Cache<AddressJudgement>
}

function createParts({ apiUrl: baseUrl, serviceKey, timeoutMs = TIMEOUT_MS, clock }: ApiOptions): Parts {
  const wire = createGateway({ baseUrl, merchantCode: '', retries: 0, timeoutMs })
  const memory = { lifeMs: REMEMBERED_MS, sizeMax: REMEMBERED_MAX, nowMs: () => clock.nowMs() }
  const send = async (request: Parameters<typeof wire.request>[0]): Promise<RawResponse | Silence> => {
    try {
      return await wire.request(request)
    } catch (error) {
      if (error instanceof TollgateError) return { kind: 'UNREACHABLE' }
      throw error
    }
  }
  return {
    isTrusted: serviceKey !== undefined,
    async ask(method, path, { token, body }) {
      const isOwn = serviceKey !== undefined && path.startsWith('/checkout/')
      const headers = isOwn ? { [KEY_HEADER]: serviceKey } : {}
      const request = { method, path, token, headers, ...(body !== undefined && { body }) }
      const answer = await send(request)
      if ('kind' in answer || answer.status !== 429) return answer
      // A customer's own share is full for a second at most: nobody needs to see that.
      await delay(BUSY_PAUSE_MS)
      return send(request)
    },
    own: ({ idPayin }) => (serviceKey === undefined ? `/payins/${idPayin}` : `/checkout/payins/${idPayin}`),
    shops: createCache({ ...memory, isKept: (shop) => shop !== undefined }),
    judgements: createCache({ ...memory, isKept: (judgement) => judgement === 'ALLOWED' }),
  }
}

type Reading = Pick<Api, 'look' | 'looksLonger' | 'offer' | 'choices' | 'judgeAddresses' | 'shop'>

function reading({ ask, own, isTrusted, shops, judgements }: Parts): Reading {
  return {
    looksLonger: isTrusted,
    async look(subject) {
      const answer = await ask('GET', own(subject), { token: subject.token })
      if ('kind' in answer) return answer
      if (answer.status === 200 && isPayin(answer.body)) return { kind: 'FOUND', payin: answer.body }
      return answer.status === 410 ? { kind: 'MISSING' } : silenceOf(answer)
    },
    async offer(token, money) {
      const answer = await ask('POST', '/payins/!availablePaymentOptions', { token, body: { money } })
      if ('kind' in answer) return answer
      if (answer.status === 200 && areOptions(answer.body))
        return { kind: 'FOUND', options: answer.body.data }
      return answer.status === 406 ? { kind: 'NONE', reasons: rejectionsIn(answer) } : silenceOf(answer)
    },
    async choices(subject, money) {
      if (!isTrusted) return []
      const answer = await ask('POST', `${own(subject)}/!listChoices`, {
        token: subject.token,
        body: { money },
      })
      const areThere = !('kind' in answer) && answer.status === 200 && areChoices(answer.body)
      return areThere ? answer.body.data : []
    },
    async judgeAddresses(subject, { callbackUrl, returnUrl }) {
      if (!isTrusted) return 'ALLOWED'
      const key = [subject.token, subject.idPayin, callbackUrl, returnUrl].join('\n')
      return judgements.get(key, async () => {
        const body = { callbackUrl, returnUrl }
        const answer = await ask('POST', `${own(subject)}/!judgeAddresses`, { token: subject.token, body })
        if ('kind' in answer) return 'ALLOWED'
        if (answer.status === 406 || answer.status === 400) return 'NOT_ALLOWED'
        const lacks = lackingOf(answer)
        return lacks === undefined ? 'ALLOWED' : JUDGEMENTS[lacks]
      })
    },
    shop: (subject) =>
      shops.get(subject.token, async () => {
        const path = isTrusted ? `${own(subject)}/shop` : '/merchant-info'
        const answer = await ask('GET', path, { token: subject.token })
        const isKnown = !('kind' in answer) && answer.status === 200 && isShop(answer.body)
        return isKnown ? answer.body.channelInfo : undefined
      }),
  }
}

function acting({ ask, own, isTrusted }: Parts): Omit<Api, keyof Reading> {
  return {
    async create(subject, creation) {
      const body = createBody(creation, isTrusted)
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
    canTrigger: isTrusted,
    trigger: async (subject, outcome) =>
      done(await ask('POST', `${own(subject)}/!trigger`, { token: subject.token, body: { outcome } })),
  }
}

/** Shows the service key. */
export const KEY_HEADER = 'Tollgate-Checkout-Key'

interface Asked {
  readonly token: string
  readonly body?: unknown
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
  if (areRejections(body)) return body.map(({ field, ...rest }) => ({ ...rest, ...named(rest.code, field) }))
  if (!isProblem(body)) return []
  return body.violations?.map(({ code, field }) => named(code, field)) ?? [{ code: body.code }]
}

const LACKING: ReadonlyMap<string, Lacking> = new Map([
  ['OPERATION_NOT_PERMITTED', 'OPERATION'],
  ['MONEY_NOT_PERMITTED', 'MONEY'],
])

/** No money is asked with: where the gateway speaks of it, the token has none. */
const JUDGEMENTS: Readonly<Record<Lacking, AddressJudgement>> = {
  OPERATION: 'NOT_PERMITTED',
  MONEY: 'MONEY_MISSING',
}

const lackingOf = ({ status, body }: RawResponse): Lacking | undefined =>
  status === 403 && isProblem(body) ? LACKING.get(body.code) : undefined

const DENIED_STATUSES: readonly number[] = [401, 403, 404]

function silenceOf(answer: RawResponse): Silence {
  const { status, headers, body } = answer
  const lacks = lackingOf(answer)
  const wait = /^\d{1,5}$/.exec(headers.get('retry-after') ?? '')?.[0]
  return {
    kind: DENIED_STATUSES.includes(status) ? 'DENIED' : status === 429 ? 'BUSY' : 'UNREACHABLE',
    ...(wait !== undefined && { retryAfterSeconds: Number(wait) }),
    ...(lacks !== undefined && { lacks }),
    ...(isProblem(body) && { requestId: body.requestId }),
  }
}

/** A payment that is to be made. */
interface Creation {
  readonly money: Money
  readonly methodCode: string
  readonly operatorCode: string | undefined
  readonly customer: CustomerData
  readonly callbackUrl: string
  readonly returnUrl: string
  /** Where the institution sends the customer back: this page, not the shop. */
  readonly pageUrl: string
}

/** The body of the create; only the routes for this page take its address. */
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
