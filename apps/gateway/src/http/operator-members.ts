import type { OperatorPermission } from '@tollgate/contract/words'
import type { FastifyRequest, RouteOptions } from 'fastify'
import { Refusal } from '../platform/refusal.ts'
import type { App } from './app-type.ts'
import type { OperatorCaller } from './operator-authentication.ts'

// Merchants' people at the operator API: refused everywhere, but where a table says how a route is bound to their merchant.

/**
 * What of an answer reaches them: a field that is not named does not. `true` takes the value as it is, a list with one shape is
 * that of each item, and a function makes of a value what is told.
 */
export type Shape =
  | true
  | readonly [Shape]
  | { readonly [name: string]: Shape }
  | ((value: unknown) => unknown)

/** How merchants' people may use a route. */
interface MemberRoute {
  /**
   * SELF: about who asks, by their session, whatever the request names. PATH: the path names the merchant, which must be their
   * own. QUERY: the query's merchant is set to their own. OWNER: the path names something else, and the route asks
   * `onlyMerchantOf` whose it must be.
   */
  readonly bound: 'SELF' | 'PATH' | 'QUERY' | 'OWNER'
  /** 'STREAM' for a file, which has columns of its own. */
  readonly shows: Shape | 'STREAM'
  /** They need a fresh touch for it, also where operators of the house need none. */
  readonly touch?: true
}

/** Everything that merchants' people may use, by the operationId of the route. What is not in it is refused. */
export type MemberTable = Readonly<Record<string, MemberRoute>>

export interface MemberGate {
  readonly table: MemberTable
  /** Whether the merchant is there and not closed, by the database. */
  readonly isOpen: (merchantCode: string) => Promise<boolean>
  readonly mayDo: (operator: OperatorCaller, permission: OperatorPermission) => boolean
}

type Member = NonNullable<OperatorCaller['member']>

/**
 * Lets a merchant's person pass to a route of the table and binds the request to their merchant. Throws where that cannot be; what
 * is another merchant's is answered as what there is not.
 */
export async function admitMember(
  gate: MemberGate,
  request: FastifyRequest,
  operator: OperatorCaller,
): Promise<void> {
  const member = memberOf(operator)
  const route = gate.table[operationIdOf(request.routeOptions.schema)]
  const { permission, takesInvitation } = request.routeOptions.config
  if (route === undefined || permission === undefined)
    throw new Refusal('OPERATION_NOT_PERMITTED', { message: 'This is not for merchants’ people.' })
  requireProof(operator, takesInvitation === true)
  if (operator.invitation === undefined && !gate.mayDo(operator, permission))
    throw new Refusal('OPERATION_NOT_PERMITTED', {
      message: `Your role at ${member.merchantCode} does not permit this: it needs ${permission}.${operator.isKeyHalf === true ? HALF_PASSKEY : ''}`,
    })
  if (!(await gate.isOpen(member.merchantCode)))
    throw new Refusal('OPERATION_NOT_PERMITTED', { message: `${member.merchantCode} is disabled.` })
  bind(request, route, member)
}

const HALF_PASSKEY =
  ' One operator of the gateway invited you, so your passkey carries what STAFF may, until another one confirms it: tell them the fingerprint that you were shown.'

/** The merchant of a person who is one's; a bug where the gate asks about another. */
function memberOf({ code, member }: OperatorCaller): Member {
  if (member === undefined) throw new Error(`${code} belongs to no merchant`)
  return member
}

/** By a passkey alone: somebody with the database may make a key for anybody, and here it opens nothing. */
function requireProof({ session, invitation }: OperatorCaller, takesInvitation: boolean): void {
  if (session?.method === 'PASSKEY' || (takesInvitation && invitation !== undefined)) return
  throw new Refusal('OPERATION_NOT_PERMITTED', { message: 'Merchants’ people sign in by passkey.' })
}

function bind(request: FastifyRequest, { bound }: MemberRoute, { merchantCode }: Member): void {
  if (bound === 'PATH') requireOwn(textIn(request.params), merchantCode)
  if (bound !== 'QUERY') return
  const { query } = request
  if (typeof query !== 'object' || query === null) throw new Error('a request without a query')
  const asked: unknown = Reflect.get(query, NAME)
  if (asked !== undefined) requireOwn(asked, merchantCode)
  Reflect.set(query, NAME, merchantCode)
}

const NAME = 'merchantCode'

const textIn = (params: unknown): unknown =>
  typeof params === 'object' && params !== null ? Reflect.get(params, NAME) : undefined

/** In the words of `requireMerchantId`: whether there is another merchant of this code is not told. */
function requireOwn(asked: unknown, own: string): void {
  if (asked === own) return
  throw new Refusal('ENTITY_NOT_FOUND', { message: `There is no merchant ${String(asked)}.` })
}

/** Whose everything must be that a request reaches: the merchant of a merchant's person; undefined for the house. */
export const onlyMerchantOf = ({ operator }: FastifyRequest): string | undefined =>
  operator?.member?.merchantCode

/** Whether a merchant's person needs a fresh touch for the request. */
export const needsTouch = (
  { table }: Pick<MemberGate, 'table'>,
  { operator, routeOptions }: FastifyRequest,
): boolean => operator?.member !== undefined && table[operationIdOf(routeOptions.schema)]?.touch === true

/** Leaves in answers to merchants' people what the table names. Errors are told as they are. */
export function narrowAnswers(app: App, { table }: Pick<MemberGate, 'table'>): void {
  app.addHook('onRoute', (route: RouteOptions) => {
    const id = operationIdOf(route.schema)
    const { bound } = table[id] ?? {}
    if (bound === 'PATH' && !route.url.includes(':merchantCode'))
      throw new Error(`${id} is bound by its path, which names no merchant`)
  })
  app.addHook('preSerialization', (request, reply, payload, done) => {
    const isMember = request.operator?.member !== undefined && reply.statusCode < 300
    if (!isMember) return done(null, payload)
    const shows = table[operationIdOf(request.routeOptions.schema)]?.shows
    if (shows === undefined || shows === 'STREAM') return done(new Error('an answer without a shape'))
    return done(null, shown(shows, payload))
  })
}

/** The part of a value that a shape names. */
function shown(shape: Shape, value: unknown): unknown {
  if (value === undefined || shape === true) return value
  if (typeof shape === 'function') return shape(value)
  if (isList(shape)) {
    if (!Array.isArray(value)) throw new Error('an answer without the list of its shape')
    return value.map((item) => shown(shape[0], item))
  }
  if (typeof value !== 'object' || value === null)
    throw new Error('an answer without the fields of its shape')
  const fields = Object.entries(shape)
    .map(([name, of]) => [name, shown(of, Reflect.get(value, name))] as const)
    .filter(([, part]) => part !== undefined)
  return Object.fromEntries(fields)
}

const isList = (shape: Exclude<Shape, true | ((value: unknown) => unknown)>): shape is readonly [Shape] =>
  Array.isArray(shape)

function operationIdOf(schema: unknown): string {
  const id: unknown = typeof schema === 'object' && schema !== null ? Reflect.get(schema, 'operationId') : ''
  return typeof id === 'string' ? id : ''
}
