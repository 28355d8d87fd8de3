import type { MemberRole, OperatorPermission, OperatorRole } from '@tollgate/contract/words'
import type { FastifyRequest } from 'fastify'
import { Refusal } from '../platform/refusal.ts'

/** The operator who calls, for handlers and for the record. */
export interface OperatorCaller {
  readonly operatorId: string
  readonly code: string
  readonly name: string
  readonly roles: readonly OperatorRole[]
  /** Set for a merchant's person, who sees nothing of others: `operator-members.ts`. */
  readonly member?: { readonly merchantCode: string; readonly role: MemberRole }
  /** Set when the key waits for another ADMIN and so carries less than the operator's roles. */
  readonly isKeyHalf?: true
  /** The key by which the operator calls; undefined for a session or an invitation. */
  readonly keyId?: string
  /** The session by which the operator calls; undefined for a key. */
  readonly session?: {
    readonly sessionId: string
    readonly method: 'KEY' | 'PASSKEY' | 'OIDC'
    readonly passkeyId: string | undefined
  }
  /** The invitation by which the operator calls; only routes that say so take one. */
  readonly invitation?: { readonly invitationId: string }
}

/** Turns an operator's key or the secret of a session into the operator; undefined for one that opens nothing, whatever the reason. */
export interface OperatorAuthenticator {
  /** An unattended request does not prolong a session. */
  authenticate(key: string, how: { readonly isUnattended: boolean }): Promise<OperatorCaller | undefined>
  authenticateInvited(secret: string): Promise<OperatorCaller | undefined>
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Routes of the operator API: what the operator's roles must permit. A route without it is not built. */
    permission?: OperatorPermission
    /** An operator who was invited may call it by the invitation, whatever the permission. */
    takesInvitation?: true
    /** A session of a passkey needs a fresh touch for it. */
    stepUp?: true
  }
  interface FastifyRequest {
    operator: OperatorCaller | null
    /** Under which number the change was noted that it asks for. */
    operatorRequestNo: string | null
  }
}

/** The operator of a route of the operator API. Its absence is a bug of the route table. */
export function operatorOf(request: FastifyRequest): OperatorCaller {
  if (request.operator === null) throw new Error(`no operator on ${request.routeOptions.url ?? 'a route'}`)
  return request.operator
}

const BEARER = /^Bearer +(\S+) *$/i

/** The key, or the secret of a session, of the Authorization header; nothing else is read. Throws TOKEN_MISSING or TOKEN_INVALID. */
export function operatorKey(request: FastifyRequest): string {
  const header = request.headers.authorization
  if (header === undefined || header.trim() === '' || !/^bearer\b/i.test(header)) {
    throw new Refusal('TOKEN_MISSING', {
      message:
        'The Authorization header with an operator key or the secret of a session is missing: Bearer tgop_…',
    })
  }
  const key = BEARER.exec(header)?.[1]
  if (key === undefined) throw keyInvalid()
  return key
}

/** One answer for every key that opens nothing: unknown, removed, expired, or of somebody who is disabled. */
export const keyInvalid = (): Refusal =>
  new Refusal('TOKEN_INVALID', { message: 'The operator key is not valid.' })
