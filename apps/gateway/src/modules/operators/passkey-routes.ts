import { setTimeout as sleep } from 'node:timers/promises'
import {
  type Answer,
  answers,
  OperatorPasskeyListSchema,
  OperatorPasskeyParams,
  OperatorPasskeyRemovedSchema,
  OperatorPasskeySchema,
  OperatorPasskeysQuery,
  OperatorSessionOpenedSchema,
  PasskeyAssertionSchema,
  PasskeyConfirmSchema,
  PasskeyCreationSchema,
  PasskeyRegisteredSchema,
  PasskeyRegistrationSchema,
  PasskeyRequestSchema,
} from '@tollgate/contract'
import type { Clock, Log } from '@tollgate/runtime'
import type { FastifyRequest } from 'fastify'
import type { App } from '../../http/app-type.ts'
import { operatorOperationsOf, signInOperationsOf } from '../../http/operation.ts'
import { type OperatorCaller, operatorOf } from '../../http/operator-authentication.ts'
import {
  guessed,
  type OperatorGateDeps,
  type OperatorRequestLog,
  operationOf,
} from '../../http/operator-gate.ts'
import { Refusal } from '../../platform/refusal.ts'
import { mayDo, type OperatorPasskey } from './model.ts'
import type { Begun, PasskeyService, RegistrationBegun } from './passkeys.ts'
import { presentFresh } from './session-routes.ts'
import { ALGORITHMS, base64url, type RelyingParty } from './webauthn.ts'

interface PasskeyRouteDeps extends Pick<OperatorGateDeps, 'throttle' | 'metrics'> {
  readonly passkeys: PasskeyService
  readonly relyingParty: RelyingParty
  readonly requests: OperatorRequestLog
  readonly clock: Clock
  readonly log: Log
}

const operation = operatorOperationsOf('Operators')
const signInOperation = signInOperationsOf('Operators')

/** Passkeys: registering one, signing in with it, and looking after them. */
export function passkeyRoutes(app: App, deps: PasskeyRouteDeps): void {
  registrationRoutes(app, deps)
  signInRoutes(app, deps)
  listingRoutes(app, deps)
  confirmRoute(app, deps)
}

function registrationRoutes(app: App, { passkeys, relyingParty }: PasskeyRouteDeps): void {
  app.post(
    '/operator/passkeys/!begin',
    operation(
      'beginPasskey',
      'self.read',
      {
        summary: 'Begin to register a passkey of yours',
        description:
          'By a session, or by the secret of an invitation as the Bearer token. What a session of a key registers carries no role but AUDITOR, SUPPORT and CATALOGUE until an ADMIN confirms it, and ends with the key.',
        response: answers({ 200: PasskeyCreationSchema }),
      },
      { takesInvitation: true, stepUp: true },
    ),
    async (request) => {
      const operator = registrarOf(request)
      return presentCreation(await passkeys.beginRegistration(operator), operator, relyingParty)
    },
  )
  app.post(
    '/operator/passkeys/!finish',
    operation(
      'finishPasskey',
      'self.read',
      {
        summary: 'Register the passkey that the device has made',
        body: PasskeyRegistrationSchema,
        response: answers({ 201: PasskeyRegisteredSchema }, 409),
      },
      { takesInvitation: true },
    ),
    async (request, reply) => {
      const { fingerprint, ...passkey } = await passkeys.register(registrarOf(request), request.body)
      return reply.code(201).send({ ...presentPasskey(passkey), fingerprint })
    },
  )
}

/** A key alone registers none: a session says afterwards by what it was done. */
function registrarOf(request: FastifyRequest): OperatorCaller {
  const operator = operatorOf(request)
  if (operator.session !== undefined || operator.invitation !== undefined) return operator
  throw new Refusal('OPERATION_NOT_PERMITTED', {
    message:
      'A passkey is registered by a session or an invitation: POST /operator/sessions makes a session.',
  })
}

/** No refusal is told earlier after its request, so that none says by its time whether the passkey is known. */
const REFUSED_AFTER_MS = 300

function signInRoutes(app: App, deps: PasskeyRouteDeps): void {
  const { passkeys, relyingParty, requests, clock, log } = deps
  app.post(
    '/operator/sessions/passkey/!begin',
    signInOperation('beginPasskeySession', {
      summary: 'Begin to sign in with a passkey',
      response: { 200: PasskeyRequestSchema },
    }),
    async () => presentRequest(await passkeys.beginSignIn(), relyingParty, []),
  )
  app.post(
    '/operator/sessions/passkey/!finish',
    signInOperation('finishPasskeySession', {
      summary: 'Sign in with a passkey: make a session, whose secret is told this once',
      body: PasskeyAssertionSchema,
      response: answers({ 201: OperatorSessionOpenedSchema }, 401),
    }),
    async (request, reply) => {
      const startMs = clock.monotonicMs()
      const outcome = await passkeys.signIn(request.body, async (operatorCode) => {
        request.operatorRequestNo = await requests.note({
          operatorCode,
          operation: operationOf(request),
          path: request.url,
          requestId: request.id,
          sessionId: undefined,
          means: 'PASSKEY',
        })
      })
      if (outcome.isRight) return reply.code(201).send(presentFresh(outcome.fresh))
      const { operatorCode, reason } = outcome
      log.warn({ requestId: request.id, operatorCode, reason }, 'a passkey was refused')
      const { operatorRequestNo } = request
      request.operatorRequestNo = null
      if (operatorRequestNo !== null) await requests.answered(operatorRequestNo, 401)
      await sleep(Math.max(0, startMs + REFUSED_AFTER_MS - clock.monotonicMs()))
      throw guessed(deps, request, new Refusal('PASSKEY_INVALID'))
    },
  )
}

