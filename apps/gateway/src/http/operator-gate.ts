import type { OperatorPermission } from '@tollgate/contract/words'
import type { Log } from '@tollgate/runtime'
import type { FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import { acting, type Means } from '../platform/acting.ts'
import { Refusal } from '../platform/refusal.ts'
import type { App } from './app-type.ts'
import { addressKey, type GateDeps, limitAddress, limitCaller, tooMany } from './gate.ts'
import {
  keyInvalid,
  type OperatorAuthenticator,
  type OperatorCaller,
  operatorKey,
} from './operator-authentication.ts'
import { admitMember, type MemberGate, narrowAnswers, needsTouch } from './operator-members.ts'
import type { FailureThrottle } from './operator-throttle.ts'

export interface OperatorGateDeps extends Omit<GateDeps, 'authenticator'> {
  readonly authenticator: OperatorAuthenticator
  readonly throttle: FailureThrottle
  readonly mayDo: (operator: OperatorCaller, permission: OperatorPermission) => boolean
  /** Notes a change before it is made, and how it was answered. What cannot be noted is not done. */
  readonly requests: OperatorRequestLog
  readonly stepUps: StepUps
  /** What merchants' people may use, who are refused everything else. */
  readonly members: Pick<MemberGate, 'table' | 'isOpen'>
  readonly log: Log
}

/** Fresh touches of passkeys. */
interface StepUps {
  /** Uses one up; false for one that is not for this request of this session. */
  take(
    secret: string,
    use: { readonly sessionId: string; readonly method: string; readonly path: string },
  ): Promise<boolean>
}

/** The record of what operators ask for. */
export interface OperatorRequestLog {
  /** Gives the number under which it was noted. */
  note(request: {
    readonly operatorCode: string
    readonly operation: string
    readonly path: string
    readonly requestId: string
    readonly sessionId: string | undefined
    readonly means?: Means['means'] | undefined
    readonly meansId?: string | undefined
    readonly merchantCode?: string | undefined
    readonly subject?: string | undefined
    readonly reason?: string | undefined
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
    if (deps.draining.aborted) {
      void reply.header('connection', 'close')
      throw new Refusal('SYSTEM', { message: 'The gateway is shutting down.', retryAfterSeconds: 5 })
    }
    if (request.is404) throw new Refusal('ROUTE_NOT_FOUND')
    if (access === 'sign-in') return limitSignIn(deps, request, reply)
    const operator = await authenticate(deps, request)
    await limitOperator(deps, operator, reply)
    if (operator.member !== undefined)
      await admitMember({ ...deps.members, mayDo: deps.mayDo }, request, operator)
    // An invitation comes as far as this on routes that take it, and needs no role.
    else if (operator.invitation === undefined) requirePermitted(deps, operator, permission)
    request.operator = operator
  })
  narrowAnswers(app, deps.members)
  requireTouch(app, deps)
  noteChanges(app, deps)
}

function requirePermitted(
  { mayDo }: OperatorGateDeps,
  operator: OperatorCaller,
  permission: OperatorPermission | undefined,
): void {
  if (permission !== undefined && mayDo(operator, permission)) return
  throw new Refusal('OPERATION_NOT_PERMITTED', {
    message: `Your roles do not permit this: it needs ${permission ?? 'nothing that can be given'}.${operator.isKeyHalf === true ? HALF_KEY : ''}`,
  })
}

/** After the input is judged: a touch is not used up by a request that cannot be read. */
function requireTouch(app: App, { stepUps, members }: OperatorGateDeps): void {
  app.addHook('preHandler', async (request) => {
    const { operator, method, url, headers, routeOptions } = request
    const session = operator?.session
    const isNeeded = routeOptions.config.stepUp === true || needsTouch(members, request)
    if (!isNeeded || session === undefined || session.method === 'KEY') return
    if (session.method === 'OIDC') throw new Refusal('OPERATION_NOT_PERMITTED', { message: NEEDS_PASSKEY })
    const path = pathOf(url)
    const secret = headers['x-step-up']
    const use = { sessionId: session.sessionId, method, path }
    if (typeof secret === 'string' && (await stepUps.take(secret, use))) return
    throw new Refusal('STEP_UP_REQUIRED', {
      message: `This needs a fresh touch of your passkey, for ${method} ${path}.`,
    })
  })
}

const NEEDS_PASSKEY =
  'This needs a fresh touch of a passkey, and you signed in by the provider of identities: sign in with a passkey. If you have none, ask an ADMIN for an invitation to register one.'

const pathOf = (url: string): string => url.split('?', 1)[0] ?? ''

const HALF_KEY =
  ' One ADMIN alone made this key or invited you, so it carries less than your roles: another ADMIN adds the second half, or confirms the passkey or linked account.'

const READING: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS'])

/** Who asked for which change is noted here, so that no route can forget it: before the handler, and before the answer leaves. */
function noteChanges(app: App, { requests, log }: OperatorGateDeps): void {
  // Whatever is written from here on belongs to the request. The number comes a moment later.
  app.addHook('preHandler', (request, _reply, done) => {
    const act = {
      requestNo: () => request.operatorRequestNo,
      means: () => (request.operator === null ? undefined : meansOf(request.operator)),
      requestId: request.id,
    }
    acting(act, done)
  })
  app.addHook('preHandler', async (request) => {
    if (request.operator === null || READING.has(request.method)) return
    request.operatorRequestNo = await requests.note({
      operatorCode: request.operator.code,
      operation: operationOf(request),
      path: pathOf(request.url),
      requestId: request.id,
      sessionId: request.operator.session?.sessionId,
      ...meansOf(request.operator),
      ...aboutOf(request),
    })
  })
  app.addHook('onSend', async (request, reply) => {
    const requestNo = request.operatorRequestNo
    if (requestNo === null) return
    // What was begun here and goes on, such as a batch that others joined, belongs to the act no longer.
    request.operatorRequestNo = null
    try {
      await requests.answered(requestNo, reply.statusCode)
    } catch (error) {
      // What was done is done: the answer must not say otherwise. The record keeps the request without its answer.
      log.error({ requestId: request.id, requestNo, err: error }, 'the answer to an operator was not noted')
    }
  })
}

/** By what the operator asked. */
function meansOf({ session, invitation, keyId }: OperatorCaller): Means {
  if (session !== undefined)
    return { means: session.method === 'KEY' ? 'SESSION' : session.method, meansId: session.sessionId }
  if (invitation !== undefined) return { means: 'INVITATION', meansId: invitation.invitationId }
  return { means: 'KEY', meansId: keyId }
}

/** Names of what a request is about, where its path does not have them. */
const NAMING = ['operatorCode', 'person', 'accountCode', 'code', 'fromDay'] as const
const TEXT_MAX = 500

/** The merchant, what else is named, and why: from the path, and of the body only what is no secret and no person's. */
function aboutOf({ params, body }: Pick<FastifyRequest, 'params' | 'body'>): {
  readonly merchantCode: string | undefined
  readonly subject: string | undefined
  readonly reason: string | undefined
} {
  const { merchantCode, ...named } = textsOf(params)
  const said = Buffer.isBuffer(body) ? {} : textsOf(body)
  const inPath = Object.values(named).join(' ')
  const inBody = NAMING.map((name) => said[name]).find((value) => value !== undefined)
  return {
    merchantCode: (merchantCode ?? said['merchantCode'])?.slice(0, TEXT_MAX),
    subject: (inPath === '' ? inBody : inPath)?.slice(0, TEXT_MAX),
    reason: (said['reason'] ?? said['note'])?.slice(0, TEXT_MAX),
  }
}

const textsOf = (value: unknown): Readonly<Record<string, string>> =>
  typeof value === 'object' && value !== null
    ? Object.fromEntries(
        Object.entries(value).filter(
          (entry): entry is [string, string] => typeof entry[1] === 'string' && entry[1] !== '',
        ),
      )
    : {}

export function operationOf({ method, routeOptions }: FastifyRequest): string {
  const { schema, url } = routeOptions
  const id = schema !== undefined && 'operationId' in schema ? schema.operationId : undefined
  return typeof id === 'string' ? id : `${method} ${url ?? ''}`
}

function requirePermission({ method, url, config }: RouteOptions): void {
  const { access, permission } = config ?? {}
  if (access === 'open' || access === 'sign-in' || permission !== undefined) return
  throw new Error(`${String(method)} ${url} of the operator API names no permission`)
}

/** A right key always passes: who guesses from the same address must not be able to lock an operator out. */
async function authenticate(deps: OperatorGateDeps, request: FastifyRequest): Promise<OperatorCaller> {
  const key = operatorKey(request)
  const takesInvitation = request.routeOptions.config.takesInvitation === true
  // A program that asks by itself, such as an open screen, must not keep a session alive that nobody uses.
  const isUnattended = request.headers['x-unattended'] !== undefined
  const operator =
    (await deps.authenticator.authenticate(key, { isUnattended })) ??
    (takesInvitation ? await deps.authenticator.authenticateInvited(key) : undefined)
  if (operator !== undefined) return operator
  deps.log.warn({ requestId: request.id, address: addressKey(request.ip) }, 'an operator key was refused')
  throw guessed(deps, request, takesInvitation ? invitationInvalid() : keyInvalid())
}

const invitationInvalid = (): Refusal =>
  new Refusal('TOKEN_INVALID', { message: 'There is no such invitation, key or session.' })

/** Counts a failed proof of an operator against its address: the refusal, or a 429 after too many. */
export function guessed(
  { throttle, metrics }: Pick<OperatorGateDeps, 'throttle' | 'metrics'>,
  request: FastifyRequest,
  refusal: Refusal,
): Refusal {
  const waitMs = throttle.fail(addressKey(request.ip))
  return waitMs > 0 ? tooMany(metrics, 'operator-keys', waitMs) : refusal
}

/** Every request of these leaves a row or asks for a signature to be checked, before anybody has proven anything. */
const SIGN_INS_PER_SECOND = 10

function limitSignIn(
  deps: OperatorGateDeps,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> | undefined {
  const key = `sign-in ${addressKey(request.ip)}`
  const bucket = { key, limitPerSecond: SIGN_INS_PER_SECOND, name: 'sign-in' }
  return limitCaller(deps, { bucket }, reply)
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
