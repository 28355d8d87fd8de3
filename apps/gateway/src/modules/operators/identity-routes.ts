import { setTimeout as sleep } from 'node:timers/promises'
import {
  type Answer,
  answers,
  IdentityConfirmSchema,
  IdentityLinkedSchema,
  OidcBegunSchema,
  OidcBroughtBackSchema,
  OperatorIdentitiesQuery,
  OperatorIdentityListSchema,
  OperatorIdentityParams,
  OperatorIdentityRemovedSchema,
  OperatorIdentitySchema,
  OperatorSessionOpenedSchema,
  SignInWaysSchema,
} from '@tollgate/contract'
import type { Clock, Log } from '@tollgate/runtime'
import type { FastifyRequest } from 'fastify'
import type { App } from '../../http/app-type.ts'
import { operatorOperationsOf, signInOperationsOf } from '../../http/operation.ts'
import { operatorOf } from '../../http/operator-authentication.ts'
import {
  guessed,
  type OperatorGateDeps,
  type OperatorRequestLog,
  operationOf,
} from '../../http/operator-gate.ts'
import { Refusal } from '../../platform/refusal.ts'
import type { IdentityDesk, IdentityService, Outcome } from './identities.ts'
import { mayDo, type OperatorIdentity } from './model.ts'
import { ProviderAway } from './provider.ts'
import { presentFresh } from './session-routes.ts'

const operation = operatorOperationsOf('Operators')
const signInOperation = signInOperationsOf('Operators')

/** By what people can sign in here, for the console. */
export function signInWaysRoute(
  app: App,
  ways: { readonly passkeys: boolean; readonly oidc: { readonly name: string } | undefined },
): void {
  app.get(
    '/operator/sign-in-ways',
    {
      config: { access: 'open' },
      schema: {
        operationId: 'listSignInWays',
        summary: 'By what people can sign in, beside a key',
        tags: ['Operators'],
        security: [],
        response: answers({ 200: SignInWaysSchema }, 429, 500),
      },
    },
    () => Promise.resolve(ways),
  )
}

interface IdentityRouteDeps extends Pick<OperatorGateDeps, 'throttle' | 'metrics'> {
  /** Undefined where no provider is configured. */
  readonly identities: IdentityService | undefined
  readonly requests: OperatorRequestLog
  readonly clock: Clock
  readonly log: Log
}

/** Signing in by a provider of identities, and linking an account of it by an invitation. */
export function identityRoutes(app: App, deps: IdentityRouteDeps): void {
  app.post(
    '/operator/sessions/oidc/!begin',
    signInOperation('beginOidcSession', {
      summary: 'Begin to sign in by the provider of identities: where the browser is sent',
      response: answers({ 200: OidcBegunSchema }, 404),
    }),
    () => orAway(deps, (identities) => identities.begin()),
  )
  app.post(
    '/operator/sessions/oidc/!finish',
    signInOperation('finishOidcSession', {
      summary: 'Sign in by what the provider sent the browser back with: make a session',
      description: 'The secret of the session is told this once.',
      body: OidcBroughtBackSchema,
      response: answers({ 201: OperatorSessionOpenedSchema }, 401, 404),
    }),
    async (request, reply) => {
      const fresh = await orAway(deps, ({ signIn }) =>
        judged(deps, request, (note) => signIn(request.body, note), 'OIDC'),
      )
      return reply.code(201).send(presentFresh(fresh))
    },
  )
  linkRoutes(app, deps)
}

function linkRoutes(app: App, deps: IdentityRouteDeps): void {
  app.post(
    '/operator/identities/!begin',
    operation(
      'beginIdentity',
      'self.read',
      {
        summary: 'Begin to link your account of the provider of identities, by an invitation',
        response: answers({ 200: OidcBegunSchema }, 404),
      },
      { takesInvitation: true },
    ),
    async (request) => {
      const { invitation } = operatorOf(request)
      if (invitation === undefined)
        throw new Refusal('OPERATION_NOT_PERMITTED', {
          message: 'Accounts are linked only by invitation: ask an ADMIN for one.',
        })
      return orAway(deps, (identities) => identities.begin(invitation))
    },
  )
  app.post(
    '/operator/identities/!finish',
    signInOperation('finishIdentity', {
      summary: 'Link the account that the provider sent the browser back with',
      description:
        'The invitation is that of the beginning. By an invitation of an ADMIN it carries no role but AUDITOR, SUPPORT and CATALOGUE until another ADMIN confirms it.',
      body: OidcBroughtBackSchema,
      response: answers({ 201: IdentityLinkedSchema }, 401, 404, 409),
    }),
    async (request, reply) => {
      const linked = await orAway(deps, ({ link }) =>
        judged(deps, request, (note) => link(request.body, note), 'INVITATION'),
      )
      const { fingerprint, ...identity } = linked
      return reply.code(201).send({ ...presentIdentity(identity), fingerprint })
    },
  )
}

function serviceOf({ identities }: IdentityRouteDeps): IdentityService {
  if (identities !== undefined) return identities
  throw new Refusal('ROUTE_NOT_FOUND', {
    message: 'There is no provider of identities here: TOLLGATE_OIDC_ISSUER is not set.',
  })
}