function listingRoutes(app: App, { passkeys }: PasskeyRouteDeps): void {
  app.get(
    '/operator/passkeys',
    operation('listPasskeys', 'self.read', {
      summary: 'List your passkeys',
      description: 'Those of another operator are for those who may read operators.',
      querystring: OperatorPasskeysQuery,
      response: answers({ 200: OperatorPasskeyListSchema }, 410),
    }),
    async (request) => {
      const operator = operatorOf(request)
      const { operatorCode = operator.code } = request.query
      if (operatorCode !== operator.code && !mayDo(operator, 'operators.read'))
        throw new Refusal('OPERATION_NOT_PERMITTED', {
          message: 'Your roles do not permit this for another operator: it needs operators.read.',
        })
      return { data: (await passkeys.list(operatorCode)).map(presentPasskey) }
    },
  )
  app.delete(
    '/operator/passkeys/:passkeyId',
    operation(
      'removePasskey',
      'self.read',
      {
        summary: 'Remove a passkey and end its sessions, from the next request on',
        description: 'Those of another operator are for those who may change operators.',
        params: OperatorPasskeyParams,
        response: answers({ 200: OperatorPasskeyRemovedSchema }, 410),
      },
      { stepUp: true },
    ),
    async (request) => {
      const operator = operatorOf(request)
      const { passkeyId } = request.params
      await passkeys.remove(passkeyId, mayDo(operator, 'operators.change') ? 'ANYBODY' : operator)
      return { passkeyId, removed: true as const }
    },
  )
}

function confirmRoute(app: App, { passkeys }: PasskeyRouteDeps): void {
  app.post(
    '/operator/passkeys/:passkeyId/!confirm',
    operation(
      'confirmPasskey',
      'operators.change',
      {
        summary: 'Confirm that a passkey is the operator’s: from then on it carries all their roles',
        description:
          'By another ADMIN than the one who invited the operator. Ask the operator, in person, for the fingerprint that was shown to them.',
        params: OperatorPasskeyParams,
        body: PasskeyConfirmSchema,
        response: answers({ 200: OperatorPasskeySchema }, 409, 410),
      },
      { stepUp: true },
    ),
    async (request) => {
      const { passkeyId } = request.params
      const { code } = operatorOf(request)
      if ((await passkeys.find(passkeyId)).operatorCode === code)
        throw new Refusal('OPERATION_NOT_PERMITTED', {
          message: 'This is your own passkey: another ADMIN confirms it.',
        })
      return presentPasskey(await passkeys.confirm(passkeyId, code, request.body.fingerprint))
    },
  )
}

/** As long as a challenge lives. */
const TIMEOUT_MS = 300_000

export const presentRequest = (
  { challengeId, challenge }: Begun,
  { id: rpId }: RelyingParty,
  credentialIds: readonly Buffer[],
): Answer<typeof PasskeyRequestSchema> => ({
  challengeId,
  options: {
    challenge: base64url(challenge),
    rpId,
    timeout: TIMEOUT_MS,
    userVerification: 'required' as const,
    allowCredentials: credentialIds.map(descriptorOf),
  },
})

const descriptorOf = (credentialId: Buffer) => ({
  type: 'public-key' as const,
  id: base64url(credentialId),
})

const presentCreation = (
  { challengeId, challenge, userId, credentialIds }: RegistrationBegun,
  { code, name }: Pick<OperatorCaller, 'code' | 'name'>,
  { id }: RelyingParty,
): Answer<typeof PasskeyCreationSchema> => ({
  challengeId,
  options: {
    challenge: base64url(challenge),
    rp: { id, name: 'Tollgate' },
    user: { id: base64url(userId), name: code, displayName: name },
    pubKeyCredParams: ALGORITHMS.map((alg) => ({ type: 'public-key', alg })),
    timeout: TIMEOUT_MS,
    attestation: 'none',
    excludeCredentials: credentialIds.map(descriptorOf),
    authenticatorSelection: {
      residentKey: 'required',
      requireResidentKey: true,
      userVerification: 'required',
    },
  },
})

const presentPasskey = (passkey: OperatorPasskey): Answer<typeof OperatorPasskeySchema> => ({
  passkeyId: passkey.passkeyId,
  name: passkey.name,
  createdAt: passkey.createdAt.toISOString(),
  lastUsedAt: passkey.lastUsedAt?.toISOString(),
  isBackedUp: passkey.isBackedUp,
  isHalf: passkey.isHalf,
  invitedBy: passkey.invitedBy,
  confirmedBy: passkey.confirmedBy,
})
