import type {} from '@fastify/swagger'
import type { Answer } from '@tollgate/contract'
import type {
  FastifyBaseLogger,
  FastifyInstance,
  FastifyTypeProvider,
  RawReplyDefaultExpression,
  RawRequestDefaultExpression,
  RawServerDefault,
} from 'fastify'
import type { Static, TSchema } from 'typebox'
import type { Refusal } from '../platform/refusal.ts'

/** What a handler gets and what it may answer: both follow from the route's TypeBox schemas. */
export interface WireTypes extends FastifyTypeProvider {
  readonly validator: this['schema'] extends TSchema ? Static<this['schema']> : unknown
  readonly serializer: this['schema'] extends TSchema ? Answer<this['schema']> : unknown
}

/** A Fastify instance whose handlers are checked against the schemas of their routes. */
export type App = FastifyInstance<
  RawServerDefault,
  RawRequestDefaultExpression,
  RawReplyDefaultExpression,
  FastifyBaseLogger,
  WireTypes
>

/** Who calls, and what the token lets them do. */
export interface Caller {
  readonly merchantId: string
  readonly merchantCode: string
  /** Decided on the method and the route's template filled with validated parameters, never on the text of the URL. */
  readonly allows: (method: string, canonicalPath: string) => boolean
  /** The money the token is limited to, if it is. */
  readonly money: { readonly amount: string; readonly currencyCode: string } | undefined
  /** The merchant's tokens for customers must carry the money, and this one does not. */
  readonly isMoneyMissing?: boolean
  /** One operator of the house added the credential behind the token, and no other has confirmed it: what it pays out waits. */
  readonly isCredentialHalf?: true
  /** The rate-limit bucket: the merchant's, or the payment's for a token that is limited to one payment. */
  readonly bucket: {
    readonly key: string
    readonly limitPerSecond: number
    readonly name: 'merchant' | 'payment'
  }
  /** Of a token that permits to read one payin and nothing else: on pages of which origins a browser may do so. */
  readonly browserOrigins?: readonly string[] | undefined
  /**
   * For a token that is limited to one payment: the bucket that all such tokens of the merchant share, beside their own.
   * It counts creates, and requests that name no payment: more tokens do not make more of those.
   */
  readonly sharedBucket?:
    | { readonly key: string; readonly limitPerSecond: number; readonly name: 'customers' }
    | undefined
}

/**
 * Who may call a route: holders of a token; anyone with the version header; anyone (documents); or anyone at any rate
 * and also while the process stops (health). `institution` is for those who report about payments and prove it themselves. `checkout`
 * is for the hosted payment page, with a customer's token: for others there is no such route. `sign-in` is for operators who prove
 * there who they are.
 */
type Access = 'token' | 'versioned' | 'open' | 'probe' | 'institution' | 'checkout' | 'sign-in'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Default: token. */
    access?: Access
    /** The public operation that a token must permit for this route; without it, the route itself. */
    actsAs?: { readonly method: string; readonly url: string }
    /** For so many seconds after its end, a token that is limited to one payment still counts here. */
    graceSeconds?: number
    /** Browsers may read its answers on pages of the merchant's; see gate.ts. */
    isForBrowsers?: true
    /** Counts in the bucket that all one-payment tokens of a merchant share, although its path has a parameter. */
    isShared?: true
    /** What developers see of their requests does not have it. */
    isUnrecorded?: true
    /** Of one text in the body, for a route that takes files; 4096 otherwise. */
    stringCharactersMax?: number
  }
  interface FastifyRequest {
    caller: Caller | null
    /** The body as it came, for signatures. */
    rawBody: Buffer | null
    startedMs: number
    /** Why it was refused, for the log. */
    refusal: Refusal | null
  }
}
