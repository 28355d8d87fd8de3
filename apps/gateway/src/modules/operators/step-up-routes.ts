import {
  answers,
  PasskeyAssertionSchema,
  PasskeyRequestSchema,
  StepUpBeginSchema,
  StepUpSchema,
} from '@tollgate/contract'
import type { FastifyRequest } from 'fastify'
import type { App } from '../../http/app-type.ts'
import { operatorOperationsOf } from '../../http/operation.ts'
import { operatorOf } from '../../http/operator-authentication.ts'
import { Refusal } from '../../platform/refusal.ts'
import { presentRequest } from './passkey-routes.ts'
import type { StepUpService, Toucher } from './step-ups.ts'
import type { RelyingParty } from './webauthn.ts'

const operation = operatorOperationsOf('Operators')

/** A fresh touch, for what a stolen session must not be able to do. */
export function stepUpRoutes(
  app: App,
  { stepUps, relyingParty }: { readonly stepUps: StepUpService; readonly relyingParty: RelyingParty },
): void {
  app.post(
    '/operator/step-ups/!begin',
    operation('beginStepUp', 'self.read', {
      summary: 'Begin a fresh touch of your passkey, for one request',
      description:
        'For operations that are answered 403 STEP_UP_REQUIRED. Sessions of keys need none: whoever has the key could make another session.',
      body: StepUpBeginSchema,
      response: { 200: PasskeyRequestSchema },
    }),
    async (request) => {
      const begun = await stepUps.begin(toucherOf(request), request.body)
      return presentRequest(begun, relyingParty, [begun.credentialId])
    },
  )
  app.post(
    '/operator/step-ups/!finish',
    operation('finishStepUp', 'self.read', {
      summary: 'Finish a fresh touch: get the secret for the header X-Step-Up, once, within two minutes',
      body: PasskeyAssertionSchema,
      response: answers({ 201: StepUpSchema }, 409),
    }),
    async (request, reply) => {
      const { secret, expireAt } = await stepUps.finish(toucherOf(request), request.body)
      return reply.code(201).send({ secret, expireAt: expireAt.toISOString() })
    },
  )
}

function toucherOf(request: FastifyRequest): Toucher {
  const { operatorId, session } = operatorOf(request)
  if (session?.passkeyId !== undefined)
    return { operatorId, sessionId: session.sessionId, passkeyId: session.passkeyId }
  throw new Refusal('OPERATION_NOT_PERMITTED', {
    message: 'Only a session of a passkey needs a fresh touch, and can have one.',
  })
}
