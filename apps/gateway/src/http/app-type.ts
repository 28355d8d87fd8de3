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
import type { Caller } from './authentication.ts'

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

/**
 * Who may call a route: holders of a token; anyone with the version header; anyone (documents); or anyone at any rate
 * and also while the process stops (health). `institution` is for those who report about payments and prove it themselves. `checkout`
 * is for the hosted payment page, with a customer's token: for others there is no such route.
 */
type Access = 'token' | 'versioned' | 'open' | 'probe' | 'institution' | 'checkout'

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
    /** Of one text in the body, for a route that takes files; 4096 otherwise. */
    stringCharactersMax?: number
  }
  interface FastifyRequest {
    caller: Caller | null
    /** The body as it came, for signatures. */
    rawBody: Buffer | null
    startedMs: number
    /** Why it was refused, for the log. */
    refusalCode: string | null
  }
}
