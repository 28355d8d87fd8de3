import { answers, OperatorInvitedSchema, OperatorInviteSchema } from '@tollgate/contract'
import type { App } from '../../http/app-type.ts'
import { operatorOperationsOf } from '../../http/operation.ts'
import { operatorOf } from '../../http/operator-authentication.ts'
import { Refusal } from '../../platform/refusal.ts'
import { type FreshInvitation, invitationLink } from './invitations.ts'

const operation = operatorOperationsOf('Operators')

/** Invitations: how an operator who has no key comes to a passkey. */
export function invitationRoutes(
  app: App,
  deps: {
    readonly invite: (invited: { readonly code: string; readonly madeBy: string }) => Promise<FreshInvitation>
    readonly consoleUrl: string
  },
): void {
  app.post(
    '/operator/invitations',
    operation(
      'inviteOperator',
      'operators.change',
      {
        summary: 'Invite an operator to register a passkey; the secret is told this once',
        description:
          'Within 24 hours, for one passkey; an earlier invitation ends. The passkey carries no role but AUDITOR, SUPPORT and CATALOGUE until another ADMIN confirms it.',
        body: OperatorInviteSchema,
        response: answers({ 201: OperatorInvitedSchema }, 409, 410),
      },
      { stepUp: true },
    ),
    async (request, reply) => {
      const { code: madeBy } = operatorOf(request)
      const { operatorCode: code } = request.body
      if (code === madeBy)
        throw new Refusal('OPERATION_NOT_PERMITTED', {
          message: 'This is your own account: another ADMIN invites you.',
        })
      const { expireAt, ...invitation } = await deps.invite({ code, madeBy })
      return reply.code(201).send({
        ...invitation,
        link: invitationLink(deps.consoleUrl, invitation.secret),
        expireAt: expireAt.toISOString(),
      })
    },
  )
}
