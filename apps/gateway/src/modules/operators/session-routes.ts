import {
  type Answer,
  type AnswerItem,
  answers,
  OperatorSessionEndedSchema,
  OperatorSessionListSchema,
  OperatorSessionOpenedSchema,
  OperatorSessionParams,
  OperatorSessionsQuery,
} from '@tollgate/contract'
import type { FastifyRequest } from 'fastify'
import type { App } from '../../http/app-type.ts'
import { operatorOperationsOf } from '../../http/operation.ts'
import { keyInvalid, operatorKey, operatorOf } from '../../http/operator-authentication.ts'
import { Refusal } from '../../platform/refusal.ts'
import { mayDo, type OperatorSession } from './model.ts'
import type { FreshSession, SessionService } from './sessions.ts'

const operation = operatorOperationsOf('Operators')

/** Sessions: of those who sign in, and of everybody for whoever looks after the operators. */
export function operatorSessionRoutes(app: App, sessions: SessionService): void {
  openingRoute(app, sessions)
  listingRoute(app, sessions)
  endingRoute(app, sessions)
}

function openingRoute(app: App, sessions: SessionService): void {
  app.post(
    '/operator/sessions',
    operation('createOperatorSession', 'self.read', {
      summary: 'Sign in with an operator key: make a session, whose secret is told this once',
      description:
        'The secret is sent as a Bearer token in place of the key, and carries what the key carries. The session ends when it is not used, after some hours, when it is ended, when the key is removed, and when the operator is disabled.',
      response: answers({ 201: OperatorSessionOpenedSchema }),
    }),
    async (request, reply) => {
      if (operatorOf(request).session !== undefined) {
        throw new Refusal('OPERATION_NOT_PERMITTED', {
          message: 'A session makes no other session, or it would never end: send your operator key.',
        })
      }
      const fresh = await sessions.openByKey(operatorKey(request))
      // Taken away since it was looked at.
      if (fresh === undefined) throw keyInvalid()
      return reply.code(201).send(presentFresh(fresh))
    },
  )
}

function listingRoute(app: App, sessions: SessionService): void {
  app.get(
    '/operator/sessions',
    operation('listOperatorSessions', 'self.read', {
      summary: 'List your sessions that have not ended, the newest first',
      description: 'The sessions of another operator are for those who may read operators.',
      querystring: OperatorSessionsQuery,
      response: answers({ 200: OperatorSessionListSchema }, 410),
    }),
    async (request) => {
      const operator = operatorOf(request)
      const { operatorCode = operator.code } = request.query
      if (operatorCode !== operator.code && !mayDo(operator, 'operators.read'))
        throw notYours('operators.read')
      const listed = await sessions.list(operatorCode)
      return { data: listed.map((each) => present(each, operator.session?.sessionId)) }
    },
  )
}

function endingRoute(app: App, sessions: SessionService): void {
  app.delete(
    '/operator/sessions/:sessionId',
    operation('endOperatorSession', 'self.read', {
      summary: 'End a session, from the next request on',
      description:
        '`current` is the one that asks. The sessions of another operator are for those who may change operators.',
      params: OperatorSessionParams,
      response: answers({ 200: OperatorSessionEndedSchema }, 410),
    }),
    async (request) => {
      const operator = operatorOf(request)
      const sessionId = sessionNamed(request)
      await sessions.end(sessionId, mayDo(operator, 'operators.change') ? 'ANYBODY' : operator)
      return { id: sessionId, ended: true as const }
    },
  )
}

function sessionNamed(request: FastifyRequest & { readonly params: { readonly sessionId: string } }): string {
  const { sessionId } = request.params
  if (sessionId !== 'current') return sessionId
  const current = operatorOf(request).session?.sessionId
  if (current !== undefined) return current
  throw new Refusal('ENTITY_NOT_FOUND', {
    message: 'There is no current session: the request came with an operator key.',
  })
}

const notYours = (permission: string): Refusal =>
  new Refusal('OPERATION_NOT_PERMITTED', {
    message: `Your roles do not permit this for another operator: it needs ${permission}.`,
  })

export const presentFresh = ({
  session: { secret, ...session },
  operator: { code, name, roles },
}: FreshSession): Answer<typeof OperatorSessionOpenedSchema> => ({
  session: {
    id: session.sessionId,
    secret,
    method: session.method,
    passkeyId: session.passkeyId,
    identityId: session.identityId,
    createdAt: session.createdAt.toISOString(),
    idleUntil: session.idleUntil.toISOString(),
    expireAt: session.expireAt.toISOString(),
  },
  operator: { code, name, roles },
})

const present = (
  { sessionId, method, keyId, passkeyId, identityId, ...times }: OperatorSession,
  current: string | undefined,
): AnswerItem<typeof OperatorSessionListSchema> => ({
  id: sessionId,
  method,
  keyId,
  passkeyId,
  identityId,
  createdAt: times.createdAt.toISOString(),
  lastUsedAt: times.lastUsedAt.toISOString(),
  idleUntil: times.idleUntil.toISOString(),
  expireAt: times.expireAt.toISOString(),
  isCurrent: sessionId === current,
})