async function orAway<Value>(
  deps: IdentityRouteDeps,
  ask: (identities: IdentityService) => Promise<Value>,
): Promise<Value> {
  try {
    return await ask(serviceOf(deps))
  } catch (error) {
    if (!(error instanceof ProviderAway)) throw error
    deps.log.error({ err: error }, 'the provider of identities does not answer as one')
    throw new Refusal('SYSTEM', {
      message: 'The provider of identities does not answer. Try again, or sign in with a passkey or key.',
      retryAfterSeconds: 5,
    })
  }
}

/** No refusal is told earlier after its request, so that none says by its time how far it came. */
const REFUSED_AFTER_MS = 300

/** What came of it, or one answer for everything that is wrong; the log has the reason. */
async function judged<Value>(
  deps: IdentityRouteDeps,
  request: FastifyRequest,
  attempt: (note: (operatorCode: string, invitationId?: string) => Promise<void>) => Promise<Outcome<Value>>,
  means: 'OIDC' | 'INVITATION',
): Promise<Value> {
  const { requests, clock, log } = deps
  const startMs = clock.monotonicMs()
  const outcome = await attempt(async (operatorCode, meansId) => {
    request.operatorRequestNo = await requests.note({
      operatorCode,
      operation: operationOf(request),
      path: request.url,
      requestId: request.id,
      sessionId: undefined,
      means,
      meansId,
    })
  })
  if (outcome.isRight) return outcome.value
  const { operatorCode, reason } = outcome
  log.warn({ requestId: request.id, operatorCode, reason }, 'an account of the provider was refused')
  const { operatorRequestNo } = request
  request.operatorRequestNo = null
  if (operatorRequestNo !== null) await requests.answered(operatorRequestNo, 401)
  await sleep(Math.max(0, startMs + REFUSED_AFTER_MS - clock.monotonicMs()))
  throw guessed(deps, request, new Refusal('IDENTITY_INVALID'))
}

/** Looking after linked accounts: also where there is no provider any more. */
export function identityDeskRoutes(app: App, desk: IdentityDesk): void {
  app.get(
    '/operator/identities',
    operation('listIdentities', 'self.read', {
      summary: 'List your linked accounts of the provider of identities',
      description: 'Those of another operator are for those who may read operators.',
      querystring: OperatorIdentitiesQuery,
      response: answers({ 200: OperatorIdentityListSchema }, 410),
    }),
    async (request) => {
      const operator = operatorOf(request)
      const { operatorCode = operator.code } = request.query
      if (operatorCode !== operator.code && !mayDo(operator, 'operators.read'))
        throw new Refusal('OPERATION_NOT_PERMITTED', {
          message: 'Your roles do not permit this for another operator: it needs operators.read.',
        })
      return { data: (await desk.list(operatorCode)).map(presentIdentity) }
    },
  )
  app.delete(
    '/operator/identities/:identityId',
    operation(
      'removeIdentity',
      'self.read',
      {
        summary: 'Remove the link to an account and end its sessions, from the next request on',
        description: 'Those of another operator are for those who may change operators.',
        params: OperatorIdentityParams,
        response: answers({ 200: OperatorIdentityRemovedSchema }, 410),
      },
      { stepUp: true },
    ),
    async (request) => {
      const operator = operatorOf(request)
      const { identityId } = request.params
      await desk.remove(identityId, mayDo(operator, 'operators.change') ? 'ANYBODY' : operator)
      return { identityId, removed: true as const }
    },
  )
  confirmRoute(app, desk)
}

function confirmRoute(app: App, desk: IdentityDesk): void {
  app.post(
    '/operator/identities/:identityId/!confirm',
    operation(
      'confirmIdentity',
      'operators.change',
      {
        summary: 'Confirm that a linked account is the operator’s: from then on it carries all their roles',
        description:
          'By another ADMIN than the one who invited the operator. Ask the operator, in person, for the fingerprint that was shown to them.',
        params: OperatorIdentityParams,
        body: IdentityConfirmSchema,
        response: answers({ 200: OperatorIdentitySchema }, 409, 410),
      },
      { stepUp: true },
    ),
    async (request) => {
      const { identityId } = request.params
      const { code } = operatorOf(request)
      if ((await desk.find(identityId)).operatorCode === code)
        throw new Refusal('OPERATION_NOT_PERMITTED', {
          message: 'This is your own account: another ADMIN confirms it.',
        })
      return presentIdentity(await desk.confirm(identityId, code, request.body.fingerprint))
    },
  )
}

export const presentIdentity = (identity: OperatorIdentity): Answer<typeof OperatorIdentitySchema> => ({
  identityId: identity.identityId,
  issuer: identity.issuer,
  subject: identity.subject,
  createdAt: identity.createdAt.toISOString(),
  lastUsedAt: identity.lastUsedAt?.toISOString(),
  isHalf: identity.isHalf,
  invitedBy: identity.invitedBy,
  confirmedBy: identity.confirmedBy,
})
