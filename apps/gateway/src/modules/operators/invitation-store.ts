import type { Statement, Tx } from '../../platform/database.ts'
import type { OperatorAccount } from './model.ts'
import { type OperatorRow, OWNER_COLUMNS, toOperator } from './store.ts'

const HOURS = 24

const UPDATE_ENDED: Statement = {
  name: 'operators_update_invitations_ended',
  text: `update operator_invitations set ended_at = clock_timestamp(), end_reason = $2 where operator_id = $1 and ended_at is null`,
}
const INSERT: Statement = {
  name: 'operators_insert_invitation',
  text: `insert into operator_invitations (operator_id, invitation_id, secret_hash, made_by, expire_at)
    values ($1, $2, $3, $4, clock_timestamp() + interval '${HOURS} hours') returning expire_at`,
}
const UPDATE_USED: Statement = {
  name: 'operators_update_invitation_used',
  text: `update operator_invitations set ended_at = clock_timestamp(), end_reason = 'USED'
    where invitation_id = $1 and ended_at is null and expire_at > clock_timestamp() returning made_by`,
}
/** An invitation of an ADMIN who is disabled opens nothing. */
const FIND_BY_SECRET_HASH: Statement = {
  name: 'operators_find_by_invitation_hash',
  text: `select ${OWNER_COLUMNS}, i.invitation_id, i.secret_hash from operator_invitations i join operators o using (operator_id)
    where i.secret_hash = $1 and i.ended_at is null and i.expire_at > clock_timestamp() and o.status = 'ACTIVE'
      and (i.made_by is null or exists (
        select 1 from operators m where m.operator_code = i.made_by and m.status = 'ACTIVE'))`,
}
const FIND_END: Statement = {
  name: 'operators_find_invitation_end',
  text: `select end_reason, ended_at is null and expire_at <= clock_timestamp() as is_late from operator_invitations
    where secret_hash = $1`,
}

/** Ends those that were not used. */
export async function updateInvitationsEnded(
  tx: Tx,
  operatorId: string,
  reason: 'REPLACED' | 'DISABLED',
): Promise<void> {
  await tx.rows(UPDATE_ENDED, [operatorId, reason])
}

/** Why an invitation opens nothing; OTHER where it is not known, or somebody is disabled. */
type InvitationEnd = 'USED' | 'REPLACED' | 'LATE' | 'OTHER'

/** Of the invitation with this hash, which opens nothing; undefined where there is none. */
export async function findInvitationEnd(tx: Tx, hash: Buffer): Promise<InvitationEnd | undefined> {
  const [row] = await tx.rows<{ end_reason: string | null; is_late: boolean }>(FIND_END, [hash])
  if (row === undefined) return undefined
  if (row.is_late) return 'LATE'
  return row.end_reason === 'USED' || row.end_reason === 'REPLACED' ? row.end_reason : 'OTHER'
}

/** Answers when it expires. */
export async function insertInvitation(
  tx: Tx,
  operatorId: string,
  invitation: {
    readonly invitationId: string
    readonly hash: Buffer
    readonly madeBy: string | undefined
  },
): Promise<Date> {
  const { invitationId, hash, madeBy } = invitation
  const [row] = await tx.rows<{ expire_at: Date }>(INSERT, [operatorId, invitationId, hash, madeBy ?? null])
  if (row === undefined) throw new Error('the invitation was not stored')
  return row.expire_at
}

/** Uses it up: says who made it, undefined when it has ended meanwhile. */
export async function updateInvitationUsed(
  tx: Tx,
  invitationId: string,
): Promise<{ readonly madeBy: string | undefined } | undefined> {
  const [row] = await tx.rows<{ made_by: string | null }>(UPDATE_USED, [invitationId])
  return row && { madeBy: row.made_by ?? undefined }
}

/** Whose open invitation has this hash. */
export async function findOperatorByInvitationHash(
  tx: Tx,
  hash: Buffer,
): Promise<
  { readonly operator: OperatorAccount; readonly invitationId: string; readonly hash: Buffer } | undefined
> {
  const [row] = await tx.rows<OperatorRow & { invitation_id: string; secret_hash: Buffer }>(
    FIND_BY_SECRET_HASH,
    [hash],
  )
  return row && { operator: toOperator(row), invitationId: row.invitation_id, hash: row.secret_hash }
}
