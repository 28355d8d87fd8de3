import {
  type Answer,
  answers,
  OperatorAccountDetailSchema,
  OperatorAccountListSchema,
  OperatorAccountParams,
  OperatorAccountSchema,
  OperatorCreatedSchema,
  OperatorCreateSchema,
  OperatorKeyAddedSchema,
  OperatorKeyAddSchema,
  OperatorKeyParams,
  OperatorKeyRemovedSchema,
  OperatorKeySecondedSchema,
  OperatorRolesSetSchema,
} from '@tollgate/contract'
import type { FastifyRequest } from 'fastify'
import type { App } from '../../http/app-type.ts'
import { operatorOperationsOf } from '../../http/operation.ts'
import { operatorOf } from '../../http/operator-authentication.ts'
import { Refusal } from '../../platform/refusal.ts'
import { presentIdentity } from './identity-routes.ts'
import { type OperatorAccount, type OperatorKey, permissionsOf } from './model.ts'
import type { OperatorService } from './service.ts'

const operation = operatorOperationsOf('Operators')

/**
 * Who operates the gateway. Nobody changes their own account: neither can an operator widen their own powers, nor does a
 * stolen key outlive its removal by making itself another.
 */
export function operatorAccountRoutes(app: App, operators: OperatorService): void {
  readingRoutes(app, operators)
  createRoute(app, operators)
  accountRoutes(app, operators)
  keyRoutes(app, operators)
}

function readingRoutes(app: App, operators: OperatorService): void {
  app.get(
    '/operator/operators',
    operation('listOperators', 'operators.read', {
      summary: 'List all operators',
      response: { 200: OperatorAccountListSchema },
    }),
    async () => ({
      data: (await operators.list()).map((each) => ({ ...present(each), keys: each.keys })),
    }),
  )
  app.get(
    '/operator/operators/:operatorCode',
    operation('readOperator', 'operators.read', {
      summary: 'An operator with permissions and keys; no key is told again',
      params: OperatorAccountParams,
      response: answers({ 200: OperatorAccountDetailSchema }, 410),
    }),
    async ({ params }) => {
      const { operator, keys, identities } = await operators.show(params.operatorCode)
      return {
        ...present(operator),
        permissions: permissionsOf(operator),
        keys: keys.map(presentKey),
        identities: identities.map(presentIdentity),
      }
    },
  )
}

function createRoute(app: App, operators: OperatorService): void {
  app.post(
    '/operator/operators',
    operation(
      'createOperator',
      'operators.change',
      {
        summary: 'Make an operator with a first key, which is told this once',
        body: OperatorCreateSchema,
        response: answers({ 201: OperatorCreatedSchema }, 409),
      },
      { stepUp: true },
    ),
    async (request, reply) => {
      const { operatorCode: code, name = code, roles } = request.body
      const made = await operators.create({ code, name, roles, madeBy: operatorOf(request).code })
      const { keyId, key } = made.key
      return reply.code(201).send({ ...present(made.operator), keyId, key })
    },
  )
}

function accountRoutes(app: App, operators: OperatorService): void {
  const switches = [
    {
      action: 'enable',
      status: 'ACTIVE',
      summary: 'Let a disabled operator work again',
      touch: { stepUp: true },
    },
    {
      action: 'disable',
      // A brake: nothing stands before it.
      touch: {},
      status: 'DISABLED',
      summary: 'Disable an operator: no key, session or passkey of theirs works any more',
    },
  ] as const
  for (const { action, status, summary, touch } of switches)
    app.post(
      `/operator/operators/:operatorCode/!${action}`,
      operation(
        `${action}Operator`,
        'operators.change',
        {
          summary,
          params: OperatorAccountParams,
          response: answers({ 200: OperatorAccountSchema }, 410),
        },
        touch,
      ),
      async (request) => present(await operators.setStatus(someoneElse(request), status)),
    )
  app.put(
    '/operator/operators/:operatorCode/roles',
    operation(
      'setOperatorRoles',
      'operators.change',
      {
        summary: 'Give an operator these roles and no others',
        params: OperatorAccountParams,
        body: OperatorRolesSetSchema,
        response: answers({ 200: OperatorAccountSchema }, 410),
      },
      { stepUp: true },
    ),
    async (request) => present(await operators.setRoles(someoneElse(request), request.body.roles)),
  )
}

function keyRoutes(app: App, operators: OperatorService): void {
  app.post(
    '/operator/operators/:operatorCode/keys',
    operation(
      'addOperatorKey',
      'operators.change',
      {
        summary: 'Make a further key of an operator, which is told this once',
        params: OperatorAccountParams,
        body: OperatorKeyAddSchema,
        response: answers({ 201: OperatorKeyAddedSchema }, 409, 410),
      },
      { stepUp: true },
    ),
    async (request, reply) => {
      const code = someoneElse(request)
      const { key, ...stored } = await operators.addKey(code, request.body.days, operatorOf(request).code)
      return reply.code(201).send({ ...presentKey(stored), key })
    },
  )
  app.post(
    '/operator/operators/:operatorCode/keys/:keyId/!second',
    operation(
      'secondOperatorKey',
      'operators.change',
      {
        summary: 'Add the second half of a key that another ADMIN made; it is told this once',
        description:
          'A key that one ADMIN made carries no role but AUDITOR, SUPPORT and CATALOGUE. With a second half of another ADMIN it carries all roles: the operator sends the two, joined by a dot, and neither opens anything alone.',
        params: OperatorKeyParams,
        response: answers({ 200: OperatorKeySecondedSchema }, 409, 410),
      },
      { stepUp: true },
    ),
    async (request) => {
      const { keyId } = request.params
      const code = someoneElse(request)
      return { keyId, secondHalf: await operators.secondKey(code, keyId, operatorOf(request).code) }
    },
  )
  app.delete(
    '/operator/operators/:operatorCode/keys/:keyId',
    operation(
      'removeOperatorKey',
      'operators.change',
      {
        summary: 'Remove a key, from the next request on',
        params: OperatorKeyParams,
        response: answers({ 200: OperatorKeyRemovedSchema }, 410),
      },
      { stepUp: true },
    ),
    async (request) => {
      const { keyId } = request.params
      await operators.removeKey(someoneElse(request), keyId)
      return { keyId, removed: true as const }
    },
  )
}

/** The operator that is named. Throws when that is the one who asks. */
function someoneElse(
  request: FastifyRequest & { readonly params: { readonly operatorCode: string } },
): string {
  const { operatorCode } = request.params
  if (operatorOf(request).code !== operatorCode) return operatorCode
  throw new Refusal('OPERATION_NOT_PERMITTED', {
    message: 'This is your own account: another ADMIN changes its roles, keys and status.',
  })
}

const present = ({
  code,
  name,
  status,
  roles,
  createdAt,
}: OperatorAccount): Answer<typeof OperatorAccountSchema> => ({
  operatorCode: code,
  name,
  status,
  roles,
  createdAt: createdAt.toISOString(),
})

const presentKey = ({ keyId, createdAt, expiresAt, madeBy, secondedBy }: OperatorKey) => ({
  keyId,
  createdAt: createdAt.toISOString(),
  expiresAt: expiresAt?.toISOString(),
  madeBy,
  secondedBy,
})
