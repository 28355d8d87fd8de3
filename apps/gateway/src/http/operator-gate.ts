import type { OperatorPermission } from '@tollgate/contract/words'
import type { Log } from '@tollgate/runtime'
import type { FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import { Refusal } from '../platform/refusal.ts'
import type { App } from './app-type.ts'
import { addressKey, type GateDeps, limitAddress, limitCaller, tooMany } from './gate.ts'
import {
  keyInvalid,
  type OperatorAuthenticator,
  type OperatorCaller,
  operatorKey,
} from './operator-authentication.ts'
import type { FailureThrottle } from './operator-throttle.ts'

export interface OperatorGateDeps extends Omit<GateDeps, 'authenticator'> {
  readonly authenticator: OperatorAuthenticator
  readonly throttle: FailureThrottle
  readonly mayDo: (operator: OperatorCaller, permission: OperatorPermission) => boolean
  /** Notes a change before it is made, and how it was answered. What cannot be noted is not done. */
  readonly requests: OperatorRequestLog
  readonly log: Log
}

/** The record of what operators ask for. */
interface OperatorRequestLog {
  /** Gives the number under which it was noted. */
  note(request: {
    readonly operatorCode: string
    readonly operation: string
    readonly path: string
    readonly requestId: string
  }): Promise<string>
  answered(requestNo: string, status: number): Promise<void>
}

/** A person clicks, and a script of a person may read some lists. */
export const OPERATOR_RATE_PER_SECOND = 20

/**
 * What every request of an operator passes before its route: address rate (429), drain, route (404), key (401, or 429
 * after too many wrong ones), the operator's rate (429), permission (403). Call before the routes are added: one that
 * neither names a permission nor is open is refused as it is added.
 */
export function guardOperatorRoutes(app: App, deps: OperatorGateDeps): void {
  app.addHook('onRoute', requirePermission)
  app.addHook('onRequest', async (request, reply) => {
    await limitAddress(deps, request)
    const { access, permission } = request.routeOptions.config
    if (access === 'open' && !request.is404) return
    if (deps.isDraining()) {
      void reply.header('connection', 'close')
      throw new Refusal('SYSTEM', { message: 'The gateway is shutting down.', retryAfterSeconds: 5 })
    }
    if (request.is404) throw new Refusal('ROUTE_NOT_FOUND')
    const operator = await authenticate(deps, request)
    await limitOperator(deps, operator, reply)
    if (permission === undefined || !deps.mayDo(operator, permission)) {
      throw new Refusal('OPERATION_NOT_PERMITTED', {
        message: `Your roles do not permit this: it needs ${permission ?? 'nothing that can be given'}.${operator.isKeyHalf === true ? HALF_KEY : ''}`,
      })
    }
    request.operator = operator
  })
  noteChanges(app, deps)
}

const HALF_KEY =
  ' One ADMIN alone made this key, so it carries less than your roles: another ADMIN adds the second half.'

const READING: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS'])

/** Who asked for which change is noted here, so that no route can forget it: before the handler, and before the answer leaves. */
function noteChanges(app: App, { requests, log }: OperatorGateDeps): void {
  app.addHook('preHandler', async (request) => {
    if (request.operator === null || READING.has(request.method)) return
    request.operatorRequestNo = await requests.note({
      operatorCode: request.operator.code,
      operation: operationOf(request),
      path: request.url.split('?', 1)[0] ?? '',
      requestId: request.id,
    })
  })
  app.addHook('onSend', async (request, reply) => {
    const requestNo = request.operatorRequestNo
    if (requestNo === null) return
    try {
      await requests.answered(requestNo, reply.statusCode)
    } catch (error) {
      // What was done is done: the answer must not say otherwise. The record keeps the request without its answer.
      log.error({ requestId: request.id, requestNo, err: error }, 'the answer to an operator was not noted')
    }
  })
}

function operationOf({ method, routeOptions }: FastifyRequest): string {
  const { schema, url } = routeOptions
  const id = schema !== undefined && 'operationId' in schema ? schema.operationId : undefined
  return typeof id === 'string' ? id : `${method} ${url ?? ''}`
}

function requirePermission({ method, url, config }: RouteOptions): void {
  if (config?.access === 'open' || config?.permission !== undefined) return
  throw new Error(`${String(method)} ${url} of the operator API names no permission`)
}

/** A right key always passes: who guesses from the same address must not be able to lock an operator out. */
async function authenticate(deps: OperatorGateDeps, request: FastifyRequest): Promise<OperatorCaller> {
  const operator = await deps.authenticator.authenticate(operatorKey(request))
  if (operator !== undefined) return operator
  const address = addressKey(request.ip)
  deps.log.warn({ requestId: request.id, address }, 'an operator key was refused')
  const waitMs = deps.throttle.fail(address)
  if (waitMs > 0) throw tooMany(deps.metrics, 'operator-keys', waitMs)
  throw keyInvalid()
}

function limitOperator(
  deps: OperatorGateDeps,
  operator: OperatorCaller,
  reply: FastifyReply,
): Promise<void> | undefined {
  const bucket = {
    key: `operator ${operator.operatorId}`,
    limitPerSecond: OPERATOR_RATE_PER_SECOND,
    name: 'operator',
  }
  return limitCaller(deps, { bucket }, reply)
}
