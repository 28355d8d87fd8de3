import {
  type Answer,
  answers,
  MemberAddSchema,
  MemberInvitedSchema,
  MemberListSchema,
  MemberParams,
  MemberRoleSetSchema,
  MemberSchema,
  MembersParams,
} from '@tollgate/contract'
import type { FastifyRequest } from 'fastify'
import type { App } from '../../http/app-type.ts'
import { operatorOperationsOf } from '../../http/operation.ts'
import { operatorOf } from '../../http/operator-authentication.ts'
import { Refusal } from '../../platform/refusal.ts'
import { type FreshInvitation, invitationLink } from './invitations.ts'
import type { MemberService } from './members.ts'
import type { OperatorAccount } from './model.ts'

const operation = operatorOperationsOf('Merchants')

interface MemberRouteDeps {
  readonly members: MemberService
  /** Throws ENTITY_NOT_FOUND. */
  readonly merchantIdOf: (merchantCode: string) => Promise<string>
  readonly consoleUrl: string
}

const PATH = '/operator/merchants/:merchantCode/people'
const ONE = `${PATH}/:operatorCode` as const

/** People of merchants: for administrators of the house, and for those of the merchant. Nobody changes their own account. */
export function memberRoutes(app: App, deps: MemberRouteDeps): void {
  listRoute(app, deps)
  invitingRoutes(app, deps)
  changingRoutes(app, deps)
}

function listRoute(app: App, { members, merchantIdOf }: MemberRouteDeps): void {
  app.get(
    PATH,
    operation('listMembers', 'people.read', {
      summary: 'List a merchant’s people',
      params: MembersParams,
      response: answers({ 200: MemberListSchema }, 410),
    }),
    async ({ params: { merchantCode } }) => {
      await merchantIdOf(merchantCode)
      const data = (await members.list(merchantCode)).map(
        ({ account, passkeys, halfPasskeys, invitedUntil }) => ({
          ...present(account),
          passkeys,
          halfPasskeys,
          ...(invitedUntil !== undefined && { invitedUntil: invitedUntil.toISOString() }),
        }),
      )
      return { data }
    },
  )
}

function invitingRoutes(app: App, { members, merchantIdOf, consoleUrl }: MemberRouteDeps): void {
  app.post(
    PATH,
    operation(
      'addMember',
      'people.change',
      {
        summary: 'Add a person to a merchant and invite them; the secret is told this once',
        description:
          'The person registers a passkey within 24 hours, and then sees this merchant and nothing else. Where a second person is wanted, whom one operator invited has what STAFF may, until another ADMIN confirms the passkey.',
        params: MembersParams,
        body: MemberAddSchema,
        response: answers({ 201: MemberInvitedSchema }, 409, 410),
      },
      { stepUp: true },
    ),
    async (request, reply) => {
      const { merchantCode } = request.params
      await merchantIdOf(merchantCode)
      const wanted = { ...request.body, madeBy: operatorOf(request).code }
      const { account, invitation } = await members.add(merchantCode, wanted)
      return reply.code(201).send(presentInvited(account, invitation, consoleUrl))
    },
  )
  app.post(
    `${ONE}/!invite`,
    operation(
      'inviteMember',
      'people.change',
      {
        summary: 'Invite a merchant’s person to register a further passkey; the secret is told this once',
        params: MemberParams,
        response: answers({ 201: MemberInvitedSchema }, 409, 410),
      },
      { stepUp: true },
    ),
    async (request, reply) => {
      const { merchantCode } = request.params
      const code = someoneElse(request)
      const invited = await members.invite(merchantCode, code, operatorOf(request).code)
      return reply.code(201).send(presentInvited(invited.account, invited.invitation, consoleUrl))
    },
  )
}

function changingRoutes(app: App, { members }: MemberRouteDeps): void {
  app.put(
    `${ONE}/role`,
    operation(
      'setMemberRole',
      'people.change',
      {
        summary: 'Give a merchant’s person this role',
        params: MemberParams,
        body: MemberRoleSetSchema,
        response: answers({ 200: MemberSchema }, 410),
      },
      { stepUp: true },
    ),
    async (request) =>
      present(await members.setRole(request.params.merchantCode, someoneElse(request), request.body.role)),
  )
  const switches = [
    {
      action: 'enable',
      status: 'ACTIVE',
      summary: 'Let a disabled person of a merchant sign in again',
      touch: { stepUp: true },
    },
    {
      action: 'disable',
      // A brake: nothing stands before it.
      touch: {},
      status: 'DISABLED',
      summary: 'Disable a merchant’s person: their sessions and invitations end for good',
    },
  ] as const
  for (const { action, status, summary, touch } of switches)
    app.post(
      `${ONE}/!${action}`,
      operation(
        `${action}Member`,
        'people.change',
        { summary, params: MemberParams, response: answers({ 200: MemberSchema }, 410) },
        touch,
      ),
      async (request) =>
        present(await members.setStatus(request.params.merchantCode, someoneElse(request), status)),
    )
}

/** The person who is named. Throws when that is the one who asks. */
function someoneElse(
  request: FastifyRequest & { readonly params: { readonly operatorCode: string } },
): string {
  const { operatorCode } = request.params
  if (operatorOf(request).code !== operatorCode) return operatorCode
  throw new Refusal('OPERATION_NOT_PERMITTED', {
    message: 'This is your own account: another administrator changes it.',
  })
}

function present({ code, name, status, member, createdAt }: OperatorAccount): Answer<typeof MemberSchema> {
  if (member === undefined) throw new Error(`${code} belongs to no merchant`)
  return {
    operatorCode: code,
    merchantCode: member.merchantCode,
    name,
    role: member.role,
    status,
    createdAt: createdAt.toISOString(),
  }
}

const presentInvited = (
  account: OperatorAccount,
  { invitationId, secret, expireAt }: FreshInvitation,
  consoleUrl: string,
): Answer<typeof MemberInvitedSchema> => ({
  ...present(account),
  invitationId,
  secret,
  link: invitationLink(consoleUrl, secret),
  expireAt: expireAt.toISOString(),
})
