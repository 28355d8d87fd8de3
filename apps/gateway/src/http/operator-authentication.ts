import type { OperatorPermission, OperatorRole } from '@tollgate/contract/words'
import type { FastifyRequest } from 'fastify'
import { Refusal } from '../platform/refusal.ts'

/** The operator who calls, for handlers and for the record. */
export interface OperatorCaller {
  readonly operatorId: string
  readonly code: string
  readonly name: string
  readonly roles: readonly OperatorRole[]
  /** Set when the key waits for another ADMIN and so carries less than the operator's roles. */
  readonly isKeyHalf?: true
}

/** Turns an operator's key into the operator; undefined for a key that opens nothing, whatever the reason. */
export interface OperatorAuthenticator {
  authenticate(key: string): Promise<OperatorCaller | undefined>
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Routes of the operator API: what the operator's roles must permit. A route without it is not built. */
    permission?: OperatorPermission
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

/** The key of the Authorization header; nothing else is read. Throws TOKEN_MISSING or TOKEN_INVALID. */
export function operatorKey(request: FastifyRequest): string {
  const header = request.headers.authorization
  if (header === undefined || header.trim() === '' || !/^bearer\b/i.test(header)) {
    throw new Refusal('TOKEN_MISSING', {
      message: 'The Authorization header with an operator key is missing: Bearer tgop_…',
    })
  }
  const key = BEARER.exec(header)?.[1]
  if (key === undefined) throw keyInvalid()
  return key
}

/** One answer for every key that opens nothing: unknown, removed, expired, or of somebody who is disabled. */
export const keyInvalid = (): Refusal =>
  new Refusal('TOKEN_INVALID', { message: 'The operator key is not valid.' })
