import type { Ids } from '@tollgate/runtime'
import type { Database, Tx } from '../../platform/database.ts'
import type { Secrets } from '../../platform/secrets.ts'
import { hashKey } from './authenticator.ts'
import { OperatorProblem } from './errors.ts'
import { insertInvitation, updateInvitationsEnded } from './invitation-store.ts'
import { INVITATION_PREFIX } from './model.ts'
import { drawSecret, known } from './service.ts'
import { claimOperator } from './store.ts'

interface InvitationDeps {
  readonly db: Database
  readonly ids: Ids
  readonly secrets: Secrets
}

/** An invitation as it is shown, this once. */
export interface FreshInvitation {
  readonly invitationId: string
  readonly operatorCode: string
  readonly secret: string
  readonly expireAt: Date
}

/** Makes an invitation by which the operator registers one passkey; earlier ones that were not used end. */
export function invite(deps: InvitationDeps, invited: Invited): Promise<FreshInvitation> {
  return deps.db.transaction((tx) => inviteIn(tx, deps, invited))
}

interface Invited {
  readonly code: string
  readonly madeBy?: string
}

/** The same in a transaction that does more. */
export async function inviteIn(
  tx: Tx,
  { ids, secrets }: Omit<InvitationDeps, 'db'>,
  { code, madeBy }: Invited,
): Promise<FreshInvitation> {
  const { operatorId, status, member } = known(await claimOperator(tx, code), code)
  if (status !== 'ACTIVE')
    throw new OperatorProblem(
      member === undefined
        ? `${code} is disabled: \`tollgate operators enable ${code}\` first.`
        : `${code} is disabled: enable them first.`,
      'CONFLICT',
    )
  await updateInvitationsEnded(tx, operatorId, 'REPLACED')
  const secret = `${INVITATION_PREFIX}${drawSecret({ ids })}`
  const invitationId = `inv_${ids.readable(10)}`
  const hash = hashKey(secrets, secret)
  const expireAt = await insertInvitation(tx, operatorId, { invitationId, hash, madeBy })
  return { invitationId, operatorCode: code, secret, expireAt }
}

/** What an operator opens: the secret stands behind the #, where no server and no log sees it. */
export const invitationLink = (consoleUrl: string, secret: string): string =>
  `${consoleUrl}/invitation#${secret}`
